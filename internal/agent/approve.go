package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/grant"
)

// approve asks people, here and elsewhere, until one of them answers. again means that the question
// is about running a failed call once more, without the sandbox.
func (c *Caller) approve(ctx context.Context, t *known, hook *hooks.ToolCall, j *enforce.Decision, call Call, input json.RawMessage, env *Env, again bool) (res Result, ok bool, err error) {
	if c.Asker == nil {
		c.deny(call, j.Reason, false)
		return Failed(Blocked + j.Reason + " Nobody can answer here."), false, nil
	}
	q := Question{CallID: call.ID, Tool: call.Name, Input: string(input), Dir: c.Dir, Operations: j.Operations, Decision: j.Policy, Reason: j.Reason, Action: j.Action}
	if t.Preview != nil {
		q.Preview = t.Preview(ctx, input, env)
		if q.Preview.Err != "" {
			return Failed(q.Preview.Err), false, nil // the call cannot succeed, so no one needs to answer
		}
	}
	switch {
	case env.Sandbox:
		q.Sandbox = c.Boxed
	case again:
		q.Sandbox = "WITHOUT the sandbox: with your files, your network and your rights"
	}
	var offer grant.Offer
	if !again {
		offer = c.offer(&q, j)
	}
	var own reply
	said, err := j.Approve(ctx, c.askHere(hook, j, q, &own, again))
	defer own.end()
	answer := own.answer()
	if !said.Here { // answered elsewhere: the local answer has no effect
		answer = Answer{}
	}
	if ctx.Err() != nil {
		return Failed(Interrupted), false, ctx.Err()
	}
	if err != nil {
		c.deny(call, err.Error(), false)
		return Failed(Blocked + err.Error()), false, nil
	}
	if !said.Yes {
		return c.refuse(ctx, call, said.Note, answer)
	}
	if err := c.widen(answer, &q, offer); err != nil {
		res.Notes = append(res.Notes, err.Error())
	}
	env.Seen = &q.Preview
	return res, true, nil
}

// askHere returns the function that asks the person at the agent. It keeps the turn in own until
// the answer counts, because the next question must see what this one allowed. An asker may return
// long after the question was answered elsewhere. By then it has lost the turn, and its answer does
// not count.
func (c *Caller) askHere(hook *hooks.ToolCall, j *enforce.Decision, q Question, own *reply, again bool) func(context.Context, string) (enforce.Answer, error) {
	return func(ctx context.Context, id string) (said enforce.Answer, err error) {
		done, err := c.turn(ctx)
		if err != nil {
			return said, err
		}
		if !own.begin(done) {
			return said, context.Canceled
		}
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("asking failed: %v", r)
			}
			if err != nil {
				own.end()
			}
		}()
		// The previous answer may cover this call.
		if d, _, err := c.Enforcer.Decide(hook); !again && (err == nil && d.Explicit && d.Effect == umpire.Allow || c.covers(j)) {
			return enforce.Answer{Yes: true, By: forSession}, nil
		}
		q := q
		q.ID = id
		a, err := c.Asker.Ask(ctx, q)
		if err != nil {
			return said, err
		}
		if !own.set(a) {
			return said, context.Canceled
		}
		return enforce.Answer{Yes: a.Choice != No && a.Choice != Stop, By: a.By, Note: a.Note}, nil
	}
}

// refuse returns the result of a call that a person denied. The answer Stop also ends the turn.
func (c *Caller) refuse(ctx context.Context, call Call, note string, answer Answer) (_ Result, ok bool, err error) {
	reason := "the user said no."
	if note != "" {
		reason = "the user said no: " + note
	}
	c.deny(call, reason, false)
	if answer.Choice == Stop {
		err = ErrStop
		// Stop the turn before the next question appears: umpire drops all others.
		if stop, ok := ctx.Value(stopKey{}).(context.CancelFunc); ok {
			stop()
		}
	}
	return Failed(Blocked + reason), false, err
}

