package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire/internal/relay"
)

// Client identifies the sender of a request.
type Client struct {
	ID      string // of the credential
	Name    string
	Session string
	// Credential is the Gate's name for the client's credential. It is not secret.
	Credential string
}

// Decision is the answer of a Gate about a target.
type Decision struct {
	Allowed bool
	ID      string // of the question that was asked, if one was
	Open    bool   // the question may still be answered
	Why     string // in words for the agent
	// Named says that someone named this host and no wider pattern: its address may be
	// private.
	Named bool
	// Inside means that the tunnel itself is undecided: each request inside its TLS gets its
	// own decision. Nothing is dialed before one is allowed.
	Inside bool
}

// Gate identifies clients and decides on their requests. It may wait for a person; the context
// ends when the client disconnects.
type Gate interface {
	Identify(ctx context.Context, user, password string) (Client, error)
	Judge(ctx context.Context, c Client, t Target) (Decision, error)
}

// ErrUnknown means that Gate.Identify does not know the credential.
var ErrUnknown = errors.New("unknown credential")

// Options say how a Proxy works. Gate has to be given.
type Options struct {
	Gate     Gate
	Resolver Resolver                // net.DefaultResolver if nil
	Private  []netip.Prefix          // networks that may be reached although they are private
	Own      func() []netip.AddrPort // addresses that this program listens on: never dialed
	Idle     time.Duration           // after which a quiet tunnel is closed; 10 minutes if 0
	Log      *slog.Logger

	// Certificate makes certificates by a CA that clients trust: without it there is no
	// looking into TLS, and Decision.Inside refuses.
	Certificate func(host string) (*tls.Certificate, error)
	Roots       *x509.CertPool // certificates that verify servers; the system's if nil
	Secrets     Secrets        // optional
	Bodies      Bodies         // optional; if nil, bodies are not checked
	// Refused gets tunnels that were closed because their content was not what the Gate judged;
	// may be nil.
	Refused func(c Client, t Target, why error)
}

// Proxy is an HTTP handler for requests to a forward proxy.
type Proxy struct {
	gate   Gate
	dial   dialer
	idle   time.Duration
	hello  time.Duration // how long a tunnel may take to begin
	silent time.Duration // after which the server is let speak first
	log    *slog.Logger
	quiet  *log.Logger // what net/http says, for who looks for a fault

	certificate func(host string) (*tls.Certificate, error)
	roots       *x509.CertPool
	secrets     Secrets
	bodies      Bodies
	inside      *http.Server // of the requests inside of tunnels
	terms       *tls.Config  // of the TLS that is looked into

	refused func(c Client, t Target, why error)
	tunnels tunnels
	left    func() // called when a place becomes free; may be nil

	mu      sync.Mutex // over what follows
	clients map[place]int
	plain   map[pool]*http.Transport
}

// pool identifies the requests that may share connections to a server. They are one client's,
// because some servers know a client by its connection; and one that a rule or person named,
// and that may be private, serves no other request.
type pool struct {
	client string
	named  bool
}

// maxPools bounds how many there are.
const maxPools = 256

// maxConnections bounds how many requests and tunnels one client has at a time, and how many
// requests inside of tunnels: each may hold a question, and a connection to elsewhere.
const maxConnections = 256

// maxStream bounds what waits of an answer by HTTP/2, in bytes.
const maxStream = 1 << 20

// place is a counter's label.
type place struct {
	client string
	inside bool
}

