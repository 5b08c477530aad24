package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// turn is what a client understands of one answer.
type turn struct {
	tool, input, id, text, stop string
}

// script of the tests: the second call has a tool of which only the second form is offered.
var script = []ScriptedCall{
	{{Tool: "sh", Input: object{"command": "echo \"a\" > b"}}},
	{{Tool: "new_shell", Input: object{"cmd": "x"}}, {Tool: "sh", Input: object{"command": "rm -rf ~/x"}}},
}

// dialects are the four interfaces as a client speaks them: a request with the results of
// so many calls, and how an answer is read, whole or streamed.
var dialects = map[string]struct {
	path    func(stream bool) string
	request func(stream bool, results []string) object
	whole   func(t *testing.T, body []byte) turn
	events  func(t *testing.T, events []event) turn
}{
	"anthropic": {
		func(bool) string { return "/v1/messages?beta=true" },
		func(stream bool, results []string) object {
			msgs := []object{{"role": "user", "content": "go"}}
			for i, r := range results {
				msgs = append(msgs, object{"role": "assistant", "content": []object{{"type": "tool_use", "id": fmt.Sprint(i), "name": "sh", "input": object{}}}},
					object{"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": fmt.Sprint(i), "content": []object{{"type": "text", "text": r}}}}})
			}
			return object{"model": "m", "stream": stream, "tools": []object{{"name": "sh"}}, "messages": msgs}
		},
		func(t *testing.T, body []byte) (out turn) {
			var m struct {
				StopReason string `json:"stop_reason"`
				Content    []struct {
					Type, ID, Name, Text string
					Input                json.RawMessage
				}
			}
			must(t, json.Unmarshal(body, &m))
			c := m.Content[0]
			return turn{c.Name, string(c.Input), c.ID, c.Text, m.StopReason}
		},
		func(t *testing.T, events []event) (out turn) {
			var order []string
			for _, e := range events {
				var d struct {
					Type         string
					Index        *int
					ContentBlock struct{ Type, ID, Name string } `json:"content_block"`
					Delta        struct {
						Type, Text  string
						PartialJSON string `json:"partial_json"`
						StopReason  string `json:"stop_reason"`
					}
				}
				must(t, json.Unmarshal(e.data, &d))
				if d.Type != e.name {
					t.Errorf("event %q has the type %q", e.name, d.Type)
				}
				order = append(order, d.Type)
				if d.ContentBlock.Name != "" {
					out.tool, out.id = d.ContentBlock.Name, d.ContentBlock.ID
				}
				out.input += d.Delta.PartialJSON
				out.text += d.Delta.Text
				out.stop += d.Delta.StopReason
			}
			if got := strings.Join(order, " "); got != "message_start content_block_start content_block_delta content_block_stop message_delta message_stop" {
				t.Errorf("the events are %s", got)
			}
			return out
		},
	},
	"responses": {
		func(bool) string { return "/v1/responses" },
		func(stream bool, results []string) object {
			input := []object{{"type": "message", "role": "user", "content": "go"}}
			for i, r := range results {
				input = append(input, object{"type": "function_call", "call_id": fmt.Sprint(i)}, object{"type": "function_call_output", "call_id": fmt.Sprint(i), "output": r})
			}
			return object{"model": "m", "stream": stream, "tools": []object{{"type": "function", "name": "sh"}, {"type": "web_search"}}, "input": input}
		},
		func(t *testing.T, body []byte) turn {
			var r struct {
				Status string
				Output []responseItem
			}
			must(t, json.Unmarshal(body, &r))
			return r.Output[0].turn(r.Status)
		},
		func(t *testing.T, events []event) (out turn) {
			for i, e := range events {
				var d struct {
					Type     string
					Number   int `json:"sequence_number"`
					Item     responseItem
					Delta    string
					Response struct {
						Status string
						Output []responseItem
					}
				}
				must(t, json.Unmarshal(e.data, &d))
				if d.Type != e.name || d.Number != i {
					t.Errorf("event %d, %q, has the type %q and the number %d", i, e.name, d.Type, d.Number)
				}
				switch d.Type {
				case "response.output_item.done":
					out = d.Item.turn(out.stop)
				case "response.function_call_arguments.delta":
					out.input += d.Delta
				case "response.completed":
					if last := d.Response.Output[0].turn(d.Response.Status); last.tool != out.tool || last.text != out.text {
						t.Errorf("the response ends with %+v, and the item was %+v", last, out)
					}
					out.stop = d.Response.Status
				}
			}
			return out
		},
	},
	"chat": {
		func(bool) string { return "/api/v1/chat/completions" },
		func(stream bool, results []string) object {
			msgs := []object{{"role": "system", "content": "x"}, {"role": "user", "content": "go"}}
			for i, r := range results {
				msgs = append(msgs, object{"role": "tool", "tool_call_id": fmt.Sprint(i), "content": r})
			}
			return object{"model": "m", "stream": stream, "tools": []object{{"type": "function", "function": object{"name": "sh"}}}, "messages": msgs}
		},
		func(t *testing.T, body []byte) turn {
			var r struct{ Choices []chatChoice }
			must(t, json.Unmarshal(body, &r))
			return r.Choices[0].turn(r.Choices[0].Message)
		},
		func(t *testing.T, events []event) (out turn) {
			if n := len(events); string(events[n-1].data) != "[DONE]" {
				t.Errorf("the stream ends with %s", events[n-1].data)
			}
			for _, e := range events[:len(events)-1] {
				var r struct{ Choices []chatChoice }
				must(t, json.Unmarshal(e.data, &r))
				for _, c := range r.Choices {
					d := c.turn(c.Delta)
					out.tool += d.tool
					out.input += d.input
					out.id += d.id
					out.text += d.text
					out.stop += d.stop
				}
			}
			return out
		},
	},
	"gemini": {
		func(stream bool) string {
			if stream {
				return "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"
			}
			return "/v1beta/models/gemini-2.5-pro:generateContent"
		},
		func(_ bool, results []string) object {
			contents := []object{{"role": "user", "parts": []object{{"text": "go"}}}}
			for _, r := range results {
				contents = append(contents, object{"role": "user", "parts": []object{{"functionResponse": object{"name": "sh", "response": object{"output": r}}}}})
			}
			return object{"contents": contents, "tools": []object{{"functionDeclarations": []object{{"name": "sh"}}}}}
		},
		geminiTurn,
		func(t *testing.T, events []event) turn { return geminiTurn(t, events[0].data) },
	},
}

