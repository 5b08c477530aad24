package classify

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// ProjectCode reports whether the program only runs the project's code: its build, tests, linters
// and scripts, with settings in the workspace. The agent writes that code anyway.
func (c Call) ProjectCode() bool {
	if c.Program == "git" {
		// Any folder can be made to look like a repository, whose settings name programs.
		return c.describedGit(umpire.PlaceWorkspace | umpire.PlaceInWorkspace)
	}
	if !c.Known() || !c.inProject() || c.outside() {
		return false
	}
	if c.runnerOf() {
		return true
	}
	if c.beyondProject() {
		return false
	}
	sub := c.Arg(0).Text
	switch c.Program {
	case "go":
		return c.goTask(sub)
	case "npm", "pnpm", "yarn", "bun":
		return c.scriptTask(sub)
	case "make", "gmake":
		return c.makeTask()
	case "just", "task", "rake", "invoke", "nox", "mage":
		return c.makeTask() && !c.Has("--shell", "--set", "-e", "-E", "-r", "-p", "--execute", "--rakelibdir", "--require", "--chooser", "--command", "-c")
	case "pytest", "py.test", "jest", "vitest", "mocha", "ava", "eslint", "prettier", "tsc", "ruff", "black", "mypy", "flake8", "pylint", "isort", "rubocop", "golangci-lint", "staticcheck", "gofmt", "goimports",
		"rustfmt", "phpunit", "phpstan", "rspec", "shellcheck", "hadolint", "stylelint", "biome", "oxlint", "yamllint", "markdownlint", "actionlint", "pyright", "basedpyright", "vue-tsc", "ctest", "tsx", "ts-node", "vite", "webpack", "rollup", "esbuild", "swc", "luacheck", "ktlint", "swiftlint", "clippy-driver", "gofumpt", "taplo", "vulture", "bandit", "coverage", "playwright", "cypress", "svelte-check", "astro", "knip", "madge", "depcheck", "dprint", "cspell", "commitlint", "typedoc", "tsup", "tsdown", "rolldown", "parcel", "tap", "c8", "nyc", "tailwindcss", "postcss", "sass", "storybook", "ng", "react-scripts", "craco", "remix", "nuxt", "nuxi", "gatsby", "eleventy", "vue-cli-service", "next",
		"expo-doctor", "sqlfluff", "plantuml", "mmdc", "mkdocs", "sphinx-build", "hugo", "jekyll", "zola", "uvicorn", "gunicorn", "hypercorn", "flask", "buf", "pre-commit", "xcodebuild", "zig", "prisma", "drizzle-kit", "turbo", "nx", "lerna", "moon", "alembic", "phpcs", "php-cs-fixer", "pest", "swiftformat", "ktfmt", "detekt", "dartfmt", "elm-test", "purs", "spago", "shfmt", "nixfmt", "statix", "ajv", "redocly", "spectral", "textlint", "alex", "write-good", "vale", "publint", "attw", "size-limit", "lint-staged", "react-router":
		if !c.ownTool(sub) {
			return false
		}
		return sub != "install" && !((c.Program == "tsx" || c.Program == "ts-node") && c.Has("-e", "--eval", "-p", "--print", "-r", "--require", "--import")) &&
			!c.Has("-exec", "--exec", "--prettier-path", "--shell", "--shell-command", "--test-command", "--launcher")
	case "cmake":
		return c.cmakeTask()
	case "docker", "podman", "docker-compose":
		return c.buildsImage()
	case "ninja":
		if slices.ContainsFunc(c.Operands, func(w command.Word) bool { return !ownTask(w.Text) }) {
			return false
		}
		return !c.Has("-t")
	case "cargo", "mvn", "mvnw", "gradle", "gradlew", "dotnet", "flutter", "dart", "swift", "deno":
		return c.buildTask(sub)
	case "python", "python3", "pypy3", "py":
		return c.projectPython()
	case "manage.py", "django-admin":
		return managePlain(c.Args)
	case "artisan":
		return anyof.Equal(sub, "test", "list", "about", "route:list", "inspire", "view:clear") || strings.HasPrefix(sub, "make:")
	case "rails":
		return anyof.Equal(sub, "test", "routes", "stats", "about", "zeitwerk:check", "spec", "notes", "generate", "g", "db:migrate:status", "db:version", "middleware", "initializers", "server", "s", "assets:precompile", "tmp:clear", "log:clear", "dev:cache") && !c.Has("-e", "--environment", "--pid", "-b", "--binding", "-c", "--config")
	case "julia":
		return command.IsScript(strings.Replace(sub, ".jl", ".py", 1)) && !c.Has("-e", "-E", "-L", "-J", "--eval", "--load")
	case "latexmk", "pdflatex", "xelatex", "lualatex", "bibtex", "biber":
		return !c.Has("-e", "-r", "-shell-escape", "--shell-escape", "-write18", "-enable-write18", "-latex", "-pdflatex", "-pvc") && !strings.Contains(sub, "\\")
	case "node", "nodejs", "ruby", "Rscript", "R", "php", "perl", "lua":
		return c.scriptFile(sub)
	case "bash", "sh", "zsh", "dash":
		return len(c.Args) > 0 && (c.Args[0].Text == sub || c.Args[0].Text == "-n" && c.Inert()) && command.IsScript(sub)
	}
	n := c.claims()
	return n.inProject(c) || c.Program == "tox" && len(c.Args) == 0
}

