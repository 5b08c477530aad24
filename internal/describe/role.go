package describe

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// roleOf guesses the role of an option's value from the value's name, the option's names and the
// description. An unclear role is data.
func roleOf(value string, names []string, about string) string {
	words := strings.ToLower(value)
	for _, n := range names {
		words += " " + strings.ToLower(strings.TrimLeft(n, "-"))
	}
	has := func(text string, all ...string) bool {
		return anyof.Contains(text, all...)
	}
	out := has(words, "out", "dest", "log-file", "logfile", "save", "target-file") || has(about, "write to", "write output", "output to", "written to", "save to")
	switch {
	case has(words, "dir", "folder") && (out || has(words, "dest")):
		return "folder"
	case has(words, "chdir", "workdir", "working-dir", "cwd") || has(about, "change to dir", "change directory", "change to the dir"):
		return "directory"
	case has(words, "format", "level", "color", "colour", "count", "num", "width", "timeout", "type", "style", "mode", "string", "int", "pattern", "regex"):
		return "data"
	case has(words, "file", "path", "filename") || has(about, "file to", "path to", "read from", "from file"):
		if out {
			return "write"
		}
		return "read"
	case out:
		return "write"
	case has(words, "dir", "folder"):
		return "read"
	case has(words, "url", "uri", "endpoint", "remote"):
		return "url"
	case has(words, "host", "server", "addr"):
		return "host"
	case has(words, "cmd", "command", "exec", "shell"):
		return "shell"
	case has(words, "sql", "query", "statement"):
		return "sql"
	case has(words, "env", "environment") && has(value, "="):
		return "environment"
	}
	return "data"
}

// operandsOf guesses the roles of the operands in a usage line: [OPTIONS] SOURCE... DEST.
func operandsOf(usage string, commands bool) (roles []string) {
	if commands {
		return nil // the first operand is the command
	}
	words := strings.Fields(usage)
	if len(words) > 0 {
		words = words[1:] // the program
	}
	for _, w := range words {
		many := strings.Contains(w, "...")
		bare := strings.ToLower(strings.Trim(w, "[]<>{}.()|"))
		if bare == "" || strings.HasPrefix(bare, "-") || strings.HasPrefix(bare, "option") || bare == "flags" || strings.Contains(w, "=") {
			continue
		}
		role := roleOf(bare, nil, "")
		switch bare {
		case "source", "src", "input", "in", "from":
			role = "read"
		case "dest", "destination", "target", "to", "output":
			role = "write"
		}
		if many && role != "data" && len(roles) == 0 {
			role += "..."
		}
		roles = append(roles, role)
		if len(roles) == 8 {
			break
		}
	}
	if n := len(roles); n > 0 { // the last one applies to all that follow
		roles[n-1] = strings.TrimSuffix(roles[n-1], "...")
	}
	return roles
}
