package platform

import "strings"

// maxForm limits the payloads whose form is guessed, in bytes: a warning is not worth a second
// reading of a large file's text.
const maxForm = 64 << 10

// Form guesses the client of a payload, for a warning. It returns "" if it cannot tell.
func (f Fields) Form() string {
	event := f.Text("hook_event_name")
	switch {
	case f.Has("cursor_version") || f.Has("generation_id"):
		return "cursor"
	case f.Has("agent_action_name"):
		return "windsurf"
	case f.Has("clineVersion"):
		return "cline"
	case f.Has("toolCall") || f.Has("conversationId"):
		return "antigravity"
	case f.Has("hookEventName"):
		return "vscode"
	case event == "" && (f.Has("toolName") || f.Has("sessionId") || f.Has("hookName")):
		return "copilot"
	case event == "" && f.Has("event") && f.Has("tool_name"):
		return "crush"
	case event == "" && f.Has("event") && f.Has("tool"):
		return "generic"
	case strings.HasPrefix(event, "tool.execute."):
		return "opencode"
	case event == "tool_call" || event == "tool_result":
		return "pi"
	case strings.HasPrefix(event, "Before") || strings.HasPrefix(event, "After"):
		return "gemini"
	case event == "agentSpawn" || event == "preToolUse" || event == "postToolUse" || event == "userPromptSubmit":
		return "kiro"
	}
	transcript := strings.ReplaceAll(f.Text("transcript_path"), `\`, "/")
	for _, c := range []struct{ folder, client string }{
		{"/.claude/", "claude"}, {"/.codex/", "codex"}, {"/.factory/", "droid"}, {"/.qwen/", "qwen"}, {"/.gemini/", "gemini"},
	} {
		if strings.Contains(transcript, c.folder) {
			return c.client
		}
	}
	switch {
	case f.Has("turn_id"):
		return "codex"
	case f.Has("tool_call_id") && !f.Has("tool_use_id"):
		return "kimi"
	case f.Has("timestamp") && transcript == "":
		return "copilot"
	}
	return ""
}

// Meant records that a payload for one client seems to come from another.
func (e *Event) Meant(client string, f Fields) {
	if form := f.Form(); form != client {
		e.Other = form
	}
}

// Brief reads a payload for Form alone, if it is not large.
func Brief(data []byte) Fields {
	if len(data) > maxForm {
		return nil
	}
	f, _ := Read(data) // an unreadable payload has no form, and its reader reports it
	return f
}
