package model

import (
	"context"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/umpire-dev/umpire/internal/wire"
)

// anthropicModes: the answer's format and no thinking, which costs time; the format
// alone, for models that always think; a tool that must be called, for older models and
// for what merely speaks the protocol.
const anthropicModes = 3

func sendAnthropic(ctx context.Context, c *call) (reply, error) {
	// Not NewClient: that takes keys, headers and addresses from the environment.
	s := anthropic.NewMessageService(option.WithBaseURL(c.BaseURL), option.WithHTTPClient(c.client(c.key)), option.WithMaxRetries(0))
	p := anthropic.MessageNewParams{
		Model:     c.Model,
		MaxTokens: int64(c.req.MaxTokens),
		System:    []anthropic.TextBlockParam{{Text: c.req.System}},
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(c.req.User))},
	}
	schema := c.req.Schema.JSON()
	if c.mode == 2 {
		tool := anthropic.ToolParam{
			Name:        c.req.Schema.Name,
			Description: anthropic.String("Give the answer."),
			InputSchema: anthropic.ToolInputSchemaParam{
				Properties: schema["properties"], Required: schema["required"].([]string), ExtraFields: map[string]any{"additionalProperties": false},
			},
		}
		p.Tools = []anthropic.ToolUnionParam{{OfTool: &tool}}
		p.ToolChoice = anthropic.ToolChoiceParamOfTool(c.req.Schema.Name)
	} else {
		p.OutputConfig.Format = anthropic.JSONOutputFormatParam{Schema: schema}
	}
	if c.mode < 2 { // what merely speaks the protocol may not know it
		p.System[0].CacheControl = anthropic.NewCacheControlEphemeralParam()
	}
	if c.mode == 0 {
		off := anthropic.NewThinkingConfigDisabledParam()
		p.Thinking.OfDisabled = &off
	}
	m, err := s.New(ctx, p)
	if err != nil {
		return reply{}, err
	}
	if m == nil || m.Type != "message" || len(m.Content) == 0 && m.StopReason == "" {
		return reply{}, errBody
	}
	u := &m.Usage
	r := reply{used: wire.Tokens{In: u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens, Cached: u.CacheReadInputTokens, Written: u.CacheCreationInputTokens, Out: u.OutputTokens}}
	r.whole = m.StopReason == anthropic.StopReasonEndTurn || m.StopReason == anthropic.StopReasonToolUse || m.StopReason == anthropic.StopReasonStopSequence
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