// buildTask reports whether the build tool of a language only builds, checks and tests.
func (c Call) buildTask(sub string) bool {
	switch c.Program {
	case "cargo":
		return anyof.Equal(sub, "build", "b", "check", "c", "test", "t", "clippy", "fmt", "bench", "doc", "run", "r", "tree", "metadata", "nextest", "clean", "verify-project", "locate-project", "fix") && !c.Has("--config", "-C", "-Z")
	case "mvn", "mvnw":
		for _, w := range c.Operands {
			switch w.Text {
			case "clean", "compile", "test-compile", "test", "verify", "package", "validate", "dependency:tree", "spotless:apply", "spotless:check", "checkstyle:check":
			default:
				return false
			}
		}
		return len(c.Operands) > 0 && !c.Has("-s", "-gs", "--settings")
	case "gradle", "gradlew":
		for _, w := range c.Operands {
			if c.valueOf(w, "--configuration", "--tests") { // the name of a part of the project, not a task
				continue
			}
			if !ownTask(w.Text) || PublishTask(w.Text) {
				return false
			}
		}
		return !c.Has("-I", "--init-script", "--include-build")
	case "dotnet":
		return anyof.Equal(sub, "build", "test", "run", "restore", "format", "clean")
	case "flutter", "dart":
		if after, ok := strings.CutPrefix(c.Name, c.Program+" pub "); ok {
			return anyof.Equal(after, "get", "deps", "outdated") && len(c.Operands) == 0
		}
		switch sub {
		case "test", "analyze", "build", "format", "doctor", "devices", "clean", "gen-l10n", "fix":
			return true
		case "run":
			n := c.claims()
			return n.inProject(c)
		}
	case "swift":
		return sub == "build" || sub == "test" || sub == "run"
	case "deno":
		return anyof.Equal(strings.TrimPrefix(c.Name, "deno "), "test", "check", "lint", "fmt", "bench") || sub == "test" || sub == "check" || sub == "lint" || sub == "fmt"
	}
	return false
}

