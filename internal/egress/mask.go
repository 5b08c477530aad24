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
	// Reveal returns the header for the server, and the secrets to mask in the response. An
	// error refuses the request, in words for the agent.
	Reveal(ctx context.Context, c Client, t Target, url string, h http.Header) (header http.Header, mask []string, err error)
}

// errEncoded is that an answer cannot be read.
type errEncoded string

func (e errEncoded) Error() string {
	return fmt.Sprintf("the answer is encoded as %q, and umpire must inspect it but cannot read that encoding", string(e))
}

// decode has the body of an answer read as it was before it was compressed.
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

// decoder opens what decompresses with the first read: before that nothing need have come.
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

// masked hides texts in an answer: in its header, its body and its trailer. Each is as long
// as before, so that lengths stay true.
func masked(a *http.Response, hide []string) error {
	for _, h := range []http.Header{a.Header, a.Trailer} {
		maskHeader(h, hide)
	}
	if a.StatusCode == http.StatusSwitchingProtocols { // what follows is no answer: see messages
		return nil
	}
	if err := decode(a); err != nil {
		return err
	}
	a.Body = &maskReader{r: a.Body, masker: masker{hide: hide}, end: func() { maskHeader(a.Trailer, hide) }}
	return nil
}

// early hides texts in what a server says before its answer, as 103 does, which gets to the
// client by itself.
type early struct {
	http.RoundTripper
	hide []string
}

func (e early) RoundTrip(r *http.Request) (*http.Response, error) {
	// The hook that was set last is called first, so that the one that passes it on sees stars.
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

// masker hides texts in what is added to it. It holds back only what a hidden text may
// begin with, so that a stream flows.
type masker struct {
	hide []string
	buf  []byte // what was added and is not done
	done int    // of buf
}

// add hides texts in b, and in what was held back before it.
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

// ready returns what may be given, until the next is added: all of it if nothing comes after it.
func (m *masker) ready(all bool) []byte {
	m.done = len(m.buf)
	if !all {
		m.done -= m.begun()
	}
	return m.buf[:m.done]
}

// begun returns the length of the longest end of the added bytes with which a hidden text begins.
func (m *masker) begun() (longest int) {
	for _, text := range m.hide {
		for n := min(len(text)-1, len(m.buf)); n > longest; n-- {
			if bytes.HasSuffix(m.buf, []byte(text[:n])) {
				longest = n
			}
		}
	}
	return longest
}

// maskReader hides texts in what is read.
type maskReader struct {
	r io.ReadCloser
	masker
	end func()
	out []byte // to be given
	err error  // after that
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
