package wire

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Key is a secret that is available while a request is written. Reviews keep keys in locked memory.
type Key interface {
	Use(f func(key []byte) error) error
}

// Plain is a key on the heap.
type Plain string

// Use implements Key.
func (p Plain) Use(f func(key []byte) error) error { return f([]byte(p)) }

// String keeps a key out of formatted text.
func (Plain) String() string { return "[REDACTED]" }

// Client sends requests to the API of one provider or service. It adds the key and follows no
// redirect. Any response without status 200 is a Fault.
type Client struct {
	Key       Key    // optional
	Anthropic bool   // how the key is sent
	KeyHeader string // header for the key; "" means the protocol's

	Idle   time.Duration // limit of silence from the server; 3 min if 0
	Life   time.Duration // time limit of one response; 30 min if 0
	Most   int64         // size limit of a response in bytes; 64 MiB if 0
	Line   int           // size limit of a line in bytes; no limit if 0
	Buffer bool          // read a response completely before Do returns it
}

// maxSaid limits how much of an error response is read, in bytes.
const maxSaid = 64 << 10

var transport = &http.Transport{
	Proxy:                  http.ProxyFromEnvironment,
	DialContext:            (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
	TLSHandshakeTimeout:    15 * time.Second,
	MaxResponseHeaderBytes: 64 << 10,
	IdleConnTimeout:        90 * time.Second,
	MaxIdleConnsPerHost:    8,
	ForceAttemptHTTP2:      true,
}

// Do sends a request once. Errors of it and of the body are Faults, or the cause of the
// request's context.
func (c *Client) Do(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	idle, life := orElse(c.Idle, 3*time.Minute), orElse(c.Life, 30*time.Minute)
	b := &body{c: c, ctx: ctx, caller: r.Context(), cancel: cancel, left: c.Most, limit: idle}
	b.left = cmp.Or(b.left, 64<<20)
	b.idle = time.AfterFunc(idle, func() { cancel(&Fault{Kind: Silent}) })
	b.life = time.AfterFunc(life, func() { cancel(&Fault{Kind: Silent}) })
	sent := r.Clone(ctx)
	// Remove a key that the caller set.
	sent.Header.Del("X-Api-Key")
	sent.Header.Del("Authorization")
	if c.KeyHeader != "" {
		sent.Header.Del(c.KeyHeader)
	}
	if err := c.sign(sent.Header); err != nil {
		b.stop()
		return nil, err
	}
	// The signed copy is not stored. Its header is not cleared: the transport may still read it
	// when a server answers early.
	resp, err := transport.RoundTrip(sent)
	if err != nil {
		err = b.fault(err, false)
		b.stop()
		return nil, err
	}
	b.idle.Reset(idle)
	b.raw, resp.Body, resp.Request = resp.Body, b, r
	if resp.StatusCode != http.StatusOK {
		defer func() { _ = b.Close() }() // the part that was read is enough
		return nil, c.failed(resp)
	}
	if !c.Buffer {
		return resp, nil
	}
	defer func() { _ = b.Close() }()
	whole, err := io.ReadAll(b)
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(whole))
	return resp, nil
}

// sign adds the key.
func (c *Client) sign(h http.Header) error {
	if c.Anthropic && h.Get("Anthropic-Version") == "" {
		h.Set("Anthropic-Version", "2023-06-01")
	}
	if c.Key == nil {
		return nil
	}
	return c.Key.Use(func(key []byte) error {
		switch {
		case c.KeyHeader != "":
			h.Set(c.KeyHeader, string(key))
		case c.Anthropic:
			h.Set("X-Api-Key", string(key))
		default:
			h.Set("Authorization", "Bearer "+string(key))
		}
		return nil
	})
}

