package egress

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpguts"
)

// net/http repairs requests that two parsers could end at different places, without reporting it.
// An agent could use one to hide a request from umpire, or from the server behind it. Strict reads
// the same bytes before net/http does, and refuses ambiguous ones.

// Strict returns a listener whose connections accept only unambiguous HTTP/1 requests. The handler
// of its server must answer those that Ambiguous reports.
func Strict(l net.Listener) net.Listener { return strictListener{l, nil} }

// ServeStrict is (*http.Server).Serve on a Strict listener, and answers the requests that it refuses.
func ServeStrict(s *http.Server, l net.Listener) error {
	next := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := Ambiguous(r); why != nil {
			w.Header().Set("Connection", "close")
			refuse(w, http.StatusBadRequest, Decision{Why: why.Error()})
			return
		}
		next.ServeHTTP(w, r)
	})
	s.ConnContext, s.ConnState = strictContext, handedOver
	return s.Serve(Strict(l))
}

// StrictTLS is Strict over TLS. It reports failed handshakes to failed, and answers plain HTTP with an
// error that says so.
func StrictTLS(l net.Listener, config *tls.Config, failed func(remote net.Addr, err error)) net.Listener {
	return strictListener{tls.NewListener(l, config), failed}
}

type strictListener struct {
	net.Listener
	failed func(remote net.Addr, err error)
}

func (l strictListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	strict := &strictConn{Conn: c}
	if t, ok := c.(*tls.Conn); ok {
		return &strictTLS{strict, t, l.failed}, nil
	}
	return strict, nil
}

// strictTLS is a strictConn over TLS. With ConnectionState, net/http knows that it is TLS.
type strictTLS struct {
	*strictConn
	tls    *tls.Conn
	failed func(remote net.Addr, err error) // may be nil
}

// Read makes the handshake first: net/http does so only for a *tls.Conn.
func (c *strictTLS) Read(b []byte) (int, error) {
	if err := c.tls.Handshake(); err != nil { //nolint:noctx // the server has set a deadline
		var plain tls.RecordHeaderError
		if errors.As(err, &plain) && plain.Conn != nil && plainHTTP(plain.RecordHeader) {
			_ = plain.Conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
			_, _ = io.WriteString(plain.Conn, "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n")
			err = errors.New("the client sent an HTTP request to an HTTPS server")
		}
		if c.failed != nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) { // a client that only connects is not worth a line
			c.failed(c.RemoteAddr(), err)
		}
		return 0, err
	}
	return c.strictConn.Read(b)
}

// plainHTTP reports whether a connection without TLS begins with the method of a request.
func plainHTTP(head [5]byte) bool {
	switch string(head[:]) {
	case "GET /", "HEAD ", "POST ", "PUT /", "OPTIO", "DELET", "PATCH", "CONNE":
		return true
	}
	return false
}

func (c *strictTLS) ConnectionState() tls.ConnectionState { return c.tls.ConnectionState() }

// Limits of incomplete data, in bytes.
const (
	maxHead  = 80 << 10 // more than the server accepts, so the server answers
	maxChunk = 16       // digits of a chunk size
)

// strictConn is a connection from which a server reads requests. Only one Read runs at a time.
type strictConn struct {
	net.Conn
	in    []byte // received, but not checked
	ready []byte // checked, but not yet read
	end   error  // error of the connection
	state func(*strictConn) error
	left  int64  // remaining bytes of a body or a chunk
	whole bool   // the body has a length, so its bytes need no check
	room  []byte // read buffer

	taken atomic.Bool           // hijacked: nothing is checked from now on
	fault atomic.Pointer[error] // reason for refusing the next request
	cut   atomic.Pointer[error] // reason for ending the body of this request
}

type strictKey struct{}

// refusedHost is the host of the request that replaces a refused one.
const refusedHost = "refused.invalid"

// errMore means that more data must arrive first.
var errMore = errors.New("more has to come")

func (c *strictConn) Read(b []byte) (int, error) {
	if c.state == nil {
		c.state = (*strictConn).head
	}
	for len(c.ready) == 0 {
		if c.taken.Load() && len(c.in) == 0 {
			if c.end != nil {
				return 0, c.end
			}
			return c.Conn.Read(b)
		}
		if c.taken.Load() || c.end != nil {
			c.give(len(c.in))
			if len(c.ready) == 0 {
				return 0, c.end
			}
			break
		}
		err := errMore
		if len(c.in) > 0 {
			err = c.state(c)
		}
		if err != nil && !errors.Is(err, errMore) {
			c.end = err
			c.in = nil
			return 0, err
		}
		if err == nil {
			continue
		}
		if c.whole {
			n, err := c.Conn.Read(b[:min(int64(len(b)), c.left)])
			if c.left -= int64(n); c.left == 0 {
				c.whole, c.state = false, (*strictConn).head
			}
			return n, err
		}
		if c.room == nil {
			c.room = make([]byte, 4<<10)
		}
		n, err := c.Conn.Read(c.room)
		c.in = append(c.in, c.room[:n]...)
		if err != nil {
			var late net.Error
			if errors.As(err, &late) && late.Timeout() {
				if n == 0 {
					return 0, err // a deadline: the server may continue to read
				}
				continue
			}
			c.end = err
		}
	}
	n := copy(b, c.ready)
	c.ready = c.ready[n:]
	return n, nil
}

