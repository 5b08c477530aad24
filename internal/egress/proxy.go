package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Client identifies the sender of a request.
type Client struct {
	ID      string // ID of the credential
	Name    string
	Session string
	// Credential is the Gate's name for the client's credential. It is not secret.
	Credential string
}

// Decision is the answer of a Gate about a target.
type Decision struct {
	Allowed bool
	ID      string // ID of the question, if there was one
	Open    bool   // the question may still be answered
	Why     string // reason for the agent
	// Wait means that the client made too many requests: it may try again after this time.
	Wait time.Duration
	// Named means that a rule or a person named exactly this host: its address may be private.
	Named bool
	// Denies returns why a rule denies an address of the host, or "". It may be nil. The proxy calls it
	// each time a connection is made or used again. inside means that the rule denies only some
	// requests: a tunnel there must be inspected.
	Denies func(netip.Addr) (why string, inside bool)
	// Inside means that the tunnel itself is undecided: each request inside its TLS gets a separate
	// decision. The proxy dials only after one is allowed.
	Inside bool
}

// status returns the HTTP status of a refusal.
func (v *Decision) status() int {
	if v.Wait > 0 {
		return http.StatusTooManyRequests
	}
	return http.StatusForbidden
}

// Gate identifies clients and decides on their requests. It may wait for a person; the context
// ends when the client disconnects.
type Gate interface {
	Identify(ctx context.Context, user, password string) (Client, error)
	Judge(ctx context.Context, c Client, t Target) (Decision, error)
}

// LaterError is an error of a Gate about a client whose credential is not valid now, but may be soon.
type LaterError struct {
	Why  string
	Wait time.Duration
}

func (e *LaterError) Error() string { return e.Why }

// ErrUnknown means that Gate.Identify does not know the credential.
var ErrUnknown = errors.New("unknown credential")

// Options configure a Proxy. Gate is required.
type Options struct {
	Gate     Gate
	Resolver Resolver                // net.DefaultResolver if nil
	Private  []netip.Prefix          // private networks that may be reached
	Own      func() []netip.AddrPort // addresses that this program listens on: never dialed
	Idle     time.Duration           // idle time after which a tunnel is closed; 10 minutes if 0
	Log      *slog.Logger

	// Certificate issues certificates from a CA that clients trust. Without it, the proxy cannot
	// inspect TLS, and Decision.Inside refuses.
	Certificate func(host string) (*tls.Certificate, error)
	Roots       *x509.CertPool // certificates that verify servers; the system's if nil
	Secrets     Secrets        // optional
	Bodies      Bodies         // optional; if nil, bodies are not checked
	// Refused gets tunnels that were closed because their content did not match the decision; may
	// be nil.
	Refused func(c Client, t Target, why error)
}

// Proxy is an HTTP handler for requests to a forward proxy.
type Proxy struct {
	gate   Gate
	dial   dialer
	idle   time.Duration
	hello  time.Duration // time limit for the beginning of a tunnel
	silent time.Duration // time after which the server may speak first
	log    *slog.Logger
	quiet  *log.Logger // messages of net/http, for debugging

	certificate func(host string) (*tls.Certificate, error)
	roots       *x509.CertPool
	secrets     Secrets
	bodies      Bodies
	inside      *http.Server // serves the requests in tunnels
	terms       *tls.Config  // configuration for inspected TLS

	refused func(c Client, t Target, why error)
	tunnels tunnels
	left    func() // called when a slot becomes free; may be nil

	mu      sync.Mutex // guards the fields below
	clients map[place]int
	plain   map[pool]*http.Transport
}

// pool identifies requests that may share connections to a server. A pool belongs to one client,
// because some servers recognize a client by its connection. A connection to a named host, which
// may be private, serves no other request.
type pool struct {
	client string
	named  bool
}

const maxPools = 256

// maxConnections limits the concurrent requests and tunnels of one client, and its requests in
// tunnels: each may hold a question, and a connection to a server.
const maxConnections = 256

// maxStream limits the buffered part of an HTTP/2 response, in bytes.
const maxStream = 1 << 20

// place is a label of a counter.
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

// CloseIdle makes each later request use a new connection, which is checked. A busy connection ends
// after its requests: net/http would use it again, so its whole pool is dropped.
func (p *Proxy) CloseIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.plain {
		t.CloseIdleConnections()
	}
	clear(p.plain)
}

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
		// Limits responses that a client does not read (default 4 MiB per request).
		HTTP2: &http.HTTP2Config{MaxReceiveBufferPerStream: maxStream, MaxReceiveBufferPerConnection: 16 * maxStream},
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			w, ok := ctx.Value(destinationKey{}).(destination)
			if !ok || w.decision.Named != key.named {
				return nil, errors.New("a connection without a request")
			}
			return p.dial.dial(ctx, &w.target, &w.decision)
		},
	}
	p.plain[key] = t
	return t
}

