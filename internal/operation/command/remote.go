package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

const sshOpts = "-B=_ -b=_ -c=_ -D=_ -E=w -e=_ -F=_ -I=_ -i=_ -J=_ -L=_ -l=_ -m=_ -O=_ -o=_ -P=_ -p=_ -Q=_ -R=_ -S=_ -W=_ -w=_ -V+inert"

// remoteModels are the programs that reach other machines: shells, copies, raw sockets,
// name look-ups, tunnels and mail.
var remoteModels = []Model{
	{Names: "ssh slogin autossh dbclient mosh et sshpass-ssh tsh", Opts: sshOpts + " --ssh=P --server=_ -M=_", Style: Strict, Do: doSSH},
	{Names: "sshpass", Opts: "-p=_ -f=_ -d=_ -P=_", Args: "C", Style: Strict},
	{Names: "scp pscp", Opts: "-c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -S=P -X=_ -h+inert -V+inert", Do: doScp},
	{Names: "rsync grsync", Opts: "-e,--rsh=_ --rsync-path=_ -B,--block-size=_ -f,--filter=_ -T,--temp-dir=_ -M,--remote-option=_ --backup-dir=_ --suffix=_ --bwlimit=_ --chmod=_ --chown=_ --compare-dest=_ --copy-dest=_ --link-dest=_ --compress-level=_ --contimeout=_ --timeout=_ --exclude=_ --exclude-from=_ --include=_ --include-from=_ --files-from=_ --iconv=_ --info=_ --debug=_ --log-file=w --log-file-format=_ --max-delete=_ --max-size=_ --min-size=_ --modify-window=_ --out-format=_ --partial-dir=_ --password-file=_ --port=_ --protocol=_ --skip-compress=_ --sockopts=_ --usermap=_ --groupmap=_ --write-batch=w --only-write-batch=w --read-batch=_ --address=_ --checksum-choice=_ --compress-choice=_ --stop-after=_ -n,--dry-run+inert -h+inert --list-only", Do: doRsync},
	{Names: "sftp psftp", Opts: "-B=_ -b=_ -c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -R=_ -S=P -s=_ -X=_", Do: doSftp},
	{Names: "ssh-copy-id", Opts: "-i=_ -p=_ -o=_ -F=_ -n+inert", Do: doSSHCopyID},
	{Names: "ssh-keyscan", Opts: "-f=r -p=_ -t=_ -T=_", Args: "h*"},
	{Names: "nc netcat ncat nc.traditional nc.openbsd pnetcat cryptcat sbd", Opts: "-e,--exec=_ -c,--sh-exec=_ --lua-exec=_ -p,--source-port=_ -s,--source=_ -w,--wait=_ -i,--idle-timeout=_ -q=_ -x,--proxy,-X=_ --proxy-type=_ --proxy-auth=_ -o,--output=w -O=_ -T=_ -I=_ -V=_ -m,--max-conns=_ -d,--delay=_ -g=_ -G=_ -P=_ -M=_ --ssl-cert=_ --ssl-key=_ --allow=_ --deny=_ -h,--help+inert --version+inert", Do: doNetcat},
	{Names: "socat socat1 socat2", Opts: "-b=_ -t=_ -T=_ -l=_ -L=_ -W=_ -r=w -R=w -lf=_ -lp=_ -x -v -V+inert -h+inert", Style: LongDash | Strict, Do: doSocat},
	{Names: "telnet", Opts: "-l=_ -n=w -e=_ -b=_ -X=_", Do: doTelnet},
	{Names: "rlogin rsh remsh rexec", Opts: "-l=_ -p=_", Style: Strict, Do: doRsh},
	{Names: "pdsh clush pssh parallel-ssh dsh mussh", Opts: "-w,--worker,-h,--hosts=_ -H,--host=_ -l,--user=_ -g=_ -t=_ -x=_ -b -f=_ -p=_ -o=_ -e=_ -R=_ -A -i -a", Style: Strict, Do: doPdsh},
	{Names: "ftp tnftp lukemftp", Opts: "-o=_ -P=_ -N=_ -u=_ -s=_ -r=_", Do: doFtp},
	{Names: "lftp", Opts: "-e=_ -c=_ -f=_ -u=_ -p=_", Do: doLftp},
	{Names: "ncftpput ncftpget", Opts: "-u=_ -p=_ -P=_ -f=_", Do: doNcftp},
	{Names: "tftp atftp", Opts: "-c=_ -m=_ -l=_ -r=_ -p,--put -g,--get --local-file=_ --remote-file=_", Do: doTftp},
	{Names: "smbclient rpcclient smbget smbmap", Opts: "-c,--command=_ -U,--user=_ -W=_ -p=_ -I=_ -A=_ -L=h -D=_ -t=_ -m=_ -n=_ -T=_ -H=_ -u=_ -d=_", Do: doSmb},
	{Names: "evil-winrm psexec.py wmiexec.py smbexec.py atexec.py impacket-psexec impacket-wmiexec crackmapexec nxc netexec xfreerdp rdesktop winexe", Args: "h", Do: doIntrusion},

	{Names: "dig drill kdig delv doggo dog", Do: doLookup},
	{Names: "nslookup host adnshost dnsx dnslookup", Do: doLookup},
	{Names: "ping ping6 fping hping3 nping arping", Opts: "-c=_ -i=_ -I=_ -W=_ -w=_ -s=_ -t=_ -p=_ -M=_ -m=_ -Q=_ -S=_ -T=_ -l=_ -C=_ --data=_ --data-string=_ -d=_ -E,--file=r", Do: doPing},
	{Names: "traceroute tracepath traceroute6 mtr tcptraceroute", Opts: "-f=_ -i=_ -m=_ -p=_ -q=_ -s=_ -w=_ -c=_", Args: "h"},
	{Names: "whois finger", Opts: "-h=h -p=_", Args: "_*", Do: doLookup},

	{Names: "nmap", Opts: "-p=_ -iL=r -oN=w -oX=w -oG=w -oA=w -oS=w --script=_ --script-args=_ --exclude=_ --excludefile=r -D=_ -S=_ -e=_ -g=_ --source-port=_ --data=_ --data-string=_ --max-rate=_ --min-rate=_ -T=_ --top-ports=_ --datadir=_ -iR=_ --dns-servers=_ --proxies=_ --host-timeout=_ --max-retries=_", Style: LongDash, Do: doScan},
	{Names: "masscan zmap rustscan unicornscan naabu", Opts: "-p,--ports,--port=_ -iL=r -oJ=w -oX=w -oL=w --rate,--max-rate=_ -o=w -B=_ -i=_ -a,--addresses=h -b=_", Style: LongDash, Do: doScan},
	{Names: "nikto sqlmap gobuster ffuf dirb dirbuster wfuzz hydra medusa ncrack patator nuclei wpscan msfconsole msfvenom responder bettercap ettercap arpspoof feroxbuster whatweb amass subfinder dnsrecon fierce enum4linux commix xsser beef zaproxy aircrack-ng airodump-ng aireplay-ng john hashcat setoolkit", Do: doIntrusion},
	{Names: "tcpdump tshark dumpcap wireshark", Opts: "-z,--postrotate-command=_ -w=w -W=_ -G=_ -C=_ -c=_ -i,--interface=_ -r=r -F=_ -s,--snapshot-length=_ -B=_ -E=_ -j=_ -m=_ -M=_ -T=_ -y=_ -Z=_ -V=_ -Y=_ -f=_ -e=_ -X=_ -o=_ -a=_ -b=_", Do: doCapture},
	{Names: "ngrep tcpflow", Opts: "-d=_ -I=r -O=w -r=r -w=w -o=w"},

	{Names: "ngrok", Opts: "--config=_ --region=_ --domain,--hostname=_ --subdomain=_ --log=_ --authtoken=_ --url=_", Do: doTunnel},
	{Names: "cloudflared", Opts: "--config=_ --url=_ --name=_ --hostname=_ --token=_ --unix-socket=_ --logfile=w --credentials-file=_", Do: doTunnel},
	{Names: "localtunnel lt localxpose loclx bore frpc frps chisel gost pagekite zrok tailscale tailscaled inlets expose telebit serveo portmap boringproxy rathole nps npc ligolo-ng ligolo iodine dnscat dnscat2 ptunnel stunnel sish holesail hypertele gsocket gs-netcat pinggy localhost.run devtunnel wiretap", Opts: "-p,--port=_ -s,--subdomain=_ -h,--host=_ -l,--local-host=_ -c,--config=_", Do: doTunnel},
	{Names: "tmate upterm teleconsole sshx ttyd gotty wetty shellinabox sshuttle-server", Opts: "-p,--port=_ -i,--interface=_ -c,--credential=_", Do: doShareTerminal},
	{Names: "sshuttle", Opts: "-r,--remote=h -e,--ssh-cmd=P -x,--exclude=_"},

	{Names: "mail mailx Mail s-nail heirloom-mailx bsd-mailx", Opts: "-s=_ -a,--attach=_ -A=_ -b=_ -c=_ -r=_ -S=_ -u=_ -f=_ -q=_ -E=_", Do: doMail},
	{Names: "mutt neomutt", Opts: "-a=_ -s=_ -b=_ -c=_ -e=_ -F=_ -H=_ -i=_ -f=_", Do: doMutt},
	{Names: "sendmail ssmtp msmtp exim exim4 postfix-sendmail esmtp nullmailer-inject", Opts: "-f=_ -F=_ -o=_ -a,--account=_ -C=_ --host=h --from=_ -X=w", Do: doMail},
	{Names: "swaks sendemail sendEmail mailsend smtp-cli git-send-email mpack himalaya-send", Opts: "--to,-t=_ --from,-f=_ --server,-s=_ --body=_ --attach,-a=_ --header=_ --data=_ -u=_ -m=_ -xu=_ -xp=_ -o=_ --h-Subject=_", Style: LongDash, Do: doMailTool},
	{Names: "slackcat slack-cli telegram-send discordo matrix-commander signal-cli ntfy pushover noti-send tweet toot t bsky himalaya apprise wall write", Opts: "-c,--channel=_ -t,--title=_ -f,--file=_ -F=_ -u=_ -a=_ -m=_", Do: doSay},
}

