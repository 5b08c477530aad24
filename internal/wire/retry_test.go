package wire

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"testing"
	"time"
)

// turned is a clock that a test turns: a wait passes at once.
type turned struct {
	now   time.Time
	waits []time.Duration
	share int // of a hundred, which Rand takes of the most
}

func (t *turned) clock() *Clock {
	return &Clock{
		Now: func() time.Time { return t.now },
		Wait: func(ctx context.Context, d time.Duration) error {
			t.waits, t.now = append(t.waits, d), t.now.Add(d)
			return ctx.Err()
		},
		Rand: func(most time.Duration) time.Duration { return most * time.Duration(t.share) / 100 },
	}
}

func TestBackoff(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name  string
		r     Retry
		fault Fault
		share int
		until time.Duration // 0 for none
		want  []time.Duration
	}{
		{"doubled, up to the most", Retry{Tries: 9, First: s, Most: 20 * s}, Fault{Kind: Overloaded}, 100, 0, []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s, 20 * s, 20 * s, 20 * s}},
		{"jitter takes all of the range", Retry{Tries: 4, First: s}, Fault{Kind: Reset}, 0, 0, []time.Duration{0, 0, 0}},
		{"the server's wish, and never before", Retry{Tries: 3, First: s}, Fault{Kind: RateLimited, After: 7 * s}, 0, 0, []time.Duration{7 * s, 7 * s}},
		{"the server's wish with jitter", Retry{Tries: 3, First: s}, Fault{Kind: RateLimited, After: 7 * s}, 100, 0, []time.Duration{8 * s, 8 * s}},
		{"a wish that is too long", Retry{Tries: 3, After: 10 * s}, Fault{Kind: RateLimited, After: 11 * s}, 100, 0, nil},
		{"until the deadline, not a step further", Retry{First: s, Most: 30 * s}, Fault{Kind: Overloaded}, 100, 40 * s, []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s}},
		{"a wish beyond the deadline", Retry{}, Fault{Kind: RateLimited, After: 41 * s}, 0, 40 * s, nil},
		{"no deadline", Retry{First: s}, Fault{Kind: Cut}, 0, 0, make([]time.Duration, triesAlone-1)},
		{"an address that may be wrong", Retry{First: s}, Fault{Kind: Unreachable}, 0, time.Hour, make([]time.Duration, triesNobody-1)},
		{"a key", Retry{}, Fault{Kind: KeyRefused}, 0, 0, nil},
		{"a conversation", Retry{}, Fault{Kind: TooLong}, 0, 0, nil},
		{"a certificate", Retry{}, Fault{Kind: Untrusted}, 0, 0, nil},
		{"a huge answer", Retry{}, Fault{Kind: TooLarge}, 0, 0, nil},
	} {
		clock := &turned{now: time.Now(), share: tt.share}
		if tt.r.Clock = clock.clock(); tt.until > 0 {
			tt.r.Until = clock.now.Add(tt.until)
		}
		tries := 0
		err := tt.r.Do(t.Context(), func(context.Context) error { tries++; f := tt.fault; return &f })
		var f *Fault
		if !errors.As(err, &f) || f.Tries != tries || tries != len(tt.want)+1 || !reflect.DeepEqual(clock.waits, tt.want) {
			t.Errorf("%s: %d tries, waits %v, %v", tt.name, tries, clock.waits, err)
		}
	}
}

func TestRetryEnds(t *testing.T) {
	clock := &turned{now: time.Now()}
	tries := 0
	err := Retry{Clock: clock.clock()}.Do(t.Context(), func(context.Context) error {
		if tries++; tries < 4 {
			return &Fault{Kind: Reset}
		}
		return nil
	})
	if err != nil || tries != 4 {
		t.Errorf("%v after %d tries", err, tries)
	}
	// An error that is no Fault, a listener that has enough, a context that ends.
	own := errors.New("own")
	if err := (Retry{Clock: clock.clock()}).Do(t.Context(), func(context.Context) error { return own }); !errors.Is(err, own) {
		t.Error(err)
	}
	tries = 0
	_ = Retry{Clock: clock.clock(), Tell: func(*Fault, time.Duration) bool { return false }}.Do(t.Context(), func(context.Context) error { tries++; return &Fault{Kind: Reset} })
	if tries != 1 {
		t.Errorf("%d tries", tries)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	tries = 0
	err = Retry{Clock: clock.clock()}.Do(ctx, func(context.Context) error { tries++; cancel(own); return &Fault{Kind: Reset} })
	if !errors.Is(err, own) || tries != 1 {
		t.Errorf("%v after %d tries", err, tries)
	}
	// The machine's clock ends a wait when the context ends.
	ctx, stop := context.WithCancel(t.Context())
	err = Retry{First: time.Hour, Most: time.Hour, Clock: &Clock{Now: time.Now, Wait: func(ctx context.Context, _ time.Duration) error { stop(); return machine.Wait(ctx, time.Hour) }, Rand: machine.Rand}}.
		Do(ctx, func(context.Context) error { return &Fault{Kind: Reset} })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for range 100 {
		if d := machine.Rand(time.Second); d < 0 || d > time.Second {
			t.Errorf("drawn %s", d)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for v, want := range map[string]time.Duration{
		"": 0, "x": 0, "-5": 0, "0": 0, "NaN": 0, "12": 12 * time.Second, "0.5": 500 * time.Millisecond, "1e300": maxAfter, "+Inf": maxAfter,
		"Sat, 21 Nov 2026 12:01:00 GMT": time.Minute, "Sat, 21 Nov 2026 11:01:00 GMT": 0, "Sat, 21 Nov 2099 11:01:00 GMT": maxAfter,
	} {
		if got := retryAfter(http.Header{"Retry-After": {v}}, now); got != want {
			t.Errorf("%q: %s, want %s", v, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"1500"}}, now); got != 1500*time.Millisecond {
		t.Errorf("milliseconds: %s", got)
	}
}
