package journeys

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// claude makes one call as Claude Code does: it reads the settings of the user and of the
// project, starts the hooks they name, and obeys. It prints what the model is told. The real
// client is driven by `make clients`, and by `umpire doctor --live`.
//
//	claude 'go test ./...'                 a call of Bash
//	claude -yes 'git reset --hard'         the person says yes, if the hook asks
//	claude -tool Write '{"file_path":...}' another tool
func claude(ts *testscript.TestScript, neg bool, args []string) {
	tool, yes := "Bash", false
	for len(args) > 1 {
		switch {
		case args[0] == "-yes":
			yes, args = true, args[1:]
			continue
		case args[0] == "-tool" && len(args) > 2:
			tool, args = args[1], args[2:]
			continue
		}
		break
	}
	if len(args) != 1 {
		ts.Fatalf("usage: claude [-yes] [-tool NAME] COMMAND-OR-INPUT")
	}
	input := json.RawMessage(args[0])
	if tool == "Bash" {
		input = json.RawMessage(`{"command":` + quote(args[0]) + `}`)
	}
	c := &session{ts: ts, dir: ts.MkAbs("."), home: ts.Getenv("HOME")}
	payload := map[string]any{"session_id": "journey", "transcript_path": filepath.Join(c.home, "t.jsonl"), "cwd": c.dir, "permission_mode": "default",
		"hook_event_name": "PreToolUse", "tool_name": tool, "tool_use_id": "toolu_1", "tool_input": input}
	effect, reason := c.hooks("PreToolUse", tool, payload)
	asked := effect == "ask"
	if asked {
		fmt.Fprintf(ts.Stdout(), "asks its user: %s\n", reason)
		if yes {
			effect = "allow"
		}
	}
	if effect != "allow" && effect != "" {
		fmt.Fprintf(ts.Stdout(), "stopped: %s\n", reason)
		if !neg {
			ts.Fatalf("%s was stopped: %s", tool, reason)
		}
		return
	}
	if neg {
		ts.Fatalf("%s was not stopped", tool)
	}
	if tool != "Bash" {
		fmt.Fprintln(ts.Stdout(), "done")
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", args[0])
	cmd.Dir, cmd.Env = c.dir, c.env()
	out, err := cmd.CombinedOutput()
	fmt.Fprintf(ts.Stdout(), "ran: %s", out)
	if err != nil {
		fmt.Fprintf(ts.Stdout(), "%v\n", err)
	}
	payload["hook_event_name"], payload["tool_response"] = "PostToolUse", map[string]any{"stdout": string(out), "stderr": "", "interrupted": false}
	if effect, reason := c.hooks("PostToolUse", tool, payload); effect == "block" {
		fmt.Fprintf(ts.Stdout(), "the model is warned: %s\n", reason)
	}
}

// session is what Claude Code knows of where it runs.
type session struct {
	ts        *testscript.TestScript
	dir, home string
}

func (c *session) env() []string {
	return []string{"HOME=" + c.home, "PATH=" + c.ts.Getenv("PATH"), "LANG=C.UTF-8", "TMPDIR=" + c.ts.Getenv("TMPDIR"), "CLAUDECODE=1", "CLAUDE_PROJECT_DIR=" + c.dir}
}

// hooks starts the hooks of an event and joins their answers as Claude Code does: a denial
// beats a question, which beats an approval.
func (c *session) hooks(event, tool string, payload map[string]any) (effect, reason string) {
	b, err := json.Marshal(payload)
	c.ts.Check(err)
	rank := map[string]int{"": 0, "allow": 1, "ask": 2, "block": 3, "deny": 3}
	for _, file := range []string{filepath.Join(c.home, ".claude", "settings.json"), filepath.Join(c.dir, ".claude", "settings.json"), filepath.Join(c.dir, ".claude", "settings.local.json")} {
		var s struct {
			DisableAllHooks bool
			Hooks           map[string][]struct {
				Matcher string
				Hooks   []struct {
					Command string
					Timeout int
				}
			}
		}
		data, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		c.ts.Check(err)
		c.ts.Check(json.Unmarshal(data, &s))
		for _, group := range s.Hooks[event] {
			if group.Matcher != "" && group.Matcher != "*" && !regexp.MustCompile("^(?:"+group.Matcher+")$").MatchString(tool) {
				continue
			}
			for _, h := range group.Hooks {
				if e, r := c.hook(h.Command, b); rank[e] > rank[effect] {
					effect, reason = e, r
				}
			}
		}
	}
	return effect, reason
}

// hook starts one program and reads its answer: exit status 2 stops the call with what is on
// standard error; otherwise JSON on standard output may say more.
func (c *session) hook(command string, payload []byte) (effect, reason string) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.dir, c.env(), bytes.NewReader(payload), &out, &errs
	err := cmd.Run()
	if errs.Len() > 0 {
		fmt.Fprintf(c.ts.Stderr(), "%s", errs.Bytes())
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 2:
		return "deny", errs.String()
	case err != nil:
		c.ts.Fatalf("the hook %s: %v %s", command, err, errs.Bytes())
	}
	var answer struct {
		Decision, Reason   string
		HookSpecificOutput struct{ PermissionDecision, PermissionDecisionReason string }
	}
	if out.Len() == 0 {
		return "", ""
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		c.ts.Fatalf("the hook answered %q: %v", out.Bytes(), err)
	}
	if h := answer.HookSpecificOutput; h.PermissionDecision != "" {
		return h.PermissionDecision, h.PermissionDecisionReason
	}
	return answer.Decision, answer.Reason
}