// New returns a proxy.
func New(o Options) *Proxy {
	p := &Proxy{gate: o.Gate, idle: o.Idle, hello: helloTime, silent: silentTime, log: o.Log, clients: map[place]int{}, plain: map[pool]*http.Transport{}, dial: dialer{resolver: o.Resolver, private: o.Private, own: o.Own}}
	if p.idle <= 0 {
		p.idle = 10 * time.Minute
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	if p.dial.resolver == nil {
		p.dial.resolver = net.DefaultResolver
	}
	if p.dial.own == nil {
		p.dial.own = func() []netip.AddrPort { return nil }
	}
	p.certificate, p.roots, p.secrets = o.Certificate, o.Roots, o.Secrets
	p.bodies, p.refused = o.Bodies, o.Refused
	p.quiet = slog.NewLogLogger(p.log.Handler(), slog.LevelDebug)
	p.prepareInside()
	return p
}

// transport returns what carries a pool's plain requests.
func (p *Proxy) transport(key pool) *http.Transport {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.plain[key]; t != nil {
		return t
	}
	for old, t := range p.plain {
		if len(p.plain) < maxPools {
			break
		}
		t.CloseIdleConnections()
		delete(p.plain, old)
	}
	t := &http.Transport{
		DisableCompression:     true,
		MaxIdleConnsPerHost:    16,
		MaxIdleConns:           64,
		IdleConnTimeout:        30 * time.Second,
		ResponseHeaderTimeout:  5 * time.Minute,
		MaxResponseHeaderBytes: 256 << 10,
		TLSClientConfig:        &tls.Config{RootCAs: p.roots, MinVersion: tls.VersionTLS12}, // always verified
		TLSHandshakeTimeout:    connectTime,
		ForceAttemptHTTP2:      true,
		// Bounds the answers that a client requests and does not read (default 4 MiB for each request).
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: maxStream, MaxReceiveBufferPerConnection: 16 * maxStream},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			w, ok := ctx.Value(destinationKey{}).(destination)
			if !ok || w.named != key.named {
				return nil, errors.New("a connection without a request")
			}
			return p.dial.dial(ctx, &w.target, w.named)
		},
	}
	p.plain[key] = t
	return t
}

// destination is the target of a plain request, as it was judged.
type destination struct {
	target Target
	named  bool
}

type destinationKey struct{}

// ServeHTTP serves a client that shows its credential, as the user and password of the
// proxy: the user is the name of its session, the password its token.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, password, ok := proxyAuth(r)
	if why := faultOf(r); why != nil {
		var c Client // no one's, without a valid credential
		if known, err := p.gate.Identify(r.Context(), user, password); ok && err == nil {
			c = known
		}
		p.ambiguous(w, c, why)
		return
	}
	if r.Method != http.MethodConnect && !r.URL.IsAbs() {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "umpire: "+errOrigin.Error()+"\n")
		return
	}
	var c Client
	err := ErrUnknown
	if ok {
		c, err = p.gate.Identify(r.Context(), user, password)
	}
	if errors.Is(err, ErrUnknown) {
		w.Header().Set("Proxy-Authenticate", `Basic realm="umpire"`)
		refuse(w, http.StatusProxyAuthRequired, Decision{Why: "the proxy needs a session and its token: http://SESSION:TOKEN@HOST:PORT"})
		return
	}
	if err != nil {
		p.fail(w, "identify", err)
		return
	}
	p.serve(w, r, c)
}

// For returns a handler for one client, which the listener is made for.
func (p *Proxy) For(c Client) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, c) })
}

// proxyAuth takes the credential out of a request: it is not for the server behind.
func proxyAuth(r *http.Request) (user, password string, ok bool) {
	h := http.Header{"Authorization": r.Header.Values("Proxy-Authorization")}
	user, password, ok = (&http.Request{Header: h}).BasicAuth()
	return user, password, ok && len(user) <= 200 && len(password) <= 200
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request, c Client) {
	t, err := targetOf(r)
	if err != nil {
		refuse(w, http.StatusBadRequest, Decision{Why: err.Error()})
		return
	}
	if p.dial.self(&t) { // do not ask: no answer opens it
		p.unreached(w, &t, ErrSelf)
		return
	}
	at := place{client: c.ID}
	if !p.enter(w, at) {
		return
	}
	handed := false
	defer func() {
		if !handed {
			p.leave(at)
		}
	}()
	if t.Method != http.MethodConnect {
		p.judge(w, r, c, t)
		return
	}
	before := p.tunnels.before()
	v, err := p.gate.Judge(r.Context(), c, t)
	switch {
	case err != nil:
		p.fail(w, "judge", err)
	case !v.Allowed:
		refuse(w, http.StatusForbidden, v)
	default:
		handed = p.tunnel(w, r, c, t, v, at, before)
	}
}

