package gateway

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/umpire-dev/umpire/internal/jsonfault"
)

// No body has a name twice: a person could see one value, and the gateway decide about the other.
func TestNamesTwice(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make lint", nil)["id"].(string)
	post := func(who, path, body string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Authorization": {"Bearer " + w.tokens[who]}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		said, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(said)
	}
	for _, tt := range []struct{ who, path, body string }{
		{"agent", "/api/queue", `{"category":"network","category":"exec","action":"make x"}`},
		{"agent", "/api/queue", `{"category":"exec","action":"make x","Action":"rm -rf ~"}`},
		{"agent", "/api/queue", `{"category":"exec","action":"make x","metadata":{"extra":{"a":1,"a":2}}}`},
		{"agent", "/api/exec", `{"command":"make x","\u0063ommand":"rm -rf ~"}`},
		{"agent", "/api/check", `{"category":"exec","action":"a","action":"b"}`},
		{"admin", "/api/rules", `{"type":"deny","type":"allow","rule":"exec(make *)"}`},
		{"admin", "/api/tokens", `{"kind":"agent","name":"x","NAME":"y"}`},
		{"admin", "/api/queue/" + id + "/approve", `{"scope":"once","Scope":"always"}`},
		{"agent", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","name":"y","version":"1"}}}`},
		{"agent", "/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"request_network","arguments":{"url":"https://a.example/","URL":"https://b.example/"}}}`},
	} {
		if status, said := post(tt.who, tt.path, tt.body); status != http.StatusBadRequest || !strings.Contains(said, jsonfault.ErrTwice.Error()) {
			t.Errorf("%s %s: %d %s", tt.path, tt.body, status, said)
		}
	}

	c := w.dial(w.tokens["admin"])
	if err := c.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"deny","type":"approve","id":%q}`, id)); err != nil {
		t.Fatal(err)
	}
	if text, _ := w.heard(c, "error"); !strings.Contains(text, jsonfault.ErrTwice.Error()) {
		t.Error(text)
	}
	w.stillPending(id)
}
