package modelproxy

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

// TokenHeader is the header for umpire's token, because Authorization carries the upstream's.
const TokenHeader = "X-Umpire-Token"

// Input judges the text of a user; *guard.Input does.
type Input interface {
	Check(ctx context.Context, r guard.Request) guard.Result
}

// Output judges the text of a model; *guard.Output does.
type Output interface {
	Check(ctx context.Context, text string, a guard.Answer) guard.Result
}

// Clean is the sanitized output of a tool.
type Clean struct {
	Text    string
	Marker  string // a random word in Text, which is replaced by one that the output decides
	Tainted bool   // the output tried to steer the model
}

// Options configure a Proxy. An API without an address is not served; a nil check is skipped.
type Options struct {
	OpenAI    *url.URL // base URL as for SDKs, with its /v1
	Anthropic *url.URL // base URL as for SDKs, without /v1

	Admit    Input                      // asked once for a request: whether its user may make one
	Input    Input                      // asked for each text of a user
	Prompt   func(system string) string // returns the new last part of a system prompt: the same each time
	Sanitize func(ctx context.Context, tool, output string) (Clean, error)
	Output   Output
	Stream   func(ctx context.Context, a guard.Answer) Stream // checks streamed text; if nil, the proxy holds text back until it is complete

	Identity Identity // names the sender of a request; its credential if empty

	Key []byte       // key of the marks and caches; a permanent one keeps the upstream's prompt caches; random if empty
	Log *slog.Logger // slog.Default() if nil; it gets no text and no credential

	MaxBody       int           // of a conversation, either way and unpacked, in bytes; 64 MiB if zero
	MaxMemory     int           // for all requests together, in bytes; 512 MiB if zero
	HeaderTimeout time.Duration // until the upstream answers; 10 minutes if zero
	IdleTimeout   time.Duration // between two bytes of either side; 5 minutes if zero

	// Taint gets each request with a tool result that tried to steer the model, for clients that
	// name their session. The platform is as hooks know it.
	Taint     func(platform, session, tool string)
	Observe   func(Seen)        // gets each conversation, in the request's goroutine
	Transport http.RoundTripper // for tests
}

// Seen is the outcome of a request, for metrics.
type Seen struct {
	Format  string // "chat", "completions", "responses", "messages" or "other"
	Outcome string // "passed", "rejected" by a check, or "failed"
	Tools   int    // tool results that were not seen before
	Cleaned int    // of these, how many were changed
	Tainted int    // and how many tried to steer the model
}

// Proxy is an http.Handler.
type Proxy struct {
	o      Options
	known  *known
	memory budget

	via     string   // the name of this proxy in the Via header of requests, as RFC 9110 describes it
	private []string // headers that name users, and are not passed on
	rp      *httputil.ReverseProxy
}

// New returns a proxy.
func New(o Options) *Proxy {
	if len(o.Key) == 0 {
		o.Key = make([]byte, 32)
		_, _ = rand.Read(o.Key) // never fails, by its documentation
	}
	var private []string
	for _, name := range [...]string{o.Identity.UserHeader, o.Identity.TenantHeader, o.Identity.TokenHeader} {
		if name != "" && !strings.EqualFold(name, "Authorization") && !strings.EqualFold(name, "X-Api-Key") {
			private = append(private, name)
		}
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 64 << 20
	}
	if o.MaxMemory <= 0 {
		o.MaxMemory = 512 << 20
	}
	if o.HeaderTimeout <= 0 {
		o.HeaderTimeout = 10 * time.Minute
	}
	if o.IdleTimeout <= 0 {
		o.IdleTimeout = 5 * time.Minute
	}
	if o.Transport == nil {
		o.Transport = transport(o.HeaderTimeout)
	}
	p := &Proxy{o: o, via: "1.1 umpire-" + rand.Text(), private: private, known: newKnown(o.MaxMemory / 8)}
	p.memory.left.Store(int64(o.MaxMemory))
	p.rp = &httputil.ReverseProxy{
		Rewrite:        rewrite,
		Transport:      o.Transport, // asked for one round trip, so that no redirect is followed
		FlushInterval:  -1,
		ModifyResponse: p.answered,
		ErrorHandler:   p.failed,
		ErrorLog:       slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
	}
	return p
}

