package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/umpire-dev/umpire/hooks"
)

// quiet returns an executor that logs nowhere.
func quiet() *hooks.Executor { return &hooks.Executor{Log: slog.New(slog.DiscardHandler)} }

func answer(r hooks.Result) func(context.Context, *hooks.ToolCall) (hooks.Result, error) {
	return func(context.Context, *hooks.ToolCall) (hooks.Result, error) { return r, nil }
}

// No two runs share an ID, by which logs and questions tell them apart, and nobody can guess one.
func TestNewRun(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	differ := make([]bool, 36)
	var first string
	for range 200 {
		r := hooks.NewRun("", "hi")
		if !form.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("the ID is %q, want a new UUID of version 4", r.ID)
		}
		if first == "" {
			first = r.ID
		}
		for i := range min(len(differ), len(r.ID)) {
			differ[i] = differ[i] || r.ID[i] != first[i]
		}
		seen[r.ID] = true
	}
	for i, d := range differ {
		if fixed := i == 8 || i == 13 || i == 14 || i == 18 || i == 23; d == fixed {
			t.Errorf("character %d of 200 IDs differs: %t, want %t", i, d, !fixed)
		}
	}
	before := time.Now()
	r := hooks.NewRun("", "hi")
	if r.User != "anonymous" || r.Prompt != "hi" || r.Start.Before(before) || time.Since(r.Start) < 0 {
		t.Errorf("run %+v, want one of anonymous with the prompt hi that starts now", r)
	}
	if r := hooks.NewRun("ada", ""); r.User != "ada" {
		t.Errorf("the user is %q, want ada", r.User)
	}
}

func TestOrder(t *testing.T) {
	var ran []string
	e := quiet()
	note := func(name string) func(context.Context, *hooks.ToolCall) (hooks.Result, error) {
		return func(context.Context, *hooks.ToolCall) (hooks.Result, error) {
			ran = append(ran, name)
			return hooks.Continue(), nil
		}
	}
	e.BeforeTool(hooks.BeforeTool{Name: "late", Order: hooks.Late, Do: note("late")})
	e.BeforeTool(hooks.BeforeTool{Name: "standard 1", Order: hooks.Standard, Do: note("standard 1")})
	e.BeforeTool(hooks.BeforeTool{Name: "off", Disabled: true, Do: note("off")})
	e.BeforeTool(hooks.BeforeTool{Name: "first", Do: note("first")})
	e.BeforeTool(hooks.BeforeTool{Name: "standard 2", Order: hooks.Standard, Do: note("standard 2")})
	r := hooks.NewRun("", "hi")
	if _, err := e.Call(t.Context(), r.Call("Bash", nil)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first", "standard 1", "standard 2", "late"}; !slices.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
	if r.User != "anonymous" || !slices.Equal(r.Tools(), []string{"Bash"}) {
		t.Errorf("the run is of %q with %v", r.User, r.Tools())
	}
}

// No hook that may fail open runs before one that must hold, whatever its order is and in
// whatever sequence they were added.
func TestOpenHooksRunAfterTheCriticalRange(t *testing.T) {
	type kind struct {
		order  int
		closed bool
	}
	var kinds []kind
	for _, order := range []int{-5, 0, 1, 50, 99, 100, 150, 200, 1000} {
		kinds = append(kinds, kind{order, false}, kind{order, true})
	}
	fails := func(k kind) bool { return k.closed || k.order >= 1 && k.order < 100 }
	for _, a := range kinds {
		for _, b := range kinds {
			var started, called, after, ended []kind
			e := quiet()
			for _, k := range []kind{a, b} {
				e.BeforeStart(hooks.BeforeStart{Order: k.order, FailOnError: k.closed, Do: func(context.Context, *hooks.Run) (hooks.Result, error) {
					started = append(started, k)
					return hooks.Continue(), nil
				}})
				e.BeforeTool(hooks.BeforeTool{Order: k.order, FailOnError: k.closed, Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) {
					called = append(called, k)
					return hooks.Continue(), nil
				}})
				e.AfterTool(hooks.AfterTool{Order: k.order, FailOnError: k.closed, Do: func(context.Context, *hooks.ToolCall, *hooks.ToolResult) error {
					after = append(after, k)
					return nil
				}})
				e.AfterComplete(hooks.AfterComplete{Order: k.order, FailOnError: k.closed, Do: func(context.Context, *hooks.Run, hooks.Outcome) error {
					ended = append(ended, k)
					return nil
				}})
			}
			run := hooks.NewRun("u", "")
			call := run.Call("T", nil)
			_, err := e.Call(t.Context(), call)
			if err := errors.Join(err, e.Start(t.Context(), run), e.Called(t.Context(), call, &hooks.ToolResult{}), e.Complete(t.Context(), run, hooks.Outcome{})); err != nil {
				t.Fatal(err)
			}
			want := []kind{a, b}
			if early := func(k kind) bool { return fails(k) && k.order < 100 }; early(b) && !early(a) || early(a) == early(b) && b.order < a.order {
				want = []kind{b, a}
			}
			byNumber := []kind{a, b}
			if b.order < a.order {
				byNumber = []kind{b, a}
			}
			for what, got := range map[string][]kind{"BeforeStart": started, "BeforeTool": called} {
				if !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", what, got, want)
				}
			}
			for what, got := range map[string][]kind{"AfterTool": after, "AfterComplete": ended} {
				if !slices.Equal(got, byNumber) {
					t.Errorf("%s: %v, want %v", what, got, byNumber)
				}
			}
		}
	}
}

