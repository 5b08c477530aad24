// Package crush translates the hooks of Charm's Crush.
//
// This package follows the documentation and was not tested with the real client. An allow
// skips the user's own permission prompt, an ask is unknown, and the calls of its sub-agents
// have no hook.
package crush

import (
	"encoding/json"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Client is Crush.
var Client = &platform.Client{
	Name:    "crush",
	Title:   "Crush",
	Decode:  decode,
	Encode:  encode,
	Asks:    platform.Never,
	Project: []string{"CRUSH_PROJECT_DIR"},
}

type payload struct {
	Event   string          `json:"event"`
	Session string          `json:"session_id"`
	Dir     string          `json:"cwd"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
}

func decode(data []byte) (platform.Event, error) {
	var p payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, err
	}
	e := platform.Event{Name: p.Event, Action: umpire.Action{
		Principal: umpire.Principal{Platform: "crush", Session: p.Session},
		Tool:      p.Tool,
		Input:     platform.Object(p.Input),
		Dir:       p.Dir,
	}}
	// Users write the event's name in several ways, and it may come back in any of them.
	switch strings.ReplaceAll(strings.ToLower(p.Event), "_", "") {
	case "pretooluse":
		e.Kind = platform.Call
	case "precompact":
		e.Kind = platform.Notice
	}
	if rest, ok := strings.CutPrefix(p.Tool, "mcp_"); ok && !strings.HasPrefix(rest, "_") {
		if server, tool, ok := strings.Cut(rest, "_"); ok {
			e.Action.Tool = platform.ServerTool(server, tool)
		}
	}
	e.Meant("crush", platform.Brief(data))
	return e, e.Check("event", "tool_name", "tool_input", "cwd")
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	type output struct {
		Decision string          `json:"decision,omitempty"`
		Reason   string          `json:"reason,omitempty"`
		Context  string          `json:"context,omitempty"`
		Input    json.RawMessage `json:"updated_input,omitempty"` // merged over the call's input
	}
	switch {
	case !e.Judged():
		return platform.HookOutput{}
	case r.Effect != umpire.Allow:
		return r.Deny(output{Decision: "deny", Reason: r.Why()})
	}
	o := output{Context: r.Context, Input: r.Input}
	if r.Speak {
		o.Decision = "allow"
	}
	if o.Decision == "" && o.Context == "" && len(o.Input) == 0 {
		return platform.HookOutput{}
	}
	return platform.HookOutput{Stdout: platform.Line(o)}
}
