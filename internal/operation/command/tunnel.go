package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

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
		case (first == "up" || first == "set") && c.Has("--ssh") && !contains(c.Args, "--ssh=false"):
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
