package wording

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// Destroying returns the weight of a destructive verb: 2 needs no further word. It returns 0 for
// any other word.
func Destroying(verb string) int {
	switch verb {
	case "destroy", "purge", "drop", "wipe", "erase", "nuke", "terminate", "truncate", "obliterate", "annihilate", "teardown", "deprovision", "unprovision", "decommission",
		"flushall", "flushdb", "cleanse", "shred", "expunge", "deleteall", "removeall", "dropall", "eradicate", "disband", "destruct", "zap", "revoke", "offboard", "selfdestruct", "rmr", "rmtree", "deltree":
		return 2
	case "delete", "del", "remove", "rm", "rb", "reset", "uninstall", "prune", "rollback", "kill", "flush", "revert", "undeploy", "deregister", "unregister",
		"downgrade", "cancel", "void", "undo", "discard", "forget", "empty", "deactivate", "down", "fresh", "expire", "retire", "close", "evict", "trash", "dispose", "rmi",
		"rmdir", "unlink", "archive", "abort", "liquidate", "disconnect", "deauthorize", "detach", "suspend", "disable", "overwrite", "ban", "clean", "clear",
		"cleanup", "gc", "vacuum", "sweep", "reinit", "reinitialize", "unpublish", "invalidate", "demote", "eject", "reimage", "reformat", "unenroll", "isolate":
		return 1
	}
	return 0
}

// Tidies reports whether a verb usually only tidies up.
func Tidies(verb string) bool {
	return anyof.Equal(verb, "clean", "clear", "cleanup", "gc", "vacuum", "sweep", "down", "close", "fresh", "invalidate")
}

// HarmlessVerb reports whether a verb reads, or takes the following words as text or names.
func HarmlessVerb(w string) bool {
	if anyof.Equal(w, "add", "create", "new", "make", "generate", "gen", "run", "exec", "execute", "test", "commit", "install", "start", "serve", "find", "grep", "query", "send", "say", "post", "build", "init", "watch", "format", "fmt",
		"open", "set", "train", "write", "log", "logs", "ask", "echo", "note", "plan", "check", "verify", "preview", "dump", "export", "eval", "compile", "bench", "debug", "trace", "man", "which", "use", "sync", "fetch", "pull", "clone", "publish", "rename", "edit", "tag", "comment", "todo", "audit", "report", "scan", "analyze", "analyse", "parse", "render", "login", "logout", "connect", "attach", "can-i") {
		return true
	}
	return DeedOf(w) == Reads
}

// Several reports whether a noun means more than one thing: delete-stories.
func Several(noun string) bool {
	return len(noun) > 4 && strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss") && !MildNoun(noun)
}

// StartsStatement reports whether a text begins like an SQL statement that changes data.
func StartsStatement(text string) bool {
	first, rest, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), " ")
	second, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	switch first {
	case "drop", "alter":
		return anyof.Equal(second, "table", "database", "schema", "index", "view", "user", "role", "keyspace", "column", "collection", "tablespace", "function", "procedure", "stream", "bucket")
	case "delete":
		return second == "from"
	case "truncate":
		return second != ""
	case "update":
		return strings.Contains(rest, " set ")
	}
	return false
}

// Administers reports whether a program's name ends like that of an administrator's tool: shopctl,
// tenant-admin.
func Administers(name string) bool {
	return anyof.HasSuffix(name, "ctl", "adm", "admin", "-ops", "-mgr")
}

// IsAddress reports whether a word is the address of a thing on another machine: lake://prod/main,
// ghcr.io/acme/shop.
func IsAddress(w string) bool {
	host, rest, ok := strings.Cut(w, "/")
	return ok && rest != "" && (strings.HasSuffix(host, ":") || strings.IndexByte(host, '.') > 0)
}

