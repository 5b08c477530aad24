package gateway

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// An agent that holds its own token only gets no authority by any door of REST.
func TestAgentHasNoAuthority(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "touch pwned", nil)["id"].(string)
	for _, a := range []struct{ method, path, body string }{
		{"POST", "/api/queue/" + id + "/approve", "{}"},
		{"POST", "/api/queue/" + id + "/approve/", "{}"},
		{"POST", "/api//queue/" + id + "/approve", "{}"},
		{"POST", "/api/queue/../queue/" + id + "/approve", "{}"},
		{"POST", "/api/queue/" + id + "%2fapprove", "{}"},
		{"POST", "/api/queue/req-1/approve", "{}"},
		{"POST", "/API/queue/" + id + "/approve", "{}"},
		{"POST", "/api/queue/bulk", `{"category":"network","status":"approved"}`},
		{"POST", "/api/queue/" + id + "/stop", "{}"},
		{"POST", "/api/rules", `{"type":"allow","rule":"exec(touch pwned)"}`},
		{"POST", "/api/rules/test", `{"type":"allow","rule":"exec(touch pwned)"}`},
		{"DELETE", "/api/rules", `{"type":"deny","rule":"exec(touch pwned)"}`},
		{"POST", "/api/tokens", `{"kind":"operator","role":"admin","name":"x"}`},
		{"GET", "/api/tokens", ""},
		{"DELETE", "/api/config", `{"path":"categories.git.mode"}`},
		{"GET", "/api/history", ""}, {"GET", "/api/audit", ""}, {"GET", "/api/project", ""}, {"GET", "/api/tunnels", ""}, {"GET", "/api/sessions", ""},
		{"GET", "/api/queue/" + id + "/whole", ""}, {"GET", "/api/queue/" + id + "/rule", ""},
		{"POST", "/api/login", "{}"}, {"GET", "/ws", ""},
	} {
		var body any
		if a.body != "" {
			body = a.body
		}
		for _, header := range [][]string{nil, {"X-HTTP-Method-Override", a.method}, {"X-Forwarded-For", "127.0.0.1"}, {"X-Original-URL", "/api/queue/" + id + "/approve"}, {"Host", "localhost"}} {
			if status, out := w.call("agent", a.method, a.path, body, header...); status < 400 {
				t.Errorf("%s %s with %v: %d %v", a.method, a.path, header, status, out)
			}
		}
	}
	// What it may do decides nothing: an answer in a submission is none.
	for _, in := range []string{
		`{"category":"exec","action":"touch pwned","status":"approved"}`, `{"category":"exec","action":"touch pwned","state":"approved","resolvedBy":"cli"}`,
		`{"category":"exec","action":"touch pwned","digest":"x","approve":true}`, `{"category":"exec","action":"touch pwned","Category":"network"}`,
		`{"category":"network","category":"exec","action":"touch pwned"}`, `{"category":"exec","action":"touch pwned","agent":"b"}`,
		`{"category":"exec","action":"touch pwned","metadata":{"command":"touch pwned","files":[]}}`, `{"category":"exec","action":"touch pwned","metadata":{"command":"touch pwned","extra":{"status":"approved"}}}`,
	} {
		if status, out := w.call("agent", "POST", "/api/queue", in); status == http.StatusCreated && out["status"] != string(approval.Pending) {
			t.Errorf("%s: %d %v", in, status, out)
		}
	}
	// Another agent sees and ends nothing of it.
	for _, method := range []string{"GET", "DELETE"} {
		for _, path := range []string{"/api/queue/" + id, "/api/queue/req-1", "/api/exec/" + id, "/api/exec/req-1", "/api/exec/" + id + "/output"} {
			if status, out := w.call("other", method, path, nil); status < 400 {
				t.Errorf("another agent: %s %s: %d %v", method, path, status, out)
			}
		}
	}
	if r, err := w.s.Get(t.Context(), id); err != nil || r.State != approval.Pending {
		t.Errorf("%v %v", r.State, err)
	}
	if w.has("pwned") != "none" {
		t.Error("it ran")
	}
}

// The text of a request that people see has no character that hides or reverses a part of it.
func TestAgentTextIsVisible(t *testing.T) {
	w := newWorld(t, "")
	for _, text := range []string{"echo \u202egnp.exe", "echo a\u200bb", "echo \x1b[2Jx", "echo a\rb", "echo \u2066x\u2069", "echo \U000e0041", "echo a\u00adb", "echo \u3164"} {
		status, out := w.call("agent", "POST", "/api/queue", map[string]any{"category": "exec", "action": text})
		if status != http.StatusCreated {
			continue
		}
		id := out["id"].(string)
		_, shown := w.call("viewer", "GET", "/api/queue/"+id+"/whole", nil)
		for _, r := range text {
			if r > '~' || r < ' ' {
				if strings.ContainsRune(shown["text"].(string), r) {
					t.Errorf("%q is shown as it is: %q", text, shown["text"])
				}
			}
		}
	}
	for _, in := range []map[string]any{
		{"category": "git", "action": "push a\u202eb"}, {"category": "git", "action": "push ma\u200bin"},
		{"category": "network", "action": "CONNECT \u0430pple.com:443"}, {"category": "network", "action": "CONNECT apple\u2024com:443"},
	} {
		status, out := w.call("agent", "POST", "/api/queue", in)
		if status == http.StatusCreated && strings.ContainsFunc(fmt.Sprint(out["action"]), func(r rune) bool { return r > '~' }) {
			t.Errorf("%v: a person is shown %q", in, out["action"])
		}
	}
}

// A body that is announced too large is refused before it is waited for.
func TestAnnouncedBody(t *testing.T) {
	w := newWorld(t, "")
	addr := strings.TrimPrefix(w.url, "http://")
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/queue HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{", addr, w.tokens["agent"])
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, " 413 ") {
		t.Errorf("%q %v", line, err)
	}
}
