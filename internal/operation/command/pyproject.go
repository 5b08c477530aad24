package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// ProjectScript runs the target of a script name in pyproject.toml, and reports whether there is
// one.
func ProjectScript(c *Call, name string, args []Word) bool {
	if c.Program == "pipenv" {
		if f, ok := c.StartedFile("Pipfile"); ok {
			p := &pyScripts{f: f, args: args, done: map[string]bool{}, tables: []*datafile.Value{f.Tree(datafile.TOML).Get("scripts")}}
			return p.run(name)
		}
	}
	f, ok := c.StartedFile("pyproject.toml")
	if !ok || strings.ContainsAny(name, "/ ") {
		return false
	}
	t := f.Tree(datafile.TOML)
	p := &pyScripts{f: f, args: args, done: map[string]bool{}}
	for _, keys := range [][]string{{"tool", "poe", "tasks"}, {"tool", "pdm", "scripts"}, {"tool", "rye", "scripts"}, {"tool", "pixi", "tasks"}, {"tool", "taskipy", "tasks"}, {"tool", "hatch", "envs", "default", "scripts"}, {"project", "scripts"}, {"tool", "poetry", "scripts"}} {
		p.tables = append(p.tables, t.Get(keys...))
	}
	env, script, ok := strings.Cut(name, ":")
	if ok {
		p.tables = append(p.tables, t.Get("tool", "hatch", "envs", env, "scripts"))
		if p.run(script) {
			return true
		}
	}
	return p.run(name)
}

// pyScripts runs scripts from the tables of a project file. done prevents an endless loop between
// scripts.
type pyScripts struct {
	f      Started
	args   []Word
	tables []*datafile.Value
	done   map[string]bool
}

func (p *pyScripts) run(name string) (found bool) {
	once := p.done[name]
	p.done[name] = true
	for _, t := range p.tables {
		v := t.Get(name)
		found = found || v != nil
		if once {
			continue
		}
		if v != nil {
			p.value(v)
		}
		for _, around := range []string{"pre_" + name, "post_" + name} {
			if v := t.Get(around); v != nil {
				p.value(v)
			}
		}
	}
	return found
}

func (p *pyScripts) value(v *datafile.Value) {
	if mod, fn, ok := strings.Cut(v.Text, ":"); ok && !strings.ContainsAny(v.Text, " /=") {
		p.module(mod, fn)
		return
	}
	if v.Text != "" {
		if word, _, _ := strings.Cut(v.Text, " "); !p.run(word) {
			p.f.Run(v.Line, v.Text+Quote("", p.args), Run{})
		}
		return
	}
	for _, l := range v.List() {
		p.value(l)
	}
	v.Each(func(key string, x *datafile.Value) {
		switch key {
		case "cmd", "shell", "expr", "composite", "chain", "sequence", "ref", "deps", "depends-on", "depends_on", "script", "call":
			if key == "cmd" && len(x.Kids) > 0 {
				p.f.Exec(x.Line, x.Texts(), Run{})
				return
			}
			if key == "script" || key == "call" {
				mod, fn, _ := strings.Cut(x.Text, ":")
				p.module(mod, fn)
				return
			}
			p.value(x)
		case "interpreter":
		}
	})
}

// module runs a module of the project and then one of its functions.
func (p *pyScripts) module(mod, fn string) {
	name := strings.ReplaceAll(mod, ".", "/")
	fn, _, _ = strings.Cut(fn, "(")
	for _, n := range []string{name + ".py", name + "/__init__.py", "src/" + name + ".py", "src/" + name + "/__init__.py"} {
		if f, ok := p.f.Call.StartedFile(n); ok {
			f.Text += "\n" + fn + "()\n"
			f.RunAs("python", Run{})
			return
		}
	}
}

// BuildsPackage runs the code that a build of the package in dir runs: setup.py, build hooks and a
// local build backend.
func BuildsPackage(c *Call, dir string) {
	if f, ok := c.StartedFile(path.Join(dir, "setup.py")); ok {
		f.Text = withoutOtherArgs(f.Text)
		f.RunAs("python", Run{})
	}
	f, _ := c.StartedFile(path.Join(dir, "pyproject.toml"))
	t := f.Tree(datafile.TOML)
	for _, hook := range []struct{ keys, file string }{{"poetry.build.script", ""}, {"poetry.build", ""}, {"pdm.build.custom-hook", ""}, {"hatch.build.hooks.custom.path", ""}, {"hatch.build.hooks.custom", "hatch_build.py"}} {
		if v := t.Get("tool").Get(strings.Split(hook.keys, ".")...); v != nil {
			if n := cmp.Or(v.Text, hook.file); strings.HasSuffix(n, ".py") {
				StartsFile(c, "python", path.Join(dir, n))
			}
		}
	}
	system := t.Get("build-system")
	for _, at := range system.Get("backend-path").Texts() {
		name, _, _ := strings.Cut(system.Str("build-backend"), ":")
		name = strings.ReplaceAll(name, ".", "/")
		StartsFile(c, "python", path.Join(dir, at, name+".py"), path.Join(dir, at, name, "__init__.py"))
	}
}

