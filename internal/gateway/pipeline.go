package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
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
	Description string             `json:"description,omitempty"` // the agent's own words; the gateway writes its own description
	Reason      string             `json:"reason,omitempty"`
	Metadata    json.RawMessage    `json:"metadata,omitempty"`
	Session     string             `json:"session,omitempty"`
	Key         string             `json:"key,omitempty"`       // makes a repeated submission return the first request
	ExpiresIn   jsonfault.Positive `json:"expiresIn,omitempty"` // milliseconds
	Lease       jsonfault.Positive `json:"lease,omitempty"`     // milliseconds; the request is cancelled after no one waited for it for that long
	Call        *Call              `json:"call,omitempty"`      // instead of category, action and metadata
	Ask         bool               `json:"ask,omitempty"`       // ask a person, unless a rule denies it or a rule that a person stored allows it
}

// badInput is a fault of the caller, not of the gateway.
type badInput struct{ msg string }

func (e badInput) Error() string { return e.msg }

func bad(format string, args ...any) error { return badInput{fmt.Sprintf(format, args...)} }

// hardened reports whether neither the mode of a category nor the default may let its requests
// pass.
func hardened(c approval.Category) bool {
	return c == approval.Exec || c == approval.Packages || c == approval.Sandbox
}

// decide returns the decision on a plan: by rules, else by the mode of the category, else Ask.
func (g *Gateway) decide(plan Plan, p Principal, session string) (umpire.Decision, []umpire.Operation, *umpire.Action) {
	now := g.current()
	return g.decideWith(plan, p, session, now.policy, now.given(p, session))
}

// given returns what people answered for a session. A grant belongs to one agent: another agent
// that names the same session must not use it.
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

// read returns the call that an agent would make itself for a plan, and its operations. It reads
// files of this machine, except for settings and for calls that run elsewhere.
func (g *Gateway) read(plan Plan, p Principal, session string, pol *policy.Policy) (*umpire.Action, []umpire.Operation) {
	a, env := plan.action(g.root), operation.Env{Programs: pol.Programs()}
	a.Principal.Session, a.Principal.User = session, p.Name
	a.Tainted = g.tainted(a.Principal)
	_, call := plan.(*CallPlan)
	if !call {
		platform.Complete(a, "", func(string) string { return "" })
	}
	a.Home = cmp.Or(a.Home, g.home)
	if plan.category() == approval.Sandbox || call {
		return a, plan.operations(a, env)
	}
	seen := disk.See(disk.New(a.Home, a.Workspace, a.Temp), platform.MaxFile, platform.ReadFile)
	env.ReadFile, env.Peek, env.ReadDir, env.Disk = seen.ReadFile, seen.Peek, platform.ReadDir, seen.View
	if r, ok := plan.(program); ok {
		r.proc().seen = seen
	}
	if c, ok := plan.(*CommandPlan); ok {
		c.elsewhere, c.variables = "", nil
		env.Ran = func(dir, origin string, variables []string) {
			if origin != "" { // the file is the project's
				return
			}
			if c.elsewhere == "" && dir != filepath.Join(a.Dir, c.Dir) {
				c.elsewhere = dir
			}
			c.variables = append(c.variables, variables...)
		}
	}
	if c, ok := plan.(*CommandPlan); ok && session != "" && g.audit != "" {
		own := umpire.Principal{Session: sessionKey(p.ID, session)} // another agent may use the same session name
		c.memory = taint.Open(filepath.Join(g.audit, "taint")).Memory(own, disk.Birth)
		env.Session = c.memory
	}
	return a, plan.operations(a, env)
}

