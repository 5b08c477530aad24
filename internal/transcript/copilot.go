package transcript

import "encoding/json"

// copilot reads an event of Copilot CLI.
func (s *session) copilot(rec map[string]json.RawMessage) error {
	data := fields(rec["data"])
	switch text(rec["type"]) {
	case "session.start", "session.resume", "session.context_changed":
		s.known = true
		s.as("copilot")
		if id := text(data["sessionId"]); id != "" {
			s.id = id
		}
		s.in(text(fields(data["context"])["cwd"]))
		s.in(text(data["cwd"]))
	case "tool.execution_start":
		s.as("copilot")
		return s.call(text(data["toolCallId"]), text(data["toolName"]), data["arguments"])
	}
	return nil
}

// copilotOld reads a session of Copilot CLI before it wrote events: messages in the form of
// OpenAI's API.
func (s *session) copilotOld(doc map[string]json.RawMessage) error {
	s.known = true
	s.as("copilot")
	s.id = text(doc["sessionId"])
	s.time = timeOf(doc["startTime"])
	for _, m := range list(doc["chatMessages"]) {
		for _, c := range list(m["tool_calls"]) {
			f := fields(c["function"])
			if err := s.call(text(c["id"]), text(f["name"]), f["arguments"]); err != nil {
				return err
			}
		}
	}
	return nil
}
