package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// tradeTool reports whether a tool builds, checks, formats or previews the project: what the
// tool runs is code and settings of the project, which the agent writes anyway. The adversary
// chooses the words, so a verb that leaves the project, an option that brings code or settings
// from elsewhere and a file that others obey end it.
func (c *Call) tradeTool() bool {
	verbs, never := tradeWords(c.Program)
	if verbs == "" || len(c.Args) == 0 || c.Stdin.Taint != 0 {
		return false
	}
	if verbs != "*" && !listed(verbs, c.firstArg()) {
		return false
	}
	for i, w := range c.Args {
		t := w.Text
		if strings.ContainsAny(t, "`;|&<>\n@") || strings.Contains(t, ":") && oneOf(c.Program, "convert", "magick", "mogrify", "montage") || strings.Contains(t, "$(") || c.obeyed(t) || strings.Contains(t, ":/") || strings.Contains(t, "=/") || strings.Contains(t, ":../") {
			return false
		}
		if t != "" && t[0] == '-' {
			name, v, _ := strings.Cut(t, "=")
			if bannedOption(never, name) || c.obeyed(v) || len(name) > 2 && name[2] >= 'A' && name[2] <= 'Z' && strings.Contains(name, ".") {
				return false
			}
			continue
		}
		if strings.ContainsAny(t, "./") || i > 0 && namesPart(c.Args[i-1].Text) {
			continue
		}
		if !ownTask(t) || listed("flash erase burn fuse login logout remote ssh exec", strings.ToLower(t)) {
			return false
		}
	}
	return true
}

// namesPart reports whether an option takes the name of a part of the project, which is no
// task: a variant to resolve, a pattern of tests.
func namesPart(option string) bool {
	return oneOf(option, "--configuration", "--tests", "--export-release", "--export-debug", "--export-pack", "--level", "--scheme", "--preset")
}

// bannedOption reports whether an option is one of a list: by its name, by an abbreviation of a
// long one, or as a short one with its value attached.
func bannedOption(list, name string) bool {
	for o := range strings.FieldsSeq(list) {
		switch {
		case name == o:
			return true
		case strings.HasPrefix(o, "--"):
			if len(name) > 3 && strings.HasPrefix(o, name) || strings.HasSuffix(o, "*") && strings.HasPrefix(name, o[:len(o)-1]) {
				return true
			}
		case len(o) == 2 && strings.HasPrefix(name, o) && name[1] != '-':
			return true
		}
	}
	return false
}

// obeyed reports whether a word names a file that the agent, the editor, a forge or a package
// manager obeys, or one with secrets. A tool that may write it is no mere build.
func (c *Call) obeyed(t string) bool {
	if t == "" || strings.HasPrefix(t, "-") {
		return false
	}
	_, p := c.Path(Lit(t))
	return p&(umpire.PlaceGitDir|umpire.PlaceGitHooks|umpire.PlaceCredentials|umpire.PlacePrivate|umpire.PlaceEnvFile|umpire.PlaceStartup|umpire.PlaceLogin|umpire.PlaceJobs|umpire.PlaceLoader|
		umpire.PlaceAgentConfig|umpire.PlaceAgentRules|umpire.PlaceMCP|umpire.PlaceUmpire|umpire.PlacePackageConfig|umpire.PlaceEditorConfig|umpire.PlaceCI|umpire.PlaceSocket|umpire.PlaceDevice) != 0
}

