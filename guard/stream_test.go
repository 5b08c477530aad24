package guard_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/guard"
)

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// maskers is an output pipeline whose stages only change texts.
func maskers(t testing.TB, more ...guard.Rule) *guard.Output {
	list := append([]guard.Rule{
		{ID: "project", Action: guard.RuleMask, Literals: []string{"bluebird", "blue"}, IgnoreCase: true},
		{ID: "ticket", Action: guard.RuleReplace, Pattern: `\bT-[0-9]{2,5}\b`, Replacement: "(a ticket)"},
		{ID: "quoted", Action: guard.RuleMask, Pattern: `(?s)<<.*?>>`, Replacement: ""},
		{ID: "start", Action: guard.RuleMask, Pattern: `\AHello`},
		{ID: "line", Action: guard.RuleMask, Pattern: `(?m)^#.*$`},
		{ID: "a-run", Action: guard.RuleMask, Pattern: `a+b`},
		{ID: "pair", Action: guard.RuleMask, Pattern: `xx|xyz`},
	}, more...)
	rules := must[*guard.Rules](t)(guard.NewRules(nil, nil))
	must[guard.RuleSet](t)(rules.Put("me", -1, guard.Rule{ID: "dyn", Action: guard.RuleReplace, Pattern: `MASKED\] [a-z]`, Replacement: "..."}))
	return guard.NewOutput([]guard.OutputStage{
		must[guard.OutputStage](t)(guard.PII(guard.PIIOptions{})),
		must[guard.OutputStage](t)(guard.Patterns(list)),
		rules.Stage(),
	})
}

// stream sends a text in pieces and returns what was released, in all and before the end.
func stream(p *guard.Output, text string, seed uint64, most int) (all, early string, res guard.Result, err error) {
	r := rand.New(rand.NewPCG(seed, 7))
	s := p.Stream(context.Background(), guard.Answer{})
	var b strings.Builder
	for len(text) > 0 {
		n := min(len(text), 1+r.IntN(most))
		safe, werr := s.Write(text[:n])
		b.WriteString(safe)
		if werr != nil {
			err = werr
			break
		}
		text = text[n:]
	}
	early = b.String()
	rest, res := s.Close()
	return early + rest, early, res, err
}

const answer = "Hello Hello, write to jörg@example.org or call +44 20 7946 0958. Project BlueBird has T-123 and T-1234567, xT-12.\n" +
	"# a secret line\n#another\naaab aab aaa <<hidden\nthings>> and << open. xxyz xyxyz xyzxx blue MASKED] q card 4111 1111 1111 1111 4155550132 \xff\xfe T-99"

// However an answer is cut, what is released is what Check makes of the whole.
func TestStreamIsCheck(t *testing.T) {
	p := maskers(t)
	for _, text := range []string{answer, answer[6:], "", "T-12", "Hello", "a", "\xe4\xb8", strings.Repeat(answer, 3)} {
		want := p.Check(t.Context(), text, guard.Answer{})
		if want.Verdict == guard.Rejected {
			t.Fatalf("the whole text: got %+v, want no rejection", want)
		}
		for seed := range uint64(150) {
			got, _, res, err := stream(p, text, seed, 1+int(seed%50))
			if got != want.Text || err != nil || res.Verdict != want.Verdict || len(res.Findings) != len(want.Findings) || !slices.Equal(res.Changes, want.Changes) {
				t.Fatalf("seed %d, %v:\n got %q\nwant %q\n%v, want %v\nchanges %v, want %v", seed, err, got, want.Text, res.Verdict, want.Verdict, res.Changes, want.Changes)
			}
			for i := range want.Findings {
				if res.Findings[i] != want.Findings[i] {
					t.Fatalf("seed %d: finding %+v, want %+v", seed, res.Findings[i], want.Findings[i])
				}
			}
		}
	}
}

