package transcript

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"github.com/umpire-dev/umpire/internal/regular"
)

// gemini reads a session of Gemini CLI, or a line of one: since 0.60 it writes lines, and repeats a
// message when its calls are done.
func (s *session) gemini(rec map[string]json.RawMessage) error {
	s.known = true
	s.as("gemini")
	if id := text(rec["sessionId"]); id != "" {
		s.id = id
	}
	if s.dir == "" {
		s.in(projectRoot(filepath.Dir(filepath.Dir(s.path))))
	}
	if set := fields(rec["$set"]); set["messages"] != nil {
		rec = set
	}
	for _, m := range list(rec["messages"]) {
		if t := timeOf(m["timestamp"]); !t.IsZero() {
			s.time = t
		}
		if err := s.geminiCalls(m["toolCalls"]); err != nil {
			return err
		}
	}
	return s.geminiCalls(rec["toolCalls"])
}

func (s *session) geminiCalls(calls json.RawMessage) error {
	for _, c := range list(calls) {
		if t := timeOf(c["timestamp"]); !t.IsZero() {
			s.time = t
		}
		if err := s.call(text(c["id"]), text(c["name"]), c["args"]); err != nil {
			return err
		}
	}
	return nil
}

// projectRoot returns the project of one of Gemini's folders, which a file in it names.
func projectRoot(dir string) string {
	f, _, err := regular.Open(filepath.Join(dir, ".project_root"))
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
