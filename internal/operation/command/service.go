package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// critical returns the traits of stopping a service: it may lock the user out, end a record of
// actions, or stop umpire.
func critical(name string) umpire.Trait {
	if i := strings.LastIndexByte(name, '/'); i >= 0 { // system/LABEL and PATH/LABEL.plist of launchctl
		name = name[i+1:]
	}
	for _, suffix := range []string{".service", ".socket", ".target", ".timer", ".plist"} {
		name = strings.TrimSuffix(name, suffix)
	}
	switch name {
	case "ssh", "sshd", "network", "networking", "NetworkManager", "systemd-networkd", "systemd-resolved", "dbus", "systemd-logind", "wpa_supplicant", "dhcpcd", "firewalld", "ufw", "nftables", "iptables", "com.openssh.sshd", "com.apple.mDNSResponder", "com.apple.alf.agent", "com.apple.loginwindow", "display-manager", "gdm", "lightdm", "getty", "systemd-udevd", "polkit", "fail2ban":
		return umpire.Irreversible
	case "auditd", "rsyslog", "rsyslogd", "syslog", "syslog-ng", "systemd-journald", "osqueryd", "falco", "crowdstrike", "falcon-sensor", "wazuh-agent", "clamav-daemon", "apparmor", "com.apple.auditd", "EventLog", "eventlog", "WinDefend", "windefend", "sysmon", "sysmon64", "mdatp":
		return umpire.AuditTamper
	case "umpire":
		return umpire.SelfTamper
	}
	return 0
}

// service records what a verb of a service manager does to services.
func service(c *Call, verb string, names []Word) {
	switch verb {
	case "stop", "disable", "mask", "kill", "isolate", "remove", "bootout", "unload", "down", "delete", "del", "exit", "shutdown", "force-stop", "force-shutdown", "d", "x":
		if len(names) == 0 && verb == "shutdown" { // supervisorctl stops itself and all that it runs
			names = Lits("all")
		}
		for _, n := range names {
			t := umpire.Mutate | critical(n.Text)
			if verb == "disable" || verb == "mask" || verb == "delete" || verb == "del" {
				t |= umpire.Persistence
			}
			sys(c, "service stop", t, n)
		}
		if verb == "isolate" {
			sys(c, "power isolate", umpire.Irreversible, names...)
		}
	case "start", "restart", "reload", "try-restart", "reload-or-restart", "force-reload", "up", "kickstart", "condrestart":
		for _, n := range names {
			sys(c, "service "+verb, critical(n.Text)&umpire.SelfTamper, n)
		}
	case "enable", "load", "bootstrap", "link", "preset", "reenable", "unmask", "add", "submit", "defaults":
		for _, n := range names {
			sys(c, "service enable", umpire.Persistence, n)
		}
	case "edit", "revert", "set-property", "set-default", "set-environment", "import-environment", "create":
		sys(c, "service edit", umpire.Persistence, names...)
	}
}

func doSystemctl(c *Call) {
	verb := c.Arg(0).Text
	rest := c.Operands[min(1, len(c.Operands)):]
	switch verb {
	case "poweroff", "reboot", "halt", "kexec", "suspend", "hibernate", "hybrid-sleep", "rescue", "emergency", "soft-reboot", "default":
		sys(c, "power off", umpire.Irreversible)
	case "start", "restart", "reload", "try-restart", "reload-or-restart":
		if !c.Has("--user") || slices.ContainsFunc(rest, func(w Word) bool { return critical(w.Text) != 0 }) {
			service(c, verb, rest)
			return
		}
		sys(c, "service own-"+verb, 0, rest...) // other people do not use it
	default:
		service(c, verb, rest)
	}
}

func doService(c *Call) {
	if len(c.Operands) > 1 {
		service(c, c.Operands[1].Text, c.Operands[:1])
	} else if c.Has("--full-restart") {
		service(c, "restart", c.Operands)
	}
}

func doSv(c *Call) { service(c, c.Arg(0).Text, c.Operands[min(1, len(c.Operands)):]) }

func doLaunchctl(c *Call) {
	verb := c.Arg(0).Text
	if anyof.Equal(verb, "load", "bootstrap", "enable", "submit") {
		c.SetOut(Stream{})
	}
	service(c, verb, c.Operands[min(1, len(c.Operands)):])
}