// transport makes connections to upstreams.
func transport(header time.Duration) *http.Transport {
	return &http.Transport{
		// A forward proxy is asked for tunnels only: it would see the credentials of the rest.
		Proxy: func(r *http.Request) (*url.URL, error) {
			if r.URL.Scheme != "https" {
				return nil, nil
			}
			return http.ProxyFromEnvironment(r)
		},
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  header,
		MaxResponseHeaderBytes: 256 << 10,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
	}
}

// exchange is one request on its way.
type exchange struct {
	format    format
	anthropic bool
	target    *url.URL
	body      []byte // replaces the client's body, if set
	read      bool
	answer    guard.Answer
	via       string
	private   []string // headers that are not passed on
	share     share
	seen      Seen
	claude    bool   // the client is Claude Code
	session   string // as it names it
	cancel    context.CancelFunc
	silent    atomic.Bool // the upstream was silent for too long
	client    *http.ResponseController
}

type callKey struct{}

func callOf(ctx context.Context) *exchange { c, _ := ctx.Value(callKey{}).(*exchange); return c }

// perRequest is the memory that every request is assumed to need.
const perRequest = 128 << 10

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	c := &exchange{via: p.via, private: p.private, share: share{from: &p.memory}, cancel: cancel, client: http.NewResponseController(w)}
	c.seen.Outcome = "passed"
	defer func() {
		c.seen.Format = c.format.String()
		p.o.Log.DebugContext(ctx, "request", "format", c.seen.Format, "outcome", c.seen.Outcome, "tools", c.seen.Tools, "cleaned", c.seen.Cleaned, "took", time.Since(start))
		if p.o.Observe != nil {
			p.o.Observe(c.seen)
		}
	}()
	defer c.share.free() // before the client learns that the request has ended
	if f := p.prepare(ctx, c, r); f != nil {
		p.refuse(w, c, f)
		return
	}
	out := r.WithContext(context.WithValue(ctx, callKey{}, c))
	p.rp.ServeHTTP(w, out)
}

// prepare reads and judges a request.
func (p *Proxy) prepare(ctx context.Context, c *exchange, r *http.Request) *fault {
	if slices.ContainsFunc(r.Header.Values("Via"), func(v string) bool { return strings.Contains(v, p.via) }) {
		return &fault{http.StatusLoopDetected, "server_error", "upstream_loop", "the request came back: the upstream leads to this proxy; configure the address of a model API", 0}
	}
	if !clean(r) {
		return &fault{http.StatusBadRequest, "invalid_request_error", "invalid_path", "the path can be read in two ways: write it without dots, empty parts and escapes", 0}
	}
	c.format = formatOf(r.URL.Path)
	if f := p.route(c, r); f != nil {
		return f
	}
	if r.Header.Get("Upgrade") != "" {
		return &fault{http.StatusUpgradeRequired, "invalid_request_error", "no_upgrade", "WebSockets are not served: use plain HTTP", 0}
	}
	if !c.share.take(perRequest) {
		return errBusy
	}
	if c.format == plain || r.Body == nil || r.Body == http.NoBody || !p.judges() {
		return nil
	}
	body, f := p.receive(c, r)
	if f != nil || len(body) == 0 {
		c.read = true
		return f
	}
	c.claude = c.format == messages && strings.HasPrefix(r.Header.Get("User-Agent"), "claude-cli/")
	if id := r.Header.Get("X-Claude-Code-Session-Id"); c.claude && len(id) <= 200 {
		c.session = id // the ID that its hooks get
	}
	who, f := p.identity(r, body)
	if f != nil {
		return f
	}
	c.answer.UserID, c.answer.TenantID, c.answer.Metadata = who.ids[0], who.tenant, who.metadata()
	body, err := p.in(ctx, c, who.ids, body, counts(r.URL.Path))
	if err != nil {
		return asFault(err, errClosed)
	}
	c.body, c.read = body, true
	return nil
}

