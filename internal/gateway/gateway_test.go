package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/taint"
)

// world is a gateway that serves, with a token of each sort.
type world struct {
	t      *testing.T
	g      *Gateway
	s      *store.Store
	url    string
	policy string // the user's policy file
	tokens map[string]string
}

func newWorld(t *testing.T, policy string, change ...func(*Options)) *world {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR"} {
		t.Setenv(k, "")
	}
	root := filepath.Join(home, "proj")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, policy: filepath.Join(home, "policy.yaml"), tokens: map[string]string{}}
	if err := os.WriteFile(w.policy, []byte("version: 1\n"+policy), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), filepath.Join(home, "db"))
	if err != nil {
		t.Fatal(err)
	}
	w.s = s
	o := Options{Store: s, Root: root, Layers: policyfile.Paths{User: w.policy}, AuditDir: filepath.Join(home, "audit"), Log: slog.New(slog.DiscardHandler)}
	for _, f := range change {
		f(&o)
	}
	if w.g, err = New(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		var execute sync.WaitGroup
		execute.Go(func() { w.g.Execute(ctx) })
		w.g.Run(ctx)
		cancel()
		execute.Wait()
	}()
	srv := httptest.NewServer(w.g.Handler())
	w.url = srv.URL
	t.Cleanup(func() {
		cancel()
		<-done
		_ = w.g.Close(context.WithoutCancel(ctx), false)
		srv.CloseClientConnections()
		srv.Close()
		_ = s.Close()
	})
	for name, tok := range map[string]Token{"agent": {Kind: Agent, Name: "a"}, "other": {Kind: Agent, Name: "b"},
		"viewer": {Kind: Operator, Name: "vic", Role: Viewer}, "approver": {Kind: Operator, Name: "ann", Role: Approver}, "admin": {Kind: Operator, Name: "ada", Role: Admin}} {
		if w.tokens[name], _, err = w.g.NewToken(t.Context(), tok); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// call makes a request as somebody and returns status and answer.
func (w *world) call(who, method, path string, body any, header ...string) (int, map[string]any) {
	w.t.Helper()
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		in = strings.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			w.t.Fatal(err)
		}
		in = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, in)
	if err != nil {
		w.t.Fatal(err)
	}
	if who != "" {
		req.Header.Set("Authorization", "Bearer "+w.tokens[who])
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	var out map[string]any
	if len(data) > 0 && data[0] == '{' {
		if err := json.Unmarshal(data, &out); err != nil {
			w.t.Fatalf("%s: %v", data, err)
		}
	} else if len(data) > 0 {
		out = map[string]any{"text": string(data)}
	}
	return res.StatusCode, out
}

// ask submits something that is put to a person.
func (w *world) ask(category, action string, meta any) map[string]any {
	w.t.Helper()
	in := map[string]any{"category": category, "action": action}
	if meta != nil {
		in["metadata"] = meta
	}
	status, out := w.call("agent", "POST", "/api/queue", in)
	if status != http.StatusCreated {
		w.t.Fatalf("%s %s: %d %v", category, action, status, out)
	}
	return out
}

func TestPipeline(t *testing.T) {
	w := newWorld(t, `
allowedEndpoints: [listed.example]
modes: {network: approve-each, filesystem: allow-all, git: deny-all, exec: allow-all}
rules:
  - deny: network(*.bad.example)
  - allow: network(good.example)
  - allow: exec(make test)
  - deny: filesystem(secrets/**)
`)
	type meta = map[string]any
	for _, tt := range []struct {
		category, action string
		meta             meta
		want             string
	}{
		{"network", "CONNECT listed.example:443", nil, "approved"},
		{"network", "CONNECT good.example:443", nil, "approved"},
		{"network", "GET https://GOOD.example./path?q=1", nil, "approved"},
		{"network", "CONNECT x.bad.example:443", nil, "denied"},
		{"network", "CONNECT X.BAD.EXAMPLE.:443", nil, "denied"},
		{"network", "CONNECT new.example:443", nil, "pending"},
		{"filesystem", "Write a.txt", meta{"toolName": "Write", "targetFile": "a.txt", "writeContent": "x"}, "approved"},
		{"filesystem", "Write secrets/a", meta{"toolName": "Write", "targetFile": "./x/../secrets/a", "writeContent": "x"}, "denied"},
		{"git", "push feature/x", nil, "denied"},
		{"exec", "make test", nil, "approved"},
		{"exec", "make deploy", nil, "pending"}, // hardened: its mode lets nothing through
		{"exec", "rm -rf ~", nil, "denied"},     // a built-in rule
		{"packages", "", meta{"manager": "npm", "packages": []string{"left-pad"}}, "pending"},
		{"sandbox", "", meta{"proposal": meta{"path": "categories.network.mode", "value": "allow-all", "reason": "please"}}, "pending"},
	} {
		in := map[string]any{"category": tt.category, "action": tt.action, "metadata": tt.meta}
		if tt.meta == nil {
			delete(in, "metadata")
		}
		status, out := w.call("agent", "POST", "/api/queue", in)
		if status != http.StatusCreated || out["status"] != tt.want {
			t.Errorf("%s %s: %d %v, want %s", tt.category, tt.action, status, out, tt.want)
		}
	}
	if _, err := w.s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
}

