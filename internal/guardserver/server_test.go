package guardserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/guardserver"
	"github.com/umpire-dev/umpire/internal/modelproxy"
)

// words is a guard whose verdicts are easy to foretell.
type words struct{}

func (words) Check(_ context.Context, r guard.Request) guard.Result {
	if strings.Contains(r.Text, "attack") {
		return guard.Reject(guard.PromptInjection, "it attacks")
	}
	if r.Text == "panic" {
		panic("secret text")
	}
	return guard.Result{Verdict: guard.Allowed, Text: r.Text}
}

type answers struct{}

func (answers) Check(_ context.Context, text string, a guard.Answer) guard.Result {
	if a.System != "" && strings.Contains(text, a.System) {
		return guard.Reject(guard.Leakage, "it tells")
	}
	return guard.Result{Verdict: guard.Allowed, Text: text}
}

func sanitize(_ context.Context, r guardserver.ToolRequest) (guardserver.Sanitized, error) {
	tool, output := r.Tool, *r.Text
	if output == "broken" {
		return guardserver.Sanitized{Verdict: guard.Allowed, Text: output}, errors.New("broken")
	}
	return guardserver.Sanitized{Verdict: guard.Modified, Text: tool + ":" + output, Tainted: true}, nil
}

func options(t *testing.T) guardserver.Options {
	t.Helper()
	rules, err := guard.NewRules(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return guardserver.Options{Input: words{}, Output: answers{}, Sanitize: sanitize, Rules: rules, Config: map[string]any{"pii": true}, Log: slog.New(slog.DiscardHandler)}
}

func serve(t *testing.T, o guardserver.Options) (string, *guardserver.Server) {
	t.Helper()
	g := guardserver.New(o)
	s := httptest.NewUnstartedServer(nil)
	s.Config = g.HTTP()
	s.Start()
	t.Cleanup(s.Close)
	return s.URL, g
}

type reply struct {
	code   int
	header http.Header
	body   string
}

// call makes a request; header are names and values.
func call(t *testing.T, method, url, body string, header ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{res.StatusCode, res.Header, string(b)}
}

func TestChecks(t *testing.T) {
	at, _ := serve(t, options(t))
	for _, tt := range []struct {
		name, path, body string
		code             int
		says             string
	}{
		{"input", "/v1/guard/input", `{"text":"hi","userId":"u","metadata":{"conversationHistory":["a"]}}`, 200, `{"verdict":"allow","text":"hi","score":0}`},
		{"an attack", "/v1/guard/input", `{"text":"attack"}`, 200, `"verdict":"reject","text":"","reason":"it attacks","category":"PROMPT_INJECTION"`},
		{"output", "/v1/guard/output", `{"text":"hi","system":"prompt"}`, 200, `"verdict":"allow"`},
		{"a leak", "/v1/guard/output", `{"text":"the prompt","system":"prompt"}`, 200, `"category":"LEAKAGE"`},
		{"a tool's output", "/v1/guard/tool-output", `{"tool":"fetch","text":"x"}`, 200, `{"verdict":"modify","text":"fetch:x","score":0,"tainted":true}`},
		{"a sanitizer that fails", "/v1/guard/tool-output", `{"text":"broken"}`, 200, `{"verdict":"reject","text":"","reason":"the sanitizer failed, so the text was stopped: it returned an error","category":"SYSTEM_ERROR"`},
		{"a batch", "/v1/guard/batch", `{"items":[{"id":"1","text":"attack"},{"kind":"output","text":"b"},{"id":"3","kind":"tool_output","text":"c"}]}`, 200,
			`{"items":[{"id":"1","result":{"verdict":"reject","text":"","reason":"it attacks","category":"PROMPT_INJECTION","score":1}},{"result":{"verdict":"allow","text":"b","score":0}},{"id":"3","sanitized":{"verdict":"modify","text":":c","score":0,"tainted":true}}]}`},
		{"an input that says its kind", "/v1/guard/input", `{"kind":"input","text":"hi"}`, 200, `"verdict":"allow"`},
		{"an output that says its kind", "/v1/guard/output", `{"kind":"output","text":"hi"}`, 200, `"verdict":"allow"`},
		{"a tool's text", "/v1/guard/tool-output", `{"kind":"tool_output","tool":"fetch","text":"x"}`, 200, `"text":"fetch:x"`},
		{"a kind in another spelling", "/v1/guard/tool-output", `{"kind":"tool-output","text":"x"}`, 400, "/v1/guard/batch"},
		{"another call's kind", "/v1/guard/input", `{"kind":"tool_output","text":"x"}`, 400, "/v1/guard/batch"},
		{"another name of a tool's text", "/v1/guard/tool-output", `{"text":"x","output":"attack"}`, 400, "unknown field"},
		{"a tool's output without text", "/v1/guard/tool-output", `{"tool":"fetch"}`, 400, `no \"text\"`},
		{"an input without text", "/v1/guard/input", `{"userId":"u"}`, 400, `no \"text\"`},
		{"an output without text", "/v1/guard/output", `{"text":null}`, 400, `no \"text\"`},
		{"a batch of rows", "/v1/guard/batch", `{"items":[{"id":1,"text":"attack"},{"id":"b","kind":"output","text":"the prompt","system":"prompt"},{"kind":"tool_output","tool":"t","text":"c"},{"kind":"tool_output","text":"d"}]}`, 200,
			`{"items":[{"id":1,"result":{"verdict":"reject","text":"","reason":"it attacks","category":"PROMPT_INJECTION","score":1}},{"id":"b","result":{"verdict":"reject","text":"","reason":"it tells","category":"LEAKAGE","score":1}},{"sanitized":{"verdict":"modify","text":"t:c","score":0,"tainted":true}},{"sanitized":{"verdict":"modify","text":":d","score":0,"tainted":true}}]}`},
		{"a row of an unknown kind", "/v1/guard/batch", `{"items":[{"text":"a"},{"kind":"pii","text":"x"}]}`, 400, "items[1]: unknown kind"},
		{"a row with what its kind does not have", "/v1/guard/batch", `{"items":[{"kind":"input","text":"x","system":"p"}]}`, 400, "system"},
		{"a row that nests", "/v1/guard/batch", `{"items":[{"text":"x","input":{"text":"attack"}}]}`, 400, "unknown field"},
		{"a row without text", "/v1/guard/batch", `{"items":[{"kind":"tool_output"}]}`, 400, `no \"text\"`},
		{"an id of another type", "/v1/guard/batch", `{"items":[{"id":[1],"text":"x"}]}`, 400, "string or a number"},
		{"an empty batch", "/v1/guard/batch", `{"items":[]}`, 200, `{"items":[]}`},
		{"an item of none", "/v1/guard/batch", `{"items":[{"text":"a"},{}]}`, 400, "items[1]"},
		{"too many items", "/v1/guard/batch", `{"items":[` + strings.Repeat(`{"text":"a"},`, 100) + `{"text":"a"}]}`, 413, "100 are allowed"},
		{"an unknown field", "/v1/guard/input", `{"text":"hi","txt":"attack"}`, 400, "unknown field"},
		{"an unknown field deep down", "/v1/guard/batch", `{"items":[{"text":"hi","x":1}]}`, 400, "unknown field"},
		{"another type", "/v1/guard/input", `{"text":["attack"]}`, 400, `text must be text, not a list`},
		{"no JSON", "/v1/guard/input", `{"text":`, 400, "ends too early"},
		{"two documents", "/v1/guard/input", `{"text":"a"}{"text":"attack"}`, 400, "more than one"},
		{"a text twice", "/v1/guard/input", `{"text":"attack","text":"hi"}`, 400, "a name twice"},
		{"a text twice, in another case", "/v1/guard/input", `{"text":"attack","TEXT":"hi"}`, 400, "a name twice"},
		{"a text twice, in letters that fold", "/v1/guard/tool-output", `{"text":"x","unmarked":true,"unmar\u212aed":false}`, 400, "a name twice"},
		{"a text twice in a batch", "/v1/guard/batch", `{"items":[{"text":"attack","text":"hi"}]}`, 400, "a name twice"},
		{"a history twice", "/v1/guard/input", `{"text":"hi","metadata":{"conversationHistory":["a"],"conversationHistory":[]}}`, 400, "a name twice"},
		{"no number", "/v1/guard/input", `{"text":"hi","metadata":{"a":NaN}}`, 400, "not JSON"},
		{"very deep", "/v1/guard/input", `{"text":"hi","metadata":{"a":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000) + `}}`, 400, "not JSON"},
		{"a byte order mark", "/v1/guard/input", "\ufeff" + `{"text":"hi"}`, 400, "not JSON"},
		{"UTF-16", "/v1/guard/input", "{\x00}\x00", 400, "not JSON"},
		{"not UTF-8", "/v1/guard/input", "{\"text\":\"\xff\"}", 400, "UTF-8"},
		{"too large", "/v1/guard/input", `{"text":"` + strings.Repeat("a", 1<<20) + `"}`, 413, "1048576 bytes"},
		{"a panic", "/v1/guard/input", `{"text":"panic"}`, 500, "log has the cause"},
		{"nowhere", "/v1/guard/nothing", `{}`, 404, "/openapi.json"},
		{"elsewhere", "/v1/chat/completions", `{}`, 404, "/openapi.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := call(t, "POST", at+tt.path, tt.body)
			if got.code != tt.code || !strings.Contains(got.body, tt.says) {
				t.Fatalf("%d %s", got.code, got.body)
			}
			want := "application/json"
			if tt.code != 200 {
				want = "application/problem+json"
				var p guardserver.Problem
				if err := json.Unmarshal([]byte(got.body), &p); err != nil || p.Status != tt.code || p.Title == "" || p.Detail == "" {
					t.Errorf("%s: %v", got.body, err)
				}
			}
			if got.header.Get("Content-Type") != want {
				t.Errorf("%v", got.header)
			}
		})
	}
	if got := call(t, "POST", at+"/v1/guard/input", `{"text":"a"}`, "Content-Type", "text/plain"); got.code != 415 {
		t.Errorf("%+v", got)
	}
	if got := call(t, "PUT", at+"/v1/guard/input", `{}`); got.code != 405 || got.header.Get("Allow") != "POST" {
		t.Errorf("%+v", got)
	}
	if got := call(t, "DELETE", at+"/v1/guard/rules", ``); got.code != 405 || got.header.Get("Allow") != "GET, POST" {
		t.Errorf("%+v", got)
	}
	if got := call(t, "GET", at+"/v1/guard/config", ""); got.code != 200 || got.body != "{\"pii\":true}\n" {
		t.Errorf("%+v", got)
	}
}

func TestRequestIDs(t *testing.T) {
	at, _ := serve(t, options(t))
	for given, kept := range map[string]bool{"abc-DEF_1": true, "": false, "a b": false, strings.Repeat("a", 65): false, "<x>": false} {
		got := call(t, "POST", at+"/v1/guard/input", `{`, "X-Request-Id", given)
		id := got.header.Get("X-Request-Id")
		if id == "" || (id == given) != kept || !strings.Contains(got.body, `"requestId":"`+id+`"`) {
			t.Errorf("%q became %q in %s", given, id, got.body)
		}
	}
}

func TestToken(t *testing.T) {
	o := options(t)
	o.Token = "right"
	reached := false
	o.Proxy = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { reached = true })
	at, _ := serve(t, o)
	for _, tt := range []struct {
		name, method, path string
		header             []string
		code               int
	}{
		{"none", "GET", "/v1/guard/rules", nil, 401},
		{"a wrong one", "GET", "/v1/guard/rules", []string{"Authorization", "Bearer righ"}, 401},
		{"another scheme", "GET", "/v1/guard/rules", []string{"Authorization", "Basic right"}, 401},
		{"the right one", "GET", "/v1/guard/rules", []string{"Authorization", "Bearer right"}, 200},
		{"in the other header", "GET", "/v1/guard/rules", []string{modelproxy.TokenHeader, "right"}, 200},
		{"the right one and another", "GET", "/v1/guard/rules", []string{"Authorization", "Bearer right", "Authorization", "Bearer x"}, 401},
		{"two in the other header", "GET", "/v1/guard/rules", []string{modelproxy.TokenHeader, "right", modelproxy.TokenHeader, "x"}, 401},
		{"the proxy with two", "POST", "/v1/chat/completions", []string{modelproxy.TokenHeader, "right", modelproxy.TokenHeader, "x"}, 401},
		{"metrics", "GET", "/metrics", nil, 401},
		{"the document", "GET", "/openapi.json", nil, 401},
		{"health", "GET", "/healthz", nil, 200},
		{"readiness", "GET", "/readyz", nil, 200},
		{"the proxy without", "POST", "/v1/chat/completions", nil, 401},
		{"the proxy with the upstream's", "POST", "/v1/chat/completions", []string{"Authorization", "Bearer right"}, 401},
		{"the proxy", "POST", "/v1/chat/completions", []string{modelproxy.TokenHeader, "right"}, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reached = false
			if got := call(t, tt.method, at+tt.path, "", tt.header...); got.code != tt.code {
				t.Errorf("%+v", got)
			}
			if want := tt.code == 200 && strings.Contains(tt.path, "chat"); reached != want {
				t.Errorf("reached the proxy: %v", reached)
			}
		})
	}
}

// A page in a browser on this machine must not be a client.
func TestBrowsers(t *testing.T) {
	o := options(t)
	o.Hosts = []string{"guard.internal"}
	at, _ := serve(t, o)
	for host, code := range map[string]int{"evil.example": 421, "evil.example:3701": 421, "localhost": 200, "LOCALHOST.:1": 200, "127.0.0.1:1": 200, "[::1]:1": 200, "guard.internal:3701": 200, "127.0.0.1.evil.example": 421, "": 200} {
		if got := call(t, "GET", at+"/v1/guard/rules", "", "Host", host); got.code != code {
			t.Errorf("%q: %+v", host, got)
		}
	}
	if got := call(t, "POST", at+"/v1/guard/input", `{"text":"a"}`, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"); got.code != 403 {
		t.Errorf("%+v", got)
	}
}

func TestRules(t *testing.T) {
	at, _ := serve(t, options(t))
	rules := at + "/v1/guard/rules"
	step := func(name, method, path, body string, code int, says string, header ...string) reply {
		t.Helper()
		got := call(t, method, rules+path, body, header...)
		if got.code != code || !strings.Contains(got.body, says) {
			t.Fatalf("%s: %d %s", name, got.code, got.body)
		}
		return got
	}
	step("empty", "GET", "", "", 200, `"rules":[]`)
	got := step("add", "POST", "", `{"id":"names","action":"mask","pattern":"Jane \\w+"}`, 201, `"id":"names"`)
	if got.header.Get("Location") != "/v1/guard/rules/names" || got.header.Get("ETag") != `"v1"` {
		t.Errorf("%v", got.header)
	}
	step("add again", "POST", "", `{"id":"names","action":"mask","pattern":"x"}`, 409, "PUT")
	step("a bad pattern", "POST", "", `{"id":"bad","action":"mask","pattern":"("}`, 422, "nothing was changed")
	step("an unknown field", "POST", "", `{"id":"bad","action":"mask","pattern":"x","efect":1}`, 400, "unknown field")
	step("a name of a path", "PUT", "/test", `{"action":"mask","pattern":"x"}`, 405, "")
	step("a name of a path", "POST", "", `{"id":"versions","action":"mask","pattern":"x"}`, 422, "another ID")
	step("samples that fail", "PUT", "/names", `{"action":"mask","pattern":"Jane","samples":{"match":["John"]}}`, 422, "nothing was changed")
	step("read", "GET", "/names", "", 200, `"pattern":"Jane \\w+"`)
	step("read what is not there", "GET", "/other", "", 404, "no such rule")
	step("unchanged", "GET", "", "", 304, "", "If-None-Match", `"v1"`)
	step("stale", "PUT", "/names", `{"action":"mask","pattern":"y"}`, 412, "changed since", "If-Match", `"v0"`)
	step("a tag that is none", "PUT", "/names", `{"action":"mask","pattern":"y"}`, 400, "ETag", "If-Match", `x`)
	step("another ID", "PUT", "/names", `{"id":"other","action":"mask","pattern":"y"}`, 400, "ID")
	step("replace", "PUT", "/names", `{"action":"mask","pattern":"John"}`, 200, `"John"`, "If-Match", `"v1"`)
	step("test", "POST", "/test", `{"rule":{"id":"x","action":"mask","pattern":"b+"},"samples":["abbc","d"]}`, 200, `{"sample":"abbc","matches":true,"verdict":"modify","text":"a[MASKED]c"}`)
	step("test of a bad one", "POST", "/test", `{"rule":{"id":"x","action":"mask","pattern":"["},"samples":["a"]}`, 422, "")
	step("delete, stale", "DELETE", "/names", "", 412, "", "If-Match", `"v1"`)
	step("delete", "DELETE", "/names", "", 204, "", "If-Match", `"v2"`)
	step("delete again", "DELETE", "/names", "", 404, "")
	step("versions", "GET", "/versions", "", 200, `"change":"delete names"`)
	step("roll back to nothing", "POST", "/rollback", `{"version":99}`, 404, "no such version")
	step("roll back", "POST", "/rollback", `{"version":1}`, 200, `"version":4`)
	step("it is back", "GET", "/names", "", 200, `Jane`)
	if got := call(t, "POST", rules+"/rollback", `{"version":1}`, "If-Match", `"v3"`); got.code != 412 {
		t.Errorf("%+v", got)
	}
}

// Of many that change the same version, one does.
func TestRulesRace(t *testing.T) {
	at, _ := serve(t, options(t))
	var done sync.WaitGroup
	codes := make([]int, 8)
	for i := range codes {
		done.Go(func() {
			codes[i] = call(t, "PUT", at+"/v1/guard/rules/r", fmt.Sprintf(`{"action":"mask","pattern":"a%d"}`, i), "If-Match", `"v0"`).code
		})
	}
	done.Wait()
	slices.Sort(codes)
	if want := []int{200, 412, 412, 412, 412, 412, 412, 412}; !slices.Equal(codes, want) {
		t.Errorf("%v", codes)
	}
}

func TestOpenAPI(t *testing.T) {
	at, _ := serve(t, options(t))
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			RequestBody any
			Responses   map[string]any
		}
		Components struct{ Schemas map[string]any }
	}
	got := call(t, "GET", at+"/openapi.json", "")
	if err := json.Unmarshal([]byte(got.body), &doc); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	served := map[string]int{}
	for path, ops := range doc.Paths {
		for method, op := range ops {
			if ids[op.OperationID] || op.OperationID == "" || len(op.Responses) < 2 {
				t.Errorf("%s %s: %+v", method, path, op)
			}
			ids[op.OperationID] = true
			// What is in the document is served: with a body that is no JSON it is not 404 or 405.
			got := call(t, strings.ToUpper(method), at+strings.ReplaceAll(path, "{id}", "x"), map[bool]string{true: "-"}[op.RequestBody != nil])
			if got.code == 405 || got.code == 404 && !strings.Contains(path, "{id}") {
				t.Errorf("%s %s is not served: %+v", method, path, got)
			}
			served[path]++
		}
	}
	// And what is served is in the document.
	for _, path := range guardserver.Paths(guardserver.New(options(t))) {
		if served[path] == 0 {
			t.Errorf("%s is not in the document", path)
		}
	}
	if len(ids) != 17 {
		t.Errorf("%d operations", len(ids))
	}
	for i := 0; ; {
		at := strings.Index(got.body[i:], `"$ref": "#/components/schemas/`)
		if at < 0 {
			break
		}
		i += at + len(`"$ref": "#/components/schemas/`)
		name, _, _ := strings.Cut(got.body[i:], `"`)
		if doc.Components.Schemas[name] == nil {
			t.Errorf("no schema %s", name)
		}
	}
}

// Neither logs nor metrics have a text, a user or a token.
func TestNothingLeaks(t *testing.T) {
	var log bytes.Buffer
	o := options(t)
	o.Token = "tokentoken"
	o.Metrics = guardserver.NewMetrics()
	limit := guard.RateLimit(guard.RateLimitOptions{Limits: guard.Limits{PerMinute: 2}})
	o.Input = guard.NewInput([]guard.Stage{limit, {Name: "Words", Order: 3, Check: func(ctx context.Context, r *guard.Request) (guard.Result, error) {
		if strings.Contains(r.Text, "attack") {
			return guard.Reject(guard.PromptInjection, "because"), nil
		}
		return guard.Result{}, errors.New("failed on " + r.Text)
	}}}, guard.WithObserver(o.Metrics.Check))
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	at, _ := serve(t, o)
	auth := []string{"Authorization", "Bearer tokentoken"}
	for _, text := range []string{"attack-words", "other-words", "third-words"} {
		call(t, "POST", at+"/v1/guard/input", `{"text":"`+text+`","userId":"jane-doe","tenantId":"acme-inc"}`, auth...)
	}
	call(t, "POST", at+"/v1/guard/input", `{"third-words":1}`, auth...)
	metrics := call(t, "GET", at+"/metrics", "", auth...).body
	for _, leak := range []string{"words", "jane-doe", "acme-inc", "tokentoken"} {
		if strings.Contains(metrics, leak) || strings.Contains(log.String(), leak) {
			t.Errorf("%q leaks:\n%s\n%s", leak, metrics, log.String())
		}
	}
	for _, want := range []string{
		`umpire_guard_checks_total{category="PROMPT_INJECTION",pipeline="input",stage="Words",verdict="reject"} 1`,
		`umpire_guard_checks_total{category="SYSTEM_ERROR",pipeline="input",stage="all",verdict="reject"} 1`,
		`umpire_guard_checks_total{category="RATE_LIMITED",pipeline="input",stage="RateLimit",verdict="reject"} 1`,
		`umpire_guard_check_duration_seconds_count{pipeline="input",stage="all"} 3`,
		`umpire_http_requests_total{route="POST /v1/guard/input",status="200"} 3`,
		`umpire_http_requests_total{route="POST /v1/guard/input",status="400"} 1`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s", want)
		}
	}
}