// judges reports whether there is a check for which a request must be read.
func (p *Proxy) judges() bool {
	return p.o.Admit != nil || p.o.Input != nil || p.o.Prompt != nil || p.o.Sanitize != nil || p.o.Output != nil
}

// counts reports whether a path only counts tokens.
func counts(path string) bool {
	return strings.HasSuffix(path, "/count_tokens") || strings.HasSuffix(path, "/input_tokens")
}

// route selects the upstream of a request: by the first part of its path, if that names one,
// otherwise by a path that only one of the APIs has.
func (p *Proxy) route(c *exchange, r *http.Request) *fault {
	path := r.URL.Path
	named := false
	if rest, ok := strings.CutPrefix(path, "/anthropic/"); ok {
		path, c.anthropic, named = "/"+rest, true, true
	} else if rest, ok := strings.CutPrefix(path, "/openai/v1/"); ok {
		path, named = "/v1/"+rest, true
	} else {
		c.anthropic = c.format == messages || c.format == plain && (r.Header.Get("Anthropic-Version") != "" || r.Header.Get("X-Api-Key") != "")
	}
	base := p.o.OpenAI
	if c.anthropic {
		base = p.o.Anthropic
	}
	if base == nil && c.format == plain && !named { // both have it, such as the list of models
		c.anthropic = !c.anthropic
		if base = p.o.OpenAI; c.anthropic {
			base = p.o.Anthropic
		}
	}
	if base == nil {
		api := "OpenAI"
		if c.anthropic {
			api = "Anthropic"
		}
		return &fault{http.StatusNotFound, "invalid_request_error", "no_upstream", "no " + api + "-compatible upstream is configured: start umpire guard serve with --" + strings.ToLower(api) + "-upstream", 0}
	}
	at := strings.Trim(base.Path, "/")
	if !c.anthropic && at != "" {
		if rest, ok := strings.CutPrefix(path, "/v1"); ok && (rest == "" || rest[0] == '/') {
			path = rest
		}
	}
	if at != "" {
		at = "/" + at
	}
	c.target = &url.URL{Scheme: base.Scheme, Host: base.Host, Path: at + path, RawQuery: r.URL.RawQuery}
	return nil
}

// credentials identifies the senders of a request by hashes of its credentials, [""] if it has none. It is
// unknown which of several the upstream uses: a sender may change the others to evade a limit.
func (p *Proxy) credentials(r *http.Request) []string {
	var out []string
	for _, h := range []string{"Authorization", "X-Api-Key", "Api-Key"} {
		for _, v := range r.Header.Values(h) {
			d := keyed(p.o.Key, "user", v)
			if id := "key-" + hex.EncodeToString(d[:8]); v != "" && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	if out == nil {
		return []string{""}
	}
	return out
}

// receive reads the body of a conversation.
func (p *Proxy) receive(c *exchange, r *http.Request) ([]byte, *fault) {
	if r.ContentLength > int64(p.o.MaxBody) {
		return nil, errTooLarge
	}
	start := time.Now()
	var in io.Reader = &meteredReader{Reader: r.Body, before: func(n int) {
		idle, slow := time.Now().Add(p.o.IdleTimeout), start.Add(p.o.IdleTimeout+time.Duration(n)*time.Second/leastRate)
		if slow.Before(idle) {
			idle = slow
		}
		_ = c.client.SetReadDeadline(idle) // fails only where the server has no deadlines
	}}
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, &fault{http.StatusBadRequest, "invalid_request_error", "invalid_body", "the body is not valid gzip", 0}
		}
		in = z
	default:
		return nil, &fault{http.StatusUnsupportedMediaType, "invalid_request_error", "unsupported_encoding", "unknown Content-Encoding: send the body plain or as gzip", 0}
	}
	body, err := c.share.readAll(in, p.o.MaxBody)
	_ = c.client.SetReadDeadline(time.Time{})
	if err != nil {
		return nil, asFault(err, &fault{http.StatusBadRequest, "invalid_request_error", "invalid_body", "the body is incomplete: send it again", 1})
	}
	if !c.share.take(len(body)) { // for the texts in it
		return nil, errBusy
	}
	return body, nil
}

