package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/wire"
)

const secret = "test-key-4f1c9b7e2d8a"

var verdict = Schema{Name: "verdict", Fields: []Field{
	{Name: "effect", Type: String, Enum: []string{"allow", "deny"}},
	{Name: "confidence", Type: Integer, Min: 0, Max: 100},
	{Name: "sure", Type: Boolean},
	{Name: "reason", Type: String, Max: 20},
}}

const good = `{"effect":"allow","confidence":90,"sure":true,"reason":"fine"}`

// seen is what a server got.
type seen struct {
	mu       sync.Mutex
	requests []request
}

type request struct {
	path   string
	header http.Header
	body   map[string]any
	raw    string
}

func (s *seen) add(r *http.Request) request {
	data, _ := io.ReadAll(r.Body)
	q := request{path: r.URL.Path, header: r.Header.Clone()}
	_ = json.Unmarshal(data, &q.body)
	q.raw = string(data)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, q)
	return q
}

func (s *seen) all() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// anthropicText and openAIText are responses as the APIs send them.
func anthropicText(text, stop string) string {
	return fmt.Sprintf(`{"id":"msg_01","type":"message","role":"assistant","model":"claude-haiku-5-5","content":[{"type":"text","text":%s}],"stop_reason":%q,"stop_sequence":null,"usage":{"input_tokens":700,"output_tokens":40,"cache_creation_input_tokens":0,"cache_read_input_tokens":100,"service_tier":"standard"}}`, quote(text), stop)
}

func anthropicTool(input string) string {
	return fmt.Sprintf(`{"id":"msg_01","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Here."},{"type":"tool_use","id":"toolu_1","name":"verdict","input":%s}],"stop_reason":"tool_use","usage":{"input_tokens":700,"output_tokens":40}}`, input)
}

