package enforce

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/policy"
)

// Judgement is the recorded decision on one call.
type Judgement struct {
	Action     *umpire.Action
	Operations []umpire.Operation
	Decision   umpire.Decision // decision of the policy
	// Effect is what holds: the Decision's, unless no rule spoke and the caller's is
	// stricter; the caller's own under a policy that only observes.
	Effect umpire.Effect
	Reason string // why, for agents and people; control characters are spelled out

	e    *Enforcer
	seen *disk.Seen
}

// Hold returns an error if a file or link that the decision depends on has changed since. A
// program that runs the call itself asks right before it starts the call.
func (j *Judgement) Hold() error { return j.seen.Hold() }

// Judge decides on a call and records the decision. If no rule settles the call, the stricter
// of unsettled and the policy's default applies; use it to ask about dangerous tools. On an
// error, do not run the call: it could not be decided or recorded.
func (e *Enforcer) Judge(c *hooks.ToolCall, unsettled umpire.Effect) (*Judgement, error) {
	start := time.Now()
	a, err := e.action(c)
	if err != nil {
		return nil, err
	}
	p, fault := e.inForce()
	d, ops, seen := e.decide(p, a, unsettled)
	j := &Judgement{Action: a, Operations: ops, Decision: d, Effect: d.Effect, Reason: platform.Reason(d, ops), e: e, seen: seen}
	if !d.Explicit && unsettled < j.Effect {
		j.Effect = unsettled
		j.Reason = "no rule settles this call, and " + c.Tool + " can change things."
	}
	event := audit.Decided(a, ops, d)
	event.Effect = j.Effect.String()
	event.Point, event.Policy, event.Micros = audit.Agent, p.Hash(), time.Since(start).Microseconds()
	if fault != nil {
		event.Failure = "the last good policy is in force: " + fault.Error()
	}
	if p.Observe() {
		event.Data = map[string]string{"observed": "true"}
		if j.Effect < umpire.Allow { // rules stop nothing, and what would hold without them still does
			j.Effect = unsettled
		}
	}
	return j, audit.Append(e.state, &event) // what is not on record does not run
}

// Ran records that the call ran, and its duration.
func (j *Judgement) Ran(took time.Duration) error {
	return j.e.ran(j.Action, took)
}

func (e *Enforcer) ran(a *umpire.Action, took time.Duration) error {
	return audit.Append(e.state, &audit.Event{Kind: audit.Result, Point: audit.Agent, Principal: a.Principal, Action: a.ID, Tool: a.Tool, Dir: a.Dir, Millis: took.Milliseconds()})
}

// Said is a person's answer.
type Said struct {
	Yes  bool
	By   string // who answered
	Note string // for the model
	Here bool   // set by Approve if its ask function answered first
}

// askEnds is how long Approve waits for an ask that does not end when its context does.
const askEnds = 5 * time.Second

// ErrAsk is returned by Approve if no one could be asked.
var ErrAsk = errors.New("no one could be asked")

// Approve asks people about a call whose Effect is Ask. It creates a question for `umpire
// approve` and `umpire watch`. If ask is not nil, Approve also calls it with the ID of the
// question. The first answer counts. When an answer arrives elsewhere, the context of ask
// ends, and Approve waits a few seconds for ask to return. An error means no.
func (j *Judgement) Approve(ctx context.Context, ask func(ctx context.Context, id string) (Said, error)) (Said, error) {
	if ok, err := j.approved(); ok || err != nil {
		return Said{Yes: ok}, err
	}
	box := j.e.questions().Bound() // this process waits, and nobody makes the call in its place
	q, err := box.Ask(j.Action, j.Operations, j.Decision)
	if err != nil {
		return Said{}, fmt.Errorf("%w: %w", ErrAsk, err)
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, question.Expiry)
	defer cancel()
	asked := make(chan struct{})
	var here atomic.Bool
	if ask == nil {
		close(asked)
	} else {
		go func() {
			defer close(asked)
			said, err := ask(ctx, q.ID)
			if err != nil {
				cancel()
				return
			}
			if ctx.Err() != nil { // nobody waits for it: it would answer the next such call
				return
			}
			state := question.Denied
			if said.Yes {
				state = question.Approved
			}
			// ErrNone: somebody was faster elsewhere, and Wait sees that.
			_, err = box.Answer(q, state, said.By, said.Note)
			here.Store(err == nil)
			if err != nil && !errors.Is(err, question.ErrNone) {
				cancel()
			}
		}()
	}
	got, ok := box.Wait(q, ctx.Done())
	cancel()
	select { // what it still does with this question must not meet the next one about such a call
	case <-asked:
	case <-time.After(askEnds):
	}
	if !ok {
		got, ok = box.Wait(q, ctx.Done()) // an answer of the last moment is used up, too
	}
	if !ok {
		if caller.Err() != nil {
			box.Withdraw(q) // the call will not run any more
		}
		return Said{}, fmt.Errorf("%w: nobody answered the question %s", ErrAsk, q.ID)
	}
	said := Said{Yes: got.State == question.Approved, By: got.By, Note: got.Note, Here: here.Load()}
	if said.Yes {
		if err := box.Use(got); err != nil {
			return Said{}, err
		}
		seen, err := j.e.still(j.Action)
		if err != nil {
			return Said{}, errors.Join(err, j.record(got, false))
		}
		j.seen = seen
	}
	return said, j.record(got, said.Yes)
}

// Granted records that an earlier answer of a person covers this call.
func (j *Judgement) Granted(by string) error {
	return j.record(question.Question{By: by}, true)
}

// approved takes an approval that a person gave before.
func (j *Judgement) approved() (bool, error) {
	q, ok := j.e.questions().Take(j.Action)
	if !ok {
		return false, nil
	}
	return true, j.record(q, true)
}

func (j *Judgement) record(q question.Question, yes bool) error {
	effect := umpire.Deny
	if yes {
		effect = umpire.Allow
	}
	a := j.Action
	return audit.Append(j.e.state, &audit.Event{Kind: audit.Approval, Point: audit.Agent, Principal: a.Principal, Action: a.ID,
		Tool: a.Tool, Dir: a.Dir, Params: a.Input, Effect: effect.String(), By: q.By, Note: q.Note, Data: map[string]string{"question": q.ID}})
}

// Allow adds rules until Forget, as when a person allows calls for a session. Rules of the
// layer Builtin settle only what no other rule settles; rules of the layer User also override
// questions of built-in rules. The rules apply on top of the current policy files. If the
// files have a fault, Allow returns it and changes nothing.
func (e *Enforcer) Allow(rules ...policy.Rule) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	files, _ := e.files.Now() // before the files are read: what changes in between is seen by the next call
	all := slices.Concat(e.allowed, rules)
	p, err := e.with(all)
	if err != nil {
		return err
	}
	e.allowed = all
	e.session.Store(&session{files, p})
	return nil
}

// Forget removes all rules that Allow added.
func (e *Enforcer) Forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.allowed = nil
	e.session.Store(nil)
}

// Taint marks a run as tainted, so that stricter rules apply to its later calls.
func (e *Enforcer) Taint(run, tool, why string) error {
	return taint.Open(filepath.Join(e.state, "taint")).Set(taint.Mark{Platform: e.platform, Session: run, Tool: tool, Why: why})
}

// Workspace returns the root of the project.
func (e *Enforcer) Workspace() string { return e.workspace }