// What is not understood is refused: a person must not be asked about something else.
func TestBadSubmissions(t *testing.T) {
	w := newWorld(t, "")
	type meta = map[string]any
	for name, in := range map[string]any{
		"no category":         meta{"action": "x"},
		"unknown category":    meta{"category": "all", "action": "x"},
		"unknown field":       meta{"category": "exec", "action": "x", "approved": true},
		"unknown metadata":    meta{"category": "exec", "action": "x", "metadata": meta{"hidden": 1}},
		"two commands":        meta{"category": "exec", "action": "ls", "metadata": meta{"command": "rm -rf x"}},
		"empty command":       meta{"category": "exec", "action": " "},
		"huge command":        meta{"category": "exec", "action": strings.Repeat("x", 5000)},
		"time-out":            meta{"category": "exec", "action": "x", "metadata": meta{"timeout": 1 << 40}},
		"no port":             meta{"category": "network", "action": "CONNECT host"},
		"number for a host":   meta{"category": "network", "action": "CONNECT 2130706433:80"},
		"hex for a host":      meta{"category": "network", "action": "CONNECT 0x7f.1:80"},
		"zone":                meta{"category": "network", "action": "CONNECT [fe80::1%25eth0]:80"},
		"password":            meta{"category": "network", "action": "GET https://u:p@host/"},
		"two lines":           meta{"category": "network", "action": "GET https://a/\nGET https://b/"},
		"other scheme":        meta{"category": "network", "action": "GET file:///etc/passwd"},
		"climbing path":       meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Write", "targetFile": "../x", "writeContent": ""}},
		"absolute path":       meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Write", "targetFile": "/etc/x", "writeContent": ""}},
		"backslashes":         meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Write", "targetFile": `..\x`, "writeContent": ""}},
		"no content":          meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Write", "targetFile": "x"}},
		"empty old":           meta{"category": "filesystem", "action": "", "metadata": meta{"toolName": "Edit", "targetFile": "x", "editContext": meta{"old_string": "", "new_string": "x"}}},
		"option for a branch": meta{"category": "git", "action": "push --mirror"},
		"ref for a branch":    meta{"category": "git", "action": "push a:refs/heads/main"},
		"dots in a branch":    meta{"category": "git", "action": "push a..b"},
		"unknown manager":     meta{"category": "packages", "action": "", "metadata": meta{"manager": "sh", "packages": []string{"x"}}},
		"option for a name":   meta{"category": "packages", "action": "", "metadata": meta{"manager": "npm", "packages": []string{"--registry=http://evil"}}},
		"address for a name":  meta{"category": "packages", "action": "", "metadata": meta{"manager": "npm", "packages": []string{"git+https://evil/x"}}},
		"shell in a name":     meta{"category": "packages", "action": "", "metadata": meta{"manager": "pip", "packages": []string{"x; rm -rf /"}}},
		"no names":            meta{"category": "packages", "action": "", "metadata": meta{"manager": "pip"}},
		"no proposal":         meta{"category": "sandbox", "action": "x"},
		"garbage":             "{",
		"a list":              "[]",
		"two documents":       `{"category":"exec","action":"ls"}{"category":"exec","action":"ls"}`,
	} {
		if status, out := w.call("agent", "POST", "/api/queue", in); status != http.StatusBadRequest || out["error"] == nil {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	if status, _ := w.call("agent", "POST", "/api/queue", `{"x":"`+strings.Repeat("x", maxBody)+`"}`); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a huge body: %d", status)
	}
	if list, err := w.s.List(t.Context(), approval.Filter{}); err != nil || len(list) != 0 {
		t.Errorf("stored: %v %v", list, err)
	}
}

func TestAnswerAndWait(t *testing.T) {
	w := newWorld(t, "")
	r := w.ask("network", "CONNECT new.example:443", nil)
	id := r["id"].(string)
	done := make(chan map[string]any, 1)
	go func() {
		_, out := w.call("agent", "GET", "/api/queue/"+id+"?wait=30s", nil)
		done <- out
	}()
	if status, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"digest": "of something else"}); status != http.StatusConflict {
		t.Errorf("an answer to something else: %d %v", status, out)
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

// TestSelfApproval: an agent tries every deciding route with its own credential.
func TestSelfApproval(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make x", nil)["id"].(string)
	for _, route := range [][2]string{
		{"POST", "/api/queue/" + id + "/approve"}, {"POST", "/api/queue/" + id + "/deny"}, {"POST", "/api/queue/bulk"}, {"POST", "/api/rules"}, {"DELETE", "/api/rules"},
		{"GET", "/api/rules"}, {"GET", "/api/config"}, {"GET", "/api/history"}, {"GET", "/api/audit"}, {"GET", "/api/tokens"}, {"POST", "/api/tokens"}, {"GET", "/ws"},
		{"POST", "//api/queue/" + id + "/approve"}, {"POST", "/api/../api/queue/" + id + "/approve"}, {"POST", "/API/queue/" + id + "/approve"},
	} {
		status, out := w.call("agent", route[0], route[1], map[string]any{})
		if status < 300 || out["ok"] == true {
			t.Errorf("%s %s: %d %v", route[0], route[1], status, out)
		}
	}
	if r, err := w.s.Get(t.Context(), id); err != nil || r.State != approval.Pending {
		t.Errorf("%+v %v", r, err)
	}
}

// TestTokenConfusion: no credential works on the other side, after its end, or without
// being one.
func TestTokenConfusion(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make x", nil)["id"].(string)
	if status, _ := w.call("other", "GET", "/api/queue/"+id, nil); status != http.StatusNotFound {
		t.Errorf("another agent's request: %d", status)
	}
	if status, _ := w.call("other", "DELETE", "/api/queue/"+id, nil); status != http.StatusNotFound {
		t.Errorf("another agent's request taken back: %d", status)
	}
	if _, out := w.call("other", "GET", "/api/queue", nil); len(out["pending"].([]any)) != 0 {
		t.Errorf("another agent's queue: %v", out)
	}
	for who, want := range map[string]int{"": 401, "viewer": 403} {
		if status, _ := w.call(who, "POST", "/api/queue/"+id+"/approve", nil); status != want {
			t.Errorf("%q approves: %d", who, status)
		}
	}
	if status, _ := w.call("approver", "POST", "/api/rules", map[string]any{"type": "allow", "rule": "exec(x)"}); status != 403 {
		t.Errorf("an approver adds a rule: %d", status)
	}
	if status, _ := w.call("approver", "POST", "/api/queue/"+id+"/approve", map[string]any{"alwaysAllow": true}); status != 403 {
		t.Errorf("an approver makes a rule by an answer: %d", status)
	}
	if status, _ := w.call("admin", "POST", "/api/queue", map[string]any{"category": "exec", "action": "ls"}); status == 201 {
		t.Error("an operator asks as an agent")
	}
	for _, secret := range []string{"", "x", w.tokens["agent"] + "x", strings.Repeat("x", 10_000), hashToken(w.tokens["admin"])} {
		w.tokens["bad"] = secret
		if status, _ := w.call("bad", "GET", "/api/queue", nil); status != 401 {
			t.Errorf("the token %.20q: %d", secret, status)
		}
	}
	_, out := w.call("admin", "GET", "/api/tokens", nil)
	text, _ := json.Marshal(out)
	for _, secret := range w.tokens {
		if secret != "" && len(secret) < 100 && strings.Contains(string(text), secret) {
			t.Error("a token is told")
		}
	}
	if status, _ := w.call("admin", "DELETE", "/api/tokens/"+hashToken(w.tokens["other"])[:12], nil); status != 200 {
		t.Errorf("revoked: %d", status)
	}
	if status, _ := w.call("other", "GET", "/api/queue", nil); status != 401 {
		t.Errorf("a revoked token: %d", status)
	}
	if status, out := w.call("admin", "POST", "/api/tokens", map[string]any{"kind": "agent", "name": "short", "expiresIn": 1}); status != 201 {
		t.Errorf("%d %v", status, out)
	} else {
		time.Sleep(5 * time.Millisecond)
		w.tokens["short"] = out["token"].(string)
		if status, _ := w.call("short", "GET", "/api/queue", nil); status != 401 {
			t.Errorf("an expired token: %d", status)
		}
	}
}

// TestDNSRebindingAndCSRF: a browser is made to send requests by another site's page.
func TestDNSRebindingAndCSRF(t *testing.T) {
	w := newWorld(t, "")
	id := w.ask("exec", "make x", nil)["id"].(string)
	path := "/api/queue/" + id + "/approve"
	for name, header := range map[string][]string{
		"another name":        {"Host", "evil.example:3700"},
		"another origin":      {"Origin", "https://evil.example"},
		"said by the browser": {"Sec-Fetch-Site", "cross-site"},
	} {
		if status, out := w.call("approver", "POST", path, nil, header...); status < 400 {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	if status, out := w.call("approver", "POST", path, `{"digest":"x"}`, "Content-Type", "text/plain"); status != http.StatusUnsupportedMediaType {
		t.Errorf("a form's type: %d %v", status, out)
	}
	if status, _ := w.call("viewer", "GET", "/api/queue", nil, "Host", "evil.example"); status != http.StatusMisdirectedRequest {
		t.Errorf("reading under another name: %d", status)
	}
	_, res, err := websocket.Dial(t.Context(), w.url+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + w.tokens["approver"]}, "Origin": {"https://evil.example"}}})
	if err == nil || res == nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("a WebSocket of another origin: %v %v", res, err)
	} else {
		_ = res.Body.Close()
	}
	if r, err := w.s.Get(t.Context(), id); err != nil || r.State != approval.Pending {
		t.Errorf("%+v %v", r, err)
	}
}

