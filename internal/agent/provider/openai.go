package provider

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/wire"
)

// chat uses OpenAI's Chat Completions API.
type chat struct{ c Config }

// Name implements agent.Model.
func (m *chat) Name() string { return m.c.Model }

// Stream implements agent.Model.
func (m *chat) Stream(ctx context.Context, r agent.ModelRequest) iter.Seq2[agent.Piece, error] {
	params, err := m.params(r)
	return follow(ctx, m.c, "chat/completions", params, err, func() events { return &chatAnswer{wire: m.c.client(), cost: m.c.Provider == "openrouter"} })
}

func (m *chat) params(r agent.ModelRequest) (p wire.ChatRequest, err error) {
	p = wire.ChatRequest{Model: m.c.Model, Stream: true, StreamOptions: &wire.ChatStreamOptions{IncludeUsage: true}}
	if r.System != "" {
		p.Messages = append(p.Messages, wire.ChatMessage{Role: "system", Content: r.System})
	}
	for _, msg := range r.Messages {
		p.Messages = append(p.Messages, chatMessages(msg)...)
	}
	for _, t := range r.Tools {
		spec := wire.ChatToolSpec{Name: t.Name, Description: t.Description}
		if err := json.Unmarshal(t.Schema, &spec.Parameters); err != nil {
			return p, fmt.Errorf("schema of %s: %w", t.Name, err)
		}
		p.Tools = append(p.Tools, wire.ChatTool{Type: "function", Function: spec})
	}
	switch {
	case r.MaxTokens <= 0:
	case m.c.Provider == "openai":
		p.MaxCompletionTokens = r.MaxTokens
	default:
		p.MaxTokens = r.MaxTokens
	}
	switch {
	case r.Effort == "":
	case m.c.Provider == "openrouter":
		p.Reasoning = &wire.ChatReasoning{Effort: r.Effort}
	default:
		p.ReasoningEffort = r.Effort
	}
	switch m.c.Provider {
	case "openrouter":
		p.Usage = &wire.ChatUsage{Include: true}
	case "openai":
		p.Store = new(bool)
		sum := sha256.Sum256([]byte(r.System)) // the requests of one conversation share a prefix
		p.PromptCacheKey = "umpire-" + hex.EncodeToString(sum[:8])
	}
	return p, nil
}

// chatMessages converts a message to this API: each result becomes a separate message.
func chatMessages(m agent.Message) (list []wire.ChatMessage) {
	switch m.Role {
	case agent.Assistant:
		a := wire.ChatMessage{Role: "assistant"}
		if t := m.Text(); t != "" {
			a.Content = t
		}
		for _, c := range m.Calls() {
			args := string(c.Input)
			if c.Broken != "" || args == "" {
				args = "{}"
			}
			a.ToolCalls = append(a.ToolCalls, wire.ChatCall{ID: c.ID, Type: "function", Function: wire.ChatFunction{Name: wireName(c.Name), Arguments: args}})
		}
		if len(a.ToolCalls) == 0 && m.Text() == "" {
			return nil
		}
		return append(list, a)
	case agent.ToolRole:
		for _, p := range m.Parts {
			if p.Result != nil {
				list = append(list, wire.ChatMessage{Role: "tool", Content: p.Result.Text, ToolCallID: p.Result.ID})
			}
		}
		return list
	}
	var parts []wire.ChatPart
	var texts []string
	plain := true
	for _, p := range m.Parts {
		switch {
		case p.Text != "":
			texts = append(texts, p.Text)
			parts = append(parts, wire.ChatPart{Type: "text", Text: p.Text})
		case p.Image != nil:
			plain = false
			url := "data:" + p.Image.Type + ";base64," + base64.StdEncoding.EncodeToString(p.Image.Data)
			parts = append(parts, wire.ChatPart{Type: "image_url", Image: &wire.ChatImage{URL: url}})
		}
	}
	switch {
	case len(parts) == 0:
		return nil
	case plain: // many servers accept only a string; keep text and attachments apart
		return append(list, wire.ChatMessage{Role: "user", Content: strings.Join(texts, "\n\n")})
	}
	return append(list, wire.ChatMessage{Role: "user", Content: parts})
}

// wireName returns a tool name that every server accepts: a model may have called an invalid name.
func wireName(s string) string {
	var b strings.Builder
	for _, r := range s {
		if b.Len() == 64 {
			break
		}
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "unnamed"
	}
	return b.String()
}

// chatAnswer joins the fragments of an answer.
type chatAnswer struct {
	wire   *wire.Client
	cost   bool // the server reports the cost
	calls  []*chatCall
	reason string
	usage  agent.Usage
}

type chatCall struct {
	index    int
	indexed  bool
	id, name string
	args     strings.Builder
}

