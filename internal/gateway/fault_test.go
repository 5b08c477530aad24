package gateway

import (
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// faults lets a database refuse every change from its nth on, as a disk does that is full.
type faults struct {
	t  *testing.T
	db *sql.DB
}

// open returns a connection of its own to the database of a gateway.
func (w *world) open() *sql.DB {
	w.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(os.Getenv("HOME"), "db", "gateway.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := db.Close(); err != nil {
			w.t.Error(err)
		}
	})
	db.SetMaxOpenConns(1)
	return db
}

// newFaults puts triggers into the database of a gateway, through a separate connection.
func newFaults(t *testing.T, w *world) *faults {
	t.Helper()
	f := &faults{t, w.open()}
	f.exec("CREATE TABLE fault (left INTEGER NOT NULL)")
	f.exec("INSERT INTO fault VALUES (1000000)")
	for _, table := range []string{"chain", "event", "request", "record"} {
		for _, change := range []string{"INSERT", "UPDATE", "DELETE"} {
			f.exec(fmt.Sprintf("CREATE TRIGGER fault_%s_%s BEFORE %s ON %s BEGIN UPDATE fault SET left = left - 1; SELECT RAISE(ABORT, 'disk I/O error') FROM fault WHERE left <= 0; END", table, change, change, table))
		}
	}
	return f
}

func (f *faults) exec(text string, args ...any) {
	f.t.Helper()
	if _, err := f.db.ExecContext(f.t.Context(), text, args...); err != nil {
		f.t.Fatal(err)
	}
}

// from lets changes fail from the nth on. With 0 all succeed.
func (f *faults) from(n int) {
	f.t.Helper()
	if n == 0 {
		n = 1000000
	}
	f.exec("UPDATE fault SET left = ?", n)
}

// kept returns what the database holds.
func (f *faults) kept() string {
	f.t.Helper()
	var b strings.Builder
	for _, q := range []string{"SELECT 'request', id, state, body FROM request ORDER BY id", "SELECT 'record', kind, id, body FROM record ORDER BY kind, id", "SELECT 'event', n, kind, data FROM event ORDER BY chain, n"} {
		rows, err := f.db.QueryContext(f.t.Context(), q)
		if err != nil {
			f.t.Fatal(err)
		}
		for rows.Next() {
			var what, a, b1, c string
			if err := rows.Scan(&what, &a, &b1, &c); err != nil {
				f.t.Fatal(err)
			}
			fmt.Fprintln(&b, what, a, b1, c)
		}
		if err := rows.Err(); err != nil {
			f.t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			f.t.Fatal(err)
		}
	}
	return b.String()
}