// TestRaced: of many answers to one request one counts.
func TestRaced(t *testing.T) {
	w := newWorld(t, "")
	for range 5 {
		id := w.ask("exec", "make x", nil)["id"].(string)
		var ok atomic.Int32
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				verb := []string{"approve", "deny"}[i%2]
				if _, out := w.call("approver", "POST", "/api/queue/"+id+"/"+verb, nil); out["ok"] == true {
					ok.Add(1)
				}
			})
		}
		wg.Wait()
		if ok.Load() != 1 {
			t.Errorf("%d answers counted", ok.Load())
		}
	}
}

func TestAlways(t *testing.T) {
	w := newWorld(t, "")
	first := w.ask("network", "CONNECT api.new.co.uk:443", nil)["id"].(string)
	like := w.ask("network", "GET https://www.new.co.uk/x", nil)["id"].(string)
	other := w.ask("network", "CONNECT other.co.uk:443", nil)["id"].(string)
	if _, out := w.call("viewer", "GET", "/api/queue/"+first+"/rule", nil); out["rule"] != "network(*.new.co.uk)" {
		t.Errorf("%v", out)
	}
	if status, out := w.call("admin", "POST", "/api/queue/"+first+"/approve", map[string]any{"alwaysAllow": true}); out["ok"] != true {
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
		{"network", "CONNECT api.example.com:443", "network(*.example.com)"},
		{"network", "CONNECT me.github.io:443", "network(*.me.github.io)"},
		{"network", "CONNECT 192.0.2.7:443", "network(192.0.2.7)"},
		{"network", "CONNECT intranet:443", "network(intranet)"},
		{"exec", "rm *.o", `exec(rm \*.o)`},
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

func TestRules(t *testing.T) {
	w := newWorld(t, "")
	for rule, want := range map[string]int{"exec(make *)": 200, "network": 200, "network()": 400, "other(x)": 400, "read(/x)": 400, "exec(": 400, strings.Repeat("x", 5000): 400} {
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

// The policy file is reloaded when it changes; one with a fault changes nothing.
func TestReload(t *testing.T) {
	w := newWorld(t, "")
	until := func(want string) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			_, out := w.call("viewer", "POST", "/api/check", map[string]any{"category": "exec", "action": "make x"})
			if out["effect"] == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("still %v, want %s", out, want)
			}
		}
	}
	until("ask")
	write := func(text string) {
		if err := os.WriteFile(w.policy, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("version: 1\nrules:\n  - deny: exec(make *)\n")
	until("deny")
	write("version: 1\nrules:\n  - deny: [\n")
	time.Sleep(1200 * time.Millisecond) // longer than it takes to notice
	until("deny")
	write("version: 1\n")
	until("ask")
}

func TestWebSocket(t *testing.T) {
	w := newWorld(t, "")
	w.ask("exec", "make first", nil)
	c, res, err := websocket.Dial(t.Context(), w.url+"/ws", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + w.tokens["approver"]}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.CloseNow()
		if res.Body != nil {
			_ = res.Body.Close()
		}
	}()
	next := func(kind string) map[string]any {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		for {
			_, data, err := c.Read(ctx)
			if err != nil {
				t.Fatalf("waiting for %s: %v", kind, err)
			}
			var m map[string]any
			if err := json.Unmarshal(data, &m); err != nil {
				t.Fatal(err)
			}
			if m["type"] == kind {
				return m
			}
		}
	}
	init := next("init")["data"].(map[string]any)
	if len(init["pending"].([]any)) != 1 || init["config"] == nil || init["rules"] == nil {
		t.Errorf("%v", init)
	}
	second := w.ask("exec", "make second", nil)
	if got := next("request")["data"].(map[string]any); got["id"] != second["id"] {
		t.Errorf("%v", got)
	}
	for _, m := range []string{"garbage", `{"type":"approve"}`, fmt.Sprintf(`{"type":"approve","id":%q,"digest":"other"}`, second["id"])} {
		if err := c.Write(t.Context(), websocket.MessageText, []byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	if got := next("error"); got["id"] != second["id"] {
		t.Errorf("%v", got)
	}
	if err := c.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"type":"approve","id":%q,"digest":%q}`, second["id"], second["digest"])); err != nil {
		t.Fatal(err)
	}
	if got := next("resolve")["data"].(map[string]any); got["status"] != "approved" || got["operator"] != "ann" {
		t.Errorf("%v", got)
	}
	w.g.Stop("SIGTERM")
	if got := next("shutdown")["data"].(map[string]any); got["reason"] != "SIGTERM" {
		t.Errorf("%v", got)
	}
}

func TestUptime(t *testing.T) {
	for text, want := range map[string]int64{"4h": 14400000, "45m": 2700000, "20s": 20000, "2h5m": 7500000, "3h20m10s": 12010000, "250ms": 250, "7000": 7000, "1d": 86400000, " 4h ": 14400000,
		"": 0, "soon": 0, "h4": 0, "1.5h": 0, "4h x": 0, "-4h": 0, "0": 0, "0s": 0, "99999999999999999999h": 0, "999999999999d": 0} {
		d, err := ParseUptime(text)
		if (err != nil) != (want == 0) || err == nil && d.Milliseconds() != want {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
	for d, want := range map[time.Duration]string{time.Hour + 2*time.Minute + 3*time.Second: "1h 2m 3s", 7 * time.Minute: "7m", 45 * time.Second: "45s", 2 * time.Hour: "2h", 0: "0s", -time.Second: "0s", 30 * time.Hour: "30h"} {
		if got := Uptime(d); got != want {
			t.Errorf("%s: %q", d, got)
		}
	}
	w := newWorld(t, "", func(o *Options) { o.MaxUptime = time.Second })
	id := w.ask("exec", "make x", nil)["id"].(string)
	if _, out := w.call("", "GET", "/api/status", nil); out["maxUptime"] != "1s" || out["maxUptimeMs"] != 1000.0 {
		t.Errorf("%v", out)
	}
	select {
	case <-w.g.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	if err := w.g.Close(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if r, err := w.s.Get(t.Context(), id); err != nil || r.State != approval.Denied || r.ResolvedBy != approval.ByAuto {
		t.Errorf("%+v %v", r, err)
	}
}

func FuzzEffective(f *testing.F) {
	f.Add("network", "CONNECT a:1", "")
	f.Add("filesystem", "", `{"toolName":"Write","targetFile":"a/../b","writeContent":"x"}`)
	f.Add("packages", "", `{"manager":"npm","packages":["@a/b@^1"]}`)
	f.Add("git", "push a/b", "")
	f.Fuzz(func(t *testing.T, category, action, meta string) {
		s := Submission{Category: approval.Category(category), Action: action}
		if meta != "" {
			s.Metadata = json.RawMessage(meta)
		}
		e, err := effective(&s)
		if err != nil {
			return
		}
		if e.File != "" && (strings.HasPrefix(e.File, "/") || strings.HasPrefix(e.File, "..")) {
			t.Errorf("%q leaves the root", e.File)
		}
		for _, n := range e.Names {
			if strings.HasPrefix(n, "-") || strings.ContainsAny(n, " ;|&$`'\"\n") {
				t.Errorf("%q is no name", n)
			}
		}
		if e.Digest() == "" || e.Title() == "" {
			t.Errorf("%+v", e)
		}
	})
}

