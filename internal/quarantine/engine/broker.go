package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	chat "github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/provider"
	"github.com/umpire-dev/umpire/internal/quarantine/secret"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Limits of a model's requests and responses, in bytes, and of its answer in tokens.
const (
	maxAsked    = 24 << 20
	maxAnswered = 4 << 20
	maxTokens   = 16_000
)

// block is a part of a message: text, a call, or its result.
type block struct {
	Kind  string          `json:"kind"` // text, call, result
	Text  string          `json:"text,omitempty"`
	ID    string          `json:"id,omitempty"`
	Tool  string          `json:"tool,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
	Error bool            `json:"error,omitempty"`
}

// message is one turn of either side.
type message struct {
	Assistant bool    `json:"assistant"`
	Blocks    []block `json:"blocks"`
}

// Model selects the reviewing model. An empty field means the provider's default.
type Model struct {
	Provider string // one of wire.Names, or gemini for its own client
	Name     string
	BaseURL  string
}

// broker alone has the key and the network. It builds every request: a reviewer chooses neither
// URL, model, tools nor options, which could make a provider fetch something.
type broker struct {
	provider wire.Provider
	model    string
	base     string
	key      *secret.Key // nil if not required
	keyVar   string
	asker    chat.Model
	retry    wire.Retry
	idle     time.Duration
}

// idleOf returns how long a provider may send nothing, given the time limit of a review: a
// connection that hangs must leave time for a retry.
func idleOf(limit time.Duration) time.Duration {
	return min(max(limit/3, 20*time.Second), 2*time.Minute)
}

// newBroker connects to one provider.
func newBroker(p wire.Provider, m Model, key *secret.Key, keyVar string, limit time.Duration, retry wire.Retry) (*broker, error) {
	b := &broker{provider: p, model: m.Name, base: m.BaseURL, key: key, keyVar: keyVar, retry: retry, idle: idleOf(limit)}
	// The broker retries by itself, because no part of an interrupted answer may be used.
	c := provider.Config{Provider: p.Name, Model: m.Name, BaseURL: m.BaseURL, Retry: wire.Retry{Tries: 1}, Idle: b.idle}
	if key != nil {
		c.Secret = key
	}
	if p.Name == geminiProvider {
		return b, nil // only its own client queries it
	}
	var err error
	b.asker, err = provider.New(c)
	return b, err
}

// client returns the HTTP client for requests of foreign clients.
func (b *broker) client() *wire.Client {
	c := &wire.Client{Anthropic: b.provider.Anthropic, Idle: b.idle, Most: maxStreamed, Buffer: true}
	if b.key != nil {
		c.Key = b.key
	}
	if b.provider.Name == geminiProvider {
		c.KeyHeader = "X-Goog-Api-Key"
	}
	return c
}

// reply is a model's response, with its usage.
type reply struct {
	blocks []block
	used   chat.Usage
}

// ask sends a conversation, and retries while that may help and time is left.
func (b *broker) ask(ctx context.Context, until time.Time, system string, talk []message, tools []toolSpec) (r reply, err error) {
	req, err := request(system, talk, tools)
	if err != nil {
		return reply{}, err
	}
	err = b.again(ctx, until, func(ctx context.Context) (err error) {
		r, err = b.once(ctx, req)
		return err
	})
	return r, err
}

// again retries try until a reviewer's time is up.
func (b *broker) again(ctx context.Context, until time.Time, try func(context.Context) error) error {
	retry := b.retry
	retry.Until = until
	return b.advised(retry.Do(ctx, try))
}

// faultError describes a Fault with a next step, in umpire's words.
type faultError struct {
	*wire.Fault
	advice string
}

func (e *faultError) Error() string { return e.Fault.Error() + e.advice }
func (e *faultError) Unwrap() error { return e.Fault }

// advised removes the provider's message, and adds a hint.
func (b *broker) advised(err error) error {
	var f *wire.Fault
	if !errors.As(err, &f) {
		return err
	}
	e := &faultError{Fault: f}
	switch f.Kind {
	case wire.KeyRefused:
		e.advice = ": check the key in $" + b.keyVar + ", or name another variable with --api-key-env"
	case wire.NotFound, wire.Refused:
		e.advice = fmt.Sprintf(": check the model's name, %q (--model), and the provider's address, %s (--base-url)", b.model, b.base)
	case wire.Redirected, wire.Unreachable, wire.Untrusted, wire.Malformed:
		e.advice = fmt.Sprintf(": check the provider's address, %s (--base-url)", b.base)
	case wire.TooLong:
		e.advice = fmt.Sprintf(": choose a model that takes more than %q does (--model)", b.model)
	}
	return e
}

// once sends the request once.
func (b *broker) once(ctx context.Context, req chat.ModelRequest) (r reply, err error) {
	var text string
	size, done := 0, false
	flush := func() {
		if text != "" {
			r.blocks, text = append(r.blocks, block{Kind: "text", Text: text}), ""
		}
	}
	for p, err := range b.asker.Stream(ctx, req) {
		if err != nil {
			return reply{}, err
		}
		switch {
		case p.Text != "":
			text += p.Text
			size += len(p.Text)
		case p.Call != nil:
			flush()
			input := p.Call.Input
			if p.Call.Broken != "" { // it returns to the conversation: as a string it is refused and stays JSON
				input, _ = json.Marshal(p.Call.Broken)
			}
			r.blocks = append(r.blocks, block{Kind: "call", ID: p.Call.ID, Tool: p.Call.Name, Input: input})
			size += len(input)
		case p.Done != nil:
			r.used, done = p.Done.Usage, true
		}
		if size > maxAnswered {
			return reply{}, &wire.Fault{Kind: wire.TooLarge}
		}
	}
	flush()
	if !done {
		return reply{}, &wire.Fault{Kind: wire.Cut}
	}
	return r, nil
}

// request builds a request. Its beginning stays the same from turn to turn, so that the provider
// can cache it.
func request(system string, talk []message, tools []toolSpec) (chat.ModelRequest, error) {
	req := chat.ModelRequest{System: system, MaxTokens: maxTokens}
	size := len(system)
	for _, t := range tools {
		schema, err := json.Marshal(t.schema)
		if err != nil {
			return req, err
		}
		req.Tools = append(req.Tools, chat.ToolSpec{Name: t.name, Description: t.text, Schema: schema})
	}
	for _, m := range talk {
		var said, results chat.Message
		said.Role, results.Role = chat.User, chat.ToolRole
		if m.Assistant {
			said.Role = chat.Assistant
		}
		for _, p := range m.Blocks {
			size += len(p.Text) + len(p.Input)
			switch p.Kind {
			case "text":
				said.Parts = append(said.Parts, chat.Part{Text: p.Text})
			case "call":
				said.Parts = append(said.Parts, chat.Part{Call: &chat.Call{ID: p.ID, Name: p.Tool, Input: p.Input}})
			case "result":
				results.Parts = append(results.Parts, chat.Part{Result: &chat.Returned{ID: p.ID, Name: p.Tool, Text: p.Text, Error: p.Error}})
			}
		}
		for _, m := range []chat.Message{results, said} {
			if len(m.Parts) > 0 {
				req.Messages = append(req.Messages, m)
			}
		}
	}
	if size > maxAsked {
		return req, &wire.Fault{Kind: wire.TooLong}
	}
	return req, nil
}

type obj = map[string]any

// toolSpec describes a tool to a model.
type toolSpec struct {
	name, text string
	schema     obj
}

// toolSpecs are the tools that a model may use.
func toolSpecs(allowed []string) (list []toolSpec) {
	text := func(what string) obj { return obj{"type": "string", "description": what} }
	whole := func(what string) obj { return obj{"type": "integer", "description": what} }
	object := func(props obj, required ...string) obj {
		return obj{"type": "object", "properties": props, "required": required, "additionalProperties": false}
	}
	all := map[string]toolSpec{
		"Read": {"Read", "Read a file, at most 2000 lines at once.",
			object(obj{"ref": text("the file's reference, exactly as it was given"), "offset": whole("the first line, from 1"), "limit": whole("how many lines")}, "ref")},
		"Grep": {"Grep", "Search the files of this review for a regular expression (RE2).",
			object(obj{"pattern": text("the expression"), "glob": text("only files whose names match, as **/*.go"), "max": whole("how many matches at most"), "path": text("only the file of this reference")}, "pattern")},
		"Glob": {"Glob", "List files of this review by their names, with their references.",
			object(obj{"pattern": text("as **/*.go")}, "pattern")},
	}
	for _, name := range allowed {
		if t, ok := all[name]; ok {
			list = append(list, t)
		}
	}
	return list
}
