package egress

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// arrivals are the requests that a server got.
type arrivals struct {
	mu   sync.Mutex
	list []string
}

func (a *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, fmt.Sprintf("%s %s host=%s upgrade=%q x=%q", r.Method, r.URL.Path, r.Host, r.Header.Get("Upgrade"), r.Header.Values("X")))
}

func (a *arrivals) all() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(a.list, "; ")
}

// However a request is cut, the server gets what was judged and nothing else.
func TestSmuggling(t *testing.T) {
	var server arrivals
	l := newLooked(t, &server, nil)
	l.gate.say = func(t Target) Decision {
		return Decision{Allowed: !strings.HasPrefix(t.Path, "/admin"), Inside: true, Why: "denied"}
	}
	host := "Host: a.example:" + l.port + "\r\n"
	for name, text := range map[string]string{
		"a length and chunks":         "POST /a HTTP/1.1\r\n" + host + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"chunks and a length":         "POST /a HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nContent-Length: 60\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"two lengths":                 "POST /a HTTP/1.1\r\n" + host + "Content-Length: 0\r\nContent-Length: 40\r\n\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"a length with a sign":        "POST /a HTTP/1.1\r\n" + host + "Content-Length: +0\r\n\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"another coding":              "POST /a HTTP/1.1\r\n" + host + "Transfer-Encoding: xchunked\r\n\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"codings in two lines":        "POST /a HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"a space before the colon":    "POST /a HTTP/1.1\r\n" + host + "Transfer-Encoding : chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"a folded line":               "GET /a HTTP/1.1\r\n" + host + "X: a\r\n b\r\n\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"a bare line feed in a value": "GET /a HTTP/1.1\r\n" + host + "X: a\nGET /admin HTTP/1.1\r\n\r\n",
		"a bare return in a value":    "GET /a HTTP/1.1\r\n" + host + "X: a\rGET /admin HTTP/1.1\r\n\r\n",
		"a chunk's wrong size":        "POST /a HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n1\r\nabGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"a space in the target":       "GET /a HTTP/1.1\r\nGET /admin HTTP/1.1\r\n" + host + "\r\n",
		"another version":             "GET /a HTTP/1.1 HTTP/1.1\r\n" + host + "\r\n",
		"HTTP/2 in HTTP/1.1":          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"an upgrade to HTTP/2":        "GET /a HTTP/1.1\r\n" + host + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
		"the host as a hop's header":  "GET /a HTTP/1.1\r\n" + host + "Connection: Host, X\r\nX: 1\r\n\r\n",
		"early data":                  "GET /a HTTP/1.1\r\n" + host + "X: 1\r\n\r\nGET /admin/1 HTTP/1.1\r\n" + host + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := l.tls("a.example", "http/1.1")
			_ = s.SetDeadline(time.Now().Add(patience))
			_, _ = io.WriteString(s, text)
			_ = s.CloseWrite()
			_, _ = io.Copy(io.Discard, s) // until the proxy is done with it
		})
	}
	if got := server.all(); strings.Contains(got, "admin") || strings.Contains(got, "PRI") || strings.Contains(got, "h2c") || strings.Contains(strings.ReplaceAll(got, "host=a.example:"+l.port, ""), "host=") {
		t.Errorf("the server got %s", got)
	}
	if n, m := strings.Count(server.all(), ";")+1, strings.Count(l.gate.questions(), l.port+"/a"); n > m {
		t.Errorf("the server got %d requests, and %d were judged as such: %s", n, m, server.all())
	}
}

// frames sends one request by HTTP/2 with just these fields, and returns the status of the
// answer, or what the connection or stream ended with.
func frames(t *testing.T, l *looked, fields ...string) string {
	t.Helper()
	s := l.tls("a.example", "h2")
	_ = s.SetDeadline(time.Now().Add(patience))
	var all bytes.Buffer // sent at once: the server does not wait long for settings
	all.WriteString(http2.ClientPreface)
	f := http2.NewFramer(&all, s)
	f.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	_ = f.WriteSettings()
	var b bytes.Buffer
	enc := hpack.NewEncoder(&b)
	for i := 0; i < len(fields); i += 2 {
		_ = enc.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]})
	}
	_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: b.Bytes(), EndStream: true, EndHeaders: true})
	_, _ = s.Write(all.Bytes())
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return "closed"
		}
		switch frame := frame.(type) {
		case *http2.MetaHeadersFrame:
			return frame.PseudoValue("status")
		case *http2.RSTStreamFrame:
			return "reset"
		case *http2.GoAwayFrame:
			return "away"
		}
	}
}

