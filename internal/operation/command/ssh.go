package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// transport reads ssh's -o settings. Some name programs that run on this machine.
func transport(c *Call) {
	for _, w := range c.All("-o") {
		sshSetting(c, w)
	}
	for _, w := range c.All("-F") {
		s := c.File(w)
		if !s.Seen && s.Taint&(FromNetwork|FromDecoder) != 0 { // the file may name programs
			c.Script("sh", s, Run{})
		}
		if !s.Seen && s.Taint == 0 { // outside the project
			s = c.Starts(w)
		}
		if s.Seen {
			for line := range strings.SplitSeq(s.Text, "\n") {
				sshSetting(c, Word{Text: strings.TrimSpace(line), Taint: s.Taint})
			}
		}
	}
}

// sshSetting reads one setting, in the form NAME=VALUE or NAME VALUE.
func sshSetting(c *Call, w Word) {
	name, value := w.Text, ""
	if i := strings.IndexAny(w.Text, "= \t"); i > 0 {
		name, value = w.Text[:i], unquote(strings.TrimLeft(w.Text[i:], "= \t"))
	}
	if value == "" || value == "none" {
		return
	}
	switch strings.ToLower(name) {
	case "proxycommand", "localcommand", "knownhostscommand", "permitlocalcommand":
		if value == "yes" || value == "no" {
			return
		}
		v := strings.TrimPrefix(value, "exec ")
		// ssh replaces %h and similar tokens. Placeholders are enough here.
		v = strings.NewReplacer("%h", "host", "%p", "22", "%r", "user", "%n", "host", "%%", "%").Replace(v)
		c.Shell(w.With(v), Run{Traits: umpire.RunsProgram})
	case "remotecommand":
		c.Shell(w.With(value), Run{Traits: umpire.Remote, Out: true})
	case "remoteforward":
		remoteForward(c, Lit("ssh"), value)
	case "pkcs11provider", "securitykeyprovider":
		c.Op(umpire.Exec, "ssh -o "+w.Text, umpire.LoadsCode)
	case "proxyjump":
		c.Net(w.With(value), 0, 0)
	}
}

// unquote removes a pair of quotes around the whole text.
func unquote(s string) string {
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] && strings.Count(s, s[:1]) == 2 {
		return s[1 : n-1]
	}
	return s
}

// remoteForward records that a remote party can reach a port of this machine.
func remoteForward(c *Call, host Word, spec string) {
	t := umpire.Tunnel | umpire.HostAccess
	f := strings.Split(spec, ":")
	if shellPort(f[len(f)-1]) || len(f) == 1 {
		t |= umpire.RemoteShell
	}
	c.Net(host, t, 0)
}

// shellPort reports whether access to a port, or to a socket file, gives control of the machine.
func shellPort(p string) bool {
	return anyof.Equal(p, "22", "23", "2222", "3389", "5900", "5901", "2375", "2376", "6443", "10250", "5985", "5986", "445", "ssh", "rdp", "vnc") || strings.HasSuffix(p, ".sock")
}

