package modelproxy

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/guard"
)

// answered judges an answer on its way out.
func (p *Proxy) answered(res *http.Response) error {
	c := callOf(res.Request.Context())
	if res.StatusCode >= 300 && res.StatusCode < 400 && res.StatusCode != http.StatusNotModified {
		// A client that follows it takes its credentials elsewhere.
		return &fault{http.StatusBadGateway, "server_error", "upstream_redirects", "the upstream redirects, which is not followed: configure the address that it redirects to", 0}
	}
	body := &upstreamBody{ReadCloser: res.Body, c: c, idle: p.o.IdleTimeout}
	body.timer = time.AfterFunc(p.o.IdleTimeout, func() {
		c.silent.Store(true)
		c.cancel()
	})
	res.Body = body
	if c.format == plain || p.o.Output == nil || res.StatusCode == http.StatusNotModified || res.StatusCode == http.StatusNoContent || res.Request.Method == http.MethodHead {
		return nil
	}
	failed := res.StatusCode >= 300
	var in io.Reader = body
	switch strings.ToLower(res.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(body)
		if err != nil {
			return p.unread(res, c, upstreamFault)
		}
		in = z
	default:
		return p.unread(res, c, upstreamFault)
	}
	ctx := res.Request.Context()
	j := &answerCheck{ctx: ctx, output: p.o.Output, answer: c.answer,
		stop: func(res guard.Result) error { return p.stopped(ctx, c, "the model's answer", res) }}
	for _, h := range []string{"Content-Encoding", "Content-Length", "Content-Md5", "Digest", "Content-Digest", "Etag"} {
		res.Header.Del(h)
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "text/event-stream" && !failed {
		res.ContentLength = -1
		res.Body = p.stream(j, c, in, body)
		return nil
	}
	limit := p.o.MaxBody
	if failed {
		limit = min(limit, maxError)
	}
	whole, err := c.share.readAll(in, limit)
	if err != nil {
		if c.silent.Load() {
			return errSilent
		}
		return p.unread(res, c, asFault(err, &fault{http.StatusBadGateway, "server_error", "upstream_cut", "the upstream's answer is incomplete: try again", 1}))
	}
	_ = body.Close()
	switch {
	case len(bytes.TrimSpace(whole)) == 0:
	case failed:
		err = j.fault(string(whole))
	default:
		whole, err = j.rewrite(c.format, whole)
	}
	if err != nil {
		return err
	}
	res.Body = &slowBody{Reader: bytes.NewReader(whole), c: c, idle: p.o.IdleTimeout}
	res.ContentLength = int64(len(whole))
	res.Header.Set("Content-Length", strconv.Itoa(len(whole)))
	return nil
}

// maxError limits the text of an error. It is decoded several times.
const maxError = 4 << 20

// unread is for an answer that cannot be judged. An error keeps its status and headers, by which clients decide
// whether and when to try again, and loses its text.
func (p *Proxy) unread(res *http.Response, c *exchange, err error) error {
	var f *fault
	if res.StatusCode < 400 || !errors.As(err, &f) {
		return err
	}
	_ = res.Body.Close()
	c.seen.Outcome = "failed"
	p.o.Log.WarnContext(res.Request.Context(), "the upstream's error was not passed on", "code", f.code, "status", res.StatusCode)
	b := f.body(c.anthropic)
	for _, h := range []string{"Content-Encoding", "Content-Md5", "Digest", "Content-Digest", "Etag"} {
		res.Header.Del(h)
	}
	res.Header.Set("Content-Type", "application/json")
	res.Header.Set("Content-Length", strconv.Itoa(len(b)))
	res.ContentLength = int64(len(b))
	res.Body = &slowBody{Reader: bytes.NewReader(b), c: c, idle: p.o.IdleTimeout}
	return nil
}

var errSilent = &fault{http.StatusGatewayTimeout, "server_error", "upstream_silent", "the upstream was silent for too long: try again", 1}

// upstreamBody ends with an error if the upstream sends nothing, or the client accepts nothing, for
// too long.
type upstreamBody struct {
	io.ReadCloser
	c     *exchange
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

// slowBody returns a complete body for a client that may be slow but must not stall.
type slowBody struct {
	io.Reader
	c    *exchange
	idle time.Duration
}

func (s *slowBody) Read(b []byte) (int, error) {
	_ = s.c.client.SetWriteDeadline(time.Now().Add(s.idle))
	return s.Reader.Read(b[:min(len(b), 32<<10)])
}

func (s *slowBody) Close() error { return nil }

// stream is a body of events that are judged as they are read.
func (p *Proxy) stream(j *answerCheck, c *exchange, in io.Reader, close io.Closer) io.ReadCloser {
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

// collected is a Stream that holds everything back until its end.
type collected struct {
	j    *answerCheck
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
	c       *exchange
	ctx     context.Context
	src     *bufio.Reader
	frames  *frames
	buf     []byte // memory of the last event
	pending []byte // to be sent
	err     error  // returned after pending
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

// another reports whether one more event is ready without waiting.
func (b *eventBody) another() bool {
	there, _ := b.src.Peek(b.src.Buffered())
	return bytes.Contains(there, []byte("\n\n")) || bytes.Contains(there, []byte("\n\r\n"))
}

// next returns the data to send for the next event. A fault becomes an event, and the stream ends;
// if the upstream's connection ends too soon, so does the client's.
func (b *eventBody) next() ([]byte, error) {
	e, err := nextEvent(b.src, b.buf)
	b.buf = e.raw
	switch {
	case errors.Is(err, io.EOF):
		if b.frames.complete() {
			return nil, io.EOF
		}
		return nil, b.broken(io.ErrUnexpectedEOF)
	case errors.Is(err, errEventTooLarge):
		return b.fault(upstreamFault), io.EOF
	case err != nil && b.c.silent.Load():
		return b.fault(errSilent), io.EOF
	case err != nil:
		return nil, b.broken(err)
	}
	out, err := b.frames.take(&e)
	if err != nil {
		return b.fault(b.p.streamFault(b.ctx, b.c, err)), io.EOF
	}
	return out, nil
}

// broken records that the upstream's stream ended too soon, and returns the end for the client.
func (b *eventBody) broken(err error) error {
	b.c.seen.Outcome = "failed"
	if b.ctx.Err() == nil { // the client still listens
		b.p.o.Log.WarnContext(b.ctx, "the upstream ended its answer early", "code", "upstream_cut", "error", err)
	}
	return io.ErrUnexpectedEOF
}

// streamFault says why a text was stopped.
func (p *Proxy) streamFault(ctx context.Context, c *exchange, err error) *fault {
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
