package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doApplet runs an applet of a multi-call program.
func doApplet(c *Call) {
	if len(c.Operands) == 0 || strings.HasPrefix(c.Operands[0].Text, "-") {
		return
	}
	c.Exec(c.Operands, Run{Out: true})
}

// doProfiler runs the traced program. perf and similar programs have a sub-command before it.
func doProfiler(c *Call) {
	ws := c.Operands
	if len(ws) > 1 {
		switch ws[0].Text {
		case "record", "stat", "trace", "run", "top", "mem", "lock", "sched", "c2c", "kmem":
			ws = skipOptions(ws[1:])
		case "report", "annotate", "list", "script", "diff", "replay", "dump", "ps":
			return
		}
	}
	c.Exec(ws, Run{Out: true})
}

// doSetarch reads setarch [ARCH] [OPTION...] COMMAND.
func doSetarch(c *Call) {
	ws := c.Operands
	if len(ws) > 0 && !strings.HasPrefix(ws[0].Text, "-") {
		ws = ws[1:]
	}
	c.Exec(skipOptions(ws), Run{Out: true})
}

// skipOptions returns the words after the leading options. It assumes that no option takes the next
// word as its value.
func skipOptions(ws []Word) []Word {
	for i, w := range ws {
		if w.Text == "--" {
			return ws[i+1:]
		}
		if !strings.HasPrefix(w.Text, "-") {
			return ws[i:]
		}
	}
	return nil
}

// skipAssigns splits words into the leading NAME=VALUE words and the rest.
func skipAssigns(ws []Word) (env, rest []Word) {
	for i, w := range ws {
		if !isAssign(w.Text) {
			return ws[:i], ws[i:]
		}
	}
	return ws, nil
}

func isAssign(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/- \t\"'") && (name[0] < '0' || name[0] > '9')
}

// Join joins words into one.
func Join(ws []Word, separator string) (w Word) {
	texts := make([]string, len(ws))
	for i, x := range ws {
		texts[i] = x.Listed()
		w.Taint |= x.Taint
	}
	w.Text = strings.Join(texts, separator)
	return w
}

// joined joins words with spaces into one shell text, as wrappers around "sh -c" do.
func joined(ws []Word) Word { return Join(ws, " ") }

// dirOf returns an option's value for Run.Dir, or nil.
func dirOf(c *Call, name string) *Word {
	if w, ok := c.Opt(name); ok {
		return &w
	}
	return nil
}

// stdinShell runs the standard input of a shell without operands.
func stdinShell(c *Call, r Run) {
	if c.Inert() || !c.Stdin.Pipe && !c.Stdin.Seen && c.Stdin.Taint == 0 {
		return
	}
	r.Via = cmp.Or(r.Via, c.Program)
	c.Script("sh", c.Stdin, r)
}

func doWatch(c *Call) {
	if c.Has("-x") {
		c.Exec(c.Operands, Run{Out: true})
		return
	}
	c.Shell(joined(c.Operands), Run{Out: true})
	if len(c.Operands) > 2 { // the shell splits the text again, but people mean the words as written
		c.Exec(c.Operands, Run{Out: true})
	}
}

func doEntr(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	none := Stream{}
	if c.Has("-s") {
		c.Shell(c.Operands[0], Run{Out: true, Stdin: &none})
		return
	}
	ws := make([]Word, len(c.Operands))
	for i, w := range c.Operands {
		if w.Text == "/_" {
			w = Word{Text: umpire.Hole, Taint: c.Stdin.Taint}
		}
		ws[i] = w
	}
	c.Exec(ws, Run{Out: true, Stdin: &none})
}

func doWatchexec(c *Call) {
	if c.Has("-n") {
		c.Exec(c.Operands, Run{Out: true})
		return
	}
	c.Shell(joined(c.Operands), Run{Out: true})
}

// doFlock reads flock FILE COMMAND..., flock FILE -c TEXT and flock FD.
func doFlock(c *Call) {
	ws := c.Operands
	if len(ws) < 2 {
		return
	}
	ws = ws[1:]
	if len(ws) > 1 && (ws[0].Text == "-c" || ws[0].Text == "--command") {
		c.Shell(ws[1], Run{Out: true})
		return
	}
	c.Exec(ws, Run{Out: true})
}

// SplitWords splits a text into words as env -S and desktop entries do: with quotes and
// backslashes, without expansions.
func SplitWords(w Word) (ws []Word) {
	var b strings.Builder
	in, quote := false, byte(0)
	flush := func() {
		if in {
			ws = append(ws, OfText(w.With(b.String())))
			b.Reset()
			in = false
		}
	}
	s := w.Text
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case quote != 0 && ch == quote:
			quote = 0
		case ch == '\\' && quote != '\'' && i+1 < len(s):
			i++
			in = true
			b.WriteByte(s[i])
		case quote != 0:
			b.WriteByte(ch)
		case ch == '\'' || ch == '"':
			quote, in = ch, true
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
			flush()
		default:
			in = true
			b.WriteByte(ch)
		}
	}
	flush()
	return ws
}