// A call that a check stops reaches no hook of the default order: nothing of it is handed out,
// and nobody is asked about it.
func TestStoppedCallReachesNoOpenHook(t *testing.T) {
	a := &approver{}
	e := &hooks.Executor{Log: slog.New(slog.DiscardHandler), Approver: a}
	for _, order := range []int{-1, 0} {
		e.BeforeTool(hooks.BeforeTool{Order: order, Do: answer(hooks.PendingApproval("1", "may it?"))})
		e.BeforeStart(hooks.BeforeStart{Order: order, Do: func(context.Context, *hooks.Run) (hooks.Result, error) {
			return hooks.PendingApproval("2", "may it begin?"), nil
		}})
	}
	e.BeforeTool(hooks.BeforeTool{Name: "check", Order: hooks.Critical, Do: answer(hooks.Reject("no"))})
	e.BeforeStart(hooks.BeforeStart{Name: "check", Order: 99, Do: func(context.Context, *hooks.Run) (hooks.Result, error) { return hooks.Reject("no"), nil }})
	run := hooks.NewRun("u", "")
	if _, err := e.Call(t.Context(), run.Call("T", nil)); err == nil {
		t.Error("it passed")
	}
	if err := e.Start(t.Context(), run); err == nil {
		t.Error("it began")
	}
	if len(a.asked) > 0 {
		t.Errorf("a person was asked: %q", a.asked)
	}
}

