package approval

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestNewID(t *testing.T) {
	// The time part of the specification's own example.
	at := time.UnixMilli(1469918176385)
	seen := map[string]bool{}
	for range 1000 {
		id := NewID(at)
		if len(id) != 26 || !strings.HasPrefix(id, "01ARYZ6S41") || strings.Trim(id, crockford) != "" || seen[id] {
			t.Fatalf("%s", id)
		}
		seen[id] = true
	}
	if a, b := NewID(at), NewID(at.Add(time.Millisecond)); a >= b {
		t.Errorf("%s is not before %s", a, b)
	}
}

func TestCategories(t *testing.T) {
	for _, c := range Categories() {
		if !c.Known() || c.Bulk() == (c == Exec || c == Packages || c == Sandbox) {
			t.Errorf("%s: known %v, bulk %v", c, c.Known(), c.Bulk())
		}
	}
	if Category("").Known() {
		t.Error("no category is one")
	}
}

// falling is a store that has one request and breaks off the look at which its caller's time
// is over.
type falling struct {
	Store
	over func()
	left int
}

func (f *falling) Get(ctx context.Context, id string) (Request, error) {
	if f.left--; f.left < 0 {
		f.over()
		return Request{}, fmt.Errorf("%w: broken off", ErrUnavailable)
	}
	return Request{ID: id, State: Pending}, nil
}

func (f *falling) Changed(string) (<-chan struct{}, func()) {
	c := make(chan struct{})
	close(c)
	return c, func() {}
}

// Whoever's time is over while the store is asked has what was known before.
func TestWaitEndsInALook(t *testing.T) {
	for left := 1; left < 5; left++ {
		ctx, cancel := context.WithCancel(t.Context())
		q := &Queue{store: &falling{over: cancel, left: left}}
		if r, err := q.Wait(ctx, "x"); r.ID != "x" || !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
			t.Errorf("after %d looks: %+v, %v", left, r, err)
		}
	}
}
