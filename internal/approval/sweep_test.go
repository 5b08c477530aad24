package approval

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// swept is a store that notes when its queue looks for what is over.
type swept struct {
	Store
	fails  func() bool
	expiry []time.Time // the since of each call
	pruned []time.Time // the age of each call
	full   bool        // nothing can be pruned
	left   int         // calls that still find something to prune
}

var errSwept = errors.New("the store is away")

func (s *swept) Expire(_ context.Context, _, since time.Time) ([]Request, error) {
	s.expiry = append(s.expiry, since)
	if s.fails() {
		return nil, errSwept
	}
	return nil, nil
}

func (s *swept) Prune(_ context.Context, before time.Time) (int, error) {
	s.pruned = append(s.pruned, before)
	if s.full {
		return 0, errSwept
	}
	if s.left--; s.left >= 0 {
		return 1, nil
	}
	return 0, nil
}

// A queue looks every second for what is over, for an hour, and every ten minutes for what is
// kept no longer, until nothing is left. While the store is away nobody can renew a lease, so
// leases count from when it is back.
func TestSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		away := func() bool { at := time.Since(begin); return at > 10*time.Minute && at < 20*time.Minute }
		s := &swept{fails: away, left: 3}
		q := Open(s, Options{Keep: 24 * time.Hour})
		time.Sleep(time.Hour + time.Second/2) // of the bubble's clock
		q.Close()
		if n := len(s.expiry); n != 3600 {
			t.Errorf("looked %d times in an hour for what is over, want every second", n)
		}
		if got := s.expiry[0]; !got.Equal(begin) {
			t.Errorf("at first leases count from %v, want the start at %v", got, begin)
		}
		if got, want := s.expiry[len(s.expiry)-1], begin.Add(20*time.Minute-time.Second); !got.Equal(want) {
			t.Errorf("after ten minutes without a store leases count from %v, want %v", got, want)
		}
		if n := len(s.pruned); n != 6+3 {
			t.Errorf("pruned %d times in an hour, want 6 and once more for each of 3 that found something", n)
		}
		if want := begin.Add(time.Second - 24*time.Hour); !slices.ContainsFunc(s.pruned, want.Equal) {
			t.Errorf("pruned what is older than %v, want %v at first", s.pruned, want)
		}
		time.Sleep(time.Hour) // of the bubble's clock
		if n := len(s.expiry); n != 3600 {
			t.Errorf("looked %d times, want none after Close", n)
		}
	})
}

// The sweep reports a failure at each try, and tries again.
func TestSweepFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []error
		s := &swept{fails: func() bool { return false }, full: true}
		q := Open(s, Options{Keep: 24 * time.Hour, Failed: func(err error) { told = append(told, err) }})
		time.Sleep(time.Hour + time.Second/2) // of the bubble's clock
		q.Close()
		if len(told) != 6 || !errors.Is(told[0], errSwept) {
			t.Errorf("told %v in an hour, want the fault 6 times", told)
		}
	})
}

// With no time to keep, nothing is ever removed.
func TestSweepKeeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &swept{fails: func() bool { return false }}
		q := Open(s, Options{})
		time.Sleep(time.Hour) // of the bubble's clock
		q.Close()
		if len(s.pruned) > 0 {
			t.Errorf("pruned %v, want nothing: all is kept for ever", s.pruned)
		}
	})
}

// waited is a store with one pending question, which notes when its lease is renewed.
type waited struct {
	Store
	question Request
	renewed  []time.Time
}

func (w *waited) Get(context.Context, string) (Request, error) { return w.question, nil }

func (w *waited) Changed(string) (<-chan struct{}, func()) { return nil, func() {} }

func (w *waited) Renew(context.Context, string) error {
	w.renewed = append(w.renewed, time.Now())
	return nil
}

// While someone waits, a lease survives two lost renewals.
func TestWaitRenews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for lease, want := range map[time.Duration]int{0: 0, 30 * time.Second: 7} {
			w := &waited{question: Request{ID: "1", State: Pending, Lease: lease}}
			q := &Queue{store: w}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute+time.Second)
			_, err := q.Wait(ctx, "1")
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) || len(w.renewed) != want {
				t.Errorf("a lease of %v is renewed %d times in a minute, %v, want %d", lease, len(w.renewed), err, want)
			}
		}
	})
}
