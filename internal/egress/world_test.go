package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// gate allows by a list of targets, and remembers what it was asked.
type gate struct {
	mu    sync.Mutex
	asked []string
	say   func(Target) Decision
}

func (g *gate) Identify(_ context.Context, user, password string) (Client, error) {
	if password != "token" {
		return Client{}, ErrUnknown
	}
	return Client{ID: "a", Name: "builder", Session: user}, nil
}

func (g *gate) Judge(_ context.Context, _ Client, t Target) (Decision, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, t.String())
	if g.say == nil {
		return Decision{Allowed: true}, nil
	}
	return g.say(t), nil
}

func (g *gate) questions() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return strings.Join(g.asked, "; ")
}

// names is a resolver. A name with several answers gives them one after the other.
type names struct {
	mu sync.Mutex
	of map[string][]string
	n  map[string]int
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.of[strings.TrimSuffix(host, ".")]
	if len(list) == 0 || !strings.HasSuffix(host, ".") {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if n.n == nil {
		n.n = map[string]int{}
	}
	text := list[min(n.n[host], len(list)-1)]
	n.n[host]++
	var out []netip.Addr
	for _, a := range strings.Fields(text) {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// patience is how long tests wait for what comes at once: on a busy machine it takes longer.
const patience = time.Minute

// open starts a proxy and returns its address. It waits for clients that are slow to begin.
func open(t *testing.T, o Options) string {
	t.Helper()
	if o.Gate == nil {
		o.Gate = &gate{}
	}
	p := New(o)
	p.hello, p.silent = patience, patience
	return start(t, p)
}

// ends receives a value each time a place is given back.
type ends struct {
	p    *Proxy
	back chan struct{}
}

// awaitEnds is to be called before the proxy serves.
func awaitEnds(p *Proxy) *ends {
	e := &ends{p, make(chan struct{}, 2*maxConnections)}
	p.left = func() { e.back <- struct{}{} }
	return e
}

// all waits until every place is given back, and then no way is listed any more.
func (e *ends) all(t *testing.T) {
	t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		e.p.mu.Lock()
		places := len(e.p.clients)
		e.p.mu.Unlock()
		if places == 0 {
			break
		}
		select {
		case <-e.back:
		case <-late.C:
			t.Fatalf("%d places are taken, want none", places)
		}
	}
	if open := e.p.tunnels.list(); len(open) > 0 {
		t.Errorf("%d ways are listed, want none", len(open))
	}
}

func start(t *testing.T, p *Proxy) string {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.Config = Server(p)
	s.Listener = Strict(s.Listener)
	s.Start()
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// client is an HTTP client behind the proxy.
func client(t *testing.T, proxy string, roots *x509.CertPool) *http.Client {
	t.Helper()
	tr := &http.Transport{
		Proxy:           http.ProxyURL(&url.URL{Scheme: "http", User: url.UserPassword("s1", "token"), Host: proxy}),
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func get(t *testing.T, c *http.Client, url string) (int, string) {
	t.Helper()
	resp, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

func portOf(t *testing.T, u string) string {
	t.Helper()
	at, err := url.Parse(u)
	if err != nil {
		t.Fatal(err)
	}
	return at.Port()
}

type answer struct {
	status int
	header http.Header
	body   string
}

// speak sends bytes to the proxy as they are, and returns the answer to the first request.
func speak(t *testing.T, proxy, text string) (answer, net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", proxy)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(c)
	return hear(t, r, strings.Fields(text)[0]), c, r
}

// hear reads an answer to a request of that method.
func hear(t *testing.T, r *bufio.Reader, method string) answer {
	t.Helper()
	resp, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b []byte
	if method != http.MethodConnect || resp.StatusCode != http.StatusOK {
		if b, err = io.ReadAll(resp.Body); err != nil {
			t.Fatal(err)
		}
	}
	return answer{resp.StatusCode, resp.Header, string(b)}
}

const auth = "Proxy-Authorization: Basic czE6dG9rZW4=\r\n" // s1:token

func secure(t *testing.T, h http.Handler) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	up := httptest.NewUnstartedServer(h)
	up.EnableHTTP2 = true
	up.StartTLS()
	t.Cleanup(up.Close)
	pool := x509.NewCertPool()
	pool.AddCert(up.Certificate())
	return up, pool
}

// answerSocket answers one message on a WebSocket.
func answerSocket(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	_, b, err := c.Read(r.Context())
	if err == nil {
		_ = c.Write(r.Context(), websocket.MessageText, append([]byte("heard "), b...))
	}
	_ = c.Close(websocket.StatusNormalClosure, "")
}