// doSSH reads ssh HOST [COMMAND...]. Options may come before and after the host. ssh joins the
// words of the command and gives them to the remote user's shell.
func doSSH(c *Call) {
	if len(c.Operands) == 0 {
		transport(c)
		return
	}
	host := c.Operands[0]
	command := c.Operands[1:]
	if c.Program == "autossh" || c.Program == "et" || c.Program == "mosh" {
		command = afterDashes(command)
	}
	// An option after the host is still an option.
	if len(command) > 0 && strings.HasPrefix(command[0].Text, "-") && c.Program != "mosh" {
		more := &Call{Host: c.Host, Program: c.Program, Name: c.Name, Stdin: c.Stdin}
		more.parse(c.Model, command)
		c.opts = append(c.opts, more.opts...)
		command = more.Operands
	}
	transport(c)
	if c.Inert() {
		return
	}
	if w, ok := c.Opt("-O"); ok && w.Text != "forward" {
		return
	}
	for _, w := range c.All("-J") {
		for h := range strings.SplitSeq(w.Text, ",") {
			c.Net(w.With(h), 0, 0)
		}
	}
	for _, w := range c.All("-R") {
		remoteForward(c, sshHost(host), w.Text)
	}
	if len(c.All("-w")) > 0 {
		c.Net(sshHost(host), umpire.Tunnel|umpire.HostAccess, 0)
	}
	t := umpire.Trait(0)
	sent := c.Stdin.Taint
	if c.Stdin.Pipe && !c.Stdin.Seen && !c.Has("-n") && len(command) > 0 {
		t |= umpire.Upload
	}
	if c.Stdin.Pipe && len(command) == 0 && c.Stdin.Seen {
		// The remote login shell reads the piped input.
		c.Script("sh", c.Stdin, Run{Via: "ssh", Traits: umpire.Remote})
	}
	c.Net(sshHost(host), t, sent)
	c.SetOut(Unseen(FromNetwork))
	if len(command) == 0 {
		return
	}
	c.Shell(joined(command), Run{Traits: umpire.Remote})
}

// sshHost returns the host's name with ssh's default port, for rules that name a port.
func sshHost(w Word) Word {
	t := w.Text
	t = strings.TrimPrefix(t, "ssh://")
	if i := strings.LastIndexByte(t, '@'); i >= 0 {
		t = t[i+1:]
	}
	if !strings.Contains(t, ":") && t != "" {
		t += ":22"
	}
	return w.With(t)
}

// remotePath splits host:path, and reports whether there is a host. A colon after a slash is part
// of a file's name.
func remotePath(w Word) (host, path Word, remote bool) {
	t := w.Text
	for _, s := range []string{"scp://", "sftp://", "rsync://", "ssh://"} {
		if rest, ok := strings.CutPrefix(t, s); ok {
			h, p, _ := strings.Cut(rest, "/")
			return w.With(h), w.With(p), true
		}
	}
	i := strings.IndexByte(t, ':')
	if strings.HasPrefix(t, "[") || strings.Contains(t[:max(i, 0)], "@[") {
		if j := strings.Index(t, "]:"); j > 0 {
			i = j + 1
		}
	}
	if i <= 0 || strings.Contains(t[:i], "/") || i == 1 && len(t) > 2 && (t[2] == '\\' || t[2] == '/') && t[0]|0x20 >= 'a' && t[0]|0x20 <= 'z' {
		return w, w, false
	}
	return w.With(t[:i]), w.With(strings.TrimPrefix(t[i+1:], ":")), true
}

func doScp(c *Call) {
	transport(c)
	if c.Inert() || len(c.Operands) < 2 {
		return
	}
	n := len(c.Operands) - 1
	transfer(c, c.Operands[:n], c.Operands[n], c.Has("-r"), umpire.Truncate)
}

// transfer copies files between machines, or within this one.
func transfer(c *Call, from []Word, to Word, recursive bool, how umpire.Trait) {
	t, own := When(recursive, umpire.Recursive), c.Traits
	host, _, out := remotePath(to)
	var taint Taint
	in := false
	for _, w := range from {
		if h, _, remote := remotePath(w); remote {
			in = true
			taint |= FromNetwork
			if !out {
				c.Net(sshHost(h), umpire.Download, 0)
			}
			continue
		}
		c.Traits |= t
		taint |= c.ReadFileTaint(w)
		c.Traits = own
	}
	if out {
		c.Net(sshHost(host), umpire.Upload, taint)
		return
	}
	s := Unseen(taint)
	if !in && len(from) == 1 {
		s = c.File(from[0])
		s.Taint |= taint
	}
	c.WriteFile(to, t|how, s)
	if len(from) == 1 {
		_, p, _ := remotePath(from[0])
		name := p.Text[strings.LastIndexByte(strings.TrimSuffix(p.Text, "/"), '/')+1:]
		if name != "" && name != "." {
			// The destination may be a folder.
			c.Store(to.With(strings.TrimSuffix(to.Text, "/")+"/"+name), s)
		}
	}
}

