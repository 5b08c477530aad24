package egress

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/relay"
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

// tunnel connects a client with a target. It dials first, because a dial error is a useful
// response. In an inspected tunnel, each request dials separately. handed means that the tunnel
// continues and keeps the client's slot; no other state of the request is kept.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request, c Client, t Target, v Decision, at place, before int) (handed bool) {
	var near, far net.Conn
	defer func() {
		for _, conn := range []net.Conn{near, far} {
			if conn != nil && !handed {
				_ = conn.Close() // either side may have closed it already
			}
		}
	}()
	if !v.Inside {
		var err error
		far, err = p.dial.dial(r.Context(), &t, &v)
		var denied *deniedError
		v.Inside = errors.As(err, &denied) && denied.inside
		if err != nil && !v.Inside {
			p.unreached(w, &t, err)
			return false
		}
	}
	if v.Inside && p.certificate == nil {
		refuse(w, http.StatusForbidden, Decision{Why: "a rule needs the content of this tunnel, but umpire has no CA: the operator creates one with `umpire ca create`"})
		return false
	}
	near, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		p.fail(w, "take the connection over", err)
		return false
	}
	near, early := unwrap(near)
	_ = near.SetDeadline(time.Now().Add(p.hello))
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection Established\r\n\r\n"); err != nil {
		return false
	}
	early = append(rest(buffered.Reader), early...) // data that the client sent with its CONNECT
	hello := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(early), near), max(4<<10, len(early)))
	_, _ = hello.Peek(len(early)) // makes all of it count as buffered
	first, err := p.look(near, hello, &t, v.Inside)
	var plain *plainError
	switch {
	case errors.As(err, &plain):
		if far != nil {
			_ = far.Close() // each request in it gets a decision and a separate connection
		}
		p.serveInside(near, plain.first, c, t, "http")
		return false
	case err == nil && v.Inside && (len(first) == 0 || first[0] != handshake):
		err = errors.New("umpire inspects this tunnel, and it does not carry TLS")
	}
	if err != nil {
		p.tellRefused(c, t, err)
		return false
	}
	if v.Inside {
		p.serveInside(near, first, c, t, "https")
		return false
	}
	_ = near.SetDeadline(time.Time{})
	open := &openTunnel{Tunnel: Tunnel{Client: c, Target: t, Asked: v.ID, At: addressOf(far)}, end: func() { _, _ = near.Close(), far.Close() }}
	p.tunnels.add(open, before)
	defer func() {
		if !handed {
			p.tunnels.drop(open)
		}
	}()
	if len(first) > 0 {
		_ = far.SetWriteDeadline(time.Now().Add(p.idle))
		if _, err := far.Write(first); err != nil {
			return false
		}
	}
	open.ends(relay.Join(near, far, p.idle, func() {
		p.tunnels.drop(open)
		p.leave(at)
	}))
	return true
}

// Time limits for the beginning of a tunnel. A client that speaks first does so at once; in some
// protocols the server does.
const (
	helloTime  = 10 * time.Second
	silentTime = 500 * time.Millisecond
)

// handshake is the first byte of TLS.
const handshake = 0x16

// plainError means that the client speaks plain HTTP inside a tunnel.
type plainError struct{ first []byte }

func (*plainError) Error() string { return "plain HTTP in the tunnel" }

// look reads the client's first bytes, and returns them. TLS must name the approved host. Port 443
// accepts only TLS, and port 80 also plain HTTP, whose requests are decided one by one. Other
// ports, which people approve as such, accept any protocol, and the server may speak first, unless
// the content must be inspected: then the client must begin.
func (p *Proxy) look(near net.Conn, r *bufio.Reader, t *Target, inside bool) (first []byte, err error) {
	web := t.Port == "443" || t.Port == "80"
	if !web && !inside && r.Buffered() == 0 {
		_ = near.SetReadDeadline(time.Now().Add(p.silent))
	}
	b, err := r.Peek(1)
	if err != nil {
		var late net.Error
		if !web && !inside && errors.As(err, &late) && late.Timeout() {
			return nil, nil
		}
		return nil, err
	}
	_ = near.SetReadDeadline(time.Now().Add(p.hello))
	if b[0] == handshake {
		name, raw, err := readHello(r)
		if err == nil {
			err = rightName(name, t)
		}
		return append(raw, rest(r)...), err
	}
	if t.Port != "443" {
		switch looks, sure := relay.LooksHTTP(r); {
		case looks:
			return nil, &plainError{rest(r)}
		case !sure: // a slow request would pass without a check
			return nil, errors.New("the client stopped before its protocol was clear")
		}
	}
	if web {
		return nil, errors.New("the client sends neither TLS nor HTTP")
	}
	return rest(r), nil
}

func rest(r *bufio.Reader) []byte {
	b := make([]byte, r.Buffered())
	n, _ := io.ReadFull(r, b) // they are in the buffer
	return b[:n]
}
