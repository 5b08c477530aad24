package model

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/umpire-dev/umpire/internal/wire"
)

// openAIModes: the schema with what the provider has besides; the schema; any JSON
// object; whatever the model says.
const openAIModes = 4

func sendOpenAI(ctx context.Context, c *call) (reply, error) {
	opts := []option.RequestOption{option.WithBaseURL(c.BaseURL), option.WithHTTPClient(c.client(c.key)), option.WithMaxRetries(0)}
	system := c.req.System
	if c.mode >= 2 {
		schema, err := json.Marshal(c.req.Schema.JSON())
		if err != nil {
			return reply{}, err
		}
		system += "\n\nAnswer with one JSON object and nothing else. Its JSON schema is:\n" + string(schema)
	}
	p := openai.ChatCompletionNewParams{
		Model:    c.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system), openai.UserMessage(c.req.User)},
	}
	if c.Name == "openai" {
		p.MaxCompletionTokens = openai.Int(int64(c.req.MaxTokens))
	} else {
		p.MaxTokens = openai.Int(int64(c.req.MaxTokens))
	}
	switch c.mode {
	case 0, 1:
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: c.req.Schema.Name, Strict: openai.Bool(true), Schema: c.req.Schema.JSON()},
		}
	case 2:
		p.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	if c.mode == 0 {
		switch c.Name {
		case "openai":
			p.ReasoningEffort = shared.ReasoningEffortNone // thinking costs time
			p.Store = openai.Bool(false)
		case "ollama":
			p.ReasoningEffort = shared.ReasoningEffortNone
		case "openrouter": // of those who run the model, only one that keeps to the schema
			opts = append(opts, option.WithJSONSet("provider.require_parameters", true))
		}
	}
	s := openai.NewChatCompletionService(opts...)
	m, err := s.New(ctx, p)
	if err != nil {
		return reply{}, err
	}
	if m == nil || len(m.Choices) == 0 {
		return reply{}, errBody
	}
	choice := m.Choices[0]
	r := reply{text: choice.Message.Content, used: wire.Tokens{In: m.Usage.PromptTokens, Cached: m.Usage.PromptTokensDetails.CachedTokens, Out: m.Usage.CompletionTokens}}
	r.whole = choice.FinishReason == "stop" && choice.Message.Refusal == ""
	if c.mode == 3 {
		r.text = unfenced(r.text)
	}
	if c.Name == "openrouter" {
		var u struct{ Cost float64 }
		if json.Unmarshal([]byte(m.Usage.RawJSON()), &u) == nil && u.Cost > 0 && u.Cost < 1000 {
			r.cost = Cost(u.Cost * 100 * float64(Cent))
		}
	}
	return r, nil
}

// unfenced takes off the code fence that models like to put around JSON.
func unfenced(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "```"); ok {
		if rest, ok = strings.CutSuffix(rest, "```"); ok {
			return strings.TrimPrefix(rest, "json")
		}
	}
	return s
}
