// Package dialect reads and writes the form of hooks that Claude Code began and other
// clients took up, each with differences of its own.
package dialect

import (
	"encoding/json"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Events names the events of Claude Code that umpire has something to say to.
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
	"PermissionDenied":   platform.Notice,
	"PostToolBatch":      platform.Notice,
	"Notification":       platform.Notice,
	"Stop":               platform.Notice,
	"StopFailure":        platform.Notice,
	"PreCompact":         platform.Notice,
	"PostCompact":        platform.Notice,
	"Setup":              platform.Notice,
	"ConfigChange":       platform.Notice,
	"CwdChanged":         platform.Notice,
	"InstructionsLoaded": platform.Notice,
	"PreModelRequest":    platform.Notice,
	"PostModelRequest":   platform.Notice,
}

// Payload is what such a client sends.
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

	Turn      string          `json:"turn_id"`   // Codex
	ToolName  string          `json:"toolName"`  // Copilot
	ToolCall  json.RawMessage `json:"tool_call"` // Cline
	Timestamp json.RawMessage `json:"timestamp"` // Gemini and Qwen
}

// Decode reads a payload of the client named.
func Decode(client string, kinds map[string]platform.Kind, data []byte) (platform.Event, Payload, error) {
	var p Payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, p, err
	}
	e := platform.Event{
		Name: p.Event, Kind: kinds[p.Event], Output: p.Response, Text: p.Prompt, Mode: p.Mode,
		Action: umpire.Action{
			ID:        p.ID,
			Principal: umpire.Principal{Platform: client, Agent: p.Agent, Session: p.Session},
			Tool:      p.Tool,
			Input:     p.Input,
			Dir:       p.Dir,
		},
	}
	if p.Agent != "" {
		e.Action.Principal.Role, e.Action.Principal.Parent = p.Role, p.Session
	}
	if len(e.Output) == 0 {
		e.Output = p.Error
	}
	switch {
	case p.ToolName != "":
		e.Other = "copilot"
	case len(p.ToolCall) != 0:
		e.Other = "cline"
	}
	return e, p, e.Check("hook_event_name", "tool_name", "cwd")
}

// Output is what such a client reads. Some run the call if they meet a key that they do
// not know: what is empty is left out.
type Output struct {
	Decision string    `json:"decision,omitempty"` // of other events than calls: "block"
	Reason   string    `json:"reason,omitempty"`
	Specific *Specific `json:"hookSpecificOutput,omitempty"`
}

// Specific is the part of an Output that is about one event.
type Specific struct {
	Event    string          `json:"hookEventName"`
	Decision string          `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
	Context  string          `json:"additionalContext,omitempty"`
	Behavior *Behavior       `json:"decision,omitempty"` // PermissionRequest
}

// Behavior answers a PermissionRequest.
type Behavior struct {
	Behavior string          `json:"behavior"`
	Message  string          `json:"message,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
}

// Can says what a client does with an answer.
type Can struct {
	Rewrite bool // call the tool with a changed input
	Context bool // tell the model something besides
}

// Encode says a reply to a Call or Permission, or adds context to another event.
func Encode(e *platform.Event, r platform.Reply, can Can) platform.Answer {
	switch e.Kind {
	case platform.Call:
		return call(e, r, can)
	case platform.Permission:
		return permission(e, r)
	}
	if can.Context && r.Context != "" {
		switch e.Kind {
		case platform.SessionStart, platform.Prompt, platform.Result:
			return platform.Answer{Stdout: platform.Line(Output{Specific: &Specific{Event: e.Name, Context: r.Context}})}
		}
	}
	return platform.Answer{}
}

// name is what the answer has to repeat. A payload that could not be read gave none, and
// an answer without it counts for nothing.
func name(e *platform.Event) string {
	if e.Name == "" {
		return "PreToolUse"
	}
	return e.Name
}

func call(e *platform.Event, r platform.Reply, can Can) platform.Answer {
	s := Specific{Event: name(e), Reason: r.Why()}
	if can.Context {
		s.Context = r.Context
	}
	switch r.Effect {
	case umpire.Allow:
		switch {
		case len(r.Input) > 0 && !can.Rewrite: // the unchanged call is not what was allowed
			r.Reason = "this call is allowed only in another form, which this client cannot be given: call the tool with " + string(r.Input)
			return Deny(e, r)
		case len(r.Input) > 0 || r.Speak:
			s.Decision, s.Input = "allow", r.Input
		case s.Context != "":
			s.Reason = ""
		default:
			return platform.Answer{} // the user's own permission rules stay in force
		}
		return platform.Answer{Stdout: platform.Line(Output{Specific: &s})}
	case umpire.Ask:
		s.Decision = "ask"
		return platform.Answer{Stdout: platform.Line(Output{Specific: &s})}
	}
	return Deny(e, r)
}

// Deny says no in all the ways there are: a document, words on standard error, and the
// exit status.
func Deny(e *platform.Event, r platform.Reply) platform.Answer {
	return platform.Answer{
		Stdout: platform.Line(Output{Specific: &Specific{Event: name(e), Decision: "deny", Reason: r.Why()}}),
		Stderr: r.Why() + "\n",
		Exit:   2,
	}
}

// permission answers for the user, or leaves the question to them.
func permission(e *platform.Event, r platform.Reply) platform.Answer {
	switch {
	case r.Effect == umpire.Deny:
		return platform.Answer{Stdout: platform.Line(Output{Specific: &Specific{Event: e.Name, Behavior: &Behavior{Behavior: "deny", Message: r.Why()}}}), Stderr: r.Why() + "\n", Exit: 2}
	case r.Effect == umpire.Allow && r.Speak:
		return platform.Answer{Stdout: platform.Line(Output{Specific: &Specific{Event: e.Name, Behavior: &Behavior{Behavior: "allow"}}})}
	}
	return platform.Answer{}
}