// scriptFile reports whether an interpreter only runs or checks a file of the project, or runs code
// on the command line that is no more dangerous.
func (c Call) scriptFile(sub string) bool {
	if c.inlineCode() || c.Program == "node" && len(c.Args) == 2 && anyof.Equal(c.Args[0].Text, "--check", "-c") || anyof.Equal(c.Program, "ruby", "perl", "php") && len(c.Args) == 2 && anyof.Equal(c.Args[0].Text, "-c", "-l", "-wc") && command.IsScript(c.Args[1].Text) {
		return true
	}
	if len(c.Operands) == 0 || !command.IsScript(sub) {
		return c.Has("--test") && c.Program == "node" || c.Program == "php" && sub == "artisan" && c.Args[0].Text == sub // which is read on its own
	}
	for _, w := range c.Args { // options before the script are the interpreter's
		if w.Text == sub {
			return true
		}
		if strings.HasPrefix(w.Text, "-") && w.Text != "--test" && w.Text != "--watch" && w.Text != "--no-warnings" && w.Text != "--vanilla" && w.Text != "--experimental-strip-types" && w.Text != "--enable-source-maps" {
			return false
		}
	}
	return false
}

// makeTask reports whether make gets only harmless targets and plain variables.
func (c Call) makeTask() bool {
	if c.Has("--eval", "-E", "-I", "-e", "--environment-overrides") {
		return false
	}
	for _, w := range c.Operands {
		if name, v, ok := strings.Cut(w.Text, "="); ok {
			if name = strings.TrimRight(name, ":+?!"); !plainValue(v) || command.Influential(name, true) && name != "ARCH" && name != "CROSS_COMPILE" {
				return false
			}
			continue
		}
		if !ownTask(w.Text) {
			return false
		}
	}
	return true
}

// scriptTask reports whether a package manager only runs the project's scripts.
func (c Call) scriptTask(sub string) bool {
	switch {
	case c.Has("--script-shell", "--node-options", "--shell-emulator", "--preload", "--userconfig", "--globalconfig", "-g", "--global"), c.Program == "bun" && c.Has("-r"):
		return false
	case sub == "run" || sub == "run-script":
		task := c.taskName()
		return task == "" || ownTask(task) || c.Program == "bun" && command.IsScript(task)
	case c.Program == "bun" && sub == "build":
		return true
	case c.Program == "bun" && command.IsScript(sub):
		return true
	case c.Program == "bun" && (sub == "" || c.Has("-e")):
		return c.inlineNode()
	case c.Program != "npm" && !plainTask(sub) && len(c.Args) > 0 && c.Args[0].Text == sub: // pnpm turbo run lint
		if Of(command.NewCall(c.Host, c.Host.Model(sub), sub, c.Args[1:], c.Stdin)).Traits(false) == umpire.ProjectCode {
			return true
		}
		return c.Program == "yarn" && sub == "workspace" && len(c.Operands) > 2 && (plainTask(c.Operands[2].Text) || c.Operands[2].Text == "run" && len(c.Operands) > 3 && ownTask(c.Operands[3].Text))
	case c.Program == "npm" && sub == "pkg":
		return c.Arg(1).Text == "get"
	}
	return plainTask(sub)
}

// goTask reports whether go only compiles and runs the project's packages.
func (c Call) goTask(sub string) bool {
	switch sub {
	case "test", "build", "vet", "generate":
	case "run":
		if p := c.Arg(1).Text; !strings.HasPrefix(p, ".") && !strings.HasSuffix(p, ".go") {
			return false // another author's program
		}
	default:
		return false
	}
	ld, _ := c.Opt("-ldflags")
	return !c.Has("-exec", "-toolexec", "-vettool", "-overlay", "-modfile", "-C", "-compiler", "-gccgoflags", "-pkgdir") && !strings.Contains(ld.Text, "ext")
}

