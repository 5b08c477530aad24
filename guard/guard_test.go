package guard_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

func stage(name string, order int, check func(context.Context, *guard.Request) (guard.Result, error)) guard.Stage {
	return guard.Stage{Name: name, Order: order, Timeout: time.Minute, Check: check}
}

func says(r guard.Result) func(context.Context, *guard.Request) (guard.Result, error) {
	return func(context.Context, *guard.Request) (guard.Result, error) { return r, nil }
}

func TestInputOrderAndText(t *testing.T) {
	var seen []string
	note := func(name string) guard.Stage {
		return stage(name, 5, func(_ context.Context, r *guard.Request) (guard.Result, error) {
			seen = append(seen, name+":"+r.Text+":"+r.UserID)
			return guard.Allow(), nil
		})
	}
	off := note("off")
	off.Disabled = true
	p := guard.NewInput([]guard.Stage{
		note("second"),
		stage("upper", 1, func(_ context.Context, r *guard.Request) (guard.Result, error) {
			return guard.Result{Verdict: guard.Modified, Text: strings.ToUpper(r.Text), Hints: []string{"shouts"}}, nil
		}),
		off,
		stage("hinted", 2, func(_ context.Context, r *guard.Request) (guard.Result, error) {
			return guard.Result{Verdict: guard.Allowed, Hints: []string{"normalized:" + r.Text + "!"}}, nil
		}),
		note("third"),
	})
	got := p.Check(t.Context(), guard.Request{Text: "hi"})
	if want := []string{"second:HI!:anonymous", "third:HI!:anonymous"}; !slices.Equal(seen, want) {
		t.Errorf("seen %q", seen)
	}
	if got.Verdict != guard.Modified || got.Text != "HI!" || !slices.Contains(got.Hints, "shouts") {
		t.Errorf("got %+v, want the text HI! and the hint", got)
	}
	if got := guard.NewInput(nil).Check(t.Context(), guard.Request{Text: "x"}); got.Verdict != guard.Allowed || got.Text != "x" {
		t.Errorf("no stages: %+v", got)
	}
}

// Whatever goes wrong in a stage, the text is stopped, and no later stage runs.
func TestFailClosed(t *testing.T) {
	for name, check := range map[string]func(context.Context, *guard.Request) (guard.Result, error){
		"an error": func(context.Context, *guard.Request) (guard.Result, error) { return guard.Allow(), errors.New("x") },
		"a panic":  func(context.Context, *guard.Request) (guard.Result, error) { panic("x") },
		"no check": nil,
		"no answer": func(context.Context, *guard.Request) (guard.Result, error) {
			return guard.Result{}, nil
		},
		"a deadline": func(ctx context.Context, _ *guard.Request) (guard.Result, error) {
			<-ctx.Done()
			return guard.Allow(), ctx.Err()
		},
		"deafness": func(context.Context, *guard.Request) (guard.Result, error) {
			time.Sleep(time.Hour)
			return guard.Allow(), nil
		},
	} {
		for _, quick := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := stage("bad", 0, check)
					s.Quick = quick
					reached := false
					p := guard.NewInput([]guard.Stage{s, stage("next", 1, func(context.Context, *guard.Request) (guard.Result, error) {
						reached = true
						return guard.Allow(), nil
					})})
					got := p.Check(t.Context(), guard.Request{Text: "secret text"})
					if got.Verdict != guard.Rejected || got.Category != guard.SystemError || got.Stage != "bad" || got.Text != "" || reached {
						t.Errorf("%+v, next reached: %v", got, reached)
					}
					o := guard.OutputStage{Name: "bad", Quick: quick, Timeout: s.Timeout}
					if check != nil {
						o.Check = func(ctx context.Context, _ string, _ *guard.Answer) (guard.Result, error) { return check(ctx, nil) }
					}
					if got := guard.NewOutput([]guard.OutputStage{o}).Check(t.Context(), "secret", guard.Answer{}); got.Verdict != guard.Rejected || got.Category != guard.SystemError || got.Text != "" {
						t.Errorf("output: %+v", got)
					}
					time.Sleep(2 * time.Hour) // for the deaf one to end
				})
			})
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := guard.NewInput([]guard.Stage{stage("s", 0, says(guard.Allow()))}).Check(ctx, guard.Request{Text: "x"}); got.Verdict != guard.Rejected {
		t.Errorf("after the context ended: got %+v, want a rejection", got)
	}
}

