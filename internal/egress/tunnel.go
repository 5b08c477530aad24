package egress

import (
	"crypto/rand"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Tunnel is an open connection to a server: a tunnel, or a request whose response is still
// arriving.
type Tunnel struct {
	ID     string    `json:"id"`
	Client Client    `json:"-"`
	Target Target    `json:"-"`
	Since  time.Time `json:"since"`
	// Asked is the ID of the question that opened it; "" if a rule did.
	Asked string `json:"request,omitempty"`
	// At is the server's address; not set before there is a connection, or if each request in the
	// tunnel has its own.
	At netip.Addr `json:"-"`
}

func addressOf(c net.Conn) netip.Addr {
	at, _ := netip.ParseAddrPort(c.RemoteAddr().String()) // of a TCP connection
	return at.Addr()
}

// openTunnel is a Tunnel with the function that closes it.
type openTunnel struct {
	Tunnel
	mu    sync.Mutex // guards At and the fields below
	ended bool
	end   func()
}

// leadsTo notes the address of the connection that a request uses.
func (w *openTunnel) leadsTo(at netip.Addr) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.At = at
}

// now returns a copy.
func (w *openTunnel) now() Tunnel {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Tunnel
}

// ends sets the function that closes the tunnel. If the tunnel has already ended, it is closed at
// once.
func (w *openTunnel) ends(end func()) {
	w.mu.Lock()
	ended := w.ended
	w.end = end
	w.mu.Unlock()
	if ended {
		end()
	}
}

func (w *openTunnel) close() {
	w.mu.Lock()
	w.ended = true
	end := w.end
	w.mu.Unlock()
	end()
}

// tunnels are the open tunnels of a proxy.
type tunnels struct {
	mu      sync.Mutex
	open    map[*openTunnel]struct{}
	keep    func(w Tunnel, added bool) bool // the filter of the last Review
	reviews int
}

// before returns the number of reviews so far. Call it before the decision on a tunnel: add needs
// it.
func (s *tunnels) before() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reviews
}

// add lists a tunnel that was decided on since before. If the rules have changed since, add reviews
// it at once.
func (s *tunnels) add(w *openTunnel, before int) {
	w.ID, w.Since = rand.Text()[:12], time.Now()
	s.mu.Lock()
	if s.open == nil {
		s.open = map[*openTunnel]struct{}{}
	}
	s.open[w] = struct{}{}
	keep := s.keep
	changed := s.reviews != before
	s.mu.Unlock()
	if changed && keep != nil && !keep(w.now(), true) {
		w.close()
	}
}

func (s *tunnels) drop(w *openTunnel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, w)
}

func (s *tunnels) list() []*openTunnel {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*openTunnel, 0, len(s.open))
	for w := range s.open {
		out = append(out, w)
	}
	return out
}

// Tunnels lists the open tunnels, the oldest first.
func (p *Proxy) Tunnels() []Tunnel {
	var out []Tunnel
	for _, w := range p.tunnels.list() {
		out = append(out, w.now())
	}
	slices.SortFunc(out, func(a, b Tunnel) int { return a.Since.Compare(b.Since) })
	return out
}

// Review closes the open tunnels that keep rejects, and returns them. Call it when rules or
// credentials change. keep also gets tunnels whose decision is in progress, with added set once they
// are open: earlier reviews did not see these.
func (p *Proxy) Review(keep func(w Tunnel, added bool) bool) (closed []Tunnel) {
	p.tunnels.mu.Lock()
	p.tunnels.keep = keep
	p.tunnels.reviews++
	p.tunnels.mu.Unlock()
	for _, w := range p.tunnels.list() {
		if at := w.now(); !keep(at, false) {
			w.close()
			closed = append(closed, at)
		}
	}
	return closed
}

// End closes one tunnel, and reports whether it was open.
func (p *Proxy) End(id string) (w Tunnel, ok bool) {
	for _, w := range p.tunnels.list() {
		if w.ID == id {
			w.close()
			return w.now(), true
		}
	}
	return Tunnel{}, false
}
