package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// Submission is the request of an agent.
type Submission struct {
	Category    approval.Category  `json:"category"`
	Action      string             `json:"action"`
	Description string             `json:"description,omitempty"` // the agent's; people are shown the gateway's own
	Reason      string             `json:"reason,omitempty"`
	Metadata    json.RawMessage    `json:"metadata,omitempty"`
	Session     string             `json:"session,omitempty"`
	Key         string             `json:"key,omitempty"`       // asked again with the same one, it is the same request
	ExpiresIn   jsonfault.Positive `json:"expiresIn,omitempty"` // ms
	Lease       jsonfault.Positive `json:"lease,omitempty"`     // ms: cancelled after no one waited for it for that long
	Call        *Call              `json:"call,omitempty"`      // instead of category, action and metadata
	Ask         bool               `json:"ask,omitempty"`       // put it to a person, unless a rule denies it or a person's stored one allows it
}

// badInput is a fault of the asker's, and not the gateway's.
type badInput struct{ msg string }

func (e badInput) Error() string { return e.msg }

func bad(format string, args ...any) error { return badInput{fmt.Sprintf(format, args...)} }

// hardened categories are never let through by their mode or by the default.
func hardened(c approval.Category) bool {
	return c == approval.Exec || c == approval.Packages || c == approval.Sandbox
}

// decide puts what would be done before the policy: by rules, else by the category's
// mode, else Ask.
func (g *Gateway) decide(plan Plan, p Principal, session string) (umpire.Decision, []umpire.Operation, *umpire.Action) {
	now := g.current()
	return g.decideWith(plan, p, session, now.policy, now.given(p, session))
}

// given is what people answered for a session. A grant is one agent's: that another names the
// same session is no reason to trust it.
func (b *inForce) given(p Principal, session string) *granted {
	if session == "" {
		return nil
	}
	return b.sessions[sessionKey(p.ID, session)]
}

func (g *Gateway) decideWith(plan Plan, p Principal, session string, pol *policy.Policy, given *granted) (umpire.Decision, []umpire.Operation, *umpire.Action) {
	d, ops, a := g.weigh(plan, p, session, pol, given)
	if r, ok := plan.(restricted); ok {
		r.restrict(&d, &judgment{g, a, ops, pol, given})
	}
	return d, ops, a
}

// read returns the call that an agent would make itself, and its operations. Only a plan for this
// machine is read with its files.
func (g *Gateway) read(plan Plan, p Principal, session string, pol *policy.Policy) (*umpire.Action, []umpire.Operation) {
	a, env := plan.action(g.root), operation.Env{Programs: pol.Programs()}
	a.Principal.Session, a.Principal.User = session, p.Name
	a.Tainted = g.tainted(a.Principal)
	_, call := plan.(*CallPlan)
	if !call {
		platform.Complete(a, "", func(string) string { return "" })
	}
	if a.Home == "" {
		a.Home = g.home
	}
	if plan.category() == approval.Sandbox || call {
		return a, plan.operations(a, env)
	}
	seen := disk.See(disk.New(a.Home, a.Workspace, a.Temp), platform.MaxFile, platform.ReadFile)
	env.ReadFile, env.ReadDir, env.Disk = seen.ReadFile, platform.ReadDir, seen.View
	if r, ok := plan.(program); ok {
		r.proc().seen = seen
	}
	if c, ok := plan.(*CommandPlan); ok {
		c.elsewhere = ""
		env.Ran = func(_ umpire.Operation, dir string) {
			if c.elsewhere == "" && dir != filepath.Join(a.Dir, c.Dir) {
				c.elsewhere = dir
			}
		}
	}
	if c, ok := plan.(*CommandPlan); ok && session != "" && g.audit != "" {
		own := umpire.Principal{Session: sessionKey(p.ID, session)} // another agent may give the same name
		c.memory = taint.Open(filepath.Join(g.audit, "taint")).Memory(own, disk.Birth)
		env.Session = c.memory
	}
	return a, plan.operations(a, env)
}

