package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// packageModels are package managers and build tools. What is installed, removed and
// published becomes packages(MANAGER VERB NAMES...).
var packageModels = []Model{
	{Names: "npm pnpm yarn ni cnpm", Opts: npmOpts + " -g,--global+global --location=_+global", Style: Verb, Do: doNpm},
	{Names: "npx bunx pnpx pnpm-dlx yarn-dlx", Opts: "-y,--yes -q,--quiet -s,--silent --no-install --no --ignore-existing --prefer-offline --prefer-online --offline --bun --verbose --include-workspace-root --workspaces --loglevel=_ --prefix=_ -p,--package=_ -c,--call=c --registry=_ --userconfig=_ -w,--workspace=_ --cache=_ --node-options=_ --shell=_", Style: Strict, Do: doNpx},
	{Names: "corepack", Do: doRunner},
	{Names: "pip pipenv pdm", Opts: pipOpts, Style: Verb, Do: doPip}, {Names: "pipx", Opts: pipOpts + " --spec=_ --python=_", Style: Strict, Do: doPipx},
	{Names: "uv", Opts: pipOpts + " --offline -n,--no-cache --no-config --no-progress --native-tls --config-file=_ --color=_ --allow-insecure-host=_ --managed-python --no-managed-python --no-python-downloads --preview --with=_ --from=_ -p,--python=_ --directory=D --project=_ --default-index=_ --index=_ -m,--module=_", Style: Strict, Do: doUv},
	{Names: "uvx", Opts: pipOpts + " --offline -n,--no-cache --no-config --no-progress --native-tls --isolated --refresh --reinstall --upgrade --with=_ --from=_ -p,--python=_ --default-index=_ --index=_", Style: Strict, Do: doNpx},
	{Names: "poetry hatch rye pixi", Opts: "-q,--quiet -v,--verbose -vv -vvv -n,--no-interaction --ansi --no-ansi --no-plugins --no-cache --no-color -C,--directory=D -P,--project=_ --repository,-r=_ -u,--username=_ -p,--password=_ -G,--group=_ -E=_ -e,--env=_ --dry-run+inert", Style: Strict, Do: doPoetry},
	{Names: "conda mamba micromamba", Opts: "-n,--name=_ -p,--prefix=_ -c,--channel=_ -f,--file=r -d,--dry-run+inert -y,--yes --cwd=D --no-capture-output --live-stream", Style: Strict, Do: doConda},
	{Names: "twine flit", Opts: "-r,--repository=_ --repository-url=u -u=_ -p=_", Do: doUpload}, {Names: "easy_install", Do: doInstallOnly},
	{Names: "cargo", Opts: "-C=D --config=_ --manifest-path=_ --target-dir=_ -p,--package=_ --features=_ --bin=_ --example=_ --test=_ -j=_ --target=_ --git=_ --path=_ --registry=_ --index=_ --version,--vers=_ --token=_ --root=_ --profile=_ -n,--dry-run+inert --color=_ --message-format=_ -Z=_ --config=_ --jobs=_ --lockfile-path=_ --explain=_ --exclude=_ --bench=_ --timings?=_", Style: NoInert | Verb, Do: doCargo},
	{Names: "go", Opts: "-C=D -exec=P -toolexec=P -o=w -run=_ -bench=_ -count=_ -timeout=_ -tags=_ -ldflags=_ -gcflags=_ -mod=_ -modfile=_ -overlay=r -p=_ -coverprofile=w -cpuprofile=w -memprofile=w -fuzz=_ -fuzztime=_ -vettool=P", Style: LongDash | NoInert, Do: doGo},
	{Names: "gem", Opts: "-v,--version=_ -s,--source=_ -i,--install-dir=_ -n,--bindir=_ -k,--key=_ --host=_ -P=_ --user-install", Do: doGem}, {Names: "bundle bundler", Opts: "--gemfile=_ --path=_ -j=_ --without=_", Style: Strict, Do: doRunner},
	{Names: "composer", Opts: "-d,--working-dir=D --repository=_ --dev --no-scripts -n -q --dry-run+inert", Style: 0, Do: doComposer},
	{Names: "mvn mvnw maven", Opts: "-f,--file=_ -P=_ -pl=_ -s,--settings=_ -T=_ -D=_ -am -q -B -o -gs=_", Style: LongDash, Do: doMaven}, {Names: "gradle gradlew", Opts: "-p,--project-dir=_ -b,--build-file=_ -I,--init-script=x -x,--exclude-task=_ -P=_ -D=_ --console=_ -c=_ -m,--dry-run+inert", Do: doGradle},
	{Names: "sbt lein ant", Do: doBuildPublish}, {Names: "dotnet", Opts: "-c,--configuration=_ -f,--framework=_ -o,--output=_ -r=_ -s,--source=_ -k,--api-key=_ --project=_ -p=_ -v=_", Do: doDotnet}, {Names: "nuget", Opts: "-Source=_ -ApiKey=_ -OutputDirectory=_ -Version=_", Style: LongDash, Do: doDotnet},
	{Names: "rebar3 hex", Do: doHex}, {Names: "luarocks cpan cpanm opam cabal stack vcpkg pod carthage tlmgr julia-pkg nimble shards dub raco", Opts: "--server=_ --source=_ --only-server=_ --mirror=_ -e=_", Do: doOtherManager},
	{Names: "helm-plugin krew", Do: doOtherManager},

	{Names: "apt apt-get aptitude dnf dnf5 yum microdnf zypper apk pacman yay paru emerge xbps-install xbps-remove pkg pkg_add pkg_delete brew port snap flatpak nix nix-env nix-shell guix winget choco scoop eopkg urpmi swupd tdnf rpm-ostree", Opts: "-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_", Style: Verb, Do: doSystemPackages},
	{Names: "dpkg rpm", Opts: "-i,--install,-U,-F,--upgrade -r,--remove,-e,--erase -P,--purge --force-all,--nodeps,--force+force --force-depends,--force-remove-essential,--force-remove-reinstreq+force -l,--list -L,--listfiles -S,--search -q,--query -a,--all -s,--status -V --import --root=_ --configure -c,--contents -I,--info -x,--extract -X --no-act,--dry-run,--simulate,--test+inert --nosignature,--nogpgcheck,--nodigest+skips-check", Do: doDpkg},
	{Names: "apt-key apt-add-repository add-apt-repository dnf-config-manager yum-config-manager rpmkeys", Do: doRepository},
	{Names: "apt-cache apt-mark apt-file dpkg-query repoquery apt-config", Do: nil},
	{Names: "installer softwareupdate mas", Opts: "-pkg=r -target=_ -i -l -a", Style: LongDash, Do: doMacInstaller},

	{Names: "make gmake bmake mingw32-make remake", Opts: "-f,--file,--makefile=_ -C,--directory=D -j,--jobs?=_ -n,--just-print,--dry-run,--recon+inert -q,--question+inert -I=_ -o=_ -W=_ -l?=_ -s -k -B -e --eval=_ -O?=_ -p,--print-data-base -t,--touch", Do: doMake},
	{Names: "cmake", Opts: "-S=_ -B=_ -G=_ -D=_ -P=r -E -C=r -A=_ -T=_ -U=_ --build=_ --target,-t=_ -j,--parallel?=_ --install=_ --prefix=_ --component=_ --config=_ --preset=_ --log-level=_ --toolchain=_ --install-prefix=_", Do: doCmake},
	{Names: "ctest", Opts: "-C,--build-config=_ -R,--tests-regex=_ -E,--exclude-regex=_ -L,--label-regex=_ -LE,--label-exclude=_ -I,--tests-information=_ -D,--dashboard=_ -T,--test-action=_ -M,--test-model=_ -S,--script=r -SP=r -A,--add-notes=r -O,--output-log=w -j,--parallel=_ --timeout=_ --test-dir=_ --preset=_ --output-junit=w --repeat=_", Style: LongDash, Do: doCmake},
	{Names: "cpack", Opts: "-G=_ -C=_ -D=_ -P=_ -R=_ -B=_ --config=r --vendor=_ --preset=_", Do: doCmake},
	{Names: "ninja meson scons waf bazel bazelisk buck2 pants just task poe devcontainer mage invoke inv nox tox doit jake gulp grunt lerna nx turbo rush pre-commit lefthook husky", Opts: "-f,--file,--justfile,--taskfile,--rakefile=_ -C,-d,--working-directory,--directory=D -j=_ -t=_ -e=_ -s,--session=_ --set=_ -n,--dry-run,--dry+inert", Do: doTask},
	{Names: "code code-insiders codium vscodium code-server", Opts: "--install-extension=_ --uninstall-extension=_ --user-data-dir=_ --extensions-dir=_ --folder-uri=_ --profile=_ -d,--diff -g,--goto -a,--add", Do: doEditorExtension},
	{Names: "pytest py.test jest vitest mocha ava tap playwright cypress karma eslint prettier tsc ruff black mypy flake8 pylint isort rubocop golangci-lint staticcheck gofmt goimports rustfmt clippy-driver phpunit phpstan rspec shellcheck shfmt hadolint stylelint biome swc esbuild vite webpack rollup parcel next nuxt astro nodemon concurrently wait-on npm-run-all run-s run-p lint-staged", Opts: "", Do: doTestRunner},
}