// failed makes a Fault from an unsuccessful response.
func (c *Client) failed(resp *http.Response) error {
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxSaid))
	if body, ok := resp.Body.(*body); ok && err != nil && body.caller.Err() != nil {
		return err
	}
	said := c.Said(b)
	f := &Fault{Kind: kindOf(resp.StatusCode, said), Status: resp.StatusCode, Said: said, After: retryAfter(resp.Header, time.Now())}
	if f.Status == http.StatusForbidden && f.After > 0 { // some services signal rate limits like this
		f.Kind = RateLimited
	}
	return f
}

// Said extracts a server's description of a failure, in the usual formats. It is masked and
// fits on one line, but it is untrusted.
func (c *Client) Said(b []byte) string {
	s := errorText(b, 3)
	if c.Key != nil {
		_ = c.Key.Use(func(key []byte) error {
			s = withoutKey(s, string(key))
			return nil
		}) // a key that was wiped is nowhere
	}
	return visible.Clip(redact.String(strings.TrimSpace(s)), 500)
}

// shortKey is the length, in bytes, below which a key is masked only as a whole word.
const shortKey = 4

// withoutKey masks a key in a text. A very short key occurs in most words: masks within words would
// make the text unreadable, and reveal the key by the missing letter.
func withoutKey(s, key string) string {
	if key == "" {
		return s
	}
	inWord := func(r rune, size int) bool { return size > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	var b strings.Builder
	for at := 0; ; {
		i := strings.Index(s[at:], key)
		if i < 0 {
			return b.String() + s[at:]
		}
		from, to := at+i, at+i+len(key)
		b.WriteString(s[at:from])
		if len(key) < shortKey && (inWord(utf8.DecodeLastRuneInString(s[:from])) || inWord(utf8.DecodeRuneInString(s[to:]))) {
			b.WriteString(key)
		} else {
			b.WriteString("[masked]")
		}
		at = to
	}
}

func errorText(b []byte, depth int) string {
	var v struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Code    any             `json:"code"`
		Type    string          `json:"type"`
	}
	if depth == 0 || json.Unmarshal(b, &v) != nil {
		return string(b)
	}
	if len(v.Error) > 0 && !bytes.Equal(v.Error, []byte("null")) {
		var text string
		if json.Unmarshal(v.Error, &text) == nil {
			return text
		}
		return errorText(v.Error, depth-1)
	}
	text := v.Message
	if code, ok := v.Code.(string); ok && code != "" {
		text = code + ": " + text
	}
	return cmp.Or(text, v.Type)
}

// body is a response of limited size. Each byte restarts the idle timer.
type body struct {
	c           *Client
	raw         io.ReadCloser
	ctx, caller context.Context //nolint:containedctx // of this one request
	cancel      context.CancelCauseFunc
	idle, life  *time.Timer
	limit       time.Duration
	left        int64
	line        int
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.raw.Read(p)
	if n > 0 {
		b.idle.Reset(b.limit)
	}
	if b.left -= int64(n); b.left < 0 {
		return 0, &Fault{Kind: TooLarge, Status: http.StatusOK}
	}
	if b.c.Line > 0 {
		for rest := p[:n]; ; {
			_, after, ok := bytes.Cut(rest, []byte{'\n'})
			if !ok {
				b.line += len(rest)
				break
			}
			b.line, rest = 0, after
		}
		if b.line > b.c.Line {
			return 0, &Fault{Kind: TooLarge, Status: http.StatusOK, Err: fmt.Errorf("a line of more than %d bytes", b.c.Line)}
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.fault(err, true)
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	err := b.raw.Close()
	b.stop()
	return err
}

func (b *body) stop() {
	b.idle.Stop()
	b.life.Stop()
	b.cancel(nil)
}

// fault returns the error for the caller: the cause of the caller's context, the cause of this
// request's, or a Fault for a failure below.
func (b *body) fault(err error, begun bool) error {
	if b.caller.Err() != nil {
		return ended(b.caller, err)
	}
	return below(ended(b.ctx, err), begun)
}
