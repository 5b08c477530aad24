// Package dialect reads and writes Claude Code's form of hooks, with the variations of the clients
// that adopted it.
package dialect

import (
	"cmp"
	"encoding/json"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Events names the events of Claude Code, and additions of other clients. An event without a kind
// here is Other.
var Events = platform.Kinds{
	{"PreToolUse", platform.Call},
	{"PermissionRequest", platform.Permission},
	{"PostToolUse", platform.Result},
	{"PostToolUseFailure", platform.Result},
	{"UserPromptSubmit", platform.Prompt},
	{"SessionStart", platform.SessionStart},
	{"SessionEnd", platform.SessionEnd},
	{"SubagentStart", platform.AgentStart},
	{"SubagentStop", platform.AgentStop},

	{"ConfigChange", platform.Notice},
	{"CwdChanged", platform.Notice},
	{"DirectoryAdded", platform.Notice},
	{"Elicitation", platform.Notice},
	{"ElicitationResult", platform.Notice},
	{"FileChanged", platform.Notice},
	{"InstructionsLoaded", platform.Notice},
	{"Interrupt", platform.Notice}, // Codex
	{"MessageDisplay", platform.Notice},
	{"Notification", platform.Notice},
	{"PermissionDenied", platform.Notice},
	{"PostCompact", platform.Notice},
	{"PostModelRequest", platform.Notice}, // Codex
	{"PostModelSwitch", platform.Notice},
	{"PostToolBatch", platform.Notice},
	{"PreCompact", platform.Notice},
	{"PreModelRequest", platform.Notice}, // Codex
	{"PreModelSwitch", platform.Notice},
	{"Setup", platform.Notice},
	{"Stop", platform.Notice},
	{"StopFailure", platform.Notice},
	{"TaskCompleted", platform.Notice},
	{"TaskCreated", platform.Notice},
	{"TeammateIdle", platform.Notice},
	{"UserPromptExpansion", platform.Notice},
	{"WorktreeCreate", platform.Notice},
	{"WorktreeRemove", platform.Notice},
}

// Decode reads a payload of the named client. If clients use different names for a field, it
// accepts either.
func Decode(client string, kinds platform.Kinds, data []byte) (platform.Event, error) {
	p, err := platform.Read(data)
	if err != nil {
		return platform.Event{}, err
	}
	name := cmp.Or(p.Text("hook_event_name"), p.Text("hookEventName")) // VS Code
	e := platform.Event{Name: name, Kind: kinds.Of(name), Mode: p.Text("permission_mode")}
	e.Action = umpire.Action{
		ID: cmp.Or(p.Text("tool_use_id"), p.Text("tool_call_id")), // Kimi; in Qwen the latter is the model's ID
		Principal: umpire.Principal{
			Platform: client,
			Agent:    p.Text("agent_id"),
			Session:  cmp.Or(p.Text("session_id"), p.Text("sessionId")), // VS Code
		},
		Tool:  p.Text("tool_name"),
		Input: p["tool_input"],
		Dir:   p.Text("cwd"),
	}
	if of := p["mcp_context"]; of != nil { // Gemini
		mcp, _ := platform.Read(of) // anything else than an object names no server
		if server, tool := mcp.Text("server_name"), mcp.Text("tool_name"); server != "" && tool != "" {
			e.Action.Tool = platform.ServerTool(server, tool)
		}
	}
	if who := &e.Action.Principal; who.Agent != "" {
		who.Role, who.Parent = p.Text("agent_type"), who.Session
	}
	switch e.Kind {
	case platform.Prompt:
		e.Text = p.Text("prompt")
	case platform.Result:
		e.Took = p.Millis("duration_ms")
		// Of Copilot, of Kimi, and of PostToolUseFailure.
		for _, name := range []string{"tool_response", "tool_result", "tool_output", "error"} {
			if len(e.Output) == 0 {
				e.Output = p[name]
			}
		}
	}
	e.Meant(client, p)
	return e, e.Check("hook_event_name", "tool_name", "tool_input", "cwd")
}

// Output is the response to such a client. Some clients run the call if they meet an unknown
// key, so empty fields are left out.
type Output struct {
	Decision string    `json:"decision,omitempty"` // of a prompt: "block"
	Reason   string    `json:"reason,omitempty"`
	Specific *Specific `json:"hookSpecificOutput,omitempty"`
}

// Specific is the part of an Output for one event.
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

// Can lists what a client supports. Umpire never sends it more than that.
type Can struct {
	Allow   bool // accept an allow without asking the user
	Ask     bool // ask its user
	Rewrite bool // call the tool with a changed input
	Context bool // pass context to the model with a call
	Besides bool // pass context to the model with a result, a prompt or a session's start
	Replace bool // replace the output of a tool for the model
	Refuse  bool // keep a prompt from the model
}

// DenyOnly returns a client that is only known to obey denials. It gets nothing else.
func DenyOnly(name, title string) *platform.Client {
	return &platform.Client{
		Name:   name,
		Title:  title,
		Decode: func(data []byte) (platform.Event, error) { return Decode(name, Events, data) },
		Encode: func(e *platform.Event, r platform.Reply) platform.HookOutput { return Encode(e, r, Can{}) },
		Asks:   platform.Never,
	}
}

// Encode encodes a reply to a Call or Permission, or adds context to another event.
func Encode(e *platform.Event, r platform.Reply, can Can) platform.HookOutput {
	switch e.Kind {
	case platform.Call:
		return call(e, r, can)
	case platform.Permission:
		return permission(e, r)
	case platform.SessionStart, platform.Prompt, platform.Result:
		if can.Refuse && e.Kind == platform.Prompt && r.Effect != umpire.Allow {
			// Exit status 0: clients that require either of them read the document.
			return platform.HookOutput{Stdout: platform.Line(Output{Decision: "block", Reason: r.Why()})}
		}
		s := Specific{Event: e.Name}
		if can.Besides {
			s.Context = r.Context
		}
		if can.Replace && e.Kind == platform.Result {
			s.Output = r.Output
		}
		if s.Context != "" || len(s.Output) > 0 {
			return specificOutput(s)
		}
	}
	return platform.HookOutput{}
}

func specificOutput(s Specific) platform.HookOutput {
	return platform.HookOutput{Stdout: platform.Line(Output{Specific: &s})}
}

func call(e *platform.Event, r platform.Reply, can Can) platform.HookOutput {
	if !can.Rewrite {
		r = r.Unchanged()
	}
	// An unreadable payload has no event name, and clients ignore an answer without one.
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
			return platform.HookOutput{} // the user's own permission rules stay in force
		}
		return specificOutput(s)
	case r.Effect == umpire.Ask && can.Ask:
		s.Decision, s.Reason = "ask", r.Why()
		return specificOutput(s)
	}
	s.Decision, s.Reason, s.Context = "deny", r.Why(), ""
	return r.Deny(Output{Specific: &s})
}

// permission answers for the user, or leaves the question to them.
func permission(e *platform.Event, r platform.Reply) platform.HookOutput {
	switch {
	case r.Effect == umpire.Deny:
		return r.Deny(Output{Specific: &Specific{Event: e.Name, Behavior: &Behavior{Behavior: "deny", Message: r.Why()}}})
	case r.Effect == umpire.Allow && r.Speak && len(r.Input) == 0:
		return specificOutput(Specific{Event: e.Name, Behavior: &Behavior{Behavior: "allow"}})
	}
	return platform.HookOutput{}
}
