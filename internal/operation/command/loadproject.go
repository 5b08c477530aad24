package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// LoadsProject reads the files of the project that the program loads, or takes commands from,
// without being told to. It covers programs without a description, too. The parameter as is the
// program's name as the call spells it.
func (c *Call) LoadsProject(as Word) {
	defer func(t umpire.Trait) { c.Traits = t }(c.Traits)
	c.Traits &^= umpire.Inert                // a trial run loads its settings, too
	if hasWord("mvn mvnw mvnd", c.Program) { // Maven starts a JVM even to print its version
		if f, ok := c.startedFile(".mvn/jvm.config"); ok {
			if strings.Contains(f.Text, "-javaagent:") || strings.Contains(f.Text, "-agentpath:") {
				f.unseen()
			}
			f.exec(1, append(append([]string{"java"}, strings.Fields(f.Text)...), "Main"), Run{})
		}
	}
	if len(c.Args) > 0 && c.asksAboutItself() {
		return
	}
	known := Lookup(c.Program) != nil
	for i := range loads {
		if l := &loads[i]; hasWord(l.programs, c.Program) {
			known = true
			files := strings.Fields(l.files)
			if w, given := configOption(c); given && l.lang == "js" {
				files = []string{w.Text}
			}
			c.loadsFiles(l.lang, files)
		}
	}
	for i := range runSettings {
		s := &runSettings[i]
		if !hasWord(s.programs, c.Program) && !(c.Program == "cargo" && hasWord(s.programs, "cargo-"+c.verb())) {
			continue
		}
		known = true
		files := c.present(".", strings.Fields(s.files))
		if n, ok := configValue(c, "-c", "--configuration", "-f", "--procfile", "--file"); ok && namesSettings(n, s.files) {
			files = []string{n}
		}
		for _, n := range files {
			if f, ok := c.startedFile(n); ok && hasKeys(n, f.Text, s.keys) {
				t := f.tree(settingsReader(n, f.Text))
				for _, keys := range strings.Fields(s.keys) {
					if s.is == "program" { // with its arguments, if it is a list
						keys += ".[]"
					}
					c.settingsOf(t, keys, func(v *datafile.Value) { f.runSetting(s.is, v) })
				}
			}
		}
	}
	c.loadsBuild()
	c.loadsRunner()
	c.loadsScripts()
	if !known {
		c.scansNamesakes()
		c.scansScript()
	}
	loadsPython(c)
	c.loadsTests()
	loadsEnvironment(c, as)
}

// namesSettings reports whether the value of an option names a settings file of the same kind as
// one of files: Procfile.dev, conf/supervisord.conf.
func namesSettings(value, files string) bool {
	return slices.ContainsFunc(strings.Fields(files), func(n string) bool {
		return strings.HasPrefix(path.Base(value), path.Base(n)) || path.Ext(n) == ".conf" && path.Ext(value) == ".conf"
	})
}

// hasKeys reports whether a text may contain some of the keys. This is cheaper than parsing the
// text.
func hasKeys(name, text, keys string) bool {
	for _, k := range strings.Fields(keys) {
		first, _, _ := strings.Cut(k, ".")
		if first == "*" || first == "$" || strings.Contains(first, ":") {
			return true
		}
		if name != "package.json" {
			if strings.Contains(strings.ToLower(text), strings.ToLower(first)) {
				return true
			}
			continue
		}
		for rest := text; ; {
			var ok bool
			if _, rest, ok = strings.Cut(rest, `"`+first+`"`); !ok {
				break
			}
			if strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":") {
				return true
			}
		}
	}
	return strings.Contains(text, `\u`) || strings.Contains(text, `\x`) // a key may be spelled with escapes
}

// settingsOf calls f with each value below keys. A $ in keys stands for each operand: the name of a
// task.
func (c *Call) settingsOf(t *datafile.Value, keys string, f func(*datafile.Value)) {
	path := strings.Split(keys, ".")
	i := slices.Index(path, "$")
	if i < 0 {
		for _, v := range t.All(path) {
			f(v)
		}
		return
	}
	for _, w := range c.Operands {
		named := slices.Clone(path)
		named[i] = strings.TrimPrefix(w.Text, ":")
		for _, v := range t.All(named) {
			f(v)
		}
	}
}

