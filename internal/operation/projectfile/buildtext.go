package projectfile

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// cmakeWords are the keywords of CMake, other than COMMAND, that end a command in a list of
// arguments.
const cmakeWords = "WORKING_DIRECTORY TIMEOUT RESULT_VARIABLE RESULTS_VARIABLE OUTPUT_VARIABLE ERROR_VARIABLE INPUT_FILE OUTPUT_FILE ERROR_FILE OUTPUT_QUIET ERROR_QUIET COMMAND_ECHO COMMAND_ERROR_IS_FATAL ENCODING ECHO_OUTPUT_VARIABLE ECHO_ERROR_VARIABLE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE DEPENDS BYPRODUCTS COMMENT VERBATIM USES_TERMINAL COMMAND_EXPAND_LISTS SOURCES MAIN_DEPENDENCY IMPLICIT_DEPENDS DEPFILE POST_BUILD PRE_BUILD PRE_LINK OUTPUT TARGET APPEND JOB_POOL"

// cmakeFolders returns a replacer for the variables of CMake that name folders.
func cmakeFolders() *strings.Replacer {
	return strings.NewReplacer("${CMAKE_SOURCE_DIR}", ".", "${CMAKE_CURRENT_SOURCE_DIR}", ".", "${PROJECT_SOURCE_DIR}", ".", "${CMAKE_CURRENT_LIST_DIR}", ".",
		"${CMAKE_BINARY_DIR}", "build", "${CMAKE_CURRENT_BINARY_DIR}", "build", "${PROJECT_BINARY_DIR}", "build", "${CMAKE_COMMAND}", "cmake", "$ENV{HOME}", "~")
}

// cmakeLists runs the commands that a project makes CMake run, both while it configures and during
// the build.
func cmakeLists(c *command.Call, name string, depth int) {
	f, ok := c.StartedFile(name)
	if !ok || depth > 8 {
		return
	}
	dir, line, folders := path.Dir(name), 1, cmakeFolders()
	var modules []string
	lists := map[string][]string{}
	for rest := f.Text; rest != ""; {
		cmd, args, after := cmakeCall(rest, folders)
		if cmd == "" {
			return
		}
		line += strings.Count(rest[:len(rest)-len(after)], "\n")
		rest = after
		switch strings.ToLower(cmd) {
		case "exec_program": // obsolete: PROGRAM [DIR] ARGS WORD...
			if i := slices.Index(args, "ARGS"); i > 0 {
				f.Exec(line, append(args[:1:1], args[i+1:]...), command.Run{})
			} else if len(args) > 0 {
				f.Run(line, args[0], command.Run{})
			}
		case "execute_process", "add_custom_command", "add_custom_target":
			cmakeCommands(f, line, args, lists)
		case "file":
			if len(args) > 1 && (args[0] == "REMOVE_RECURSE" || args[0] == "REMOVE") {
				f.Exec(line, append([]string{"rm", "-rf"}, args[1:]...), command.Run{})
			} else if len(args) > 2 && (args[0] == "WRITE" || args[0] == "APPEND") {
				f.Run(line, "printf %s"+command.Quote("", command.Lits(args[2]))+" >>"+command.Quote("", command.Lits(args[1])), command.Run{})
			} else if len(args) > 2 && args[0] == "DOWNLOAD" {
				f.Exec(line, []string{"curl", "-fo", args[2], args[1]}, command.Run{})
			}
		case "list", "set":
			if strings.EqualFold(cmd, "set") && len(args) > 1 && len(lists) < command.MaxTargets {
				lists["${"+args[0]+"}"] = args[1:]
			}
			if i := slices.Index(args, "CMAKE_MODULE_PATH"); i >= 0 {
				modules = append(modules, args[i+1:]...)
			}
		case "include":
			switch {
			case len(args) == 0:
			case strings.HasSuffix(args[0], ".cmake"):
				cmakeLists(c, path.Join(dir, args[0]), depth+1)
			case !strings.Contains(args[0], "/"): // a module by name
				for _, m := range modules {
					cmakeLists(c, path.Join(m, args[0]+".cmake"), depth+1)
				}
			}
		case "add_test": // in CTestTestfile.cmake, which CMake writes: NAME PROGRAM WORD...
			if c.Program == "ctest" && len(args) > 1 {
				f.Exec(line, args[1:], command.Run{})
			}
		case "subdirs":
			if len(args) > 0 {
				cmakeLists(c, path.Join(dir, args[0], "CTestTestfile.cmake"), depth+1)
			}
		case "add_subdirectory":
			if len(args) > 0 {
				cmakeLists(c, path.Join(dir, args[0], "CMakeLists.txt"), depth+1)
			}
		}
	}
}

