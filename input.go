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
	if ShellLanguage(a.Tool) != "" {
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

// ShellLanguage returns the language of the command lines that a tool of a coding agent runs, "sh",
// "powershell" or "cmd", and "" for all other tools. The names were observed on the clients; case
// does not matter. The reader of calls and [Action.Essence] share this list: a tool on only one of
// two lists would run command lines, and ask again whenever a model words its description anew.
func ShellLanguage(tool string) string {
	switch strings.ToLower(tool) {
	case "bash", "shell", "monitor", "execute", "run_shell_command", "run_commands", "run_command", "run_in_terminal", "runinterminal",
		"run_terminal_cmd", "execute_command", "execute_bash", "exec", "exec_command", "local_shell", "shell_command", "terminal", "runcommands":
		return "sh"
	case "powershell", "pwsh":
		return "powershell"
	case "cmd":
		return "cmd"
	}
	return ""
}
