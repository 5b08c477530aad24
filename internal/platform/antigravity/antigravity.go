// Package antigravity translates the hooks of Antigravity CLI.
//
// This package follows the documentation and was not tested with the real client. A missing
// decision blocks the call, so umpire always gives one. The payload does not name its event.
package antigravity

import (
	"encoding/json"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Client is Antigravity CLI.
var Client = &platform.Client{
	Name:   "antigravity",
	Title:  "Antigravity CLI",
	Decode: decode,
	Encode: encode,
	Asks:   platform.Always,
}

type payload struct {
	Event   string          `json:"hookEventName"`
	Tool    string          `json:"tool_name"` // another client's field
	Session string          `json:"conversationId"`
	Step    json.RawMessage `json:"stepIdx"`
	Roots   []string        `json:"workspacePaths"`
	Error   json.RawMessage `json:"error"` // only after a call
	Call    struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"toolCall"`
}

var events = platform.Kinds{
	{"PreToolUse", platform.Call},
	{"PostToolUse", platform.Result},
	{"PreInvocation", platform.Notice},
	{"PostInvocation", platform.Notice},
	{"Stop", platform.Notice},
}

func decode(data []byte) (platform.Event, error) {
	var p payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, err
	}
	switch {
	case p.Event != "", p.Tool != "":
	case platform.Given(p.Error):
		p.Event = "PostToolUse"
	case p.Call.Name != "":
		p.Event = "PreToolUse"
	case p.Session != "":
		p.Event = "unnamed"
	}
	e := platform.Event{Name: p.Event, Kind: events.Of(p.Event), Action: umpire.Action{
		ID:        string(p.Step),
		Principal: umpire.Principal{Platform: "antigravity", Session: p.Session},
		Tool:      p.Call.Name,
		Input:     p.Call.Args,
		Dir:       platform.Here(),
	}}
	if len(p.Roots) > 0 {
		e.Action.Dir = p.Roots[0]
	}
	if e.Kind == platform.Result {
		e.Output = p.Error
	}
	var in struct {
		Server string          `json:"ServerName"`
		Tool   string          `json:"ToolName"`
		Args   json.RawMessage `json:"Arguments"`
	}
	if p.Call.Name == "call_mcp_tool" && platform.Unmarshal(p.Call.Args, &in) == nil && in.Tool != "" {
		e.Action.Tool = platform.ServerTool(in.Server, in.Tool)
		if args := platform.Object(in.Args); len(args) > 0 {
			e.Action.Input = args
		}
	}
	e.Meant("antigravity", platform.Brief(data))
	return e, e.Check("toolCall", "toolCall.name", "toolCall.args", "workspacePaths")
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	type output struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason,omitempty"`
	}
	if !e.Judged() && e.Kind != platform.Other {
		return platform.HookOutput{Stdout: "{}\n"}
	}
	switch r = r.Unchanged(); {
	case r.Effect == umpire.Allow:
		return platform.HookOutput{Stdout: platform.Line(output{Decision: "allow"})}
	case r.Effect == umpire.Ask:
		return platform.HookOutput{Stdout: platform.Line(output{"ask", r.Why()})}
	}
	return platform.HookOutput{Stdout: platform.Line(output{"deny", r.Why()}), Stderr: r.Why() + "\n"}
}