type responseItem struct {
	Type, ID, Name, Arguments, Input string
	CallID                           string `json:"call_id"`
	Content                          []struct{ Text string }
}

func (i responseItem) turn(status string) turn {
	out := turn{tool: i.Name, input: i.Arguments + i.Input, id: i.CallID, stop: status}
	for _, c := range i.Content {
		out.text += c.Text
	}
	return out
}

type chatMessage struct {
	Content   string
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

type chatChoice struct {
	Message, Delta chatMessage
	FinishReason   string `json:"finish_reason"`
}

func (c chatChoice) turn(m chatMessage) turn {
	out := turn{text: m.Content, stop: c.FinishReason}
	for _, call := range m.ToolCalls {
		out.tool, out.input, out.id = call.Function.Name, call.Function.Arguments, call.ID
	}
	return out
}

func geminiTurn(t *testing.T, body []byte) turn {
	var r struct {
		Candidates []struct {
			FinishReason string
			Content      struct {
				Parts []struct {
					Text         string
					FunctionCall *struct {
						ID, Name string
						Args     json.RawMessage
					}
				}
			}
		}
	}
	must(t, json.Unmarshal(body, &r))
	p := r.Candidates[0].Content.Parts[0]
	out := turn{text: p.Text, stop: r.Candidates[0].FinishReason}
	if p.FunctionCall != nil {
		out.tool, out.input, out.id = p.FunctionCall.Name, string(p.FunctionCall.Args), p.FunctionCall.ID
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// event is one server-sent event.
type event struct {
	name string
	data []byte
}

func readEvents(t *testing.T, b []byte) (out []event) {
	t.Helper()
	var e event
	sc := bufio.NewScanner(bytes.NewReader(b))
	for sc.Scan() {
		switch name, value, _ := strings.Cut(sc.Text(), ": "); name {
		case "event":
			e.name = value
		case "data":
			e.data = []byte(value)
		case "":
			out = append(out, e)
			e = event{}
		default:
			t.Errorf("the stream has the line %q", sc.Text())
		}
	}
	return out
}

func start(t *testing.T) *Model {
	t.Helper()
	m, err := StartModel("127.0.0.1:0", script)
	must(t, err)
	t.Cleanup(m.Close)
	return m
}

// said is one whole answer.
type said struct {
	status int
	kind   string
	body   []byte
}

func post(t *testing.T, url string, body any) said {
	t.Helper()
	b, err := json.Marshal(body)
	must(t, err)
	res, err := http.Post(url, "application/json", bytes.NewReader(b))
	must(t, err)
	defer res.Body.Close()
	b, err = io.ReadAll(res.Body)
	must(t, err)
	return said{res.StatusCode, res.Header.Get("Content-Type"), b}
}

func TestScriptInEveryDialect(t *testing.T) {
	for name, d := range dialects {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/stream=%t", name, stream), func(t *testing.T) {
				m := start(t)
				read := func(results ...string) turn {
					t.Helper()
					res := post(t, m.URL+d.path(stream), d.request(stream, results))
					if res.status != 200 {
						t.Fatalf("status %d", res.status)
					}
					if !stream {
						return d.whole(t, res.body)
					}
					if res.kind != "text/event-stream" {
						t.Errorf("a stream has the type %q", res.kind)
					}
					return d.events(t, readEvents(t, res.body))
				}
				first, second, last := read(), read("fine"), read("fine", "blocked: no")
				for i, got := range []turn{first, second} {
					var want, have any
					must(t, json.Unmarshal([]byte([]string{`{"command":"echo \"a\" > b"}`, `{"command":"rm -rf ~/x"}`}[i]), &want))
					if err := json.Unmarshal([]byte(got.input), &have); err != nil || fmt.Sprint(want) != fmt.Sprint(have) || got.tool != "sh" || got.id == "" || got.text != "" {
						t.Errorf("call %d is %+v", i, got)
					}
				}
				if first.id == second.id {
					t.Errorf("both calls have the ID %s", first.id)
				}
				if last.text != final || last.tool != "" || last.stop == "" {
					t.Errorf("the end is %+v", last)
				}
				if first.stop == last.stop && name != "responses" && name != "gemini" {
					t.Errorf("a call and the end both stop with %q", last.stop)
				}
				h := m.Transcript()
				if h.Asked != 2 || h.Requests != 3 || len(h.Results) != 2 || !strings.Contains(h.Results[1], "blocked: no") {
					t.Errorf("transcript %+v", h)
				}
			})
		}
	}
}

