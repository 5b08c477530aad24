package provider

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/wire"
)

// answerTokens is the limit of an answer where nobody set one: this API wants one.
const answerTokens = 16_384

// messages speaks Anthropic's messages.
type messages struct{ c Config }

// Name implements agent.Model.
func (m *messages) Name() string { return m.c.Model }

// Stream implements agent.Model.
func (m *messages) Stream(ctx context.Context, r agent.Request) iter.Seq2[agent.Piece, error] {
	return func(yield func(agent.Piece, error) bool) {
		params, err := m.params(r)
		if err != nil {
			yield(agent.Piece{}, err)
			return
		}
		// Not NewClient: that takes keys, headers and addresses from the environment.
		c := anthropic.Client{Options: []option.RequestOption{option.WithBaseURL(m.c.BaseURL), option.WithHTTPClient(m.c.client()), option.WithMaxRetries(0), option.WithJSONSet("stream", true)}}
		begin := func() events { return &messagesAnswer{wire: m.c.client(), blocks: map[int64]*block{}} }
		follow(ctx, m.c, yield, begin, func(ctx context.Context, answer **http.Response) error {
			return c.Post(ctx, "v1/messages", params, answer)
		})
	}
}

func (m *messages) params(r agent.Request) (p anthropic.MessageNewParams, err error) {
	p = anthropic.MessageNewParams{Model: m.c.Model, MaxTokens: int64(r.MaxTokens)}
	if p.MaxTokens <= 0 {
		p.MaxTokens = answerTokens
	}
	cached := anthropic.NewCacheControlEphemeralParam()
	if r.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: r.System, CacheControl: cached}}
	}
	for i, t := range r.Tools {
		var schema map[string]any
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			return p, fmt.Errorf("schema of %s: %w", t.Name, err)
		}
		in := anthropic.ToolInputSchemaParam{Properties: schema["properties"], ExtraFields: map[string]any{}}
		for k, v := range schema {
			if k != "properties" && k != "type" {
				in.ExtraFields[k] = v
			}
		}
		tool := &anthropic.ToolParam{Name: t.Name, Description: anthropic.String(t.Description), InputSchema: in}
		if i == len(r.Tools)-1 {
			tool.CacheControl = cached
		}
		p.Tools = append(p.Tools, anthropic.ToolUnionParam{OfTool: tool})
	}
	for _, msg := range r.Messages {
		role := anthropic.MessageParamRoleUser
		if msg.Role == agent.Assistant {
			role = anthropic.MessageParamRoleAssistant
		}
		blocks := m.blocks(msg)
		if len(blocks) == 0 {
			continue
		}
		// What a person says after calls belongs into the message of the results, behind them.
		if n := len(p.Messages); n > 0 && p.Messages[n-1].Role == role {
			p.Messages[n-1].Content = append(p.Messages[n-1].Content, blocks...)
			continue
		}
		p.Messages = append(p.Messages, anthropic.MessageParam{Role: role, Content: blocks})
	}
	if n := len(p.Messages); n > 0 && p.Messages[n-1].Role == anthropic.MessageParamRoleUser {
		list := p.Messages[n-1].Content
		if c := list[len(list)-1].GetCacheControl(); c != nil {
			*c = cached
		}
	}
	if r.Effort != "" {
		p.OutputConfig.Effort = anthropic.OutputConfigEffort(r.Effort)
		p.Thinking.OfAdaptive = &anthropic.ThinkingConfigAdaptiveParam{}
	}
	return p, nil
}