// transport reads ssh's own -o settings, some of which name programs that run here.
func transport(c *Call) {
	for _, w := range c.All("-o") {
		sshSetting(c, w)
	}
	for _, w := range c.All("-F") {
		if s := c.File(w); s.Seen {
			for line := range strings.SplitSeq(s.Text, "\n") {
				sshSetting(c, Word{Text: strings.TrimSpace(line), Taint: s.Taint})
			}
		}
	}
}

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
		// %h and its like become what the server is called.
		v = strings.NewReplacer("%h", "host", "%p", "22", "%r", "user", "%n", "host", "%%", "%").Replace(v)
		c.Shell(w.With(v), Run{Traits: umpire.RunsProgram})
	case "remoteforward":
		remoteForward(c, Lit("ssh"), value)
	case "pkcs11provider", "securitykeyprovider":
		c.Op(umpire.Exec, "ssh -o "+w.Text, umpire.LoadsCode)
	case "proxyjump":
		c.Net(w.With(value), 0, 0)
	}
}

// unquote takes off one pair of quotes around the whole.
func unquote(s string) string {
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] && strings.Count(s, s[:1]) == 2 {
		return s[1 : n-1]
	}
	return s
}

// remoteForward records that a remote party gets at a port of this machine.
func remoteForward(c *Call, host Word, spec string) {
	t := umpire.Tunnel | umpire.HostAccess
	f := strings.Split(spec, ":")
	if shellPort(f[len(f)-1]) || len(f) == 1 {
		t |= umpire.RemoteShell
	}
	c.Net(host, t, 0)
}