// doRsync reads copies that may cross to another machine. With --delete the destination loses files
// that the source does not have; with --remove-source-files the source is removed.
func doRsync(c *Call) {
	for _, w := range c.All("-e") {
		// rsync appends the host and a command to the transport's words.
		c.Exec(append(SplitWords(w), Lits("host", "true")...), Run{Traits: HelperTraits(w), Via: "rsync -e"})
	}
	if c.Inert() || c.Has("--list-only") || len(c.Operands) < 2 {
		return
	}
	n := len(c.Operands) - 1
	from, to := c.Operands[:n], c.Operands[n]
	if f, ok := c.Opt("--files-from"); ok {
		c.ReadFile(f)
	}
	transfer(c, from, to, true, umpire.Overwrite)
	_, _, remote := remotePath(to)
	for _, w := range from {
		if _, _, far := remotePath(w); !far && !remote {
			c.Copied(to, w)
		}
	}
	for i := range c.opts {
		o := &c.opts[i]
		switch {
		case o.raw == "--remove-source-files" || o.raw == "--remove-sent-files":
			for _, w := range from {
				if _, _, far := remotePath(w); !far {
					c.Delete(w, umpire.Recursive)
				}
			}
		case o.raw == "--del" || strings.HasPrefix(o.raw, "--delete") && o.raw != "--delete-missing-args" || strings.HasPrefix("--delete", o.raw) && len(o.raw) > 5:
			if remote {
				c.Op(umpire.Infra, Quote("remote sync-delete", []Word{to}), umpire.Destroy|umpire.Remote|umpire.Bulk)
			} else {
				c.Delete(to, umpire.Recursive|umpire.Force)
			}
			return
		}
	}
}

func doSftp(c *Call) {
	transport(c)
	if len(c.Operands) == 0 {
		return
	}
	host, p, remote := remotePath(c.Operands[0])
	if !remote {
		host = c.Operands[0]
	}
	c.Net(sshHost(host), 0, 0)
	if remote && p.Text != "" {
		if len(c.Operands) > 1 {
			c.WriteFile(c.Operands[1], umpire.Download, Unseen(FromNetwork))
		}
	}
	s := c.Stdin
	if b, ok := c.Opt("-b"); ok && b.Text != "-" {
		c.ReadFile(b)
		s = c.File(b)
	}
	fileCommands(c, sshHost(host), s)
}

// fileCommands reads the batch language that sftp, ftp, lftp, tftp and smbclient share: put, get,
// rm, and ! for a shell command on this machine.
func fileCommands(c *Call, host Word, s Stream) {
	if !s.Seen {
		if s.Pipe && s.Taint != 0 {
			c.Net(host, umpire.Upload, s.Taint)
		}
		return
	}
	for line := range strings.FieldsFuncSeq(s.Text, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimSpace(line)
		line = strings.TrimLeft(line, "-@")
		if cmd, ok := strings.CutPrefix(line, "!"); ok {
			c.Shell(Word{Text: cmd, Taint: s.Taint}, Run{})
			continue
		}
		ws := SplitWords(Word{Text: line, Taint: s.Taint})
		if len(ws) == 0 {
			continue
		}
		rest := skipOptions(ws[1:])
		switch strings.ToLower(ws[0].Text) {
		case "put", "mput", "send", "append", "reput", "mirror":
			if strings.EqualFold(ws[0].Text, "mirror") && !slices.ContainsFunc(ws, func(w Word) bool { return strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "R") }) {
				c.Out.Taint |= FromNetwork
				continue
			}
			var t Taint
			for i, w := range rest {
				if i == 0 || strings.HasPrefix(strings.ToLower(ws[0].Text), "m") {
					t |= c.ReadFileTaint(w)
				}
			}
			c.Net(host, umpire.Upload, t)
		case "get", "mget", "recv", "reget", "pget":
			if len(rest) > 1 {
				c.WriteFile(rest[1], umpire.Download, Unseen(FromNetwork))
			} else if len(rest) == 1 {
				c.WriteFile(urlBase(rest[0].With("x/"+rest[0].Text)), umpire.Download, Unseen(FromNetwork))
			}
		case "rm", "rmdir", "delete", "mdelete", "del", "deltree", "mrm":
			c.Op(umpire.Infra, Quote("remote delete", append([]Word{host}, rest...)), umpire.Destroy|umpire.Remote)
		case "lcd":
			if len(rest) > 0 {
				c.Chdir(rest[0])
			}
		case "open", "o":
			if len(rest) > 0 {
				host = rest[0]
				c.Net(host, 0, 0)
			}
		case "shell":
			c.Shell(joined(rest), Run{})
		}
	}
}

