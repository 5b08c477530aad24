// Code generated from programs/build.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var buildModels = []Model{
	{Names: "make gmake bmake mingw32-make remake", Opts: "-f,--file,--makefile=_ -C,--directory=D -j,--jobs?=_ -n,--just-print,--dry-run,--recon+inert -q,--question+inert -I=_ -o=_ -W=_ -l?=_ -s -k -B -e --eval=_ -O?=_ -p,--print-data-base -t,--touch", Do: doMake},
	{Names: "cmake", Opts: "-S=_ -B=_ -G=_ -D=_ -P=r -E -C=r -A=_ -T=_ -U=_ --build=_ --target,-t=_ -j,--parallel?=_ --install=_ --prefix=_ --component=_ --config=_ --preset=_ --log-level=_ --toolchain=_ --install-prefix=_", Do: doCmake},
	{Names: "ctest", Opts: "-C,--build-config=_ -R,--tests-regex=_ -E,--exclude-regex=_ -L,--label-regex=_ -LE,--label-exclude=_ -I,--tests-information=_ -D,--dashboard=_ -T,--test-action=_ -M,--test-model=_ -S,--script=r -SP=r -A,--add-notes=r -O,--output-log=w -j,--parallel=_ --timeout=_ --test-dir=_ --preset=_ --output-junit=w --repeat=_", Style: LongDash, Do: doCmake},
	{Names: "cpack", Opts: "-G=_ -C=_ -D=_ -P=_ -R=_ -B=_ --config=r --vendor=_ --preset=_", Do: doCmake},
	{Names: "ninja meson scons waf bazel bazelisk buck2 pants just task poe devcontainer mage invoke inv nox tox doit jake gulp grunt lerna nx turbo rush pre-commit lefthook husky", Opts: "-f,--file,--justfile,--taskfile,--rakefile=_ -C,-d,--working-directory,--directory=D -j=_ -t=_ -e=_ -s,--session=_ --set=_ -n,--dry-run,--dry+inert", Do: doTask},
	{Names: "code code-insiders codium vscodium code-server", Opts: "--install-extension=_ --uninstall-extension=_ --user-data-dir=_ --extensions-dir=_ --folder-uri=_ --profile=_ -d,--diff -g,--goto -a,--add", Do: doEditorExtension},
	{Names: "pytest py.test jest vitest mocha ava tap playwright cypress karma eslint prettier tsc ruff black mypy flake8 pylint isort rubocop golangci-lint staticcheck gofmt goimports rustfmt clippy-driver phpunit phpstan rspec shellcheck shfmt hadolint stylelint biome swc esbuild vite webpack rollup parcel next nuxt nodemon concurrently wait-on npm-run-all run-s run-p lint-staged", Do: doTestRunner},
}
