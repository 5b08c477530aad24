package command

import (
	"cmp"
	"strings"

	"github.com/umpire-dev/umpire"
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
	for i, x := range ws {
		if i > 0 {
			w.Text += separator
		}
		w.Text += x.Text
		w.Taint |= x.Taint
	}
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

// splitWords splits a text into words as env -S and desktop entries do: with quotes and
// backslashes, without expansions.
func splitWords(w Word) (ws []Word) {
	var b strings.Builder
	in, quote := false, byte(0)
	flush := func() {
		if in {
			ws = append(ws, w.With(b.String()))
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
