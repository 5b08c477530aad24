package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
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

func TestPlainRequest(t *testing.T) {
	var seen http.Header
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
			return
		}
		fmt.Fprintf(w, "%s %s %s", r.Method, r.URL, r.Host)
	}))
	defer up.Close()
	g := &gate{}
	c := client(t, open(t, Options{Gate: g, Private: loopback}), nil)
	if status, body := get(t, c, up.URL+"/a%2Fb?q=secret"); status != 200 || body != "GET /a%2Fb?q=secret "+strings.TrimPrefix(up.URL, "http://") {
		t.Errorf("%d %s", status, body)
	}
	if seen.Get("Proxy-Authorization") != "" || seen.Get("X-Forwarded-For") != "" {
		t.Errorf("the server was told %v", seen)
	}
	if status, _ := get(t, c, up.URL+"/away"); status != http.StatusFound {
		t.Errorf("a redirect became %d: it is the client's to follow", status)
	}
	if want := "GET " + up.URL + "/a/b; GET " + up.URL + "/away"; g.questions() != want {
		t.Errorf("asked about %s, want %s", g.questions(), want)
	}
}

func TestRefused(t *testing.T) {
	p := open(t, Options{Gate: &gate{say: func(t Target) Decision {
		return Decision{ID: "01ABC", Open: t.Host == "later.example", Why: "a person denied it"}
	}}})
	for _, tt := range []struct {
		name, request string
		status        int
		says          string
	}{
		{"nobody", "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n", 407, "token"},
		{"a wrong token", "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nProxy-Authorization: Basic czE6bm9uZQ==\r\n\r\n", 407, "token"},
		{"a tunnel without a token", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", 407, "token"},
		{"denied", "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 403, `"request":"01ABC"`},
		{"still open", "CONNECT later.example:443 HTTP/1.1\r\nHost: later.example:443\r\n" + auth + "\r\n", 403, `"pending":true`},
		{"a number for a host", "GET http://2130706433/ HTTP/1.1\r\nHost: 2130706433\r\n" + auth + "\r\n", 400, "is not a host name"},
		{"hexadecimal", "CONNECT 0x7f.1:443 HTTP/1.1\r\nHost: 0x7f.1:443\r\n" + auth + "\r\n", 400, "is not a host name"},
		{"a zone", "CONNECT [fe80::1%25eth0]:443 HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n", 400, ""},
		{"a user", "GET http://u:p@a.example/ HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "user in it"},
		{"a path that climbs", "GET http://a.example/x/%2e%2e/y HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "dot segments"},
		{"another scheme", "GET ftp://a.example/ HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "CONNECT"},
		{"no port", "CONNECT a.example HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, ""},
		{"port 0", "CONNECT a.example:0 HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "is not a port"},
		{"a large port", "CONNECT a.example:65536 HTTP/1.1\r\nHost: a.example\r\n" + auth + "\r\n", 400, "is not a port"},
		{"not for a proxy", "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 200, "this is a proxy"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, _, _ := speak(t, p, tt.request)
			if resp.status != tt.status || !strings.Contains(resp.body, tt.says) {
				t.Errorf("%d %s", resp.status, resp.body)
			}
			if tt.status == 407 && resp.header.Get("Proxy-Authenticate") == "" {
				t.Error("it does not say how to identify")
			}
		})
	}
}

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

func TestTunnel(t *testing.T) {
	up, roots := secure(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "inside ", r.Host)
	}))
	g := &gate{}
	n := &names{of: map[string][]string{"example.com": {"127.0.0.1"}}}
	c := client(t, open(t, Options{Gate: g, Private: loopback, Resolver: n}), roots)
	at := "example.com:" + portOf(t, up.URL) // the certificate of httptest is for this name
	if status, body := get(t, c, "https://"+at+"/x"); status != 200 || body != "inside "+at {
		t.Errorf("%d %s", status, body)
	}
	if g.questions() != "CONNECT "+at {
		t.Errorf("asked about %s", g.questions())
	}
	if status, body := get(t, c, up.URL); status != 200 || body != "inside "+strings.TrimPrefix(up.URL, "https://") {
		t.Errorf("by its address: %d %s", status, body)
	}
}

// The destination is the request's target, and the server behind is told no other host.
func TestOtherHostField(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Host) }))
	defer up.Close()
	at := strings.TrimPrefix(up.URL, "http://")
	resp, _, _ := speak(t, open(t, Options{Private: loopback}), "GET "+up.URL+"/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n"+auth+"\r\n")
	if resp.body != at {
		t.Errorf("the server was told %q", resp.body)
	}
}

