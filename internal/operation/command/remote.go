package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func doRsh(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	c.Net(c.Operands[0], 0, c.Stdin.Taint)
	if len(c.Operands) > 1 {
		c.Shell(joined(c.Operands[1:]), Run{Traits: umpire.Remote})
	}
	c.Out.Taint |= FromNetwork
}

// doPdsh runs one command on many machines.
func doPdsh(c *Call) {
	c.Net(Lit(umpire.Hole), umpire.Bulk, c.Stdin.Taint)
	c.Shell(joined(c.Operands), Run{Traits: umpire.Remote | umpire.Bulk})
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