// verb returns the sub-command, whether or not the program's description lists it.
func (c *Call) verb() string {
	if _, sub, ok := strings.Cut(c.Name, " "); ok {
		return sub
	}
	return c.Arg(0).Text
}

// loadsBuild reads the files of build tools and of compilers that the tables loads and runSettings
// cannot express.
func (c *Call) loadsBuild() {
	switch c.Program {
	case "cmake":
		cmakeProject(c)
	case "meson":
		mesonBuild(c)
	case "ninja", "samu":
		ninjaRules(c)
	case "dotnet", "msbuild", "xbuild":
		if c.Program != "dotnet" || hasWord("build test run restore publish pack clean msbuild watch", c.verb()) {
			msbuildTasks(c)
		}
	case "go":
		goTools(c)
		if c.verb() == "generate" {
			goGenerate(c)
		}
	case "mage":
		mageTargets(c)
	case "bazel", "bazelisk", "buck", "buck2":
		bazelFiles(c)
	case "dune":
		duneRules(c)
	case "nix-shell", "nix":
		if c.Program == "nix-shell" || hasWord("develop shell", c.verb()) {
			nixHooks(c)
		}
	case "mvn", "mvnw", "mvnd":
		// An options file that names another project is rare. Maven's code there is not read.
		if f, ok := c.startedFile(".mvn/maven.config"); ok && (contains(Lits(strings.Fields(f.Text)...), "-f") || strings.Contains(f.Text, "--file")) {
			f.unseen()
		}
	case "mix":
		mixAliases(c)
	case "protoc":
		for _, w := range c.Args { // --plugin=NAME=PATH
			if plugin, ok := strings.CutPrefix(w.Text, "--plugin="); ok {
				c.Exec([]Word{w.With(plugin[strings.LastIndexByte(plugin, '=')+1:])}, Run{Task: true})
			}
		}
	case "doxygen":
		doxygenFilters(c)
	case "pdflatex", "xelatex", "lualatex", "latex", "latexmk":
		texCommands(c)
	case "ctest":
		dir := "."
		if w, ok := c.Opt("--test-dir"); ok && w.Known() {
			dir = w.Text
		}
		cmakeLists(c, path.Join(dir, "CTestTestfile.cmake"), 0)
	case "ant":
		if f, ok := c.startedFile("build.xml"); ok {
			antTasks(f, 1, f.Text)
		}
	case "autoreconf", "autoconf", "aclocal", "automake", "autoheader":
		autoconfCommands(c)
	case "ghci":
		for _, n := range []string{".ghci", "~/.ghci"} {
			if f, ok := c.startedFile(n); ok {
				for i, l := range strings.Split(f.Text, "\n") {
					if cmd, ok := strings.CutPrefix(strings.TrimSpace(l), ":!"); ok {
						f.run(i+1, cmd, Run{})
					}
				}
			}
		}
	case "rebar3", "rebar":
		rebarHooks(c)
	case "nim", "zig":
		if anyof.Equal(c.verb(), "r", "run") {
			for _, w := range c.Args {
				if path.Ext(w.Text) == "."+c.Program {
					startsFile(c, c.Program, w.Text)
				}
			}
		}
	}
}

