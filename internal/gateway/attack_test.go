package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/umpire-dev/umpire/internal/approval"
)

// What is not understood is refused: a person must not be asked about something else.
func TestMalformed(t *testing.T) {
	w := newWorld(t, "")
	type meta = map[string]any
	for name, in := range map[string]any{
		"no category":         meta{"action": "x"},
		"unknown category":    meta{"category": "all", "action": "x"},
		"unknown field":       meta{"category": "exec", "action": "x", "approved": true},
		"unknown metadata":    meta{"category": "exec", "action": "x", "metadata": meta{"hidden": 1}},
		"two commands":        meta{"category": "exec", "action": "ls", "metadata": meta{"command": "rm -rf x"}},
		"zero byte":           meta{"category": "exec", "action": "x\x00y"},
		"empty command":       meta{"category": "exec", "action": " "},
		"huge command":        meta{"category": "exec", "action": strings.Repeat("x", 5000)},
		"time-out":            meta{"category": "exec", "action": "x", "metadata": meta{"timeout": 1 << 40}},
		"no port":             meta{"category": "network", "action": "CONNECT host"},
		"number for a host":   meta{"category": "network", "action": "CONNECT 2130706433:80"},
		"hex for a host":      meta{"category": "network", "action": "CONNECT 0x7f.1:80"},
		"zone":                meta{"category": "network", "action": "CONNECT [fe80::1%25eth0]:80"},
		"password":            meta{"category": "network", "action": "GET https://u:p@host/"},
		"two lines":           meta{"category": "network", "action": "GET https://a/\nGET https://b/"},
		"other scheme":        meta{"category": "network", "action": "GET file:///etc/passwd"},
		"climbing path":       meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Write", "targetFile": "../x", "writeContent": ""}},
		"absolute path":       meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Write", "targetFile": "/etc/x", "writeContent": ""}},
		"backslashes":         meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Write", "targetFile": `..\x`, "writeContent": ""}},
		"no content":          meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Write", "targetFile": "x"}},
		"empty old":           meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Edit", "targetFile": "x", "editContext": meta{"old_string": "", "new_string": "x"}}},
		"option for a branch": meta{"category": "git", "action": "push --mirror"},
		"ref for a branch":    meta{"category": "git", "action": "push a:refs/heads/main"},
		"dots in a branch":    meta{"category": "git", "action": "push a..b"},
		"unknown manager":     meta{"category": "packages", "action": "", "metadata": meta{"manager": "sh", "packages": []string{"x"}}},
		"option for a name":   meta{"category": "packages", "action": "", "metadata": meta{"manager": "npm", "packages": []string{"--registry=http://evil"}}},
		"address for a name":  meta{"category": "packages", "action": "", "metadata": meta{"manager": "npm", "packages": []string{"git+https://evil/x"}}},
		"shell in a name":     meta{"category": "packages", "action": "", "metadata": meta{"manager": "pip", "packages": []string{"x; rm -rf /"}}},
		"no names":            meta{"category": "packages", "action": "", "metadata": meta{"manager": "pip"}},
		"no proposal":         meta{"category": "sandbox", "action": "x"},
		"garbage":             "{",
		"a list":              "[]",
		"two documents":       `{"category":"exec","action":"ls"}{"category":"exec","action":"ls"}`,
	} {
		if status, out := w.call("agent", "POST", "/api/queue", in); status != http.StatusBadRequest || out["error"] == nil {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	if status, _ := w.call("agent", "POST", "/api/queue", `{"x":"`+strings.Repeat("x", maxBody)+`"}`); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a huge body: %d", status)
	}
	if list, err := w.s.List(t.Context(), approval.Filter{}); err != nil || len(list) != 0 {
		t.Errorf("stored: %v %v", list, err)
	}
}

// TestSelfApproval: an agent tries every deciding route with its own credential.
func TestSelfApproval(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make x", nil)["id"].(string)
	for _, route := range [][2]string{
		{"POST", "/api/queue/" + id + "/approve"}, {"POST", "/api/queue/" + id + "/deny"}, {"POST", "/api/queue/bulk"}, {"POST", "/api/rules"}, {"DELETE", "/api/rules"},
		{"GET", "/api/rules"}, {"GET", "/api/config"}, {"GET", "/api/history"}, {"GET", "/api/audit"}, {"GET", "/api/tokens"}, {"POST", "/api/tokens"}, {"GET", "/ws"},
		{"POST", "//api/queue/" + id + "/approve"}, {"POST", "/api/../api/queue/" + id + "/approve"}, {"POST", "/API/queue/" + id + "/approve"},
	} {
		status, out := w.call("agent", route[0], route[1], map[string]any{})
		if status < 300 || out["ok"] == true {
			t.Errorf("%s %s: %d %v", route[0], route[1], status, out)
		}
	}
	if r, err := w.s.Get(t.Context(), id); err != nil || r.State != approval.Pending {
		t.Errorf("%+v %v", r, err)
	}
}

// TestTokenConfusion: no credential works on the other side, after its end, or without
// being one.
func TestTokenConfusion(t *testing.T) {
	var late atomic.Int64
	w := newWorld(t, "", func(o *Options) { o.Now = func() time.Time { return time.Now().Add(time.Duration(late.Load())) } })
	id := w.ask("exec", "make x", nil)["id"].(string)
	if status, _ := w.call("other", "GET", "/api/queue/"+id, nil); status != http.StatusNotFound {
		t.Errorf("another agent's request: %d", status)
	}
	if status, _ := w.call("other", "DELETE", "/api/queue/"+id, nil); status != http.StatusNotFound {
		t.Errorf("another agent's request taken back: %d", status)
	}
	if _, out := w.call("other", "GET", "/api/queue", nil); len(out["pending"].([]any)) != 0 {
		t.Errorf("another agent's queue: %v", out)
	}
	for who, want := range map[string]int{"": 401, "viewer": 403} {
		if status, _ := w.call(who, "POST", "/api/queue/"+id+"/approve", nil); status != want {
			t.Errorf("%q approves: %d", who, status)
		}
	}
	if status, _ := w.call("approver", "POST", "/api/rules", map[string]any{"type": "allow", "rule": "exec(x)"}); status != 403 {
		t.Errorf("an approver adds a rule: %d", status)
	}
	if status, _ := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"alwaysAllow": true}); status != 403 {
		t.Errorf("an approver makes a rule by an answer: %d", status)
	}
	if status, _ := w.call("admin", "POST", "/api/queue", map[string]any{"category": "exec", "action": "ls"}); status == 201 {
		t.Error("an operator asks as an agent")
	}
	for _, secret := range []string{"", "x", w.tokens["agent"] + "x", strings.Repeat("x", 10_000), hashToken(w.tokens["admin"])} {
		w.tokens["bad"] = secret
		if status, _ := w.call("bad", "GET", "/api/queue", nil); status != 401 {
			t.Errorf("the token %.20q: %d", secret, status)
		}
	}
	_, out := w.call("admin", "GET", "/api/tokens", nil)
	text, _ := json.Marshal(out)
	for _, secret := range w.tokens {
		if secret != "" && len(secret) < 100 && strings.Contains(string(text), secret) {
			t.Error("a token is told")
		}
	}
	if status, _ := w.call("admin", "DELETE", "/api/tokens/"+hashToken(w.tokens["other"])[:12], nil); status != 200 {
		t.Errorf("revoked: %d", status)
	}
	if status, _ := w.call("other", "GET", "/api/queue", nil); status != 401 {
		t.Errorf("a revoked token: %d", status)
	}
	if status, out := w.call("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "short", "expiresIn": 1000}); status != 201 {
		t.Errorf("%d %v", status, out)
	} else {
		late.Store(int64(2 * time.Second))
		w.tokens["short"] = out["token"].(string)
		if status, _ := w.call("short", "GET", "/api/queue", nil); status != 401 {
			t.Errorf("an expired token: %d", status)
		}
	}
}

