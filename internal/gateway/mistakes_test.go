package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A lifetime that is over before it begins is a mistake: taken for none, it would be for ever.
func TestLifetimes(t *testing.T) {
	w := newWorld(t, "")
	for _, ms := range []int64{-1, 0, maxLifetime.Milliseconds() + 1} {
		for path, in := range map[string]map[string]any{
			"/api/tokens": {"kind": "operator", "name": "eve", "role": "viewer"}, "/api/rules": {"type": "allow", "rule": "network(h.test)"},
		} {
			in["expiresIn"] = ms
			if status, out := w.call("admin", "POST", path, in); status != http.StatusBadRequest || !strings.HasPrefix(fmt.Sprint(out["error"]), "expiresIn is ") {
				t.Errorf("%s, %d ms: %d %v", path, ms, status, out)
			}
		}
	}
	if status, out := w.call("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "GET https://example.com/", "expiresIn": -1}); status != http.StatusBadRequest {
		t.Errorf("a request: %d %v", status, out)
	}
	month := 30 * 24 * time.Hour
	if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": "network(h.test)", "expiresIn": month.Milliseconds()}); status != http.StatusOK || !strings.Contains(fmt.Sprint(out), w.g.now().Add(month).UTC().Format("2006-01-02")) {
		t.Errorf("a month: %d %v", status, out)
	}
}

// Filters that can match nothing are mistakes.
func TestHistoryFilters(t *testing.T) {
	w := newWorld(t, "")
	for query, want := range map[string]string{
		"category=netwrk": `unknown category "netwrk": use one of network, filesystem,`, "status=pending": `unknown status "pending": use one of approved, denied,`,
	} {
		if status, out := w.call("viewer", "GET", "/api/history?"+query, nil); status != http.StatusBadRequest || !strings.HasPrefix(fmt.Sprint(out["error"]), want) {
			t.Errorf("%s: %d %v", query, status, out)
		}
	}
}

// What is wrong with a body is said in the words of JSON, and not in those of Go.
func TestBodyFaults(t *testing.T) {
	w := newWorld(t, "")
	for body, want := range map[string]any{"category must be text, not this number": map[string]any{"category": 5}, "it must be an object, not a list": []int{1}, `unknown field "cmd"`: map[string]any{"cmd": "x"}} {
		if status, out := w.call("agent", "POST", "/api/queue", want); status != http.StatusBadRequest || out["error"] != "the body is not the expected JSON: "+body {
			t.Errorf("%v: %d %v", want, status, out)
		}
	}
}
