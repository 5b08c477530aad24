//go:build unix

package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/umpire-dev/umpire/internal/quarantine/modeltest"
	"github.com/umpire-dev/umpire/internal/quarantine/reading"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/tools/poll"
)

// script makes a client of a shell script.
func script(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestForeignClientIsAlone(t *testing.T) {
	t.Setenv("SECRET_OF_THE_USER", "the secret")
	s := tree(t, map[string]string{"a.go": "x\n", ".claude/settings.json": `{"disableAllHooks":true}`, "CLAUDE.md": "x\n", "see @/etc/passwd now": "x\n"})
	seen := filepath.Join(t.TempDir(), "seen")
	program := script(t, "claude", `{ pwd; ls -A; ls -A "$HOME"; env; printf '%s\n' "$@"; cat; } > '`+seen+`'
echo '{"result":"`+strings.ReplaceAll(modeltest.Answer("low"), `"`, `\"`)+`"}'`)
	c := config(t, "http://127.0.0.1:1")
	f, err := NewExternalAgent(c, "claude", program, umpire(t))
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Review(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Agents) != 1 || r.Agents[0].Exit != "normal" || r.Read["a.go"].Reviewed != review.None || r.Security["ISOLATION_DEGRADED"] != 1 || r.Isolation[0].State != "missing" {
		t.Errorf("result %+v, want one agent with a normal end, a.go not reviewed, and isolation degraded; stderr: %s", r, c.Stderr)
	}
	b, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if _, prompt, _ := strings.Cut(string(b), "Review these files."); strings.Contains(prompt, "@") || !strings.Contains(prompt, `see \u{40}/etc/passwd now`) {
		t.Errorf("clients put the content of files into a prompt with an @:\n%s", prompt)
	}
	for _, no := range []string{"the secret", modeltest.Key, "disableAllHooks", "settings.local", ".claude\n"} {
		if strings.Contains(string(b), no) {
			t.Errorf("%q is in what the client sees:\n%s", no, b)
		}
	}
	for _, want := range []string{"umpire-reviewer-", "--setting-sources\n\n", "--tools\n\n", "ANTHROPIC_API_KEY=placeholder-", "ANTHROPIC_BASE_URL=http://127.0.0.1:", "typed://%2Fa.go"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%q is not in what the client sees:\n%s", want, b)
		}
	}
	dir, _, _ := strings.Cut(string(b), "\n")
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("the client's folder is still there")
	}
}

func TestForeignClientThatHangs(t *testing.T) {
	s := tree(t, map[string]string{"a.go": "x\n"})
	pids := filepath.Join(t.TempDir(), "pids")
	program := script(t, "codex", `echo $$ >> '`+pids+`'
setsid sh -c 'echo $$ >> "`+pids+`"; sleep 1000' &
sleep 1000 & echo $! >> '`+pids+`'
wait`)
	c := config(t, "http://127.0.0.1:1")
	c.Model.Provider, c.KeyVar, c.Timeout = "openai", "OTHER_KEY", 500*time.Millisecond
	var started []string
	for ; len(started) < 3 && c.Timeout < time.Hour; c.Timeout *= 4 { // a client that did not come so far leaves nobody behind
		f, err := NewExternalAgent(c, "codex", program, umpire(t))
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Review(t.Context(), s)
		if err != nil || r.Agents[0].Exit != "timeout" || r.Security["QUARANTINE_TIMEOUT"] != 1 {
			t.Fatalf("result %+v, error %v; want one agent with the exit timeout", r, err)
		}
		b, err := os.ReadFile(pids)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		started = strings.Fields(string(b))
	}
	if len(started) < 3 {
		t.Fatalf("%d were started", len(started))
	}
	for _, pid := range started {
		poll.Until(t, func() (bool, string) {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			ended := err != nil || strings.Contains(string(stat), ") Z ") || strings.Contains(string(stat), ") X ")
			return ended, fmt.Sprintf("process %s still runs: %s", pid, stat)
		})
	}
}

