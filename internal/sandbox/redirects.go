package sandbox

import (
	"net/netip"
	"sync"
	"time"
)

// redirects maps the source addresses of redirected connections to their original targets. The
// redirecting and the accepting side may arrive in any order.
type redirects struct {
	mu    sync.Mutex // guards the fields below
	known map[netip.AddrPort]place
	wait  map[netip.AddrPort]chan netip.AddrPort
}

type place struct {
	to   netip.AddrPort
	when time.Time
}

// redirectTime limits how long an accepted connection waits for its target.
const redirectTime = 5 * time.Second

// put records the target of the connection from an address.
func (l *redirects) put(from, to netip.AddrPort) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.wait[from]; c != nil {
		delete(l.wait, from)
		c <- to
		return
	}
	if l.known == nil {
		l.known = map[netip.AddrPort]place{}
	}
	if len(l.known) >= 2*maxPassed { // of programs that have ended in between
		for a, p := range l.known {
			if time.Since(p.when) > redirectTime {
				delete(l.known, a)
			}
		}
	}
	l.known[from] = place{to, time.Now()}
}

// take returns the target of a connection, and waits briefly for it.
func (l *redirects) take(from netip.AddrPort) (netip.AddrPort, bool) {
	l.mu.Lock()
	p, ok := l.known[from]
	delete(l.known, from)
	if ok && time.Since(p.when) < time.Minute { // an older one belonged to another connection
		l.mu.Unlock()
		return p.to, true
	}
	if l.wait == nil {
		l.wait = map[netip.AddrPort]chan netip.AddrPort{}
	}
	c := make(chan netip.AddrPort, 1)
	l.wait[from] = c
	l.mu.Unlock()
	select {
	case to := <-c:
		return to, true
	case <-time.After(redirectTime):
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.wait, from)
	select {
	case to := <-c:
		return to, true
	default:
		return netip.AddrPort{}, false
	}
}
