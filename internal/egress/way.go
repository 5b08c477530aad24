package egress

import (
	"crypto/rand"
	"slices"
	"sync"
	"time"
)

// Way is an open connection to a server: a tunnel, or a request whose response is still
// arriving.
type Way struct {
	ID     string    `json:"id"`
	Client Client    `json:"-"`
	Target Target    `json:"-"`
	Since  time.Time `json:"since"`
	// Asked is the question that opened it; "" if a rule did.
	Asked string `json:"request,omitempty"`
}

// openWay is a Way with what closes it.
type openWay struct {
	Way
	mu    sync.Mutex
	ended bool
	end   func()
}

// ends replaces what closes the way. If the way was ended already, it is closed at once.
func (w *openWay) ends(end func()) {
	w.mu.Lock()
	ended := w.ended
	w.end = end
	w.mu.Unlock()
	if ended {
		end()
	}
}

func (w *openWay) close() {
	w.mu.Lock()
	w.ended = true
	end := w.end
	w.mu.Unlock()
	end()
}

// ways are the open ones of a proxy.
type ways struct {
	mu      sync.Mutex
	open    map[*openWay]struct{}
	keep    func(Way) bool // of the last Review
	reviews int
}

// before is to be called before a way is judged: add needs it.
func (s *ways) before() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reviews
}

// add lists a way that was judged since before. If the rules changed meanwhile, it is
// reviewed at once.
func (s *ways) add(w *openWay, before int) {
	w.ID, w.Since = rand.Text()[:12], time.Now()
	s.mu.Lock()
	if s.open == nil {
		s.open = map[*openWay]struct{}{}
	}
	s.open[w] = struct{}{}
	keep := s.keep
	changed := s.reviews != before
	s.mu.Unlock()
	if changed && keep != nil && !keep(w.Way) {
		w.close()
	}
}

func (s *ways) drop(w *openWay) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, w)
}

func (s *ways) list() []*openWay {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*openWay, 0, len(s.open))
	for w := range s.open {
		out = append(out, w)
	}
	return out
}

// Ways lists the open ways, the oldest first.
func (p *Proxy) Ways() []Way {
	var out []Way
	for _, w := range p.ways.list() {
		out = append(out, w.Way)
	}
	slices.SortFunc(out, func(a, b Way) int { return a.Since.Compare(b.Since) })
	return out
}

// Review closes the open ways that keep refuses, and returns them. Call it when rules or
// credentials change. Keep also gets ways that are being judged at that moment.
func (p *Proxy) Review(keep func(Way) bool) (closed []Way) {
	p.ways.mu.Lock()
	p.ways.keep = keep
	p.ways.reviews++
	p.ways.mu.Unlock()
	for _, w := range p.ways.list() {
		if !keep(w.Way) {
			w.close()
			closed = append(closed, w.Way)
		}
	}
	return closed
}

// End closes one way, and reports whether it was open.
func (p *Proxy) End(id string) (w Way, ok bool) {
	for _, w := range p.ways.list() {
		if w.ID == id {
			w.close()
			return w.Way, true
		}
	}
	return Way{}, false
}
