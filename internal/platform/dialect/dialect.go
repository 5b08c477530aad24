// Package dialect reads and writes the form of hooks that Claude Code began and other
// clients took up, each with differences of its own.
package dialect

import (
	"cmp"
	"encoding/json"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Events names the events of Claude Code, and those that others added. An event without
// a kind here is Other.
var Events = map[string]platform.Kind{
	"PreToolUse":         platform.Call,
	"PermissionRequest":  platform.Permission,
	"PostToolUse":        platform.Result,
	"PostToolUseFailure": platform.Result,
	"UserPromptSubmit":   platform.Prompt,
	"SessionStart":       platform.SessionStart,
	"SessionEnd":         platform.SessionEnd,
	"SubagentStart":      platform.AgentStart,
	"SubagentStop":       platform.AgentStop,

	"ConfigChange":        platform.Notice,
	"CwdChanged":          platform.Notice,
	"DirectoryAdded":      platform.Notice,
	"Elicitation":         platform.Notice,
	"ElicitationResult":   platform.Notice,
	"FileChanged":         platform.Notice,
	"InstructionsLoaded":  platform.Notice,
	"Interrupt":           platform.Notice, // Codex
	"MessageDisplay":      platform.Notice,
	"Notification":        platform.Notice,
	"PermissionDenied":    platform.Notice,
	"PostCompact":         platform.Notice,
	"PostModelRequest":    platform.Notice, // Codex
	"PostModelSwitch":     platform.Notice,
	"PostToolBatch":       platform.Notice,
	"PreCompact":          platform.Notice,
	"PreModelRequest":     platform.Notice, // Codex
	"PreModelSwitch":      platform.Notice,
	"Setup":               platform.Notice,
	"Stop":                platform.Notice,
	"StopFailure":         platform.Notice,
	"TaskCompleted":       platform.Notice,
	"TaskCreated":         platform.Notice,
	"TeammateIdle":        platform.Notice,
	"UserPromptExpansion": platform.Notice,
	"WorktreeCreate":      platform.Notice,
	"WorktreeRemove":      platform.Notice,
}

// Payload is what such a client sends. Where clients call the same thing by different
// names, either will do.
type Payload struct {
	Event    string          `json:"hook_event_name"`
	Session  string          `json:"session_id"`
	Dir      string          `json:"cwd"`
	Mode     string          `json:"permission_mode"`
	Tool     string          `json:"tool_name"`
	Input    json.RawMessage `json:"tool_input"`
	Response json.RawMessage `json:"tool_response"`
	Error    json.RawMessage `json:"error"` // PostToolUseFailure
	ID       string          `json:"tool_use_id"`
	Agent    string          `json:"agent_id"`
	Role     string          `json:"agent_type"`
	Prompt   string          `json:"prompt"`

	EventVS   string          `json:"hookEventName"` // VS Code
	SessionVS string          `json:"sessionId"`
	Result    json.RawMessage `json:"tool_result"`  // Copilot
	Printed   json.RawMessage `json:"tool_output"`  // Kimi
	CallID    string          `json:"tool_call_id"` // Kimi; in Qwen the model's own
	MCP       struct {        // Gemini
		Server string `json:"server_name"`
		Tool   string `json:"tool_name"`
	} `json:"mcp_context"`
}

// Decode reads a payload of the client named, whose events have these kinds.
func Decode(client string, kinds map[string]platform.Kind, data []byte) (platform.Event, error) {
	var p Payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, err
	}
	e := platform.Event{Name: cmp.Or(p.Event, p.EventVS), Mode: p.Mode}
	e.Kind = kinds[e.Name]
	e.Action = umpire.Action{
		ID:        cmp.Or(p.ID, p.CallID),
		Principal: umpire.Principal{Platform: client, Agent: p.Agent, Session: cmp.Or(p.Session, p.SessionVS)},
		Tool:      p.Tool,
		Input:     p.Input,
		Dir:       p.Dir,
	}
	if p.MCP.Server != "" && p.MCP.Tool != "" {
		e.Action.Tool = platform.ServerTool(p.MCP.Server, p.MCP.Tool)
	}
	if p.Agent != "" {
		e.Action.Principal.Role, e.Action.Principal.Parent = p.Role, e.Action.Principal.Session
	}
	switch e.Kind {
	case platform.Prompt:
		e.Text = p.Prompt
	case platform.Result:
		for _, said := range []json.RawMessage{p.Response, p.Result, p.Printed, p.Error} {
			if len(e.Output) == 0 {
				e.Output = said
			}
		}
	}
	e.Meant(client, data)
	return e, e.Check("hook_event_name", "tool_name", "tool_input", "cwd")
}

