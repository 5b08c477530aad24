package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/quarantine/secret"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of a model's requests and answers, in bytes, and of its words.
const (
	maxAsked    = 24 << 20
	maxAnswered = 4 << 20
	maxTokens   = 16_000
	maxTries    = 3
)

// block is a part of a message: what is said, a call, or what came of one.
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

// broker is the only one that has the key and the network. It writes every request itself:
// a reviewer chooses neither address, model, tools nor options, by which a provider could
// be made to fetch something.
type broker struct {
	endpoint model.Endpoint
	key      *secret.Key // nil if none is needed
	client   *http.Client
	tokens   string // name of the field that bounds an answer
}

var errElsewhere = errors.New("the model's address redirects elsewhere: name the final one")

// newBroker speaks to one endpoint.
func newBroker(e model.Endpoint, key *secret.Key, provider string) *broker {
	b := &broker{endpoint: e, key: key, tokens: "max_tokens"}
	if provider == "openai" {
		b.tokens = "max_completion_tokens"
	}
	b.client = &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			ForceAttemptHTTP2:      true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errElsewhere },
	}
	return b
}

// reply is what a model said, and what it used.
type reply struct {
	blocks []block
	tokens int64
}

// ask sends a conversation.
func (b *broker) ask(ctx context.Context, system string, talk []message, tools []toolSpec) (reply, error) {
	body, err := json.Marshal(b.request(system, talk, tools))
	if err != nil {
		return reply{}, err
	}
	if len(body) > maxAsked {
		return reply{}, errors.New("the conversation is larger than a model is sent")
	}
	for try := 1; ; try++ {
		answer, status, wait, err := b.post(ctx, body)
		again := err == nil && (status == http.StatusTooManyRequests || status >= 500)
		if !again || try == maxTries {
			switch {
			case err != nil:
				return reply{}, err
			case status != http.StatusOK:
				return reply{}, fmt.Errorf("the model's provider answered with status %d%s", status, b.advice(status))
			}
			return b.read(answer)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return reply{}, ctx.Err()
		}
	}
}

// advice says what to look at after an answer that asking again does not mend.
func (b *broker) advice(status int) string {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return ": look at the key in $" + b.endpoint.KeyVar + ", or name another variable by --api-key-env"
	case status/100 == 3 || status == http.StatusNotFound:
		return fmt.Sprintf(": look at the model's name, %q (--model), and the provider's address, %s (--base-url)", b.endpoint.Model, b.endpoint.Base)
	}
	return ""
}

func (b *broker) post(ctx context.Context, body []byte) (answer []byte, status int, wait time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.endpoint.Chat, bytes.NewReader(body))
	if err != nil {
		return nil, 0, 0, errors.New("the model's address is not one")
	}
	req.Header.Set("Content-Type", "application/json")
	if err := b.sign(req.Header); err != nil {
		return nil, 0, 0, err
	}
	resp, err := b.client.Do(req)
	b.unsign(req.Header)
	switch {
	case errors.Is(err, errElsewhere):
		return nil, 0, 0, errElsewhere
	case ctx.Err() != nil:
		return nil, 0, 0, ctx.Err()
	case err != nil:
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, 0, 0, fmt.Errorf("the model's provider cannot be reached: %s: is %s its address (--base-url)?", visible.Clip(err.Error(), 200), b.endpoint.Base)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswered+1))
	switch {
	case ctx.Err() != nil:
		return nil, 0, 0, ctx.Err()
	case err != nil:
		return nil, 0, 0, errors.New("the model's answer broke off")
	case len(answer) > maxAnswered:
		return nil, 0, 0, errors.New("the model's answer is too large")
	}
	wait = time.Second
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 && s <= 30 {
		wait = time.Duration(s) * time.Second
	}
	return answer, resp.StatusCode, wait, nil
}

// sign adds the key.
func (b *broker) sign(h http.Header) error {
	if b.endpoint.Anthropic {
		h.Set("Anthropic-Version", "2023-06-01")
	}
	if b.key == nil {
		return nil
	}
	return b.key.Use(func(key []byte) error {
		if b.endpoint.Anthropic {
			h.Set("X-Api-Key", string(key))
		} else {
			h.Set("Authorization", "Bearer "+string(key))
		}
		return nil
	})
}

func (b *broker) unsign(h http.Header) {
	h.Del("X-Api-Key")
	h.Del("Authorization")
}

type obj = map[string]any

