package umpire

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Essence returns the input with its keys in order. For shells, it omits the fields in which a
// model describes the command: no shell reads them, a model words them differently on a retry, and
// they could persuade a judge.
func (a *Action) Essence() json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(a.Input, &m) != nil || m == nil {
		return a.Input
	}
	switch strings.ToLower(a.Tool) {
	case "bash", "execute", "run_shell_command", "shell", "exec_command", "execute_command", "run_in_terminal", "run_terminal_cmd":
		for _, prose := range [...]string{"description", "summary", "riskLevel", "riskLevelReason", "explanation", "goal", "justification"} {
			delete(m, prose)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(m) != nil {
		return a.Input
	}
	return bytes.TrimSpace(b.Bytes())
}
