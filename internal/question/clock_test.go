package question

import (
	"errors"
	"testing"
	"time"
)

// A clock that is set forward or back lets no call pass that a person did not approve lately,
// and loses no answer to whoever waits for it.
func TestClockJumps(t *testing.T) {
	const hour = time.Hour
	for name, c := range map[string]struct {
		answer   State
		answered time.Duration // the jump before the answer
		looks    []time.Duration
		has      []bool // whether the call may pass, after each look's jump
	}{
		"forward within the time":          {Approved, 0, []time.Duration{Validity}, []bool{true}},
		"forward past the end":             {Approved, 0, []time.Duration{Validity + time.Nanosecond}, []bool{false}},
		"forward past the end, and back":   {Approved, 0, []time.Duration{hour, -hour}, []bool{false, false}},
		"back by less than the skew":       {Approved, 0, []time.Duration{-skew}, []bool{true}},
		"back by more, and forward again":  {Approved, 0, []time.Duration{-skew - time.Nanosecond, hour, -hour}, []bool{false, false, false}},
		"back, and forward to its time":    {Approved, 0, []time.Duration{-hour, hour}, []bool{false, false}},
		"back before the answer":           {Approved, -hour, []time.Duration{0, Validity}, []bool{true, true}},
		"back before the answer, past it":  {Approved, -hour, []time.Duration{Validity + 1, -Validity}, []bool{false, false}},
		"forward before the answer":        {Approved, hour, []time.Duration{0, -hour}, []bool{true, false}},
		"a denial, forward":                {Denied, 0, []time.Duration{hour, -2 * hour}, []bool{false, false}},
		"a denial, back before the answer": {Denied, -hour, []time.Duration{0, hour}, []bool{false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			b := Open(t.TempDir())
			now := time.Now()
			b.now = func() time.Time { return now }
			a := call("make deploy")
			q := asked(t, b, a)
			now = now.Add(c.answered)
			shown, err := b.Find(q.ID)
			if err != nil {
				t.Fatalf("after a jump of %v nobody can answer: %v", c.answered, err)
			}
			answered(t, b, shown, c.answer)
			closed := make(chan struct{})
			close(closed)
			if got, ok := b.Wait(q, closed); !ok || got.State != c.answer {
				t.Errorf("after a jump of %v the asker got %q, %v, want %s", c.answered, got.State, ok, c.answer)
			}
			for i, jump := range c.looks {
				now = now.Add(jump)
				if got := b.Has(a); got != c.has[i] {
					t.Errorf("look %d, after a jump of %v: the call may pass: %v, want %v", i, jump, got, c.has[i])
				}
				if _, ok := b.Refused(a); ok != (c.answer == Denied) {
					t.Errorf("look %d, after a jump of %v: refused: %v", i, jump, ok)
				}
			}
			last := c.has[len(c.has)-1]
			if _, ok := b.Take(a); ok != last {
				t.Errorf("at the end the call passes: %v, want %v", ok, last)
			}
		})
	}
}

// An answer from before the clock was set back does not answer the same call when it is asked
// about again.
func TestOldAnswerAfterClockSetBack(t *testing.T) {
	for _, s := range []State{Approved, Denied} {
		b := Open(t.TempDir())
		now := time.Now()
		b.now = func() time.Time { return now }
		a := call("make deploy")
		answered(t, b, asked(t, b, a), s)
		now = now.Add(-time.Hour)
		again := asked(t, b, a)
		closed := make(chan struct{})
		close(closed)
		if got, ok := b.Wait(again, closed); ok {
			t.Errorf("%s an hour later: the question of now got %+v", s, got)
		}
		if _, err := b.Answer(again, Denied, "someone", ""); err != nil {
			t.Fatal(err)
		}
		if got, ok := b.Wait(again, closed); !ok || got.State != Denied {
			t.Errorf("after an old answer %s: got %q, %v, want the new denial", s, got.State, ok)
		}
		if b.Has(a) {
			t.Errorf("after an old answer %s: the denied call may pass", s)
		}
	}
}

// A question that expired stays unanswerable while the clock says so, and never lets its call pass.
func TestClockPastQuestion(t *testing.T) {
	b := Open(t.TempDir())
	now := time.Now()
	b.now = func() time.Time { return now }
	a := call("make deploy")
	q := asked(t, b, a)
	now = now.Add(Expiry)
	if _, err := b.Answer(q, Approved, "someone", ""); !errors.Is(err, ErrNone) {
		t.Errorf("an expired question: got %v, want %v", err, ErrNone)
	}
	again := asked(t, b, a)
	if !again.Asked.Equal(now) {
		t.Errorf("asked again at %v, want %v", again.Asked, now)
	}
	now = now.Add(-Expiry)
	if list, err := b.List(Pending); err != nil || len(list) != 1 || b.Has(a) {
		t.Errorf("after the clock was set back: %d questions, %v, may pass %v; want one, and no", len(list), err, b.Has(a))
	}
}
