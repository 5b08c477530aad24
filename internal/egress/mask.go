package egress

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/textproto"
	"strings"
)

// Secrets replaces agents' placeholders with credentials.
type Secrets interface {
	// Reveal returns the header for the server, and the secrets to mask in the response. An error
	// refuses the request, with a reason for the agent.
	Reveal(ctx context.Context, c Client, t Target, url string, h http.Header) (header http.Header, mask []string, err error)
}

// errEncoded means that a response has an unknown encoding.
type errEncoded string

func (e errEncoded) Error() string {
	return fmt.Sprintf("umpire must inspect the answer, but cannot decode its encoding %q", string(e))
}

// decode makes the body of a response decompressed.
func decode(a *http.Response) error {
	how := encodedBody(a.Header)
	var open func(io.Reader) (io.ReadCloser, error)
	switch how {
	case "":
		return nil
	case "gzip", "x-gzip":
		open = func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }
	case "deflate":
		open = zlib.NewReader
	default:
		return errEncoded(how)
	}
	a.Header.Del("Content-Encoding")
	a.Header.Del("Content-Length")
	a.ContentLength = -1
	if a.Body == nil || a.Body == http.NoBody || a.Request != nil && a.Request.Method == http.MethodHead {
		return nil
	}
	a.Body = &decoder{from: a.Body, open: open}
	return nil
}

// decoder creates the decompressor at the first read, because no data need have arrived before.
type decoder struct {
	from io.ReadCloser
	open func(io.Reader) (io.ReadCloser, error)
	r    io.ReadCloser
}

func (d *decoder) Read(b []byte) (n int, err error) {
	if d.r == nil {
		if d.r, err = d.open(d.from); err != nil {
			d.r = nil
			return 0, err
		}
	}
	return d.r.Read(b)
}

func (d *decoder) Close() error { return d.from.Close() }

// masked masks texts in a response: in its header, body and trailer. Their length stays the same,
// so Content-Length does too.
func masked(a *http.Response, hide []string) error {
	for _, h := range []http.Header{a.Header, a.Trailer} {
		maskHeader(h, hide)
	}
	if a.StatusCode == http.StatusSwitchingProtocols { // the rest is not HTTP: see messages
		return nil
	}
	if err := decode(a); err != nil {
		return err
	}
	a.Body = &maskReader{r: a.Body, masker: masker{hide: hide}, end: func() { maskHeader(a.Trailer, hide) }}
	return nil
}

// early masks texts in informational responses such as 103, which reach the client separately.
type early struct {
	http.RoundTripper
	hide []string
}

func (e early) RoundTrip(r *http.Request) (*http.Response, error) {
	// The last registered hook runs first, so the hook that forwards the header gets the masked
	// one.
	trace := &httptrace.ClientTrace{Got1xxResponse: func(_ int, h textproto.MIMEHeader) error {
		maskHeader(http.Header(h), e.hide)
		return nil
	}}
	return e.RoundTripper.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
}

func maskHeader(h http.Header, hide []string) {
	for _, values := range h {
		for i := range values {
			for _, text := range hide {
				values[i] = strings.ReplaceAll(values[i], text, strings.Repeat("*", len(text)))
			}
		}
	}
}

// masker masks texts in a stream. It holds back only a possible beginning of a text, so that the
// stream flows.
type masker struct {
	hide []string
	buf  []byte // data that is not processed completely
	done int    // number of processed bytes in buf
}

// add masks texts in b together with the bytes held back.
func (m *masker) add(b []byte) {
	m.buf = append(append(m.buf[:0], m.buf[m.done:]...), b...)
	m.done = 0
	for _, text := range m.hide {
		for i := 0; ; {
			at := bytes.Index(m.buf[i:], []byte(text))
			if at < 0 {
				break
			}
			for j := range text {
				m.buf[i+at+j] = '*'
			}
			i += at + len(text)
		}
	}
}

// ready returns the bytes that can be passed on before the next add: all of them at the end.
func (m *masker) ready(all bool) []byte {
	m.done = len(m.buf)
	if !all {
		m.done -= m.started()
	}
	return m.buf[:m.done]
}

// started returns the length of the longest suffix that may begin a masked text.
func (m *masker) started() (longest int) {
	for _, text := range m.hide {
		for n := min(len(text)-1, len(m.buf)); n > longest; n-- {
			if bytes.HasSuffix(m.buf, []byte(text[:n])) {
				longest = n
			}
		}
	}
	return longest
}

// maskReader masks texts while it reads.
type maskReader struct {
	r io.ReadCloser
	masker
	end func()
	out []byte // next bytes to return
	err error  // returned after out
}

func (m *maskReader) Read(b []byte) (int, error) {
	for len(m.out) == 0 && m.err == nil {
		m.fill()
	}
	n := copy(b, m.out)
	m.out = m.out[n:]
	if n > 0 || len(b) == 0 {
		return n, nil
	}
	return 0, m.err
}

func (m *maskReader) fill() {
	chunk := bufferPool.Get().(*[32 << 10]byte)
	n, err := m.r.Read(chunk[:])
	m.add(chunk[:n])
	bufferPool.Put(chunk)
	m.out = m.ready(err != nil)
	m.err = err
	if errors.Is(err, io.EOF) {
		m.end()
	}
}

func (m *maskReader) Close() error { return m.r.Close() }
