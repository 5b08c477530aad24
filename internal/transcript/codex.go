package transcript

import (
	"encoding/json"
	"strings"
)

// codex reads a line of a rollout of Codex.
func (s *session) codex(rec map[string]json.RawMessage) error {
	p := fields(rec["payload"])
	if p == nil {
		return nil
	}
	s.known = true
	s.as("codex")
	switch text(rec["type"]) {
	case "session_meta":
		s.id = text(p["id"])
		s.in(text(p["cwd"]))
	case "turn_context":
		s.in(text(p["cwd"]))
	case "response_item":
		return s.codexItem(p)
	case "event_msg":
		// Calls within the JavaScript tool are not items of the response.
		if item := fields(p["item"]); text(p["type"]) == "item_completed" && text(item["type"]) == "CommandExecution" {
			return s.codexCommand(item)
		}
	}
	return nil
}

func (s *session) codexItem(p map[string]json.RawMessage) error {
	switch text(p["type"]) {
	case "function_call":
		return s.call(text(p["call_id"]), text(p["name"]), p["arguments"])
	case "custom_tool_call":
		if name := text(p["name"]); name != "exec" { // JavaScript: the calls in it are judged
			return s.call(text(p["call_id"]), name, p["input"])
		}
	case "local_shell_call":
		action := fields(p["action"])
		in, err := json.Marshal(map[string]json.RawMessage{"command": orNull(action["command"]), "workdir": orNull(action["working_directory"])})
		if err != nil {
			return err
		}
		return s.call(text(p["call_id"]), "shell", in)
	}
	return nil
}

func (s *session) codexCommand(item map[string]json.RawMessage) error {
	var argv []string
	if json.Unmarshal(item["command"], &argv) != nil {
		return nil //nolint:nilerr // an item without a command is not a call
	}
	in, err := json.Marshal(map[string]any{"command": argv, "workdir": strings.TrimPrefix(text(item["cwd"]), "file://")})
	if err != nil {
		return err
	}
	if s.seen[s.key(text(item["id"]))] {
		return nil // already recorded as an item of the response
	}
	return s.call(text(item["id"]), "shell", in)
}
