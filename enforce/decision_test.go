package enforce_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/question"
)

// events returns the events of one kind.
func events(t *testing.T, state string, kind audit.EventKind) (list []audit.Record) {
	t.Helper()
	for r, err := range audit.Read(state, audit.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == kind {
			list = append(list, r)
		}
	}
	return list
}

// Whoever answers first, the answer reaches the caller and the log. Nobody's answer, and an answer
// about what has changed since, is a no.
func TestApprove(t *testing.T) {
	yes := enforce.Answer{Yes: true, By: "ada", Note: "go on"}
	no := enforce.Answer{By: "ada", Note: "not now"}
	type asker = func(ctx context.Context, id string) (enforce.Answer, error)
	for name, tt := range map[string]struct {
		ask     func(w *deployment, cancel func()) asker
		want    enforce.Answer
		err     string
		effect  string // on record
		pending int    // questions that stay open
	}{
		"yes": {ask: func(*deployment, func()) asker {
			return func(context.Context, string) (enforce.Answer, error) { return yes, nil }
		}, want: enforce.Answer{Yes: true, By: "ada", Note: "go on", Here: true}, effect: "allow"},
		"no": {ask: func(*deployment, func()) asker {
			return func(context.Context, string) (enforce.Answer, error) { return no, nil }
		}, want: enforce.Answer{By: "ada", Note: "not now", Here: true}, effect: "deny"},
		"the screen fails": {ask: func(*deployment, func()) asker {
			return func(context.Context, string) (enforce.Answer, error) { return yes, errors.New("no screen") }
		}, err: "no one answered", pending: 1},
		"the caller leaves": {ask: func(_ *deployment, cancel func()) asker {
			return func(ctx context.Context, _ string) (enforce.Answer, error) { cancel(); <-ctx.Done(); return yes, nil }
		}, err: "no one answered"},
		"yes, elsewhere": {ask: func(w *deployment, _ func()) asker {
			return func(ctx context.Context, id string) (enforce.Answer, error) {
				w.answer(id, question.Approved, "bob")
				<-ctx.Done()
				return no, nil
			}
		}, want: enforce.Answer{Yes: true, By: "bob", Note: "a note"}, effect: "allow"},
		"no, elsewhere, and yes here": {ask: func(w *deployment, _ func()) asker {
			return func(_ context.Context, id string) (enforce.Answer, error) {
				w.answer(id, question.Denied, "bob")
				return yes, nil
			}
		}, want: enforce.Answer{By: "bob", Note: "a note"}, effect: "deny"},
		"nobody asks here": {ask: func(w *deployment, _ func()) asker {
			go func() {
				for w.t.Context().Err() == nil {
					if qs, err := w.box.List(question.Pending); err == nil && len(qs) == 1 {
						w.answer(qs[0].ID, question.Approved, "bob")
						return
					}
				}
			}()
			return nil
		}, want: enforce.Answer{Yes: true, By: "bob", Note: "a note"}, effect: "allow"},
		"the script changes": {ask: func(w *deployment, _ func()) asker {
			return func(context.Context, string) (enforce.Answer, error) {
				w.put("deploy.sh", "rm -rf x\n")
				return yes, nil
			}
		}, err: "changed while the question was open", effect: "deny"},
		"a rule denies it": {ask: func(w *deployment, _ func()) asker {
			return func(context.Context, string) (enforce.Answer, error) {
				w.put("../policy.yaml", "version: 1\nrules: [{deny: \"exec(sh deploy.sh)\", reason: never}]\n")
				return yes, nil
			}
		}, err: "a rule now denies it", effect: "deny"},
		"the box breaks": {ask: func(w *deployment, _ func()) asker {
			return func(context.Context, string) (enforce.Answer, error) { w.breakBox(); return yes, nil }
		}, err: "no one answered"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newDeployment(t)
			d, err := w.e.Authorize(shell(hooks.NewRun("ada", ""), "sh deploy.sh"), umpire.Allow)
			if err != nil || d.Effect != umpire.Ask {
				t.Fatalf("got %+v, %v, want a question", d, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			got, err := d.Approve(ctx, tt.ask(w, cancel))
			if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) || got != tt.want {
				t.Errorf("got %+v, %v, want %+v, %q", got, err, tt.want, tt.err)
			}
			if tt.err == "no one answered" && !errors.Is(err, enforce.ErrAsk) {
				t.Errorf("%v is not ErrAsk", err)
			}
			said := events(t, w.state, audit.Approval)
			if (len(said) == 1) != (tt.effect != "") || len(said) == 1 && (said[0].Effect != tt.effect || said[0].Data["question"] == "" || said[0].By == "") {
				t.Errorf("on record is %+v, want %q", said, tt.effect)
			}
			qs, err := w.box.List(question.Pending)
			if name != "the box breaks" && (err != nil || len(qs) != tt.pending) {
				t.Errorf("%d questions are open, %v, want %d", len(qs), err, tt.pending)
			}
		})
	}
}

