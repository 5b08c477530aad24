package modelproxy

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

// TokenHeader is where a client shows umpire's own token, since Authorization is the
// upstream's. It is not passed on.
const TokenHeader = "X-Umpire-Token"

// Input judges the text of a user; *guard.Input does.
type Input interface {
	Check(ctx context.Context, r guard.Request) guard.Result
}

// Output judges the text of a model; *guard.Output does.
type Output interface {
	Check(ctx context.Context, text string, a guard.Answer) guard.Result
}

// Clean is what a tool's output became.
type Clean struct {
	Text    string
	Marker  string // a random word in Text, which is replaced by one that the output decides
	Tainted bool   // it tried to steer the model
}

// Options are what a Proxy does. An API without an address is not served; a check that is
// nil is not made.
type Options struct {
	OpenAI    *url.URL // as SDKs have it, with its /v1
	Anthropic *url.URL // as SDKs have it, without

	Admit    Input // asked once for a request: whether its user may make one
	Input    Input // asked for each text of a user
	Sanitize func(ctx context.Context, tool, output string) (Clean, error)
	Output   Output
	Stream   func(ctx context.Context, a guard.Answer) Stream // Output's while text streams; without it, a text is held back whole

	Key []byte       // of the marks and caches; one that stays keeps the upstream's prompt caches; random if empty
	Log *slog.Logger // slog.Default() if nil. It gets no text and no credential

	MaxBody       int           // of a conversation, either way and unpacked, in bytes; 64 MiB if zero
	MaxMemory     int           // for all requests together, in bytes; 512 MiB if zero
	HeaderTimeout time.Duration // until the upstream answers; 10 minutes if zero
	IdleTimeout   time.Duration // between two bytes of either side; 5 minutes if zero

	// Taint is told, for clients that name their session, of each request of one that has a
	// tool's result which tried to steer the model; the platform is as hooks know it.
	Taint     func(platform, session, tool string)
	Observe   func(Seen)        // told of each conversation, in the request's goroutine
	Transport http.RoundTripper // for tests
}

// Seen is what happened to a request, for metrics.
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
	rp     *httputil.ReverseProxy
}