// tradeWords returns the verbs by which a tool stays in the project, "*" for one that takes
// none, and the options that bring code, settings or hosts from elsewhere.
func tradeWords(program string) (verbs, never string) {
	switch program {
	// Code of the system's own languages.
	case "meson":
		return "setup compile test configure introspect", "--wrap-mode --native-file --cross-file"
	case "bazel", "bazelisk", "buck2":
		return "build test query cquery aquery info version coverage", "--run_under --workspace_status_command --override_repository --override_module --output_base --remote_* --bes_* --experimental_* --credential_helper --action_env --repo_env --tool_java* --host_jvm* --extra_toolchains --shell_executable --script_path --test_env"
	case "scons", "clang-format", "cppcheck", "uncrustify", "astyle", "cpplint", "iwyu_tool.py", "doxygen", "dtc", "glslc", "glslangValidator", "spirv-val", "spirv-opt", "naga", "checkpatch.pl":
		return "*", "--addon --rule-file --executor --site-dir --tool-path --dump-config"
	case "clang-tidy", "run-clang-tidy":
		return "*", "-load --load --extra-arg --extra-arg-before -extra-arg -extra-arg-before --vfsoverlay -clang-tidy-binary"
	case "ant":
		return "compile test build clean jar", "-lib -logger -listener -inputhandler -propertyfile"
	case "dune":
		return "build test runtest fmt clean describe", "--workspace --root"
	case "cabal", "stack":
		return "build test check haddock bench", "--with-* --project-file --stack-yaml --exec --ghc-options --builddir"
	case "sbt":
		return "compile test Test/compile scalafmtCheck scalafmt clean", "-ivy -Dsbt* --sbt-* -sbt-*"
	case "lein":
		return "compile test check deps", ""
	case "rebar3":
		return "compile eunit ct dialyzer xref fmt tree", ""
	case "gleam":
		return "build test check format run docs", ""
	case "nimble":
		return "build test check tasks", ""
	case "mix":
		return "deps.get phx.routes docs help xref deps.tree deps.unlock", ""
	case "gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran", "rustc", "javac", "kotlinc", "scalac", "ghc":
		return "*", "-fplugin -fplugin-arg* -wrapper -B -specs -load -Xclang -C -F -pgmF -pgmF* -processorpath -processor -Xplugin* -cp -classpath -syntax -J -r -e -x --eval -imacros -include -Wl* -Xlinker -T -print-prog-name --config"
	// Firmware. What writes to a board is asked about.
	case "west":
		return "build list topdir status diff boards update", "--cmd-file"
	case "pio", "platformio":
		return "run test check device boards project", "-c --project-conf --upload-port"
	case "idf.py":
		return "build size size-components size-files reconfigure set-target fullclean clean app bootloader partition-table docs", "-C --project-dir -p --port"
	case "arduino-cli":
		return "compile board version", "--upload -u --config-file --additional-urls --build-property --build-properties --library --libraries -p --port"
	// Notebooks, data and documents.
	case "jupyter":
		return "nbconvert lab notebook kernelspec", "--config --ip --allow-root --notebook-dir --config-file --debug-server --gateway-url --certfile --keyfile --preferred-dir --preprocessors --exporter --writer --post --template-file"
	case "papermill", "nbstripout", "nbqa", "jupytext", "nbdime":
		return "*", "--install --uninstall --global --system --attributes --pipe --execute --engine --parameters_yaml --set-kernel"
	case "dvc":
		return "status repro diff dag metrics params plots pull fetch version doctor", "-f --force --cd"
	case "tensorboard":
		return "*", "--host --bind_all --path_prefix --db --load_fast"
	case "streamlit":
		return "run version", "--server.* --browser.*"
	case "marimo":
		return "edit run check export", "--host --no-token --proxy --allow-origins --token-password --include-code"
	case "quarto":
		return "render preview check", "--execute-daemon --host --lua-filter --filter --to --metadata --pandoc"
	case "dbt":
		return "compile parse ls list docs", "--profiles-dir --project-dir --target -t --profile"
	case "pandoc":
		return "*", "-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt -d --defaults --data-dir --extract-media --request-header --syntax-definition --no-check-certificate --log --abbreviations"
	case "asciidoctor", "asciidoctor-pdf":
		return "*", "-r --require -I --load-path -E --template-engine -T --template-dir -S --safe-mode"
	case "mdbook":
		return "build test serve clean watch", "-n --hostname"
	case "docusaurus", "vitepress", "vuepress":
		return "build start serve clear dev preview", "--host --config"
	case "typst":
		return "compile watch fonts query", "--font-path --package-path --package-cache-path --open --root"
	case "antora", "d2", "dot", "neato", "markdownlint-cli2", "markdownlint-cli", "remark", "proselint", "doctoc", "codespell", "linkchecker", "lychee":
		return "*", "--header --basic-auth --cookie-jar --github-token --remap --require --rulePath --use -u --output-dir --fetch --config-file --bundle --browser --cmd"
	// Pictures, sound and models.
	case "convert", "magick", "mogrify", "montage": // a colon names a coder, which may reach anything
		return "*", "-write -script -define -path -authenticate"
	case "optipng", "oxipng", "pngquant", "jpegoptim", "gifsicle", "cwebp", "dwebp", "svgo", "sox", "texturepacker", "TexturePacker", "aseprite", "blender":
		return "*", "--python-expr --python-console --app-template --script --shell --script-param --ext --dest --config"
	case "ffmpeg":
		return "*", "-protocol_whitelist -attach -dump_attachment -report -vstats_file -passlogfile -progress -filter_script -filter_complex_script -/filter -/vf -sdp_file -init_hw_device -f -safe"
	// Games and applications.
	case "godot", "godot4":
		return "--headless --import --check-only --version --build-solutions", "-s --script --main-pack --remote-* --debug-server --gdextension* --editor-pid --lsp-port --dap-port --render-thread --log-file --write-movie -u --user-data-dir --extension"
	case "love", "stylua", "selene", "luac":
		return "*", ""
	case "msbuild":
		return "*", "-logger -l -distributedlogger -dl -rsp -ignoreprojectextensions -toolsversion"
	case "maestro":
		return "test", "--host --env -e --api-key"
	case "detox":
		return "build test", ""
	case "fastlane":
		return "lanes list scan run_tests test tests lint", "--env"
	case "expo", "react-native":
		return "start doctor lint info config", "--tunnel --host --customLogReporterPath --config --reactNativePath --transformer --projectRoot"
	case "flutter":
		return "run", "--web-hostname --vmservice-out-file --target-platform --use-application-binary --dds-port --disable-service-auth-codes --local-*"
	// Checks of settings for machines and clusters: nothing is sent to either.
	case "kubeconform", "kubeval", "kube-linter", "kube-score", "ansible-lint", "checkov", "tfsec", "tflint":
		return "*", "-schema-location -schema-location-* --schema-location --external-checks-git --external-checks-dir --external-modules-download-path --bc-api-key --repo-id --custom-check-url --config-file-url --plugins --add-checks -r -R -ignore-filename-pattern"
	case "conftest":
		return "test verify fmt", "--update -u --plugin --data"
	case "packer", "nomad":
		return "validate fmt inspect", "-address -region -token"
	case "cdk":
		return "synth ls list", "--app -a --plugin -p --role-arn --toolkit-stack-name --proxy --ca-bundle-path"
	// Servers and checks of Ruby, PHP, Python, Node and Go.
	case "brakeman", "i18n-tasks", "reek", "erblint", "erb_lint", "standardrb", "steep", "haml-lint", "slim-lint", "bundle-audit", "sidekiq", "puma", "rackup", "yard":
		return "*", "--require -r --plugin -I --include -S --state --control-url --pidfile --load --eval -e -b --bind --config-file --ensure-latest"
	case "foreman", "overmind", "hivemind":
		return "start s check ps", "-e --env --procfile-env --shell --socket -s"
	case "nodemon", "air", "templ", "sqlc", "gotestsum", "ginkgo", "golines", "govulncheck", "ty", "pyrefly", "pyupgrade", "autoflake", "yapf", "autopep8", "docformatter", "pydocstyle", "interrogate", "djlint", "xo", "standard", "tsd", "tslint", "htmlhint", "html-validate", "jscpd", "rspack", "oxfmt", "stencil", "ember":
		return "*", "--exec -x --require -r --raw-command --post-run-command --rerun-fails-report --jsonfile-timing-events --toolexec --plugins --plugin --formatter -d --delay --ext --build.* --root"
	case "wasm-pack", "trunk", "maturin":
		return "build test serve check", "--address --proxy-backend --publish"
	}
	return "", ""
}

