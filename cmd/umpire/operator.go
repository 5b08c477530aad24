package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/visible"
)

// defaultServer is the gateway that an operator's commands speak with.
const defaultServer = "http://127.0.0.1:3700"

// gatewayURL returns the gateway that a flag names, or the environment, or the default.
func gatewayURL(server string) string {
	for _, s := range []string{os.Getenv("UMPIRE_SERVER"), os.Getenv("SANDBOX_SERVER"), defaultServer} {
		if server == "" {
			server = s
		}
	}
	return strings.TrimSuffix(server, "/")
}

// operatorToken returns the token in UMPIRE_TOKEN or in umpire's state folder.
func operatorToken() (string, error) {
	if secret := os.Getenv("UMPIRE_TOKEN"); secret != "" {
		return secret, nil
	}
	file, err := tokenFile()
	if err != nil {
		return "", err
	}
	data, err := readSmall(file)
	if errors.Is(err, os.ErrNotExist) {
		return "", doclink.Wrap(fmt.Errorf("no operator token: set UMPIRE_TOKEN, or start the gateway with `umpire serve`, which writes a token to %s", file), doclink.Token)
	}
	return strings.TrimSpace(string(data)), err
}

// operatorCall makes a request to the gateway as the person whose token is in
// UMPIRE_TOKEN or in umpire's state folder.
func operatorCall(ctx context.Context, server, method, path string, in, out any) error {
	secret, err := operatorToken()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return gatewayCall(ctx, operatorClient(secret), method, gatewayURL(server)+path, secret, in, out)
}

// stay follows no redirect: a token goes to the named gateway only.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// maxSaid bounds an answer of a gateway's, in bytes.
const maxSaid = 64 << 20

// gatewayCall makes a request with a token, and reads the answer into out.
func gatewayCall(ctx context.Context, client *http.Client, method, address, secret string, in, out any) error {
	body, err := gatewayOpen(ctx, client, method, address, secret, in)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	data, err := io.ReadAll(io.LimitReader(body, maxSaid))
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(data, out)
}

// errAway says that another try may find the gateway.
var errAway = doclink.Wrap(errors.New("the gateway does not answer"), doclink.Gateway)

// gatewayFault is a gateway's refusal.
type gatewayFault struct {
	status int
	said   string
}

func (f *gatewayFault) Error() string { return "the gateway says: " + f.said }

// gatewayOpen does the same and returns the answer as it comes.
func gatewayOpen(ctx context.Context, client *http.Client, method, address, secret string, in any) (io.ReadCloser, error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, usageError{err}
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w; is `umpire serve` running?", errAway, err)
	}
	if res.StatusCode < 300 {
		return res.Body, nil
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxSaid))
	if err != nil {
		return nil, err
	}
	var said struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(data, &said) == nil && said.Error != "" {
		if res.StatusCode == http.StatusServiceUnavailable || res.StatusCode == http.StatusTooManyRequests {
			return nil, fmt.Errorf("%w: it says: %s", errAway, visible.Line(said.Error))
		}
		return nil, &gatewayFault{res.StatusCode, visible.Line(said.Error)}
	}
	if res.StatusCode >= 500 {
		return nil, fmt.Errorf("%w: it says %s", errAway, visible.Line(res.Status))
	}
	return nil, &gatewayFault{res.StatusCode, visible.Line(res.Status)}
}
