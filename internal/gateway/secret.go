package gateway

import (
	"context"
	"errors"
	"net/http"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/secret"
)

// ruleMisuse is the rule in the audit log for a placeholder that was sent where its secret must not
// go.
const ruleMisuse = "secret-misuse"

// vault adds secrets to requests of the proxy.
type vault struct {
	g   *Gateway
	set *secret.Set
}

// Reveal implements egress.Secrets. It raises an alarm about a placeholder for the wrong host,
// because the sender tries to send the secret there.
func (v vault) Reveal(_ context.Context, c egress.Client, t egress.Target, url string, h http.Header) (http.Header, []string, error) {
	out, mask, err := v.set.Reveal(&secret.OutgoingRequest{Agent: c.ID, Session: c.Session, Secure: t.Scheme == "https", Host: t.Host, Port: t.Port, URL: url, Header: h})
	var misuse *secret.MisuseError
	if errors.As(err, &misuse) {
		v.g.metrics.misused.Inc()
		v.g.log.Warn("a placeholder of a secret was sent where the secret must not go", "secret", misuse.Name, "agent", c.Name, "session", c.Session, "target", t.Addr(), "why", misuse.Why)
		v.g.recordMisuse(c, &t, misuse)
	}
	return out, mask, err
}

func (g *Gateway) recordMisuse(c egress.Client, t *egress.Target, misuse *secret.MisuseError) {
	if g.audit == "" {
		return
	}
	e := &audit.Event{Kind: audit.Decision, Point: audit.Gateway, Version: g.version, Policy: g.book.Load().policy.Hash(), Effect: umpire.Deny.String(), Explicit: true,
		Principal: umpire.Principal{Platform: "gateway", Session: c.Session, User: c.Name},
		Ops:       []umpire.Operation{{Kind: umpire.Network, Resource: t.Method + " " + t.Addr(), Traits: umpire.Exfiltration}},
		Reasons:   []umpire.Reason{{Rule: ruleMisuse, Effect: umpire.Deny, Text: misuse.Error()}}}
	if err := g.journal.append(e); err != nil {
		g.log.Error("cannot write the audit log", "error", err)
	}
}

// getSecrets returns the placeholders for secrets in one of an agent's sessions.
func (g *Gateway) getSecrets(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	session := r.URL.Query().Get("session")
	if len(session) > 200 {
		return 0, nil, bad("the name of a session may have at most 200 bytes")
	}
	list := []secret.Placeholder{}
	if g.options.Secrets != nil {
		list = g.options.Secrets.Placeholders(p.ID, session)
	}
	return http.StatusOK, map[string]any{"secrets": list}, nil
}
