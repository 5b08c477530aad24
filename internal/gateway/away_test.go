package gateway

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Each route is called while the gateway cannot read one table of its database. It says that the
// database is not available, or answers from what it has: it never says that a thing that is
// there is not, or that somebody may not do what they may. Afterwards the same call succeeds.
func TestEveryTableFails(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: exec(true)\n  - allow: exec(echo *)\n")
	f := newFaults(t, w)
	w.put("kept", "text")
	pending := func() string { return fmt.Sprint(w.ask("network", "CONNECT a.example:443", nil)["id"]) }
	_, done := w.call("agent", "POST", "/api/exec", map[string]any{"command": "echo x", "reason": "to see"})
	ran := fmt.Sprint(done["id"])
	w.until("exec", ran, "completed")
	type request struct {
		who, method, path string
		body              any
	}
	fixed := func(who, method, path string, body any) func() request {
		return func() request { return request{who, method, path, body} }
	}
	about := func(who, method, path string, body any) func() request {
		return func() request { return request{who, method, strings.ReplaceAll(path, "ID", pending()), body} }
	}
	for name, of := range map[string]func() request{
		"own queue":         fixed("agent", "GET", "/api/queue", nil),
		"own request":       about("agent", "GET", "/api/queue/ID", nil),
		"execution":         fixed("agent", "GET", "/api/exec/"+ran, nil),
		"agent's check":     fixed("agent", "POST", "/api/check", map[string]any{"category": "exec", "action": "make x"}),
		"secrets":           fixed("agent", "GET", "/api/secrets", nil),
		"ask":               fixed("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT b.example:443"}),
		"ask for a command": fixed("agent", "POST", "/api/exec", map[string]any{"command": "make thing"}),
		"ask for packages":  fixed("agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"left-pad@1.3.0"}}),
		"ask for files":     fixed("agent", "POST", "/api/files", map[string]any{"changes": []any{map[string]any{"op": "write", "path": "new", "content": "x"}}}),
		"propose a setting": fixed("agent", "POST", "/api/config/propose", map[string]any{"path": "rules.deny", "value": []string{"exec(make proposed)"}, "reason": "to be sure"}),
		"cancel":            about("agent", "DELETE", "/api/queue/ID", nil),
		"queue":             fixed("viewer", "GET", "/api/queue", nil),
		"request":           about("viewer", "GET", "/api/queue/ID", nil),
		"whole request":     about("viewer", "GET", "/api/queue/ID/whole", nil),
		"suggested rule":    about("viewer", "GET", "/api/queue/ID/rule", nil),
		"approve":           about("approver", "POST", "/api/queue/ID/approve", nil),
		"deny":              about("approver", "POST", "/api/queue/ID/deny", nil),
		"deny many":         about("approver", "POST", "/api/queue/bulk", map[string]any{"category": "network", "status": "denied"}),
		"rules":             fixed("viewer", "GET", "/api/rules", nil),
		"test a rule":       fixed("viewer", "POST", "/api/rules/test", map[string]any{"type": "deny", "rule": "exec(make *)"}),
		"add a rule":        fixed("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "exec(make deploy)"}),
		"check":             fixed("viewer", "POST", "/api/check", map[string]any{"category": "exec", "action": "make x"}),
		"config":            fixed("viewer", "GET", "/api/config", nil),
		"history":           fixed("viewer", "GET", "/api/history", nil),
		"audit":             fixed("viewer", "GET", "/api/audit", nil),
		"project":           fixed("viewer", "GET", "/api/project", nil),
		"tokens":            fixed("admin", "GET", "/api/tokens", nil),
		"make a token":      fixed("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "c"}),
		"log in":            fixed("viewer", "POST", "/api/login", nil),
		"tunnels":           fixed("viewer", "GET", "/api/tunnels", nil),
		"sessions":          fixed("viewer", "GET", "/api/sessions", nil),
		"ready":             fixed("", "GET", "/readyz", nil),
	} {
		t.Run(name, func(t *testing.T) {
			for _, table := range []string{"request", "event", "record", "chain"} {
				r := of()
				f.exec("ALTER TABLE " + table + " RENAME TO away")
				status, out := w.call(r.who, r.method, r.path, r.body)
				f.exec("ALTER TABLE away RENAME TO " + table)
				sound, again := w.call(r.who, r.method, r.path, r.body)
				switch {
				case sound >= 300 && !(status/100 == 2 && sound == http.StatusConflict):
					t.Errorf("%s: the same on a sound database: %d %v", table, sound, again)
				case status >= 300 && status != http.StatusServiceUnavailable:
					t.Errorf("%s: got %d %v, want 503 or success", table, status, out)
				case status >= 300 && strings.Contains(fmt.Sprint(out), "no such table"):
					t.Errorf("%s: the answer shows the database's own words: %v", table, out)
				}
			}
		})
	}
	if _, err := w.s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// Each route refuses a request that it cannot read, and one about a thing that there is not, as
// the caller's fault or by saying that nothing was done, and changes nothing.
func TestEveryRouteRefuses(t *testing.T) {
	w := newWorld(t, "")
	f := newFaults(t, w)
	before := f.kept()
	const nobody = "01JD0000000000000000000009"
	for who, routes := range map[string][]route{"agent": w.g.agentRoutes(), "admin": w.g.operatorRoutes()} {
		for _, r := range routes {
			method, path, _ := strings.Cut(r.pattern, " ")
			name := who + " " + r.pattern
			if strings.Contains(path, "{id}") {
				for _, id := range []string{nobody, "x", "..%2fx", "%00", strings.Repeat("9", 300)} {
					if status, out := w.call(who, method, strings.ReplaceAll(path, "{id}", id), nil); status/100 != 4 && out["ok"] != false {
						t.Errorf("%s: about %.20q: got %d %v, want 4xx", name, id, status, out)
					}
				}
				continue
			}
			if method == "GET" || path == "/api/login" {
				continue
			}
			for _, body := range []string{"{", "[]", "null", `"x"`, `{"nobody":1}`, `{} {}`, "\xff", strings.Repeat("[", 20000), `{"reason":"` + strings.Repeat("x", 3<<20) + `"}`} {
				if status, out := w.call(who, method, path, body); status/100 != 4 && out["removed"] != false {
					t.Errorf("%s: with %.30q: got %d %v, want 4xx", name, body, status, out)
				}
			}
			if status, out := w.call(who, method, path, nil, "Content-Type", "text/plain"); status/100 != 4 {
				t.Errorf("%s: with text: got %d %v, want 4xx", name, status, out)
			}
		}
	}
	if now := f.kept(); now != before {
		t.Errorf("refused, and kept is more than before:\n%s", unlike(before, now))
	}
}