// Hooks after a call see the parameters that the tool ran with, and cannot change them for
// each other.
func TestAfterToolSeesWhatRan(t *testing.T) {
	e := quiet()
	e.BeforeTool(hooks.BeforeTool{Order: hooks.Standard, Do: func(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
		if c.Params["env"] == "prod" {
			return hooks.Modify(map[string]any{"env": "staging", "list": []any{"a"}}), nil
		}
		return hooks.Continue(), nil
	}})
	e.BeforeTool(hooks.BeforeTool{Order: hooks.Late, Do: func(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
		if c.Params["stop"] != nil {
			return hooks.Reject("no"), nil
		}
		return hooks.Continue(), nil
	}})
	var seen []any
	for range 2 {
		e.AfterTool(hooks.AfterTool{Do: func(_ context.Context, c *hooks.ToolCall, _ *hooks.ToolResult) error {
			list, _ := c.Params["list"].([]any)
			seen = append(seen, c.Params["env"], list[0])
			c.Params["env"], list[0] = "changed by a hook", "changed"
			return nil
		}})
	}
	run := hooks.NewRun("u", "")
	call := run.Call("deploy", map[string]any{"env": "prod"})
	params, err := e.Call(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	if params["env"] = "the caller's own"; call.Params["env"] != "staging" {
		t.Errorf("the call has %v", call.Params)
	}
	if err := e.Called(t.Context(), call, &hooks.ToolResult{}); err != nil {
		t.Fatal(err)
	}
	if want := []any{"staging", "a", "staging", "a"}; !slices.Equal(seen, want) {
		t.Errorf("seen: %v, want %v", seen, want)
	}
	// Of a call that was stopped it is what was judged last.
	call = run.Call("deploy", map[string]any{"env": "prod"})
	e.BeforeTool(hooks.BeforeTool{Order: 300, Do: answer(hooks.Reject("no"))})
	if _, err := e.Call(t.Context(), call); err == nil || call.Params["env"] != "staging" {
		t.Errorf("parameters %v, error %v; want an error and the env staging", call.Params, err)
	}
}

// An output that a hook puts in the place of what was checked is checked, too.
func TestReplacedOutputIsChecked(t *testing.T) {
	for _, order := range []int{-1, 0, 100, 200} {
		e := quiet()
		e.AfterTool(hooks.AfterTool{Name: "check", Order: hooks.Critical, Do: func(_ context.Context, _ *hooks.ToolCall, out *hooks.ToolResult) error {
			if strings.Contains(out.Output, "unreadable") {
				return errors.New("it cannot be checked")
			}
			out.Output = strings.ReplaceAll(out.Output, "orders", "-")
			return nil
		}})
		more := " and orders"
		e.AfterTool(hooks.AfterTool{Order: order, Do: func(_ context.Context, _ *hooks.ToolCall, out *hooks.ToolResult) error {
			out.Output += more
			return nil
		}})
		out := hooks.ToolResult{Output: "orders"}
		call := hooks.NewRun("u", "").Call("T", nil)
		if err := e.Called(t.Context(), call, &out); err != nil || out.Output != "- and -" {
			t.Errorf("order %d: output %q, error %v; want %q", order, out.Output, err, "- and -")
		}
		more = " unreadable"
		if err := e.Called(t.Context(), call, &out); err == nil || out.Output != "" {
			t.Errorf("order %d: output %q, error %v; want it withheld, and an error", order, out.Output, err)
		}
	}
}

type approver struct {
	asked []string
	err   error
}

func (a *approver) Approve(_ context.Context, id, msg string) error {
	a.asked = append(a.asked, id+": "+msg)
	return a.err
}

func TestCall(t *testing.T) {
	boom := errors.New("boom")
	never := answer(hooks.Reject("a later hook spoke"))
	for _, tt := range []struct {
		name     string
		hooks    []hooks.BeforeTool
		approver *approver
		want     map[string]any
		fails    string
		code     string
	}{
		{"none", nil, nil, map[string]any{"a": 1}, "", ""},
		{"the first answer counts", []hooks.BeforeTool{{Do: answer(hooks.Continue())}, {Name: "x", Do: answer(hooks.Reject("no"))}, {Do: never}}, nil, nil, "no (hook x)", hooks.CodeRejected},
		{"no answer", []hooks.BeforeTool{{Do: answer(hooks.Result{})}}, nil, nil, "without a reason", hooks.CodeRejected},
		{"modified", []hooks.BeforeTool{{Do: answer(hooks.Modify(map[string]any{"a": 2}))}}, nil, map[string]any{"a": 2}, "", ""},
		{"pending without anybody to ask", []hooks.BeforeTool{{Do: answer(hooks.PendingApproval("7", "delete it?"))}}, nil, nil, "pending approval: delete it?", hooks.CodePending},
		{"approved", []hooks.BeforeTool{{Do: answer(hooks.PendingApproval("7", "delete it?"))}}, &approver{}, map[string]any{"a": 1}, "", ""},
		{"approved, and denied by the next", []hooks.BeforeTool{{Do: answer(hooks.PendingApproval("7", "delete it?"))}, {Do: answer(hooks.Reject("never"))}}, &approver{}, nil, "never", hooks.CodeRejected},
		{"not approved", []hooks.BeforeTool{{Do: answer(hooks.PendingApproval("7", "x"))}}, &approver{err: errors.New("denied by ada")}, nil, "not approved: denied by ada", hooks.CodeRejected},
		{"an error is passed over", []hooks.BeforeTool{{Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) { return hooks.Reject("x"), boom }}}, nil, map[string]any{"a": 1}, "", ""},
		{"a panic is passed over", []hooks.BeforeTool{{Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) { panic(boom) }}}, nil, map[string]any{"a": 1}, "", ""},
		{"a hook without a function stops", []hooks.BeforeTool{{}}, nil, nil, "hook execution failed: the hook has no function: set Do", hooks.CodeRejected},
		{"an error stops", []hooks.BeforeTool{{FailOnError: true, Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) { return hooks.Continue(), boom }}}, nil, nil, "hook execution failed: boom", hooks.CodeRejected},
		{"a panic stops", []hooks.BeforeTool{{FailOnError: true, Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) { panic(boom) }}}, nil, nil, "hook execution failed: panic: boom", hooks.CodeRejected},
		{"what a hook does to its parameters is no answer", []hooks.BeforeTool{{Do: func(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
			c.Params["a"] = 3
			return hooks.Continue(), nil
		}}}, nil, map[string]any{"a": 1}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := quiet()
			if tt.approver != nil {
				e.Approver = tt.approver
			}
			for _, h := range tt.hooks {
				e.BeforeTool(h)
			}
			got, err := e.Call(t.Context(), hooks.NewRun("u", "").Call("T", map[string]any{"a": 1}))
			if tt.fails == "" {
				if err != nil || !reflect.DeepEqual(got, tt.want) {
					t.Errorf("parameters %v, error %v; want %v", got, err, tt.want)
				}
				return
			}
			var r *hooks.Rejected
			if !errors.As(err, &r) || r.Code != tt.code || !strings.Contains(err.Error(), tt.fails) || got != nil {
				t.Errorf("parameters %v, error %v; want a rejection %v with %q", got, err, tt.code, tt.fails)
			}
		})
	}
}

