package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func doJournal(c *Call) {
	for _, o := range []string{"--vacuum-size", "--vacuum-time", "--vacuum-files"} {
		if _, ok := c.Opt(o); ok {
			sys(c, "log clear", umpire.AuditTamper|umpire.Irreversible)
			return
		}
	}
}

func doAuditctl(c *Call) {
	if e, ok := c.Opt("-e"); c.Has("-D") || ok && e.Text == "0" || c.Has("-W") || c.Has("-d") {
		sys(c, "log stop", umpire.AuditTamper)
	}
}

func doWevtutil(c *Call) {
	switch strings.ToLower(c.Arg(0).Text) {
	case "cl", "clear-log", "sl", "set-log":
		sys(c, "log clear", umpire.AuditTamper|umpire.Irreversible, c.Operands...)
	}
}

// doLogrotate reads logrotate. A forced rotation deletes the oldest log early.
func doLogrotate(c *Call) {
	if c.Has("-f") {
		sys(c, "log rotate", umpire.AuditTamper, c.Operands...)
	}
}

func doDmesg(c *Call) {
	if c.Has("-C") || c.Has("-c") {
		sys(c, "log clear", umpire.AuditTamper)
	}
}
