package gateway

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/visible"
)

// No text of an agent's reaches a program or a person with characters that reorder or hide what is
// beside them, by any door. Data in JSON decodes to what it was.
func TestHiddenCharacters(t *testing.T) {
	w := newWorld(t, "disable: [hidden-text]\n", func(o *Options) { o.Waiting = 100 })
	const bad = "a\u202eb\u2066c\u200bd\ufeffe\u2028f\u0085g\ue000h\U000e0041"
	type m = map[string]any
	taken := 0
	for name, in := range map[string]m{
		"a file":        {"category": "filesystem", "metadata": m{"toolName": "Write", "targetFile": "d/x\u202egnp.exe", "writeContent": "x"}},
		"a set":         {"category": "filesystem", "metadata": m{"changes": []m{{"op": "write", "path": "\u2066y", "content": "x"}, {"op": "mkdir", "path": "z\u200b"}}}},
		"a link":        {"category": "filesystem", "metadata": m{"changes": []m{{"op": "link", "path": "l\u202e", "target": "z\u2066"}}}},
		"a sync":        {"category": "filesystem", "action": "sync q\u202ex"},
		"a command":     {"category": "exec", "action": "echo " + bad},
		"a folder":      {"category": "exec", "action": "pwd", "metadata": m{"cwd": "n\u202e"}},
		"a query":       {"category": "network", "action": "GET https://x.test/?q=" + "\u202e\u2066"},
		"a path":        {"category": "network", "action": "GET https://x.test/\u202e"},
		"a call":        {"call": m{"tool": "Bash\u202e", "input": m{"command": bad}, "dir": "/w\u2066"}},
		"a long call":   {"call": m{"tool": "T", "input": m{"x": strings.Repeat("\u202e", 3000)}}},
		"a session":     {"category": "network", "action": "GET https://x.test/", "session": bad},
		"a reason":      {"category": "network", "action": "GET https://x.test/", "reason": bad},
		"their own":     {"category": "network", "action": "GET https://y.test/", "metadata": m{"extra": bad}},
		"a description": {"category": "network", "action": "GET https://z.test/", "description": bad},
	} {
		t.Run(name, func(t *testing.T) {
			status, out := w.call("agent", "POST", "/api/queue", in)
			if status == http.StatusBadRequest {
				return
			}
			id, _ := out["id"].(string)
			if status != http.StatusCreated || id == "" {
				t.Fatalf("%d %v", status, out)
			}
			taken++
			for who, paths := range map[string][]string{"agent": {"/api/queue/" + id, "/api/queue"}, "viewer": {"/api/queue/" + id, "/api/queue", "/api/queue/" + id + "/whole", "/api/history", "/api/audit"}} {
				for _, path := range paths {
					if status, text := w.text(who, path); status != http.StatusOK || visible.Block(text) != text {
						t.Errorf("%s of %s: %d %q, want 200 and nothing hidden", path, who, status, text)
					}
				}
			}
			_, q := w.call("viewer", "GET", "/api/queue/"+id, nil)
			for _, key := range []string{"action", "description", "reason", "note", "session"} {
				if s, _ := q[key].(string); visible.Block(s) != s {
					t.Errorf("%s is %q", key, s)
				}
			}
		})
	}
	if taken < 4 {
		t.Errorf("%d requests were taken: the rest of the test saw nothing", taken)
	}
	if status, out := w.call("admin", "POST", "/api/tokens", m{"kind": "agent", "name": "n\u202e"}); status != http.StatusBadRequest {
		t.Errorf("a token's name: %d %v", status, out)
	}
	c := w.dial(w.tokens["viewer"])
	c.SetReadLimit(1 << 20)
	if _, b, err := c.Read(t.Context()); err != nil || visible.Block(string(b)) != string(b) {
		t.Errorf("%v: the first message has such characters", err)
	}
}

