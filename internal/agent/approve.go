package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/propose"
	"github.com/umpire-dev/umpire/policy"
)

// approve asks a person, here and elsewhere, until one answers. again says that it is about
// running without the box what failed in it.
func (c *Caller) approve(ctx context.Context, t *known, hook *hooks.ToolCall, j *enforce.Judgement, call Call, input json.RawMessage, env *Env, again bool) (res Result, ok bool, err error) {
	if c.Asker == nil {
		c.deny(call, j.Reason, false)
		return Failed(Blocked + j.Reason + " Nobody is here to be asked."), false, nil
	}
	q := Question{CallID: call.ID, Tool: call.Name, Input: string(input), Dir: c.Dir, Operations: j.Operations, Decision: j.Decision, Reason: j.Reason, Action: j.Action}
	if t.Preview != nil {
		q.Preview = t.Preview(ctx, input, env)
		if q.Preview.Err != "" {
			return Failed(q.Preview.Err), false, nil // it cannot succeed: nobody needs to be asked
		}
	}
	switch {
	case env.Sandbox:
		q.Sandbox = c.Boxed
	case again:
		q.Sandbox = "WITHOUT the box: with your files, your network and your rights"
	}
	if !again {
		c.offer(&q, j)
	}
	// Who answers here keeps the turn until the answer counts: the next question must find
	// what this one allowed, and nothing is allowed by an answer that came too late.
	var verdict Verdict
	var done func()
	local := func(ctx context.Context, id string) (said enforce.Said, err error) {
		turn, err := c.turn(ctx)
		if err != nil {
			return said, err
		}
		answered := false
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("asking failed: %v", r)
			}
			if !answered || err != nil {
				turn()
				return
			}
			done = turn
		}()
		// The answer before this one may have settled it.
		if d, _, err := c.Enforcer.Decide(hook); !again && (err == nil && d.Explicit && d.Effect == umpire.Allow || c.covers(call.Name, j)) {
			return enforce.Said{Yes: true, By: forSession}, nil
		}
		q := q
		q.ID = id
		a, err := c.Asker.Ask(ctx, q)
		if err != nil {
			return said, err
		}
		verdict, answered = a.Verdict, true
		return enforce.Said{Yes: a.Verdict != No && a.Verdict != Stop, By: a.By, Note: a.Note}, nil
	}
	said, err := j.Approve(ctx, local) // local has returned by then, if it was called
	if done != nil {
		defer done()
	}
	if !said.Here { // it was settled elsewhere: what was said here allows nothing, and stops nothing
		verdict = No
	}
	if ctx.Err() != nil {
		return Failed(Interrupted), false, ctx.Err()
	}
	if err != nil {
		c.deny(call, err.Error(), false)
		return Failed(Blocked + err.Error()), false, nil
	}
	if !said.Yes {
		reason := "the user said no."
		if said.Note != "" {
			reason = "the user said no: " + said.Note
		}
		c.deny(call, reason, false)
		if verdict == Stop {
			err = ErrStop
			// Before the next question gets its turn: nobody is asked about the others any more.
			if stop, ok := ctx.Value(stopKey{}).(context.CancelFunc); ok {
				stop()
			}
		}
		return Failed(Blocked + reason), false, err
	}
	if err := c.widen(verdict, &q, j); err != nil {
		res.Notes = append(res.Notes, err.Error())
	}
	env.Seen = &q.Preview
	return res, true, nil
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