// judge has a request judged, and passes it on if it may go.
func (p *Proxy) judge(w http.ResponseWriter, r *http.Request, c Client, t Target) {
	defer func() {
		if why := cutOf(r); why != nil { // in the body: the server behind got a part at most
			p.tellRefused(c, t, why)
		}
	}()
	sent := r.Header
	var hide []string
	if p.secrets != nil {
		// Before anybody is asked: no answer sends a secret elsewhere.
		header, mask, err := p.secrets.Reveal(r.Context(), c, t, r.URL.RequestURI(), r.Header)
		if err != nil {
			refuse(w, http.StatusForbidden, Decision{Why: err.Error()})
			return
		}
		if len(mask) > 0 {
			r = r.WithContext(r.Context())
			r.Header, hide = header, mask
			r.Header.Set("Accept-Encoding", "identity") // or what echoes a secret could not be masked
			r.Header.Del("Sec-Websocket-Extensions")    // likewise: they compress
		}
	}
	before := p.tunnels.before()
	r = withPeek(w, r, sent)
	v, err := p.gate.Judge(r.Context(), c, t)
	switch {
	case err != nil:
		p.fail(w, "judge", err)
	case !v.Allowed:
		refuse(w, http.StatusForbidden, v)
	default:
		ctx, cancel := context.WithCancel(r.Context()) // which ends a WebSocket as well
		defer cancel()
		open := &openTunnel{Tunnel: Tunnel{Client: c, Target: t, Asked: v.ID}, end: cancel}
		p.tunnels.add(open, before)
		defer p.tunnels.drop(open)
		p.forward(w, r.WithContext(ctx), c, t, v, hide)
	}
}

// enter takes a place, or refuses.
func (p *Proxy) enter(w http.ResponseWriter, at place) bool {
	p.mu.Lock()
	free := p.clients[at] < maxConnections
	if free {
		p.clients[at]++
	}
	p.mu.Unlock()
	if !free {
		refuse(w, http.StatusTooManyRequests, Decision{Why: fmt.Sprintf("%d connections are open: close some first", maxConnections)})
	}
	return free
}

func (p *Proxy) leave(at place) {
	p.mu.Lock()
	if p.clients[at]--; p.clients[at] == 0 {
		delete(p.clients, at)
	}
	p.mu.Unlock()
	if p.left != nil {
		p.left()
	}
}

// fail answers what went wrong here, and closes: the details are the operator's.
func (p *Proxy) fail(w http.ResponseWriter, what string, err error) {
	p.log.Error("the proxy cannot "+what, "error", err)
	refuse(w, http.StatusBadGateway, Decision{Why: "umpire could not judge this request: the operator finds out why in its log"})
}

// refuse says no in a form that programs and models read.
func refuse(w http.ResponseWriter, status int, v Decision) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Umpire", "refused")
	if v.Open {
		w.Header().Set("Retry-After", "30")
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct {
		Error string `json:"error"`
		ID    string `json:"request,omitempty"`
		Open  bool   `json:"pending,omitempty"`
	}{v.Why, v.ID, v.Open})
}

