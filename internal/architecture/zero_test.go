package architecture

import (
	"context"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/client"
	"github.com/umpire-dev/umpire/decision"
	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/policy"
)

// zeroValues are pointers to the zero value of every exported type with exported methods.
var zeroValues = []any{
	new(umpire.Action), new(umpire.Decision), new(umpire.Effect), new(umpire.Kind), new(umpire.Operation), new(umpire.Place), new(umpire.Trait),
	new(client.Change), new(client.Client), new(client.Denied), new(client.Fault), new(client.Request),
	new(decision.Point), new(decision.Result),
	new(enforce.Decision), new(enforce.Enforcer),
	new(guard.Canary), new(guard.Cause), new(guard.Classifier), new(guard.ClassifierConfig), new(guard.Config), new(guard.FileRules), new(guard.HiddenText), new(guard.Input),
	new(guard.Masker), new(guard.Output), new(guard.Request), new(guard.Rules), new(guard.Sanitizer), new(guard.Session), new(guard.Stream),
	new(guard.Vault), new(guard.Verdict),
	new(hooks.Duration), new(hooks.Executor), new(hooks.Rejected), new(hooks.Run), new(hooks.ToolCall),
	new(policy.CannotAsk), new(policy.Error), new(policy.Errors), new(policy.Layer), new(policy.Mode), new(policy.Pattern), new(policy.Policy),
	new(policy.Pos), new(policy.Rule), new(policy.Scope), new(policy.ToolOutput), new(policy.Warning), (*policy.Policy)(nil),
}

// Programs forget constructors. A zero value of the public API then neither panics nor lets
// anything pass: each method returns, and no verdict among its results allows.
func TestZeroValuesStop(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("UMPIRE_AGENT_TOKEN", "")
	t.Chdir(t.TempDir())
	for _, v := range zeroValues {
		rv := reflect.ValueOf(v)
		for m := range rv.Type().Methods() {
			t.Run(strings.TrimPrefix(rv.Type().String(), "*")+"."+m.Name, func(t *testing.T) {
				f := rv.MethodByName(m.Name)
				var in []reflect.Value
				for i := range f.Type().NumIn() {
					if p := f.Type().In(i); !f.Type().IsVariadic() || i < f.Type().NumIn()-1 {
						in = append(in, argument(p))
					}
				}
				for _, out := range f.Call(in) {
					stops(t, out.Interface())
				}
			})
		}
	}
}

// argument returns a value that a careless caller would pass.
func argument(t reflect.Type) reflect.Value {
	switch {
	case t == reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background())
	case t == reflect.TypeFor[guard.Request]():
		return reflect.ValueOf(guard.Request{Text: "hello"})
	case t.Kind() == reflect.Pointer:
		return reflect.New(t.Elem())
	}
	return reflect.Zero(t)
}

// stops fails if a result of a zero value lets something pass.
func stops(t *testing.T, result any) {
	t.Helper()
	ctx := t.Context()
	run := hooks.NewRun("ada", "tidy up")
	switch r := result.(type) {
	case umpire.Effect:
		if r == umpire.Allow {
			t.Error("allows")
		}
	case umpire.Decision:
		stops(t, r.Effect)
	case decision.Result:
		stops(t, r.Effect)
	case guard.Result:
		if r.Verdict != guard.Rejected {
			t.Errorf("%v", r.Verdict)
		}
	case guard.Stage:
		stops(t, guard.NewInput([]guard.Stage{r}).Check(ctx, guard.Request{Text: "hello"}))
	case guard.OutputStage:
		out := guard.NewOutput([]guard.OutputStage{r})
		stops(t, out.Check(ctx, "hello", guard.Answer{}))
		stops(t, out.Stream(ctx, guard.Answer{}))
	case *guard.Stream:
		safe, _ := r.Write("hello")
		rest, res := r.Close()
		if stops(t, res); safe+rest != "" {
			t.Errorf("released %q", safe+rest)
		}
	case hooks.BeforeTool:
		if _, err := r.Do(ctx, run.Call("send_mail", nil)); err == nil {
			t.Error("the hook lets a call pass")
		}
	case hooks.AfterTool:
		if err := r.Do(ctx, run.Call("send_mail", nil), &hooks.ToolResult{Output: "hello"}); err == nil {
			t.Error("the hook lets output pass")
		}
	}
}

// A hook without a function fails closed, and a call without a run is rejected.
func TestEmptyHooksStop(t *testing.T) {
	ctx := t.Context()
	run := hooks.NewRun("ada", "tidy up")
	if _, err := new(hooks.Executor).Call(ctx, &hooks.ToolCall{Tool: "send_mail"}); err == nil || !strings.Contains(err.Error(), "Run.Call") {
		t.Errorf("a call without a run: %v", err)
	}
	var e hooks.Executor
	e.BeforeStart(hooks.BeforeStart{Name: "empty"})
	e.BeforeTool(hooks.BeforeTool{Name: "empty"})
	e.AfterTool(hooks.AfterTool{Name: "empty"})
	e.AfterComplete(hooks.AfterComplete{Name: "empty"})
	call := run.Call("send_mail", nil)
	_, before := e.Call(ctx, call)
	out := &hooks.ToolResult{Output: "hello"}
	for name, err := range map[string]error{"Start": e.Start(ctx, run), "Call": before, "Called": e.Called(ctx, call, out), "Complete": e.Complete(ctx, run, hooks.Outcome{})} {
		if err == nil || !strings.Contains(err.Error(), "set Do") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if out.Output != "" {
		t.Errorf("the output passes: %q", out.Output)
	}
}

// A type that gets methods belongs into zeroValues.
func TestZeroValuesAreAll(t *testing.T) {
	tried := map[string]bool{}
	for _, v := range zeroValues {
		e := reflect.TypeOf(v).Elem()
		tried[e.PkgPath()+"."+e.Name()] = true
	}
	load := exported(t)
	for _, p := range public {
		pkg, err := load(strings.TrimSuffix(module+"/"+p, "/"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || !token.IsExported(name) || types.IsInterface(obj.Type()) {
				continue
			}
			set := types.NewMethodSet(types.NewPointer(obj.Type()))
			for i := range set.Len() {
				if set.At(i).Obj().Exported() && !tried[pkg.Path()+"."+name] {
					t.Errorf("%s.%s has methods: add it to zeroValues", pkg.Path(), name)
					break
				}
			}
		}
	}
}
