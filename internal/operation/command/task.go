package command

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
)

// A project's own task files are long, and what they could do is not what they do: of
// those nothing is said. One that the very call wrote is another matter, since all that is
// new in it is what the agent wants run.

// written finds the first of some files that this very call wrote.
func written(c *Call, names ...string) (Stream, bool) {
	for _, n := range names {
		if w := Lit(n); c.Wrote(w) {
			return c.File(w), true
		}
	}
	return Stream{}, false
}

// packageScripts runs scripts of a JSON manifest in the order given, each with what npm
// runs before and after it.
func packageScripts(c *Call, manifest string, args []Word, names ...string) {
	dir := ""
	if w, ok := c.Opt("--prefix"); ok && w.Known() {
		dir = w.Text
	}
	run := Run{Via: c.Program}
	if dir != "" {
		w := Lit(dir)
		run.Dir = &w
	}
	for _, n := range names {
		for _, n := range []string{"pre" + n, n, "post" + n} {
			for _, w := range c.Defined(manifestKey(manifest, n)) {
				c.Shell(w.With(w.Text+Quote("", args)), run)
			}
		}
	}
	s, ok := written(c, path.Join(dir, manifest))
	if !ok {
		return
	}
	if !s.Seen {
		c.Script("sh", s, run)
		return
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(s.Text), &fields) != nil {
		return
	}
	var scripts map[string]any
	key := "scripts"
	if c.Program == "deno" {
		key = "tasks"
	}
	if json.Unmarshal(fields[key], &scripts) != nil {
		return
	}
	for _, n := range names {
		for _, n := range []string{"pre" + n, n, "post" + n} {
			lines, _ := scripts[n].([]any) // Composer has lists
			if one, ok := scripts[n].(string); ok {
				lines = []any{one}
			}
			for _, l := range lines {
				text, _ := l.(string)
				if strings.HasPrefix(text, "@") { // Composer's other scripts and PHP
					continue
				}
				if len(args) > 0 && len(lines) == 1 {
					text = Quote(text, args)
				}
				c.Shell(Word{Text: text, Taint: s.Taint}, run)
			}
		}
	}
}

// doTask runs what a project calls its tasks.
func doTask(c *Call) {
	switch c.Program {
	case "just":
		justfile(c)
	case "task":
		taskLists(c, "cmds:", "Taskfile.yml", "Taskfile.yaml", "taskfile.yml")
	case "tox":
		taskLists(c, "commands", "tox.ini")
	case "jake", "gulp", "grunt", "invoke", "inv", "nox":
		ownFile(c, "js", "gulpfile.js", "Gruntfile.js", "Jakefile")
		ownFile(c, "python", "tasks.py", "noxfile.py")
	}
}

// taskLists runs every command that such a file lists below a key, or beside it, for all
// tasks: which of them a run reaches is not followed.
func taskLists(c *Call, key string, names ...string) {
	s, ok := written(c, names...)
	if !ok {
		return
	}
	if !s.Seen {
		c.Script("sh", s, Run{Via: c.Program})
		return
	}
	indent := -1
	for line := range strings.Lines(s.Text) {
		l := strings.TrimSpace(line)
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		if rest, ok := strings.CutPrefix(l, key); ok {
			indent, l = depth, strings.Trim(rest, " =[]")
		} else if indent < 0 || l == "" || depth < indent || depth == indent && !strings.HasPrefix(l, "-") {
			if l != "" {
				indent = -1
			}
			continue
		}
		l = strings.TrimPrefix(strings.TrimPrefix(l, "- "), "cmd: ")
		if len(l) > 1 && (l[0] == '"' || l[0] == '\'') && l[len(l)-1] == l[0] {
			l = l[1 : len(l)-1]
		}
		if l != "" && l != "|" {
			c.Shell(Word{Text: l, Taint: s.Taint}, Run{})
		}
	}
}

// ownFile runs those of the files that this very call wrote.
func ownFile(c *Call, lang string, names ...string) {
	for _, n := range names {
		if c.Wrote(Lit(n)) {
			c.RunFile(lang, Lit(n), Run{})
		}
	}
}

// doTestRunner runs tests that this very call wrote.
// doEditorExtension reads an editor that is to run code with the user's rights: from its
// market by a name, or from a file that nobody published.
func doEditorExtension(c *Call) {
	for _, w := range c.All("--install-extension") {
		t := umpire.Trait(0)
		if strings.ContainsAny(w.Text, "/\\") || strings.HasSuffix(w.Text, ".vsix") || !w.Known() {
			t = umpire.UntrustedSource
		}
		c.Op(umpire.Packages, Quote(c.Program+" extension install", []Word{w}), t)
	}
}

