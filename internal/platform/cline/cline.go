// Package cline translates Cline's hooks.
//
// Cline reads only the document on standard output and no exit status (observed, 3.0.65). Its
// denial, cancel, ends the whole run without a message to the model. So a denied call of its
// tools gets an input that fails: a command that prints the reason, or an empty input.
package cline

import (
	"cmp"
	"encoding/json"
	"runtime"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Client is Cline.
var Client = &platform.Client{
	Name:   "cline",
	Title:  "Cline",
	Decode: decode,
	Encode: encode,
	Asks:   platform.Never,
}

// events are the names in the command-line client and in the extension for VS Code.
var events = platform.Kinds{
	{"tool_call", platform.Call},
	{"PreToolUse", platform.Call},
	{"tool_result", platform.Result},
	{"PostToolUse", platform.Result},
	{"prompt_submit", platform.Prompt},
	{"UserPromptSubmit", platform.Prompt},
	{"agent_start", platform.SessionStart},
	{"TaskStart", platform.SessionStart},
	{"agent_resume", platform.SessionStart},
	{"TaskResume", platform.SessionStart},
	{"session_shutdown", platform.SessionEnd},
	{"SessionShutdown", platform.SessionEnd},
	{"agent_end", platform.Notice},
	{"TaskComplete", platform.Notice},
	{"agent_abort", platform.Notice},
	{"TaskCancel", platform.Notice},
	{"agent_error", platform.Notice},
	{"TaskError", platform.Notice},
	{"PreCompact", platform.Notice},
}

type toolCall struct {
	ID     string          `json:"id"`
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output"`
	Millis float64         `json:"durationMs"`
}

// old is the older form of a call, and the only one of the extension: every parameter is a string.
type old struct {
	Tool   string                     `json:"toolName"`
	Params map[string]json.RawMessage `json:"parameters"`
	Result json.RawMessage            `json:"result"`
	Millis float64                    `json:"executionTimeMs"`
}

type payload struct {
	Event   string   `json:"hookName"`
	Task    string   `json:"taskId"`
	Roots   []string `json:"workspaceRoots"`
	Agent   string   `json:"agent_id"`
	Parent  string   `json:"parent_agent_id"`
	Call    toolCall `json:"tool_call"`
	Result  toolCall `json:"tool_result"`
	OldCall old      `json:"preToolUse"`
	OldDone old      `json:"postToolUse"`
	Session struct {
		Root string `json:"rootSessionId"`
	} `json:"sessionContext"`
	Info struct {
		Root string `json:"rootPath"`
	} `json:"workspaceInfo"`
	Submit struct {
		Prompt string `json:"prompt"`
	} `json:"userPromptSubmit"`
	Prompt string `json:"prompt"`
}

func decode(data []byte) (platform.Event, error) {
	var p payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, err
	}
	e := platform.Event{Name: p.Event, Kind: events.Of(p.Event)}
	c, o := p.Call, p.OldCall
	if e.Kind == platform.Result {
		c, o = p.Result, p.OldDone
		e.Output, e.Took = c.Output, platform.Millis(cmp.Or(c.Millis, o.Millis))
	}
	if c.Name == "" {
		c.Name, c.Input = o.Tool, o.input()
		if e.Kind == platform.Result {
			e.Output = o.Result
		}
	}
	if e.Kind == platform.Prompt {
		e.Text = cmp.Or(p.Submit.Prompt, p.Prompt)
	}
	dir := p.Info.Root
	if len(p.Roots) > 0 {
		dir = p.Roots[0]
	}
	e.Action = umpire.Action{
		ID:        c.ID,
		Principal: umpire.Principal{Platform: "cline", Session: cmp.Or(p.Session.Root, p.Task)},
		Tool:      c.Name,
		Input:     c.Input,
		Dir:       dir,
		Workspace: dir,
	}
	if p.Parent != "" { // the main agent has an ID as well
		e.Action.Principal.Agent, e.Action.Principal.Parent = p.Agent, p.Parent
		switch p.Event {
		case "agent_start":
			e.Kind = platform.AgentStart
		case "agent_end", "agent_abort", "agent_error", "session_shutdown":
			e.Kind = platform.AgentStop
		}
	}
	serverTool(&e.Action)
	e.Meant("cline", platform.Brief(data))
	return e, e.Check("hookName", "tool_call.name", "tool_call.input", "workspaceRoots")
}

// input converts the parameters to the newer form. It decodes only strings of parameters that are
// not text there: a file's content may look like a list.
func (o *old) input() json.RawMessage {
	if o.Tool == "" {
		return nil
	}
	in := make(map[string]json.RawMessage, len(o.Params))
	for name, v := range o.Params {
		if anyof.Equal(name, "commands", "files", "requests", "queries", "edits", "arguments") {
			v = platform.Object(v)
		}
		in[name] = v
	}
	b, err := json.Marshal(in)
	if err != nil { // decoded from JSON above
		return nil
	}
	return b
}

// serverTool splits the name of a server's tool, notes__save_note, and the one in the extension's
// use_mcp_tool.
func serverTool(a *umpire.Action) {
	if server, tool, ok := strings.Cut(a.Tool, "__"); ok && server != "" && server != "mcp" && tool != "" {
		a.Tool = platform.ServerTool(server, tool)
	}
	if a.Tool != "use_mcp_tool" {
		return
	}
	var in struct {
		Server string          `json:"server_name"`
		Tool   string          `json:"tool_name"`
		Args   json.RawMessage `json:"arguments"`
	}
	if platform.Unmarshal(a.Input, &in) != nil || in.Tool == "" {
		return
	}
	a.Tool = platform.ServerTool(in.Server, in.Tool)
	if args := platform.Object(in.Args); len(args) > 0 {
		a.Input = args
	}
}

type output struct {
	Cancel  bool            `json:"cancel,omitempty"`
	Message string          `json:"errorMessage,omitempty"`
	Input   json.RawMessage `json:"overrideInput,omitempty"`
	Context string          `json:"context,omitempty"`
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	if e.Kind != platform.Call || r.Effect == umpire.Allow {
		o := output{Context: r.Context}
		if e.Kind == platform.Call {
			o.Input = r.Input
		}
		return platform.HookOutput{Stdout: platform.Line(o)}
	}
	if e.Name == "tool_call" { // the extension's form differs, and was not observed
		switch e.Action.Tool {
		case "run_commands":
			in, err := json.Marshal(map[string][]string{"commands": {failing(r.Why())}})
			if err == nil && runtime.GOOS != "windows" {
				return r.Deny(output{Input: in})
			}
			fallthrough
		case "editor", "read_files", "fetch_web_content", "search_codebase":
			// All tools require fields that it lacks. Three such mistakes in a row end the run.
			return r.Deny(output{Input: json.RawMessage("{}"), Context: r.Why()})
		}
	}
	return r.Deny(output{Cancel: true, Message: r.Why()})
}

// failing returns a command that prints a reason and fails, in the user's shell. The agent may have
// chosen parts of the reason, and shells differ in quoting, so it replaces every character that
// ends a quoted text in any of them.
func failing(reason string) string {
	text := strings.Map(func(c rune) rune {
		switch {
		case strings.ContainsRune("'\u2018\u2019\u201a\u201b", c): // PowerShell accepts curved quotes as straight ones
			return '\u02bc'
		case c < ' ' || c == 0x7f:
			return ' '
		}
		return c
	}, reason)
	text = strings.ReplaceAll(text, `\`, `\\`) // one would escape in fish, two never do
	return "printf '%s\\n' '" + text + "' >&2; exit 1"
}
