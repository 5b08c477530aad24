package gateway

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
)

func TestAnswerAndWait(t *testing.T) {
	w := newWorld(t, "")
	r := w.ask("network", "CONNECT new.example:443", nil)
	id := r["id"].(string)
	done := make(chan map[string]any, 1)
	go func() {
		_, out := w.call("agent", "GET", "/api/queue/"+id+"?wait=55s", nil)
		done <- out
	}()
	if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": "of something else"}); status != http.StatusConflict {
		t.Errorf("an answer to something else: %d %v", status, out)
	}
	for _, digest := range []any{"", nil, 5} { // of a script that could not read it
		if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": digest}); status != http.StatusBadRequest {
			t.Errorf("the digest %v: %d %v", digest, status, out)
		}
	}
	if _, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": r["digest"], "note": "only today"}); out["ok"] != true {
		t.Fatalf("%v", out)
	}
	if got := <-done; got["status"] != "approved" || got["note"] != "only today" || got["operator"] != nil {
		t.Errorf("the agent hears %v", got)
	}
	if _, out := w.call("approver", "POST", "/api/queue/"+id+"/deny", nil); out["ok"] != false {
		t.Errorf("a second answer: %v", out)
	}
	if _, out := w.call("viewer", "GET", "/api/queue/"+id, nil); out["operator"] != "ann" || out["resolvedBy"] != "web" {
		t.Errorf("%v", out)
	}
	if status, out := w.call("agent", "GET", "/api/queue/"+w.ask("exec", "make x", nil)["id"].(string)+"?wait=20ms", nil); status != 200 || out["status"] != "pending" {
		t.Errorf("%d %v", status, out)
	}
}

func TestAlways(t *testing.T) {
	w := newWorld(t, "")
	first := w.ask("network", "CONNECT api.new.co.uk:443", nil)["id"].(string)
	like := w.ask("network", "GET https://www.new.co.uk/x", nil)["id"].(string)
	other := w.ask("network", "CONNECT other.co.uk:443", nil)["id"].(string)
	if _, out := w.call("viewer", "GET", "/api/queue/"+first+"/rule", nil); out["rule"] != "network(api.new.co.uk:443)" {
		t.Errorf("%v", out)
	}
	if status, out := w.call("admin", "POST", "/api/queue/"+first+"/approve", map[string]any{"alwaysAllow": true, "rule": "network(*.new.co.uk)"}); out["ok"] != true {
		t.Fatalf("%d %v", status, out)
	}
	for id, want := range map[string]approval.State{first: approval.Approved, like: approval.Approved, other: approval.Pending} {
		if r, err := w.s.Get(t.Context(), id); err != nil || r.State != want {
			t.Errorf("%s: %s, want %s, %v", r.Action, r.State, want, err)
		}
	}
	if r := w.ask("network", "CONNECT x.new.co.uk:443", nil); r["status"] != "approved" {
		t.Errorf("%v", r)
	}
	if _, out := w.call("admin", "DELETE", "/api/rules", map[string]any{"type": "allow", "rule": "network(*.new.co.uk)"}); out["removed"] != true {
		t.Errorf("%v", out)
	}
	if r := w.ask("network", "CONNECT x.new.co.uk:443", nil); r["status"] != "pending" {
		t.Errorf("after the rule is gone: %v", r)
	}
	// An edited rule takes the place of the generated one; a bad one changes nothing.
	if status, _ := w.call("admin", "POST", "/api/queue/"+other+"/approve", map[string]any{"alwaysAllow": true, "rule": "tool(x)"}); status != 400 {
		t.Errorf("a rule about something else: %d", status)
	}
	if _, out := w.call("admin", "POST", "/api/queue/"+other+"/approve", map[string]any{"alwaysAllow": true, "rule": "network(other.co.uk)"}); out["ok"] != true {
		t.Errorf("%v", out)
	}
	if r := w.ask("network", "CONNECT sub.other.co.uk:443", nil); r["status"] != "pending" {
		t.Errorf("%v", r)
	}
}

// An answer for a session holds in that session only.
func TestSessionScope(t *testing.T) {
	w := newWorld(t, "")
	in := map[string]any{"category": "exec", "action": "make lint", "session": "s1"}
	_, r := w.call("agent", "POST", "/api/queue", in)
	if _, out := w.call("approver", "POST", "/api/queue/"+r["id"].(string)+"/approve", map[string]any{"scope": "session"}); out["ok"] != true {
		t.Fatal(out)
	}
	for session, want := range map[string]string{"s1": "approved", "s2": "pending", "": "pending"} {
		in["session"] = session
		if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != want {
			t.Errorf("session %q: %v", session, r["status"])
		}
	}
	in["session"] = "s1"
	in["action"] = "rm -rf ~"
	if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != "denied" {
		t.Errorf("a grant loosens a deny: %v", r)
	}
}