func doTestRunner(c *Call) {
	switch c.Program {
	case "pytest", "py.test":
		ownFile(c, "python", "conftest.py", "tests/conftest.py")
		for _, w := range c.Operands {
			f, _, _ := strings.Cut(w.Text, "::")
			ownFile(c, "python", f)
		}
	case "jest", "vitest", "mocha", "ava", "tap":
		for _, w := range c.Operands {
			ownFile(c, "js", w.Text)
		}
	case "rspec":
		for _, w := range c.Operands {
			ownFile(c, "ruby", w.Text)
		}
	case "phpunit":
		for _, w := range c.Operands {
			ownFile(c, "php", w.Text)
		}
	case "nodemon":
		for i, w := range c.Args {
			if (w.Text == "--exec" || w.Text == "-x") && i+1 < len(c.Args) {
				c.Shell(c.Args[i+1], Run{Out: true})
			}
		}
	case "npm-run-all", "run-s", "run-p":
		for _, w := range c.Operands {
			packageScripts(c, "package.json", nil, w.Text)
		}
	case "concurrently":
		for _, w := range c.Operands {
			c.Shell(w, Run{})
		}
	}
}

// justfile reads the recipes that a run of just reaches.
func justfile(c *Call) {
	for i, w := range c.Args { // a command of one's own among the recipes' variables
		if w.Text == "-c" || w.Text == "--command" {
			c.Exec(c.Args[i+1:], Run{Out: true})
			return
		}
	}
	names := []string{"justfile", "Justfile", ".justfile"}
	if w, ok := c.Opt("-f"); ok && w.Known() {
		names = []string{w.Text}
	}
	s, ok := written(c, names...)
	if !ok {
		return
	}
	if !s.Seen {
		c.Script("sh", s, Run{Via: c.Program})
		return
	}
	vars := map[string]string{}
	recipes := map[string]*recipe{}
	var first string
	var r *recipe
	for line := range strings.Lines(s.Text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if r != nil {
				r.lines = append(r.lines, strings.TrimLeft(strings.TrimSpace(line), "@-"))
			}
			continue
		}
		r = nil
		if name, v, ok := strings.Cut(line, ":="); ok {
			name = strings.TrimSpace(strings.TrimPrefix(name, "export "))
			if v = strings.TrimSpace(v); len(v) > 1 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0] {
				vars[name] = v[1 : len(v)-1]
			}
			continue
		}
		if head, deps, ok := strings.Cut(line, ":"); ok {
			if f := strings.Fields(strings.TrimPrefix(head, "@")); len(f) > 0 {
				r = &recipe{needs: strings.Fields(deps)}
				recipes[f[0]] = r
				if first == "" {
					first = f[0]
				}
			}
		}
	}
	expand := func(line string) string {
		var b strings.Builder
		for {
			i := strings.Index(line, "{{")
			end := strings.Index(line, "}}")
			if i < 0 || end < i {
				break
			}
			v, ok := vars[strings.TrimSpace(line[i+2:end])]
			if !ok {
				v = umpire.Hole
			}
			b.WriteString(line[:i] + v)
			line = line[end+2:]
		}
		return b.String() + line
	}
	want := []string{first}
	if len(c.Operands) > 0 {
		want = want[:0]
		for _, w := range c.Operands {
			want = append(want, w.Text)
		}
	}
	runRecipes(c, recipes, want, s.Taint, expand)
}

// A recipe is what a target needs, and the lines that make it.
type recipe struct {
	needs []string
	lines []string
}

// runRecipes runs the recipes of the targets wanted and of all that they need.
func runRecipes(c *Call, recipes map[string]*recipe, want []string, t Taint, expand func(string) string) {
	done := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		r := recipes[name]
		if r == nil || done[name] || len(done) > 256 {
			return
		}
		done[name] = true
		for _, n := range r.needs {
			visit(n)
		}
		if len(r.lines) > 0 && strings.HasPrefix(r.lines[0], "#!") { // one script, sh or not
			if text := expand(strings.Join(r.lines, "\n")); strings.Contains(r.lines[0], "sh") {
				c.Shell(Word{Text: text, Taint: t}, Run{})
			}
			return
		}
		for _, l := range r.lines {
			c.Shell(Word{Text: expand(l), Taint: t}, Run{})
		}
	}
	for _, n := range want {
		visit(n)
	}
}