// A rule about a program does not let through another file that is called like it.
func TestImpostor(t *testing.T) {
	w := newWorld(t, "modes: {filesystem: allow-all}\n")
	for _, rule := range []string{"exec(echo hi)", "exec(make check)", "exec(build.sh)"} {
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "allow", "rule": rule}); status != http.StatusOK {
			t.Fatal(out)
		}
	}
	for _, name := range []string{"echo", "bin/echo", "make", "build.sh"} {
		at := filepath.Join(w.g.root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "\x7fELF\x00"
		if name == "build.sh" {
			text = "#!/bin/sh\necho hi\n"
		}
		if err := os.WriteFile(at, []byte(text), 0o755); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
	}
	for command, want := range map[string]string{
		"echo hi": "allow", "/usr/bin/echo hi": "allow", "/bin/echo hi": "allow", "./build.sh": "allow",
		"./echo hi": "ask", "bin/echo hi": "ask", "./bin/../echo hi": "ask", w.g.root + "/echo hi": "ask", "'./echo' hi": "ask", `"./echo" hi`: "ask", `.\/echo hi`: "ask",
		"./make check": "ask", "/tmp/none/echo hi": "ask", "~/echo hi": "ask", "../echo hi": "ask", "$PWD/echo hi": "ask", "cd bin && ./echo hi": "ask", "PATH=.:$PATH echo hi": "ask",
		"/usr/bin/../../tmp/echo hi": "ask", "./node_modules/../echo hi": "ask", ".git/echo hi": "ask", "echo hi; ./echo hi": "ask", "(exec ./echo hi)": "ask", "/usr/local/bin/../../../tmp/echo hi": "ask",
	} {
		if _, out := w.call("agent", "POST", "/api/check", map[string]any{"category": "exec", "action": command}); out["effect"] != want {
			t.Errorf("%s: %v, want %s", command, out["effect"], want)
		}
	}
	id := w.ask("exec", "./echo hi", nil)["id"].(string)
	if _, out := w.call("admin", "GET", "/api/queue/"+id+"/rule", nil); out["rule"] != "" {
		t.Errorf("a rule for it is offered: %v", out)
	}
}

// Ports that no connection can have are refused where they are asked for.
func TestOddPorts(t *testing.T) {
	w := newWorld(t, "")
	for _, action := range []string{"CONNECT x.test:0", "CONNECT x.test:65536", "CONNECT x.test:99999", "CONNECT x.test:0443", "GET https://x.test:0/", "GET https://x.test:70000/", "CONNECT x.test:"} {
		if status, out := w.call("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": action}); status != http.StatusBadRequest {
			t.Errorf("%s: %d %v", action, status, out)
		}
	}
}

// The name of a session, by which people tell sessions apart, shows all that it has. A name that a
// database cannot keep is the fault of the request, not the database's.
func TestNamesOfSessions(t *testing.T) {
	w := newWorld(t, "")
	for _, session := range []string{"a\nb", "a\u202eb", "a\x00b", "a\x1b[2Jb", "a\u200bb"} {
		in := map[string]any{"category": "network", "action": "CONNECT a.example:443", "session": session}
		if status, out := w.call("agent", "POST", "/api/queue", in); status != http.StatusBadRequest {
			t.Errorf("the session %q: %d %v, want 400", session, status, out)
		}
	}
	in := map[string]any{"category": "network", "action": "CONNECT a.example:443", "key": "a\x00b"}
	if status, out := w.call("agent", "POST", "/api/queue", in); status != http.StatusBadRequest {
		t.Errorf("a key with a NUL byte: %d %v, want 400", status, out)
	}
}

// A rule holds for a host in each of its spellings.
func TestRuleForAHostInOtherLetters(t *testing.T) {
	for _, rule := range []string{"network(münchen.example)", "network(MÜNCHEN.example.)", "network(xn--mnchen-3ya.example)", "network(*.münchen.example)", "network(m*nchen.example)"} {
		w := newWorld(t, "")
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": rule}); status >= 300 {
			t.Fatalf("%s: %d %v", rule, status, out)
		}
		for _, host := range []string{"münchen.example", "xn--mnchen-3ya.example", "M%C3%9CNCHEN.example.", "XN--mnchen-3ya.EXAMPLE"} {
			_, out := w.call("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "GET http://" + host + "/"})
			if out["status"] != "denied" {
				t.Errorf("%s, %s: %v", rule, host, out)
			}
		}
	}
	w := newWorld(t, "")
	for _, rule := range []string{"network(straße.example)", "network(mü*.example)", "network(mu\u0308nchen.example)"} {
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": rule}); status != http.StatusBadRequest {
			t.Errorf("%s: %d %v, want 400", rule, status, out)
		}
	}
}

// A rule names a package as requests do: a registry in front of it would match none.
func TestRuleForAPackageWithItsRegistry(t *testing.T) {
	w := newWorld(t, "")
	for rule, want := range map[string]int{"packages(npm:left-pad)": 400, "packages(PyPI:flask)": 400, "packages(left-pad)": 200, "packages(npm install left-pad)": 200, "packages(rails:7.0)": 200} {
		if status, out := w.call("admin", "POST", "/api/rules", map[string]any{"type": "deny", "rule": rule}); status != want {
			t.Errorf("%s: %d %v, want %d", rule, status, out, want)
		}
	}
}