func (g *Gateway) weigh(plan Plan, p Principal, session string, pol *policy.Policy, given *granted) (umpire.Decision, []umpire.Operation, *umpire.Action) {
	a, ops := g.read(plan, p, session, pol)
	c := plan.category()
	if c == approval.Sandbox { // always put to a person
		return umpire.Decision{Effect: umpire.Ask, Explicit: true}, ops, a
	}
	d := pol.Decide(a, ops)
	if _, push := plan.(*PushPlan); push && d.Effect != umpire.Deny {
		// Nothing is run for the agent: rules for git settle it, without one for the program.
		ops = slices.DeleteFunc(ops, func(o umpire.Operation) bool { return o.Kind == umpire.Exec })
		d = pol.Decide(a, ops)
	}
	decide := func(ops []umpire.Operation) umpire.Decision {
		d := pol.Decide(a, ops)
		n, ok := plan.(*NetworkPlan)
		if ok && n.otherPort() && d.Explicit && d.Effect == umpire.Allow && !namesPort(d, pol.Decide(a, withoutPort(ops, n.Port))) {
			d.Effect = umpire.Ask // a rule for a host is one for its web server, unless it names the port
		}
		return d
	}
	if d.Effect == umpire.Deny {
		return d, ops, a
	}
	if given != nil && given.deny != nil {
		if s := given.deny.Decide(a, ops); s.Explicit && s.Effect == umpire.Deny {
			return s, ops, a
		}
	}
	if install, ok := plan.(*PackagePlan); ok && !install.Scripts && !d.Explicit { // the gateway makes its command: rules for packages settle it
		only := slices.DeleteFunc(slices.Clone(ops), func(o umpire.Operation) bool { return o.Kind == umpire.Exec })
		if d := pol.Decide(a, only); d.Explicit && d.Effect == umpire.Allow {
			return d, ops, a
		}
	}
	if d = decide(ops); d.Explicit && d.Effect == umpire.Allow {
		return d, ops, a
	}
	if s, ok := given.covers(plan, a, ops, decide); ok {
		return s, ops, a
	}
	if d.Explicit {
		return d, ops, a
	}
	d.Effect = umpire.Ask
	if !hardened(c) {
		kind, _ := umpire.ParseKind(string(c)) // every category is a kind
		if kind == umpire.Filesystem {
			kind = umpire.Write
		}
		switch m := pol.Mode(kind); {
		case m == policy.AllowAll:
			d.Effect = umpire.Allow
		case m == policy.DenyAll:
			d.Add(umpire.Reason{Rule: "mode", Effect: umpire.Deny, Op: -1, Text: "the mode of " + string(c) + " is deny-all"})
		}
	}
	return d, ops, a
}

// tainted reports whether a session met what tries to steer the agent. The marks are in the
// state folder of this machine.
func (g *Gateway) tainted(p umpire.Principal) bool {
	return g.audit != "" && taint.Open(filepath.Join(g.audit, "taint")).Has(p)
}

// understood reads a submission, and refuses one for a folder outside of the project.
func (g *Gateway) understood(s *Submission) (Plan, error) {
	plan, err := planOf(s)
	if p, ok := plan.(program); ok && err == nil && p.proc().Dir != "" {
		p.proc().Dir, err = g.belowRoot(p.proc().Dir)
	}
	return plan, err
}

// Submit puts a submission through the pipeline. The request that it returns is stored:
// it is settled already where rules or the mode answer.
func (g *Gateway) Submit(ctx context.Context, p Principal, s Submission) (approval.Request, error) {
	plan, err := g.understood(&s)
	if err != nil {
		return approval.Request{}, err
	}
	diff, err := g.bind(ctx, plan)
	if err != nil {
		if old, none := g.store.ByKey(ctx, p.ID, s.Key); none == nil { // it was asked for before, and may be done
			return old, nil
		}
		return approval.Request{}, err
	}
	return g.submit(ctx, p, s, plan, diff)
}

// maxStale is how often a request is decided anew because another gateway changed the rules.
const maxStale = 5

// submit asks for what was read of a submission. People are shown the difference.
func (g *Gateway) submit(ctx context.Context, p Principal, s Submission, plan Plan, diff string) (r approval.Request, err error) {
	for try := 0; ; try++ {
		if !g.shared || try > 0 {
			if err := g.catchUp(ctx); err != nil {
				return approval.Request{}, err
			}
		}
		r, err = g.decideAndStore(ctx, p, s, plan, diff)
		var stale approval.StaleError
		switch {
		case errors.As(err, &stale) && stale.Kind == tokenRecord:
			return r, errNobody
		case errors.As(err, &stale) && try < maxStale:
			continue
		}
		return r, err
	}
}

