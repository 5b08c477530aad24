package hooks

import (
	"context"
	"fmt"
	"time"
)

// The ranges of a hook's Order. Lower orders run first. A hook below Critical, such as one of the
// default order 0, runs before the critical range only with FailOnError or after a run or call.
// Otherwise it runs right after that range.
const (
	Critical = 1   // to 99: always FailOnError
	Standard = 100 // to 199
	Late     = 200 // and up
)

// resultKind is the type of a Result.
type resultKind uint8

const (
	reject resultKind = iota // the zero value: a missing answer stops
	proceed
	modify
	pending
)

// Result is the answer of a before-hook. The zero value rejects.
type Result struct {
	kind    resultKind
	reason  string
	params  map[string]any
	id, msg string
}

// Continue lets the next hook decide.
func Continue() Result { return Result{kind: proceed} }

// Reject stops the run, or this one call.
func Reject(reason string) Result { return Result{kind: reject, reason: reason} }

// Modify changes the parameters of a tool call. Every hook checks them again.
func Modify(params map[string]any) Result { return Result{kind: modify, params: params} }

// PendingApproval asks a person before the run or call continues.
func PendingApproval(id, message string) Result { return Result{kind: pending, id: id, msg: message} }

// BeforeStart is a hook that runs before a run.
type BeforeStart struct {
	Name        string
	Order       int
	Disabled    bool
	FailOnError bool          // reject on an error, a panic or a timeout
	Timeout     time.Duration // 10 s if zero
	Do          func(ctx context.Context, r *Run) (Result, error)
}

// BeforeTool is a hook that runs before a tool call.
type BeforeTool struct {
	Name        string
	Order       int
	Disabled    bool
	FailOnError bool
	Timeout     time.Duration // 10 s if zero
	Do          func(ctx context.Context, c *ToolCall) (Result, error)
}

// AfterTool is a hook that observes the result of a tool call. It can replace out.Output, the
// text that the model reads.
type AfterTool struct {
	Name        string
	Order       int
	Disabled    bool
	FailOnError bool          // return errors of this hook instead of only logging them
	Timeout     time.Duration // 10 s if zero
	Do          func(ctx context.Context, c *ToolCall, out *ToolResult) error
}

// AfterComplete is a hook that observes the end of a run.
type AfterComplete struct {
	Name        string
	Order       int
	Disabled    bool
	FailOnError bool
	Timeout     time.Duration // 10 s if zero
	Do          func(ctx context.Context, r *Run, out Outcome) error
}

// ToolResult is the result of a tool call.
type ToolResult struct {
	Output string
	Err    error         // error of the tool, or the reason why it did not run
	Took   time.Duration // duration; by default, the time since Call
	Again  bool          // a later hook replaced Output, so this hook of the critical range checks it again
}

// Outcome is the end of a run.
type Outcome struct {
	Response string
	Err      error // nil for success, context.Canceled if the run was stopped
}

// Rejected is the error for a run or call that a hook stopped.
type Rejected struct {
	Code   string // CodeRejected or CodePending
	Hook   string // name of the hook; empty if the Executor itself stopped the call
	Reason string
}

// The codes of a Rejected.
const (
	CodeRejected = "HOOK_REJECTED"
	CodePending  = "HOOK_PENDING_APPROVAL"
)

// Error implements error.
func (e *Rejected) Error() string {
	if e.Hook == "" {
		return e.Reason
	}
	return fmt.Sprintf("%s (hook %s)", e.Reason, e.Hook)
}

// Approver asks a person and waits for the answer. An error means no.
type Approver interface {
	Approve(ctx context.Context, id, message string) error
}
