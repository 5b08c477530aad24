package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"time"

	"github.com/umpire-dev/umpire/internal/bounded"
)

// defaultTimeout is the timeout of a hook that sets none.
const defaultTimeout = 10 * time.Second

// maxRuns limits how often one hook judges one call: once, and once more after a change.
const maxRuns = 2

// Executor runs hooks. The zero value has no hooks. After you have added all hooks, it is safe
// for concurrent use.
type Executor struct {
	Log      *slog.Logger // logs failures of hooks; slog.Default() if nil
	Approver Approver     // asks people; if nil, PendingApproval rejects

	beforeStart   []BeforeStart
	beforeTool    []BeforeTool
	afterTool     []AfterTool
	afterComplete []AfterComplete
}

// add keeps hooks sorted by order; hooks of equal order stay in the order of addition.
func add[H any](list []H, h H, before func(a, b H) bool) []H {
	i := len(list)
	for i > 0 && before(h, list[i-1]) {
		i--
	}
	return slices.Insert(list, i, h)
}

// critical reports whether a hook of that order fails closed whatever its settings: the adversary
// must not bypass a check by making it fail.
func critical(order int) bool { return order >= Critical && order < Standard }

// sooner reports whether one hook runs before another, ahead of a run or call. Hooks run by their
// order, but those that may fail open run after the critical range. Otherwise a hook of the default
// order would pass on or change a call, or ask a person about it, before the checks have seen it.
func sooner(order int, closed bool, than int, thanClosed bool) bool {
	first := func(order int, closed bool) bool { return closed && order < Standard }
	if a, b := first(order, closed), first(than, thanClosed); a != b {
		return a
	}
	return order < than
}

// errNoDo is the error of a hook without a function. It stops what the hook was meant to check.
var errNoDo = errors.New("the hook has no function: set Do")

// BeforeStart adds a hook.
func (e *Executor) BeforeStart(h BeforeStart) {
	if h.Do == nil {
		h.FailOnError, h.Do = true, func(context.Context, *Run) (Result, error) { return Result{}, errNoDo }
	}
	h.FailOnError = h.FailOnError || critical(h.Order)
	e.beforeStart = add(e.beforeStart, h, func(a, b BeforeStart) bool { return sooner(a.Order, a.FailOnError, b.Order, b.FailOnError) })
}

// BeforeTool adds a hook.
func (e *Executor) BeforeTool(h BeforeTool) {
	if h.Do == nil {
		h.FailOnError, h.Do = true, func(context.Context, *ToolCall) (Result, error) { return Result{}, errNoDo }
	}
	h.FailOnError = h.FailOnError || critical(h.Order)
	e.beforeTool = add(e.beforeTool, h, func(a, b BeforeTool) bool { return sooner(a.Order, a.FailOnError, b.Order, b.FailOnError) })
}

// AfterTool adds a hook.
func (e *Executor) AfterTool(h AfterTool) {
	if h.Do == nil {
		h.FailOnError, h.Do = true, func(context.Context, *ToolCall, *ToolResult) error { return errNoDo }
	}
	h.FailOnError = h.FailOnError || critical(h.Order)
	e.afterTool = add(e.afterTool, h, func(a, b AfterTool) bool { return a.Order < b.Order })
}

// AfterComplete adds a hook.
func (e *Executor) AfterComplete(h AfterComplete) {
	if h.Do == nil {
		h.FailOnError, h.Do = true, func(context.Context, *Run, Outcome) error { return errNoDo }
	}
	h.FailOnError = h.FailOnError || critical(h.Order)
	e.afterComplete = add(e.afterComplete, h, func(a, b AfterComplete) bool { return a.Order < b.Order })
}

// Start runs the hooks for the start of a run. The error is a *Rejected.
func (e *Executor) Start(ctx context.Context, r *Run) error {
	for _, h := range e.beforeStart {
		if h.Disabled {
			continue
		}
		res, err := guarded(ctx, h.Timeout, func(ctx context.Context) (Result, error) { return h.Do(ctx, r) })
		if err != nil {
			if err := e.failed(ctx, h.Name, h.FailOnError, err); err != nil {
				return err
			}
			continue
		}
		switch res.kind {
		case proceed:
		case modify:
			if err := e.failed(ctx, h.Name, h.FailOnError, errors.New("a run has no parameters to modify")); err != nil {
				return err
			}
		default:
			if err := e.stop(ctx, h.Name, res); err != nil {
				return err
			}
		}
	}
	return nil
}

