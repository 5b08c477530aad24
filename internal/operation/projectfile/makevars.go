package projectfile

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// splitArgs splits the arguments of a function at commas into at most n parts.
func splitArgs(s string, n int) (out []string) {
	depth, from := 0, 0
	for i := 0; i < len(s) && len(out) < n-1; i++ {
		switch s[i] {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}

// expand expands the references of a line. Values that depend on more than the files become holes.
// The output of a shell command stays as $(...), which the shell reader handles with the line.
func (m *maker) expand(line string) string { return m.references(line, 0) }

func (m *maker) references(line string, depth int) string {
	if !strings.Contains(line, "$") {
		return line
	}
	if depth > 16 || len(line) > command.MaxLine {
		return umpire.Hole
	}
	var b strings.Builder
	for b.Len() < command.MaxLine && m.step() {
		i := strings.IndexByte(line, '$')
		if i < 0 || i+1 == len(line) {
			break
		}
		b.WriteString(line[:i])
		c := line[i+1]
		line = line[i+2:]
		name := string(c)
		switch c {
		case '$':
			b.WriteByte('$')
			continue
		case '(', '{':
			end := command.Closing(line)
			if end == len(line) {
				b.WriteString(umpire.Hole)
				line = ""
				continue
			}
			name, line = line[:end], line[end+1:]
		}
		b.WriteString(m.reference(name, depth+1))
	}
	if m.steps >= maxMakeSteps {
		return umpire.Hole
	}
	return b.String() + line
}

// reference returns the value of $(TEXT).
func (m *maker) reference(text string, depth int) string {
	if fn, args, ok := strings.Cut(text, " "); ok && !strings.ContainsAny(fn, ":$") {
		if v, known := m.function(fn, strings.TrimLeft(args, " "), depth); known {
			return v
		}
	}
	name, subst, isSubst := strings.Cut(text, ":")
	if from, to, ok := strings.Cut(subst, "="); isSubst && ok {
		if !strings.Contains(from, "%") {
			from, to = "%"+from, "%"+to
		}
		return m.patsubst(m.references(from, depth), m.references(to, depth), m.value(m.references(name, depth), depth))
	}
	return m.value(m.references(text, depth), depth)
}

// value returns the value of a variable. An undefined one is empty, or a hole if an include that
// may define it is missing.
func (m *maker) value(name string, depth int) string {
	if v, ok := m.automatic(name); ok {
		return v
	}
	v, set := m.vars[name]
	switch {
	case set:
		if len(v) > 1 {
			m.several = true
		}
		return m.references(v[max(len(v)-1-m.world, 0)], depth)
	case name == "CURDIR":
		return m.folder()
	case name == "MAKE":
		return "make"
	case name == "RM":
		return "rm -f"
	case name == "CC" || name == "CXX" || name == "AR" || name == "LD" || name == "AS":
		return strings.ToLower(name)
	case name == "MAKEFILE_LIST":
		return strings.Join(m.list, " ")
	case name == "MAKECMDGOALS":
		return strings.Join(m.want, " ")
	case strings.ContainsAny(name, " ,:$"):
		return umpire.Hole
	}
	if w, ok := m.c.Var(name); ok {
		return w.Text
	}
	if m.unknown {
		return umpire.Hole
	}
	return ""
}

// folder returns the folder in which make runs.
func (m *maker) folder() string {
	abs, _ := m.c.Path(command.Lit("."))
	return abs
}

// automatic returns the value of $@ or a similar variable, which is empty outside of a recipe. It
// returns false for other names.
func (m *maker) automatic(name string) (string, bool) {
	if name == "" || len(name) > 2 || !strings.Contains("@<^?*+|%", name[:1]) {
		return "", false
	}
	if m.auto == nil {
		return "", true
	}
	needs := m.auto.needs
	if m.auto.found != nil { // a recipe may make the file in make's folder first, so both count
		m.several = true
		if m.world%2 == 0 {
			needs = m.auto.found
		}
	}
	v := ""
	switch name[0] {
	case '@', '%':
		v = m.auto.name
	case '<':
		if len(needs) > 0 {
			v = needs[0]
		}
	case '*':
		v = m.auto.stem
	default:
		v = strings.Join(needs, " ")
	}
	switch name[1:] {
	case "D":
		v = eachWord(v, path.Dir)
	case "F":
		v = eachWord(v, path.Base)
	}
	return v, true
}

// listed returns the words of a list. The output of a shell command, which is still $(...), stays
// in one word: otherwise the parts of the command become names.
func listed(s string) (out []string) {
	if !strings.Contains(s, "$(") {
		return strings.Fields(s)
	}
	from := -1 // start of a word
	for i := 0; i <= len(s); i++ {
		if i == len(s) || strings.IndexByte(" \t\r\n", s[i]) >= 0 {
			if from >= 0 {
				out = append(out, s[from:i])
			}
			from = -1
			continue
		}
		if from < 0 {
			from = i
		}
		if strings.HasPrefix(s[i:], "$(") {
			i = min(i+2+command.Closing(s[i+2:]), len(s)-1)
		}
	}
	return out
}

// unprinted replaces the output of shell commands by holes.
func unprinted(s string) string {
	for i := strings.Index(s, "$("); i >= 0; i = strings.Index(s, "$(") {
		s = s[:i] + umpire.Hole + s[min(i+3+command.Closing(s[i+2:]), len(s)):]
	}
	return s
}

func eachWord(s string, f func(string) string) string {
	words := listed(s)
	for i, w := range words {
		words[i] = f(w)
	}
	return strings.Join(words, " ")
}

// patsubst replaces the words of a text that match a pattern with %.
func (m *maker) patsubst(from, to, text string) string {
	return eachWord(text, func(w string) string {
		if strings.Contains(from, "%") {
			if stem, ok := matchStem(from, w); ok {
				return strings.Replace(to, "%", stem, 1)
			}
			return w
		}
		if w == from {
			return to
		}
		return w
	})
}

// function returns the result of one of make's functions, or false if the name is unknown.
func (m *maker) function(fn, rest string, depth int) (string, bool) {
	raw := splitArgs(rest, 16)
	arg := func(i int) string {
		if i < len(raw) {
			return m.references(raw[i], depth)
		}
		return ""
	}
	all := func() string { return m.references(rest, depth) }
	switch fn {
	case "guile":
		m.file.Call.Script("lisp", command.Stream{Text: all(), Seen: true, Taint: m.file.Taint}, m.file.At(0, command.Run{}))
		return "", true
	case "shell":
		text := all()
		if text == "pwd" { // not CURDIR, which the makefile may set
			return m.folder(), true
		}
		if m.evals { // parse expands the text once more
			return "$$(" + text + ")", true
		}
		return "$(" + text + ")", true
	case "wildcard", "strip", "realpath", "abspath", "sort":
		return m.cleaned(fn, all()), true
	case "subst":
		return strings.ReplaceAll(arg(2), arg(0), arg(1)), true
	case "patsubst":
		return m.patsubst(strings.TrimSpace(arg(0)), strings.TrimSpace(arg(1)), unlisted(arg(2))), true
	case "addprefix", "addsuffix":
		a, s := arg(0), arg(1)
		return eachWord(unlisted(s), func(w string) string {
			if fn == "addprefix" {
				return a + w
			}
			return w + a
		}), true
	case "dir", "notdir", "basename", "suffix":
		return partOfPaths(fn, unlisted(all())), true
	case "filter", "filter-out":
		return filtered(fn, arg(0), unlisted(arg(1))), true
	case "firstword", "lastword", "words", "word", "wordlist":
		return oneWord(fn, arg(0), strings.Fields(unlisted(arg(len(raw)-1)))), true
	case "if", "or", "and":
		return m.choice(fn, raw, arg), true
	case "foreach":
		return m.foreach(raw, arg, depth), true
	case "call":
		return m.call(raw, arg, depth), true
	case "eval":
		was := m.evals
		m.evals = true
		text := all()
		m.evals = was
		m.parse(text)
		return "", true
	case "info", "warning", "error":
		_ = all()
		return "", true
	case "value":
		if v := m.vars[strings.TrimSpace(rest)]; len(v) > 0 {
			return v[len(v)-1], true
		}
		return "", true
	case "file":
		op, name, _ := strings.Cut(strings.TrimSpace(arg(0)), " ")
		if from, ok := strings.CutPrefix(op+name, "<"); ok {
			f, _ := m.c.StartedFile(strings.TrimSpace(from))
			return escape(strings.TrimSuffix(f.Text, "\n")), true
		}
		if target := strings.TrimLeft(op, ">") + name; strings.HasPrefix(op, ">") && target != "" {
			m.c.WriteFile(command.Lit(strings.TrimSpace(target)), umpire.Truncate, command.Text(arg(1)))
		}
		return "", true
	case "origin", "flavor", "join", "findstring":
		return umpire.Hole, true
	}
	return "", false
}

// maxForeach bounds the words of a list that foreach expands a text for.
const maxForeach = 512

// foreach expands a text once for each word of a list, with a variable set to that word.
func (m *maker) foreach(raw []string, arg func(int) string, depth int) string {
	var out []string
	name := strings.TrimSpace(arg(0))
	old, set := m.vars[name]
	for _, w := range strings.Fields(arg(1)) {
		if len(raw) < 3 {
			break
		}
		if len(out) >= maxForeach {
			m.lost = true
			break
		}
		m.vars[name] = []string{w}
		out = append(out, m.references(strings.Join(raw[2:], ","), depth))
	}
	if m.vars[name] = old; !set {
		delete(m.vars, name)
	}
	return strings.Join(out, " ")
}

// oneWord returns the word of a list that a function picks by its position.
func oneWord(fn, place string, list []string) string {
	n, _ := strconv.Atoi(strings.TrimSpace(place))
	switch {
	case fn == "words" || fn == "wordlist" || slices.Contains(list, umpire.Hole):
		return umpire.Hole
	case len(list) == 0:
		return ""
	case fn == "firstword":
		return list[0]
	case fn == "lastword":
		return list[len(list)-1]
	case n > 0 && n <= len(list):
		return list[n-1]
	}
	return ""
}

// filtered returns the words that match one of the patterns, or those that match none.
func filtered(fn, patternList, list string) string {
	patterns := strings.Fields(patternList)
	var out []string
	for _, w := range strings.Fields(list) {
		hit := slices.ContainsFunc(patterns, func(p string) bool { _, ok := matchStem(p, w); return ok || p == w })
		if hit == (fn == "filter") || w == umpire.Hole {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// partOfPaths returns the folder, the name, the path without its extension, or the extension of
// each word.
func partOfPaths(fn, list string) string {
	return eachWord(list, func(w string) string {
		i := strings.LastIndexByte(w, '/')
		dot := strings.LastIndexByte(w, '.')
		switch {
		case fn == "dir" && i >= 0 && !strings.Contains(w[i:], umpire.Hole):
			return w[:i+1]
		case strings.Contains(w, umpire.Hole):
			return umpire.Hole
		case fn == "dir":
			return "./"
		case fn == "notdir":
			return w[i+1:]
		case fn == "basename" && dot > i:
			return w[:dot]
		case fn == "basename":
			return w
		case dot > i:
			return w[dot:]
		}
		return ""
	})
}

// cleaned returns a list with single spaces, or with absolute paths.
func (m *maker) cleaned(fn, s string) string {
	if fn == "abspath" || fn == "realpath" {
		if s = unlisted(s); strings.Contains(s, umpire.Hole) {
			return s
		}
		return eachWord(s, func(w string) string {
			if path.IsAbs(w) {
				return path.Clean(w)
			}
			return path.Join(m.folder(), w)
		})
	}
	return strings.Join(strings.Fields(s), " ")
}

// unlisted returns a text for use as a list. It returns a hole for the output of a shell command,
// whose words are not known yet.
func unlisted(s string) string {
	if strings.Contains(s, "$(") {
		return umpire.Hole
	}
	return s
}

// choice expands $(if), $(or) and $(and). An unknown condition may have either value: the next
// expansion of the line takes the other.
func (m *maker) choice(fn string, raw []string, arg func(int) string) string {
	if fn == "if" {
		c := strings.TrimSpace(arg(0))
		unknown := strings.Contains(c, umpire.Hole) || strings.Contains(c, "$(")
		if unknown {
			m.several = true
		}
		if c != "" && !(unknown && m.world%2 == 1) {
			return arg(1)
		}
		return arg(2)
	}
	last := ""
	for i := range raw {
		last = strings.TrimSpace(arg(i))
		if (last != "") == (fn == "or") {
			return last
		}
	}
	return last
}

// call expands a variable as a function with arguments.
func (m *maker) call(raw []string, arg func(int) string, depth int) string {
	name := strings.TrimSpace(arg(0))
	body, ok := m.vars[name]
	if !ok || len(body) == 0 {
		if len(raw) > 1 {
			if v, known := m.function(name, strings.Join(raw[1:], ","), depth); known {
				return v
			}
		}
		return ""
	}
	type saved struct {
		name string
		v    []string
	}
	var old []saved
	for i := range max(len(raw), 10) {
		n := strconv.Itoa(i)
		v := ""
		if i < len(raw) {
			v = escape(arg(i))
		}
		old = append(old, saved{n, m.vars[n]})
		m.vars[n] = []string{v}
	}
	out := m.references(body[len(body)-1], depth+1)
	for _, s := range old {
		if m.vars[s.name] = s.v; s.v == nil {
			delete(m.vars, s.name)
		}
	}
	return out
}

// condition is the state of an ifeq or ifdef around a line. taken is that of the current arm; maybe
// means that the condition is unknown; done means that an earlier arm was taken.
type condition struct{ taken, maybe, done bool }

// standing reports whether lines below these conditions count (on), and whether that is uncertain
// (maybe).
func standing(conds []condition) (on, maybe bool) {
	on = true
	for _, c := range conds {
		on = on && (c.taken || c.maybe)
		maybe = maybe || c.maybe
	}
	return on, maybe
}

// conditional reads ifeq and similar directives, and reports whether the line is one.
func (m *maker) conditional(line string, conds *[]condition) bool {
	if line[0] != 'i' && line[0] != 'e' { // most lines: spare them the copy
		return false
	}
	word, rest, _ := strings.Cut(strings.Replace(line, "(", " (", 1), " ")
	switch word {
	case "ifeq", "ifneq", "ifdef", "ifndef":
		*conds = append(*conds, m.decide(word, strings.TrimSpace(rest)))
		return true
	case "else":
		if len(*conds) == 0 {
			return true
		}
		c := &(*conds)[len(*conds)-1]
		c.done = c.done || c.taken
		word, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		switch {
		case c.maybe && word == "": // the other arm of an unknown condition
		case c.done:
			c.taken, c.maybe = false, false
		case strings.HasPrefix(word, "if"):
			*c = m.decide(word, strings.TrimSpace(rest))
		default:
			c.taken = true
		}
		return true
	case "endif":
		if n := len(*conds); n > 0 {
			*conds = (*conds)[:n-1]
		}
		return true
	}
	return false
}

// decide evaluates a condition. The result is maybe if a value in it is unknown or has alternatives.
func (m *maker) decide(word, rest string) condition {
	if word == "ifdef" || word == "ifndef" {
		name := m.expand(rest)
		v, set := m.vars[name]
		if !set {
			w, ok := m.c.Var(name)
			if ok || m.unknown {
				return condition{maybe: !ok || !w.Known(), taken: ok && (w.Text != "") == (word == "ifdef")}
			}
		}
		if len(v) > 1 {
			return condition{maybe: true}
		}
		return condition{taken: (len(v) > 0 && v[0] != "") == (word == "ifdef")}
	}
	a, b := "", ""
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		parts := splitArgs(strings.TrimSuffix(strings.TrimSpace(inner), ")"), 2)
		a = parts[0]
		if len(parts) > 1 {
			b = strings.TrimSpace(parts[1])
		}
	} else if rest != "" {
		a, b, _ = strings.Cut(rest[1:], rest[:1])
		b = strings.Trim(strings.TrimSpace(b), `"'`)
	}
	m.several = false
	a, b = m.expand(a), m.expand(b)
	if m.several || strings.Contains(a+b, umpire.Hole) || strings.Contains(a+b, "$(") {
		return condition{maybe: true}
	}
	return condition{taken: (a == b) == (word == "ifeq")}
}

// assignment splits NAME = VALUE. op is the character before the equals sign if it is one of :?+!,
// or '='.
func assignment(line string) (name string, op byte, value string, ok bool) {
	i := topByte(line, '=')
	if i <= 0 {
		return "", 0, "", false
	}
	name = strings.TrimSpace(strings.TrimRight(line[:i], ":?+!"))
	if name == "" || strings.ContainsAny(name, " \t") && !strings.HasPrefix(name, "$") || topColon(name) >= 0 {
		return "", 0, "", false
	}
	op = line[i-1]
	if op != ':' && op != '?' && op != '+' && op != '!' {
		op = '='
	}
	value = strings.TrimSpace(line[i+1:])
	if j := strings.Index(value, " #"); j >= 0 {
		value = strings.TrimSpace(value[:j])
	}
	return name, op, value, true
}

// escape protects expanded text from a second expansion.
func escape(s string) string { return strings.ReplaceAll(s, "$", "$$") }

// topColon returns the index of the colon after a rule's targets, or -1.
func topColon(line string) int { return topByte(line, ':') }

// topByte returns the index of the first c outside of references, or -1.
func topByte(line string, c byte) int {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '$' && i+1 < len(line) && (line[i+1] == '(' || line[i+1] == '{'):
			i += 2 + command.Closing(line[i+2:])
		case line[i] == c:
			return i
		}
	}
	return -1
}