// beyondProject reports whether an argument makes the call load other code, install or send
// something, or serve the whole network. A script or task that is named after a deployment counts,
// too.
func (c Call) beyondProject() bool {
	for i, w := range c.Args {
		name, v, _ := strings.Cut(w.Text, "=")
		if strings.Contains(w.Text, "0.0.0.0") || v == "::" || strings.Contains(w.Text, "[::]") || (name == "--host" || name == "--hostname" || name == "--bind") && (v == "true" || v == "" && (i+1 == len(c.Args) || strings.HasPrefix(c.Args[i+1].Text, "-") || c.Args[i+1].Text == "::")) {
			return true // a server for the whole network
		}
		for _, o := range []string{"--init-hook", "--install-types", "--pastebin", "--record"} {
			if len(name) > 5 && strings.HasPrefix(o, name) { // options may be abbreviated
				return true
			}
		}
	}
	if c.Program == "rollup" {
		return slices.ContainsFunc(c.Args, func(w command.Word) bool { return strings.Contains(w.Text, "(") }) // a plugin's own code
	}
	for i, w := range c.Args {
		if !interprets(c.Program) || !command.IsScript(w.Text) || testFile(w.Text) {
			continue
		}
		if !ownTask(path.Base(w.Text)) {
			return true
		}
		if path.Base(w.Text) == "manage.py" {
			return !managePlain(c.Args[i+1:])
		}
		return !c.ownFollowing(c.Args[i+1:])
	}
	return false
}

// interprets reports whether a program runs the script that its first operand names.
func interprets(program string) bool {
	return anyof.Equal(program, "python", "python3", "pypy3", "py", "node", "nodejs", "ruby", "Rscript", "php", "perl", "lua", "bash", "sh", "zsh", "dash", "bun", "deno", "tsx", "ts-node")
}

// taskName returns the task that a package manager runs: the word after run. bun accepts options
// before the name as well.
func (c Call) taskName() string {
	name := c.Arg(1).Text
	for i := 2; c.Program == "bun" && i+1 < len(c.Operands) && anyof.Equal(name, "--filter", "-F", "--silent", "--bun", "--if-present"); i++ {
		if name == "--filter" || name == "-F" {
			i++
		}
		name = c.Arg(i).Text
	}
	return name
}

// testFile reports whether a file's name marks it as a test, in any language.
func testFile(name string) bool {
	b := path.Base(name)
	return strings.Contains(b, ".test.") || strings.Contains(b, ".spec.") || strings.HasPrefix(b, "test_") || strings.Contains(b, "_test.")
}

// ownTool reports whether the arguments of a tool that can do more concern only the project.
func (c Call) ownTool(sub string) bool {
	switch c.Program {
	case "prisma":
		return anyof.Equal(sub, "generate", "validate", "format", "version")
	case "drizzle-kit":
		return anyof.Equal(sub, "generate", "check")
	case "turbo", "nx", "lerna", "moon", "next", "astro", "ng", "react-scripts", "remix", "nuxt", "nuxi", "gatsby", "storybook", "vue-cli-service", "parcel", "eleventy", "react-router":
		for _, w := range c.Operands {
			if !ownTask(w.Text) || anyof.Equal(w.Text, "login", "link", "exec", "add", "eject", "dlx", "telemetry", "connect") {
				return false
			}
		}
		return !c.Begins("--remote") && !c.Has("--token", "--team", "--api")
	case "mkdocs", "hugo", "jekyll", "zola", "sphinx-build":
		return anyof.Equal(sub, "", "build", "check", "serve", "server") || c.Program == "sphinx-build"
	case "buf":
		if _, described, ok := strings.Cut(c.Name, " "); ok {
			sub = described
		}
		return anyof.Equal(sub, "lint", "build", "format", "breaking", "generate")
	case "pre-commit":
		return sub == "run" && c.Known()
	case "alembic":
		return anyof.Equal(sub, "history", "current", "heads", "check", "branches", "show")
	case "xcodebuild":
		for _, w := range c.Operands {
			if !anyof.Equal(w.Text, "build", "test", "clean", "analyze", "build-for-testing", "test-without-building") && !strings.Contains(w.Text, "=") && !c.valueOf(w) {
				return false
			}
		}
		return !c.Has("-exportArchive", "-exportPath", "-archivePath", "-allowProvisioningUpdates")
	case "zig":
		return anyof.Equal(sub, "build", "test", "fmt", "version", "ast-check") && ownTask(c.Arg(1).Text+"x")
	case "gunicorn", "uvicorn", "hypercorn", "flask":
		return !c.Has("--config", "-c", "--env-file", "--app-dir", "--chdir") && !anyof.HasPrefix(c.Name, "flask db", "flask shell")
	case "plantuml":
		return !c.Begins("-D") && !c.Begins("-picoweb") && !c.Begins("-http") && !c.Begins("-ftp")
	}
	return true
}

