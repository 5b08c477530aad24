package platform

import (
	"strings"
	"testing"
)

func TestForm(t *testing.T) {
	for payload, want := range map[string]string{
		`{"hook_event_name":"preToolUse","generation_id":"g"}`: "cursor",
		`{"agent_action_name":"pre_run_command"}`:              "windsurf",
		`{"clineVersion":"","hookName":"tool_call"}`:           "cline",
		`{"conversationId":"c","toolCall":{}}`:                 "antigravity",
		`{"conversationId":"c"}`:                               "antigravity",
		`{"toolCall":{}}`:                                      "antigravity",
		`{"toolName":"bash"}`:                                  "copilot",
		`{"sessionId":"s"}`:                                    "copilot",
		`{"hookName":"h"}`:                                     "copilot",
		`{"event":"call"}`:                                     "", `{"tool":"bash"}`: "", `{"tool_name":"bash"}`: "",
		`{"hookEventName":"PreToolUse"}`:                                                   "vscode",
		`{"sessionId":"s","toolName":"bash"}`:                                              "copilot",
		`{"event":"PreToolUse","tool_name":"bash"}`:                                        "crush",
		`{"event":"call","tool":"bash"}`:                                                   "generic",
		`{"hook_event_name":"tool.execute.before"}`:                                        "opencode",
		`{"hook_event_name":"tool_call"}`:                                                  "pi",
		`{"hook_event_name":"BeforeTool"}`:                                                 "gemini",
		`{"hook_event_name":"preToolUse"}`:                                                 "kiro",
		`{"hook_event_name":"PreToolUse","transcript_path":"/h/.claude/projects/a.jsonl"}`: "claude",
		`{"hook_event_name":"PreToolUse","transcript_path":"C:\\U\\.qwen\\p\\a.jsonl"}`:    "qwen",
		`{"hook_event_name":"PreToolUse","turn_id":"t"}`:                                   "codex",
		`{"hook_event_name":"PreToolUse","timestamp":"2026-11-21T03:49:35.540Z"}`:          "copilot",
		`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`:                              "",
		`{}`: "", `[]`: "", ``: "",
		`{"agent_action_name":"x","p":"` + strings.Repeat("x", maxForm) + `"}`: "",
	} {
		if got := Brief([]byte(payload)).Form(); got != want {
			t.Errorf("%.80s: %q, want %q", payload, got, want)
		}
	}
}

func TestObject(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1}`: `{"a":1}`, `"{\"a\":1}"`: `{"a":1}`, ` "[1]" `: `[1]`, `"not JSON"`: `"not JSON"`, `""`: `""`, ``: ``, `7`: `7`,
	} {
		if got := string(Object([]byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