// loadsRunner reads the files of task runners, and of programs that build images or change machines.
func (c *Call) loadsRunner() {
	switch c.Program {
	case "docker", "podman", "docker-compose":
		if contains(c.Args, "bake") {
			bakeSecrets(c)
		} else if contains(c.Args, "build") && (contains(c.Args, "compose") || c.Program == "docker-compose") {
			if f, ok := c.startedFile(composeFiles[:]...); ok {
				c.composeSecrets(f.tree(datafile.YAML))
			}
		}
	case "terraform", "tofu":
		if v := c.verb(); hasWord("plan apply refresh import console", v) {
			terraformPrograms(c, v == "apply")
		}
	case "mise", "rtx":
		miseTasks(c)
	case "ansible", "ansible-inventory":
		inventoryScript(c)
	case "ansible-playbook":
		inventoryScript(c)
		dir := path.Dir(c.Arg(0).Text)
		for _, n := range c.present(dir, []string{"filter_plugins", "callback_plugins", "lookup_plugins", "action_plugins", "vars_plugins", "library"}) {
			loadsPlugins(c, path.Join(dir, n))
		}
	case "nx":
		nxTargets(c)
	case "moon":
		moonTasks(c)
	case "packer":
		if c.verb() == "build" {
			packerCommands(c)
		}
	case "doit":
		f, _ := c.startedFile("dodo.py")
		f.assigned("actions")
	case "tilt":
		if hasWord("up ci trigger", c.verb()) {
			tiltfile(c)
		}
	case "earthly":
		earthfile(c)
	case "terragrunt":
		terragruntCommands(c)
	case "snakemake":
		for _, n := range []string{"Snakefile", "workflow/Snakefile"} {
			f, _ := c.startedFile(n)
			f.assigned("shell")
		}
	case "act":
		local := strings.Contains(Quote("", c.Args), "self-hosted") // elsewhere the steps run in a container
		for _, n := range c.Names(Lit(".github/workflows")) {
			f, ok := c.startedFile(path.Join(".github/workflows", n))
			if !ok || !local && !strings.Contains(f.Text, "options:") {
				continue
			}
			t := f.tree(datafile.YAML)
			for _, o := range t.All([]string{"jobs", "*", "container", "options"}) {
				f.run(o.Line, "docker run "+o.Text+" image", Run{})
			}
			if local {
				f.workflow(t.All([]string{"jobs", "*", "steps", "*"}), 0)
			}
		}
	case "sam":
		if f, ok := c.startedFile("template.yaml", "template.yml"); ok && c.verb() == "build" {
			f.tree(datafile.YAML).Get("Resources").Each(func(name string, v *datafile.Value) {
				if v.Str("Metadata", "BuildMethod") == "makefile" {
					f.exec(v.Line, []string{"make", "-C", cmp.Or(v.Str("Properties", "CodeUri"), "."), "build-" + name}, Run{})
				}
			})
		}
	}
}

// loadsScripts reads what the interpreters of scripts and their test runners start with.
func (c *Call) loadsScripts() {
	switch c.Program {
	case "node":
		nodeEnvFile(c)
	case "python", "python2", "python3", "pypy3", "pytest":
		if w, ok := c.Var("PYTHONPATH"); ok && w.Known() {
			for _, dir := range strings.Split(w.Text, ":") {
				if dir != "" {
					startsFile(c, "python", path.Join(dir, "sitecustomize.py"), path.Join(dir, "usercustomize.py"))
				}
			}
		}
	case "bundle", "bundler":
		gemfile(c)
	case "luarocks":
		if anyof.Equal(c.verb(), "make", "build", "install", "test") {
			rockspecs(c)
		}
	case "busted":
		f, _ := c.startedFile(".busted")
		for _, rest := range f.after("helper") { // helper = 'spec/helper.lua'
			if words := quotedWords(strings.TrimLeft(rest, " =")); len(words) > 0 {
				startsFile(c, "lua", words[0])
			}
		}
	case "eslint":
		if dir, ok := configValue(c, "--rulesdir"); ok {
			c.loadsFiles("js", []string{path.Join(dir, "*.js"), path.Join(dir, "*.cjs")})
		}
	case "deno":
		if w := c.Arg(0); scriptName(w.Text) {
			startsFile(c, "js", w.Text)
		}
	case "dart":
		if w := c.Arg(0); w.Text == "run" || strings.HasSuffix(w.Text, ".dart") {
			if w.Text == "run" {
				w = c.Arg(1)
			}
			if strings.HasSuffix(w.Text, ".dart") {
				startsFile(c, "dart", w.Text)
			}
		}
	case "prove":
		proveOptions(c)
	case "phpunit":
		for _, n := range []string{"phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"} {
			if f, ok := c.startedFile(n); ok {
				if _, tag, ok := strings.Cut(f.Text, "<phpunit"); ok {
					tag, _, _ = strings.Cut(tag, ">")
					startsFile(c, "php", attribute(tag, "bootstrap"))
				}
				break
			}
		}
	case "php":
		phpSettings(c)
	case "jupyter":
		if contains(c.Args, "--execute") || contains(c.Args, "execute") {
			for i, w := range c.Args {
				if path.Ext(w.Text) == ".ipynb" && (i == 0 || c.Args[i-1].Text != "--output") {
					notebookCode(c, w.Text)
				}
			}
		}
	case "papermill":
		notebookCode(c, c.Arg(0).Text)
	case "uv":
		if hasWord("run sync", c.verb()) {
			if f, ok := c.startedFile("pyproject.toml"); ok && strings.Contains(f.Text, "[build-system]") {
				buildsPackage(c, ".")
			}
		}
	}
}

