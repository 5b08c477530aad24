package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A way that is ended is closed each time somebody asks for it, and so is what opens behind it.
func TestWaysEnd(t *testing.T) {
	p := New(Options{Gate: &gate{}})
	closed := map[string]int{}
	add := func(host string, before int) *openTunnel {
		w := &openTunnel{Tunnel: Tunnel{Target: Target{Host: host}}, end: func() { closed[host]++ }}
		p.tunnels.add(w, before)
		return w
	}
	a, b := add("a", p.tunnels.before()), add("b", p.tunnels.before())
	if got := p.Tunnels(); len(got) != 2 || got[0].Target.Host != "a" || got[1].Target.Host != "b" || got[0].ID == got[1].ID {
		t.Errorf("the tunnels are %+v, want a and b, the oldest first", got)
	}
	if w, ok := p.End("nobody"); ok || w.ID != "" {
		t.Errorf("ended %+v, want none of that name", w)
	}
	for n := 1; n <= 2; n++ { // it is listed until its server is gone
		if w, ok := p.End(a.ID); !ok || w.Target.Host != "a" || closed["a"] != n || closed["b"] != 0 {
			t.Errorf("end %d: got %+v, %v, and closed %v, want a alone", n, w, ok, closed)
		}
	}
	a.ends(func() { closed["behind a"]++ })
	b.ends(func() { closed["behind b"]++ })
	if closed["behind a"] != 1 || closed["behind b"] != 0 {
		t.Errorf("closed %v, want what opens behind the ended way at once, and behind the other not", closed)
	}
	p.tunnels.drop(a)
	if _, ok := p.End(a.ID); ok {
		t.Error("a way that was dropped is open")
	}
	early := p.tunnels.before()
	if got := p.Review(func(w Tunnel, _ bool) bool { return w.Target.Host != "b" }); len(got) != 1 || got[0].Target.Host != "b" || closed["behind b"] != 1 {
		t.Errorf("a review closed %+v, want b: %v", got, closed)
	}
	for _, before := range []int{early, p.tunnels.before()} { // judged before the review, and after it
		clear(closed)
		for _, host := range []string{"b", "c"} {
			p.tunnels.drop(add(host, before))
		}
		if want := map[bool]int{true: 1}[before == early]; closed["b"] != want || closed["c"] != 0 {
			t.Errorf("judged at review %d of %d: closed %v, want b %d times", before, p.tunnels.before(), closed, want)
		}
	}
}

// The Host field that goes out has the judged host in its one spelling, and the client's port.
func TestHostField(t *testing.T) {
	for _, tt := range []struct{ field, host, want string }{
		{"A.example", "a.example", "a.example"},
		{"A.example:80", "a.example", "a.example:80"},
		{"", "a.example", "a.example"},
		{"[::0001]", "::1", "[::1]"},
		{"[::0001]:8080", "::1", "[::1]:8080"},
	} {
		if got := hostField(tt.field, &Target{Scheme: "http", Host: tt.host, Port: "80"}); got != tt.want {
			t.Errorf("%q of %s: got %q, want %q", tt.field, tt.host, got, tt.want)
		}
	}
}

// Each longer or wider form of a dot or a slash is read as one.
func TestClimbsSpelled(t *testing.T) {
	dots := []string{"\xc0\xae", "\xe0\x80\xae", "\xf0\x80\x80\xae", "\uff0e", "\u2024"}
	slashes := []string{"\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xc1\x9c", "\xe0\x81\x9c", "\uff0f", "\uff3c"}
	var paths []string
	for _, dot := range dots {
		paths = append(paths, "/a/"+dot+dot+"/b", "/a/."+dot, "/"+dot)
	}
	for _, slash := range slashes {
		paths = append(paths, "/a"+slash+".."+slash+"b", slash+"..")
	}
	paths = append(paths, "/\u2025", "/a/\u2025/b")
	for _, p := range paths {
		escaped := ""
		for i := range len(p) {
			escaped += fmt.Sprintf("%%%02x", p[i])
		}
		for _, p := range []string{p, escaped} {
			if !climbs(p) {
				t.Errorf("%q does not climb", p)
			}
		}
	}
}

// A request of HTTP/1.0 in a tunnel need not name its host: it is the tunnel's.
func TestNoHostFieldInTunnel(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "for ", r.Host) }))
	defer up.Close()
	at := strings.TrimPrefix(up.URL, "http://")
	_, c, r := speak(t, open(t, Options{Private: loopback}), "CONNECT "+at+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	if _, err := io.WriteString(c, "GET / HTTP/1.0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if got := hear(t, r, "GET"); got.status != http.StatusOK || got.body != "for "+at {
		t.Errorf("got %d %q, want 200 for %s", got.status, got.body, at)
	}
}

