package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

func doInvokeItem(c *Call) {
	for _, w := range pathsOf(c) {
		c.Exec([]Word{w}, Run{})
	}
}

// doMshta reads mshta, which runs a page or a script URL with the user's rights.
func doMshta(c *Call) {
	for _, w := range c.Args {
		l := strings.ToLower(w.Text)
		switch {
		case strings.Contains(l, "://") && !strings.HasPrefix(l, "javascript:") && !strings.HasPrefix(l, "vbscript:"):
			c.Net(w, 0, 0)
			c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.RemoteCode)
		case strings.HasPrefix(l, "javascript:") || strings.HasPrefix(l, "vbscript:"):
			c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.UnseenCode|umpire.Obfuscated)
			if strings.Contains(l, "http") {
				c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.RemoteCode)
			}
		}
	}
}

// doProxyExec reads signed Windows programs that run the code of others. Adversaries use them
// because an allowlist of signed programs lets them pass.
func doProxyExec(c *Call) {
	line := joined(c.Operands)
	l := strings.ToLower(line.Text)
	switch {
	case strings.Contains(l, "http://") || strings.Contains(l, "https://") || strings.Contains(l, `\\`) && strings.Contains(l, "."):
		c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.RemoteCode)
	case strings.Contains(l, "javascript:") || strings.Contains(l, "vbscript:"):
		c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.DecodedCode|umpire.Obfuscated)
	case strings.Contains(l, "comsvcs") && (strings.Contains(l, "minidump") || strings.Contains(l, "#24")):
		c.Op(umpire.System, "secret dump lsass", umpire.CarriesSecret)
	case strings.Contains(l, "shell32.dll,control_rundll") || c.Program == "msbuild":
	}
	for _, w := range c.Operands {
		if s := c.File(w); s.Taint&(FromNetwork|FromDecoder) != 0 {
			c.Script("dll", Stream{Taint: s.Taint, Pipe: true}, Run{Via: c.Program})
		}
	}
}

func doMsiexec(c *Call) {
	w, ok := c.Opt("/i")
	if !ok {
		return
	}
	if strings.Contains(w.Text, "://") {
		c.Net(w, 0, 0)
		c.Op(umpire.Exec, Quote("msiexec", c.Args), umpire.RemoteCode)
	}
	if s := c.File(w); s.Taint&FromNetwork != 0 {
		c.Op(umpire.Exec, Quote("msiexec", c.Args), umpire.RemoteCode)
	}
}

func doWscript(c *Call) {
	for _, w := range c.Operands[:min(1, len(c.Operands))] {
		if strings.Contains(w.Text, "://") {
			c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.RemoteCode)
			return
		}
		c.RunFile("js", w, Run{})
	}
}

func doWmic(c *Call) {
	line := strings.ToLower(joined(c.Operands).Text)
	switch {
	case strings.Contains(line, "shadowcopy") && strings.Contains(line, "delete"):
		c.Op(umpire.System, "backup delete shadow-copies", umpire.DataStore|umpire.Irreversible|umpire.Destroy)
	case strings.Contains(line, "process") && strings.Contains(line, "call create"):
		for i, w := range c.Operands {
			if strings.EqualFold(w.Text, "create") {
				c.Code("cmd", joined(c.Operands[i+1:]), Run{})
				break
			}
		}
	case strings.Contains(line, "process") && (strings.Contains(line, "delete") || strings.Contains(line, "terminate")):
		c.Op(umpire.System, Quote("process kill-name", c.Operands), 0)
	case strings.Contains(line, "win32shutdown") || strings.Contains(line, "call reboot") || strings.Contains(line, "call shutdown"):
		c.Op(umpire.System, "power off wmic", 0)
	case strings.Contains(line, "cleareventlog"):
		c.Op(umpire.System, "log clear wmic", umpire.AuditTamper)
	case strings.Contains(line, "/format:") && strings.Contains(line, "http"):
		c.Op(umpire.Exec, Quote("wmic", c.Operands), umpire.RemoteCode)
	}
}

func doForfiles(c *Call) {
	dir, ok := c.Opt("/p")
	if !ok {
		dir = Lit(".")
	}
	if cmd, ok := c.Opt("/c"); ok {
		text := strings.NewReplacer("@path", dir.Text+`\*`, "@file", "*", "@PATH", dir.Text+`\*`, "@FILE", "*").Replace(cmd.Text)
		c.Code("cmd", cmd.With(text), Run{Dir: &dir})
	}
}

func doPsexec(c *Call) {
	t := umpire.Privilege
	for i := 0; i < len(c.Operands); i++ {
		w := c.Operands[i]
		switch {
		case strings.HasPrefix(w.Text, `\\`):
			t |= umpire.Remote
			c.Net(w.With(strings.TrimLeft(w.Text, `\`)+":445"), 0, 0)
		case w.Text == "-u" || w.Text == "-p" || w.Text == "-w" || w.Text == "-n":
			i++
		case strings.HasPrefix(w.Text, "-"):
		default:
			c.Exec(c.Operands[i:], Run{Traits: t})
			return
		}
	}
}

func doRunas(c *Call) {
	for _, w := range c.Operands {
		c.Code("cmd", w, Run{Traits: umpire.Privilege})
	}
}

func doDoAsProxy(c *Call) {
	ws := c.Operands
	for len(ws) > 0 && (strings.HasPrefix(ws[0].Text, "-") || strings.HasPrefix(ws[0].Text, "/")) {
		ws = ws[1:]
	}
	c.Exec(ws, Run{Out: true})
}
