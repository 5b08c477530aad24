package projectfile

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// justfile runs the recipes that a call of just reaches.
func justfile(c *command.Call) {
	for i, w := range c.Args { // -c runs a command with the variables of the justfile
		if w.Text == "-c" || w.Text == "--command" {
			c.Exec(c.Args[i+1:], command.Run{Out: true})
			return
		}
	}
	if c.Has("--list", "-l", "--summary", "--dump", "--fmt", "--show", "--variables") {
		return
	}
	names := []string{"justfile", "Justfile", ".justfile", "JUSTFILE"}
	if w, ok := c.Opt("-f"); ok && w.Known() {
		names = []string{w.Text}
	} else {
		for _, up := range []string{"../", "../../", "../../../"} { // just also searches parent folders
			names = append(names, up+"justfile", up+"Justfile")
		}
	}
	f, ok := c.StartedFile(names...)
	if !ok {
		return
	}
	j := &just{c: c, vars: map[string]string{}, recipes: map[string]*recipe{}, params: map[string][]string{}, aliases: map[string]string{}}
	j.parse(f, 0)
	if c.Has("--evaluate") { // the values alone, which commands in them print
		return
	}
	want := []string{}
	for _, w := range c.Operands {
		if name, v, ok := strings.Cut(w.Text, "="); ok && j.recipes[w.Text] == nil {
			j.vars[name] = v
		} else {
			want = append(want, w.Text)
		}
	}
	if len(want) == 0 {
		want = []string{j.first}
	}
	j.run(want)
}

// just is the content of a justfile and its imports.
type just struct {
	c       *command.Call
	vars    map[string]string
	recipes map[string]*recipe
	params  map[string][]string
	first   string
	shell   []string
	aliases map[string]string
}

// parse reads a justfile into j. depth counts imports.
func (j *just) parse(f command.Started, depth int) {
	var r *recipe
	lines := strings.Split(f.Text, "\n")
	for i := 0; i < len(lines); i++ {
		at, line := i+1, strings.TrimRight(lines[i], "\r")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			for command.GoesOn(line) && i+1 < len(lines) {
				i++
				line += "\n" + lines[i]
			}
			if r != nil {
				r.lines = append(r.lines, step{&f, at, strings.TrimSpace(line)})
			}
			continue
		}
		r = nil
		word, rest := firstWord(line)
		switch word {
		case "import", "import?", "mod", "mod?":
			j.imports(f, word, rest, depth)
			continue
		case "set":
			if name, v, ok := strings.Cut(rest, ":="); ok && strings.TrimSpace(name) == "shell" {
				j.shell = datafile.YAML(v).Texts()
			}
			continue
		case "alias":
			if name, v, ok := strings.Cut(rest, ":="); ok {
				j.aliases[strings.TrimSpace(name)] = strings.TrimSpace(v)
			}
			continue
		case "export", "unexport":
			line = rest
		}
		if name, v, ok := strings.Cut(line, ":="); ok && !strings.ContainsAny(strings.TrimSpace(name), " (") {
			j.vars[strings.TrimSpace(name)] = j.value(f, at, strings.TrimSpace(v))
			continue
		}
		if line[0] == '[' {
			continue
		}
		r = j.recipe(line, depth)
	}
}

// recipe reads the first line of a recipe: its name, parameters and dependencies. It returns nil
// for any other line.
func (j *just) recipe(line string, depth int) *recipe {
	i := topColon(line)
	if i < 0 {
		return nil
	}
	head, deps := strings.Fields(strings.TrimLeft(line[:i], "@_")), line[i+1:]
	if len(head) == 0 {
		return nil
	}
	if k := strings.IndexByte(deps, '#'); k >= 0 {
		deps = deps[:k]
	}
	r := &recipe{needs: strings.Fields(strings.NewReplacer("(", " (", ")", " ", "&&", " ").Replace(deps))}
	name := head[0]
	if strings.HasPrefix(line, "_") {
		name = "_" + name
	}
	for _, p := range head[1:] {
		p, def, _ := strings.Cut(strings.TrimLeft(p, "*+$"), "=")
		j.params[name] = append(j.params[name], p)
		if def != "" {
			j.vars[p] = strings.Trim(def, `"'`)
		}
	}
	j.recipes[name] = r
	if j.first == "" && depth == 0 {
		j.first = name
	}
	return r
}

// imports reads the file of an import or mod statement. A module without a path is NAME.just, or a file
// in the folder NAME.
func (j *just) imports(f command.Started, word, rest string, depth int) {
	name := strings.Trim(strings.TrimSpace(rest), `'"`)
	names := []string{name}
	if word[0] == 'm' {
		name, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		if names = []string{strings.Trim(strings.TrimSpace(rest), `'"`)}; names[0] == "" {
			names = []string{name + ".just", name + "/mod.just", name + "/justfile", name + "/.justfile"}
		}
	}
	for i := range names {
		names[i] = path.Join(path.Dir(f.Name), names[i])
	}
	if depth >= 8 || len(j.recipes) >= command.MaxTargets {
		j.c.Beyond(name)
	} else if g, ok := j.c.StartedFile(names...); ok {
		j.parse(g, depth+1)
	}
}