func TestGeneratedRulesAreNarrow(t *testing.T) {
	w := newWorld(t, "")
	for _, tt := range []struct{ category, action, want string }{
		{"network", "CONNECT api.example.com:443", "network(api.example.com:443)"},
		{"network", "CONNECT me.github.io:443", "network(me.github.io:443)"},
		{"network", "CONNECT 192.0.2.7:443", "network(192.0.2.7:443)"},
		{"network", "CONNECT intranet:443", "network(intranet:443)"},
		{"exec", "frob *.o", `exec(frob \*.o)`},
		{"git", "push feature/x", "git(push origin feature/x)"},
	} {
		r := w.ask(tt.category, tt.action, nil)
		if r["status"] != "pending" {
			t.Errorf("%s is %v", tt.action, r["status"])
			continue
		}
		if _, out := w.call("viewer", "GET", "/api/queue/"+r["id"].(string)+"/rule", nil); out["rule"] != tt.want {
			t.Errorf("%s: %v, want %s", tt.action, out["rule"], tt.want)
		}
	}
}

func TestBulk(t *testing.T) {
	w := newWorld(t, "")
	a := w.ask("network", "CONNECT a.example:443", nil)
	w.ask("network", "CONNECT b.example:443", nil)
	if _, out := w.call("approver", "POST", "/api/queue/bulk", map[string]any{"category": "network", "status": "approved", "seen": []any{map[string]any{"id": a["id"], "digest": a["digest"]}}}); out["count"] != 1.0 {
		t.Errorf("what the person saw: %v", out)
	}
	if _, out := w.call("approver", "POST", "/api/queue/bulk", map[string]any{"category": "network", "status": "denied"}); out["count"] != 1.0 {
		t.Errorf("the rest: %v", out)
	}
	for _, c := range []string{"exec", "packages", "sandbox", "all"} {
		if status, _ := w.call("approver", "POST", "/api/queue/bulk", map[string]any{"category": c, "status": "approved"}); status != 400 {
			t.Errorf("%s at once: %d", c, status)
		}
	}
}

// An answer is on record with the place that the person's program names, and never as one of the rules.
func TestWherePeopleAnswer(t *testing.T) {
	w := newWorld(t, "")
	for i, c := range [][2]string{{"", "web"}, {"web", "web"}, {"cli", "cli"}, {"auto", "web"}, {"CLI", "web"}, {"other", "web"}} {
		by, want := c[0], c[1]
		one := w.ask("network", fmt.Sprintf("CONNECT one%d.example:443", i), nil)["id"].(string)
		bulk := w.ask("network", fmt.Sprintf("CONNECT bulk%d.example:443", i), nil)["id"].(string)
		w.call("approver", "POST", "/api/queue/"+one+"/approve", map[string]any{"resolvedBy": by})
		w.call("approver", "POST", "/api/queue/bulk", map[string]any{"category": "network", "status": "approved", "resolvedBy": by})
		for _, id := range []string{one, bulk} {
			if _, out := w.call("viewer", "GET", "/api/queue/"+id, nil); out["status"] != "approved" || out["resolvedBy"] != want || out["operator"] != "ann" {
				t.Errorf("%v, from %q: got %v from %v by %v, want it approved from %s by ann", out["action"], by, out["status"], out["resolvedBy"], out["operator"], want)
			}
		}
	}
}

func TestRules(t *testing.T) {
	w := newWorld(t, "")
	for rule, want := range map[string]int{"exec(make *)": 200, "network": 200, "network()": 400, "other(x)": 400, "read(/x)": 200, "text(/x/)": 400, "trait(force)": 400, "exec(": 400, strings.Repeat("x", 5000): 400} {
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": rule}); status != want {
			t.Errorf("%.30s: %d %v", rule, status, out)
		}
	}
	if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": "exec(make *)"}); status != 200 || out["added"] != false {
		t.Errorf("the same again: %d %v", status, out)
	}
	for _, rule := range []string{"exec(*)", "packages", "exec(**)"} {
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": rule}); status != 400 {
			t.Errorf("%s would never hold: %d %v", rule, status, out)
		}
	}
	if status, _ := w.call("admin", "POST", "/api/rules", map[string]any{"type": "ask", "rule": "exec(x)"}); status != 400 {
		t.Errorf("type ask: %d", status)
	}
	if r := w.ask("exec", "make x", nil); r["status"] != "denied" {
		t.Errorf("%v", r)
	}
}

