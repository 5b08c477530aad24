package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/platform"
)

// record appends a decision, or an event without one, to the audit log.
func (h *Hook) record() error {
	dir, err := h.State()
	if err != nil {
		return err
	}
	c := &h.call
	e := audit.Decided(&c.Event.Action, c.Ops, c.Decision)
	if !c.Event.Judged() {
		e = audit.Event{Kind: audit.Session, Principal: c.Event.Action.Principal, Action: c.Event.Action.ID, Tool: c.Event.Action.Tool, Dir: c.Event.Action.Dir}
		if c.Event.Kind == platform.Result {
			e.Kind, e.Millis = audit.Result, c.Event.Took.Milliseconds()
		}
		e.Note = c.Context
		if c.Refused != "" {
			e.Kind, e.Effect, e.Explicit = audit.Decision, umpire.Deny.String(), true
			e.Reasons = []umpire.Reason{{Rule: "guard-input", Effect: umpire.Deny, Text: c.Refused, Op: -1}}
			sum := sha256.Sum256([]byte(c.Event.Text))
			e.Input = hex.EncodeToString(sum[:])
		}
	}
	h.also("event", c.Event.Name)
	if c.Event.Other != "" {
		h.also("shape", c.Event.Other)
	}
	if c.Event.Lacks != "" {
		h.also("lacks", c.Event.Lacks)
	}
	if c.Event.Damage != "" {
		h.also("damage", c.Event.Damage)
	}
	if h.passes() {
		h.also(audit.Unjudged, c.unjudgedBy)
	}
	if c.Policy != nil {
		e.Policy = c.Policy.Hash()
		if c.Policy.Observe() && c.Event.Judged() {
			h.also("observed", "true")
		}
	}
	e.Point = audit.Hook
	e.Principal.Platform = h.Client
	e.Failure = c.Failure
	e.Data = c.Data
	e.Micros = time.Since(h.Start).Microseconds()
	return h.append(dir, &e)
}

func (h *Hook) append(dir string, e *audit.Event) error {
	var o audit.Options
	if p := h.call.Policy; p != nil {
		a := p.Audit()
		o.MaxSize, o.Keep = int64(a.MaxSize)<<20, a.Keep
	}
	l, err := audit.Open(dir, o)
	if err != nil {
		return err
	}
	return l.Append(e)
}

// answered records that a person's answer settled a call.
func (h *Hook) answered(id, by string, effect umpire.Effect) {
	dir, err := h.State()
	if err != nil {
		h.call.unrecorded = err
		return
	}
	a := &h.call.Event.Action
	h.call.unrecorded = h.append(dir, &audit.Event{Kind: audit.Approval, Point: audit.Hook, Principal: a.Principal, Action: a.ID, Tool: a.Tool, Dir: a.Dir,
		Params: a.Input, Effect: effect.String(), By: by, Data: map[string]string{"question": id}})
}
