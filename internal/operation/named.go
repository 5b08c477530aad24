package operation

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/redact"
)

// readsByName reports whether the name of a server's tool says that the tool only reads. The name
// is the only evidence, so every word counts: a word that may mean to change, run, start or sign
// in, or that names credentials, disqualifies it.
func readsByName(tool string) bool {
	server, name, ok := strings.Cut(tool, "__")
	if !ok || server != "mcp" {
		return false
	}
	i := strings.LastIndex(name, "__")
	if i <= 0 || strings.Contains(tool, umpire.Hole) {
		return false
	}
	if strings.ContainsFunc(name, func(c rune) bool { return c >= 0x80 }) { // it may look like another letter
		return false
	}
	words := nameWords(strings.TrimPrefix(name[i+2:], name[:i]+"-")) // search of the server search may be called search-search
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "get", "list", "read", "search", "find", "view", "show", "describe", "lookup", "count", "status", "stat", "inspect", "browse":
	default:
		return false
	}
	if verbOf(words[1:]) > verbRead {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return anyof.Equal(strings.TrimSuffix(w, "s"), "and", "then", "or", "run", "exec", "execute", "eval", "evaluate", "invoke", "call", "start", "launch", "spawn", "open", "activate", "install", "import", "sync", "generate", "render", "click", "type", "fill", "navigate", "login", "signin", "auth", "authorize", "authenticate", "accept", "claim", "consume", "pop", "take", "lock", "rotate", "mark", "ack", "acknowledge", "cancel", "change", "convert", "download", "export", "fetch", "secret", "password", "passwd", "token", "credential", "key", "apikey", "env", "environment", "otp", "mfa", "cookie", "session", "ssh", "wallet", "seed", "private", "sql", "query", "script", "code", "command", "cmd", "shell", "terminal", "mail", "email", "inbox", "message", "conversation", "dm")
	})
}

// queriesByName reports whether the name of a server's tool says that the tool only runs a
// statement.
func queriesByName(tool string) bool {
	name, ok := strings.CutPrefix(tool, "mcp__")
	i := strings.LastIndex(name, "__")
	if !ok || i <= 0 || strings.Contains(tool, umpire.Hole) {
		return false
	}
	words := nameWords(name[i+2:])
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		return !anyof.Equal(w, "sql", "query", "read", "only", "readonly", "select", "run", "execute", "db", "database", "statement", "postgres", "mysql", "sqlite")
	})
}

// onlyQueries reports whether all operations are statements that only read.
func onlyQueries(ops []umpire.Operation) bool {
	return len(ops) > 0 && !slices.ContainsFunc(ops, func(op umpire.Operation) bool {
		verb, _, _ := strings.Cut(op.Resource, " ")
		return op.Kind != umpire.Database || op.Traits != 0 || !anyof.Equal(verb, "select", "show", "explain", "describe")
	})
}

// size counts the text that a call sends to its tool.
type size struct {
	bytes  int
	secret bool
}

func (s *size) add(text string) {
	s.bytes += len(text)
	s.secret = s.secret || s.bytes <= maxNamed && redact.Contains(text)
}

// maxNamed bounds the input of a search or a look-up, in bytes. A server may be anywhere, so its
// input leaves the machine.
const maxNamed = 512

func (s *size) little() bool { return s.bytes <= maxNamed && !s.secret }