// chunk is one event. Its types are lax: a field of a type other than OpenAI's must not lose the
// answer.
type chunk struct {
	Choices []struct {
		Delta        chunkDelta `json:"delta"`
		Message      chunkDelta `json:"message"` // for servers that send the answer in one chunk
		FinishReason *string    `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int64   `json:"prompt_tokens"`
		CompletionTokens int64   `json:"completion_tokens"`
		Cost             float64 `json:"cost"`
		Details          struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type chunkDelta struct {
	Content          *string `json:"content"`
	Refusal          *string `json:"refusal"`
	Reasoning        *string `json:"reasoning"`
	ReasoningContent *string `json:"reasoning_content"`
	ToolCalls        []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (a *chatAnswer) event(data []byte) (pieces []agent.Piece, last bool, err error) {
	if bytes.Equal(data, []byte("[DONE]")) {
		return a.end(), true, nil
	}
	pieces, err = a.chunk(data)
	return pieces, false, err
}

func (a *chatAnswer) chunk(data []byte) (pieces []agent.Piece, err error) {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		var typ *json.UnmarshalTypeError
		if !errors.As(err, &typ) { // otherwise keep the fields that were readable
			return nil, errors.New("the model's server sent invalid JSON")
		}
	}
	if len(c.Error) > 0 && !bytes.Equal(c.Error, []byte("null")) {
		pieces = append(pieces, agent.Piece{Fault: a.wire.Said(data)})
	}
	if u := c.Usage; u != nil {
		a.usage = agent.Usage{InputTokens: max(0, u.PromptTokens), OutputTokens: max(0, u.CompletionTokens), TotalTokens: max(0, u.PromptTokens) + max(0, u.CompletionTokens), CachedTokens: max(0, u.Details.Cached)}
		if a.cost && u.Cost >= 0 {
			a.usage.Cost, a.usage.Priced = u.Cost, true
		}
	}
	for _, choice := range c.Choices[:min(1, len(c.Choices))] {
		for _, d := range []*chunkDelta{&choice.Delta, &choice.Message} {
			for _, s := range []*string{d.Reasoning, d.ReasoningContent} {
				if s != nil && *s != "" {
					pieces = append(pieces, agent.Piece{Thinking: &agent.Thinking{Text: *s}})
					break
				}
			}
			for _, s := range []*string{d.Content, d.Refusal} {
				if s != nil && *s != "" {
					pieces = append(pieces, agent.Piece{Text: *s})
				}
			}
			for _, t := range d.ToolCalls {
				call := a.call(t.Index, t.ID, t.Function.Name)
				call.id = cmp.Or(call.id, t.ID)
				call.name = cmp.Or(call.name, t.Function.Name)
				args := t.Function.Arguments
				var text string
				if json.Unmarshal(args, &text) == nil {
					call.args.WriteString(text)
				} else if !bytes.Equal(args, []byte("null")) {
					call.args.Write(args) // an object instead of JSON text
				}
				if len(a.calls) > 1000 {
					return pieces, errors.New("the model's server sent too many calls")
				}
			}
		}
		if choice.FinishReason != nil && *choice.FinishReason != "" {
			a.reason = *choice.FinishReason
		}
	}
	return pieces, nil
}

// call finds the call of a fragment. Servers repeat the ID, omit the index, or send every call with
// index 0.
func (a *chatAnswer) call(index *int, id, name string) *chatCall {
	var last *chatCall
	if len(a.calls) > 0 {
		last = a.calls[len(a.calls)-1]
	}
	if index != nil {
		for i := len(a.calls) - 1; i >= 0; i-- {
			c := a.calls[i]
			if c.indexed && c.index == *index && (id == "" || c.id == "" || c.id == id) {
				return c
			}
		}
	} else if last != nil {
		if id == "" && name == "" {
			return last
		}
		for _, c := range a.calls {
			if id != "" && c.id == id {
				return c
			}
		}
	}
	c := &chatCall{id: id, name: name, indexed: index != nil}
	if index != nil {
		c.index = *index
	}
	a.calls = append(a.calls, c)
	return c
}

// end completes the answer at the end mark.
func (a *chatAnswer) end() (pieces []agent.Piece) {
	for _, c := range a.calls {
		pieces = append(pieces, agent.Piece{Call: newCall(c.id, c.name, c.args.String())})
	}
	done := agent.Done{Usage: a.usage, Reason: agent.StopEnd}
	switch {
	case len(a.calls) > 0:
		done.Reason = agent.StopCalls
	case a.reason == "length":
		done.Reason = agent.StopLength
	case a.reason == "content_filter":
		done.Reason = agent.StopRefused
	}
	return append(pieces, agent.Piece{Done: &done})
}

// newCall makes a call from its fragments. No fragments mean an empty input.
func newCall(id, name, args string) *agent.Call {
	c := &agent.Call{ID: id, Name: name, Input: json.RawMessage("{}")}
	switch args = strings.TrimSpace(args); {
	case args == "":
	case json.Valid([]byte(args)):
		c.Input = json.RawMessage(args)
	default:
		c.Broken = args
	}
	return c
}
