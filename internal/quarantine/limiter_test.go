package quarantine

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLimiter(t *testing.T) {
	clock := &settable{time.Unix(1000, 0)}
	l := NewLimiter(100, 5, clock.now)
	if a := l.Take("a"); a.Allowed || a.Reason == "" {
		t.Errorf("an agent that is not registered: %+v", a)
	}
	for i := range 5 {
		for range 2 {
			if err := l.Register(string(rune('a' + i))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Register("f"); !errors.Is(err, ErrFull) {
		t.Errorf("the sixth agent: %v", err)
	}
	for i := range 100 {
		a := l.Take("a")
		if !a.Allowed || a.Remaining != 99-i {
			t.Fatalf("call %d: %+v, want it allowed with %d left", i+1, a, 99-i)
		}
		clock.t = clock.t.Add(time.Millisecond)
	}
	for range 3 { // calls beyond the limit do not extend it
		a := l.Take("a")
		if a.Allowed || a.Remaining != 0 || !strings.Contains(a.Reason, "100/100") || !a.ResetAt.Equal(time.Unix(1060, 0)) {
			t.Fatalf("call 101: %+v, want a denial with 100/100 until 1060", a)
		}
	}
	if a := l.Take("b"); !a.Allowed || a.Remaining != 99 {
		t.Errorf("another agent: %+v", a)
	}
	clock.t = time.Unix(1060, 0).Add(-time.Millisecond)
	if l.Take("a").Allowed {
		t.Error("one millisecond early")
	}
	clock.t = time.Unix(1060, 0) // the oldest is one window old
	if a := l.Take("a"); !a.Allowed || a.Remaining != 0 {
		t.Errorf("one window later: %+v", a)
	}
	if l.Take("a").Allowed {
		t.Error("two calls for one that left the window")
	}
	if got := l.state.Total; got != 102 {
		t.Errorf("%d calls are counted in all, want 102", got)
	}
	clock.t = time.Unix(0, 0) // set back: not a call more
	if l.Take("a").Allowed {
		t.Error("a clock that was set back frees calls")
	}
	l.Unregister("a")
	if err := l.Register("f"); err != nil {
		t.Error(err)
	}
	l.Unregister("f")
	if err := l.Register("a"); err != nil || !l.Take("a").Allowed {
		t.Error("the calls of an agent that left are remembered")
	}
}

// Against a model that keeps every call: no window ever holds more than the limit.
func TestLimiterWindow(t *testing.T) {
	clock := &settable{time.Unix(1000, 0)}
	l := NewLimiter(7, 1, clock.now)
	_ = l.Register("a")
	var times []time.Time
	step := []time.Duration{0, time.Millisecond, 5 * time.Second, 61 * time.Second, 8 * time.Second, 59999 * time.Millisecond}
	for i := range 5000 {
		clock.t = clock.t.Add(step[i*7919%len(step)])
		in := 0
		for _, at := range times {
			if clock.t.Sub(at) < time.Minute {
				in++
			}
		}
		if got := l.Take("a").Allowed; got != (in < 7) {
			t.Fatalf("step %d: %v with %d in the window", i, got, in)
		} else if got {
			times = append(times, clock.t)
		}
	}
}

func TestSlots(t *testing.T) {
	dir := t.TempDir()
	var slots []*Slot
	for range 5 {
		s, err := TakeSlot(dir, 5)
		if err != nil {
			t.Fatal(err)
		}
		slots = append(slots, s)
	}
	if _, err := TakeSlot(dir, 5); !errors.Is(err, ErrFull) {
		t.Errorf("the sixth: %v", err)
	}
	if err := slots[2].Free(); err != nil {
		t.Fatal(err)
	}
	s, err := TakeSlot(dir, 5)
	if err != nil {
		t.Fatal(err)
	}
	slots[2] = s
	for _, s := range slots {
		_ = s.Free()
	}
}

func TestTimers(t *testing.T) {
	timers := NewTimers(time.Now)
	late := make(chan time.Duration, 9)
	timers.Track("a", time.Millisecond, func(limit, elapsed time.Duration) {
		if elapsed < limit {
			t.Errorf("it ended after %v, want no less than %v", elapsed, limit)
		}
		late <- limit
		panic("swallowed")
	})
	if <-late != time.Millisecond {
		t.Error("another limit")
	}
	if s := timers.End("a", Completed); s != TimedOut {
		t.Errorf("a late end makes it %s", s)
	}
	timers.Track("b", time.Hour, func(_, _ time.Duration) { t.Error("b is late") })
	timers.Track("b", 2*time.Hour, func(_, _ time.Duration) { t.Error("b is late") })
	if got := timers.runs["b"].limit; got != 2*time.Hour {
		t.Errorf("the limit is %v, want %v, of the later Track", got, 2*time.Hour)
	}
	if s := timers.End("b", Completed); s != Completed {
		t.Errorf("it ended as %s, want %s", s, Completed)
	}
	if s := timers.End("b", Failed); s != Completed {
		t.Errorf("ended twice: %s", s)
	}
}

// An agent that ends while its timeout is told has ended when that was told: its review
// counts the event, and closes the log of it.
func TestTimersTellBeforeTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timers := NewTimers(time.Now)
		began, told := make(chan struct{}), false
		timers.Track("d", time.Minute, func(_, _ time.Duration) {
			close(began)
			time.Sleep(time.Hour) // of the bubble's clock
			told = true
		})
		<-began
		if s := timers.End("d", Completed); s != TimedOut || !told {
			t.Errorf("it ended as %s, told: %t; want %s, told", s, told, TimedOut)
		}
	})
}

// What was stopped is told nothing however long it takes.
func TestTimersStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timers := NewTimers(time.Now)
		timers.Track("c", time.Minute, func(_, _ time.Duration) { t.Error("c is late") })
		timers.StopAll()
		time.Sleep(time.Hour) // of the bubble's clock
		synctest.Wait()
		if s := timers.runs["c"].state; s != Running {
			t.Errorf("its state is %s, want %s", s, Running)
		}
	})
}
