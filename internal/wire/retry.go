package wire

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Retry controls retries of a request. The zero value retries until the deadline of the context.
type Retry struct {
	Tries int           // maximum attempts; 0: until the deadline, or 8 without one
	First time.Duration // the longest wait before the second try, doubled for each further one; 500 ms if 0
	Most  time.Duration // the longest wait that umpire chooses; 30 s if 0
	After time.Duration // the longest wait that a server may ask for; 5 min if 0

	Until time.Time // no attempt starts later; optional; the context's deadline also applies

	// Tell is called before each wait; may be nil. If it returns false, there are no more
	// attempts.
	Tell func(f *Fault, wait time.Duration) bool

	Clock *Clock // nil for the machine's
}

// Clock is the time of a Retry, for tests to control.
type Clock struct {
	Now  func() time.Time
	Wait func(ctx context.Context, d time.Duration) error // returns early, with the error, if ctx ends
	Rand func(most time.Duration) time.Duration           // from 0 to most
}

// Limits of a Retry.
const (
	mostTries   = 1000 // whatever the deadline allows
	triesAlone  = 8    // without a deadline
	triesNobody = 3    // if no connection can be made: the address may be wrong
)

var machine = &Clock{
	Now: time.Now,
	Wait: func(ctx context.Context, d time.Duration) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	},
	Rand: func(most time.Duration) time.Duration { return rand.N(most + 1) },
}

// Do calls try until it succeeds, fails permanently, or runs out of time. An error of try other
// than a Fault ends it. It returns try's last error, or the cause of a context that ended.
func (r Retry) Do(ctx context.Context, try func(ctx context.Context) error) error {
	clock := r.Clock
	if clock == nil {
		clock = machine
	}
	deadline, timed := ctx.Deadline()
	if !r.Until.IsZero() && (!timed || r.Until.Before(deadline)) {
		deadline, timed = r.Until, true
	}
	tries := r.Tries
	if tries == 0 {
		if tries = mostTries; !timed {
			tries = triesAlone
		}
	}
	for n := 1; ; n++ {
		err := try(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ended(ctx, err)
		}
		var f *Fault
		if !errors.As(err, &f) {
			return err
		}
		f.Tries = n
		if !f.Temporary() || n >= tries || f.Kind == Unreachable && n >= triesNobody || f.After > orElse(r.After, 5*time.Minute) {
			return err
		}
		wait := r.wait(clock, f, n)
		if timed && clock.Now().Add(wait).After(deadline) {
			f.late = true
			return err
		}
		if r.Tell != nil && !r.Tell(f, wait) {
			return err
		}
		if err := clock.Wait(ctx, wait); err != nil {
			return ended(ctx, err)
		}
	}
}

// wait chooses the pause before the next attempt at random within its range, so that clients that
// failed together do not return together. It is never shorter than the server asked for.
func (r Retry) wait(clock *Clock, f *Fault, n int) time.Duration {
	first := orElse(r.First, 500*time.Millisecond)
	most := orElse(r.Most, 30*time.Second)
	ceiling := min(first<<min(n-1, 20), most)
	if f.After > 0 {
		return f.After + clock.Rand(min(first, most))
	}
	return clock.Rand(ceiling)
}

func orElse(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}
