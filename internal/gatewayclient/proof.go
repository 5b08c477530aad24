package gatewayclient

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

// clients caches the clients by token, with their connections: a watch makes many requests.
var clients sync.Map

// OperatorClient returns a client for requests with an operator's token. Without TLS, it uses a
// connection only after the server has proved that it knows the token: if no gateway runs, another
// user of this machine could listen and collect tokens.
func OperatorClient(secret string) *http.Client {
	if !strings.HasPrefix(secret, operatorPrefix) {
		return &http.Client{CheckRedirect: NoRedirect}
	}
	if c, ok := clients.Load(secret); ok {
		return c.(*http.Client)
	}
	secure := http.DefaultTransport.(*http.Transport).Clone()
	plain := secure.Clone()
	plain.Proxy = nil // a proxy would answer in place of the gateway and read the token
	dial := plain.DialContext
	plain.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		if err := checkProof(ctx, conn, addr, secret); err != nil {
			return nil, errors.Join(fmt.Errorf("the server at %s %w: %w", addr, errUnproved, err), conn.Close())
		}
		return conn, nil
	}
	c := &http.Client{CheckRedirect: NoRedirect, Transport: byScheme{plain, secure}}
	kept, _ := clients.LoadOrStore(secret, c)
	return kept.(*http.Client)
}

// operatorPrefix is the prefix of operators' tokens. An agent's token cannot decide, so it needs no
// proof.
const operatorPrefix = "umpo_"

// byScheme uses the plain transport, with its proof, for http only: TLS authenticates the server.
type byScheme struct{ plain, secure http.RoundTripper }

func (b byScheme) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" {
		return b.secure.RoundTrip(r)
	}
	return b.plain.RoundTrip(r)
}

var errUnproved = errors.New("did not prove that it is your gateway, so umpire did not send it your token")

// proofTime limits the time of a proof.
const proofTime = 5 * time.Second

// checkProof requests a proof on a new connection, before the token is sent.
func checkProof(ctx context.Context, conn net.Conn, addr, secret string) error {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails, as documented
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
