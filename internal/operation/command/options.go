package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// parse sorts args into options and operands, descending into sub-commands.
func (c *Call) parse(m *Model, args []Word) {
	c.Model = m
	c.Operands = c.Operands[:0]
	first := len(c.opts)
	defer func() {
		for i := first; i < len(c.opts); i++ {
			if c.opts[i].model == nil {
				c.opts[i].model = m
			}
		}
		if m.Style&Strict != 0 && slices.ContainsFunc(args, turnsOn) {
			c.Traits &^= umpire.Inert
		}
	}()
	style := m.Style
	if style&NoOptions != 0 {
		c.Operands = append(c.Operands, args...)
		return
	}
	if style&Bundled != 0 && len(args) > 0 && args[0].Text != "" && args[0].Text[0] != '-' && args[0].Known() {
		args = append([]Word{args[0].With("-" + args[0].Text)}, args[1:]...)
	}
	if c.asksOnly(m, args) {
		c.asksAbout(m)
	}
	for i := 0; i < len(args); i++ {
		w, at, before := args[i], len(c.Args)-len(args)+i, len(c.opts)
		t := w.Text
		isOption := len(t) > 1 && t[0] == '-'
		if name, _, _ := strings.Cut(t, ":"); style&Windows != 0 && len(name) > 1 && name[0] == '/' && !strings.ContainsAny(name[1:], `/\`) {
			isOption = true
		}
		switch {
		case t == "--" && style&(LongDash|Windows) == 0:
			if style&AnyOption != 0 {
				c.opts = append(c.opts, setOption{name: "--", raw: "--", at: at})
				continue
			}
			if len(c.Operands) == 0 {
				c.first = len(c.Args) - len(args) + i + 1
			}
			c.Operands = append(c.Operands, args[i+1:]...)
			c.opts = append(c.opts, setOption{name: "--", raw: "--", at: at})
			return
		case !isOption:
			if m.leads() && len(c.Operands) == 0 {
				if s := m.sub(t); s != nil {
					for j := first; j < len(c.opts); j++ {
						c.opts[j].model = m
					}
					c.Name += " " + t
					c.parse(s, args[i+1:])
					return
				}
			}
			if len(c.Operands) == 0 {
				c.first = len(c.Args) - len(args) + i
			}
			c.Operands = append(c.Operands, w)
			if style&Strict != 0 || m.leads() && style&ShortValue == 0 && len(c.Operands) == 1 && m.Do == nil {
				if style&Strict != 0 {
					c.Operands = append(c.Operands, args[i+1:]...)
					return
				}
			}
		case strings.HasPrefix(t, "--") || style&(LongDash|Windows|CaseFold) != 0:
			i = c.doubted(m, args, i, c.long(m, args, i))
		case len(t) > 2 && m.lists(t): // several letters that are one option, such as zip's -TT
			i = c.long(m, args, i)
		default:
			i = c.doubted(m, args, i, c.cluster(m, args, i))
		}
		for j := before; j < len(c.opts); j++ {
			c.opts[j].at = at
		}
	}
}

// doubted records the option at index i for Readings if it is unclear whether the option takes a
// value, and that decides how the rest is read. end is the index of the option's last word; doubted
// returns it.
func (c *Call) doubted(m *Model, args []Word, i, end int) int {
	if len(c.opts) == 0 || i+1 >= len(args) || m.Style&(Windows|CaseFold) != 0 {
		return end
	}
	last := &c.opts[len(c.opts)-1]
	o, listed := m.option(last.raw)
	leads := func() bool { // asked only where it matters, because it looks at all options so far
		return len(c.Operands) == 0 && (m.Style&(Strict|Verb) != 0 || m.leads()) &&
			!c.runsCode(m) && !(m.Lang == "python" && c.Has("-m")) // the following words are for the code
	}
	at := len(c.Args) - len(args) + i
	switch {
	case listed && !o.short, last.raw == "--help", last.raw == "--version":
	case end > i: // an abbreviation may be another option, and a cloud client's option may have taken the verb
		if listed && leads() || !listed && wording.DeedIn(args[end].Text) != wording.Unknown {
			c.doubts = append(c.doubts, doubt{at, true})
		}
	case !last.has && !strings.HasPrefix(args[i+1].Text, "-") && leads():
		c.doubts = append(c.doubts, doubt{at, false})
	}
	return end
}

// maxReadings limits the number of other ways to read one command line.
const maxReadings = 16

// Readings returns the other command lines that this one may be, because undescribed options may or
// may not take the next word: in "wrap --new-option x rm -rf /" the program is x or rm.
func (c *Call) Readings() (out [][]Word) {
	from := c
	for next := 0; ; next++ {
		for _, d := range from.doubts {
			if len(out) >= maxReadings {
				return out
			}
			skip := 2 // the option and its value
			if d.taken {
				skip = 1
			}
			out = append(out, slices.Concat(from.Args[:d.at], from.Args[d.at+skip:]))
		}
		if next >= len(out) {
			return out
		}
		from = NewCall(c.Host, c.top, c.Program, out[next], c.Stdin)
	}
}

// long reads the option at index i, which is one word such as --name or --name=VALUE, and returns
// the index of its last word.
func (c *Call) long(m *Model, args []Word, i int) int {
	w := args[i]
	name, value, attached := strings.Cut(w.Text, "=")
	if m.Style&Windows != 0 && !attached {
		name, value, attached = strings.Cut(w.Text, ":")
	}
	o, ok := m.long(name)
	if !ok {
		if name == "-h" && (m.Style&HelpH != 0 || c.endsInHelp(m, args, i)) || aboutItself(name) && !c.versionFollows(args, i) ||
			m.Style&LongDash != 0 && name[0] == '-' && aboutItself("-"+name) || m.Style&Windows != 0 && name == "/?" {
			c.asksAbout(m)
		}
		if m.Style&ShortValue != 0 && !attached && i+1 < len(args) && !strings.HasPrefix(args[i+1].Text, "-") {
			c.opts = append(c.opts, setOption{name: name, raw: name, value: args[i+1], has: true, detached: true})
			return i + 1
		}
		c.opts = append(c.opts, setOption{name: name, raw: name, value: w.With(value), has: attached})
		return i
	}
	set := setOption{name: o.name, raw: name}
	c.Traits |= o.traits
	c.does |= o.effects
	if o.about && !o.short && !attached {
		c.asksAbout(m)
	}
	switch {
	case o.role == 0:
		if attached && (value == "false" || value == "0" || value == "no" || value == "none") {
			c.Traits &^= o.traits // --dry-run=false
			c.does &^= o.effects
		}
		set.value, set.has = w.With(value), attached
	case attached:
		set.value, set.has = w.With(value), true
	case o.attach:
	case i+1 < len(args):
		i++
		set.value, set.has, set.detached = args[i], true, true
		if o.short && o.role == '_' && strings.ContainsAny(args[i].Text, "/~.") {
			c.Operands = append(c.Operands, args[i]) // --pre FILE, where --prefix takes a value
		}
	}
	c.opts = append(c.opts, set)
	return i
}

// endsInHelp reports whether the argument at index i is the last, is -h, and belongs to a client
// with sub-commands: all such clients read it as help.
func (c *Call) endsInHelp(m *Model, args []Word, i int) bool {
	return i == len(args)-1 && args[i].Text == "-h" && (m != c.top || m.Style&(Verb|HelpWord) != 0)
}

// asksOnly reports whether the arguments only ask a program or sub-command for its help or version.
// A lone -h asks for help unless the Model lists it as a flag. The words help and version count
// only for programs with sub-commands, and without options before them, which could name a pager or
// an alias.
func (c *Call) asksOnly(m *Model, args []Word) bool {
	if len(args) == 0 || m.Style&(CaseFold|Windows) != 0 {
		return false
	}
	switch args[0].Text {
	case "-h":
		o, listed := m.option("-h")
		return len(args) == 1 && (!listed || o.role != 0 && !o.attach) // a value is missing
	case "--help", "--version":
		return len(args) == 1
	case "-V", "-v":
		o, _ := m.option(args[0].Text)
		return len(args) == 1 && o.about
	case "-help", "-version":
		return len(args) == 1 && m.Style&LongDash != 0
	case "help":
		return len(c.opts) == 0 && (m.leads() || m.Style&(HelpWord|Verb) != 0) && m.sub("help") == nil &&
			!slices.ContainsFunc(args, func(w Word) bool { return strings.HasPrefix(w.Text, "-") || strings.ContainsAny(w.Text, "/~") })
	case "version":
		return len(args) == 1 && len(c.opts) == 0 && (m.leads() || m.Style&(HelpWord|Verb) != 0) && m.sub("version") == nil
	}
	return false
}

// turnsOn reports whether an argument of a shell may take back its option that only checks the code:
// sh -n +n, zsh -n -o exec, zsh -n --exec.
func turnsOn(w Word) bool {
	name := strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(w.Text, "_", ""), "-", ""))
	return strings.HasPrefix(w.Text, "+") || strings.HasSuffix(name, "exec") && name != "noexec"
}

// asksAbout records that the call only prints the program's help or version.
func (c *Call) asksAbout(m *Model) {
	if m.Style&NoInert == 0 && !c.runsCode(m) {
		c.Traits |= umpire.Inert
	}
}

// versionFollows reports whether an undescribed --help or --version has a value, so that it does
// not ask for help: gem yank NAME --version 1.0 withdraws that version, and delete WEB --version
// live deletes the version of that name.
func (c *Call) versionFollows(args []Word, i int) bool {
	name, value, attached := ValueAt(args, i)
	return attached || name == "--version" && len(c.Operands) > 0 && PlainWord(Lit(value)) || value != "" && strings.Contains("0123456789=<>~^v"+umpire.Hole, value[:1]) && strings.ContainsAny(value, "0123456789"+umpire.Hole)
}

// runsCode reports whether an earlier option gives the program code to run. The words after that
// option belong to the code: python -c CODE --help runs the code.
func (c *Call) runsCode(m *Model) bool {
	for i := range c.opts {
		raw := c.opts[i].raw
		if o, ok := m.option(raw); ok && (o.role == 'e' || o.role == 'c') || m.Lang != "" && anyof.Equal(raw, "-c", "-e", "-E", "-p", "-r", "--eval", "--print", "--command") {
			return true
		}
	}
	return false
}

// cluster reads the cluster of short options at index i and returns the index of its last word. The
// rest of a cluster may be the value of an option: -ofile.
func (c *Call) cluster(m *Model, args []Word, i int) int {
	w := args[i]
	letters := w.Text[1:]
	for len(letters) > 0 {
		if strings.HasPrefix(letters, umpire.Hole) {
			return i
		}
		n := 1
		for n < len(letters) && letters[n]&0xC0 == 0x80 {
			n++
		}
		name := "-" + letters[:n]
		letters = letters[n:]
		o, ok := m.option(name)
		if !ok {
			if strings.ContainsAny(letters, "/.~") { // the letters may be part of a file's name: the n of -Xnotes/plan.txt is not a dry run
				before := c.Traits & umpire.Inert
				defer func() { c.Traits = c.Traits&^umpire.Inert | before }()
			}
			if name == "-h" && (m.Style&HelpH != 0 || c.endsInHelp(m, args, i)) {
				c.Traits |= umpire.Inert
			}
			c.opts = append(c.opts, setOption{name: name, raw: name})
			continue
		}
		c.Traits |= o.traits
		c.does |= o.effects
		if o.about && m.Lang == "" { // an interpreter may run its script as well: lua -v
			c.asksAbout(m)
		}
		set := setOption{name: o.name, raw: name}
		if o.role != 0 {
			switch {
			case letters != "":
				set.value, set.has = w.With(strings.TrimPrefix(letters, "=")), true
				letters = ""
			case o.attach:
			case i+1 < len(args):
				i++
				set.value, set.has, set.detached = args[i], true, true
			}
		}
		c.opts = append(c.opts, set)
	}
	return i
}

// ConfigValue returns the value of the first option with one of the names, and whether there is
// one. It looks at the arguments alone, whatever the Model lists.
func ConfigValue(c *Call, names ...string) (string, bool) {
	for i, w := range c.Args {
		for _, n := range names {
			if v, ok := strings.CutPrefix(w.Text, n+"="); ok {
				return v, true
			}
			if w.Text == n && i+1 < len(c.Args) {
				return c.Args[i+1].Text, true
			}
		}
	}
	return "", false
}

// ValueAt returns the name of an option at an index, and its value if it has one: attached, or the
// next word.
func ValueAt(args []Word, i int) (name, value string, attached bool) {
	name, value, attached = strings.Cut(args[i].Text, "=")
	if !attached && i+1 < len(args) {
		value = args[i+1].Text
	}
	return name, value, attached
}
