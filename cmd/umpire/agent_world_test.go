//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// step is one answer of a scripted model.
type step struct {
	text   string
	calls  []scriptedCall
	status int             // of HTTP, if it is a failure
	raw    string          // the whole answer, as the wire has it
	hang   bool            // it never ends
	before func(in string) // looks at the request
	drip   time.Duration   // between pieces
}

type scriptedCall struct{ name, input string }

func calls(list ...string) (out []scriptedCall) {
	for i := 0; i+1 < len(list); i += 2 {
		out = append(out, scriptedCall{list[i], list[i+1]})
	}
	return out
}

// agentModel speaks a provider's wire and says what a test wrote.
type agentModel struct {
	*httptest.Server
	t        *testing.T
	wire     string // "openai" or "anthropic"
	piece    int    // bytes that are sent at once; 0: all
	hanging  chan struct{}
	mu       sync.Mutex
	steps    []step
	requests []string
	keys     []string // of the requests
	ids      int
}

func scriptModel(t *testing.T, wire string, piece int, steps ...step) *agentModel {
	t.Helper()
	m := &agentModel{t: t, wire: wire, piece: piece, steps: steps, hanging: make(chan struct{}, 16)}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(func() {
		m.CloseClientConnections()
		m.Close()
	})
	return m
}

// env is the environment of an agent that asks this model.
func (m *agentModel) env(home string) []string {
	e := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "PROVIDER=" + m.wire, "MODEL_ID=scripted"}
	if m.wire == "anthropic" {
		return append(e, "ANTHROPIC_API_KEY=test-key", "ANTHROPIC_BASE_URL="+m.URL)
	}
	return append(e, "OPENAI_API_KEY=test-key", "OPENAI_BASE_URL="+m.URL+"/v1")
}

// asked returns the requests so far.
func (m *agentModel) asked() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.requests...)
}

func (m *agentModel) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // it went away
	}
	m.mu.Lock()
	m.requests = append(m.requests, string(body))
	m.keys = append(m.keys, r.Header.Get("Authorization")+r.Header.Get("X-Api-Key"))
	s := step{text: "That is all."}
	if len(m.steps) > 0 {
		s, m.steps = m.steps[0], m.steps[1:]
	}
	var ids []string
	for range s.calls {
		m.ids++
		ids = append(ids, fmt.Sprintf("call_%d", m.ids))
	}
	m.mu.Unlock()
	if s.before != nil {
		s.before(string(body))
	}
	if s.status != 0 {
		w.WriteHeader(s.status)
		io.WriteString(w, `{"error":{"message":"scripted failure"}}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	text := s.raw
	if text == "" {
		text = m.render(s, ids)
	}
	n := m.piece
	if n == 0 {
		n = len(text)
	}
	for i := 0; i < len(text); i += n {
		if s.hang && i+n >= len(text) {
			break
		}
		if _, err := io.WriteString(w, text[i:min(len(text), i+n)]); err != nil {
			return
		}
		w.(http.Flusher).Flush()
		if s.drip > 0 {
			time.Sleep(s.drip) // the test is about a slow server
		}
	}
	if s.hang {
		m.hanging <- struct{}{}
		<-r.Context().Done()
	}
}

func (m *agentModel) render(s step, ids []string) string {
	var b strings.Builder
	js := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			m.t.Error(err)
		}
		return string(out)
	}
	type o = map[string]any
	if m.wire == "anthropic" {
		ev := func(kind string, v o) {
			v["type"] = kind
			fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", kind, js(v))
		}
		ev("message_start", o{"message": o{"id": "m", "type": "message", "role": "assistant", "content": []any{}, "usage": o{"input_tokens": 100, "output_tokens": 1}}})
		at := 0
		if s.text != "" {
			ev("content_block_start", o{"index": at, "content_block": o{"type": "text", "text": ""}})
			for _, word := range strings.SplitAfter(s.text, " ") {
				ev("content_block_delta", o{"index": at, "delta": o{"type": "text_delta", "text": word}})
			}
			ev("content_block_stop", o{"index": at})
			at++
		}
		for i, c := range s.calls {
			ev("content_block_start", o{"index": at, "content_block": o{"type": "tool_use", "id": ids[i], "name": c.name, "input": o{}}})
			half := len(c.input) / 2
			for _, part := range []string{c.input[:half], c.input[half:]} {
				ev("content_block_delta", o{"index": at, "delta": o{"type": "input_json_delta", "partial_json": part}})
			}
			ev("content_block_stop", o{"index": at})
			at++
		}
		stop := "end_turn"
		if len(s.calls) > 0 {
			stop = "tool_use"
		}
		ev("message_delta", o{"delta": o{"stop_reason": stop}, "usage": o{"output_tokens": 20}})
		ev("message_stop", o{})
		return b.String()
	}
	chunk := func(v any) { fmt.Fprintf(&b, "data: %s\n\n", js(v)) }
	delta := func(d o, finish any) { chunk(o{"choices": []o{{"index": 0, "delta": d, "finish_reason": finish}}}) }
	for _, word := range strings.SplitAfter(s.text, " ") {
		delta(o{"content": word}, nil)
	}
	for i, c := range s.calls {
		half := len(c.input) / 2
		delta(o{"tool_calls": []o{{"index": i, "id": ids[i], "type": "function", "function": o{"name": c.name, "arguments": c.input[:half]}}}}, nil)
		delta(o{"tool_calls": []o{{"index": i, "function": o{"arguments": c.input[half:]}}}}, nil)
	}
	finish := "stop"
	if len(s.calls) > 0 {
		finish = "tool_calls"
	}
	delta(o{}, finish)
	chunk(o{"choices": []o{}, "usage": o{"prompt_tokens": 100, "completion_tokens": 20}})
	b.WriteString("data: [DONE]\n\n")
	return b.String()
}

// agentHome is a home with a project in it, and a policy if it is not empty.
func agentHome(t *testing.T, policy string) (home, dir string) {
	t.Helper()
	home = t.TempDir()
	dir = filepath.Join(home, "proj")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if policy != "" {
		put(t, filepath.Join(home, ".config", "umpire", "policy.yaml"), "version: 1\n"+policy)
	}
	return home, dir
}

// agentRun runs the real program and returns what it printed and its exit status.
func agentRun(t *testing.T, m *agentModel, home, dir, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t), append([]string{"agent"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, m.env(home), strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}
