package egress

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// chunk is how much is copied between two looks at the clock, in bytes: the kernel moves
// it without this program, so it is large.
const chunk = 4 << 20

// relay copies both ways until both sides are done, or nothing came either way for as
// long as idle. Who stops sending may still receive.
func relay(a, b net.Conn, idle time.Duration) {
	var last atomic.Int64
	last.Store(time.Now().UnixNano())
	one := func(to, from net.Conn) {
		for {
			_ = from.SetReadDeadline(time.Now().Add(idle))
			_ = to.SetWriteDeadline(time.Now().Add(idle))
			n, err := io.CopyN(to, from, chunk)
			if n > 0 {
				last.Store(time.Now().UnixNano())
			}
			if err == nil || errors.Is(err, os.ErrDeadlineExceeded) && time.Since(time.Unix(0, last.Load())) < idle {
				continue
			}
			if errors.Is(err, io.EOF) {
				if half, ok := to.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
					return
				}
			}
			_, _ = a.Close(), b.Close()
			return
		}
	}
	var both sync.WaitGroup
	both.Go(func() { one(a, b) })
	both.Go(func() { one(b, a) })
	both.Wait()
}

// serveInside serves the plain requests in a tunnel: each is judged, and has to be for
// the tunnel's target.
func (p *Proxy) serveInside(near net.Conn, r io.Reader, c Client, t Target) {
	_ = near.SetDeadline(time.Time{})
	done := make(chan struct{})
	srv := &http.Server{
		ReadHeaderTimeout: helloTime,
		IdleTimeout:       p.idle,
		MaxHeaderBytes:    64 << 10,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodConnect || r.URL.IsAbs() {
				refuse(w, http.StatusBadRequest, Verdict{Why: "a proxy inside a tunnel"})
				return
			}
			r.URL.Scheme, r.URL.Host = "http", t.Addr()
			if r.Host == "" {
				r.Host = t.Addr()
			}
			r.RequestURI = ""
			p.serveTarget(w, r, c, t)
		}),
	}
	_ = srv.Serve(&single{conn: &joined{Conn: near, r: r, closed: done}, done: done}) // ends with the connection
}

// serveTarget serves a request in a tunnel, whose Host field has to name the tunnel's
// target.
func (p *Proxy) serveTarget(w http.ResponseWriter, r *http.Request, c Client, t Target) {
	inside, err := targetOf(r)
	if err == nil && (inside.Host != t.Host || inside.Port != t.Port) {
		err = errors.New("a request for another host inside a tunnel")
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, Verdict{Why: err.Error()})
		return
	}
	v, err := p.gate.Judge(r.Context(), c, inside)
	switch {
	case err != nil:
		p.fail(w, "judge", err)
	case !v.Allowed:
		refuse(w, http.StatusForbidden, v)
	default:
		p.forward(w, r, c, inside, v)
	}
}

// joined is a connection of which some was read already, and that tells when it is closed,
// by the server or by whoever took it over.
type joined struct {
	net.Conn
	r      io.Reader
	once   sync.Once
	closed chan struct{}
}

func (j *joined) Close() error {
	j.once.Do(func() { close(j.closed) })
	return j.Conn.Close()
}

func (j *joined) Read(b []byte) (int, error) { return j.r.Read(b) }

// single is a listener for one connection that is there.
type single struct {
	conn net.Conn
	done chan struct{}
	once sync.Once
}

func (s *single) Accept() (c net.Conn, err error) {
	s.once.Do(func() { c = s.conn })
	if c != nil {
		return c, nil
	}
	<-s.done
	return nil, net.ErrClosed
}

func (s *single) Close() error   { return nil }
func (s *single) Addr() net.Addr { return s.conn.LocalAddr() }
