package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// dial opens a WebSocket with a token.
func (w *world) dial(token string) *websocket.Conn {
	w.t.Helper()
	c, res, err := websocket.Dial(w.t.Context(), w.url+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = c.CloseNow()
		if res.Body != nil {
			_ = res.Body.Close()
		}
	})
	return c
}

// heard returns the next message of a kind, whole and decoded.
func (w *world) heard(c *websocket.Conn, kind string) (text string, m map[string]any) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	for {
		_, data, err := c.Read(ctx)
		if err != nil {
			w.t.Fatalf("waiting for %s: %v", kind, err)
		}
		m = nil
		if err := json.Unmarshal(data, &m); err != nil {
			w.t.Fatal(err)
		}
		if m["type"] == kind {
			return string(data), m
		}
	}
}

func TestWebSocket(t *testing.T) {
	w := newWorld(t, "")
	w.ask("exec", "make first", nil)
	c := w.dial(w.tokens["approver"])
	next := func(kind string) map[string]any {
		t.Helper()
		_, m := w.heard(c, kind)
		return m
	}
	init := next("init")["data"].(map[string]any)
	if len(init["pending"].([]any)) != 1 || init["config"] == nil || init["rules"] == nil {
		t.Errorf("%v", init)
	}
	second := w.ask("exec", "make second", nil)
	if got := next("request")["data"].(map[string]any); got["id"] != second["id"] {
		t.Errorf("%v", got)
	}
	for _, m := range []string{"garbage", `{"type":"approve"}`} {
		if err := c.Write(t.Context(), websocket.MessageText, []byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	for digest, want := range map[string]string{`"other"`: "review it again", `""`: "digest must be", "null": "digest must be", "1": "digest must be"} {
		if err := c.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"approve","id":%q,"digest":%s}`, second["id"], digest)); err != nil {
			t.Fatal(err)
		}
		if got := next("error"); got["id"] != second["id"] || !strings.Contains(fmt.Sprint(got["error"]), want) {
			t.Errorf("%s: %v", digest, got)
		}
	}
	if err := c.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"approve","id":%q,"digest":%q}`, second["id"], second["digest"])); err != nil {
		t.Fatal(err)
	}
	if got := next("resolve")["data"].(map[string]any); got["status"] != "approved" || got["operator"] != "ann" {
		t.Errorf("%v", got)
	}
	w.g.Stop("SIGTERM")
	if got := next("shutdown")["data"].(map[string]any); got["reason"] != "SIGTERM" {
		t.Errorf("%v", got)
	}
}

// Answers count as calls of their credential, and a wish for the other answer's rule is none.
func TestWebSocketAnswers(t *testing.T) {
	w := newWorld(t, "")
	w.g.limits.now = func() time.Time { return time.Unix(1, 0) } // nothing is given back
	id := w.ask("exec", "make lint", nil)["id"].(string)
	c := w.dial(w.tokens["admin"])
	next := func(kind string) string {
		t.Helper()
		text, _ := w.heard(c, kind)
		return text
	}
	send := func(text string) {
		t.Helper()
		if err := c.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	send(fmt.Sprintf(`{"type":"approve","id":%q,"alwaysDeny":true}`, id))
	if got := next("resolve"); !strings.Contains(got, `"approved"`) {
		t.Error(got)
	}
	if rules, err := w.g.Rules(t.Context()); err != nil || len(rules) > 0 {
		t.Errorf("%v, %v", rules, err)
	}
	send("not JSON")
	send(fmt.Sprintf(`{"type":"Approve","id":%q}`, id))
	if got := next("error"); !strings.Contains(got, "unknown type") {
		t.Error(got)
	}
	w.g.limits.mu.Lock()
	w.g.limits.rate = 1 // two at once
	w.g.limits.mu.Unlock()
	for range 3 {
		send(`{"type":"approve","id":"nothing"}`)
	}
	if got := next("error"); !strings.Contains(got, errTooMany.msg) {
		t.Error(got)
	}
}
