package clients_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	"github.com/umpire-dev/umpire/policy"
)

const (
	home = "/home/dev"
	dir  = "/home/dev/proj"
)

type object = map[string]any

// act is something that an agent wants to do, in no client's words.
type act struct {
	name   string
	does   string // "shell", "write", "patch", "server"
	text   string // the command, the file's content, the patch
	path   string
	effect umpire.Effect
	codex  umpire.Effect // where Codex differs
}

const (
	patchKeys = "*** Begin Patch\n*** Add File: /home/dev/.ssh/authorized_keys\n+ssh-ed25519 AAAA\n*** End Patch"
	patchHere = "*** Begin Patch\n*** Update File: src/a.go\n@@\n-a\n+b\n*** End Patch"
	heredoc   = "apply_patch <<'EOF'\n" + patchKeys + "\nEOF"
)

var acts = []act{
	{name: "delete home", does: "shell", text: "rm -rf ~", effect: umpire.Deny},
	{name: "delete a folder of home", does: "shell", text: "cd ~ && rm -rf precious", effect: umpire.Deny},
	{name: "list", does: "shell", text: "ls -la", effect: umpire.Allow},
	{name: "delete build output", does: "shell", text: "rm -rf build", effect: umpire.Allow},
	{name: "patch in a here-document", does: "shell", text: heredoc, effect: umpire.Deny},
	{name: "login key", does: "write", path: home + "/.ssh/authorized_keys", text: "ssh-ed25519 AAAA", effect: umpire.Deny},
	{name: "source", does: "write", path: dir + "/src/a.go", text: "package a\n", effect: umpire.Allow},
	{name: "login key by patch", does: "patch", text: patchKeys, effect: umpire.Deny},
	{name: "source by patch", does: "patch", text: patchHere, effect: umpire.Allow},
	{name: "delete by a tool server", does: "server", text: `{"command":"rm -rf ~"}`, effect: umpire.Deny},
	{name: "note by a tool server", does: "server", text: `{"path":"/home/dev/proj/n.txt","text":"x"}`, effect: umpire.Allow},
	{name: "open a shell", does: "shell", text: "bash -i", effect: umpire.Allow, codex: umpire.Ask},
	{name: "open Python", does: "shell", text: "python3", effect: umpire.Allow, codex: umpire.Ask},
	{name: "a script by name", does: "shell", text: "python3 -m pytest -q", effect: umpire.Allow},
}