// until asks for an execution until it has the status, and returns it.
func (w *world) until(kind, id, status string) map[string]any {
	w.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		_, out := w.call("agent", "GET", "/api/"+kind+"/"+id, nil)
		if out["status"] == status {
			return out
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("still %v, want %s", out, status)
		}
	}
}

// A command runs exactly when it is approved, by whatever way, and once.
func TestExecution(t *testing.T) {
	w := newWorld(t, "rules:\n  - allow: [exec(echo *), filesystem(count)]\n")
	status, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "make-nothing; echo $((6*7)); pwd", "reason": "to count"})
	if status != 201 || out["status"] != "pending" {
		t.Fatalf("%d %v", status, out)
	}
	id := out["id"].(string)
	if _, got := w.call("agent", "GET", "/api/exec/"+id, nil); got["status"] != "pending" || got["command"] != "make-nothing; echo $((6*7)); pwd" || got["timeout"] != 300000.0 {
		t.Errorf("%v", got)
	}
	if status, _ := w.call("other", "GET", "/api/exec/"+id, nil); status != 404 {
		t.Errorf("another agent's command: %d", status)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { w.call("approver", "POST", "/api/queue/"+id+"/approve", nil) })
	}
	wg.Wait()
	res := w.until("exec", id, "completed")["result"].(map[string]any)
	if res["stdout"] != "42\n"+w.g.root+"\n" || res["exitCode"] != 0.0 {
		t.Errorf("%v", res)
	}
	// Who waits is told when it is over, and not when it is approved.
	_, slow := w.call("agent", "POST", "/api/exec", map[string]any{"command": "make-nothing; echo done"})
	over := make(chan map[string]any, 1)
	go func() {
		_, got := w.call("agent", "GET", "/api/exec/"+slow["id"].(string)+"?wait=50s", nil)
		over <- got
	}()
	w.call("approver", "POST", "/api/queue/"+slow["id"].(string)+"/approve", nil)
	if got := <-over; got["status"] != "completed" {
		t.Errorf("%v", got)
	}
	if status, _ := w.call("agent", "GET", "/api/exec/"+id+"?wait=soon", nil); status != 400 {
		t.Errorf("a wait that is no duration: %d", status)
	}
	// A rule allows it: it runs without a person, once each time it is asked for.
	for range 3 {
		_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "echo x >> count"})
		if res := w.until("exec", out["id"].(string), "completed")["result"].(map[string]any); res["exitCode"] != 0.0 {
			t.Errorf("%v", res)
		}
	}
	if data, err := os.ReadFile(filepath.Join(w.g.root, "count")); err != nil || string(data) != "x\nx\nx\n" {
		t.Errorf("it ran %q times, %v", data, err)
	}
	if _, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "rm -rf ~"}); out["status"] != "denied" {
		t.Errorf("%v", out)
	}
	if status, _ := w.call("agent", "POST", "/api/exec", map[string]any{"command": ""}); status != 400 {
		t.Errorf("an empty command: %d", status)
	}
}