func openAIText(text, stop string) string {
	return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion","created":1790000000,"model":"gpt-6-luna","choices":[{"index":0,"message":{"role":"assistant","content":%s,"refusal":null},"logprobs":null,"finish_reason":%q}],"usage":{"prompt_tokens":800,"completion_tokens":40,"total_tokens":840}}`, quote(text), stop)
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func say(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// wires are the two formats that providers speak.
var wires = []struct {
	name, keyVar, path, keyHeader string
	text                          func(text, stop string) string
	done, cut                     string
	fail                          func(message string) string
	cost                          Cost
}{
	{"anthropic", "ANTHROPIC_API_KEY", "/v1/messages", "X-Api-Key", anthropicText, "end_turn", "max_tokens",
		func(m string) string {
			return `{"type":"error","error":{"type":"api_error","message":` + quote(m) + `},"request_id":"req_1"}`
		}, 100*(700+100/10) + 500*40}, // a token of the cache costs a tenth
	{"openai", "OPENAI_API_KEY", "/chat/completions", "Authorization", openAIText, "stop", "length",
		func(m string) string {
			return `{"error":{"message":` + quote(m) + `,"type":"x","param":null,"code":null}}`
		}, 100*800 + 500*40},
}

func chainTo(t *testing.T, url, name, keyVar string) *Chain {
	t.Helper()
	return &Chain{
		Providers: []Provider{{Name: name, BaseURL: url}}, Dir: t.TempDir(), clock: noWait(new([]time.Duration)),
		Getenv: func(n string) string {
			if n == keyVar {
				return secret
			}
			return ""
		},
	}
}

// noWait is a clock by which no time passes between tries. It notes the waits.
func noWait(waits *[]time.Duration) *wire.Clock {
	return &wire.Clock{
		Now:  time.Now,
		Wait: func(ctx context.Context, d time.Duration) error { *waits = append(*waits, d); return ctx.Err() },
		Rand: func(most time.Duration) time.Duration { return most },
	}
}

var ask = Request{System: "Judge.", User: "the call", Schema: verdict}

func TestProviders(t *testing.T) {
	for _, w := range wires {
		body := func(status int, text string) http.HandlerFunc {
			return func(rw http.ResponseWriter, r *http.Request) { say(rw, status, text) }
		}
		whole := w.text(good, w.done)
		for _, tt := range []struct {
			name    string
			handler http.HandlerFunc
			want    error
			text    string // in the error
			tries   int
		}{
			{"success", body(200, whole), nil, "", 1},
			{"401", body(401, w.fail("bad key "+secret)), ErrNone, "the key was refused", 1},
			{"403", body(403, w.fail("no")), ErrNone, "the key was refused", 1},
			{"429", func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set("Retry-After", "17")
				say(rw, 429, w.fail("slow down"))
			}, ErrNone, "429 Too Many Requests: slow down", 1},
			{"500", body(500, w.fail("oops")), ErrNone, "500 Internal Server Error: oops", 3},
			{"500 without JSON", func(rw http.ResponseWriter, r *http.Request) { http.Error(rw, "<html>oops</html>", 500) }, ErrNone, "500 Internal Server Error", 3},
			{"the key is echoed", body(500, w.fail("you sent "+secret+"\x1b[31m")), ErrNone, "you sent", 3},
			{"cut body", func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set("Content-Length", fmt.Sprint(len(whole)))
				say(rw, 200, whole[:len(whole)/2])
			}, ErrNone, "does not match the API", 3},
			{"cut connection", func(rw http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, ErrNone, "EOF", 3},
			{"cut JSON", body(200, whole[:len(whole)/2]), ErrNone, "does not match the API", 1},
			{"not JSON", func(rw http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(rw, "<html>hello</html>") }, ErrNone, "does not match the API", 1},
			{"other JSON", body(200, `{"hello":"world"}`), ErrNone, "does not match the API", 1},
			{"empty", body(200, ``), ErrNone, "does not match the API", 1},
			{"huge", func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(rw, `{"pad":"`)
				for range 64 {
					_, _ = io.WriteString(rw, strings.Repeat("x", 1<<16))
				}
			}, ErrNone, "larger than", 1},
			{"huge error", func(rw http.ResponseWriter, r *http.Request) {
				rw.WriteHeader(500)
				for range 64 {
					_, _ = io.WriteString(rw, strings.Repeat("x", 1<<16))
				}
			}, ErrNone, "500", 3},
			{"prose", body(200, w.text("I would allow it.", w.done)), ErrAnswer, "", 1},
			{"a field too many", body(200, w.text(strings.Replace(good, "{", `{"x":1,`, 1), w.done)), ErrAnswer, "", 1},
			{"cut by the token limit", body(200, w.text(good, w.cut)), ErrAnswer, "cut short", 1},
			{"refused", body(200, w.text(good, "refusal")), ErrAnswer, "cut short or refused", 1},
		} {
			t.Run(w.name+"/"+tt.name, func(t *testing.T) {
				var got seen
				srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					got.add(r)
					tt.handler(rw, r)
				}))
				defer srv.Close()
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				c := chainTo(t, srv.URL, w.name, w.keyVar)
				a, err := c.Ask(ctx, ask)
				if !errors.Is(err, tt.want) {
					t.Fatalf("error %v, want %v", err, tt.want)
				}
				if n := len(got.all()); n != tt.tries {
					t.Errorf("%d requests, want %d", n, tt.tries)
				}
				q := got.all()[0]
				if !strings.HasSuffix(q.path, w.path) || !strings.Contains(q.header.Get(w.keyHeader), secret) {
					t.Errorf("request to %s with key %q", q.path, q.header.Get(w.keyHeader))
				}
				if i, k := strings.Index(q.raw, `"confidence":{`), strings.Index(q.raw, `"reason":{`); i < strings.Index(q.raw, `"effect":{`) || k < i {
					t.Errorf("the fields are not in their order: %s", q.raw)
				}
				if err == nil {
					if string(a.JSON) != good || a.Provider != w.name || a.InputTokens != 800 || a.OutputTokens != 40 || a.Cost != w.cost {
						t.Errorf("%+v", a)
					}
					return
				}
				if !strings.Contains(err.Error(), tt.text) {
					t.Errorf("error %q lacks %q", err, tt.text)
				}
				if s := err.Error(); strings.Contains(s, secret) || strings.Contains(s, "\x1b") {
					t.Errorf("error %q has the key or an escape", s)
				}
				if data, _ := os.ReadFile(filepath.Join(c.Dir, "providers.json")); strings.Contains(string(data), secret) {
					t.Errorf("the file has the key: %s", data)
				}
			})
		}
	}
}