// give makes the next n bytes readable.
func (c *strictConn) give(n int) { c.ready, c.in = c.in[:n:n], c.in[n:] }

// head checks the next request up to its body.
func (c *strictConn) head() error {
	end := bytes.Index(c.in, []byte("\r\n\r\n"))
	if bare := bytes.Index(c.in, []byte("\n\n")); bare >= 0 && (end < 0 || bare < end) {
		end = bare - 2 // refused below
	}
	if end < 0 {
		if len(c.in) > maxHead {
			c.give(len(c.in)) // the server refuses it and closes the connection
			c.state = (*strictConn).rest
			return nil
		}
		return errMore
	}
	head := string(c.in[:end+4])
	next, err := c.framing(head)
	if err != nil {
		// The server gets a substitute request, which ServeHTTP answers with the reason.
		c.fault.Store(&err)
		c.ready, c.in = []byte("GET / HTTP/1.1\r\nHost: "+refusedHost+"\r\n"+credentialOf(head)+"\r\n"), nil
		c.state = (*strictConn).drop
		return nil //nolint:nilerr // the fault is the answer to the request
	}
	c.give(end + 4)
	c.state = next
	return nil
}

// credentialOf returns the header line with the credential of a request, or "" unless there is
// exactly one.
func credentialOf(head string) string {
	found := ""
	for line := range strings.SplitSeq(head, "\n") {
		line = strings.TrimRight(line, "\r")
		if name, _, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Proxy-Authorization") {
			if found != "" || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
				return ""
			}
			found = line + "\r\n"
		}
	}
	return found
}

// framing determines how the body after a head ends. It sets the remaining length if the body has
// one.
func (c *strictConn) framing(head string) (next func(*strictConn) error, err error) {
	lines := strings.Split(strings.TrimSuffix(head, "\r\n\r\n"), "\r\n")
	if strings.ContainsAny(strings.Join(lines, ""), "\r\n\x00") {
		return nil, errors.New("the request has a line that ends in a bare LF or CR")
	}
	method, rest, _ := strings.Cut(lines[0], " ")
	target, version, ok := strings.Cut(rest, " ")
	if !ok || method == "" || version != "HTTP/1.1" && version != "HTTP/1.0" {
		return nil, errors.New("the request line must be METHOD TARGET HTTP/1.1")
	}
	count := map[string]int{}
	length, chunked := int64(-1), false
	for _, line := range lines[1:] {
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			return nil, errors.New("the request has a header that continues on a second line")
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || !isToken(name) {
			return nil, errors.New("the request has a header with an invalid name")
		}
		name, value = strings.ToLower(name), strings.Trim(value, " \t")
		switch count[name]++; {
		case count[name] > 1 && (name == "content-length" || name == "transfer-encoding" || name == "host" || name == "proxy-authorization"):
			return nil, fmt.Errorf("the request has two %s headers", http.CanonicalHeaderKey(name))
		case name == "content-length":
			if length, err = strconv.ParseInt(value, 10, 64); err != nil || strings.Trim(value, "0123456789") != "" {
				return nil, errors.New("the Content-Length must be one number")
			}
		case name == "host":
			if err := namesTarget(value, target); err != nil {
				return nil, err
			}
		case name == "transfer-encoding":
			if chunked = strings.EqualFold(value, "chunked"); !chunked || version != "HTTP/1.1" {
				return nil, errors.New("the Transfer-Encoding must be chunked, and the version HTTP/1.1")
			}
		}
	}
	switch {
	case chunked && length >= 0:
		return nil, errors.New("the request has both a Content-Length and a Transfer-Encoding")
	case method == http.MethodConnect && (chunked || length > 0):
		return nil, errors.New("a CONNECT has no body")
	case chunked:
		return (*strictConn).size, nil
	case length > 0:
		c.left = length
		return (*strictConn).body, nil
	}
	return (*strictConn).head, nil
}

func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

// body passes on the bytes of a body with a length.
func (c *strictConn) body() error {
	if c.whole = !c.pass(); !c.whole {
		c.state = (*strictConn).head
	}
	return nil
}

// pass passes on the available part of the remaining bytes, and reports whether that was all.
func (c *strictConn) pass() bool {
	n := min(int64(len(c.in)), c.left)
	c.give(int(n))
	c.left -= n
	return c.left == 0
}