func (g *Gateway) weigh(plan Plan, p Principal, session string, pol *policy.Policy, given *granted) (umpire.Decision, []umpire.Operation, *umpire.Action) {
	a, ops := g.read(plan, p, session, pol)
	c := plan.category()
	d := pol.Decide(a, ops)
	if c == approval.Sandbox && (d.Effect != umpire.Deny || !d.Explicit) { // no rule allows it: a person decides
		return umpire.Decision{Effect: umpire.Ask, Explicit: true}, ops, a
	}
	if _, push := plan.(*PushPlan); push && d.Effect != umpire.Deny {
		// The agent's call runs no program here, so rules for git decide, and none for the program
		// is needed.
		ops = slices.DeleteFunc(ops, func(o umpire.Operation) bool { return o.Kind == umpire.Exec })
		d = pol.Decide(a, ops)
	}
	decide := func(ops []umpire.Operation) umpire.Decision {
		d := pol.Decide(a, ops)
		n, ok := plan.(*NetworkPlan)
		if ok && n.otherPort() && d.Explicit && d.Effect == umpire.Allow && !namesPort(d, pol.Decide(a, withoutPort(ops, n.Port))) {
			d.Effect = umpire.Ask // a rule for a host covers its web server only, unless it names the port
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
	if install, ok := plan.(*PackagePlan); ok && !install.Scripts && !d.Explicit { // the gateway builds the command, so rules for packages decide
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

// tainted reports whether a session read text that tries to steer the agent. The marks are in the
// state folder of this machine.
func (g *Gateway) tainted(p umpire.Principal) bool {
	return g.audit != "" && taint.Open(filepath.Join(g.audit, "taint")).Has(p)
}

// understood returns the plan of a submission. It refuses a folder outside of the project.
func (g *Gateway) understood(s *Submission) (Plan, error) {
	plan, err := planOf(s)
	if p, ok := plan.(program); ok && err == nil && p.proc().Dir != "" {
		p.proc().Dir, err = g.belowRoot(p.proc().Dir)
	}
	return plan, err
}

// Submit runs a submission through the pipeline and returns the stored request. The request is
// settled already if rules or the mode decide.
func (g *Gateway) Submit(ctx context.Context, p Principal, s Submission) (approval.Request, error) {
	plan, err := g.understood(&s)
	if err != nil {
		return approval.Request{}, err
	}
	diff, err := g.bind(ctx, plan)
	if err != nil {
		if old, none := g.store.ByKey(ctx, p.ID, s.Key); none == nil { // it is a repeated submission, which may be carried out already
			return sameRequest(old, plan)
		}
		return approval.Request{}, err
	}
	r, err := g.submit(ctx, p, s, plan, diff)
	if err != nil {
		return r, err
	}
	return sameRequest(r, plan)
}

// sameRequest returns an error if a submission repeats the key of a request for something else. The
// agent would take the answer to that request for the answer to this one.
func sameRequest(r approval.Request, plan Plan) (approval.Request, error) {
	if r.Category != plan.category() || r.Action != shownTitle(plan) {
		return approval.Request{}, fault{http.StatusConflict, "the key belongs to another request, " + r.ID + ": use a new key"}
	}
	return r, nil
}

// maxStale is how many times a request is decided again because another gateway changed the rules.
const maxStale = 5

// submit decides on a plan and stores the request. diff is the text for people.
func (g *Gateway) submit(ctx context.Context, p Principal, s Submission, plan Plan, diff string) (r approval.Request, err error) {
	if err := g.good(ctx, p.token); err != nil { // a body, such as a pack, may have taken long
		return approval.Request{}, err
	}
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

// conditions returns what must hold when a request is stored: the token of its agent is not
// revoked, and the rules are those that decided. A gateway that shares its database may not know of
// a change yet.
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
	rules := g.current().version // read before the decision, which may use later ones
	d, ops, a := g.decide(plan, p, s.Session)
	if s.Ask {
		d = g.asked(plan, p, s.Session, d, ops, a)
	}
	if q, ok := plan.(*PackagePlan); ok && q.Verb != "remove" && d.Effect == umpire.Ask {
		diff += g.lookup.About(ctx, q.Manager, q.Names)
	}
	if plan.category() == approval.Filesystem {
		s.Metadata = nil // the plan has the contents already
	}
	body, err := json.Marshal(struct {
		storedMetadata
		Operations []umpire.Operation `json:"operations,omitempty"`
		Reasons    []umpire.Reason    `json:"reasons,omitempty"`
		Said       json.RawMessage    `json:"said,omitempty"` // the agent's own fields, unchanged
		Words      string             `json:"description,omitempty"`
		Diff       string             `json:"diff,omitempty"` // for people: the changes, with secrets masked, or descriptions from registries
	}{storedMetadata{encodePlan(plan), s.Ask}, ops, d.Reasons, s.Metadata, s.Description, diff})
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
		return approval.Request{}, bad("the lease must be milliseconds, from %d to %d", approval.MinLease.Milliseconds(), approval.MaxLease.Milliseconds())
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
	if visible.Line(s.Session) != s.Session { // people distinguish sessions by it
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
	if err := g.supersede(ctx, &stored, plan); err != nil { // an approval of an older one would no longer apply
		g.log.Error("older questions about the same files stay open", "request", stored.ID, "error", err)
	}
	return stored, nil
}