// cmakeCommands runs the words after each COMMAND, with the lists that the file sets.
func cmakeCommands(f command.Started, line int, args []string, lists map[string][]string) {
	for i, w := range args {
		if w != "COMMAND" {
			continue
		}
		end := i + 1
		for end < len(args) && args[end] != "COMMAND" && !anyof.Listed(cmakeWords, args[end]) {
			end++
		}
		var words []string
		for _, w := range args[i+1 : end] {
			if list, ok := lists[w]; ok {
				words = append(words, list...)
			} else {
				words = append(words, w)
			}
		}
		if len(words) > 0 {
			f.Exec(line, words, command.Run{})
		}
	}
}

// cmakeCall returns the name and arguments of the first command in a text, and the text after it.
// The name is "" if there is none.
func cmakeCall(text string, folders *strings.Replacer) (name string, args []string, rest string) {
	open := strings.IndexByte(text, '(')
	for hash := strings.IndexByte(text, '#'); hash >= 0 && hash < open; hash = strings.IndexByte(text, '#') {
		_, after, _ := strings.Cut(text[hash:], "\n")
		if open -= len(text) - len(after); open < 0 { // the parenthesis was in the comment
			open = strings.IndexByte(after, '(')
		}
		text = after
	}
	if open < 0 {
		return "", nil, ""
	}
	words := strings.Fields(text[max(0, open-256):open])
	if len(words) == 0 {
		return "", nil, ""
	}
	name, text = words[len(words)-1], text[open+1:]
	for level := 1; text != ""; {
		switch b := text[0]; {
		case b == '(':
			level, text = level+1, text[1:]
		case b == ')':
			if level, text = level-1, text[1:]; level == 0 {
				return name, args, text
			}
		case b == '#':
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "[["):
			var arg string
			arg, text, _ = strings.Cut(text[2:], "]]")
			args = append(args, arg)
		case b == '"':
			end := datafile.EndQuote(text)
			if end < 0 {
				return name, args, ""
			}
			args, text = append(args, folders.Replace(datafile.Unescape(text[1:end]))), text[end+1:]
		case b <= ' ':
			text = text[1:]
		default:
			end := strings.IndexAny(text, " \t\r\n()\"")
			if end < 0 {
				end = len(text)
			}
			args, text = append(args, folders.Replace(text[:end])), text[end:]
		}
	}
	return name, args, ""
}

// mesonBuild runs the commands of meson.build and of the files in its subdirectories.
func mesonBuild(c *command.Call) {
	var read func(name string, depth int)
	read = func(name string, depth int) {
		f, ok := c.StartedFile(name)
		if !ok || depth > 8 {
			return
		}
		for i, l := range strings.Split(f.Text, "\n") {
			for _, call := range [...]string{"run_command(", "add_install_script(", "add_postconf_script(", "add_dist_script(", "command:", "command :"} {
				if _, args, ok := strings.Cut(l, call); ok {
					if words := command.QuotedWords(args); len(words) > 0 {
						dir := command.Lit(path.Dir(name))
						f.Exec(i+1, words, command.Run{Dir: &dir})
					}
				}
			}
			if _, args, ok := strings.Cut(l, "subdir("); ok {
				for _, dir := range command.QuotedWords(args) {
					read(path.Join(path.Dir(name), dir, "meson.build"), depth+1)
				}
			}
		}
	}
	read("meson.build", 0)
}

