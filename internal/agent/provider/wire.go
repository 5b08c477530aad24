package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Bounds of what a server may send, and of how long it may take.
const (
	maxLine   = 8 << 20  // bytes
	maxStream = 64 << 20 // bytes
	maxEvents = 1 << 20
	maxError  = 64 << 10 // bytes of an answer that is an error
	tries     = 5
)

// These are variables for tests only.
var (
	idleLimit   = 3 * time.Minute // without a byte; servers send comments while a model warms up
	streamLimit = 30 * time.Minute
	backoff     = 500 * time.Millisecond // before the second try, doubled for each further one
	maxBackoff  = 30 * time.Second
	maxAfter    = 5 * time.Minute // that a server may want; who wants more is not asked again
)

var errRedirect = errors.New("the server redirects elsewhere: give the final address")

var client = &http.Client{Transport: wire{&http.Transport{
	Proxy:                  http.ProxyFromEnvironment,
	DialContext:            (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
	TLSHandshakeTimeout:    15 * time.Second,
	ResponseHeaderTimeout:  5 * time.Minute,
	MaxResponseHeaderBytes: 64 << 10,
	IdleConnTimeout:        90 * time.Second,
	ForceAttemptHTTP2:      true,
}}}

// wire hands nothing to the SDKs but streams: what they make of a failure loses what the
// server said of it. A redirect is a failure, too: the key is for one host.
type wire struct{ http.RoundTripper }

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := w.RoundTripper.RoundTrip(r)
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode/100 == 3:
		_ = resp.Body.Close() // nothing of it is of use
		return nil, errRedirect
	case resp.StatusCode != http.StatusOK:
		return nil, failed(resp)
	}
	return resp, nil
}

// statusError is an answer that is no stream.
type statusError struct {
	status int
	text   string
	after  time.Duration // when the server wants to be asked again
}

func (e *statusError) Error() string {
	s := strings.TrimSpace(fmt.Sprintf("the model's server answered %d %s", e.status, http.StatusText(e.status)))
	if e.text != "" {
		s += ": " + e.text
	}
	if e.after > maxAfter {
		s += "; it wants to be asked again in " + e.after.Round(time.Second).String()
	}
	return s
}

// advised is an error with what a user can do about it.
func advised(c Config, err error) error {
	base := "--base-url"
	if c.baseVar != "" {
		base = c.baseVar + " or --base-url"
	}
	var status *statusError
	var network net.Error
	switch {
	case errors.As(err, &status):
		switch status.status {
		case http.StatusUnauthorized, http.StatusForbidden:
			if c.keyVar != "" {
				return fmt.Errorf("%w; look at the key in %s", err, c.keyVar)
			}
		case http.StatusNotFound:
			return fmt.Errorf("%w; look at the model's name, %s (MODEL_ID or --model), and the address, %s (%s)", err, shown(c.Model), c.BaseURL, base)
		}
	case errors.Is(err, errRedirect):
		return fmt.Errorf("%w by %s", err, base)
	case errors.As(err, &network):
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the address is told below
		}
		return fmt.Errorf("nothing answers at %s: %w; start a server there, or set the address by %s", c.BaseURL, err, base)
	}
	return err
}

// retried are the statuses after which the same request may succeed.
func retried(status int) bool {
	switch status {
	case 408, 409, 429, 500, 502, 503, 504, 529:
		return true
	}
	return false
}

// tooLong reports whether an error says that the conversation does not fit.
func tooLong(e *statusError) bool {
	if e.status != http.StatusBadRequest && e.status != http.StatusRequestEntityTooLarge {
		return false
	}
	t := strings.ToLower(e.text)
	for _, s := range []string{"context_length", "context length", "context window", "maximum context", "prompt is too long", "too many tokens", "input is too long"} {
		if strings.Contains(t, s) {
			return true
		}
	}
	return e.status == http.StatusRequestEntityTooLarge
}

// stream is what a server answers, bounded. Each byte of it is a sign of life.
type stream struct {
	header     http.Header
	body       io.ReadCloser
	idle       *time.Timer
	line, size int
}