// The fields of HTTP/2 leave no room for another host, path or scheme than the judged one.
func TestPseudoFields(t *testing.T) {
	var server arrivals
	l := newLooked(t, &server, nil)
	at := "a.example:" + l.port
	for _, tt := range []struct {
		name   string
		fields []string
		want   string // "": refused in any way
	}{
		{"as it should be", []string{":method", "GET", ":scheme", "https", ":authority", at, ":path", "/a"}, "200"},
		{"another host", []string{":method", "GET", ":scheme", "https", ":authority", "b.example", ":path", "/a"}, "421"},
		{"another host besides", []string{":method", "GET", ":scheme", "https", ":authority", at, ":path", "/b", "host", "b.example"}, "200"}, // and the server is not told
		{"only another host", []string{":method", "GET", ":scheme", "https", ":path", "/a", "host", "b.example"}, "421"},
		{"two hosts", []string{":method", "GET", ":scheme", "https", ":authority", at, ":authority", "b.example", ":path", "/a"}, ""},
		{"two paths", []string{":method", "GET", ":scheme", "https", ":authority", at, ":path", "/a", ":path", "/c"}, ""},
		{"a path that is an address", []string{":method", "GET", ":scheme", "https", ":authority", at, ":path", "https://b.example/c"}, ""},
		{"a path that climbs", []string{":method", "GET", ":scheme", "https", ":authority", at, ":path", "/a/%2e%2e/c"}, "400"},
		{"no path", []string{":method", "GET", ":scheme", "https", ":authority", at}, ""},
		{"a tunnel", []string{":method", "CONNECT", ":authority", "b.example:443"}, ""},
		{"a WebSocket", []string{":method", "CONNECT", ":protocol", "websocket", ":scheme", "https", ":authority", at, ":path", "/c"}, ""},
		{"a line break in a value", []string{":method", "GET", ":scheme", "https", ":authority", at, ":path", "/a", "x", "1\r\nhost: b.example"}, ""},
		{"a line break in the path", []string{":method", "GET", ":scheme", "https", ":authority", at, ":path", "/a HTTP/1.1\r\nhost: b.example\r\n\r\nGET /c"}, ""},
		{"a line break in the method", []string{":method", "GET /c HTTP/1.1\r\nhost: b.example\r\n\r\nGET", ":scheme", "https", ":authority", at, ":path", "/a"}, ""},
		{"a line break in the host", []string{":method", "GET", ":scheme", "https", ":authority", at + "\r\nx: b.example", ":path", "/a"}, ""},
		{"a coding", []string{":method", "POST", ":scheme", "https", ":authority", at, ":path", "/a", "transfer-encoding", "chunked"}, ""},
		{"a field in capitals", []string{":method", "GET", ":scheme", "https", ":authority", at, ":path", "/a", "X", "1"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := frames(t, l, tt.fields...); got != tt.want && (tt.want != "" || got == "200") {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	if got := strings.ReplaceAll(server.all(), "host="+at, ""); strings.Contains(got, "b.example") || strings.Contains(got, "/c") {
		t.Errorf("the server got %s", got)
	}
}

// An encrypted hello has a name outside and one inside. The outer one is the one that
// counts, and where tunnels are looked into nothing reads the inner.
func TestEncryptedHello(t *testing.T) {
	var server arrivals
	l := newLooked(t, &server, nil)
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer // draft-ietf-tls-esni: one configuration for front.example
	body.Write([]byte{1, 0, 0x20, 0, 32})
	body.Write(key.PublicKey().Bytes())
	body.Write([]byte{0, 4, 0, 1, 0, 1, 32, byte(len("front.example"))})
	body.WriteString("front.example\x00\x00")
	one := binary.BigEndian.AppendUint16([]byte{0xfe, 0x0d}, uint16(body.Len()))
	one = append(one, body.Bytes()...)
	list := append(binary.BigEndian.AppendUint16(nil, uint16(len(one))), one...)
	shake := func(host string) error {
		_, c, _ := speak(t, l.proxy, "CONNECT "+host+":"+l.port+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
		return tls.Client(c, &tls.Config{ServerName: "hidden.example", RootCAs: l.ca.pool, MinVersion: tls.VersionTLS13, EncryptedClientHelloConfigList: list}).HandshakeContext(t.Context())
	}
	if err := shake("hidden.example"); err == nil {
		t.Error("the outer name is another one, and the tunnel stays open")
	}
	var rejected *tls.ECHRejectionError
	if err := shake("front.example"); !errors.As(err, &rejected) {
		t.Errorf("a hello that nobody here can read: %v", err)
	}
	if server.all() != "" {
		t.Errorf("the server got %s", server.all())
	}
}

// A hello that is too long, or never ends, ends the tunnel.
func TestHostileHello(t *testing.T) {
	var up atomicServer
	addr := up.listen(t)
	for name, first := range map[string]string{
		"a record of zeros":       "\x16\x03\x01\xff\xff" + strings.Repeat("\x00", 1<<16),
		"records without an end":  strings.Repeat("\x16\x03\x01\x40\x00"+strings.Repeat("\x01", 0x4000), 8),
		"a hello of 16 megabytes": "\x16\x03\x01\x40\x00\x01\xff\xff\xff" + strings.Repeat("\x00", 0x4000-4) + strings.Repeat("\x16\x03\x01\x40\x00"+strings.Repeat("\x00", 0x4000), 8),
		"half a hello":            "\x16\x03\x01\x02\x00\x01",
	} {
		t.Run(name, func(t *testing.T) {
			p := New(Options{Gate: &gate{}, Private: loopback})
			p.hello, p.silent = 2*patience, 2*patience // it ends before, for what it is
			if name == "half a hello" {
				p.hello = time.Second // it ends then, drop by drop or not
			}
			_, c, r := speak(t, start(t, p), "CONNECT "+addr+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
			go func() {
				for i := 0; i < len(first); i += 1 << 12 {
					if _, err := io.WriteString(c, first[i:min(i+1<<12, len(first))]); err != nil {
						return
					}
				}
			}()
			if _, err := io.Copy(io.Discard, r); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("it does not end")
			}
		})
	}
	if n := up.bytes(); n != 0 {
		t.Errorf("the server got %d bytes", n)
	}
}

// atomicServer counts what it is sent.
type atomicServer struct {
	mu sync.Mutex
	n  int64
}

func (a *atomicServer) listen(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				n, _ := io.Copy(io.Discard, c)
				a.mu.Lock()
				defer a.mu.Unlock()
				a.n += n
			}()
		}
	}()
	return l.Addr().String()
}

func (a *atomicServer) bytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.n
}

// A name that points at umpire itself is no way to it, inside of TLS either.
func TestOwnAddressInside(t *testing.T) {
	var server arrivals
	var port string
	l := newLooked(t, &server, func(o *Options) {
		o.Own = func() []netip.AddrPort { return []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:" + port)} }
	})
	port = l.port
	if status, body := get(t, l.client(), "https://me.example:"+l.port+"/"); status != 403 || !strings.Contains(body, "umpire's") || server.all() != "" {
		t.Errorf("%d %s", status, body)
	}
	resp, _, _ := speak(t, l.proxy, "CONNECT 127.0.0.1:"+l.port+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
	if resp.status != 403 {
		t.Errorf("resp.status is %d, want %d", resp.status, 403)
	}
}

// What a server answers cannot be taken for two answers.
func TestHostileAnswers(t *testing.T) {
	for name, answer := range map[string]string{
		"two lengths":           "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 30\r\n\r\naHTTP/1.1 200 OK\r\n\r\n",
		"a length and chunks":   "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nHTTP/1.1 200 OK\r\nX: smuggled\r\n\r\n",
		"a header of megabytes": "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n\r\n",
		"no HTTP":               "SSH-2.0-x\r\n",
		"a bare return":         "HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					go func() {
						if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
							_, _ = io.WriteString(c, answer)
						}
						c.Close()
					}()
				}
			}()
			p := open(t, Options{Private: loopback})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			c := client(t, p, nil)
			for range 2 { // the second would get what is left of the first
				req, _ := http.NewRequestWithContext(ctx, "GET", "http://"+l.Addr().String()+"/", nil)
				resp, err := c.Do(req)
				if err != nil {
					continue
				}
				b, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.Header.Get("X") == "smuggled" || resp.Header.Get("Set-Cookie") != "" || strings.Contains(string(b), "HTTP/1.1") {
					t.Errorf("%s %v %s", resp.Status, resp.Header, b)
				}
			}
		})
	}
}
