package claude

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

func TestDecode(t *testing.T) {
	e, err := Decode([]byte(`{"session_id":"s1","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash",
		"tool_input":{"command":"ls"},"tool_use_id":"t1","agent_id":"a1","new_in_2027":{"x":1}}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	a := e.Action
	if !e.Judged() || a.Tool != "Bash" || a.Dir != "/w" || a.ID != "t1" || a.Principal != (umpire.Principal{Platform: "claude", Agent: "a1", Session: "s1"}) || string(a.Input) != `{"command":"ls"}` {
		t.Errorf("Decode = %+v", e)
	}
}

func TestDecodeFaults(t *testing.T) {
	for _, tt := range []struct {
		in         string
		incomplete bool
	}{
		{"", false},
		{"[]", false},
		{`{"hook_event_name":"PreToolUse"`, false},
		{`{}`, true},
		{`{"hook_event_name":"PreToolUse","cwd":"/w"}`, true},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash"}`, true},
		{`{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"w"}`, true},
	} {
		if _, err := Decode([]byte(tt.in)); err == nil || errors.Is(err, ErrIncomplete) != tt.incomplete {
			t.Errorf("Decode(%q): %v", tt.in, err)
		}
	}
	// An event that nobody waits for needs no more than its name.
	if e, err := Decode([]byte(`{"hook_event_name":"Invented"}`)); err != nil || e.Judged() {
		t.Errorf("unknown event: %+v, %v", e, err)
	}
}

func TestEncode(t *testing.T) {
	const reason = "a \"quoted\"\nreason"
	for _, tt := range []struct {
		d     umpire.Decision
		speak bool
		want  string
		exit  int
	}{
		{umpire.Decision{Effect: umpire.Allow, Explicit: true}, false, "", 0},
		{umpire.Decision{Effect: umpire.Allow}, true, "", 0},
		{umpire.Decision{Effect: umpire.Allow, Explicit: true}, true, "allow", 0},
		{umpire.Decision{Effect: umpire.Ask}, false, "ask", 0},
		{umpire.Decision{Effect: umpire.Deny}, false, "deny", 2},
		{umpire.Decision{}, true, "deny", 2},
	} {
		a := Encode(tt.d, reason, tt.speak)
		if a.Exit != tt.exit || (a.Stderr != "") != (tt.exit == 2) {
			t.Errorf("%+v: exit %d, stderr %q", tt.d, a.Exit, a.Stderr)
		}
		if tt.want == "" {
			if a.Stdout != "" {
				t.Errorf("%+v prints %q", tt.d, a.Stdout)
			}
			continue
		}
		var got map[string]map[string]string
		if err := json.Unmarshal([]byte(a.Stdout), &got); err != nil {
			t.Fatal(err)
		}
		// One unknown key and other clients run the call: exactly these three.
		h := got["hookSpecificOutput"]
		if len(got) != 1 || len(h) != 3 || h["hookEventName"] != "PreToolUse" || h["permissionDecision"] != tt.want || h["permissionDecisionReason"] != reason {
			t.Errorf("%+v prints %s", tt.d, a.Stdout)
		}
		if strings.Count(a.Stdout, "\n") != 1 || !strings.HasSuffix(a.Stdout, "\n") {
			t.Errorf("%+v does not print one line: %q", tt.d, a.Stdout)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/w","tool_input":{"command":"ls"}}`))
	f.Add([]byte(`{"tool_input":[[[[]]]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Decode(data)
		if err == nil && e.Judged() && (e.Action.Tool == "" || e.Action.Dir == "") {
			t.Errorf("accepted without tool or folder: %+v", e)
		}
	})
}
