package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func doGetClipboard(c *Call) { c.SetOut(Unseen(FromUnseen)) }

func doStoreRead(c *Call) { secretRead(c, c.Program, Word{}) }

func doCmdkey(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	switch {
	case strings.Contains(line, "/delete"):
		secretDelete(c, c.Program, joined(c.Args))
	case c.Program == "vaultcmd" && strings.Contains(line, "/listcreds"):
		secretRead(c, c.Program, Word{})
	}
}

func doHiveDump(c *Call) {
	line := strings.ToLower(joined(c.Operands).Text)
	if strings.Contains(line, "ntds") || strings.Contains(line, `config\sam`) || strings.Contains(line, "ifm") {
		c.Op(umpire.System, "secret dump "+c.Program, umpire.CarriesSecret)
	}
}