// TestRaced: of many answers to one request one counts.
func TestRaced(t *testing.T) {
	w := newWorld(t, "")
	for range 5 {
		id := w.ask("exec", "make x", nil)["id"].(string)
		var ok atomic.Int32
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				verb := []string{"approve", "deny"}[i%2]
				if _, out := w.call("approver", "POST", "/api/queue/"+id+"/"+verb, nil); out["ok"] == true {
					ok.Add(1)
				}
			})
		}
		wg.Wait()
		if ok.Load() != 1 {
			t.Errorf("%d answers counted", ok.Load())
		}
	}
}

// TestDNSRebinding: a page reaches this address by a name of its own.
func TestDNSRebinding(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make x", nil)["id"].(string)
	for _, host := range []string{"evil.example:3700", "127.0.0.1.evil.example", "localhost.evil.example", "[::ffff:8.8.8.8]:80", "0.0.0.0:3700"} {
		for _, call := range [][2]string{{"POST", "/api/queue/" + id + "/approve"}, {"GET", "/api/queue"}, {"GET", "/healthz"}, {"GET", "/ws"}} {
			if status, out := w.call("approver", call[0], call[1], nil, "Host", host); status != http.StatusMisdirectedRequest {
				t.Errorf("%s %s as %s: %d %v", call[0], call[1], host, status, out)
			}
		}
	}
	w.stillPending(id)
}

