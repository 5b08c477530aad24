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

// Bounds on the files and tasks of one run.
const (
	maxPlaybooks = 32
	maxTasks     = 2000
)

// playbook is one run of ansible-playbook. Its tasks run on other machines, unless this machine is
// the only host.
type playbook struct {
	c      *Call
	remote bool // a task runs on another machine, or may
	unread bool // a task does something on this machine that was not read
	files  int
	tasks  int
}

func doPlaybook(c *Call) {
	p := &playbook{c: c}
	if c.Inert() { // a trial run fills in the templates
		t := c.Traits
		c.Traits &^= umpire.Inert
		for _, w := range c.Operands {
			if f, ok := c.StartedFile(w.Text); ok {
				p.pipes(f)
			}
		}
		c.Traits = t
		return
	}
	if len(c.Operands) == 0 {
		return
	}
	for _, w := range c.Operands {
		p.read(w.Text)
	}
	switch {
	case p.remote:
		c.infra("apply", []string{"playbook"}, c.Operands, umpire.Mutate|umpire.Remote)
	case p.unread:
		c.infra("apply", []string{"playbook"}, c.Operands, umpire.Mutate)
	}
}

// read reads the plays of a file. A file that cannot be read counts as remote.
func (p *playbook) read(name string) {
	p.files++
	f, ok := p.c.StartedFile(name)
	if !ok || p.files > maxPlaybooks {
		p.remote = true
		return
	}
	p.pipes(f)
	for _, play := range f.Tree(datafile.YAML).List() {
		if other := cmp.Or(play.Str("import_playbook"), play.Str("ansible.builtin.import_playbook")); other != "" {
			p.read(path.Join(path.Dir(name), other))
			continue
		}
		here := p.local(play)
		p.remote = p.remote || !here
		p.unread = p.unread || becomes(play)
		dir := path.Dir(name)
		for _, key := range [...]string{"pre_tasks", "tasks", "post_tasks", "handlers"} {
			p.steps(f, dir, play.Get(key), here)
		}
		for _, r := range play.Get("roles").List() {
			role := path.Join(dir, "roles", cmp.Or(r.Text, r.Str("role"), r.Str("name")), "tasks")
			p.include(here, path.Join(role, "main.yml"), path.Join(role, "main.yaml"))
		}
	}
}

// local reports whether all hosts of a play are this machine.
func (p *playbook) local(play *datafile.Value) bool {
	connection := play.Str("connection")
	if v, ok := ConfigValue(p.c, "-c", "--connection"); ok {
		connection = v
	}
	if connection == "local" || connection == "ansible.builtin.local" {
		return true
	}
	hosts := play.Get("hosts").Texts()
	return len(hosts) != 0 && !slices.ContainsFunc(hosts, func(h string) bool { return !thisHost(h) && !p.inventory() })
}

func thisHost(name string) bool { return name == "localhost" || name == "127.0.0.1" || name == "::1" }

// InventoryScript runs an inventory that is a script.
func InventoryScript(c *Call) {
	if name, ok := ConfigValue(c, "-i", "--inventory"); ok && !strings.Contains(name, ",") {
		if f, ok := c.StartedFile(name); ok && strings.HasPrefix(f.Text, "#!") {
			f.Exec(1, []string{path.Dir(name) + "/" + path.Base(name)}, Run{})
		}
	}
}

// inventory reports whether the inventory is known, and this machine is its only host.
func (p *playbook) inventory() bool {
	given := p.c.All("-i")
	if len(given) == 0 {
		if f, ok := p.c.StartedFile("ansible.cfg"); ok {
			if name := f.Tree(datafile.INI).Str("defaults", "inventory"); name != "" {
				given = Lits(name)
			}
		}
	}
	if slices.ContainsFunc(given, func(w Word) bool { return !w.Known() || !p.onlyHere(w.Text) }) {
		return false
	}
	return len(given) > 0
}

