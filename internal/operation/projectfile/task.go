package projectfile

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// doTask runs the tasks of a project.
func doTask(c *command.Call) {
	if c.Inert() {
		return
	}
	switch c.Program {
	case "just":
		justfile(c)
	case "task":
		taskfile(c)
	case "tox":
		command.ToxCommands(c)
	case "poe":
		if len(c.Operands) > 0 {
			command.ProjectScript(c, c.Operands[0].Text, c.Following())
		}
	case "devcontainer":
		if v := c.Arg(0).Text; v == "up" || v == "build" || v == "run-user-commands" {
			command.Devcontainer(c)
		}
	case "nox":
		var want []string
		for _, w := range c.All("-s") {
			name, _, _ := strings.Cut(w.Text, "-3")
			want = append(want, name)
		}
		command.PySessions(c, "noxfile.py", want)
	case "invoke", "inv":
		var want []string
		for _, w := range c.Operands {
			want = append(want, w.Text)
		}
		command.PySessions(c, "tasks.py", want)
		for i := range want { // MODULE.TASK
			want[i] = want[i][strings.LastIndexByte(want[i], '.')+1:]
		}
		for _, n := range c.Names(command.Lit("tasks")) {
			if strings.HasSuffix(n, ".py") {
				command.PySessions(c, path.Join("tasks", n), want)
			}
		}
	case "pre-commit":
		if v := c.Arg(0).Text; v == "run" || v == "try-repo" || v == "hook-impl" || v == "" {
			preCommitHooks(c, "")
		}
	case "lefthook":
		if c.Arg(0).Text == "run" {
			lefthook(c, c.Arg(1).Text)
		}
	case "turbo", "nx", "lerna", "rush":
		names := c.Operands
		switch verb := c.Arg(0).Text; {
		case verb == "exec":
			c.Exec(names[1:], command.Run{Out: true})
			return
		case verb == "publish", verb == "release" && c.Arg(1).Text == "publish":
			command.Packages(c, "publish", names[1:], umpire.Upload|umpire.Mutate)
			return
		case verb == "run", verb == "run-many":
			names = names[1:]
		}
		names = append(names, c.All("-t")...)
		for _, w := range names {
			command.PackageScripts(c, "package.json", nil, w.Text[strings.LastIndexByte(w.Text, ':')+1:], w.Text)
		}
	}
}

// doEditorExtension reads an editor that installs extensions, which run with the user's rights:
// from its marketplace by name, or from an unpublished file.
func doEditorExtension(c *command.Call) {
	for _, w := range c.All("--install-extension") {
		t := command.When(strings.ContainsAny(w.Text, "/\\") || strings.HasSuffix(w.Text, ".vsix") || !w.Known(), umpire.UntrustedSource)
		c.Op(umpire.Packages, command.Quote(c.Program+" extension install", []command.Word{w}), t)
	}
	if c.Inert() {
		return
	}
	if w := c.Arg(0).Text; w == "tunnel" || w == "serve-web" { // an account of the adversary's may get a shell here
		c.Op(umpire.Network, "*", umpire.Tunnel|umpire.HostAccess|umpire.RemoteShell)
		return
	}
	for _, w := range c.Operands {
		if w.Known() {
			folderTasks(c, w.Text)
		}
	}
}

// folderTasks runs the tasks that an editor starts when it opens a folder.
func folderTasks(c *command.Call, dir string) {
	f, ok := c.StartedFile(path.Join(dir, ".vscode/tasks.json"))
	if !ok || !strings.Contains(f.Text, "folderOpen") {
		return
	}
	in := command.Lit(dir)
	for _, task := range f.Tree(datafile.JSON).Get("tasks").List() {
		if cmd := task.Get("command"); cmd != nil && task.Str("runOptions", "runOn") == "folderOpen" {
			f.Run(cmd.Line, cmd.Text+command.Quote("", command.Lits(task.Get("args").Texts()...)), command.Run{Dir: &in})
		}
	}
}

// taskfile runs the tasks that a call of task reaches.
func taskfile(c *command.Call) {
	if c.Has("--list", "-l", "--list-all", "-a", "--init", "-i", "--status", "--summary") {
		return
	}
	names := []string{"Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml", "Taskfile.dist.yaml"}
	if w, ok := c.Opt("-f"); ok && w.Known() {
		names = []string{w.Text}
	} else if w, ok := c.Opt("-t"); ok && w.Known() {
		names = []string{w.Text}
	}
	f, _ := c.StartedFile(names...)
	t := &tasks{c: c, done: map[string]bool{}}
	t.read(f, "", 0)
	want := c.Operands
	if i := slices.IndexFunc(c.Args, func(w command.Word) bool { return w.Text == "--" }); i >= 0 {
		t.args = c.Args[i+1:]
		want = want[:max(len(want)-len(t.args), 0)]
	}
	if len(want) == 0 {
		want = command.Lits("default")
	}
	for _, w := range want {
		if !strings.Contains(w.Text, "=") {
			t.run(w.Text)
		}
	}
}

