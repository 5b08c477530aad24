// Package logintest starts an OpenID Connect provider for tests.
package logintest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// The gateway, as the provider knows it, and another program that people log in to.
const (
	ClientID = "umpire"
	Secret   = "s3cret of the gateway's"
	Other    = "wiki"
)

// Claims are the claims about a user at the provider, or in a token.
type Claims = map[string]any

// Provider is a real one, of npm's oidc-provider, behind a front that a test can have tamper
// with answers.
type Provider struct {
	Issuer string
	Key    jose.JSONWebKey
	Down   atomic.Bool                           // the front breaks all connections off
	Token  func(answer map[string]any)           // changes the response of the token endpoint
	Answer func(path string, body []byte) []byte // changes any answer

	t  testing.TB
	to atomic.Pointer[url.URL]
}

// Start starts a provider on the loopback address, and stops it with the test. It is down
// until Serve.
func Start(t testing.TB) *Provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{t: t, Key: jose.JSONWebKey{Key: key, KeyID: "k1", Algorithm: "RS256", Use: "sig"}}
	p.Down.Store(true)
	front := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(p.to.Load())
			r.Out.Host = r.In.Host // it makes its addresses of it
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: p.tamper,
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.Down.Load() {
			panic(http.ErrAbortHandler)
		}
		front.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	p.Issuer = srv.URL
	return p
}

// Serve adds users to the provider, and programs with the address to which it may redirect
// browsers. Tokens of a lean provider contain only the subject; the userinfo endpoint has the
// rest.
func (p *Provider) Serve(redirect string, users map[string]Claims, lean bool) {
	t := p.t
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(here), "../testdata/provider")
	if _, err := os.Stat(filepath.Join(dir, "node_modules/oidc-provider")); err != nil {
		t.Fatal("the provider that tests log in with is not installed: run scripts/node.sh, which installs it")
	}
	client := func(id string) map[string]any {
		return map[string]any{"client_id": id, "client_secret": Secret, "redirect_uris": []string{redirect}}
	}
	in, err := json.Marshal(map[string]any{"issuer": p.Issuer, "key": p.Key, "users": users, "lean": lean, "clients": []any{client(ClientID), client(Other)}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "provider.mjs")
	cmd.Dir, cmd.Stderr = dir, io.Discard
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if _, err := stdin.Write(append(in, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the provider did not start: %v", err)
	}
	port, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the provider did not start: it says %q", line)
	}
	p.to.Store(&url.URL{Scheme: "http", Host: "127.0.0.1:" + strconv.Itoa(port)})
	p.Down.Store(false)
}

func (p *Provider) tamper(res *http.Response) error {
	if p.Answer == nil && (p.Token == nil || res.Request.URL.Path != "/token" || res.StatusCode != http.StatusOK) {
		return nil
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if p.Answer != nil {
		body = p.Answer(res.Request.URL.Path, body)
	}
	if p.Token != nil && res.Request.URL.Path == "/token" && res.StatusCode == http.StatusOK {
		var answer map[string]any
		if err := json.Unmarshal(body, &answer); err != nil {
			return err
		}
		p.Token(answer)
		if body, err = json.Marshal(answer); err != nil {
			return err
		}
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	res.ContentLength = int64(len(body))
	res.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return nil
}

// Sign makes a token of claims with a key.
func Sign(t testing.TB, alg jose.SignatureAlgorithm, key any, kid string, claims Claims) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", kid).WithType("JWT"))
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	jws, err := signer.Sign(body)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jws.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}
