package clients_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/clients"
)

// Payloads that the real clients sent, where they lie beside the repository. This
// repository has its own, smaller ones in the other tests.
const captured = "../../../../shared/reference/payloads"

// kindOf tells by a captured file's name what is in it: EVENT.TOOL.json.
func kindOf(event string) platform.EventKind {
	switch strings.ToLower(event) {
	case "pretooluse", "beforetool", "tool.execute.before", "tool_call":
		return platform.Call
	case "permissionrequest":
		return platform.Permission
	case "posttooluse", "posttoolusefailure", "aftertool", "tool.execute.after", "tool_result":
		return platform.Result
	case "userpromptsubmit", "userpromptsubmitted", "beforeagent":
		return platform.Prompt
	case "sessionstart", "taskstart":
		return platform.SessionStart
	case "sessionend":
		return platform.SessionEnd
	case "subagentstart":
		return platform.AgentStart
	case "subagentstop":
		return platform.AgentStop
	}
	return platform.Notice
}

func TestCaptured(t *testing.T) {
	files, err := filepath.Glob(captured + "/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		client := filepath.Base(filepath.Dir(f))
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f), ".json"), ".subagent")
		event, tool, _ := strings.Cut(name, ".")
		if client == "opencode" { // whose events have dots
			parts := strings.SplitN(name, ".", 4)
			event, tool = strings.Join(parts[:3], "."), parts[3]
		}
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		c := clients.Find(client)
		e, err := c.Decode(data)
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		a := &e.Action
		if e.Kind != kindOf(event) || e.Other != "" {
			t.Errorf("%s is a %v, and looks to be from %q", f, e.Kind, e.Other)
		}
		if client != "pi" && a.Principal.Session == "" {
			t.Errorf("%s has no session", f)
		}
		switch {
		case a.Tool == tool:
		case strings.Contains(tool, "save_note") && a.Tool == "mcp__notes__save_note":
		default:
			t.Errorf("%s: the tool is %q", f, a.Tool)
		}
		if e.Judged() && (a.ID == "" && client != "gemini" && client != "copilot" && client != "droid" && e.Kind == platform.Call || !json.Valid(a.Input) || a.Input[0] != '{') {
			t.Errorf("%s: %+v", f, a)
		}
		if e.Kind == platform.Result && (len(e.Output) == 0 || !json.Valid(e.Output)) {
			t.Errorf("%s has no output", f)
		}
		if e.Kind == platform.Prompt && e.Text == "" {
			t.Errorf("%s has no text", f)
		}
		sub := strings.Contains(f, ".subagent.")
		if sub != (a.Principal.Agent != "") || sub && a.Principal.Parent == "" {
			t.Errorf("%s: the principal is %+v", f, a.Principal)
		}
		for _, r := range replies {
			document(t, c.Encode(&e, r.reply))
		}
	}
}