// A change is judged by the hooks that ran before it was made.
func TestModifyIsJudgedAnew(t *testing.T) {
	e := quiet()
	var seen []any
	e.BeforeTool(hooks.BeforeTool{Name: "policy", FailOnError: true, Do: func(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
		seen = append(seen, c.Params["cmd"])
		if c.Params["cmd"] == "rm -rf /" {
			return hooks.Reject("no"), nil
		}
		return hooks.Continue(), nil
	}})
	e.BeforeTool(hooks.BeforeTool{Name: "rewriter", Order: 1, Do: answer(hooks.Modify(map[string]any{"cmd": "rm -rf /"}))})
	_, err := e.Call(t.Context(), hooks.NewRun("u", "").Call("T", map[string]any{"cmd": "ls"}))
	if err == nil || !slices.Equal(seen, []any{"ls", "rm -rf /"}) {
		t.Errorf("error %v after the hook saw %v, want a rejection after ls and rm -rf /", err, seen)
	}
}

// Hooks that never agree are stopped, and none judges more than twice.
func TestModifyEnds(t *testing.T) {
	e := quiet()
	var runs [2]int
	for i := range 2 {
		e.BeforeTool(hooks.BeforeTool{Name: fmt.Sprint(i), Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) {
			runs[i]++
			return hooks.Modify(map[string]any{"by": i}), nil
		}})
	}
	_, err := e.Call(t.Context(), hooks.NewRun("u", "").Call("T", nil))
	var r *hooks.Rejected
	if !errors.As(err, &r) || runs[0] > 2 || runs[1] > 2 {
		t.Errorf("error %v after %v runs, want a rejection after at most two of each", err, runs)
	}
}

func TestStart(t *testing.T) {
	e := quiet()
	e.BeforeStart(hooks.BeforeStart{FailOnError: true, Do: func(_ context.Context, r *hooks.Run) (hooks.Result, error) {
		r.Set("budget", 3)
		return hooks.Continue(), nil
	}})
	e.BeforeStart(hooks.BeforeStart{Name: "login", Order: 1, Do: func(_ context.Context, r *hooks.Run) (hooks.Result, error) {
		if v, _ := r.Get("budget"); v != 3 {
			t.Errorf("budget is %v", v)
		}
		if r.User == "eve" {
			return hooks.Reject("who are you"), nil
		}
		return hooks.Continue(), nil
	}})
	if err := e.Start(t.Context(), hooks.NewRun("ada", "x")); err != nil {
		t.Error(err)
	}
	var r *hooks.Rejected
	if err := e.Start(t.Context(), hooks.NewRun("eve", "x")); !errors.As(err, &r) || r.Code != hooks.CodeRejected || r.Hook != "login" {
		t.Errorf("error %v, want a rejection %v by the hook login", err, hooks.CodeRejected)
	}
	e.BeforeStart(hooks.BeforeStart{Order: 2, FailOnError: true, Do: func(context.Context, *hooks.Run) (hooks.Result, error) { return hooks.Modify(nil), nil }})
	if err := e.Start(t.Context(), hooks.NewRun("ada", "x")); !errors.As(err, &r) {
		t.Errorf("a run is modified: %v", err)
	}
}

