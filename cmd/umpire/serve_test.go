package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The gateway as people have it: started by its command, asked over HTTP by an agent,
// answered by the operator's commands, ended by a signal.
func TestServe(t *testing.T) {
	bin := program(t)
	dir := newProject(t)
	env := []string{"HOME=" + filepath.Dir(dir), "PATH=" + os.Getenv("PATH")}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	gw := exec.CommandContext(ctx, bin, "serve", "--listen", "127.0.0.1:0")
	gw.Dir, gw.Env = dir, env
	log, err := gw.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := gw.Start(); err != nil {
		t.Fatal(err)
	}
	var url string
	lines := bufio.NewScanner(log)
	for url == "" && lines.Scan() {
		if m := regexp.MustCompile(`address=(127\.0\.0\.1:\d+)`).FindStringSubmatch(lines.Text()); m != nil {
			url = "http://" + m[1]
		}
	}
	go func() {
		for lines.Scan() { // else it would wait for somebody to read
		}
	}()
	umpire := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(ctx, bin, args...)
		cmd.Dir, cmd.Env = dir, append(env, "UMPIRE_SERVER="+url)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("umpire %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	token := strings.TrimSpace(umpire("token", "add", "--agent", "builder"))
	if out := umpire("token", "sessions"); out != "no browser sessions\n" {
		t.Errorf("token sessions: %q", out)
	}
	if out := umpire("__complete", "token", "revoke", ""); !strings.Contains(out, "\tagent builder\n") {
		t.Errorf("completion of token revoke: %q", out)
	}
	end := exec.CommandContext(ctx, bin, "token", "end", "nosuch")
	end.Dir, end.Env = dir, append(env, "UMPIRE_SERVER="+url)
	if out, err := end.CombinedOutput(); err == nil || !strings.Contains(string(out), "no browser session has the ID nosuch") {
		t.Errorf("token end: %v, %q", err, out)
	}
	ask := func(method, path, body string) map[string]any {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, method, url+path, bytes.NewReader([]byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		var out map[string]any
		if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	id, _ := ask("POST", "/api/exec", `{"command":"echo hello","reason":"to \u001b[2J greet"}`)["id"].(string)
	ask("POST", "/api/queue", `{"category":"network","action":"CONNECT a.example:443"}`)
	if out := umpire("queue"); !strings.Contains(out, "echo hello") || strings.Contains(out, "\x1b") || !strings.Contains(out, `the agent says: to \x1b[2J greet`) {
		t.Errorf("queue: want the command and the agent's words with control characters escaped: %q", out)
	}
	if out := umpire("queue", "show", "req-1"); !strings.Contains(out, "command:") {
		t.Errorf("queue show: want the line of the command:\n%s", out)
	}
	if out := umpire("queue", "show", "req-1", "--full"); !strings.Contains(out, `"command": "echo hello"`) || !strings.HasSuffix(out, "this is all of it\n") {
		t.Errorf("queue show --full: want the whole request:\n%s", out)
	}
	// Nothing is approved unseen: without a terminal it takes the digest of what was seen.
	for _, args := range [][]string{{"approve", "req-1"}, {"queue", "approve", "req-1"}, {"queue", "approve", "req-1", "--digest", "0"}} {
		cmd := exec.CommandContext(ctx, bin, args...)
		cmd.Dir, cmd.Env = dir, append(env, "UMPIRE_SERVER="+url)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "digest") {
			t.Errorf("%v: got error %v, want one about the digest:\n%s", args, err, out)
		}
	}
	for _, verb := range []string{"show", "output", "stop"} {
		cmd := exec.CommandContext(ctx, bin, "queue", verb, "req-99")
		cmd.Dir, cmd.Env = dir, append(env, "UMPIRE_SERVER="+url)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "req-99: the gateway says") {
			t.Errorf("%s req-99: got error %v, want the gateway's:\n%s", verb, err, out)
		}
	}
	absent := exec.CommandContext(ctx, bin, "rules", "remove", "allow", "exec(nothing)")
	absent.Dir, absent.Env = dir, append(env, "UMPIRE_SERVER="+url)
	if out, err := absent.CombinedOutput(); err == nil || !strings.Contains(string(out), "no such rule: allow exec(nothing)") {
		t.Errorf("a rule that does not exist: got error %v, want one that names it:\n%s", err, out)
	}
	if out := umpire("queue", "show", "req-1", "--json"); !strings.Contains(out, `"status":"pending"`) {
		t.Errorf("queue show --json: want status pending:\n%s", out)
	}
	if out := umpire("approve", "req-1", "--note", "hi", "--digest", digestIn.FindStringSubmatch(umpire("queue", "show", "req-1", "--json"))[1]); !strings.HasPrefix(out, "approved ") {
		t.Errorf("approve with a digest: want \"approved\":\n%s", out)
	}
	// The same answer again changes nothing, and the other one cannot be given any more.
	if out := umpire("queue", "approve", "req-1"); !strings.Contains(out, "already settled: approved") {
		t.Errorf("approve for the second time: want \"already settled\":\n%s", out)
	}
	for _, args := range [][]string{{"queue", "deny", "req-1"}, {"queue", "approve", "req-1", "--scope", "always"}, {"queue", "approve", "req-1", "--digest", "0"}} {
		cmd := exec.CommandContext(ctx, bin, args...)
		cmd.Dir, cmd.Env = dir, append(env, "UMPIRE_SERVER="+url)
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%v: want a failure:\n%s", args, out)
		}
	}
	// An ID that is wrong keeps no other from its answer, and no answer is left out of the document.
	ask("POST", "/api/exec", `{"command":"echo one"}`)
	ask("POST", "/api/exec", `{"command":"echo two"}`)
	several := exec.CommandContext(ctx, bin, "queue", "deny", "req-3", "req-99", "req-4", "--json")
	several.Dir, several.Env = dir, append(env, "UMPIRE_SERVER="+url)
	var answers []struct {
		OK     bool
		Status string
		Error  string
	}
	if out, err := several.Output(); err == nil || json.Unmarshal(out, &answers) != nil || len(answers) != 3 ||
		answers[0].Status != "denied" || !strings.Contains(answers[1].Error, "req-99: the gateway says") || answers[2].Status != "denied" {
		t.Errorf("answers: got error %v, want denied, an error for req-99, denied:\n%s", err, out)
	}
	if out := umpire("queue", "deny", "--all", "network"); out != "denied 1 request\n" {
		t.Errorf("out is %s, want %s", out, "denied 1 request\n")
	}
	for _, args := range [][]string{{"queue"}, {"history"}, {"rules"}, {"rules", "add", "allow", "exec(true)"}, {"token", "list"}, {"token", "add", "--agent", "other"}, {"login"}, {"queue", "deny", "--all", "git"}} {
		if out := umpire(append(args, "--json")...); !json.Valid([]byte(out)) {
			t.Errorf("%v --json: %s", args, out)
		}
	}
	link := strings.TrimSpace(umpire("login"))
	if path, ok := strings.CutPrefix(link, url+"/login?code="); !ok || len(path) != 43 {
		t.Errorf("link for the login: got %q, want %s/login?code= and 43 characters", link, url)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = page.Body.Close()
	if page.StatusCode != http.StatusOK || page.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("the page for logging in: %v", page)
	}
	umpire("rules", "add", "deny", "network(*.bad.example)")
	if out := umpire("rules"); !strings.Contains(out, "deny   network(*.bad.example)") {
		t.Errorf("rules: want the deny rule:\n%s", out)
	}
	if got := ask("POST", "/api/queue", `{"category":"network","action":"CONNECT x.bad.example:443"}`); got["status"] != "denied" {
		t.Errorf("a request that a rule denies: got %v, want status denied", got)
	}
	if out := umpire("rules", "test", "deny", "network(x.bad.example)"); !strings.HasPrefix(out, "This rule would have matched 1 of the last ") || !strings.Contains(out, ": 1 denied\n") || !strings.Contains(out, "network: CONNECT x.bad.example:443\n") {
		t.Errorf("rules test: want the one request that would have matched:\n%s", out)
	}
	umpire("rules", "remove", "deny", "network(*.bad.example)")
	if out := umpire("history"); strings.Count(out, "req-") != 5 || !strings.Contains(out, "approved by admin") {
		t.Errorf("history: want 5 requests, with one approved by admin:\n%s", out)
	}
	if got := ask("GET", "/api/exec/"+id+"?wait=55s", ""); got["status"] != "completed" {
		t.Errorf("execution %s: got %v, want status completed", id, got)
	}
	watch := exec.CommandContext(ctx, bin, "queue", "watch")
	watch.Dir, watch.Env = dir, append(env, "UMPIRE_SERVER="+url)
	keys, err := watch.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	shown, err := watch.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	live, _ := ask("POST", "/api/queue", `{"category":"network","action":"CONNECT live.example:443"}`)["id"].(string)
	asked := false
	for lines := bufio.NewScanner(shown); lines.Scan(); {
		text := lines.Text()
		if name := regexp.MustCompile(`^(req-\d+) .*live\.example`).FindStringSubmatch(text); name != nil && !asked {
			asked = true
			if _, err := keys.Write([]byte("d " + name[1] + "\n")); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(text, "denied by admin") {
			break
		}
	}
	if _, err := keys.Write([]byte("q\n")); err != nil {
		t.Fatal(err)
	}
	if err := watch.Wait(); err != nil {
		t.Errorf("watch ends with %v", err)
	}
	if got := ask("GET", "/api/queue/"+live, ""); got["status"] != "denied" {
		t.Errorf("what was denied while watching: %v", got)
	}
	waiting, _ := ask("POST", "/api/queue", `{"category":"exec","action":"make x"}`)["id"].(string)
	if err := gw.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := gw.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	if waiting == "" {
		t.Error("the last request was not taken")
	}
}

var digestIn = regexp.MustCompile(`"digest": ?"([^"]+)"`)
