// Package modeltest plays a model for tests: honest, malicious or broken, by a script. It
// serves Anthropic's Messages, OpenAI's Chat Completions and Responses, and Google's
// generateContent.
package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Key is the key that the server wants.
const Key = "sk-modeltest-0123456789"

// Turn is a request to the model.
type Turn struct {
	N       int // from 0, within a conversation
	System  string
	User    string   // the first message
	Results []string // of all calls so far, in order
	Last    string   // the newest message's text
	Header  http.Header
	Body    string
}

var reference = regexp.MustCompile(`typed://\S+`)

// Refs are the references that the first message lists, in order.
func (t Turn) Refs() []string { return reference.FindAllString(t.User, -1) }

// Ref returns the reference of the file whose name has that ending.
func (t Turn) Ref(name string) string {
	lines := strings.Split(t.User, "\n")
	for i, l := range lines[:max(0, len(lines)-1)] {
		if strings.Contains(l, name+`"`) {
			return strings.TrimSpace(lines[i+1])
		}
	}
	return ""
}

// Call is a tool call that the model makes.
type Call struct {
	Tool string
	Args any
}

// Say is the model's response: a text, or calls.
type Say struct {
	Text   string
	Calls  []Call
	Status int           // of HTTP, 200 if 0
	Raw    string        // the complete body, instead
	Header http.Header   // besides
	Block  chan struct{} // answers when it is closed
	Reset  bool          // ends the connection instead
	Cut    bool          // ends the connection in the middle of the answer
	Cached int           // tokens that were read from the cache
}

// Read calls Read with a reference.
func Read(ref string) Call { return Call{"Read", map[string]any{"ref": ref}} }

// Server is a model.
type Server struct {
	URL string

	mu    sync.Mutex
	turns []Turn
}

// Turns returns the requests so far.
func (s *Server) Turns() []Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Turn(nil), s.turns...)
}

// Start starts a model on the loopback address that answers as script says.
func Start(t testing.TB, script func(Turn) Say) *Server {
	t.Helper()
	s := &Server{}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
		if err != nil {
			return
		}
		anthropic := strings.HasSuffix(r.URL.Path, "/messages")
		gemini := strings.HasSuffix(strings.ToLower(r.URL.Path), "generatecontent")
		if r.Header.Get("X-Api-Key") != Key && (!gemini || r.Header.Get("X-Goog-Api-Key") != Key) && r.Header.Get("Authorization") != "Bearer "+Key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		turn := read(body, anthropic)
		if gemini {
			turn = readGemini(body)
		}
		turn.Header, turn.Body = r.Header, string(body)
		s.mu.Lock()
		s.turns = append(s.turns, turn)
		id := len(s.turns) // not the turn: clients may put turns together
		s.mu.Unlock()
		say := script(turn)
		if say.Block != nil {
			select {
			case <-say.Block:
			case <-r.Context().Done():
				return
			}
		}
		if say.Reset {
			reset(w)
			return
		}
		if say.Cut {
			w = &cut{ResponseWriter: w}
		}
		for k, v := range say.Header {
			w.Header()[k] = v
		}
		streamed := say.Raw == "" && say.Status == 0 && (strings.Contains(string(body), `"stream":true`) || strings.HasSuffix(r.URL.Path, "streamGenerateContent"))
		if streamed {
			w.Header().Set("Content-Type", "text/event-stream")
		} else {
			w.Header().Set("Content-Type", "application/json")
		}
		if say.Status != 0 {
			w.WriteHeader(say.Status)
		}
		if say.Raw != "" {
			_, _ = io.WriteString(w, say.Raw)
			return
		}
		switch {
		case gemini:
			writeGemini(w, say, streamed)
		case strings.HasSuffix(r.URL.Path, "/responses"):
			streamResponses(w, say, id)
		case streamed && anthropic:
			streamAnthropic(w, write(say, id, true))
		case streamed:
			streamChat(w, write(say, id, false))
		default:
			_ = json.NewEncoder(w).Encode(write(say, id, anthropic))
		}
		if say.Cut {
			reset(w)
		}
	}))
	t.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	s.URL = h.URL
	return s
}