// What was approved while nothing carried it out is carried out after a restart; what
// was running when the gateway died is not begun again.
func TestExecutionAfterRestart(t *testing.T) {
	w := newWorld(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	idle, err := New(t.Context(), Options{Store: w.s, Root: w.g.root, Layers: policyfile.Paths{User: w.policy}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = idle.Close(ctx, false) }()
	_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "echo again"})
	id := out["id"].(string)
	// Another gateway has claimed it and died.
	idle.node = "dead"
	if claimed, err := idle.claim(t.Context(), id); !claimed || err != nil {
		t.Fatal(claimed, err)
	}
	if _, out := w.call("approver", "POST", "/api/queue/"+id+"/approve", nil); out["ok"] != true {
		t.Fatal(out)
	}
	if again := w.g.abandon(t.Context()); len(again) > 0 {
		t.Errorf("begun again: %v", again)
	}
	if res := w.until("exec", id, "unknown")["result"].(map[string]any); !strings.Contains(res["stderr"].(string), "not known") {
		t.Errorf("%v", res)
	}
}

func TestPackages(t *testing.T) {
	w := newWorld(t, "")
	status, out := w.call("agent", "POST", "/api/packages", map[string]any{"manager": "npm", "packages": []string{"left-pad@1.3.0"}})
	if status != 201 || out["status"] != "pending" || out["action"] != "npm install left-pad@1.3.0" {
		t.Fatalf("%d %v", status, out)
	}
	if _, got := w.call("agent", "GET", "/api/packages/"+out["id"].(string), nil); got["manager"] != "npm" || got["action"] != "install" {
		t.Errorf("%v", got)
	}
	r, err := w.s.Get(t.Context(), out["id"].(string))
	if err != nil {
		t.Fatal(err)
	}
	e, err := keptEffective(&r)
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.g.hostCommand(e)
	if err != nil || strings.Join(c.Argv, " ") != "npm install --ignore-scripts --no-audit --no-fund -- left-pad@1.3.0" {
		t.Errorf("%v, %v", c.Argv, err)
	}
	r.Metadata = json.RawMessage(strings.Replace(string(r.Metadata), "left-pad", "evil-pad", 2))
	if _, err := keptEffective(&r); err == nil {
		t.Error("what is kept was changed, and runs")
	}
}

