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

func TestWebSocket(t *testing.T) {
	w := newWorld(t, "")
	w.ask("exec", "make first", nil)
	c, res, err := websocket.Dial(t.Context(), w.url+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + w.tokens["approver"]}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.CloseNow()
		if res.Body != nil {
			_ = res.Body.Close()
		}
	}()
	next := func(kind string) map[string]any {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for {
			_, data, err := c.Read(ctx)
			if err != nil {
				t.Fatalf("waiting for %s: %v", kind, err)
			}
			var m map[string]any
			if err := json.Unmarshal(data, &m); err != nil {
				t.Fatal(err)
			}
			if m["type"] == kind {
				return m
			}
		}
	}
	init := next("init")["data"].(map[string]any)
	if len(init["pending"].([]any)) != 1 || init["config"] == nil || init["rules"] == nil {
		t.Errorf("%v", init)
	}
	second := w.ask("exec", "make second", nil)
	if got := next("request")["data"].(map[string]any); got["id"] != second["id"] {
		t.Errorf("%v", got)
	}
	for _, m := range []string{"garbage", `{"type":"approve"}`, fmt.Sprintf(`{"type":"approve","id":%q,"digest":"other"}`, second["id"])} {
		if err := c.Write(t.Context(), websocket.MessageText, []byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	if got := next("error"); got["id"] != second["id"] {
		t.Errorf("%v", got)
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
	c, res, err := websocket.Dial(t.Context(), w.url+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + w.tokens["admin"]}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.CloseNow()
		if res.Body != nil {
			_ = res.Body.Close()
		}
	}()
	next := func(kind string) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for {
			_, data, err := c.Read(ctx)
			if err != nil {
				t.Fatalf("waiting for %s: %v", kind, err)
			}
			var m struct{ Type string }
			if json.Unmarshal(data, &m) == nil && m.Type == kind {
				return string(data)
			}
		}
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