// A server that dribbles without end is left when the time is up.
func TestSlowDrip(t *testing.T) {
	for _, w := range wires {
		t.Run(w.name, func(t *testing.T) {
			late := time.After(time.Minute) // for a client that stays
			srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				for {
					if _, err := io.WriteString(rw, " "); err != nil || r.Context().Err() != nil {
						return
					}
					rw.(http.Flusher).Flush()
					select {
					case <-r.Context().Done():
						return
					case <-late:
						return
					case <-time.After(20 * time.Millisecond):
					}
				}
			}))
			defer srv.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			_, err := chainTo(t, srv.URL, w.name, w.keyVar).Ask(ctx, ask)
			// "out of time" means that it ended before the server was asked.
			if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "no answer in time") && !strings.Contains(err.Error(), "out of time") {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A redirect is not followed: the key would go with it.
func TestRedirect(t *testing.T) {
	for _, w := range wires {
		for _, status := range []int{301, 302, 307, 308} {
			t.Run(fmt.Sprint(w.name, status), func(t *testing.T) {
				var got seen
				other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					got.add(r)
					say(rw, 200, w.text(good, w.done))
				}))
				defer other.Close()
				to := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
				srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					http.Redirect(rw, r, to+r.URL.Path, status)
				}))
				defer srv.Close()
				_, err := chainTo(t, srv.URL, w.name, w.keyVar).Ask(t.Context(), ask)
				if !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "redirects") {
					t.Errorf("error %v", err)
				}
				if n := len(got.all()); n != 0 {
					t.Errorf("%d requests came to the other host", n)
				}
			})
		}
	}
}

// Whoever does not understand one form of structured output is asked in another, and the
// next process knows it.
func TestForms(t *testing.T) {
	t.Run("anthropic", func(t *testing.T) {
		var got seen
		srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if q := got.add(r); q.body["output_config"] != nil {
				say(rw, 400, wires[0].fail("output_config: unknown field"))
				return
			}
			say(rw, 200, anthropicTool(good))
		}))
		defer srv.Close()
		c := chainTo(t, srv.URL, "anthropic", "ANTHROPIC_API_KEY")
		for i, want := range []int{3, 4} {
			if a, err := c.Ask(t.Context(), ask); err != nil || string(a.JSON) != good {
				t.Fatalf("%+v, %v", a, err)
			}
			if n := len(got.all()); n != want {
				t.Errorf("round %d: %d requests, want %d", i, n, want)
			}
		}
		all := got.all()
		if all[0].body["thinking"] == nil || all[1].body["thinking"] != nil || all[2].body["tool_choice"] == nil {
			t.Errorf("%v", all)
		}
	})
	t.Run("openai", func(t *testing.T) {
		var got seen
		srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if q := got.add(r); q.body["response_format"] != nil {
				say(rw, 400, wires[1].fail("response_format is not supported"))
				return
			}
			say(rw, 200, openAIText("```json\n"+good+"\n```", "stop"))
		}))
		defer srv.Close()
		c := chainTo(t, srv.URL, "openai", "OPENAI_API_KEY")
		for _, want := range []int{4, 5} {
			if a, err := c.Ask(t.Context(), ask); err != nil || string(a.JSON) != good {
				t.Fatalf("%+v, %v", a, err)
			}
			if n := len(got.all()); n != want {
				t.Errorf("%d requests, want %d", n, want)
			}
		}
		if all := got.all(); all[0].body["reasoning_effort"] != "none" || all[1].body["reasoning_effort"] != nil {
			t.Errorf("%v", all)
		}
	})
}