// open sends a request, again while that may help. tell is told before each time.
func open(ctx context.Context, idle *time.Timer, tell func(agent.Waits) bool, send func(ctx context.Context, answer **http.Response) error) (*stream, error) {
	idle.Reset(streamLimit) // until it answers, other limits hold
	for try := 1; ; try++ {
		var resp *http.Response
		err := send(ctx, &resp)
		if err == nil && resp == nil {
			err = errors.New("the model's server gave no answer")
		}
		if err == nil {
			idle.Reset(idleLimit)
			return &stream{header: resp.Header, body: resp.Body, idle: idle}, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var status *statusError
		if errors.As(err, &status) {
			err = status // without what the SDK says around it
		}
		var network net.Error
		again := status != nil && retried(status.status) || status == nil && (errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF))
		if errors.Is(err, errRedirect) {
			return nil, errRedirect
		}
		if !again || try == tries || status != nil && status.after > maxAfter {
			switch {
			case status == nil:
				return nil, err
			case tooLong(status):
				return nil, &agent.TooLongError{Err: status}
			}
			return nil, status
		}
		wait := backoff << (try - 1)
		wait = wait/2 + rand.N(wait/2+1) // many agents must not come back at once
		wait = min(wait, maxBackoff)
		if status != nil {
			wait = max(wait, status.after)
		}
		if !tell(agent.Waits{Why: shown(err.Error()), For: wait}) {
			return nil, context.Canceled
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return nil, ctx.Err()
		}
	}
}

// follow sends a request and yields what event makes of each event of the answer, until it
// says that one was the last. An answer that ends before has no Done, by which whoever
// reads knows that it was cut.
func follow(ctx context.Context, c Config, yield func(agent.Piece, error) bool, event func(data []byte) (pieces []agent.Piece, last bool, err error), send func(ctx context.Context, answer **http.Response) error) {
	ctx, idle, end := limits(ctx)
	defer end()
	listening := true
	s, err := open(ctx, idle, func(w agent.Waits) bool {
		listening = yield(agent.Piece{Waits: &w}, nil)
		return listening
	}, send)
	if !listening {
		return
	}
	if err != nil {
		yield(agent.Piece{}, advised(c, cause(ctx, err)))
		return
	}
	defer func() { _ = s.Close() }() // what ended it is told by the reads
	d := ssestream.NewDecoder(&http.Response{Header: s.header, Body: s})
	for n := 0; d.Next(); n++ {
		if n > maxEvents {
			yield(agent.Piece{}, errors.New("the model's server sent too many events"))
			return
		}
		data := bytes.TrimSpace(d.Event().Data)
		if len(data) == 0 {
			continue
		}
		pieces, last, err := event(data)
		for _, p := range pieces {
			if !yield(p, nil) {
				return
			}
		}
		if err != nil {
			yield(agent.Piece{}, err)
		}
		if err != nil || last {
			return
		}
	}
	if err := d.Err(); err != nil || ctx.Err() != nil {
		yield(agent.Piece{}, cause(ctx, err))
	}
}

// failed reads what a server says of a failure. It is foreign text.
func failed(resp *http.Response) *statusError {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxError)) // what was read says enough
	_ = resp.Body.Close()
	e := &statusError{status: resp.StatusCode, text: said(body)}
	if s := resp.Header.Get("Retry-After-Ms"); s != "" {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			e.after = time.Duration(n) * time.Millisecond
		}
	} else if s := resp.Header.Get("Retry-After"); s != "" {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			e.after = time.Duration(n) * time.Second
		} else if at, err := http.ParseTime(s); err == nil {
			e.after = max(0, time.Until(at))
		}
	}
	return e
}

// shown makes foreign text fit for a line of an error.
func shown(s string) string { return visible.Clip(redact.String(strings.TrimSpace(s)), 500) }

// Close implements io.Closer.
func (b *stream) Close() error { return b.body.Close() }

// Read implements io.Reader.
func (b *stream) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if n > 0 {
		b.idle.Reset(idleLimit)
	}
	for _, c := range p[:n] {
		if b.line++; c == '\n' {
			b.line = 0
		}
		if b.line > maxLine {
			return n, fmt.Errorf("the model's server sent a line of more than %d bytes", maxLine)
		}
	}
	if b.size += n; b.size > maxStream {
		return n, fmt.Errorf("the model's server sent more than %d bytes", maxStream)
	}
	return n, err
}

// limits gives a stream its deadlines. The cause says which one ended it.
func limits(ctx context.Context) (context.Context, *time.Timer, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	all := time.AfterFunc(streamLimit, func() { cancel(fmt.Errorf("the answer took longer than %s", streamLimit)) })
	idle := time.AfterFunc(idleLimit, func() { cancel(fmt.Errorf("the model's server sent nothing for %s", idleLimit)) })
	return ctx, idle, func() {
		all.Stop()
		idle.Stop()
		cancel(context.Canceled)
	}
}

// cause replaces the error of a context by what ended it.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil && ctx.Err() != nil {
		return c
	}
	return err
}
