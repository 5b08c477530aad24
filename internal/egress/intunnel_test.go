package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// testCA is a CA as clients behind the proxy trust it.
type testCA struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newTestCA(t testing.TB) *testCA {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ca := &testCA{key: key, pool: x509.NewCertPool(), cert: &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}}
	der, err := x509.CreateCertificate(rand.Reader, ca.cert, ca.cert, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	if ca.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	ca.pool.AddCert(ca.cert)
	return ca
}

func (ca *testCA) certificate(host string) (*tls.Certificate, error) {
	c := &x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: time.Now().Add(time.Hour)}
	if ip := net.ParseIP(host); ip != nil {
		c.IPAddresses = []net.IP{ip}
	} else {
		c.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, c, ca.cert, ca.key.Public(), ca.key)
	return &tls.Certificate{Certificate: [][]byte{der, ca.cert.Raw}, PrivateKey: ca.key}, err
}

// looked is a proxy that looks into tunnels, with a server behind it that is at any name.
type looked struct {
	t     *testing.T
	gate  *gate
	ca    *testCA // of the proxy
	far   *testCA // of the server
	ends  *ends
	proxy string
	port  string
	log   *lockedBuffer
}

// lockedBuffer keeps what is logged. The zero value is ready to use.
type lockedBuffer struct {
	mu    sync.Mutex
	b     bytes.Buffer
	wrote chan struct{} // closed at the next write, if somebody waits
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrote != nil {
		close(l.wrote)
		l.wrote = nil
	}
	return l.b.Write(b)
}

// until waits for a text in the log.
func (l *lockedBuffer) until(t *testing.T, text string) {
	t.Helper()
	timeout := time.After(patience)
	for {
		l.mu.Lock()
		found := strings.Contains(l.b.String(), text)
		if l.wrote == nil {
			l.wrote = make(chan struct{})
		}
		wrote := l.wrote
		l.mu.Unlock()
		if found {
			return
		}
		select {
		case <-wrote:
		case <-timeout:
			t.Fatalf("the log is %q, want %q in it", l, text)
		}
	}
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// everywhere resolves every name to this machine.
type everywhere struct{}

func (everywhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

func newLooked(t *testing.T, h http.Handler, change func(*Options)) *looked {
	t.Helper()
	far := newTestCA(t) // whom the proxy trusts, and clients do not
	l := &looked{t: t, ca: newTestCA(t), far: far, log: &lockedBuffer{}}
	up := httptest.NewUnstartedServer(h)
	up.EnableHTTP2 = true
	byAddress, err := far.certificate("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	up.TLS = &tls.Config{Certificates: []tls.Certificate{*byAddress}, GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
		return far.certificate(h.ServerName)
	}}
	up.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	up.StartTLS()
	t.Cleanup(up.Close)
	l.port = portOf(t, up.URL)
	l.gate = &gate{say: func(t Target) Decision { return Decision{Allowed: true, Inside: true} }}
	o := Options{Gate: l.gate, Private: loopback, Resolver: everywhere{}, Certificate: l.ca.certificate, Roots: far.pool, Log: slog.New(slog.NewTextHandler(l.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	if change != nil {
		change(&o)
	}
	p := New(o)
	p.hello, p.silent = patience, patience
	l.ends = awaitEnds(p)
	l.proxy = start(t, p)
	return l
}

func (l *looked) client() *http.Client { return client(l.t, l.proxy, l.ca.pool) }

// tls opens a tunnel, and TLS in it.
func (l *looked) tls(host string, protos ...string) *tls.Conn {
	l.t.Helper()
	resp, c, _ := speak(l.t, l.proxy, "CONNECT "+host+":"+l.port+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	if resp.status != 200 {
		l.t.Fatalf("CONNECT: got %d %s, want 200", resp.status, resp.body)
	}
	s := tls.Client(c, &tls.Config{ServerName: host, RootCAs: l.ca.pool, NextProtos: protos, MinVersion: tls.VersionTLS12})
	if err := s.Handshake(); err != nil {
		l.t.Fatal(err)
	}
	return s
}

func TestInside(t *testing.T) {
	l := newLooked(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "https://other.example/", http.StatusFound)
			return
		}
		w.Header().Set("Alt-Svc", `h3=":443"`)
		b, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %s %q", r.Proto, r.Method, r.URL, r.Host, b)
	}), nil)
	l.gate.say = func(t Target) Decision {
		return Decision{Allowed: t.Path != "/no", Inside: t.Method == "CONNECT", ID: "01ABC", Why: "denied"}
	}
	for name, h2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		c := l.client()
		c.Transport.(*http.Transport).ForceAttemptHTTP2 = h2
		t.Run(name, func(t *testing.T) {
			at := "a.example:" + l.port
			resp, err := c.Post("https://"+at+"/a%2Fb?q=1", "text/plain", strings.NewReader("hello"))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			b, _ := io.ReadAll(resp.Body)
			// The server's side is HTTP/2 whatever the client's is.
			if want := "HTTP/2.0 POST /a%2Fb?q=1 " + at + ` "hello"`; string(b) != want || h2 != (resp.ProtoMajor == 2) {
				t.Errorf("got %s by %s, want %s, and HTTP/2: %v", b, resp.Proto, want, h2)
			}
			if resp.Header.Get("Alt-Svc") != "" {
				t.Error("the client is told a way past the proxy")
			}
			if status, body := get(t, c, "https://"+at+"/no"); status != 403 || !strings.Contains(body, `"request":"01ABC"`) {
				t.Errorf("got %d %s, want 403 with the request's ID", status, body)
			}
			if status, _ := get(t, c, "https://"+at+"/away"); status != http.StatusFound {
				t.Errorf("a redirect became %d", status)
			}
			if status, body := get(t, c, "https://127.0.0.1:"+l.port+"/"); status != 200 {
				t.Errorf("by its address: %d %s %s", status, body, l.log)
			}
		})
	}
	if got, want := l.gate.questions(), "POST https://a.example:"+l.port+"/a/b"; !strings.Contains(got, want) {
		t.Errorf("asked about %s", got)
	}
}