// reset ends a connection with a reset.
func reset(w http.ResponseWriter) {
	if c, ok := w.(*cut); ok {
		w = c.ResponseWriter
	}
	h, ok := w.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	c, _, err := h.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
	_ = c.Close()
}

// cut lets the beginning of an answer through.
type cut struct {
	http.ResponseWriter
	writes int
}

func (c *cut) Write(b []byte) (int, error) {
	if c.writes++; c.writes > 2 {
		return len(b), nil
	}
	n, err := c.ResponseWriter.Write(b)
	if f, ok := c.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
	return n, err
}

type object = map[string]any

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(raw, &parts) // otherwise there is no text
	for _, p := range parts {
		s += p.Text
	}
	return s
}

func read(body []byte, anthropic bool) (t Turn) {
	var req struct {
		System   json.RawMessage
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	_ = json.Unmarshal(body, &req) // a script sees that it is empty
	if req.Messages == nil {
		return readResponses(body)
	}
	t.System = text(req.System)
	for _, m := range req.Messages {
		if m.Role == "assistant" {
			t.N++
			continue
		}
		if t.Last = text(m.Content); m.Role == "system" {
			t.System = t.Last
			continue
		}
		if m.Role == "tool" {
			t.Results = append(t.Results, t.Last)
		} else if strings.Contains(t.Last, "typed://") && t.User == "" { // clients put words of their own before it
			t.User = t.Last
		}
		var parts []struct {
			Type    string
			Content json.RawMessage
		}
		if json.Unmarshal(m.Content, &parts) == nil && anthropic {
			for _, p := range parts {
				if p.Type == "tool_result" {
					t.Results = append(t.Results, text(p.Content))
				}
			}
		}
	}
	return t
}

func write(s Say, n int, anthropic bool) object {
	if anthropic {
		content := []object{}
		if s.Text != "" {
			content = append(content, object{"type": "text", "text": s.Text})
		}
		stop := "end_turn"
		for i, c := range s.Calls {
			stop = "tool_use"
			content = append(content, object{"type": "tool_use", "id": fmt.Sprintf("call_%d_%d", n, i), "name": c.Tool, "input": c.Args})
		}
		return object{"id": "m", "type": "message", "role": "assistant", "content": content, "stop_reason": stop, "usage": object{"input_tokens": 7 - s.Cached, "cache_read_input_tokens": s.Cached, "output_tokens": 3}}
	}
	m := object{"role": "assistant", "content": s.Text}
	var calls []object
	for i, c := range s.Calls {
		args, ok := c.Args.(string)
		if !ok {
			b, _ := json.Marshal(c.Args)
			args = string(b)
		}
		calls = append(calls, object{"id": fmt.Sprintf("call_%d_%d", n, i), "type": "function", "function": object{"name": c.Tool, "arguments": args}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	return object{"id": "m", "object": "chat.completion", "choices": []object{{"index": 0, "message": m}}, "usage": object{"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10, "prompt_tokens_details": object{"cached_tokens": s.Cached}}}
}

// Finding is one finding as JSON.
func Finding(severity, description, file string, line int) string {
	b, _ := json.Marshal(object{"type": "security_issue", "severity": severity, "description": description, "location": object{"file": file, "line": line}})
	return string(b)
}

// Answer is a complete answer with findings.
func Answer(risk string, findings ...string) string {
	return `{"findings":[` + strings.Join(findings, ",") + `],"riskLevel":"` + risk + `","recommendedActions":[],"metadata":{}}`
}

// Honest reads every file and then answers.
func Honest(answer string) func(Turn) Say {
	return func(t Turn) Say {
		if t.N == 0 {
			var calls []Call
			for _, ref := range t.Refs() {
				calls = append(calls, Read(ref))
			}
			if len(calls) > 0 {
				return Say{Calls: calls}
			}
		}
		return Say{Text: answer}
	}
}