func (b *broker) request(system string, talk []message, tools []toolSpec) obj {
	if b.endpoint.Anthropic {
		list := []obj{}
		for _, t := range tools {
			list = append(list, obj{"name": t.name, "description": t.text, "input_schema": t.schema})
		}
		return obj{"model": b.endpoint.Model, "max_tokens": maxTokens, "system": system, "tools": list, "messages": anthropicTalk(talk)}
	}
	list := []obj{}
	for _, t := range tools {
		list = append(list, obj{"type": "function", "function": obj{"name": t.name, "description": t.text, "parameters": t.schema}})
	}
	return obj{"model": b.endpoint.Model, b.tokens: maxTokens, "tools": list, "messages": append([]obj{{"role": "system", "content": system}}, openAITalk(talk)...)}
}

func anthropicTalk(talk []message) []obj {
	list := []obj{}
	for _, m := range talk {
		content := []obj{}
		for _, p := range m.Blocks {
			switch p.Kind {
			case "text":
				content = append(content, obj{"type": "text", "text": p.Text})
			case "call":
				content = append(content, obj{"type": "tool_use", "id": p.ID, "name": p.Tool, "input": p.Input})
			case "result":
				content = append(content, obj{"type": "tool_result", "tool_use_id": p.ID, "content": p.Text, "is_error": p.Error})
			}
		}
		list = append(list, obj{"role": role(m), "content": content})
	}
	return list
}

func openAITalk(talk []message) []obj {
	list := []obj{}
	for _, m := range talk {
		text, calls := "", []obj{}
		for _, p := range m.Blocks {
			switch p.Kind {
			case "text":
				text += p.Text
			case "call":
				calls = append(calls, obj{"id": p.ID, "type": "function", "function": obj{"name": p.Tool, "arguments": string(p.Input)}})
			case "result":
				list = append(list, obj{"role": "tool", "tool_call_id": p.ID, "content": p.Text})
			}
		}
		switch {
		case len(calls) > 0:
			list = append(list, obj{"role": "assistant", "content": text, "tool_calls": calls})
		case text != "":
			list = append(list, obj{"role": role(m), "content": text})
		}
	}
	return list
}

func role(m message) string {
	if m.Assistant {
		return "assistant"
	}
	return "user"
}

var errAnswer = errors.New("what the model's provider answered is not of its protocol")

// read reads a provider's answer.
func (b *broker) read(body []byte) (r reply, err error) {
	if b.endpoint.Anthropic {
		var a struct {
			Content []struct {
				Type, Text, ID, Name string
				Input                json.RawMessage
			}
			StopReason string `json:"stop_reason"`
			Usage      struct {
				InputTokens  int64 `json:"input_tokens"`
				OutputTokens int64 `json:"output_tokens"`
			}
		}
		if err := json.Unmarshal(body, &a); err != nil || len(a.Content) == 0 && a.StopReason == "" {
			return r, errAnswer
		}
		for _, p := range a.Content {
			switch p.Type {
			case "text":
				r.blocks = append(r.blocks, block{Kind: "text", Text: p.Text})
			case "tool_use":
				r.blocks = append(r.blocks, block{Kind: "call", ID: p.ID, Tool: p.Name, Input: p.Input})
			}
		}
		r.tokens = a.Usage.InputTokens + a.Usage.OutputTokens
		return r, nil
	}
	var a struct {
		Choices []struct {
			Message struct {
				Content   *string
				ToolCalls []struct {
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
		Usage struct {
			TotalTokens int64 `json:"total_tokens"`
		}
	}
	if err := json.Unmarshal(body, &a); err != nil || len(a.Choices) == 0 {
		return r, errAnswer
	}
	m := a.Choices[0].Message
	if m.Content != nil && *m.Content != "" {
		r.blocks = append(r.blocks, block{Kind: "text", Text: *m.Content})
	}
	for _, c := range m.ToolCalls {
		input := json.RawMessage(c.Function.Arguments)
		if !json.Valid(input) { // it goes back into the conversation: as a string it is refused and stays JSON
			input, _ = json.Marshal(c.Function.Arguments)
		}
		r.blocks = append(r.blocks, block{Kind: "call", ID: c.ID, Tool: c.Function.Name, Input: input})
	}
	r.tokens = a.Usage.TotalTokens
	return r, nil
}

// toolSpec is a tool as a model is told of it.
type toolSpec struct {
	name, text string
	schema     obj
}

// toolSpecs are the tools that a model may be told of.
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