// valueOf reports whether a word directly follows one of the options, or any option if there are
// none.
func (c Call) valueOf(w command.Word, options ...string) bool {
	for i := 1; i < len(c.Args); i++ {
		if o := c.Args[i-1].Text; c.Args[i].Text == w.Text && (anyof.Equal(o, options...) || len(options) == 0 && strings.HasPrefix(o, "-")) {
			return true
		}
	}
	return false
}

// buildsImage reports whether a container engine builds an image of the project. The steps
// run in a container, so they can do less than a test of the project.
func (c Call) buildsImage() bool {
	words := c.Args
	for len(words) > 0 && (words[0].Text == "compose" || words[0].Text == "image" || words[0].Text == "buildx") {
		words = words[1:]
	}
	for len(words) > 2 && (words[0].Text == "-f" || words[0].Text == "--file") && (c.Program == "docker-compose" || c.Arg(0).Text == "compose" || c.Args[0].Text == "compose") {
		words = words[2:]
	}
	if len(words) == 0 || words[0].Text != "build" {
		return false
	}
	for i := 1; i < len(words); i++ {
		switch t := words[i].Text; {
		case t == "-t" || t == "--tag" || t == "-f" || t == "--file" || t == "--target" || t == "--progress" || t == "--platform":
			i++
		case t == "--no-cache" || t == "--pull" || t == "-q" || t == "--quiet" || t == "--load" || t == "--progress=plain":
		case strings.HasPrefix(t, "-") || t == "":
			return false
		}
	}
	return true
}

// projectPython reports whether python only runs a module or file of the project, a harmless tool,
// or code that inlinePython accepts.
func (c Call) projectPython() bool {
	if c.inlinePython() {
		return true // Python looks for modules in the call's folder first, so they are the project's
	}
	for i, w := range c.Args {
		switch t := w.Text; {
		case t == "-m":
			if i+1 == len(c.Args) {
				return false
			}
			switch m := c.Args[i+1].Text; m {
			case "pip":
				return i+2 < len(c.Args) && (c.Args[i+2].Text == "list" || c.Args[i+2].Text == "show" || c.Args[i+2].Text == "check" || c.Args[i+2].Text == "freeze")
			case "django":
				return i+2 < len(c.Args) && managePlain(c.Args[i+2:])
			case "pytest", "unittest", "mypy", "ruff", "black", "isort", "flake8", "pylint", "pyright", "coverage", "compileall", "py_compile", "build", "doctest", "json.tool", "tox", "nox", "bandit", "vulture", "sqlfluff", "yapf", "autopep8", "codespell", "mkdocs", "sphinx", "jupyter", "nbconvert", "cProfile":
				return m != "cProfile" || command.IsScript(c.Arg(0).Text)
			}
			return c.ownModule(c.Args[i+1].Text) && c.ownFollowing(c.Args[i+2:])
		case t == "-u" || t == "-B" || t == "-O" || t == "-s" || t == "-E" || t == "-I" || t == "-q" || t == "-v" || t == "-V":
		case strings.HasPrefix(t, "-"):
			return false
		default:
			return command.IsScript(t)
		}
	}
	return false
}

// ownModule reports whether a module belongs to the project: its file exists, or it is in a package
// that is not a known module or program.
func (c Call) ownModule(m string) bool {
	top, _, dotted := strings.Cut(m, ".")
	if strings.HasPrefix(m, "-") || !ownTask(m) || command.ModuleSort(top) != "" || command.ModuleSort(m) != "" || command.Lookup(top) != nil {
		return false
	}
	file := strings.ReplaceAll(m, ".", "/")
	return dotted || c.Exists(command.Lit(file+".py")) || c.Exists(command.Lit(file+"/__main__.py"))
}

