package operation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

const guarded = `{"disableX": false, "hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "/opt/umpire-hook claude"}]}], "Stop": []}, "permissions": {"allow": ["Read"]}}`

// The disk tells what is left of umpire's hook; without it the text of the call does.
func TestAgentSettings(t *testing.T) {
	const file = "/home/dev/proj/.claude/settings.json"
	edit := func(old, now string) map[string]any {
		return map[string]any{"file_path": file, "old_string": old, "new_string": now}
	}
	for name, c := range map[string]struct {
		tool  string
		in    map[string]any
		found bool
	}{
		"hook's name, in part":    {"Edit", edit("pire-ho", "x"), true},
		"hook's event, in part":   {"Edit", edit("reToolUs", "x"), true},
		"hook's matcher":          {"Edit", edit(`"*"`, `"Nothing"`), true},
		"hook's command":          {"Edit", edit("/opt/umpire-hook claude", "true"), true},
		"switched off in pieces":  {"Edit", edit(`disableX": false`, `disableAllHooks": true`), true},
		"no JSON left":            {"Edit", edit(`"permissions"`, `,"permissions"`), true},
		"written without it":      {"Write", map[string]any{"file_path": file, "content": `{"hooks": {}}`}, true},
		"named elsewhere only":    {"Write", map[string]any{"file_path": file, "content": `{"note": "umpire"}`}, true},
		"deleted":                 {"Bash", map[string]any{"command": "rm .claude/settings.json"}, true},
		"written by a program":    {"Bash", map[string]any{"command": "jq . x > .claude/settings.json"}, true},
		"patched":                 {"apply_patch", map[string]any{"input": "*** Begin Patch\n*** Update File: .claude/settings.json\n@@\n-umpire-hook\n+x\n*** End Patch\n"}, true},
		"another permission":      {"Edit", edit(`["Read"]`, `["Read", "Bash(go test *)"]`), false},
		"another hook beside it":  {"Edit", edit(`"Stop": []`, `"Stop": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]`), false},
		"every command permitted": {"Edit", edit(`["Read"]`, `["Read", "Bash"]`), true},
		"written with it":         {"Write", map[string]any{"file_path": file, "content": strings.Replace(guarded, "Read", "Glob", 1)}, false},
		"a file without it":       {"Bash", map[string]any{"command": "rm .claude/settings.local.json"}, false},
	} {
		in, err := json.Marshal(c.in)
		if err != nil {
			t.Fatal(err)
		}
		a := &umpire.Action{Tool: c.tool, Input: in, Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev", Temp: "/tmp"}
		ops := Read(a, Env{ReadFile: func(path string) ([]byte, bool) { return []byte(guarded), path == file }})
		found := false
		for _, o := range ops {
			found = found || o.Kind == umpire.Sandbox && o.Traits.Has(umpire.SelfTamper)
		}
		if found != c.found {
			t.Errorf("%s: %v, want %v: %v", name, found, c.found, ops)
		}
	}
}

// A message to a sub-agent speaks to nobody; one that a tool server sends does.
func TestAgentsTalk(t *testing.T) {
	for tool, message := range map[string]bool{"SendMessage": false, "spawn_agent": false, "mcp__chat__SendMessage": true, "mcp__slack__send_message": true} {
		ops := Read(&umpire.Action{Tool: tool, Input: []byte(`{"recipient": "x", "message": "done"}`), Dir: "/w", Home: "/home/dev"}, Env{})
		if len(ops) != 1 || ops[0].Traits.Has(umpire.Message) != message {
			t.Errorf("%s: %v %v", tool, ops, ops[0].Traits)
		}
	}
}
