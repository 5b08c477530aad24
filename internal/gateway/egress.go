package gateway

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Times of questions about connections.
const (
	connectHold = 50 * time.Second // below the minute after which most clients give up
	grantFor    = 5 * time.Minute  // how long an answer is valid, for one connection, if no one waited for it
)

// maxHeld is the limit of questions that the proxy remembers.
const maxHeld = 10_000

// gate decides for the proxy, by the pipeline or by a question that the connection waits for.
type gate struct {
	g    *Gateway
	hold time.Duration
	sees bool // the proxy can look into TLS

	kept atomic.Pointer[keptAnswers]

	mu   sync.Mutex // guards held
	held map[string]*question
}

// question is an open question about a target. Connections of the same agent to the same target
// share it: one answer is for all that wait.
type question struct {
	mu      sync.Mutex // guards the fields below; the first connection holds it while it asks
	id      string
	waiting int
	told    bool // a client knows that it is open, and may come back
	gone    bool // no one waits any more: the question is cancelled
	asked   time.Time
}

// Proxy returns the handler of the forward proxy.
func (g *Gateway) Proxy(o egress.Options) *egress.Proxy {
	o.Gate, o.Log = &gate{g: g, hold: connectHold, sees: o.Certificate != nil, held: map[string]*question{}}, g.log
	o.Refused = g.triedInTunnel
	if g.options.Secrets != nil {
		o.Secrets = vault{g, g.options.Secrets}
	}
	if g.bodies != nil {
		o.Bodies = g.bodies
	}
	p := egress.New(o)
	g.proxies.mu.Lock()
	g.proxies.list = append(g.proxies.list, p)
	g.proxies.mu.Unlock()
	return p
}

// Identify returns the agent of a token, which is the password. The user is the name of the
// session.
func (k *gate) Identify(ctx context.Context, user, password string) (egress.Client, error) {
	p, err := k.g.holder(ctx, password)
	if errors.Is(err, errNobody) || err == nil && p.Kind != Agent {
		if _, ok := k.g.trials.allow("wrong token proxy"); ok {
			k.g.note("wrong token", p.Name, map[string]string{"path": "the proxy"})
		}
		return egress.Client{}, egress.ErrUnknown // an operator's token must not work on the agents' side
	}
	return egress.Client{ID: p.ID, Name: p.Name, Session: user, Credential: hashToken(password)}, later(err)
}

func (k *gate) Judge(ctx context.Context, c egress.Client, t egress.Target) (egress.Decision, error) {
	var v egress.Decision
	var err error
	if wait, ok := k.g.limits.allow(c.ID); ok {
		v, err = k.judgeFor(ctx, c, t)
	} else {
		k.g.metrics.refused.Inc()
		v = egress.Decision{Why: errTooMany.msg, Wait: wait}
	}
	form, status := t.Scheme, "denied"
	form = cmp.Or(form, "tunnel")
	switch {
	case err != nil:
		status = "failed"
	case v.Inside:
		status = "looked into"
	case v.Allowed:
		status = "allowed"
	case v.Open:
		status = "pending"
	}
	k.g.metrics.proxied.WithLabelValues(form, status).Inc()
	return v, err
}

// judgeFor judges a request, and checks the client's credential before and after: in a tunnel the
// client shows it only once, and a person may take long to answer.
func (k *gate) judgeFor(ctx context.Context, c egress.Client, t egress.Target) (v egress.Decision, err error) {
	if err = k.g.good(ctx, c.Credential); err == nil {
		if v, err = k.judge(ctx, c, t); err == nil && v.Allowed && v.ID != "" {
			err = k.g.good(ctx, c.Credential)
		}
	}
	if errors.Is(err, errNobody) {
		return egress.Decision{Why: "this token is revoked or expired"}, nil
	}
	return v, later(err)
}

// later returns errLapsed in the proxy's form.
func later(err error) error {
	if errors.Is(err, errLapsed) {
		return &egress.LaterError{Why: errLapsed.msg, Wait: time.Second}
	}
	return err
}

func (k *gate) judge(ctx context.Context, c egress.Client, t egress.Target) (egress.Decision, error) {
	p := Principal{Kind: Agent, Name: c.Name, ID: c.ID}
	n := networkPlan(&t)
	s := k.decide(n, p, c.Session)
	if s.inside { // opening it reaches nothing: each request inside is judged
		return egress.Decision{Allowed: true, Inside: true}, nil
	}
	switch s.d.Effect {
	case umpire.Allow:
		if err := k.record(s); err != nil {
			return egress.Decision{}, err // a request that cannot be recorded must not go out
		}
		return egress.Decision{Allowed: true, Named: s.named, Denies: k.denies(n, p, c.Session)}, nil
	case umpire.Deny:
		_ = k.record(s) // record logs its failure
		return egress.Decision{Why: platform.Reason(s.d, s.ops)}, nil
	}
	return k.ask(ctx, p, c.Session, &n)
}