// like writes acts in Claude Code's form.
func like(event string, tools func(a act) (string, any), more object) func(a act) any {
	return func(a act) any {
		tool, input := tools(a)
		if tool == "" {
			return nil
		}
		out := object{"hook_event_name": event, "session_id": "s1", "cwd": dir, "tool_name": tool, "tool_input": input, "tool_use_id": "t1"}
		maps.Copy(out, more)
		return out
	}
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// inWords says an act in each client's words. Nil is what a client has no words for.
var inWords = map[string]func(a act) any{
	"claude": like("PreToolUse", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "Bash", object{"command": a.text, "description": "d"}
		case "write":
			return "Write", object{"file_path": a.path, "content": a.text}
		case "server":
			return "mcp__notes__save_note", raw(a.text)
		}
		return "", nil
	}, object{"permission_mode": "default"}),
	"codex": like("PreToolUse", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "Bash", object{"command": a.text}
		case "write":
			return "apply_patch", object{"command": "*** Begin Patch\n*** Add File: " + a.path + "\n+" + a.text + "\n*** End Patch"}
		case "patch":
			return "apply_patch", object{"command": a.text}
		}
		return "mcp__notes__save_note", raw(a.text)
	}, object{"turn_id": "u1"}),
	"gemini": like("BeforeTool", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "run_shell_command", object{"command": a.text}
		case "write":
			return "write_file", object{"file_path": a.path, "content": a.text}
		}
		return "", nil
	}, nil),
	"qwen": like("PreToolUse", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "run_shell_command", object{"command": a.text, "is_background": false}
		case "write":
			return "write_file", object{"file_path": a.path, "content": a.text}
		case "server":
			return "mcp__notes__save_note", raw(a.text)
		}
		return "", nil
	}, nil),
	"copilot": func(a act) any {
		out := object{"sessionId": "s1", "timestamp": 1795232956269, "cwd": dir}
		switch a.does {
		case "shell":
			out["toolName"], out["toolArgs"] = "bash", object{"command": a.text, "mode": "sync"}
		case "write": // an older version's form
			args, _ := json.Marshal(object{"path": a.path, "file_text": a.text})
			out["toolName"], out["toolArgs"] = "create", string(args)
		case "patch":
			out["toolName"], out["toolArgs"] = "apply_patch", object{"patch": a.text}
		default:
			out["toolName"], out["toolArgs"] = "notes-save_note", raw(a.text)
		}
		return out
	},
	"droid": like("PreToolUse", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "Execute", object{"command": a.text, "riskLevel": "low"}
		case "write":
			return "Create", object{"file_path": a.path, "content": a.text}
		case "patch":
			return "ApplyPatch", object{"input": a.text}
		}
		return "", nil
	}, nil),
	"cline": func(a act) any {
		call := object{"id": "t1"}
		switch a.does {
		case "shell":
			call["name"], call["input"] = "run_commands", object{"commands": []string{a.text}}
		case "write":
			call["name"], call["input"] = "editor", object{"path": a.path, "new_text": a.text}
		case "patch":
			call["name"], call["input"] = "apply_patch", object{"input": a.text}
		default:
			call["name"], call["input"] = "notes__save_note", raw(a.text)
		}
		return object{"clineVersion": "", "hookName": "tool_call", "taskId": "c1", "sessionContext": object{"rootSessionId": "s1"},
			"workspaceRoots": []string{dir}, "agent_id": "a1", "parent_agent_id": nil, "tool_call": call}
	},
	"opencode": like("tool.execute.before", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "bash", object{"command": a.text}
		case "write":
			return "write", object{"filePath": a.path, "content": a.text}
		case "patch":
			return "apply_patch", object{"patchText": a.text}
		}
		return "notes_save_note", raw(a.text)
	}, nil),
	"pi": like("tool_call", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "bash", object{"command": a.text}
		case "write":
			return "write", object{"path": a.path, "content": a.text}
		}
		return "", nil
	}, object{"can_ask": true}),
	"cursor": func(a act) any {
		out := object{"conversation_id": "s1", "generation_id": "t1", "workspace_roots": []string{dir}, "cursor_version": "3"}
		switch a.does {
		case "shell":
			out["hook_event_name"], out["command"], out["cwd"] = "beforeShellExecution", a.text, dir
		case "write":
			out["hook_event_name"], out["tool_name"], out["tool_input"] = "preToolUse", "Write", object{"file_path": a.path, "content": a.text}
		case "server":
			out["hook_event_name"], out["tool_name"], out["tool_input"] = "beforeMCPExecution", "save_note", a.text
		default:
			return nil
		}
		return out
	},
	"vscode": func(a act) any {
		out := object{"hookEventName": "PreToolUse", "sessionId": "s1", "cwd": dir, "tool_use_id": "t1"}
		switch a.does {
		case "shell":
			out["tool_name"], out["tool_input"] = "run_in_terminal", object{"command": a.text, "isBackground": false}
		case "write":
			out["tool_name"], out["tool_input"] = "create_file", object{"filePath": a.path, "content": a.text}
		case "patch":
			out["tool_name"], out["tool_input"] = "apply_patch", object{"input": a.text}
		default:
			out["tool_name"], out["tool_input"] = "mcp_notes_save_note", raw(a.text)
		}
		return out
	},
	"windsurf": func(a act) any {
		out := object{"trajectory_id": "s1", "execution_id": "t1"}
		switch a.does {
		case "shell":
			out["agent_action_name"], out["tool_info"] = "pre_run_command", object{"command_line": a.text, "cwd": dir}
		case "write":
			out["agent_action_name"], out["tool_info"] = "pre_write_code", object{"file_path": a.path, "edits": []object{{"old_string": "", "new_string": a.text}}}
		case "server":
			out["agent_action_name"], out["tool_info"] = "pre_mcp_tool_use", object{"mcp_server_name": "notes", "mcp_tool_name": "save_note", "mcp_tool_arguments": raw(a.text)}
		default:
			return nil
		}
		return out
	},
	"kiro": like("preToolUse", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "execute_bash", object{"command": a.text}
		case "write":
			return "fs_write", object{"command": "create", "path": a.path, "file_text": a.text}
		case "server":
			return "@notes/save_note", raw(a.text)
		}
		return "", nil
	}, nil),
	"antigravity": func(a act) any {
		call := object{}
		switch a.does {
		case "shell":
			call["name"], call["args"] = "run_command", object{"CommandLine": a.text, "Cwd": dir}
		case "write":
			call["name"], call["args"] = "write_to_file", object{"TargetFile": a.path, "CodeContent": a.text}
		case "server":
			call["name"], call["args"] = "call_mcp_tool", object{"ServerName": "notes", "ToolName": "save_note", "Arguments": raw(a.text)}
		default:
			return nil
		}
		return object{"conversationId": "s1", "stepIdx": 3, "workspacePaths": []string{dir}, "toolCall": call}
	},
	"crush": func(a act) any {
		out := object{"event": "PreToolUse", "session_id": "s1", "cwd": dir}
		switch a.does {
		case "shell":
			out["tool_name"], out["tool_input"] = "bash", object{"command": a.text}
		case "write":
			out["tool_name"], out["tool_input"] = "write", object{"file_path": a.path, "content": a.text}
		case "server":
			out["tool_name"], out["tool_input"] = "mcp_notes_save_note", raw(a.text)
		default:
			return nil
		}
		return out
	},
	"kimi": like("PreToolUse", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "Shell", object{"command": a.text}
		case "write":
			return "WriteFile", object{"path": a.path, "content": a.text}
		case "server":
			return "mcp__notes__save_note", raw(a.text)
		}
		return "", nil
	}, nil),
	"devin": like("PreToolUse", func(a act) (string, any) {
		switch a.does {
		case "shell":
			return "exec", object{"command": a.text}
		case "write":
			return "write", object{"file_path": a.path, "content": a.text}
		}
		return "", nil
	}, nil),
	"generic": func(a act) any {
		out := object{"event": "call", "id": "t1", "session": "s1", "dir": dir}
		switch a.does {
		case "shell":
			out["tool"], out["input"] = "shell", object{"command": a.text}
		case "write":
			out["tool"], out["input"] = "write_file", object{"path": a.path, "content": a.text}
		case "patch":
			out["tool"], out["input"] = "apply_patch", object{"patch": a.text}
		default:
			out["tool"], out["input"] = "mcp__notes__save_note", raw(a.text)
		}
		return out
	},
}

