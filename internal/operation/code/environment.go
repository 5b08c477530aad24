package code

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// arguments returns the list of the program's arguments, if it is known.
func (m *machine) arguments() value {
	if len(m.env.Args) == 0 {
		return value{ref: refArgs}
	}
	var list []value
	for i := range len(m.env.Args) + 1 {
		if v := m.argv(strconv.Itoa(i)); !v.isNil() || i == 0 {
			list = append(list, v)
		}
	}
	return listOf(list)
}

func (m *machine) argv(k string) value {
	n, err := atoi(k)
	if err != nil {
		return unknown()
	}
	switch {
	case n == 0 && m.l.is("js"):
		return lit("node")
	case m.l.is("python", "php", "js", "lua", "awk", "go"): // with node -e, the arguments contain no script
		n--
	}
	if n >= 0 && n < len(m.env.Args) {
		w := m.env.Args[n]
		return value{alts: []string{w.Text}, taint: w.Taint}
	}
	return unknown()
}

// setenv sets an environment variable, which the commands of the program inherit.
func (m *machine) setenv(name string, v value) {
	w := v.word()
	if len(v.alts) > 1 { // an adversary may have assigned a harmless value first
		w.Text = umpire.Hole
	}
	if name != "" && name != umpire.Hole {
		m.effect(Effect{Kind: Setenv, Arg: w, Args: []command.Word{{Text: name}}})
	}
}

// setenvs sets the variables of a dictionary, such as the environment of a command.
func (m *machine) setenvs(v value) {
	for i, k := range v.keys {
		m.setenv(k, v.list[i])
	}
}

// setsEnvironment sets one variable, or several that are passed by name or in a dictionary.
func setsEnvironment(m *machine, c *call, r *row) (value, bool) {
	if name := c.get(r.first); len(name.alts) > 0 {
		text, x := name.text(), c.get(r.second)
		if k, v, ok := strings.Cut(text, "="); ok { // putenv("X=y") of PHP
			text, x = k, lit(v)
		}
		m.setenv(text, x)
	}
	for _, v := range append(c.args, c.kw) {
		m.setenvs(v)
	}
	return unknown(), true
}

// variableOf returns an environment variable, which an assignment may set.
func (m *machine) variableOf(name string) value {
	v := m.getenv(name)
	v.recv = &value{ref: refEnv, alts: []string{name}}
	return v
}

// each returns any element of what a loop goes through: of an environment, a name or, if values is
// set, a value.
func (m *machine) each(v value, values bool) value {
	if len(v.list) == 1 && (v.list[0].ref == refEnv || v.list[0].ref == refName) { // the arguments of a loop of Perl
		v = v.list[0]
	}
	switch {
	case v.ref != refEnv:
		return v.each()
	case v.seq || values:
		return m.anyVariable()
	}
	return value{ref: refName}
}

// anyVariable returns the value of a variable whose name only the running program knows. A program
// with a condition may show only some of them.
func (m *machine) anyVariable() value {
	v := value{taint: command.FromEnv}
	if m.selects && !m.l.is("awk") { // its patterns choose lines of the input
		v.taint |= command.Picked
	}
	return v
}

func (m *machine) getenv(name string) value {
	if m.env.Getenv != nil {
		if w, ok := m.env.Getenv(name); ok {
			return value{alts: []string{w.Text}, taint: w.Taint}
		}
	}
	v := unknown()
	if command.SecretName(name) {
		v.taint |= command.FromSecret | command.FromLikelyKey
	}
	if command.KeyName(name) {
		v.taint |= command.FromSecret | command.FromKey
	}
	return v
}

// fileTests finds conditions that every file meets, and so select none.
var fileTests = lazy.Regexp(`\bif\s+(\w+\.)*\w+\.(is_?file|isFile|file\?)\([^()]*\)|\bif\s+-f\s+\$\w+`)

// selects reports whether a program may take only some names of a listing, or keeps the files: it has
// a condition, renames, or edits in place.
func selects(l *language, text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return l.is("awk") && !strings.HasPrefix(strings.TrimSpace(text), "{") || anyof.Contains(text, "?", "&&", "||", "rename", "r+", "+<") ||
		slices.ContainsFunc(words, func(w string) bool {
			return anyof.Listed("if elif unless next continue break last and or case when switch filter grep select reject partition move mv rmdir", w)
		})
}

// input returns standard input as the object that programs read. Its elements are the names of a
// listing, and an unknown one: what the program cuts from a name may be anything.
func (m *machine) input() value {
	v := value{ref: refIn, taint: m.stdin().taint, seq: m.listed}
	if v.taint&command.FromEnv != 0 {
		v.taint |= command.Picked // the reader of the program determines which lines are shown
	}
	if m.listed {
		for l := range strings.SplitSeq(strings.TrimSuffix(m.env.Stdin.Text, "\n")+"\n"+umpire.Hole, "\n") {
			v.list = append(v.list, lit(l))
		}
	}
	return v
}

// line returns any line of a listing on standard input, or else its text.
func (m *machine) line() value {
	if !m.listed {
		return m.stdin()
	}
	return m.input().each()
}

func (m *machine) stdin() value {
	s := m.env.Stdin
	v := value{taint: s.Taint}
	if s.Seen {
		v.alts = []string{s.Text}
	} else if s.Pipe {
		v.taint |= command.FromUnseen
	}
	return v
}
