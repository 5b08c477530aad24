package hooks

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Run is one run of an agent. Its fields do not change. Its methods are safe for concurrent
// use.
type Run struct {
	ID      string // a random UUID
	User    string
	Email   string // may be empty
	Prompt  string
	Channel string // source of the prompt; may be empty
	Start   time.Time

	mu    sync.Mutex // guards the fields below
	tools []string
	meta  map[string]any
	calls int
}

// NewRun begins a run for a user's prompt. An empty user becomes "anonymous".
func NewRun(user, prompt string) *Run {
	if user == "" {
		user = "anonymous"
	}
	return &Run{ID: uuid(), User: user, Prompt: prompt, Start: time.Now()}
}

// uuid returns a random UUID, version 4 of RFC 9562.
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, as documented
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Set stores a value for later hooks of the run.
func (r *Run) Set(key string, value any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.meta == nil {
		r.meta = map[string]any{}
	}
	r.meta[key] = value
}

// Get returns the value that Set stored for key.
func (r *Run) Get(key string) (value any, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, ok = r.meta[key]
	return value, ok
}

// Metadata returns a copy of all stored values.
func (r *Run) Metadata() map[string]any {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.meta)
}

// Tools returns the names of the tools called so far, each once, in order of the first call.
func (r *Run) Tools() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tools)
}

// used records the call of a tool.
func (r *Run) used(tool string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.tools, tool) {
		r.tools = append(r.tools, tool)
	}
}

// Call returns the context of the run's next tool call.
func (r *Run) Call(tool string, params map[string]any) *ToolCall {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	return &ToolCall{Run: r, Tool: tool, Params: params, Index: r.calls - 1}
}

// ToolCall is one call of a tool.
type ToolCall struct {
	Run    *Run
	Tool   string
	Params map[string]any // read-only; to change it, return Modify
	Index  int            // position in the run, from 0

	began time.Time // time at which Call let the tool run
}

// secretWords are parts of the names of parameters whose values stay out of logs.
var secretWords = []string{"password", "token", "secret", "key", "credential", "apikey"}

// MaskedParams returns a copy of the parameters with secrets replaced by "***". A value is a
// secret if its key contains password, token, secret, key, credential or apikey, in any case
// and at any depth.
func (c *ToolCall) MaskedParams() map[string]any {
	m, _ := masked(c.Params, 0).(map[string]any)
	return m
}

// maxDepth limits how deep parameters are inspected; deeper values are masked whole.
const maxDepth = 64

func masked(v any, depth int) any {
	if depth > maxDepth {
		return "***"
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			if secret(k) {
				out[k] = "***"
				continue
			}
			out[k] = masked(e, depth+1)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = masked(e, depth+1)
		}
		return out
	case nil, string, bool, float64, int, int64, json.Number:
		return v
	}
	// A type of the caller: mask its JSON form, which a log would show.
	b, err := json.Marshal(v)
	var plain any
	if err != nil || json.Unmarshal(b, &plain) != nil {
		return "***"
	}
	return masked(plain, depth+1)
}

func secret(key string) bool {
	k := strings.ToLower(key)
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(k, w) })
}