// ReadingName reports whether a cmdlet's name says that it only looks: Get-Help. The name of a
// program such as list-admin does not say so. The lower-case verbs are for PowerShell's reader,
// which folds the case of a name.
func ReadingName(program string) bool {
	verb, noun, ok := strings.Cut(program, "-")
	if anyof.Equal(verb, "get", "show") {
		return noun != "" && !strings.Contains(noun, "-")
	}
	return ok && noun != "" && anyof.Equal(verb, "Get", "Show", "Find", "Test", "Measure", "Select", "Search")
}

// CmdletName reports whether a name has the form of a cmdlet: Remove-GPO. The verbs of cmdlets have one
// meaning each, unlike those in the names of other programs.
func CmdletName(program string) bool {
	verb, noun, ok := strings.Cut(program, "-")
	return ok && verb != "" && noun != "" && !strings.Contains(noun, "-") && verb[0] >= 'A' && verb[0] <= 'Z' && noun[0] >= 'A' && noun[0] <= 'Z'
}

// MadeForWork reports whether a program's name says that it manages a developer's working copy of
// something: devenv, worktreectl.
func MadeForWork(program string) bool {
	if rest, ok := strings.CutPrefix(program, "dev"); ok {
		return anyof.Equal(rest, "", "env", "box", "kit", "space", "stack", "server", "container", "tool", "tools")
	}
	return strings.HasPrefix(program, "worktree") || strings.HasPrefix(program, "sandbox")
}

// Dares reports whether an option has a name that no one types by accident, such as --do-it or
// --i-know-what-i-am-doing. Programs demand such options before they do something permanent.
func Dares(name string) bool {
	name = strings.NewReplacer("-", "", "_", "").Replace(name)
	return name == "doit" || name == "nodryrun" || strings.HasPrefix(name, "dangerous") || strings.Contains(name, "ireally") || anyof.HasPrefix(name, "iknow", "iunderstand", "reallydo")
}

// IsQuestion reports whether a word is a safeguard of a careful program before it destroys: a
// confirmation or a backup.
func IsQuestion(w string) bool {
	return anyof.Equal(w, "confirm", "confirmation", "prompt", "prompts", "interaction", "interactive", "input", "ask", "approve", "backup", "backups", "snapshot", "preserve", "warning", "warnings", "checks", "wait", "safety", "trash")
}

// DestroyingOption reports whether an option of that name destroys, rather than choosing how
// something is made.
func DestroyingOption(verb string) bool {
	return Destroying(verb) == 2 || verb == "delete" || verb == "uninstall"
}

// GraveNoun reports whether a noun means data that cannot be recreated, or people, their rights or
// their work.
func GraveNoun(w string) bool {
	if w == "cache" || w == "index" || w == "container" || w == "share" || w == "n" || w == "app" || w == "site" || w == "workspace" || w == "project" {
		return w == "app" || w == "site" || w == "project"
	}
	if KeepsData(w) {
		return true
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "s")
	}
	return anyof.Equal(w, "tenant", "user", "acct", "customer", "hostgroup", "usergroup", "domain", "manager", "unit", "chassis", "password", "mfa", "member", "account", "role", "group", "team", "queue", "topic", "backup", "env", "environment", "node", "model", "record", "data", "dag", "world", "ledger", "invoice", "order", "subscription",
		"payment", "catalog", "key", "secret", "certificate", "cert", "ca", "wallet", "mailbox", "employee", "contact", "device", "fleet", "region", "network", "vlan", "lun", "array", "raid", "osd", "shard", "replica", "partition",
		"flow", "workflow", "pipeline", "job", "cronjob", "deployment", "service", "release", "image", "artifact", "repo", "mirror", "archive", "library", "notebook", "document", "entity", "entitie", "object", "entry", "entrie",
		"policy", "policie", "firewall", "route53", "dn", "lb", "loadbalancer", "gateway", "setup", "installation", "system", "disk", "sql", "setting", "migrate", "migration", "realm", "vpn", "peer", "hypertable", "segment", "event",
		"room", "channel", "server", "consumer", "exchange", "message", "alia", "license", "licence", "permission", "token", "session-store", "history", "ticket", "issue", "stanza", "mesh", "dnszone", "host", "fixture", "state", "controller", "dataset", "feature", "flag", "leaderboard", "score", "player", "booking", "patient", "student", "course", "campaign", "product", "stock", "inventory",
		"resource", "client", "statuse", "identity", "identitie", "fn", "function", "lambda", "tablet", "brick", "primary", "standby", "slot", "publication", "trashbin", "story", "storie", "article", "post", "media", "provider", "scope", "grant", "refund", "vd", "logicaldrive", "drive", "enclosure",
		"integration", "webhook", "credential", "connection", "association", "membership", "contract", "shipment", "parcel", "store", "shop", "merchant", "vendor", "supplier", "vehicle", "driver", "sensor", "meter", "agent", "assistant", "corpus", "embedding", "experiment", "checkpoint", "newsletter", "subscriber", "audience", "lead", "transaction", "transfer", "payout", "balance", "coupon", "voucher")
}

