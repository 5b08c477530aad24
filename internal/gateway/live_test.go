package gateway

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who looks on sees what a command writes while it runs, and how it ends.
func TestOutputWhileItRuns(t *testing.T) {
	w := newWorld(t, "")
	_, out := w.call("agent", "POST", "/api/exec", object{"command": "echo one; while [ ! -e go ]; do sleep 0.01; done; echo two >&2; exit 3"})
	id := out["id"].(string)
	if status, got := w.call("agent", "GET", "/api/exec/"+id+"/output", nil); status != 200 || got["status"] != "pending" {
		t.Errorf("%d %v", status, got)
	}
	w.approve(id) // who follows from now on may be before it has begun
	for who, path := range map[string]string{"agent": "/api/exec/", "viewer": "/api/queue/"} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", w.url+path+id+"/output", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+w.tokens[who])
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		in := bufio.NewScanner(res.Body)
		var lines []string
		for in.Scan() {
			lines = append(lines, in.Text())
			if in.Text() == `{"stream":"stdout","text":"one\n"}` { // it still runs
				if err := os.WriteFile(filepath.Join(w.g.root, "go"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		got := strings.Join(lines, "")
		if !strings.Contains(got, `"text":"one\n"`) || !strings.Contains(got, `{"stream":"stderr","text":"two\n"}`) || !strings.Contains(lines[len(lines)-1], `"exitCode":3`) {
			t.Errorf("%s: %q", who, lines)
		}
	}
	for who, path := range map[string]string{"other": "/api/exec/" + id, "agent": "/api/queue/" + id} {
		if status, _ := w.call(who, "GET", path+"/output", nil); status != 404 {
			t.Errorf("%s sees it: %d", who, status)
		}
	}
}

// Whoever is slow misses some of it; the command waits for nobody.
func TestLiveIsBounded(t *testing.T) {
	l := newLive()
	for i := range 3000 {
		l.write("stdout", []byte(fmt.Sprintf("%04d", i)+strings.Repeat("x", 995)+"\n"))
	}
	l.end()
	list, next, over, _ := l.after(5)
	if len(list) == 0 || len(list) > maxLive/1000+1 || next != 3000 || !over || !strings.HasPrefix(list[len(list)-1].Text, "2999") {
		t.Errorf("%d chunks, %d, %v", len(list), next, over)
	}
	if again, _, _, _ := l.after(next); len(again) != 0 {
		t.Errorf("%d chunks twice", len(again))
	}
	if b, err := json.Marshal(chunk{"stdout", "\x1b"}); err != nil || strings.Contains(string(b), "\x1b") {
		t.Errorf("%s %v", b, err)
	}
}

// A request that runs no command has no output, and the answer says what to do instead.
func TestNoCommand(t *testing.T) {
	w := newWorld(t, "")
	_, req := w.call("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "GET https://example.com/data"})
	id := req["id"].(string)
	for _, tt := range []struct{ who, method, path string }{
		{"viewer", "GET", "/api/queue/" + id + "/output"}, {"approver", "POST", "/api/queue/" + id + "/stop"},
		{"agent", "GET", "/api/exec/" + id}, {"agent", "GET", "/api/exec/" + id + "/output"},
	} {
		status, out := w.call(tt.who, tt.method, tt.path, nil)
		if said := fmt.Sprint(out["error"]); status != http.StatusNotFound || !strings.HasPrefix(said, "req-1 is a network request: it runs no command and has no output") {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, status, said)
		}
	}
	if status, out := w.call("other", "GET", "/api/exec/"+id, nil); status != http.StatusNotFound || strings.Contains(fmt.Sprint(out), "network") {
		t.Errorf("another agent: %d %v", status, out)
	}
}

// Operators see the name of the agent that asks, everywhere a request is shown to them.
func TestAgentNames(t *testing.T) {
	w := newWorld(t, "")
	_, req := w.call("agent", "POST", "/api/queue", map[string]any{"category": "network", "action": "GET https://example.com/data"})
	first := func(out map[string]any, list string) any {
		all, _ := out[list].([]any)
		if len(all) != 1 {
			t.Fatalf("%s has %d requests", list, len(all))
		}
		return all[0].(map[string]any)["agentName"]
	}
	_, queue := w.call("viewer", "GET", "/api/queue", nil)
	_, one := w.call("viewer", "GET", "/api/queue/req-1", nil)
	w.call("approver", "POST", "/api/queue/"+req["id"].(string)+"/deny", nil)
	_, past := w.call("viewer", "GET", "/api/history", nil)
	for where, name := range map[string]any{"queue": first(queue, "pending"), "recent": first(queue, "recent"), "request": one["agentName"], "history": first(past, "requests")} {
		if name != "a" {
			t.Errorf("%s: %v", where, name)
		}
	}
	if _, own := w.call("agent", "GET", "/api/queue/"+req["id"].(string), nil); own["agentName"] != nil {
		t.Errorf("its own: %v", own)
	}
}