// workflow runs the steps of a workflow for act, and of the actions of the project that they use.
func (f started) workflow(steps []*datafile.Value, depth int) {
	for _, step := range steps {
		if run := step.Get("run"); run != nil {
			f.run(run.Line, run.Text, Run{})
		}
		if dir := step.Str("uses"); strings.HasPrefix(dir, "./") && depth < 8 {
			action, _ := f.c.startedFile(path.Join(dir, "action.yml"), path.Join(dir, "action.yaml"))
			runs := action.tree(datafile.YAML).Get("runs")
			action.workflow(runs.Get("steps").List(), depth+1)
			for _, key := range [...]string{"pre", "main", "post"} {
				if file := runs.Str(key); file != "" {
					startsFile(f.c, "js", path.Join(dir, file))
				}
			}
		}
	}
}

// cmakeProject reads the CMakeLists.txt and the settings that a call of cmake names.
func cmakeProject(c *Call) {
	if w, ok := c.Opt("-P"); ok && w.Known() {
		cmakeLists(c, w.Text, 0)
	} else if !c.Has("-E", "--install") {
		dir := "."
		if w, ok := c.Opt("-S"); ok && w.Known() {
			dir = w.Text
		} else if w := c.Arg(0); !c.Has("--build") && w.Known() && w.Text != "" {
			dir = w.Text
		}
		cmakeLists(c, path.Join(dir, "CMakeLists.txt"), 0)
		for _, o := range [...]string{"-DCMAKE_TOOLCHAIN_FILE", "-DCMAKE_TOOLCHAIN_FILE:FILEPATH", "-DCMAKE_PROJECT_INCLUDE", "--toolchain", "-C"} {
			if name, ok := configValue(c, o); ok {
				cmakeLists(c, name, 0)
			}
		}
	}
}

// mageTargets runs the functions that a call of mage names, as one program with those that they use.
func mageTargets(c *Call) {
	var program started
	for _, w := range append(FilesOf(c, Lit("*.go")), FilesOf(c, Lit("magefiles/*.go"))...) {
		if f, ok := c.startedFile(w.Text); ok && (strings.Contains(f.Text, "go:build mage") || w.Text == "magefile.go" || strings.Contains(w.Text, "/")) {
			f.Text, f.own = program.Text+f.Text+"\n", f.own || program.own
			program = f
		}
	}
	var want []string
	for _, w := range c.Operands { // NAMESPACE:TARGET
		want = append(want, w.Text[strings.LastIndexByte(w.Text, ':')+1:])
	}
	program.Text = reachable(program.Text, "func ", want)
	program.code("go", Run{})
}

// rebarHooks runs the commands of hooks: {pre_hooks, [{compile, "cmd"}]}.
func rebarHooks(c *Call) {
	f, _ := c.startedFile("rebar.config")
	for _, block := range strings.Split(f.Text, "_hooks,")[1:] { // {pre_hooks, [{compile, "cmd"}]}
		block, _, _ = strings.Cut(block, "]}")
		for i := strings.IndexByte(block, '"'); i >= 0; i = strings.IndexByte(block, '"') {
			words := quotedWords(block[i:])
			if len(words) == 0 {
				break
			}
			f.run(0, words[0], Run{})
			block = block[i+datafile.EndQuote(block[i:])+1:]
		}
	}
}

// gemfile runs the gemspecs that a Gemfile loads.
func gemfile(c *Call) {
	f, _ := c.startedFile("Gemfile")
	if strings.Contains("\n"+f.Text, "\ngemspec") {
		c.loadsFiles("ruby", []string{"*.gemspec"})
	}
	for _, rest := range f.after("path:") { // gem 'x', path: 'lib'
		if words := quotedWords(strings.TrimSpace(rest)); len(words) > 0 {
			c.loadsFiles("ruby", []string{path.Join(words[0], "*.gemspec")})
		}
	}
}