// Call runs the before-hooks of a tool call and returns the parameters for the call. An error
// is a *Rejected and concerns only this call. c then has the same parameters, for Called.
//
// If a hook changes the parameters, all hooks check them again from the first, because earlier
// hooks have not seen the change. If a hook would have to check a third time, Call rejects the
// call: the hooks do not agree.
func (e *Executor) Call(ctx context.Context, c *ToolCall) (map[string]any, error) {
	if c == nil || c.Run == nil {
		return nil, &Rejected{Code: CodeRejected, Reason: "the call has no run: make it with Run.Call"}
	}
	runs := make([]int, len(e.beforeTool))
	now := *c
	defer func() { c.Params = now.Params }()
	for i := 0; i < len(e.beforeTool); i++ {
		h := &e.beforeTool[i]
		if h.Disabled {
			continue
		}
		if runs[i]++; runs[i] > maxRuns {
			return nil, &Rejected{CodeRejected, h.Name, "hooks keep changing this call and do not agree about it"}
		}
		given := now
		given.Params = clone(now.Params) // a hook that changes its own copy changes nothing
		res, err := guarded(ctx, h.Timeout, func(ctx context.Context) (Result, error) { return h.Do(ctx, &given) })
		if err != nil {
			if err := e.failed(ctx, h.Name, h.FailOnError, err); err != nil {
				return nil, err
			}
			continue
		}
		switch res.kind {
		case proceed:
		case modify:
			if !reflect.DeepEqual(res.params, now.Params) {
				now.Params = clone(res.params)
				i = -1
			}
		default:
			// A person who approves this hook's question does not answer for the next hook.
			if err := e.stop(ctx, h.Name, res); err != nil {
				return nil, err
			}
		}
	}
	c.Run.used(c.Tool)
	c.began = time.Now()
	return clone(now.Params), nil
}

// clone copies parameters deeply, so that no hook changes what another sees.
func clone(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	out, _ := deep(m).(map[string]any)
	return out
}

func deep(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = deep(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = deep(e)
		}
		return out
	case json.RawMessage:
		return slices.Clone(v)
	}
	return v
}

// stop turns a hook's result into an error. It first asks a person if the hook wants that.
func (e *Executor) stop(ctx context.Context, name string, res Result) error {
	if res.kind == pending {
		if e.Approver == nil {
			return &Rejected{CodePending, name, "pending approval: " + res.msg}
		}
		if err := e.Approver.Approve(ctx, res.id, res.msg); err != nil {
			return &Rejected{CodeRejected, name, "not approved: " + err.Error()}
		}
		return nil
	}
	res.reason = cmp.Or(res.reason, "rejected without a reason")
	return &Rejected{CodeRejected, name, res.reason}
}

// failed handles the failure of a hook: it rejects, or logs.
func (e *Executor) failed(ctx context.Context, name string, stops bool, err error) error {
	if ctx.Err() != nil { // not the hook's fault, and nothing should start after cancellation
		return &Rejected{CodeRejected, name, "canceled: " + ctx.Err().Error()}
	}
	if stops {
		return &Rejected{CodeRejected, name, "hook execution failed: " + err.Error()}
	}
	e.log().WarnContext(ctx, "skipped a hook that failed", "hook", name, "error", err)
	return nil
}

func (e *Executor) log() *slog.Logger {
	if e.Log != nil {
		return e.Log
	}
	return slog.Default()
}

// Called runs the after-hooks of a tool call, which may replace out.Output. Pass the ToolCall
// from Call, or one with the parameters that the tool got.
//
// All hooks run. The error joins those of hooks with FailOnError; the output is then withheld.
// If a hook replaces the output, hooks of the critical range that ran before it check the new
// output once.
func (e *Executor) Called(ctx context.Context, c *ToolCall, out *ToolResult) error {
	if c == nil || out == nil {
		return errors.New("the call or the result is missing: pass both")
	}
	var all error
	if out.Took == 0 && !c.began.IsZero() {
		out.Took = time.Since(c.began)
	}
	again := false
	run := func(h *AfterTool) {
		given, call := *out, *c // a hook that overruns its deadline changes only its own copies
		call.Params = clone(c.Params)
		_, err := guarded(ctx, h.Timeout, func(ctx context.Context) (Result, error) { return Result{}, h.Do(ctx, &call, &given) })
		if err == nil && given.Output != out.Output {
			out.Output = given.Output
			again = again || h.Order >= Standard
		}
		all = errors.Join(all, e.observed(ctx, h.Name, h.FailOnError, err))
	}
	for i := range e.afterTool {
		if h := &e.afterTool[i]; !h.Disabled {
			run(h)
		}
	}
	for i := range e.afterTool {
		if h := &e.afterTool[i]; again && !h.Disabled && critical(h.Order) {
			out.Again = true
			run(h)
		}
	}
	if all != nil {
		out.Output = ""
	}
	return all
}

// Complete runs the hooks for the end of a run: success, failure or cancellation. They run
// even if ctx is canceled.
func (e *Executor) Complete(ctx context.Context, r *Run, out Outcome) error {
	ctx = context.WithoutCancel(ctx)
	var all error
	for _, h := range e.afterComplete {
		if h.Disabled {
			continue
		}
		_, err := guarded(ctx, h.Timeout, func(ctx context.Context) (Result, error) { return Result{}, h.Do(ctx, r, out) })
		all = errors.Join(all, e.observed(ctx, h.Name, h.FailOnError, err))
	}
	return all
}

func (e *Executor) observed(ctx context.Context, name string, tells bool, err error) error {
	if err == nil {
		return nil
	}
	e.log().WarnContext(ctx, "a hook failed", "hook", name, "error", err)
	if tells {
		return fmt.Errorf("hook %s: %w", name, err)
	}
	return nil
}

// guarded calls a hook with a deadline and recovers from its panics.
func guarded(ctx context.Context, limit time.Duration, do func(context.Context) (Result, error)) (Result, error) {
	if limit <= 0 {
		limit = defaultTimeout
	}
	return bounded.Call(ctx, limit, do)
}
