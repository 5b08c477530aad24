package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Spelled returns the arguments from index from on, with all names of an option in place of the one
// that is written: -f --force for -f or --forc. An attached value also stands by itself, and a
// separate one is also attached: -o=x --output=x x. A name ends in a Hole if it is not clear whether
// the word means that option. Spelled returns nil if it has nothing to add to the arguments.
func (c *Call) Spelled(from int) (words []string) {
	if c.top == nil {
		return nil
	}
	more, opts := false, c.opts
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
			words = append(words, c.Args[i].Text)
		default:
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