// amp is told which tool it is by its environment.
func ampWords(t *testing.T, a act) any {
	t.Helper()
	tool, input := "mcp__notes__save_note", any(raw(a.text))
	switch a.does {
	case "shell":
		tool, input = "Bash", object{"cmd": a.text, "cwd": dir}
	case "write":
		tool, input = "create_file", object{"path": a.path, "content": a.text}
	case "patch":
		return nil
	}
	t.Setenv("AGENT_TOOL_NAME", tool)
	t.Setenv("AGENT_THREAD_ID", "s1")
	return input
}

// The same act is the same to umpire, whichever client's words it comes in.
func TestSameActs(t *testing.T) {
	p, err := packs.Default()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clients.All() {
		t.Run(c.Name, func(t *testing.T) {
			say := inWords[c.Name]
			if c.Name == "amp" {
				say = func(a act) any { return ampWords(t, a) }
			}
			if say == nil {
				t.Fatal("nobody wrote down how this client says things")
			}
			for _, a := range acts {
				words := say(a)
				if words == nil { // the client has no tool for it
					continue
				}
				t.Run(a.name, func(t *testing.T) {
					payload, err := json.Marshal(words)
					if err != nil {
						t.Fatal(err)
					}
					e, err := c.Decode(payload)
					if err != nil {
						t.Fatalf("%s: %v", payload, err)
					}
					x := &e.Action
					if e.Name == "" || !e.Judged() || x.Principal.Session != "s1" && c.Name != "amp" || x.Principal.Platform != c.Name || e.Other != "" {
						t.Errorf("%+v", e)
					}
					if a.does == "server" && x.Tool != "mcp__notes__save_note" && (c.Name != "cursor" || x.Tool != "mcp__"+umpire.Hole+"__save_note") {
						t.Errorf("the tool is %s", x.Tool)
					}
					x.Home, x.Workspace, x.Temp = home, dir, "/tmp"
					if c.Name == "windsurf" || c.Name == "amp" { // which may say no folder
						x.Dir = dir
					}
					d := p.Decide(x, operation.Read(x, operation.Env{}))
					want := a.effect
					if c.Name == "codex" && a.codex != 0 {
						want = a.codex
					}
					if d.Effect != want {
						t.Errorf("%s for %s, want %s: %+v", d.Effect, payload, want, d.Reasons)
					}
				})
			}
		})
	}
}

// One rule about a server's tools speaks for every client. Where a client does not name
// the server, it only may match, and asks.
func TestOneRuleForServerTools(t *testing.T) {
	pattern, err := policy.ParsePattern("tool(mcp__notes__*)")
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{{ID: "notes", Match: []policy.Pattern{pattern}, Layer: policy.User}}})
	if err != nil {
		t.Fatal(err)
	}
	note := acts[slices.IndexFunc(acts, func(a act) bool { return a.does == "server" })]
	for _, c := range clients.All() {
		words := any(nil)
		if say := inWords[c.Name]; say != nil {
			words = say(note)
		}
		if words == nil {
			continue
		}
		payload, err := json.Marshal(words)
		if err != nil {
			t.Fatal(err)
		}
		e, err := c.Decode(payload)
		if err != nil {
			t.Fatal(err)
		}
		e.Action.Home = home
		want := umpire.Deny
		if c.Name == "cursor" {
			want = umpire.Ask
		}
		if d := p.Decide(&e.Action, operation.Read(&e.Action, operation.Env{})); d.Effect != want {
			t.Errorf("%s: %s for %s, want %s", c.Name, d.Effect, e.Action.Tool, want)
		}
	}
}
