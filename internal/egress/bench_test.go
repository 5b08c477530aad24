package egress

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// What the proxy costs: the same requests for 1 KiB, straight and through it.
func BenchmarkProxy(b *testing.B) {
	answer := []byte(strings.Repeat("x", 1024))
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer) })
	plain, secure := httptest.NewServer(h), httptest.NewTLSServer(h)
	defer plain.Close()
	defer secure.Close()
	p := httptest.NewUnstartedServer(nil)
	p.Config = Server(New(Options{Gate: &gate{}, Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))
	p.Start()
	defer p.Close()
	by := http.ProxyURL(&url.URL{Scheme: "http", User: url.UserPassword("s", "token"), Host: p.Listener.Addr().String()})
	for _, bb := range []struct {
		name, url string
		proxy     bool
		fresh     bool
	}{
		{"plain/direct", plain.URL, false, false},
		{"plain/proxy", plain.URL, true, false},
		{"tunnel/direct", secure.URL, false, false},
		{"tunnel/proxy", secure.URL, true, false},
		{"new tunnel each/direct", secure.URL, false, true},
		{"new tunnel each/proxy", secure.URL, true, true},
	} {
		b.Run(bb.name, func(b *testing.B) {
			tr := secure.Client().Transport.(*http.Transport).Clone()
			tr.DisableKeepAlives, tr.MaxIdleConnsPerHost = bb.fresh, 64
			if bb.proxy {
				tr.Proxy = by
			}
			defer tr.CloseIdleConnections()
			c := &http.Client{Transport: tr}
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					resp, err := c.Get(bb.url)
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			})
		})
	}
}

// Bulk through a tunnel against a bare connection.
func BenchmarkRelay(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				buf := make([]byte, 256<<10)
				for {
					if _, err := c.Write(buf); err != nil {
						return
					}
				}
			}()
		}
	}()
	p := httptest.NewUnstartedServer(nil)
	p.Config = Server(New(Options{Gate: &gate{}, Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))
	p.Start()
	defer p.Close()
	for name, dial := range map[string]func() io.Reader{
		"direct": func() io.Reader {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { c.Close() })
			return c
		},
		"proxy": func() io.Reader {
			c, err := net.Dial("tcp", p.Listener.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { c.Close() })
			_, _ = io.WriteString(c, "CONNECT "+l.Addr().String()+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
			buf := make([]byte, len("HTTP/1.1 200 Connection Established\r\n\r\n"))
			if _, err := io.ReadFull(c, buf); err != nil {
				b.Fatal(err)
			}
			return c
		},
	} {
		b.Run(name, func(b *testing.B) {
			r := dial()
			buf := make([]byte, 1<<20)
			b.SetBytes(1 << 20)
			for b.Loop() {
				if _, err := io.ReadFull(r, buf); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
