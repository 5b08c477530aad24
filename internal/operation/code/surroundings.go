package code

import (
	"strconv"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// arguments is the list of the program's arguments, if known.
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
	case m.l.is("python", "php", "js", "lua", "awk"): // with node -e there is no script among them
		n--
	}
	if n >= 0 && n < len(m.env.Args) {
		w := m.env.Args[n]
		return value{alts: []string{w.Text}, taint: w.Taint}
	}
	return unknown()
}

func (m *machine) getenv(name string) value {
	if m.env.Getenv != nil {
		if w, ok := m.env.Getenv(name); ok {
			return value{alts: []string{w.Text}, taint: w.Taint}
		}
	}
	v := unknown()
	if command.SecretName(name) {
		v.taint |= command.FromSecret
	}
	if command.KeyName(name) {
		v.taint |= command.FromSecret | command.FromKey
	}
	return v
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
