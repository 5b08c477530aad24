package egress

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"
)

// Limits on the part of a body that a person sees, and on the time in which the client must send
// it.
const (
	maxPeek  = 64 << 10 // bytes
	peekTime = 10 * time.Second
)

// peeked lets a Gate read the beginning of a body that is passed on later.
type peeked struct {
	io.Reader
	io.Closer
	header http.Header // as the client sent it: with placeholders for secrets
	size   int64       // as the client says, -1 if it does not
	read   func() ([]byte, error)
}

type peekKey struct{}

// withPeek returns the request with a body that Body can look into, and headers that Header returns.
func withPeek(w http.ResponseWriter, r *http.Request, header http.Header) *http.Request {
	p := &peeked{header: header, read: func() ([]byte, error) { return nil, nil }}
	r = r.WithContext(context.WithValue(r.Context(), peekKey{}, p))
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return r
	}
	body, control := r.Body, http.NewResponseController(w)
	p.Reader, p.Closer, p.size = body, body, r.ContentLength
	p.read = func() ([]byte, error) {
		_ = control.SetReadDeadline(time.Now().Add(peekTime))
		head, err := io.ReadAll(io.LimitReader(body, maxPeek))
		_ = control.SetReadDeadline(time.Time{})
		p.Reader = io.MultiReader(bytes.NewReader(head), body)
		p.read = func() ([]byte, error) { return head, err }
		return head, err
	}
	r.Body = p
	return r
}

// Body returns the beginning of the body of the request under decision, at most 64 KiB, and its
// length according to the client: -1 if unknown. The body is still sent completely.
func Body(ctx context.Context) (head []byte, size int64, err error) {
	p, ok := ctx.Value(peekKey{}).(*peeked)
	if !ok {
		return nil, 0, nil
	}
	head, err = p.read()
	return head, p.size, err
}

// Header returns the headers of the request that is being judged, except for those about the connection.
func Header(ctx context.Context) http.Header {
	p, ok := ctx.Value(peekKey{}).(*peeked)
	if !ok {
		return nil
	}
	h := p.header.Clone()
	for _, name := range []string{"Proxy-Authorization", "Proxy-Connection", "Connection", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Length"} {
		h.Del(name)
	}
	return h
}
