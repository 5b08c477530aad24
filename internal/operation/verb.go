package operation

import (
	"slices"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
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
	for part := range strings.FieldsFuncSeq(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		words = append(words, wording.Split(part)...)
	}
	return words
}

// verbOf returns the gravest verb among the words of a name, or verbRead if the first word is a
// reading verb: list_deleted_items only lists.
func verbOf(words []string) (v verb) {
	if len(words) > 2 && words[0] == "api" && anyof.Equal(words[1], "get", "post", "put", "patch", "delete") { // an HTTP method: API-post-search
		rest := words[2:]
		method := verbWrite
		switch {
		case words[1] == "get", words[1] == "post" && anyof.Equal(rest[len(rest)-1], "search", "query"):
			method = verbRead
		case words[1] == "delete":
			method = verbDelete
		}
		return max(method, verbOf(rest))
	}
	for i, w := range words {
		x := verbUnknown
		if w == "merge" && i > 0 && i+1 < len(words) && strings.HasPrefix(words[i+1], "request") {
			continue // create_merge_request
		}
		if i > 0 && words[i-1] == "draft" && anyof.Equal(w, "email", "mail", "message", "reply") {
			continue // draft_email sends nothing
		}
		switch w {
		case "get", "list", "read", "search", "find", "view", "show", "describe", "fetch", "query", "lookup", "count", "check", "inspect", "explain", "preview", "status", "stat", "tree", "head", "validate", "browse", "download", "export":
			x = verbRead
		case "write", "create", "add", "edit", "update", "append", "save", "put", "set", "move", "rename", "copy", "modify", "patch", "insert", "upsert", "replace", "assign", "label", "upload", "enable", "disable", "apply", "configure", "restore", "fork", "close", "reopen", "make", "comment", "transition", "draft", "pause", "resume", "archive":
			x = verbWrite
		case "run", "start", "rerun", "retry", "invoke":
			rest := words[i+1:]
			if len(rest) == 2 && anyof.Equal(rest[0], "all", "failed") {
				rest = rest[1:]
			}
			if len(rest) == 1 && anyof.Equal(strings.TrimSuffix(rest[0], "s"), "workflow", "pipeline", "job", "deployment", "dag", "playbook", "runbook", "automation") {
				x = verbMerge
			}
		case "send", "post", "reply", "forward", "email", "mail", "notify", "tweet", "message", "dm", "invite", "share", "broadcast", "respond":
			x = verbSend
		case "merge", "publish", "deploy", "release", "push", "promote", "submit", "approve", "rollback", "scale", "restart", "stop", "trigger", "dispatch", "grant", "revoke", "execute", "cancel", "suspend", "deactivate", "ban", "reboot", "shutdown", "poweroff", "drain", "evict", "failover", "rotate", "authorize":
			if x = verbMerge; w == "push" && i+1 < len(words) && anyof.Equal(words[i+1], "file", "files", "commit", "commits", "branch") {
				x = verbWrite // like git push
			}
		case "pay", "charge", "refund", "transfer", "purchase", "buy", "checkout", "payout", "withdraw", "trade", "order", "subscribe", "donate":
			x = verbPay
		case "delete", "remove", "drop", "destroy", "purge", "wipe", "truncate", "terminate", "kill", "erase", "uninstall", "unlink", "rm", "rmdir", "clear", "reset", "flush", "flushall", "flushdb", "deprovision", "prune", "empty", "nuke", "decommission", "unpublish":
			x = verbDelete
		}
		if anyof.Equal(w, "refunds", "payouts", "charges", "transfers", "payments") && anyof.In(words, "create", "make") {
			x = verbPay
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

// widens reports whether a change reaches beyond the item that it names: it lets others in, makes
// something public, or applies a configuration to machines. words are those of the tool, and server
// those of its server and of the tool.
func widens(words, server []string, in any) bool {
	return anyof.In(words, "collaborator", "collaborators", "member", "members", "permission", "permissions", "role", "roles", "webhook", "webhooks", "secret", "secrets", "protection", "firewall", "dns", "ruleset", "rulesets", "delegate", "delegates", "ingress") ||
		slices.Contains(words, "access") && anyof.In(words, "key", "keys", "token", "tokens") ||
		anyof.In(words, "record", "records") && anyof.In(server, "cloudflare", "dns", "route53", "godaddy", "namecheap", "gandi", "porkbun") ||
		anyof.In(words, "variable", "variables", "vars") && anyof.In(words, "env", "environment") ||
		anyof.In(words, "filter", "filters", "forwarding") && anyof.In(server, "gmail", "mail", "email", "outlook") ||
		slices.Contains(words, "apply") && anyof.In(server, "terraform", "tofu", "pulumi", "kubectl", "kubernetes", "k8s", "helm", "manifest", "manifests", "stack") ||
		anyof.In(words, "pause", "resume", "archive") && anyof.In(words, "project", "cluster", "instance", "service", "deployment", "subscription", "schedule") ||
		public(in, 0)
}

// reveals reports whether a tool returns the value of a secret.
func reveals(words, server []string) bool {
	if slices.Contains(words, "list") && !anyof.In(words, "value", "values") || !anyof.In(words, "get", "read", "show", "view", "fetch", "download", "export", "reveal", "retrieve", "access", "list") {
		return false
	}
	return anyof.In(server, "1password", "onepassword", "bitwarden", "lastpass", "keepass", "keepassxc", "doppler", "infisical", "keychain") ||
		anyof.In(words[len(words)-1:], "secret", "secrets", "password", "passwords", "credential", "credentials") ||
		slices.Contains(words, "secret") && anyof.In(words, "value", "values")
}

// public reports whether an input makes a resource visible to everyone.
func public(value any, depth int) bool {
	if depth > maxNest {
		return false
	}
	switch x := value.(type) {
	case map[string]any:
		for k, v := range x {
			k = strings.TrimPrefix(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(k)), "is")
			switch s := v.(type) {
			case bool:
				if k == "private" && !s || k == "public" && s {
					return true
				}
			case string:
				if anyof.Equal(k, "visibility", "access", "accesslevel", "acl", "privacy", "sharing") && (strings.HasPrefix(strings.ToLower(s), "public") || strings.HasPrefix(strings.ToLower(s), "anyone")) {
					return true
				}
			default:
				if public(v, depth+1) {
					return true
				}
			}
		}
	case []any:
		return slices.ContainsFunc(x, func(v any) bool { return public(v, depth+1) })
	}
	return false
}
