package conversation

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/agent"
)

// A sub-agent has no more turns than its parent has left.
func TestTaskHasTheTurnsThatAreLeft(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.MaxTurns = 3 })
	if err := w.o.Caller.Add(w.Task()); err != nil {
		t.Fatal(err)
	}
	w.m.texts = []string{`call task {"description":"a","prompt":"x"}`, `call read_file {"file_path":"1"}`, `call read_file {"file_path":"2"}`,
		"going on", "done"}
	if _, err := w.say(t, "go"); err != nil {
		t.Fatal(err)
	}
	if r := w.Session().State().Messages[2].Parts[0].Result; !strings.Contains(r.Text, "limit on turns") {
		t.Errorf("%+v", r)
	}
}

// In its parent's last turn, a sub-agent has none.
func TestNoTurnForATask(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.MaxTurns = 1 })
	if err := w.o.Caller.Add(w.Task()); err != nil {
		t.Fatal(err)
	}
	w.m.texts = []string{`call task {"description":"a","prompt":"x"}`}
	if _, err := w.say(t, "go"); err != nil && !strings.Contains(err.Error(), "turn") {
		t.Fatal(err)
	}
	if r := w.Session().State().Messages[2].Parts[0].Result; !strings.Contains(r.Text, "no turns are left for a sub-agent") || len(w.m.asked) != 1 {
		t.Errorf("after %d requests the task gives %+v, want one request and no turn", len(w.m.asked), r)
	}
}

// A sub-agent has what its parent has and no more, and its report is foreign text.
func TestTask(t *testing.T) {
	w := newWorld(t, nil)
	if err := w.o.Caller.Add(w.Task()); err != nil {
		t.Fatal(err)
	}
	w.m.texts = []string{`call task {"description":"look","prompt":"find it"}`, `call bash {"command":"ls"}`, "found at a.go", "It is in a.go."}
	if _, err := w.say(t, "where?"); err != nil {
		t.Fatal(err)
	}
	sub := w.m.asked[1]
	var names []string
	for _, tool := range sub.Tools {
		names = append(names, tool.Name)
	}
	if !reflect.DeepEqual(names, []string{"read_file", "tree"}) || sub.Messages[0].Text() != "find it" {
		t.Errorf("%q, %+v", names, sub.Messages)
	}
	if r := w.m.asked[2].Messages[2].Parts[0].Result; !strings.Contains(r.Text, "no tool") {
		t.Errorf("%+v", r)
	}
	st := w.Session().State()
	if r := st.Messages[2].Parts[0].Result; r.Error || !strings.Contains(r.Text, "found at a.go") || r.Origin != "task look" || len(st.Messages) != 4 {
		t.Errorf("%+v", st.Messages)
	}
}

// A sub-agent's report that is not whole is not passed off as one.
func TestTaskIsCut(t *testing.T) {
	w := newWorld(t, nil)
	if err := w.o.Caller.Add(w.Task()); err != nil {
		t.Fatal(err)
	}
	w.m.texts = []string{`call task {"description":"look","prompt":"find it"}`, "cut before the end", "Hm."}
	if _, err := w.say(t, "where?"); err != nil {
		t.Fatal(err)
	}
	if r := w.Session().State().Messages[2].Parts[0].Result; !r.Error || !strings.Contains(r.Text, "cut before the end") || !strings.Contains(r.Text, "length limit") {
		t.Errorf("%+v", r)
	}
}

// Hooks hear how every run ended, also of one that did not begin or that nobody followed.
func TestCompleteAlwaysRuns(t *testing.T) {
	for name, c := range map[string]struct {
		reject bool
		leave  bool
		want   func(error) bool
	}{
		"done":         {false, false, func(err error) bool { return err == nil }},
		"not begun":    {true, false, func(err error) bool { var r *hooks.Rejected; return errors.As(err, &r) }},
		"not followed": {false, true, func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		t.Run(name, func(t *testing.T) {
			x := &hooks.Executor{}
			x.BeforeStart(hooks.BeforeStart{Name: "gate", Do: func(context.Context, *hooks.Run) (hooks.Result, error) {
				if c.reject {
					return hooks.Reject("not now"), nil
				}
				return hooks.Continue(), nil
			}})
			var got []error
			x.AfterComplete(hooks.AfterComplete{Name: "bill", Do: func(_ context.Context, _ *hooks.Run, out hooks.Outcome) error {
				got = append(got, out.Err)
				return nil
			}})
			w := newWorld(t, func(o *Options) { o.Hooks = x })
			for range w.Send(t.Context(), Message{Text: "go"}) {
				if c.leave {
					break
				}
			}
			if len(got) != 1 || !c.want(got[0]) {
				t.Errorf("%v", got)
			}
		})
	}
}

// patient is a model that is asked again, thinks, and answers.
type patient struct{ *model }

func (m patient) Stream(ctx context.Context, r agent.ModelRequest) iter.Seq2[agent.Piece, error] {
	return func(yield func(agent.Piece, error) bool) {
		for _, p := range []agent.Piece{{Waits: &agent.Waits{Why: "it is busy", For: 1400 * time.Millisecond}}, {Thinking: &agent.Thinking{Text: "hm"}}, {Thinking: &agent.Thinking{Text: " hm"}}} {
			if !yield(p, nil) {
				return
			}
		}
		m.model.Stream(ctx, r)(yield)
	}
}

func TestWhatGoesOnIsTold(t *testing.T) {
	var doing []string
	w := newWorld(t, func(o *Options) {
		o.Model = patient{o.Model.(*model)}
		o.Doing = func(text string) { doing = append(doing, text) }
	})
	for range 2 {
		for _, err := range w.SendParts(t.Context(), "hi", nil) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	once := []string{"retrying in 1 s: it is busy", Thinking}
	if want := append(once, once...); !reflect.DeepEqual(doing, want) {
		t.Errorf("%q, want %q", doing, want)
	}
}

type saysYes struct{ n int }

func (y *saysYes) Ask(context.Context, agent.Question) (agent.Answer, error) {
	y.n++
	return agent.Answer{Choice: agent.Session}, nil
}

// What was allowed for the session can be seen, and taken back.
func TestAllowed(t *testing.T) {
	w := newWorld(t, nil)
	yes := &saysYes{}
	w.o.Caller.Asker = yes
	run := func() {
		t.Helper()
		w.m.texts = []string{`call bash {"command":"go test ./a"}`}
		if _, err := w.say(t, "go"); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := w.allowed(t.Context(), ""); err != nil || !strings.Contains(r.Text, "Nothing was allowed") {
		t.Error(r.Text, err)
	}
	run()
	if r, err := w.allowed(t.Context(), ""); err != nil || !strings.Contains(r.Text, "\n    exec(go test ./a)\n") {
		t.Error(r.Text, err)
	}
	if _, err := w.allowed(t.Context(), "froget"); err == nil {
		t.Error("a slip of the keyboard is no error")
	}
	if run(); yes.n != 1 {
		t.Fatalf("asked %d times", yes.n)
	}
	if r, err := w.allowed(t.Context(), "forget"); err != nil || !strings.Contains(r.Text, "umpire policy list") {
		t.Error(r.Text, err)
	}
	if run(); yes.n != 2 {
		t.Error("what was taken back still holds")
	}
}
