package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/wire"
)

// waits is a clock that never waits, and what it was to wait for.
type waits struct{ list []time.Duration }

func (w *waits) retry() wire.Retry {
	return wire.Retry{Tries: 5, Clock: &wire.Clock{
		Now:  time.Now,
		Wait: func(ctx context.Context, d time.Duration) error { w.list = append(w.list, d); return ctx.Err() },
		Rand: func(most time.Duration) time.Duration { return most },
	}}
}

// server answers each request with the next of its answers, and keeps the requests.
type server struct {
	*httptest.Server
	requests []map[string]any
	headers  []http.Header
}

func serve(t *testing.T, answers ...func(w http.ResponseWriter)) *server {
	t.Helper()
	s := &server{}
	var n atomic.Int32
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		var v map[string]any
		if err == nil {
			err = json.Unmarshal(b, &v)
		}
		if err != nil {
			t.Error(err)
		}
		s.requests, s.headers = append(s.requests, v), append(s.headers, r.Header)
		if i := int(n.Add(1)) - 1; i < len(answers) {
			answers[i](w)
			return
		}
		t.Error("one request too many: " + r.URL.Path)
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(s.Close)
	return s
}

// sends sends text in pieces of n bytes.
func sends(text string, n int) func(w http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 0; i < len(text); i += n {
			io.WriteString(w, text[i:min(i+n, len(text))])
			w.(http.Flusher).Flush()
		}
	}
}

