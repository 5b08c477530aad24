package operation

import (
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// verb is the action that the name of an unknown tool suggests.
type verb uint8

const (
	verbUnknown verb = iota
	verbRead
	verbWrite
	verbSend
	verbPay
	verbMerge // changes what others see: merge, publish, deploy
	verbDelete
)

func (v verb) traits() umpire.Trait {
	switch v {
	case verbDelete:
		return umpire.Destroy | umpire.Mutate
	case verbMerge:
		return umpire.Mutate | umpire.Remote
	case verbWrite:
		return umpire.Mutate
	case verbSend:
		return umpire.Message | umpire.Mutate
	case verbPay:
		return umpire.Payment | umpire.Mutate
	}
	return 0
}

// nameWords splits the name of a tool, such as mcp__github__deleteRepo, into lower-case words. The
// words of the server come first.
func nameWords(name string) (words []string) {
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	prevLower := false
	for i, c := range name {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			flush(i)
			start = i + 1
			prevLower = false
		case unicode.IsUpper(c) && prevLower:
			flush(i)
			start = i
			prevLower = false
		default:
			prevLower = unicode.IsLower(c) || unicode.IsDigit(c)
		}
	}
	flush(len(name))
	return words
}

// verbOf returns the gravest verb among the words of a name, or verbRead if the first word is a
// reading verb: list_deleted_items only lists.
func verbOf(words []string) (v verb) {
	for i, w := range words {
		x := verbUnknown
		if w == "merge" && i > 0 && i+1 < len(words) && strings.HasPrefix(words[i+1], "request") {
			continue // create_merge_request
		}
		switch w {
		case "get", "list", "read", "search", "find", "view", "show", "describe", "fetch", "query", "lookup", "count", "check", "inspect", "explain", "preview", "status", "stat", "tree", "head", "validate", "browse", "download", "export":
			x = verbRead
		case "write", "create", "add", "edit", "update", "append", "save", "put", "set", "move", "rename", "copy", "modify", "patch", "insert", "upsert", "replace", "assign", "label", "upload", "enable", "disable", "apply", "configure", "restore", "fork", "close", "reopen", "make", "comment", "transition":
			x = verbWrite
		case "send", "post", "reply", "email", "mail", "notify", "tweet", "message", "dm", "invite", "share", "broadcast", "respond":
			x = verbSend
		case "merge", "publish", "deploy", "release", "push", "promote", "submit", "approve", "rollback", "scale", "restart", "stop", "trigger", "dispatch", "grant", "revoke", "execute":
			if x = verbMerge; w == "push" && i+1 < len(words) && anyof.Equal(words[i+1], "file", "files", "commit", "commits", "branch") {
				x = verbWrite // like git push
			}
		case "pay", "charge", "refund", "transfer", "purchase", "buy", "checkout", "payout", "withdraw", "trade", "order", "subscribe":
			x = verbPay
		case "delete", "remove", "drop", "destroy", "purge", "wipe", "truncate", "terminate", "kill", "erase", "uninstall", "unlink", "rm", "rmdir", "clear", "reset", "flush", "flushall", "flushdb", "deprovision", "prune", "empty", "nuke":
			x = verbDelete
		}
		if x == verbRead && v == verbUnknown {
			if i == 0 {
				return verbRead
			}
		}
		v = max(v, x)
	}
	return v
}