// record counts a decision that no person made, and writes it to the audit log.
func (k *gate) record(s *cachedDecision) error {
	k.g.proxied.count(s.stored, k.g.now())
	if k.g.audit == "" {
		return nil
	}
	err := k.g.journal.append(s.event.Event())
	if err != nil {
		k.g.log.Error("cannot write the audit log", "error", err)
	}
	return err
}

// cachedDecision is the decision of the rules on a target. It is shared and immutable.
type cachedDecision struct {
	d             umpire.Decision
	ops           []umpire.Operation
	event         audit.Prepared // not set if a person must decide
	stored        []string       // IDs of the stored rules among its reasons
	named, inside bool
}

// decide returns the decision of the rules. It caches decisions: the same request gets the same
// decision until the policy or the session's taint changes.
func (k *gate) decide(n NetworkPlan, p Principal, session string) *cachedDecision {
	at, kept := k.answers()
	key := k.wanted(&n, p, session)
	if s, ok := kept.list.Load(key); ok && n.Query == "" {
		return s.(*cachedDecision)
	}
	s := &cachedDecision{}
	var a *umpire.Action
	s.d, s.ops, a = k.g.decide(&n, p, session)
	if k.sees && n.Method == http.MethodConnect {
		s.inside = k.g.decidesInside(a, s.ops) && !slices.ContainsFunc(s.d.Reasons, func(r umpire.Reason) bool { return r.Effect == umpire.Deny })
	}
	if s.d.Effect != umpire.Ask && !s.inside {
		r := approval.Request{Category: approval.Network, State: approval.Approved}
		if s.d.Effect == umpire.Deny {
			r.State = approval.Denied
		}
		event := k.g.decided(a, s.ops, s.d, r)
		s.event, s.stored = audit.Prepare(&event), storedIDs(&s.d)
	}
	s.named = s.d.Effect == umpire.Allow && s.d.Explicit && k.g.named(n, p, session)
	k.keep(&n, at, kept, key, s)
	return s
}

// answers returns the policy in force and the decisions that it made.
func (k *gate) answers() (*inForce, *keptAnswers) {
	at, kept := k.g.current(), k.kept.Load()
	if kept == nil || kept.of != at || kept.n.Load() > maxKept {
		kept = &keptAnswers{of: at}
		k.kept.Store(kept)
	}
	return at, kept
}

// keep caches a decision, but not under an older policy than the one that made it.
func (k *gate) keep(n *NetworkPlan, at *inForce, kept *keptAnswers, key wanted, value any) {
	if n.Query == "" && at == k.g.book.Load() && len(n.Path) < 1000 {
		kept.list.Store(key, value)
		kept.n.Add(1)
	}
}

// wanted is the key of a cached decision. It has no query, because a query may contain secrets:
// decisions about requests with one are not cached.
type wanted struct {
	id, name, session, method, scheme, host, port, path string
	tainted                                             bool
	at                                                  netip.Addr // if the decision is about an address of the host
}

func (k *gate) wanted(n *NetworkPlan, p Principal, session string) wanted {
	return wanted{id: p.ID, name: p.Name, session: session, method: n.Method, scheme: n.Scheme, host: n.Host, port: n.Port, path: n.Path, tainted: k.g.tainted(umpire.Principal{Session: session})}
}

// keptAnswers caches the decisions of one policy.
type keptAnswers struct {
	of   *inForce
	list sync.Map // wanted to *cachedDecision, or to denial if it has an address
	n    atomic.Int64
}

// maxKept is the limit of cached decisions.
const maxKept = 4096

