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

// Decision is the recorded decision on one call. Authorize makes it; the zero value denies.
type Decision struct {
	Action     *umpire.Action
	Operations []umpire.Operation
	Policy     umpire.Decision // the decision of the policy
	// Effect is the effect in force. It is the policy's, with two exceptions: the caller's if
	// no rule settled the call and the caller's is stricter, unless the call changes no file, and
	// the caller's under a policy that only observes.
	Effect umpire.Effect
	Reason string // why, for agents and people; control characters are spelled out

	e    *Enforcer
	seen *disk.Seen
}

// Recheck returns an error if a file or link that the decision depends on has changed since. A
// program that runs the call itself calls Recheck right before it starts the call.
func (d *Decision) Recheck() error {
	if d.e == nil {
		return errZero
	}
	return d.seen.Hold()
}

// Authorize decides on a call and records the decision. If no rule settles the call, the stricter
// of unsettled and the policy's default applies; use it to ask about dangerous tools. The safe
// pack replaces both for a call that changes no file, such as `git status`. On an error, do not run
// the call: it could not be decided or recorded.
func (e *Enforcer) Authorize(c *hooks.ToolCall, unsettled umpire.Effect) (*Decision, error) {
	start := time.Now()
	a, err := e.action(c)
	if err != nil {
		return nil, err
	}
	p, fault := e.inForce()
	ruled, ops, seen := e.decide(p, a, unsettled)
	d := &Decision{Action: a, Operations: ops, Policy: ruled, Effect: ruled.Effect, Reason: platform.Reason(ruled, ops), e: e, seen: seen}
	if !ruled.Explicit && unsettled < d.Effect && !(ruled.Safe && onlyLooks(ops)) {
		d.Effect = unsettled
		for i := range ops {
			if one := p.Decide(a, ops[i:i+1]); !one.Explicit && !(one.Safe && onlyLooks(ops[i:i+1])) {
				d.Policy.Unsettled = append(d.Policy.Unsettled, i)
			}
		}
		d.Reason = "no rule settles this call, and " + c.Tool + " can change things."
	}
	event := audit.Decided(a, ops, ruled)
	event.Effect = d.Effect.String()
	event.Point, event.Policy, event.Micros = audit.Agent, p.Hash(), time.Since(start).Microseconds()
	if fault != nil {
		event.Failure = "the last good policy is in force: " + fault.Error()
	}
	if p.Observe() {
		event.Data = map[string]string{"observed": "true"}
		if d.Effect < umpire.Allow { // an observed policy stops nothing, but the caller's effect still applies
			d.Effect = unsettled
		}
	}
	return d, audit.Append(e.state, &event) // a call that is not recorded must not run
}

// onlyLooks reports whether a call reads and prints, or at most makes an empty folder: it changes no
// file, runs no code of the project, and reaches no host that its operations name.
func onlyLooks(ops []umpire.Operation) bool {
	return !slices.ContainsFunc(ops, func(op umpire.Operation) bool {
		return op.Kind != umpire.Read && (op.Kind != umpire.Exec || op.Traits&(umpire.Described|umpire.ProjectCode) != umpire.Described)
	})
}

// RecordRun records that the call ran, and its duration.
func (d *Decision) RecordRun(took time.Duration) error {
	if d.e == nil {
		return errZero
	}
	return d.e.ran(d.Action, took)
}

func (e *Enforcer) ran(a *umpire.Action, took time.Duration) error {
	return audit.Append(e.state, &audit.Event{Kind: audit.Result, Point: audit.Agent, Principal: a.Principal, Action: a.ID, Tool: a.Tool, Dir: a.Dir, Millis: took.Milliseconds()})
}

// Answer is a person's answer.
type Answer struct {
	Yes  bool
	By   string // the person
	Note string // for the model
	Here bool   // set by Approve if its ask function answered first
}

// askEnds limits how long Approve waits for ask after its context has ended.
const askEnds = 5 * time.Second

// ErrAsk is returned by Approve if no one could be asked.
var ErrAsk = errors.New("no one could be asked")

