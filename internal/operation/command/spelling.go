package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// ProgramWords returns the usual name of a program that has several: docker compose for
// docker-compose. A rule of a user names only one of them.
func ProgramWords(name string) []string {
	switch {
	case name == "docker-compose":
		return []string{"docker", "compose"}
	case strings.TrimRight(name, "0123456789.") == "pip":
		return []string{"pip"}
	}
	return []string{name}
}

// verbNames lists the sub-commands of package managers that have several names, the usual name first.
var verbNames = [...]struct{ programs, names string }{
	{"npm cnpm", "install i in ins inst insta instal isnt isnta isntal isntall add"},
	{"npm cnpm", "uninstall unlink remove rm r un"},
	{"npm cnpm", "exec x"}, {"npm cnpm", "run run-script rum urn"}, {"npm cnpm", "test t tst"},
	{"npm cnpm", "update up upgrade udpate"}, {"npm cnpm", "ci clean-install ic install-clean isntall-clean"},
	{"pnpm", "install i"}, {"pnpm", "remove rm uninstall un"}, {"pnpm", "update up upgrade"},
	{"bun", "install i"}, {"bun", "add a"}, {"bun", "remove rm"},
}

// usualVerb returns the usual name of a sub-command.
func usualVerb(program, verb string) string {
	for i := range verbNames {
		if r := &verbNames[i]; anyof.Listed(r.programs, program) && anyof.Listed(r.names, verb) {
			return r.names[:strings.IndexByte(r.names, ' ')]
		}
	}
	return verb
}

// Spelled returns the arguments from index from on, with all names of an option in place of the one
// that is written: -f --force for -f or --forc. An attached value also stands by itself, and a
// separate one is also attached: -o=x --output=x x. A name ends in a Hole if it is not clear whether
// the word means that option. A sub-command has its usual name. Spelled returns nil if it has nothing
// to add to the arguments.
func (c *Call) Spelled(from int) (words []string) {
	if c.top == nil {
		return nil
	}
	more, opts := false, c.opts
	verb, value := from == 0, false // only the first operand can be a sub-command; the value of an option is no operand
	for i := range c.Args {
		n := 0
		for n < len(opts) && opts[n].at <= i {
			n++
		}
		here, before := opts[:n], len(words)
		opts = opts[n:]
		switch {
		case i < from:
		case n == 0 || here[0].raw == "--":
			w := c.Args[i].Text
			if verb && n == 0 && !value {
				w, verb = usualVerb(c.Program, w), false
			}
			value = false
			words, more = append(words, w), more || w != c.Args[i].Text
		default:
			value = here[n-1].detached
			words = appendNames(words, here)
			more = more || len(words) > before+1 || words[before] != c.Args[i].Text
		}
	}
	if !more {
		return nil
	}
	return words
}

// appendNames appends the names of the options of one argument. The letters after one that is not described may be
// its value.
func appendNames(words []string, opts []setOption) []string {
	sure := true
	for i := range opts {
		o := &opts[i]
		names, single := o.model.spellings(o.raw)
		for _, n := range names {
			switch {
			case !sure || !single && n != o.raw:
				n += umpire.Hole
			case o.has:
				n += "=" + o.value.Text
			}
			words = append(words, n)
		}
		if o.has && !o.detached && strings.ReplaceAll(o.value.Text, umpire.Hole, "") != "" {
			words = append(words, o.value.Text)
		}
		sure = sure && o.model.lists(o.raw)
	}
	return words
}

// spellings returns the names of the option that is written as raw. single is false if raw
// abbreviates several options.
func (m *Model) spellings(raw string) (names []string, single bool) {
	o, ok := m.long(raw)
	switch {
	case !ok:
		names = []string{raw}
	case !o.short:
		names = strings.Split(o.names, ",")
	default:
		n := 0
		names = []string{raw}
		for tok := range strings.SplitSeq(m.Opts, " ") {
			all, _ := splitOption(tok)
			list := strings.Split(all, ",")
			if slices.ContainsFunc(list, func(name string) bool { return m.abbreviates(raw, name, tok) }) {
				names = append(names, list...)
				n++
			}
		}
		return names, n == 1
	}
	if m.Style&LongDash == 0 {
		return names, true
	}
	var both []string
	for _, n := range names {
		if name := strings.TrimLeft(n, "-"); len(name) > 1 {
			both = append(both, "-"+name, "--"+name)
		} else {
			both = append(both, n)
		}
	}
	return both, true
}
