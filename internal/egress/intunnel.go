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

// insideConn is a connection in a tunnel. Each of its requests gets a decision.
type insideConn struct {
	joined
	client Client
	target Target // target of the tunnel
	scheme string // http, or https if the proxy terminates TLS
}

type insideKey struct{}

// maxStreams limits the concurrent requests of one HTTP/2 connection.
const maxStreams = 100

// prepareInside creates the server for requests in tunnels.
func (p *Proxy) prepareInside() {
	p.terms = &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		// Use the requested host: a client that connects to an address sends no name.
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

// serveInside serves the requests in a tunnel. Each gets a decision, and must be for the tunnel's
// target. first has the bytes already read.
func (p *Proxy) serveInside(near net.Conn, first []byte, c Client, t Target, scheme string) {
	done := make(chan struct{})
	in := &insideConn{joined{Conn: near, r: io.MultiReader(bytes.NewReader(first), near), closed: done}, c, t, scheme}
	var conn net.Conn = in
	strict := true
	if scheme == "https" {
		secure := tls.Server(in, p.terms)
		_ = near.SetDeadline(time.Now().Add(p.hello)) // this also ends the handshake
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
	_ = p.inside.Serve(&single{conn: conn, done: done}) // returns when the connection closes
}

// serveRequest serves a request in a tunnel.
func (p *Proxy) serveRequest(w http.ResponseWriter, r *http.Request) {
	in := r.Context().Value(insideKey{}).(*insideConn)
	if why := Ambiguous(r); why != nil {
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
			status = http.StatusMisdirectedRequest // a client may retry in another tunnel
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

// joined is a partly read connection. It signals when the server, or a handler that hijacked it,
// closes it.
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

// single is a listener that returns one existing connection.
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