func doServiceEnable(c *Call) {
	if c.Program == "insserv" && c.Has("-r") {
		service(c, "disable", c.Operands)
		return
	}
	if len(c.Operands) > 1 {
		verb := c.Operands[1].Text
		if verb == "off" {
			verb = "disable"
		} else if verb == "on" {
			verb = "enable"
		}
		if c.Program == "rc-update" {
			service(c, c.Operands[0].Text, c.Operands[1:2])
			return
		}
		service(c, verb, c.Operands[:1])
	}
}

func doCrontab(c *Call) {
	switch {
	case c.Has("-l"): // unknown jobs; those that the command line appends are known
		c.SetOut(Stream{Text: umpire.Hole + "\n", Seen: true, Taint: FromUnseen})
	case c.Has("-r"):
		sys(c, "job remove-all", umpire.Irreversible|umpire.Bulk)
	case c.Has("-e"):
		sys(c, "job edit", umpire.Persistence)
	default:
		w := c.Arg(0)
		s := c.Stdin
		if w.Text != "" && w.Text != "-" {
			c.ReadFile(w)
			s = c.File(w)
		} else if !s.Pipe {
			return
		}
		sys(c, "job install", umpire.Persistence)
		jobs(c, s)
	}
}

// jobs runs the commands in a crontab.
func jobs(c *Call, s Stream) {
	if !s.Seen {
		return
	}
	for line := range strings.SplitSeq(s.Text, "\n") {
		f := strings.Fields(line)
		n := 5
		if len(f) > 0 && strings.HasPrefix(f[0], "@") {
			n = 1
		}
		if len(f) > n && !strings.HasPrefix(f[0], "#") {
			c.Code("sh", Word{Text: strings.Join(f[n:], " "), Taint: s.Taint}, Run{Traits: umpire.Persistence})
		}
	}
}

// JobScripts returns the scripts in the configuration of a CI service or of git hooks, or in a part
// of it. A text without keys is a script itself. Each script begins with the variables that get a
// secret of the service: the adversary gives the secret an innocent name.
func JobScripts(text string) (list []string) {
	var env strings.Builder
	var walk func(t *datafile.Value, script bool)
	walk = func(t *datafile.Value, script bool) {
		if script && t.Text != "" {
			list = append(list, t.Text)
		}
		t.Get("env").Each(func(name string, v *datafile.Value) {
			secret, one := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(v.Text, " ", "")), "${{secrets.")
			if isName(name) && (one && isName(strings.TrimSuffix(secret, "}}")) || secret == "${{tojson(secrets)}}") { // other text could hide the script
				env.WriteString(name + `="` + v.Text + "\"\n")
			}
		})
		if entry, args := t.Get("entry"), t.Get("args"); entry != nil && args != nil { // of pre-commit
			for _, a := range args.Kids {
				entry.Text = Quote(entry.Text, Lits(a.Text))
			}
		}
		for i, kid := range t.Kids {
			walk(kid, script && len(t.Keys) == 0 || len(t.Keys) > 0 && scriptKey(t.Keys[i]))
		}
	}
	root := datafile.YAML(text)
	if walk(root, false); len(list) == 0 && len(root.Keys)+len(root.Kids) == 0 { // a part of a script
		return []string{text}
	}
	for i := range list {
		list[i] = env.String() + list[i]
	}
	return list
}

// isName reports whether s is the name of a shell variable.
func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// scriptKey reports whether the text below a key is a script, in any CI service.
func scriptKey(key string) bool {
	return anyof.Equal(key, "run", "script", "before_script", "after_script", "entry", "runner", "rc", "command", "commands", "bash", "install", "before_install", "after_success")
}

func doAt(c *Call) {
	if c.Has("-l") || c.Has("-c") {
		return
	}
	if c.Has("-d") {
		doAtrm(c)
		return
	}
	s := c.Stdin
	if f, ok := c.Opt("-f"); ok {
		c.ReadFile(f)
		s = c.File(f)
	}
	sys(c, "job install", umpire.Persistence)
	if s.Pipe || s.Seen {
		c.Script("sh", s, Run{Via: "at", Traits: umpire.Persistence})
	}
}

func doAtrm(c *Call) { sys(c, "job remove", umpire.Mutate, c.Operands...) }