// A hook that never comes back is left behind at its time-out.
func TestTimeout(t *testing.T) {
	for _, strict := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			e := quiet()
			release := make(chan struct{})
			e.BeforeTool(hooks.BeforeTool{FailOnError: strict, Timeout: time.Second, Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) {
				<-release
				return hooks.Reject("too late"), nil
			}})
			start := time.Now()
			_, err := e.Call(t.Context(), hooks.NewRun("u", "").Call("T", nil))
			if took := time.Since(start); (err != nil) != strict || took != time.Second {
				t.Errorf("strict %v: %v after %s", strict, err, took)
			}
			close(release)
		})
	}
}

// Hooks of the range of security fail closed, whether they say so or not.
func TestCriticalHooksFailClosed(t *testing.T) {
	for order, stops := range map[int]bool{0: false, hooks.Critical: true, 99: true, hooks.Standard: false, hooks.Late: false} {
		e, run := quiet(), hooks.NewRun("u", "")
		boom := errors.New("boom")
		e.BeforeStart(hooks.BeforeStart{Order: order, Do: func(context.Context, *hooks.Run) (hooks.Result, error) { return hooks.Continue(), boom }})
		e.BeforeTool(hooks.BeforeTool{Order: order, Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) { return hooks.Continue(), boom }})
		e.AfterTool(hooks.AfterTool{Order: order, Do: func(context.Context, *hooks.ToolCall, *hooks.ToolResult) error { return boom }})
		e.AfterComplete(hooks.AfterComplete{Order: order, Do: func(context.Context, *hooks.Run, hooks.Outcome) error { return boom }})
		call := run.Call("T", nil)
		_, err := e.Call(t.Context(), call)
		out := hooks.ToolResult{Output: "x"}
		for what, err := range map[string]error{"start": e.Start(t.Context(), run), "call": err, "called": e.Called(t.Context(), call, &out), "complete": e.Complete(t.Context(), run, hooks.Outcome{})} {
			if (err != nil) != stops {
				t.Errorf("order %d, %s: error %v, want that it stops the call: %t", order, what, err, stops)
			}
		}
		if (out.Output == "") != stops {
			t.Errorf("order %d: the output is %q", order, out.Output)
		}
	}
}

// A hook that is switched off does nothing, of whatever kind it is.
func TestDisabledHooks(t *testing.T) {
	e, run := quiet(), hooks.NewRun("u", "")
	e.BeforeStart(hooks.BeforeStart{Disabled: true, FailOnError: true, Do: func(context.Context, *hooks.Run) (hooks.Result, error) { panic("start") }})
	e.BeforeTool(hooks.BeforeTool{Disabled: true, FailOnError: true, Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) { panic("call") }})
	e.AfterTool(hooks.AfterTool{Disabled: true, FailOnError: true, Do: func(context.Context, *hooks.ToolCall, *hooks.ToolResult) error { panic("called") }})
	e.AfterComplete(hooks.AfterComplete{Disabled: true, FailOnError: true, Do: func(context.Context, *hooks.Run, hooks.Outcome) error { panic("complete") }})
	call := run.Call("T", map[string]any{"raw": json.RawMessage(`{"a":1}`)})
	params, err := e.Call(t.Context(), call)
	if raw, ok := params["raw"].(json.RawMessage); !ok || string(raw) != `{"a":1}` {
		t.Errorf("the parameters are %v", params)
	}
	for what, err := range map[string]error{"start": e.Start(t.Context(), run), "call": err, "called": e.Called(t.Context(), call, &hooks.ToolResult{}), "complete": e.Complete(t.Context(), run, hooks.Outcome{})} {
		if err != nil {
			t.Errorf("%s: got %v, want no error", what, err)
		}
	}
	if _, err := e.Call(t.Context(), &hooks.ToolCall{Tool: "T"}); err == nil || !strings.Contains(err.Error(), "has no run") {
		t.Errorf("a call of no run: got %v, want a refusal", err)
	}
}