// No stage decides alone by a middling score; several together do.
func TestScoresAddUp(t *testing.T) {
	s := func(order int, score float64) guard.Stage {
		return stage("s", order, says(guard.Result{Verdict: guard.Allowed, Score: score}))
	}
	for _, tt := range []struct {
		scores    []float64
		threshold float64
		want      guard.Verdict
	}{
		{[]float64{0.4}, 0.5, guard.Allowed},
		{[]float64{0.3, 0.3}, 0.5, guard.Rejected}, // 0.51
		{[]float64{0.3, 0.3}, 0.6, guard.Allowed},
		{[]float64{0.9}, 0.95, guard.Allowed},
		{[]float64{7}, 0.5, guard.Rejected},
		{[]float64{-7, 0.1}, 0.5, guard.Allowed},
	} {
		var stages []guard.Stage
		for i, v := range tt.scores {
			stages = append(stages, s(i, v))
		}
		got := guard.NewInput(stages, guard.WithThreshold(tt.threshold)).Check(t.Context(), guard.Request{Text: "x"})
		if got.Verdict != tt.want || got.Verdict == guard.Rejected && (got.Category != guard.PromptInjection || got.Text != "") {
			t.Errorf("%v at %v: %+v", tt.scores, tt.threshold, got)
		}
	}
}

func TestOutput(t *testing.T) {
	mod := func(from, to string) guard.OutputStage {
		return guard.OutputStage{Name: from, Order: len(from), Check: func(_ context.Context, text string, _ *guard.Answer) (guard.Result, error) {
			if !strings.Contains(text, from) {
				return guard.Allow(), nil
			}
			return guard.Result{Verdict: guard.Modified, Text: strings.ReplaceAll(text, from, to), Reason: "has " + from}, nil
		}}
	}
	p := guard.NewOutput([]guard.OutputStage{mod("bbb", "c"), mod("a", "bbb")})
	if got := p.Check(t.Context(), "a x", guard.Answer{}); got.Verdict != guard.Modified || got.Text != "c x" || got.Stage != "bbb" {
		t.Errorf("got %+v, want %q by stage bbb", got, "c x")
	}
	if got := p.Check(t.Context(), "x", guard.Answer{}); got.Verdict != guard.Allowed || got.Text != "x" {
		t.Errorf("a text that no stage changes: got %+v, want allowed as it was", got)
	}
}

// Observers are told of every stage and of the whole, by a hash and never by the text;
// one that fails or is slow changes nothing.
func TestObserver(t *testing.T) {
	var events []guard.Event
	p := guard.NewInput([]guard.Stage{stage("one", 0, says(guard.Allow())), stage("two", 1, says(guard.Reject(guard.OffTopic, "no")))},
		guard.WithObserver(func(e guard.Event) {
			events = append(events, e)
			panic("observer")
		}))
	if got := p.Check(t.Context(), guard.Request{UserID: "u", TenantID: "t", Text: "hello"}); got.Category != guard.OffTopic {
		t.Errorf("got %+v, want %v", got, guard.OffTopic)
	}
	if len(events) != 3 {
		t.Fatalf("%d events", len(events))
	}
	for i, want := range []string{"one", "two", ""} {
		e := events[i]
		if e.Stage != want || e.Input != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" || e.User != "u" || e.Tenant != "t" || e.Pipeline != "input" {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	if whole := events[2]; whole.By != "two" || whole.ByTook != events[1].Took || events[1].By != "" {
		t.Errorf("events: got %+v, want the stage two with its time as the cause of the whole", events)
	}
	events = nil
	p = guard.NewInput([]guard.Stage{stage("changes", 0, says(guard.Result{Verdict: guard.Modified, Text: "new"})), stage("then", 1, says(guard.Allow()))},
		guard.WithObserver(func(e guard.Event) { events = append(events, e) }))
	if p.Check(t.Context(), guard.Request{Text: "hello"}); len(events) != 3 || events[2].By != "changes" || events[2].ByTook != events[0].Took {
		t.Errorf("events: got %+v, want 3, and the stage with the changes as the cause", events)
	}
}