// tasks runs the tasks of a Taskfile and of those that it includes.
type tasks struct {
	c    *command.Call
	args []command.Word // the words after --
	all  []taskOf
	done map[string]bool

	given *datafile.Value // the variables that a task passes to the task that it runs
}

type taskOf struct {
	name, prefix, dir string
	file              command.Started
	vars, body        *datafile.Value
}

func (t *tasks) read(f command.Started, prefix string, depth int) {
	root := f.Tree(datafile.YAML)
	root.Get("vars").Each(func(_ string, v *datafile.Value) { // a variable may be the output of a command
		if sh := v.Get("sh"); sh != nil {
			f.Run(sh.Line, sh.Text, command.Run{})
		}
	})
	root.Get("includes").Each(func(name string, v *datafile.Value) {
		file := v.Text
		if file == "" {
			file = v.Str("taskfile")
		}
		if depth >= 8 || len(t.all) >= command.MaxTargets {
			t.c.Beyond(file)
		} else {
			for _, n := range []string{file, file + "/Taskfile.yml", file + "/Taskfile.yaml"} {
				if g, ok := t.c.StartedFile(path.Join(path.Dir(f.Name), n)); ok && n != "" {
					t.read(g, prefix+name+":", depth+1)
					break
				}
			}
		}
	})
	root.Get("tasks").Each(func(name string, v *datafile.Value) {
		t.all = append(t.all, taskOf{prefix + name, prefix, v.Str("dir"), f, root.Get("vars"), v})
	})
}

func (t *tasks) run(name string) {
	key := name
	t.given.Each(func(name string, v *datafile.Value) { key += "\x00" + name + "=" + v.Text }) // a task runs again with other variables
	if t.done[key] || len(t.done) > command.MaxTargets {
		return
	}
	t.done[key] = true
	for _, k := range t.all {
		if k.name != name && !slices.Contains(k.body.Get("aliases").Texts(), name) {
			continue
		}
		run := command.Run{}
		if k.dir != "" {
			w := command.Lit(k.dir)
			run.Dir = &w
		}
		for _, d := range k.body.Get("deps").List() {
			t.run(k.prefix + cmp.Or(d.Text, d.Str("task")))
		}
		k.body.Get("vars").Each(func(_ string, v *datafile.Value) {
			if sh := v.Get("sh"); sh != nil {
				k.file.Run(sh.Line, sh.Text, run)
			}
		})
		lines := k.body.List()
		for _, key := range []string{"status", "preconditions", "cmd", "cmds"} {
			lines = append(lines, k.body.Get(key).List()...)
		}
		for _, l := range lines {
			if len(l.Keys) > 0 {
				if other := l.Str("task"); other != "" {
					was := t.given
					t.given = l.Get("vars")
					t.run(k.prefix + other)
					t.run(other)
					t.given = was
				}
				for _, key := range []string{"cmd", "sh", "defer"} {
					if v := l.Get(key); v != nil {
						k.file.Run(v.Line, t.expand(k, v.Text), run)
					}
				}
				continue
			}
			k.file.Run(l.Line, t.expand(k, l.Text), run)
		}
	}
}

// expand replaces the variables in a template. An unknown one becomes a hole.
func (t *tasks) expand(k taskOf, text string) string {
	var b strings.Builder
	for b.Len() < command.MaxLine {
		i := strings.Index(text, "{{")
		if i < 0 {
			break
		}
		end := strings.Index(text[i:], "}}")
		if end < 0 {
			break
		}
		name := strings.TrimPrefix(strings.TrimSpace(text[i+2:i+end]), ".")
		v := umpire.Hole
		for _, vars := range []*datafile.Value{t.given, k.body.Get("vars"), k.vars} {
			if x := vars.Get(name); x != nil && len(x.Keys) == 0 && v == umpire.Hole {
				v = x.Text
			}
		}
		switch {
		case name == "CLI_ARGS":
			v = command.Quote("", t.args)
		case name == "ROOT_DIR" || name == "USER_WORKING_DIR":
			v = t.c.Absolute(".")
		case name == "TASKFILE_DIR":
			v = t.c.Absolute(path.Dir(k.file.Name))
		case v == umpire.Hole && !strings.HasSuffix(name, "_DIR") && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "": // of the environment
			v = "${" + name + "}"
		}
		b.WriteString(text[:i] + v)
		text = text[i+end+2:]
	}
	return b.String() + text
}