const (
	npmOpts = "--prefix,-C,--dir,--cwd=_ --registry=_ -w,--workspace,--filter,-F=_ --tag=_ --otp=_ --userconfig,--globalconfig,--use-yarnrc=_ --script-shell=P --node-options=_ --cache=_ --loglevel=_ -c,--call=c --dry-run+inert --omit=_ --include=_ --access=_ --scope=_ --depth=_ --store-dir=_ --modules-dir=_ --virtual-store-dir=_ --reporter=_ --network-concurrency=_ --changed-files-ignore-pattern=_ --test-pattern=_ --use-node-version=_ --mutex=_ --modules-folder=_ --cache-folder=_ --network-timeout=_ --link-folder=_ --proxy=_ --https-proxy=_ --emoji=_ -D,--save-dev -S,--save -E -O -f,--force+force --ignore-scripts --package,-p=_"
	pipOpts = "-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev"
)

// packages emits what is done with packages, and where they come from.
func packages(c *Call, verb string, names []Word, t umpire.Trait) {
	for _, w := range names {
		t |= packageSource(c, w)
	}
	c.Op(umpire.Packages, Quote(c.Program+" "+verb, names), t)
}

// packageSource tells whether a package comes from outside the registry, by the forms
// that npm, pip, cargo and go know.
func packageSource(c *Call, w Word) (t umpire.Trait) {
	s := w.Text
	if i := strings.Index(s, " @ "); i >= 0 { // pip: name @ URL
		s = strings.TrimSpace(s[i+3:])
	} else if i := strings.Index(s, "@http"); i > 0 {
		s = s[i+1:]
	} else if i := strings.Index(s, "@git+"); i > 0 {
		s = s[i+1:]
	}
	if !w.Known() {
		t |= umpire.Unknown
	}
	switch {
	case strings.HasPrefix(s, "http://"), strings.HasPrefix(s, "git://"), strings.HasPrefix(s, "git+http://"), strings.HasPrefix(s, "ftp://"):
		t |= umpire.UntrustedSource | umpire.PlainHTTP
		c.Net(w.With(strings.TrimPrefix(s, "git+")), 0, 0)
	case strings.Contains(s, "://"), strings.HasPrefix(s, "git@"), strings.HasPrefix(s, "github:"), strings.HasPrefix(s, "gitlab:"), strings.HasPrefix(s, "bitbucket:"), strings.HasPrefix(s, "gist:"):
		if !strings.HasPrefix(s, "file://") {
			t |= umpire.UntrustedSource
			if strings.Contains(s, "://") {
				c.Net(w.With(strings.TrimPrefix(s, "git+")), 0, 0)
			}
		}
	case strings.Count(s, "/") == 1 && s[0] != '@' && s[0] != '.' && s[0] != '/' && s[0] != '~' && (c.Program == "npm" || c.Program == "npx" || c.Program == "pnpm" || c.Program == "yarn" || c.Program == "bun"):
		t |= umpire.UntrustedSource // npm takes user/repo for GitHub
	}
	return t
}

