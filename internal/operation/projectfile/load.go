package projectfile

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// Load reads the files of the project that the program loads, or takes commands from,
// without being told to. It covers programs without a description, too. The parameter as is the
// program's name as the call spells it.
func Load(c *command.Call, as command.Word) {
	defer func(t umpire.Trait) { c.Traits = t }(c.Traits)
	c.Traits &^= umpire.Inert                     // a trial run loads its settings, too
	if anyof.Listed("mvn mvnw mvnd", c.Program) { // Maven starts a JVM even to print its version
		if f, ok := c.StartedFile(".mvn/jvm.config"); ok {
			if strings.Contains(f.Text, "-javaagent:") || strings.Contains(f.Text, "-agentpath:") {
				f.RunUnseen()
			}
			f.Exec(1, append(append([]string{"java"}, strings.Fields(f.Text)...), "Main"), command.Run{})
		}
	}
	if len(c.Args) > 0 && c.AsksAboutItself() {
		return
	}
	known := command.Lookup(c.Program) != nil
	for i := range loads {
		if l := &loads[i]; anyof.Listed(l.programs, c.Program) {
			known = true
			files := strings.Fields(l.files)
			if name, given := configOption(c); given && l.lang == "js" {
				files = []string{name}
			}
			loadsFiles(c, l.lang, files)
		}
	}
	for i := range runSettings {
		s := &runSettings[i]
		if !anyof.Listed(s.programs, c.Program) && !(c.Program == "cargo" && anyof.Listed(s.programs, "cargo-"+c.Verb())) {
			continue
		}
		known = true
		files := c.Present(".", strings.Fields(s.files))
		if n, ok := command.ConfigValue(c, "-c", "--configuration", "-f", "--procfile", "--file"); ok && namesSettings(n, s.files) {
			files = []string{n}
		}
		for _, n := range files {
			if f, ok := c.StartedFile(n); ok && hasKeys(n, f.Text, s.keys) {
				t := f.Tree(command.SettingsReader(n, f.Text))
				for _, keys := range strings.Fields(s.keys) {
					if s.is == "program" { // with its arguments, if it is a list
						keys += ".[]"
					}
					settingsOf(c, t, keys, func(v *datafile.Value) { runSetting(f, s.is, v) })
				}
			}
		}
	}
	for i := range loaders {
		if l := &loaders[i]; anyof.Listed(l.programs, c.Program) && (l.verbs == "" || anyof.Listed(l.verbs, c.Verb())) {
			l.read(c)
		}
	}
	loadsBuild(c)
	loadsRunner(c)
	loadsScripts(c)
	if !known {
		scansNamesakes(c)
		scansScript(c)
	}
	loadsPython(c)
	c.LoadsTests()
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
	if name != "package.json" {
		text = strings.ToLower(text)
	}
	for _, k := range strings.Fields(keys) {
		first, _, _ := strings.Cut(k, ".")
		if first == "*" || first == "$" || strings.Contains(first, ":") {
			return true
		}
		if name != "package.json" {
			if strings.Contains(text, strings.ToLower(first)) {
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
func settingsOf(c *command.Call, t *datafile.Value, keys string, f func(*datafile.Value)) {
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

// loaders read the files that the tables loads and runSettings cannot express. With verbs, only those
// sub-commands load the files.
var loaders = [...]struct {
	programs, verbs string
	read            func(*command.Call)
}{
	{"ansible ansible-inventory ansible-playbook", "", command.InventoryScript},
	{"autoreconf autoconf aclocal automake autoheader", "", autoconfCommands},
	{"bazel bazelisk buck buck2 plz please", "", bazelFiles},
	{"bundle bundler", "", gemfile},
	{"cmake", "", cmakeProject},
	{"doit", "", func(c *command.Call) { f, _ := c.StartedFile("dodo.py"); f.Assigned("actions") }},
	{"dotnet", "build test run restore publish pack clean msbuild watch", msbuildTasks},
	{"doxygen", "", doxygenFilters},
	{"dune", "", duneRules},
	{"earthly", "", earthfile},
	{"go", "", goTools},
	{"go", "generate", goGenerate},
	{"mage", "", mageTargets},
	{"luarocks", "make build install test", rockspecs},
	{"meson", "", mesonBuild},
	{"mise rtx", "", miseTasks},
	{"mix", "", mixAliases},
	{"moon", "", moonTasks},
	{"msbuild xbuild", "", msbuildTasks},
	{"ninja samu", "", ninjaRules},
	{"nix", "develop shell", nixHooks},
	{"nix-shell", "", nixHooks},
	{"node", "", nodeEnvFile},
	{"nx", "", nxTargets},
	{"packer", "build", packerCommands},
	{"pdflatex xelatex lualatex latex latexmk", "", texCommands},
	{"php", "", phpSettings},
	{"prove", "", proveOptions},
	{"rebar3 rebar", "", rebarHooks},
	{"terraform tofu", "plan apply refresh import console", terraformPrograms},
	{"terragrunt", "", terragruntCommands},
	{"tilt", "up ci trigger", tiltfile},
}

// loadsBuild reads the files of build tools and of compilers that the tables loads and runSettings
// cannot express.
func loadsBuild(c *command.Call) {
	switch c.Program {
	case "mvn", "mvnw", "mvnd":
		// An options file that names another project is rare. Maven's code there is not read.
		if f, ok := c.StartedFile(".mvn/maven.config"); ok && (command.HasText(command.Lits(strings.Fields(f.Text)...), "-f") || strings.Contains(f.Text, "--file")) {
			f.RunUnseen()
		}
	case "protoc":
		for _, w := range c.Args { // --plugin=NAME=PATH
			if plugin, ok := strings.CutPrefix(w.Text, "--plugin="); ok {
				c.Exec([]command.Word{w.With(plugin[strings.LastIndexByte(plugin, '=')+1:])}, command.Run{Task: true})
			}
		}
	case "ctest":
		dir := "."
		if w, ok := c.Opt("--test-dir"); ok && w.Known() {
			dir = w.Text
		}
		cmakeLists(c, path.Join(dir, "CTestTestfile.cmake"), 0)
		for _, o := range []string{"-S", "-SP"} {
			for _, w := range c.All(o) {
				cmakeLists(c, w.Text, 0)
			}
		}
	case "ant":
		if f, ok := c.StartedFile("build.xml"); ok {
			antTasks(f, 1, f.Text)
		}
	case "ghci":
		for _, n := range []string{".ghci", "~/.ghci"} {
			if f, ok := c.StartedFile(n); ok {
				for i, l := range strings.Split(f.Text, "\n") {
					if cmd, ok := strings.CutPrefix(strings.TrimSpace(l), ":!"); ok {
						f.Run(i+1, cmd, command.Run{})
					}
				}
			}
		}
	case "nim", "zig":
		if anyof.Equal(c.Verb(), "r", "run") {
			for _, w := range c.Args {
				if path.Ext(w.Text) == "."+c.Program {
					command.StartsFile(c, c.Program, w.Text)
				}
			}
		}
	}
}

// loadsRunner reads the files of task runners, and of programs that build images or change machines.
func loadsRunner(c *command.Call) {
	switch c.Program {
	case "docker", "podman", "docker-compose":
		if command.HasText(c.Args, "bake") {
			command.BakeSecrets(c)
		} else if command.HasText(c.Args, "build") && (command.HasText(c.Args, "compose") || c.Program == "docker-compose") {
			if f, ok := c.StartedFile(command.ComposeFiles[:]...); ok {
				c.ComposeSecrets(f.Tree(datafile.YAML))
			}
		}
	case "ansible-playbook":
		dir := path.Dir(c.Arg(0).Text)
		for _, n := range c.Present(dir, []string{"filter_plugins", "callback_plugins", "lookup_plugins", "action_plugins", "vars_plugins", "library"}) {
			loadsPlugins(c, path.Join(dir, n))
		}
	case "snakemake":
		for _, n := range []string{"Snakefile", "workflow/Snakefile"} {
			f, _ := c.StartedFile(n)
			f.Assigned("shell")
		}
	case "act":
		rc, _ := c.StartedFile(".actrc")
		local := strings.Contains(rc.Text+command.Quote("", c.Args), "self-hosted") // elsewhere the steps run in a container
		if o, ok := command.ConfigValue(c, "--container-options"); ok {
			c.Shell(command.Lit("docker run "+o+" image"), command.Run{})
		}
		for _, n := range c.Names(command.Lit(".github/workflows")) {
			f, ok := c.StartedFile(path.Join(".github/workflows", n))
			if !ok || !local && !strings.Contains(f.Text, "options:") {
				continue
			}
			t := f.Tree(datafile.YAML)
			for _, o := range t.All([]string{"jobs", "*", "container", "options"}) {
				f.Run(o.Line, "docker run "+o.Text+" image", command.Run{})
			}
			if local {
				workflow(f, t.All([]string{"jobs", "*", "steps", "*"}), 0)
			}
		}
	case "sam":
		if f, ok := c.StartedFile("template.yaml", "template.yml"); ok && c.Verb() == "build" {
			f.Tree(datafile.YAML).Get("Resources").Each(func(name string, v *datafile.Value) {
				if v.Str("Metadata", "BuildMethod") == "makefile" {
					f.Exec(v.Line, []string{"make", "-C", cmp.Or(v.Str("Properties", "CodeUri"), "."), "build-" + name}, command.Run{})
				}
			})
		}
	}
}

// loadsScripts reads what the interpreters of scripts and their test runners start with.
func loadsScripts(c *command.Call) {
	switch c.Program {
	case "python", "python2", "python3", "pypy3", "pytest":
		if w, ok := c.Var("PYTHONPATH"); ok && w.Known() {
			for _, dir := range strings.Split(w.Text, ":") {
				if dir != "" {
					command.StartsFile(c, "python", path.Join(dir, "sitecustomize.py"), path.Join(dir, "usercustomize.py"))
				}
			}
		}
	case "busted":
		f, _ := c.StartedFile(".busted")
		for _, rest := range f.After("helper") { // helper = 'spec/helper.lua'
			if words := command.QuotedWords(strings.TrimLeft(rest, " =")); len(words) > 0 {
				command.StartsFile(c, "lua", words[0])
			}
		}
	case "eslint":
		if dir, ok := command.ConfigValue(c, "--rulesdir"); ok {
			loadsFiles(c, "js", []string{path.Join(dir, "*.js"), path.Join(dir, "*.cjs")})
		}
	case "deno":
		if w := c.Arg(0); command.ScriptName(w.Text) {
			command.StartsFile(c, "js", w.Text)
		}
	case "dart":
		if w := c.Arg(0); w.Text == "run" || strings.HasSuffix(w.Text, ".dart") {
			if w.Text == "run" {
				w = c.Arg(1)
			}
			if strings.HasSuffix(w.Text, ".dart") {
				command.StartsFile(c, "dart", w.Text)
			}
		}
	case "phpunit":
		for _, n := range []string{"phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"} {
			if f, ok := c.StartedFile(n); ok {
				if _, tag, ok := strings.Cut(f.Text, "<phpunit"); ok {
					tag, _, _ = strings.Cut(tag, ">")
					command.StartsFile(c, "php", attribute(tag, "bootstrap"))
				}
				break
			}
		}
	case "jupyter":
		if command.HasText(c.Args, "--execute") || command.HasText(c.Args, "execute") {
			for i, w := range c.Args {
				if path.Ext(w.Text) == ".ipynb" && (i == 0 || c.Args[i-1].Text != "--output") {
					notebookCode(c, w.Text)
				}
			}
		}
	case "ipython", "ipython3":
		if path.Ext(c.Arg(0).Text) == ".ipy" {
			f, _ := c.StartedFile(c.Arg(0).Text)
			f.Text = runsCells(f, 0, f.Text)
			f.RunAs("python", command.Run{})
		}
	case "papermill":
		notebookCode(c, c.Arg(0).Text)
	case "uv":
		if anyof.Listed("run sync", c.Verb()) {
			if f, ok := c.StartedFile("pyproject.toml"); ok && strings.Contains(f.Text, "[build-system]") {
				command.BuildsPackage(c, ".")
			}
		}
	}
}

// workflow runs the steps of a workflow for act, and of the actions of the project that they use.
func workflow(f command.Started, steps []*datafile.Value, depth int) {
	for _, step := range steps {
		if run := step.Get("run"); run != nil {
			f.Run(run.Line, run.Text, command.Run{})
		}
		if dir := step.Str("uses"); strings.HasPrefix(dir, "./") && depth < 8 {
			action, _ := f.Call.StartedFile(path.Join(dir, "action.yml"), path.Join(dir, "action.yaml"))
			runs := action.Tree(datafile.YAML).Get("runs")
			workflow(action, runs.Get("steps").List(), depth+1)
			for _, key := range [...]string{"pre", "main", "post"} {
				if file := runs.Str(key); file != "" {
					command.StartsFile(f.Call, "js", path.Join(dir, file))
				}
			}
		}
	}
}

// cmakeProject reads the CMakeLists.txt and the settings that a call of cmake names.
func cmakeProject(c *command.Call) {
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
			if name, ok := command.ConfigValue(c, o); ok {
				cmakeLists(c, name, 0)
			}
		}
	}
}

// mageTargets runs the functions that a call of mage names, as one program with those that they use.
func mageTargets(c *command.Call) {
	var program command.Started
	for _, w := range append(command.FilesOf(c, command.Lit("*.go")), command.FilesOf(c, command.Lit("magefiles/*.go"))...) {
		if f, ok := c.StartedFile(w.Text); ok && (strings.Contains(f.Text, "go:build mage") || w.Text == "magefile.go" || strings.Contains(w.Text, "/")) {
			f.Text, f.Own = program.Text+f.Text+"\n", f.Own || program.Own
			program = f
		}
	}
	var want []string
	for _, w := range c.Operands { // NAMESPACE:TARGET
		want = append(want, w.Text[strings.LastIndexByte(w.Text, ':')+1:])
	}
	program.Text = command.Reachable(program.Text, "func ", want)
	program.RunAs("go", command.Run{})
}

// rebarHooks runs the commands of hooks: {pre_hooks, [{compile, "cmd"}]}.
func rebarHooks(c *command.Call) {
	f, _ := c.StartedFile("rebar.config")
	for _, block := range strings.Split(f.Text, "_hooks,")[1:] { // {pre_hooks, [{compile, "cmd"}]}
		block, _, _ = strings.Cut(block, "]}")
		for i := strings.IndexByte(block, '"'); i >= 0; i = strings.IndexByte(block, '"') {
			words := command.QuotedWords(block[i:])
			if len(words) == 0 {
				break
			}
			f.Run(0, words[0], command.Run{})
			block = block[i+datafile.EndQuote(block[i:])+1:]
		}
	}
}

func gemfile(c *command.Call) {
	f, _ := c.StartedFile("Gemfile")
	if strings.Contains("\n"+f.Text, "\ngemspec") {
		loadsFiles(c, "ruby", []string{"*.gemspec"})
	}
	for _, rest := range f.After("path:") { // gem 'x', path: 'lib'
		if words := command.QuotedWords(strings.TrimSpace(rest)); len(words) > 0 {
			loadsFiles(c, "ruby", []string{path.Join(words[0], "*.gemspec")})
		}
	}
}

// proveOptions runs the interpreter that .proverc names.
func proveOptions(c *command.Call) {
	if f, ok := c.StartedFile(".proverc"); ok {
		words := splitText(c, f.Text)
		for i, w := range words {
			if v, ok := strings.CutPrefix(w, "--exec="); ok {
				f.Run(1, v, command.Run{})
			} else if (w == "--exec" || w == "-e") && i+1 < len(words) {
				f.Run(1, words[i+1], command.Run{})
			}
		}
	}
}

// mixAliases runs the commands of aliases: [test: ["cmd ./x.sh", "test"]].
func mixAliases(c *command.Call) {
	f, _ := c.StartedFile("mix.exs")
	for line, rest := range f.After(`"cmd `) {
		f.Run(line, rest[:max(datafile.EndQuote(`"`+rest)-1, 0)], command.Run{})
	}
}

// loadsFiles runs the files that exist as code of a language.
func loadsFiles(c *command.Call, lang string, names []string) {
	var files []string
	for _, n := range names {
		stem, js := strings.CutSuffix(n, "*")
		if !js && strings.Contains(n, "*") {
			for _, w := range command.FilesOf(c, command.Lit(n)) {
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
	for _, n := range c.Present(".", files) {
		if f, ok := c.StartedFile(n); ok {
			switch lang {
			case "js":
				loadsNamed(c, f)
				if c.Program == "playwright" && strings.Contains(f.Text, "webServer") {
					f.Assigned("command")
				}
				f.Text = withExports(f.Text)
			case "ruby": // fastlane and others start commands as rake does
				lines := strings.Split(f.Text, "\n")
				for i, l := range lines {
					lines[i] = command.RakeLine(strings.TrimSpace(l))
				}
				f.Text = strings.Join(lines, "\n")
			}
			f.RunAs(lang, command.Run{})
			if anyof.Listed("python ruby php lua", lang) { // the program may start commands by functions of its own: os.exec, c.local
				f.RunAs("generic", command.Run{Scan: true})
			}
		}
	}
}

// loadKeys are the keys under which JavaScript settings name files to load.
var loadKeys = [...]string{"setupFiles", "setupFilesAfterEnv", "globalSetup", "globalTeardown", "testEnvironment", "runner", "reporters", "resolver", "transform", "snapshotSerializers", "snapshotResolver", "testSequencer", "testRunner", "watchPlugins", "preset", "extends", "require", "preload", "loader"}

// maxNamed bounds how often settings may have one of loadKeys.
const maxNamed = 64

// loadsNamed runs the files that settings name under loadKeys.
func loadsNamed(c *command.Call, f command.Started) {
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
				c.Beyond(f.Name)
				break
			}
			for _, name := range command.QuotedWords(value) {
				runSetting(f, "js", &datafile.Value{Text: name})
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
		if name = strings.TrimSpace(name); ok && (strings.HasPrefix(name, "exports.") || strings.HasPrefix(name, "module.exports")) && calls.Len() < command.MaxLine && !strings.ContainsAny(name, " ([") {
			calls.WriteString("\n" + name + "()")
		}
	}
	return text + calls.String() + "\n"
}

// runSetting runs the value of a setting, whose kind is that in the last column of runSettings.
func runSetting(f command.Started, is string, v *datafile.Value) {
	c, text := f.Call, strings.Trim(v.Text, `"'`)
	if text == "" && len(v.Kids) > 0 && len(v.Keys) == 0 && (is == "program" || is == "argv") { // with its arguments
		f.Exec(v.Line, v.Texts(), command.Run{})
		return
	}
	switch is {
	case "sh", "argv":
		f.Run(v.Line, v.Text, command.Run{})
	case "code": // of Python, which imports modules of the folder
		at := command.Lit(f.Name)
		c.Code("python", command.Word{Text: text, Taint: f.Taint}, f.At(v.Line, command.Run{File: &at}))
	case "bin": // with the project's programs in front
		f.Run(v.Line, v.Text, command.Run{Env: command.Binaries(c, ".")})
	case "manager": // corepack fetches and runs it
		if _, url, ok := strings.Cut(text, "@http"); ok && !strings.HasPrefix(url, "s://registry.npmjs.org/") && !strings.HasPrefix(url, "s://repo.yarnpkg.com/") {
			c.Op(umpire.Exec, command.Quote(c.Program, command.Lits(text)), umpire.RemoteCode)
		}
	case "call": // a program and its arguments, under separate keys
		if program := v.Str("command"); program != "" {
			f.Exec(v.Line, append([]string{program}, v.Get("args").Texts()...), command.Run{})
		}
	case "source":
		f.Run(v.Line, ". "+command.Quote("", command.Lits("./"+text))[1:], command.Run{})
	case "program":
		if words := strings.Fields(text); strings.Contains(text, "/") && !strings.Contains(words[0], ",") {
			f.Exec(v.Line, words, command.Run{})
		}
	case "toolchain":
		f.Exec(v.Line, []string{path.Join(text, "bin", c.Program)}, command.Run{})
	case "node":
		if strings.Contains(text, "-") {
			f.Exec(v.Line, append(append([]string{"node"}, strings.Fields(text)...), "-e", "0"), command.Run{})
		}
	case "php":
		command.StartsFile(c, "php", text)
	case "cmake":
		cmakeLists(c, path.Clean(strings.TrimPrefix(text, "${sourceDir}/")), 0)
	case "package":
		command.BuildsPackage(c, text)
	case "pip":
		f.Exec(v.Line, append([]string{"pip", "install"}, strings.Fields(text)...), command.Run{})
	case "ruby":
		if strings.HasPrefix(text, ".") {
			command.StartsFile(c, "ruby", path.Clean(strings.TrimSuffix(text, ".rb")+".rb"))
		}
	case "js":
		text = strings.TrimPrefix(text, "<rootDir>/")
		switch local := strings.HasPrefix(text, "."); {
		case command.ScriptName(text):
			loadsFiles(c, "js", []string{path.Clean(text)})
		case local:
			text = path.Clean(text)
			loadsFiles(c, "js", []string{text + "*", text + "/index*", text + "/jest-preset*"})
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
				for _, dir := range c.Names(command.Lit(".")) { // the setting pythonpath may name it
					command.StartsFile(c, "python", path.Join(dir, m+".py"))
				}
			}
		}
	case "folder":
		for _, dir := range strings.Split(text, ":") {
			loadsPlugins(c, dir)
		}
	}
}

// loadsPlugins runs the Python files of a folder.
func loadsPlugins(c *command.Call, dir string) {
	for _, n := range c.Names(command.Lit(dir)) {
		if strings.HasSuffix(n, ".py") {
			command.StartsFile(c, "python", path.Join(dir, n))
		}
	}
}

// loadsModule runs a module of the project, by its file or by its dotted name.
func loadsModule(c *command.Call, m string) {
	m, _, _ = strings.Cut(m, ":")
	if strings.HasSuffix(m, ".py") {
		command.StartsFile(c, "python", m)
		return
	}
	if file := strings.ReplaceAll(m, ".", "/"); file != "" && !strings.Contains(m, "/") {
		command.StartsFile(c, "python", file+".py", file+"/__init__.py", "src/"+file+".py", "lib/"+file+".py", "tests/"+file+".py")
	}
}
