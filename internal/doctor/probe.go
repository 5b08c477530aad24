package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/bounded"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// The calls of a probe. Neither runs: a hook only decides on them.
const (
	harmless    = "echo umpire-doctor"
	destructive = "rm -rf ~"
)

// session marks a probe's calls.
const session = "umpire-doctor"

// How to run a probe.
const (
	probeTime = 15 * time.Second // no client waits less for its hook
	runs      = 10               // number of runs to measure the latency
	maxSaid   = 64 << 10
)

// probeAnswer is what a hook printed, and how it ended.
type probeAnswer struct {
	out, err string
	exit     int
	fault    error // it did not start, or did not end
	took     time.Duration
}

// payload returns a shell call in the form that a client sends to its hook, as observed.
func payload(client, command, dir string) []byte {
	claude := func(event, tool string, more map[string]any) any {
		m := map[string]any{"session_id": session, "transcript_path": "", "cwd": dir, "hook_event_name": event, "tool_name": tool, "tool_input": map[string]any{"command": command}, "tool_use_id": session}
		maps.Copy(m, more)
		return m
	}
	var v any
	switch client {
	case "codex":
		v = claude("PreToolUse", "Bash", map[string]any{"turn_id": session, "model": "none", "permission_mode": "bypassPermissions"})
	case "gemini":
		v = claude("BeforeTool", "run_shell_command", map[string]any{"timestamp": "2026-01-01T00:00:00.000Z"})
	case "qwen":
		v = claude("PreToolUse", "run_shell_command", map[string]any{"permission_mode": "default"})
	case "droid":
		v = claude("PreToolUse", "Execute", map[string]any{"permission_mode": "auto-low"})
	case "copilot":
		v = map[string]any{"sessionId": session, "timestamp": 0, "cwd": dir, "toolName": "bash", "toolArgs": map[string]any{"command": command, "mode": "sync"}}
	case "cline":
		list, _ := json.Marshal([]string{command})
		v = map[string]any{
			"clineVersion": "", "timestamp": "2026-01-01T00:00:00.000Z", "taskId": session, "sessionContext": map[string]any{"rootSessionId": session},
			"workspaceRoots": []string{dir}, "hookName": "tool_call", "agent_id": session,
			"tool_call":  map[string]any{"id": session, "name": "run_commands", "input": map[string]any{"commands": []string{command}}},
			"preToolUse": map[string]any{"toolName": "run_commands", "parameters": map[string]any{"commands": string(list)}},
		}
	case "opencode":
		v = claude("tool.execute.before", "bash", nil)
	case "pi":
		v = claude("tool_call", "bash", nil)
	case "cursor":
		v = map[string]any{"conversation_id": session, "generation_id": session, "hook_event_name": "preToolUse", "workspace_roots": []string{dir}, "cursor_version": "2.0.0",
			"cwd": dir, "tool_name": "Shell", "tool_input": map[string]any{"command": command}}
	case "windsurf":
		v = map[string]any{"agent_action_name": "pre_run_command", "trajectory_id": session, "execution_id": session, "tool_info": map[string]any{"command_line": command, "cwd": dir}}
	case "kiro":
		v = claude("preToolUse", "execute_bash", nil)
	case "antigravity":
		v = map[string]any{"conversationId": session, "workspacePaths": []string{dir}, "toolCall": map[string]any{"name": "run_command", "args": map[string]any{"CommandLine": command, "Cwd": dir}}}
	case "vscode":
		v = claude("PreToolUse", "run_in_terminal", nil)
	case "crush":
		v = map[string]any{"event": "PreToolUse", "session_id": session, "cwd": dir, "tool_name": "bash", "tool_input": map[string]any{"command": command}}
	case "amp":
		v = map[string]any{"cmd": command, "cwd": dir}
	default:
		v = claude("PreToolUse", "Bash", map[string]any{"permission_mode": "default"})
	}
	b, _ := json.Marshal(v)
	return b
}

// expect returns the policy's decision on a probe's call, without a hook. It is unknown if a model
// or a person decides last.
func (d *Doctor) expect(client string, data []byte) (effect umpire.Effect, known bool, err error) {
	c := clients.Find(client)
	if c == nil {
		return umpire.Deny, false, fmt.Errorf("unknown client %q", client)
	}
	e, err := c.Read(data)
	if err != nil {
		return umpire.Deny, false, err
	}
	a := e.Action
	a.Principal.Platform = client
	platform.Complete(&a, "", d.Getenv)
	ops := operation.Read(&a, operation.Env{Programs: d.policy.Programs(), Getenv: os.LookupEnv, ReadFile: platform.ReadFile, ReadDir: platform.ReadDir, Disk: disk.New(a.Home, a.Workspace, a.Temp)})
	decision := d.policy.Decide(&a, ops)
	waits := decision.Effect == umpire.Ask && d.policy.CannotAsk() == policy.AskWait
	return decision.Effect, d.policy.Observe() || !waits && !d.policy.AsksJudge(decision, ops), nil
}