// doZellijAction reads text that a call types into another pane.
func doZellijAction(c *Call) { remoteWindow(c, c.Operands) }

// lines returns the arguments that a program reads from its input. After 64 it returns a hole for
// the rest.
func lines(s Stream, byLine bool) []Word {
	if s = s.Words(); !s.Seen {
		return []Word{{Text: umpire.Hole, Taint: s.Taint}}
	}
	out := SplitWords(Word{Text: s.Text, Taint: s.Taint})
	if byLine {
		out = Lits(strings.FieldsFunc(s.Text, func(r rune) bool { return r == '\n' || r == 0 })...)
	}
	if len(out) > 64 {
		out = append(out[:64], Lit(umpire.Hole))
	}
	for i := range out {
		out[i] = OfText(out[i])
		out[i].Taint, out[i].Glob = s.Taint, strings.Contains(out[i].Text, umpire.Hole)
	}
	return out
}

func doXargs(c *Call) {
	in := c.Stdin
	if f, ok := c.Opt("-a"); ok {
		in = c.File(f)
	}
	if len(c.Operands) == 0 {
		return
	}
	mark := ""
	switch {
	case c.Has("-I"):
		if v, ok := c.Opt("-I"); ok {
			mark = v.Text
		}
	case c.Has("-i"):
		mark = "{}"
		if v, ok := c.Opt("-i"); ok && v.Text != "" {
			mark = v.Text
		}
	case c.Has("-J"):
		if v, ok := c.Opt("-J"); ok {
			mark = v.Text
		}
	}
	args := lines(in, mark != "" || c.Has("-0") || c.Has("-d"))
	if mark == "" {
		c.Exec(append(append([]Word(nil), c.Operands...), args...), Run{Via: "xargs", Stdin: &Stream{}, Out: true, Many: true})
		return
	}
	for _, a := range args {
		c.Exec(substitute(c.Operands, mark, a), Run{Via: "xargs", Stdin: &Stream{}, Out: true, Many: true})
	}
}

func substitute(cmd []Word, mark string, a Word) []Word {
	out := make([]Word, len(cmd))
	for i, w := range cmd {
		out[i] = w
		if mark != "" && strings.Contains(w.Text, mark) {
			out[i] = OfText(Word{Text: strings.ReplaceAll(w.Text, mark, a.Listed()), Taint: w.Taint | a.Taint, Marks: Marks{Glob: w.Glob || a.Glob}})
		}
	}
	return out
}

func doParallel(c *Call) {
	args := c.Args
	if len(args) == 1 && anyof.Equal(args[0].Text, "--help", "-h", "--version", "-V", "--citation", "--number-of-cores", "--number-of-cpus") {
		return
	}
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-j", "--jobs", "-P", "-N", "-n", "-I", "-a", "--arg-file", "--delay", "--timeout", "--retries", "--colsep", "-C", "--joblog", "--results", "-S", "--sshlogin", "--tmpdir", "-d", "--delimiter", "--wd", "--workdir", "--load", "--memfree", "--halt", "-L", "--tag-string", "--tagstring", "--basefile", "--env", "--block", "--recstart", "--recend", "-s", "--max-replace-args":
			args = args[min(2, len(args)):]
		default:
			args = args[1:]
		}
	}
	var cmd, given []Word
	sep := ""
	for _, w := range args {
		switch {
		case strings.HasPrefix(w.Text, ":::"):
			sep = w.Text
		case sep == "":
			cmd = append(cmd, w)
		case strings.HasPrefix(sep, "::::"): // a file of arguments
			given = append(given, Word{Text: umpire.Hole, Taint: w.Taint})
		default:
			given = append(given, w)
		}
	}
	if len(cmd) == 0 && sep == "" && !c.Stdin.Pipe && !c.Stdin.Seen && c.Stdin.Taint == 0 && !c.Begins("-a") && !c.Begins("--arg") {
		return // parallel waits for commands on a terminal
	}
	if sep == "" && slices.ContainsFunc(c.Args, func(w Word) bool { return anyof.Equal(w.Text, "--pipe", "--pipepart", "--spreadstdin") }) {
		c.Shell(joined(cmd), Run{Via: "parallel", Out: true, Many: true})
		return
	}
	if sep == "" {
		given = lines(c.Stdin, true)
	}
	if len(given) > 64 {
		given = append(given[:64:64], Word{Text: umpire.Hole})
	}
	for _, a := range given {
		if len(cmd) == 0 { // each line is a command
			c.Shell(a, Run{Via: "parallel", Out: true, Many: true})
			continue
		}
		var full []Word
		seen := false
		for _, w := range cmd {
			seen = seen || strings.Contains(w.Text, "{")
		}
		if seen {
			full = substitute(cmd, "{}", a)
			full = substitute(full, "{1}", a)
		} else {
			full = append(append([]Word(nil), cmd...), a)
		}
		// parallel joins its words and gives them to a shell.
		if len(full) >= 3 && full[1].Text == "-c" {
			c.Exec(full, Run{Via: "parallel", Out: true, Many: true})
		} else {
			c.Shell(joined(full), Run{Via: "parallel", Out: true, Many: true})
		}
	}
}
