package ratelimit

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

var windows = []Window{{"minute", time.Minute, 3}, {"hour", time.Hour, 5}}

func TestAllow(t *testing.T) {
	c := &clock{time.Unix(1e9, 0)}
	l := New(10, c.now)
	for i, step := range []struct {
		after time.Duration
		ok    bool
		full  string
		wait  time.Duration
	}{
		{0, true, "", 0},
		{10 * time.Second, true, "", 0},
		{10 * time.Second, true, "", 0},
		{10 * time.Second, false, "minute", 30 * time.Second}, // the first leaves at 60 s
		{29 * time.Second, false, "minute", time.Second},      // what was refused did not count
		{time.Second, true, "", 0},                            // sliding: at 60 s, not at the next full minute
		{0, false, "minute", 10 * time.Second},
		{10 * time.Second, true, "", 0},
		{-time.Hour, false, "hour", time.Hour - 70*time.Second}, // a clock set back opens nothing
		{2 * time.Hour, true, "", 0},
	} {
		c.t = c.t.Add(step.after)
		no, ok := l.Allow(windows, "t", "u")
		if ok != step.ok || no.Window.Name != step.full || no.Wait != step.wait {
			t.Errorf("step %d: %v, %+v", i, ok, no)
		}
	}
	if _, ok := l.Allow([]Window{{"minute", time.Minute, 0}}, "t", "v"); ok {
		t.Error("a window without room allowed a call")
	}
}

func TestKeysAreApart(t *testing.T) {
	c := &clock{time.Unix(1e9, 0)}
	l := New(10, c.now)
	one := []Window{{"minute", time.Minute, 1}}
	for _, key := range [][]string{{"a", "b:c"}, {"a:b", "c"}, {"", "a:b:c"}, {"a:b:c", ""}} {
		if _, ok := l.Allow(one, key...); !ok {
			t.Errorf("%q shares a counter", key)
		}
		if _, ok := l.Allow(one, key...); ok {
			t.Errorf("%q is not counted", key)
		}
	}
}

// A flood of invented keys takes bounded memory, and resets nobody.
func TestFlood(t *testing.T) {
	c := &clock{time.Unix(1e9, 0)}
	l := New(100, c.now)
	for range 5 {
		l.Allow(windows, "t", "victim")
		c.t = c.t.Add(time.Minute)
	}
	allowed := 0
	for i := range 50_000 {
		if _, ok := l.Allow(windows, "t", fmt.Sprint(i)); ok {
			allowed++
		}
	}
	if n := len(l.byKey); n > 100 {
		t.Errorf("%d keys", n)
	}
	if allowed > 99+spares*3 {
		t.Errorf("%d calls of the flood were allowed", allowed)
	}
	if _, ok := l.Allow(windows, "t", "victim"); ok {
		t.Error("the flood reset a counter")
	}
	c.t = c.t.Add(time.Hour)
	if _, ok := l.Allow(windows, "t", "late"); !ok || len(l.byKey) != 1 {
		t.Errorf("counters outlive their windows: %d keys", len(l.byKey))
	}
}

func TestConcurrent(t *testing.T) {
	l := New(10, time.Now)
	var wg sync.WaitGroup
	var mu sync.Mutex
	allowed := 0
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if _, ok := l.Allow([]Window{{"hour", time.Hour, 50}}, "k"); ok {
					mu.Lock()
					allowed++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if allowed != 50 {
		t.Errorf("%d allowed", allowed)
	}
}

func BenchmarkAllow(b *testing.B) {
	l := New(1000, time.Now)
	w := []Window{{"minute", time.Minute, 10}, {"hour", time.Hour, 100}}
	b.ReportAllocs()
	for b.Loop() {
		l.Allow(w, "tenant", "user")
	}
}
