package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/visible"
)

// finish records and answers a call that was judged, or that could not be for a reason.
func (h *Hook) finish(cause error) platform.HookOutput {
	if cause != nil {
		h.call.failed(cause, h.fallback(errors.Is(cause, errNoCall)))
	}
	h.call.unrecorded = h.record()
	return h.reply()
}

// failed uses a fallback as the decision on a call that could not be judged.
func (c *Call) failed(cause error, fallback umpire.Effect) {
	c.Failure, c.unjudgedBy = cause.Error(), cause.Error()
	c.Decision = umpire.Decision{Effect: fallback, Reasons: []umpire.Reason{{
		Rule: "umpire-failure", Effect: fallback, Op: -1,
		Text:    "umpire could not judge this call: " + cause.Error(),
		Suggest: "repeat the call; if this happens again, tell the user; `umpire audit search --failed` shows such calls",
	}}}
	c.blind = true
	if c.Event.Kind == platform.Other { // the event is unknown: it may be a call
		c.Event.Kind = platform.Call
	}
}

// reply encodes the answer in the client's form.
func (h *Hook) reply() platform.HookOutput {
	c := &h.call
	if !c.Event.Judged() {
		r := platform.Reply{Effect: umpire.Allow, Context: c.Context, Output: c.Output, Text: c.Text}
		if c.Refused != "" {
			r.Effect, r.Reason = umpire.Deny, c.Refused
		}
		return h.client.Encode(&c.Event, r)
	}
	a := h.answer()
	a.Stderr += h.warning(a)
	return a
}

// unknownClient answers a payload of an unknown client. The right form of a denial is then unknown; most
// clients understand this one.
func (h *Hook) unknownClient(err error) platform.HookOutput {
	if err == nil {
		err = fmt.Errorf("unknown client %q", h.Client)
	}
	return platform.HookOutput{Stderr: "umpire: " + err.Error() + "; `umpire-hook --help` lists them\n", Exit: 2}
}

// fallback is the answer if judging failed: the policy's default if there was no call to judge, and
// at most an ask if there may have been one. Making umpire fail must not get a call past it.
// Without a policy, the built-in default applies.
func (h *Hook) fallback(none bool) umpire.Effect {
	p := h.call.Policy
	if p == nil {
		var a umpire.Action
		dir, _ := os.Getwd()
		a.Dir = dir
		platform.Complete(&a, "", h.Getenv)
		p, _ = h.load(&a)
	}
	if p == nil {
		return umpire.Ask // not even the embedded policy opens: the program is damaged
	}
	if p.Observe() {
		return umpire.Allow
	}
	if none {
		return p.Default()
	}
	return min(umpire.Ask, p.Default())
}

// bySlowPath does the slow steps, or hands them over.
func (h *Hook) bySlowPath(why Slow, data []byte, slow chan<- Hook) error {
	c := &h.call
	if why&SlowScan != 0 && c.Event.Damage != "" { // part of the text may be missing here, and still reach the model
		return h.unscanned(errors.New("the payload is damaged"))
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.Patience)
	defer cancel()
	slow <- *h
	if h.HandOver != nil {
		answer, err := h.HandOver(ctx, data)
		if err == nil {
			h.handed = &answer
			return nil
		}
		if why&SlowScan != 0 {
			return h.unscanned(err)
		}
		c.Failure, c.unjudgedBy = join(c.Failure, err.Error()), err.Error()
		return nil // the rules' decision stands
	}
	if why&SlowLook != 0 && h.Look != nil {
		said, err := h.Look(ctx, c)
		if c.Context = said; err != nil {
			c.Failure = join(c.Failure, err.Error())
		}
	}
	if why&SlowScan != 0 && h.Scan != nil {
		if err := h.scan(ctx); err != nil {
			return h.unscanned(err)
		}
	}
	if why&SlowJudge != 0 && h.Judge != nil {
		h.askJudge(ctx)
	}
	if c.Decision.Effect == umpire.Ask && why&SlowPerson != 0 && h.Wait != nil {
		h.person(ctx)
	}
	return nil
}