// onlyHere reports whether an inventory names only this machine. It is the path of a file or a list
// with commas.
func (p *playbook) onlyHere(name string) bool {
	text := strings.ReplaceAll(name, ",", "\n")
	if !strings.Contains(name, ",") {
		f, ok := p.c.StartedFile(name)
		if !ok || path.Ext(name) != "" && path.Ext(name) != ".ini" && path.Ext(name) != ".cfg" || strings.HasPrefix(f.Text, "#!") {
			return false
		}
		text = f.Text
	}
	hosts := false
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.ContainsAny(words[0][:1], "#;"):
		case strings.HasPrefix(words[0], "["):
			hosts = !strings.Contains(words[0], ":vars")
		case hosts || !strings.Contains(words[0], "="):
			if !thisHost(words[0]) && !slices.Contains(words[1:], "ansible_connection=local") {
				return false
			}
		}
	}
	return true
}

// include reads the tasks of the first of these files that exists.
func (p *playbook) include(here bool, names ...string) {
	f, ok := p.c.StartedFile(names...)
	if p.files++; p.files > maxPlaybooks || !ok {
		p.unread = true
		return
	}
	p.pipes(f)
	p.steps(f, path.Dir(f.Name), f.Tree(datafile.YAML), here)
}

// becomes reports whether a play or a task runs as another user, usually root.
func becomes(t *datafile.Value) bool {
	return t.Get("become") != nil && !anyof.Listed("false no", t.Str("become"))
}

// steps runs the tasks of a list that run on this machine. here says that their play does.
func (p *playbook) steps(f Started, dir string, tasks *datafile.Value, here bool) {
	for _, t := range tasks.List() {
		if p.tasks++; p.tasks > maxTasks {
			p.remote = true
			return
		}
		p.unread = p.unread || becomes(t)
		own := here || thisHost(t.Str("delegate_to")) || t.Str("connection") == "local"
		t.Each(func(key string, v *datafile.Value) {
			key = strings.TrimPrefix(strings.TrimPrefix(key, "ansible.builtin."), "ansible.legacy.")
			switch key {
			case "block", "rescue", "always":
				p.steps(f, dir, v, own)
			case "include_tasks", "import_tasks":
				p.include(own, path.Join(dir, cmp.Or(v.Text, v.Str("file"))))
			case "local_action":
				p.module(f, v.Line, cmp.Or(v.Str("module"), firstWord(v.Text)), v, true)
			default:
				p.module(f, v.Line, key, v, own)
			}
		})
	}
}

// module records what a module of a task does on this machine. It ignores other keys of the task.
func (p *playbook) module(f Started, line int, name string, v *datafile.Value, here bool) {
	if !here || anyof.Listed(taskKeys, name) || anyof.Listed(quietModules, name) || strings.HasPrefix(name, "with_") {
		return
	}
	text := cmp.Or(v.Str("cmd"), v.Str("_raw_params"), v.Text)
	if word := firstWord(text); word == name {
		text = strings.TrimSpace(strings.TrimPrefix(text, word))
	}
	switch name {
	case "shell", "command", "raw", "script", "expect":
		if argv := v.Get("argv").Texts(); len(argv) > 0 {
			f.Exec(line, argv, Run{})
			return
		}
		f.Run(line, text, Run{})
	case "file":
		switch at := cmp.Or(v.Str("path"), v.Str("dest")); {
		case v.Str("state") == "absent" && at != "":
			f.Exec(line, []string{"rm", "-rf", at}, Run{})
		case v.Str("state") == "directory" && v.Str("mode") == "":
			f.Exec(line, []string{"mkdir", "-p", at}, Run{})
		default:
			p.unread = true
		}
	default:
		p.unread = true
	}
}

// Keys of a task that are not modules, and modules that change nothing.
const (
	taskKeys = "name when register tags vars loop loop_control notify listen args become become_user changed_when failed_when " +
		"ignore_errors environment delegate_to run_once until retries delay no_log check_mode connection any_errors_fatal throttle timeout"
	quietModules = "debug set_fact assert fail meta stat find ping setup pause wait_for include_vars gather_facts add_host group_by"
)

// pipes runs the commands of lookup("pipe", ...) in templates, which always run on this machine.
func (p *playbook) pipes(f Started) {
	n := 0
	for text := range strings.Lines(f.Text) {
		n++
		for _, rest := range strings.Split(text, "lookup(")[1:] {
			if words := QuotedWords(rest); len(words) > 1 && (words[0] == "pipe" || words[0] == "ansible.builtin.pipe") {
				f.Run(n, words[1], Run{})
			}
		}
	}
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return w
}