// Without a CA nothing that has to be seen passes unseen.
func TestInsideWithoutCA(t *testing.T) {
	l := newLooked(t, http.NotFoundHandler(), func(o *Options) { o.Certificate = nil })
	resp, _, _ := speak(t, l.proxy, "CONNECT a.example:"+l.port+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	if resp.status != 403 || !strings.Contains(resp.body, "umpire ca create") {
		t.Errorf("without a CA: got %d %s, want 403 and how to make one", resp.status, resp.body)
	}
}

// What goes to the server is verified, whatever the client would have done.
func TestInsideVerifies(t *testing.T) {
	l := newLooked(t, http.NotFoundHandler(), func(o *Options) { o.Roots = x509.NewCertPool() })
	if status, body := get(t, l.client(), "https://a.example:"+l.port+"/"); status != 502 || !strings.Contains(body, "certificate of a.example is not valid") {
		t.Errorf("a certificate of nobody's: got %d %s, want 502 that says so", status, body)
	}
	up := httptest.NewUnstartedServer(http.NotFoundHandler()) // its certificate is for example.com
	up.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	up.StartTLS()
	defer up.Close()
	pool := x509.NewCertPool()
	pool.AddCert(up.Certificate())
	wrong := newLooked(t, http.NotFoundHandler(), func(o *Options) { o.Roots = pool })
	if status, body := get(t, wrong.client(), "https://a.example:"+portOf(t, up.URL)+"/"); status != 502 || !strings.Contains(body, "not a.example") {
		t.Errorf("another host's certificate: %d %s", status, body)
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	if status, body := get(t, wrong.client(), "https://a.example:"+portOf(t, plain.URL)+"/"); status != 502 || !strings.Contains(body, "does not speak TLS") {
		t.Errorf("no TLS: %d %s", status, body)
	}
	wants := httptest.NewUnstartedServer(http.NotFoundHandler())
	wants.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert, MaxVersion: tls.VersionTLS12}
	wants.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	wants.StartTLS()
	defer wants.Close()
	if status, body := get(t, wrong.client(), "https://example.com:"+portOf(t, wants.URL)+"/"); status != 502 || !strings.Contains(body, "--pass-through") {
		t.Errorf("a server that wants to know the client: %d %s", status, body)
	}
}

// A client that does not trust the CA is told of in the log, with what to do.
func TestInsideUntrusted(t *testing.T) {
	l := newLooked(t, http.NotFoundHandler(), nil)
	if resp, err := client(t, l.proxy, x509.NewCertPool()).Get("https://a.example:" + l.port + "/"); err == nil {
		resp.Body.Close()
		t.Error("it was trusted")
	}
	l.log.until(t, "umpire ca trust")
}

// Requests inside of tunnels are bounded, too: one HTTP/2 connection has many at a time.
func TestManyInside(t *testing.T) {
	arrived, hold := make(chan struct{}, 2*maxConnections), make(chan struct{})
	l := newLooked(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			arrived <- struct{}{}
			<-hold
		}
	}), nil)
	const over = 14
	status := make(chan int, 2*maxConnections) // and 0 for what got no answer
	ask := func(c *http.Client, path string) int {
		resp, err := c.Get("https://a.example:" + l.port + path)
		if err != nil {
			t.Error(err)
			return 0
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	var all sync.WaitGroup
	for range 3 {
		c := l.client()
		c.Transport.(*http.Transport).ForceAttemptHTTP2 = true
		// One tunnel each, first: 270 requests without would open a tunnel each, and tunnels
		// are bounded as well.
		if code := ask(c, "/"); code != http.StatusOK {
			t.Fatalf("code is %v, want %v", code, http.StatusOK)
		}
		for range (maxConnections + over) / 3 {
			all.Go(func() { status <- ask(c, "/held") })
		}
	}
	for range over { // the others are held, or there would be none of these
		if code := <-status; code != http.StatusTooManyRequests {
			t.Errorf("one too many: got %d, want 429", code)
		}
	}
	close(hold)
	all.Wait()
	for range maxConnections {
		if code := <-status; code != http.StatusOK {
			t.Errorf("one that was held: got %d, want 200", code)
		}
	}
	if len(arrived) != maxConnections {
		t.Errorf("%d requests reached the server, want %d", len(arrived), maxConnections)
	}
}

// Trailers, what is written bit by bit, and large bodies pass as they come.
func TestInsideStreams(t *testing.T) {
	next := make(chan struct{})
	l := newLooked(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/steps":
			w.Header().Set("Trailer", "Sum")
			for range 3 {
				fmt.Fprintln(w, "step")
				w.(http.Flusher).Flush()
				<-next
			}
			w.Header().Set("Sum", "3")
		case "/count":
			n, _ := io.Copy(io.Discard, r.Body)
			fmt.Fprint(w, n, " ", r.Trailer.Get("End"))
		}
	}), nil)
	for _, h2 := range []bool{false, true} {
		c := l.client()
		c.Transport.(*http.Transport).ForceAttemptHTTP2 = h2
		resp, err := c.Get("https://a.example:" + l.port + "/steps")
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(resp.Body)
		for range 3 {
			if !lines.Scan() || lines.Text() != "step" {
				t.Fatal(lines.Err())
			}
			next <- struct{}{} // only when the line has come: nothing is held back
		}
		if lines.Scan() || lines.Err() != nil || resp.Trailer.Get("Sum") != "3" {
			t.Errorf("the end of the answer: %v, trailer %v, want a sum of 3", lines.Err(), resp.Trailer)
		}
		resp.Body.Close()
		req, _ := http.NewRequest("POST", "https://a.example:"+l.port+"/count", io.LimitReader(zeros{}, 20<<20))
		req.Trailer = http.Header{"End": {"yes"}}
		if resp, err = c.Do(req); err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(b) != fmt.Sprint(20<<20, " yes") {
			t.Errorf("the server got %s, want 20 MB and the trailer", b)
		}
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestInsideWebSocket(t *testing.T) {
	l := newLooked(t, http.HandlerFunc(answerSocket), nil)
	c := l.client()
	c.Timeout = 0
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ws, res, err := websocket.Dial(ctx, "wss://a.example:"+l.port+"/", &websocket.DialOptions{HTTPClient: c})
	if err != nil {
		t.Fatal(err)
	}
	if res.Body != nil {
		_ = res.Body.Close()
	}
	defer func() { _ = ws.CloseNow() }()
	_ = ws.Write(ctx, websocket.MessageText, []byte("hi"))
	if _, b, err := ws.Read(ctx); err != nil || string(b) != "heard hi" {
		t.Errorf("got %q, %v, want what the server heard", b, err)
	}
}

// Every request inside is for the host whose tunnel it is.
func TestInsideHoldsToItsHost(t *testing.T) {
	l := newLooked(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "served ", r.Host, r.URL.Path) }), nil)
	at := "a.example:" + l.port
	for _, tt := range []struct {
		name, request string
		status        int
		says          string
	}{
		{"its own", "GET /x HTTP/1.1\r\nHost: " + at + "\r\n\r\n", 200, "served " + at + "/x"},
		{"its own, in capitals", "GET /x HTTP/1.1\r\nHost: A.Example.:" + l.port + "\r\n\r\n", 200, "/x"},
		{"its own, with a dot", "GET /x HTTP/1.1\r\nHost: a.example.:" + l.port + "\r\n\r\n", 200, "served " + at + "/x"},
		{"its own, in a bracket", "GET /x HTTP/1.1\r\nHost: [a.example]:" + l.port + "\r\n\r\n", 200, "served " + at + "/x"},
		{"another method by a header", "POST /x HTTP/1.1\r\nHost: " + at + "\r\nX-HTTP-Method-Override: delete\r\nContent-Length: 0\r\n\r\n", 400, "X-Http-Method-Override"},
		{"a long GET by a header", "POST /x HTTP/1.1\r\nHost: " + at + "\r\nX-HTTP-Method-Override: GET\r\nContent-Length: 0\r\n\r\n", 200, "/x"},
		{"another method by another header", "POST /x HTTP/1.1\r\nHost: " + at + "\r\nX_HTTP_METHOD: PUT\r\nContent-Length: 0\r\n\r\n", 400, "changes the method"},
		{"another path by a header", "GET /x HTTP/1.1\r\nHost: " + at + "\r\nX-Original-URL: /y\r\n\r\n", 400, "X-Original-Url"},
		{"another host", "GET / HTTP/1.1\r\nHost: b.example:" + l.port + "\r\n\r\n", 421, "another host"},
		{"another port", "GET / HTTP/1.1\r\nHost: a.example:1\r\n\r\n", 421, "another host"},
		{"no port, which is 443", "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 421, "another host"},
		{"two hosts", "GET / HTTP/1.1\r\nHost: " + at + "\r\nHost: b.example\r\n\r\n", 400, ""},
		{"no host", "GET / HTTP/1.1\r\n\r\n", 400, ""},
		{"absolute form", "GET https://b.example/ HTTP/1.1\r\nHost: b.example\r\n\r\n", 400, "a proxy inside"},
		{"absolute form for another host", "GET https://b.example/ HTTP/1.1\r\nHost: " + at + "\r\n\r\n", 400, "another host"},
		{"a tunnel in a tunnel", "CONNECT b.example:443 HTTP/1.1\r\nHost: b.example:443\r\n\r\n", 400, "a proxy inside"},
		{"a path that climbs", "GET /x/..%2f..%2fy HTTP/1.1\r\nHost: " + at + "\r\n\r\n", 400, "dot segments"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := l.tls("a.example", "http/1.1")
			_, _ = io.WriteString(s, tt.request)
			if got := hear(t, bufio.NewReader(s), "GET"); got.status != tt.status || !strings.Contains(got.body, tt.says) {
				t.Errorf("got %d %s, want %d and %q", got.status, got.body, tt.status, tt.says)
			}
		})
	}
	// A client that believes the certificate to be one for both.
	tr := l.client().Transport.(*http.Transport)
	tr.ForceAttemptHTTP2 = true
	req, _ := http.NewRequest("GET", "https://"+at+"/", nil)
	req.Host = "b.example"
	resp, err := tr.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusMisdirectedRequest || resp.ProtoMajor != 2 {
		t.Errorf("another host: got %s by %s, want 421 by HTTP/2", resp.Status, resp.Proto)
	}
}

