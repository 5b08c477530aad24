package dialect

import (
	"errors"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, payload string
		want          platform.Event
	}{
		{"Claude Code", `{"session_id":"s1","transcript_path":"/home/u/.claude/projects/x.jsonl","cwd":"/w","prompt_id":"p","permission_mode":"plan","effort":{"level":"medium"},
			"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t1","new_in_2027":{"x":1}}` + "\n",
			platform.Event{Name: "PreToolUse", Kind: platform.Call, Mode: "plan", Action: umpire.Action{ID: "t1", Tool: "Bash", Dir: "/w", Principal: umpire.Principal{Session: "s1"}}}},
		{"a sub-agent", `{"session_id":"s1","cwd":"/w","agent_id":"a1","agent_type":"worker","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t1"}`,
			platform.Event{Name: "PreToolUse", Kind: platform.Call, Action: umpire.Action{ID: "t1", Tool: "Bash", Dir: "/w", Principal: umpire.Principal{Session: "s1", Agent: "a1", Role: "worker", Parent: "s1"}}}},
		{"a sub-agent begins", `{"session_id":"s1","cwd":"/w","agent_id":"a1","agent_type":"worker","hook_event_name":"SubagentStart"}`,
			platform.Event{Name: "SubagentStart", Kind: platform.AgentStart, Action: umpire.Action{Dir: "/w", Principal: umpire.Principal{Session: "s1", Agent: "a1", Role: "worker", Parent: "s1"}}}},
		{"Gemini's tool server", `{"session_id":"s1","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"mcp_notes_save_note","tool_input":{"command":"ls"},"mcp_context":{"server_name":"notes","tool_name":"save_note"}}`,
			platform.Event{Name: "PreToolUse", Kind: platform.Call, Action: umpire.Action{Tool: "mcp__notes__save_note", Dir: "/w", Principal: umpire.Principal{Session: "s1"}}}},
		{"VS Code", `{"sessionId":"s1","cwd":"c:\\w","hookEventName":"PreToolUse","tool_name":"run_in_terminal","tool_input":{"command":"ls"},"tool_use_id":"t1"}`,
			platform.Event{Name: "PreToolUse", Kind: platform.Call, Other: "vscode", Action: umpire.Action{ID: "t1", Tool: "run_in_terminal", Dir: `c:\w`, Principal: umpire.Principal{Session: "s1"}}}},
		{"Kimi", `{"session_id":"s1","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Shell","tool_input":{"command":"ls"},"tool_call_id":"t1"}`,
			platform.Event{Name: "PreToolUse", Kind: platform.Call, Other: "kimi", Action: umpire.Action{ID: "t1", Tool: "Shell", Dir: "/w", Principal: umpire.Principal{Session: "s1"}}}},
		{"another client's transcript", `{"session_id":"s1","transcript_path":"/home/u/.factory/sessions/x.jsonl","cwd":"/w","hook_event_name":"Stop"}`,
			platform.Event{Name: "Stop", Kind: platform.Notice, Other: "droid", Action: umpire.Action{Dir: "/w", Principal: umpire.Principal{Session: "s1"}}}},
		{"a prompt", `{"session_id":"s1","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"do it"}`,
			platform.Event{Name: "UserPromptSubmit", Kind: platform.Prompt, Text: "do it", Action: umpire.Action{Dir: "/w", Principal: umpire.Principal{Session: "s1"}}}},
		{"fields of another type", `{"session_id":1,"cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":[{"text":"do it"}],"mcp_context":7}`,
			platform.Event{Name: "UserPromptSubmit", Kind: platform.Prompt, Action: umpire.Action{Dir: "/w"}}},
		{"an event that nobody knows", `{"hook_event_name":"Invented"}`, platform.Event{Name: "Invented"}},
	} {
		e, err := Decode("claude", Events, []byte(tt.payload))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		a, want := e.Action, tt.want.Action
		want.Principal.Platform = "claude"
		if e.Name != tt.want.Name || e.Kind != tt.want.Kind || e.Mode != tt.want.Mode || e.Text != tt.want.Text || e.Other != tt.want.Other ||
			a.ID != want.ID || a.Tool != want.Tool || a.Dir != want.Dir || a.Principal != want.Principal || e.Judged() && string(a.Input) != `{"command":"ls"}` {
			t.Errorf("%s\n got %+v\nwant %+v", tt.name, e, tt.want)
		}
	}
}

func TestOutputs(t *testing.T) {
	for payload, want := range map[string]string{
		`{"hook_event_name":"PostToolUse","tool_response":{"stdout":"x"}}`:      `{"stdout":"x"}`,
		`{"hook_event_name":"PostToolUse","tool_response":"x","error":"y"}`:     `"x"`,
		`{"hook_event_name":"PostToolUseFailure","error":"y"}`:                  `"y"`,
		`{"hook_event_name":"PostToolUse","tool_result":{"result_type":"ok"}}`:  `{"result_type":"ok"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"x","tool_response":"no"}`: ``,
	} {
		if e, _ := Decode("claude", Events, []byte(payload)); string(e.Output) != want {
			t.Errorf("%s: %s", payload, e.Output)
		}
	}
}

func TestFaults(t *testing.T) {
	for payload, incomplete := range map[string]bool{
		"":                                false,
		"[]":                              false,
		"null":                            true,
		`"PreToolUse"`:                    false,
		`{"hook_event_name":"PreToolUse"`: false,
		`{}`:                              true,
		`{"hook_event_name":"PreToolUse","cwd":"/w","tool_input":{}}`:                       true,
		`{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Bash"}`:                    true,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}`:               true,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{},"cwd":"w"}`:     true,
		`{"hook_event_name":"PreToolUse","tool_name":["Bash"],"tool_input":{},"cwd":"/w"}`:  true,
		`{"hook_event_name":"PermissionRequest","tool_name":"","tool_input":{},"cwd":"/w"}`: true,
	} {
		if _, err := Decode("claude", Events, []byte(payload)); err == nil || errors.Is(err, platform.ErrIncomplete) != incomplete {
			t.Errorf("%q: %v", payload, err)
		}
	}
}
