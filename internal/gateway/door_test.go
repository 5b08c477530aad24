package gateway

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// exchange sends bytes to the gateway, closes the client's side if half is set, and returns the
// answer.
func (w *world) exchange(sent string, half bool) (status int, body string) {
	w.t.Helper()
	c, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := io.WriteString(c, sent); err != nil {
		w.t.Fatal(err)
	}
	if half {
		if err := c.(*net.TCPConn).CloseWrite(); err != nil {
			w.t.Fatal(err)
		}
	}
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// A server in front of the gateway may read such a request as another one than the gateway.
func TestAmbiguousRequests(t *testing.T) {
	w := newWorld(t, "")
	for _, who := range []string{"agent", "admin"} {
		auth := "Authorization: Bearer " + w.tokens[who] + "\r\n"
		for name, tt := range map[string]struct {
			line, header, why string
		}{
			"a folded header":         {"GET /api/queue", "X-A: b\r\n c\r\n" + auth, "second line"},
			"a folded credential":     {"GET /api/queue", strings.Replace(auth, " Bearer", "\r\n Bearer", 1), "second line"},
			"length and encoding":     {"POST /api/check", auth + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "both a Content-Length"},
			"two lengths":             {"POST /api/check", auth + "Content-Length: 2\r\nContent-Length: 2\r\n", "two Content-Length"},
			"a host beside another":   {"GET http://127.0.0.1/api/queue", auth, "not the target's"},
			"a bare end of a line":    {"GET /api/queue", "X-A: b\n" + auth, "bare LF"},
			"a chunk with a comment":  {"POST /api/check", auth + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n", "ends too early"},
			"an encoding in HTTP/1.0": {"POST /api/check HTTP/1.0", auth + "Transfer-Encoding: chunked\r\n", "must be chunked"},
		} {
			if !strings.Contains(tt.line, "HTTP/1.0") {
				tt.line += " HTTP/1.1"
			}
			if status, got := w.exchange(tt.line+"\r\nHost: localhost\r\n"+tt.header+"\r\n", false); status != http.StatusBadRequest || !strings.Contains(got, tt.why) {
				t.Errorf("%s, %s: got %d %s, want 400 and %q", who, name, status, got, tt.why)
			}
		}
	}
}

// A client may close its side after a request. It must never take a call that failed for that, or
// for its credential, as done: without an answer, net/http sends 200.
func TestEndedCallsFail(t *testing.T) {
	w := newWorld(t, "", func(o *Options) { o.Workspace = t.TempDir() })
	id := w.ask("network", "CONNECT new.example:443", nil)["id"].(string)
	head := func(call, who string) string {
		return fmt.Sprintf("%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n", call, w.tokens[who])
	}
	if status, got := w.exchange(head("GET /api/queue/"+id+"?wait=55s", "agent")+"\r\n", true); status == http.StatusOK && got == "" {
		t.Errorf("a wait whose client closed its side: got %d %q, want an error or a state", status, got)
	}
	const ask = `{"action":"CONNECT two.example:443","category":"network"}`
	if status, got := w.exchange(head("POST /api/queue", "agent")+fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(ask), ask), true); status == http.StatusOK || got == "" {
		t.Errorf("a request whose client closed its side: got %d %q, want 201, or an error", status, got)
	}
}

// An agent that opens many connections does not lock people out.
func TestManyConnections(t *testing.T) {
	s := Server(nil)
	for range 5000 {
		here, there := net.Pipe()
		s.ConnState(here, http.StateNew)
		_ = there.SetReadDeadline(time.Now().Add(-time.Second))
		if _, err := there.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("a connection ended: %v", err)
		}
	}
}