// offer says which rules the longer answers would add. What a rule asked about is answered
// no wider than it was: only what nothing but the tool's danger asked about has its like
// allowed.
func (c *Caller) offer(q *Question, j *enforce.Judgement) {
	for _, r := range j.Decision.Reasons {
		if r.Effect == umpire.Deny { // it may match: that is a question each time
			return
		}
	}
	list := propose.Scope(j.Operations, c.Enforcer.Workspace(), j.Decision.Explicit)
	if len(list) == 0 && len(j.Operations) == 0 && !j.Decision.Explicit && q.Tool != "bash" {
		list = []string{"tool(" + q.Tool + ")"} // a server's tool, of which nobody knows what it does
	}
	q.Session = strings.Join(list, "\n")
	// A rule in the policy does not hold in a session that met orders to the model.
	if c.Keep != nil && j.Lasting() && traits(j)&propose.Riskier == 0 && !j.Action.Tainted {
		q.Always = q.Session
	}
}

// traits are those of all operations of a call.
func traits(j *enforce.Judgement) (all umpire.Trait) {
	for _, op := range j.Operations {
		all |= op.Traits
	}
	return all
}

// forSession is who answers what an earlier answer covers.
const forSession = "an answer for the session"

// covers reports whether a person allowed for the session all that a rule asks about.
func (c *Caller) covers(tool string, j *enforce.Judgement) bool {
	if !j.Decision.Explicit || len(j.Operations) == 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range j.Operations {
		if !c.granted[grantKey(tool, j, i)] {
			return false
		}
	}
	return true
}

// grantKey names an operation with all that a rule may have asked about it for.
func grantKey(tool string, j *enforce.Judgement, i int) string {
	op := j.Operations[i]
	return fmt.Sprintf("%s\x00%s\x00%s\x00%v\x00%v\x00%v", tool, op.Kind, op.Resource, op.Traits, op.Places, j.Action.Tainted)
}

// Forget takes back what answers allowed for the session, as another one begins.
func (c *Caller) Forget() error {
	c.Enforcer.Forget()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.granted, c.allowed = nil, nil
	return nil
}

// Allowed lists what answers allow for the session, in the order in which they were given.
func (c *Caller) Allowed() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.allowed)
}

// noted adds to what Allowed lists, for the whole conversation.
func (c *Caller) noted(scope []string) {
	for ; c.parent != nil; c = c.parent {
		continue
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range scope {
		if !slices.Contains(c.allowed, s) {
			c.allowed = append(c.allowed, s)
		}
	}
}

// widen adds what an answer allows that holds for more than one call.
func (c *Caller) widen(v Verdict, q *Question, j *enforce.Judgement) error {
	if v != Session && v != Always || q.Session == "" {
		return nil
	}
	var unkept error
	if v == Always && c.Keep != nil && q.Always != "" {
		err := c.Keep(strings.Split(q.Always, "\n"))
		if err == nil {
			return nil // the policy has it, which is looked at before each call: revoked there, it ends
		}
		unkept = fmt.Errorf("the answer holds for this session only: %w", err)
	}
	var rules []policy.Rule
	if j.Decision.Explicit {
		c.mu.Lock()
		if c.granted == nil {
			c.granted = map[string]bool{}
		}
		for i := range j.Operations {
			c.granted[grantKey(q.Tool, j, i)] = true
		}
		c.mu.Unlock()
	} else {
		// What is riskier than what was shown is asked about all the same, and so is everything
		// once the session met orders to the model.
		when := policy.Condition{Without: propose.Riskier &^ traits(j)}
		if !j.Action.Tainted {
			when.Tainted = new(bool)
		}
		for i, l := range strings.Split(q.Session, "\n") {
			p, err := policy.ParsePattern(l)
			if err != nil {
				return fmt.Errorf("the answer holds for this call only: %w", err)
			}
			// Of the layer Builtin: it settles what no rule speaks about, and answers no rule.
			rules = append(rules, policy.Rule{ID: fmt.Sprintf("session-%s-%d", strings.ToLower(q.ID), i), Effect: umpire.Allow, Match: []policy.Pattern{p}, When: when, Layer: policy.Builtin, Reason: "allowed for this session"})
		}
		if err := c.Enforcer.Allow(rules...); err != nil {
			return err
		}
	}
	c.noted(strings.Split(q.Session, "\n"))
	return unkept
}
