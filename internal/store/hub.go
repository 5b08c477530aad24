package store

import (
	"sync"

	"github.com/umpire-dev/umpire/internal/approval"
)

// hub wakes callers that wait for a change.
type hub struct {
	mu    sync.Mutex
	waits map[string]map[chan struct{}]bool // by request ID; "" for any change
}

func (h *hub) wait(id string) (c <-chan struct{}, stop func()) {
	ch := make(chan struct{})
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waits == nil {
		h.waits = map[string]map[chan struct{}]bool{}
	}
	if h.waits[id] == nil {
		h.waits[id] = map[chan struct{}]bool{}
	}
	h.waits[id][ch] = true
	return ch, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if delete(h.waits[id], ch); len(h.waits[id]) == 0 {
			delete(h.waits, id)
		}
	}
}

// wake wakes the waiters of the given requests, and those of any change.
func (h *hub) wake(ids ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range append(ids, "") {
		for ch := range h.waits[id] {
			close(ch)
		}
		delete(h.waits, id)
	}
}

// wakeAll wakes all waiters after an unknown change.
func (h *hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, set := range h.waits {
		for ch := range set {
			close(ch)
		}
	}
	h.waits = nil
}

// versions counts events by their kind.
type versions struct {
	mu   sync.Mutex
	n    map[string]uint64
	open map[string]int // number of commits in progress for events of a kind
}

func (v *versions) rise(kind string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.up(kind)
}

// up increments a version. The caller holds the lock.
func (v *versions) up(kind string) {
	if v.n == nil {
		v.n, v.open = map[string]uint64{}, map[string]int{}
	}
	v.n[kind]++
}

// begin marks events that are about to be committed: others may see them in the database before
// this process gets the result.
func (v *versions) begin(events []approval.ChainEvent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range events {
		v.up(events[i].Kind)
		v.open[events[i].Kind]++
	}
}

// end marks them as committed, failed, or unknown.
func (v *versions) end(events []approval.ChainEvent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range events {
		v.up(events[i].Kind)
		v.open[events[i].Kind]--
	}
}

// Version returns a number that changes with every event of a kind: before a change of this process
// becomes visible, and when this process learns of another's change. During a commit, each call
// returns a new number, so that no reader caches what it reads then.
func (s *Store) Version(kind string) uint64 {
	v := &s.versions
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.open[kind] > 0 {
		v.up(kind)
	}
	return v.n[kind]
}