// An approval that was given before the call is used up by it, and recorded.
func TestApprovedEarlier(t *testing.T) {
	w := newDeployment(t)
	r := hooks.NewRun("ada", "")
	var x hooks.Executor
	x.BeforeTool(w.e.BeforeTool())
	if _, err := x.Call(t.Context(), shell(r, "sh deploy.sh")); err == nil {
		t.Fatal("the call is not asked about")
	}
	qs, err := w.box.List(question.Pending)
	if err != nil || len(qs) != 1 {
		t.Fatalf("%d questions, %v, want one", len(qs), err)
	}
	w.answer(qs[0].ID, question.Approved, "bob")
	for _, want := range []enforce.Answer{{Yes: true}, {By: "here", Here: true}} {
		d, err := w.e.Authorize(shell(r, "sh deploy.sh"), umpire.Allow)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Approve(t.Context(), func(context.Context, string) (enforce.Answer, error) { return enforce.Answer{By: "here"}, nil })
		if err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	if said := events(t, w.state, audit.Approval); len(said) != 2 || said[0].By != "bob" || said[0].Effect != "allow" {
		t.Errorf("on record are %+v, want the answers of bob and here", said)
	}
	if _, err := x.Call(t.Context(), shell(r, "sh deploy.sh")); err == nil || !strings.Contains(err.Error(), "a person denied this call") {
		t.Errorf("after a no: got %v, want the refusal", err)
	}
}

// A client that waits gets a person's no with the note, and no approval of what has changed.
func TestApproverAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		answer func(w *deployment, id string)
		err    string
	}{
		"no":                 {func(w *deployment, id string) { w.answer(id, question.Denied, "bob") }, "bob denied it: a note"},
		"yes":                {func(w *deployment, id string) { w.answer(id, question.Approved, "bob") }, ""},
		"the script changes": {func(w *deployment, id string) { w.put("deploy.sh", "x\n"); w.answer(id, question.Approved, "bob") }, "changed while the question was open"},
	} {
		w := newDeployment(t)
		var x hooks.Executor
		x.BeforeTool(w.e.BeforeTool())
		x.Approver = answering{w.e.Approver(), func(id string) { tt.answer(w, id) }}
		if _, err := x.Call(t.Context(), shell(hooks.NewRun("ada", ""), "sh deploy.sh")); (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: got %v, want %q", name, err, tt.err)
		}
	}
	w := newDeployment(t)
	if err := w.e.Approver().Approve(t.Context(), "none", ""); err == nil {
		t.Error("a question that was never asked is approved")
	}
}

// An approver says what it waits for. When the caller stops waiting, the question is taken back: nobody
// can approve a call that will not run.
func TestApproverStopsWaiting(t *testing.T) {
	var log strings.Builder
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	w := newDeployment(t)
	var x hooks.Executor
	x.BeforeTool(w.e.BeforeTool())
	ctx, cancel := context.WithCancel(t.Context())
	var id string
	x.Approver = answering{w.e.Approver(), func(asked string) { id = asked; cancel() }}
	if _, err := x.Call(ctx, shell(hooks.NewRun("ada", ""), "sh deploy.sh")); err == nil || !strings.Contains(err.Error(), "no one answered question "+id) {
		t.Errorf("got %v, want that no one answered", err)
	}
	if qs, err := w.box.List(question.Pending); err != nil || len(qs) != 0 {
		t.Errorf("%d questions are open, %v, want none", len(qs), err)
	}
	if log := log.String(); !strings.Contains(log, "umpire approve "+id) || !strings.Contains(log, "umpire deny "+id) {
		t.Errorf("the log has no word of the question: %s", log)
	}
}

// answering answers each question before its approver waits.
type answering struct {
	hooks.Approver
	answer func(id string)
}

func (a answering) Approve(ctx context.Context, id, why string) error {
	a.answer(id)
	return a.Approver.Approve(ctx, id, why)
}