// fromRegistry tells whether an option sends the manager to another registry.
func fromRegistry(c *Call, options ...string) (t umpire.Trait) {
	for _, o := range options {
		for _, w := range c.All(o) {
			l := strings.ToLower(w.Text)
			switch {
			case strings.HasPrefix(l, "http://") && !strings.Contains(l, "localhost") && !strings.Contains(l, "127.0.0.1"):
				t |= umpire.UntrustedSource | umpire.PlainHTTP
				c.Net(w, 0, 0)
			case strings.Contains(l, "registry.npmjs.org"), strings.Contains(l, "pypi.org"), strings.Contains(l, "pythonhosted.org"), strings.Contains(l, "download.pytorch.org"), strings.Contains(l, "rubygems.org"), strings.Contains(l, "registry.yarnpkg.com"), strings.Contains(l, "npm.pkg.github.com"), strings.Contains(l, "localhost"), strings.Contains(l, "127.0.0.1"):
			case strings.Contains(l, "://"):
				t |= umpire.UntrustedSource
				c.Net(w, 0, 0)
			}
		}
	}
	return t
}

func rest(c *Call, n int) []Word { return c.Operands[min(n, len(c.Operands)):] }

func doOtherManager(c *Call) {
	switch v := c.Arg(0).Text; v {
	case "install", "add", "get", "update", "upgrade", "-i":
		packages(c, "install", rest(c, 1), fromRegistry(c, "--server", "--source"))
	case "remove", "uninstall":
		packages(c, "remove", rest(c, 1), 0)
	case "upload", "publish", "push":
		packages(c, "publish", rest(c, 1), umpire.Upload|umpire.Mutate)
	default:
		if c.Program == "cpanm" || c.Program == "cpan" {
			packages(c, "install", c.Operands, 0)
		}
		if (c.Program == "opam" || c.Program == "cabal" || c.Program == "stack") && v == "exec" {
			c.Exec(rest(c, 1), Run{Out: true})
		}
	}
}