// Where the inside has to be seen, no server may speak first: a client that is slow to begin is
// waited for.
func TestInsideWaits(t *testing.T) {
	ca := newTestCA(t)
	p := New(Options{Gate: &gate{say: func(Target) Decision { return Decision{Allowed: true, Inside: true} }}, Certificate: ca.certificate})
	p.hello, p.silent = patience, -time.Second // the client is late before it begins
	_, c, _ := speak(t, start(t, p), "CONNECT a.example:8443 HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	if err := tls.Client(c, &tls.Config{ServerName: "a.example", RootCAs: ca.pool, MinVersion: tls.VersionTLS12}).Handshake(); err != nil {
		t.Errorf("a client that begins late: %v, want a handshake", err)
	}
}

// What is no TLS does not pass where the inside has to be seen, plain requests are judged.
func TestInsideOtherProtocols(t *testing.T) {
	var told refusals
	l := newLooked(t, http.NotFoundHandler(), func(o *Options) { o.Refused = told.add })
	_, c, r := speak(t, l.proxy, "CONNECT a.example:"+l.port+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	_, _ = io.WriteString(c, "SSH-2.0-x\r\n")
	if b, err := io.ReadAll(r); len(b) != 0 || err != nil {
		t.Errorf("SSH in the tunnel: got %q, %v, want it closed", b, err)
	}
	if got := told.all(); !strings.Contains(got, "does not carry TLS") {
		t.Errorf("SSH in the tunnel: recorded is %q, want that it does not carry TLS", got)
	}
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "plain") }))
	defer plain.Close()
	at := "a.example:" + portOf(t, plain.URL)
	_, c, r = speak(t, l.proxy, "CONNECT "+at+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	_, _ = io.WriteString(c, "GET /x HTTP/1.1\r\nHost: "+at+"\r\n\r\n")
	if got := hear(t, r, "GET"); got.body != "plain" {
		t.Errorf("plain HTTP in the tunnel: got %+v, want the server's answer", got)
	}
	if want := "GET http://" + at + "/x"; !strings.Contains(l.gate.questions(), want) {
		t.Errorf("asked about %s", l.gate.questions())
	}
}

