package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/umpire-dev/umpire/internal/approval"
)

// bearer sends a token along.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// mcp connects as somebody. What the server tells of its progress comes by the channel.
func (w *world) mcp(who string) (*mcp.ClientSession, <-chan string) {
	w.t.Helper()
	progress := make(chan string, 100)
	c := mcp.NewClient(&mcp.Implementation{Name: "test"}, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		select {
		case progress <- r.Params.Message:
		default:
		}
	}})
	s, err := c.Connect(w.t.Context(), &mcp.StreamableClientTransport{Endpoint: w.url + "/mcp", HTTPClient: &http.Client{Transport: bearer{w.tokens[who]}}}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = s.Close() })
	return s, progress
}

type said struct {
	text   string
	failed bool
	err    error
}

// use calls a tool in the background.
func use(ctx context.Context, s *mcp.ClientSession, tool string, args any) <-chan said {
	out := make(chan said, 1)
	p := &mcp.CallToolParams{Name: tool, Arguments: args}
	p.SetProgressToken("token")
	go func() {
		r, err := s.CallTool(ctx, p)
		if err != nil {
			out <- said{err: err}
			return
		}
		out <- said{r.Content[0].(*mcp.TextContent).Text, r.IsError, nil}
	}()
	return out
}

// waiting returns the one request that waits, as soon as there is one.
func (w *world) waiting() approval.Request {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	for {
		changed, stop := w.s.Changed("")
		list, err := w.s.List(ctx, approval.Filter{States: []approval.State{approval.Pending}})
		if err != nil {
			w.t.Fatal(err)
		}
		if len(list) > 0 {
			stop()
			return list[0]
		}
		select {
		case <-changed:
		case <-ctx.Done():
			w.t.Fatal("nothing waits")
		}
		stop()
	}
}

// final returns a request when it is settled.
func (w *world) final(id string) approval.Request {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	r, err := w.g.queue.Wait(ctx, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// An agent asks by MCP and hears the answer of a person, and that it takes a while.
func TestMCP(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: exec(echo *)\n  - deny: network(*.bad.example)\n")
	s, progress := w.mcp("agent")
	args := map[string]any{"category": "network", "action": "CONNECT new.example:443", "reason": "to look"}
	answer := use(t.Context(), s, "request_permission", args)
	r := w.waiting()
	if msg := <-progress; !strings.Contains(msg, r.ID) {
		t.Errorf("progress: %s", msg)
	}
	if r.Agent != hashToken(w.tokens["agent"])[:12] || r.Reason != "to look" || r.Session == "" {
		t.Errorf("%+v", r)
	}
	if _, out := w.call("approver", "POST", "/api/queue/"+r.ID+"/approve", map[string]any{"note": "be quick"}); out["ok"] != true {
		t.Fatal(out)
	}
	if got := <-answer; got.failed || !strings.Contains(got.text, `"status":"approved"`) || !strings.Contains(got.text, "be quick") || strings.Contains(got.text, "ann") {
		t.Errorf("%+v", got)
	}
	for _, tt := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"request_network", map[string]any{"url": "https://x.bad.example/"}, `"status":"denied"`},
		{"request_exec", map[string]any{"command": "echo hello"}, `"exitCode":0`},
		{"request_exec", map[string]any{"command": "rm -rf ~"}, `"status":"denied"`},
		{"request_package_install", map[string]any{"manager": "npm", "packages": []string{"--registry=x"}}, "must be a plain package name"},
		{"check", map[string]any{"category": "exec", "action": "make x"}, `"effect":"ask"`},
		{"check", map[string]any{"category": "nothing", "action": "make x"}, "unknown category"},
	} {
		if got := <-use(t.Context(), s, tt.tool, tt.args); !strings.Contains(got.text, tt.want) {
			t.Errorf("%s %v: %+v", tt.tool, tt.args, got)
		}
	}
	if list, err := w.s.List(t.Context(), approval.Filter{States: []approval.State{approval.Pending}}); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
}

