package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func doStrace(c *Call) {
	if w, ok := c.Opt("-o"); ok {
		if cmd, piped := strings.CutPrefix(w.Text, "|"); piped {
			c.Shell(w.With(cmd), Run{Traits: umpire.RunsProgram})
		} else if cmd, piped := strings.CutPrefix(w.Text, "!"); piped {
			c.Shell(w.With(cmd), Run{Traits: umpire.RunsProgram})
		} else {
			c.WriteFile(w, umpire.Truncate, Unseen(0))
		}
	}
	if len(c.Operands) > 0 {
		c.Exec(c.Operands, Run{Out: true})
	}
}

// doGdb reads the commands of a debugger, which can run a shell, and the program that it starts.
func doGdb(c *Call) {
	init := ".gdbinit"
	if strings.Contains(c.Program, "lldb") {
		init = ".lldbinit"
	}
	if f, ok := c.startedFile(init); ok && !c.Has("-n", "-nx", "--no-lldbinit") {
		for line := range strings.Lines(f.Text) {
			gdbCommand(c, Word{Text: strings.TrimSpace(line), Taint: f.Taint})
		}
	}
	ws := c.Operands
	for i := 0; i < len(ws); i++ {
		t := ws[i].Text
		if !strings.HasPrefix(t, "-") {
			return // the program is only loaded; gdb runs it on request
		}
		name, value, attached := strings.Cut(strings.TrimLeft(t, "-"), "=")
		next := func() Word {
			if attached {
				return ws[i].With(value)
			}
			if i++; i < len(ws) {
				return ws[i]
			}
			return Word{}
		}
		if name == "b" && strings.Contains(c.Program, "lldb") {
			continue // a flag in lldb; in gdb it takes a baud rate
		}
		switch name {
		case "ex", "eval-command", "iex", "init-eval-command", "o", "one-line", "O", "one-line-before-file":
			gdbCommand(c, next())
		case "x", "command", "ix", "init-command", "s", "source":
			f := next()
			c.ReadFile(f)
			s := c.File(f)
			if !s.Seen && s.Taint != 0 {
				c.Script("gdb", s, Run{})
			}
			if s.Seen {
				for line := range strings.SplitSeq(s.Text, "\n") {
					gdbCommand(c, Word{Text: line, Taint: s.Taint})
				}
			}
		case "args", "":
			c.Exec(ws[i+1:], Run{})
			return
		case "p", "pid", "c", "core", "cd", "d", "directory", "e", "exec", "tty", "b", "l", "data-directory", "symbols", "se", "n", "attach-name", "interpreter", "i":
			next()
		}
	}
}

func gdbCommand(c *Call, w Word) {
	text := strings.TrimSpace(w.Text)
	cmd, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(text, "!"):
		c.Shell(w.With(text[1:]), Run{})
	case cmd == "shell" || cmd == "make" || cmd == "platform":
		c.Shell(w.With(strings.TrimPrefix(rest, "shell ")), Run{})
	case cmd == "python" || cmd == "py" || cmd == "python-interactive" || cmd == "pi" || cmd == "script":
		c.Code("python", w.With(rest), Run{})
	case cmd == "command" && strings.HasPrefix(rest, "script import "):
		c.RunFile("python", w.With(strings.TrimSpace(rest[len("script import "):])), Run{})
	case cmd == "source":
		c.RunFile("python", w.With(rest), Run{})
	case cmd == "call" || cmd == "print" || cmd == "p" || cmd == "expr" || cmd == "expression":
		if _, after, ok := strings.Cut(rest, "system("); ok {
			arg := after
			arg, _, _ = strings.Cut(strings.TrimLeft(arg, `" `), `"`)
			c.Shell(w.With(arg), Run{})
		}
	case cmd == "pipe" || cmd == "|":
		if _, sh, ok := strings.Cut(rest, "|"); ok {
			c.Shell(w.With(sh), Run{})
		}
	}
}