// Newer OpenAI models are given tools that take plain text, in namespaces, and in the
// conversation.
func TestTextTool(t *testing.T) {
	m, err := StartModel("127.0.0.1:0", []ScriptedCall{{{Tool: "functions.exec", Text: "run()"}}})
	must(t, err)
	defer m.Close()
	res := post(t, m.URL+"/v1/responses", object{"stream": true, "input": []object{{"type": "additional_tools", "tools": []object{{"type": "namespace", "name": "functions", "tools": []object{{"name": "exec"}}}}}}})
	for _, e := range readEvents(t, res.body) {
		var d struct {
			Type string
			Item struct{ Type, Name, Namespace, Input string }
		}
		must(t, json.Unmarshal(e.data, &d))
		if i := d.Item; d.Type == "response.output_item.done" && (i.Type != "custom_tool_call" || i.Name != "exec" || i.Namespace != "functions" || i.Input != "run()") {
			t.Errorf("the item is %+v", i)
		}
	}
	if m.Transcript().Asked != 1 {
		t.Errorf("transcript %+v", m.Transcript())
	}
}

// Requests without tools are for titles and summaries: they get a text and move nothing.
func TestSideRequests(t *testing.T) {
	m := start(t)
	for range 3 {
		res := post(t, m.URL+"/v1/messages", object{"messages": []object{{"role": "user", "content": "a title, please"}}})
		if !strings.Contains(string(res.body), final) {
			t.Errorf("said %s", res.body)
		}
	}
	res := post(t, m.URL+"/v1beta/models/x:generateContent", object{"generationConfig": object{"responseMimeType": "application/json"}})
	var doc any
	if got := geminiTurn(t, res.body); json.Unmarshal([]byte(got.text), &doc) != nil {
		t.Errorf("asked for JSON, it said %q", got.text)
	}
	if h := m.Transcript(); h.Asked != 0 || h.Requests != 4 {
		t.Errorf("transcript %+v", h)
	}
	d := dialects["chat"]
	post(t, m.URL+d.path(false), d.request(false, []string{"fine", "blocked: no"}))
	post(t, m.URL+d.path(false), object{"messages": []object{{"role": "tool", "content": "a part of it, summed up"}}})
	if h := m.Transcript(); len(h.Results) != 2 || h.Results[1] != "blocked: no" {
		t.Errorf("a summary made it forget: %+v", h)
	}
}