// A hook without a function stops what it was meant to check, of whatever order it is.
func TestHookWithoutFunction(t *testing.T) {
	for _, order := range []int{0, hooks.Critical, hooks.Standard, hooks.Late} {
		for name, add := range map[string]func(*hooks.Executor){
			"start": func(e *hooks.Executor) { e.BeforeStart(hooks.BeforeStart{Name: "empty", Order: order}) },
			"call":  func(e *hooks.Executor) { e.BeforeTool(hooks.BeforeTool{Name: "empty", Order: order}) },
			"called": func(e *hooks.Executor) {
				e.AfterTool(hooks.AfterTool{Name: "empty", Order: order})
			},
			"complete": func(e *hooks.Executor) { e.AfterComplete(hooks.AfterComplete{Name: "empty", Order: order}) },
		} {
			e, r := quiet(), hooks.NewRun("u", "")
			add(e)
			out := hooks.ToolResult{Output: "text"}
			errs := map[string]error{"start": e.Start(t.Context(), r)}
			_, errs["call"] = e.Call(t.Context(), r.Call("T", nil))
			errs["called"] = e.Called(t.Context(), r.Call("T", nil), &out)
			errs["complete"] = e.Complete(t.Context(), r, hooks.Outcome{})
			for step, err := range errs {
				if (err != nil) != (step == name) || err != nil && !strings.Contains(err.Error(), "set Do") {
					t.Errorf("order %d, a hook for %s: %s ended with %v, want an error that says set Do: %t", order, name, step, err, step == name)
				}
			}
			if (out.Output == "") != (name == "called") {
				t.Errorf("order %d, a hook for %s: the output is %q, want it withheld: %t", order, name, out.Output, name == "called")
			}
		}
	}
}

// After a cancellation nothing starts, whatever hooks fail open.
func TestCanceled(t *testing.T) {
	e := quiet()
	ctx, cancel := context.WithCancel(t.Context())
	e.BeforeTool(hooks.BeforeTool{Do: func(ctx context.Context, _ *hooks.ToolCall) (hooks.Result, error) {
		cancel()
		<-ctx.Done()
		return hooks.Continue(), ctx.Err()
	}})
	if _, err := e.Call(ctx, hooks.NewRun("u", "").Call("T", nil)); err == nil {
		t.Error("a canceled call goes on")
	}
}

func TestCalled(t *testing.T) {
	e := quiet()
	e.AfterTool(hooks.AfterTool{Name: "sanitizer", FailOnError: true, Do: func(_ context.Context, _ *hooks.ToolCall, out *hooks.ToolResult) error {
		if out.Output == "bad" {
			return errors.New("cannot judge")
		}
		out.Output = strings.ToUpper(out.Output)
		return nil
	}})
	e.AfterTool(hooks.AfterTool{Order: hooks.Standard, Do: func(_ context.Context, _ *hooks.ToolCall, out *hooks.ToolResult) error {
		out.Output = "changed by a hook that failed"
		return errors.New("x")
	}})
	c := hooks.NewRun("u", "").Call("T", nil)
	out := hooks.ToolResult{Output: "text"}
	if err := e.Called(t.Context(), c, &out); err != nil || out.Output != "TEXT" {
		t.Errorf("output %q, error %v; want TEXT", out.Output, err)
	}
	out = hooks.ToolResult{Output: "bad"}
	if err := e.Called(t.Context(), c, &out); err == nil || out.Output != "" {
		t.Errorf("output %q, error %v; want it withheld, and an error", out.Output, err)
	}
}

func TestComplete(t *testing.T) {
	e := quiet()
	var got []error
	e.AfterComplete(hooks.AfterComplete{Do: func(ctx context.Context, _ *hooks.Run, out hooks.Outcome) error {
		got = append(got, out.Err, ctx.Err())
		return errors.New("logged only")
	}})
	e.AfterComplete(hooks.AfterComplete{Name: "bill", Order: 1, FailOnError: true, Do: func(context.Context, *hooks.Run, hooks.Outcome) error { panic("no paper") }})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := e.Complete(ctx, hooks.NewRun("u", ""), hooks.Outcome{Err: context.Canceled})
	if len(got) != 2 || !errors.Is(got[0], context.Canceled) || got[1] != nil {
		t.Errorf("the hook saw %v", got)
	}
	if err == nil || !strings.Contains(err.Error(), "bill") || strings.Contains(err.Error(), "logged only") {
		t.Errorf("error %v, want that of bill alone", err)
	}
}

type own struct{ APIKey, Name string }