// New returns a proxy.
func New(o Options) *Proxy {
	if len(o.Key) == 0 {
		o.Key = make([]byte, 32)
		_, _ = rand.Read(o.Key) // never fails, by its documentation
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
	p := &Proxy{o: o, known: newKnown(o.MaxMemory / 8)}
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

// call is one request on its way.
type call struct {
	format    format
	anthropic bool
	target    *url.URL
	body      []byte // instead of the client's, if read
	read      bool
	answer    guard.Answer
	share     share
	seen      Seen
	claude    bool   // the client is Claude Code
	session   string // as it names it
	cancel    context.CancelFunc
	silent    atomic.Bool // the upstream said nothing for too long
	client    *http.ResponseController
}

type callKey struct{}

func callOf(ctx context.Context) *call { c, _ := ctx.Value(callKey{}).(*call); return c }

// perRequest is the memory that any request is taken to need.
const perRequest = 128 << 10

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	c := &call{share: share{from: &p.memory}, cancel: cancel, client: http.NewResponseController(w)}
	defer c.share.free()
	c.seen.Outcome = "passed"
	defer func() {
		c.seen.Format = c.format.String()
		if p.o.Observe != nil {
			p.o.Observe(c.seen)
		}
		p.o.Log.DebugContext(ctx, "request", "format", c.seen.Format, "outcome", c.seen.Outcome, "tools", c.seen.Tools, "cleaned", c.seen.Cleaned, "took", time.Since(start))
	}()
	if f := p.prepare(ctx, c, r); f != nil {
		p.refuse(w, c, f)
		return
	}
	out := r.WithContext(context.WithValue(ctx, callKey{}, c))
	p.rp.ServeHTTP(w, out)
}

// prepare reads and judges a request.
func (p *Proxy) prepare(ctx context.Context, c *call, r *http.Request) *fault {
	if !clean(r) {
		return &fault{http.StatusBadRequest, "invalid_request_error", "invalid_path", "the path can be read in two ways: write it without dots, empty parts and escapes", false}
	}
	c.format = formatOf(r.URL.Path)
	if f := p.route(c, r); f != nil {
		return f
	}
	if r.Header.Get("Upgrade") != "" {
		return &fault{http.StatusUpgradeRequired, "invalid_request_error", "no_upgrade", "WebSockets are not served: use plain HTTP", false}
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
		c.session = id // the one that its hooks are told
	}
	user := p.user(r)
	c.answer.UserID = user
	body, err := p.in(ctx, c, user, body, counts(r.URL.Path))
	if err != nil {
		return asFault(err, errClosed)
	}
	c.body, c.read = body, true
	return nil
}

// judges reports whether there is a check for which a request must be read.
func (p *Proxy) judges() bool {
	return p.o.Admit != nil || p.o.Input != nil || p.o.Sanitize != nil || p.o.Output != nil
}

// counts reports whether a path only counts tokens.
func counts(path string) bool {
	return strings.HasSuffix(path, "/count_tokens") || strings.HasSuffix(path, "/input_tokens")
}

// route finds the upstream of a request: by the first part of its path, if that names one,
// else by what only one of the APIs has.
func (p *Proxy) route(c *call, r *http.Request) *fault {
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
		return &fault{http.StatusNotFound, "invalid_request_error", "no_upstream", "no " + api + "-compatible upstream is configured: start umpire guard serve with --" + strings.ToLower(api) + "-upstream", false}
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

// user names who asks by its credential, without telling that.
func (p *Proxy) user(r *http.Request) string {
	for _, h := range []string{"Authorization", "X-Api-Key", "Api-Key"} {
		if v := r.Header.Get(h); v != "" {
			d := keyed(p.o.Key, "user", v)
			return "key-" + hex.EncodeToString(d[:8])
		}
	}
	return ""
}

// receive reads the body of a conversation.
func (p *Proxy) receive(c *call, r *http.Request) ([]byte, *fault) {
	if r.ContentLength > int64(p.o.MaxBody) {
		return nil, errTooLarge
	}
	var in io.Reader = &paced{Reader: r.Body, before: func() { _ = c.client.SetReadDeadline(time.Now().Add(p.o.IdleTimeout)) }}
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, &fault{http.StatusBadRequest, "invalid_request_error", "invalid_body", "the body is not the gzip that it says it is", false}
		}
		in = z
	default:
		return nil, &fault{http.StatusUnsupportedMediaType, "invalid_request_error", "unsupported_encoding", "the body's Content-Encoding is not known: send it plain or as gzip", false}
	}
	body, err := c.share.readAll(in, p.o.MaxBody)
	_ = c.client.SetReadDeadline(time.Time{})
	if err != nil {
		return nil, asFault(err, &fault{http.StatusBadRequest, "invalid_request_error", "invalid_body", "the body did not come in full: send it again", true})
	}
	if !c.share.take(len(body)) { // for the texts in it
		return nil, errBusy
	}
	return body, nil
}

// paced does something before each read.
type paced struct {
	io.Reader
	before func()
}

func (p *paced) Read(b []byte) (int, error) {
	p.before()
	return p.Reader.Read(b)
}

// maxJoined is up to how many bytes the newest texts are judged together as well.
const maxJoined = 64 << 10

// maxHistory is how many turns before a text are told with it.
const maxHistory = 10

// in judges a conversation and returns the body that goes on.
func (p *Proxy) in(ctx context.Context, c *call, user string, body []byte, counting bool) ([]byte, error) {
	d, root, err := parse(body)
	if err != nil {
		return nil, err
	}
	r := &reader{doc: d}
	said := c.format.read(r, root)
	if r.err != nil {
		return nil, r.err
	}
	c.answer.System = strings.Join(said.system, "\n")
	if p.o.Admit != nil && !counting {
		if res := p.o.Admit.Check(ctx, guard.Request{UserID: user, Channel: "proxy"}); res.Verdict == guard.Rejected {
			return nil, p.stopped(ctx, c, "the request", res)
		}
	}
	var edits []edit
	if p.o.Input != nil {
		if edits, err = p.users(ctx, c, r, user, said); err != nil {
			return nil, err
		}
	}
	if p.o.Sanitize != nil {
		for _, t := range said.tools {
			o, err := p.tool(ctx, c, r, t)
			if err != nil {
				return nil, err
			}
			if o.changed {
				edits = append(edits, edit{t.node, quote(o.text)})
			}
			if o.tainted && c.session != "" && p.o.Taint != nil {
				p.o.Taint("claude", c.session, t.tool)
			}
		}
	}
	return d.apply(edits), nil
}

