package engine

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/egress"
)

// outlet is the network of a foreign client: a loopback URL with a placeholder key, behind which
// the broker is. A request passes if it is for the right model and offers it only umpire's tools.
type outlet struct {
	b     *broker
	d     *reviewState
	a     *agent
	turns int

	URL         string
	Placeholder string

	server *http.Server
	mu     sync.Mutex
	used   int
	seen   map[string]bool // IDs of inspected calls
	fault  error           // reason for refusing the first refused request
	failed error           // latest error of the provider
}

// maxStreamed limits all responses to one client, in bytes.
const maxStreamed = 64 << 20

// openOutlet listens until close.
func openOutlet(ctx context.Context, b *broker, d *reviewState, a *agent) (*outlet, error) {
	o := &outlet{b: b, d: d, a: a, turns: d.MaxTurns, seen: map[string]bool{}, Placeholder: "placeholder-" + rand.Text()}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	o.URL = "http://" + l.Addr().String()
	handler := http.Handler(o)
	if d.protocol() == geminiProvider {
		handler = http.HandlerFunc(o.serveGemini)
	}
	o.server = &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10, BaseContext: func(net.Listener) context.Context { return ctx }}
	go func() { _ = egress.ServeStrict(o.server, l) }()
	return o, nil
}

func (o *outlet) close() { _ = o.server.Close() }

// paths maps the permitted paths to paths below the provider's URL.
var paths = map[string]string{"/v1/messages": "/v1/messages", "/v1/responses": "/responses", "/v1/chat/completions": "/chat/completions"}

// ServeHTTP implements http.Handler.
func (o *outlet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := r.Header.Get("X-Api-Key")
	if key == "" {
		key = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	// Other users of this machine would spend the user's money.
	if subtle.ConstantTimeCompare([]byte(key), []byte(o.Placeholder)) != 1 {
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusUnauthorized)
		return
	}
	to, ok := paths[r.URL.Path]
	if r.Method == http.MethodPost && r.URL.Path == "/v1/messages/count_tokens" {
		_, _ = io.WriteString(w, `{"input_tokens":1}`)
		return
	}
	if !ok || r.Method != http.MethodPost || (to == "/v1/messages") != o.b.provider.Anthropic {
		http.Error(w, `{"error":{"message":"there is nothing here"}}`, http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxAsked))
	if err == nil {
		err = o.check(body)
	}
	if err != nil {
		o.forbid(w, err)
		return
	}
	o.pass(w, r, to, body)
}

// forbid refuses a request that breaks a rule. The first one ends the review.
func (o *outlet) forbid(w http.ResponseWriter, err error) {
	o.mu.Lock()
	if o.fault == nil {
		o.fault = fmt.Errorf("%w: %w", errRefused, err)
	}
	o.mu.Unlock()
	o.refuse(w, http.StatusForbidden, err)
}

// refuse explains a refusal to a client, in umpire's words and the client's format. Clients do not
// retry after these statuses, because umpire has retried.
func (o *outlet) refuse(w http.ResponseWriter, status int, err error) {
	v := obj{"type": "error", "error": obj{"type": "invalid_request_error", "message": "umpire: " + err.Error()}}
	if o.d.protocol() == geminiProvider {
		name := "PERMISSION_DENIED"
		if status == http.StatusBadRequest {
			name = "INVALID_ARGUMENT"
		}
		v = obj{"error": obj{"code": status, "status": name, "message": "umpire: " + err.Error()}}
	}
	b, _ := json.Marshal(v) // consists of strings and a number
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b)
}

// pass forwards a request, and the response once it is complete. An interrupted response is
// requested again: half an answer must not look complete.
func (o *outlet) pass(w http.ResponseWriter, r *http.Request, to string, body []byte) {
	client := o.b.client()
	var answer []byte
	var kind string
	err := o.b.again(r.Context(), o.a.until, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.b.base+to, bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		for _, h := range []string{"Accept", "Anthropic-Version", "Anthropic-Beta"} {
			if v := r.Header.Get(h); v != "" {
				req.Header.Set(h, v)
			}
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		kind = resp.Header.Get("Content-Type")
		answer, err = io.ReadAll(resp.Body)
		return err
	})
	o.mu.Lock()
	if o.used += len(answer); err == nil && o.used > maxStreamed {
		err = fmt.Errorf("%w: %d bytes of answers", errLimit, maxStreamed)
		o.fault = err
	}
	o.failed = err
	o.mu.Unlock()
	if err != nil {
		o.refuse(w, http.StatusBadRequest, err)
		return
	}
	o.d.passed(o.a, body) // no model read a request that was refused or never arrived
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(answer) // the client may have left
}

