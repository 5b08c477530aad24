// Package plugin reads and writes the form of umpire's plugins, for clients that run no hook
// commands.
package plugin

import (
	"cmp"
	"encoding/json"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

type payload struct {
	Event   string          `json:"hook_event_name"`
	Session string          `json:"session_id"`
	Dir     string          `json:"cwd"`
	Tool    string          `json:"tool_name"`
	In      json.RawMessage `json:"tool_input"`
	Result  json.RawMessage `json:"tool_response"`
	ID      string          `json:"tool_use_id"`
	Agent   string          `json:"agent_id"`
	Role    string          `json:"agent_type"`
	Parent  string          `json:"parent_session_id"`
	Prompt  string          `json:"prompt"`
	CanAsk  bool            `json:"can_ask"`

	// Input as the clients pass it to their plugins, unchanged.
	Input struct { // OpenCode
		Tool    string          `json:"tool"`
		Session string          `json:"sessionID"`
		ID      string          `json:"callID"`
		Args    json.RawMessage `json:"args"` // tool.execute.after
	} `json:"input"`
	Output json.RawMessage `json:"output"`
	Given  struct {        // Pi
		Type    string          `json:"type"`
		Tool    string          `json:"toolName"`
		ID      string          `json:"toolCallId"`
		Input   json.RawMessage `json:"input"`
		Content json.RawMessage `json:"content"`
	} `json:"event"`
}

// Decode reads a plugin's payload. If the payload names no folder, the plugin's working directory
// counts.
func Decode(client string, events platform.Kinds, data []byte) (platform.Event, error) {
	var p payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, err
	}
	e := platform.Event{Name: cmp.Or(p.Event, p.Given.Type), Asks: p.CanAsk}
	e.Kind = events.Of(e.Name)
	e.Action = umpire.Action{
		ID:        cmp.Or(p.ID, p.Input.ID, p.Given.ID),
		Principal: umpire.Principal{Platform: client, Agent: p.Agent, Role: p.Role, Parent: p.Parent, Session: cmp.Or(p.Session, p.Input.Session)},
		Tool:      cmp.Or(p.Tool, p.Input.Tool, p.Given.Tool),
		Input:     first(p.In, p.Input.Args, p.Given.Input),
		Dir:       cmp.Or(p.Dir, platform.Here()),
	}
	if who := &e.Action.Principal; who.Parent != "" { // a sub-agent has a separate session
		who.Agent = cmp.Or(who.Agent, who.Session)
		switch e.Kind {
		case platform.SessionStart:
			e.Kind = platform.AgentStart
		case platform.SessionEnd:
			e.Kind = platform.AgentStop
		}
	}
	switch e.Kind {
	case platform.Call:
		if len(e.Action.Input) == 0 {
			var out struct {
				Args json.RawMessage `json:"args"`
			}
			if len(p.Output) > 0 && platform.Unmarshal(p.Output, &out) == nil {
				e.Action.Input = out.Args
			}
		}
	case platform.Result:
		e.Output = first(p.Result, p.Output, p.Given.Content)
	case platform.Prompt:
		e.Text = p.Prompt
	}
	e.Meant(client, platform.Brief(data))
	return e, e.Check("hook_event_name", "tool_name", "tool_input", "cwd")
}

func first(list ...json.RawMessage) json.RawMessage {
	for _, v := range list {
		if len(v) > 0 {
			return v
		}
	}
	return nil
}

type output struct {
	Input   json.RawMessage `json:"input,omitempty"`
	Context string          `json:"context,omitempty"`
	Ask     string          `json:"ask,omitempty"`
	Text    string          `json:"output,omitempty"` // replacement of the tool's output for the model
}

// Replaces reports whether the plugins can replace a tool's output for the model.
func Replaces(e *platform.Event) bool { return e.Kind == platform.Result }

// Encode encodes a reply to a plugin.
func Encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	if e.Judged() {
		switch {
		case r.Effect == umpire.Ask && e.Kind == platform.Permission:
			return platform.HookOutput{} // the client is asking already
		case r.Effect == umpire.Ask && e.Asks:
			return platform.HookOutput{Stdout: platform.Line(output{Ask: r.Why()}), Exit: 3}
		case r.Effect != umpire.Allow:
			return platform.HookOutput{Stderr: r.Why() + "\n", Exit: 2}
		case len(r.Input) > 0:
			return platform.HookOutput{Stdout: platform.Line(output{Input: r.Input, Context: r.Context})}
		}
	}
	o := output{Context: r.Context}
	if Replaces(e) {
		o.Text = r.Text
	}
	if o.Context == "" && o.Text == "" {
		return platform.HookOutput{}
	}
	return platform.HookOutput{Stdout: platform.Line(o)}
}