// ninjaRules runs the commands of a build file for ninja. It does not use startedFile: generated
// files are often too large to be read, and must not count as unseen code for that.
func ninjaRules(c *command.Call) {
	name, in := "build.ninja", "."
	if w, ok := c.Opt("-f"); ok && w.Known() {
		name = w.Text
	}
	if w, ok := c.Opt("-C"); ok && w.Known() {
		in = w.Text
	}
	name = path.Join(in, name)
	f := command.Started{Stream: c.Host.Starts(command.Lit(name)), Call: c, Name: name, Own: c.Wrote(command.Lit(name))}
	if !f.Seen {
		return
	}
	dir := command.Lit(in)
	for i, l := range strings.Split(f.Text, "\n") {
		if k, v, ok := strings.Cut(strings.TrimSpace(l), "="); ok && strings.TrimSpace(k) == "command" {
			f.Run(i+1, strings.NewReplacer("$$", "$", "$in", "in", "$out", "out").Replace(v), command.Run{Dir: &dir})
		}
	}
}

// msbuildTasks runs the commands of the MSBuild projects in the folder of the call, and of the
// files that they include automatically.
func msbuildTasks(c *command.Call) {
	names := []string{"Directory.Build.props", "Directory.Build.targets"}
	for _, n := range c.Names(command.Lit(".")) {
		if strings.HasSuffix(n, "proj") {
			names = append(names, n)
		}
	}
	folders := strings.NewReplacer("$(HOME)", "~", "$(MSBuildProjectDirectory)", ".", "$(MSBuildThisFileDirectory)", "./", "$(OutputPath)", "bin/", "$(OutDir)", "bin/", "$(IntermediateOutputPath)", "obj/", "$(BaseIntermediateOutputPath)", "obj/")
	for _, n := range c.Present(".", names) {
		f, _ := c.StartedFile(n)
		for _, task := range [...][3]string{{"<Exec", "Command", ""}, {"<RemoveDir", "Directories", "rm -rf "}, {"<Delete", "Files", "rm -f "}} {
			for line, rest := range f.After(task[0]) {
				tag, _, _ := strings.Cut(rest[:min(len(rest), 4096)], "/>")
				if cmd := attribute(tag, task[1]); cmd != "" {
					f.Run(line, task[2]+folders.Replace(cmd), command.Run{})
				}
			}
		}
	}
}

// terraformPrograms runs the programs that provide data for a plan and, if the plan is applied, the
// commands that it runs on this machine.
func terraformPrograms(c *command.Call) {
	terraformModule(c, ".", c.Verb() == "apply", map[string]bool{})
}

// terraformModule reads the files of a module, and of the local modules that it uses.
func terraformModule(c *command.Call, dir string, applied bool, done map[string]bool) {
	if done[dir] {
		return
	}
	done[dir] = true
	for _, n := range c.Names(command.Lit(dir)) {
		if !strings.HasSuffix(n, ".tf") {
			continue
		}
		f, _ := c.StartedFile(path.Join(dir, n))
		f.Text = strings.ReplaceAll(f.Text, "${path.module}", dir)
		external, local := false, false
		for i, l := range strings.Split(f.Text, "\n") {
			s := strings.TrimSpace(l)
			switch {
			case strings.HasPrefix(s, `data "external"`):
				external = true
			case strings.HasPrefix(s, `provisioner "local-exec"`):
				local = applied
			case strings.HasPrefix(l, "}"):
				external, local = false, false
			}
			if head, block, ok := strings.Cut(s, "{"); ok && !strings.Contains(head, "=") { // module "m" { source = "./m" }
				s = block
			}
			key, value, _ := strings.Cut(s, "=")
			switch strings.TrimSpace(key) {
			case "source":
				if words := command.QuotedWords(value); len(words) > 0 && strings.HasPrefix(words[0], ".") {
					terraformModule(c, path.Join(dir, words[0]), applied, done)
				}
			case "program":
				if words := command.QuotedWords(value); external && len(words) > 0 {
					f.Exec(i+1, words, command.Run{})
				}
			case "command":
				if words := command.QuotedWords(value); local && len(words) > 0 {
					f.Run(i+1, words[0], command.Run{})
				}
			}
		}
	}
}

