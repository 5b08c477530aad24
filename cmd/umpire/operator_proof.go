package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/gateway"
)

// operatorClients are kept by their tokens, with their connections: a watch makes many calls.
var operatorClients sync.Map

// operatorClient makes requests with an operator's token. Without TLS, each connection is
// used only after whoever listens there proved to be a gateway that knows the token:
// another user of this machine could listen where none runs.
func operatorClient(secret string) *http.Client {
	if !strings.HasPrefix(secret, operatorPrefix) {
		return &http.Client{CheckRedirect: stay}
	}
	if c, ok := operatorClients.Load(secret); ok {
		return c.(*http.Client)
	}
	secure := http.DefaultTransport.(*http.Transport).Clone()
	plain := secure.Clone()
	plain.Proxy = nil // it would be asked to prove, and hear the token
	dial := plain.DialContext
	plain.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		if err := proven(ctx, conn, addr, secret); err != nil {
			return nil, errors.Join(fmt.Errorf("the server at %s did not prove that it is your gateway, so umpire did not send it your token: %w", addr, err), conn.Close())
		}
		return conn, nil
	}
	c := &http.Client{CheckRedirect: stay, Transport: byScheme{plain, secure}}
	kept, _ := operatorClients.LoadOrStore(secret, c)
	return kept.(*http.Client)
}

// operatorPrefix begins the tokens of operators. Those of agents decide nothing.
const operatorPrefix = "umpo_"

// byScheme has TLS prove by itself who answers.
type byScheme struct{ plain, secure http.RoundTripper }

func (b byScheme) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" {
		return b.secure.RoundTrip(r)
	}
	return b.plain.RoundTrip(r)
}

// proofTime is how long a proof may take.
const proofTime = 5 * time.Second

// proven asks for a proof on a connection, before anything else is said.
func proven(ctx context.Context, conn net.Conn, addr, secret string) error {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails, by its documentation
	nonce := hex.EncodeToString(raw[:])
	if err := conn.SetDeadline(time.Now().Add(proofTime)); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+gateway.ProofPath+"?token="+gateway.ProofID(secret)+"&nonce="+nonce, nil)
	if err != nil {
		return err
	}
	if err := req.Write(conn); err != nil {
		return err
	}
	r := bufio.NewReader(io.LimitReader(conn, 64<<10))
	res, err := http.ReadResponse(r, req)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return err
	}
	var p gateway.Proof
	switch {
	case res.StatusCode != http.StatusOK:
		return fmt.Errorf("it answered %s", res.Status)
	case json.Unmarshal(body, &p) != nil || !p.Valid(secret, nonce, conn.RemoteAddr().String()):
		return errors.New("it does not know your token, or runs on another port: use the port of the gateway, or https")
	case r.Buffered() > 0 || res.Close:
		return errors.New("its answer has unexpected data")
	}
	return conn.SetDeadline(time.Time{})
}