// Approve asks people about a call whose Effect is Ask. It creates a question for `umpire
// approve` and `umpire watch`. If ask is not nil, Approve also calls it with the ID of the
// question. The first answer counts. When an answer arrives elsewhere, the context of ask
// ends, and Approve waits a few seconds for ask to return. An error means no.
func (d *Decision) Approve(ctx context.Context, ask func(ctx context.Context, id string) (Answer, error)) (Answer, error) {
	if ok, err := d.approved(); ok || err != nil {
		return Answer{Yes: ok}, err
	}
	box := d.e.questions().Bound() // this process waits, so no other process may use the approval
	q, err := box.Ask(d.Action, d.Operations, d.Policy)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrAsk, err)
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
			if ctx.Err() != nil { // too late: the answer would apply to the next identical call
				return
			}
			state := question.Denied
			if said.Yes {
				state = question.Approved
			}
			// ErrNone: someone answered elsewhere first, and Wait sees that.
			_, err = box.Answer(q, state, said.By, said.Note)
			here.Store(err == nil)
			if err != nil && !errors.Is(err, question.ErrNone) {
				cancel()
			}
		}()
	}
	got, ok := box.Wait(q, ctx.Done())
	cancel()
	select { // an ask that still runs must not answer the next question about the same call
	case <-asked:
	case <-time.After(askEnds):
	}
	if !ok {
		got, ok = box.Wait(q, ctx.Done()) // an answer may have arrived in the last moment: use it up
	}
	if !ok {
		if caller.Err() != nil {
			box.Withdraw(q) // the call will not run any more
		}
		return Answer{}, fmt.Errorf("%w: no one answered question %s", ErrAsk, q.ID)
	}
	said := Answer{Yes: got.State == question.Approved, By: got.By, Note: got.Note, Here: here.Load()}
	if said.Yes {
		if err := box.Use(got); err != nil {
			return Answer{}, err
		}
		seen, err := d.e.unchanged(d.Action)
		if err != nil {
			return Answer{}, errors.Join(err, d.record(got, false))
		}
		d.seen = seen
	}
	return said, d.record(got, said.Yes)
}

// RecordGrant records that an earlier answer of a person covers this call.
func (d *Decision) RecordGrant(by string) error {
	return d.record(question.Question{By: by}, true)
}

// approved uses up an approval that a person gave earlier.
func (d *Decision) approved() (bool, error) {
	if d.e == nil {
		return false, errZero
	}
	q, ok := d.e.questions().Take(d.Action)
	if !ok {
		return false, nil
	}
	return true, d.record(q, true)
}

func (d *Decision) record(q question.Question, yes bool) error {
	if d.e == nil {
		return errZero
	}
	effect := umpire.Deny
	if yes {
		effect = umpire.Allow
	}
	a := d.Action
	return audit.Append(d.e.state, &audit.Event{Kind: audit.Approval, Point: audit.Agent, Principal: a.Principal, Action: a.ID,
		Tool: a.Tool, Dir: a.Dir, Params: a.Input, Effect: effect.String(), By: q.By, Note: q.Note, Data: map[string]string{"question": q.ID}})
}

// Allow adds rules until ResetAllowed, as when a person allows calls for a session. Rules of the
// layer Builtin settle only what no other rule settles; rules of the layer User also override
// questions of built-in rules. The rules apply on top of the current policy files. If the
// files have a fault, Allow returns it and changes nothing.
func (e *Enforcer) Allow(rules ...policy.Rule) error {
	if e.files == nil {
		return errZero
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	files, _ := e.files.Now() // read before the files are compiled: the next call notices a change in between
	all := slices.Concat(e.allowed, rules)
	p, err := e.with(all)
	if err != nil {
		return err
	}
	e.allowed = all
	e.session.Store(&session{files, p})
	return nil
}

// ResetAllowed removes all rules that Allow added.
func (e *Enforcer) ResetAllowed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.allowed = nil
	e.session.Store(nil)
}

// Taint marks a run as tainted, so that stricter rules apply to its later calls.
func (e *Enforcer) Taint(run, tool, why string) error {
	if e.files == nil {
		return errZero
	}
	return taint.Open(filepath.Join(e.state, "taint")).Set(taint.Mark{Platform: e.platform, Session: run, Tool: tool, Why: why})
}

// Workspace returns the root of the project.
func (e *Enforcer) Workspace() string { return e.workspace }
