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
			t.Fatalf("the ID %s is malformed, of another time or not unique", id)
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
			t.Errorf("%s: known %v, bulk %v, want it known, and in bulk unless it runs code", c, c.Known(), c.Bulk())
		}
	}
	if Category("").Known() {
		t.Error("no category is one")
	}
	// The names are in stored requests and in users' files.
	if got := fmt.Sprint(Categories()); got != "[network filesystem git packages sandbox exec]" {
		t.Errorf("the categories are %s", got)
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

// quiet is a store whose request never changes. The second look at it ends its caller's time.
type quiet struct {
	Store
	over  func()
	looks int
}

func (s *quiet) Get(_ context.Context, id string) (Request, error) {
	if s.looks++; s.looks == 2 {
		s.over()
	}
	return Request{ID: id, State: Pending}, nil
}

func (s *quiet) Changed(string) (<-chan struct{}, func()) { return nil, func() {} }

// A caller whose time is over stops waiting for a change that never comes.
func TestWaitEndsWithoutAChange(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := (&Queue{store: &quiet{over: cancel}}).Wait(ctx, "x")
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Wait ended with %v, want %v", err, context.Canceled)
		}
	case <-time.After(time.Minute):
		t.Fatal("Wait goes on a minute after its context has ended")
	}
}

// The numbers are those that users know.
// Rules do not answer what the gateway itself ends.
func TestByRules(t *testing.T) {
	for _, c := range []struct {
		r    Request
		want bool
	}{
		{Request{State: Denied, ResolvedBy: ByAuto, Note: "a rule denies this"}, true},
		{Request{State: Approved, ResolvedBy: ByAuto}, true},
		{Request{State: Denied, ResolvedBy: ByAuto, Note: Shutdown + "it was told to"}, false},
		{Request{State: Expired, ResolvedBy: ByAuto}, false},
		{Request{State: Superseded, ResolvedBy: ByAuto}, false},
		{Request{State: Denied, ResolvedBy: ByWeb}, false},
		{Request{State: Pending}, false},
	} {
		if got := c.r.ByRules(); got != c.want {
			t.Errorf("%s by %q, note %q: answered by rules is %v, want %v", c.r.State, c.r.ResolvedBy, c.r.Note, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	sound := Request{Category: Exec, Action: "run make", Digest: "d"}
	if err := sound.Check(); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 4097)
	for name, spoil := range map[string]func(*Request){
		"unknown category":      func(r *Request) { r.Category = "email" },
		"action is empty":       func(r *Request) { r.Action = "" },
		"text of the request":   func(r *Request) { r.Action = long },
		"text of the request ":  func(r *Request) { r.Description = long },
		"text of the reques":    func(r *Request) { r.Reason = long },
		"text of the reque":     func(r *Request) { r.Target = long },
		"text of the requ":      func(r *Request) { r.Key = long },
		"text of the req":       func(r *Request) { r.Agent = long },
		"text of the re":        func(r *Request) { r.Session = long },
		"metadata is larger":    func(r *Request) { r.Metadata = []byte(`"` + strings.Repeat("x", 4<<20) + `"`) },
		"metadata must be JSON": func(r *Request) { r.Metadata = []byte("{") },
		"no digest":             func(r *Request) { r.Digest = "" },
		"-1 people":             func(r *Request) { r.Needs = -1 },
		"11 people":             func(r *Request) { r.Needs = 11 },
		"a lease":               func(r *Request) { r.Lease = 10*time.Second - 1 },
		"a lease must be":       func(r *Request) { r.Lease = time.Hour + 1 },
	} {
		r := sound
		spoil(&r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(name)) {
			t.Errorf("Check: got %v, want an error about %s", err, name)
		}
	}
}
