package command

import (
	"cmp"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/redact"
)

// doNetcat reads nc: a program that it connects to the network, and the data that passes through
// it.
func doNetcat(c *Call) {
	if c.Inert() {
		return
	}
	ws := c.Operands
	listen := c.Has("-l", "--listen")
	var host Word
	switch {
	case listen:
		host = Lit("0.0.0.0")
		if p, ok := c.Opt("-p"); ok {
			host = p.With("0.0.0.0:" + p.Text)
		} else if len(ws) == 1 {
			host = ws[0].With("0.0.0.0:" + ws[0].Text)
		} else if len(ws) > 1 {
			host = ws[0].With(ws[0].Text + ":" + ws[1].Text)
		}
	case c.Has("-U"):
		return
	case len(ws) == 0:
		return
	default:
		host = ws[0]
		if len(ws) > 1 {
			host = Word{Text: ws[0].Text + ":" + ws[1].Text, Taint: ws[0].Taint}
		}
	}
	t := When(listen, umpire.Listen)
	for _, o := range []string{"-e", "-c", "--lua-exec"} {
		for _, w := range c.All(o) {
			if o == "-c" && w.Text == "" {
				continue
			}
			in := Unseen(FromNetwork)
			if o == "--lua-exec" {
				c.Net(host, t|umpire.HostAccess, 0)
				c.RunFile("lua", w, Run{Stdin: &in})
				continue
			}
			if !interactive(w.Text) {
				c.Net(host, t|umpire.HostAccess, 0)
				c.Shell(w, Run{Stdin: &in})
				continue
			}
			c.Net(host, t|umpire.RemoteShell, 0)
			c.Shell(w, Run{Stdin: &in, Traits: umpire.RemoteShell})
		}
	}
	if c.Has("-z") {
		c.Net(host, 0, 0)
		return
	}
	sent := c.Stdin.Taint
	if c.Stdin.Pipe && !c.Stdin.Seen {
		t |= umpire.Upload
	}
	if a := parseAddress(host.Text); a.local() && !listen {
		t &^= umpire.Upload
	}
	c.Net(host, t, sent)
	if !listen {
		c.speak(host)
	}
	c.SetOut(Unseen(FromNetwork))
}

// speak reads the text that a call writes by hand to the port of a service, in protocols whose
// commands are lines of text.
func (c *Call) speak(at Word) {
	if !c.Stdin.Pipe || !c.Stdin.Seen {
		return
	}
	host, port, _ := strings.Cut(at.Text, ":")
	first, _, _ := strings.Cut(c.Stdin.Text, "\n")
	if f := strings.Fields(first); len(f) == 3 && strings.HasPrefix(f[2], "HTTP/") {
		_, body, _ := strings.Cut(strings.ReplaceAll(c.Stdin.Text, "\r", ""), "\n\n")
		c.Request(f[0], at.With("http://"+at.Text+f[1]), Stream{Text: body, Taint: c.Stdin.Taint}, 0)
		return
	}
	switch port {
	case "6379":
		lang := "sql:redis"
		if !nearHost(at.With(host)) {
			lang += FarStore
		}
		c.Script(lang, c.Stdin, Run{Via: c.Program})
	case "11211":
		if strings.Contains(c.Stdin.Text, "flush_all") {
			c.Op(umpire.Database, "flushall", umpire.Destroy|umpire.Bulk)
		}
	}
}

// doSshd reads an SSH server that a call starts by hand: it lets others log in.
func doSshd(c *Call) {
	if !c.Inert() {
		port := Lit("22")
		if w, ok := c.Opt("-p"); ok {
			port = w
		}
		c.Net(port.With("0.0.0.0:"+port.Text), umpire.Listen|umpire.HostAccess, 0)
	}
}

