// Package ratelimit counts calls per key in sliding windows.
//
// Memory is bounded whatever keys are sent: at most Keys of them have counters, and a counter
// expires after its longest window. When all are in use, new keys share a fixed number of
// spare counters. So a flood of invented keys neither fills the memory nor resets anyone's
// counter.
package ratelimit

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"sync"
	"time"
)

// Window is one limit: at most Max calls in any span of that Length.
type Window struct {
	Name   string // "minute"
	Length time.Duration
	Max    int
}

// Refusal names the full window, and the time at which the key may call again.
type Refusal struct {
	Window Window
	Wait   time.Duration
}

// spares is the number of counters that keys share when all others are in use.
const spares = 1024

// Limiter counts calls. It is safe for concurrent use.
type Limiter struct {
	keys int
	now  func() time.Time

	mu     sync.Mutex
	byKey  map[[16]byte]*list.Element // of *counter
	order  list.List                  // the counters, last used first
	spare  [spares]counter
	latest time.Time // the clock may be set back, but the counters must not follow it
}

type counter struct {
	key   [16]byte
	keep  time.Duration // the longest window it was asked about
	calls []time.Time   // allowed ones that still count, oldest first
}

// New returns a Limiter with counters for that many keys; now is time.Now but in tests.
func New(keys int, now func() time.Time) *Limiter {
	return &Limiter{keys: max(keys, 1), now: now, byKey: map[[16]byte]*list.Element{}}
}

// Allow reports whether one more call of a key fits into all windows, and counts it if so. A
// refused call is not counted. A key is one or more names; ("a:b", "c") differs from ("a",
// "b:c").
func (l *Limiter) Allow(windows []Window, key ...string) (Refusal, bool) {
	id := digest(key)
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if now.Before(l.latest) {
		now = l.latest
	}
	l.latest = now
	var longest time.Duration
	for _, w := range windows {
		longest = max(longest, w.Length)
	}
	c := l.counter(id, now)
	c.keep = max(c.keep, longest)
	gone := 0
	for gone < len(c.calls) && now.Sub(c.calls[gone]) >= c.keep {
		gone++
	}
	c.calls = append(c.calls[:0], c.calls[gone:]...)
	var no Refusal
	ok := true
	for _, w := range windows {
		// The call that must leave the window before another fits.
		if n := len(c.calls) - w.Max; w.Max <= 0 {
			no, ok = Refusal{w, w.Length}, false
		} else if n >= 0 {
			if wait := w.Length - now.Sub(c.calls[n]); wait > 0 && wait > no.Wait {
				no, ok = Refusal{w, wait}, false
			}
		}
	}
	if ok {
		c.calls = append(c.calls, now)
	}
	return no, ok
}

// counter returns the counter of a key, after it dropped expired counters.
func (l *Limiter) counter(id [16]byte, now time.Time) *counter {
	if e, ok := l.byKey[id]; ok {
		l.order.MoveToFront(e)
		return e.Value.(*counter)
	}
	for e := l.order.Back(); e != nil; e = l.order.Back() {
		c := e.Value.(*counter)
		if n := len(c.calls); n > 0 && now.Sub(c.calls[n-1]) < c.keep {
			break
		}
		l.order.Remove(e)
		delete(l.byKey, c.key)
	}
	if len(l.byKey) >= l.keys {
		return &l.spare[binary.LittleEndian.Uint64(id[:])%spares]
	}
	c := &counter{key: id}
	l.byKey[id] = l.order.PushFront(c)
	return c
}

// digest returns a key of fixed size: a name may have a megabyte.
func digest(key []string) (id [16]byte) {
	b := make([]byte, 0, 128)
	for _, k := range key {
		b = binary.AppendUvarint(b, uint64(len(k)))
		b = append(b, k...)
	}
	sum := sha256.Sum256(b)
	copy(id[:], sum[:])
	return id
}