// What a tunnel was approved for is what goes through it.
func TestTunnelHoldsToItsHost(t *testing.T) {
	reached := make(chan string, 10)
	up, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer up.Close()
	go func() {
		for {
			c, err := up.Accept()
			if err != nil {
				return
			}
			go func() {
				b, _ := io.ReadAll(io.LimitReader(c, 1))
				reached <- string(b)
				c.Close()
			}()
		}
	}()
	n := &names{of: map[string][]string{"good.example": {"127.0.0.1"}}}
	_, port, _ := net.SplitHostPort(up.Addr().String())
	p := open(t, Options{Private: loopback, Resolver: n})
	hello := func(name string) string {
		a, b := net.Pipe()
		defer b.Close()
		go func() {
			_ = tls.Client(a, &tls.Config{ServerName: name, InsecureSkipVerify: name == "", MinVersion: tls.VersionTLS12}).Handshake()
		}()
		buf := make([]byte, 8<<10)
		n, _ := b.Read(buf)
		return string(buf[:n])
	}
	for _, tt := range []struct{ name, begins, want string }{
		{"TLS for this host", hello("good.example"), "\x16"},
		{"TLS for another host", hello("evil.example"), ""},
		{"TLS that names none", hello(""), ""},
		{"a handshake that is none", "\x16\x03\x01\x00\x05hello", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, c, _ := speak(t, p, "CONNECT good.example:"+port+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
			if resp.status != 200 {
				t.Fatal(resp.status)
			}
			_, _ = io.WriteString(c, tt.begins)
			if half, ok := c.(*net.TCPConn); ok {
				_ = half.CloseWrite()
			}
			if got := <-reached; got != tt.want {
				t.Errorf("the server got %q", got)
			}
		})
	}
	for _, port := range []string{"443", "80"} {
		tgt := Target{Method: "CONNECT", Host: "good.example", Port: port}
		a, b := net.Pipe()
		go func() { _, _ = a.Write([]byte("SSH-2.0-x\r\n")) }()
		if _, err := New(Options{}).look(b, bufio.NewReader(b), &tgt, false); err == nil {
			t.Errorf("port %s: neither TLS nor HTTP, and it may pass", port)
		}
		a.Close()
	}
}

// A plain request inside a tunnel is judged like one outside.
func TestPlainInsideTunnel(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "plain ", r.URL.Path) }))
	defer up.Close()
	g := &gate{say: func(t Target) Decision { return Decision{Allowed: t.Path != "/no", Why: "denied"} }}
	p := open(t, Options{Gate: g, Private: loopback})
	at := strings.TrimPrefix(up.URL, "http://")
	_, c, r := speak(t, p, "CONNECT "+at+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	for _, tt := range []struct {
		request string
		status  int
		body    string
	}{
		{"GET /yes HTTP/1.1\r\nHost: " + at + "\r\n\r\n", 200, "plain /yes"},
		{"GET /no HTTP/1.1\r\nHost: " + at + "\r\n\r\n", 403, "denied"},
		{"GET /yes HTTP/1.1\r\nHost: other.example\r\n\r\n", 421, "Host field"},
		{"GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n", 400, "inside a tunnel"},
	} {
		if _, err := io.WriteString(c, tt.request); err != nil {
			t.Fatal(err)
		}
		if got := hear(t, r, "GET"); got.status != tt.status || !strings.Contains(got.body, tt.body) {
			t.Errorf("%q: %d %s", tt.request, got.status, got.body)
		}
	}
	if want := "CONNECT " + at + "; GET " + up.URL + "/yes; GET " + up.URL + "/no"; g.questions() != want {
		t.Errorf("asked about %s", g.questions())
	}
}