// However often and wherever an answer is cut, nothing of a span that is masked or stopped
// was released before: what came out is a beginning of what the whole becomes, or of what
// stands before the span.
func TestStreamEveryCut(t *testing.T) {
	leak := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{Canary: must[guard.Canary](t)(guard.NewCanary("seed"))})})
	for _, tt := range []struct {
		name, text, span string
		p                *guard.Output
	}{
		{"a mail address", "so write to jane.doe@example.org, ok?", "jane.doe@example.org", maskers(t)},
		{"a phone number", "call +44 20 7946 0958 at nine", "+44 20 7946 0958", maskers(t)},
		{"a card", "pay 4111 1111 1111 1111 now", "4111 1111 1111 1111", maskers(t)},
		{"a literal in another", "the bluebird and the blue", "bluebird", maskers(t)},
		{"a pattern", "see <<a hidden\nthing>> here", "<<a hidden\nthing>>", maskers(t)},
		{"a rule that stops", "it is moonshot-alpha launch day", "moonshot-alpha launch", maskers(t, guard.Rule{ID: "codename", Pattern: `moonshot-[a-z]+ launch`})},
		{"a canary", "my marker is CANARY-19b25856, told", "CANARY-19b25856", leak},
	} {
		t.Run(tt.name, func(t *testing.T) {
			whole := tt.p.Check(t.Context(), tt.text, guard.Answer{})
			before, _, _ := strings.Cut(tt.text, tt.span)
			want := whole.Text
			if whole.Verdict == guard.Rejected {
				want = before
			} else if whole.Verdict != guard.Modified || strings.Contains(want, tt.span) {
				t.Fatalf("the whole text: got %+v, want it changed, without %q", whole, tt.span)
			}
			for i := range len(tt.text) + 1 {
				for j := i; j <= len(tt.text); j++ {
					s := tt.p.Stream(t.Context(), guard.Answer{})
					out := ""
					var err error
					for _, piece := range []string{tt.text[:i], tt.text[i:j], tt.text[j:]} {
						if err != nil {
							break
						}
						var safe string
						safe, err = s.Write(piece)
						if out += safe; !strings.HasPrefix(want, out) {
							t.Fatalf("cut at %d and %d: %q was released", i, j, out)
						}
					}
					rest, res := s.Close()
					if res.Verdict != whole.Verdict || res.Verdict != guard.Rejected && out+rest != want || res.Verdict == guard.Rejected && !strings.HasPrefix(want, out+rest) {
						t.Fatalf("cut at %d and %d: %v, %q, want %q", i, j, res.Verdict, out+rest, want)
					}
				}
			}
		})
	}
}

func FuzzStreamIsCheck(f *testing.F) {
	f.Add(answer, uint64(1))
	f.Add("xxyzxyxxyz aaaab", uint64(2))
	f.Add("#\n#a\n\n#", uint64(3))
	p := maskers(f)
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		want := p.Check(t.Context(), text, guard.Answer{})
		got, _, res, err := stream(p, text, seed, 1+int(seed%17))
		if err != nil || got != want.Text || res.Verdict != want.Verdict {
			t.Errorf("%v: got %q, want %q", err, got, want.Text)
		}
	})
}

// Plain text flows: what is held back is a word or so.
func TestStreamFlows(t *testing.T) {
	p := maskers(t)
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 100)
	s := p.Stream(t.Context(), guard.Answer{})
	in, out := 0, 0
	for _, word := range strings.SplitAfter(text, " ") {
		safe, err := s.Write(word)
		if err != nil {
			t.Fatal(err)
		}
		in += len(word)
		out += len(safe)
		if in-out > 100 {
			t.Fatalf("%d of %d bytes are held back", in-out, in)
		}
	}
	if rest, _ := s.Close(); out+len(rest) != len(text) {
		t.Errorf("%d bytes of %d", out+len(rest), len(text))
	}
}

// What rejects stops the stream, and no part of the span was shown.
func TestStreamRejects(t *testing.T) {
	p := maskers(t, guard.Rule{ID: "codename", Pattern: `moonshot-[a-z]+ launch`})
	text := "It is on moonshot-alpha launch tomorrow, and more"
	for seed := range uint64(100) {
		all, _, res, err := stream(p, text, seed, 9)
		if !errors.Is(err, guard.ErrStopped) && res.Verdict != guard.Rejected || res.Category != guard.Blocked || res.Stage != "Patterns" || strings.Contains(all, "moon") || !strings.HasPrefix("It is on ", all) {
			t.Fatalf("got %v: %q, %+v, want it stopped by Patterns before the word", err, all, res)
		}
	}
	s := p.Stream(t.Context(), guard.Answer{})
	if _, err := s.Write(text); !errors.Is(err, guard.ErrStopped) {
		t.Error(err)
	}
	if safe, err := s.Write("more"); safe != "" || !errors.Is(err, guard.ErrStopped) {
		t.Errorf("Write after the stop: got %q, %v, want %v", safe, err, guard.ErrStopped)
	}
	if rest, res := s.Close(); rest != "" || res.Verdict != guard.Rejected {
		t.Errorf("Close after the stop: got %q, %+v, want a rejection", rest, res)
	}
}

