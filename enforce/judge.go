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

// Judgement is what is to become of one call. It is on record.
type Judgement struct {
	Action     *umpire.Action
	Operations []umpire.Operation
	Decision   umpire.Decision // what the policy says
	// Effect is what holds: the Decision's, unless no rule spoke and the caller's is
	// stricter; the caller's own under a policy that only observes.
	Effect umpire.Effect
	Reason string // why, for agents and people; what comes from the call is visible

	e    *Enforcer
	seen *disk.Seen
}

// Hold returns an error if a link or a file that the call was judged by is another one by
// now. A program that runs the call itself asks right before it starts it.
func (j *Judgement) Hold() error { return j.seen.Hold() }

// Judge judges a call and records that. unsettled is what holds where no rule speaks and
// the policy's default is milder: an agent asks about its dangerous tools then. A call that
// cannot be judged or recorded is an error, and is not to run.
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

// Ran records that the call was made, and how long it took.
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
	Here bool   // it is Approve's own ask that was the first to answer; of no meaning in what that returns
}

// askEnds is how long Approve waits for an ask that does not end when its context does.
const askEnds = 5 * time.Second

// ErrAsk is returned by Approve when nobody could be asked.
var ErrAsk = errors.New("nobody could be asked")

// Approve has people asked about a call whose Effect is Ask: by a question that `umpire
// approve` and `umpire watch` answer, and at the same time by ask, unless it is nil, with
// that question's ID. The first answer counts, and ask's context ends when it was given
// elsewhere. It should return then: Approve waits for it, but for a few seconds at most. An
// error is a no.
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

// Granted lets a call pass that an answer covers which a person gave before, and records
// that.
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

// Allow adds rules for as long as e lasts, as a person does who allows something for a
// session. They settle what no other rule speaks about, if they are of the layer Builtin;
// those of the layer User also answer what built-in rules ask. They are laid over the policy
// files as they are at each call. If the files have a fault now, Allow returns it and
// nothing changes.
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

// Forget takes back all that Allow added: what was allowed for one session is asked about
// in the next.
func (e *Enforcer) Forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.allowed = nil
	e.session.Store(nil)
}

// Taint holds a run to stricter rules from now on, because of what it met.
func (e *Enforcer) Taint(run, tool, why string) error {
	return taint.Open(filepath.Join(e.state, "taint")).Set(taint.Mark{Platform: e.platform, Session: run, Tool: tool, Why: why})
}

// Workspace returns the root of the project that e works in.
func (e *Enforcer) Workspace() string { return e.workspace }