// conditions must hold when a request is stored: its agent's token is not revoked, and the rules
// are those that decided it. A gateway that shares its database may not know of a change yet.
func (g *Gateway) conditions(p Principal, rules int64) (out []approval.Condition) {
	if p.token != "" {
		out = append(out, approval.Condition{Kind: tokenRecord, ID: p.token, Any: true})
	}
	if g.shared {
		c := approval.Condition{Kind: versionRecord, ID: ruleRecord}
		if rules > 0 {
			c.Body = strconv.FormatInt(rules, 10)
		}
		out = append(out, c)
	}
	return out
}

func (g *Gateway) decideAndStore(ctx context.Context, p Principal, s Submission, plan Plan, diff string) (approval.Request, error) {
	rules := g.current().version // before the decision, which may be by later ones
	d, ops, a := g.decide(plan, p, s.Session)
	if s.Ask {
		d = g.asked(plan, p, s.Session, d, ops, a)
	}
	if q, ok := plan.(*PackagePlan); ok && q.Verb != "remove" && d.Effect == umpire.Ask {
		diff += g.lookup.About(ctx, q.Manager, q.Names)
	}
	if plan.category() == approval.Filesystem {
		s.Metadata = nil // the contents are kept once
	}
	body, err := json.Marshal(struct {
		kept
		Operations []umpire.Operation `json:"operations,omitempty"`
		Reasons    []umpire.Reason    `json:"reasons,omitempty"`
		Said       json.RawMessage    `json:"said,omitempty"` // the agent's own fields, as they came
		Words      string             `json:"description,omitempty"`
		Diff       string             `json:"diff,omitempty"` // for people: what changes, with secrets masked, or what registries say
	}{kept{encodePlan(plan), s.Ask}, ops, d.Reasons, s.Metadata, s.Description, diff})
	if err != nil {
		return approval.Request{}, err
	}
	r := approval.Request{Agent: p.ID, Session: s.Session, Category: plan.category(), Action: shownTitle(plan), Reason: s.Reason, Metadata: body, Digest: digestOf(plan), Key: s.Key,
		Description: describe(plan, d)}
	if t, ok := plan.(targeted); ok {
		r.Target = t.target()
	}
	if s.ExpiresIn > 0 {
		r.Expires = g.now().Add(min(durationMS(int64(s.ExpiresIn)), maxExpiry))
	}
	if !p.Expires.IsZero() && (r.Expires.IsZero() || p.Expires.Before(r.Expires)) && p.Expires.Before(g.now().Add(g.expiry())) {
		r.Expires = p.Expires
	}
	if r.Lease = durationMS(int64(s.Lease)); r.Lease != 0 && (r.Lease < approval.MinLease || r.Lease > approval.MaxLease) {
		return approval.Request{}, bad("a lease is in milliseconds, from %d to %d", approval.MinLease.Milliseconds(), approval.MaxLease.Milliseconds())
	}
	switch d.Effect {
	case umpire.Allow:
		if most := g.options.Waiting; most > 0 && runs(plan) && g.running.waiting(p.ID) >= most {
			return approval.Request{}, errTurns
		}
		r.State, r.ResolvedBy = approval.Approved, approval.ByAuto
	case umpire.Deny:
		r.State, r.ResolvedBy = approval.Denied, approval.ByAuto
		r.Note = platform.Reason(d, ops)
	default:
		r.Needs, r.Most = g.needs[r.Category], g.options.Waiting
	}
	for _, reason := range d.Reasons {
		if reason.Effect == d.Effect && r.State != "" {
			r.Rule = reason.Rule
			break
		}
	}
	if visible.Line(s.Session) != s.Session { // people tell sessions apart by it
		return approval.Request{}, bad("the session %s has invisible characters", visible.Clip(s.Session, 100))
	}
	if err := r.Check(); err != nil {
		return approval.Request{}, bad("%v", err)
	}
	r.Provided = g.conditions(p, rules)
	stored, err := g.queue.Ask(ctx, r)
	if err != nil {
		return stored, err
	}
	g.metrics.requests.WithLabelValues(string(stored.Category), string(stored.State)).Inc()
	g.record(a, ops, d, stored)
	if err := g.supersede(ctx, &stored, plan); err != nil { // approved, the older ones would not fit
		g.log.Error("older questions about the same files stay open", "request", stored.ID, "error", err)
	}
	return stored, nil
}
