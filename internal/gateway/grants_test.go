package gateway

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/approval"
)

type fields = map[string]any

// door is one way to ask for something: a route, what is sent there, and the same as a
// submission, whose fate /api/check tells.
type door struct {
	path      string
	in, check fields
	others    []fields // submissions that the narrowest rule must not let pass
}

// doors are requests of all kinds.
func doors(root string) map[string]door {
	queue := func(in fields, others ...fields) door { return door{"/api/queue", in, in, others} }
	network := func(action string, others ...string) door {
		var list []fields
		for _, o := range others {
			list = append(list, fields{"category": "network", "action": o})
		}
		return queue(fields{"category": "network", "action": action}, list...)
	}
	exec := func(command string, others ...string) door {
		d := door{path: "/api/exec", in: fields{"command": command}, check: fields{"category": "exec", "action": command}}
		for _, o := range others {
			d.others = append(d.others, fields{"category": "exec", "action": o})
		}
		return d
	}
	files := func(changes ...fields) door {
		return door{path: "/api/files", in: fields{"changes": changes}, check: fields{"category": "filesystem", "metadata": fields{"changes": changes}},
			others: []fields{{"category": "filesystem", "metadata": fields{"changes": []fields{{"op": "write", "path": "src/other.go", "content": "x"}}}}}}
	}
	call := func(tool string, input fields, others ...fields) door {
		made := func(in fields) fields {
			return fields{"call": fields{"platform": "claude", "tool": tool, "input": in, "dir": "/work", "workspace": "/work", "home": "/home/u"}, "ask": true}
		}
		d := queue(made(input))
		for _, o := range others {
			d.others = append(d.others, made(o))
		}
		return d
	}
	packages := func(name string) fields { return fields{"manager": "bun", "packages": []string{name}} }
	return map[string]door{
		"a tunnel":             network("CONNECT api.new.co.uk:443", "CONNECT www.new.co.uk:443", "CONNECT api.new.co.uk:8443"),
		"a tunnel, other port": network("CONNECT api.new.co.uk:9000", "CONNECT api.new.co.uk:443", "CONNECT api.new.co.uk:9001"),
		"an address":           network("CONNECT 203.0.113.7:443", "CONNECT 203.0.113.8:443"),
		"GET":                  network("GET http://h.example/a/b", "POST http://h.example/a/b", "GET http://h.example/a", "GET http://h.example:8080/a/b"),
		"GET, encrypted":       network("GET https://h.example/a", "GET https://i.example/a", "GET https://h.example:444/a"),
		"POST":                 network("POST http://h.example:8080/a*b", "POST http://h.example:8080/aXb"),
		"a command":            exec("make lint", "make lint all", "make", "LD_PRELOAD=./x.so make lint", "sudo make lint", "make lint; rm x"),
		"two commands":         exec("aa && bb", "aa x && bb", "aa && bb && cc"),
		"a pipe":               exec("aa x | bb > out.txt", "aa x | bb > other.txt", "aa x | sh"),
		"a script":             exec("python3 x.py", "python3 y.py", "python3 x.py --all"),
		"a commit":             exec("git commit -m hi", "git commit -m ho", "git commit -m hi --amend"),
		"quotes":               exec(`git commit -m "it's [x] *"`, `git commit -m "it's x y"`),
		"an install, as text":  exec("npm install left-pad", "npm install right-pad", "npm install left-pad --prefix=/srv"),
		"a fetch":              exec("curl https://h.example/a", "curl https://i.example/a", "curl https://h.example/b"),
		"a git push, as text":  exec("git push origin feature/x", "git push origin main", "git push --force origin feature/x"),
		"packages":             {path: "/api/packages", in: packages("left-pad"), check: fields{"category": "packages", "metadata": packages("left-pad")}, others: []fields{{"category": "packages", "metadata": packages("right-pad")}}},
		"a push":               queue(fields{"category": "git", "action": "push feature/x"}, fields{"category": "git", "action": "push feature/y"}, fields{"category": "git", "action": "push main"}),
		"a new file":           files(fields{"op": "write", "path": "src/a.go", "content": "x"}),
		"files":                files(fields{"op": "write", "path": "src/a.go", "content": "x"}, fields{"op": "delete", "path": "src/old.go"}),
		"a file of a odd name": files(fields{"op": "write", "path": "odd/[a] {b},c.go", "content": "x"}),
		"a file, by a tool":    queue(fields{"category": "filesystem", "metadata": fields{"toolName": "Write", "targetFile": "src/a.go", "writeContent": "x"}}, fields{"category": "filesystem", "metadata": fields{"toolName": "Write", "targetFile": "src/b.go", "writeContent": "x"}}),
		"an edit":              queue(fields{"category": "filesystem", "metadata": fields{"toolName": "Edit", "targetFile": "x.py", "editContext": fields{"old_string": "print", "new_string": "print"}}}),
		"a hook's command":     call("Bash", fields{"command": "make a && make b"}, fields{"command": "make a && make c"}),
		"a hook's write":       call("Write", fields{"file_path": "/work/a.go", "content": "x"}, fields{"file_path": "/work/b.go", "content": "x"}),
		"a hook's read":        call("Read", fields{"file_path": "/work/a.go"}, fields{"file_path": "/work/b.go"}),
		"a hook's fetch":       call("WebFetch", fields{"url": "https://h.example/a", "prompt": "x"}, fields{"url": "https://i.example/a", "prompt": "x"}),
		"a server's tool":      call("mcp__db__query", fields{"q": "select 1"}),
		"an unknown tool":      call("frobnicate", fields{"x": 1}),
	}
}

