package command

import "strings"

// doMacros reads the shell commands in texts for m4, syscmd(...), and for dc, lines with "!".
func doMacros(c *Call) {
	texts := c.All("-e")
	for _, w := range append(c.All("-f"), c.Operands...) {
		if s := c.File(w); s.Seen {
			texts = append(texts, Word{Text: s.Text, Taint: s.Taint})
		}
	}
	if c.Stdin.Seen {
		texts = append(texts, Word{Text: c.Stdin.Text, Taint: c.Stdin.Taint})
	} else if c.Stdin.Taint&(FromNetwork|FromDecoder) != 0 {
		c.Script(c.Program, c.Stdin, Run{Via: c.Program})
	}
	for _, w := range texts {
		text := w.Text[:min(len(w.Text), maxTcl)]
		if c.Program == "dc" {
			for line := range strings.Lines(text) {
				if _, cmd, ok := strings.Cut(line, "!"); ok && cmd != "" && !strings.ContainsAny(cmd[:1], "<>=") {
					c.Shell(w.With(cmd), Run{Out: true})
				}
			}
			continue
		}
		for _, part := range strings.Split(text, "syscmd(")[1:] {
			part, _, _ = strings.Cut(part, ")")
			c.Shell(w.With(strings.Trim(part, "`' \t")), Run{Out: true})
		}
	}
}