// shellPort reports whether who reaches the port controls the machine.
func shellPort(p string) bool {
	switch p {
	case "22", "23", "2222", "3389", "5900", "5901", "2375", "2376", "6443", "10250", "5985", "5986", "445", "ssh", "rdp", "vnc":
		return true
	}
	return strings.HasSuffix(p, ".sock")
}

// doSSH reads ssh HOST [COMMAND...]: options may stand on both sides of the host, and the
// command's words are joined and given to the remote user's shell.
func doSSH(c *Call) {
	if len(c.Operands) == 0 {
		transport(c)
		return
	}
	host := c.Operands[0]
	command := c.Operands[1:]
	if c.Program == "autossh" || c.Program == "et" || c.Program == "mosh" {
		command = skipDash(command)
	}
	// What looks like an option after the host still is one.
	if len(command) > 0 && strings.HasPrefix(command[0].Text, "-") && c.Program != "mosh" {
		more := &Call{Host: c.Host, Program: c.Program, Name: c.Name, Stdin: c.Stdin}
		more.parse(c.Model, command, false)
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
		// The login shell there reads what is piped in.
		c.Script("sh", c.Stdin, Run{Via: "ssh", Traits: umpire.Remote})
	}
	c.Net(sshHost(host), t, sent)
	c.SetOut(Unseen(FromNetwork))
	if len(command) == 0 {
		return
	}
	c.Shell(joined(command), Run{Traits: umpire.Remote})
}

func skipDash(ws []Word) []Word {
	if len(ws) > 0 && ws[0].Text == "--" {
		return ws[1:]
	}
	return ws
}

// sshHost is the host's name with ssh's port, for rules that name one.
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

