package gateway

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/audit"
)

// Rules that can never match are refused in words; those that people expect to match do.
func TestRulesThatNeverMatch(t *testing.T) {
	w := newWorld(t, "modes: {git: allow-all}\n")
	for _, rule := range []string{"network(x))", "network(x:99999)", "network(x.test:0)", "network(a..b)", "network(\u202ex.test)", "network(a\u061cb.test)", "exec(ls\u200b)", "network(.x.test)", "network(-x.test)", "network(*.)", "network(x.test/..)", "network(GET x.test/a/../b)",
		"network(256.1.1.1)", "network(x.test:http)", "git(-x)", "git(HEAD)", "filesystem(a//b)", "filesystem(./a)", "filesystem(a/)", "packages(left pad)", "packages(Left pad)", "packages(--index-url=x)", "packages(yarn add x)", "packages(npm left)", "packages(* left)", "packages(bun install left)", `filesystem(src\a)`, "network(GET x.test/a?b=1)",
		"exec(make a && make b)", "exec(/usr/bin/make x *)", "exec(\ue000)", "exec(ls \u2800)", "filesystem(a\u3164b)", "filesystem(sync a)", "filesystem(write src/*)", "git(push main)", "git(push feature/y)", "git(push release/*)"} {
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": rule}); status != http.StatusBadRequest {
			t.Errorf("%q is taken: %d %v", rule, status, out)
		}
	}
	for _, rule := range []string{"network(*)", "network(*.x.test)", "network(x.test:*)", "network(10.0.0.0/8)", "network([::1]:80)", "network(GET x.test/a/*)", "git(feature/*)", "git(push --force origin x)", "git(push origin)", "git(push heroku *)", "git(push *)", "packages(@scope/*)", "packages(apt install x)", "packages(* install left)", "packages(* install)", "filesystem(src/**)", "filesystem(sync?a)", "filesystem(my notes)", "exec(ls *)", "network(x_y.test)"} {
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": rule}); status != http.StatusOK {
			t.Errorf("%q is refused: %v", rule, out)
		}
		w.call("admin", "DELETE", "/api/rules", map[string]any{"type": "deny", "rule": rule})
	}
	npm := map[string]any{"manager": "npm", "packages": []string{"good", "evil-x@1.0"}}
	for _, tt := range []struct {
		effect, rule, path string
		in                 map[string]any
		want               string
	}{
		{"deny", "git(feature/y)", "/api/queue", map[string]any{"category": "git", "action": "push feature/y"}, "denied"},
		{"deny", "git(feature/y)", "/api/queue", map[string]any{"category": "git", "action": "push feature/yy"}, "approved"},
		{"deny", "packages(evil-x)", "/api/packages", npm, "denied"},
		{"deny", "packages(evil*)", "/api/packages", npm, "denied"},
		{"deny", "packages(npm install evil*)", "/api/packages", npm, "denied"},
		{"deny", "packages(Evil-X)", "/api/packages", npm, "denied"},
		{"deny", "packages(other)", "/api/packages", npm, "pending"},
		{"allow", "packages(good)", "/api/packages", npm, "pending"},
		{"allow", "packages({good,evil-x})", "/api/packages", npm, "approved"},
		{"allow", "packages(npm install {good,evil-x@1.0})", "/api/packages", npm, "approved"},
		{"allow", "packages(good)", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"good"}, "scripts": true}, "pending"},
		{"deny", "packages(evil-x)", "/api/packages", map[string]any{"manager": "uv", "packages": []string{"evil-x"}}, "denied"},
		{"deny", "packages(uv install evil-x)", "/api/packages", map[string]any{"manager": "uv", "packages": []string{"evil-x"}}, "denied"},
	} {
		w.call("admin", "POST", "/api/rules", map[string]any{"type": tt.effect, "rule": tt.rule})
		_, out := w.call("agent", "POST", tt.path, tt.in)
		if out["status"] != tt.want {
			t.Errorf("%s %s: %v is %v, want %s", tt.effect, tt.rule, tt.in, out["status"], tt.want)
		}
		if tt.want == "denied" && !strings.Contains(fmt.Sprint(out["note"]), tt.rule) {
			t.Errorf("the denial names no rule: %v", out["note"])
		}
		w.call("admin", "DELETE", "/api/rules", map[string]any{"type": tt.effect, "rule": tt.rule})
	}
}