// A plain request in a tunnel to any port is judged by itself, however its client begins; a client
// that does not show what it speaks gets nowhere.
func TestSlowBeginningInTunnel(t *testing.T) {
	var up atomicServer
	at := up.listen(t)
	for _, begin := range []string{"\r\n", "\r\nG", "GET", "\r\n\r\nPO"} {
		g := &gate{say: func(t Target) Decision { return Decision{Allowed: t.Scheme == "", Why: "denied"} }}
		proxy := New(Options{Gate: g, Private: loopback})
		proxy.hello = 100 * time.Millisecond
		_, c, r := speak(t, start(t, proxy), "CONNECT "+at+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
		if _, err := io.WriteString(c, begin); err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(r); errors.Is(err, os.ErrDeadlineExceeded) || len(b) > 0 {
			t.Errorf("%q stays open: %q %v", begin, b, err)
		}
		_, c, r = speak(t, start(t, New(Options{Gate: g, Private: loopback})), "CONNECT "+at+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
		rest := "GET /no HTTP/1.1\r\nHost: " + at + "\r\n\r\n"
		if _, err := io.WriteString(c, strings.TrimRight(begin, "GETPO")+rest); err != nil {
			t.Fatal(err)
		}
		if got := hear(t, r, "GET"); got.status == http.StatusOK {
			t.Errorf("%q: %d %s", begin, got.status, got.body)
		}
	}
	if n := up.bytes(); n != 0 {
		t.Errorf("the server got %d bytes", n)
	}
}

func TestWebSocket(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		_, b, err := c.Read(r.Context())
		if err == nil {
			_ = c.Write(r.Context(), websocket.MessageText, append([]byte("heard "), b...))
		}
		_ = c.Close(websocket.StatusNormalClosure, "")
	}))
	defer up.Close()
	p := open(t, Options{Private: loopback})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for name, c := range map[string]*http.Client{
		"by the proxy": client(t, p, nil),
		"in a tunnel": {Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			_, c, _ := speak(t, p, "CONNECT "+strings.TrimPrefix(up.URL, "http://")+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
			return c, nil
		}}},
	} {
		c.Timeout = 0
		ws, res, err := websocket.Dial(ctx, up.URL, &websocket.DialOptions{HTTPClient: c})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if res.Body != nil {
			_ = res.Body.Close()
		}
		_ = ws.Write(ctx, websocket.MessageText, []byte("hi"))
		if _, b, err := ws.Read(ctx); err != nil || string(b) != "heard hi" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		_ = ws.CloseNow()
	}
}

// Whoever has a name can let it point anywhere: it is resolved once, and what it points to
// then is checked and dialed.
func TestRebinding(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "the inside") }))
	defer up.Close()
	port := portOf(t, up.URL)
	n := &names{of: map[string][]string{
		"inside.example": {"127.0.0.1"},
		"mixed.example":  {"192.0.2.1 127.0.0.1 10.0.0.1"},
		"mapped.example": {"::ffff:127.0.0.1"},
		"nat64.example":  {"64:ff9b::7f00:1"},
		"meta.example":   {"169.254.169.254"},
		"named.example":  {"127.0.0.1"},
	}}
	c := client(t, open(t, Options{Resolver: n, Gate: &gate{say: func(t Target) Decision {
		return Decision{Allowed: true, Named: t.Host == "named.example"}
	}}}), nil)
	for _, host := range []string{"inside.example", "mixed.example", "mapped.example", "nat64.example", "meta.example", "127.0.0.1", "[::1]", "[::ffff:7f00:1]"} {
		if status, body := get(t, c, "http://"+host+":"+port+"/"); status != 403 || !strings.Contains(body, "an allow rule that names") {
			t.Errorf("%s: %d %s", host, status, body)
		}
	}
	if status, body := get(t, c, "http://named.example:"+port+"/"); status != 200 || body != "the inside" {
		t.Errorf("a host that a rule names: %d %s", status, body)
	}
	if status, body := get(t, c, "http://nowhere.example/"); status != 502 || !strings.Contains(body, "cannot be resolved") {
		t.Errorf("%d %s", status, body)
	}
}

// No rule opens umpire itself to agents.
func TestOwnAddress(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "umpire") }))
	defer up.Close()
	own := netip.MustParseAddrPort(strings.TrimPrefix(up.URL, "http://"))
	c := client(t, open(t, Options{Private: loopback, Own: func() []netip.AddrPort { return []netip.AddrPort{own} },
		Resolver: &names{of: map[string][]string{"me.example": {"127.0.0.1"}}}, Gate: &gate{say: func(t Target) Decision {
			if t.Host != "me.example" {
				panic("a question that no answer would open")
			}
			return Decision{Allowed: true, Named: true}
		}}}), nil)
	for _, host := range []string{"127.0.0.1", "127.0.0.2", "me.example"} {
		if status, body := get(t, c, "http://"+host+":"+portOf(t, up.URL)+"/"); status != 403 || !strings.Contains(body, "umpire's address") {
			t.Errorf("%s: %d %s", host, status, body)
		}
	}
}

