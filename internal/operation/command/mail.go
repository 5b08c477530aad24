package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

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

// doMutt reads mutt, whose list of attachments continues until "--".
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
	for _, w := range c.All("-e") { // a command of mutt, whose backticks and pipes run programs
		for _, cmd := range c.commandsIn(w.Text, true) {
			c.Shell(w.With(strings.TrimRight(cmd, "|\"")), Run{})
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
	t := umpire.Message | umpire.Upload
	if server, ok := ConfigValue(c, "--server", "-s"); ok && parseAddress(server).local() {
		to, t = Lit(server), 0
	}
	c.Net(to, t, sent)
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
