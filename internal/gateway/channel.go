package gateway

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"sync"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/egress"
)

// channels are the open calls and streams. Each ends when its credential does.
type channels struct {
	mu   sync.Mutex
	open map[*channel]struct{}
}

type channel struct {
	good func(context.Context) error
	end  context.CancelCauseFunc
}

// Channel returns a context that ends when good reports that the caller's credential is revoked,
// expired or no longer sufficient. The gateway calls good at each change of credentials and every
// second. Call done when the call is over.
func (g *Gateway) Channel(ctx context.Context, good func(context.Context) error) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c := &channel{good, cancel}
	g.channels.mu.Lock()
	if g.channels.open == nil {
		g.channels.open = map[*channel]struct{}{}
	}
	g.channels.open[c] = struct{}{}
	g.channels.mu.Unlock()
	return ctx, func() {
		g.channels.mu.Lock()
		delete(g.channels.open, c)
		g.channels.mu.Unlock()
		cancel(nil)
	}
}

// over reports whether an error means that a credential is no longer valid. An unreachable database
// does not: it keeps new calls out, and does not end open ones.
func over(err error) bool {
	return errors.Is(err, errNobody) || errors.Is(err, ErrNoSession) || errors.Is(err, errForbidden)
}

// endChannels ends the open channels whose credential is no longer valid.
func (g *Gateway) endChannels(ctx context.Context) {
	g.channels.mu.Lock()
	list := make([]*channel, 0, len(g.channels.open))
	for c := range g.channels.open {
		list = append(list, c)
	}
	g.channels.mu.Unlock()
	for _, c := range list {
		if err := c.good(ctx); over(err) {
			c.end(err)
		}
	}
	g.reviewTunnels(ctx, false)
}

// ended returns why a channel ended, or nil if its credential is still valid.
func ended(ctx context.Context) error {
	if err := context.Cause(ctx); over(err) {
		return err
	}
	return nil
}

// still returns the current principal of a request: an open channel calls it for each message.
func (g *Gateway) still(r *http.Request, kind CredentialKind, least Role) (Principal, error) {
	p, err := g.who(r)
	if err == nil && (p.Kind != kind || kind == Operator && !p.Role.May(least)) {
		err = needsRole(least)
	}
	return p, err
}

// good returns errNobody if an agent's credential, given by its hash, is revoked or expired.
func (g *Gateway) good(ctx context.Context, hash string) error {
	if hash == "" { // no credential: the proxy's caller vouches for the agent
		return nil
	}
	_, err := g.byHash(ctx, hash)
	return err
}

// reviewTunnels closes the open connections of the proxies whose credential is no longer valid or,
// if rules is set, that the current rules would not open.
func (g *Gateway) reviewTunnels(ctx context.Context, rules bool) {
	for _, p := range g.proxies.all() {
		if rules {
			p.CloseIdle()
		}
		for _, w := range p.Review(func(w egress.Tunnel, added bool) bool {
			return !over(g.good(ctx, w.Client.Credential)) && (!rules && !added || g.tunnelHolds(w))
		}) {
			g.log.Info("a connection was closed: its rule or credential ended", "client", w.Client.Name, "target", w.Target.Addr())
			g.note("tunnel closed", w.Client.Name, map[string]string{"target": w.Target.Addr(), "tunnel": w.ID, "request": w.Asked})
		}
	}
}

// tunnelHolds reports whether rules still allow a tunnel. A person's approval outweighs a question
// but not a denial.
func (g *Gateway) tunnelHolds(w egress.Tunnel) bool {
	n := networkPlan(&w.Target)
	p := Principal{Kind: Agent, Name: w.Client.Name, ID: w.Client.ID}
	d, _, _ := g.decide(&n, p, w.Client.Session)
	if _, err := netip.ParseAddr(n.Host); err != nil && w.At.IsValid() && g.denied(n, p, w.Client.Session, w.At).why != "" {
		return false
	}
	return d.Effect == umpire.Allow || d.Effect == umpire.Ask && w.Asked != ""
}

// proxies are the proxies of this gateway.
type proxies struct {
	mu   sync.Mutex
	list []*egress.Proxy
}

func (p *proxies) all() []*egress.Proxy {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.list
}

// openTunnel is a tunnel in the form of the REST API.
type openTunnel struct {
	egress.Tunnel
	Agent   string `json:"agent"`
	Name    string `json:"name"`
	Session string `json:"session,omitempty"`
	Action  string `json:"action"`
	Since   int64  `json:"since"`
}

func (g *Gateway) tunnels() []openTunnel {
	out := []openTunnel{}
	for _, p := range g.proxies.all() {
		for _, w := range p.Tunnels() {
			n := networkPlan(&w.Target)
			n.Query = ""
			out = append(out, openTunnel{w, w.Client.ID, w.Client.Name, w.Client.Session, shownTitle(&n), w.Since.UnixMilli()})
		}
	}
	return out
}

// EndTunnel closes an open connection of a proxy.
func (g *Gateway) EndTunnel(id string, by Principal) error {
	for _, p := range g.proxies.all() {
		if w, ok := p.End(id); ok {
			g.note("tunnel closed", by.Name, map[string]string{"target": w.Target.Addr(), "tunnel": w.ID, "agent": w.Client.Name})
			return nil
		}
	}
	return errNotFound
}

// note writes to the audit log what is neither a decision nor an event of the store, such as
// attempts with a wrong token, and starts and stops.
func (g *Gateway) note(what, by string, data map[string]string) {
	if g.audit == "" {
		return
	}
	e := g.noted(what, by, data)
	g.write(&e)
}

func (g *Gateway) noted(what, by string, data map[string]string) audit.Event {
	e := audit.Event{Time: g.now().UTC(), Kind: audit.Config, Point: audit.Gateway, Version: g.version, By: by, Data: map[string]string{"what": what}}
	for k, v := range data {
		if v != "" {
			e.Data[k] = v
		}
	}
	return e
}