func TestKeys(t *testing.T) {
	bin := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(bin, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	leak := script("leak", "echo "+secret+"; echo "+secret+" >&2; exit 3")
	for _, tt := range []struct {
		name string
		argv []string
		want string // the key, or part of the error after a !
	}{
		{"prints it", []string{script("ok", "printf '%s\n' \"$1\""), "k-$HOME;ls"}, "k-$HOME;ls"}, // no shell looks at it
		{"fails", []string{leak}, "!failed: exit status 3"},
		{"is not there", []string{filepath.Join(bin, "none")}, "!could not be started"},
		{"prints nothing", []string{script("none2", "true")}, "!is not a key"},
		{"prints two words", []string{script("two", "echo a b")}, "!is not a key"},
		{"prints a header", []string{script("inject", `printf 'a\r\nX: y\n'`)}, "!is not a key"},
		{"prints too much", []string{script("much", "yes | head -c 100000")}, "!printed too much"},
		{"hangs", []string{script("hang", "sleep 60")}, "!took too long"},
		{"leaves a child with the pipe", []string{script("child", "sleep 60 & echo key")}, "!could not"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			limit := time.Minute
			if tt.name == "hangs" || tt.name == "leaves a child with the pipe" {
				limit = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			k, err := Provider{Name: "openai", KeyCommand: tt.argv}.complete()
			if err != nil {
				t.Fatal(err)
			}
			key, err := k.source.Key(ctx, func(string) string { return "" })
			want, fails := strings.CutPrefix(tt.want, "!")
			if fails && tt.name == "leaves a child with the pipe" {
				return // it may work or fail, but ends
			}
			if fails != (err != nil) || !fails && key != want || fails && !strings.Contains(err.Error(), want) {
				t.Errorf("%q, %v", key, err)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("the error has the key: %v", err)
			}
		})
	}
}

// The variable comes before the program, which is not run then.
func TestKeyOfTheEnvironmentFirst(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	k, err := Provider{Name: "openai", KeyCommand: []string{"/bin/sh", "-c", "echo x > " + ran + "; echo printed"}}.complete()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"OPENAI_API_KEY": " of-the-environment "}
	if key, err := k.source.Key(t.Context(), func(n string) string { return env[n] }); err != nil || key != "of-the-environment" {
		t.Errorf("%q, %v", key, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the program was run")
	}
	id := k.id(func(n string) string { return env[n] })
	env["OPENAI_API_KEY"] = "  "
	if key, err := k.source.Key(t.Context(), func(n string) string { return env[n] }); err != nil || key != "printed" {
		t.Errorf("%q, %v", key, err)
	}
	if k.id(func(n string) string { return env[n] }) == id {
		t.Error("failures with one key are laid to the other")
	}
}

func TestBaseURLs(t *testing.T) {
	for _, tt := range []struct {
		p    Provider
		want bool
	}{
		{Provider{Name: "openai"}, true},
		{Provider{Name: "openai", BaseURL: "https://proxy.example/v1/"}, true},
		{Provider{Name: "openai", BaseURL: "http://127.0.0.1:8080/v1"}, true},
		{Provider{Name: "openai", BaseURL: "http://[::1]:8080"}, true},
		{Provider{Name: "openai", BaseURL: "http://localhost:8080"}, true},
		{Provider{Name: "openai", BaseURL: "http://proxy.example/v1"}, false},
		{Provider{Name: "openai", BaseURL: "http://127.0.0.1.example/v1"}, false},
		{Provider{Name: "openai", BaseURL: "https://u:p@proxy.example/v1"}, false},
		{Provider{Name: "openai", BaseURL: "https://proxy.example/v1?key=x"}, false},
		{Provider{Name: "openai", BaseURL: "file:///etc/passwd"}, false},
		{Provider{Name: "openai", BaseURL: "proxy.example"}, false},
		{Provider{Name: "ollama", BaseURL: "http://gpu.lan:11434"}, true},
		{Provider{Name: "ollama", BaseURL: "http://gpu.lan:11434", KeyCommand: []string{"x"}}, false},
		{Provider{Name: "watson"}, false},
	} {
		if _, err := tt.p.complete(); (err == nil) != tt.want {
			t.Errorf("%+v: %v", tt.p, err)
		}
	}
}

func TestOllama(t *testing.T) {
	var got seen
	tags := `{"models":[{"name":"nomic-embed-text:latest"},{"name":"qwen3:8b"}]}`
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		got.add(r)
		if r.URL.Path == "/api/tags" {
			say(rw, 200, tags)
			return
		}
		say(rw, 200, openAIText(good, "stop"))
	}))
	defer srv.Close()
	c := &Chain{Providers: []Provider{{Name: "ollama", BaseURL: srv.URL + "/v1"}}, Getenv: func(string) string { return secret }}
	a, err := c.Ask(t.Context(), ask)
	if err != nil || a.Model != "qwen3:8b" || a.Cost != 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	for _, q := range got.all() {
		if h := q.header.Get("Authorization"); h != "" {
			t.Errorf("%s with %s", q.path, h)
		}
	}
	if p := got.all()[1].path; p != "/v1/chat/completions" {
		t.Errorf("asked at %s", p)
	}
	c.Providers[0].Model = "llama9"
	if _, err := c.Ask(t.Context(), ask); err == nil || !strings.Contains(err.Error(), "llama9 is not installed") {
		t.Errorf("error %v", err)
	}
	tags = `<html>`
	if s := c.Status(t.Context()); s[0].Available || !strings.Contains(s[0].Why, "is not Ollama") {
		t.Errorf("%+v", s)
	}
	srv.Close()
	if s := c.Status(t.Context()); s[0].Available || !strings.Contains(s[0].Why, "nothing answers") {
		t.Errorf("%+v", s)
	}
}