// interactive reports whether a command line starts a program that runs its input.
func interactive(text string) bool {
	for f := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t;|&()'\"", r) }) {
		if anyof.Equal(strings.TrimRight(strings.TrimSuffix(strings.ToLower(f[strings.LastIndexAny(f, `/\`)+1:]), ".exe"), "0123456789."), "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh", "python", "perl", "ruby", "php", "node", "lua", "cmd", "powershell", "pwsh", "busybox", "xargs", "eval", "ssh", umpire.Hole, "") {
			return true
		}
	}
	return false
}

// doSocat reads socat, which connects two addresses. A program on one side and the network on the
// other is a shell for a remote party.
func doSocat(c *Call) {
	if c.Inert() || len(c.Operands) == 0 {
		return
	}
	a := readSocat(c, c.Operands[0])
	var b socatSide
	if len(c.Operands) > 1 {
		b = readSocat(c, c.Operands[1])
	}
	joinSocat(c, a, b)
	joinSocat(c, b, a)
	// Both halves of a dual address see the other side.
	out := Unseen(a.taint | b.taint)
	if len(a.net)+len(b.net) > 0 {
		out.Taint |= FromNetwork
	}
	c.SetOut(out)
}

// socatSide describes what one address of socat leads to.
type socatSide struct {
	net, program []Word
	taint        Taint
	listen       bool
	input        bool // standard input
	writes       []Word
}

// readSocat reads an address, or both halves of a dual one.
func readSocat(c *Call, w Word) (s socatSide) {
	for part := range strings.SplitSeq(w.Text, "!!") {
		part = strings.TrimSpace(part)
		kind, rest, _ := strings.Cut(part, ":")
		kind, opts, _ := strings.Cut(kind, ",")
		kind = strings.ToUpper(kind)
		body := rest
		switch {
		case kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL":
			body = cmp.Or(socatTrim(rest), "sh")
			s.program = append(s.program, w.With(body))
		case kind == "OPEN" || kind == "FILE" || kind == "GOPEN" || kind == "CREATE" || kind == "CREAT" || kind == "PIPE" || strings.HasPrefix(part, "/") || strings.HasPrefix(part, "./"):
			rest = cmp.Or(rest, part)
			f, o, _ := strings.Cut(rest, ",")
			for opt := range strings.SplitSeq(o+","+opts, ",") {
				if d, ok := strings.CutPrefix(opt, "chdir="); ok {
					f = strings.TrimSuffix(d, "/") + "/" + f
				}
			}
			if strings.HasPrefix(kind, "CREAT") {
				s.writes = append(s.writes, w.With(f))
				continue
			}
			s.taint |= c.ReadFileTaint(w.With(f))
			if anyof.Contains(o, "creat", "wronly", "append", "trunc") {
				s.writes = append(s.writes, w.With(f))
			}
		case kind == "-" || kind == "STDIO" || kind == "STDIN" || part == "-":
			s.taint |= c.Stdin.Taint
			s.input = true
		case kind == "FD":
			fd, _, _ := strings.Cut(rest, ",")
			s.writes = append(s.writes, w.With("/dev/fd/"+fd))
			s.taint |= c.File(w.With("/dev/fd/" + fd)).Taint
		case strings.HasPrefix(kind, "UNIX") || strings.HasPrefix(kind, "ABSTRACT") || kind == "PTY" || kind == "STDOUT" || kind == "STDERR" || kind == "READLINE" || kind == "TUN" || strings.HasPrefix(kind, "VSOCK") || digits(kind):
		case strings.Contains(kind, "LISTEN") || anyof.HasSuffix(kind, "-L", "-RECV", "-RECVFROM"):
			p, o, _ := strings.Cut(body, ",")
			addr := "0.0.0.0:" + p
			for opt := range strings.SplitSeq(o, ",") {
				if b, ok := strings.CutPrefix(opt, "bind="); ok {
					addr = b + ":" + p
				}
			}
			s.listen = true
			s.net = append(s.net, w.With(addr))
		default: // TCP, TCP4, UDP, OPENSSL, SSL, SCTP, PROXY, SOCKS4A, ... and bare host:port
			addr, _, _ := strings.Cut(body, ",")
			if kind == "PROXY" || strings.HasPrefix(kind, "SOCKS") {
				var proxy string // the proxy gets the data, whatever host follows
				proxy, addr, _ = strings.Cut(addr, ":")
				s.net = append(s.net, w.With(proxy))
			}
			if addr != "" {
				s.net = append(s.net, w.With(addr))
			}
		}
	}
	return s
}

// joinSocat records the effects of the far side's data on the near side, and the near side's data
// that goes to the far side's network.
func joinSocat(c *Call, near, far socatSide) {
	for _, n := range far.net {
		t := When(far.listen, umpire.Listen)
		t |= When(len(near.program) > 0, umpire.RemoteShell)
		t |= When(len(near.net) > 0 && far.listen, umpire.Tunnel)
		t |= When(near.taint != 0 || c.Stdin.Pipe && !c.Stdin.Seen, umpire.Upload)
		if x := parseAddress(n.Text); x.local() && !far.listen {
			t &^= umpire.Upload
		}
		c.Net(n, t, near.taint)
		if near.input && !far.listen {
			c.speak(n)
		}
	}
	for _, p := range near.program {
		r := Run{}
		if len(far.net) > 0 {
			in := Unseen(FromNetwork)
			r.Stdin, r.Traits = &in, umpire.RemoteShell
		} else if far.taint != 0 {
			in := Unseen(far.taint)
			r.Stdin = &in
		}
		c.Shell(p, r)
	}
	for _, w := range near.writes {
		in := Unseen(far.taint)
		if len(far.net) > 0 {
			in.Taint |= FromNetwork
		}
		c.WriteFile(w, umpire.Truncate, in)
	}
}

// socatTrim removes quotes around a command, or socat's known options at its end.
func socatTrim(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '\'' || s[0] == '"') {
		if j := strings.IndexByte(s[1:], s[0]); j >= 0 {
			return s[1 : j+1]
		}
	}
	for {
		i := strings.LastIndexByte(s, ',')
		if i < 0 {
			return s
		}
		o, _, _ := strings.Cut(s[i+1:], "=")
		switch o {
		case "pty", "stderr", "setsid", "sigint", "sane", "ctty", "raw", "echo", "fork", "nofork", "pipes", "chdir", "su", "su-d", "user", "rawer", "cfmakeraw", "login", "path", "fdin", "fdout", "sighup", "sigquit", "end-close", "umask", "retry", "forever", "interval", "reuseaddr", "unlink-close", "waitslave", "icanon", "isig":
			s = s[:i]
		default:
			return s
		}
	}
}

func doTelnet(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	host := c.Operands[0]
	if len(c.Operands) > 1 {
		host = Word{Text: host.Text + ":" + c.Operands[1].Text, Taint: host.Taint}
	} else {
		host.Text += ":23"
	}
	c.Net(host, 0, c.Stdin.Taint)
	c.speak(host)
	c.SetOut(Unseen(FromNetwork))
}

// doTunnel records services that make a port of this machine reachable from the internet.
func doTunnel(c *Call) {
	if c.Inert() {
		return
	}
	t := umpire.Tunnel
	ws := c.Operands
	first := c.Arg(0).Text
	switch c.Program {
	case "ngrok":
		switch first {
		case "tcp", "tls", "start", "ssh":
			t |= umpire.HostAccess
		case "http", "":
		default: // config, version, help, api
			return
		}
	case "cloudflared":
		switch {
		case first == "tunnel" && len(ws) > 1 && (ws[1].Text == "list" || ws[1].Text == "info"):
			return
		case first == "tunnel" || first == "access" && len(ws) > 1 && ws[1].Text != "login":
			if u, ok := c.Opt("--url"); ok && (strings.HasPrefix(u.Text, "ssh:") || strings.HasPrefix(u.Text, "tcp:") || strings.HasPrefix(u.Text, "rdp:")) {
				t |= umpire.HostAccess
			}
		default:
			return
		}
	case "tailscale":
		if first == "ssh" {
			c.onMachine()
			return
		}
		if first == "down" || first == "logout" {
			sys(c, "network down", umpire.Mutate, c.Operands...)
			return
		}
		switch {
		case (first == "up" || first == "set") && c.Has("--ssh") && !HasText(c.Args, "--ssh=false"):
			t |= umpire.HostAccess | umpire.RemoteShell
		case first != "funnel" && first != "serve":
			return
		}
		if len(ws) > 1 && (ws[1].Text == "status" || ws[1].Text == "off" || ws[1].Text == "reset") {
			return
		}
	case "frpc", "chisel", "gost", "rathole", "npc", "ligolo-ng", "ligolo", "iodine", "dnscat", "dnscat2", "ptunnel", "gsocket", "gs-netcat":
		t |= umpire.HostAccess
	}
	for _, w := range ws {
		if shellPort(w.Text) || strings.HasSuffix(w.Text, ":22") || strings.HasPrefix(w.Text, "R:") {
			t |= umpire.HostAccess | umpire.RemoteShell
		}
	}
	for _, w := range c.Args {
		if w.Text == "22" {
			t |= umpire.HostAccess | umpire.RemoteShell
		}
	}
	host := c.Program
	for _, w := range ws {
		if strings.Contains(w.Text, ".") && !isPathWord(w.Text) && parseAddress(w.Text).Host != "" && !parseAddress(w.Text).local() {
			host = parseAddress(w.Text).hostport()
			break
		}
	}
	c.Op(umpire.Network, host, t)
}

func doShareTerminal(c *Call) {
	if !c.Inert() {
		c.Op(umpire.Network, c.Program, umpire.Tunnel|umpire.RemoteShell|umpire.HostAccess)
	}
}

// doLookup reads name look-ups. The name itself goes to the server of its zone, so a secret before
// an adversary's domain leaves as surely as by a POST.
func doLookup(c *Call) {
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "+") {
			continue
		}
		lookup(c, w.With(strings.TrimPrefix(w.Text, "@")))
	}
	if c.Has("-f") {
		for i, w := range c.Args {
			if w.Text == "-f" && i+1 < len(c.Args) {
				c.ReadFile(c.Args[i+1])
			}
		}
	}
	c.SetOut(Unseen(FromNetwork))
}

func lookup(c *Call, w Word) {
	if !strings.ContainsAny(w.Text, ".:") {
		return
	}
	t := umpire.Trait(0)
	if head, tail, ok := strings.Cut(w.Text, umpire.Hole); ok && !strings.Contains(head, ".") && strings.Count(tail, ".") >= 2 && !strings.Contains(tail, umpire.Hole) {
		t |= umpire.Upload // $(id).evil.example
	}
	if w.Taint&FromHost != 0 && strings.Count(w.Text, ".") >= 2 {
		t |= umpire.Upload
	}
	if label, _, _ := strings.Cut(w.Text, "."); len(label) > 40 || redact.HoldsKey(w.Text) {
		t |= umpire.Upload
	}
	if t == 0 && w.Known() && w.Taint == 0 {
		t = WebRead("https://" + w.Text)
	}
	c.Net(w, t, w.Taint)
}

func doPing(c *Call) {
	var t Taint
	for _, o := range []string{"-p", "--data", "--data-string", "-d", "-E"} {
		for _, w := range c.All(o) {
			t |= w.Taint
		}
	}
	for _, w := range c.Operands {
		if strings.ContainsAny(w.Text, ".") {
			lookup(c, w)
		} else {
			c.Net(w, 0, 0)
		}
		if t&(FromSecret|FromEnv) != 0 {
			c.Net(w, 0, t)
		}
	}
	if c.Program == "hping3" && c.Has("--flood") || c.Program == "ping" && c.Has("-f") {
		c.Op(umpire.Network, "flood", umpire.Bulk)
	}
}

// doScan records port scans of other machines.
func doScan(c *Call) {
	if c.Inert() {
		return
	}
	if s, ok := c.Opt("--script"); ok && (strings.HasPrefix(s.Text, "/") || strings.HasPrefix(s.Text, ".")) {
		c.RunFile("lua", s, Run{})
	}
	for _, w := range c.Operands {
		a := parseAddress(w.Text)
		t := umpire.Bulk
		if a.local() && a.Host != "0.0.0.0" { // 0.0.0.0/0 is the whole internet
			t = 0
		}
		c.Emit(umpire.Operation{Kind: umpire.Network, Resource: a.Host, Traits: t | c.Traits})
	}
}

// doIntrusion records tools whose only use against another machine is to attack it.
func doIntrusion(c *Call) {
	if c.Inert() {
		return
	}
	for _, w := range append(c.Args, Lit(umpire.Hole)) {
		if strings.Trim(w.Text, "0123456789") == "" {
			continue // a count, which would also parse as an address: -t 40
		}
		a := parseAddress(w.Text)
		if strings.Contains(w.Text, "://") || strings.Count(a.Host, ".") >= 1 && !isPathWord(w.Text) || w.Text == umpire.Hole {
			t := umpire.Bulk
			if a.local() {
				t = 0
			}
			c.Emit(umpire.Operation{Kind: umpire.Network, Resource: a.hostport(), Traits: t | c.Traits})
			return
		}
	}
}

func doCapture(c *Call) {
	if w, ok := c.Opt("-z"); ok && c.Program == "tcpdump" {
		c.Exec([]Word{w, Lit(umpire.Hole)}, Run{Traits: umpire.RunsProgram})
	}
}
