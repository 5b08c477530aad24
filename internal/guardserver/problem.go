package guardserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/jsonfault"
)

// Problem is an error in the form of RFC 9457.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"` // the error, and the next step
	ID     string `json:"requestId,omitempty"`
}

// Error implements error.
func (p *Problem) Error() string { return p.Detail }

func problem(status int, format string, args ...any) *Problem {
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

func writeProblem(w http.ResponseWriter, p *Problem) {
	said := *p
	said.ID = w.Header().Get("X-Request-Id")
	b, _ := json.Marshal(said) // strings always encode
	w.Header().Set("Content-Type", "application/problem+json")
	switch p.Status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	case http.StatusRequestEntityTooLarge:
		w.Header().Set("Connection", "close") // the rest of the body is not read
	}
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(b, '\n'))
}

// decode reads one JSON document strictly.
func decode(r *http.Request, limit int64, into any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return problem(http.StatusUnsupportedMediaType, "the body must be JSON: send it with Content-Type: application/json")
	}
	if e := r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return problem(http.StatusUnsupportedMediaType, "the body must not be compressed: send it without Content-Encoding")
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return problem(http.StatusRequestEntityTooLarge, "the body has more than %d bytes: send the text in parts", limit)
	case err != nil:
		return problem(http.StatusBadRequest, "the body is incomplete: send it again")
	case !utf8.Valid(body):
		return problem(http.StatusBadRequest, "the body is not UTF-8: encode it so")
	}
	if err := jsonfault.Ambiguous(body); err != nil {
		return problem(http.StatusBadRequest, "the body can be read in two ways: %s", err)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return problem(http.StatusBadRequest, "the body is not what /openapi.json says: %s", jsonFault(err))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return problem(http.StatusBadRequest, "the body is more than one JSON document: send one")
	}
	return nil
}

// jsonFault describes the fault of a document without quoting it.
func jsonFault(err error) string { return bounded.Clip(jsonfault.Words(err).Error(), 200, "...") }
