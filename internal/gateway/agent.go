package gateway

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// maxWait is the longest time that a call waits for an answer. It is below the minute after which
// proxies on the way give up.
const maxWait = 55 * time.Second

// wire returns a request in the form of the REST API. Times are in milliseconds. own is set if the
// reader is the agent that made the request.
func wire(r approval.Request, own bool) map[string]any {
	out := map[string]any{"id": r.ID, "seq": r.Seq, "category": r.Category, "action": visible.Block(r.Action), "description": visible.Block(r.Description), "status": r.State,
		"createdAt": r.Created.UnixMilli(), "expiresAt": r.Expires.UnixMilli(), "digest": r.Digest}
	put := func(key, value string) {
		if value != "" {
			out[key] = value
		}
	}
	put("reason", visible.Block(r.Reason))
	put("resolvedBy", r.ResolvedBy)
	put("note", visible.Block(r.Note))
	put("scope", string(r.Scope))
	put("session", visible.Block(r.Session))
	if !r.Resolved.IsZero() {
		out["resolvedAt"] = r.Resolved.UnixMilli()
	}
	if !own { // an agent does not learn which person or rule answered
		put("agent", r.Agent)
		put("operator", r.Operator)
		put("rule", r.Rule)
		if r.Needs > 1 {
			out["needs"], out["votes"] = r.Needs, r.Votes
		}
		if len(r.Metadata) > 0 {
			out["metadata"] = r.Metadata
		}
	}
	return out
}

func (g *Gateway) postQueue(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var s Submission
	if err := read(w, r, &s, false); err != nil {
		return 0, nil, err
	}
	req, err := g.Submit(r.Context(), p, s)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, wire(req, true), nil
}

func (g *Gateway) propose(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in proposal
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	meta := encode(map[string]any{"proposal": in})
	req, err := g.Submit(r.Context(), p, Submission{Category: approval.Sandbox, Action: "config change: " + in.Path, Reason: in.Reason, Metadata: meta})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, wire(req, true), nil
}

// own returns a request of this agent. It does not reveal whether another agent's request exists.
func (g *Gateway) own(ctx context.Context, id string, p Principal) (approval.Request, error) {
	req, err := g.store.Get(ctx, id)
	if err == nil && req.Agent != p.ID {
		err = approval.ErrNone
	}
	return req, err
}

func (g *Gateway) ownRequest(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	req, err := g.own(r.Context(), r.PathValue("id"), p)
	if err != nil {
		return 0, nil, err
	}
	ctx, cancel, err := g.patience(r)
	if err != nil {
		return 0, nil, err
	}
	defer cancel()
	if ctx != nil {
		later, err := g.queue.Wait(ctx, req.ID)
		switch {
		case err == nil:
			req = later
		case ctx.Err() == nil:
			return 0, nil, err
		}
	}
	return http.StatusOK, wire(req, true), nil
}

// patience returns a context for the time that a call waits, by its parameter "wait" and at most
// until the gateway shuts down. The context is nil if the call does not wait.
func (g *Gateway) patience(r *http.Request) (context.Context, context.CancelFunc, error) {
	text := r.URL.Query().Get("wait")
	if text == "" {
		return nil, func() {}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return nil, nil, bad("wait must be a duration such as 55s")
	}
	ctx, cancel := context.WithTimeout(r.Context(), min(d, maxWait))
	stop := context.AfterFunc(g.life, cancel)
	return ctx, func() { stop(); cancel() }, nil
}

func (g *Gateway) ownQueue(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	pending, err := g.store.List(r.Context(), approval.Filter{Agent: p.ID, States: []approval.State{approval.Pending}, Oldest: true, Limit: 1000})
	if err != nil {
		return 0, nil, err
	}
	recent, err := g.store.List(r.Context(), approval.Filter{Agent: p.ID, Limit: 50})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]any{"pending": wires(pending), "recent": wires(recent)}, nil
}

func wires(list []approval.Request) []map[string]any {
	out := make([]map[string]any, len(list))
	for i, r := range list {
		out[i] = wire(r, true)
	}
	return out
}

// Masked returns a copy of a request for people, with the secrets in its texts masked. An answer is
// bound to the digest, which covers the stored text.
func Masked(r approval.Request) approval.Request {
	r.Action, r.Description = redact.ReadableCommand(r.Action), redact.ReadableCommand(r.Description)
	r.Reason, r.Note = redact.Readable(r.Reason), redact.Readable(r.Note)
	r.Metadata = redact.ReadableJSON(r.Metadata)
	return r
}

// forPeople returns requests in the form of the REST API for operators, with the names of the
// agents, and with secrets masked.
func (g *Gateway) forPeople(ctx context.Context, list ...approval.Request) ([]map[string]any, error) {
	names, err := g.AgentNames(ctx)
	out := make([]map[string]any, len(list))
	for i, r := range list {
		out[i] = wire(Masked(r), false)
		if name := names[r.Agent]; name != "" {
			out[i]["agentName"] = visible.Line(name)
		}
	}
	return out, err
}

func (g *Gateway) cancel(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	req, err := g.own(r.Context(), r.PathValue("id"), p)
	if err != nil {
		return 0, nil, err
	}
	req, err = g.queue.Cancel(r.Context(), req.ID)
	if err != nil && !errors.Is(err, approval.ErrSettled) {
		return 0, nil, err
	}
	out := map[string]any{"ok": err == nil, "request": wire(req, true)}
	if err != nil {
		out["error"] = err.Error()
	}
	return http.StatusOK, out, nil
}

// check returns the decision on a submission. It stores nothing.
func (g *Gateway) check(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var s Submission
	if err := read(w, r, &s, false); err != nil {
		return 0, nil, err
	}
	d, title, err := g.Check(p, s)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]any{"effect": effectWord(d.Effect), "action": title}, nil
}

// Check returns the decision of the rules on a submission, and its title.
func (g *Gateway) Check(p Principal, s Submission) (d umpire.Decision, title string, err error) {
	plan, err := g.understood(&s)
	if err != nil {
		return umpire.Decision{}, "", err
	}
	d, ops, a := g.decide(plan, p, s.Session)
	if s.Ask {
		d = g.asked(plan, p, s.Session, d, ops, a)
	}
	return d, shownTitle(plan), nil
}