// probeEnv returns the environment of a hook that records to state. own is home.Own: a hook trusts no
// part of an environment that names another home, so it gets the one that it would use, and no other.
func probeEnv(environ []string, own, state string) []string {
	env := slices.DeleteFunc(slices.Clone(environ), func(s string) bool {
		return strings.HasPrefix(s, "XDG_STATE_HOME=") || own != "" && anyof.HasPrefix(s, "HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	})
	if own != "" {
		env = append(env, "HOME="+own)
	}
	return append(env, "XDG_STATE_HOME="+state, "AGENT_TOOL_NAME=Bash") // Amp passes the tool's name in it
}

// ask runs a command line like a client, with a payload on its standard input. Its audit events go
// to a separate folder, to keep probes out of the user's log.
func (d *Doctor) ask(ctx context.Context, line string, data []byte, dir, state string) probeAnswer {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	if runtime.GOOS == "windows" {
		cmd = exec.CommandContext(ctx, "cmd", "/C", line)
	}
	out, errs := bounded.Buffer{Most: maxSaid}, bounded.Buffer{Most: maxSaid}
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, bytes.NewReader(data), &out, &errs
	cmd.Env = probeEnv(os.Environ(), home.Own(), state)
	cmd.WaitDelay = time.Second
	start := time.Now()
	err := cmd.Run()
	s := probeAnswer{out: out.String(), err: errs.String(), took: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		s.fault = errors.New("it did not answer in time")
	case errors.As(err, &exit):
		s.exit = exit.ExitCode()
	case err != nil && !errors.Is(err, io.ErrClosedPipe) && !strings.Contains(err.Error(), "broken pipe"):
		s.fault = err
	}
	return s
}

// hookOutput has the fields of all clients' answers about a call.
type hookOutput struct {
	Specific struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
	PermissionDecision string `json:"permissionDecision"`
	PermissionReason   string `json:"permissionDecisionReason"`
	Decision           string `json:"decision"`
	Reason             string `json:"reason"`
	Permission         string `json:"permission"`
	User               string `json:"user_message"`
	Cancel             bool   `json:"cancel"`
	Override           any    `json:"overrideInput"`
}

// understood returns how a client reads an answer. Most clients run the call after an answer that
// they do not understand; why then gives the reason.
func understood(client string, s probeAnswer) (effect umpire.Effect, why string) {
	if s.fault != nil {
		return umpire.Allow, s.fault.Error()
	}
	var a hookOutput
	out := strings.TrimSpace(s.out)
	garbage := out != "" && json.Unmarshal([]byte(out), &a) != nil
	word, reason := "", ""
	switch client {
	case "claude", "codex", "qwen", "droid", "vscode", "kimi", "devin":
		if word, reason = a.Specific.Decision, a.Specific.Reason; a.Specific.Event != "PreToolUse" {
			word = "" // without the event's name the client ignores the rest
		}
	case "copilot":
		word, reason = a.PermissionDecision, a.PermissionReason
	case "gemini", "crush", "antigravity":
		word, reason = a.Decision, a.Reason
	case "cursor":
		word, reason = a.Permission, a.User
	case "cline":
		if word, reason = "", "given"; a.Cancel || a.Override != nil {
			word = "deny"
		}
	}
	listens := client != "cline" && client != "cursor" && client != "antigravity" // to the exit status
	spoke := strings.TrimSpace(s.err) != ""
	plugin := client == "opencode" || client == "pi" || client == "amp" // every status except 0 stops the call
	switch {
	case listens && (s.exit == 2 || plugin && s.exit != 0) && spoke:
		return umpire.Deny, ""
	case garbage:
		return umpire.Allow, "its output is not the one JSON document that the client reads"
	case word == "deny" && reason != "" && (s.exit == 0 || !listens):
		return umpire.Deny, ""
	case word == "ask" && s.exit == 0:
		return umpire.Ask, ""
	case word == "deny":
		return umpire.Allow, "it denies without a reason"
	case s.exit != 0 && listens:
		return umpire.Allow, fmt.Sprintf("it ended with status %d and printed %q, and the client then runs the call", s.exit, visible.Clip(s.err, 100))
	}
	return umpire.Allow, ""
}