// An answer of a known length that takes its time passes as it comes, unless it is short.
func TestLongAnswerComesAsItIsWritten(t *testing.T) {
	const size = 4<<10 + 1
	next := make(chan struct{})
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(size))
		_, _ = io.WriteString(w, "begin")
		w.(http.Flusher).Flush()
		<-next
		_, _ = w.Write(slices.Repeat([]byte("x"), size-len("begin")))
	}))
	defer up.Close()
	resp, err := client(t, open(t, Options{Private: loopback}), nil).Get(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	begin := make([]byte, len("begin"))
	if _, err := io.ReadFull(resp.Body, begin); err != nil || string(begin) != "begin" {
		t.Fatalf("got %q, %v, want what the server wrote before it paused", begin, err)
	}
	close(next)
	if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) != size-len(begin) {
		t.Errorf("the rest has %d bytes, %v, want %d", len(rest), err, size-len(begin))
	}
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
		t.Errorf("got %d %s, want the server's answer", status, body)
	}
	if g.questions() != "CONNECT "+at {
		t.Errorf("asked about %s", g.questions())
	}
	if status, body := get(t, c, up.URL); status != 200 || body != "inside "+strings.TrimPrefix(up.URL, "https://") {
		t.Errorf("by its address: %d %s", status, body)
	}
}

// The destination is the request's target. A Host field for another server is refused: a reader that
// follows the field would see another request.
func TestOtherHostField(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Host) }))
	defer up.Close()
	at := strings.TrimPrefix(up.URL, "http://")
	host, port, _ := strings.Cut(at, ":")
	proxy := open(t, Options{Private: loopback})
	for field, want := range map[string]int{at: 200, "[::ffff:" + host + "]:" + port: 200, "evil.example": 400, host: 400, host + ":1": 400, "evil.example:" + port: 400, "": 400, at + "@evil.example": 400} {
		resp, _, _ := speak(t, proxy, "GET "+up.URL+"/ HTTP/1.1\r\nHost: "+field+"\r\nConnection: close\r\n"+auth+"\r\n")
		if resp.status != want || want == 200 && resp.body != at {
			t.Errorf("Host %q: got %d %s, want %d", field, resp.status, resp.body, want)
		}
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
		{"not a handshake", "\x16\x03\x01\x00\x05hello", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, c, _ := speak(t, p, "CONNECT good.example:"+port+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
			if resp.status != 200 {
				t.Fatalf("resp.status is %v, want %v", resp.status, 200)
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
			t.Errorf("%q: got %d %s, want %d and %q", tt.request, got.status, got.body, tt.status, tt.body)
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
			t.Errorf("%q: got %q, %v, want the tunnel closed", begin, b, err)
		}
		_, c, r = speak(t, start(t, New(Options{Gate: g, Private: loopback})), "CONNECT "+at+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
		rest := "GET /no HTTP/1.1\r\nHost: " + at + "\r\n\r\n"
		if _, err := io.WriteString(c, strings.TrimRight(begin, "GETPO")+rest); err != nil {
			t.Fatal(err)
		}
		if got := hear(t, r, "GET"); got.status == http.StatusOK {
			t.Errorf("%q: got %d %s, want an error", begin, got.status, got.body)
		}
	}
	if n := up.bytes(); n != 0 {
		t.Errorf("the server got %d bytes", n)
	}
}

func TestWebSocket(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(answerSocket))
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
			t.Fatalf("%s: %v, want a WebSocket", name, err)
		}
		if res.Body != nil {
			_ = res.Body.Close()
		}
		_ = ws.Write(ctx, websocket.MessageText, []byte("hi"))
		if _, b, err := ws.Read(ctx); err != nil || string(b) != "heard hi" {
			t.Errorf("%s: got %q, %v, want what the server heard", name, b, err)
		}
		_ = ws.CloseNow()
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
		t.Fatalf("the first line is %q, %v, want the server's", line, err)
	}
	if _, err := c.Write(bytes.Repeat([]byte("x"), 9<<20)); err != nil {
		t.Fatal(err)
	}
	_ = c.(*net.TCPConn).CloseWrite()
	if b, err := io.ReadAll(r); err != nil || string(b) != fmt.Sprintf("%d bytes", 9<<20) {
		t.Errorf("the answer is %q, %v, want the number of bytes", b, err)
	}
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

// If the proxy cannot take over a connection, it tells the client and frees the place of the tunnel.
func TestTunnelNeedsItsConnection(t *testing.T) {
	up, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer up.Close()
	p := New(Options{Gate: &gate{}, Private: loopback})
	ended := awaitEnds(p)
	r := httptest.NewRequest(http.MethodConnect, up.Addr().String(), nil)
	r.Header.Set("Proxy-Authorization", "Basic czE6dG9rZW4=")
	answer := httptest.NewRecorder()
	p.ServeHTTP(answer, r)
	if answer.Code < 500 {
		t.Errorf("%d %s, want an error of the proxy", answer.Code, answer.Body)
	}
	ended.all(t)
}