// The stricter of the caller's effect and the policy's default holds for calls that no rule settles;
// a policy that observes stops nothing by itself.
func TestUnsettled(t *testing.T) {
	const rules = "rules:\n  - {id: looks, allow: \"exec(ls *)\"}\n  - {id: no-frob, deny: \"exec(frob *)\", reason: not here}\n"
	for _, tt := range []struct {
		policy, command         string
		allow, ask, deny        umpire.Effect // with this effect for what no rule settles
		observed, callersReason bool
	}{
		{"packs: []\ndefaultAction: ask\n" + rules, "other x", umpire.Ask, umpire.Ask, umpire.Deny, false, false},
		{"packs: []\ndefaultAction: allow\n" + rules, "other x", umpire.Allow, umpire.Ask, umpire.Deny, false, true},
		{"packs: []\n" + rules, "ls x", umpire.Allow, umpire.Allow, umpire.Allow, false, false},
		{"packs: []\n" + rules, "frob x", umpire.Deny, umpire.Deny, umpire.Deny, false, false},
		{"packs: []\nmode: observe\n" + rules, "frob x", umpire.Allow, umpire.Ask, umpire.Deny, true, false},
		{"packs: []\nmode: observe\ndefaultAction: allow\n" + rules, "other x", umpire.Allow, umpire.Ask, umpire.Deny, true, true},
	} {
		e, state := open(t, tt.policy)
		for unsettled, want := range map[umpire.Effect]umpire.Effect{umpire.Allow: tt.allow, umpire.Ask: tt.ask, umpire.Deny: tt.deny} {
			d, err := e.Authorize(shell(hooks.NewRun("ada", ""), tt.command), unsettled)
			if err != nil || d.Effect != want {
				t.Errorf("%q, %s, unsettled %s: got %v, %v, want %s", tt.policy, tt.command, unsettled, d.Effect, err, want)
			}
			if own := d.Reason == "no rule settles this call, and bash can change things."; unsettled == umpire.Ask && own != tt.callersReason {
				t.Errorf("%q, %s: the reason is %q, want the caller's %v", tt.policy, tt.command, d.Reason, tt.callersReason)
			}
		}
		for _, r := range events(t, state, audit.Decision) {
			if (r.Data["observed"] == "true") != tt.observed {
				t.Errorf("%q, %s: on record with %v, want observed %v", tt.policy, tt.command, r.Data, tt.observed)
			}
		}
	}
}

// A call of which a rule settles a part says which part the caller's effect decides.
func TestUnsettledPart(t *testing.T) {
	e, _ := open(t, "packs: []\ndefaultAction: allow\nrules:\n  - {id: looks, allow: \"exec(ls *)\"}\n")
	for command, want := range map[string]string{"ls x && other y": "exec(other y)", "ls x": "", "other x": "exec(other x)"} {
		d, err := e.Authorize(shell(hooks.NewRun("ada", ""), command), umpire.Ask)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, i := range d.Policy.Unsettled {
			got += d.Operations[i].String()
		}
		if got != want {
			t.Errorf("%s: unsettled is %q, want %q", command, got, want)
		}
	}
}

// A zero value enforces nothing and says so: none of its methods lets a call pass.
func TestZeroValues(t *testing.T) {
	var e enforce.Enforcer
	var d enforce.Decision
	c := shell(hooks.NewRun("ada", ""), "ls")
	for name, do := range map[string]func() error{
		"Recheck":     func() error { return d.Recheck() },
		"RecordRun":   func() error { return d.RecordRun(time.Second) },
		"RecordGrant": func() error { return d.RecordGrant("ada") },
		"Approve": func() error {
			got, err := d.Approve(t.Context(), nil)
			if got.Yes {
				t.Error("a zero decision is approved")
			}
			return err
		},
		"Allow":     func() error { return e.Allow() },
		"Taint":     func() error { return e.Taint("r", "t", "w") },
		"Authorize": func() error { _, err := e.Authorize(c, umpire.Allow); return err },
		"Authorize of nil": func() error {
			var none *enforce.Enforcer
			_, err := none.Authorize(c, umpire.Allow)
			return err
		},
		"Decide":     func() error { _, _, err := e.Decide(c); return err },
		"BeforeTool": func() error { _, err := e.BeforeTool().Do(t.Context(), c); return err },
		"AfterTool": func() error {
			return e.AfterTool(guard.Sanitizer{}).Do(t.Context(), c, &hooks.ToolResult{Output: "x"})
		},
	} {
		if err := do(); err == nil || !strings.Contains(err.Error(), "enforces nothing") {
			t.Errorf("%s of a zero value: got %v, want an error that says so", name, err)
		}
	}
	if p := e.Policy(); p != nil || d.Effect != umpire.Deny {
		t.Errorf("a zero value has the policy %v and the effect %v, want none and deny", p, d.Effect)
	}
}

// deployment is a project whose deployment is asked about.
type deployment struct {
	t     *testing.T
	e     *enforce.Enforcer
	state string
	box   question.Box
}

func newDeployment(t *testing.T) *deployment {
	t.Helper()
	e, state := open(t, "rules: [{ask: \"exec(sh deploy.sh)\", reason: deploys}]\n")
	w := &deployment{t, e, state, question.Open(filepath.Join(state, "questions"))}
	w.put("deploy.sh", "echo deploy\n")
	return w
}

func (w *deployment) put(name, text string) {
	if err := os.WriteFile(filepath.Join(w.e.Workspace(), name), []byte(text), 0o600); err != nil {
		w.t.Error(err)
	}
}

func (w *deployment) answer(id string, s question.State, by string) {
	q, err := w.box.Find(id)
	if err == nil {
		_, err = w.box.Answer(q, s, by, "a note")
	}
	if err != nil {
		w.t.Error(err)
	}
}

// breakBox puts a file where the answers go.
func (w *deployment) breakBox() {
	dir := filepath.Join(w.state, "questions")
	if err := errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
		w.t.Error(err)
	}
}
