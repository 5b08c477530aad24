package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

func TestFallback(t *testing.T) {
	var first, second seen
	status := 500
	a := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		first.add(r)
		if status == 0 { // hangs
			<-r.Context().Done()
			return
		}
		rw.Header().Set("Retry-After", "60")
		say(rw, status, wires[0].fail("no"))
	}))
	defer a.Close()
	b := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		second.add(r)
		say(rw, 200, openAIText(good, "stop"))
	}))
	defer b.Close()
	chain := func(dir string, now time.Time) *Chain {
		return &Chain{
			Providers: []Provider{{Name: "github-models"}, {Name: "anthropic", BaseURL: a.URL}, {Name: "openrouter", BaseURL: b.URL}},
			Dir:       dir, now: func() time.Time { return now },
			Getenv: func(n string) string {
				if n == "GITHUB_TOKEN" {
					return ""
				}
				return secret
			},
		}
	}
	dir, now := t.TempDir(), time.Now()
	for i, tt := range []struct {
		after time.Duration
		tried int // how often the first was asked so far
	}{{0, 1}, {59 * time.Second, 1}, {61 * time.Second, 2}} {
		got, err := chain(dir, now.Add(tt.after)).Ask(t.Context(), ask)
		if err != nil || got.Provider != "openrouter" {
			t.Fatalf("%+v, %v", got, err)
		}
		if n := len(first.all()); n != tt.tried {
			t.Errorf("step %d: the first was asked %d times, want %d", i, n, tt.tried)
		}
	}
	// One that hangs leaves time for the next.
	status = 0
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second) // of which the next has six
	defer cancel()
	if got, err := chain(t.TempDir(), now).Ask(ctx, ask); err != nil || got.Provider != "openrouter" {
		t.Errorf("%+v, %v", got, err)
	}
	// An answer that is not of the schema ends it: nobody shops for another.
	wrong := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		say(rw, 200, anthropicText("{}", "end_turn"))
	}))
	defer wrong.Close()
	c := chain(t.TempDir(), now)
	c.Providers[1].BaseURL = wrong.URL
	before := len(second.all())
	if _, err := c.Ask(t.Context(), ask); !errors.Is(err, ErrAnswer) || len(second.all()) != before {
		t.Errorf("error %v, the second was asked %d times", err, len(second.all())-before)
	}
}

func TestBreaker(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	b := &breaker{dir: t.TempDir(), now: func() time.Time { return now }}
	left := func() time.Duration { return max(0, b.load()["x"].Until.Sub(now)) }
	for i, tt := range []struct {
		f    *fault
		want time.Duration
	}{
		{&fault{text: "a"}, 0}, // once is chance
		{&fault{text: "a"}, 15 * time.Second},
		{&fault{text: "a"}, 30 * time.Second},
		{&fault{status: 429}, 4 * time.Minute},
		{&fault{status: 429, retry: 7 * time.Second}, 7 * time.Second},
		{&fault{status: 401}, 5 * time.Minute},
		{&fault{status: 500}, 8 * time.Minute},
		{&fault{status: 503, retry: 100 * time.Hour}, time.Hour},
	} {
		b.failed("x", tt.f)
		if got := left(); got != tt.want {
			t.Errorf("step %d: %s, want %s", i, got, tt.want)
		}
	}
	b.worked("x", b.load()["x"], 2)
	if r := b.load()["x"]; left() != 0 || r.Fails != 0 || r.Mode != 2 {
		t.Errorf("after a success: %+v", r)
	}
	// What somebody else wrote locks nobody out for ever, and what is damaged is forgotten.
	b.note("x", func(r *record) { r.Until = now.Add(1000 * time.Hour) })
	if left() != 0 {
		t.Errorf("left alone for %s", left())
	}
	if err := os.WriteFile(b.path(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.failed("x", &fault{status: 401})
	if left() != 5*time.Minute {
		t.Errorf("after damage: %s", left())
	}
	for i := range 3 * maxRecords {
		b.failed(fmt.Sprint("p", i), &fault{})
	}
	if n := len(b.load()); n != maxRecords {
		t.Errorf("%d records", n)
	}
	if info, err := os.Stat(b.path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
