// Package livetest plays a coding agent for tests: a small Claude Code that reads its
// settings, asks its model, calls its hooks and runs what they allow. A test's own program
// becomes that client when it starts under a client's name, so tests need neither npm nor a
// network.
package livetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Behavior is the behavior of a client.
type Behavior string

// The manners. Real clients have shown all of them.
const (
	ObeysHooks     Behavior = "obedient" // obeys its hooks
	IgnoresHooks   Behavior = "deaf"     // never calls a hook
	RunsEverything Behavior = "stubborn" // calls its hooks, and runs everything
	RunsNothing    Behavior = "timid"    // calls its hooks, and runs nothing
	CallsNothing   Behavior = "mute"     // never calls its hooks, and runs nothing
	Broken         Behavior = "broken"   // ends at once with an error
	Idle           Behavior = "idle"     // asks its model, and offers no tools
	UnknownTool    Behavior = "foreign"  // offers an unknown tool
	Endless        Behavior = "endless"  // as obedient, and then leaves a daemon and never ends
)

const name = "claude"

// Program creates a client from the running test program, below dir, and returns its path.
func Program(dir string, m Behavior) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, string(m))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	if err := os.Symlink(self, path); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	return path, nil
}

// Play must be the first call in TestMain. It does not return in a process that plays a client.
func Play() {
	if filepath.Base(os.Args[0]) != name {
		return
	}
	if err := play(Behavior(filepath.Base(filepath.Dir(os.Args[0])))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func play(m Behavior) error {
	switch m {
	case Broken:
		return errors.New("\x1b[31mno licence\x1b[0m for sk-ant-api03-" + strings.Repeat("aB3dE5gH", 11) + "\nplease log in")
	case Endless:
		if len(os.Args) > 1 && os.Args[1] == "daemon" {
			select {}
		}
	}
	messages := []any{message{"user", "do it"}}
	for {
		calls, err := ask(m, messages)
		if err != nil {
			return err
		}
		if len(calls) == 0 {
			break
		}
		for _, c := range calls {
			said := "hook error: refused"
			if allowed(m, c) && m != RunsNothing && m != CallsNothing {
				cmd := exec.CommandContext(context.Background(), "/bin/sh", "-c", c.Input.Command)
				out, err := cmd.CombinedOutput()
				said = fmt.Sprintf("%s%v", out, err)
			}
			messages = append(messages, message{"assistant", []any{c}}, message{"user", []any{map[string]any{"type": "tool_result", "tool_use_id": c.ID, "content": said}}})
		}
	}
	if m == Endless {
		if err := exec.CommandContext(context.Background(), "setsid", os.Args[0], "daemon").Start(); err != nil {
			return err
		}
		select {}
	}
	return nil
}

type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

type toolUse struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input struct {
		Command string `json:"command"`
	} `json:"input"`
}

// ask requests calls from the model.
func ask(m Behavior, messages []any) (calls []toolUse, err error) {
	body := map[string]any{"model": "x", "max_tokens": 100, "messages": messages, "tools": []any{map[string]any{"name": "Bash"}}}
	switch m {
	case Idle:
		delete(body, "tools")
	case UnknownTool:
		body["tools"] = []any{map[string]any{"name": "Telegraph"}}
	}
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages", bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var said struct{ Content []toolUse }
	if err := json.NewDecoder(res.Body).Decode(&said); err != nil {
		return nil, err
	}
	for _, c := range said.Content {
		if c.Type == "tool_use" {
			calls = append(calls, c)
		}
	}
	return calls, nil
}

// allowed calls the hooks of the user's settings.
func allowed(m Behavior, c toolUse) bool {
	if m == IgnoresHooks || m == CallsNothing {
		return true
	}
	var settings struct {
		DisableAllHooks bool
		Hooks           map[string][]struct {
			Hooks []struct{ Command string }
		}
	}
	data, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), ".claude", "settings.json"))
	if err != nil || json.Unmarshal(data, &settings) != nil || settings.DisableAllHooks {
		return true // like the real client
	}
	dir, err := os.Getwd()
	if err != nil {
		return false
	}
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "fake", "cwd": dir, "tool_name": c.Name, "tool_use_id": c.ID, "tool_input": c.Input,
	})
	if err != nil {
		return false
	}
	for _, group := range settings.Hooks["PreToolUse"] {
		for _, h := range group.Hooks {
			cmd := exec.CommandContext(context.Background(), "/bin/sh", "-c", h.Command)
			cmd.Stdin = bytes.NewReader(payload)
			var exit *exec.ExitError
			if err := cmd.Run(); errors.As(err, &exit) && exit.ExitCode() == 2 && m != RunsEverything {
				return false
			}
		}
	}
	return true
}