func TestMaskedParams(t *testing.T) {
	c := hooks.NewRun("u", "").Call("T", map[string]any{
		"path": "x", "Password": "a", "nested": map[string]any{"auth_TOKEN": 1, "list": []any{map[string]any{"my-api-key": []any{"k"}, "n": 1.5}}},
		"typed": own{"k", "n"}, "strange": func() {}, "none": nil,
	})
	want := map[string]any{
		"path": "x", "Password": "***", "nested": map[string]any{"auth_TOKEN": "***", "list": []any{map[string]any{"my-api-key": "***", "n": 1.5}}},
		"typed": map[string]any{"APIKey": "***", "Name": "n"}, "strange": "***", "none": nil,
	}
	if got := c.MaskedParams(); !reflect.DeepEqual(got, want) {
		t.Errorf("masked to %v, want %v", got, want)
	}
	if c.Params["Password"] != "a" {
		t.Error("the parameters themselves were masked")
	}
	deep := map[string]any{}
	for m, i := deep, 0; i < 1000; i++ {
		next := map[string]any{"secret": "s"}
		m["x"], m = next, next
	}
	if s := fmt.Sprint(hooks.NewRun("u", "").Call("T", deep).MaskedParams()); strings.Contains(s, "secret:s") {
		t.Error("a deep secret is shown")
	}
}

// Parallel calls of a run get an index each, and a rejected one stops only itself.
func TestParallel(t *testing.T) {
	e := quiet()
	e.BeforeTool(hooks.BeforeTool{Do: func(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
		c.Run.Set(fmt.Sprint(c.Params["n"]), true)
		if c.Params["n"] == 7 {
			return hooks.Reject("seven"), nil
		}
		return hooks.Continue(), nil
	}})
	r := hooks.NewRun("u", "")
	var wg sync.WaitGroup
	failed, indexes := make([]bool, 50), make([]int, 50)
	for i := range 50 {
		wg.Go(func() {
			c := r.Call(fmt.Sprint("T", i%5), map[string]any{"n": i})
			indexes[i] = c.Index
			_, err := e.Call(t.Context(), c)
			failed[i] = err != nil
		})
	}
	wg.Wait()
	slices.Sort(indexes)
	for i := range 50 {
		if failed[i] != (i == 7) || indexes[i] != i {
			t.Errorf("call %d: failed %v, index %d", i, failed[i], indexes[i])
		}
	}
	if len(r.Tools()) != 5 || len(r.Metadata()) != 50 {
		t.Errorf("tools %v, %d entries; want 5 tools and 50 entries", r.Tools(), len(r.Metadata()))
	}
}

func ExampleExecutor() {
	e := &hooks.Executor{Log: slog.New(slog.DiscardHandler)}
	e.BeforeTool(hooks.BeforeTool{Name: "no-shell", Order: hooks.Critical, FailOnError: true,
		Do: func(_ context.Context, c *hooks.ToolCall) (hooks.Result, error) {
			if c.Tool == "shell" {
				return hooks.Reject("this agent has no shell"), nil
			}
			return hooks.Continue(), nil
		}})
	ctx, run := context.Background(), hooks.NewRun("ada", "tidy up")
	if err := e.Start(ctx, run); err != nil {
		fmt.Println(err)
		return
	}
	_, err := e.Call(ctx, run.Call("shell", map[string]any{"command": "rm -rf build"}))
	fmt.Println(err)
	_ = e.Complete(ctx, run, hooks.Outcome{Err: err})
	// Output: this agent has no shell (hook no-shell)
}

// An AfterTool hook knows how long the call took, also if the caller does not say.
func TestTook(t *testing.T) {
	var e hooks.Executor
	var took time.Duration
	e.AfterTool(hooks.AfterTool{Name: "after", Do: func(_ context.Context, _ *hooks.ToolCall, out *hooks.ToolResult) error {
		took = out.Took
		return nil
	}})
	c := hooks.NewRun("u", "p").Call("tool", nil)
	if _, err := e.Call(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := e.Called(t.Context(), c, &hooks.ToolResult{}); err != nil || took <= 0 {
		t.Errorf("took %s, error %v; want the time since the call", took, err)
	}
	if err := e.Called(t.Context(), c, &hooks.ToolResult{Took: time.Hour}); err != nil || took != time.Hour {
		t.Errorf("took %s, error %v; want the 1h0m0s that the result has", took, err)
	}
}

// Without a call there is nothing to judge, and nothing runs.
func TestNoCall(t *testing.T) {
	for _, c := range []*hooks.ToolCall{nil, {}} {
		if params, err := quiet().Call(t.Context(), c); err == nil || params != nil {
			t.Errorf("Call of %v: %v, %v", c, params, err)
		}
		if err := quiet().Called(t.Context(), c, nil); err == nil {
			t.Errorf("Called of %v without a result: no error", c)
		}
	}
}