// Output is what such a client reads. Some run the call if they meet a key that they do
// not know: what is empty is left out.
type Output struct {
	Specific *Specific `json:"hookSpecificOutput,omitempty"`
}

// Specific is the part of an Output that is about one event.
type Specific struct {
	Event    string          `json:"hookEventName"`
	Decision string          `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
	Context  string          `json:"additionalContext,omitempty"`
	Output   json.RawMessage `json:"updatedToolOutput,omitempty"` // PostToolUse of Claude Code
	Behavior *Behavior       `json:"decision,omitempty"`          // PermissionRequest
}

// Behavior answers a PermissionRequest.
type Behavior struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message,omitempty"`
}

// Can says what a client does with an answer. What it cannot is not said to it.
type Can struct {
	Allow   bool // take an allow of an unchanged call, which then nobody is asked about
	Ask     bool // ask its user
	Rewrite bool // call the tool with a changed input
	Context bool // tell the model something with a call
	Besides bool // tell the model something with a result, a prompt or a session's start
	Replace bool // give the model another answer of a tool
}

// Encode says a reply to a Call or Permission, or adds context to another event.
func Encode(e *platform.Event, r platform.Reply, can Can) platform.Answer {
	switch e.Kind {
	case platform.Call:
		return call(e, r, can)
	case platform.Permission:
		return permission(e, r)
	case platform.SessionStart, platform.Prompt, platform.Result:
		s := Specific{Event: e.Name}
		if can.Besides {
			s.Context = r.Context
		}
		if can.Replace && e.Kind == platform.Result {
			s.Output = r.Output
		}
		if s.Context != "" || len(s.Output) > 0 {
			return say(s)
		}
	}
	return platform.Answer{}
}

func say(s Specific) platform.Answer {
	return platform.Answer{Stdout: platform.Line(Output{Specific: &s})}
}

func call(e *platform.Event, r platform.Reply, can Can) platform.Answer {
	if !can.Rewrite {
		r = r.Unchanged()
	}
	// A payload that could not be read gave no name, and without one a client takes no
	// answer for one.
	s := Specific{Event: cmp.Or(e.Name, "PreToolUse")}
	if can.Context {
		s.Context = r.Context
	}
	switch {
	case r.Effect == umpire.Allow:
		if len(r.Input) > 0 || r.Speak && can.Allow {
			s.Decision, s.Reason, s.Input = "allow", r.Why(), r.Input
		}
		if s.Decision == "" && s.Context == "" {
			return platform.Answer{} // the user's own permission rules stay in force
		}
		return say(s)
	case r.Effect == umpire.Ask && can.Ask:
		s.Decision, s.Reason = "ask", r.Why()
		return say(s)
	}
	s.Decision, s.Reason, s.Context = "deny", r.Why(), ""
	return r.Deny(Output{Specific: &s})
}

// permission answers for the user, or leaves the question to them.
func permission(e *platform.Event, r platform.Reply) platform.Answer {
	switch {
	case r.Effect == umpire.Deny:
		return r.Deny(Output{Specific: &Specific{Event: e.Name, Behavior: &Behavior{Behavior: "deny", Message: r.Why()}}})
	case r.Effect == umpire.Allow && r.Speak && len(r.Input) == 0:
		return say(Specific{Event: e.Name, Behavior: &Behavior{Behavior: "allow"}})
	}
	return platform.Answer{}
}
