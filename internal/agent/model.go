package agent

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Model is a language model that answers piece by piece. A stream that ends without its
// provider's end mark is an error, not an answer; one that ctx ended, ends with ctx's error.
type Model interface {
	// Name is the model's full name, as the provider knows it.
	Name() string
	// Stream asks for one answer. The sequence yields pieces as they come, and at most one
	// error, as the last. Breaking out of it ends the request.
	Stream(ctx context.Context, r Request) iter.Seq2[Piece, error]
}

// Request is a request to a model.
type Request struct {
	System    string
	Messages  []Message
	Tools     []ToolSpec
	MaxTokens int    // of the answer; the Model's own default if zero
	Effort    string // one of Efforts, or empty for the model's default
}

// Efforts say how hard a model is to think.
var Efforts = []string{"low", "medium", "high"}

// ToolSpec is a tool as a model sees it.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the input, an object
}

// Piece is a part of an answer as it comes. Exactly one of its fields is set.
type Piece struct {
	Text     string    // more of the answer's text
	Thinking *Thinking // Text continues the thinking; a Signature or Redacted completes the block
	Call     *Call     // a complete call, its fragments joined
	Fault    string    // an error inside the stream, which continues
	Waits    *Waits    // nothing arrived yet, and the request is sent again
	Done     *Done     // the last piece
}

// Waits says why and when a server is asked again. Why is fit for a line.
type Waits struct {
	Why string
	For time.Duration
}

// Done ends an answer.
type Done struct {
	Reason StopReason
	Usage  Usage
}

// StopReason says why a model stopped.
type StopReason string

// The reasons. Some servers report StopEnd although there are calls, so calls take precedence.
const (
	StopEnd     StopReason = "end"
	StopCalls   StopReason = "calls"
	StopLength  StopReason = "length"
	StopRefused StopReason = "refused" // by the model or its content filter
	StopPaused  StopReason = "paused"  // ask again to go on
)

// TooLongError is the error of a request that does not fit the model's window.
type TooLongError struct{ Err error }

// Error implements error.
func (e *TooLongError) Error() string {
	return "the conversation is too long for the model: " + e.Err.Error()
}

// Unwrap returns the provider's error.
func (e *TooLongError) Unwrap() error { return e.Err }
