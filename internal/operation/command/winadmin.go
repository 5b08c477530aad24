package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

func doWinService(c *Call) {
	names := append(c.All("-Name"), c.Operands...)
	verb := "stop"
	switch c.Program {
	case "restart-service":
		verb = "restart"
	case "set-service":
		if st, ok := c.Opt("-StartupType"); !ok || !strings.EqualFold(st.Text, "Disabled") {
			return
		}
	}
	if len(names) == 0 && c.Stdin.Pipe {
		names = lines(c.Stdin, true)
	}
	for _, n := range names {
		t := When(n.Text == "*" || n.Text == umpire.Hole || verb == "stop" && winGuard(n.Text), umpire.Irreversible)
		c.Op(umpire.System, Quote("service "+verb, []Word{n}), t)
	}
}

// winGuard reports whether a service protects Windows, or records what happens on it.
func winGuard(name string) bool {
	return anyof.Equal(strings.ToLower(name), "windefend", "wdnissvc", "sense", "mpssvc", "wscsvc", "securityhealthservice", "eventlog", "bfe", "vss")
}

// doNamed prints the named objects, one per line. Without names, the output is unknown.
func doNamed(c *Call) {
	var b strings.Builder
	for _, w := range append(c.All("-Name"), c.Operands...) {
		b.WriteString(w.Text + "\n")
	}
	if b.Len() > 0 {
		c.SetOut(Text(b.String()))
		return
	}
	c.SetOut(Unseen(0))
}

func doStopProcess(c *Call) {
	for _, n := range c.All("-Name") {
		t := When(n.Glob || n.Text == "*", umpire.Bulk)
		c.Op(umpire.System, Quote("process kill-name", []Word{n}), t)
	}
	if ids := c.All("-Id"); len(ids) > 0 {
		sys(c, "process kill", 0, ids...)
	}
	if len(c.All("-Name")) == 0 && len(c.All("-Id")) == 0 && len(c.Operands) == 0 && c.Stdin.Pipe {
		for _, n := range lines(c.Stdin, true) {
			t := When(strings.ContainsAny(n.Text, "*") || n.Text == umpire.Hole, umpire.Bulk)
			c.Op(umpire.System, Quote("process kill-name", []Word{n}), t)
		}
	}
}

func doExecutionPolicy(c *Call) {
	p, ok := c.Opt("-ExecutionPolicy")
	if !ok {
		p = c.Arg(0)
	}
	scope, _ := c.Opt("-Scope")
	if anyof.Equal(strings.ToLower(p.Text), "bypass", "unrestricted") {
		if !strings.EqualFold(scope.Text, "process") {
			c.Op(umpire.System, "guard off execution-policy", umpire.Loosened)
		}
		return // of this process: powershell -ExecutionPolicy
	}
	c.Op(umpire.System, "setting execution-policy "+p.Text, 0)
}

// doProtection reads commands that change Windows' protections: Defender, firewall, BitLocker.
func doProtection(c *Call) {
	if c.Inert() {
		return
	}
	line := strings.ToLower(joined(c.Args).Text)
	p := c.Program
	switch {
	case strings.Contains(p, "mppreference"):
		if anyof.Contains(line, "disable", "exclusion", "submitsamples", "mapsreporting") {
			c.Op(umpire.System, Quote("guard off defender", c.Args), umpire.Loosened)
		}
	case p == "set-netfirewallprofile":
		if strings.Contains(line, "false") || strings.Contains(line, "allow") {
			c.Op(umpire.System, "firewall flush windows", umpire.Loosened)
		}
	case strings.Contains(p, "netfirewallrule"):
		if (p == "disable-netfirewallrule" || p == "remove-netfirewallrule") && (strings.Contains(line, "-all") || len(c.Args) == 0) {
			c.Op(umpire.System, "firewall flush windows", umpire.Loosened)
			return
		}
		c.Op(umpire.System, Quote("firewall change", c.Args), 0)
	case strings.HasPrefix(p, "uninstall-windows") || strings.HasPrefix(p, "disable-windows"):
		if strings.Contains(line, "defender") {
			c.Op(umpire.System, "guard off defender", umpire.Loosened)
			return
		}
		c.Op(umpire.System, Quote("setting feature", c.Args), 0)
	case strings.Contains(p, "bitlocker"), p == "disable-computerrestore":
		c.Op(umpire.System, Quote("guard off "+p, c.Args), umpire.Loosened)
	}
}