func status(code int, body string, header ...string) func(w http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

func ask(t *testing.T, m agent.Model, r agent.ModelRequest) (list []agent.Piece, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for p, fault := range m.Stream(ctx, r) {
		if fault != nil {
			err = fault
			continue
		}
		list = append(list, p)
	}
	return list, err
}

// join makes adjoining texts one, so that answers cut differently compare equal.
func join(list []agent.Piece) (out []string) {
	for _, p := range list {
		b, _ := json.Marshal(p)
		switch {
		case p.Text != "":
			if n := len(out); n > 0 && strings.HasPrefix(out[n-1], "text ") {
				out[n-1] += p.Text
				continue
			}
			out = append(out, "text "+p.Text)
		case p.Call != nil:
			out = append(out, fmt.Sprintf("call %s %s %s%s", p.Call.ID, p.Call.Name, p.Call.Input, p.Call.Broken))
		case p.Thinking != nil && p.Thinking.Signature == "" && p.Thinking.Redacted == "":
			out = append(out, "thinks "+p.Thinking.Text)
		case p.Thinking != nil:
			out = append(out, "thought "+p.Thinking.Text+p.Thinking.Signature+p.Thinking.Redacted)
		case p.Fault != "":
			out = append(out, "fault "+p.Fault)
		case p.Done != nil:
			out = append(out, fmt.Sprintf("done %s %d/%d/%d", p.Done.Reason, p.Done.Usage.InputTokens, p.Done.Usage.OutputTokens, p.Done.Usage.CachedTokens))
		default:
			out = append(out, "empty "+string(b))
		}
	}
	return out
}

const chatText = `: OPENROUTER PROCESSING

data: {"choices":[{"delta":{"role":"assistant","content":""}}]}

data: {"choices":[{"delta":{"reasoning":"hm"}}]}

data: {"choices":[{"delta":{"content":"Grüße 👋 "}}]}

data: {"choices":[{"delta":{"content":"here"}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"bash","arguments":""}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"comm"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"glob","arguments":"{\"pattern\":\"*\"}"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"and\":\"ls\"}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: {"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":5},"cost":0.25}}

data: [DONE]

`

var chatWant = []string{"thinks hm", "text Grüße 👋 here", `call call_a bash {"command":"ls"}`, `call call_b glob {"pattern":"*"}`, "done calls 11/7/5"}

const messagesText = `event: message_start
data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"usage":{"input_tokens":3,"cache_read_input_tokens":5,"cache_creation_input_tokens":2,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"SIG"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Grüße 👋 here"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_a","name":"bash","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"comm"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"and\":\"ls\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_b","name":"tree","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":3}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}

event: message_stop
data: {"type":"message_stop"}

`

var messagesWant = []string{"thinks hm", "thought hmSIG", "text Grüße 👋 here", `call toolu_a bash {"command":"ls"}`, "call toolu_b tree {}", "done calls 10/9/5"}

func model(t *testing.T, provider, url string) agent.Model {
	t.Helper()
	m, err := New(Config{Provider: provider, Model: "m", BaseURL: url, Key: "secret-key", Retry: new(waits).retry()})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAnswers(t *testing.T) {
	for _, n := range []int{1, 7, 1 << 20} {
		s := serve(t, sends(chatText, n), sends(messagesText, n))
		got, err := ask(t, model(t, "openrouter", s.URL), agent.ModelRequest{})
		if err != nil || !reflect.DeepEqual(join(got), chatWant) {
			t.Errorf("chat in pieces of %d: %q, %v", n, join(got), err)
		}
		if u := got[len(got)-1].Done.Usage; u.Cost != 0.25 || !u.Priced || u.TotalTokens != 18 {
			t.Errorf("usage %+v", u)
		}
		got, err = ask(t, model(t, "anthropic", s.URL), agent.ModelRequest{})
		if err != nil || !reflect.DeepEqual(join(got), messagesWant) {
			t.Errorf("messages in pieces of %d: %q, %v", n, join(got), err)
		}
		if s.headers[0].Get("Authorization") != "Bearer secret-key" || s.headers[1].Get("X-Api-Key") != "secret-key" || s.headers[1].Get("Anthropic-Version") == "" {
			t.Errorf("headers %v", s.headers)
		}
	}
}

// An answer that is cut anywhere is no answer, and nothing is made up of it.
func TestCut(t *testing.T) {
	for provider, text := range map[string]string{"openai": chatText, "anthropic": messagesText} {
		last := strings.LastIndex(text, "data: ")
		for i := 0; i < last; i += 13 {
			s := serve(t, sends(text[:i], 1<<20), status(400, ""))
			got, _ := ask(t, model(t, provider, s.URL), agent.ModelRequest{})
			for _, p := range got {
				if p.Done != nil {
					t.Errorf("%s cut at %d: done", provider, i)
				}
				if c := p.Call; c != nil && c.Broken != "" {
					t.Errorf("%s cut at %d: call %+v", provider, i, c)
				}
			}
			s.Close()
		}
	}
}

// What broke off before anything of it was told is asked for again; after that, the person
// is told.
func TestCutIsAskedForAgain(t *testing.T) {
	broken := func(text string) func(w http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			sends(text, 1<<20)(w)
			panic(http.ErrAbortHandler)
		}
	}
	s := serve(t, broken(""), broken(": warming up\n\n"), sends("event: error\ndata: {\"error\":{\"message\":\"overloaded\"}}\n\n", 99), sends(chatText, 99))
	got, err := ask(t, model(t, "openai", s.URL), agent.ModelRequest{})
	if list := join(slices.DeleteFunc(got, func(p agent.Piece) bool { return p.Waits != nil })); err != nil || !reflect.DeepEqual(list[1:], chatWant[:]) || list[0] != "fault overloaded" || len(s.requests) != 4 {
		t.Errorf("%q, %v", list, err)
	}
	s = serve(t, broken(chatText[:220]))
	if _, err := ask(t, model(t, "openai", s.URL), agent.ModelRequest{}); err == nil || !strings.Contains(err.Error(), "is incomplete; send the message again") || len(s.requests) != 1 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
}

func TestServersThatBendTheRules(t *testing.T) {
	const end = "data: [DONE]\n\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"the whole call in one piece, without an index": {
			`data: {"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{}"}},{"id":"b","function":{"name":"glob","arguments":"{}"}}]},"finish_reason":"stop"}]}` + "\n\n" + end,
			[]string{"call a bash {}", "call b glob {}", "done calls 0/0/0"}},
		"the ID in each piece, without an index": {
			`data: {"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{\"a\":"}}]}}]}` + "\n\n" +
				`data: {"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"bash","arguments":"1}"}}]}}]}` + "\n\n" + end,
			[]string{`call a bash {"a":1}`, "done calls 0/0/0"}},
		"every call under the index 0": {
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{}"}}]}}]}` + "\n\n" +
				`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"glob","arguments":"{}"}}]}}]}` + "\n\n" + end,
			[]string{"call a bash {}", "call b glob {}", "done calls 0/0/0"}},
		"arguments that are an object": {
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":{"command":"ls"}}}]}}]}` + "\n\n" + end,
			[]string{`call a bash {"command":"ls"}`, "done calls 0/0/0"}},
		"arguments that are no JSON": {
			`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{\"command\":"}}]}}]}` + "\n\n" + end,
			[]string{`call a bash {}{"command":`, "done calls 0/0/0"}},
		"an error inside the stream": {
			`data: {"choices":[{"delta":{"content":"a"}}]}` + "\n\n" + `data: {"error":{"code":502,"message":"overloaded"}}` + "\n\n" + `data: {"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}` + "\n\n" + end,
			[]string{"text a", "fault overloaded", "text b", "done end 0/0/0"}},
		"reasoning under its other name, and a filter": {
			`data: {"choices":[{"delta":{"reasoning_content":"hm"},"finish_reason":"content_filter"}]}` + "\n\n" + end,
			[]string{"thinks hm", "done refused 0/0/0"}},
		"a field of another type": {
			`data: {"choices":[{"delta":{"content":"a"}}],"usage":"none"}` + "\n\n" + `data: {"choices":[{"delta":{},"finish_reason":"length"}]}` + "\n\n" + end,
			[]string{"text a", "done length 0/0/0"}},
	} {
		s := serve(t, sends(c.text, 3))
		got, err := ask(t, model(t, "openai", s.URL), agent.ModelRequest{})
		if err != nil || !reflect.DeepEqual(join(got), c.want) {
			t.Errorf("%s: %q, %v", name, join(got), err)
		}
	}
	s := serve(t, sends("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"+messagesText, 5))
	if got, err := ask(t, model(t, "anthropic", s.URL), agent.ModelRequest{}); err != nil || join(got)[0] != "fault Overloaded" {
		t.Errorf("%q, %v", join(got), err)
	}
}

