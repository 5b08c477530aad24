package egress

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"unicode/utf8"
)

// Bodies checks the bodies of requests and responses.
type Bodies interface {
	// Guards reports whether the bodies of a request and its response are checked, and whether
	// a body with a finding, or one that cannot be checked, is blocked.
	Guards(t Target) (look, strict bool)
	// Look checks an outgoing text or a response and records its findings. The error describes them
	// to the agent.
	Look(ctx context.Context, c Client, t Target, answer bool, text string) error
}

// How much of a body is checked at once, in bytes. A body with a known length of at most whole is
// checked before any of it passes. Longer bodies and streams are checked in pieces, each together
// with enough preceding bytes to contain an instruction or a secret.
const (
	wholeBody = 256 << 10
	lookBack  = 4 << 10
)

// stoppedError means that a body must not pass.
type stoppedError struct{ why error }

func (e *stoppedError) Error() string { return e.why.Error() }

// watched checks a body while it is read.
type watched struct {
	io.ReadCloser
	look  func(text string) error
	piece []byte // checked, but not yet returned
	tail  []byte // already returned; checked again with the next piece
	buf   []byte
	err   error
}

func (w *watched) Read(b []byte) (int, error) {
	for len(w.piece) == 0 && w.err == nil {
		if w.buf == nil {
			w.buf = make([]byte, 32<<10)
		}
		n, err := w.ReadCloser.Read(w.buf)
		w.err = err
		if n > 0 {
			if stop := w.look(plainText(append(w.tail, w.buf[:n]...))); stop != nil {
				w.err = &stoppedError{stop}
				break
			}
			w.piece = w.buf[:n]
			w.tail = append(w.tail, w.piece...)
			w.tail = append([]byte(nil), w.tail[max(len(w.tail)-lookBack, 0):]...)
		}
	}
	if len(w.piece) == 0 {
		return 0, w.err
	}
	n := copy(b, w.piece)
	w.piece = w.piece[n:]
	return n, nil
}

// plainText returns the text in a body. The sender chooses the content type and may lie, so the
// bytes decide. Zero bytes are dropped, which also makes UTF-16 readable. If a body is mostly
// binary, only the longer runs of text are returned.
func plainText(b []byte) string {
	for len(b) > 0 && !utf8.RuneStart(b[0]) { // an incomplete character at the end
		b = b[1:]
	}
	if bytes.IndexByte(b, 0) < 0 {
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	b = bytes.ReplaceAll(b, []byte{0}, nil)
	var runs strings.Builder
	start, odd := 0, 0
	end := func(at int) {
		if at-start >= minRun {
			runs.Write(b[start:at])
			runs.WriteByte('\n')
		}
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			end(i)
			start = i + n
			odd++
		}
		i += n
	}
	end(len(b))
	if odd <= len(b)/8 {
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	return runs.String()
}

// minRun is the length of the shortest run of text in binary data that is checked, in bytes.
const minRun = 8

// watch returns a body that is checked while it is read. It reads a short body at once.
func watch(body io.ReadCloser, length int64, look func(string) error) (io.ReadCloser, error) {
	if length < 0 || length > wholeBody {
		return &watched{ReadCloser: body, look: look}, nil
	}
	b, err := io.ReadAll(io.LimitReader(body, length))
	if err != nil {
		return nil, err
	}
	if err := look(plainText(b)); err != nil {
		return nil, &stoppedError{err}
	}
	return struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(b), body}, nil
}

// encodedBody returns the encoding of a body, or "".
func encodedBody(h http.Header) string {
	how := strings.ToLower(strings.TrimSpace(strings.Join(h.Values("Content-Encoding"), ",")))
	if how == "identity" {
		return ""
	}
	return how
}

// looker checks the texts of one body. It records each finding of a passing body once.
func (p *Proxy) looker(ctx context.Context, c Client, t Target, answer, strict bool) func(string) error {
	noted := false
	return func(text string) error {
		if noted || text == "" {
			return nil
		}
		err := p.lookAt(ctx, c, t, answer, text)
		if noted = err != nil; noted && !strict {
			return nil
		}
		return err
	}
}

// lookAt checks a text. An agent or a server chose it, and often a goroutine of net/http calls
// lookAt, so a panic would end the whole program.
func (p *Proxy) lookAt(ctx context.Context, c Client, t Target, answer bool, text string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p.log.Error("the guard could not check a text", "client", c.Name, "target", t.Addr(), "panic", r, "stack", string(debug.Stack()))
			err = errors.New("umpire could not check this text: its log has the cause")
		}
	}()
	return p.bodies.Look(ctx, c, t, answer, text)
}

// watchRequest makes the body of a request checked, and requests a response that can be checked.
func (p *Proxy) watchRequest(r *http.Request, c Client, t Target, strict bool) (err error) {
	if how := encodedBody(r.Header); how != "" {
		if strict {
			return &stoppedError{errors.New("umpire inspects requests to this host and cannot read " + how + ": send the body without encoding")}
		}
		p.log.Info("did not check a request: it is encoded", "client", c.Name, "target", t.Addr(), "encoding", how)
	} else if r.ContentLength != 0 {
		r.Body, err = watch(r.Body, r.ContentLength, p.looker(r.Context(), c, t, false, strict))
	}
	accept := "identity"
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		accept = "gzip"
	}
	r.Header = r.Header.Clone()
	r.Header.Set("Accept-Encoding", accept)
	r.Header.Del("Sec-Websocket-Extensions") // extensions compress
	return err
}

// watchAnswer makes the body of a response checked.
func (p *Proxy) watchAnswer(a *http.Response, c Client, t Target, strict bool) error {
	if a.StatusCode == http.StatusSwitchingProtocols || a.Body == nil || a.Body == http.NoBody || a.Request.Method == http.MethodHead {
		return nil
	}
	if err := decode(a); err != nil {
		if strict {
			return err
		}
		p.log.Info("did not check an answer", "client", c.Name, "target", t.Addr(), "error", err)
		return nil
	}
	body, err := watch(a.Body, a.ContentLength, p.looker(a.Request.Context(), c, t, true, strict))
	if err == nil {
		a.Body = body
	}
	return err
}