func doSchedule(c *Call) {
	if c.Inert() {
		return
	}
	switch {
	case strings.HasPrefix(c.Program, "unregister-"), strings.HasPrefix(c.Program, "disable-"):
		c.Op(umpire.System, Quote("job remove", c.Args), 0)
	case c.Program == "enable-psremoting":
		c.Op(umpire.System, "service enable psremoting", umpire.Persistence)
	case c.Program == "new-scheduledtask" || c.Program == "register-objectevent":
	default:
		c.Op(umpire.System, Quote("job install", c.Args), umpire.Persistence)
	}
}

func doNetAdapter(c *Call) {
	if c.Program == "set-dnsclientserveraddress" {
		c.Op(umpire.System, Quote("network change dns", c.Operands), 0)
		return
	}
	c.Op(umpire.System, Quote("network down", append(c.All("-Name"), c.Operands...)), 0)
}

func doWmiMethod(c *Call) {
	m, _ := c.Opt("-Name")
	if strings.EqualFold(m.Text, "create") {
		if a, ok := c.Opt("-ArgumentList"); ok {
			if _, text, ok := cutFold(a.Text, "commandline"); ok { // @{CommandLine="..."}
				text, _, _ = strings.Cut(text, "}")
				a = a.With(strings.Trim(strings.TrimLeft(text, " ="), `"' `))
			}
			c.Code("cmd", a, Run{})
		}
	}
	line := strings.ToLower(joined(c.Args).Text)
	if strings.Contains(line, "win32shutdown") || strings.Contains(line, "win32_operatingsystem") && strings.Contains(line, "reboot") {
		c.Op(umpire.System, "power off wmi", 0)
	}
}