func grantWorld(t *testing.T) *world {
	w := newWorld(t, "")
	for name, text := range map[string]string{"x.py": "print(open('data.txt').read())\n", "src/old.go": "old\n"} {
		path := filepath.Join(w.g.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) fate(t *testing.T, in fields) string {
	t.Helper()
	status, out := w.call("agent", "POST", "/api/check", in)
	if status != http.StatusOK {
		t.Fatalf("%v: %d %v", in, status, out)
	}
	return out["effect"].(string)
}

// carriedOut waits until everything that was approved has run: it changes files that the next
// request is about.
func (w *world) carriedOut(t *testing.T) {
	t.Helper()
	approved, err := w.g.store.List(t.Context(), approval.Filter{States: []approval.State{approval.Approved}, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range approved {
		plan, err := StoredPlan(&r)
		if err != nil {
			t.Fatal(err)
		}
		if !runs(plan) || !w.g.has(t.Context(), plan) {
			continue
		}
		if _, err := w.g.waitExecution(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// pend asks by a door for something that is put to a person.
func (w *world) pend(t *testing.T, d door, session string) (id string) {
	t.Helper()
	w.carriedOut(t)
	if err := os.WriteFile(filepath.Join(w.g.root, "src/old.go"), []byte("old\n"), 0o600); err != nil { // what is approved is done
		t.Fatal(err)
	}
	in := maps.Clone(d.in)
	if session != "" {
		in["session"] = session
	}
	status, out := w.call("agent", "POST", d.path, in)
	if status/100 != 2 || out["status"] != "pending" {
		t.Fatalf("%v: %d %v", d.in, status, out)
	}
	return out["id"].(string)
}

func texts(v any) (out []string) {
	list, _ := v.([]any)
	for _, s := range list {
		out = append(out, s.(string))
	}
	return out
}

// What "always" stores covers the request that it was given for, whichever of the suggested
// rules is chosen, and the narrowest covers no other.
func TestAlwaysCoversTheRequest(t *testing.T) {
	w := grantWorld(t)
	for name, d := range doors(w.g.root) {
		first := w.pend(t, d, "")
		_, choices := w.call("viewer", "GET", "/api/queue/"+first+"/rule", nil)
		rules := texts(choices["rules"])
		if len(rules) == 0 || choices["rule"] != rules[0] {
			t.Errorf("%s: nothing is on offer: %v", name, choices)
			continue
		}
		last := first
		for i, rule := range rules {
			if i > 0 && d.path == "/api/files" { // what was approved before must not be under way when the files are made anew
				w.until("files", last, "completed")
			}
			id := w.pend(t, d, "")
			last = id
			in := fields{"scope": "always", "rule": rule}
			if i == 0 {
				in = fields{"alwaysAllow": true}
			}
			if status, out := w.call("admin", "POST", "/api/queue/"+id+"/approve", in); out["ok"] != true {
				t.Errorf("%s, %s: %d %v", name, rule, status, out)
				continue
			}
			if got := w.fate(t, d.check); got != "allow" {
				t.Errorf("%s: with the rule %q it is still %s", name, rule, got)
			}
			for _, other := range d.others {
				if got := w.fate(t, other); i == 0 && got == "allow" {
					t.Errorf("%s: the rule %q lets %v pass", name, rule, other)
				}
			}
			if _, out := w.call("admin", "DELETE", "/api/rules", fields{"type": "allow", "rule": strings.ReplaceAll(rule, "\n", "\r\n")}); out["removed"] != true {
				t.Errorf("%s: %q is not removed: %v", name, rule, out)
			}
			if got := w.fate(t, d.check); got == "allow" {
				t.Errorf("%s: it passes without the rule", name)
			}
		}
	}
}

// An approver's answer for a session covers the request in that session and agent, and can
// store no rule but those on offer.
func TestSessionAnswerCoversTheRequest(t *testing.T) {
	w := grantWorld(t)
	for name, d := range doors(w.g.root) {
		id := w.pend(t, d, name)
		for _, own := range []string{"network(*)", "exec(frob *)", "filesystem(**)", "packages(bun *)"} {
			if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", fields{"scope": "session", "rule": own}); status != http.StatusForbidden {
				t.Errorf("%s: an approver wrote the rule %s: %d %v", name, own, status, out)
			}
			if status, out := w.call("approver", "POST", "/api/queue/"+id+"/deny", fields{"scope": "session", "rule": own}); status != http.StatusForbidden {
				t.Errorf("%s: an approver wrote the rule against %s: %d %v", name, own, status, out)
			}
		}
		if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", fields{"scope": "session"}); out["ok"] != true {
			t.Errorf("%s: %d %v", name, status, out)
			continue
		}
		in := func(d fields, session string) fields {
			in := maps.Clone(d)
			in["session"] = session
			return in
		}
		if got := w.fate(t, in(d.check, name)); got != "allow" {
			t.Errorf("%s: the same request is %s", name, got)
		}
		if got := w.fate(t, in(d.check, "another")); got == "allow" {
			t.Errorf("%s: it passes in another session", name)
		}
		for _, other := range d.others {
			if got := w.fate(t, in(other, name)); got == "allow" {
				t.Errorf("%s: the answer lets %v pass", name, other)
			}
		}
	}
}

// "Always deny" denies the request, and a compound one only by a rule that was chosen.
func TestAlwaysDenyDeniesTheRequest(t *testing.T) {
	w := grantWorld(t)
	for name, d := range doors(w.g.root) {
		id := w.pend(t, d, "")
		_, choices := w.call("viewer", "GET", "/api/queue/"+id+"/rule", nil)
		deny := texts(choices["deny"])
		if len(deny) == 0 {
			t.Errorf("%s: %v", name, choices)
			continue
		}
		in := fields{"alwaysDeny": true}
		if choices["chooseDeny"] == true {
			if status, _ := w.call("admin", "POST", "/api/queue/"+id+"/deny", in); status != http.StatusBadRequest {
				t.Errorf("%s: %d", name, status)
			}
			in["rule"] = deny[len(deny)-1]
		}
		if _, out := w.call("admin", "POST", "/api/queue/"+id+"/deny", in); out["ok"] != true {
			t.Errorf("%s: %v", name, out)
		}
		if got := w.fate(t, d.check); got != "deny" {
			t.Errorf("%s: with %v it is %s", name, in, got)
		}
		for _, r := range deny {
			w.call("admin", "DELETE", "/api/rules", fields{"type": "deny", "rule": r})
		}
	}
}

// A rule of an administrator's own has to cover the request that it answers.
func TestOwnRuleHasToCover(t *testing.T) {
	w := newWorld(t, "rules:\n  - ask: exec(make deploy*)\n")
	for rule, want := range map[string]int{"exec(frob *)": 400, "network(*)": 400, "exec(make lint) ": 200, "exec(make *)": 200} {
		id := w.ask("exec", "make lint", nil)["id"].(string)
		if status, out := w.call("admin", "POST", "/api/queue/"+id+"/approve", fields{"scope": "always", "rule": rule}); status != want {
			t.Errorf("%s: %d %v", rule, status, out)
		}
		if want != 200 {
			w.call("admin", "POST", "/api/queue/"+id+"/deny", nil)
		}
		w.call("admin", "DELETE", "/api/rules", fields{"type": "allow", "rule": rule})
	}
	// Where a rule of the policy asks, a session answer is for the very same request and an
	// "always" would not count.
	_, r := w.call("agent", "POST", "/api/queue", fields{"category": "exec", "action": "make deploy", "session": "s"})
	id := r["id"].(string)
	if status, out := w.call("admin", "POST", "/api/queue/"+id+"/approve", fields{"scope": "always"}); status != 400 || !strings.Contains(out["error"].(string), "user policy") {
		t.Errorf("%d %v", status, out)
	}
	if _, out := w.call("admin", "POST", "/api/queue/"+id+"/approve", fields{"scope": "session", "rule": "exec(make *)"}); out["ok"] != true {
		t.Error(out)
	}
	for action, want := range map[string]string{"make deploy": "allow", "make deploy all": "ask", "make x": "allow"} {
		if got := w.fate(t, fields{"category": "exec", "action": action, "session": "s"}); got != want {
			t.Errorf("%s: %s, want %s", action, got, want)
		}
	}
}

// A denial for the session holds there, whatever allows it elsewhere.
func TestSessionDenial(t *testing.T) {
	w := newWorld(t, "")
	_, r := w.call("agent", "POST", "/api/queue", fields{"category": "exec", "action": "make x", "session": "s"})
	if _, out := w.call("approver", "POST", "/api/queue/"+r["id"].(string)+"/deny", fields{"scope": "session"}); out["ok"] != true {
		t.Fatal(out)
	}
	for session, want := range map[string]string{"s": "deny", "other": "ask"} {
		if got := w.fate(t, fields{"category": "exec", "action": "make x", "session": session}); got != want {
			t.Errorf("%s: %s, want %s", session, got, want)
		}
	}
}

// The same rule answered again has what both answers covered.
func TestAnswerAgain(t *testing.T) {
	w := newWorld(t, "")
	for _, command := range []string{"make lint", "LD_PRELOAD=./x.so make lint"} {
		id := w.ask("exec", command, nil)["id"].(string)
		if _, out := w.call("admin", "POST", "/api/queue/"+id+"/approve", fields{"alwaysAllow": true}); out["ok"] != true {
			t.Fatal(out)
		}
	}
	for _, command := range []string{"make lint", "LD_PRELOAD=./x.so make lint"} {
		if got := w.fate(t, fields{"category": "exec", "action": command}); got != "allow" {
			t.Errorf("%s: %s", command, got)
		}
	}
}

// A call that its asker wants a person for is not let through by an answer to something else.
func TestAskIsNotSettledByFiles(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: exec(make *)\n")
	call := func(command string) fields {
		return fields{"call": fields{"tool": "Bash", "input": fields{"command": command}, "dir": "/work"}, "ask": true, "session": "s"}
	}
	_, r := w.call("agent", "POST", "/api/queue", call("make a"))
	_, other := w.call("agent", "POST", "/api/queue", call("make b"))
	if r["status"] != "pending" || other["status"] != "pending" {
		t.Fatal(r, other)
	}
	if _, out := w.call("approver", "POST", "/api/queue/"+other["id"].(string)+"/approve", fields{"scope": "session"}); out["ok"] != true {
		t.Fatal(out)
	}
	if req, err := w.s.Get(t.Context(), r["id"].(string)); err != nil || req.State != approval.Pending {
		t.Errorf("%v, %v", req.State, err)
	}
	if got := w.fate(t, call("make b")); got != "allow" {
		t.Errorf("the answer does not cover its call: %s", got)
	}
	if !slices.Contains([]string{"ask"}, w.fate(t, call("make a"))) {
		t.Error("another call passes")
	}
}

// A person is offered no rule that the gateway would refuse to store.
func TestOfferedRulesCanBeStored(t *testing.T) {
	w := newWorld(t, "")
	for _, r := range []struct {
		path string
		body fields
	}{
		{"/api/exec", fields{"command": "frob \ue000x", "session": "s"}},
		{"/api/files", fields{"changes": []fields{{"op": "write", "path": "lib/a\u200b.txt", "content": "x"}}, "session": "s"}},
	} {
		_, req := w.call("agent", "POST", r.path, r.body)
		id := req["id"].(string)
		_, offer := w.call("viewer", "GET", "/api/queue/"+id+"/rule", nil)
		if list := offer["rules"].([]any); len(list) > 0 || offer["why"] == "" {
			t.Errorf("%v: %v", req["action"], offer)
		}
		for _, text := range offer["deny"].([]any) {
			if status, out := w.call("admin", "POST", "/api/rules", fields{"type": "deny", "rule": text}); status != http.StatusOK {
				t.Errorf("%v offers the rule %q: %v", req["action"], text, out)
			}
			w.call("admin", "DELETE", "/api/rules", fields{"type": "deny", "rule": text})
		}
		if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", fields{"scope": "session"}); status != http.StatusBadRequest {
			t.Errorf("%v: %d %v", req["action"], status, out)
		}
	}
}
