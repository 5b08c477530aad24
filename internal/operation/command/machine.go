package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// sys records a change of the machine: what changes, then the object.
func sys(c *Call, what string, t umpire.Trait, args ...Word) {
	c.Op(umpire.System, Quote(what, args), t)
}

// ownShell reports whether chsh gives its caller one of the usual shells of the system.
func ownShell(c *Call) bool {
	shell, ok := c.Opt("-s")
	if !ok || len(c.Operands) > 0 {
		return false
	}
	dir, name := shell.Text[:strings.LastIndexByte(shell.Text, '/')+1], LastName(shell.Text)
	switch dir {
	case "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/", Installed:
	default:
		return false
	}
	return anyof.Equal(name, "sh", "bash", "zsh", "fish", "dash", "ksh", "tcsh", "nu")
}

func doUsers(c *Call) {
	if c.Has("-S") || c.Program == "visudo" && c.Has("-c") || c.Program == "chage" && c.Has("-l", "--list") {
		return
	}
	if c.Program == "chsh" && ownShell(c) {
		sys(c, "shell login", umpire.Mutate, c.All("-s")...)
		return
	}
	verb := "user change"
	t := umpire.Mutate
	switch c.Program {
	case "useradd", "adduser", "newusers":
		verb, t = "user add", t|umpire.Persistence
	case "userdel", "deluser":
		verb, t = "user delete", t|umpire.Irreversible|umpire.Destroy
	case "groupadd", "addgroup":
		verb = "group add"
	case "groupdel", "delgroup":
		verb = "group delete"
	case "passwd", "chpasswd":
		verb, t = "user password", t|umpire.Persistence
	case "visudo", "vipw", "vigr":
		verb, t = "user rights", t|umpire.Privilege|umpire.Persistence
	case "dscl", "pw", "sysadminctl", "dseditgroup":
		list := false
		for _, w := range c.Args {
			switch strings.TrimPrefix(w.Text, "-") {
			case "read", "list", "search", "show", "usershow", "readall", "o":
				list = true
			case "create", "append", "useradd", "addUser", "passwd":
				t |= umpire.Persistence
			case "delete", "userdel", "deleteUser":
				t |= umpire.Destroy | umpire.Irreversible
			}
		}
		if list && t == umpire.Mutate {
			return
		}
	}
	for _, w := range append(c.All("-G"), c.Operands...) {
		for g := range strings.SplitSeq(w.Text, ",") {
			if anyof.Equal(g, "sudo", "wheel", "root", "admin", "docker", "lxd", "disk", "shadow", "adm") {
				t |= umpire.Privilege | umpire.Persistence
			}
		}
	}
	if uid, ok := c.Opt("-u"); ok && uid.Text == "0" {
		t |= umpire.Privilege
	}
	sys(c, verb, t, c.Operands...)
}

// doXattr reads xattr. On macOS, a file without the quarantine mark runs without a check of its
// signature. A file in the workspace does not count.
func doXattr(c *Call) {
	files := c.Operands
	if c.Has("-d") {
		if len(files) == 0 || files[0].Known() && files[0].Text != "com.apple.quarantine" {
			return
		}
		files = files[1:]
	} else if !c.Has("-c") {
		return
	}
	for _, w := range files {
		if _, p := c.Path(w); !w.Known() || p&umpire.PlaceInWorkspace == 0 {
			sys(c, "quarantine clear", 0, w)
		}
	}
}

func doSysctl(c *Call) {
	if c.Has("-p") || c.Has("--system") {
		sys(c, "kernel set", umpire.Mutate)
	}
	for _, w := range c.Operands {
		if strings.Contains(w.Text, "=") {
			t := umpire.Mutate
			if anyof.HasPrefix(w.Text, "kernel.", "fs.protected", "fs.suid") {
				t |= umpire.Loosened
			}
			sys(c, "kernel set", t, w)
		}
	}
}

