package audit

import (
	"encoding/json"
	"time"

	"github.com/umpire-dev/umpire"
)

// EventKind is the type of an Event.
type EventKind string

// The kinds that enforcement points record.
const (
	Decision EventKind = "decision" // umpire decided on an action
	Approval EventKind = "approval" // a person answered a question
	Config   EventKind = "config"   // a policy, rule or setting changed
	Session  EventKind = "session"  // a session began or ended
	Result   EventKind = "result"   // result of an allowed action
	Failure  EventKind = "error"    // umpire failed
)

// The kinds that the log records about itself.
const (
	Torn   EventKind = "torn"   // a crash cut the previous line, or the head, short
	Gap    EventKind = "gap"    // lines are missing
	Rotate EventKind = "rotate" // a new file began
)

// The enforcement points.
const (
	Hook    = "hook"
	Gateway = "gateway"
	Guard   = "guard"
	Agent   = "agent"
	Review  = "review"
)

// Unjudged is the key in Data of a call that was allowed because something failed. The value is the
// cause: a fault of umpire, an unreadable policy, a judge without an answer.
const Unjudged = "unjudged"

// Event is one line of the log. Append fills in Seq, Time, Prev and Hash. It masks and bounds
// all other fields, so callers can pass raw values.
type Event struct {
	Seq       uint64             `json:"seq"`                  // position in the log, from 1
	Prev      string             `json:"prev"`                 // hash of the previous line
	Time      time.Time          `json:"time"`                 // time of the event
	Kind      EventKind          `json:"kind"`                 // kind of the event
	Point     string             `json:"point,omitempty"`      // enforcement point: "hook", "gateway", ...
	Version   string             `json:"version,omitempty"`    // version of umpire
	Principal umpire.Principal   `json:"principal,omitzero"`   // the agent, session and user
	Action    string             `json:"action,omitempty"`     // ID of the call, from the agent
	Tool      string             `json:"tool,omitempty"`       // name of the tool
	Dir       string             `json:"dir,omitempty"`        // working directory
	Params    json.RawMessage    `json:"params,omitempty"`     // input of the tool, with secrets masked
	Input     string             `json:"input,omitempty"`      // SHA-256 of the original input
	Ops       []umpire.Operation `json:"ops,omitempty"`        // operations of the call
	Effect    string             `json:"effect,omitempty"`     // "deny", "ask" or "allow"; absent without a decision
	Explicit  bool               `json:"explicit,omitempty"`   // a rule allowed the call
	Reasons   []umpire.Reason    `json:"reasons,omitempty"`    // rules that matched
	Policy    string             `json:"policy,omitempty"`     // hash of the policy in force
	Micros    int64              `json:"us,omitempty"`         // duration of the decision, in microseconds
	Millis    int64              `json:"durationMs,omitempty"` // result: duration of the call, in milliseconds
	Failure   string             `json:"failure,omitempty"`    // the error, if umpire failed to decide and defaultAction applied
	By        string             `json:"by,omitempty"`         // the person or program that answered or made a change
	Note      string             `json:"note,omitempty"`       // note of that person
	Data      map[string]string  `json:"data,omitempty"`       // other fields of a kind, at most 16
	Chain     *Chain             `json:"chain,omitempty"`      // state of the hash chain
	Spill     string             `json:"spill,omitempty"`      // spill file that held the event, with its position
	Hash      string             `json:"hash"`                 // hash of this line

	form []byte // encoded by Prepare
}

// Prepared is an event that recurs, and is masked and encoded only once.
type Prepared struct{ form []byte }

// Prepare encodes everything in an event except its time. It ignores later changes of the event.
func Prepare(e *Event) Prepared {
	return Prepared{appendForm(make([]byte, 0, 512), e)}
}

// Event returns the prepared event for Append. Only the fields that Append fills are set.
func (p Prepared) Event() *Event { return &Event{form: p.form} }

// Chain records the state of the log itself.
type Chain struct {
	File    string `json:"file,omitempty"`     // file that the event is about
	Bytes   int64  `json:"bytes,omitempty"`    // torn: size of the cut line
	Sum     string `json:"sum,omitempty"`      // torn: SHA-256 of the cut line
	HeadSeq uint64 `json:"head_seq,omitempty"` // gap: last position that was recorded elsewhere
	Head    string `json:"head,omitempty"`     // gap: hash at that position
	CutSeq  uint64 `json:"cut_seq,omitempty"`  // rotate: last event deleted with old files
	Cut     string `json:"cut,omitempty"`      // rotate: hash of that event
}

// Decided returns the Event for a Decision. The caller adds the other fields, such as Point, Policy
// and Micros.
func Decided(a *umpire.Action, ops []umpire.Operation, d umpire.Decision) Event {
	return Event{
		Kind: Decision, Principal: a.Principal, Action: a.ID, Tool: a.Tool, Dir: a.Dir, Params: a.Input, Ops: ops,
		Effect: d.Effect.String(), Explicit: d.Explicit, Reasons: d.Reasons,
	}
}

// Kinds returns the kinds that a search accepts.
func Kinds() []string {
	return []string{"decision", "approval", "config", "session", "result", "error", "torn", "gap", "rotate"}
}