// proveOptions runs the interpreter that .proverc names.
func proveOptions(c *Call) {
	if f, ok := c.startedFile(".proverc"); ok {
		words := c.words(f.Text)
		for i, w := range words {
			if v, ok := strings.CutPrefix(w, "--exec="); ok {
				f.run(1, v, Run{})
			} else if (w == "--exec" || w == "-e") && i+1 < len(words) {
				f.run(1, words[i+1], Run{})
			}
		}
	}
}

// mixAliases runs the commands of aliases: [test: ["cmd ./x.sh", "test"]].
func mixAliases(c *Call) {
	f, _ := c.startedFile("mix.exs")
	for line, rest := range f.after(`"cmd `) {
		f.run(line, rest[:max(datafile.EndQuote(`"`+rest)-1, 0)], Run{})
	}
}

// loadsFiles runs the files that exist as code of a language.
func (c *Call) loadsFiles(lang string, names []string) {
	var files []string
	for _, n := range names {
		stem, js := strings.CutSuffix(n, "*")
		if !js && strings.Contains(n, "*") {
			for _, w := range FilesOf(c, Lit(n)) {
				files = append(files, w.Text)
			}
			continue
		}
		if !js {
			files = append(files, n)
			continue
		}
		for _, ext := range [...]string{".js", ".mjs", ".cjs", ".ts", ".mts"} {
			files = append(files, stem+ext)
		}
	}
	for _, n := range c.present(".", files) {
		if f, ok := c.startedFile(n); ok {
			switch lang {
			case "js":
				c.loadsNamed(f)
				if c.Program == "playwright" && strings.Contains(f.Text, "webServer") {
					f.assigned("command")
				}
				f.Text = withExports(f.Text)
			case "ruby": // fastlane and others start commands as rake does
				lines := strings.Split(f.Text, "\n")
				for i, l := range lines {
					lines[i] = rakeLine(strings.TrimSpace(l))
				}
				f.Text = strings.Join(lines, "\n")
			}
			f.code(lang, Run{})
			if hasWord("python ruby php lua", lang) { // the program may start commands by functions of its own: os.exec, c.local
				f.code("generic", Run{Scan: true})
			}
		}
	}
}

// loadKeys are the keys under which JavaScript settings name files to load.
var loadKeys = [...]string{"setupFiles", "setupFilesAfterEnv", "globalSetup", "globalTeardown", "testEnvironment", "runner", "reporters", "resolver", "transform", "snapshotSerializers", "snapshotResolver", "testSequencer", "testRunner", "watchPlugins", "preset", "extends", "require", "preload", "loader"}

// maxNamed bounds how often settings may have one of loadKeys.
const maxNamed = 64

// loadsNamed runs the files that settings name under loadKeys.
func (c *Call) loadsNamed(f started) {
	for _, key := range loadKeys {
		for n, rest := 0, f.Text; ; {
			var ok bool
			if _, rest, ok = strings.Cut(rest, key); !ok {
				break
			}
			value, ok := strings.CutPrefix(strings.TrimLeft(rest, `"' `), ":")
			if !ok {
				continue
			}
			if value = strings.TrimSpace(value); strings.HasPrefix(value, "{") { // transform: {pattern: file}
				_, value, _ = strings.Cut(value, ":")
			}
			if n++; n > maxNamed {
				c.beyond(f.name)
				break
			}
			for _, name := range quotedWords(value) {
				f.runSetting("js", &datafile.Value{Text: name})
			}
		}
	}
}

// withExports appends calls of a module's exports: the program that loads the module calls them.
func withExports(text string) string {
	text = strings.ReplaceAll(text, "export default ", "module.exports = ")
	var calls strings.Builder
	for line := range strings.Lines(text) {
		name, _, ok := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); ok && (strings.HasPrefix(name, "exports.") || strings.HasPrefix(name, "module.exports")) && calls.Len() < maxMakeText && !strings.ContainsAny(name, " ([") {
			calls.WriteString("\n" + name + "()")
		}
	}
	return text + calls.String() + "\n"
}

