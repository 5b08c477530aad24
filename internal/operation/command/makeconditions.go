package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

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
	if line[0] != 'i' && line[0] != 'e' {
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
