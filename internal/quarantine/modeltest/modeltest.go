// Package modeltest plays a scripted model for tests: honest, malicious or broken. It serves
// Anthropic's Messages, OpenAI's Chat Completions and Responses, and Google's generateContent.
package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Key is the key that the server requires.
const Key = "sk-modeltest-0123456789"

// Turn is a request to the model.
type Turn struct {
	N       int // number of the turn in its conversation, from 0
	System  string
	User    string   // results of all calls so far, in order
	Results []string // text of the newest message
	Last    string   // the newest message's text
	Header  http.Header
	Body    string
}

var reference = regexp.MustCompile(`typed://\S+`)

// Refs returns the references in the first message, in order.
func (t Turn) Refs() []string { return reference.FindAllString(t.User, -1) }

// Ref returns the reference of the file whose name has that suffix.
func (t Turn) Ref(name string) string {
	lines := strings.Split(t.User, "\n")
	for i, l := range lines[:max(0, len(lines)-1)] {
		if strings.Contains(l, name+`"`) {
			return strings.TrimSpace(lines[i+1])
		}
	}
	return ""
}

// ToolCall is a tool call of the model.
type ToolCall struct {
	Tool string
	Args any
}

// Say is the model's response: a text, or calls.
type Say struct {
	Text   string
	Calls  []ToolCall
	Status int           // HTTP status; 200 if 0
	Raw    string        // the complete body, instead of Text and Calls
	Header http.Header   // additional headers
	Block  chan struct{} // respond when it is closed
	Reset  bool          // reset the connection instead
	Cut    bool          // cut the connection in the middle of the response
	Cached int           // tokens read from the cache
}

// Read returns a call of Read with a reference.
func Read(ref string) ToolCall { return ToolCall{"Read", map[string]any{"ref": ref}} }

// Server is a scripted model.
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

// Start starts a model on the loopback address that follows a script.
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
		id := len(s.turns) // not the turn's index: clients may join turns
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
		maps.Copy(w.Header(), say.Header)
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

// cut passes on the beginning of a response.
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
	_ = json.Unmarshal(body, &req) // the script sees an empty request
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
		} else if strings.Contains(t.Last, "typed://") && t.User == "" { // clients add text before it
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

// Finding returns one finding as JSON.
func Finding(severity, description, file string, line int) string {
	b, _ := json.Marshal(object{"type": "security_issue", "severity": severity, "description": description, "location": object{"file": file, "line": line}})
	return string(b)
}

// Answer returns a complete answer with findings.
func Answer(risk string, findings ...string) string {
	return `{"findings":[` + strings.Join(findings, ",") + `],"riskLevel":"` + risk + `","recommendedActions":[],"metadata":{}}`
}

// Honest reads every file and then answers.
func Honest(answer string) func(Turn) Say {
	return func(t Turn) Say {
		if t.N == 0 {
			var calls []ToolCall
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
