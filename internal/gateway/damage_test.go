package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// routes are all routes of REST, by the document that a test holds them to, in a fixed order.
func (w *world) routes() (all [][2]string) {
	w.t.Helper()
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		w.t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		for method := range methods {
			if method != "parameters" {
				all = append(all, [2]string{strings.ToUpper(method), path})
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[1]+a[0], b[1]+b[0]) })
	return all
}

// hear makes a request as somebody and returns status and the answer's text.
func (w *world) hear(who, method, path string, body any) (status int, said string) {
	w.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, w.url+path, bytes.NewReader(data))
	if err != nil {
		w.t.Fatal(err)
	}
	if who != "" {
		req.Header.Set("Authorization", "Bearer "+w.tokens[who])
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return http.StatusInternalServerError, `"error": ` + err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	data, err = io.ReadAll(res.Body)
	if err != nil {
		return http.StatusInternalServerError, `"error": ` + err.Error()
	}
	return res.StatusCode, string(data)
}

// Every route is called while a table of the database is away or what it holds is broken. A call
// that fails has changed nothing and says so in words of the gateway's, no command runs that nobody
// approved, and all goes on when the database is whole again.
func TestEveryRouteOverDamage(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: exec(true)\n")
	f := newFaults(t, w)
	ran := filepath.Join(w.g.root, "ran")
	if err := os.WriteFile(filepath.Join(w.g.root, "old"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func(path string, body map[string]any) string {
		t.Helper()
		_, out := w.call("agent", http.MethodPost, path, body)
		id, _ := out["id"].(string)
		if id == "" || out["status"] == "denied" {
			t.Fatalf("%s: %v", path, out)
		}
		return id
	}
	run := map[string]any{"command": "sh -c 'make thing; echo x >>" + ran + "'"}
	done := ask("/api/exec", map[string]any{"command": "true"})
	w.until("exec", done, "completed")
	if status, out := w.call("admin", http.MethodPost, "/api/rules", map[string]any{"type": "deny", "rule": "exec(make deploy)"}); status/100 != 2 {
		t.Fatal(status, out)
	}
	ids := map[string]string{
		"/api/queue": ask("/api/exec", run), "/api/exec": done, "/api/packages": ask("/api/packages", map[string]any{"manager": "npm", "packages": []string{"left-pad@1.3.0"}}),
		"/api/files":          ask("/api/files", map[string]any{"changes": []any{map[string]any{"op": "write", "path": "new", "content": "x"}}}),
		"/api/config/propose": ask("/api/config/propose", map[string]any{"path": "rules.deny", "value": []string{"exec(make other)"}, "reason": "to be sure"}),
	}
	for _, tok := range must(w.g.Tokens(t.Context())) {
		if tok.Name == "b" { // nobody asks with it
			ids["/api/tokens"] = tok.ID
		}
	}
	bodies := map[string]any{
		"POST /api/queue": map[string]any{"category": "network", "action": "CONNECT b.example:443"}, "POST /api/exec": run,
		"POST /api/packages":       map[string]any{"manager": "npm", "packages": []string{"left-pad@1.3.0"}},
		"POST /api/files":          map[string]any{"changes": []any{map[string]any{"op": "delete", "path": "old"}}},
		"POST /api/config/propose": map[string]any{"path": "rules.deny", "value": []string{"exec(make deploy)"}, "reason": "to be sure"},
		"POST /api/check":          map[string]any{"category": "exec", "action": "make thing"},
		"POST /api/rules":          map[string]any{"type": "deny", "rule": "exec(make thing)"}, "DELETE /api/rules": map[string]any{"type": "deny", "rule": "exec(make deploy)"},
		"POST /api/rules/test": map[string]any{"type": "deny", "rule": "exec(make thing)"}, "DELETE /api/config": map[string]any{"path": "rules.deny"},
		"POST /api/tokens": map[string]any{"kind": "agent", "name": "c"}, "POST /api/queue/bulk": map[string]any{"category": "network", "status": "denied"},
	}
	type damage struct{ name, do, undo string }
	var damages []damage
	for _, table := range []string{"request", "record", "event", "chain", "checkpoint"} {
		damages = append(damages, damage{"no table " + table, "ALTER TABLE " + table + " RENAME TO away", "ALTER TABLE away RENAME TO " + table})
	}
	broken := func(table, where, body string) damage {
		undo := "UPDATE " + table + " SET body = coalesce((SELECT body FROM kept_" + table + " AS k WHERE k.rowid = " + table + ".rowid), body) WHERE " + where
		return damage{table + " where " + where + " is " + body, "UPDATE " + table + " SET body = '" + body + "' WHERE " + where, undo}
	}
	kinds := []string{tokenRecord, ruleRecord, versionRecord, executionRecord, settingRecord, sessionRecord, leaseRecord}
	for _, body := range []string{`{"x`, `["x"]`} {
		damages = append(damages, broken("request", "id <> ''", body))
		for _, kind := range kinds {
			damages = append(damages, broken("record", "kind = '"+kind+"'", body))
		}
	}
	for _, d := range damages {
		for _, r := range w.routes() {
			f.exec("CREATE TABLE kept_request AS SELECT rowid, * FROM request")
			f.exec("CREATE TABLE kept_record AS SELECT rowid, * FROM record")
			before := f.kept()
			f.exec(d.do)
			path, failed := r[1], true
			for prefix, id := range ids {
				if strings.HasPrefix(path, prefix+"/{id}") {
					path = strings.ReplaceAll(path, "{id}", id)
				}
			}
			path = strings.ReplaceAll(path, "{id}", "none")
			for _, who := range []string{"agent", "admin"} {
				var body any
				if r[0] != http.MethodGet {
					if body = bodies[r[0]+" "+r[1]]; body == nil {
						body = map[string]any{}
					}
				}
				w.g.known.Store(nil) // tokens are read again
				status, said := w.hear(who, r[0], path, body)
				at := fmt.Sprintf("%s: %s %s as %s", d.name, r[0], path, who)
				if now := w.has("ran"); now != "none" {
					t.Fatalf("%s: the command ran: %d %s", at, status, said)
				}
				failed = failed && status >= 500
				if status >= 500 {
					for _, word := range []string{"no such table", "SQL", "sqlite", "json:", "unexpected end", "unmarshal"} {
						if strings.Contains(said, word) {
							t.Errorf("%s: %d %s", at, status, said)
						}
					}
					if !strings.Contains(said, `"error"`) {
						t.Errorf("%s: %d without an error: %s", at, status, said)
					}
				}
			}
			f.exec(d.undo)
			f.exec("DROP TABLE kept_request")
			f.exec("DROP TABLE kept_record")
			revokes := r == [2]string{http.MethodDelete, "/api/tokens/{id}"} // the token goes first, and the call can be made again
			if now := f.kept(); failed && !revokes && now != before {
				t.Errorf("%s: %s %s failed, and kept is more or other than before:\n%s", d.name, r[0], path, unlike(before, now))
			}
		}
	}
}