func doDate(c *Call) {
	if _, ok := c.Opt("-s"); ok {
		sys(c, "time set", umpire.AuditTamper)
		return
	}
	for _, w := range c.Operands {
		if !strings.HasPrefix(w.Text, "+") && !c.Has("-j") && w.Known() && strings.Trim(w.Text, "0123456789.") == "" && len(w.Text) >= 8 {
			sys(c, "time set", umpire.AuditTamper)
		}
	}
	if len(c.Operands) == 1 {
		if s, ok := dateText(c.Operands[0].Text); ok {
			c.SetOut(Text(s + "\n"))
		}
	}
}

// dateText returns the output of date for a format with only numbers. It can be part of a name, and
// does not lead to another folder.
func dateText(format string) (string, bool) {
	format, ok := strings.CutPrefix(format, "+")
	if !ok || strings.Contains(format, umpire.Hole) {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		if i++; i == len(format) || strings.IndexByte("YyCmdeHIMSNsjuwVUWGgFTR", format[i]) < 0 {
			return "", false
		}
		b.WriteString(Number)
	}
	return b.String(), true
}

func doFirewall(c *Call) {
	text := Quote("", c.Args)
	if strings.HasSuffix(c.Program, "-restore") {
		if c.Has("-t") {
			return // only parses the rules
		}
		t := umpire.Mutate
		if c.Stdin.Seen && !strings.Contains(c.Stdin.Text, "-A") {
			t |= umpire.Loosened | umpire.Irreversible
		}
		sys(c, "firewall flush", t, c.Operands...)
		return
	}
	flush := c.Has("-F") || c.Has("-X") || anyof.Contains(text, " flush ruleset", " flush", " disable", " reset") ||
		c.Program == "pfctl" && (c.Has("-d") || c.Has("-F")) || strings.Contains(text, "--panic-on") || strings.Contains(text, " delete table")
	open := false
	if c.Has("-P") {
		open = strings.Contains(text, "ACCEPT")
		flush = flush || strings.Contains(text, "DROP")
	}
	if strings.Contains(text, "default allow") {
		open = true
	}
	list := c.Has("-L") || c.Has("-S") || c.Has("-C") || c.Arg(0).Text == "list" || c.Arg(0).Text == "status" || c.Arg(0).Text == "show" || anyof.Contains(text, "--list", "--get", "--state") || c.Program == "pfctl" && c.Has("-s")
	switch {
	case flush || open:
		sys(c, "firewall flush", umpire.Loosened|umpire.Irreversible, c.Operands...)
	case list, len(c.Args) == 0:
	default:
		sys(c, "firewall change", umpire.Mutate, c.Operands...)
	}
}

// doNetworkOptions reads programs that change network settings by options or verbs. It lists those
// that only show settings; all others count as changes.
func doNetworkOptions(c *Call) {
	v := c.Arg(0).Text
	shows, down := len(c.Args) == 0, false
	switch c.Program {
	case "brctl":
		shows = shows || strings.HasPrefix(v, "show")
		down = strings.HasPrefix(v, "del")
	case "ethtool":
		shows = len(c.Args) < 2 || anyof.Equal(c.Args[0].Text, "-a", "-c", "-g", "-k", "-i", "-d", "-e", "-S", "-n", "-u", "-w", "-P", "-l", "-x", "-T", "-t", "-m", "-j", "--json", "-I", "--phy-statistics", "--driver", "--statistics",
			"--module-info", "--register-dump", "--eeprom-dump", "--permaddr", "--features", "--offload", "--test") || strings.HasPrefix(c.FirstArg(), "--show-") || strings.HasPrefix(c.FirstArg(), "--get-")
		down = c.Has("-s", "--change") || c.Has("-f", "--flash") || c.Has("-E", "--change-eeprom") || c.Has("--reset")
	case "arp":
		shows = !c.Has("-d", "-s", "-f")
	case "conntrack":
		shows = !c.Has("-D", "-F", "-I", "-U")
		down = c.Has("-F", "-D")
	case "resolvectl":
		shows = shows || anyof.Equal(v, "status", "query", "service", "openpgp", "tlsa", "statistics", "show-cache", "show-server-state", "monitor", "help", "flush-caches", "reset-statistics") || len(c.Operands) < 3 && v != "revert"
	}
	switch {
	case shows:
	case down:
		sys(c, "network down", umpire.Mutate|umpire.Irreversible, c.Operands...)
	default:
		sys(c, "network change", umpire.Mutate, c.Operands...)
	}
}

