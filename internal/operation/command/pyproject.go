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
				for range 8 { // {[section]key}
					before, ref, ok := strings.Cut(text, "{[")
					ref, after, _ := strings.Cut(ref, "}")
					if section, key, _ := strings.Cut(ref, "]"); ok {
						text = before + strings.Join(t.Get(section, key).Texts(), "\n") + after
					}
				}
				for _, s := range strings.Split(strings.NewReplacer("{toxinidir}", ".", "{tox_root}", ".", "{envpython}", "python", "{posargs}", "", "{env:HOME}", "~", "{homedir}", "~", "{envtmpdir}", ".tox/tmp", "{envdir}", ".tox/env", "{toxworkdir}", ".tox").Replace(text), "\n") {
					f.Run(l.Line, s, Run{})
				}
			}
		}
	})
}

// Reachable returns a program without the functions that neither a wanted function nor the code
// around the functions names. A function begins with its decorators, or with keyword at the start of
// a line. The program stays as it is if no function is wanted.
func Reachable(text, keyword string, want []string) string {
	type part struct{ name, text string }
	parts, named := []part{{}}, map[string][]int{}
	for line := range strings.Lines(text) {
		at := &parts[len(parts)-1]
		head, is := strings.CutPrefix(line, keyword)
		switch {
		case at.name == "@" && !is: // decorators continue
		case line[0] == '@' || is && at.name != "@":
			parts = append(parts, part{name: "@"})
		case !is && at.name != "" && !strings.Contains(" \t\r\n)}#", line[:1]):
			parts = append(parts, part{})
		}
		at = &parts[len(parts)-1]
		if at.text += line; is {
			if strings.HasPrefix(head, "(") { // of a method
				_, head, _ = strings.Cut(head, ")")
			}
			at.name = functionKey(head[:max(0, strings.IndexByte(head, '('))])
			named[at.name] = append(named[at.name], len(parts)-1)
		}
	}
	var reached []string
	for _, p := range parts {
		if p.name == "" || p.name == "@" {
			reached = append(reached, p.text)
		}
	}
	taken := map[int]bool{}
	for reached = append(reached, want...); len(reached) > 0; reached = reached[1:] {
		for w := range strings.FieldsFuncSeq(reached[0], func(r rune) bool { return r != '-' && r < 128 && !WordByte(byte(r)) }) {
			for _, i := range named[functionKey(w)] {
				if !taken[i] {
					taken[i], reached = true, append(reached, parts[i].text)
				}
			}
		}
	}
	var b strings.Builder
	for i, p := range parts {
		if len(want) == 0 || taken[i] || p.name == "" || p.name == "@" {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// WordByte reports whether a byte can be part of a name.
func WordByte(b byte) bool {
	return b == '_' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9'
}

// functionKey returns a name of a function as a call may spell it: build-docs for build_docs.
func functionKey(name string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), "-", "_"))
}

// PySessions runs a file of Python functions that a tool calls: the code outside of them, and the
// wanted functions with those that they name. It also reads the tool's own functions that start a
// command.
func PySessions(c *Call, name string, want []string) {
	f, _ := c.StartedFile(name)
	runs := "invoke.run("
	if name == "noxfile.py" {
		runs = "asyncio.create_subprocess_exec("
	}
	var text strings.Builder
	inside, self := false, ""
	for line := range strings.Lines(Reachable(f.Text, "def ", want)) {
		s := strings.TrimSpace(line)
		if s != "" && line == strings.TrimLeft(line, " \t") {
			_, params, is := strings.Cut(line, "(")
			if inside = is && strings.HasPrefix(line, "def "); inside {
				self = strings.TrimSpace(params[:max(0, strings.IndexAny(params, ",:)"))])
				for p := range strings.SplitSeq(params[:max(0, strings.LastIndexByte(params, ')'))], ",") {
					if strings.Contains(p, "=") { // a default value
						text.WriteString(strings.TrimSpace(p) + "\n")
					}
				}
				if _, s, is = strings.Cut(params, "):"); !is { // the body may follow on the line
					continue
				}
				s = strings.TrimSpace(s)
			}
		}
		if strings.HasPrefix(s, "@") {
			continue
		}
		if inside {
			line = s + "\n"
			for _, method := range []string{".run(", ".run_always(", ".run_install("} {
				if self != "" { // as a call that the reader of Python knows
					line = strings.ReplaceAll(line, self+method, runs)
				}
			}
			line = strings.ReplaceAll(line, "*"+self+".posargs", "") // the words after --
		}
		text.WriteString(line)
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