// TestTwoCredentials: a server in front checks one of them, and the gateway another one.
func TestTwoCredentials(t *testing.T) {
	w := newWorld(t, "")
	for _, path := range []string{"/api/queue", "/", "/mcp", "/git/project.git/info/refs?service=git-upload-pack"} {
		req := must(http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+path, nil))
		req.Header["Authorization"] = []string{"Bearer " + w.tokens["agent"], "Bearer " + w.tokens["viewer"]}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _ = res.Body.Close(); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %d, want it refused", path, res.StatusCode)
		}
	}
}

// TestCSRF: a browser is made to send requests by another site's page.
func TestCSRF(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make x", nil)["id"].(string)
	path := "/api/queue/" + id + "/approve"
	for name, header := range map[string][]string{
		"another origin":      {"Origin", "https://evil.example"},
		"no origin":           {"Origin", "null"},
		"said by the browser": {"Sec-Fetch-Site", "cross-site"},
		"a sister's page":     {"Sec-Fetch-Site", "same-site"},
	} {
		if status, out := w.call("approver", "POST", path, nil, header...); status != http.StatusForbidden {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", "application/json-patch+json", ""} {
		if status, out := w.call("approver", "POST", path, `{"digest":"x"}`, "Content-Type", kind); status != http.StatusUnsupportedMediaType {
			t.Errorf("a form's type %s: %d %v", kind, status, out)
		}
	}
	w.stillPending(id)
}

// TestWebSocketCrossOrigin: another site's page opens a WebSocket, which no preflight asks
// about.
func TestWebSocketCrossOrigin(t *testing.T) {
	w := newWorld(t, "")
	for _, origin := range []string{"https://evil.example", "null", "http://127.0.0.1.evil.example", "http://127.0.0.1:1"} {
		c, res, err := websocket.Dial(t.Context(), w.url+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + w.tokens["approver"]}, "Origin": {origin}}})
		if err == nil {
			_ = c.CloseNow()
			t.Errorf("%s is let in", origin)
			continue
		}
		if res == nil || res.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %v %v", origin, res, err)
		}
		if res != nil && res.Body != nil {
			_ = res.Body.Close()
		}
	}
}