// A stage that needs the whole text makes the stream wait, and so does asking for it.
func TestStreamAfterCompletion(t *testing.T) {
	whole := guard.OutputStage{Name: "whole", Check: func(_ context.Context, text string, _ *guard.Answer) (guard.Result, error) {
		if strings.Contains(text, "bad") {
			return guard.Reject(guard.Blocked, "bad"), nil
		}
		return guard.Result{Verdict: guard.Modified, Text: "<" + text + ">"}, nil
	}}
	for name, s := range map[string]*guard.Stream{
		"a stage":  guard.NewOutput([]guard.OutputStage{whole}).Stream(t.Context(), guard.Answer{}),
		"by order": maskers(t).Stream(t.Context(), guard.Answer{}, guard.AfterCompletion()),
	} {
		for _, c := range []string{"one ", "two"} {
			if safe, err := s.Write(c); safe != "" || err != nil {
				t.Errorf("%s: Write: got %q, %v, want that nothing is released yet", name, safe, err)
			}
		}
		rest, res := s.Close()
		if want := map[string]string{"a stage": "<one two>", "by order": "one two"}[name]; rest != want || res.Verdict == guard.Rejected {
			t.Errorf("%s: Close: got %q, %+v, want %q", name, rest, res, want)
		}
	}
	s := guard.NewOutput([]guard.OutputStage{whole}).Stream(t.Context(), guard.Answer{})
	s.Write("so b")
	s.Write("ad")
	if rest, res := s.Close(); rest != "" || res.Category != guard.Blocked {
		t.Errorf("Close: got %q, %+v, want nothing and %v", rest, res, guard.Blocked)
	}
}

func TestStreamUnchecked(t *testing.T) {
	s := maskers(t).Stream(t.Context(), guard.Answer{}, guard.Unchecked())
	for _, c := range []string{"mail a@", "b.org"} {
		if safe, err := s.Write(c); safe != c || err != nil {
			t.Errorf("Write: got %q, %v, want %q at once", safe, err, c)
		}
	}
	if rest, res := s.Close(); rest != "" || res.Verdict != guard.Modified || res.Stage != "PIIMasking" {
		t.Errorf("Close: got %q, %+v, want it modified by PIIMasking", rest, res)
	}
}

// A stage from elsewhere says how far it looks; the rest is as with ours.
func TestStreamForeignStage(t *testing.T) {
	stage := guard.OutputStage{Name: "foreign", Reach: 8, Quick: true, Check: func(_ context.Context, text string, _ *guard.Answer) (guard.Result, error) {
		if strings.Contains(text, "stop it") {
			return guard.Reject(guard.Blocked, "x"), nil
		}
		if strings.Contains(text, "secret") {
			return guard.Result{Verdict: guard.Modified, Text: strings.ReplaceAll(text, "secret", "*")}, nil
		}
		return guard.Allow(), nil
	}}
	p := guard.NewOutput([]guard.OutputStage{stage})
	text := strings.Repeat("plain text ", 10) + "a secret and a secret" + strings.Repeat(" more", 10)
	for seed := range uint64(50) {
		got, early, res, err := stream(p, text, seed, 7)
		if err != nil || got != strings.ReplaceAll(text, "secret", "*") || res.Verdict != guard.Modified || strings.Contains(early, "sec") || !strings.Contains(early, "plain") {
			t.Fatalf("got %v, %q, %+v; want each secret masked, and the plain text early: %q", err, got, res, early)
		}
		if got, _, res, _ := stream(p, text[:110]+" do stop it now", seed, 7); res.Category != guard.Blocked || strings.Contains(got, "stop") {
			t.Fatalf("got %q, %+v, want it blocked before the word", got, res)
		}
	}
}

