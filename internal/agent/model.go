package agent

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Model is a language model that streams its answers. A stream without its provider's end mark is
// an error, not an answer. If ctx ends a stream, the error is ctx's.
type Model interface {
	// Name is the provider's full name for the model.
	Name() string
	// Stream asks for one answer. The sequence yields pieces as they come, and at most one
	// error, as the last. Breaking out of it ends the request.
	Stream(ctx context.Context, r ModelRequest) iter.Seq2[Piece, error]
}

// ModelRequest is a request to a model.
type ModelRequest struct {
	System    string
	Messages  []Message
	Tools     []ToolSpec
	MaxTokens int    // limit of the answer; the Model's default if zero
	Effort    string // one of Efforts, or empty for the model's default
}

// Efforts are the levels of a model's reasoning effort.
var Efforts = []string{"low", "medium", "high"}

// ToolSpec describes a tool to a model.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the input, an object
}

// Piece is a part of a streamed answer. Exactly one of its fields is set.
type Piece struct {
	Text     string    // more text of the answer
	Thinking *Thinking // Text continues the thinking; a Signature or Redacted completes the block
	Call     *Call     // a complete call, joined from its fragments
	Fault    string    // an error within the stream, which continues
	Waits    *Waits    // nothing has arrived yet, and the request will be sent again
	Done     *Done     // the last piece
}

// Waits describes a pause before a retry. Why fits on one line.
type Waits struct {
	Why string
	For time.Duration
}

// Done ends an answer.
type Done struct {
	Reason StopReason
	Usage  Usage
}

// StopReason is the reason why a model stopped.
type StopReason string

// The reasons. Some servers report StopEnd although there are calls, so calls take precedence.
const (
	StopEnd     StopReason = "end"
	StopCalls   StopReason = "calls"
	StopLength  StopReason = "length"
	StopRefused StopReason = "refused" // by the model or its content filter
	StopPaused  StopReason = "paused"  // repeat the request to continue
)

// TooLongError is the error of a request that does not fit the model's window.
type TooLongError struct{ Err error }

// Error implements error.
func (e *TooLongError) Error() string {
	return "the conversation is too long for the model: " + e.Err.Error()
}

// Unwrap returns the provider's error.
func (e *TooLongError) Unwrap() error { return e.Err }
