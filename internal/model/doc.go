// Package model asks a language model for one structured answer.
//
// A Chain tries its providers in order until one answers or the deadline ends. Processes are
// short-lived, so failures and today's costs are stored in files. The package returns an answer of
// the requested schema, or an error; neither ever contains a key.
package model

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/umpire-dev/umpire/internal/wire"
)

// Request is a request to a model.
type Request struct {
	System    string
	User      string
	Schema    Schema
	MaxTokens int // limit of the answer; 1024 if zero
}

// Response is a model's text that matches the schema, with its provider and its cost.
type Response struct {
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

// Errors that callers check for.
var (
	// ErrNone means that no provider answered.
	ErrNone = errors.New("no model answered; `umpire judge providers` says why")
	// ErrAnswer means that a response does not match the schema. The chain then asks no other
	// provider, so that an attacker cannot shop for an answer.
	ErrAnswer = errors.New("the model's answer does not match the schema")
	// ErrBudget means that today's budget is spent.
	ErrBudget = errors.New("the day's budget is used up")
)

// Asker asks a model. A Chain is one.
type Asker interface {
	Ask(ctx context.Context, r Request) (Response, error)
}

var _ Asker = (*Chain)(nil)
