package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// clustered finds the text of -c in a cluster in which -o precedes other letters. bash takes the
// name for -o from the next word and continues with the letters: bash -oc pipefail TEXT. Other
// shells read the rest of the cluster as the name.
func clustered(args []Word) (text Word, ok bool) {
	command, cluster := false, false
	for len(args) > 0 {
		t := args[0].Text
		if len(t) < 2 || t[0] != '-' && t[0] != '+' || t == "--" {
			break
		}
		if args = args[1:]; strings.HasPrefix(t, "--") {
			continue
		}
		for i, letter := range t[1:] {
			switch letter {
			case 'o', 'O':
				cluster = cluster || i+2 < len(t)
				if len(args) > 0 {
					args = args[1:]
				}
			case 'c':
				command = command || t[0] == '-'
			}
		}
	}
	if len(args) > 0 && (args[0].Text == "--" || args[0].Text == "-") {
		args = args[1:]
	}
	if !command || !cluster || len(args) == 0 {
		return Word{}, false
	}
	return args[0], true
}

// doShell reads a shell's commands. The text of -c is the first word after all options, wherever
// the letter is among them.
func doShell(c *Call) {
	if c.Inert() && !c.Has("-c") {
		return
	}
	for _, w := range c.All("--rcfile") {
		c.RunFile("sh", w, Run{})
	}
	if text, ok := clustered(c.Args); ok {
		c.Shell(text, Run{Out: true, Via: c.Program + " -c"})
	}
	ws := c.Operands
	command := c.Has("-c")
	stdin := c.Has("-s")
	// For umpire's parser, an option that begins with + is an operand and ends the options. A shell
	// continues.
	for len(ws) > 0 && len(ws[0].Text) > 1 && (ws[0].Text[0] == '+' || ws[0].Text[0] == '-') && !c.Has("--") {
		t := ws[0].Text
		command = command || t[0] == '-' && t[1] != '-' && strings.Contains(t, "c")
		stdin = stdin || t[0] == '-' && t[1] != '-' && strings.Contains(t, "s")
		ws = ws[1:]
		if (t[1] == 'o' || t[1] == 'O') && len(t) == 2 && len(ws) > 0 {
			ws = ws[1:]
		}
	}
	if len(ws) > 0 && ws[0].Text == "-" && !c.Has("--") { // "-" ends the options, as "--" does
		ws = ws[1:]
	}
	switch {
	case command:
		if len(ws) == 0 {
			return
		}
		text := ws[0]
		if anyof.HasPrefix(text.Text, "set -n;", "set -n\n", "set -o noexec;", "set -o noexec\n") && anyof.Equal(c.Program, "bash", "sh", "dash") && !c.Has("-i") {
			return // a shell without a person only checks what follows
		}
		args := ws[1:]
		if len(args) > 0 {
			// The word after the text becomes $0: sh -c '$0 -rf /' rm.
			if strings.Contains(text.Text, "$0") || strings.Contains(text.Text, "${0}") {
				zero := strings.TrimPrefix(Quote("", Lits(args[0].Listed())), " ")
				text.Text = strings.NewReplacer("${0}", zero, `"$0"`, zero, "$0", zero).Replace(text.Text)
				text.Taint |= args[0].Taint
			}
			args = args[1:]
		}
		c.Code("sh", text, Run{Out: true, Args: args, Via: c.Program + " -c"})
	case len(ws) > 0 && !stdin:
		if ws[0].Text == "/dev/stdin" || ws[0].Text == "/proc/self/fd/0" || ws[0].Text == "/dev/fd/0" {
			stdinScript(c, "sh", ws[1:])
			return
		}
		c.RunFile("sh", ws[0], Run{Out: true, Args: ws[1:]})
	default:
		stdinScript(c, "sh", ws)
		if !c.Stdin.Seen {
			// The output of an unseen session goes to the person or program that types into it.
			c.Out.Taint |= FromShell
		}
	}
}

// stdinScript runs standard input as code. args are the arguments of that code, perhaps after "-".
func stdinScript(c *Call, lang string, args []Word) {
	if c.Inert() {
		return
	}
	if len(args) > 0 && (args[0].Text == "-" || args[0].Text == "/dev/stdin") {
		args = args[1:]
	}
	if !c.Stdin.Pipe && !c.Stdin.Seen && c.Stdin.Taint == 0 {
		c.Op(umpire.Exec, Quote(c.Program, c.Args), umpire.Interactive) // a terminal, or nothing
		return
	}
	c.Script(lang, c.Stdin, Run{Via: c.Program, Args: args, Out: true, Traits: c.Traits})
}

func doFish(c *Call) {
	for _, o := range []string{"-C", "-c"} {
		for _, w := range c.All(o) {
			c.Shell(w.With(fishSubstitutions(w.Text)), Run{Out: true, Args: c.Operands})
		}
	}
	if !c.Inert() {
		doOtherShell(c)
	}
}

// fishSubstitutions rewrites fish's (COMMAND) as $(COMMAND).
func fishSubstitutions(text string) string {
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case ch == '\\' && i+1 < len(text):
			b.WriteByte(ch)
			i++
			ch = text[i]
		case quote != 0:
			if ch == quote {
				quote = 0
			}
		case ch == '\'' || ch == '"':
			quote = ch
		case ch == '(' && (i == 0 || text[i-1] != '$'):
			b.WriteByte('$')
		}
		b.WriteByte(ch)
	}
	return b.String()
}

func doOtherShell(c *Call) {
	if c.Has("-c", "-e") {
		return
	}
	if len(c.Operands) > 0 {
		c.RunFile("sh", c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
		return
	}
	stdinScript(c, "sh", nil)
}

// doScriptFile reads interpreters whose first operand is a script. Without one they run standard
// input.
func doScriptFile(c *Call) {
	lang := c.Model.Lang
	if lang == "lua" {
		for _, w := range c.All("-l") {
			StartsFile(c, lang, strings.ReplaceAll(w.Text, ".", "/")+".lua")
		}
	}
	for i := range c.opts {
		if o, ok := c.Model.option(c.opts[i].raw); ok && o.role == 'e' && c.opts[i].has {
			return // operands are the code's arguments
		}
	}
	if len(c.Operands) > 0 && c.Operands[0].Text != "-" {
		if !c.Inert() {
			c.RunFile(lang, c.Operands[0], Run{Out: true, Args: c.Operands[1:]})
		}
		return
	}
	stdinScript(c, lang, c.Operands)
}

// doGhci reads Haskell's console. A line that begins with ":!" is a shell command.
func doGhci(c *Call) {
	for _, w := range append(c.All("-e"), Word{Text: c.Stdin.Text, Taint: c.Stdin.Taint}) {
		for line := range strings.Lines(w.Text) {
			if text, ok := strings.CutPrefix(strings.TrimSpace(line), ":!"); ok {
				c.Shell(w.With(text), Run{Out: true})
			}
		}
	}
	doScriptFile(c)
}

// doStdinScript reads interpreters that, without an operand, run standard input.
func doStdinScript(c *Call) {
	if len(c.Operands) > 0 || c.Has("-e", "-p", "-c", "--execute", "--eval") {
		return
	}
	lang := c.Model.Lang
	if anyof.Equal(lang, "mysql", "postgres") {
		lang = "sql:" + lang
	}
	stdinScript(c, lang, c.Operands)
}