// Rules that allow each part of a request allow it, unless somebody denied it for the session.
func TestAllowedParts(t *testing.T) {
	w := newWorld(t, "")
	push := object{"category": "git", "action": "push feature/y"}
	install := object{"manager": "npm", "packages": []string{"good"}, "session": "s"}
	_, out := w.call("agent", "POST", "/api/packages", install)
	if status, said := w.call("approver", "POST", "/api/queue/"+out["id"].(string)+"/deny", object{"scope": "session"}); status != http.StatusOK {
		t.Fatal(status, said)
	}
	for _, rule := range []string{"git(feature/*)", "packages(good)"} {
		w.call("admin", "POST", "/api/rules", object{"type": "allow", "rule": rule})
	}
	if _, out := w.call("agent", "POST", "/api/queue", push); out["status"] != "approved" {
		t.Errorf("the push is %v", out["status"])
	}
	if _, out := w.call("agent", "POST", "/api/packages", install); out["status"] != "denied" {
		t.Errorf("what was denied for the session is %v", out["status"])
	}
	delete(install, "session")
	if _, out := w.call("agent", "POST", "/api/packages", install); out["status"] != "approved" {
		t.Errorf("the install is %v", out["status"])
	}
}

// A rule that names the port allows it, whatever rule there is for the host.
func TestHostRuleBesidePortRule(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: network(h.test)\n  - allow: network(h.test:9000)\n")
	for port, want := range map[string]string{"443": "approved", "9000": "approved", "9001": "pending"} {
		if _, out := w.call("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "CONNECT h.test:" + port}); out["status"] != want {
			t.Errorf("%s: %v", port, out["status"])
		}
	}
}

// A wide rule or mode is not enough for files from which programs run code; one that names
// the file is.
func TestFilesThatRunCode(t *testing.T) {
	w := newWorld(t, "")
	write := func(path string) any {
		return w.change(object{"op": "write", "path": path, "content": "x"})["status"]
	}
	w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": "filesystem(**)"})
	for _, path := range []string{".envrc", ".npmrc", "Makefile", ".github/workflows/x.yml", ".vscode/tasks.json", ".gitattributes", "package.json", "conftest.py", "setup.py", "justfile", "CLAUDE.md", "sub/Makefile", "a/PACKAGE.JSON", "x.pth", "vite.config.ts", "Dockerfile.dev", ".Rprofile", "dodo.py", ".hg/hgrc", "src/a\u200b.go", "a\ue000"} {
		if got := write(path); got != "pending" {
			t.Errorf("%s: %v", path, got)
		}
	}
	for _, path := range []string{"src/a.go", "README.md", "data.json"} {
		if got := write(path); got != "approved" {
			t.Errorf("%s: %v", path, got)
		}
	}
	w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": "filesystem(tools/Makefile)"})
	if got := write("tools/Makefile"); got != "approved" {
		t.Errorf("named: %v", got)
	}
}

// What a query sends out is on the card, with secrets masked.
func TestQueryIsSeen(t *testing.T) {
	w := newWorld(t, "")
	key := "AKIA2E0A8F3B244C" + "9986"
	long := strings.Repeat("y", 3000) + "END"
	req := w.ask("network", "GET http://good.test/p?a="+key+"&b="+long, nil)
	_, card := w.call("viewer", "GET", "/api/queue/"+req["id"].(string), nil)
	action, shown := card["action"].(string), card["metadata"].(map[string]any)["diff"].(string)
	if !strings.Contains(action, "?a=") || !strings.Contains(action, "bytes)") || strings.Contains(action+shown, key) || !strings.Contains(shown, "END") {
		t.Errorf("%s\n%s", action, shown)
	}
}