// An endless answer takes bounded memory: text flows through, and a span that never ends
// stops it.
func TestStreamBounded(t *testing.T) {
	p := maskers(t)
	s := p.Stream(t.Context(), guard.Answer{}, guard.MaxHeld(10_000))
	in, out := 0, 0
	for i := range 3000 {
		c := fmt.Sprintf("line %d of a very long answer, a@b.org\n", i)
		safe, err := s.Write(c)
		if err != nil {
			t.Fatal(err)
		}
		in, out = in+len(c), out+len(safe)
	}
	if out < in/2 {
		t.Errorf("%d of %d", out, in)
	}
	var err error
	for range 3000 {
		if _, err = s.Write("<< never ending "); err != nil {
			break
		}
	}
	if !errors.Is(err, guard.ErrStopped) {
		t.Errorf("an open span is kept for ever: %v", err)
	}
	if _, res := s.Close(); res.Verdict != guard.Rejected || len(res.Findings) > 1000 {
		t.Errorf("Close: got %v with %d findings, want a rejection with 1000 at most", res.Verdict, len(res.Findings))
	}
}

// Whatever goes wrong in a stage stops the stream.
func TestStreamFailsClosed(t *testing.T) {
	for name, check := range map[string]func(context.Context, string, *guard.Answer) (guard.Result, error){
		"error": func(context.Context, string, *guard.Answer) (guard.Result, error) {
			return guard.Allow(), errors.New("x")
		},
		"panic":   func(context.Context, string, *guard.Answer) (guard.Result, error) { panic("x") },
		"nothing": func(context.Context, string, *guard.Answer) (guard.Result, error) { return guard.Result{}, nil },
		"none":    nil,
	} {
		for _, reach := range []int{0, 4} {
			s := guard.NewOutput([]guard.OutputStage{{Name: "bad", Reach: reach, Check: check}}).Stream(t.Context(), guard.Answer{})
			safe, _ := s.Write("some text that is long enough")
			rest, res := s.Close()
			if safe+rest != "" || res.Verdict != guard.Rejected || res.Category != guard.SystemError {
				t.Errorf("%s, reach %d: %q %+v", name, reach, safe+rest, res)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := maskers(t).Stream(ctx, guard.Answer{})
	cancel()
	if safe, err := s.Write("text"); safe != "" || !errors.Is(err, guard.ErrStopped) {
		t.Errorf("canceled: %q %v", safe, err)
	}
}

func TestStreamObserved(t *testing.T) {
	var events []guard.Event
	stage, err := guard.Patterns([]guard.Rule{{ID: "x", Action: guard.RuleMask, Pattern: "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	s := guard.NewOutput([]guard.OutputStage{stage}, guard.WithObserver(func(e guard.Event) { events = append(events, e) })).Stream(t.Context(), guard.Answer{UserID: "u"})
	s.Write("hel")
	s.Write("lo")
	s.Close()
	if len(events) != 2 || events[0].Stage != "Patterns" || events[1].Stage != "" || events[1].Input != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" || events[1].User != "u" {
		t.Errorf("events: got %+v, want one of Patterns and one of the whole, with the hash of the input and the user", events)
	}
}

func ExampleOutput_Stream() {
	pii, err := guard.PII(guard.PIIOptions{})
	if err != nil {
		panic(err)
	}
	s := guard.NewOutput([]guard.OutputStage{pii}).Stream(context.Background(), guard.Answer{})
	for _, chunk := range []string{"Write to ali", "ce@exam", "ple.org, she ", "knows."} {
		safe, err := s.Write(chunk)
		if err != nil {
			break // nothing that follows may be shown
		}
		fmt.Printf("%q\n", safe)
	}
	rest, res := s.Close()
	fmt.Printf("%q %v\n", rest, res.Verdict)
	// Output:
	// "Write to "
	// ""
	// "[EMAIL], "
	// "she "
	// "knows." modify
}

func BenchmarkStream(b *testing.B) {
	p := maskers(b)
	words := strings.SplitAfter(strings.Repeat("The quick brown fox jumps over the lazy dog. ", 50), " ")
	b.ReportAllocs()
	for b.Loop() {
		s := p.Stream(b.Context(), guard.Answer{})
		for _, w := range words {
			s.Write(w)
		}
		s.Close()
	}
}
