package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// turnsOff reports whether words begin with a command to cut the power or reset a machine, and
// returns the words after it.
func turnsOff(ws []Word) (off bool, rest []Word) {
	switch strings.ToLower(ws[0].Text) {
	case "poweroff", "power-off", "power_off", "powercycle", "power-cycle":
		return true, ws[1:]
	case "power":
		if len(ws) > 1 && anyof.Equal(strings.ToLower(ws[1].Text), "off", "down", "cycle", "reset", "soft") {
			return true, ws[2:]
		}
	}
	return false, nil
}

// short reads a -d or -D before the last argument as "delete": after a noun, as in "branch -D x",
// or before ALL.
func (s *sentence) short(c *Call) {
	for i, a := range c.Args {
		if a.Text != "-d" && a.Text != "-D" || i+2 != len(c.Args) || !plainWord(c.Args[i+1]) {
			continue
		}
		name := c.Args[i+1]
		kinds := wording.Parts(strings.ToLower(c.Args[max(i-1, 0)].Text))
		switch {
		case name.Text == "ALL":
			s.all = true
		case i == 0 || strings.Trim(name.Text, "0123456789") == "" || !slices.ContainsFunc(kinds, func(w string) bool { return wording.GraveNoun(w) || w == "branch" || w == "tag" || w == "volume" }):
			continue
		}
		s.take("delete", lowers(c.Operands[:min(i, 1, len(c.Operands))]), []Word{name})
		s.named = true
		return
	}
}

// raw reads a call that names a disk. A verb that overwrites, in the name of the program, an option
// or an operand, erases the disk.
func (s *sentence) raw(c *Call) {
	disk := slices.IndexFunc(c.Args, func(w Word) bool {
		if !strings.HasPrefix(w.Text, "/dev/") {
			return false
		}
		_, p := c.Path(w)
		return p&umpire.PlaceDevice != 0 && !strings.HasPrefix(w.Text, "/dev/tty") && !strings.HasPrefix(w.Text, "/dev/cu.")
	})
	if disk < 0 {
		return
	}
	if wording.Overwrites(c.Program) {
		s.take("erase", nil, c.Args[disk:])
		return
	}
	for i, w := range c.Args {
		text := w.Text
		if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "--") && strings.HasPrefix(text[2:], "format") && i+1 != disk {
			continue // --format json selects the output's format
		}
		if wording.Overwrites(text) {
			s.take("erase", nil, c.Args[disk:])
			return
		}
	}
}

// console reads the commands that a program's console gets by an option or on standard input. It
// returns the first that destroys something, or s.
func (c *Call) console(s sentence) sentence {
	var texts []string
	for i, a := range c.Args {
		if i+1 < len(c.Args) && anyof.Equal(a.Text, "-c", "-e", "-v", "--eval", "--execute", "--command", "--exec") {
			texts = append(texts, c.Args[i+1].Text)
		}
	}
	if c.Stdin.Seen && len(c.Operands) == 1 && anyof.Equal(c.Operands[0].Text, "shell", "console", "cli", "repl") {
		texts = append(texts, c.Stdin.Text)
	}
	for _, text := range texts {
		lines := strings.FieldsFunc(text[:min(len(text), maxHanded)], func(r rune) bool { return r == '\n' || r == ';' })
		for _, line := range lines[:min(len(lines), 16)] {
			order := *c
			order.Args = Lits(strings.Fields(line)...)
			order.Operands = slices.DeleteFunc(slices.Clone(order.Args), func(w Word) bool { return strings.HasPrefix(w.Text, "-") })
			said := sentence{}
			said.operands(&order)
			if said.verb != "" && !said.reads {
				said.options(&order)
				return said
			}
		}
	}
	return s
}