// MildNoun reports whether a noun means something that programs recreate by themselves.
func MildNoun(w string) bool {
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "s")
	}
	return anyof.Equal(w, "cache", "log", "tmp", "temp", "temporary", "build", "dist", "output", "coverage", "view", "optimize", "asset", "screen", "tab", "window", "pane", "history", "preview", "doc", "pod", "dep", "target", "lint",
		"session", "stash", "lock", "stat", "metric", "breakpoint", "filter", "plugin", "theme", "font", "package", "dependencie", "dependency", "module", "snapshotted", "draft", "alarm", "timer", "notification", "bookmark", "layout", "process", "port", "watch", "proxy", "mock", "sandbox", "emulator", "simulator", "playground", "example", "demo", "search", "fact", "thumbnail", "unused", "orphan", "orphaned", "stale", "obsolete", "import", "comment", "whitespace", "color", "prompt", "clipboard", "selection", "terminal", "config", "autoload", "opcache", "transient", "preference", "alia", "completion", "hook", "shim", "warning", "marker")
}

// LocalName reports whether a name suggests a developer's environment: dev, dev-ana, shop_test.
func LocalName(w string) bool {
	parts := Split(w)
	if len(parts) == 0 || len(parts) > 3 || len(parts) > 1 && strings.Trim(parts[1], "0123456789") == "" { // dev-9 is a device
		return false
	}
	return localWord(parts[0]) || localWord(parts[len(parts)-1])
}

func localWord(w string) bool {
	return anyof.Equal(w, "dev", "development", "local", "localhost", "test", "testing", "tests", "ci")
}

// Versioned reports whether a word is a version or ends in one: 18.0.0, node@18.
func Versioned(w string) bool {
	at := strings.LastIndexByte(w, '@')
	if at > 0 {
		w = w[at+1:]
	}
	return at > 0 && w != "" && strings.Trim(w[:1], "0123456789") == "" || strings.Count(w, ".") > 0 && strings.Trim(w, "0123456789.") == ""
}

// Parts splits a word into its parts: at ".", ":" and "/", where Split does, and after a
// verb that is joined to a noun (dropdb).
func Parts(s string) (out []string) {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '.' || r == ':' || r == '/' }) {
		for _, w := range Split(part) {
			out = append(out, unglued(w)...)
		}
	}
	return out
}

func unglued(w string) []string {
	for _, verb := range []string{"remove", "delete", "drop", "destroy", "reset", "wipe", "purge", "truncate", "erase", "flush"} {
		if noun, ok := strings.CutPrefix(w, verb); ok && len(noun) > 1 && (KeepsData(noun) || GraveNoun(noun) || noun == "all" || noun == "data") && Destroying(w) == 0 {
			return []string{verb, noun}
		}
	}
	for _, verb := range []string{"rm", "del"} { // rmpool
		if noun, ok := strings.CutPrefix(w, verb); ok && len(noun) > 3 && (KeepsData(noun) || GraveNoun(noun)) {
			return []string{verb, noun}
		}
	}
	return []string{w}
}