// destination is the approved target of a plain request.
type destination struct {
	target   Target
	decision Decision
}

type destinationKey struct{}

// ServeHTTP serves a client that sends its credential as the proxy's user and password: the user is
// the name of the session, the password the token.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, password, ok := proxyAuth(r)
	if why := Ambiguous(r); why != nil {
		var c Client // unknown without a valid credential
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

// For returns a handler for the one client of a listener.
func (p *Proxy) For(c Client) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, c) })
}

// proxyAuth removes the credential from a request: the server must not get it.
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
	if p.dial.self(&t) { // do not ask: no answer can open it
		p.unreached(w, &t, errSelf)
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
		refuse(w, v.status(), v)
	default:
		handed = p.tunnel(w, r, c, t, v, at, before)
	}
}

// judge gets a decision on a request, and forwards it if allowed.
func (p *Proxy) judge(w http.ResponseWriter, r *http.Request, c Client, t Target) {
	defer func() {
		if why := cutOf(r); why != nil { // the body was cut: the server got at most a part of it
			p.tellRefused(c, t, why)
		}
	}()
	sent := r.Header
	var hide []string
	if p.secrets != nil {
		// Before the question: no answer may send a secret elsewhere.
		header, mask, err := p.secrets.Reveal(r.Context(), c, t, r.URL.RequestURI(), r.Header)
		if err != nil {
			refuse(w, http.StatusForbidden, Decision{Why: err.Error()})
			return
		}
		if len(mask) > 0 {
			r = r.WithContext(r.Context())
			r.Header, hide = header, mask
			r.Header.Set("Accept-Encoding", "identity") // otherwise an echoed secret could not be masked
			r.Header.Del("Sec-Websocket-Extensions")    // likewise: extensions compress
		}
	}
	before := p.tunnels.before()
	r = withPeek(w, r, sent)
	v, err := p.gate.Judge(r.Context(), c, t)
	switch {
	case err != nil:
		p.fail(w, "judge", err)
	case !v.Allowed:
		refuse(w, v.status(), v)
	default:
		ctx, cancel := context.WithCancel(r.Context()) // this also ends a WebSocket
		defer cancel()
		open := &openTunnel{Tunnel: Tunnel{Client: c, Target: t, Asked: v.ID}, end: cancel}
		p.tunnels.add(open, before)
		defer p.tunnels.drop(open)
		p.forward(w, r.WithContext(ctx), open, v, hide)
	}
}

// enter takes a slot, or refuses the request.
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

// fail reports an internal error, and closes the connection: only the operator sees the details.
func (p *Proxy) fail(w http.ResponseWriter, what string, err error) {
	var later *LaterError
	if errors.As(err, &later) {
		refuse(w, http.StatusServiceUnavailable, Decision{Why: later.Why, Wait: later.Wait})
		return
	}
	p.log.Error("the proxy cannot "+what, "error", err)
	refuse(w, http.StatusBadGateway, Decision{Why: "umpire could not judge this request: its log has the cause"})
}

// refuse denies a request in a form that programs and models can read.
func refuse(w http.ResponseWriter, status int, v Decision) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Umpire", "refused")
	switch {
	case v.Open:
		w.Header().Set("Retry-After", "30")
	case v.Wait > 0:
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(v.Wait.Seconds()))))
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct {
		Error string `json:"error"`
		ID    string `json:"request,omitempty"`
		Open  bool   `json:"pending,omitempty"`
	}{v.Why, v.ID, v.Open})
}