// stopped is a text's rejection, which it counts and logs.
func (p *Proxy) stopped(ctx context.Context, c *call, what string, res guard.Result) *fault {
	c.seen.Outcome = "rejected"
	p.o.Log.InfoContext(ctx, "stopped", "what", what, "format", c.format.String(), "stage", res.Stage, "category", string(res.Category))
	return rejected(what, res)
}

// users judges what users wrote. The newest texts are judged in any case, one by one and
// together; those before once, and then known: a client may send a past that it made up.
func (p *Proxy) users(ctx context.Context, c *call, r *reader, user string, said conversation) ([]edit, error) {
	var edits []edit
	var joined []string
	size := 0
	for i, t := range said.users {
		isNew := i >= said.newest
		key := keyed(p.o.Key, "text", string(r.raw(t.node)))
		o, ok := p.known.get(key)
		if !ok || isNew {
			if t.decode(r) || c.claude && reminder(t.text) {
				continue
			}
			req := guard.Request{UserID: user, Channel: "proxy", Text: t.text}
			if past := history(r, said, i); isNew && len(past) > 0 {
				req.Metadata = map[string]any{guard.HistoryKey: past}
			}
			res := p.o.Input.Check(ctx, req)
			if res.Verdict == guard.Rejected {
				return nil, p.stopped(ctx, c, "the prompt", res)
			}
			o = outcome{key: key, changed: res.Verdict == guard.Modified && res.Text != t.text}
			if o.changed {
				o.text = res.Text
			}
			p.known.put(o)
		}
		if o.changed {
			edits = append(edits, edit{t.node, quote(o.text)})
		}
		if isNew {
			joined = append(joined, t.text)
			size += len(t.text)
		}
	}
	if len(joined) > 1 && size <= maxJoined {
		// Each half of a sentence may be harmless. That the whole is longer than one text may
		// be is no fault.
		res := p.o.Input.Check(ctx, guard.Request{UserID: user, Channel: "proxy", Text: strings.Join(joined, "\n")})
		if res.Verdict == guard.Rejected && res.Category != guard.InvalidInput {
			return nil, p.stopped(ctx, c, "the prompt", res)
		}
	}
	return edits, nil
}

// reminder reports whether a text is nothing but words of Claude Code's own, which it says
// where users speak: the project's instructions, among others, and that they override what
// was said before. They are of the rank of a system prompt. Who could forge one writes the
// whole request, or sits at that Claude Code.
func reminder(text string) bool {
	in, opened := strings.CutPrefix(strings.TrimSpace(text), "<system-reminder>")
	in, closed := strings.CutSuffix(in, "</system-reminder>")
	return opened && closed && !strings.Contains(in, "system-reminder>")
}

// history returns the users' turns before the newest, oldest first.
func history(r *reader, said conversation, i int) []any {
	if i < said.newest {
		return nil
	}
	var past []any
	for _, t := range said.users[max(0, said.newest-maxHistory):said.newest] {
		if !t.decode(r) {
			past = append(past, t.text)
		}
	}
	return past
}

// tool sanitizes what a tool gave back, once.
func (p *Proxy) tool(ctx context.Context, c *call, r *reader, t part) (outcome, error) {
	kind := "tool"
	if t.side {
		kind = "side"
	}
	key := keyed(p.o.Key, kind, t.tool, string(r.raw(t.node)))
	if o, ok := p.known.get(key); ok || t.decode(r) {
		return o, nil
	}
	res, err := p.o.Sanitize(ctx, t.tool, t.text)
	if err != nil {
		c.seen.Outcome = "failed"
		p.o.Log.ErrorContext(ctx, "the sanitizer failed, and the request was stopped", "error", err)
		return outcome{}, errClosed
	}
	if res.Marker != "" {
		// Random marks would be others at each turn, and no prompt cache would ever be hit. Who
		// does not have the key cannot write an output that holds its own mark.
		mark := keyed(p.o.Key, "mark", t.tool, t.text)
		res.Text = strings.ReplaceAll(res.Text, res.Marker, hex.EncodeToString(mark[:])[:min(2*len(mark), max(16, len(res.Marker)))])
	}
	o := outcome{key: key, changed: res.Text != t.text && (res.Tainted || !t.side)}
	c.seen.Tools++
	if o.changed {
		o.text = res.Text
		c.seen.Cleaned++
	}
	if res.Tainted {
		c.seen.Tainted++
		o.tainted = true
	}
	p.known.put(o)
	return o, nil
}