// turn waits until no other question is shown.
func (c *Caller) turn(ctx context.Context) (done func(), err error) {
	c.mu.Lock()
	if c.asking == nil {
		c.asking = make(chan struct{}, 1)
	}
	asking := c.asking
	c.mu.Unlock()
	select {
	case asking <- struct{}{}:
		if err := ctx.Err(); err != nil {
			<-asking
			return nil, err
		}
		return func() { <-asking }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reply is an asker's answer, if it arrives in time.
type reply struct {
	mu   sync.Mutex
	over bool // no one waits for the answer any more
	said Answer
	done func() // releases the turn
}

// begin records that the asker has the turn, and takes the function that releases it. It returns
// false if no one waits any more.
func (r *reply) begin(done func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		done()
		return false
	}
	r.done = done
	return true
}

func (r *reply) set(a Answer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		r.said = a
	}
	return !r.over
}

func (r *reply) answer() Answer {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	return r.said
}

// end releases the turn, if it was taken.
func (r *reply) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.done != nil {
		r.done()
		r.done = nil
	}
}

// fileTools change files in the same way: a permission for one applies to all of them.
var fileTools = []string{"write_file", "edit_file", "multi_edit"}

// offer returns the rules that the longer-lasting answers would add.
func (c *Caller) offer(q *Question, j *enforce.Decision) grant.Offer {
	r := grant.PendingCall{Action: j.Action, Operations: j.Operations, Decision: j.Policy, Policy: c.Enforcer.Policy(), Tools: []string{q.Tool},
		Wider: grant.Wider(c.Enforcer.Workspace()), Passing: grant.Riskier}
	if slices.Contains(fileTools, q.Tool) {
		r.Tools = fileTools
	}
	o := r.Offer()
	q.NoSession = o.None
	if len(o.Choices) == 0 {
		return o
	}
	q.Session = o.Choices[0].String()
	for _, g := range o.Choices[1:] {
		q.Wider = append(q.Wider, g.String())
	}
	if q.NoAlways = o.NotKept; c.Keep != nil && o.NotKept == "" {
		q.Always = q.Session
	}
	return o
}

// forSession is the name in the audit log for calls that an earlier answer covers.
const forSession = "an answer for the session"

// sessionGrants holds the permissions that outlast one call.
type sessionGrants struct {
	mu      sync.Mutex
	list    []grant.Grant
	session *grant.Session // compiled from list
}

// answersLocked returns the permissions from answers. The caller holds c.mu.
func (c *Caller) answersLocked() *sessionGrants {
	if c.grants == nil {
		c.grants = &sessionGrants{}
	}
	return c.grants
}

func (c *Caller) answers() *sessionGrants {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answersLocked()
}

// set replaces the permissions. The caller holds g.mu.
func (g *sessionGrants) set(list []grant.Grant) error {
	s, err := grant.NewSession(list...)
	if err == nil {
		g.list, g.session = list, s
	}
	return err
}

// covers reports whether permissions of the session cover a call.
func (c *Caller) covers(j *enforce.Decision) bool {
	g := c.answers()
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.session.Covers(j.Action, j.Operations, func(ops []umpire.Operation) umpire.Decision { return c.Enforcer.Policy().Decide(j.Action, ops) })
	return ok
}

// Forget removes the session's permissions when another session begins. Answers stored in the
// policy stay.
func (c *Caller) Forget() error {
	g := c.answers()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.set(nil)
}

// Allowed lists the session's permissions, oldest first.
func (c *Caller) Allowed() (list []string) {
	g := c.answers()
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range g.list {
		for _, p := range g.list[i].Parts {
			if !slices.Contains(list, p.Pattern) {
				list = append(list, p.Pattern)
			}
		}
	}
	return list
}

// widen adds the grant that the person chose, if it covers more than one call.
func (c *Caller) widen(a Answer, q *Question, o grant.Offer) error {
	if a.Choice != Session && a.Choice != Always {
		return nil
	}
	if a.Wider < 0 || a.Wider >= len(o.Choices) {
		return nil // a choice that was not offered allows this call only
	}
	chosen := o.Choices[a.Wider]
	var failed error
	if a.Choice == Always && q.Always != "" {
		err := c.Keep(chosen)
		if err == nil {
			return nil // stored in the policy, which is read before each call: revoking it there ends it
		}
		failed = fmt.Errorf("the answer holds for this session only: %w", err)
	}
	g := c.answers()
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.set(append(slices.Clip(g.list), chosen)); err != nil {
		return fmt.Errorf("the answer holds for this call only: %w", err)
	}
	return failed
}