// A session that was steered elsewhere on this machine is put to people here as well.
func TestTaintedSession(t *testing.T) {
	w := newWorld(t, "modes: {network: allow-all}\n")
	in := map[string]any{"category": "network", "action": "CONNECT new.example:443", "session": "s1"}
	if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != "approved" {
		t.Fatalf("%v", r)
	}
	if err := taint.Open(filepath.Join(w.g.audit, "taint")).Set(taint.Mark{Platform: "claude", Session: "s1"}); err != nil {
		t.Fatal(err)
	}
	if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != "pending" {
		t.Errorf("%v", r)
	}
	in["session"] = "s2"
	if _, r := w.call("agent", "POST", "/api/queue", in); r["status"] != "approved" {
		t.Errorf("another session: %v", r)
	}
}

// A rule has no folder in it, so an answer about one folder makes none by itself.
func TestNoRuleForAFolder(t *testing.T) {
	w := newWorld(t, "")
	_, out := w.call("agent", "POST", "/api/exec", map[string]any{"command": "make test", "cwd": "sub", "session": "s"})
	for _, scope := range []string{"session", "always"} {
		if status, got := w.call("admin", "POST", "/api/queue/"+out["id"].(string)+"/approve", map[string]any{"scope": scope}); status != 400 {
			t.Errorf("%s: %d %v", scope, status, got)
		}
	}
}

// Two addresses that differ in their query are two requests, and a path is spelled in
// one way.
func TestQueryCounts(t *testing.T) {
	w := newWorld(t, "")
	a := w.ask("network", "GET https://a.example/x/%2e%2e/y?key=1", nil)
	b := w.ask("network", "GET https://a.example/y?key=2", nil)
	if a["action"] != "GET https://a.example/y" || a["action"] != b["action"] || a["digest"] == b["digest"] {
		t.Errorf("%v and %v", a, b)
	}
}