// Each call of REST that changes something is made while the database refuses its first change,
// its second, and so on until the call succeeds. A call that is refused says that the database is
// not available and has changed nothing, also not what runs or what the rules are; it succeeds when
// it is made again.
func TestEveryChangeFails(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: exec(true)\n")
	f := newFaults(t, w)
	ran := filepath.Join(w.g.root, "ran")
	exec := func() string {
		_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "echo x >>" + ran, "reason": "to see"})
		return fmt.Sprint(out["id"])
	}
	net := func() string { return fmt.Sprint(w.ask("network", "CONNECT a.example:443", nil)["id"]) }
	none := func() string { return "" }
	calls := []struct {
		name   string
		before func() string // returns the id that the call is about
		who    string
		method string
		path   string // %s is the id
		body   any
		after  func(id string)
	}{
		{"deny many", net, "approver", "POST", "/api/queue/bulk", map[string]any{"category": "network", "status": "denied"}, nil},
		{"ask", none, "agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT b.example:443"}, nil},
		{"ask for a command", none, "agent", "POST", "/api/exec", map[string]any{"command": "make thing"}, nil},
		{"ask for packages", none, "agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"left-pad@1.3.0"}}, nil},
		{"ask for files", none, "agent", "POST", "/api/files", map[string]any{"changes": []any{map[string]any{"op": "write", "path": "new", "content": "x"}}}, nil},
		{"propose a setting", none, "agent", "POST", "/api/config/propose", map[string]any{"path": "rules.deny", "value": []string{"exec(make deploy)"}, "reason": "to be sure"}, nil},
		{"cancel", net, "agent", "DELETE", "/api/queue/%s", nil, nil},
		{"approve", net, "approver", "POST", "/api/queue/%s/approve", nil, nil},
		{"deny", net, "approver", "POST", "/api/queue/%s/deny", nil, nil},
		{"approve and run", exec, "approver", "POST", "/api/queue/%s/approve", nil, func(id string) {
			w.until("exec", id, "completed")
			if now := w.has("ran"); now != "x\n" {
				t.Errorf("the command left %q, want one line: it runs once", now)
			}
		}},
		{"add a rule", none, "admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "exec(make deploy)"}, nil},
		{"remove a rule", none, "admin", "DELETE", "/api/rules", map[string]any{"type": "deny", "rule": "exec(make deploy)"}, nil},
		{"make a token", none, "admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "c"}, nil},
		{"remove a token", func() string {
			_, out := w.call("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "d"})
			return fmt.Sprint(out["about"].(map[string]any)["id"])
		}, "admin", "DELETE", "/api/tokens/%s", nil, nil},
	}
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			id := c.before()
			path := strings.ReplaceAll(c.path, "%s", id)
			had := w.has("ran")
			before, rules := f.kept(), len(must(w.g.Rules(t.Context())))
			for n := 1; ; n++ {
				f.from(n)
				status, out := w.call(c.who, c.method, path, c.body)
				f.from(0)
				if status/100 == 2 {
					if n < 3 || f.kept() == before {
						t.Errorf("it succeeds at n = %d, changed %v; want the change of a record and its event to fail first", n, f.kept() != before)
					}
					break
				}
				if status != http.StatusServiceUnavailable || !strings.Contains(fmt.Sprint(out), "database") || strings.Contains(fmt.Sprint(out), "disk I/O") {
					t.Errorf("n = %d: %d %v, want 503 and that the database is not available", n, status, out)
				}
				if now := f.kept(); now != before {
					t.Errorf("n = %d: refused, and kept is more or other than before:\n%s", n, unlike(before, now))
				}
				if now := len(must(w.g.Rules(t.Context()))); now != rules {
					t.Errorf("n = %d: refused, and %d rules are in force, want %d", n, now, rules)
				}
				if now := w.has("ran"); now != had {
					t.Errorf("n = %d: refused, and the command left %q, want %q", n, now, had)
				}
				if t.Failed() {
					return
				}
			}
			if c.after != nil {
				c.after(id)
			}
		})
	}
	if _, err := w.s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// Revoking a token that is gone ends what an earlier call left behind, and a wrong ID ends nothing.
func TestRevokeAgain(t *testing.T) {
	w := newWorld(t, "")
	tokens, err := w.g.Tokens(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var id string
	for _, tok := range tokens {
		if tok.Name == "a" {
			id = tok.ID
		}
	}
	asked := fmt.Sprint(w.ask("network", "CONNECT a.example:443", nil)["id"])
	if status, out := w.call("admin", "DELETE", "/api/tokens/"+id+"zz", nil); status != http.StatusNotFound {
		t.Errorf("a wrong ID: %d %v, want 404", status, out)
	}
	if r, err := w.s.Get(t.Context(), asked); err != nil || r.State.Final() {
		t.Errorf("after a wrong ID the request is %s, %v, want it waiting", r.State, err)
	}
	if status, out := w.call("admin", "DELETE", "/api/tokens/"+id+"?keep=requests", nil); status != http.StatusOK {
		t.Errorf("%d %v, want the token to be revoked", status, out)
	}
	if status, out := w.call("admin", "DELETE", "/api/tokens/"+id, nil); status != http.StatusNotFound {
		t.Errorf("once more: %d %v, want 404", status, out)
	}
	if r, err := w.s.Get(t.Context(), asked); err != nil || !r.State.Final() {
		t.Errorf("after the second call the request is %s, %v, want it ended", r.State, err)
	}
}

// unlike returns the lines of a text that another has not.
func unlike(before, now string) string {
	var b strings.Builder
	for line := range strings.Lines(now) {
		if !strings.Contains(before, line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
