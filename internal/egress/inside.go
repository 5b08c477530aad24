package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// insideConn is a connection in a tunnel, whose requests are judged one by one.
type insideConn struct {
	joined
	client Client
	target Target // the tunnel's
	scheme string // http, or https inside of TLS that ends here
}

type insideKey struct{}

// maxStreams bounds how many requests one HTTP/2 connection has at a time.
const maxStreams = 100

// prepareInside makes what serves the requests inside of tunnels.
func (p *Proxy) prepareInside() {
	p.terms = &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		// By the host that was asked for: a client that connects to an address names none.
		GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
			return p.certificate(h.Conn.(*insideConn).target.Host)
		},
	}
	p.inside = &http.Server{
		Handler:           http.HandlerFunc(p.serveRequest),
		TLSConfig:         p.terms,
		ReadHeaderTimeout: p.hello,
		IdleTimeout:       p.idle,
		MaxHeaderBytes:    64 << 10,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		ErrorLog:          p.quiet,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			ctx = strictContext(ctx, c)
			if s, ok := c.(*strictConn); ok {
				c = s.Conn
			}
			if t, ok := c.(*tls.Conn); ok {
				c = t.NetConn()
			}
			return context.WithValue(ctx, insideKey{}, c)
		},
		ConnState: handedOver,
	}
}

// serveInside serves the requests in a tunnel: each is judged, and has to be for the
// tunnel's target. first has the bytes that were already read.
func (p *Proxy) serveInside(near net.Conn, first []byte, c Client, t Target, scheme string) {
	done := make(chan struct{})
	in := &insideConn{joined{Conn: near, r: io.MultiReader(bytes.NewReader(first), near), closed: done}, c, t, scheme}
	var conn net.Conn = in
	strict := true
	if scheme == "https" {
		secure := tls.Server(in, p.terms)
		_ = near.SetDeadline(time.Now().Add(p.hello)) // which ends the handshake, too
		if err := secure.HandshakeContext(context.Background()); err != nil {
			p.log.Warn("a client does not trust umpire's CA: see `umpire ca trust`, or pass the host to --pass-through", "client", c.Name, "target", t.Addr(), "error", err)
			return
		}
		conn = secure
		strict = secure.ConnectionState().NegotiatedProtocol != "h2" // HTTP/2 has frames
	}
	if strict {
		conn = &strictConn{Conn: conn}
	}
	_ = near.SetDeadline(time.Time{})
	_ = p.inside.Serve(&single{conn: conn, done: done}) // ends with the connection
}

// serveRequest serves a request in a tunnel.
func (p *Proxy) serveRequest(w http.ResponseWriter, r *http.Request) {
	in := r.Context().Value(insideKey{}).(*insideConn)
	if why := faultOf(r); why != nil {
		p.ambiguous(w, in.client, why)
		return
	}
	if r.Method == http.MethodConnect || r.URL.IsAbs() {
		refuse(w, http.StatusBadRequest, Decision{Why: "a proxy inside a tunnel"})
		return
	}
	if r.Host == "" {
		r.Host = in.target.Addr()
	}
	t, err := requestTarget(r, in.scheme, in.target.Host, in.target.Port)
	if err != nil {
		status := http.StatusBadRequest
		if errors.Is(err, errOtherHost) {
			status = http.StatusMisdirectedRequest // a client may ask again by a tunnel of its own
		}
		refuse(w, status, Decision{Why: err.Error()})
		return
	}
	at := place{in.client.ID, true}
	if !p.enter(w, at) {
		return
	}
	defer p.leave(at)
	p.judge(w, r, in.client, t)
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
