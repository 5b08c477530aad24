package gateway

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/authority"
	"github.com/umpire-dev/umpire/internal/egress"
)

// secured is a gateway with a proxy that looks into TLS, and a server that is at any name.
type secured struct {
	*world
	up    *httptest.Server
	proxy string
	ca    *authority.CA
	far   *authority.CA  // the server's
	roots *x509.CertPool // what clients trust: the server's and the proxy's CA
}

func newSecured(t *testing.T, server http.Handler, policy string, change func(o *Options, port string), egressed func(*egress.Options)) *secured {
	t.Helper()
	s := &secured{roots: x509.NewCertPool()}
	for _, ca := range []**authority.CA{&s.ca, &s.far} {
		var err error
		if *ca, err = authority.Create(filepath.Join(t.TempDir(), "ca"), false); err != nil {
			t.Fatal(err)
		}
		s.roots.AppendCertsFromPEM((*ca).PEM())
	}
	s.up = httptest.NewUnstartedServer(server)
	s.up.EnableHTTP2 = true
	s.up.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	s.up.TLS = &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) { return s.far.Certificate(h.ServerName) }}
	s.up.StartTLS()
	t.Cleanup(s.up.Close)
	s.world = newWorld(t, policy, func(o *Options) {
		if change != nil {
			change(o, s.port())
		}
	})
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.far.PEM())
	o := egress.Options{Resolver: names{}, Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Certificate: s.ca.Certificate, Roots: pool}
	if egressed != nil {
		egressed(&o)
	}
	p := httptest.NewUnstartedServer(nil)
	p.Config = egress.Server(s.g.Proxy(o))
	p.Listener = egress.Strict(p.Listener)
	p.Start()
	t.Cleanup(p.Close)
	s.proxy = p.Listener.Addr().String()
	return s
}

func (s *secured) port() string {
	_, port, _ := net.SplitHostPort(s.up.Listener.Addr().String())
	return port
}

func (s *secured) client() *http.Client {
	tr := &http.Transport{
		Proxy:             http.ProxyURL(&url.URL{Scheme: "http", User: url.UserPassword("s1", s.tokens["agent"]), Host: s.proxy}),
		TLSClientConfig:   &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: true,
	}
	s.t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: 2 * time.Minute}
}

// do sends a request and says who signed the certificate that the client was shown.
func (s *secured) do(c *http.Client, method, host, path string, header http.Header) (got, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, "https://"+host+":"+s.port()+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	resp, err := c.Do(req)
	if err != nil {
		return got{err: err}, ""
	}
	defer resp.Body.Close()
	by := "the server"
	certs := resp.TLS.PeerCertificates
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.ca.PEM())
	if _, err := certs[0].Verify(x509.VerifyOptions{Roots: pool}); err == nil {
		by = "umpire"
	}
	b, err := io.ReadAll(resp.Body)
	return got{status: resp.StatusCode, body: string(b), err: err}, by
}

func hello(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%s %s", r.Method, r.URL.Path) }

// TLS is looked into where a rule speaks of what is inside, or the operator says so, and
// nowhere else.
func TestProxyInside(t *testing.T) {
	s := newSecured(t, http.HandlerFunc(hello), `modes: {network: deny-all}
rules:
  - allow: network(plain.example:*)
  - allow: network(GET api.example:*/repos/*)
  - allow: network(files.example:*)
  - deny: network(DELETE files.example)
  - deny: network(GET bad.example/x)
  - deny: network(bad.example)
  - allow: network(seen.example:*)
  - allow: network(GET pinned.example:*/x)
  - allow: network(pinned.example:*)
`, func(o *Options, _ string) {
		o.Intercept, _ = ParseHosts([]string{"seen.example"})
		o.PassThrough, _ = ParseHosts([]string{"pinned.example"})
	}, nil)
	c := s.client()
	for _, tt := range []struct {
		method, host, path string
		status             int
		by                 string
	}{
		{"GET", "plain.example", "/", 200, "the server"},
		{"GET", "api.example", "/repos/1?x=1", 200, "umpire"},
		{"POST", "api.example", "/repos/1", 403, "umpire"},
		{"GET", "api.example", "/users", 403, "umpire"},
		{"GET", "files.example", "/users", 200, "umpire"},
		{"DELETE", "files.example", "/users", 403, "umpire"},
		{"POST", "seen.example", "/", 200, "umpire"},
		{"POST", "pinned.example", "/", 200, "the server"},
	} {
		if r, by := s.do(c, tt.method, tt.host, tt.path, nil); r.status != tt.status || by != tt.by {
			t.Errorf("%s %s%s: %+v by %s, want %d by %s", tt.method, tt.host, tt.path, r, by, tt.status, tt.by)
		}
	}
	if r, _ := s.do(c, "GET", "bad.example", "/", nil); r.err == nil || !strings.Contains(r.err.Error(), "Forbidden") {
		t.Errorf("a host that is denied gets no tunnel: %+v", r)
	}
	var lines []string
	for rec, err := range audit.Read(s.g.audit, audit.Query{Rule: "deny-network-delete-files-example"}) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, rec.Effect)
	}
	if strings.Join(lines, " ") != "deny" {
		t.Errorf("the record has %v", lines)
	}
}

// A request inside is a question like any other, and its answer is bound to it.
func TestProxyInsideWaits(t *testing.T) {
	s := newSecured(t, http.HandlerFunc(hello), "rules:\n  - allow: network(GET a.example:*/ok)\n", nil, nil)
	c := s.client()
	done := make(chan got, 1)
	go func() { r, _ := s.do(c, "POST", "a.example", "/x", nil); done <- r }()
	o := &out{world: s.world}
	q := o.waits(1)[0]
	if !strings.HasPrefix(q.Action, "POST https://a.example:") || !strings.HasSuffix(q.Action, "/x") {
		t.Errorf("asked about %s", q.Action)
	}
	o.answer(q.ID, true, "")
	if r := <-done; r.status != 200 || r.body != "POST /x" {
		t.Errorf("%+v", r)
	}
	if r, _ := s.do(c, "GET", "a.example", "/ok", nil); r.status != 200 {
		t.Errorf("%+v", r)
	}
}

// Without a CA a tunnel that a rule looks into is a question: what is inside is not known.
func TestProxyBlind(t *testing.T) {
	s := newSecured(t, http.HandlerFunc(hello), "rules:\n  - allow: network(a.example:*)\n  - deny: network(DELETE a.example)\n", nil, func(o *egress.Options) { o.Certificate = nil })
	done := make(chan string, 1)
	go func() { _, by := s.do(s.client(), "GET", "a.example", "/", nil); done <- by }()
	o := &out{world: s.world}
	q := o.waits(1)[0]
	if !strings.HasPrefix(q.Action, "CONNECT a.example:") || !strings.Contains(q.Description, "may match") {
		t.Errorf("asked about %s: %s", q.Action, q.Description)
	}
	o.answer(q.ID, true, "")
	if by := <-done; by != "the server" {
		t.Errorf("answered by %q", by)
	}
}

func TestParseHosts(t *testing.T) {
	for in, ok := range map[string]bool{"*": true, "a.example": true, "*.a.example:8443": true, "10.0.0.0/8": true, "GET a.example": false, "a.example/x": false, "https://a.example": false, "": false} {
		if _, err := ParseHosts([]string{in}); (err == nil) != ok {
			t.Errorf("%q: %v", in, err)
		}
	}
}
