// Package claude translates between Claude Code's hooks and umpire's nouns.
//
// What it relies on was observed on the real client: the answer must be one JSON
// document with hookEventName in it, or nothing; a denial needs the exit status 2 and
// the reason on standard error as well; everything else means "run it".
package claude

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/umpire-dev/umpire"
)

// Event is one call of a hook.
type Event struct {
	Name   string // PreToolUse, PostToolUse, SessionStart, ...
	Action umpire.Action
}

// Judged reports whether the client waits for a decision.
func (e *Event) Judged() bool { return e.Name == "PreToolUse" }

type payload struct {
	Event   string          `json:"hook_event_name"`
	Session string          `json:"session_id"`
	Dir     string          `json:"cwd"`
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	ID      string          `json:"tool_use_id"`
	Agent   string          `json:"agent_id"`
}

// ErrIncomplete is returned for payloads without a field that judging needs.
var ErrIncomplete = errors.New("incomplete hook payload")

// Decode reads a payload. Fields it does not know are left alone: clients add some with
// every release. The Event is usable as far as it was understood even if there is an
// error.
func Decode(data []byte) (Event, error) {
	var p payload
	if err := json.Unmarshal(data, &p); err != nil {
		return Event{}, fmt.Errorf("hook payload is not a JSON object: %w", err)
	}
	e := Event{Name: p.Event, Action: umpire.Action{
		ID:        p.ID,
		Principal: umpire.Principal{Platform: "claude", Agent: p.Agent, Session: p.Session},
		Tool:      p.Tool,
		Input:     p.Input,
		Dir:       p.Dir,
	}}
	switch {
	case p.Event == "":
		return e, fmt.Errorf("%w: hook_event_name is missing", ErrIncomplete)
	case e.Judged() && p.Tool == "":
		return e, fmt.Errorf("%w: tool_name is missing", ErrIncomplete)
	case e.Judged() && (p.Dir == "" || p.Dir[0] != '/' && (len(p.Dir) < 3 || p.Dir[1] != ':')):
		return e, fmt.Errorf("%w: cwd is missing or not absolute", ErrIncomplete)
	}
	return e, nil
}

// Answer is what the hook process says, all of it.
type Answer struct {
	Stdout string
	Stderr string
	Exit   int
}

type output struct {
	Specific specific `json:"hookSpecificOutput"`
}

type specific struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

// Encode says a decision in the client's words. An allow says nothing, so that the
// user's own permission rules stay in force, unless speak is set: then a decision that
// rules made, and no default, skips the client's question.
func Encode(d umpire.Decision, reason string, speak bool) Answer {
	if reason == "" {
		reason = "umpire: no reason given"
	}
	switch d.Effect {
	case umpire.Allow:
		if !speak || !d.Explicit {
			return Answer{}
		}
		return Answer{Stdout: document("allow", reason)}
	case umpire.Ask:
		return Answer{Stdout: document("ask", reason)}
	}
	return Answer{Stdout: document("deny", reason), Stderr: reason + "\n", Exit: 2}
}

func document(decision, reason string) string {
	b, err := json.Marshal(output{specific{"PreToolUse", decision, reason}})
	if err != nil { // strings always marshal
		panic(err)
	}
	return string(b) + "\n"
}