// ownFollowing reports whether the first word after a program does not name a task that leaves the
// project.
func (c Call) ownFollowing(args []command.Word) bool {
	return len(args) == 0 || strings.HasPrefix(args[0].Text, "-") || strings.ContainsAny(args[0].Text, "/.") || ownTask(args[0].Text)
}

// managePlain reports whether Django's manage.py only checks, tests, shows, writes code or serves
// this machine.
func managePlain(args []command.Word) bool {
	if len(args) == 0 {
		return false
	}
	for _, w := range args {
		if strings.Contains(w.Text, "0.0.0.0") || w.Text == "[::]:8000" || strings.HasPrefix(w.Text, "--pythonpath") {
			return false
		}
	}
	return anyof.Equal(args[0].Text, "test", "check", "showmigrations", "makemigrations", "sqlmigrate", "inspectdb", "diffsettings", "help", "version", "--version", "startapp", "compilemessages", "makemessages", "show_urls", "runserver", "validate_templates")
}

// NamesDeployment reports whether the call runs a task or a script whose name says that it deploys
// or publishes.
func (c Call) NamesDeployment() bool {
	named := func(s string) bool { return strings.HasPrefix(s, "deploy") || strings.HasPrefix(s, "publish") }
	return named(c.Program) || anyof.Equal(c.Program, "make", "just", "task", "rake", "npm", "pnpm", "yarn", "bun") && slices.ContainsFunc(c.Args, func(w command.Word) bool { return named(w.Text) })
}

// plainTask reports whether a task's name means the same in all Node projects.
func plainTask(s string) bool {
	if head, _, ok := strings.Cut(s, ":"); ok && ownTask(s) {
		s = head // test:unit
	}
	return anyof.Equal(s, "test", "t", "tst", "build", "lint", "format", "fmt", "typecheck", "type-check", "check", "coverage", "e2e", "unit", "compile", "tsc", "start", "dev", "eslint", "prettier", "jest", "vitest", "mocha", "verify", "validate")
}

// ownTask reports whether a task's name suggests nothing beyond the project: tasks that publish,
// deploy, install or destroy are not builds. Long words count anywhere; short ones are parts of
// other words (products, async, dropdown, relationship).
func ownTask(s string) bool {
	l := strings.ToLower(s)
	for _, w := range []string{"deploy", "rollout", "publish", "release", "upload", "destroy", "install", "migrat", "rollback", "teardown", "provision", "terraform", "delete", "remove", "truncate"} {
		if strings.Contains(l, w) {
			return false
		}
	}
	start := 0
	for i := 0; i <= len(s); i++ { // a word ends before a capital letter and at other characters
		if i < len(s) && s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' && (i == start || s[i] >= 'a' || s[i-1] < 'a') {
			continue
		}
		if beyondWord(l[start:i]) {
			return false
		}
		start = i
		if i < len(s) && (s[i]|0x20 < 'a' || s[i]|0x20 > 'z') {
			start++
		}
	}
	return s != "" && !strings.HasPrefix(s, "-")
}

// beyondWord reports whether a word means that something leaves the project or is lost.
func beyondWord(w string) bool {
	for _, p := range []string{"pre", "post", "re", "auto", "db", "git", "data", "hard", "full", "force"} {
		if rest, ok := strings.CutPrefix(w, p); ok && rest != "" && rest != "ship" && beyondWord(rest) {
			return true
		}
	}
	return anyof.Equal(strings.TrimSuffix(w, "s"), "push", "pushe", "pushed", "pushing", "pusher", "prod", "production", "prd", "live", "drop", "dropped", "dropping", "dropall", "dropdb", "wipe", "wiped", "wiping", "wipeout", "wipeall", "purge", "purged", "purging", "nuke", "nuked", "reset", "resetting", "resetdb", "seed", "seeding", "seeder", "seeddb",
		"ship", "shipping", "shipit", "bump", "bumping", "bumpver", "sync", "syncing", "synced", "syncer", "syncdb", "syncup")
}

