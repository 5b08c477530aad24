package shell

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// builtinRead puts a line of standard input into variables.
func (sh *shell) builtinRead(args []command.Word) {
	in := sh.stdin
	var names []string
	for i := 1; i < len(args); i++ {
		t := args[i].Text
		if len(t) > 1 && t[0] == '-' {
			// Options with a value: -a -d -i -n -N -p -t -u
			last := t[len(t)-1]
			if strings.IndexByte("adinNptu", last) >= 0 && i+1 < len(args) {
				i++
				switch last {
				case 'u':
					if f, ok := sh.fds[fdOf("/dev/fd/"+args[i].Text)]; ok {
						in = f.data
					}
				case 'a':
					sh.vars[args[i].Text] = variable{array: true, elems: fieldsOf(in)}
					return
				}
			}
			continue
		}
		sh.subscript(t)
		names = append(names, t)
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	if !in.Seen {
		w := command.Word{Text: umpire.Hole, Taint: in.Taint}
		for _, n := range names {
			sh.set(n, w)
		}
		return
	}
	// In a loop every line may be the one that is read.
	lines := strings.Split(strings.TrimRight(in.Text, "\n"), "\n")
	for i, n := range names {
		var alts []command.Word
		for _, l := range lines {
			f := strings.Fields(l)
			var s string
			switch {
			case len(names) == 1:
				s = strings.TrimSpace(l)
			case i == len(names)-1 && i < len(f):
				s = strings.Join(f[i:], " ")
			case i < len(f):
				s = f[i]
			}
			alts = union(alts, []command.Word{{Text: s, Taint: in.Taint}})
		}
		v := sh.vars[n]
		v.alts, v.array, v.elems = alts, false, nil
		sh.vars[n] = v
	}
}

func fieldsOf(s command.Stream) []command.Word {
	if !s.Seen {
		return []command.Word{{Text: umpire.Hole, Taint: s.Taint, Many: true}}
	}
	var out []command.Word
	for _, f := range strings.Fields(s.Text) {
		out = append(out, command.Word{Text: f, Taint: s.Taint, Many: strings.Contains(f, umpire.Hole)})
	}
	return out
}

func (sh *shell) builtinMapfile(args []command.Word) {
	name := "MAPFILE"
	in := sh.stdin
	for i := 1; i < len(args); i++ {
		t := args[i].Text
		if len(t) > 1 && t[0] == '-' {
			if strings.IndexByte("dnOsuCc", t[len(t)-1]) >= 0 && i+1 < len(args) {
				i++
				if t[len(t)-1] == 'C' {
					c := sh.clone()
					c.via = append(c.via, "mapfile -C")
					c.run("sh", wordStream(args[i]))
				}
			}
			continue
		}
		name = t
	}
	sh.subscript(name)
	var elems []command.Word
	if in.Seen {
		for l := range strings.SplitSeq(strings.TrimRight(in.Text, "\n"), "\n") {
			elems = append(elems, command.Word{Text: l, Taint: in.Taint, Many: strings.Contains(l, umpire.Hole)})
		}
	} else {
		elems = []command.Word{{Text: umpire.Hole, Taint: in.Taint, Many: true}}
	}
	sh.vars[name] = variable{array: true, elems: elems}
}