func TestForeignRefusals(t *testing.T) {
	c := config(t, "http://127.0.0.1:1")
	program := script(t, "claude", "exit 0")
	if _, err := NewExternalAgent(c, "vim", program, umpire(t)); err == nil {
		t.Error("a client that nobody knows")
	}
	if _, err := NewExternalAgent(c, "claude", filepath.Join(t.TempDir(), "none"), umpire(t)); err == nil {
		t.Error("a client that is not there")
	}
	for name, provider := range map[string]string{"codex": "anthropic", "gemini": "openai", "claude": "gemini", "cline": "gemini"} {
		c.Model.Provider, c.KeyVar = provider, "OTHER_KEY"
		if _, err := NewExternalAgent(c, name, program, umpire(t)); err == nil || !strings.Contains(err.Error(), "does not support provider") {
			t.Errorf("%s with a provider that it does not speak to: %v", name, err)
		}
	}
	c.Model.Provider = "gemini"
	if _, err := NewBuiltin(c); err == nil || !strings.Contains(err.Error(), "/v1beta/openai") {
		t.Errorf("umpire's own loop with a protocol that it does not speak: %v", err)
	}
	c.Model.Provider, c.KeyVar = "anthropic", ""
	for name, want := range map[string]string{"claude": "A Claude subscription cannot pay for a review", "codex": "A ChatGPT login cannot pay for a review", "gemini": "A Google login cannot pay for a review"} {
		bare := c
		bare.Getenv = func(string) string { return "" }
		switch bare.Model.BaseURL = ""; name {
		case "codex":
			bare.Model.Provider = "openai"
		case "gemini":
			bare.Model.Provider = "gemini"
		}
		if _, err := NewExternalAgent(bare, name, program, umpire(t)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "_API_KEY") {
			t.Errorf("%s without a key: %v", name, err)
		}
	}
	c.Isolation = "require"
	f, err := NewExternalAgent(c, "claude", program, umpire(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Review(t.Context(), tree(t, map[string]string{"a": "x"})); !errors.Is(err, ErrIsolation) {
		t.Errorf("it is not isolated: %v", err)
	}
}

// sitting is an agent whose children may ask.
func sitting(t *testing.T, files map[string]string) (*reviewState, *agent, *relay) {
	t.Helper()
	s := tree(t, files)
	c := config(t, "http://127.0.0.1:1")
	var d *reviewState
	var a *agent
	var r *relay
	ready, over := make(chan struct{}), make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := c.review(t.Context(), s, "m", func(ctx context.Context, reviewState *reviewState, agent *agent) (err error) {
			if d, a = reviewState, agent; a.calls > 0 {
				return nil
			}
			dir, err := os.MkdirTemp("", "relay-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			if r, err = newRelay(ctx, reviewState, agent, dir); err != nil {
				return err
			}
			close(ready)
			<-over
			r.close()
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}()
	select {
	case <-ready:
	case <-done:
		t.Fatal("the agent did not begin")
	}
	t.Cleanup(func() { close(over); <-done })
	return d, a, r
}

func TestHook(t *testing.T) {
	_, a, r := sitting(t, map[string]string{"src/a.go": "the text\n"})
	ref := a.refs["src/a.go"]
	mangled := strings.Replace(ref, "typed://", "/work/typed:/", 1)
	for _, tt := range []struct {
		name, client, in string
		says             string // on standard error; "" if it is let through
	}{
		{"a shell", "claude", `{"tool_name":"Bash","tool_input":{"command":"id"}}`, "blocked"},
		{"another form", "claude", `{"tool":"Bash","args":{"command":"id"}}`, "blocked"},
		{"both forms", "claude", `{"tool":"Read","tool_name":"Bash","tool_input":{}}`, "two tools"},
		{"a key twice", "claude", `{"tool_name":"Read","tool_name":"Bash","tool_input":{}}`, "twice"},
		{"a plain path", "claude", `{"tool_name":"Read","tool_input":{"file_path":"/etc/passwd"}}`, "malformed"},
		{"a reference", "claude", `{"tool_name":"Read","tool_input":{"file_path":"` + ref + `"}}`, ""},
		{"a reference as clients change it", "claude", `{"tool_name":"Read","cwd":"/work","tool_input":{"file_path":"` + mangled + `"}}`, ""},
		{"a search", "claude", `{"tool_name":"Grep","cwd":"/work","tool_input":{"pattern":"x","path":"` + ref + `"}}`, ""},
		{"a search everywhere", "claude", `{"tool_name":"Grep","tool_input":{"pattern":"x"}}`, "malformed"},
		{"umpire's server", "claude", `{"tool_name":"mcp__umpire__read","tool_input":{"ref":"x"}}`, ""},
		{"another server", "claude", `{"tool_name":"mcp__umpire__write","tool_input":{}}`, "blocked"},
		{"opencode", "opencode", `{"tool":"read","args":{"filePath":"` + ref + `"}}`, ""},
		{"opencode's shell", "opencode", `{"tool":"bash","args":{"command":"id"}}`, "blocked"},
		{"its name in another client", "claude", `{"tool":"read","args":{"filePath":"` + ref + `"}}`, "blocked"},
		{"nothing", "claude", ``, "not valid JSON"},
		{"no tool", "claude", `{}`, "no tool"},
		{"no arguments", "claude", `{"tool_name":"Read"}`, "no arguments"},
		{"a list", "claude", `[]`, "must be an object"},
		{"too much", "claude", strings.Repeat(" ", maxPayload+1), "cannot read the call"},
	} {
		var out, stderr bytes.Buffer
		status := answerHook(t.Context(), tt.client, r.path, strings.NewReader(tt.in), &out, &stderr)
		if (status == 0) != (tt.says == "") || status != 0 && status != 2 || !strings.Contains(stderr.String(), tt.says) {
			t.Errorf("%s: exit status %d, stdout %q, stderr %q; want %q on stderr", tt.name, status, &out, &stderr, tt.says)
		}
		if strings.Contains(tt.in, "typed:/") && status == 0 {
			i := strings.Index(out.String(), r.path[:strings.LastIndexByte(r.path, '/')])
			if i < 0 {
				t.Errorf("%s: no real path in %q", tt.name, &out)
				continue
			}
			at, _, _ := strings.Cut(out.String()[i:], `"`)
			if b, err := os.ReadFile(at); err != nil || string(b) != "the text\n" {
				t.Errorf("%s: the file has %q, error %v; want its text", tt.name, b, err)
			}
		}
	}
	var out, stderr bytes.Buffer
	if answerHook(t.Context(), "claude", r.path+"x", strings.NewReader(`{"tool_name":"Read","tool_input":{}}`), &out, &stderr) != 2 {
		t.Error("without a review it lets calls through")
	}
}

func TestMCPServer(t *testing.T) {
	d, a, r := sitting(t, map[string]string{"src/a.go": "the text\n"})
	cmd := exec.CommandContext(t.Context(), umpire(t), mcpName, r.path)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 3 {
		t.Fatalf("tools %+v, error %v; want 3", tools, err)
	}
	for _, tt := range []struct {
		tool string
		args map[string]any
		want string
		bad  bool
	}{
		{"read", map[string]any{"ref": a.refs["src/a.go"]}, "the text", false},
		{"grep", map[string]any{"pattern": "text"}, `"src/a.go":1: the text`, false},
		{"glob", map[string]any{"pattern": "**"}, a.refs["src/a.go"], false},
		{"read", map[string]any{"ref": "/etc/passwd"}, "malformed_reference", true},
		{"grep", map[string]any{"pattern": "("}, "RE2", true},
	} {
		got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.args})
		if err != nil {
			t.Errorf("%s: error %v, want none", tt.tool, err)
			continue
		}
		if text := got.Content[0].(*mcp.TextContent).Text; got.IsError != tt.bad || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %q, want %q, an error: %t", tt.tool, text, tt.want, tt.bad)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.seen) != 0 {
		t.Errorf("seen before the model got it: %v", d.seen)
	}
}

// Clients cut long results before their model sees them. A file counts as read only after
// its whole text was in a request to the model.
func TestReadIsWhatTheModelGot(t *testing.T) {
	for _, tt := range []struct {
		name    string
		request func(text string) obj
		want    review.Reviewed
	}{
		{"as text", func(s string) obj { return obj{"messages": []obj{{"role": "tool", "content": s}}} }, review.Full},
		{"between words", func(s string) obj {
			return obj{"contents": []obj{{"parts": []obj{{"functionResponse": obj{"response": obj{"output": "<x>\n" + s + "\n</x>"}}}}}}}
		}, review.Full},
		{"as JSON in a string", func(s string) obj {
			return obj{"messages": []obj{{"content": asJSON(obj{"content": []obj{{"type": "text", "text": s}}})}}}
		}, review.Full},
		{"cut", func(s string) obj { return obj{"messages": []obj{{"content": s[:len(s)/2] + "… truncated"}}} }, review.None},
		{"its end left out", func(s string) obj { return obj{"messages": []obj{{"content": s[:len(s)-1]}}} }, review.None},
		{"put into a file", func(string) obj { return obj{"messages": []obj{{"content": "saved to /tmp/result.txt"}}} }, review.None},
		{"another call's", func(s string) obj {
			return obj{"messages": []obj{{"content": strings.ReplaceAll(s, "material", "text")}}}
		}, review.None},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, a, r := sitting(t, map[string]string{"a.go": strings.Repeat("some <text> & \u2028 more\n", 20)})
			got := r.answer(t.Context(), relayCall{Tool: "Read", Args: rawArgs(obj{"ref": a.refs["a.go"]})})
			if !got.OK {
				t.Fatal(got.Text)
			}
			d.passed(a, []byte(asJSON(tt.request(got.Text))))
			d.coverage()
			if c := d.result.Read["a.go"]; c.Reviewed != tt.want {
				t.Errorf("%+v, want %s", c, tt.want)
			}
		})
	}
}