func plainValue(v string) bool {
	for i := range len(v) {
		if c := v[i]; (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != ',' {
			return false
		}
	}
	return !strings.HasPrefix(v, "-")
}

// runnerOf reports whether a tool runs another program with the project's dependencies (npx, uv
// run), and that program only runs the project's code.
func (c Call) runnerOf() bool {
	args := c.Args
	for c.Program == "pnpm" && len(args) > 1 && anyof.Equal(args[0].Text, "-r", "--recursive", "-w", "-C", "--dir", "-F", "--filter") {
		if strings.ContainsAny(args[0].Text, "CFd") || args[0].Text == "--filter" {
			args = args[1:]
		}
		args = args[1:]
	}
	switch {
	case (c.Program == "npx" || c.Program == "bunx") && len(args) > 0:
	case (c.Program == "uv" || c.Program == "poetry" || c.Program == "pipenv" || c.Program == "hatch" || c.Program == "rye" || c.Program == "pdm") && len(args) > 1 && args[0].Text == "run",
		(c.Program == "bundle" || c.Program == "pnpm" || c.Program == "yarn") && len(args) > 1 && args[0].Text == "exec",
		c.Program == "dart" && len(args) > 1 && args[0].Text == "run":
		args = args[1:]
	default:
		return false
	}
	name := args[0].Text
	if strings.HasPrefix(name, "-") || strings.Contains(name, "/") {
		return false
	}
	return Of(command.NewCall(c.Host, c.Host.Model(name), name, args[1:], c.Stdin)).Traits(false) == umpire.ProjectCode
}

// cmakeTask reports whether cmake only configures a build or builds. No setting may name a program,
// except for well-known compilers and launchers.
func (c Call) cmakeTask() bool {
	if c.Has("-E", "-P", "-C", "--install", "-T", "--debugger-pipe", "--find-package") || c.Begins("--debugger") {
		return false
	}
	for i, w := range c.Args {
		t := w.Text
		if i > 0 && anyof.Equal(c.Args[i-1].Text, "-t", "--target") && !ownTask(t) { // such as the target install
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

// plainSetting reports whether a setting of cmake is a switch, a plain name or a toolchain file,
// and names no program except a well-known compiler or launcher.
func plainSetting(setting string) bool {
	name, v, _ := strings.Cut(setting, "=")
	name, _, _ = strings.Cut(name, ":")
	if anyof.Equal(strings.ToUpper(v), "ON", "OFF", "1", "0", "TRUE", "FALSE", "YES", "NO") {
		return true
	}
	if name == "CMAKE_TOOLCHAIN_FILE" {
		return strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+") == ""
	}
	if anyof.Equal(name, "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_Fortran_COMPILER") {
		return anyof.Equal(v, "gcc", "g++", "clang", "clang++", "cc", "c++", "gfortran")
	}
	if anyof.Equal(name, "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER") {
		return anyof.Equal(v, "ccache", "sccache")
	}
	return !command.Influential(strings.TrimPrefix(name, "CMAKE_"), true) && !strings.Contains(name, "ARGS") && strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+,") == ""
}

// PublishTask reports whether a task of a build tool publishes its result.
func PublishTask(s string) bool {
	s = s[strings.LastIndexByte(s, ':')+1:]
	if anyof.Equal(s, "deploy", "publish", "release", "upload", "uploadArchives", "bintrayUpload", "perform", "publishPlugins", "closeAndReleaseRepository", "publishToSonatype", "stage-release", "publishSigned", "sonatypeRelease", "dockerPush", "jib", "clojars") {
		return true
	}
	return strings.HasPrefix(s, "publish") && s != "publishToMavenLocal" && s != "publishLocal" && s != "publishM2"
}
