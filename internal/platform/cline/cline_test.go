package cline

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
)

const callHead = `{"clineVersion":"","taskId":"t1","sessionContext":{"rootSessionId":"s1"},"workspaceRoots":["/w","/v"],"workspaceInfo":{"rootPath":"/w"},"agent_id":"a1",`

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, payload string
		tool, input   string
		kind          platform.EventKind
		who           umpire.Principal
	}{
		{"a call of the main agent", callHead + `"parent_agent_id":null,"hookName":"tool_call","tool_call":{"id":"c","name":"run_commands","input":{"commands":["ls"]}},
			"preToolUse":{"toolName":"run_commands","parameters":{"commands":"[\"other\"]"}}}`,
			"run_commands", `{"commands":["ls"]}`, platform.Call, umpire.Principal{Platform: "cline", Session: "s1"}},
		{"a call of a sub-agent", callHead + `"parent_agent_id":"a0","hookName":"tool_call","tool_call":{"id":"c","name":"editor","input":{}}}`,
			"editor", `{}`, platform.Call, umpire.Principal{Platform: "cline", Session: "s1", Agent: "a1", Parent: "a0"}},
		{"the extension's form", `{"hookName":"PreToolUse","taskId":"t1","workspaceRoots":["/w"],"preToolUse":{"toolName":"execute_command","parameters":{"command":"ls"}}}`,
			"execute_command", `{"command":"ls"}`, platform.Call, umpire.Principal{Platform: "cline", Session: "t1"}},
		{"lists in strings", `{"hookName":"PreToolUse","taskId":"t1","workspaceRoots":["/w"],"preToolUse":{"toolName":"run_commands","parameters":{"commands":"[\"ls\"]"}}}`,
			"run_commands", `{"commands":["ls"]}`, platform.Call, umpire.Principal{Platform: "cline", Session: "t1"}},
		{"a file that looks like a list", `{"hookName":"PreToolUse","taskId":"t1","workspaceRoots":["/w"],"preToolUse":{"toolName":"write_to_file","parameters":{"content":"[1]"}}}`,
			"write_to_file", `{"content":"[1]"}`, platform.Call, umpire.Principal{Platform: "cline", Session: "t1"}},
		{"a tool server's tool", `{"hookName":"PreToolUse","taskId":"t1","workspaceRoots":["/w"],"preToolUse":{"toolName":"use_mcp_tool","parameters":{"server_name":"notes","tool_name":"save","arguments":"{\"a\":1}"}}}`,
			"mcp__notes__save", `{"a":1}`, platform.Call, umpire.Principal{Platform: "cline", Session: "t1"}},
		{"a sub-agent begins", callHead + `"parent_agent_id":"a0","hookName":"agent_start"}`, "", "", platform.AgentStart, umpire.Principal{Platform: "cline", Session: "s1", Agent: "a1", Parent: "a0"}},
		{"a session begins", callHead + `"parent_agent_id":null,"hookName":"agent_start"}`, "", "", platform.SessionStart, umpire.Principal{Platform: "cline", Session: "s1"}},
	} {
		e, err := decode([]byte(tt.payload))
		if err != nil || e.Kind != tt.kind || e.Action.Tool != tt.tool || string(e.Action.Input) != tt.input || e.Action.Principal != tt.who || e.Action.Dir != "/w" || e.Action.Workspace != "/w" {
			t.Errorf("%s: %+v %s, %v", tt.name, e, e.Action.Input, err)
		}
	}
}

// Cline hears no exit status. A denial is a document that does not let the call through,
// and the run goes on where the client allows that.
func TestDeafToExitStatus(t *testing.T) {
	r := platform.Reply{Reason: "because"}
	for _, tt := range []struct{ event, tool, want string }{
		{"tool_call", "editor", `{"overrideInput":{},"context":"because"}`},
		{"tool_call", "read_files", `{"overrideInput":{},"context":"because"}`},
		{"tool_call", "spawn_agent", `{"cancel":true,"errorMessage":"because"}`},
		{"tool_call", "mcp__notes__save", `{"cancel":true,"errorMessage":"because"}`},
		{"PreToolUse", "run_commands", `{"cancel":true,"errorMessage":"because"}`},
		{"", "", `{"cancel":true,"errorMessage":"because"}`},
	} {
		e := platform.Event{Name: tt.event, Kind: platform.Call, Action: umpire.Action{Tool: tt.tool}}
		if a := encode(&e, r); a.Stdout != tt.want+"\n" || a.Stderr != "because\n" || a.Exit != 2 {
			t.Errorf("%s %s: %+v", tt.event, tt.tool, a)
		}
	}
}

// The adversary wrote a part of the reason. Whatever it is, the command in the place of
// the denied one prints it, fails, and does nothing else, in every shell there is here.
func TestHostileReasons(t *testing.T) {
	for _, shell := range []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "busybox", "pwsh"} {
		prog, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		for _, reason := range []string{
			"plain", "it's", `\'; touch owned; '`, `'; touch owned; '`, `\`, `\\'; touch owned; #`, "a\nb", "`touch owned`", "$(touch owned)", "!!", "%s%n%d", "a\x00b",
			"\u2019; touch owned; \u2018", "\xff'; touch owned; '", `"; touch owned; "`, "-n", "\x1b[2J", "\r'; touch owned", `\\\'; touch owned; \\\'`,
		} {
			// It reaches the shell by way of a document.
			b, err := json.Marshal(failing(reason))
			if err != nil {
				t.Fatal(err)
			}
			var command string
			if err := json.Unmarshal(b, &command); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			args := []string{"-c", command}
			if shell == "busybox" {
				args = append([]string{"sh"}, args...)
			}
			cmd := exec.Command(prog, args...)
			cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=/usr/bin:/bin", "LANG=C.UTF-8"}
			var out, errs strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); err == nil || out.Len() > 0 {
				t.Errorf("%s, %q: %v, it printed %q", shell, reason, err, out.String())
			}
			if reason == "plain" && shell != "pwsh" && errs.String() != "plain\n" {
				t.Errorf("%s says %q", shell, errs.String())
			}
			if _, err := os.Lstat(filepath.Join(dir, "owned")); err == nil {
				t.Errorf("%s, %q: it ran", shell, reason)
			}
		}
	}
}