// ask asks a person about a target, and waits for the answer.
func (k *gate) ask(ctx context.Context, p Principal, session string, n *NetworkPlan) (egress.Decision, error) {
	// The answer is bound to this body and these headers: other ones are another question.
	head, size, err := egress.Body(ctx)
	if err != nil {
		return egress.Decision{Why: "the body of the request did not arrive in time"}, nil //nolint:nilerr // it is the client's
	}
	if len(head) > 0 {
		n.Body = fmt.Sprintf("%x %d", sha256.Sum256(head), size)
	}
	headers := n.bindHeaders(egress.Header(ctx))
	key := p.ID + " " + session + " " + digestOf(n)
	q, err := k.question(ctx, key, p, session, n, headers+n.shown(head, size))
	if err != nil {
		status, why := Status(err)
		switch {
		case status >= http.StatusInternalServerError:
			return egress.Decision{}, err
		case status == http.StatusTooManyRequests:
			return egress.Decision{Why: why, Wait: 10 * time.Second}, nil
		}
		return egress.Decision{Why: why}, nil // such as a session with an invalid name
	}
	within, cancel := context.WithTimeout(ctx, k.hold)
	r, err := k.g.queue.Wait(within, q.id)
	cancel()
	q.mu.Lock()
	q.waiting--
	away := err != nil && ctx.Err() != nil // the client is gone
	late := err != nil && !away && errors.Is(err, context.DeadlineExceeded)
	q.told = q.told || late
	left := away && q.waiting == 0 && !q.told
	q.gone = q.gone || left
	q.mu.Unlock()
	switch {
	case err == nil:
		v := k.answered(key, q, r, n)
		if !v.Allowed {
			return v, nil
		}
		why, err := k.g.forbidden(context.WithoutCancel(ctx), &r, n)
		if why != "" || err != nil {
			return egress.Decision{ID: r.ID, Why: why}, err
		}
		v.Denies = k.denies(*n, p, session)
		return v, nil
	case away:
		if left {
			k.g.at("left")
			k.forget(key, q)
			if _, err := k.g.queue.Cancel(context.WithoutCancel(ctx), q.id); err != nil && !errors.Is(err, approval.ErrSettled) {
				return egress.Decision{}, err
			}
		}
		return egress.Decision{}, ctx.Err()
	case late:
		return egress.Decision{ID: q.id, Open: true, Why: "a person has not answered yet about " + shownTitle(n) + ": try again later"}, nil
	}
	return egress.Decision{}, err
}

// question returns the open question about a target, or asks a new one.
func (k *gate) question(ctx context.Context, key string, p Principal, session string, n *NetworkPlan, shown string) (*question, error) {
	q := k.about(key)
	q.mu.Lock()
	for q.gone { // a new connection must not get the cancellation of the old question
		q.mu.Unlock()
		k.forget(key, q)
		q = k.about(key)
		q.mu.Lock()
	}
	defer q.mu.Unlock()
	if q.id == "" {
		r, err := k.g.submit(ctx, p, Submission{Category: approval.Network, Session: session, Description: "by the proxy"}, n, shown)
		if err != nil {
			k.forget(key, q)
			return nil, err
		}
		q.id = r.ID
	}
	q.waiting++
	return q, nil
}

// about returns the question that is stored under a key, or a new one.
func (k *gate) about(key string) *question {
	k.mu.Lock()
	defer k.mu.Unlock()
	q := k.held[key]
	if q == nil {
		k.sweep()
		q = &question{asked: k.g.now()}
		k.held[key] = q
	}
	return q
}

// answered returns the decision that an answer means, for the connections that waited or for the
// first one that comes later.
func (k *gate) answered(key string, q *question, r approval.Request, n *NetworkPlan) egress.Decision {
	k.forget(key, q)
	// Abs: after the clock was set back, an old answer must not be valid again.
	if r.State == approval.Approved && (r.Resolved.IsZero() || k.g.now().Sub(r.Resolved).Abs() < grantFor) {
		// A person who approves an address has read it. A name can point anywhere.
		_, err := netip.ParseAddr(n.Host)
		return egress.Decision{Allowed: true, ID: r.ID, Named: err == nil}
	}
	v := egress.Decision{ID: r.ID, Why: r.Note}
	if v.Why == "" {
		v.Why = map[approval.State]string{
			approval.Approved: "it was approved too long ago: ask again", approval.Denied: "a person denied it", approval.Expired: "no one answered in time",
		}[r.State]
	}
	v.Why = cmp.Or(v.Why, "the question was cancelled")
	return v
}

func (k *gate) forget(key string, q *question) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.held[key] == q {
		delete(k.held, key)
	}
}

// sweep drops questions that no one came back for. The caller holds the lock.
func (k *gate) sweep() {
	if len(k.held) < maxHeld {
		return
	}
	for key, q := range k.held {
		if len(k.held) >= maxHeld || k.g.now().Sub(q.asked) > time.Hour {
			delete(k.held, key)
		}
	}
}