// Bytes pass as they come, in both directions, and who stops sending may still receive.
func TestRelay(t *testing.T) {
	up, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer up.Close()
	go func() {
		c, err := up.Accept()
		if err != nil {
			return
		}
		_, _ = io.WriteString(c, "220 the server speaks first\r\n")
		b, _ := io.ReadAll(c)
		_, _ = fmt.Fprintf(c, "%d bytes", len(b))
		c.Close()
	}()
	p := start(t, New(Options{Gate: &gate{}, Private: loopback}))
	_, c, r := speak(t, p, "CONNECT "+up.Addr().String()+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	if line, err := r.ReadString('\n'); err != nil || !strings.Contains(line, "speaks first") {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := c.Write(bytes.Repeat([]byte("x"), 9<<20)); err != nil {
		t.Fatal(err)
	}
	_ = c.(*net.TCPConn).CloseWrite()
	if b, err := io.ReadAll(r); err != nil || string(b) != fmt.Sprintf("%d bytes", 9<<20) {
		t.Errorf("%q, %v", b, err)
	}
}

func TestQuietTunnelEnds(t *testing.T) {
	up, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer up.Close()
	go func() {
		if c, err := up.Accept(); err == nil {
			_, _ = io.Copy(io.Discard, c)
		}
	}()
	p := start(t, New(Options{Gate: &gate{}, Private: loopback, Idle: 50 * time.Millisecond}))
	_, _, r := speak(t, p, "CONNECT "+up.Addr().String()+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	if b, err := io.ReadAll(r); err != nil || len(b) != 0 {
		t.Errorf("%q, %v", b, err)
	}
}

func TestManyConnections(t *testing.T) {
	p := New(Options{Gate: &gate{}})
	refused := httptest.NewRecorder()
	for range maxConnections {
		if !p.enter(refused, place{client: "a"}) {
			t.Fatal("refused too early")
		}
	}
	if p.enter(refused, place{client: "a"}) || !p.enter(refused, place{client: "b"}) || refused.Code != http.StatusTooManyRequests {
		t.Error("one client's connections are bounded, and its own affair")
	}
	p.leave(place{client: "a"})
	if !p.enter(refused, place{client: "a"}) {
		t.Error("a place that is free again")
	}
}

// However a way ends, its place is given back and it is listed no more: else a client would lock
// itself out, and an operator would see ways that are none.
func TestEveryEndGivesThePlaceBack(t *testing.T) {
	up, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer up.Close()
	served := make(chan net.Conn, 1)
	go func() {
		for {
			c, err := up.Accept()
			if err != nil {
				return
			}
			served <- c
		}
	}()
	connect := "CONNECT " + up.Addr().String() + " HTTP/1.1\r\nHost: x\r\n" + auth + "\r\n"
	for name, end := range map[string]func(t *testing.T, p *Proxy, near, far net.Conn){
		"the client closes":  func(_ *testing.T, _ *Proxy, near, _ net.Conn) { near.Close() },
		"the server closes":  func(_ *testing.T, _ *Proxy, _, far net.Conn) { far.Close() },
		"a rule forbids it":  func(_ *testing.T, p *Proxy, _, _ net.Conn) { p.Review(func(Tunnel) bool { return false }) },
		"nobody says a word": func(*testing.T, *Proxy, net.Conn, net.Conn) {},
		"the client closes after a word": func(t *testing.T, _ *Proxy, near, far net.Conn) {
			if _, err := near.Write([]byte("hello")); err != nil {
				t.Error(err)
			}
			if _, err := io.ReadFull(far, make([]byte, 5)); err != nil {
				t.Error(err)
			}
			near.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := New(Options{Gate: &gate{}, Private: loopback, Idle: 200 * time.Millisecond})
			p.hello, p.silent = patience, time.Millisecond // the server speaks first
			ended := awaitEnds(p)
			resp, near, _ := speak(t, start(t, p), connect)
			if resp.status != 200 {
				t.Fatalf("CONNECT: %d %s", resp.status, resp.body)
			}
			far := <-served
			defer far.Close()
			end(t, p, near, far)
			ended.all(t)
		})
	}
}

func TestClassify(t *testing.T) {
	for addr, want := range map[string]Class{
		"8.8.8.8": Public, "2606:4700::1111": Public, "64:ff9b::808:808": Public,
		"127.0.0.1": "loopback", "127.255.0.9": "loopback", "::1": "loopback", "::ffff:127.0.0.1": "loopback", "64:ff9b::7f00:1": "loopback", "0.0.0.0": "this network", "::": "this network",
		"10.1.2.3": "private", "172.31.0.1": "private", "172.32.0.1": Public, "192.168.9.9": "private", "fd12::1": "private", "fec0::1": "private", "64:ff9b:1::1": "private",
		"100.64.0.1": "shared by carriers", "169.254.7.7": "link-local", "fe80::1": "link-local",
		"169.254.169.254": "cloud metadata", "::ffff:169.254.169.254": "cloud metadata", "64:ff9b::a9fe:a9fe": "cloud metadata", "fd00:ec2::254": "cloud metadata", "168.63.129.16": "cloud metadata",
		"2002:7f00:1::": "reserved", "2001:0:1::1": "reserved", "::7f00:1": "reserved", "224.0.0.1": "multicast", "255.255.255.255": "reserved", "ff02::1": "multicast",
		"2606:4700::5efe:7f00:1": "loopback", "2606:4700::200:5efe:a00:1": "private", "198.18.0.1": "benchmarking", "192.0.2.1": "documentation",
	} {
		if got := Classify(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s is %q, want %q", addr, got, want)
		}
	}
}

func TestHost(t *testing.T) {
	for in, want := range map[string]string{
		"Example.COM": "example.com", "example.com.": "example.com", "bücher.example": "xn--bcher-kva.example", "[::1]": "::1", "::FFFF:1.2.3.4": "1.2.3.4", "64:ff9b::102:304": "1.2.3.4", "1.2.3.4": "1.2.3.4",
		"": "", "1.2.3": "", "0x7f.1": "", "2130706433": "", "fe80::1%eth0": "", "a b": "", "a/b": "", "exa\u200bmple.com": "example.com", "..": "", "a..b": "", ".a": "",
		strings.Repeat("a.", 126) + "b": strings.Repeat("a.", 126) + "b", strings.Repeat("a.", 126) + "bc": "",
	} {
		if got, err := Host(in); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}

// A host in its one spelling is its own spelling, and what is no address to umpire is none
// to the resolver.
func FuzzHost(f *testing.F) {
	for _, s := range []string{"a.example", "127.1", "[::1]", "0x7f000001", "ａ.example", "xn--a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, err := Host(s)
		if err != nil {
			return
		}
		if again, err := Host(h); err != nil || again != h {
			t.Fatalf("%q: %q, then %q, %v", s, h, again, err)
		}
		last := h[strings.LastIndexByte(h, '.')+1:]
		if _, err := netip.ParseAddr(h); err != nil && last[0] >= '0' && last[0] <= '9' { // inet_aton of C
			t.Fatalf("%q may be an address to others", h)
		}
	})
}

func FuzzHello(f *testing.F) {
	f.Add([]byte("\x16\x03\x01\x00\x05hello"))
	f.Fuzz(func(t *testing.T, b []byte) {
		name, raw, err := readHello(bytes.NewReader(b))
		if !bytes.HasPrefix(b, raw) {
			t.Fatal("what was read is not what came")
		}
		if err != nil && name != "" {
			t.Fatal("a name and an error")
		}
	})
}

var errTest = errors.New("test")

func TestGateFails(t *testing.T) {
	resp, _, _ := speak(t, open(t, Options{Gate: failing{}}), "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n"+auth+"\r\n")
	if resp.status != 502 || strings.Contains(resp.body, errTest.Error()) {
		t.Errorf("%d %s", resp.status, resp.body)
	}
}

type failing struct{}

func (failing) Identify(context.Context, string, string) (Client, error) { return Client{ID: "a"}, nil }
func (failing) Judge(context.Context, Client, Target) (Decision, error)  { return Decision{}, errTest }