// cutFold is strings.Cut without regard to the case of s. sep must be in lower case.
func cutFold(s, sep string) (before, after string, found bool) {
	i := strings.Index(strings.ToLower(s), sep)
	if i < 0 || i+len(sep) > len(s) {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func doWmi(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	if strings.Contains(line, "shadowcopy") {
		if strings.HasPrefix(c.Program, "remove-") {
			c.Op(umpire.System, "backup delete shadow-copies", umpire.DataStore|umpire.Irreversible|umpire.Destroy)
			return
		}
		c.SetOut(Stream{Text: "shadowcopy", Seen: false, Pipe: true})
	}
	if strings.HasPrefix(c.Program, "remove-") && (c.Stdin.Pipe || len(c.Args) > 0) {
		c.Op(umpire.System, "backup delete "+umpire.Hole, umpire.Destroy)
	}
}

func doHyperV(c *Call) {
	if c.Inert() {
		return
	}
	t := umpire.Destroy
	if c.Program == "remove-vhd" || c.Program == "remove-vmsnapshot" || c.Program == "remove-vm" {
		t |= umpire.DataStore | umpire.Irreversible
	}
	if c.Program == "stop-vm" || c.Program == "dismount-vhd" {
		t = umpire.Mutate
	}
	c.Op(umpire.Infra, Quote("hyperv "+c.Program, c.Operands), t)
}

func doShadow(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	switch {
	case strings.Contains(line, "delete"), strings.Contains(line, "resize") && strings.Contains(line, "maxsize"):
		c.Op(umpire.System, Quote("backup delete", c.Args), umpire.DataStore|umpire.Irreversible|umpire.Destroy)
	case strings.Contains(line, "start recovery"), strings.Contains(line, "disable backup"), strings.Contains(line, "stop job"):
		c.Op(umpire.System, Quote("setting backup", c.Args), 0)
	}
}

func doBootConfig(c *Call) {
	if len(c.Args) == 0 {
		return
	}
	if anyof.Equal(strings.ToLower(c.FirstArg()), "/enum", "/?", "/v", "/info", "/export", "-enum") {
		return
	}
	c.Op(umpire.System, Quote("boot change", c.Args), umpire.Loosened)
}

func doAuditpol(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	if anyof.Contains(line, "/clear", "/remove", "disable") {
		c.Op(umpire.System, Quote("log clear", c.Args), umpire.AuditTamper)
	}
}

func doFsutil(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	switch {
	case strings.Contains(line, "deletejournal"):
		c.Op(umpire.System, Quote("log clear", c.Args), umpire.AuditTamper)
	case strings.Contains(line, "setzerodata"), strings.Contains(line, "seteof"):
		c.WriteFile(c.Args[len(c.Args)-1], umpire.Truncate, Stream{})
	}
}

func doCipher(c *Call) {
	if w, ok := c.Opt("/w"); ok {
		c.Op(umpire.System, Quote("disk wipe-free", []Word{w}), umpire.Irreversible|umpire.Format)
	}
}

func doDiskpart(c *Call) {
	s := c.Stdin
	if f, ok := c.Opt("/s"); ok {
		c.ReadFile(f)
		s = c.File(f)
	}
	t := umpire.Irreversible
	if l := strings.ToLower(s.Text); !s.Seen || anyof.Contains(l, "clean", "format", "delete", "convert") {
		t |= umpire.Format
	} else {
		return
	}
	c.Op(umpire.System, "disk partition diskpart", t)
}

func doSchtasks(c *Call) {
	n, _ := c.Opt("/tn")
	switch {
	case c.Has("/create", "/change"):
		c.Op(umpire.System, Quote("job install", []Word{n}), umpire.Persistence)
	case c.Has("/delete"):
		if n.Text == "*" {
			c.Op(umpire.System, "job remove-all schtasks", umpire.Bulk)
			return
		}
		c.Op(umpire.System, Quote("job remove", []Word{n}), 0)
	}
}

func doSc(c *Call) {
	ws := c.Operands
	if len(ws) > 0 && strings.HasPrefix(ws[0].Text, `\\`) {
		ws = ws[1:]
	}
	if len(ws) < 2 {
		return
	}
	name := ws[1:2]
	line := strings.ToLower(joined(ws).Text)
	switch strings.ToLower(ws[0].Text) {
	case "stop", "pause", "delete":
		t := When(winGuard(name[0].Text), umpire.Irreversible)
		c.Op(umpire.System, Quote("service stop", name), t)
	case "create":
		c.Op(umpire.System, Quote("service edit", name), umpire.Persistence)
	case "config", "failure":
		if strings.Contains(line, "disabled") {
			c.Op(umpire.System, Quote("service stop", name), 0)
		} else if strings.Contains(line, "binpath") || strings.Contains(line, "command=") {
			c.Op(umpire.System, Quote("service edit", name), umpire.Persistence)
		}
	}
}

func doNet(c *Call) {
	ws := c.Operands
	if len(ws) == 0 {
		return
	}
	line := strings.ToLower(joined(c.Args).Text)
	switch strings.ToLower(ws[0].Text) {
	case "user", "localgroup", "group", "accounts":
		if anyof.Contains(line, "/add", "/delete", "/active") || len(ws) > 2 {
			c.Op(umpire.System, Quote("user "+strings.ToLower(ws[0].Text), ws[1:]), umpire.Persistence)
		}
	case "stop", "pause":
		t := When(len(ws) > 1 && winGuard(ws[1].Text), umpire.Irreversible)
		c.Op(umpire.System, Quote("service stop", ws[1:]), t)
	case "start", "continue":
		c.Op(umpire.System, Quote("service start", ws[1:]), 0)
	case "share":
		if strings.Contains(line, "=") {
			c.Op(umpire.Network, "smb share", umpire.Listen|umpire.HostAccess)
		}
	case "use":
		for _, w := range ws[1:] {
			if strings.HasPrefix(w.Text, `\\`) {
				h, _, _ := strings.Cut(strings.TrimLeft(w.Text, `\`), `\`)
				c.Net(w.With(h+":445"), 0, 0)
			}
		}
	}
}

func doNetsh(c *Call) {
	line := strings.ToLower(joined(c.Operands).Text)
	switch {
	case strings.Contains(line, "firewall") && anyof.Contains(line, "state off", "opmode disable", "opmode mode=disable", " reset", "delete rule name=all", "allowinbound"):
		c.Op(umpire.System, Quote("firewall flush", c.Operands), umpire.Loosened)
	case strings.Contains(line, "firewall") && anyof.Contains(line, " add ", " set ", " delete "):
		c.Op(umpire.System, Quote("firewall change", c.Operands), 0)
	case strings.Contains(line, "portproxy add"):
		c.Op(umpire.Network, "portproxy", umpire.Tunnel|umpire.HostAccess)
	case strings.Contains(line, "key=clear"):
		secretRead(c, "wlan", joined(c.Operands))
	case strings.Contains(line, "admin=disable") || strings.Contains(line, "disabled") || strings.HasPrefix(line, "interface set interface") && strings.HasSuffix(line, " disable"):
		c.Op(umpire.System, Quote("network down", c.Operands), 0)
	case anyof.Contains(line, "winsock reset", "ip reset", "set dns", "set address", "winhttp set proxy"):
		c.Op(umpire.System, Quote("network change", c.Operands), 0)
	}
}

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
	if anyof.Contains(line, "ntds", `config\sam`, "ifm", "lsass") {
		c.Op(umpire.System, "secret dump "+c.Program, umpire.CarriesSecret)
	}
}
