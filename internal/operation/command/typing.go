package command

import "strings"

// doTerminalWindow reads the command that a terminal runs in its window: the words after -e, -x or
// --.
func doTerminalWindow(c *Call) {
	for i, w := range c.Operands {
		name, value, attached := strings.Cut(w.Text, "=")
		rest := c.Operands[i+1:]
		switch name {
		case "--help", "--version":
			return
		case "--command", "--execute", "-e", "-x", "-exec", "--":
			if attached {
				c.Shell(w.With(value), Run{})
				return
			}
			// Some terminals take words here, and others one shell text. A word with a space is shell
			// text, because it cannot be a program's name.
			if len(rest) > 0 && strings.ContainsAny(rest[0].Text, " \t") {
				c.Shell(rest[0], Run{})
				return
			}
			c.Exec(rest, Run{})
			return
		}
	}
	if len(c.Operands) > 0 && !strings.HasPrefix(c.Operands[0].Text, "-") {
		c.Exec(c.Operands, Run{})
	}
}

// doKitty reads kitty [OPTIONS] COMMAND, and kitty @ with text typed into a window or a program
// started in one.
func doKitty(c *Call) {
	ws := c.Operands
	if len(ws) > 1 && (ws[0].Text == "@" || ws[0].Text == "+kitten" && ws[1].Text == "@") {
		ws = ws[1:]
		if ws[0].Text == "@" {
			ws = ws[1:]
		}
		remoteWindow(c, ws)
		return
	}
	for len(ws) > 0 && strings.HasPrefix(ws[0].Text, "-") {
		valued := !strings.Contains(ws[0].Text, "=") && ws[0].Text != "-1" && ws[0].Text != "--single-instance" && ws[0].Text != "--hold" && ws[0].Text != "-e" && ws[0].Text != "--detach"
		if ws = ws[1:]; valued && len(ws) > 0 {
			ws = ws[1:]
		}
	}
	c.Exec(ws, Run{})
}

func doWezterm(c *Call) {
	ws := c.Operands
	if len(ws) > 0 && ws[0].Text == "cli" {
		ws = ws[1:]
	}
	if len(ws) > 1 && ws[0].Text == "-e" {
		c.Exec(ws[1:], Run{})
		return
	}
	remoteWindow(c, ws)
}

// remoteWindow reads a command to a running terminal.
func remoteWindow(c *Call, ws []Word) {
	if len(ws) == 0 {
		return
	}
	verb, rest := ws[0].Text, ws[1:]
	switch verb {
	case "send-text", "send-key", "write-chars":
		typed(c, plain(rest))
	case "spawn", "launch", "start", "new-window", "run", "split-pane":
		for i, w := range rest {
			if w.Text == "--" {
				c.Exec(rest[i+1:], Run{})
				return
			}
		}
		if rest = plain(rest); len(rest) > 0 {
			c.Exec(rest, Run{})
		}
	}
}

// plain removes leading options, and probably their values. A value that stays becomes a word of
// the command.
func plain(ws []Word) []Word {
	for len(ws) > 0 && strings.HasPrefix(ws[0].Text, "-") {
		end := ws[0].Text == "--"
		valued := !end && !strings.Contains(ws[0].Text, "=") && ws[0].Text != "--no-paste"
		ws = ws[1:]
		if end {
			break
		}
		if valued && len(ws) > 1 && !strings.ContainsAny(ws[0].Text, " \t") {
			ws = ws[1:]
		}
	}
	return ws
}

// typed runs words that a call types into a terminal, because a shell often runs there.
func typed(c *Call, ws []Word) {
	w := joined(ws)
	w.Text = strings.NewReplacer(`\n`, "\n", `\r`, "\n", `\x0d`, "\n").Replace(w.Text)
	if strings.TrimSpace(w.Text) != "" {
		c.Shell(w, Run{})
	}
}

// doTyped reads programs that type for their user.
func doTyped(c *Call) {
	ws := c.Operands
	switch c.Program {
	case "xdotool", "ydotool":
		for i, w := range ws {
			if w.Text == "exec" && c.Program == "xdotool" { // at the end of a chain of commands
				rest := ws[i+1:]
				for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
					skip := 1
					if rest[0].Text != "--sync" { // --args and --terminator take a value
						skip = 2
					}
					rest = rest[min(len(rest), skip):]
				}
				c.Exec(rest, Run{})
			}
		}
		for len(ws) > 0 && ws[0].Text != "type" {
			ws = ws[1:]
		}
		if len(ws) == 0 {
			return
		}
		ws = ws[1:]
	case "dotool":
		if c.Stdin.Seen {
			for line := range strings.Lines(c.Stdin.Text) {
				if text, ok := strings.CutPrefix(line, "type "); ok {
					c.Shell(Word{Text: text, Taint: c.Stdin.Taint}, Run{})
				}
			}
		}
		return
	}
	typed(c, plain(ws))
}

// doEmpty reads empty -f [OPTIONS] COMMAND, a small relative of expect.
func doEmpty(c *Call) {
	ws := c.Operands
	fork := false
	for len(ws) > 0 && strings.HasPrefix(ws[0].Text, "-") {
		o := ws[0].Text
		fork = fork || strings.HasPrefix(o, "-f")
		ws = ws[1:]
		if len(ws) > 0 && (o == "-i" || o == "-o" || o == "-p" || o == "-L" || o == "-t") {
			ws = ws[1:]
		}
	}
	if fork {
		c.Exec(ws, Run{})
	}
}
