package platform

import (
	"encoding/json"
	"strings"
)

// present notes that a payload has a field, whatever is in it.
type present bool

func (p *present) UnmarshalJSON([]byte) error {
	*p = true
	return nil
}

// maxForm bounds the payloads that are looked at for their form, in bytes: a warning is
// not worth a second reading of a large file's text.
const maxForm = 64 << 10

// Form tells which client a payload looks to be from, and nothing if it cannot tell. It
// is a guess, good for a warning.
func Form(data []byte) string {
	var p struct {
		Event      string  `json:"hook_event_name"`
		Transcript string  `json:"transcript_path"`
		EventVS    present `json:"hookEventName"`
		HookName   present `json:"hookName"`
		Cline      present `json:"clineVersion"`
		ToolName   present `json:"toolName"`
		Tool       present `json:"tool_name"`
		SessionID  present `json:"sessionId"`
		Generation present `json:"generation_id"`
		Cursor     present `json:"cursor_version"`
		Windsurf   present `json:"agent_action_name"`
		Call       present `json:"toolCall"`
		Convers    present `json:"conversationId"`
		Turn       present `json:"turn_id"`
		CallID     present `json:"tool_call_id"`
		UseID      present `json:"tool_use_id"`
		Time       present `json:"timestamp"`
		Plain      present `json:"event"`
		PlainTool  present `json:"tool"`
	}
	if len(data) > maxForm || Unmarshal(data, &p) != nil {
		return ""
	}
	switch {
	case bool(p.Cursor || p.Generation):
		return "cursor"
	case bool(p.Windsurf):
		return "windsurf"
	case bool(p.Cline):
		return "cline"
	case bool(p.Call || p.Convers):
		return "antigravity"
	case bool(p.EventVS):
		return "vscode"
	case p.Event == "" && bool(p.ToolName || p.SessionID || p.HookName):
		return "copilot"
	case p.Event == "" && bool(p.Plain && p.Tool):
		return "crush"
	case p.Event == "" && bool(p.Plain && p.PlainTool):
		return "generic"
	case strings.HasPrefix(p.Event, "tool.execute."):
		return "opencode"
	case p.Event == "tool_call" || p.Event == "tool_result":
		return "pi"
	case strings.HasPrefix(p.Event, "Before") || strings.HasPrefix(p.Event, "After"):
		return "gemini"
	case p.Event == "agentSpawn" || p.Event == "preToolUse" || p.Event == "postToolUse" || p.Event == "userPromptSubmit":
		return "kiro"
	}
	for _, c := range []struct{ folder, client string }{
		{"/.claude/", "claude"}, {"/.codex/", "codex"}, {"/.factory/", "droid"}, {"/.qwen/", "qwen"}, {"/.gemini/", "gemini"},
	} {
		if strings.Contains(strings.ReplaceAll(p.Transcript, `\`, "/"), c.folder) {
			return c.client
		}
	}
	switch {
	case bool(p.Turn):
		return "codex"
	case bool(p.CallID && !p.UseID):
		return "kimi"
	case bool(p.Time) && p.Transcript == "":
		return "copilot"
	}
	return ""
}

// Meant notes that a payload which was given to one client's reader looks to be from
// another.
func (e *Event) Meant(client string, data []byte) {
	if f := Form(data); f != "" && f != client {
		e.Other = f
	}
}

var _ json.Unmarshaler = (*present)(nil)