func TestClimbs(t *testing.T) {
	for p, want := range map[string]bool{
		"/a/b": false, "/a/..b": false, "/...": false, "/a.b/c..d": false, "/%": false, "/a;v=1/b": false, "/a\\b": false, "/50%25/x": false,
		"/a/../b": true, "/..": true, "/a/.": true, "/a\\..\\b": true, "/..;/b": true, "/a/..;x=y/b": true, "/%2e%2e/b": true, "/.%2E/b": true, "/a/%2E%2e%2fb": true, "/a/..%5cb": true, "/%2e": true,
		"/a/%25252e%25252e/b": true, "/%2525252541": false, "/%252525252541": true, "/a/..%2500/b": true, "/a/..\x00/b": true, "/a/.\t./b": true, "/a/.. /b": true, "/%25%32%65./b": true, "/%zz/%2e./b": true, "/%zz%2e%2e/b": false, "/%g0/../b": true,
		"/a/\xc0\xae\xc0\xae/b": true, "/a/..\xc0\xafb": true, "/a/%c0%ae./b": true, "/a/\uff0e\uff0e/b": true, "/\u2025/b": true,
		"/caf\u00e9/\u2026": false, "/a b/.c": false, "/%e2%80%a6": false, "/.well-known/x": false, "/100%/..x": false,
	} {
		if got := climbs(p); got != want {
			t.Errorf("climbs(%q) = %v, want %v", p, got, want)
		}
	}
}

func TestRefusalIsJSON(t *testing.T) {
	l := newLooked(t, http.NotFoundHandler(), nil)
	l.gate.say = func(t Target) Decision {
		return Decision{Allowed: t.Method == "CONNECT", Inside: true, Why: "a \"quoted\"\nreason", Open: true}
	}
	_, body := get(t, l.client(), "https://a.example:"+l.port+"/")
	var said map[string]any
	if err := json.Unmarshal([]byte(body), &said); err != nil || said["error"] != "a \"quoted\"\nreason" || said["pending"] != true {
		t.Errorf("the refusal is %s, want JSON with the reason and that it is open", body)
	}
}