// size reads the line with a chunk's size. It refuses extensions: no one needs them, and parsers
// disagree about their end.
func (c *strictConn) size() error {
	end := bytes.IndexByte(c.in, '\n')
	if end < 0 && len(c.in) <= maxChunk+1 {
		return errMore
	}
	line, ok := bytes.CutSuffix(c.in[:max(end, 0)], []byte("\r"))
	n, err := strconv.ParseUint(string(line), 16, 63)
	if !ok || err != nil || len(line) > maxChunk {
		return c.broken(errors.New("a chunk of the body must begin with its size alone, and CRLF"))
	}
	c.give(end + 1)
	if c.left, c.state = int64(n), (*strictConn).chunk; n == 0 { //nolint:gosec // 63 bits
		c.state = (*strictConn).trailer
	}
	return nil
}

func (c *strictConn) chunk() error {
	if c.pass() {
		c.state = (*strictConn).chunkEnd
	}
	return nil
}

func (c *strictConn) chunkEnd() error {
	if len(c.in) < 2 {
		return errMore
	}
	if c.in[0] != '\r' || c.in[1] != '\n' {
		return c.broken(errors.New("a chunk of the body is longer than its size"))
	}
	c.give(2)
	c.state = (*strictConn).size
	return nil
}

// trailer checks the lines after the last chunk, up to an empty one.
func (c *strictConn) trailer() error {
	end := bytes.IndexByte(c.in, '\n')
	switch {
	case end < 0 && len(c.in) > maxHead:
		return c.broken(errors.New("the trailer of the body is too long"))
	case end < 0:
		return errMore
	case end == 1 && c.in[0] == '\r':
		c.state = (*strictConn).head
	default:
		line, whole := strings.CutSuffix(string(c.in[:end]), "\r")
		name, _, ok := strings.Cut(line, ":")
		if !whole || !ok || !isToken(name) || strings.ContainsAny(line, "\r\x00") {
			return c.broken(errors.New("the trailer of the body has a line that is not a header"))
		}
		if !httpguts.ValidTrailerHeader(http.CanonicalHeaderKey(name)) { // a server that merges it into the header would see another request
			return c.broken(fmt.Errorf("the trailer of the body has a %s, which must stand in the header", http.CanonicalHeaderKey(name)))
		}
	}
	c.give(end + 1)
	return nil
}

// rest passes on all data.
func (c *strictConn) rest() error {
	c.give(len(c.in))
	return nil
}

// drop discards all data: the connection closes after the response.
func (c *strictConn) drop() error {
	c.in = nil
	return errMore
}

// broken ends a connection in the middle of a body.
func (c *strictConn) broken(why error) error {
	c.cut.Store(&why)
	return why
}

func (c *strictConn) strict() *strictConn { return c }

// strictContext makes the connection available to handlers.
func strictContext(ctx context.Context, conn net.Conn) context.Context {
	if c, ok := conn.(interface{ strict() *strictConn }); ok {
		ctx = context.WithValue(ctx, strictKey{}, c.strict())
	}
	return ctx
}

// handedOver ends the checks of a hijacked connection.
func handedOver(conn net.Conn, s http.ConnState) {
	if c, ok := conn.(interface{ strict() *strictConn }); ok && s == http.StateHijacked {
		c.strict().taken.Store(true)
	}
}

// unwrap returns the underlying connection of a hijacked one, and its buffered data.
func unwrap(conn net.Conn) (below net.Conn, early []byte) {
	c, ok := conn.(*strictConn)
	if !ok {
		return conn, nil
	}
	return c.Conn, append(c.ready, c.in...)
}

// CloseWrite closes the write side of a hijacked connection.
func (c *strictConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Ambiguous returns the reason why a Strict listener refused a request, or nil. The request is then
// a substitute without content. The previous request of the connection may still be running.
func Ambiguous(r *http.Request) error {
	c, ok := r.Context().Value(strictKey{}).(*strictConn)
	if !ok || r.Host != refusedHost {
		return nil
	}
	if why := c.fault.Load(); why != nil {
		return *why
	}
	return nil
}

// cutOf returns the reason why the body of a request ended early, or nil if its framing is valid.
func cutOf(r *http.Request) error {
	if c, ok := r.Context().Value(strictKey{}).(*strictConn); ok {
		if why := c.cut.Load(); why != nil {
			return *why
		}
	}
	return nil
}

// ambiguous answers a request that was refused for its framing.
func (p *Proxy) ambiguous(w http.ResponseWriter, c Client, why error) {
	p.tellRefused(c, Target{}, why)
	w.Header().Set("Connection", "close")
	refuse(w, http.StatusBadRequest, Decision{Why: why.Error()})
}

// tellRefused records a request that was refused for its framing.
func (p *Proxy) tellRefused(c Client, t Target, why error) {
	p.log.Warn("refused a malformed request or tunnel", "client", c.Name, "target", t.Addr(), "error", why)
	if p.refused != nil {
		p.refused(c, t, why)
	}
}