func TestNamesThatAreNone(t *testing.T) {
	w := newWorld(t, "")
	for _, b := range []string{"HEAD", "ORIG_HEAD", "+x", "FETCH_HEAD", "refs/heads/x", "heads/x", "tags/x", "0123456789012345678901234567890123456789"} {
		if status, out := w.call("agent", "POST", "/api/queue", map[string]any{"category": "git", "action": "push " + b}); status != http.StatusBadRequest {
			t.Errorf("push %s: %d %v", b, status, out)
		}
	}
	if status, _ := w.call("agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"LEFTPAD"}}); status != http.StatusBadRequest {
		t.Errorf("LEFTPAD: %d", status)
	}
	if status, _ := w.call("agent", "POST", "/api/queue", map[string]any{"category": "filesystem", "action": "sync a", "metadata": map[string]any{"targetFile": "b"}}); status != http.StatusBadRequest {
		t.Errorf("a sync of two files: %d", status)
	}
}

// Who tries what they may not is in the record, and so is that the gateway began.
func TestTriesAreRecorded(t *testing.T) {
	w := newWorld(t, "")
	w.tokens["wrong"] = "umpo_wrong"
	w.call("wrong", "GET", "/api/queue", nil)
	w.call("agent", "POST", "/api/queue/req-1/approve", map[string]any{})
	want := []string{"start", "wrong token", "agent at an unknown route"}
	eventually(t, func() (bool, string) {
		records, err := audit.Last(filepath.Clean(w.g.audit), audit.Query{}, 100)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, r := range records {
			seen[r.Data["what"]] = true
		}
		for _, what := range want {
			if !seen[what] {
				return false, what + " is not in the record"
			}
		}
		return true, ""
	})
	if _, out := w.call("viewer", "GET", "/api/audit", nil); strings.Contains(fmt.Sprint(out["text"]), `"Raw"`) {
		t.Error("the lines are there twice")
	}
}

// The card of a proxied request has its headers and its body, the answer is to these alone, and all of
// it reaches the server.
func TestBodyIsSeen(t *testing.T) {
	o := newOut(t, "")
	got := make(chan string, 4)
	o.up.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got <- string(data)
		fmt.Fprint(w, "ok")
	})
	post := func(body, note, trace string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x.example:"+o.port()+"/in?q=QUERY", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("X-Note", note)
		req.Header.Set("Traceparent", trace)
		if res, err := o.c.Do(req); err == nil {
			_ = res.Body.Close()
		}
	}
	long := strings.Repeat("leaks\n", 20_000) + "END"
	for n, body := range []string{"small leak", "another leak", long} {
		sent := make(chan bool)
		go func() { defer close(sent); post(body, "NOTE", "t") }()
		r := o.waits(1)[0]
		if text := string(r.Metadata); !strings.Contains(text, "leak") || !strings.Contains(text, "QUERY") || !strings.Contains(text, "X-Note: NOTE") || strings.Contains(text, "Proxy-Authorization") || n == 2 && !strings.Contains(text, "of 120003 bytes") {
			t.Errorf("%d: %.500s", n, text)
		}
		o.answer(r.ID, true, "once")
		if passed := <-got; passed != body {
			t.Errorf("%d: %d bytes arrived of %d", n, len(passed), len(body))
		}
		<-sent
	}
	var asked []approval.Request
	var posting sync.WaitGroup
	for _, c := range []struct {
		note, trace string
		questions   int
	}{{"a", "t", 1}, {"a", "other", 1}, {"b", "t", 2}, {"b", strings.Repeat("x", 65), 3}} {
		posting.Go(func() { post("same", c.note, c.trace) })
		asked = o.waits(c.questions)
	}
	for _, r := range asked {
		o.answer(r.ID, false, "once")
	}
	posting.Wait()
}
