package plugin

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

var kinds = platform.Kinds{{"before", platform.Call}, {"after", platform.Result}, {"ask", platform.Permission}, {"said", platform.Prompt}, {"begin", platform.SessionStart}, {"end", platform.SessionEnd}}

func TestDecode(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct {
		name, payload string
		kind          platform.EventKind
		tool, input   string
		dir           string
		who           umpire.Principal
	}{
		{"the plugin's form", `{"hook_event_name":"before","cwd":"/w","session_id":"s","tool_name":"bash","tool_input":{"command":"ls"},"tool_use_id":"t","can_ask":true}`,
			platform.Call, "bash", `{"command":"ls"}`, "/w", umpire.Principal{Session: "s"}},
		{"OpenCode's own", `{"hook_event_name":"before","tool_name":"bash","input":{"tool":"bash","sessionID":"s","callID":"t"},"output":{"args":{"command":"ls"}}}`,
			platform.Call, "bash", `{"command":"ls"}`, platform.Here(), umpire.Principal{Session: "s"}},
		{"OpenCode's own, afterwards", `{"hook_event_name":"after","input":{"tool":"bash","sessionID":"s","callID":"t","args":{"command":"ls"}},"output":{"output":"x"}}`,
			platform.Result, "bash", `{"command":"ls"}`, platform.Here(), umpire.Principal{Session: "s"}},
		{"Pi's own", `{"event":{"type":"before","toolName":"bash","toolCallId":"t","input":{"command":"ls"}}}`,
			platform.Call, "bash", `{"command":"ls"}`, platform.Here(), umpire.Principal{}},
		{"a sub-agent's call", `{"hook_event_name":"before","cwd":"/w","session_id":"s2","parent_session_id":"s","tool_name":"bash","tool_input":{}}`,
			platform.Call, "bash", `{}`, "/w", umpire.Principal{Session: "s2", Agent: "s2", Parent: "s"}},
		{"a sub-agent begins", `{"hook_event_name":"begin","cwd":"/w","session_id":"s2","parent_session_id":"s"}`,
			platform.AgentStart, "", "", "/w", umpire.Principal{Session: "s2", Agent: "s2", Parent: "s"}},
		{"a session begins", `{"hook_event_name":"begin","cwd":"/w","session_id":"s"}`, platform.SessionStart, "", "", "/w", umpire.Principal{Session: "s"}},
	} {
		e, err := Decode("x", kinds, []byte(tt.payload))
		tt.who.Platform = "x"
		if err != nil || e.Kind != tt.kind || e.Action.Tool != tt.tool || string(e.Action.Input) != tt.input || e.Action.Dir != tt.dir || e.Action.Principal != tt.who {
			t.Errorf("%s: %+v %s, %v", tt.name, e, e.Action.Input, err)
		}
		if e.Kind == platform.Result && string(e.Output) != `{"output":"x"}` {
			t.Errorf("%s: the output is %s", tt.name, e.Output)
		}
	}
}

// A client that is asking already is left alone.
func TestPermission(t *testing.T) {
	e := platform.Event{Kind: platform.Permission}
	if a := Encode(&e, platform.Reply{Effect: umpire.Ask, Reason: "sure?"}); a != (platform.HookOutput{}) {
		t.Errorf("%+v", a)
	}
	if a := Encode(&e, platform.Reply{Effect: umpire.Deny, Reason: "no"}); a.Exit != 2 || a.Stderr != "no\n" {
		t.Errorf("%+v", a)
	}
}
