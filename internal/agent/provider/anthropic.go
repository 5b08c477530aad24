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

// answerTokens is the default limit of an answer. This API requires a limit.
const answerTokens = 16_384

// messages uses Anthropic's Messages API.
type messages struct{ c Config }

// Name implements agent.Model.
func (m *messages) Name() string { return m.c.Model }

// Stream implements agent.Model.
func (m *messages) Stream(ctx context.Context, r agent.ModelRequest) iter.Seq2[agent.Piece, error] {
	params, err := m.params(r)
	return follow(ctx, m.c, "v1/messages", params, err, func() events { return &messagesAnswer{wire: m.c.client(), blocks: map[int64]*block{}} })
}

func (m *messages) params(r agent.ModelRequest) (p wire.MessagesRequest, err error) {
	p = wire.MessagesRequest{Model: m.c.Model, MaxTokens: r.MaxTokens, Stream: true}
	if p.MaxTokens <= 0 {
		p.MaxTokens = answerTokens
	}
	if r.System != "" {
		p.System = []wire.MessageBlock{{Type: "text", Text: r.System, CacheControl: wire.Ephemeral()}}
	}
	for i, t := range r.Tools {
		tool := wire.MessageTool{Name: t.Name, Description: t.Description}
		if err := json.Unmarshal(t.Schema, &tool.InputSchema); err != nil {
			return p, fmt.Errorf("schema of %s: %w", t.Name, err)
		}
		if tool.InputSchema == nil {
			tool.InputSchema = map[string]any{}
		}
		tool.InputSchema["type"] = "object"
		if i == len(r.Tools)-1 {
			tool.CacheControl = wire.Ephemeral()
		}
		p.Tools = append(p.Tools, tool)
	}
	for _, msg := range r.Messages {
		role := "user"
		if msg.Role == agent.Assistant {
			role = "assistant"
		}
		blocks := m.blocks(msg)
		if len(blocks) == 0 {
			continue
		}
		// User text that follows calls belongs in the message with the results, after them.
		if n := len(p.Messages); n > 0 && p.Messages[n-1].Role == role {
			p.Messages[n-1].Content = append(p.Messages[n-1].Content, blocks...)
			continue
		}
		p.Messages = append(p.Messages, wire.Message{Role: role, Content: blocks})
	}
	if n := len(p.Messages); n > 0 && p.Messages[n-1].Role == "user" {
		list := p.Messages[n-1].Content
		list[len(list)-1].CacheControl = wire.Ephemeral()
	}
	if r.Effort != "" {
		p.OutputConfig = &wire.MessagesOutput{Effort: r.Effort}
		p.Thinking = &wire.MessagesThinking{Type: "adaptive"}
	}
	return p, nil
}

func (m *messages) blocks(msg agent.Message) (list []wire.MessageBlock) {
	for _, p := range msg.Parts {
		switch {
		case p.Text != "":
			if strings.TrimSpace(p.Text) != "" { // this API rejects blank texts
				list = append(list, wire.MessageBlock{Type: "text", Text: p.Text})
			}
		case p.Thinking != nil:
			if msg.Model != m.c.Model || msg.Cancelled { // a signature is valid only for its own model
				continue
			}
			if p.Thinking.Redacted != "" {
				list = append(list, wire.MessageBlock{Type: "redacted_thinking", Data: p.Thinking.Redacted})
			} else if p.Thinking.Signature != "" {
				list = append(list, wire.MessageBlock{Type: "thinking", Thinking: &p.Thinking.Text, Signature: p.Thinking.Signature})
			}
		case p.Image != nil:
			list = append(list, wire.MessageBlock{Type: "image", Source: &wire.ImageSource{Type: "base64", MediaType: p.Image.Type, Data: base64.StdEncoding.EncodeToString(p.Image.Data)}})
		case p.Call != nil:
			in := p.Call.Input
			if p.Call.Broken != "" || !bytes.HasPrefix(bytes.TrimSpace(in), []byte("{")) {
				in = json.RawMessage("{}")
			}
			list = append(list, wire.MessageBlock{Type: "tool_use", ID: wireID(p.Call.ID), Name: wireName(p.Call.Name), Input: in})
		case p.Result != nil:
			result := wire.MessageBlock{Type: "tool_result", ToolUseID: wireID(p.Result.ID), IsError: &p.Result.Error}
			if p.Result.Text != "" { // this API refuses empty texts
				result.Content = []wire.MessageBlock{{Type: "text", Text: p.Result.Text}}
			}
			list = append(list, result)
		}
	}
	return list
}