// answer turns the decision into the answer: an observed policy stops nothing, and an ask goes to
// anyone who can answer.
func (h *Hook) answer() platform.HookOutput {
	c := &h.call
	r := platform.Reply{Effect: c.Decision.Effect, Reason: platform.Reason(c.Decision, c.Ops), Context: c.Context}
	if c.Policy != nil {
		if c.Policy.Observe() {
			return h.client.Encode(&c.Event, platform.Reply{Effect: umpire.Allow})
		}
		r.Speak = c.Policy.AutoApprove() && c.Decision.Explicit && !h.opinion // that setting is about rules
	}
	if r.Effect == umpire.Ask && !h.client.Asks(&c.Event, h.Getenv) {
		r = h.withoutAsking(r)
	} else if r.Effect == umpire.Ask && c.Policy != nil && !c.blind && c.Policy.AskFirst() && c.Event.Kind == platform.Call {
		if box, err := h.box(); err == nil {
			r, _ = h.storedAnswer(box, r) // no one answered elsewhere: the client asks
		}
	}
	// An allow gets it on standard error: see warning.
	if c.unrecorded != nil && r.Effect != umpire.Allow {
		r.Reason += " This is not in the audit log (" + visible.Clip(c.unrecorded.Error(), 200) + "): ask the user to run `umpire doctor`."
	}
	return h.client.Encode(&c.Event, r)
}

// passes reports whether a call continues although part of its check failed.
func (h *Hook) passes() bool {
	c := &h.call
	return c.unjudgedBy != "" && c.Event.Judged() && c.Decision.Effect == umpire.Allow
}

// warning is the line on standard error about a call that passes unjudged or unrecorded. With exit
// status 0, no client treats it as an answer (observed with all tested clients; Gemini CLI shows it
// to its user).
func (h *Hook) warning(a platform.HookOutput) string {
	c := &h.call
	switch {
	case a.Exit != 0 || a.Stderr != "": // there is an answer already
		return ""
	case h.passes():
		how := map[bool]string{false: "unjudged", true: "judged only in part"}[c.Policy != nil]
		return "umpire: this call runs " + how + ": " + visible.Clip(c.unjudgedBy, 300) + "; run `umpire doctor` to find the cause, and `umpire audit search --failed` to list such calls\n"
	case c.unrecorded != nil && c.Decision.Effect == umpire.Allow:
		return "umpire: this call runs, but is not in the audit log: " + visible.Clip(c.unrecorded.Error(), 300) + "; run `umpire doctor`\n"
	}
	return ""
}

// storedAnswer answers an ask with a person's stored answer, if there is one.
func (h *Hook) storedAnswer(box question.Box, r platform.Reply) (platform.Reply, bool) {
	a := &h.call.Event.Action
	if q, ok := box.Take(a); ok {
		h.answered(q.ID, q.By, umpire.Allow)
		return platform.Reply{Effect: umpire.Allow, Speak: true, Reason: "approved by " + visible.Line(q.By), Context: note(q.Note)}, true
	}
	if q, ok := box.Refused(a); ok {
		h.answered(q.ID, q.By, umpire.Deny)
		r.Effect = umpire.Deny
		r.Reason = strings.TrimSpace("A person denied this call (question " + q.ID + "). Do not try it again. " + note(q.Note))
		return r, true
	}
	return r, false
}

// withoutAsking answers an ask if the client cannot ask: the call passes if a person approved it;
// otherwise the answer says how to approve it.
func (h *Hook) withoutAsking(r platform.Reply) platform.Reply {
	c := &h.call
	if c.Event.Kind == platform.Permission {
		return r // the client is asking already
	}
	box, err := h.box()
	if c.blind || err != nil { // an approval of a message in part unknown would cover any such message
		r.Effect = umpire.Deny
		return r
	}
	a := &c.Event.Action
	if said, ok := h.storedAnswer(box, r); ok {
		return said
	}
	r.Effect = umpire.Deny
	q, err := box.Ask(a, c.Ops, c.Decision)
	if err != nil {
		r.Reason += " The question could not be stored: " + visible.Line(err.Error()) + "."
		return r
	}
	r.Reason += " A person must approve it: ask the user to run `umpire approve " + q.ID +
		"` in their own terminal, then repeat exactly this call. Until then, do something else, or stop."
	return r
}

func note(s string) string {
	if s == "" {
		return ""
	}
	return "They say: " + visible.Clip(s, 1000)
}