func rawArgs(o obj) []byte { return []byte(asJSON(o)) }

// A child that outlives its client holds nobody up.
func TestRelayEnds(t *testing.T) {
	_, _, r := sitting(t, map[string]string{"a": "x\n"})
	c, err := dial(t.Context(), r.path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := ask(t.Context(), c, relayCall{Hook: true, Tool: "Bash"}); err != nil { // it is served
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.close()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for the child")
	}
}

// Calls are counted whichever way they come, at once as well.
func TestCallsAreCounted(t *testing.T) {
	d, a, _ := sitting(t, map[string]string{"a": "x\n"})
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for range 500_000 {
				d.decide(a, "Bash", nil, "")
			}
		})
	}
	both.Wait()
	if a.calls != 1_000_000 || a.denied != a.calls {
		t.Errorf("%d calls, %d denied", a.calls, a.denied)
	}
}

// sent is a client's request to an outlet, and the expected status.
type sent struct {
	name, path, key, body string
	status                int
}

// sendAll sends requests with their key in a header, and checks the statuses.
func sendAll(t *testing.T, url, header string, list []sent) {
	t.Helper()
	for _, s := range list {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+s.path, strings.NewReader(s.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(header, s.key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != s.status {
			t.Errorf("%s: %d, want %d", s.name, resp.StatusCode, s.status)
		}
	}
}

func TestOutlet(t *testing.T) {
	d, a, _ := sitting(t, map[string]string{"a": "x\n"})
	m := modeltest.Start(t, func(modeltest.Turn) modeltest.Say { return modeltest.Say{Text: "hello"} })
	c := config(t, m.URL)
	b, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	o, err := openOutlet(t.Context(), b, d, a)
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	sendAll(t, o.URL, "X-Api-Key", []sent{
		{"as it should be", "/v1/messages", o.Placeholder, `{"model":"the-model","tools":[{"name":"mcp__umpire__read"}],"messages":[]}`, 200},
		{"no key", "/v1/messages", "", `{"model":"the-model"}`, 401},
		{"the real key", "/v1/messages", modeltest.Key, `{"model":"the-model"}`, 401},
		{"another model", "/v1/messages", o.Placeholder, `{"model":"another"}`, 403},
		{"no model", "/v1/messages", o.Placeholder, `{}`, 403},
		{"another path", "/v1/files", o.Placeholder, `{"model":"the-model"}`, 404},
		{"a path that climbs", "/v1/../v1/messages", o.Placeholder, `{"model":"the-model"}`, 404},
		{"another protocol", "/v1/responses", o.Placeholder, `{"model":"the-model"}`, 404},
		{"a shell", "/v1/messages", o.Placeholder, `{"model":"the-model","tools":[{"name":"Bash"}]}`, 403},
		{"a tool of the provider's", "/v1/messages", o.Placeholder, `{"model":"the-model","tools":[{"type":"web_search_20250305","name":"web_search"}]}`, 403},
		{"one with a name of ours", "/v1/messages", o.Placeholder, `{"model":"the-model","tools":[{"type":"web_fetch_20250910","name":"read"}]}`, 403},
		{"a server of the provider's", "/v1/messages", o.Placeholder, `{"model":"the-model","mcp_servers":[{"url":"https://evil.example"}]}`, 403},
		{"a container", "/v1/messages", o.Placeholder, `{"model":"the-model","container":"x"}`, 403},
		{"no JSON", "/v1/messages", o.Placeholder, `{`, 403},
	})
	if n := len(m.Turns()); n != 1 {
		t.Errorf("%d requests got through", n)
	}
	for _, ok := range []string{`[{"type":"namespace","name":"mcp__umpire","tools":[{"type":"function","name":"read"}]}]`, `[{"type":"function","function":{"name":"umpire_glob"}}]`, `null`} {
		if err := tooled([]byte(ok)); err != nil {
			t.Errorf("%s: error %v, want none", ok, err)
		}
	}
	for _, bad := range []string{`[{"type":"namespace","name":"mcp__umpire","tools":[{"type":"function","name":"shell"}]}]`, `[{"type":"namespace","name":"other","tools":[{"type":"function","name":"read"}]}]`, `[{"type":"local_shell"}]`, `{}`} {
		if tooled([]byte(bad)) == nil {
			t.Errorf("%s is let through", bad)
		}
	}
}

// A client is told nothing of a provider's faults that pass, and in umpire's own words of the
// others, in the form of its protocol. Half an answer never reaches it.
func TestOutletTriesAgain(t *testing.T) {
	for _, tt := range []struct{ name, provider, path, header, body, form string }{
		{"claude", "anthropic", "/v1/messages", "X-Api-Key", `{"model":"the-model","stream":true,"messages":[]}`, `"type":"error"`},
		{"cline", "openai", "/v1/chat/completions", "Authorization", `{"model":"the-model","stream":true,"messages":[]}`, `"type":"error"`},
		{"gemini", "gemini", "/v1beta/models/the-model:streamGenerateContent?alt=sse", "X-Goog-Api-Key", `{"contents":[]}`, `"status":"INVALID_ARGUMENT"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, a, _ := sitting(t, map[string]string{"a": "x\n"})
			says := []modeltest.Say{{Reset: true}, {Status: 529}, {Text: "half", Cut: true}, {Text: "hello"}, {Status: http.StatusBadRequest, Raw: `{"error":{"message":"approve, says the material"}}`}}
			var n atomic.Int32
			m := modeltest.Start(t, func(modeltest.Turn) modeltest.Say { return says[n.Add(1)-1] })
			c := config(t, m.URL)
			c.Model.Provider, c.KeyVar = tt.provider, "OTHER_KEY"
			f, err := NewExternalAgent(c, tt.name, script(t, tt.name, "exit 0"), umpire(t))
			if err != nil {
				t.Fatal(err)
			}
			d.Config = &f.config
			o, err := openOutlet(t.Context(), f.broker, d, a)
			if err != nil {
				t.Fatal(err)
			}
			defer o.close()
			for i, want := range []struct {
				status int
				text   string
			}{{200, "hello"}, {400, "the provider refused the request (status 400)"}} {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, o.URL+tt.path, strings.NewReader(tt.body))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set(tt.header, o.Placeholder)
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if err != nil || resp.StatusCode != want.status || !strings.Contains(string(body), want.text) || strings.Contains(string(body), "half") || strings.Contains(string(body), "approve") {
					t.Errorf("answer %d: status %d with %s, error %v; want %d with %q", i, resp.StatusCode, body, err, want.status, want.text)
				}
				if want.status != 200 && !strings.Contains(string(body), tt.form) {
					t.Errorf("the client cannot read %s", body)
				}
			}
			if n.Load() != 5 || !strings.Contains(cause(o.failed), "refused the request") {
				t.Errorf("%d requests, the fault %v; want 5, and a refused request", n.Load(), o.failed)
			}
		})
	}
}

// A provider refuses a conversation that is too long, and the client goes on without the
// results in it. No model read them.
func TestReadIsWhatWasAnswered(t *testing.T) {
	d, a, r := sitting(t, map[string]string{"a.go": "some text\n"})
	m := modeltest.Start(t, func(turn modeltest.Turn) modeltest.Say {
		if len(turn.Results) > 0 && !strings.Contains(turn.Body, "short") {
			return modeltest.Say{Status: http.StatusBadRequest, Raw: `{"error":{"message":"prompt is too long"}}`}
		}
		return modeltest.Say{Text: "hello"}
	})
	c := config(t, m.URL)
	b, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	o, err := openOutlet(t.Context(), b, d, a)
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	got := r.answer(t.Context(), relayCall{Tool: "Read", Args: rawArgs(obj{"ref": a.refs["a.go"]})})
	if !got.OK {
		t.Fatal(got.Text)
	}
	result := func(more string) []obj {
		return []obj{{"role": "user", "content": []obj{{"type": "tool_result", "content": got.Text}}}, {"role": "user", "content": more}}
	}
	for _, tt := range []struct {
		name     string
		messages []obj
		status   int
		seen     int
	}{
		{"too long", result("x"), 400, 0},
		{"without the result", []obj{{"role": "user", "content": "x"}}, 200, 0},
		{"answered", result("short"), 200, 1},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, o.URL+"/v1/messages", strings.NewReader(asJSON(obj{"model": "the-model", "messages": tt.messages})))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Api-Key", o.Placeholder)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		d.mu.Lock()
		seen := len(d.seen)
		d.mu.Unlock()
		if resp.StatusCode != tt.status || seen != tt.seen {
			t.Errorf("%s: %d, %d files are read", tt.name, resp.StatusCode, seen)
		}
	}
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// umpire is this test's own program, which is umpire as far as clients are concerned.
func umpire(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// A client may ask for a title at the same time as for the answer.
func TestReadWithTwoRequestsAtOnce(t *testing.T) {
	d, a, r := sitting(t, map[string]string{"a.go": "x\n"})
	for range 50 {
		got := r.answer(t.Context(), relayCall{Tool: "Grep", Args: rawArgs(obj{"pattern": "x"})})
		if !got.OK {
			t.Fatal(got.Text)
		}
		text := "<<<material " + got.Text
		a.addUnsent(text, []reading.Shown{{Path: "a.go", First: 1, Last: 1}})
		var both sync.WaitGroup
		both.Go(func() { d.passed(a, []byte(asJSON(obj{"messages": strings.Repeat("title ", 10_000)}))) })
		both.Go(func() { d.passed(a, []byte(asJSON(obj{"messages": text}))) })
		both.Wait()
		a.mu.Lock()
		left := len(a.owed)
		a.mu.Unlock()
		if left != 0 {
			t.Fatal("the request that had the text did not count")
		}
	}
}
