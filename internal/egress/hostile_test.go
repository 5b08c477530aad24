package egress

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
	"time"
)

// What a client asks for by HTTP/2 and does not read does not pile up here.
func TestUnreadAnswers(t *testing.T) {
	const requests, size = 20, 8 << 20
	wrote := make(chan int, requests*size>>16)
	l := newLooked(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range size >> 16 {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
			wrote <- 1 << 16
		}
	}), nil)
	c := l.client()
	c.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	c.Transport.(*http.Transport).HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10, MaxReceiveBufferPerConnection: 64 << 10}
	for range requests {
		resp, err := c.Get("https://a.example:" + l.port + "/")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
	}
	total := 0
	for quiet := time.NewTimer(2 * time.Second); ; {
		select {
		case n := <-wrote:
			total += n
			quiet.Reset(2 * time.Second)
			continue
		case <-quiet.C:
		}
		break
	}
	// Each has its window, what two kernels hold, and what is on its way through.
	if most := requests * (maxStream + 512<<10); total > most {
		t.Errorf("%d bytes were taken of %d requests that nobody reads, and %d may be", total, requests, most)
	}
}

// No server speaks with umpire's voice.
func TestServerPosesAsUmpire(t *testing.T) {
	l := newLooked(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Umpire", "refused")
		w.WriteHeader(http.StatusForbidden)
	}), nil)
	resp, err := l.client().Get("https://a.example:" + l.port + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("X-Umpire"); resp.StatusCode != http.StatusForbidden || strings.Contains(got, "refused") {
		t.Errorf("got %s, X-Umpire %q, want the server's own 403", resp.Status, got)
	}
}

// Who opens connections and says nothing has only so many, and they do not count for ever.
func TestSilentConnections(t *testing.T) {
	s := httptest.NewUnstartedServer(nil)
	s.Config = server(New(Options{Gate: &gate{}}), 3)
	s.Config.ReadHeaderTimeout = 0 // that ends those that are quiet, too
	closed, count := make(chan struct{}, 10), s.Config.ConnState
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		if count(c, state); state == http.StateClosed {
			closed <- struct{}{}
		}
	}
	s.Start()
	defer s.Close()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(patience))
		return c
	}
	ask := func(c net.Conn) bool {
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		b := make([]byte, 12)
		_, err := io.ReadFull(c, b)
		return err == nil
	}
	var quiet []net.Conn
	for range 3 {
		quiet = append(quiet, dial())
	}
	if c := dial(); ask(c) {
		t.Error("one more is served")
	}
	<-closed // the one more
	_ = quiet[0].Close()
	<-closed
	if c := dial(); !ask(c) {
		t.Error("a new connection is refused though a place is free")
	}
	for _, c := range quiet[1:] {
		if !ask(c) {
			t.Error("one that was there before is closed")
		}
	}
}

// A server that does not read the body of a GET does not take it for one more request.
func TestBodyIsNoRequest(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed below
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	seen := make(chan string, 10)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				end := "left open"
				defer func() {
					_ = c.Close()
					seen <- end
				}()
				for in := bufio.NewReader(c); ; {
					text := textproto.NewReader(in)
					line, err := text.ReadLine()
					if err != nil {
						return
					}
					fields, err := text.ReadMIMEHeader()
					if err != nil {
						return
					}
					seen <- line
					_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
					if fields.Get("Connection") == "close" {
						end = "closed"
						return
					}
				}
			}()
		}
	}()
	at, proxy := l.Addr().String(), open(t, Options{Private: loopback})
	inner := "POST /danger HTTP/1.1\r\nHost: " + at + "\r\nContent-Length: 0\r\n\r\n"
	for _, method := range []string{"GET", "HEAD", "DELETE", "OPTIONS", "TRACE"} {
		for _, framed := range []string{fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(inner), inner), fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(inner), inner)} {
			_, c, _ := speak(t, proxy, method+" http://"+at+"/fine HTTP/1.1\r\nHost: "+at+"\r\n"+auth+framed)
			_ = c.Close()
			if line, next := <-seen, <-seen; line != method+" /fine HTTP/1.1" || next != "closed" {
				t.Errorf("%s: the server saw %q, then %q", method, line, next)
			}
		}
	}
}