// Errors, panics and reasons of callers' stages often quote what they look at. No observer is
// told that, in whatever spelling, and what failed has a cause all the same.
func TestEventsQuoteNoText(t *testing.T) {
	const text = "my PassWord is hunter2, naïve as I am"
	fails := func(err error) func() (guard.Result, error) {
		return func() (guard.Result, error) { return guard.Result{}, err }
	}
	says := func(v guard.Verdict, reason string) func() (guard.Result, error) {
		return func() (guard.Result, error) { return guard.Result{Verdict: v, Text: text, Reason: reason}, nil }
	}
	failed := func(why string) string { return "the check s failed, so the text was stopped: " + why }
	for name, tt := range map[string]struct {
		check func() (guard.Result, error)
		want  string // of the event
		told  string // of the Result, if it is not the same
	}{
		"an error":               {fails(errors.New("bad word HUNTER2")), failed("it returned an error"), ""},
		"an error that escapes":  {fails(errors.New("bad " + strconv.QuoteToASCII(text))), failed("it returned an error"), ""},
		"a cause":                {fails(fmt.Errorf("asking %q: %w", text, guard.Cause("the model is overloaded"))), failed("the model is overloaded"), ""},
		"a deadline":             {fails(fmt.Errorf("asking %q: %w", text, context.DeadlineExceeded)), failed("it took too long"), ""},
		"the caller went away":   {fails(context.Canceled), failed("the caller canceled it"), ""},
		"a panic":                {func() (guard.Result, error) { panic(text) }, failed("it panicked"), ""},
		"a rejection":            {says(guard.Rejected, "no hunter2, password or NAÏVE; ask Eve"), "no ..., ... or ...; ask Eve", "no hunter2, password or NAÏVE; ask Eve"},
		"a rejection that is ok": {says(guard.Rejected, "ask Eve"), "ask Eve", ""},
		"a change":               {says(guard.Modified, "has hunter2"), "has ...", "has hunter2"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.told == "" {
				tt.told = tt.want
			}
			for _, quick := range []bool{false, true} {
				var told []string
				watch := guard.WithObserver(func(e guard.Event) { told = append(told, e.Reason) })
				check := func(what string, got guard.Result) {
					t.Helper()
					if what != "input" && got.Reason != tt.told || what == "input" && got.Verdict == guard.Rejected && got.Reason != tt.told {
						t.Errorf("%s: got reason %q, want %q", what, got.Reason, tt.told)
					}
					for _, r := range told {
						if r != tt.want && (what != "input" || r != "") { // a change of input has no reason as a whole
							t.Errorf("%s: an observer is told %q", what, r)
						}
					}
					if len(told) != 2 {
						t.Errorf("%s: got %q, want 2 failures reported", what, told)
					}
					told = nil
				}
				check("input", guard.NewInput([]guard.Stage{{Name: "s", Quick: quick, Check: func(context.Context, *guard.Request) (guard.Result, error) { return tt.check() }}}, watch).
					Check(t.Context(), guard.Request{Text: text}))
				o := guard.NewOutput([]guard.OutputStage{{Name: "s", Quick: quick, Reach: 4, Check: func(context.Context, string, *guard.Answer) (guard.Result, error) { return tt.check() }}}, watch)
				check("output", o.Check(t.Context(), text, guard.Answer{}))
				s := o.Stream(t.Context(), guard.Answer{})
				_, _ = s.Write(text)
				_, res := s.Close()
				check("stream", res)
			}
		})
	}
}

func TestAsync(t *testing.T) {
	if o, _, end := guard.Async(func(guard.Event) {}, -1); o == nil {
		t.Error("no observer with a size below 0")
	} else {
		end()
	}
	release := make(chan struct{})
	var mu sync.Mutex
	n := 0
	o, dropped, stop := guard.Async(func(guard.Event) {
		<-release
		mu.Lock()
		n++
		mu.Unlock()
	}, 3)
	for range 100 {
		o(guard.Event{})
	}
	if d := dropped(); d < 96 {
		t.Errorf("%d dropped", d)
	}
	close(release)
	stop()
	stop()
	o(guard.Event{}) // after the end: dropped, no panic
	mu.Lock()
	defer mu.Unlock()
	if int64(n)+dropped() != 101 {
		t.Errorf("%d delivered, %d dropped", n, dropped())
	}
}