// runSetting runs the value of a setting, whose kind is that in the last column of runSettings.
func (f started) runSetting(is string, v *datafile.Value) {
	c, text := f.c, strings.Trim(v.Text, `"'`)
	if text == "" && len(v.Kids) > 0 && len(v.Keys) == 0 && (is == "program" || is == "argv") { // with its arguments
		f.exec(v.Line, v.Texts(), Run{})
		return
	}
	switch is {
	case "sh", "argv":
		f.run(v.Line, v.Text, Run{})
	case "code": // of Python, which imports modules of the folder
		at := Lit(f.name)
		c.Code("python", Word{Text: text, Taint: f.Taint}, f.at(v.Line, Run{File: &at}))
	case "bin": // with the project's programs in front
		f.run(v.Line, v.Text, Run{Env: binaries(c, ".")})
	case "manager": // corepack fetches and runs it
		if _, url, ok := strings.Cut(text, "@http"); ok && !strings.HasPrefix(url, "s://registry.npmjs.org/") && !strings.HasPrefix(url, "s://repo.yarnpkg.com/") {
			c.Op(umpire.Exec, Quote(c.Program, Lits(text)), umpire.RemoteCode)
		}
	case "call": // a program and its arguments, under separate keys
		if command := v.Str("command"); command != "" {
			f.exec(v.Line, append([]string{command}, v.Get("args").Texts()...), Run{})
		}
	case "source":
		f.run(v.Line, ". "+Quote("", Lits("./"+text))[1:], Run{})
	case "program":
		if words := strings.Fields(text); strings.Contains(text, "/") && !strings.Contains(words[0], ",") {
			f.exec(v.Line, words, Run{})
		}
	case "toolchain":
		f.exec(v.Line, []string{path.Join(text, "bin", c.Program)}, Run{})
	case "node":
		if strings.Contains(text, "-") {
			f.exec(v.Line, append(append([]string{"node"}, strings.Fields(text)...), "-e", "0"), Run{})
		}
	case "php":
		startsFile(c, "php", text)
	case "cmake":
		cmakeLists(c, path.Clean(strings.TrimPrefix(text, "${sourceDir}/")), 0)
	case "package":
		buildsPackage(c, text)
	case "pip":
		f.exec(v.Line, append([]string{"pip", "install"}, strings.Fields(text)...), Run{})
	case "ruby":
		if strings.HasPrefix(text, ".") {
			startsFile(c, "ruby", path.Clean(strings.TrimSuffix(text, ".rb")+".rb"))
		}
	case "js":
		text = strings.TrimPrefix(text, "<rootDir>/")
		switch local := strings.HasPrefix(text, "."); {
		case scriptName(text):
			c.loadsFiles("js", []string{path.Clean(text)})
		case local:
			text = path.Clean(text)
			c.loadsFiles("js", []string{text + "*", text + "/index*", text + "/jest-preset*"})
		}
	case "python":
		for _, m := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \n[]\"'", r) }) {
			loadsModule(c, m)
		}
	case "pytest":
		words := strings.Fields(text)
		for i, w := range words {
			if m, ok := strings.CutPrefix(w, "-p"); ok {
				if m == "" && i+1 < len(words) {
					m = words[i+1]
				}
				loadsModule(c, m)
			}
		}
	case "folder":
		for _, dir := range strings.Split(text, ":") {
			loadsPlugins(c, dir)
		}
	}
}

// loadsPlugins runs the Python files of a folder.
func loadsPlugins(c *Call, dir string) {
	for _, n := range c.Names(Lit(dir)) {
		if strings.HasSuffix(n, ".py") {
			startsFile(c, "python", path.Join(dir, n))
		}
	}
}

// loadsModule runs a module of the project, by its file or by its dotted name.
func loadsModule(c *Call, m string) {
	m, _, _ = strings.Cut(m, ":")
	if strings.HasSuffix(m, ".py") {
		startsFile(c, "python", m)
		return
	}
	if file := strings.ReplaceAll(m, ".", "/"); file != "" && !strings.Contains(m, "/") {
		startsFile(c, "python", file+".py", file+"/__init__.py", "src/"+file+".py", "lib/"+file+".py", "tests/"+file+".py")
	}
}
