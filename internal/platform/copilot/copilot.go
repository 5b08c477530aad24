// Package copilot translates the hooks of GitHub Copilot CLI.
//
// The registered name of a hook selects the form of the payload: preToolUse has Copilot's form,
// PreToolUse has Claude Code's with Copilot's fields in the tool's input. The former does not
// name its event, so the package infers it from the fields. The answer always has Copilot's
// form: in Claude Code's form, an exit status of 2 would keep the reason from the model
// (observed, 1.0.102).
package copilot

import (
	"encoding/json"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/dialect"
)

// Client is GitHub Copilot CLI.
var Client = &platform.Client{
	Name:     "copilot",
	Title:    "GitHub Copilot CLI",
	Decode:   decode,
	Encode:   encode,
	Asks:     platform.Always, // a headless client treats an ask as a denial
	Replaces: replaces,
	Project:  []string{"COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
}

var events = platform.Kinds{
	{"preToolUse", platform.Call},
	{"permissionRequest", platform.Permission},
	{"postToolUse", platform.Result},
	{"postToolUseFailure", platform.Result},
	{"userPromptSubmitted", platform.Prompt},
	{"sessionStart", platform.SessionStart},
	{"sessionEnd", platform.SessionEnd},
	{"subagentStart", platform.AgentStart},
	{"subagentStop", platform.AgentStop},
	{"agentStop", platform.Notice},
	{"userPromptTransformed", platform.Notice},
	{"preCompact", platform.Notice},
	{"notification", platform.Notice},
	{"errorOccurred", platform.Notice},
}

type payload struct {
	Pascal  string          `json:"hook_event_name"`
	Named   string          `json:"tool_name"`
	Event   string          `json:"hookName"`
	Session string          `json:"sessionId"`
	Dir     string          `json:"cwd"`
	Tool    string          `json:"toolName"`
	Args    json.RawMessage `json:"toolArgs"`  // an object; older versions encoded it in a string
	Input   json.RawMessage `json:"toolInput"` // permissionRequest
	Result  json.RawMessage `json:"toolResult"`
	Error   json.RawMessage `json:"error"`
	ID      string          `json:"toolCallId"`
	Agent   string          `json:"agentId"`
	Role    string          `json:"agentType"`
	Parent  string          `json:"parentAgentId"`
	Prompt  *string         `json:"prompt"`
	Source  *string         `json:"source"`     // sessionStart
	Reason  *string         `json:"reason"`     // sessionEnd
	Stop    *string         `json:"stopReason"` // agentStop
}

// event returns the event of a payload.
func (p *payload) event() string {
	switch {
	case p.Event != "":
		return p.Event
	case p.Tool != "" && platform.Given(p.Result):
		return "postToolUse"
	case p.Tool != "" && platform.Given(p.Error):
		return "postToolUseFailure"
	case p.Tool != "":
		return "preToolUse"
	case p.Stop != nil:
		return "agentStop"
	case p.Source != nil:
		return "sessionStart"
	case p.Prompt != nil:
		return "userPromptSubmitted"
	case p.Reason != nil:
		return "sessionEnd"
	case platform.Given(p.Error):
		return "errorOccurred"
	case p.Session != "":
		return "unnamed"
	}
	return ""
}

func decode(data []byte) (platform.Event, error) {
	var p payload
	if err := platform.Unmarshal(data, &p); err != nil {
		return platform.Event{}, err
	}
	if p.Pascal != "" || p.Named != "" {
		e, err := dialect.Decode("copilot", dialect.Events, data)
		e.Action.Tool = tool(e.Action.Tool)
		e.Action.Input = platform.Object(e.Action.Input)
		return e, err
	}
	e := platform.Event{Name: p.event(), Action: umpire.Action{
		ID:        p.ID,
		Principal: umpire.Principal{Platform: "copilot", Agent: p.Agent, Role: p.Role, Parent: p.Parent, Session: p.Session},
		Tool:      tool(p.Tool),
		Input:     platform.Object(p.Args),
		Dir:       p.Dir,
	}}
	e.Kind = events.Of(e.Name)
	if len(e.Action.Input) == 0 {
		e.Action.Input = platform.Object(p.Input)
	}
	switch e.Kind {
	case platform.Result:
		if e.Output = p.Result; len(e.Output) == 0 {
			e.Output = p.Error
		}
	case platform.Prompt:
		if p.Prompt != nil {
			e.Text = *p.Prompt
		}
	}
	e.Meant("copilot", platform.Brief(data))
	return e, e.Check("toolName", "toolName", "toolArgs", "cwd")
}

// github is Copilot's built-in tool server.
const github = "github-mcp-server-"

// tool splits the name of a server's tool, notes-save_note or notes/save_note: none of Copilot's
// tools has such a name. Either part may contain a hyphen. Most tools are named verb_noun, so the
// last hyphen counts if an underscore follows, and otherwise the first.
func tool(name string) string {
	if rest, ok := strings.CutPrefix(name, github); ok {
		return platform.ServerTool(strings.TrimSuffix(github, "-"), rest)
	}
	if server, t, ok := strings.Cut(name, "/"); ok {
		return platform.ServerTool(server, t)
	}
	i := strings.LastIndexByte(name, '-')
	if i >= 0 && !strings.Contains(name[i:], "_") {
		i = strings.IndexByte(name, '-')
	}
	if i < 1 || i == len(name)-1 || strings.HasPrefix(name, "mcp__") {
		return name
	}
	return platform.ServerTool(name[:i], name[i+1:])
}

type output struct {
	Decision string          `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Args     json.RawMessage `json:"modifiedArgs,omitempty"`
	Context  string          `json:"additionalContext,omitempty"`
	Result   *toolResult     `json:"modifiedResult,omitempty"`
}

type toolResult struct {
	Type string `json:"resultType"`
	Text string `json:"textResultForLlm"`
}

func encode(e *platform.Event, r platform.Reply) platform.HookOutput {
	switch e.Kind {
	case platform.Permission:
		return permission(r)
	case platform.Call:
		switch {
		case r.Effect == umpire.Allow && (r.Speak || len(r.Input) > 0):
			return stdout(output{Decision: "allow", Reason: r.Why(), Args: r.Input, Context: r.Context})
		case r.Effect == umpire.Allow && r.Context != "":
			return stdout(output{Context: r.Context})
		case r.Effect == umpire.Allow:
			return platform.HookOutput{}
		case r.Effect == umpire.Ask:
			return stdout(output{Decision: "ask", Reason: r.Why(), Context: r.Context})
		}
		return r.Deny(output{Decision: "deny", Reason: r.Why()})
	case platform.SessionStart, platform.Prompt, platform.Result:
		if replaces(e) && r.Text != "" {
			return stdout(output{Context: r.Context, Result: &toolResult{"success", r.Text}})
		}
		if r.Context != "" {
			return stdout(output{Context: r.Context})
		}
	}
	return platform.HookOutput{}
}

func replaces(e *platform.Event) bool { return e.Name == "postToolUse" }

func stdout(o output) platform.HookOutput { return platform.HookOutput{Stdout: platform.Line(o)} }

func permission(r platform.Reply) platform.HookOutput {
	type behavior struct {
		Behavior string `json:"behavior"`
		Message  string `json:"message,omitempty"`
	}
	switch {
	case r.Effect == umpire.Deny:
		return r.Deny(behavior{"deny", r.Why()})
	case r.Effect == umpire.Allow && r.Speak && len(r.Input) == 0:
		return platform.HookOutput{Stdout: platform.Line(behavior{Behavior: "allow"})}
	}
	return platform.HookOutput{}
}