// remotePath splits host:path; a colon after a slash is part of a file's name.
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
	t := umpire.Trait(0)
	if recursive {
		t |= umpire.Recursive
	}
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
		taint |= c.ReadFileTaint(w)
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

// doRsync reads copies that may cross to another machine. With --delete the destination
// loses what the source does not have; with --remove-source-files the source goes.
func doRsync(c *Call) {
	for _, w := range c.All("-e") {
		// The transport gets host and command appended.
		c.Exec(append(splitWords(w), Lits("host", "true")...), Run{Traits: umpire.RunsProgram, Via: "rsync -e"})
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

// fileCommands reads the batch language that sftp, ftp, lftp, tftp and smbclient share:
// put, get, rm and ! for a shell here.
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
		ws := splitWords(Word{Text: line, Taint: s.Taint})
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

// doNetcat reads nc: the shell it is told to connect, and what flows through it.
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
	t := umpire.Trait(0)
	if listen {
		t |= umpire.Listen
	}
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
	c.SetOut(Unseen(FromNetwork))
}

// interactive reports whether a command line starts something that obeys what it reads.
func interactive(text string) bool {
	for f := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t;|&()'\"", r) }) {
		switch strings.TrimRight(strings.TrimSuffix(strings.ToLower(f[strings.LastIndexAny(f, `/\`)+1:]), ".exe"), "0123456789.") {
		case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh", "python", "perl", "ruby", "php", "node", "lua", "cmd", "powershell", "pwsh", "busybox", "xargs", "eval", "ssh", umpire.Hole, "":
			return true
		}
	}
	return false
}

// doSocat joins two addresses. A program on one side and the network on the other is a
// shell for a remote party.
func doSocat(c *Call) {
	if c.Inert() || len(c.Operands) == 0 {
		return
	}
	type side struct {
		net, program []Word
		taint        Taint
		listen       bool
		writes       []Word
	}
	read := func(w Word) (s side) {
		for part := range strings.SplitSeq(w.Text, "!!") {
			part = strings.TrimSpace(part)
			kind, rest, _ := strings.Cut(part, ":")
			kind, opts, _ := strings.Cut(kind, ",")
			kind = strings.ToUpper(kind)
			body := rest
			switch {
			case kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL":
				body = socatTrim(rest)
				if body == "" {
					body = "sh"
				}
				s.program = append(s.program, w.With(body))
			case kind == "OPEN" || kind == "FILE" || kind == "GOPEN" || kind == "CREATE" || kind == "CREAT" || kind == "PIPE" || strings.HasPrefix(part, "/") || strings.HasPrefix(part, "./"):
				if rest == "" {
					rest = part
				}
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
				if strings.Contains(o, "creat") || strings.Contains(o, "wronly") || strings.Contains(o, "append") || strings.Contains(o, "trunc") {
					s.writes = append(s.writes, w.With(f))
				}
			case kind == "-" || kind == "STDIO" || kind == "STDIN" || part == "-":
				s.taint |= c.Stdin.Taint
			case kind == "FD":
				fd, _, _ := strings.Cut(rest, ",")
				s.writes = append(s.writes, w.With("/dev/fd/"+fd))
				s.taint |= c.File(w.With("/dev/fd/" + fd)).Taint
			case strings.HasPrefix(kind, "UNIX") || strings.HasPrefix(kind, "ABSTRACT") || kind == "PTY" || kind == "STDOUT" || kind == "STDERR" || kind == "READLINE" || kind == "TUN" || strings.HasPrefix(kind, "VSOCK") || digits(kind):
			case strings.Contains(kind, "LISTEN") || strings.HasSuffix(kind, "-L") || strings.HasSuffix(kind, "-RECV") || strings.HasSuffix(kind, "-RECVFROM"):
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
					f := strings.SplitN(addr, ":", 3)
					addr = strings.Join(f[min(1, len(f)-1):], ":")
				}
				if addr != "" {
					s.net = append(s.net, w.With(addr))
				}
			}
		}
		return s
	}
	a := read(c.Operands[0])
	var b side
	if len(c.Operands) > 1 {
		b = read(c.Operands[1])
	}
	join := func(near, far side) {
		for _, n := range far.net {
			t := umpire.Trait(0)
			if far.listen {
				t |= umpire.Listen
			}
			if len(near.program) > 0 {
				t |= umpire.RemoteShell
			}
			if len(near.net) > 0 && far.listen {
				t |= umpire.Tunnel
			}
			if near.taint != 0 || c.Stdin.Pipe && !c.Stdin.Seen {
				t |= umpire.Upload
			}
			if x := parseAddress(n.Text); x.local() && !far.listen {
				t &^= umpire.Upload
			}
			c.Net(n, t, near.taint)
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
	join(a, b)
	join(b, a)
	// Both halves of a dual address see the other side.
	out := Unseen(a.taint | b.taint)
	if len(a.net)+len(b.net) > 0 {
		out.Taint |= FromNetwork
	}
	c.SetOut(out)
}

// socatTrim cuts socat's options off a command: those after the first comma outside
// quotes that look like one.
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
	c.SetOut(Unseen(FromNetwork))
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
	if l, ok := c.Opt("-l"); ok && c.Has("-p") {
		c.Net(host, umpire.Upload, c.ReadFileTaint(l))
		return
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

// doLookup reads name look-ups. The name itself travels to whoever serves its zone, so a
// secret in front of a fixed domain is sent away as surely as by a POST.
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
		t |= umpire.Upload // $(whoami).evil.example
	}
	if label, _, _ := strings.Cut(w.Text, "."); len(label) > 40 || secretShaped(w.Text) {
		t |= umpire.Upload
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
		if a.local() && a.Host != "0.0.0.0" { // 0.0.0.0/0 is everybody
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

// doTunnel records services that make a port of this machine reachable from everywhere.
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
		if first != "funnel" && first != "serve" {
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

func doMail(c *Call) {
	if c.Inert() {
		return
	}
	sent := c.Stdin.Taint
	t := umpire.Message
	for _, o := range []string{"-a", "-A"} {
		for _, w := range c.All(o) {
			if strings.Contains(w.Text, ":") {
				continue // a header
			}
			sent |= c.ReadFileTaint(w)
			t |= umpire.Upload
		}
	}
	to := 0
	for _, w := range c.Operands {
		if strings.Contains(w.Text, "@") || !w.Known() {
			c.Net(w, t, sent)
			to++
		}
	}
	if to == 0 && (c.Stdin.Pipe || c.Program == "sendmail") {
		c.Op(umpire.Network, "mail", t)
		if sent&(FromSecret|FromEnv) != 0 {
			c.Net(Lit("mail"), t, sent)
		}
	}
}

// doMutt reads mutt, whose attachments go on until --.
func doMutt(c *Call) {
	sent := c.Stdin.Taint
	t := umpire.Message
	for i := 0; i < len(c.Args); i++ {
		if c.Args[i].Text == "-a" {
			for i++; i < len(c.Args) && c.Args[i].Text != "--" && !strings.HasPrefix(c.Args[i].Text, "-"); i++ {
				if strings.Contains(c.Args[i].Text, "@") {
					break
				}
				sent |= c.ReadFileTaint(c.Args[i])
				t |= umpire.Upload
			}
			i--
		}
	}
	for _, w := range c.All("-i") {
		sent |= c.ReadFileTaint(w)
	}
	for _, w := range c.Args {
		if strings.Contains(w.Text, "@") {
			c.Net(w, t, sent)
			return
		}
	}
}

func doMailTool(c *Call) {
	if c.Inert() {
		return
	}
	sent := c.Stdin.Taint
	for _, o := range []string{"--body", "--attach", "--data", "--header", "-m", "-u", "-a"} {
		for _, w := range c.All(o) {
			sent |= w.Taint
			if f := strings.TrimPrefix(w.Text, "@"); o == "--attach" || o == "-a" || f != w.Text {
				sent |= c.ReadFileTaint(w.With(f))
			}
		}
	}
	to, ok := c.Opt("--to")
	if !ok {
		to = Lit("mail")
	}
	c.Net(to, umpire.Message|umpire.Upload, sent)
}

// doSay reads programs that post to a chat.
func doSay(c *Call) {
	if c.Inert() {
		return
	}
	switch c.Program {
	case "signal-cli":
		if !slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "send" }) {
			return
		}
	case "t", "toot", "bsky":
		if v := c.Arg(0).Text; v != "update" && v != "post" && v != "dm" && v != "reply" {
			return
		}
	case "himalaya":
		if !slices.ContainsFunc(c.Args, func(w Word) bool { return w.Text == "send" || w.Text == "write" || w.Text == "reply" }) {
			return
		}
	case "ntfy":
		if v := c.Arg(0).Text; v != "publish" && v != "pub" && v != "send" {
			return
		}
	case "wall", "write":
		return
	}
	sent := c.Stdin.Taint
	for _, w := range c.Args {
		sent |= w.Taint
		if isPathWord(w.Text) {
			sent |= c.ReadFileTaint(w)
		}
	}
	c.Net(Lit(c.Program), umpire.Message, sent)
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