// FirstOf returns the first of the parts of a word, or "".
func FirstOf(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return parts[0]
}

// DestroyingPart finds the verb in a word of several parts: first (delete-cluster), last
// (user-delete, db_reset) or before "all". It returns the other parts as nouns.
func DestroyingPart(parts []string) (verb string, nouns []string) {
	if n := len(parts); n > 2 && parts[n-1] == "all" && Destroying(parts[0]) == 0 { // content:delete-all
		verb, nouns = DestroyingPart(parts[:n-1])
		return verb, append(slices.Clip(nouns), "all")
	}
	at := -1
	switch n := len(parts); {
	case n == 0 || n > 5:
	case n > 1 && parts[0] == "tear" && parts[1] == "down":
		return "teardown", parts[2:]
	case Destroying(parts[0]) > 0:
		at = 0
	case n > 1 && slices.Contains([]string{"unsafe", "force", "hard", "factory", "batch", "bulk", "full", "pre", "post"}, parts[0]) && Destroying(parts[1]) > 0:
		at = 1
		if parts[0] == "unsafe" || parts[0] == "factory" || parts[0] == "hard" {
			return parts[1], append([]string{"system"}, parts[2:]...)
		}
	case Destroying(parts[n-1]) > 0:
		at = n - 1
	}
	if at < 0 {
		return "", nil
	}
	return parts[at], slices.Concat(parts[:at], parts[at+1:])
}

// GraveName reports whether a program's own name says that it destroys or shows secrets.
func GraveName(program string) bool {
	return slices.ContainsFunc(Split(program), func(part string) bool { return Destroying(part) > 0 || ShowsSecrets(part) })
}

// Looks reports whether a verb only reads.
func Looks(verb string) bool {
	return anyof.Equal(verb, "get", "list", "ls", "show", "status", "info", "describe", "view", "search", "find", "version", "whoami", "stat", "stats", "inspect", "lookup", "tree", "explain", "count", "history", "docs", "about", "diff", "ps", "top", "peek", "current", "which", "tail", "head", "logs", "wait", "verify", "validate", "doctor", "summary", "outdated", "completion", "exists", "dir", "pwd", "path", "capture", "ready", "children", "comments")
}

// Doing reports whether a word is a verb that does more than read.
func Doing(word string) bool {
	if Destroying(word) > 0 {
		return true
	}
	switch DeedOf(word) {
	case Changes, Destroys:
		return true
	}
	return HarmlessVerb(word) && !Looks(word) && DeedOf(word) != Reads
}

// ShowsSecrets reports whether a word names something with secrets in it, or a verb that shows
// them.
func ShowsSecrets(noun string) bool {
	return anyof.Equal(strings.TrimSuffix(noun, "s"), "secret", "password", "passwd", "pas", "token", "credential", "cred", "key", "apikey", "keychain", "env", "environ", "environment", "variable", "var", "config", "conf", "setting", "cookie", "otp", "mfa", "totp", "login", "private", "wallet", "seed", "mnemonic", "vault", "cert", "certificate", "kubeconfig", "ssh", "gpg", "mail", "email", "inbox", "message", "unmask", "reveal", "decrypt", "export", "dump")
}

// First returns the first part of a compound word: a verb in list-tenants, not in tenant:list.
func First(word string) string { return FirstOf(Split(word)) }

// Overwrites reports whether a word contains a verb that erases a disk.
func Overwrites(word string) bool {
	word = strings.ToLower(word)
	return len(word) < 40 && anyof.Contains(word, "format", "wipe", "erase", "sanitize", "revert", "zero", "zap", "shred", "nuke") && !strings.Contains(word, "information")
}
