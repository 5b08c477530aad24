package guard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

func TestRateLimit(t *testing.T) {
	now := time.Unix(1e9, 0)
	p := guard.NewInput([]guard.Stage{guard.RateLimit(guard.RateLimitOptions{
		Tenants: map[string]guard.Limits{"big": {PerMinute: 50, PerHour: 60}, "free": {PerMinute: -1, PerHour: -1}},
		Now:     func() time.Time { return now },
	})})
	count := func(tenant, user string, n int) (ok int, last guard.Result) {
		for range n {
			if last = p.Check(t.Context(), guard.Request{TenantID: tenant, UserID: user, Text: "x"}); last.Verdict == guard.Allowed {
				ok++
			}
		}
		return ok, last
	}
	if n, last := count("", "u", 20); n != 10 || last.Category != guard.RateLimited || last.Reason != "more than 10 requests in one minute; try again in 1 min" || last.Stage != "RateLimit" || last.RetryAfter != 60 {
		t.Errorf("got %d requests through, then %+v; want 10, then a rate limit that ends in 60 s", n, last)
	}
	if n, _ := count("", "other", 20); n != 10 {
		t.Errorf("another user: %d", n)
	}
	if n, _ := count("", "", 20); n != 10 {
		t.Errorf("anonymous: %d", n)
	}
	if n, _ := count("", "anonymous", 20); n != 0 {
		t.Errorf("anonymous by name has a counter of its own: %d", n)
	}
	if n, _ := count("big", "u", 70); n != 50 {
		t.Errorf("override: %d", n)
	}
	if n, _ := count("free", "u", 300); n != 300 {
		t.Errorf("no limit: %d", n)
	}
	now = now.Add(time.Minute)
	if n, last := count("big", "u", 70); n != 10 || !strings.Contains(last.Reason, "one hour; try again in 59 min") {
		t.Errorf("hour: %d, %+v", n, last)
	}
	for range 9 {
		count("", "u", 10)
		now = now.Add(time.Minute)
	}
	if n, last := count("", "u", 10); n != 0 || !strings.Contains(last.Reason, "100 requests in one hour") {
		t.Errorf("hour: %d %+v", n, last)
	}
}

func TestValidation(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		o    guard.ValidationOptions
		want string // in the reason; empty: allowed
	}{
		"text":               {"hello", guard.ValidationOptions{}, ""},
		"nothing":            {"", guard.ValidationOptions{}, "empty"},
		"spaces":             {" \t\n ", guard.ValidationOptions{}, "empty"},
		"invisible":          {"\u200b\ufeff\u2060\u00ad", guard.ValidationOptions{}, "empty"},
		"fillers":            {"\u3164\u2800\u115f", guard.ValidationOptions{}, "empty"},
		"ideographic spaces": {"\u3000\u00a0", guard.ValidationOptions{}, "empty"},
		"longest":            {strings.Repeat("é", 10_000), guard.ValidationOptions{}, ""},
		"too long":           {strings.Repeat("é", 10_001), guard.ValidationOptions{}, "10001 characters"},
		"too many bytes":     {strings.Repeat("a", 101), guard.ValidationOptions{MaxBytes: 100}, "101 bytes"},
		"own limit":          {"abc", guard.ValidationOptions{MaxLength: 2}, "3 characters"},
		"too short":          {" ab ", guard.ValidationOptions{MinLength: 3}, "2 characters"},
		"not UTF-8":          {"a\xffb", guard.ValidationOptions{}, "UTF-8"},
		"surrogate":          {"a\xed\xa0\x80", guard.ValidationOptions{}, "UTF-8"},
		"NUL":                {"a\x00b", guard.ValidationOptions{}, "NUL"},
	} {
		t.Run(name, func(t *testing.T) {
			got := guard.NewInput([]guard.Stage{guard.Validation(tt.o)}).Check(t.Context(), guard.Request{Text: tt.text})
			if tt.want == "" && got.Verdict != guard.Allowed || tt.want != "" && (got.Category != guard.InvalidInput || !strings.Contains(got.Reason, tt.want)) {
				t.Errorf("got %+v, want invalid input with %q (empty: allowed)", got, tt.want)
			}
		})
	}
}

func TestPermission(t *testing.T) {
	p := guard.NewInput([]guard.Stage{guard.Permission(func(_ context.Context, r *guard.Request) (bool, string, error) {
		switch r.UserID {
		case "panics":
			panic("x")
		case "errs":
			return true, "", errors.New("no directory")
		}
		return r.UserID == "alice", "ask an administrator", nil
	})})
	for user, want := range map[string]guard.Category{"alice": "", "bob": guard.Unauthorized, "": guard.Unauthorized, "panics": guard.SystemError, "errs": guard.SystemError} {
		if got := p.Check(t.Context(), guard.Request{UserID: user, Text: "x"}); got.Category != want || (got.Verdict == guard.Allowed) != (want == "") {
			t.Errorf("user %q: got %+v, want category %q (empty: allowed)", user, got, want)
		}
	}
}

func ExampleRateLimit() {
	in := guard.NewInput([]guard.Stage{
		guard.RateLimit(guard.RateLimitOptions{Limits: guard.Limits{PerMinute: 1}}),
		guard.Validation(guard.ValidationOptions{}),
	})
	for range 2 {
		r := in.Check(context.Background(), guard.Request{UserID: "alice", Text: "hello"})
		fmt.Printf("%v: %q\n", r.Verdict, r.Category)
	}
	// Output:
	// allow: ""
	// reject: "RATE_LIMITED"
}

func FuzzValidation(f *testing.F) {
	s := guard.Validation(guard.ValidationOptions{MaxLength: 50})
	for _, t := range []string{"", "a", "\x00", "\xff", "\u200b", strings.Repeat("é", 51)} {
		f.Add(t)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := s.Check(t.Context(), &guard.Request{Text: text})
		if err != nil || r.Verdict == guard.Allowed && (strings.TrimSpace(text) == "" || strings.ContainsRune(text, 0) || len(text) > 200) {
			t.Errorf("%q: got %+v, %v, want allowed only what has text, no zero byte and 200 bytes at most", text, r, err)
		}
	})
}

func BenchmarkRateLimit(b *testing.B) {
	p := guard.NewInput([]guard.Stage{guard.RateLimit(guard.RateLimitOptions{})})
	b.ReportAllocs()
	for b.Loop() {
		p.Check(b.Context(), guard.Request{UserID: "u", Text: "x"})
	}
}

func BenchmarkValidation(b *testing.B) {
	p := guard.NewInput([]guard.Stage{guard.Validation(guard.ValidationOptions{})})
	text := strings.Repeat("word and ", 56)
	b.ReportAllocs()
	for b.Loop() {
		p.Check(b.Context(), guard.Request{UserID: "u", Text: text})
	}
}