// cmakeTask reports whether cmake sets a build up, or builds. A setting that names a program is
// one of the well-known compilers, or a file of the project.
func (c *Call) cmakeTask() bool {
	if c.Has("-E", "-P", "-C", "--install", "-T", "--debugger-pipe", "--find-package") || c.starts("--debugger") {
		return false
	}
	for i, w := range c.Args {
		t := w.Text
		if i > 0 && oneOf(c.Args[i-1].Text, "-t", "--target") && !ownTask(t) { // the build's own task to install
			return false
		}
		setting, ok := strings.CutPrefix(t, "-D")
		if ok && setting == "" && i+1 < len(c.Args) {
			setting = c.Args[i+1].Text
		}
		if ok && !plainSetting(setting) {
			return false
		}
	}
	return c.Has("--build", "--preset", "-B") || len(c.Operands) == 1 && strings.Trim(c.Operands[0].Text, "./") == ""
}

// plainSetting reports whether a setting of cmake is a switch, a name or a file of the project,
// and names no program but a well-known compiler.
func plainSetting(setting string) bool {
	name, v, _ := strings.Cut(setting, "=")
	name, _, _ = strings.Cut(name, ":")
	switch strings.ToUpper(v) {
	case "ON", "OFF", "1", "0", "TRUE", "FALSE", "YES", "NO":
		return true
	}
	if name == "CMAKE_TOOLCHAIN_FILE" {
		return strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+") == ""
	}
	if oneOf(name, "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_Fortran_COMPILER") {
		return oneOf(v, "gcc", "g++", "clang", "clang++", "cc", "c++", "gfortran")
	}
	if oneOf(name, "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER") {
		return oneOf(v, "ccache", "sccache")
	}
	return !Influential(strings.TrimPrefix(name, "CMAKE_"), true) && !strings.Contains(name, "ARGS") && strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+,") == ""
}

// valueOf reports whether a word stands behind one of the options.
func (c *Call) valueOf(w Word, options ...string) bool {
	for i := 1; i < len(c.Args); i++ {
		if c.Args[i].Text == w.Text && oneOf(c.Args[i-1].Text, options...) {
			return true
		}
	}
	return false
}
