package claude

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/platform"
)

// Copilot runs the hooks of Claude Code that a trusted repository brings.
func TestCalledByCopilot(t *testing.T) {
	for payload, exit := range map[string]int{
		`{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"2026-11-21T03:49:35.540Z","cwd":"/w","tool_name":"Write","tool_input":{"path":"/w/x","file_text":"y"}}`: 0,
		`{"sessionId":"s","timestamp":1795232956269,"cwd":"/w","toolName":"create","toolArgs":{}}`:                                                                             2,
		`{"hook_event_name":"PreToolUse","session_id":"s","transcript_path":"/h/.claude/x.jsonl","cwd":"/w","tool_name":"Write","tool_input":{"file_path":"/w/x"}}`:            2,
	} {
		e, err := decode([]byte(payload))
		if err != nil { // Copilot's own form, to which this document says nothing
			e.Kind = platform.Call
		}
		if a := encode(&e, platform.Reply{Reason: "no"}); a.Exit != exit || a.Stderr != "no\n" || !strings.Contains(a.Stdout, `"permissionDecision":"deny"`) {
			t.Errorf("%s: %+v", payload, a)
		}
	}
}