// waits is a guard that takes until it is let go, or as long as the request has.
type waits struct{ came, leave chan struct{} }

func (g waits) Check(ctx context.Context, _ guard.Request) guard.Result {
	g.came <- struct{}{}
	select {
	case <-g.leave:
		return guard.Result{Verdict: guard.Allowed, Text: "left"}
	case <-ctx.Done():
		return guard.Reject(guard.SystemError, "late")
	}
}

func TestTooManyAtOnce(t *testing.T) {
	o := options(t)
	g := waits{make(chan struct{}), make(chan struct{})}
	o.Input, o.MaxOpen, o.Timeout = g, 1, time.Hour
	at, _ := serve(t, o)
	done := make(chan reply)
	go func() { done <- call(t, "POST", at+"/v1/guard/input", `{"text":"a"}`) }()
	<-g.came
	if got := call(t, "GET", at+"/v1/guard/rules", ""); got.code != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("%+v", got)
	}
	close(g.leave)
	if got := <-done; got.code != 200 || !strings.Contains(got.body, `"left"`) {
		t.Errorf("%+v", got)
	}
}

func TestTimeout(t *testing.T) {
	o := options(t)
	g := waits{make(chan struct{}, 1), nil}
	o.Input, o.Timeout = g, 2*time.Second // it is answered in as much again
	at, _ := serve(t, o)
	if got := call(t, "POST", at+"/v1/guard/input", `{"text":"a"}`); got.code != 200 || !strings.Contains(got.body, `"reject"`) {
		t.Errorf("%+v", got)
	}
}