func TestSmallTalk(t *testing.T) {
	m := start(t)
	for _, tt := range []struct {
		method, path, header string
		status               int
		says                 string
	}{
		{"GET", "/v1/models", "", 200, `"id":"scripted-model"`},
		{"POST", "/v1/messages/count_tokens", "", 200, `"input_tokens":100`},
		{"POST", "/v1beta/models/x:countTokens", "", 200, `"totalTokens":100`},
		{"GET", "/v1/me", "", 200, "{}"},
		{"HEAD", "/", "", 200, ""},
		{"POST", "/telemetry", "", 404, "{}"},
		{"GET", "/registry/@scope%2fplugin", "", 404, "{}"},
		{"GET", "/v1/responses", "websocket", 426, ""},
		{"POST", "/v1/responses", "", 400, "invalid_request_error"}, // no JSON
	} {
		req, err := http.NewRequest(tt.method, m.URL+tt.path, strings.NewReader("garbage"))
		must(t, err)
		if tt.header != "" {
			req.Header.Set("Upgrade", tt.header)
		}
		res, err := http.DefaultClient.Do(req)
		must(t, err)
		body, err := io.ReadAll(res.Body)
		must(t, err)
		res.Body.Close()
		if res.StatusCode != tt.status || !strings.Contains(string(body), tt.says) {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, res.StatusCode, body)
		}
	}
	if h := m.Transcript(); h.Requests != 0 {
		t.Errorf("small talk counts: %+v", h)
	}
}

func TestTooLarge(t *testing.T) {
	m := &Model{}
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("POST", "/v1/messages", io.LimitReader(zeros{}, maxRequest+1)))
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", w.Code)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A client that is killed leaves half a request, or does not read its answer. Neither
// keeps the next one from being served, nor the model from ending.
func TestCutConnections(t *testing.T) {
	m := start(t)
	addr := strings.TrimPrefix(m.URL, "http://")
	for _, sent := range []string{
		"POST /v1/messages HT",
		"POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{\"mod",
		"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{\"stream\":true}",
	} {
		c, err := new(net.Dialer).DialContext(context.Background(), "tcp", addr)
		must(t, err)
		_, err = io.WriteString(c, sent)
		must(t, err)
		must(t, c.(*net.TCPConn).SetLinger(0)) // a reset, as from a killed process
		c.Close()
	}
	open, err := new(net.Dialer).DialContext(context.Background(), "tcp", addr)
	must(t, err)
	defer open.Close()
	_, err = io.WriteString(open, "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
	must(t, err)
	if got := dialects["anthropic"].whole(t, post(t, m.URL+"/v1/messages", dialects["anthropic"].request(false, nil)).body); got.tool != "sh" {
		t.Errorf("said %+v", got)
	}
	m.Close()               // returns, although a request is half there
	_, _ = io.ReadAll(open) // ends, because the connection does
}

func FuzzRequest(f *testing.F) {
	paths := []string{"/v1/messages", "/v1/responses", "/v1/chat/completions", "/m:generateContent", "/m:streamGenerateContent"}
	for i, name := range []string{"anthropic", "responses", "chat", "gemini", "gemini"} {
		b, _ := json.Marshal(dialects[name].request(i%2 == 0, []string{"a"}))
		f.Add(i, string(b))
	}
	f.Add(0, `{"messages":[{"content":[{"type":"tool_result","content":null}]}]}`)
	f.Add(1, `{"input":"text","tools":[{"type":"namespace"}]}`)
	f.Fuzz(func(t *testing.T, i int, body string) {
		m := &Model{script: script}
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("POST", paths[uint(i)%uint(len(paths))], strings.NewReader(body)))
		if w.Code != 200 && w.Code != 400 || w.Body.Len() == 0 {
			t.Errorf("status %d, %d bytes", w.Code, w.Body.Len())
		}
		if h := m.Transcript(); len(h.Results) > len(script) || h.Asked > len(script) {
			t.Errorf("transcript %+v", h)
		}
	})
}
