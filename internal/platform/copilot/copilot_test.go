package copilot

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		payload, name string
		kind          platform.EventKind
	}{
		{`{"sessionId":"s","cwd":"/w","toolName":"bash","toolArgs":{}}`, "preToolUse", platform.Call},
		{`{"sessionId":"s","cwd":"/w","toolName":"bash","toolArgs":{},"toolResult":{"resultType":"success"}}`, "postToolUse", platform.Result},
		{`{"sessionId":"s","cwd":"/w","toolName":"bash","toolArgs":{},"error":{"message":"x"}}`, "postToolUseFailure", platform.Result},
		{`{"sessionId":"s","cwd":"/w","toolName":"bash","toolArgs":{},"toolResult":null,"error":null}`, "preToolUse", platform.Call},
		{`{"hookName":"permissionRequest","sessionId":"s","cwd":"/w","toolName":"bash","toolInput":{}}`, "permissionRequest", platform.Permission},
		{`{"sessionId":"s","cwd":"/w","source":"new","initialPrompt":"p"}`, "sessionStart", platform.SessionStart},
		{`{"sessionId":"s","cwd":"/w","prompt":"p"}`, "userPromptSubmitted", platform.Prompt},
		{`{"sessionId":"s","cwd":"/w","stopReason":"end_turn"}`, "agentStop", platform.Notice},
		{`{"sessionId":"s","cwd":"/w","reason":"complete"}`, "sessionEnd", platform.SessionEnd},
		{`{"sessionId":"s","cwd":"/w","error":{"message":"x"}}`, "errorOccurred", platform.Notice},
		{`{"sessionId":"s","cwd":"/w","new":"in 2027"}`, "unnamed", platform.Other},
		{`{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"2026-11-21T03:49:35.540Z","cwd":"/w","tool_name":"Write","tool_input":{"path":"/w/x","file_text":"y"}}`, "PreToolUse", platform.Call},
	} {
		e, err := decode([]byte(tt.payload))
		if err != nil || e.Name != tt.name || e.Kind != tt.kind || e.Action.Principal.Session != "s" || e.Other != "" {
			t.Errorf("%s: %+v, %v", tt.payload, e, err)
		}
	}
}

func TestSubagent(t *testing.T) {
	e, err := decode([]byte(`{"sessionId":"a1","cwd":"/w","toolName":"bash","toolArgs":"{\"command\":\"ls\"}","agentId":"a1","agentType":"general-purpose","parentAgentId":"s"}`))
	if want := (umpire.Principal{Platform: "copilot", Agent: "a1", Role: "general-purpose", Parent: "s", Session: "a1"}); err != nil || e.Action.Principal != want || string(e.Action.Input) != `{"command":"ls"}` {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestServerTools(t *testing.T) {
	for name, want := range map[string]string{
		"bash": "bash", "report_intent": "report_intent", "str_replace_editor": "str_replace_editor",
		"notes-save_note":                     "mcp__notes__save_note",
		"notes/save_note":                     "mcp__notes__save_note",
		"my-notes-save_note":                  "mcp__my-notes__save_note",
		"context7-resolve-library-id":         "mcp__context7__resolve-library-id",
		"github-mcp-server-search-code":       "mcp__github-mcp-server__search-code",
		"github-mcp-server-get_file_contents": "mcp__github-mcp-server__get_file_contents",
		"mcp__notes__save-note":               "mcp__notes__save-note",
		"-x":                                  "-x", "x-": "x-",
	} {
		if got := tool(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