// withoutOtherArgs removes the code that setup.py runs for arguments that pip does not pass: many
// projects publish by such an argument.
func withoutOtherArgs(text string) string {
	var b strings.Builder
	skip := false
	for line := range strings.Lines(text) {
		if s := strings.TrimSpace(line); s != "" && strings.TrimLeft(line, " \t") == line {
			skip = false
			if cond, ok := strings.CutPrefix(s, "if "); ok && strings.Contains(cond, "sys.argv") && (strings.Contains(cond, "==") || strings.Contains(cond, " in sys.argv")) && !strings.Contains(cond, "not in") {
				skip = true
				for _, given := range []string{"install", "develop", "build", "wheel", "_info", "sdist"} {
					skip = skip && !strings.Contains(cond, given)
				}
			}
		}
		if !skip {
			b.WriteString(line)
		}
	}
	return b.String()
}

// ToxCommands runs the commands of the wanted environments, or of all if none is named.
func ToxCommands(c *Call) {
	f, ok := c.StartedFile("tox.ini", "setup.cfg")
	t := f.Tree(datafile.INI)
	if !ok || !slices.ContainsFunc(t.Names(), func(s string) bool { return strings.HasPrefix(s, "testenv") }) {
		if f, ok = c.StartedFile("pyproject.toml"); !ok {
			return
		}
		text := f.Tree(datafile.TOML).Get("tool", "tox", "legacy_tox_ini")
		if text == nil {
			return
		}
		t = datafile.INI(text.Text)
	}
	var want []string
	if w, ok := c.Opt("-e"); ok {
		want = strings.Split(w.Text, ",")
	}
	own := len(want) > 0 // all wanted environments override the common commands
	for _, env := range want {
		own = own && t.Get("testenv:"+env, "commands") != nil
	}
	t.Each(func(name string, section *datafile.Value) {
		env, is := strings.CutPrefix(name, "testenv")
		env = strings.TrimPrefix(env, ":")
		if !is || env == "" && own || env != "" && want != nil && !slices.Contains(want, env) {
			return
		}
		for _, key := range []string{"commands_pre", "commands", "commands_post"} {
			for _, l := range section.Get(key).List() {
				text := strings.TrimPrefix(l.Text, "-")
				for _, s := range strings.Split(strings.NewReplacer("{toxinidir}", ".", "{tox_root}", ".", "{envpython}", "python", "{posargs}", "", "{env:HOME}", "~", "{homedir}", "~", "{envtmpdir}", ".tox/tmp", "{envdir}", ".tox/env", "{toxworkdir}", ".tox").Replace(text), "\n") {
					f.Run(l.Line, s, Run{})
				}
			}
		}
	})
}

// PySessions runs a file of Python functions that a tool calls: the code outside of them, and the
// wanted functions, or all if none is named. It also reads the tool's own functions that start a
// command.
func PySessions(c *Call, name string, want []string) {
	f, _ := c.StartedFile(name)
	runs := "invoke.run("
	if name == "noxfile.py" {
		runs = "asyncio.create_subprocess_exec("
	}
	var text strings.Builder
	taken, inside, self := true, false, ""
	for line := range strings.SplitSeq(f.Text, "\n") {
		s := strings.TrimSpace(line)
		if s != "" && line == strings.TrimLeft(line, " \t") {
			inside = false
			if rest, ok := strings.CutPrefix(s, "def "); ok {
				fn, params, _ := strings.Cut(rest, "(")
				fn = strings.TrimSpace(fn)
				self = strings.TrimSpace(params[:max(0, strings.IndexAny(params, ",:)"))])
				taken, inside = len(want) == 0 || slices.Contains(want, fn) || slices.Contains(want, strings.ReplaceAll(fn, "_", "-")), true
				continue
			}
			taken = true
		}
		if strings.HasPrefix(s, "@") || !taken {
			continue
		}
		if inside {
			line = s
			for _, method := range []string{".run(", ".run_always(", ".run_install("} {
				if self != "" { // as a call that the reader of Python knows
					line = strings.ReplaceAll(line, self+method, runs)
				}
			}
			line = strings.ReplaceAll(line, "*"+self+".posargs", "") // the words after --
		}
		text.WriteString(line + "\n")
	}
	f.Text = text.String()
	f.RunAs("python", Run{})
}

// QuotedWords returns the quoted texts at the beginning of a list. It stops at the first element
// without quotes.
func QuotedWords(s string) (out []string) {
	for {
		s = strings.TrimLeft(s, " ,[(\t\n\r")
		if s == "" || s[0] != '"' && s[0] != '\'' {
			return out
		}
		end := datafile.EndQuote(s)
		if end < 0 {
			return out
		}
		out = append(out, datafile.Unescape(s[1:end]))
		s = s[end+1:]
	}
}
