package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// Share returns the host and port of a file share, as in \\HOST\share\file, or "" for other paths. A
// file there is another machine's: code from it is remote code, and a copy to it leaves this machine.
// The shares of WSL and the prefixes of devices (\\?\C: and \\.\) are local.
func Share(path string) string {
	rest, ok := strings.CutPrefix(path, `\\`)
	host, _, share := strings.Cut(rest, `\`)
	if !ok || !share || anyof.Equal(strings.ToLower(host), "", "?", ".", "wsl$", "wsl.localhost", "localhost", "127.0.0.1") {
		return ""
	}
	return host + ":445"
}

func doWebRequest(c *Call) {
	ws := append(c.All("-Uri"), c.Operands...)
	var p payload
	if b, ok := c.Opt("-Body"); ok {
		p.literal(b)
	} else if c.Stdin.Pipe && c.Stdin.Taint != 0 {
		p.stream(c.Stdin)
	}
	if f, ok := c.Opt("-InFile"); ok {
		p.from(c, f)
	}
	if f, ok := c.Opt("-Form"); ok {
		p.literal(f)
	}
	if h, ok := c.Opt("-Headers"); ok {
		p.taint |= h.Taint & (FromSecret | FromEnv)
	}
	method := "GET"
	if m, ok := c.Opt("-Method"); ok {
		method = strings.ToUpper(m.Text)
	}
	out, toFile := c.Opt("-OutFile")
	for _, u := range ws[:min(len(ws), 1)] {
		c.request(request{method: method, url: u, body: p.text.String(), sent: p.taint, traits: p.traits() | downloads(toFile)})
	}
	if toFile {
		c.WriteFile(out, umpire.Truncate|umpire.Download, Unseen(FromNetwork))
		c.SetOut(Text(""))
		return
	}
	c.SetOut(Unseen(FromNetwork))
}

func doBits(c *Call) {
	src, ok := c.Opt("-Source")
	ws := c.Operands
	if !ok && len(ws) > 0 {
		src, ws = ws[0], ws[1:]
	}
	dst, ok := c.Opt("-Destination")
	if !ok && len(ws) > 0 {
		dst = ws[0]
	}
	if strings.Contains(src.Text, "://") {
		c.request(request{method: "GET", url: src, traits: umpire.Download})
		if dst.Text == "" {
			dst = urlBase(src)
		}
		c.WriteFile(dst, umpire.Truncate|umpire.Download, Unseen(FromNetwork))
		return
	}
	c.request(request{method: "PUT", url: dst, sent: c.ReadFileTaint(src), traits: umpire.Upload})
}

func doSendMail(c *Call) {
	to, _ := c.Opt("-To")
	var t Taint
	for _, o := range []string{"-Body", "-Subject"} {
		for _, w := range c.All(o) {
			t |= w.Taint
		}
	}
	for _, w := range c.All("-Attachments") {
		t |= c.ReadFileTaint(w)
	}
	c.Net(to, umpire.Message, t)
}

func doCertutil(c *Call) {
	ws := c.Operands
	switch {
	case c.Has("-urlcache", "-verifyctl") || len(ws) > 0 && strings.Contains(ws[0].Text, "://"):
		for i, w := range ws {
			if strings.Contains(w.Text, "://") {
				c.request(request{method: "GET", url: w, traits: umpire.Download})
				if i+1 < len(ws) {
					c.WriteFile(ws[i+1], umpire.Truncate|umpire.Download, Unseen(FromNetwork))
				}
			}
		}
	case c.Has("-decode", "-decodehex"):
		if len(ws) > 1 {
			c.WriteFile(ws[1], umpire.Truncate, Unseen(FromDecoder|c.ReadFileTaint(ws[0])))
		}
	case c.Has("-encode"):
		if len(ws) > 1 {
			c.WriteFile(ws[1], umpire.Truncate, Unseen(c.ReadFileTaint(ws[0])))
		}
	case c.Has("-hashfile", "-dump", "-verify", "-asn"):
		c.ReadFile(c.Arg(0))
	case c.Has("-addstore"):
		c.Op(umpire.System, Quote("trust add", ws), umpire.Persistence|umpire.SkipsCheck)
	}
}

func doBitsadmin(c *Call) {
	for i, w := range c.Args {
		if strings.Contains(w.Text, "://") {
			c.request(request{method: "GET", url: w, traits: umpire.Download})
			if i+1 < len(c.Args) {
				c.WriteFile(c.Args[i+1], umpire.Truncate|umpire.Download, Unseen(FromNetwork))
			}
		}
	}
	if line := strings.ToLower(joined(c.Args).Text); strings.Contains(line, "/setnotifycmdline") {
		c.Op(umpire.System, "job install bitsadmin", umpire.Persistence)
	}
}
