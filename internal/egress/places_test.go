package egress

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

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
		t.Errorf("got %q, %v, want the end of the tunnel", b, err)
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
		"a rule forbids it":  func(_ *testing.T, p *Proxy, _, _ net.Conn) { p.Review(func(Tunnel, bool) bool { return false }) },
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