// named reports whether a rule allows this host or address itself, not only a wider pattern. The
// owner of a domain can point a name under it at this machine, so a rule for *.example.com must not
// open the internal network. Neither must a rule for everything.
func (g *Gateway) named(n NetworkPlan, p Principal, session string) bool {
	allows := func(host string) bool {
		n.Host = host
		d, _, _ := g.decide(&n, p, session)
		return d.Explicit && d.Effect == umpire.Allow
	}
	_, domain, _ := strings.Cut(n.Host, ".")
	if _, err := netip.ParseAddr(n.Host); err != nil && allows(strings.TrimSuffix("not-the-one."+domain, ".")) {
		return false
	}
	return !allows("198.51.100.77") // an address for documentation: only a rule for everything allows it
}

// denial is why a rule denies an address that a name leads to, or "". inside means that the rule
// denies only some requests there.
type denial struct {
	why    string
	inside bool
}

// denies returns Decision.Denies for a plan. It is cached, because each use of a connection calls it.
func (k *gate) denies(n NetworkPlan, p Principal, session string) func(netip.Addr) (string, bool) {
	if _, err := netip.ParseAddr(n.Host); err == nil {
		return nil // the decision was about it
	}
	return func(addr netip.Addr) (string, bool) {
		at, kept := k.answers()
		key := k.wanted(&n, p, session)
		key.at = addr
		if d, ok := kept.list.Load(key); ok && n.Query == "" {
			return d.(denial).why, d.(denial).inside
		}
		d := k.g.denied(n, p, session, addr)
		d.inside = d.inside && k.sees
		k.keep(&n, at, kept, key, d)
		return d.why, d.inside
	}
}

// probes are names that no rule is about. A rule that denies all of them is for all hosts, with
// exceptions, and so about names. A pattern for addresses matches no name, however wide it is.
var probes = [...]string{"no.invalid", "quux.invalid"}

// denied returns why a rule denies an address that the host of a plan leads to.
func (g *Gateway) denied(n NetworkPlan, p Principal, session string, at netip.Addr) denial {
	text := n.Host + " is at " + at.String()
	host, err := egress.Host(at.String()) // as rules spell it: an IPv4 address has several forms
	if err != nil {
		return denial{why: text + ", which no rule can name"}
	}
	now := g.current()
	given := now.given(p, session)
	denials := func(host string) (list []umpire.Reason, ops []umpire.Operation, passed bool) {
		n := n
		n.Host = host
		d, ops, a := g.decide(&n, p, session)
		for _, r := range d.Reasons {
			if r.Effect == umpire.Deny || r.Effect == umpire.Ask && r.Doubt && now.isDenial(r.Rule) {
				list = append(list, r)
			}
		}
		if given != nil && given.deny != nil { // a rule for all hosts settles the call before these
			list = append(list, given.deny.Decide(a, ops).Reasons...)
		}
		return list, ops, now.insight.past.has(a, ops)
	}
	list, ops, passed := denials(host)
	for _, name := range probes {
		if len(list) == 0 {
			return denial{}
		}
		everywhere, _, _ := denials(name)
		list = slices.DeleteFunc(list, func(r umpire.Reason) bool {
			return slices.ContainsFunc(everywhere, func(o umpire.Reason) bool { return o.Rule == r.Rule && o.Effect == r.Effect })
		})
	}
	if len(list) == 0 {
		return denial{}
	}
	certain := slices.ContainsFunc(list, func(r umpire.Reason) bool { return r.Effect == umpire.Deny })
	if _, _, named := denials(n.Host); named {
		passed = true
	}
	return denial{text + ": " + platform.Reason(umpire.Decision{Effect: umpire.Deny, Reasons: list}, ops), !certain && !passed}
}

// namesPort reports whether a rule allows a target only with its port, which means that the rule
// names the port.
func namesPort(with, without umpire.Decision) bool {
	if !without.Explicit || without.Effect != umpire.Allow {
		return true
	}
	return slices.ContainsFunc(with.Reasons, func(r umpire.Reason) bool {
		return r.Effect == umpire.Allow && !slices.ContainsFunc(without.Reasons, func(o umpire.Reason) bool { return o.Rule == r.Rule })
	})
}

// withoutPort returns the operations without the port, so that no rule with a port allows them.
func withoutPort(ops []umpire.Operation, port string) []umpire.Operation {
	ops = slices.Clone(ops)
	for i := range ops {
		if ops[i].Kind == umpire.Network {
			ops[i].Resource = strings.Replace(ops[i].Resource, ":"+port, "", 1)
		}
	}
	return ops
}