func TestRetries(t *testing.T) {
	for _, p := range []string{"openai", "anthropic"} {
		text := map[string]string{"openai": chatText, "anthropic": messagesText}[p]
		for _, code := range []int{408, 409, 429, 500, 502, 503, 504, 529} {
			s := serve(t, status(code, `{"error":{"message":"later"}}`, "Retry-After", "0"), status(code, "<html>", "Retry-After", "Thu, 01 Jan 1970 00:00:00 GMT"), sends(text, 100))
			if got, err := ask(t, model(t, p, s.URL), agent.ModelRequest{}); err != nil || len(got) < 3 {
				t.Errorf("%s after %d: %v", p, code, err)
			}
		}
		for _, code := range []int{400, 401, 403, 404, 422} {
			s := serve(t, status(code, `{"error":{"message":"no \u001b[31mway"}}`))
			_, err := ask(t, model(t, p, s.URL), agent.ModelRequest{})
			if err == nil || !strings.Contains(err.Error(), "no ") || strings.Contains(err.Error(), "\x1b") || strings.Contains(err.Error(), "secret-key") {
				t.Errorf("%s after %d: %v", p, code, err)
			}
		}
		s := serve(t, status(500, ""), status(500, ""), status(500, ""), status(500, ""), status(500, `{"error":"gone"}`))
		if _, err := ask(t, model(t, p, s.URL), agent.ModelRequest{}); err == nil || !strings.Contains(err.Error(), "gone") {
			t.Errorf("%s: %v", p, err)
		}
		s = serve(t, status(400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`))
		var long *agent.TooLongError
		if _, err := ask(t, model(t, p, s.URL), agent.ModelRequest{}); !errors.As(err, &long) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

// A server is not asked again before it wants to be, and one that wants to be left alone for
// long is not waited for.
func TestRetryAfter(t *testing.T) {
	s := serve(t, status(429, "", "Retry-After-Ms", "150"), sends(chatText, 100))
	got, err := ask(t, model(t, "openai", s.URL), agent.ModelRequest{})
	if err != nil {
		t.Error(err)
	}
	if w := got[0].Waits; w == nil || w.For < 150*time.Millisecond || w.Why != "the model's server answered 429 Too Many Requests" {
		t.Errorf("it is not told why nothing comes: %+v", got[0])
	}
	s = serve(t, status(529, `{"error":{"message":"full"}}`), sends(chatText, 100))
	for p := range model(t, "anthropic", s.URL).Stream(t.Context(), agent.ModelRequest{}) {
		if p.Waits == nil || p.Waits.Why != "the model's server answered 529: full" {
			t.Errorf("%+v", p)
		}
		break // who leaves then asks no more
	}
	if len(s.requests) != 1 {
		t.Errorf("%d requests", len(s.requests))
	}
	s = serve(t, status(429, `{"error":{"message":"quota"}}`, "Retry-After", "3600"), sends(chatText, 100))
	if _, err := ask(t, model(t, "openai", s.URL), agent.ModelRequest{}); err == nil || !strings.Contains(err.Error(), "quota; retry in 1 h") || len(s.requests) != 1 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
}

// A key is for one host.
func TestRedirectIsNotFollowed(t *testing.T) {
	for _, p := range []string{"openai", "anthropic"} {
		other := serve(t)
		s := serve(t, status(307, "", "Location", other.URL+"/v1/messages"))
		if _, err := ask(t, model(t, p, s.URL), agent.ModelRequest{}); err == nil || len(other.requests) > 0 {
			t.Errorf("%s: %v, %d requests elsewhere", p, err, len(other.requests))
		}
	}
}

func TestBounds(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	s := serve(t, func(w http.ResponseWriter) {
		sends(chatText[:200], 200)(w)
		<-hang
	})
	m, err := New(Config{Provider: "openai", Model: "m", BaseURL: s.URL, Idle: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	_, err = ask(t, m, agent.ModelRequest{})
	if err == nil || !strings.Contains(err.Error(), "sent nothing") {
		t.Errorf("silence: %v", err)
	}
	s = serve(t, func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: ")
		for range maxLine/1024 + 10 {
			io.WriteString(w, strings.Repeat("x", 1024))
		}
	})
	if _, err := ask(t, model(t, "openai", s.URL), agent.ModelRequest{}); err == nil || !strings.Contains(err.Error(), "line of more than") {
		t.Errorf("a long line: %v", err)
	}
	s = serve(t, func(w http.ResponseWriter) {
		sends(chatText[:200], 200)(w)
		<-hang
	})
	ctx, cancel := context.WithCancel(t.Context())
	for p, err := range model(t, "openai", s.URL).Stream(ctx, agent.ModelRequest{}) {
		if p.Thinking != nil {
			cancel()
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("canceled: %v", err)
		}
	}
	cancel()
}

// conversation has one of everything.
var conversation = agent.ModelRequest{
	System: "be good", Effort: "low", MaxTokens: 100,
	Tools: []agent.ToolSpec{{Name: "bash", Description: "runs", Schema: json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"}},"required":["command"],"additionalProperties":false}`)}},
	Messages: []agent.Message{
		{Role: agent.User, Parts: []agent.Part{{Text: "look"}, {Image: &agent.Image{Type: "image/png", Data: []byte("png")}}}},
		{Role: agent.Assistant, Model: "m", Parts: []agent.Part{{Thinking: &agent.Thinking{Text: "hm", Signature: "SIG"}}, {Text: "I will"},
			{Call: &agent.Call{ID: "a", Name: "bash", Input: json.RawMessage(`{"command":"ls"}`)}}, {Call: &agent.Call{ID: "b", Name: "no name!", Broken: "{"}}}},
		{Role: agent.ToolRole, Parts: []agent.Part{{Result: &agent.Returned{ID: "a", Text: "files"}}, {Result: &agent.Returned{ID: "b", Text: "no", Error: true}}}},
		{Role: agent.User, Parts: []agent.Part{{Text: "go on"}, {Text: "[a.txt]"}}},
	},
}

