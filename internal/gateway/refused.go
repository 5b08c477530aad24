package gateway

import (
	"net"
	"net/http"
	"strings"

	"github.com/umpire-dev/umpire/internal/egress"
)

// tried records an attempt at something forbidden: a wrong token, a used login link, an agent at a
// route that decides. It records each kind about once a second for one address, so that an attacker
// cannot flood the log.
func (g *Gateway) tried(what string, r *http.Request, by string) {
	from := r.RemoteAddr
	if host, _, err := net.SplitHostPort(from); err == nil {
		from = host
	}
	if _, ok := g.trials.allow(what + " " + from); !ok {
		return
	}
	path := r.URL.Path
	if len(path) > 200 {
		path = strings.ToValidUTF8(path[:200], "")
	}
	g.note(what, by, map[string]string{"from": from, "path": path, "method": r.Method})
}

// Tried records a failed login of the pages.
func (g *Gateway) Tried(what string, r *http.Request) { g.tried(what, r, "") }

// triedInTunnel records why the proxy closed a tunnel or refused a request. A refused request has
// no target.
func (g *Gateway) triedInTunnel(c egress.Client, t egress.Target, why error) {
	what, target := "tunnel refused", t.Addr()
	if t.Host == "" {
		what, target = "request refused", ""
	}
	if _, ok := g.trials.allow(what + " " + c.ID); ok {
		g.note(what, c.Name, map[string]string{"target": target, "why": why.Error(), "agent": c.ID})
	}
}
