package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
)

const yes = "rules:\n  - allow: exec(ls *)\n  - allow: exec(ls)\n  - allow: exec(hang)\n  - allow: exec(panic)\n  - allow: exec(fail*)\n"

func TestEvents(t *testing.T) {
	w := newWorld(t, yes)
	w.model.say(text("I "), text("look."), call("c1", "bash", `{"command":"ls -a"}`)).say(text("That is all."))
	got, err := run(t, t.Context(), user("what is here?"), w.options())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"type":"turn-start","turn":1,"maxTurns":40}`,
		`{"type":"text-delta","text":"I "}`,
		`{"type":"text-delta","text":"look."}`,
		`{"type":"tool-call","toolName":"bash","toolCallId":"c1","input":{"command":"ls -a"}}`,
		`{"type":"finish","usage":{"inputTokens":10,"outputTokens":2,"totalTokens":12}}`,
		`{"type":"tool-result","toolName":"bash","toolCallId":"c1","result":{"success":true,"output":"did ls -a","data":{"did":"ls -a"}}}`,
		`{"type":"turn-start","turn":2,"maxTurns":40}`,
		`{"type":"text-delta","text":"That is all."}`,
		`{"type":"finish","usage":{"inputTokens":10,"outputTokens":2,"totalTokens":12}}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("events:\n%s", strings.Join(got, "\n"))
	}
	if len(w.kept) != 3 || w.kept[1].Parts[0].Result.Text != `{"did":"ls -a"}` {
		t.Errorf("history: %+v", w.kept)
	}
	// The second request has what was said and what the call led to.
	if r := w.model.asked[1]; len(r.Messages) != 3 || r.Messages[2].Role != agent.ToolRole || r.System != "be good" || len(r.Tools) != 2 {
		t.Errorf("second request: %+v", r)
	}
}

