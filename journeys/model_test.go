package journeys

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// script is a model that gives one answer after another. It speaks OpenAI's chat completions.
type script struct {
	mu    sync.Mutex // guards steps and calls
	steps []turn
	calls int
}

// turn is one line of a model's file: {"say":"text"} or {"call":"bash","with":{...}}.
type turn struct {
	Say  string          `json:"say"`
	Call string          `json:"call"`
	With json.RawMessage `json:"with"`
}

// startModel starts a model that answers with the lines of a file, and then "That is all.".
// It sets the variables by which umpire finds it.
func startModel(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 1, "model FILE")
	m := &script{}
	for lines := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0]))); lines.Scan(); {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var t turn
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			ts.Fatalf("%s: %s: %v", args[0], lines.Text(), err)
		}
		m.steps = append(m.steps, t)
	}
	srv := httptest.NewServer(m)
	ts.Defer(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	for k, v := range map[string]string{"PROVIDER": "openai", "MODEL_ID": "scripted", "OPENAI_API_KEY": "test-key", "OPENAI_BASE_URL": srv.URL + "/v1"} {
		ts.Setenv(k, v)
	}
}

func (m *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, io.LimitReader(r.Body, 64<<20)); err != nil {
		return // the client has gone
	}
	m.mu.Lock()
	t := turn{Say: "That is all."}
	if len(m.steps) > 0 {
		t, m.steps = m.steps[0], m.steps[1:]
	}
	m.calls++
	id := fmt.Sprintf("call_%d", m.calls)
	m.mu.Unlock()
	type o = map[string]any
	delta, finish := o{"content": t.Say}, "stop"
	if t.Call != "" {
		delta["tool_calls"] = []o{{"index": 0, "id": id, "type": "function", "function": o{"name": t.Call, "arguments": string(t.With)}}}
		finish = "tool_calls"
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, v := range []o{
		{"choices": []o{{"index": 0, "delta": delta, "finish_reason": nil}}},
		{"choices": []o{{"index": 0, "delta": o{}, "finish_reason": finish}}},
		{"choices": []o{}, "usage": o{"prompt_tokens": 100, "completion_tokens": 20}},
	} {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // it is made of plain values
		}
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}