func (m *messages) blocks(msg agent.Message) (list []anthropic.ContentBlockParamUnion) {
	for _, p := range msg.Parts {
		switch {
		case p.Text != "":
			if strings.TrimSpace(p.Text) != "" { // this API refuses others
				list = append(list, anthropic.NewTextBlock(p.Text))
			}
		case p.Thinking != nil:
			if msg.Model != m.c.Model || msg.Cancelled { // its signature is for its own model
				continue
			}
			if p.Thinking.Redacted != "" {
				list = append(list, anthropic.NewRedactedThinkingBlock(p.Thinking.Redacted))
			} else if p.Thinking.Signature != "" {
				list = append(list, anthropic.NewThinkingBlock(p.Thinking.Signature, p.Thinking.Text))
			}
		case p.Image != nil:
			list = append(list, anthropic.NewImageBlockBase64(p.Image.Type, base64.StdEncoding.EncodeToString(p.Image.Data)))
		case p.Call != nil:
			in := p.Call.Input
			if p.Call.Broken != "" || !bytes.HasPrefix(bytes.TrimSpace(in), []byte("{")) {
				in = json.RawMessage("{}")
			}
			list = append(list, anthropic.NewToolUseBlock(wireID(p.Call.ID), in, wireName(p.Call.Name)))
		case p.Result != nil:
			list = append(list, anthropic.NewToolResultBlock(wireID(p.Result.ID), p.Result.Text, p.Result.Error))
		}
	}
	return list
}

// wireID is an ID of a call that this API takes. Other servers have IDs of other forms, and
// a session may go on with another model.
func wireID(s string) string {
	if s == wireName(s) {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return "call_" + hex.EncodeToString(sum[:12])
}

// messagesAnswer follows the events of an answer.
type messagesAnswer struct {
	wire   *wire.Client
	blocks map[int64]*block
	calls  int
	done   agent.Done
}

type block struct {
	kind, id, name  string
	text, signature strings.Builder
}

func (a *messagesAnswer) event(data []byte) (pieces []agent.Piece, last bool, err error) {
	var e anthropic.MessageStreamEventUnion
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, false, errors.New("the model's server sent what is no JSON")
	}
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		a.usage(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens)
		a.done.Usage.OutputTokens = max(0, u.OutputTokens)
	case "content_block_start":
		if len(a.blocks) > 1000 {
			return nil, false, errors.New("the model's server sent too many blocks")
		}
		b := &block{kind: e.ContentBlock.Type, id: e.ContentBlock.ID, name: e.ContentBlock.Name}
		a.blocks[e.Index] = b
		switch b.kind {
		case "text":
			if e.ContentBlock.Text != "" {
				pieces = append(pieces, agent.Piece{Text: e.ContentBlock.Text})
			}
		case "thinking":
			b.text.WriteString(e.ContentBlock.Thinking)
		case "redacted_thinking":
			b.text.WriteString(e.ContentBlock.Data)
		}
	case "content_block_delta":
		b := a.blocks[e.Index]
		if b == nil {
			return nil, false, errors.New("the model's server sent a piece of a block that it never began")
		}
		switch e.Delta.Type {
		case "text_delta":
			if e.Delta.Text != "" {
				pieces = append(pieces, agent.Piece{Text: e.Delta.Text})
			}
		case "input_json_delta":
			b.text.WriteString(e.Delta.PartialJSON)
		case "thinking_delta":
			b.text.WriteString(e.Delta.Thinking)
			if e.Delta.Thinking != "" {
				pieces = append(pieces, agent.Piece{Thinking: &agent.Thinking{Text: e.Delta.Thinking}})
			}
		case "signature_delta":
			b.signature.WriteString(e.Delta.Signature)
		}
	case "content_block_stop":
		if b := a.blocks[e.Index]; b != nil {
			pieces = a.stopped(b)
			b.kind = "" // a second stop is none
		}
	case "message_delta":
		if u := e.Usage; u.OutputTokens > 0 {
			a.done.Usage.OutputTokens = u.OutputTokens
		}
		if u := e.Usage; u.InputTokens > 0 {
			a.usage(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens)
		}
		switch e.Delta.StopReason {
		case "max_tokens", "model_context_window_exceeded":
			a.done.Reason = agent.StopLength
		case "refusal":
			a.done.Reason = agent.StopRefused
		case "pause_turn":
			a.done.Reason = agent.StopPaused
		case "":
		default:
			a.done.Reason = agent.StopEnd
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
