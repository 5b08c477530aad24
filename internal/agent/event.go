package agent

import (
	"encoding/json"
	"fmt"
)

// Event reports the progress of Run: a TurnStart, TextDelta, ToolCall, ToolResult, Finish or
// Failure.
type Event interface{ kind() string }

// TurnStart comes first in every turn.
type TurnStart struct {
	Turn     int `json:"turn"` // from 1
	MaxTurns int `json:"maxTurns"`
}

// TextDelta is a piece of the model's answer.
type TextDelta struct {
	Text string `json:"text"`
}

// ToolCall is a call that the model wants, before any decision about it.
type ToolCall struct {
	ToolName   string          `json:"toolName"`
	ToolCallID string          `json:"toolCallId"`
	Input      json.RawMessage `json:"input"`
}

// ToolResult is the result of a call. It is complete, even if the model gets less.
type ToolResult struct {
	ToolName   string `json:"toolName"`
	ToolCallID string `json:"toolCallId"`
	Result     Result `json:"result"`
}

// Finish ends an answer of the model's.
type Finish struct {
	Usage Usage `json:"usage"`
}

// Failure is an error inside a stream. The stream continues.
type Failure struct {
	Error string `json:"error"`
}

// Usage counts tokens. A number that the provider does not report is 0.
type Usage struct {
	InputTokens  int64 `json:"inputTokens"`
	OutputTokens int64 `json:"outputTokens"`
	TotalTokens  int64 `json:"totalTokens"`

	CachedTokens  int64   `json:"-"` // part of InputTokens: read from the provider's cache
	WrittenTokens int64   `json:"-"` // part of InputTokens: written to the provider's cache
	Cost          float64 `json:"-"` // in US dollars, if the provider reports it
	Priced        bool    `json:"-"` // whether the provider reports Cost
}

// Add adds the usage of another answer.
func (u *Usage) Add(v Usage) {
	u.InputTokens += v.InputTokens
	u.OutputTokens += v.OutputTokens
	u.TotalTokens += v.TotalTokens
	u.CachedTokens += v.CachedTokens
	u.WrittenTokens += v.WrittenTokens
	u.Cost += v.Cost
	u.Priced = u.Priced || v.Priced
}

func (TurnStart) kind() string  { return "turn-start" }
func (TextDelta) kind() string  { return "text-delta" }
func (ToolCall) kind() string   { return "tool-call" }
func (ToolResult) kind() string { return "tool-result" }
func (Finish) kind() string     { return "finish" }
func (Failure) kind() string    { return "error" }

// EncodeEvent encodes an event as one JSON object with its type.
func EncodeEvent(e Event) ([]byte, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", e.kind(), err)
	}
	head := `{"type":"` + e.kind() + `"`
	if len(b) > len("{}") {
		head += ","
	}
	return append([]byte(head), b[1:]...), nil
}
