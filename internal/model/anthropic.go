package model

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// anthropicModes: the answer's format and no thinking, which costs time; the format
// alone, for models that always think; a tool that must be called, for older models and
// for what merely speaks the protocol.
const anthropicModes = 3

func sendAnthropic(ctx context.Context, c *call) (reply, error) {
	// Not NewClient: that takes keys, headers and addresses from the environment.
	s := anthropic.NewMessageService(option.WithBaseURL(c.BaseURL), option.WithAPIKey(c.key), option.WithHTTPClient(c.wire.client), option.WithMaxRetries(0))
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
	r := reply{in: m.Usage.InputTokens + m.Usage.CacheCreationInputTokens + m.Usage.CacheReadInputTokens, out: m.Usage.OutputTokens}
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

// said returns what a provider says of an error, fit to be shown.
func (c *call) said(err error) string {
	var a *anthropic.Error
	if errors.As(err, &a) {
		var e struct{ Error struct{ Message string } }
		if json.Unmarshal([]byte(a.RawJSON()), &e) == nil {
			return c.masked(e.Error.Message)
		}
		return ""
	}
	return c.masked(saidOpenAI(err))
}
