// Package generic reads and writes umpire's form, for agents without a separate package.
// docs/clients.md describes it.
package generic

import (
	"encoding/json"
	"fmt"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Client is any agent that uses this form.
var Client = &platform.Client{
	Name:     "generic",
	Title:    "any other agent",
	Decode:   decode,
	Encode:   encode,
	Asks:     func(e *platform.Event, _ func(string) string) bool { return e.Asks },
	Replaces: func(e *platform.Event) bool { return e.Kind == platform.Result },
}

var events = platform.Kinds{
	{"call", platform.Call},
	{"permission", platform.Permission},
	{"result", platform.Result},
	{"prompt", platform.Prompt},
	{"session-start", platform.SessionStart},
	{"session-end", platform.SessionEnd},
	{"agent-start", platform.AgentStart},
	{"agent-stop", platform.AgentStop},
	{"notice", platform.Notice},
}

type payload struct {
	Event     string          `json:"event"`
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Input     json.RawMessage `json:"input"`
	Output    json.RawMessage `json:"output"`
	Text      string          `json:"text"`
	Dir       string          `json:"dir"`
	Workspace string          `json:"workspace"`
	Session   string          `json:"session"`
	Agent     string          `json:"agent"`
	Role      string          `json:"role"`
	Parent    string          `json:"parent"`
	User      string          `json:"user"`
	Mode      string          `json:"mode"`
	CanAsk    bool            `json:"can_ask"`
	Millis    float64         `json:"durationMs"`
}

func decode(data []byte) (platform.Event, error) {
	var p payload
	if err := platform.Unmarshal(data, &p); err != nil || p.Event == "" {
		if err == nil {
			err = fmt.Errorf("%w: event is missing", platform.ErrIncomplete)
		}
		return platform.Event{Kind: platform.Call}, err // this form has no messages without an event: it was meant as one
	}
	e := platform.Event{Name: p.Event, Kind: events.Of(p.Event), Text: p.Text, Output: p.Output, Mode: p.Mode, Asks: p.CanAsk, Action: umpire.Action{
		ID:        p.ID,
		Principal: umpire.Principal{Platform: "generic", Agent: p.Agent, Role: p.Role, Parent: p.Parent, Session: p.Session, User: p.User},
		Tool:      p.Tool,
		Input:     p.Input,
		Dir:       p.Dir,
		Workspace: p.Workspace,
	}}
	if e.Kind == platform.Result {
		e.Took = platform.Millis(p.Millis)
	}
	e.Meant("generic", platform.Brief(data))
	if e.Kind == platform.Other { // unlike a client's events, those of this form are all known
		return e, fmt.Errorf("%w: the event %q is unknown", platform.ErrIncomplete, p.Event)
	}
	return e, e.Check("event", "tool", "input", "dir")
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	o := struct {
		Effect  umpire.Effect   `json:"effect"`
		Reason  string          `json:"reason,omitempty"`
		Input   json.RawMessage `json:"input,omitempty"`
		Context string          `json:"context,omitempty"`
		Output  json.RawMessage `json:"output,omitempty"`
	}{Effect: r.Effect, Context: r.Context}
	if e.Kind == platform.Result {
		o.Output = r.Output
	}
	if !e.Judged() {
		o.Effect = umpire.Allow
	}
	a := platform.HookOutput{}
	switch o.Effect {
	case umpire.Allow:
		o.Input = r.Input
		if r.Speak {
			o.Reason = r.Why()
		}
	case umpire.Ask:
		o.Reason, a.Exit = r.Why(), 3
	default:
		o.Reason, a.Exit, a.Stderr = r.Why(), 2, r.Why()+"\n"
	}
	a.Stdout = platform.Line(o)
	return a
}
