package code

import (
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
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

// input returns standard input as the object that programs read. Its elements are the lines, if
// they are known or are names of a listing.
func (m *machine) input() value {
	v := value{ref: refIn, taint: m.stdin().taint}
	if s := m.env.Stdin.Words(); s.Seen {
		lines := listOf(nil)
		for l := range strings.Lines(s.Text) {
			lines = extend(lines, []value{lit(l)}, s.Taint)
		}
		v.list, v.seq = lines.list, lines.seq
	}
	return v
}

// line returns any line of a listing on standard input, or else its text.
func (m *machine) line() value {
	if !m.env.Stdin.Lists() {
		return m.stdin()
	}
	return m.input().each().mapText(func(s string) string { return strings.TrimSuffix(s, "\n") })
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
