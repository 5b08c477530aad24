package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func doMake(c *Call) {
	files := c.All("-f")
	if len(files) == 0 {
		for _, n := range []string{"GNUmakefile", "makefile", "Makefile"} {
			if s, ok := written(c, n); ok {
				makefile(c, s)
				break
			}
		}
	}
	for _, w := range files {
		if w.Text == "-" || w.Text == "/dev/stdin" {
			makefile(c, c.Stdin)
			continue
		}
		if s := c.File(w); s.Seen || c.Wrote(w) {
			makefile(c, s)
		}
	}
	for _, w := range c.All("--eval") {
		makefile(c, Stream{Text: w.Text, Seen: w.Known(), Taint: w.Taint, Pipe: true})
	}
	for _, w := range c.Operands { // SHELL=./x make runs everything by it
		if v, ok := strings.CutPrefix(w.Text, "SHELL="); ok {
			c.Op(umpire.Exec, v, umpire.RunsProgram)
		}
	}
}

// maker is what a makefile says.
type maker struct {
	c        *Call
	vars     map[string]string
	given    map[string]bool // on the command line, which the file does not change
	includes bool            // of files that may set more
}

// makefile reads the recipes that a run of make reaches, and what it runs while it reads
// the file.
func makefile(c *Call, s Stream) {
	if !s.Seen {
		if s.Pipe || s.Taint != 0 {
			c.Script("sh", s, Run{Via: "make"})
		}
		return
	}
	m := &maker{c: c, vars: map[string]string{}, given: map[string]bool{}}
	var want []string
	for _, w := range c.Operands {
		if k, v, ok := strings.Cut(w.Text, "="); ok {
			k = strings.TrimRight(k, ":?+")
			m.vars[k], m.given[k] = v, true
		} else {
			want = append(want, w.Text)
		}
	}
	recipes := map[string]*recipe{}
	all := &recipe{} // what no target's name was found for
	var rules []*recipe
	var first string
	define := false
	for line := range strings.SplitSeq(s.Text, "\n") {
		if n := len(rules); n > 0 && rules[0] != nil && len(rules[0].lines) > 0 && strings.HasSuffix(rules[0].lines[len(rules[0].lines)-1], "\\") {
			for _, r := range rules { // the line before goes on
				r.lines[len(r.lines)-1] += "\n" + strings.TrimPrefix(line, "\t")
			}
			continue
		}
		if recipe, ok := strings.CutPrefix(line, "\t"); ok && !define {
			recipe = strings.TrimLeft(recipe, "@-+ \t")
			for _, r := range rules {
				r.lines = append(r.lines, recipe)
			}
			if len(rules) == 0 {
				all.lines = append(all.lines, recipe)
			}
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "define":
			define = true
		case "endef":
			define = false
		case "include", "-include", "sinclude":
			m.includes = true
		case "export", "override", "unexport":
			line = rest
		}
		if define || strings.HasPrefix(word, "#") || word == "" || strings.HasPrefix(word, "if") && word != "if" || word == "else" || word == "endif" {
			continue
		}
		m.shells(line, s.Taint)
		if m.assign(line) {
			continue
		}
		head, deps, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		deps, line, inline := strings.Cut(strings.TrimPrefix(deps, ":"), ";")
		head, deps = m.expand(head), m.expand(deps)
		rules = rules[:0:0]
		for _, name := range strings.Fields(head) {
			r := recipes[name]
			if r == nil {
				r = &recipe{}
				recipes[name] = r
			}
			r.needs = append(r.needs, strings.Fields(deps)...)
			if inline {
				r.lines = append(r.lines, strings.TrimLeft(line, "@-+ \t"))
			}
			rules = append(rules, r)
			if first == "" && name[0] != '.' && !strings.Contains(name, "%") {
				first = name
			}
		}
	}
	if len(want) == 0 {
		want = []string{first}
	}
	for _, name := range want {
		if recipes[name] == nil { // by a pattern, or by what an include says
			for _, r := range recipes {
				all.lines = append(all.lines, r.lines...)
			}
		}
	}
	const rest = "\x00"
	recipes[rest] = all
	runRecipes(c, recipes, append(want, rest), s.Taint, m.expand)
}

// shells runs what make runs while it reads a line outside recipes.
func (m *maker) shells(line string, t Taint) {
	for {
		i := strings.Index(line, "$(shell ")
		if i < 0 {
			return
		}
		line = line[i+len("$(shell "):]
		end := closingParen(line)
		m.c.Shell(Word{Text: m.expand(line[:end]), Taint: t}, Run{})
	}
}

// closingParen finds the parenthesis that ends a reference whose inside s begins with.
func closingParen(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(s)
}

// assign takes a variable's definition.
func (m *maker) assign(line string) bool {
	i := strings.IndexByte(line, '=')
	if i <= 0 {
		return false
	}
	name := strings.TrimSpace(strings.TrimRight(line[:i], ":?+! \t"))
	if name == "" || strings.ContainsAny(name, " \t:$(") {
		return false
	}
	if m.given[name] {
		return true
	}
	v := strings.TrimSpace(line[i+1:])
	if j := strings.Index(v, " #"); j >= 0 {
		v = strings.TrimSpace(v[:j])
	}
	old, set := m.vars[name]
	switch line[i-1] {
	case '?':
		if w, ok := m.c.Var(name); ok && w.Known() && !set {
			v = w.Text
		}
		if set {
			return true
		}
	case '+':
		v = old + " " + v
	}
	if len(v) < 16<<10 && len(m.vars) < 1024 {
		m.vars[name] = v
	}
	return true
}

// expand puts in what a line refers to, and holes for what the file alone does not tell.
func (m *maker) expand(line string) string { return m.references(line, 0) }

func (m *maker) references(line string, depth int) string {
	if !strings.Contains(line, "$") {
		return line
	}
	if depth > 8 || len(line) > 64<<10 {
		return umpire.Hole
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(line, '$')
		if i < 0 || i+1 == len(line) || b.Len() > 64<<10 {
			break
		}
		b.WriteString(line[:i])
		c := line[i+1]
		line = line[i+2:]
		switch c {
		case '$':
			b.WriteByte('$')
			continue
		case '@', '<', '^', '*', '?', '+', '%':
			b.WriteString(umpire.Hole)
			continue
		}
		name := string(c)
		if c == '(' || c == '{' {
			end := closingParen(line)
			if c == '{' {
				end = strings.IndexByte(line, '}')
			}
			if end < 0 || end >= len(line) {
				b.WriteString(umpire.Hole)
				break
			}
			name, line = line[:end], line[end+1:]
		}
		if cmd, found := strings.CutPrefix(name, "shell "); found {
			b.WriteString("$(" + m.references(cmd, depth+1) + ")")
			continue
		}
		switch v, set := m.vars[name]; {
		case set:
			b.WriteString(m.references(v, depth+1))
		case name == "CURDIR":
			b.WriteByte('.')
		case name == "MAKE":
			b.WriteString("make")
		case name == "RM":
			b.WriteString("rm -f")
		case strings.ContainsAny(name, " ,:$"):
			b.WriteString(umpire.Hole) // a function
		default:
			if w, set := m.c.Var(name); set {
				b.WriteString(w.Text)
			} else if m.includes {
				b.WriteString(umpire.Hole)
			}
		}
	}
	return b.String() + line
}