// goTools runs the programs that GOFLAGS puts between go and its tools. The description of go reads
// the options of the call itself.
func goTools(c *command.Call) {
	if !anyof.Listed("build test vet run install generate list tool", c.Verb()) {
		return
	}
	if c.Verb() == "tool" {
		goToolProgram(c)
	}
	run := func(f command.Started, line int, flags string) {
		for _, w := range strings.Fields(flags) {
			w = strings.Trim(w, `"'`)
			for _, o := range [...]string{"-toolexec=", "-vettool=", "-exec="} {
				if v, ok := strings.CutPrefix(strings.Replace(w, "--", "-", 1), o); ok {
					f.Exec(line, []string{v}, command.Run{})
				}
			}
		}
	}
	if w, ok := c.Var("GOFLAGS"); ok && w.Known() {
		run(command.Started{Call: c, Name: "GOFLAGS", Own: true}, 0, w.Text)
		return
	}
	name := "~/.config/go/env"
	if w, ok := c.Var("GOENV"); ok && w.Known() {
		name = w.Text
	}
	if f, ok := c.StartedFile(name); ok {
		for i, l := range strings.Split(f.Text, "\n") {
			if flags, ok := strings.CutPrefix(l, "GOFLAGS="); ok {
				run(f, i+1, flags)
			}
		}
	}
}

// goToolProgram reads a tool that is a package of the module itself, if go.mod lists it.
func goToolProgram(c *command.Call) {
	f, _ := c.StartedFile("go.mod")
	line, _, _ := strings.Cut(f.Text, "\n")
	module := strings.TrimSpace(strings.TrimPrefix(line, "module ")) + "/"
	for _, word := range strings.Fields(f.Text) {
		dir, own := strings.CutPrefix(word, module)
		for _, w := range c.Operands {
			if own && (w.Text == path.Base(dir) || w.Text == word) {
				command.GoPackage(c, dir)
			}
		}
	}
}

// nodeEnvFile runs the modules that node loads if a file of --env-file sets NODE_OPTIONS.
func nodeEnvFile(c *command.Call) {
	for i := range c.Args {
		name, file, _ := command.ValueAt(c.Args, i)
		if name != "--env-file" && name != "--env-file-if-exists" {
			continue
		}
		if f, ok := c.StartedFile(file); ok {
			for i, l := range strings.Split(f.Text, "\n") {
				if v, ok := strings.CutPrefix(strings.TrimPrefix(l, "export "), "NODE_OPTIONS="); ok {
					f.Exec(i+1, append(append([]string{"node"}, strings.Fields(strings.Trim(v, `"'`))...), "-e", "0"), command.Run{})
				}
			}
		}
	}
}

// maxGenerateFiles bounds how many files are searched for commands of go generate. More files, and
// long ones, lead to no question: every large project has them.
const maxGenerateFiles = 1024

// goGenerate runs the go:generate commands in the Go files of the given packages.
func goGenerate(c *command.Call) {
	want := command.WordsAfter(c, 1)
	if strings.Contains(c.Name, " ") {
		want = c.Operands
	}
	if len(want) == 0 {
		want = command.Lits(".")
	}
	var files []command.Started // read before a command writes some of them
	folders := 0
	texts := 0
	read := func(name string) {
		if f := c.SourceFile(name); strings.Contains(f.Text, "//go:generate ") {
			files = append(files, f)
		}
		texts++
	}
	var walk func(dir string, deep bool)
	walk = func(dir string, deep bool) {
		if folders++; folders > command.MaxFolders {
			c.Beyond(dir)
			return
		}
		for _, n := range c.Names(command.Lit(dir)) {
			switch {
			case texts >= maxGenerateFiles:
				return
			case strings.HasSuffix(n, ".go"):
				read(path.Join(dir, n))
			case deep && !strings.Contains(n, ".") && n != "vendor" && n != "testdata" && n != "node_modules":
				walk(path.Join(dir, n), true)
			}
		}
	}
	for _, w := range want {
		if dir, deep := strings.CutSuffix(w.Text, "..."); strings.HasSuffix(dir, ".go") {
			read(dir)
		} else {
			walk(path.Clean(dir), deep)
		}
	}
	for _, f := range files {
		dir, names := command.Lit(path.Dir(f.Name)), map[string]string{}
		for i, l := range strings.Split(f.Text, "\n") {
			if cmd, ok := strings.CutPrefix(l, "//go:generate "); ok {
				if def, ok := strings.CutPrefix(cmd, "-command "); ok { // NAME COMMAND...
					name, command, _ := strings.Cut(def, " ")
					names[name] = command
					continue
				}
				if name, args, _ := strings.Cut(cmd, " "); names[name] != "" {
					cmd = names[name] + " " + args
				}
				f.Run(i+1, strings.NewReplacer("$GOFILE", path.Base(f.Name), "$GOPACKAGE", "main", "$DOLLAR", "$").Replace(cmd), command.Run{Dir: &dir})
			}
		}
	}
}