// The question goes when its asker does: by giving the call up, or by hanging up.
func TestMCPAskerGoes(t *testing.T) {
	w := newWorld(t, "")
	s, _ := w.mcp("agent")
	ctx, cancel := context.WithCancel(t.Context())
	answer := use(ctx, s, "request_network", map[string]any{"url": "https://new.example/"})
	r := w.waiting()
	cancel()
	<-answer
	if got := w.final(r.ID); got.State != approval.Cancelled {
		t.Errorf("given up: %+v", got)
	}

	// A client that is killed says nothing: its connection ends.
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	send := func(session, body string) *http.Response {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+w.tokens["agent"])
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	res := send("", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	_ = res.Body.Close()
	id := res.Header.Get("Mcp-Session-Id")
	res = send(id, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	_ = res.Body.Close()
	hung := make(chan struct{})
	go func() {
		defer close(hung)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+"/mcp",
			strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"request_network","arguments":{"url":"https://other.example/"}}}`))
		if err != nil {
			return
		}
		req.Header = http.Header{"Authorization": {"Bearer " + w.tokens["agent"]}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Session-Id": {id}}
		if res, err := http.DefaultClient.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		}
	}()
	r = w.waiting()
	cancel()
	<-hung
	if got := w.final(r.ID); got.State != approval.Cancelled {
		t.Errorf("hung up: %+v", got)
	}
}

// A tool that does not exist is an error of its caller, and nothing that an agent sends ends the
// gateway.
func TestMCPUnknownTool(t *testing.T) {
	w := newWorld(t, "")
	s, _ := w.mcp("agent")
	for _, name := range []string{"approve", ""} {
		if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err == nil {
			t.Errorf("%q is called", name)
		}
	}
	if _, err := s.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestMCPTokenConfusion: an MCP session is its token's, operators have none, and nothing
// is told to nobody.
func TestMCPTokenConfusion(t *testing.T) {
	w := newWorld(t, "")
	s, _ := w.mcp("agent")
	list := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	for who, want := range map[string]int{"": 401, "other": 403, "admin": 403, "bad": 401} {
		w.tokens["bad"] = "umpa_x"
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/mcp", bytes.NewReader(list))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Session-Id": {s.ID()}}
		if who != "" {
			req.Header.Set("Authorization", "Bearer "+w.tokens[who])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%q: %d, want %d", who, res.StatusCode, want)
		}
	}
}

// The tool that Claude Code asks in place of its user: the call is shown as it is, is not
// run here, and what is no approval is a denial.
func TestMCPPermissionPrompt(t *testing.T) {
	w := newWorld(t, "")
	s, _ := w.mcp("agent")
	type verdict struct {
		Behavior string         `json:"behavior"`
		Input    map[string]any `json:"updatedInput"`
		Message  string         `json:"message"`
	}
	read := func(got said) (v verdict) {
		t.Helper()
		if got.err != nil || got.failed {
			t.Fatalf("%+v", got)
		}
		if err := json.Unmarshal([]byte(got.text), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := read(<-use(t.Context(), s, "permission", map[string]any{"tool_name": "Bash", "input": map[string]any{"command": "rm -rf ~"}, "tool_use_id": "t0"})); v.Behavior != "deny" || !strings.Contains(v.Message, "rule") {
		t.Errorf("%+v", v)
	}
	in := map[string]any{"command": "sudo systemctl restart nginx", "description": "restart"}
	for _, verb := range []string{"approve", "deny"} {
		answer := use(t.Context(), s, "permission", map[string]any{"tool_name": "Bash", "input": in, "tool_use_id": "t1"})
		r := w.waiting()
		if r.Category != approval.Exec || r.Action != "Bash: sudo systemctl restart nginx" || !strings.Contains(r.Description, "a tool call of claude") {
			t.Errorf("%+v", r)
		}
		if _, out := w.call("approver", "POST", "/api/queue/"+r.ID+"/"+verb, map[string]any{"digest": r.Digest, "note": "noted"}); out["ok"] != true {
			t.Fatal(out)
		}
		v := read(<-answer)
		switch {
		case verb == "approve" && (v.Behavior != "allow" || v.Input["command"] != in["command"] || v.Input["description"] != "restart"):
			t.Errorf("approved: %+v", v)
		case verb == "deny" && (v.Behavior != "deny" || v.Message != "A person denied this call. Do not try it again. noted"):
			t.Errorf("denied: %+v", v)
		}
		plan, err := StoredPlan(&r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.g.execution(t.Context(), r.ID); err == nil || runs(plan) {
			t.Error("the gateway ran the call itself")
		}
	}
}

// What a hook puts to a person is answered by one, or by a rule that one stored, and by
// no mode and no rule of a file.
func TestCallsArePutToPeople(t *testing.T) {
	w := newWorld(t, "modes: {filesystem: allow-all, network: allow-all}\nrules:\n  - allow: exec(make *)\n  - deny: network(*.bad.example)\n")
	call := func(tool string, input any) map[string]any {
		t.Helper()
		status, out := w.call("agent", "POST", "/api/queue", map[string]any{"call": map[string]any{"platform": "codex", "tool": tool, "input": input, "dir": "/home/dev/shop"}, "ask": true, "session": "s"})
		if status != http.StatusCreated {
			t.Fatalf("%s: %d %v", tool, status, out)
		}
		return out
	}
	type m = map[string]any
	for _, tt := range []struct {
		tool, category, status string
		input                  m
	}{
		{"Bash", "exec", "pending", m{"command": "make release"}},
		{"Write", "filesystem", "pending", m{"file_path": "/home/dev/shop/a.txt", "content": "x"}},
		{"WebFetch", "network", "pending", m{"url": "https://api.example.com/x"}},
		{"WebFetch", "network", "denied", m{"url": "https://x.bad.example/"}},
		{"mcp__github__delete_repo", "exec", "pending", m{"repo": "x"}},
	} {
		out := call(tt.tool, tt.input)
		if out["status"] != tt.status || out["category"] != tt.category {
			t.Errorf("%s %v: %v", tt.tool, tt.input, out)
		}
	}
	out := call("Bash", m{"command": "make lint"})
	if status, got := w.call("admin", "POST", "/api/queue/"+out["id"].(string)+"/approve", m{"scope": "always"}); status != 200 || got["ok"] != true {
		t.Fatalf("%d %v", status, got)
	}
	if out := call("Bash", m{"command": "make lint"}); out["status"] != "approved" {
		t.Errorf("a stored rule: %v", out)
	}
	for name, in := range map[string]m{
		"and a category": {"category": "exec", "call": m{"tool": "Bash", "input": m{}}},
		"no tool":        {"call": m{"input": m{}}},
		"relative":       {"call": m{"tool": "Bash", "input": m{}, "dir": "x"}},
	} {
		if status, out := w.call("agent", "POST", "/api/queue", in); status != 400 {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
}

// A grant for a session is one agent's: another that names the same session is asked.
func TestSessionOfAnotherAgent(t *testing.T) {
	w := newWorld(t, "")
	in := map[string]any{"category": "exec", "action": "make lint", "session": "s1"}
	_, r := w.call("agent", "POST", "/api/queue", in)
	if _, out := w.call("approver", "POST", "/api/queue/"+r["id"].(string)+"/approve", map[string]any{"scope": "session"}); out["ok"] != true {
		t.Fatal(out)
	}
	if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != "approved" {
		t.Errorf("%v", r)
	}
	if _, r := w.call("other", "POST", "/api/queue", in); r["status"] != "pending" {
		t.Errorf("another agent: %v", r)
	}
}

// TestMCPSessionFlood: an agent begins sessions and leaves them.
func TestMCPSessionFlood(t *testing.T) {
	now := time.Now() // which stands still
	w := newWorld(t, "", func(o *Options) { o.Now = func() time.Time { return now } })
	begin := func(who string) int {
		status, _ := w.call(who, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
			"Accept", "application/json, text/event-stream")
		return status
	}
	for i := range 2*mcpBegin + 1 {
		if status, want := begin("agent"), map[bool]int{true: 200, false: 429}[i < 2*mcpBegin]; status != want {
			t.Errorf("session %d: %d, want %d", i, status, want)
		}
	}
	if status := begin("other"); status != 200 {
		t.Errorf("another agent: %d", status)
	}
}
