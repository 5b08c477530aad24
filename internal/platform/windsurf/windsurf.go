// Package windsurf translates the hooks of Windsurf's Cascade.
//
// This package follows the documentation and was not tested with the real client. The exit
// status 2 blocks with the reason on standard error; Windsurf ignores everything else.
package windsurf

import (
	"cmp"
	"encoding/json"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Client is Windsurf.
var Client = &platform.Client{
	Name:    "windsurf",
	Title:   "Windsurf",
	Decode:  decode,
	Encode:  encode,
	Asks:    platform.Never,
	Project: []string{"ROOT_WORKSPACE_PATH"},
	Refuses: true,
}

// The name of an action determines the tool.
var events = []struct {
	name string
	kind platform.EventKind
	tool string
}{
	{"pre_run_command", platform.Call, "run_command"},
	{"pre_write_code", platform.Call, "write_code"},
	{"pre_read_code", platform.Call, "read_code"},
	{"pre_mcp_tool_use", platform.Call, ""},
	{"post_run_command", platform.Result, "run_command"},
	{"post_write_code", platform.Result, "write_code"},
	{"post_read_code", platform.Result, "read_code"},
	{"post_mcp_tool_use", platform.Result, ""},
	{"pre_user_prompt", platform.Prompt, ""},
	{"post_cascade_response", platform.Notice, ""},
	{"post_cascade_response_with_transcript", platform.Notice, ""},
	{"post_setup_worktree", platform.Notice, ""},
}

type payload struct {
	Event     string          `json:"agent_action_name"`
	Session   string          `json:"trajectory_id"`
	Execution string          `json:"execution_id"`
	Info      json.RawMessage `json:"tool_info"`
}

type info struct {
	Dir    string          `json:"cwd"`
	Server string          `json:"mcp_server_name"`
	Tool   string          `json:"mcp_tool_name"`
	Args   json.RawMessage `json:"mcp_tool_arguments"`
	Result json.RawMessage `json:"mcp_result"`
	Output json.RawMessage `json:"stdout"`
	Prompt string          `json:"user_prompt"`
}

func decode(data []byte) (platform.Event, error) {
	var p payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, err
	}
	var i info
	if len(p.Info) > 0 {
		_ = platform.Unmarshal(p.Info, &i) // anything else than an object has no fields
	}
	var tool string
	var kind platform.EventKind
	for _, e := range events {
		if e.name == p.Event {
			kind, tool = e.kind, e.tool
		}
	}
	e := platform.Event{Name: p.Event, Kind: kind, Action: umpire.Action{
		ID:        p.Execution,
		Principal: umpire.Principal{Platform: "windsurf", Session: p.Session},
		Tool:      tool,
		Input:     p.Info,
		Dir:       cmp.Or(i.Dir, platform.Here()),
	}}
	if i.Tool != "" {
		e.Action.Tool, e.Action.Input = platform.ServerTool(i.Server, i.Tool), platform.Object(i.Args)
		if len(e.Action.Input) == 0 {
			e.Action.Input = json.RawMessage("{}")
		}
	}
	switch e.Kind {
	case platform.Result:
		if e.Output = i.Result; len(e.Output) == 0 {
			e.Output = i.Output
		}
	case platform.Prompt:
		e.Text = i.Prompt
	}
	e.Meant("windsurf", platform.Brief(data))
	return e, e.Check("agent_action_name", "tool_info.mcp_tool_name", "tool_info", "tool_info.cwd")
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	if r = r.Unchanged(); (e.Judged() || e.Kind == platform.Prompt) && r.Effect != umpire.Allow {
		return platform.HookOutput{Stderr: r.Why() + "\n", Exit: 2}
	}
	return platform.HookOutput{}
}
