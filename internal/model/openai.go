package model

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/umpire-dev/umpire/internal/wire"
)

// openAIModes: the schema with the provider's extensions; the schema; any JSON object; free text.
const openAIModes = 4

func sendOpenAI(ctx context.Context, c *providerRequest) (reply, error) {
	system := c.req.System
	if c.mode >= 2 {
		schema, err := json.Marshal(c.req.Schema.JSON())
		if err != nil {
			return reply{}, err
		}
		system += "\n\nAnswer with one JSON object and nothing else. Its JSON schema is:\n" + string(schema)
	}
	p := wire.ChatRequest{Model: c.Model, Messages: []wire.ChatMessage{{Role: "system", Content: system}, {Role: "user", Content: c.req.User}}}
	if c.Name == "openai" {
		p.MaxCompletionTokens = c.req.MaxTokens
	} else {
		p.MaxTokens = c.req.MaxTokens
	}
	switch c.mode {
	case 0, 1:
		p.ResponseFormat = &wire.ChatFormat{Type: "json_schema", Schema: &wire.ChatJSONSchema{Name: c.req.Schema.Name, Strict: true, Schema: c.req.Schema.JSON()}}
	case 2:
		p.ResponseFormat = &wire.ChatFormat{Type: "json_object"}
	}
	if c.mode == 0 {
		switch c.Name {
		case "openai":
			p.ReasoningEffort = "none" // thinking costs time
			p.Store = new(bool)
		case "ollama":
			p.ReasoningEffort = "none"
		case "openrouter": // route only to hosts that support the schema
			p.Provider = &wire.ChatProvider{RequireParameters: true}
		}
	}
	var m struct {
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
		} `json:"choices"`
		Usage struct {
			PromptTokens        int64 `json:"prompt_tokens"`
			CompletionTokens    int64 `json:"completion_tokens"`
			PromptTokensDetails struct {
				CachedTokens int64 `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
			Cost float64 `json:"cost"`
		} `json:"usage"`
	}
	if err := c.post(ctx, "chat/completions", p, &m); err != nil {
		return reply{}, err
	}
	if len(m.Choices) == 0 {
		return reply{}, errBody
	}
	choice := m.Choices[0]
	r := reply{text: choice.Message.Content, used: wire.Tokens{In: m.Usage.PromptTokens, Cached: m.Usage.PromptTokensDetails.CachedTokens, Out: m.Usage.CompletionTokens}}
	r.whole = choice.FinishReason == "stop" && choice.Message.Refusal == ""
	if c.mode == 3 {
		r.text = unfenced(r.text)
	}
	if cost := m.Usage.Cost; c.Name == "openrouter" && cost > 0 && cost < 1000 {
		r.cost = Cost(cost * 100 * float64(Cent))
	}
	return r, nil
}

// unfenced removes the code fence that models like to put around JSON.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "```"); ok {
		if rest, ok = strings.CutSuffix(rest, "```"); ok {
			return strings.TrimPrefix(rest, "json")
		}
	}
	return s
}