// wireID returns a call ID in a form that this API accepts. Other servers use other forms, and a
// session may continue with another model.
func wireID(s string) string {
	if s == wireName(s) {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return "call_" + hex.EncodeToString(sum[:12])
}

// messagesAnswer collects the events of an answer.
type messagesAnswer struct {
	wire   *wire.Client
	blocks map[int64]*block
	calls  int
	done   agent.Done
}

// messagesEvent is one event. Type determines which fields are set.
type messagesEvent struct {
	Type    string `json:"type"`
	Index   int64  `json:"index"`
	Message struct {
		Usage wire.MessagesUsage `json:"usage"`
	} `json:"message"`
	ContentBlock struct {
		Type     string `json:"type"`
		ID       string `json:"id"`
		Name     string `json:"name"`
		Text     string `json:"text"`
		Thinking string `json:"thinking"`
		Data     string `json:"data"`
	} `json:"content_block"`
	Delta struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		PartialJSON string `json:"partial_json"`
		Thinking    string `json:"thinking"`
		Signature   string `json:"signature"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage wire.MessagesUsage `json:"usage"`
}

type block struct {
	kind, id, name  string
	text, signature strings.Builder
}

func (a *messagesAnswer) event(data []byte) (pieces []agent.Piece, last bool, err error) {
	var e messagesEvent
	if err := json.Unmarshal(data, &e); err != nil {
		var typ *json.UnmarshalTypeError
		if !errors.As(err, &typ) { // otherwise keep the fields that were readable
			return nil, false, errors.New("the model's server sent invalid JSON")
		}
	}
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		a.usage(u.Input, u.Read, u.Created)
		a.done.Usage.OutputTokens = max(0, u.Output)
	case "content_block_start":
		if len(a.blocks) > 1000 {
			return nil, false, errors.New("the model's server sent too many blocks")
		}
		pieces = a.started(&e)
	case "content_block_delta":
		b := a.blocks[e.Index]
		if b == nil {
			return nil, false, errors.New("the model's server sent a part of a block that it never started")
		}
		pieces = b.grow(&e)
	case "content_block_stop":
		if b := a.blocks[e.Index]; b != nil {
			pieces = a.stopped(b)
			b.kind = "" // ignore a second stop
		}
	case "message_delta":
		if u := e.Usage; u.Output > 0 {
			a.done.Usage.OutputTokens = u.Output
		}
		if u := e.Usage; u.Input > 0 {
			a.usage(u.Input, u.Read, u.Created)
		}
		if reason := e.Delta.StopReason; reason != "" {
			a.done.Reason = cmp.Or(messagesReasons[reason], agent.StopEnd)
		}
	case "message_stop":
		if a.calls > 0 {
			a.done.Reason = agent.StopCalls
		} else if a.done.Reason == "" {
			a.done.Reason = agent.StopEnd
		}
		u := &a.done.Usage
		u.TotalTokens = u.InputTokens + u.OutputTokens
		last = true
		done := a.done
		pieces = append(pieces, agent.Piece{Done: &done})
	case "error":
		pieces = append(pieces, agent.Piece{Fault: a.wire.Said(data)})
	}
	return pieces, last, nil
}

// messagesReasons maps the reasons to stop other than a normal end.
var messagesReasons = map[string]agent.StopReason{
	"max_tokens":                    agent.StopLength,
	"model_context_window_exceeded": agent.StopLength,
	"refusal":                       agent.StopRefused,
	"pause_turn":                    agent.StopPaused,
}

// started begins a block.
func (a *messagesAnswer) started(e *messagesEvent) []agent.Piece {
	from := &e.ContentBlock
	b := &block{kind: from.Type, id: from.ID, name: from.Name}
	a.blocks[e.Index] = b
	switch b.kind {
	case "text":
		if from.Text != "" {
			return []agent.Piece{{Text: from.Text}}
		}
	case "thinking":
		b.text.WriteString(from.Thinking)
	case "redacted_thinking":
		b.text.WriteString(from.Data)
	}
	return nil
}

func (b *block) grow(e *messagesEvent) []agent.Piece {
	switch d := &e.Delta; d.Type {
	case "text_delta":
		if d.Text != "" {
			return []agent.Piece{{Text: d.Text}}
		}
	case "input_json_delta":
		b.text.WriteString(d.PartialJSON)
	case "thinking_delta":
		b.text.WriteString(d.Thinking)
		if d.Thinking != "" {
			return []agent.Piece{{Thinking: &agent.Thinking{Text: d.Thinking}}}
		}
	case "signature_delta":
		b.signature.WriteString(d.Signature)
	}
	return nil
}

func (a *messagesAnswer) usage(in, read, created int64) {
	a.done.Usage.InputTokens = max(0, in) + max(0, read) + max(0, created)
	a.done.Usage.CachedTokens, a.done.Usage.WrittenTokens = max(0, read), max(0, created)
}

func (a *messagesAnswer) stopped(b *block) (pieces []agent.Piece) {
	switch b.kind {
	case "tool_use":
		a.calls++
		return append(pieces, agent.Piece{Call: newCall(b.id, b.name, b.text.String())})
	case "thinking":
		if b.signature.Len() > 0 {
			return append(pieces, agent.Piece{Thinking: &agent.Thinking{Text: b.text.String(), Signature: b.signature.String()}})
		}
	case "redacted_thinking":
		return append(pieces, agent.Piece{Thinking: &agent.Thinking{Redacted: b.text.String()}})
	}
	return nil
}