// doIP reads ip, whose words may be abbreviated. A command in another network namespace still works
// on the same files.
func doIP(c *Call) {
	object, verb := c.Arg(0).Text, c.Arg(1).Text
	if len(c.Operands) > 3 && object != "" && (strings.HasPrefix("netns", object) || strings.HasPrefix("vrf", object)) && verb != "" && strings.HasPrefix("exec", verb) {
		for i, w := range c.Args {
			if w.Text == verb && i+2 < len(c.Args) {
				c.Exec(c.Args[i+2:], Run{Out: true})
				return
			}
		}
	}
	doNetworkConfig(c)
}

func doNetworkConfig(c *Call) {
	text := " " + Quote("", c.Args) + " "
	minor := anyof.Contains(text, " cache ", " docker", " br-", " veth", " virbr", " tun", " wg", " lo ") ||
		c.Program == "ip" && anyof.Listed("neigh neighbour neighbor tcp_metrics tcpmetrics ntable", c.Arg(0).Text) // what the kernel learns again
	if minor && anyof.Contains(text, " down ", " flush ", " del", " change ") {
		sys(c, "network change", umpire.Mutate, c.Operands...)
		return
	}
	for _, v := range []string{" down ", " del ", " delete ", " flush ", " off ", " disconnect ", " replace ", " change ", " unmanaged ", " remove "} {
		if strings.Contains(text, v) {
			sys(c, "network down", umpire.Mutate|umpire.Irreversible, c.Operands...)
			return
		}
	}
	if c.Program == "ifdown" {
		sys(c, "network down", umpire.Mutate|umpire.Irreversible, c.Operands...)
		return
	}
	if anyof.Contains(text, " add ", " set ", " modify ", " -set") {
		sys(c, "network change", umpire.Mutate, c.Operands...)
		return
	}
}

// SystemOp is a change of the machine that certain arguments of a program mean.
type SystemOp struct {
	When     []string
	Is       string
	Traits   umpire.Trait
	Operands bool
}

// EncodeSystem returns changes in the form of Model.System.
func EncodeSystem(ops []SystemOp) string {
	rows := make([]string, len(ops))
	for i, o := range ops {
		rows[i] = strings.Join(o.When, ",") + "=" + o.Is + "=" + strconv.FormatUint(uint64(o.Traits), 10) + "=" + map[bool]string{true: "1"}[o.Operands]
	}
	return strings.Join(rows, ";")
}

// systemOps records the first change of the machine that the arguments mean.
func (c *Call) systemOps(table string) {
	for row := range strings.SplitSeq(table, ";") {
		f := strings.Split(row, "=")
		if !c.when(f[0]) {
			continue
		}
		if f[1] != "" {
			what := strings.NewReplacer("%1", c.Arg(0).Text, "%2", c.Arg(1).Text, "%", c.Program).Replace(f[1])
			sys(c, what, umpire.Trait(number(f[2])), c.Operands[:len(c.Operands)*len(f[3])]...)
		}
		return
	}
}

// when reports whether the call has one of the options, options with a value, or first operands.
func (c *Call) when(list string) bool {
	return list == "" || slices.ContainsFunc(strings.Split(list, ","), func(w string) bool {
		if w[0] != '-' {
			for i, part := range strings.Fields(w) {
				start, more := strings.CutSuffix(part, "*")
				if low := strings.ToLower(c.Arg(i).Text); low == "" || low != start && !(more && strings.HasPrefix(low, start)) {
					return false
				}
			}
			return true
		}
		if start, more := strings.CutSuffix(w, "*"); more {
			return slices.ContainsFunc(c.opts, func(o setOption) bool { return strings.HasPrefix(o.raw, start) })
		}
		name, value, valued := strings.Cut(w, " ")
		v, _ := c.Opt(name)
		return !valued && c.Has(name) || valued && v.Text == value
	})
}