// check refuses requests that would give a model more than umpire's tools.
func (o *outlet) check(body []byte) error {
	var req map[string]json.RawMessage
	if err := json.Unmarshal(body, &req); err != nil {
		return errors.New("the request is not JSON")
	}
	var name string
	if err := json.Unmarshal(req["model"], &name); err != nil || name != o.b.model {
		return errors.New("the request is for another model")
	}
	for _, key := range []string{"mcp_servers", "container", "plugins", "web_search_options", "background", "previous_response_id", "conversation"} {
		if v, ok := req[key]; ok && string(v) != "null" && string(v) != "false" {
			return fmt.Errorf("the request has %s", key)
		}
	}
	if err := tooled(req["tools"]); err != nil {
		return err
	}
	var items []struct {
		Type  string
		Tools json.RawMessage
	}
	if err := json.Unmarshal(req["input"], &items); err == nil {
		for _, i := range items {
			if err := tooled(i.Tools); err != nil {
				return err
			}
		}
	}
	o.recordUnknown(req)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.turns--; o.turns < 0 {
		return fmt.Errorf("%w: %d turns (--max-turns)", errLimit, o.d.MaxTurns)
	}
	return nil
}

// tooled refuses tools other than umpire's.
func tooled(raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var tools []struct {
		Type, Name string
		Function   struct{ Name string }
		Tools      json.RawMessage
	}
	if err := json.Unmarshal(raw, &tools); err != nil {
		return errors.New("cannot read the request's tools")
	}
	for _, t := range tools {
		if t.Type == "namespace" && (t.Name == "mcp__umpire" || t.Name == "mcp__umpire__") {
			var sub []struct{ Type, Name string }
			if err := json.Unmarshal(t.Tools, &sub); err != nil {
				return errors.New("cannot read the request's tools")
			}
			for _, s := range sub {
				if s.Type != "function" || !mayBeOffered(s.Name) {
					return fmt.Errorf("the client offers the model an unknown tool of umpire's server, %.60q", s.Name)
				}
			}
			continue
		}
		if t.Type != "" && t.Type != "custom" && t.Type != "function" || !mayBeOffered(t.Name+t.Function.Name) {
			return fmt.Errorf("the client offers the model a tool of its own, %.60q %.40q", t.Name+t.Function.Name, t.Type)
		}
	}
	return nil
}

// harmless lists client tools that write to the conversation, ask a person who is not there, or ask
// umpire's server, the only one, for resources, of which it has none.
var harmless = map[string]bool{"StructuredOutput": true, "update_plan": true, "list_mcp_resources": true, "list_mcp_resource_templates": true, "read_mcp_resource": true, "request_user_input": true}

// served reports whether a tool belongs to umpire's server, by the client's name for it.
func served(name string) bool {
	for _, n := range externalNames {
		if name == "mcp__umpire__"+n || name == "umpire_"+n || name == "umpire__"+n {
			return true
		}
	}
	return false
}

// mayBeOffered reports whether a model may be offered a tool. Names in a namespace have no prefix.
func mayBeOffered(name string) bool {
	for _, n := range externalNames {
		if name == n {
			return true
		}
	}
	return served(name) || harmless[name]
}

// recordUnknown records calls of unknown tools. A client answers those by itself, so umpire sees them only
// when the client sends the conversation again.
func (o *outlet) recordUnknown(req map[string]json.RawMessage) {
	note := func(id, name string, args json.RawMessage) {
		o.mu.Lock()
		known := o.seen[id] || len(o.seen) > 10_000
		o.seen[id] = true
		o.mu.Unlock()
		if !known && !mayBeOffered(name) {
			o.d.decide(o.a, name, args, "")
		}
	}
	var messages []struct {
		Content   json.RawMessage
		ToolCalls []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
	if json.Unmarshal(req["messages"], &messages) == nil {
		for _, m := range messages {
			var parts []struct {
				Type, ID, Name string
				Input          json.RawMessage
			}
			if json.Unmarshal(m.Content, &parts) == nil {
				for _, p := range parts {
					if p.Type == "tool_use" {
						note(p.ID, p.Name, p.Input)
					}
				}
			}
			for _, c := range m.ToolCalls {
				note(c.ID, c.Function.Name, json.RawMessage(c.Function.Arguments))
			}
		}
	}
	var input []struct {
		Type, Name, Arguments string
		CallID                string `json:"call_id"`
	}
	if json.Unmarshal(req["input"], &input) == nil {
		for _, c := range input {
			if c.Type == "function_call" || c.Type == "custom_tool_call" {
				note(c.CallID, c.Name, json.RawMessage(c.Arguments))
			}
		}
	}
}