// A denial names the rules that stopped the call, to the caller and to the one that it works for, and
// what its user can do.
func TestDenialsNameTheirRules(t *testing.T) {
	w := newWorld(t, "rules:\n  - id: no-secrets\n    deny: exec(make secret)\n  - id: no-make\n    deny: exec(make *)\n  - id: ask-ls\n    ask: exec(ls *)\n  - id: ask-all\n    ask: exec(*)\n")
	sub, err := w.caller.Narrow("sub", func(*agent.Tool) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	for id, command := range map[string]string{"denied": "make secret", "unanswered": "ls x"} {
		if res, _, err := sub.Call(t.Context(), agent.Call{ID: id, Name: "bash", Input: json.RawMessage(`{"command":"` + command + `"}`)}, nil); err != nil || res.Success {
			t.Errorf("%s: got %+v, %v, want it stopped", command, res, err)
		}
	}
	for name, c := range map[string]*agent.Caller{"the sub-agent": sub, "its parent": w.caller} {
		denials := c.Denials()
		if len(denials) != 2 {
			t.Errorf("%s has the denials %+v, want two", name, denials)
		}
		for _, d := range denials {
			rules, advice := []string{"ask-all", "ask-ls"}, "--wait"
			if d.ToolCallID == "denied" {
				rules, advice = []string{"no-make", "no-secrets"}, "`umpire policy explain no-"
			}
			got := slices.Sorted(slices.Values(d.Rules))
			if !slices.Equal(got, rules) || d.Policy != (d.ToolCallID == "denied") || !strings.Contains(d.Advice, advice) || d.ToolName != "bash" {
				t.Errorf("%s: got %+v, want the rules %q and the advice %q", name, d, rules, advice)
			}
		}
	}
}

// Of several calls, only the one that was not to run does not.
func TestOneOfSeveralIsDenied(t *testing.T) {
	w := newWorld(t, yes+"  - deny: exec(ls secret)\n    reason: it is secret\n")
	w.model.say(call("a", "look", `{"command":"1"}`), call("b", "bash", `{"command":"ls secret"}`), call("c", "look", `{"command":"2"}`), call("d", "bash", `{"command":"ls x"}`))
	_, err := run(t, t.Context(), user("go"), w.options())
	if err != nil {
		t.Fatal(err)
	}
	if slices.Sort(w.ran); !slices.Equal(w.ran, []string{"1", "2", "ls x"}) {
		t.Errorf("ran %q", w.ran)
	}
	results := w.kept[1].Parts
	if len(results) != 4 || results[1].Result.ID != "b" || !strings.Contains(results[1].Result.Text, `"error":"Blocked: `) || !strings.Contains(results[1].Result.Text, "it is secret") {
		t.Errorf("results: %+v", results[1].Result)
	}
	if d := w.caller.Denials(); len(d) != 1 || d[0].ToolCallID != "b" || !d[0].Policy {
		t.Errorf("denials: %+v", d)
	}
}

func TestFaultyCalls(t *testing.T) {
	w := newWorld(t, yes)
	w.model.say(call("a", "nothing", `{}`), call("b", "bash", `{"command":"ls","more":1}`), call("c", "bash", `{"Command":"ls"}`), call("d", "bash", `[]`),
		agent.Piece{Call: &agent.Call{ID: "e", Name: "bash", Broken: `{"command":`}}, call("f", "bash", `{"command":"panic"}`), call("f", "bash", `{"command":"fail"}`), call("", "bash", `{"command":"ls"}`))
	if _, err := run(t, t.Context(), user("go"), w.options()); err != nil {
		t.Fatal(err)
	}
	want := []string{"there is no tool", "does not fit the schema", "does not fit the schema", "must be a JSON object", "is not JSON", "on purpose", "exit code 1", "did"}
	ids := map[string]bool{}
	for i, p := range w.kept[1].Parts {
		if !strings.Contains(p.Result.Text, want[i]) || p.Result.Error != (i < 7) {
			t.Errorf("call %d: %+v", i, p.Result)
		}
		if ids[p.Result.ID] || p.Result.ID == "" {
			t.Errorf("call %d has the ID %q", i, p.Result.ID)
		}
		ids[p.Result.ID] = true
	}
}

// Whenever a run is canceled, it ends without an event, and the history has a result for
// every call.
func TestCancel(t *testing.T) {
	valid := func(t *testing.T, kept []agent.Message) {
		t.Helper()
		open := map[string]bool{}
		for _, m := range kept {
			for _, c := range m.Calls() {
				open[c.ID] = true
			}
			for _, p := range m.Parts {
				if p.Result != nil {
					delete(open, p.Result.ID)
				}
			}
		}
		if len(open) > 0 {
			t.Errorf("calls without results: %v in %+v", open, kept)
		}
	}
	t.Run("before the start", func(t *testing.T) {
		w := newWorld(t, yes)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := run(t, ctx, user("go"), w.options()); len(got) > 0 || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("in the stream", func(t *testing.T) {
		w := newWorld(t, yes)
		ctx, cancel := context.WithCancel(t.Context())
		w.model.answers = append(w.model.answers, func(ctx context.Context, _ agent.ModelRequest, yield func(agent.Piece, error) bool) {
			yield(text("half a"), nil)
			yield(call("a", "bash", `{"command":"ls"}`), nil)
			cancel()
			yield(agent.Piece{}, ctx.Err())
		})
		got, err := run(t, ctx, user("go"), w.options())
		if err != nil || strings.Contains(strings.Join(got, ""), `"error"`) || len(w.ran) > 0 {
			t.Errorf("%q, %v", got, err)
		}
		if len(w.kept) != 2 || w.kept[0].Text() != "half a" || !w.kept[0].Cancelled {
			t.Errorf("kept %+v", w.kept)
		}
		valid(t, w.kept)
	})
	t.Run("in a stream that breaks then", func(t *testing.T) {
		for name, after := range map[string]error{"by the signal": context.Canceled, "by anything": errors.New("connection reset by peer")} {
			w := newWorld(t, yes)
			ctx, cancel := context.WithCancel(t.Context())
			w.model.answers = append(w.model.answers, func(_ context.Context, _ agent.ModelRequest, yield func(agent.Piece, error) bool) {
				yield(text("half a"), nil)
				cancel()
				yield(agent.Piece{}, after)
			})
			if got, err := run(t, ctx, user("go"), w.options()); err != nil || len(got) != 2 {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	})
	t.Run("by a deadline", func(t *testing.T) {
		w := newWorld(t, yes)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		w.model.answers = append(w.model.answers, func(ctx context.Context, _ agent.ModelRequest, yield func(agent.Piece, error) bool) {
			<-ctx.Done()
			yield(agent.Piece{}, ctx.Err())
		})
		if _, err := run(t, ctx, user("go"), w.options()); err != nil {
			t.Error(err)
		}
	})
	t.Run("in a call", func(t *testing.T) {
		w := newWorld(t, yes)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w.model.say(call("a", "bash", `{"command":"hang"}`), call("b", "bash", `{"command":"ls"}`))
		o := w.options()
		o.Append = func(m agent.Message) error {
			w.kept = append(w.kept, m)
			if m.Role == agent.Assistant {
				cancel()
			}
			return nil
		}
		if _, err := run(t, ctx, user("go"), o); err != nil {
			t.Error(err)
		}
		if slices.Contains(w.ran, "ls") {
			t.Error("a call ran after the cancellation")
		}
		valid(t, w.kept)
	})
	t.Run("in a question", func(t *testing.T) {
		w := newWorld(t, "")
		ctx, cancel := context.WithCancel(t.Context())
		closed := make(chan struct{})
		w.caller.Asker = asker(func(ctx context.Context, _ agent.Question) (agent.Answer, error) {
			cancel()
			<-ctx.Done()
			close(closed)
			return agent.Answer{Choice: agent.Once}, nil // too late
		})
		w.model.say(call("a", "bash", `{"command":"make"}`))
		if _, err := run(t, ctx, user("go"), w.options()); err != nil {
			t.Error(err)
		}
		<-closed
		if len(w.ran) > 0 {
			t.Error("the call ran")
		}
		valid(t, w.kept)
	})
	t.Run("by leaving the range", func(t *testing.T) {
		w := newWorld(t, yes)
		w.model.say(text("a"), call("a", "bash", `{"command":"ls"}`))
		for e := range agent.Run(t.Context(), user("go"), w.options()) {
			if _, ok := e.(agent.TextDelta); ok {
				break
			}
		}
		if len(w.ran) > 0 {
			t.Error("a call ran")
		}
		valid(t, w.kept)
	})
}

func TestErrors(t *testing.T) {
	t.Run("of the stream", func(t *testing.T) {
		w := newWorld(t, yes)
		broken := errors.New("the line broke")
		w.model.answers = append(w.model.answers, func(_ context.Context, _ agent.ModelRequest, yield func(agent.Piece, error) bool) {
			yield(text("half"), nil)
			yield(agent.Piece{Fault: "overloaded"}, nil)
			yield(agent.Piece{}, broken)
		})
		got, err := run(t, t.Context(), user("go"), w.options())
		if !errors.Is(err, broken) || !slices.Contains(got, `{"type":"error","error":"overloaded"}`) {
			t.Errorf("%q, %v", got, err)
		}
	})
	t.Run("no end mark", func(t *testing.T) {
		w := newWorld(t, yes)
		w.model.answers = append(w.model.answers, func(_ context.Context, _ agent.ModelRequest, yield func(agent.Piece, error) bool) {
			yield(call("a", "bash", `{"command":"ls"}`), nil)
		})
		if _, err := run(t, t.Context(), user("go"), w.options()); err == nil || len(w.ran) > 0 {
			t.Errorf("%v, ran %q", err, w.ran)
		}
	})
	t.Run("of the history", func(t *testing.T) {
		w := newWorld(t, yes)
		full := errors.New("the disk is full")
		o := w.options()
		o.Append = func(agent.Message) error { return full }
		w.model.say(call("a", "bash", `{"command":"ls"}`))
		if _, err := run(t, t.Context(), user("go"), o); !errors.Is(err, full) || len(w.ran) > 0 {
			t.Errorf("%v, ran %q", err, w.ran)
		}
	})
}

// An answer that is not all that was wanted is not passed off as the whole.
func TestIncompleteAnswers(t *testing.T) {
	for reason, want := range map[agent.StopReason]string{agent.StopEnd: "", agent.StopRefused: "refused", agent.StopLength: "cut"} {
		w := newWorld(t, yes)
		w.model.answers = append(w.model.answers, func(_ context.Context, _ agent.ModelRequest, yield func(agent.Piece, error) bool) {
			_ = yield(text("half"), nil) && yield(agent.Piece{Done: &agent.Done{Reason: reason}}, nil)
		})
		got, err := run(t, t.Context(), user("go"), w.options())
		all := strings.Join(got, "\n")
		if err != nil || strings.Contains(all, `"type":"error"`) != (want != "") || !strings.Contains(all, want) || !strings.HasPrefix(got[len(got)-1], `{"type":"finish"`) {
			t.Errorf("%s: %s, %v", reason, all, err)
		}
	}
}

// An answer without text or calls does not pass for a success.
func TestEmptyAnswer(t *testing.T) {
	for name, p := range map[string]agent.Piece{"nothing": {}, "white space": text(" \n"), "only thinking": {Thinking: &agent.Thinking{Text: "hm", Signature: "s"}}} {
		w := newWorld(t, yes)
		w.model.answers = append(w.model.answers, func(_ context.Context, _ agent.ModelRequest, yield func(agent.Piece, error) bool) {
			_ = yield(p, nil) && yield(agent.Piece{Done: &agent.Done{Reason: agent.StopEnd}}, nil)
		})
		got, err := run(t, t.Context(), user("go"), w.options())
		if all := strings.Join(got, "\n"); err != nil || strings.Count(all, agent.Empty) != 1 {
			t.Errorf("%s: %s, %v", name, all, err)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Run("turns", func(t *testing.T) {
		w := newWorld(t, yes)
		for i := range 50 {
			w.model.say(call("", "bash", fmt.Sprintf(`{"command":"ls %d"}`, i)))
		}
		got, err := run(t, t.Context(), user("go"), w.options())
		if !errors.Is(err, agent.ErrTurns) || len(w.ran) != 40 || strings.Count(strings.Join(got, ""), "turn-start") != 40 {
			t.Errorf("%v after %d calls", err, len(w.ran))
		}
	})
	t.Run("the same call again and again", func(t *testing.T) {
		w := newWorld(t, yes)
		for range 20 {
			w.model.say(call("", "bash", `{"command":"ls"}`))
		}
		if _, err := run(t, t.Context(), user("go"), w.options()); !errors.Is(err, agent.ErrLoop) || len(w.ran) != 5 {
			t.Errorf("%v after %d calls", err, len(w.ran))
		}
	})
	t.Run("the same calls beside each other", func(t *testing.T) {
		w := newWorld(t, yes)
		for range 20 {
			w.model.say(call("", "look", `{"command":"1"}`), call("", "look", `{"command":"2"}`), call("", "look", `{"command":"3"}`))
		}
		if _, err := run(t, t.Context(), user("go"), w.options()); !errors.Is(err, agent.ErrLoop) || len(w.ran) != 15 {
			t.Errorf("%v after %d calls", err, len(w.ran))
		}
	})
	t.Run("the same call now and then", func(t *testing.T) {
		w := newWorld(t, yes)
		for i := range 50 {
			command := fmt.Sprint("ls ", i)
			if i%3 == 0 { // four times in ten turns
				command = "ls"
			}
			w.model.say(call("", "bash", `{"command":"`+command+`"}`))
		}
		if _, err := run(t, t.Context(), user("go"), w.options()); !errors.Is(err, agent.ErrTurns) {
			t.Errorf("%v after %d calls", err, len(w.ran))
		}
	})
	t.Run("cost", func(t *testing.T) {
		w := newWorld(t, yes)
		o := w.options()
		o.Spent = func(agent.Usage) error { return agent.ErrCost }
		w.model.say(call("", "bash", `{"command":"ls"}`))
		if _, err := run(t, t.Context(), user("go"), o); !errors.Is(err, agent.ErrCost) || len(w.ran) != 0 {
			t.Errorf("%v after %d calls", err, len(w.ran))
		}
	})
}

// What the user says while calls run reaches the model after them.
func TestInterject(t *testing.T) {
	w := newWorld(t, yes)
	w.model.say(call("a", "bash", `{"command":"ls"}`))
	o := w.options()
	said := user("stop that, do this")
	o.Interject = func() []agent.Message {
		if len(w.ran) == 0 {
			return nil
		}
		m := said
		said = nil
		return m
	}
	if _, err := run(t, t.Context(), user("go"), o); err != nil {
		t.Fatal(err)
	}
	last := w.model.asked[1].Messages
	if m := last[len(last)-1]; m.Text() != "stop that, do this" {
		t.Errorf("the model was given %+v", m)
	}
}

// A history that a crash left with calls and no results is mended before it is sent.
func TestMend(t *testing.T) {
	w := newWorld(t, yes)
	msgs := []agent.Message{
		user("go")[0],
		{Role: agent.Assistant, Parts: []agent.Part{{Call: &agent.Call{ID: "x", Name: "bash"}}, {Call: &agent.Call{ID: "y", Name: "bash"}}}},
		{Role: agent.ToolRole, Parts: []agent.Part{{Result: &agent.Returned{ID: "x", Text: "ok"}}}},
		user("and?")[0],
	}
	if _, err := run(t, t.Context(), msgs, w.options()); err != nil {
		t.Fatal(err)
	}
	sent := w.model.asked[0].Messages
	if len(sent) != 4 || len(sent[2].Parts) != 2 || sent[2].Parts[1].Result.ID != "y" || !strings.Contains(sent[2].Parts[1].Result.Text, agent.Interrupted) {
		t.Errorf("sent %+v", sent)
	}
}

// "Stop" to one of several parallel calls ends the turn: nobody is asked about the others.
func TestStopEndsParallelCalls(t *testing.T) {
	w := newWorld(t, "rules:\n  - ask: tool(look)\n")
	asked := 0
	w.caller.Asker = asker(func(context.Context, agent.Question) (agent.Answer, error) {
		asked++
		return agent.Answer{Choice: agent.Stop}, nil
	})
	w.model.say(call("a", "look", `{"command":"1"}`), call("b", "look", `{"command":"2"}`), call("c", "look", `{"command":"3"}`))
	if _, err := run(t, t.Context(), user("go"), w.options()); err != nil {
		t.Error(err)
	}
	if asked != 1 || len(w.ran) > 0 || len(w.model.asked) != 1 || len(w.kept) != 2 || len(w.kept[1].Parts) != 3 {
		t.Errorf("asked %d times, ran %q, kept %+v", asked, w.ran, w.kept)
	}
}
