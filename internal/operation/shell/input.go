package shell

import (
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/escape"
)

// readOptions are the options of read and mapfile, with their values.
type readOptions struct {
	raw   bool // -r: backslashes are literal
	array bool // -a, in zsh -A
	value map[byte]command.Word
	rest  []command.Word
}

// optionsOf parses the options of read and mapfile. withValue lists the letters with a value,
// attached or in the next word.
func optionsOf(args []command.Word, withValue string) (o readOptions) {
	o.value = map[byte]command.Word{}
	for len(args) > 0 {
		t := args[0].Text
		if len(t) < 2 || t[0] != '-' {
			break
		}
		w := args[0]
		args = args[1:]
		if t == "--" {
			break
		}
		for i := 1; i < len(t); i++ {
			o.raw = o.raw || t[i] == 'r'
			o.array = o.array || t[i] == 'a' || t[i] == 'A'
			if strings.IndexByte(withValue, t[i]) < 0 {
				continue
			}
			if i+1 < len(t) {
				o.value[t[i]] = w.With(t[i+1:])
			} else if len(args) > 0 {
				o.value[t[i]], args = args[0], args[1:]
			}
			break
		}
	}
	o.rest = args
	return o
}

// input returns what read and mapfile read: standard input, or the descriptor of -u.
func (sh *shell) input(o readOptions) command.Stream {
	if u, ok := o.value['u']; ok {
		if f, ok := sh.fds[fdOf("/dev/fd/"+u.Text)]; ok {
			return f.data.Words()
		}
	}
	return sh.stdin.Words()
}

// builtinRead reads a line of standard input into variables.
func (sh *shell) builtinRead(args []command.Word) {
	o := optionsOf(args[1:], "adinNptu")
	in := sh.input(o)
	sh.took = true
	if len(o.rest) == 0 {
		o.rest = command.Lits("REPLY")
	}
	if o.array {
		name, ok := o.value['a']
		if !ok {
			name = o.rest[0]
		}
		sh.subscript(name.Text)
		sh.vars[name.Text] = variable{array: true, elems: sh.fieldsOf(in, o)}
		return
	}
	for _, w := range o.rest {
		sh.subscript(w.Text)
	}
	if !in.Seen {
		for _, w := range o.rest {
			sh.set(w.Text, command.Word{Text: umpire.Hole, Taint: in.Taint})
		}
		return
	}
	alts := make([][]command.Word, len(o.rest))
	for _, line := range records(in.Text, o) {
		for i, s := range sh.distributed(line, len(o.rest), o) {
			alts[i] = union(alts[i], []command.Word{command.OfText(command.Word{Text: s, Taint: in.Taint})})
		}
	}
	for i, w := range o.rest {
		v := sh.vars[w.Text]
		v.hold(alts[i])
		sh.vars[w.Text] = v
	}
}

// records returns the parts of a text that read takes, one in each call; in a loop, the variable
// may hold any of them.
func records(text string, o readOptions) []string {
	delim := "\n"
	if d, ok := o.value['d']; ok {
		if delim = d.Text; delim == "" {
			delim = "\x00"
		}
		delim = delim[:1]
	}
	if !o.raw {
		text = strings.ReplaceAll(text, "\\\n", "")
	}
	list := strings.Split(strings.TrimSuffix(strings.TrimRight(text, "\n"), delim), delim)
	for _, letter := range []byte{'n', 'N'} {
		w, ok := o.value[letter]
		if n, err := strconv.Atoi(w.Text); ok && err == nil && n >= 0 {
			for i, l := range list {
				if r := []rune(l); len(r) > n {
					list[i] = string(r[:n])
				}
			}
		}
	}
	return list
}

// distributed splits a line into the values of n variables; the last one gets the rest.
func (sh *shell) distributed(line string, n int, o readOptions) []string {
	out := make([]string, n)
	ifs := sh.separators()
	blank := blanks(ifs)
	rest := strings.Trim(line, blank)
	for i := range n - 1 {
		out[i], rest = nextField(rest, ifs, o.raw)
		rest = strings.TrimLeft(rest, blank)
	}
	out[n-1] = rest
	if !o.raw {
		for i, s := range out {
			out[i] = unescape(s)
		}
	}
	return out
}

// blanks returns the separators that are white space. Any number of them is one separator.
func blanks(ifs string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n", r) {
			return r
		}
		return -1
	}, ifs)
}

// nextField cuts the first field from a line.
func nextField(line, ifs string, raw bool) (field, rest string) {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && !raw:
			i++
		case strings.IndexByte(ifs, line[i]) >= 0:
			rest = strings.TrimLeft(line[i:], blanks(ifs))
			if rest != "" && strings.IndexByte(ifs, rest[0]) >= 0 {
				rest = rest[1:] // white space around another separator belongs to it
			}
			return line[:i], rest
		}
	}
	return line, ""
}

// unescape removes the backslashes that quote.
func unescape(s string) string { return new(escape.Syntax).Decode(s) }

// fieldsOf splits a stream into the elements of an array.
func (sh *shell) fieldsOf(s command.Stream, o readOptions) []command.Word {
	if !s.Seen {
		return []command.Word{{Text: umpire.Hole, Taint: s.Taint, Marks: command.Marks{Many: true}}}
	}
	var out []command.Word
	ifs := sh.separators()
	for _, rest := range records(s.Text, o) {
		rest = strings.Trim(rest, blanks(ifs))
		if len(out) >= maxFields {
			return append(out, command.Word{Text: umpire.Hole, Taint: s.Taint, Marks: command.Marks{Many: true}})
		}
		for rest != "" && len(out) < maxFields {
			var field string
			field, rest = nextField(rest, ifs, o.raw)
			if !o.raw {
				field = unescape(field)
			}
			out = append(out, command.OfText(command.Word{Text: field, Taint: s.Taint, Marks: command.Marks{Many: strings.Contains(field, umpire.Hole)}}))
		}
	}
	return out
}

// builtinMapfile reads the lines of standard input into an array, and runs the callback of -C for
// each.
func (sh *shell) builtinMapfile(args []command.Word) {
	o := optionsOf(args[1:], "dnOsuCc")
	in := sh.input(o)
	name := "MAPFILE"
	if len(o.rest) > 0 {
		name = o.rest[0].Text
	}
	sh.subscript(name)
	o.raw = true
	delete(o.value, 'n') // a limit on the number of lines; read them all
	elems := []command.Word{{Text: umpire.Hole, Taint: in.Taint, Marks: command.Marks{Many: true}}}
	if in.Seen {
		elems = nil
		for _, l := range records(in.Text, o) {
			elems = append(elems, command.OfText(command.Word{Text: l, Taint: in.Taint, Marks: command.Marks{Many: strings.Contains(l, umpire.Hole)}}))
		}
	}
	sh.vars[name] = variable{array: true, elems: elems}
	if callback, ok := o.value['C']; ok {
		c := sh.clone()
		c.via = append(c.via, "mapfile -C")
		if len(elems) > maxItems {
			elems = append(elems[:maxItems:maxItems], command.Word{Text: umpire.Hole, Taint: in.Taint, Marks: command.Marks{Many: true}})
		}
		for i, e := range elems {
			c.run("sh", wordStream(callback.With(callback.Text+command.Quote("", []command.Word{command.Lit(strconv.Itoa(i)), e}))))
		}
	}
}