// A client that sends slowly is given up, and so are headers that never end.
func TestSlowClients(t *testing.T) {
	o := options(t)
	o.Timeout = 100 * time.Millisecond
	at, _ := serve(t, o)
	for name, send := range map[string]string{
		"a body":        "POST /v1/guard/input HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		"large headers": "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("a", 200<<10),
	} {
		t.Run(name, func(t *testing.T) {
			c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(at, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(time.Minute))
			_, _ = io.WriteString(c, send)
			b, err := io.ReadAll(c)
			if err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset") {
				t.Error(err)
			}
			if s := string(b); s != "" && !strings.HasPrefix(s, "HTTP/1.1 4") {
				t.Errorf("%s", s)
			}
		})
	}
}

func TestDraining(t *testing.T) {
	at, g := serve(t, options(t))
	if got := call(t, "GET", at+"/readyz", ""); got.code != 200 {
		t.Errorf("%+v", got)
	}
	g.Drain()
	if got := call(t, "GET", at+"/readyz", ""); got.code != 503 {
		t.Errorf("%+v", got)
	}
	if got := call(t, "GET", at+"/healthz", ""); got.code != 200 {
		t.Errorf("%+v", got)
	}
}

// What a server does not have is not in its API.
func TestLess(t *testing.T) {
	at, _ := serve(t, guardserver.Options{Log: slog.New(slog.DiscardHandler)})
	for _, path := range []string{"/v1/guard/input", "/v1/guard/output", "/v1/guard/tool-output", "/v1/guard/rules/test"} {
		if got := call(t, "POST", at+path, `{}`); got.code != 404 {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := call(t, "POST", at+"/v1/guard/batch", `{"items":[{"text":"a"}]}`); got.code != 400 {
		t.Errorf("%+v", got)
	}
}