// A rule has no folder in it, so an answer about one folder makes none by itself.
func TestNoRuleForAFolder(t *testing.T) {
	w := newWorld(t, "")
	if err := os.Mkdir(filepath.Join(w.g.root, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "make test", "cwd": "sub", "session": "s"})
	for _, scope := range []string{"session", "always"} {
		if status, got := w.call("admin", "POST", "/api/queue/"+out["id"].(string)+"/approve", map[string]any{"scope": scope}); status != 400 {
			t.Errorf("%s: %d %v", scope, status, got)
		}
	}
}

// A command and a package manager run in the project, however the folder is spelled, and
// whatever its links have become since a person approved.
func TestFolderIsInTheProject(t *testing.T) {
	w := newWorld(t, "")
	outside := t.TempDir()
	for link, to := range map[string]string{"out": outside, "nowhere": filepath.Join(outside, "later"), "in": "sub"} {
		if err := os.Symlink(to, filepath.Join(w.g.root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(w.g.root, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.lay(map[string]string{"file": ""})
	if status, _ := w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": "exec(make check)"}); status != 200 && status != 201 {
		t.Fatalf("%d", status)
	}
	for dir, status := range map[string]int{
		"/": 400, "..": 400, outside: 400, "out": 400, "out/later": 400, "nowhere": 400, "sub/../..": 400, "in/../../x": 400, "later": 400, "file": 400, "sub/\x1b[2J/../../..": 400,
		"sub": 202, "in": 202, ".": 202, "out/..": 202, w.g.root: 202, filepath.Join(w.g.root, "sub"): 202,
	} {
		for path, body := range map[string]map[string]any{
			"/api/exec":     {"command": "make check", "cwd": dir},
			"/api/packages": {"manager": "npm", "packages": []string{"left-pad"}, "cwd": dir},
		} {
			got, out := w.call("agent", "POST", path, body)
			if (got == 400) != (status == 400) {
				t.Errorf("%s in %q: %d %v", path, dir, got, out)
			}
		}
	}
	_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "touch here", "cwd": "sub"})
	if err := os.Rename(filepath.Join(w.g.root, "sub"), filepath.Join(w.g.root, "old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(w.g.root, "sub")); err != nil {
		t.Fatal(err)
	}
	id := out["id"].(string)
	w.call("admin", "POST", "/api/queue/"+id+"/approve", map[string]any{"scope": "once"})
	_, out = w.call("agent", "GET", "/api/exec/"+id+"?wait=20s", nil)
	if _, err := os.Stat(filepath.Join(outside, "here")); err == nil || out["status"] != "conflict" {
		t.Errorf("it ran outside: %v, %v", err, out)
	}
}

// An answer that changes nothing says why, and never that a rule is to blame.
func TestSettledAnswersSayWhy(t *testing.T) {
	w := newWorld(t, "")
	status, r := w.call("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT new.example:443", "session": "s1"})
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, r)
	}
	id := r["id"].(string)
	w.call("approver", "POST", "/api/queue/"+id+"/deny", nil)
	for call, want := range map[[2]string]string{
		{id + "/approve", ""}: "settled: denied by ann", {id + "/deny", ""}: "settled: denied by ann", {id + "/approve", "session"}: "settled: denied by ann", {id + "/approve", "always"}: "settled: denied by ann",
		{"nothing/approve", ""}: "no such request",
	} {
		body := map[string]any{}
		if call[1] != "" {
			body["scope"] = call[1]
		}
		if status, out := w.call("admin", "POST", "/api/queue/"+call[0], body); status != http.StatusOK || out["ok"] != false || !strings.Contains(out["error"].(string), want) {
			t.Errorf("%v: got %d %v, want ok false and %q", call, status, out, want)
		}
	}
	if status, out := w.call("agent", "DELETE", "/api/queue/"+id, nil); status != http.StatusOK || out["ok"] != false || out["error"] == nil {
		t.Errorf("a cancellation: got %d %v, want ok false and why", status, out)
	}
}

// A folder that does not exist is named as such, but only in the project: an agent must not learn
// what else is on the machine.
func TestFolderThatDoesNotExist(t *testing.T) {
	w := newWorld(t, "")
	for dir, want := range map[string]string{"none": "does not exist in the project", filepath.Join(w.g.root, "a/b"): "does not exist in the project", "/none": "is not a folder of the project", "/etc": "is not a folder of the project", "../none": "is not a folder of the project"} {
		if status, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "ls", "cwd": dir}); status != http.StatusBadRequest || !strings.Contains(out["error"].(string), want) {
			t.Errorf("%s: got %d %v, want 400 and %q", dir, status, out, want)
		}
	}
}
