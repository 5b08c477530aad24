// Package model asks a language model for one structured answer.
//
// A Chain tries its providers in order until one answers or the deadline ends. Processes are
// short, so failures and today's costs are stored in files. The package returns an answer of
// the requested schema, or an error; neither ever contains a key.
package model

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/umpire-dev/umpire/internal/wire"
)

// Request is what a model is asked.
type Request struct {
	System    string
	User      string
	Schema    Schema
	MaxTokens int // of the answer; 1024 if zero
}

// Answer is what a model said, checked against the schema.
type Answer struct {
	JSON         json.RawMessage
	Provider     string
	Model        string
	InputTokens  int64
	OutputTokens int64
	Cost         Cost
}

// Cost is an amount of money in billionths of a US dollar.
type Cost = wire.Cost

// Cent is one US cent.
const Cent = wire.Cent

// Errors that callers tell apart.
var (
	// ErrNone is returned when no provider answered.
	ErrNone = errors.New("no model answered; `umpire judge providers` says why")
	// ErrAnswer is returned for an answer that is not what was asked for. No other
	// provider is asked then: a caller that shops for answers gets the one an attacker wants.
	ErrAnswer = errors.New("the model's answer does not match the schema")
	// ErrBudget is returned when what may be spent today is spent.
	ErrBudget = errors.New("the day's budget is used up")
)

// Asker asks a model. A Chain is one.
type Asker interface {
	Ask(ctx context.Context, r Request) (Answer, error)
}

var _ Asker = (*Chain)(nil)