// OpenRouter says what an answer cost.
func TestOpenRouterCost(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		say(rw, 200, strings.Replace(openAIText(good, "stop"), `"total_tokens"`, `"cost":0.00042,"total_tokens"`, 1))
	}))
	defer srv.Close()
	a, err := chainTo(t, srv.URL, "openrouter", "OPENROUTER_API_KEY").Ask(t.Context(), ask)
	if err != nil || a.Cost != 420_000 {
		t.Errorf("%+v, %v", a, err)
	}
}

// The environment, which a project may change for the agent, moves no request and adds
// no header.
func TestEnvironment(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { t.Errorf("a request came to %s", r.URL) }))
	defer elsewhere.Close()
	for _, n := range []string{"ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OLLAMA_HOST"} {
		t.Setenv(n, elsewhere.URL)
	}
	for _, n := range []string{"ANTHROPIC_CUSTOM_HEADERS", "OPENAI_CUSTOM_HEADERS"} {
		t.Setenv(n, "X-Injected: yes")
	}
	t.Setenv("OPENAI_ORG_ID", "org-injected")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "injected")
	for _, w := range wires {
		srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Injected") != "" || r.Header.Get("OpenAI-Organization") != "" || strings.Contains(r.Header.Get("Authorization"), "injected") {
				t.Errorf("%s: headers %v", w.name, r.Header)
			}
			say(rw, 200, w.text(good, w.done))
		}))
		if _, err := chainTo(t, srv.URL, w.name, w.keyVar).Ask(t.Context(), ask); err != nil {
			t.Error(err)
		}
		srv.Close()
	}
}

// Whatever a provider answers, what comes out is of the schema or an error.
func FuzzResponse(f *testing.F) {
	for _, w := range wires {
		f.Add(200, w.text(good, w.done))
		f.Add(400, w.fail("no"))
	}
	f.Add(200, anthropicTool(good))
	f.Add(200, `{"type":"message","content":[null,{"type":"tool_use","input":7}],"usage":null}`)
	f.Add(200, `{"choices":[{"message":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":-9e99}}`)
	status, body := 0, ""
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { say(rw, status, body) }))
	defer srv.Close()
	getenv := func(string) string { return secret }
	f.Fuzz(func(t *testing.T, code int, text string) {
		if status, body = code, text; status < 200 || status > 599 {
			status = 200
		}
		for _, w := range wires {
			c := &Chain{Providers: []Provider{{Name: w.name, BaseURL: srv.URL}}, Getenv: getenv, clock: noWait(new([]time.Duration))}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			a, err := c.Ask(ctx, ask)
			if ctx.Err() != nil {
				t.Errorf("%d %q: it hangs", status, text)
			}
			cancel()
			if err == nil && verdict.Check(a.JSON) != nil || err != nil && strings.Contains(err.Error(), secret) || a.Cost < 0 {
				t.Errorf("%+v, %v", a, err)
			}
		}
	})
}

// Who asked does not wait any more: the provider is not to blame.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server notices that its client left only when it has read all
		cancel()
		<-r.Context().Done()
	}))
	defer srv.Close()
	c := chainTo(t, srv.URL, "openai", "OPENAI_API_KEY")
	if _, err := c.Ask(ctx, ask); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if r := c.breaker().load(); len(r) != 0 {
		t.Errorf("%+v", r)
	}
}