// miseTasks runs the task that a call of mise names, and the tasks that it depends on.
func miseTasks(c *command.Call) {
	verb, name := c.Verb(), c.Arg(0).Text
	if verb == name {
		name = c.Arg(1).Text
	}
	switch {
	case anyof.Listed("r run task tasks t w watch", verb):
	case anyof.Listed("activate alias backends bin-paths cache completion config current deactivate direnv doctor en env exec x fmt generate help implode install i latest link ln", verb), anyof.Listed("list ls outdated plugins prune registry reshim search self-update set settings shell sh sync trust uninstall unset upgrade up use u version where which", verb):
		return
	default: // mise NAME runs a task
		name = verb
	}
	if name == "run" {
		name = c.Arg(2).Text
	}
	done := map[string]bool{}
	var run func(name string)
	run = func(name string) {
		if name == "" || done[name] || len(done) > command.MaxTargets {
			return
		}
		done[name] = true
		for _, n := range [...]string{"mise.toml", ".mise.toml", ".config/mise.toml"} {
			f, _ := c.StartedFile(n)
			t := f.Tree(datafile.TOML).Get("tasks", name)
			for _, key := range [...]string{"depends", "depends_post"} {
				for _, d := range t.Get(key).Texts() {
					run(d)
				}
			}
			lines := t.Get("run").List()
			if t != nil && t.Text != "" {
				lines = t.List()
			}
			for _, l := range lines {
				f.Run(l.Line, l.Text, command.Run{})
			}
			if file := t.Str("file"); file != "" {
				c.RunFile("sh", command.Lit(file), command.Run{Task: true})
			}
		}
		command.StartsFile(c, "sh", "mise-tasks/"+name, ".mise/tasks/"+name, ".config/mise/tasks/"+name)
	}
	run(name)
}

// nxTargets runs the commands of the wanted targets in all projects of a workspace.
func nxTargets(c *command.Call) {
	var want []string
	for _, w := range c.Operands {
		want = append(want, w.Text[strings.LastIndexByte(w.Text, ':')+1:])
	}
	for _, names := range append(c.All("-t"), append(c.All("--target"), c.All("--targets")...)...) {
		want = append(want, strings.Split(names.Text, ",")...)
	}
	for _, dir := range append([]string{"."}, command.Below(c, "", append([]string{"apps/*", "libs/*", "packages/*"}, command.Workspaces(c, "")...))...) {
		f, _ := c.StartedFile(path.Join(dir, "project.json"))
		f.Tree(datafile.JSON).Get("targets").Each(func(name string, v *datafile.Value) {
			if !slices.Contains(want, name) {
				return
			}
			in, options := command.Lit("."), v.Get("options")
			if cwd := options.Str("cwd"); cwd != "" {
				in = command.Lit(cwd)
			}
			for _, l := range append(append(v.Get("command").List(), options.Get("command").List()...), options.Get("commands").List()...) {
				if cmd := cmp.Or(l.Text, l.Str("command")); cmd != "" {
					f.Run(l.Line, strings.NewReplacer("{workspaceRoot}", ".", "{projectRoot}", dir).Replace(cmd), command.Run{Dir: &in})
				}
			}
		})
	}
}
