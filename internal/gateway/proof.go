package gateway

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
)

// A client must not show a token to another program that listens at the gateway's address. Without
// TLS, the gateway first proves that it knows the token. The client names the token by the
// beginning of its hash, and the gateway answers with a code that needs the complete hash. The code
// covers the address at which the gateway was called: a listener elsewhere gains nothing if it
// passes the question on.

// ProofPath is the route on which a gateway proves that it knows a token: ?token=ID&nonce=NONCE.
const ProofPath = "/api/proof"

// ProofID returns the ID of a token for ProofPath.
func ProofID(secret string) string { return hashToken(secret)[:12] }

// Proof is the answer of a gateway on ProofPath.
type Proof struct {
	Address string `json:"address"` // address at which the gateway was called
	Code    string `json:"code"`    // HMAC over the nonce and the address
}

// Valid reports whether p was made by a holder of the token secret, for the nonce, by the party
// that was called at the address. Between machines the address may be translated, as by Docker;
// then only the port must be the same.
func (p Proof) Valid(secret, nonce, address string) bool {
	if !hmac.Equal([]byte(p.Code), []byte(proof(hashToken(secret), nonce, p.Address))) {
		return false
	}
	said, err := netip.ParseAddrPort(p.Address)
	if err != nil {
		return false
	}
	want, err := netip.ParseAddrPort(address)
	if err != nil || said.Port() != want.Port() {
		return false
	}
	return said.Addr().Unmap() == want.Addr().Unmap() || !said.Addr().Unmap().IsLoopback() || !want.Addr().Unmap().IsLoopback()
}

func proof(hash, nonce, address string) string {
	m := hmac.New(sha256.New, []byte(hash))
	fmt.Fprintf(m, "umpire gateway\n%s\n%s\n", nonce, address)
	return hex.EncodeToString(m.Sum(nil))
}

// provable has the hashes of operators' tokens, by their beginnings, at one version of the records.
type provable struct {
	version uint64
	hashes  map[string]string
}

// hashOf returns the hash of an operator's token. For an unknown ID it returns a hash that no token
// has, so that a guesser does not learn which tokens exist.
func (g *Gateway) hashOf(ctx context.Context, id string) (string, error) {
	version := g.store.Version(tokenRecord)
	p := g.provable.Load()
	if p == nil || p.version != version {
		records, err := g.store.Records(ctx, tokenRecord)
		if err != nil {
			return "", err
		}
		p = &provable{version: version, hashes: map[string]string{}}
		for _, r := range records {
			var t Token
			if err := json.Unmarshal(r.Body, &t); err != nil {
				return "", err
			}
			if t.Kind == Operator && !t.over(g.now()) {
				p.hashes[t.ID] = r.ID
			}
		}
		g.provable.Store(p)
	}
	if h := p.hashes[id]; h != "" {
		return h, nil
	}
	return hashToken(id + " is nobody's"), nil
}

func (g *Gateway) prove(w http.ResponseWriter, r *http.Request) {
	id, nonce := r.FormValue("token"), r.FormValue("nonce")
	if len(id) != 12 || len(nonce) < 16 || len(nonce) > 200 {
		respond(w, http.StatusBadRequest, map[string]string{"error": "give token, the first 12 digits of its hash, and nonce, of 16 to 200 bytes"})
		return
	}
	hash, err := g.hashOf(r.Context(), id)
	if err != nil {
		g.log.Warn("cannot read the tokens", "error", err)
		respond(w, http.StatusServiceUnavailable, map[string]string{"error": "cannot read the tokens"})
		return
	}
	address := ""
	if a, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		address = a.String()
	}
	respond(w, http.StatusOK, Proof{Address: address, Code: proof(hash, nonce, address)})
}
