package box

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/gatewayclient"
)

// By the port inside a box only the agents' side is reached, whatever is shown there.
func TestBoxReachesTheAgentsSide(t *testing.T) {
	var got []string
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, r.Method+" "+r.URL.Path+" "+r.Header.Get("Cookie"))
	}))
	defer up.Close()
	to, err := url.Parse(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	box := httptest.NewServer(agentsOnly(to))
	defer box.Close()
	for _, tt := range []struct {
		path, auth, cookie string
		passes             bool
	}{
		{"/api/queue", "Bearer umpa_x", "", true}, {"/api/queue?wait=1s", "Bearer umpa_x", "umpire=session", true}, {"/mcp", "Bearer umpa_x", "", true},
		{"/git/project.git/info/refs", "Basic eDp1bXBhX3g=", "", true}, {"/healthz", "", "", true}, {"/api/status", "", "", true},
		{"/api/queue/1/approve", "Bearer umpo_x", "", false}, {"/api/queue", "bearer umpo_x", "", false}, {"/api/queue", "Basic dW1wb194Og==", "", false}, {"/api/queue", "Basic eDp1bXBvX3g=", "", false},
		{"/", "", "umpire=session", false}, {"/login?code=x", "", "", false}, {"/ui/events", "", "umpire=session", false}, {"/ws", "Bearer umpa_x", "", false}, {"/metrics", "", "", false},
		{"/api/../login", "", "", false}, {"/api/%2e%2e/login", "", "", false}, {"//login", "", "", false},
	} {
		got = nil
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, box.URL+tt.path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Authorization": tt.auth, "Cookie": tt.cookie} {
			if v != "" {
				req.Header.Set(k, v)
			}
		}
		res, err := (&http.Client{CheckRedirect: gatewayclient.NoRedirect}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if passed := len(got) > 0; passed != tt.passes || strings.Contains(strings.Join(got, ""), "session") {
			t.Errorf("%s with %q: passed %v, %d %s", tt.path, tt.auth, got, res.StatusCode, data)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, box.URL+"/api/queue", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header["Authorization"] = []string{"Bearer umpa_x", "Bearer umpo_x"}
	if res, err := http.DefaultClient.Do(req); err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("two tokens: %v %v", res, err)
	} else {
		_ = res.Body.Close()
	}
}

// A request that the gateway could read as another one goes no further than the socket.
func TestBoxRefusesAmbiguousRequests(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s %s passed", r.Method, r.URL) }))
	defer up.Close()
	to, err := url.Parse(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "s")
	l, err := bridgeAgents(t.Context(), socket, to)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, head := range []string{"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 0\r\nX: a\r\n b\r\n"} {
		c, err := new(net.Dialer).DialContext(t.Context(), "unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		_, _ = io.WriteString(c, "POST /api/queue HTTP/1.1\r\nHost: x\r\n"+head+"\r\n0\r\n\r\n")
		data, err := io.ReadAll(c)
		_ = c.Close()
		if err != nil || !strings.HasPrefix(string(data), "HTTP/1.1 400 ") || !strings.Contains(string(data), "the request has") {
			t.Errorf("%q: got %q, %v, want 400 with the reason", head, data, err)
		}
	}
}