// value evaluates an expression, as far as it is known. just runs the text between backticks when
// it loads the file, whether or not a recipe uses it.
func (j *just) value(f command.Started, at int, v string) string {
	switch {
	case len(v) > 1 && v[0] == '`':
		cmd := strings.Trim(v, "`")
		f.Run(at, cmd, command.Run{})
		return "$(" + cmd + ")"
	case len(v) > 1 && (v[0] == '"' || v[0] == '\'') && strings.IndexByte(v[1:], v[0]) == len(v)-2:
		return v[1 : len(v)-1]
	}
	if at1, sign := splitJoin(v); sign != "" {
		joint := strings.TrimPrefix(sign, "+")
		return j.value(f, at, strings.TrimSpace(v[:at1])) + joint + j.value(f, at, strings.TrimSpace(v[at1+1:]))
	}
	if name, arg, ok := strings.Cut(v, "("); ok {
		arg = strings.TrimSuffix(arg, ")")
		arg, fallback, other := strings.Cut(arg, ",")
		arg = strings.Trim(arg, `'" `)
		switch name {
		case "env_var", "env", "env_var_or_default":
			if w, ok := j.c.Var(arg); ok && w.Known() {
				return w.Text
			} else if !ok && other && !strings.Contains(f.Text, "dotenv") && !j.c.Has("--set") {
				return j.value(f, at, strings.TrimSpace(fallback))
			}
		case "justfile_directory", "invocation_directory", "source_directory":
			return "."
		case "home_directory", "home_dir":
			return "~"
		case "shell":
			f.Run(at, arg, command.Run{})
		}
		return umpire.Hole
	}
	if w, ok := j.vars[v]; ok {
		return w
	}
	if strings.ContainsAny(v, "(`\"'") || v == "" {
		return umpire.Hole
	}
	return v
}

// splitJoin finds the first + or / outside of quotes and calls that joins two values. sign is "" if
// there is none.
func splitJoin(v string) (at int, sign string) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(v); i++ {
		switch b := v[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' || b == '\'' || b == '`':
			quote = b
		case b == '(' || b == '{':
			depth++
		case b == ')' || b == '}':
			depth--
		case (b == '+' || b == '/') && depth == 0 && i > 0 && i+1 < len(v):
			return i, v[i : i+1]
		}
	}
	return 0, ""
}

// expand replaces each {{expression}} in a line of a recipe. One with no known value becomes a
// hole.
func (j *just) expand(l step) string {
	line := l.text
	var b strings.Builder
	for b.Len() < command.MaxLine {
		i := strings.Index(line, "{{")
		if i < 0 {
			break
		}
		end := strings.Index(line[i:], "}}")
		if end < 0 {
			break
		}
		v, ok := j.vars[strings.TrimSpace(line[i+2:i+end])]
		if !ok {
			v = j.value(*l.file, l.line, strings.TrimSpace(line[i+2:i+end]))
			if v == strings.TrimSpace(line[i+2:i+end]) {
				v = umpire.Hole
			}
		}
		b.WriteString(line[:i] + v)
		line = line[i+end+2:]
	}
	return b.String() + line
}

// run runs the wanted recipes. All words after a recipe with parameters are its arguments.
func (j *just) run(want []string) {
	done := map[string]bool{}
	for i := 0; i < len(want); i++ {
		name := want[i]
		if n := strings.LastIndex(name, "::"); n >= 0 { // of a module
			name = name[n+2:]
		}
		if other, ok := j.aliases[name]; ok {
			name = other
		}
		for k, p := range j.params[name] {
			if i+1+k < len(want) {
				j.vars[p] = want[i+1+k]
				if k == len(j.params[name])-1 {
					j.vars[p] = strings.Join(want[i+1+k:], " ")
				}
			} else if _, ok := j.vars[p]; !ok {
				j.vars[p] = ""
			}
		}
		j.visit(name, done)
		if len(j.params[name]) > 0 {
			return
		}
	}
}

// visit runs a recipe after its dependencies, each at most once.
func (j *just) visit(name string, done map[string]bool) {
	r := j.recipes[name]
	if r == nil || done[name] || len(done) > command.MaxTargets {
		return
	}
	done[name] = true
	for i, n := range r.needs {
		n, passes := strings.CutPrefix(n, "(") // (recipe argument)
		for k, p := range j.params[n] {
			if at := i + 1 + k; passes && at < len(r.needs) {
				v, ok := j.vars[r.needs[at]]
				if !ok {
					v = strings.Trim(r.needs[at], `"'`)
				}
				j.vars[p] = v
			}
		}
		j.visit(n, done)
	}
	if len(r.lines) > 0 && strings.HasPrefix(r.lines[0].text, "#!") { // one script
		text := ""
		for _, l := range r.lines {
			text += j.expand(l) + "\n"
		}
		f := r.lines[0].file
		run := f.At(r.lines[0].line, command.Run{})
		if lang := command.LangOf(r.lines[0].text); lang != "" {
			f.Call.Script(lang, command.Stream{Text: text, Seen: true, Taint: f.Taint, Pipe: true}, run)
		} else {
			f.Call.Op(umpire.Exec, command.Quote(f.Call.Program, command.Lits(name)), umpire.Unknown)
		}
		return
	}
	for _, l := range r.lines {
		text := strings.TrimLeft(j.expand(l), "@- ")
		if len(j.shell) > 0 && !command.PlainShell(j.shell[0]) && command.LastName(j.shell[0]) != "bash" && command.LastName(j.shell[0]) != "sh" {
			l.file.Exec(l.line, append(j.shell[:len(j.shell):len(j.shell)], text), command.Run{})
		} else {
			l.file.Run(l.line, text, command.Run{})
		}
	}
}