func TestRequests(t *testing.T) {
	s := serve(t, sends(chatText, 500), sends(messagesText, 500))
	for _, p := range []string{"openrouter", "anthropic"} {
		if _, err := ask(t, model(t, p, s.URL), conversation); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{
		`{"max_tokens":100,"messages":[{"content":"be good","role":"system"},{"content":[{"text":"look","type":"text"},{"image_url":{"url":"data:image/png;base64,cG5n"},"type":"image_url"}],"role":"user"},{"content":"I will","role":"assistant","tool_calls":[{"function":{"arguments":"{\"command\":\"ls\"}","name":"bash"},"id":"a","type":"function"},{"function":{"arguments":"{}","name":"no_name_"},"id":"b","type":"function"}]},{"content":"files","role":"tool","tool_call_id":"a"},{"content":"no","role":"tool","tool_call_id":"b"},{"content":"go on\n\n[a.txt]","role":"user"}],"model":"m","reasoning":{"effort":"low"},"stream":true,"stream_options":{"include_usage":true},"tools":[{"function":{"description":"runs","name":"bash","parameters":{"additionalProperties":false,"properties":{"command":{"type":"string"}},"required":["command"],"type":"object"}},"type":"function"}],"usage":{"include":true}}`,
		`{"max_tokens":100,"messages":[{"content":[{"text":"look","type":"text"},{"source":{"data":"cG5n","media_type":"image/png","type":"base64"},"type":"image"}],"role":"user"},{"content":[{"signature":"SIG","thinking":"hm","type":"thinking"},{"text":"I will","type":"text"},{"id":"a","input":{"command":"ls"},"name":"bash","type":"tool_use"},{"id":"b","input":{},"name":"no_name_","type":"tool_use"}],"role":"assistant"},{"content":[{"content":[{"text":"files","type":"text"}],"is_error":false,"tool_use_id":"a","type":"tool_result"},{"content":[{"text":"no","type":"text"}],"is_error":true,"tool_use_id":"b","type":"tool_result"},{"text":"go on","type":"text"},{"cache_control":{"type":"ephemeral"},"text":"[a.txt]","type":"text"}],"role":"user"}],"model":"m","output_config":{"effort":"low"},"stream":true,"system":[{"cache_control":{"type":"ephemeral"},"text":"be good","type":"text"}],"thinking":{"type":"adaptive"},"tools":[{"cache_control":{"type":"ephemeral"},"description":"runs","input_schema":{"additionalProperties":false,"properties":{"command":{"type":"string"}},"required":["command"],"type":"object"},"name":"bash"}]}`,
	} {
		b, _ := json.Marshal(s.requests[i])
		if string(b) != want {
			t.Errorf("request %d:\n%s", i, b)
		}
	}
}

// A call whose input is missing or is not JSON goes back with an empty input: this API refuses others.
func TestInputOfABrokenCall(t *testing.T) {
	for _, c := range []agent.Call{{}, {Broken: "{"}, {Broken: "{", Input: json.RawMessage("{")}} {
		list := chatMessages(agent.Message{Role: agent.Assistant, Parts: []agent.Part{{Call: &c}}})
		if len(list) != 1 || len(list[0].ToolCalls) != 1 || list[0].ToolCalls[0].Function.Arguments != "{}" {
			t.Errorf("input %q, broken %q: got %+v, want one call with arguments {}", c.Input, c.Broken, list)
		}
	}
}

// What a model thought goes back to that model alone, whole and signed; blank texts go to none.
func TestThoughtsGoBackToTheirModel(t *testing.T) {
	m, ok := model(t, "anthropic", "http://a.example").(*messages)
	if !ok {
		t.Fatal("the model does not speak this API")
	}
	parts := []agent.Part{{Thinking: &agent.Thinking{Redacted: "DATA"}}, {Thinking: &agent.Thinking{Text: "hm", Signature: "SIG"}}, {Thinking: &agent.Thinking{Text: "unsigned"}}, {Text: " \n"}, {Text: "said"}}
	for _, tt := range []struct {
		msg  agent.Message
		want string
	}{
		{agent.Message{Model: "m"}, `[{"type":"redacted_thinking","data":"DATA"},{"type":"thinking","thinking":"hm","signature":"SIG"},{"type":"text","text":"said"}]`},
		{agent.Message{Model: "m", Cancelled: true}, `[{"type":"text","text":"said"}]`},
		{agent.Message{Model: "other"}, `[{"type":"text","text":"said"}]`},
	} {
		tt.msg.Parts = parts
		got, err := json.Marshal(m.blocks(tt.msg))
		var is, want any
		if err = errors.Join(err, json.Unmarshal(got, &is), json.Unmarshal([]byte(tt.want), &want)); err != nil || !reflect.DeepEqual(is, want) {
			t.Errorf("of %s: got %s, %v, want %s", tt.msg.Model, got, err, tt.want)
		}
	}
	s := serve(t, sends(`data: {"type":"message_start","message":{"usage":{"input_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"DATA"}}

data: {"type":"content_block_stop","index":0}

data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"begun"}}

data: {"type":"content_block_stop","index":1}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}

data: {"type":"message_stop"}

`, 500))
	got, err := ask(t, model(t, "anthropic", s.URL), agent.ModelRequest{})
	if err != nil || len(got) != 3 || got[0].Thinking == nil || *got[0].Thinking != (agent.Thinking{Redacted: "DATA"}) || got[1].Text != "begun" {
		t.Errorf("a hidden thought: %+v, %v", got, err)
	}
}

// A session that began with another server's model goes on: its calls and results keep
// their IDs as far as they can.
func TestCallIDsOfOthers(t *testing.T) {
	ids := []string{"toolu_01-A", "functions.bash:0", "functions_bash_0", strings.Repeat("x", 65), "ü", ""}
	var calls, results []agent.Part
	for _, id := range ids {
		calls = append(calls, agent.Part{Call: &agent.Call{ID: id, Name: "bash", Input: json.RawMessage("{}")}})
		results = append(results, agent.Part{Result: &agent.Returned{ID: id, Name: "bash", Text: "ok"}})
	}
	blocks := (&messages{}).blocks(agent.Message{Role: agent.Assistant, Parts: calls})
	form, seen := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`), map[string]bool{}
	for i, r := range (&messages{}).blocks(agent.Message{Role: agent.ToolRole, Parts: results}) {
		id := blocks[i].ID
		if id != r.ToolUseID || !form.MatchString(id) || seen[id] {
			t.Errorf("%q is %q, and its result is for %q", ids[i], id, r.ToolUseID)
		}
		seen[id] = true
	}
	if blocks[0].ID != ids[0] {
		t.Errorf("%q became %q", ids[0], blocks[0].ID)
	}
}

func TestFromEnv(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want Config
		err  string
	}{
		"nothing":            {nil, Config{}, "OPENROUTER_API_KEY"},
		"openrouter":         {map[string]string{"OPENROUTER_API_KEY": "k"}, Config{Provider: "openrouter", Model: "anthropic/claude-sonnet-4-20250514", BaseURL: "https://openrouter.ai/api/v1", Key: "k"}, ""},
		"ollama":             {map[string]string{"PROVIDER": "ollama"}, Config{Provider: "ollama", Model: "qwen3-coder-next", BaseURL: "http://127.0.0.1:11434/v1"}, ""},
		"ollama elsewhere":   {map[string]string{"PROVIDER": "ollama", "OLLAMA_BASE_URL": "http://gpu:1/v1/", "MODEL_ID": "x"}, Config{Provider: "ollama", Model: "x", BaseURL: "http://gpu:1/v1"}, ""},
		"unknown":            {map[string]string{"PROVIDER": "acme"}, Config{}, `"acme"`},
		"anthropic, no key":  {map[string]string{"PROVIDER": "anthropic"}, Config{}, "ANTHROPIC_API_KEY"},
		"a server of one's":  {map[string]string{"PROVIDER": "openai", "OPENAI_BASE_URL": "http://127.0.0.1:8080/v1", "MODEL_ID": "q"}, Config{Provider: "openai", Model: "q", BaseURL: "http://127.0.0.1:8080/v1"}, ""},
		"a key in the clear": {map[string]string{"PROVIDER": "openai", "OPENAI_BASE_URL": "http://far/v1", "OPENAI_API_KEY": "k"}, Config{}, "unencrypted"},
		"no address":         {map[string]string{"PROVIDER": "ollama", "OLLAMA_BASE_URL": "gpu"}, Config{}, "base address"},
	} {
		got, err := FromEnv(Config{}, func(k string) string { return c.env[k] })
		got.keyVar, got.baseVar = "", "" // TestModelUnreachable is about them
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", name, err)
			}
		} else if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestModels(t *testing.T) {
	for _, p := range []string{"openrouter", "anthropic"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/models") || r.Header.Get("Authorization")+r.Header.Get("X-Api-Key") == "" {
				t.Errorf("%s %v", r.URL, r.Header)
			}
			w.Header()["Content-Type"] = nil // not all servers say it
			io.WriteString(w, `{"data":[{"id":"b"},{"id":"a\u001b[2J"}]}`)
		}))
		got, err := Models(t.Context(), Config{Provider: p, BaseURL: s.URL, Key: "secret-key"})
		s.Close()
		if err != nil || len(got) != 2 || strings.Contains(got[0], "\x1b") || got[1] != "b" {
			t.Errorf("%s: %q, %v", p, got, err)
		}
	}
	s := serve(t)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") })
	if _, err := Models(t.Context(), Config{Provider: "openai", BaseURL: s.URL, Key: "secret-key"}); err == nil || !strings.Contains(err.Error(), "did not list its models") {
		t.Error(err)
	}
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { status(401, `{"error":{"message":"no"}}`)(w) })
	if _, err := Models(t.Context(), Config{Provider: "openai", BaseURL: s.URL, Key: "secret-key"}); err == nil || strings.Contains(err.Error(), "secret-key") {
		t.Error(err)
	}
}

func FuzzChunks(f *testing.F) {
	for line := range strings.Lines(chatText + messagesText) {
		f.Add([]byte(strings.TrimPrefix(strings.TrimSpace(line), "data: ")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := chatAnswer{wire: &wire.Client{}}
		a.chunk(data)
		a.chunk(data)
		for _, p := range a.end() {
			if p.Call != nil && !json.Valid(p.Call.Input) {
				t.Errorf("%q is no JSON", p.Call.Input)
			}
		}
	})
}
