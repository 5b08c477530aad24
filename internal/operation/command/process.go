package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// doKill reads kill [-SIGNAL | -s SIGNAL] PID...: what begins with a dash is a signal at
// first, and after it a process group, of which -1 is everybody's.
func doKill(c *Call) {
	args := c.Args
	if len(args) > 0 {
		switch t := args[0].Text; {
		case t == "-l" || t == "-L" || t == "--list" || t == "--table" || t == "--help" || t == "-0" || t == "-V":
			return
		case t == "-s" || t == "-n" || t == "--signal" || t == "-q" || t == "--timeout":
			args = args[min(2, len(args)):]
		case t == "-1" && len(args) == 1: // no process: a signal without a target
			return
		case len(t) > 1 && t[0] == '-' && t != "--":
			args = args[1:]
		}
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	for _, w := range args {
		switch w.Text {
		case "-1":
			sys(c, "process kill-all", umpire.Bulk|umpire.Irreversible)
		case "1":
			sys(c, "process kill-init", umpire.Irreversible)
		}
	}
	var of Taint
	for _, w := range args {
		of |= w.Taint
	}
	if of&OfUmpire != 0 { // what pgrep and its like printed
		sys(c, "process kill-name", umpire.SelfTamper, Lit("umpire"))
	}
	sys(c, "process kill", processTraits(of), args...)
}

func doPkill(c *Call) {
	if c.Program == "taskkill" { // by number, as kill does
		line := strings.ToLower(joined(c.Args).Text)
		if strings.Contains(line, "/pid") && !strings.Contains(line, "/im") && !strings.Contains(line, "*") {
			sys(c, "process kill", 0, c.Operands...)
			return
		}
	}
	if c.Has("-l") || c.Has("-0") {
		return
	}
	t := umpire.Trait(0)
	if _, ok := c.Opt("-u"); ok && len(c.Operands) == 0 {
		t |= umpire.Bulk
	}
	for _, w := range c.Operands {
		t |= processTraits(processOf(w.Text) | w.Taint)
	}
	if c.Has("-f") && t == 0 && len(c.Operands) == 1 && strings.Contains(strings.TrimSpace(c.Operands[0].Text), " ") {
		sys(c, "process kill", umpire.Filtered, c.Operands...) // one command line with its arguments: no other's
		return
	}
	if c.Program == "killall5" {
		t |= umpire.Bulk
	}
	sys(c, "process kill-name", t, c.Operands...)
}
