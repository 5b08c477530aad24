package hooks

import (
	"context"
	"fmt"
	"time"
)

// The ranges of a hook's Order. Lower ones run first. A hook below Critical, as one of the
// default order 0, runs before that range only if it has FailOnError or runs after a moment,
// and else right after it.
const (
	Critical = 1   // to 99: they have FailOnError always
	Standard = 100 // to 199
	Late     = 200 // and up
)

// kind is which answer a Result is.
type kind uint8

const (
	reject kind = iota // so that an answer that nobody gave stops
	proceed
	modify
	pending
)

// Result is what a before-hook answers. Its zero value rejects.
type Result struct {
	kind    kind
	reason  string
	params  map[string]any
	id, msg string
}

// Continue lets the next hook speak.
func Continue() Result { return Result{kind: proceed} }

// Reject stops the run, or this one call.
func Reject(reason string) Result { return Result{kind: reject, reason: reason} }

// Modify has the tool called with other parameters, which every hook judges anew. It
// means something before a tool call only.
func Modify(params map[string]any) Result { return Result{kind: modify, params: params} }

// PendingApproval has a person asked before it goes on.
func PendingApproval(id, message string) Result { return Result{kind: pending, id: id, msg: message} }

// BeforeStart is a hook that speaks before a run.
type BeforeStart struct {
	Name        string
	Order       int
	Disabled    bool
	FailOnError bool          // an error, a panic or a time-out rejects
	Timeout     time.Duration // 10 s if zero
	Do          func(ctx context.Context, r *Run) (Result, error)
}

// BeforeTool is a hook that speaks before a tool call.
type BeforeTool struct {
	Name        string
	Order       int
	Disabled    bool
	FailOnError bool
	Timeout     time.Duration
	Do          func(ctx context.Context, c *ToolCall) (Result, error)
}

// AfterTool is a hook that sees what a tool call led to. It may replace out.Output, which
// is what the model is given.
type AfterTool struct {
	Name        string
	Order       int
	Disabled    bool
	FailOnError bool // an error is returned, and not only logged
	Timeout     time.Duration
	Do          func(ctx context.Context, c *ToolCall, out *ToolResult) error
}

// AfterComplete is a hook that sees how a run ended.
type AfterComplete struct {
	Name        string
	Order       int
	Disabled    bool
	FailOnError bool
	Timeout     time.Duration
	Do          func(ctx context.Context, r *Run, out Outcome) error
}

// ToolResult is what a tool call led to.
type ToolResult struct {
	Output string
	Err    error         // the tool's own, or that of what kept it from running
	Took   time.Duration // since Call let the tool run, if the caller does not say
	Again  bool          // a hook of the critical range sees it once more: a later hook replaced Output
}

// Outcome is how a run ended.
type Outcome struct {
	Response string
	Err      error // nil for success; context.Canceled when somebody stopped it
}

// Rejected is the error of a run or call that a hook stopped.
type Rejected struct {
	Code   string // CodeRejected or CodePending
	Hook   string // its name
	Reason string
}

// The codes of a Rejected.
const (
	CodeRejected = "HOOK_REJECTED"
	CodePending  = "HOOK_PENDING_APPROVAL"
)

// Error implements error.
func (e *Rejected) Error() string { return fmt.Sprintf("%s (hook %s)", e.Reason, e.Hook) }

// Approver asks a person and waits for the answer. An error is a no.
type Approver interface {
	Approve(ctx context.Context, id, message string) error
}