// forward forwards a request and its response, with secrets masked.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, open *openTunnel, v Decision, hide []string) {
	c, t := open.Client, open.Target
	look, strict := false, false
	if p.bodies != nil {
		look, strict = p.bodies.Guards(t)
	}
	// A large body takes time: a request ends only if no data moves.
	control := http.NewResponseController(w)
	var denied atomic.Pointer[deniedError]
	ctx := httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		at := addressOf(got.Conn)
		open.leadsTo(at) // before the check: a rule that comes later finds it in Review
		if err := v.denies(at); err != nil {
			denied.Store(err)
			_ = got.Conn.Close() // before anything is written: net/http then dials, or fails
		}
	}})
	r = r.WithContext(context.WithValue(ctx, destinationKey{}, destination{t, v}))
	// A WebSocket is one request; HTTP/2 would carry more requests without a decision.
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
			out.Trailer = pr.In.Trailer // share it: it is filled after the body
			out.Header.Del("Proxy-Authorization")
			out.Header.Del("Host")
			// A server that expects no body here may read it as the next request, without a
			// decision. So do not reuse this connection.
			out.Close = out.ContentLength != 0 && bodyless(out.Method)
		},
		ModifyResponse: func(a *http.Response) error {
			// A short response is sent in one write with its header; a slow one as it arrives.
			// ReverseProxy handles responses without a length.
			if a.ContentLength > 4<<10 {
				by.FlushInterval = -1
			}
			a.Header.Del("Alt-Svc")  // it offers a route that bypasses this proxy
			a.Header.Del("X-Umpire") // clients that obey umpire's refusals would obey a server's
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
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if why := denied.Load(); why != nil {
				err = why
			}
			p.unreached(w, &t, err)
		},
	}
	by.ServeHTTP(w, r)
}

// bodyless reports whether a body has no meaning in requests with a method (RFC 9110, 9.3).
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

// moving extends a deadline with each read.
type moving struct {
	io.ReadCloser
	putOff func()
}

func (m moving) Read(b []byte) (int, error) {
	m.putOff()
	return m.ReadCloser.Read(b)
}

// maxOpen limits the connections to a server, apart from tunnels, of all clients: each uses a file
// descriptor before the client is known.
const maxOpen = 4096

// Server returns an HTTP server for a Strict listener, with limits on slow clients. It has no limit
// on the time of a request, because a question may hold one.
func Server(h http.Handler) *http.Server { return server(h, maxOpen) }

// Unbounded is Server without the limit on connections, for a listener that people share with agents:
// anyone who opens that many connections would lock all others out.
func Unbounded(h http.Handler) *http.Server { return server(h, math.MaxInt64) }

func server(h http.Handler, most int64) *http.Server {
	var open atomic.Int64
	return &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ConnContext: strictContext, ConnState: func(c net.Conn, s http.ConnState) {
		handedOver(c, s)
		switch s {
		case http.StateNew:
			if open.Add(1) > most {
				_ = c.Close() // the closed connection informs the peer
			}
		case http.StateHijacked, http.StateClosed:
			open.Add(-1)
		}
	}}
}

// unreached reports that a target could not be reached.
func (p *Proxy) unreached(w http.ResponseWriter, t *Target, err error) {
	var refused *RefusedError
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var remote *net.OpError
	var noTLS tls.RecordHeaderError
	var encoded errEncoded
	var stop *stoppedError
	var denied *deniedError
	switch {
	case errors.As(err, &denied):
		p.log.Warn("refused a connection because a rule denies its address", "target", t.Addr(), "reason", denied.why)
		refuse(w, http.StatusForbidden, Decision{Why: denied.why})
	case errors.As(err, &stop):
		refuse(w, http.StatusForbidden, Decision{Why: stop.Error()})
	case errors.As(err, &encoded):
		refuse(w, http.StatusBadGateway, Decision{Why: encoded.Error()})
	case errors.As(err, &refused):
		p.log.Warn("refused a connection because of its address", "target", t.Addr(), "address", refused.Addr, "class", refused.Class)
		refuse(w, http.StatusForbidden, Decision{Why: refused.Error()})
	case errors.Is(err, errSelf):
		p.log.Warn("refused a connection to umpire itself", "target", t.Addr())
		refuse(w, http.StatusForbidden, Decision{Why: errSelf.Error()})
	case errors.As(err, &cert):
		p.log.Warn("a server's certificate is not valid", "target", t.Addr(), "error", cert.Err)
		refuse(w, http.StatusBadGateway, Decision{Why: fmt.Sprintf("the certificate of %s is not valid: %v", t.Host, cert.Err)})
	case errors.As(err, &remote) && remote.Op == "remote error": // as crypto/tls formats it
		refuse(w, http.StatusBadGateway, Decision{Why: fmt.Sprintf("%s ended the handshake: %v. If it requires a client certificate, the operator must pass it to --pass-through", t.Host, remote.Err)})
	case errors.As(err, &noTLS):
		refuse(w, http.StatusBadGateway, Decision{Why: t.Addr() + " does not speak TLS"})
	case errors.As(err, &dns):
		refuse(w, http.StatusBadGateway, Decision{Why: t.Host + ": the name cannot be resolved"})
	default:
		p.log.Info("cannot reach a target", "target", t.Addr(), "error", err)
		refuse(w, http.StatusBadGateway, Decision{Why: t.Addr() + " cannot be reached"})
	}
}
