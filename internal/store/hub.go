package store

import "sync"

// hub wakes who waits for a change.
type hub struct {
	mu    sync.Mutex
	waits map[string]map[chan struct{}]bool // by request; "" for any change
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

// wake wakes who waits for one of the requests, and who waits for anything.
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

// wakeAll wakes everybody: something happened, and nobody knows what.
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
	mu sync.RWMutex
	n  map[string]uint64
}

func (v *versions) rise(kind string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.n == nil {
		v.n = map[string]uint64{}
	}
	v.n[kind]++
}

// Version changes with every event of a kind: before a change of this process's is
// acknowledged, and when this process hears of another one's.
func (s *Store) Version(kind string) uint64 {
	s.versions.mu.RLock()
	defer s.versions.mu.RUnlock()
	return s.versions.n[kind]
}
