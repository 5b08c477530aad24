package audit

import (
	"encoding/json"
	"time"

	"github.com/umpire-dev/umpire"
)

// Kind says what an Event records.
type Kind string

// The kinds that enforcement points record.
const (
	Decision Kind = "decision" // an Action was judged
	Approval Kind = "approval" // a person answered
	Config   Kind = "config"   // a policy, rule or setting changed
	Session  Kind = "session"  // an agent came or went
	Result   Kind = "result"   // what an allowed Action led to
	Failure  Kind = "error"    // umpire could not do its work
)

// The kinds that the log records about itself.
const (
	Torn   Kind = "torn"   // the line before was cut short by a crash
	Gap    Kind = "gap"    // lines that the head promised were missing
	Rotate Kind = "rotate" // a new file began
)

// The enforcement points.
const (
	Hook    = "hook"
	Gateway = "gateway"
	Guard   = "guard"
	Agent   = "agent"
	Review  = "review"
)

// Unjudged is the key in Data that an allowed call has if it was let go on because
// something failed: a fault of umpire's, a policy that cannot be read, a judge that gave
// no answer. The value is the cause.
const Unjudged = "unjudged"

// Event is one line of the log. Append fills Seq, Time, Prev and Hash; it masks
// and bounds everything else, so that callers hand over what they have.
type Event struct {
	Seq       uint64             `json:"seq"`
	Prev      string             `json:"prev"` // hash of the line before
	Time      time.Time          `json:"time"`
	Kind      Kind               `json:"kind"`
	Point     string             `json:"point,omitempty"`   // enforcement point: "hook", "gateway", ...
	Version   string             `json:"version,omitempty"` // umpire's own
	Principal umpire.Principal   `json:"principal,omitzero"`
	Action    string             `json:"action,omitempty"` // the platform's ID of the call
	Tool      string             `json:"tool,omitempty"`
	Dir       string             `json:"dir,omitempty"`
	Params    json.RawMessage    `json:"params,omitempty"` // the tool's input, masked
	Input     string             `json:"input,omitempty"`  // SHA-256 of the input as it came
	Ops       []umpire.Operation `json:"ops,omitempty"`
	Effect    string             `json:"effect,omitempty"` // "deny", "ask" or "allow"; empty when nothing was decided
	Explicit  bool               `json:"explicit,omitempty"`
	Reasons   []umpire.Reason    `json:"reasons,omitempty"`
	Policy    string             `json:"policy,omitempty"`     // hash of the policy in force
	Micros    int64              `json:"us,omitempty"`         // how long the decision took
	Millis    int64              `json:"durationMs,omitempty"` // Result: how long the call ran, where that is known
	Failure   string             `json:"failure,omitempty"`    // what went wrong, when defaultAction answered instead
	By        string             `json:"by,omitempty"`         // who answered or changed something
	Note      string             `json:"note,omitempty"`
	Data      map[string]string  `json:"data,omitempty"` // what a kind has beyond these; at most 16 entries
	Chain     *Chain             `json:"chain,omitempty"`
	Spill     string             `json:"spill,omitempty"` // the spill file it came from, and its place there
	Hash      string             `json:"hash"`

	form []byte // what Prepare made of it
}

// Prepared is an event that happens again and again, and is masked and encoded once.
type Prepared struct{ form []byte }

// Prepare encodes all of an event but its time. Later changes of it do not count.
func Prepare(e *Event) Prepared {
	return Prepared{appendForm(make([]byte, 0, 512), e)}
}

// Event returns one to append: its line is that of the event which was prepared. Of its
// fields only those are set that Append fills.
func (p Prepared) Event() *Event { return &Event{form: p.form} }

// Chain is what the log says about itself.
type Chain struct {
	File    string `json:"file,omitempty"`     // the file meant
	Bytes   int64  `json:"bytes,omitempty"`    // Torn: size of the torn line
	Sum     string `json:"sum,omitempty"`      // Torn: its SHA-256
	HeadSeq uint64 `json:"head_seq,omitempty"` // Gap: what the head promised
	Head    string `json:"head,omitempty"`
	CutSeq  uint64 `json:"cut_seq,omitempty"` // Rotate: the last event that was dropped with old files
	Cut     string `json:"cut,omitempty"`     // its hash
}

// Decided makes the Event for a Decision. The caller adds Point, Policy, Micros and the like.
func Decided(a *umpire.Action, ops []umpire.Operation, d umpire.Decision) Event {
	return Event{
		Kind: Decision, Principal: a.Principal, Action: a.ID, Tool: a.Tool, Dir: a.Dir, Params: a.Input, Ops: ops,
		Effect: d.Effect.String(), Explicit: d.Explicit, Reasons: d.Reasons,
	}
}
