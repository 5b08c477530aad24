// Package gatewayclient makes requests to a gateway as one of its operators, and starts a gateway
// if none runs. The public package client serves agents.
package gatewayclient

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/visible"
)

// DefaultURL is the gateway that commands of operators use by default.
const DefaultURL = "http://127.0.0.1:3700"

// URL returns the gateway in a flag, or in the environment, or DefaultURL.
func URL(server string) string {
	for _, s := range []string{os.Getenv("UMPIRE_SERVER"), os.Getenv("SANDBOX_SERVER"), DefaultURL} {
		server = cmp.Or(server, s)
	}
	return strings.TrimSuffix(server, "/")
}

// OperatorToken returns the token in UMPIRE_TOKEN or in umpire's state folder. It fails for an
// agent's: the gateway would answer that with other requests.
func OperatorToken() (string, error) {
	secret, err := ownToken()
	if err == nil && strings.HasPrefix(secret, "umpa_") {
		return "", errors.New("this is the token of an agent: set UMPIRE_TOKEN to an operator's, or unset it")
	}
	return secret, err
}

func ownToken() (string, error) {
	if secret := os.Getenv("UMPIRE_TOKEN"); secret != "" {
		return secret, nil
	}
	file, err := TokenFile()
	if err != nil {
		return "", err
	}
	data, err := atomicfile.ReadSmall(file)
	if errors.Is(err, os.ErrNotExist) {
		return "", doclink.Wrap(fmt.Errorf("no operator token: set UMPIRE_TOKEN, or restart the gateway with `umpire serve`, which writes a new token to %s", file), doclink.Token)
	}
	return strings.TrimSpace(string(data)), err
}

// AsOperator sends a request to the gateway with the operator's token. in and out are JSON
// bodies of the request and the response; both may be nil.
func AsOperator(ctx context.Context, server, method, path string, in, out any) error {
	secret, err := OperatorToken()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return Call(ctx, OperatorClient(secret), method, URL(server)+path, secret, in, out)
}

// NoRedirect follows no redirect: a token must not reach any server but the named gateway.
func NoRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// MaxAnswer limits a response of the gateway, in bytes.
const MaxAnswer = 64 << 20

// Call makes a request with a token. It sends in and decodes the response into out, both as JSON.
func Call(ctx context.Context, client *http.Client, method, address, secret string, in, out any) error {
	body, err := Open(ctx, client, method, address, secret, in)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	data, err := io.ReadAll(io.LimitReader(body, MaxAnswer))
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(data, out)
}

// ErrUnreachable means that the gateway did not answer; a later try may succeed.
var ErrUnreachable = doclink.Wrap(errors.New("the gateway does not answer"), doclink.Gateway)

// Unreachable returns ErrUnreachable with its cause and the next step.
func Unreachable(err error) error {
	next := "is `umpire serve` running?"
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &cert):
		next = "name a host of its certificate with --server, and let this machine trust the certificate"
	case errors.Is(err, io.EOF): // what serves no TLS closes the connection
		next = "is `umpire serve` running, and does it serve TLS? If it does not, its address begins with http://"
	case errors.Is(err, errUnproved), errors.Is(err, http.ErrSchemeMismatch):
		next = "check the address (--server), which begins with https:// if the gateway serves TLS, and else with http://"
	}
	return fmt.Errorf("%w: %w; %s", ErrUnreachable, err, next)
}

// unableError is a response by which the gateway says that it cannot answer now. A later try may
// succeed, as with ErrUnreachable.
type unableError struct{ text string }

func (e unableError) Error() string { return "the gateway cannot answer now: " + e.text }

func (e unableError) Unwrap() error { return ErrUnreachable }

// Refusal is a response by which the gateway refuses a request.
type Refusal struct {
	Status int // of HTTP
	text   string
}

func (f *Refusal) Error() string {
	if f.Status == http.StatusUnauthorized {
		return "the gateway does not know the token: it is wrong, revoked or expired; set UMPIRE_TOKEN or the token file to a new one"
	}
	return "the gateway says: " + f.text
}

// AddressError means that the address of the gateway is not a URL.
type AddressError struct{ error }

// Open is like Call, but returns the body of the response as a stream.
func Open(ctx context.Context, client *http.Client, method, address, secret string, in any) (io.ReadCloser, error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil || req.URL.Host == "" || req.URL.Scheme != "http" && req.URL.Scheme != "https" {
		return nil, &AddressError{errors.New("the gateway's address must be a URL such as " + DefaultURL + ": set it by --server or UMPIRE_SERVER")}
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r > '~' }) { // net/http refuses it in a header
		return nil, errors.New("the token contains an invalid character: copy it again")
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, Unreachable(err)
	}
	if res.StatusCode < 300 {
		return res.Body, nil
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(res.Body, MaxAnswer))
	if err != nil {
		return nil, err
	}
	var said struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(data, &said) == nil && said.Error != "" {
		if res.StatusCode == http.StatusServiceUnavailable || res.StatusCode == http.StatusTooManyRequests {
			return nil, unableError{visible.Line(said.Error)}
		}
		return nil, &Refusal{res.StatusCode, visible.Line(said.Error)}
	}
	if res.StatusCode >= 500 {
		return nil, fmt.Errorf("%w: it says %s", ErrUnreachable, visible.Line(res.Status))
	}
	return nil, &Refusal{res.StatusCode, visible.Line(res.Status)}
}

// TokenFile returns the path of the operator's token.
func TokenFile() (string, error) {
	dir, err := audit.DefaultDir()
	return filepath.Join(dir, "operator.token"), err
}