// forward passes a request on, and its answer back, with what is to be hidden masked.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, c Client, t Target, v Decision, hide []string) {
	look, strict := false, false
	if p.bodies != nil {
		look, strict = p.bodies.Guards(t)
	}
	// Large bodies take their time: what ends a request is that nothing moves.
	control := http.NewResponseController(w)
	r = r.WithContext(context.WithValue(r.Context(), destinationKey{}, destination{t, v.Named}))
	// A WebSocket is one request; HTTP/2 would carry more requests, without a decision.
	if u := r.Header.Values("Upgrade"); len(u) > 0 && (len(u) > 1 || !strings.EqualFold(u[0], "websocket")) {
		r.Header = r.Header.Clone()
		r.Header.Del("Upgrade")
	}
	r.Body = moving{r.Body, func() { _ = control.SetReadDeadline(time.Now().Add(p.idle)) }}
	if look {
		if err := p.watchRequest(r, c, t, strict); err != nil {
			p.unreached(w, &t, err)
			return
		}
	}
	var by *httputil.ReverseProxy
	by = &httputil.ReverseProxy{
		Transport:  early{p.transport(pool{c.ID, v.Named}), hide},
		BufferPool: buffers{},
		ErrorLog:   p.quiet,
		Rewrite: func(pr *httputil.ProxyRequest) {
			out := pr.Out
			out.URL = &url.URL{Scheme: t.Scheme, Host: t.Addr(), Path: pr.In.URL.Path, RawPath: pr.In.URL.RawPath, RawQuery: pr.In.URL.RawQuery}
			out.Host = hostField(pr.In.Host, &t)
			out.Trailer = pr.In.Trailer // a copy would stay empty: they come after the body
			out.Header.Del("Proxy-Authorization")
			out.Header.Del("Host")
			// A server that expects no body here may read it as the next request, which has no
			// decision. So this connection has no next one.
			out.Close = out.ContentLength != 0 && bodyless(out.Method)
		},
		ModifyResponse: func(a *http.Response) error {
			// A short answer is written at once with its header; one that takes its time, as
			// it comes. ReverseProxy sees itself to one without a length.
			if a.ContentLength > 4<<10 {
				by.FlushInterval = -1
			}
			a.Header.Del("Alt-Svc")  // another way to the server is one past this proxy
			a.Header.Del("X-Umpire") // who obeys umpire's refusals would obey a server's
			if look {
				if err := p.watchAnswer(a, c, t, strict); err != nil {
					return err
				}
			}
			if len(hide) > 0 {
				if err := masked(a, hide); err != nil {
					return err
				}
			}
			if a.StatusCode == http.StatusSwitchingProtocols {
				return p.watchUpgrade(a, c, t, look, strict, hide)
			}
			a.Body = moving{a.Body, func() { _ = control.SetWriteDeadline(time.Now().Add(p.idle)) }}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { p.unreached(w, &t, err) },
	}
	by.ServeHTTP(w, r)
}

// bodyless reports whether a body means nothing in requests with a method (RFC 9110, 9.3).
func bodyless(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodDelete, http.MethodOptions, http.MethodTrace:
		return true
	}
	return false
}

// buffers holds the buffers for copying answers.
type buffers struct{}

var bufferPool = sync.Pool{New: func() any { return new([32 << 10]byte) }}

func (buffers) Get() []byte  { return bufferPool.Get().(*[32 << 10]byte)[:] }
func (buffers) Put(b []byte) { bufferPool.Put((*[32 << 10]byte)(b)) }

// moving puts a deadline off with each read.
type moving struct {
	io.ReadCloser
	putOff func()
}

func (m moving) Read(b []byte) (int, error) {
	m.putOff()
	return m.ReadCloser.Read(b)
}

// maxOpen bounds the connections to a proxy that are no tunnels, whoever they are of: each
// takes a descriptor of this program before anybody is known, and people answer by others.
const maxOpen = 4096

// Server returns an HTTP server for a proxy's handler, with the limits that a proxy can
// have: a question holds a request as long as it takes.
func Server(h http.Handler) *http.Server { return server(h, maxOpen) }

func server(h http.Handler, most int64) *http.Server {
	var open atomic.Int64
	return &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ConnContext: strictContext, ConnState: func(c net.Conn, s http.ConnState) {
		handedOver(c, s)
		switch s {
		case http.StateNew:
			if open.Add(1) > most {
				_ = c.Close() // the peer notices by the closed connection
			}
		case http.StateHijacked, http.StateClosed:
			open.Add(-1)
		}
	}}
}

