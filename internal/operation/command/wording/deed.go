// Package wording says what the English words in a command line mean: which verbs read, change or
// destroy, and which nouns stand for data that nothing recreates. Hundreds of clients share these
// words, so they also class the sub-commands of programs that no description lists.
//
// A caller must not allow a call because of its words alone: an agent chooses the names of scripts.
package wording

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// Deed is the effect of a verb in the client of a cloud, cluster or service.
type Deed uint8

const (
	Unknown Deed = iota
	Reads
	Changes
	Destroys
)

func (d Deed) Traits() umpire.Trait {
	switch d {
	case Destroys:
		return umpire.Destroy | umpire.Mutate
	case Changes:
		return umpire.Mutate
	}
	return 0
}

// DeedOf returns the effect of a verb in lower case. The clients of hundreds of services share
// these verbs, so they also class sub-commands that no description lists.
func DeedOf(v string) Deed {
	switch v {
	case "get", "list", "ls", "lsd", "lsl", "show", "describe", "info", "status", "help", "version", "whoami", "cat", "inspect", "lookup", "exists",
		"download", "stat", "du", "view", "head", "diff", "tail", "browse", "print", "validate", "tree", "explain", "wait", "doctor", "count", "history",
		"lookfor", "read", "search", "docs", "completion", "about", "describes", "estimate", "simulate", "lint", "ping":
		return Reads
	case "delete", "del", "destroy", "terminate", "purge", "drop", "wipe", "erase", "reset", "remove", "rm", "rb", "rmdir", "rmtree", "unset", "revoke", "uninstall",
		"undeploy", "deprovision", "decommission", "dispose", "flush", "prune", "truncate", "nuke", "teardown", "deregister", "unregister", "untag",
		"unlink", "empty", "expire", "forget", "discard", "clear", "cleanup", "deactivate", "schedule-deletion", "expunge", "clean", "unprovision",
		"detach", "disassociate", "release", "archive", "obliterate", "kill", "rmi", "delall", "deletefile", "undefine", "deleteall", "removeall", "retire",
		"disband", "destruct", "unpublish", "cancel":
		return Destroys
	case "create", "add", "put", "update", "set", "modify", "edit", "apply", "deploy", "publish", "push", "promote", "rollback", "restart", "reboot",
		"scale", "resize", "start", "stop", "restore", "import", "upload", "mv", "move", "attach", "associate", "register", "enable", "disable",
		"pause", "resume", "suspend", "rename", "rotate", "roll", "assign", "unassign", "grant", "bind", "unbind", "invite", "transfer", "clone", "migrate", "upgrade",
		"replace", "lock", "unlock", "merge", "undo", "patch", "increase", "decrease", "change", "allocate", "provision", "authorize", "invalidate",
		"toggle", "on", "off", "failover", "switch", "reload", "recreate", "force-unlock", "accept", "reject", "approve", "copy", "send", "mb", "sync",
		"mirror", "dedupe", "rebuild", "redeploy", "up", "fork", "swap", "shutdown", "powerdown", "poweroff", "power-off", "down", "hibernate", "taint", "untaint", "cordon", "drain", "evict":
		return Changes
	}
	return Unknown
}

// DeedIn returns the effect of the verb in a compound: delete-bucket, apps:destroy, delete_vhost,
// batch-delete-image, DeleteInstance. The verb comes first, except after a colon.
func DeedIn(word string) Deed {
	if d := DeedOf(strings.ToLower(word)); d != Unknown {
		return d
	}
	if strings.ContainsAny(word, "/.@= ") {
		return Unknown
	}
	if i := strings.LastIndexByte(word, ':'); i >= 0 {
		if d := DeedIn(word[i+1:]); d != Unknown {
			return d
		}
		return DeedIn(word[:i])
	}
	parts := Split(word)
	if len(parts) < 2 {
		return Unknown
	}
	if anyof.Equal(parts[0], "batch", "bulk", "force", "admin", "permanently", "permanent", "hard", "schedule", "multi", "soft", "all") {
		parts = parts[1:]
	}
	d := DeedOf(parts[0])
	if d == Reads && (parts[0] == "head" || parts[0] == "tail" || parts[0] == "count") && len(parts) > 2 {
		return Unknown
	}
	return d
}

// Split splits fooBar, foo-bar, foo_bar and foo:bar into lower-case parts.
func Split(s string) (parts []string) {
	start := 0
	flush := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(s[start:end]))
		}
	}
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '-' || b == '_' || b == ':':
			flush(i)
			start = i + 1
		case b >= 'A' && b <= 'Z' && i > 0 && (s[i-1] >= 'a' && s[i-1] <= 'z' || s[i-1] >= '0' && s[i-1] <= '9'):
			flush(i)
			start = i
		}
	}
	flush(len(s))
	return parts
}

// KeepsData reports whether a kind of resource holds data that cannot be recreated, or many other
// resources, so that destroying one loses them.
func KeepsData(noun string) bool {
	if len(noun) > 3 {
		noun = strings.TrimSuffix(noun, "s")
	}
	return anyof.Equal(noun, "bucket", "database", "db", "sql", "table", "rd", "rds", "dynamodb", "volume", "disk", "snapshot", "backup", "filesystem", "efs", "fsx", "keyspace",
		"dataset", "vault", "keyvault", "kms", "cluster", "project", "org", "organization", "organisation", "account", "tenant", "subscription", "zone",
		"stack", "server", "instance", "vm", "virtualmachine", "droplet", "linode", "machine", "app", "application", "site", "space", "namespace", "n",
		"registry", "repository", "repo", "acr", "d1", "r2", "redi", "redis", "cache", "cosmosdb", "postgre", "postgres", "pg", "mysql", "mariadb", "mongo",
		"mongodb", "documentdb", "docdb", "neptune", "redshift", "glacier", "datastore", "firestore", "spanner", "bigtable", "warehouse", "collection",
		"index", "indice", "indexe", "vhost", "stream", "keyring", "datadisk", "nodepool", "nodegroup", "environmentgroup", "schema", "hostedzone", "recovery",
		"tablespace", "storage", "fileshare", "share", "dropletsnapshot", "memcache", "elasticsearch", "opensearch", "elasticache", "memorydb", "workspace",
		"cloudsql", "datacenter", "vpc", "resourcegroup", "pool", "dataspace", "timestream", "lake", "guest", "domain", "kubernete", "k8", "container")
}

// DeedName returns what a sub-command of a program without a description does, by its name: "reads",
// "changes" or "destroys", as "delete-bucket" does, or "" if the name does not say.
func DeedName(name string) string {
	switch DeedIn(name) {
	case Reads:
		return "reads"
	case Changes:
		return "changes"
	case Destroys:
		return "destroys"
	}
	return ""
}
