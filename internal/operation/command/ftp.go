package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

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