// TestOversized: what is sent is larger than anything that has a use.
func TestOversized(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make x", nil)["id"].(string)
	huge := strings.Repeat("x", maxBody)
	for _, tt := range []struct {
		name, who, path string
		body            any
		want            int
	}{
		{"body", "agent", "/api/queue", `{"x":"` + huge + `"}`, http.StatusRequestEntityTooLarge},
		{"body of an answer", "approver", "/api/queue/" + id + "/deny", `{"note":"` + huge + `"}`, http.StatusRequestEntityTooLarge},
		{"MCP message", "agent", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"` + huge + `"}`, http.StatusRequestEntityTooLarge},
		{"command", "agent", "/api/exec", map[string]any{"command": strings.Repeat("x", approval.MaxAction+1)}, http.StatusBadRequest},
		{"reason", "agent", "/api/exec", map[string]any{"command": "make", "reason": strings.Repeat("x", approval.MaxText+1)}, http.StatusBadRequest},
		{"session", "agent", "/api/exec", map[string]any{"command": "make", "session": strings.Repeat("x", approval.MaxText+1)}, http.StatusBadRequest},
		{"note", "approver", "/api/queue/" + id + "/deny", map[string]any{"note": strings.Repeat("x", approval.MaxText+1)}, http.StatusBadRequest},
		{"rule", "admin", "/api/rules", map[string]any{"type": "deny", "rule": "exec(" + strings.Repeat("x", approval.MaxText) + ")"}, http.StatusBadRequest},
		{"name", "admin", "/api/tokens", map[string]any{"kind": "agent", "name": strings.Repeat("x", 201)}, http.StatusBadRequest},
	} {
		if status, out := w.call(tt.who, "POST", tt.path, tt.body, "Accept", "application/json, text/event-stream"); status != tt.want {
			t.Errorf("%s: %d %.200v", tt.name, status, out)
		}
	}
	srv := httptest.NewUnstartedServer(w.g.Handler())
	srv.Config = Server(w.g.Handler())
	srv.Start()
	defer srv.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Long", strings.Repeat("x", 128<<10))
	if res, err := http.DefaultClient.Do(req); err == nil {
		_ = res.Body.Close()
		if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("a long header: %d", res.StatusCode)
		}
	}
	c := w.dial(w.tokens["approver"])
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for err = c.Write(ctx, websocket.MessageText, make([]byte, 2*maxMessage)); err == nil; { // it may be hung up on before its end
		_, _, err = c.Read(ctx)
	}
	if websocket.CloseStatus(err) != websocket.StatusMessageTooBig && ctx.Err() != nil {
		t.Errorf("a large message: %v", err)
	}
	w.stillPending(id)
}

// TestSlow: who sends a request a byte at a time is hung up on.
func TestSlow(t *testing.T) {
	w := newWorld(t, "")
	srv := Server(w.g.Handler())
	if srv.ReadHeaderTimeout <= 0 || srv.ReadHeaderTimeout > 30*time.Second || srv.ReadTimeout <= 0 || srv.ReadTimeout > 5*time.Minute || srv.IdleTimeout <= 0 || srv.MaxHeaderBytes <= 0 {
		t.Errorf("the server's limits: %+v", srv)
	}
	srv.ReadHeaderTimeout, srv.ReadTimeout = 100*time.Millisecond, 100*time.Millisecond // so that the test is not slow as well
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	defer func() {
		_ = srv.Close()
		<-done
	}()
	for name, text := range map[string]string{
		"header": "POST /api/queue HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
		"body":   "POST /api/queue HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + w.tokens["agent"] + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
	} {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		var answer []byte
		if _, err = io.WriteString(c, text); err == nil {
			answer, err = io.ReadAll(c) // until it is hung up on
		}
		// Who is slower still finds the connection reset.
		if errors.Is(err, os.ErrDeadlineExceeded) || strings.Contains(string(answer), " 201 ") {
			t.Errorf("%s: %q, %v", name, answer, err)
		}
		_ = c.Close()
	}
}

// TestMalformedBodies: no route falls over what it cannot read.
func TestMalformedBodies(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make x", nil)["id"].(string)
	for who, routes := range map[string][]route{"agent": w.g.agentRoutes(), "admin": w.g.operatorRoutes()} {
		for _, r := range routes {
			method, path, _ := strings.Cut(r.pattern, " ")
			if method != http.MethodPost || path == "/api/login" { // which reads no body
				continue
			}
			path = strings.ReplaceAll(path, "{id}", id)
			for _, body := range []string{"{", "[]", "null x", `"text"`, "\x00\xff", `{"unknown":1}`, `{"category":{}}`, strings.Repeat("[", 20_000)} {
				if status, out := w.call(who, method, path, body); status < 400 || status >= 500 || out["error"] == nil {
					t.Errorf("%s %s %.20q: %d %v", method, path, body, status, out)
				}
			}
		}
	}
	w.stillPending(id)
}

// TestReplayed: what was sent once is sent again.
func TestReplayed(t *testing.T) {
	w := newWorld(t, "")
	in := map[string]any{"command": "echo x >> count", "key": "k1"}
	_, first := w.call("agent", "POST", "/api/exec", in)
	id := first["id"].(string)
	answer := map[string]any{"digest": first["digest"]}
	if _, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", answer); out["ok"] != true {
		t.Fatal(out)
	}
	w.until("exec", id, "completed")
	for range 3 {
		if _, again := w.call("agent", "POST", "/api/exec", in); again["id"] != id || again["status"] != "approved" {
			t.Errorf("the request again: %v", again)
		}
		if _, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", answer); out["ok"] != false {
			t.Errorf("the answer again: %v", out)
		}
	}
	// Another agent's key of the same name is another request.
	if _, other := w.call("other", "POST", "/api/exec", in); other["id"] == id || other["status"] != "pending" {
		t.Errorf("another agent's: %v", other)
	}
	if data, err := os.ReadFile(filepath.Join(w.g.root, "count")); err != nil || string(data) != "x\n" {
		t.Errorf("it ran as %q, %v", data, err)
	}
	_, out := w.call("viewer", "POST", "/api/login", nil)
	code := strings.TrimPrefix(out["path"].(string), "/login?code=")
	if _, err := w.g.Login(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	if _, err := w.g.Login(t.Context(), code); !errors.Is(err, ErrNoSession) {
		t.Errorf("the login link again: %v", err)
	}
}

// stillPending checks that an attack settled nothing.
func (w *world) stillPending(id string) {
	w.t.Helper()
	if r, err := w.s.Get(w.t.Context(), id); err != nil || r.State != approval.Pending {
		w.t.Errorf("%+v %v", r, err)
	}
}
