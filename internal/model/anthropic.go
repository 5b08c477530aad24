package model

import (
	"context"
	"encoding/json"
	"maps"
	"strings"

	"github.com/umpire-dev/umpire/internal/wire"
)

// anthropicModes: structured output without thinking, which costs time; structured output alone,
// for models that always think; a forced tool call, for older models and compatible servers.
const anthropicModes = 3

func sendAnthropic(ctx context.Context, c *providerRequest) (reply, error) {
	p := wire.MessagesRequest{
		Model:     c.Model,
		MaxTokens: c.req.MaxTokens,
		System:    []wire.MessageBlock{{Type: "text", Text: c.req.System}},
		Messages:  []wire.Message{{Role: "user", Content: []wire.MessageBlock{{Type: "text", Text: c.req.User}}}},
	}
	schema := c.req.Schema.JSON()
	if c.mode == 2 {
		input := maps.Clone(schema)
		input["additionalProperties"] = false
		p.Tools = []wire.MessageTool{{Name: c.req.Schema.Name, Description: "Give the answer.", InputSchema: input}}
		p.ToolChoice = &wire.ToolChoice{Type: "tool", Name: c.req.Schema.Name}
	} else {
		p.OutputConfig = &wire.MessagesOutput{Format: &wire.MessagesFormat{Type: "json_schema", Schema: schema}}
	}
	if c.mode < 2 { // a compatible server may not know it
		p.System[0].CacheControl = wire.Ephemeral()
	}
	if c.mode == 0 {
		p.Thinking = &wire.MessagesThinking{Type: "disabled"}
	}
	var m struct {
		Type       string             `json:"type"`
		StopReason string             `json:"stop_reason"`
		Usage      wire.MessagesUsage `json:"usage"`
		Content    []struct {
			Type  string          `json:"type"`
			Text  string          `json:"text"`
			Name  string          `json:"name"`
			Input json.RawMessage `json:"input"`
		} `json:"content"`
	}
	if err := c.post(ctx, "v1/messages", p, &m); err != nil {
		return reply{}, err
	}
	if m.Type != "message" || len(m.Content) == 0 && m.StopReason == "" {
		return reply{}, errBody
	}
	u := &m.Usage
	r := reply{used: wire.Tokens{In: u.Input + u.Created + u.Read, Cached: u.Read, Written: u.Created, Out: u.Output}}
	r.whole = m.StopReason == "end_turn" || m.StopReason == "tool_use" || m.StopReason == "stop_sequence"
	var text strings.Builder
	for _, b := range m.Content {
		switch {
		case b.Type == "text" && c.mode != 2:
			text.WriteString(b.Text)
		case b.Type == "tool_use" && c.mode == 2 && b.Name == c.req.Schema.Name:
			text.Write(b.Input)
		}
	}
	r.text = text.String()
	return r, nil
}