// rewrite makes the request for the upstream.
func rewrite(pr *httputil.ProxyRequest) {
	c := callOf(pr.In.Context())
	pr.Out.URL = c.target
	pr.Out.Host = ""
	h := pr.Out.Header
	h.Del(TokenHeader)
	h.Del("Expect")
	if c.format == plain {
		return
	}
	h.Set("Accept-Encoding", "identity") // what is packed cannot be judged as it comes
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

// answered judges an answer on its way out.
func (p *Proxy) answered(res *http.Response) error {
	c := callOf(res.Request.Context())
	if res.StatusCode >= 300 && res.StatusCode < 400 && res.StatusCode != http.StatusNotModified {
		// A client that follows it takes its credentials elsewhere.
		return &fault{http.StatusBadGateway, "server_error", "upstream_redirects", "the upstream redirects, which is not followed: configure the address that it redirects to", false}
	}
	body := &upstreamBody{ReadCloser: res.Body, c: c, idle: p.o.IdleTimeout}
	body.timer = time.AfterFunc(p.o.IdleTimeout, func() {
		c.silent.Store(true)
		c.cancel()
	})
	res.Body = body
	if c.format == plain || p.o.Output == nil || res.StatusCode >= 300 || res.StatusCode == http.StatusNoContent || res.Request.Method == http.MethodHead {
		return nil
	}
	var in io.Reader = body
	switch strings.ToLower(res.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(body)
		if err != nil {
			return upstreamFault
		}
		in = z
	default:
		return upstreamFault
	}
	ctx := res.Request.Context()
	j := &judge{ctx: ctx, output: p.o.Output, answer: c.answer,
		stop: func(res guard.Result) error { return p.stopped(ctx, c, "the model's answer", res) }}
	for _, h := range []string{"Content-Encoding", "Content-Length", "Content-Md5", "Digest", "Content-Digest", "Etag"} {
		res.Header.Del(h)
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/event-stream" {
		res.ContentLength = -1
		res.Body = p.stream(j, c, in, body)
		return nil
	}
	whole, err := c.share.readAll(in, p.o.MaxBody)
	if err != nil {
		if c.silent.Load() {
			return errSilent
		}
		return asFault(err, &fault{http.StatusBadGateway, "server_error", "upstream_cut", "the upstream's answer did not come in full: try again", true})
	}
	_ = body.Close()
	if len(bytes.TrimSpace(whole)) > 0 {
		if whole, err = j.rewrite(c.format, whole); err != nil {
			return err
		}
	}
	res.Body = &slowly{Reader: bytes.NewReader(whole), c: c, idle: p.o.IdleTimeout}
	res.ContentLength = int64(len(whole))
	res.Header.Set("Content-Length", strconv.Itoa(len(whole)))
	return nil
}

var errSilent = &fault{http.StatusGatewayTimeout, "server_error", "upstream_silent", "the upstream said nothing for too long: try again", true}

// upstreamBody gives up on an upstream that says nothing, and on a client that takes nothing.
type upstreamBody struct {
	io.ReadCloser
	c     *call
	idle  time.Duration
	timer *time.Timer
}

func (b *upstreamBody) Read(buf []byte) (int, error) {
	b.timer.Reset(b.idle)
	n, err := b.ReadCloser.Read(buf)
	b.timer.Stop()
	_ = b.c.client.SetWriteDeadline(time.Now().Add(b.idle)) // for what is written next
	return n, err
}

func (b *upstreamBody) Close() error {
	b.timer.Stop()
	return b.ReadCloser.Close()
}

// slowly is a body that is there, for a client that need not be fast but must go on.
type slowly struct {
	io.Reader
	c    *call
	idle time.Duration
}

func (s *slowly) Read(b []byte) (int, error) {
	_ = s.c.client.SetWriteDeadline(time.Now().Add(s.idle))
	return s.Reader.Read(b[:min(len(b), 32<<10)])
}

func (s *slowly) Close() error { return nil }

// stream is a body of events that are judged as they are read.
func (p *Proxy) stream(j *judge, c *call, in io.Reader, close io.Closer) io.ReadCloser {
	open := func() Stream {
		if p.o.Stream != nil {
			return p.o.Stream(j.ctx, c.answer)
		}
		return &collected{j: j}
	}
	keep := func(n int) error {
		if !c.share.take(n) {
			return errBusy
		}
		return nil
	}
	return &eventBody{p: p, c: c, Closer: close, src: bufio.NewReaderSize(in, 16<<10), frames: newFrames(c.format, open, j.whole, keep), ctx: j.ctx}
}

// collected is a Stream that holds all back until its end.
type collected struct {
	j    *judge
	text strings.Builder
}

func (s *collected) Write(text string) (string, error) {
	s.text.WriteString(text)
	if s.text.Len() > maxCollected {
		return "", errTooLarge
	}
	return "", nil
}

func (s *collected) Close() (string, error) { return s.j.whole(s.text.String()) }

const maxCollected = 16 << 20

// eventBody is the body of an answer that streams.
type eventBody struct {
	io.Closer
	p       *Proxy
	c       *call
	ctx     context.Context
	src     *bufio.Reader
	frames  *frames
	buf     []byte // of the event that was read last
	pending []byte // to be sent
	err     error  // after that
}

func (b *eventBody) Read(out []byte) (int, error) {
	for len(b.pending) == 0 || b.err == nil && len(b.pending) < len(out)/2 && b.another() {
		if b.err != nil {
			return 0, b.err
		}
		var more []byte
		more, b.err = b.next()
		b.pending = append(b.pending, more...)
	}
	n := copy(out, b.pending)
	b.pending = b.pending[n:]
	return n, nil
}

// another reports whether one more event is there, so that it need not be waited for.
func (b *eventBody) another() bool {
	there, _ := b.src.Peek(b.src.Buffered())
	return bytes.Contains(there, []byte("\n\n")) || bytes.Contains(there, []byte("\n\r\n"))
}

// next returns what is sent for the next event. After a fault that is an event of its own,
// and the stream ends; when the upstream's connection ends too soon, so does the client's.
func (b *eventBody) next() ([]byte, error) {
	e, err := nextEvent(b.src, b.buf)
	b.buf = e.raw
	switch {
	case errors.Is(err, io.EOF):
		if b.frames.complete() {
			return nil, io.EOF
		}
		return nil, io.ErrUnexpectedEOF
	case errors.Is(err, errEventTooLarge):
		return b.fault(upstreamFault), io.EOF
	case err != nil && b.c.silent.Load():
		return b.fault(errSilent), io.EOF
	case err != nil:
		b.c.seen.Outcome = "failed"
		return nil, io.ErrUnexpectedEOF
	}
	out, err := b.frames.take(&e)
	if err != nil {
		return b.fault(b.p.streamFault(b.ctx, b.c, err)), io.EOF
	}
	return out, nil
}

// streamFault says why a text was stopped.
func (p *Proxy) streamFault(ctx context.Context, c *call, err error) *fault {
	var s *Stopped
	if errors.As(err, &s) {
		return p.stopped(ctx, c, "the model's answer", s.Result)
	}
	c.seen.Outcome = "failed"
	return asFault(err, errClosed)
}

func (b *eventBody) fault(f *fault) []byte {
	if b.c.seen.Outcome == "passed" {
		b.c.seen.Outcome = "failed"
	}
	b.c.cancel() // the upstream need not go on
	return f.event(b.frames.format, b.frames.seq+b.frames.added+1)
}

// failed answers for an upstream that did not.
func (p *Proxy) failed(w http.ResponseWriter, r *http.Request, err error) {
	c := callOf(r.Context())
	if c.seen.Outcome == "passed" {
		c.seen.Outcome = "failed"
	}
	f := &fault{http.StatusBadGateway, "server_error", "upstream_unreachable", "the upstream could not be reached: try again, and look into the log of umpire", true}
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
func (p *Proxy) refuse(w http.ResponseWriter, c *call, f *fault) {
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
	if f == errBusy {
		h.Set("Retry-After", "1")
	}
	if f == errTooLarge {
		h.Set("Connection", "close") // the rest of the body is not read
	}
	_ = c.client.SetWriteDeadline(time.Now().Add(p.o.IdleTimeout))
	w.WriteHeader(f.status)
	_, _ = w.Write(f.body(c.anthropic))
}