func doSSHCopyID(c *Call) {
	transport(c)
	if len(c.Operands) > 0 {
		c.Net(sshHost(c.Operands[0]), umpire.Upload|umpire.Persistence, 0)
	}
}

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

// doRemoteRun reads a command that a platform runs in the application. One word is a line for a shell.
func doRemoteRun(c *Call) {
	if run := (Run{Traits: umpire.Container, Out: true}); len(c.Operands) > 0 && (len(c.Operands) == 1 || strings.Contains(c.Operands[0].Text, " ")) { // the client's own options may follow
		c.Shell(c.Operands[0], run)
	} else {
		c.Exec(c.Operands, run)
	}
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func doFtp(c *Call) {
	host := c.Arg(0)
	if host.Text == "" {
		host = Lit(umpire.Hole)
	}
	if u, ok := c.Opt("-u"); ok && len(c.Operands) > 0 { // BSD: ftp -u URL FILE...
		var t Taint
		for _, w := range c.Operands {
			t |= c.ReadFileTaint(w)
		}
		c.Net(u, umpire.Upload, t)
		return
	}
	c.Net(host, 0, 0)
	fileCommands(c, host, c.Stdin)
	c.Out.Taint |= FromNetwork
}

func doLftp(c *Call) {
	host := c.Arg(0)
	if host.Text != "" {
		c.Net(host, 0, 0)
	}
	for _, o := range []string{"-e", "-c"} {
		for _, w := range c.All(o) {
			fileCommands(c, host, Stream{Text: w.Text, Seen: true, Taint: w.Taint})
		}
	}
	if f, ok := c.Opt("-f"); ok {
		c.ReadFile(f)
		fileCommands(c, host, c.File(f))
	}
	fileCommands(c, host, c.Stdin)
	c.Out.Taint |= FromNetwork
}

func doNcftp(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	if c.Program == "ncftpget" {
		c.Net(c.Operands[0], umpire.Download, 0)
		return
	}
	var t Taint
	for _, w := range c.Operands[min(2, len(c.Operands)):] {
		t |= c.ReadFileTaint(w)
	}
	c.Net(c.Operands[0], umpire.Upload, t)
}

func doTftp(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	host := c.Operands[0]
	ws := c.Operands[1:]
	if w, ok := c.Opt("-c"); ok {
		fileCommands(c, host, Stream{Text: w.Text + " " + joined(ws).Text, Seen: true, Taint: w.Taint})
	}
	l, ok := c.Opt("-l")
	switch {
	case ok && c.Has("-p"):
		c.Net(host, umpire.Upload, c.ReadFileTaint(l))
		return
	case ok:
		c.WriteFile(l, umpire.Truncate|umpire.Download, Unseen(FromNetwork))
	}
	c.Net(host, 0, 0)
	fileCommands(c, host, c.Stdin)
}

func doSmb(c *Call) {
	host := c.Arg(0)
	host.Text = strings.TrimLeft(strings.ReplaceAll(host.Text, `\`, "/"), "/")
	host.Text, _, _ = strings.Cut(host.Text, "/")
	if host.Text == "" {
		return
	}
	host.Text += ":445"
	c.Net(host, 0, 0)
	if w, ok := c.Opt("-c"); ok {
		fileCommands(c, host, Stream{Text: w.Text, Seen: true, Taint: w.Taint})
	}
	fileCommands(c, host, c.Stdin)
}
