// Package cursor translates the hooks of Cursor.
//
// This package follows the documentation and was not tested with the real client. Cursor wants
// a document and the exit status 0 with every answer. An empty standard output may block every
// call, and an ask acts as a denial.
package cursor

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Client is Cursor.
var Client = &platform.Client{
	Name:    "cursor",
	Title:   "Cursor",
	Decode:  decode,
	Encode:  encode,
	Asks:    platform.Never,
	Project: []string{"CURSOR_PROJECT_DIR"},
	Refuses: true,
}

var events = platform.Kinds{
	{"preToolUse", platform.Call},
	{"beforeShellExecution", platform.Call},
	{"beforeMCPExecution", platform.Call},
	{"beforeReadFile", platform.Call},
	{"beforeTabFileRead", platform.Call},
	{"postToolUse", platform.Result},
	{"postToolUseFailure", platform.Result},
	{"afterShellExecution", platform.Result},
	{"afterMCPExecution", platform.Result},
	{"afterFileEdit", platform.Result},
	{"afterTabFileEdit", platform.Result},
	{"beforeSubmitPrompt", platform.Prompt},
	{"sessionStart", platform.SessionStart},
	{"sessionEnd", platform.SessionEnd},
	{"subagentStart", platform.AgentStart},
	{"subagentStop", platform.AgentStop},
	{"afterAgentResponse", platform.Notice},
	{"afterAgentThought", platform.Notice},
	{"preCompact", platform.Notice},
	{"stop", platform.Notice},
}

type payload struct {
	Event        string          `json:"hook_event_name"`
	Conversation string          `json:"conversation_id"`
	Session      string          `json:"session_id"`
	Generation   string          `json:"generation_id"`
	Roots        []string        `json:"workspace_roots"`
	Dir          string          `json:"cwd"`
	Tool         string          `json:"tool_name"`
	Input        json.RawMessage `json:"tool_input"` // beforeMCPExecution encodes it in a string
	ID           string          `json:"tool_use_id"`
	Command      *string         `json:"command"` // of a shell, or of a local tool server
	Path         *string         `json:"file_path"`
	Server       string          `json:"server_name"`
	Prompt       string          `json:"prompt"`
	Subagent     string          `json:"subagent_id"`
	Role         string          `json:"subagent_type"`

	Output     json.RawMessage `json:"output"`
	ToolOutput json.RawMessage `json:"tool_output"`
	Result     json.RawMessage `json:"result_json"`
	Error      json.RawMessage `json:"error_message"`
	Edits      json.RawMessage `json:"edits"`
}

func decode(data []byte) (platform.Event, error) {
	var p payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, err
	}
	e := platform.Event{Name: p.Event, Kind: events.Of(p.Event)}
	root := ""
	if len(p.Roots) > 0 {
		root = p.Roots[0]
	}
	e.Action = umpire.Action{
		ID:        cmp.Or(p.ID, p.Generation),
		Principal: umpire.Principal{Platform: "cursor", Session: cmp.Or(p.Conversation, p.Session)},
		Tool:      p.Tool,
		Input:     platform.Object(p.Input),
		Dir:       cmp.Or(p.Dir, root, platform.Here()),
	}
	if p.Subagent != "" {
		e.Action.Principal.Agent, e.Action.Principal.Role, e.Action.Principal.Parent = p.Subagent, p.Role, e.Action.Principal.Session
	}
	switch p.Event {
	case "beforeShellExecution", "afterShellExecution":
		e.Action.Tool, e.Action.Input = "Shell", field("command", p.Command)
	case "beforeReadFile", "beforeTabFileRead":
		e.Action.Tool, e.Action.Input = "Read", field("file_path", p.Path)
	case "afterFileEdit", "afterTabFileEdit":
		e.Action.Tool, e.Action.Input, e.Output = "Write", field("file_path", p.Path), p.Edits
	case "beforeMCPExecution", "afterMCPExecution":
		if p.Tool != "" && !strings.HasPrefix(p.Tool, "MCP:") {
			e.Action.Tool = platform.ServerTool(p.Server, p.Tool)
		}
	}
	if t, ok := strings.CutPrefix(e.Action.Tool, "MCP:"); ok { // the server's name is unknown
		e.Action.Tool = platform.ServerTool(p.Server, t)
	}
	switch e.Kind {
	case platform.Result:
		for _, said := range []json.RawMessage{p.Output, p.ToolOutput, p.Result, p.Error} {
			if len(e.Output) == 0 {
				e.Output = said
			}
		}
	case platform.Prompt:
		e.Text = p.Prompt
	}
	e.Meant("cursor", platform.Brief(data))
	return e, e.Check("hook_event_name", "tool_name", "tool_input", "cwd")
}

// field makes a tool's input from the only field of an event.
func field(name string, value *string) json.RawMessage {
	if value == nil {
		return nil
	}
	b, err := json.Marshal(map[string]string{name: *value})
	if err != nil {
		return nil
	}
	return b
}

type output struct {
	Permission string          `json:"permission,omitempty"`
	Continue   *bool           `json:"continue,omitempty"` // beforeSubmitPrompt
	User       string          `json:"user_message,omitempty"`
	Agent      string          `json:"agent_message,omitempty"`
	Input      json.RawMessage `json:"updated_input,omitempty"`
	Context    string          `json:"additional_context,omitempty"`
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	var o output
	switch e.Kind {
	case platform.Call, platform.Permission:
		if e.Name != "preToolUse" {
			r = r.Unchanged()
		}
		if r.Effect != umpire.Allow {
			// The exit status must not be 2: then the document is shown literally.
			o = output{Permission: "deny", User: r.Why(), Agent: r.Why()}
			return platform.HookOutput{Stdout: platform.Line(o), Stderr: r.Why() + "\n"}
		}
		o = output{Permission: "allow", Input: r.Input}
	case platform.Prompt:
		goes := r.Effect == umpire.Allow
		if o.Continue = &goes; !goes {
			o.User = r.Why()
		}
	case platform.Result, platform.SessionStart:
		o.Context = r.Context
	case platform.AgentStart, platform.Other:
		o.Permission = "allow"
	}
	return platform.HookOutput{Stdout: platform.Line(o)}
}