// machineVerbs lists words with which a platform's client runs a command on one of its machines.
const machineVerbs = "ssh winrm exec run run:detached run:inside console run-command runProgramInGuest execute-command command RunCommand guest.run guest.start lxc-enter-namespace qemu-agent-command"

// machineVerb reports whether a word is such a verb, or a compound such as ps:exec or node-ssh.
func machineVerb(w string) bool {
	last := w[strings.LastIndexAny(w, ":.-_")+1:]
	return anyof.Listed(machineVerbs, w) || !strings.HasPrefix(w, "-") && anyof.Equal(last, "ssh", "exec")
}

// machineOptions lists options whose value is such a command.
const machineOptions = "-C --command --ssh-command --exec-command --scripts --script --cmd --CommandContent"

// onMachine runs the command that a platform's client runs on a remote machine, and reports whether
// there is one: fly ssh console -C TEXT, heroku run WORDS, platform ssh -e main TEXT.
func (c *Call) onMachine() bool {
	at := slices.IndexFunc(c.Args, func(w Word) bool { return machineVerb(w.Text) })
	return at >= 0 && at <= 4 && !(c.Program == "gcloud" && c.Args[at].Text == "run") && c.onMachineAfter(at) // gcloud run is a service, not a verb
}

// onMachineAfter does the work of onMachine for a verb at index at.
func (c *Call) onMachineAfter(at int) bool {
	r := Run{Traits: umpire.Remote, Out: true}
	if c.Program == "railway" && c.Args[at].Text == "run" { // runs on this machine, with the service's variables
		r.Traits = 0
	}
	ssh := anyof.Equal(c.Args[at].Text, "ssh", "winrm")
	words, command := 0, -1 // command is the index at which the command's words begin
	for i := at + 1; i < len(c.Args) && command < 0; i++ {
		w := c.Args[i]
		name, value, attached := strings.Cut(w.Text, "=")
		switch {
		case w.Text == "--":
			command = i + 1
		case strings.HasPrefix(name, "-"):
			w = w.With(value)
			text := anyof.Listed(machineOptions, name) || name == "-c" && c.Program != "gh" && i+1 < len(c.Args) && (ssh || strings.Contains(c.Args[i+1].Text, " ")) // with other verbs, -c may name a codespace or container
			if o, known := c.Model.option(name); !attached && i+1 < len(c.Args) && (text || known && o.role != 0) {
				i++
				w, attached = c.Args[i], true
			}
			if text && attached {
				c.guestShell(w, r)
				return true
			}
		case strings.HasPrefix(w.Text, "{"):
			c.guestShell(w, r)
			return true
		case machineVerb(w.Text), anyof.Equal(w.Text, "invoke", "create"):
		case words < 3 && c.startsCommand(joined(c.Args[i:]).Text): // after the kind and the name of the machine
			command = i
		default:
			words++
		}
	}
	if command < 0 || command >= len(c.Args) {
		return false
	}
	c.Shell(joined(c.Args[command:]), r)
	return true
}

// guestShell runs a text, or the command in a JSON request to a virtual machine's guest agent:
// {"execute": "guest-exec", "arguments": {"path": "rm", "arg": ["x"]}}.
func (c *Call) guestShell(w Word, r Run) {
	if !strings.HasPrefix(w.Text, "{") {
		c.Shell(w, r)
	} else if order := datafile.JSON(w.Text).Get("arguments"); order.Str("path") != "" {
		c.Exec(Lits(append([]string{order.Str("path")}, order.Get("arg").Texts()...)...), r)
	}
}