// leastRate is the least rate in bytes per second at which a body must arrive after a first
// IdleTimeout: a slow client would hold its share of the memory indefinitely.
const leastRate = 1 << 10

// meteredReader does something before each read, and knows how many bytes there were.
type meteredReader struct {
	io.Reader
	n      int
	before func(n int)
}

func (p *meteredReader) Read(b []byte) (int, error) {
	p.before(p.n)
	n, err := p.Reader.Read(b)
	p.n += n
	return n, err
}

// rewrite makes the request for the upstream.
func rewrite(pr *httputil.ProxyRequest) {
	c := callOf(pr.In.Context())
	pr.Out.URL = c.target
	pr.Out.Host = ""
	h := pr.Out.Header
	h.Del(TokenHeader)
	for _, name := range c.private {
		h.Del(name)
	}
	h.Del("Expect")
	h.Add("Via", c.via)
	if c.format == plain {
		return
	}
	h.Set("Accept-Encoding", "identity") // a compressed response cannot be judged while it arrives
	if !c.read {
		return
	}
	h.Del("Content-Encoding")
	h.Del("Content-Md5")
	h.Del("Digest")
	h.Del("Content-Digest")
	pr.Out.TransferEncoding = nil
	pr.Out.ContentLength = int64(len(c.body))
	if h.Get("Content-Length") != "" {
		h.Set("Content-Length", strconv.Itoa(len(c.body)))
	}
	// With it, a request is sent again that met a connection just closed for being idle.
	pr.Out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c.body)), nil }
	pr.Out.Body, _ = pr.Out.GetBody()
	if len(c.body) == 0 {
		pr.Out.Body, pr.Out.GetBody = http.NoBody, nil
	}
}

// failed answers for an upstream that did not.
func (p *Proxy) failed(w http.ResponseWriter, r *http.Request, err error) {
	c := callOf(r.Context())
	if c.seen.Outcome == "passed" {
		c.seen.Outcome = "failed"
	}
	f := &fault{http.StatusBadGateway, "server_error", "upstream_unreachable", "cannot reach the upstream: try again, and see umpire's log", 1}
	var network net.Error
	switch {
	case errors.As(err, &f):
	case c.silent.Load() || errors.As(err, &network) && network.Timeout():
		f = errSilent
	}
	if r.Context().Err() == nil && c.seen.Outcome == "failed" {
		p.o.Log.WarnContext(r.Context(), "no answer from the upstream", "code", f.code, "error", err)
	}
	p.refuse(w, c, f)
}

// refuse answers with a fault.
func (p *Proxy) refuse(w http.ResponseWriter, c *exchange, f *fault) {
	if c.seen.Outcome == "passed" {
		c.seen.Outcome = "failed"
	}
	var id [8]byte
	_, _ = rand.Read(id[:])
	name := "umpire_" + hex.EncodeToString(id[:])
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Request-Id", name)
	h.Set("X-Request-Id", name)
	if f.after > 0 {
		h.Set("Retry-After", strconv.Itoa(f.after))
	}
	if f == errTooLarge {
		h.Set("Connection", "close") // the rest of the body is not read
	}
	_ = c.client.SetWriteDeadline(time.Now().Add(p.o.IdleTimeout))
	w.WriteHeader(f.status)
	_, _ = w.Write(f.body(c.anthropic))
}