// unreached answers that a target could not be connected to.
func (p *Proxy) unreached(w http.ResponseWriter, t *Target, err error) {
	var refused *RefusedError
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var remote *net.OpError
	var noTLS tls.RecordHeaderError
	var encoded errEncoded
	var stop *stoppedError
	switch {
	case errors.As(err, &stop):
		refuse(w, http.StatusForbidden, Decision{Why: stop.Error()})
	case errors.As(err, &encoded):
		refuse(w, http.StatusBadGateway, Decision{Why: encoded.Error()})
	case errors.As(err, &refused):
		p.log.Warn("refused a connection because of its address", "target", t.Addr(), "address", refused.Addr, "class", refused.Class)
		refuse(w, http.StatusForbidden, Decision{Why: refused.Error()})
	case errors.Is(err, ErrSelf):
		p.log.Warn("refused a connection to umpire itself", "target", t.Addr())
		refuse(w, http.StatusForbidden, Decision{Why: ErrSelf.Error()})
	case errors.As(err, &cert):
		p.log.Warn("a server's certificate is not valid", "target", t.Addr(), "error", cert.Err)
		refuse(w, http.StatusBadGateway, Decision{Why: fmt.Sprintf("the certificate of %s is not valid: %v", t.Host, cert.Err)})
	case errors.As(err, &remote) && remote.Op == "remote error": // as crypto/tls says it
		refuse(w, http.StatusBadGateway, Decision{Why: fmt.Sprintf("%s ended the handshake: %v. If it wants a client certificate, the operator must pass it to --pass-through", t.Host, remote.Err)})
	case errors.As(err, &noTLS):
		refuse(w, http.StatusBadGateway, Decision{Why: t.Addr() + " does not speak TLS"})
	case errors.As(err, &dns):
		refuse(w, http.StatusBadGateway, Decision{Why: t.Host + ": the name cannot be resolved"})
	default:
		p.log.Info("cannot reach a target", "target", t.Addr(), "error", err)
		refuse(w, http.StatusBadGateway, Decision{Why: t.Addr() + " cannot be reached"})
	}
}

// tunnel connects a client with a target. The connection is made first: that it cannot be
// is an answer, and a tunnel that breaks at once is none. Of a tunnel that is looked into,
// each request makes its own. handed says that it goes on and has the client's place: until
// it ends nothing else of the request is kept.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request, c Client, t Target, v Decision, at place, before int) (handed bool) {
	var near, far net.Conn
	defer func() {
		for _, conn := range []net.Conn{near, far} {
			if conn != nil && !handed {
				_ = conn.Close() // who closes it first is all the same
			}
		}
	}()
	if !v.Inside {
		var err error
		if far, err = p.dial.dial(r.Context(), &t, v.Named); err != nil {
			p.unreached(w, &t, err)
			return false
		}
	} else if p.certificate == nil {
		refuse(w, http.StatusForbidden, Decision{Why: "umpire has to see what is inside of this tunnel, and has no CA: the operator makes one with `umpire ca create`"})
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
	early = append(rest(buffered.Reader), early...) // what the client sent with its CONNECT
	hello := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(early), near), max(4<<10, len(early)))
	_, _ = hello.Peek(len(early)) // so that all of it counts as buffered
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
	open := &openTunnel{Tunnel: Tunnel{Client: c, Target: t, Asked: v.ID}, end: func() { _, _ = near.Close(), far.Close() }}
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

// Times of a tunnel's beginning. A client that speaks first does so at once; in some
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

// look reads how a client begins, and returns what it took: TLS must be for the host
// that was approved. To port 443 nothing else may be said, to port 80 plain HTTP, whose
// requests are judged one by one; to other ports, which people approve as such, anything,
// and the server may speak first, but not where the inside has to be seen: there the client
// has all the time to begin.
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
		case !sure: // a request that begins slowly would pass unseen
			return nil, errors.New("the client stopped before it showed what it speaks")
		}
	}
	if web {
		return nil, errors.New("the client sends neither TLS nor HTTP")
	}
	return rest(r), nil
}

// rest takes what is buffered.
func rest(r *bufio.Reader) []byte {
	b := make([]byte, r.Buffered())
	n, _ := io.ReadFull(r, b) // it is there
	return b[:n]
}
