package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/plural"
)

// FaultKind is a class of failures.
type FaultKind string

// The kinds.
const (
	KeyRefused  FaultKind = "key refused"
	NotFound    FaultKind = "not found"
	TooLong     FaultKind = "too long" // the conversation exceeds the model's limit
	Refused     FaultKind = "request refused"
	RateLimited FaultKind = "rate limited"
	Overloaded  FaultKind = "overloaded"
	ServerError FaultKind = "server error"
	Redirected  FaultKind = "redirected"
	Unreachable FaultKind = "unreachable" // no connection
	Untrusted   FaultKind = "untrusted certificate"
	Reset       FaultKind = "connection reset"
	Silent      FaultKind = "no answer in time"
	Cut         FaultKind = "answer cut off"
	TooLarge    FaultKind = "answer too large"
	Malformed   FaultKind = "unreadable answer"
)

// text describes the failure, after the name of the server.
var text = map[FaultKind]string{
	KeyRefused:  "refused the key",
	NotFound:    "does not know the model or the address",
	TooLong:     "refused the request: the conversation is too long for the model",
	Refused:     "refused the request",
	RateLimited: "limits the rate of requests",
	Overloaded:  "is overloaded",
	ServerError: "failed",
	Redirected:  "redirects elsewhere",
	Unreachable: "cannot be reached",
	Untrusted:   "has a certificate that this machine does not trust",
	Reset:       "closed the connection",
	Silent:      "sent nothing in time",
	Cut:         "ended its answer early",
	TooLarge:    "sent an answer that is too large",
	Malformed:   "sent an answer that cannot be read",
}

// Fault is the reason for a failed request. Umpire writes its text, which contains no text of the
// server.
type Fault struct {
	Kind   FaultKind
	Status int           // HTTP status, or 0
	After  time.Duration // pause that the server asked for; 0 if none
	Tries  int           // number of attempts, set by Retry
	Said   string        // text of the server, on one line and masked; foreign text
	Err    error         // the cause below HTTP, or nil
	Who    string        // name of the server in messages, "the provider" if empty
	late   bool          // another try would have come after the deadline
}

// Error implements error.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(cmp.Or(f.Who, "the provider") + " " + text[f.Kind])
	if f.Status != 0 && f.Status != http.StatusOK {
		fmt.Fprintf(&b, " (status %d)", f.Status)
	}
	if f.Tries > 1 {
		fmt.Fprintf(&b, ", %d times", f.Tries)
	}
	switch {
	case f.After >= time.Minute:
		fmt.Fprintf(&b, "; it asks to wait %s", plural.Duration(f.After))
	case f.late:
		b.WriteString("; no time left to retry")
	}
	return b.String()
}

// Unwrap returns the cause below HTTP.
func (f *Fault) Unwrap() error { return f.Err }

// Temporary reports whether the same request may succeed later.
func (f *Fault) Temporary() bool {
	switch f.Kind {
	case RateLimited, Overloaded, ServerError, Unreachable, Reset, Silent, Cut:
		return true
	}
	return false
}

// Billed reports whether the provider may charge for the request anyway.
func (f *Fault) Billed() bool {
	switch f.Kind {
	case Reset, Silent, Cut, TooLarge, Malformed:
		return true
	}
	return false
}

// kindOf classifies an HTTP status.
func kindOf(status int, said string) FaultKind {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return KeyRefused
	case status == http.StatusNotFound:
		return NotFound
	case status == http.StatusRequestEntityTooLarge || status == http.StatusBadRequest && tooLong(said):
		return TooLong
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status == http.StatusServiceUnavailable || status == 529:
		return Overloaded
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status == http.StatusInternalServerError || status == http.StatusBadGateway || status >= http.StatusGatewayTimeout:
		return ServerError
	case status/100 == 3:
		return Redirected
	}
	return Refused
}

// tooLong reports whether a server says that the conversation is too long.
func tooLong(said string) bool {
	said = strings.ToLower(said)
	return anyof.Contains(said, "context_length", "context length", "context window", "maximum context", "prompt is too long", "too many tokens", "input is too long")
}

// below classifies a failure below HTTP: of the connection if no response began, of the response
// otherwise.
func below(err error, begun bool) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	f = &Fault{Kind: Reset, Err: err}
	var network net.Error
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &certificate), errors.As(err, &unknown), errors.As(err, &record):
		f.Kind = Untrusted
	case errors.As(err, &network) && network.Timeout():
		f.Kind = Silent
	case errors.As(err, &op) && op.Op == "dial":
		f.Kind = Unreachable
	case begun || errors.Is(err, io.ErrUnexpectedEOF):
		f.Kind = Cut
	}
	return f
}

// retryAfter returns the pause that a server asks for, or 0. Of several headers, the most precise
// one counts.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if n, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return seconds(n / 1000)
	}
	v := h.Get("Retry-After")
	if n, err := strconv.ParseFloat(v, 64); err == nil {
		return seconds(n)
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return min(t.Sub(now), maxAfter)
	}
	return 0
}

// maxAfter limits the pause that a server can request.
const maxAfter = 24 * time.Hour

func seconds(n float64) time.Duration {
	if !(n > 0) { // and not a number
		return 0
	}
	return time.Duration(min(n, maxAfter.Seconds()) * float64(time.Second))
}

// ended returns the cause of a context that is done, err otherwise.
func ended(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return ctx.Err()
}
