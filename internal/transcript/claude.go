package transcript

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// hookPayload reads hook payloads, one per line.
func (s *session) hookPayload(rec map[string]json.RawMessage) error {
	s.known = true
	s.in(text(rec["cwd"]))
	if id := text(rec["session_id"]); id != "" {
		s.id = id
	}
	if text(rec["hook_event_name"]) != "PreToolUse" || rec["tool_name"] == nil {
		return nil
	}
	return s.call(text(rec["tool_use_id"]), text(rec["tool_name"]), rec["tool_input"])
}

// messages reads a message of Claude Code, Cursor, pi or Qwen Code, which name its parts
// differently.
func (s *session) messages(rec map[string]json.RawMessage) error {
	s.in(text(rec["cwd"]))
	for _, key := range []string{"sessionId", "session_id"} {
		if id := text(rec[key]); id != "" {
			s.id = id
		}
	}
	if text(rec["type"]) == "session" { // pi's first line
		s.known = true
		s.platform, s.id = "pi", text(rec["id"])
		return nil
	}
	message := fields(rec["message"])
	if message == nil {
		return nil
	}
	s.known = true
	if s.platform == "cursor" && s.dir == "" {
		s.dir = cursorDir(s.path)
	}
	for _, part := range list(message["parts"]) { // Qwen Code
		if call := fields(part["functionCall"]); call != nil {
			if err := s.as("qwen").call(text(call["id"]), text(call["name"]), call["args"]); err != nil {
				return err
			}
		}
	}
	return s.blocks(message["content"])
}

// blocks reads the content of a message in the form of Anthropic's API or of pi.
func (s *session) blocks(content json.RawMessage) error {
	for _, b := range list(content) {
		var err error
		switch text(b["type"]) {
		case "tool_use":
			if s.platform == "cursor" {
				s.in(text(fields(b["input"])["working_directory"]))
			}
			err = s.as("claude").call(text(b["id"]), text(b["name"]), b["input"])
		case "toolCall":
			err = s.as("pi").call(text(b["id"]), text(b["name"]), b["arguments"])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// as sets the client, if the file's name did not identify it.
func (s *session) as(platform string) *session {
	s.platform = cmp.Or(s.platform, platform)
	return s
}

// platformOf returns the client of a file's folder.
func platformOf(path string) string {
	path = filepath.ToSlash(path)
	for _, c := range []struct{ part, platform string }{
		{"/.claude/", "claude"}, {"/.codex/", "codex"}, {"/.gemini/", "gemini"}, {"/.qwen/", "qwen"}, {"/.copilot/", "copilot"},
		{"/.cursor/", "cursor"}, {"/agent-transcripts/", "cursor"}, {"/opencode/", "opencode"}, {"/.pi/", "pi"}, {"/.cline/", "cline"},
	} {
		if strings.Contains(path, c.part) {
			return c.platform
		}
	}
	return ""
}

// cursorDir returns the project of a folder in which Cursor keeps transcripts. Its name is the
// path, with a hyphen for each slash. Folders may have hyphens themselves, so cursorDir picks one
// that exists.
func cursorDir(path string) string {
	before, _, ok := strings.Cut(filepath.ToSlash(path), "/agent-transcripts/")
	if !ok {
		return ""
	}
	parts := strings.Split(filepath.Base(before), "-")
	if len(parts) > 32 {
		return ""
	}
	tries := 500
	return unhyphen("/", parts, &tries)
}

func unhyphen(dir string, parts []string, tries *int) string {
	if len(parts) == 0 {
		return dir
	}
	for n := 1; n <= len(parts) && *tries > 0; n++ {
		*tries--
		next := filepath.Join(dir, strings.Join(parts[:n], "-"))
		if info, err := os.Lstat(next); err == nil && info.IsDir() {
			if found := unhyphen(next, parts[n:], tries); found != "" {
				return found
			}
		}
	}
	return ""
}

// cline reads a session of Cline: messages in the form of Anthropic's API.
func (s *session) cline(doc map[string]json.RawMessage) error {
	s.as("cline")
	s.id = text(doc["sessionId"])
	if _, rest, ok := strings.Cut(text(doc["system_prompt"]), "Working Directory: "); ok {
		dir, _, _ := strings.Cut(rest, "\n")
		s.in(strings.TrimSpace(dir))
	}
	for _, m := range list(doc["messages"]) {
		s.time = timeOf(m["ts"])
		if err := s.blocks(m["content"]); err != nil {
			return err
		}
	}
	return nil
}
