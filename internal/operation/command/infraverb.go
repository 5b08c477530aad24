package command

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"

	"github.com/umpire-dev/umpire"
)

// deed is the effect of a verb in the client of a cloud, cluster or service.
type deed uint8

const (
	deedUnknown deed = iota
	deedRead
	deedChange
	deedDestroy
)

func (d deed) traits() umpire.Trait {
	switch d {
	case deedDestroy:
		return umpire.Destroy | umpire.Mutate
	case deedChange:
		return umpire.Mutate
	}
	return 0
}

// deedOf returns the effect of a verb in lower case. The clients of hundreds of services share
// these verbs, so they also class sub-commands that no description lists.
func deedOf(v string) deed {
	switch v {
	case "get", "list", "ls", "lsd", "lsl", "show", "describe", "info", "status", "help", "version", "whoami", "cat", "inspect", "lookup", "exists",
		"download", "stat", "du", "view", "head", "diff", "tail", "browse", "print", "validate", "tree", "explain", "wait", "doctor", "count", "history",
		"lookfor", "read", "search", "docs", "completion", "about", "describes", "estimate", "simulate", "lint", "ping":
		return deedRead
	case "delete", "del", "destroy", "terminate", "purge", "drop", "wipe", "erase", "reset", "remove", "rm", "rb", "rmdir", "rmtree", "unset", "revoke", "uninstall",
		"undeploy", "deprovision", "decommission", "dispose", "flush", "prune", "truncate", "nuke", "teardown", "deregister", "unregister", "untag",
		"unlink", "empty", "expire", "forget", "discard", "clear", "cleanup", "deactivate", "schedule-deletion", "expunge", "clean", "unprovision",
		"detach", "disassociate", "release", "archive", "obliterate", "kill", "rmi", "delall", "deletefile", "undefine", "deleteall", "removeall", "retire",
		"disband", "destruct", "unpublish", "cancel":
		return deedDestroy
	case "create", "add", "put", "update", "set", "modify", "edit", "apply", "deploy", "publish", "push", "promote", "rollback", "restart", "reboot",
		"scale", "resize", "start", "stop", "restore", "import", "upload", "mv", "move", "attach", "associate", "register", "enable", "disable",
		"pause", "resume", "suspend", "rename", "rotate", "roll", "assign", "unassign", "grant", "bind", "unbind", "invite", "transfer", "clone", "migrate", "upgrade",
		"replace", "lock", "unlock", "merge", "undo", "patch", "increase", "decrease", "change", "allocate", "provision", "authorize", "invalidate",
		"toggle", "on", "off", "failover", "switch", "reload", "recreate", "force-unlock", "accept", "reject", "approve", "copy", "send", "mb", "sync",
		"mirror", "dedupe", "rebuild", "redeploy", "up", "fork", "swap", "shutdown", "powerdown", "poweroff", "power-off", "down", "hibernate", "taint", "untaint", "cordon", "drain", "evict":
		return deedChange
	}
	return deedUnknown
}

// deedIn returns the effect of the verb in a compound: delete-bucket, apps:destroy, delete_vhost,
// batch-delete-image, DeleteInstance. The verb comes first, except after a colon.
func deedIn(word string) deed {
	if d := deedOf(strings.ToLower(word)); d != deedUnknown {
		return d
	}
	if strings.ContainsAny(word, "/.@= ") {
		return deedUnknown
	}
	if i := strings.LastIndexByte(word, ':'); i >= 0 {
		if d := deedIn(word[i+1:]); d != deedUnknown {
			return d
		}
		return deedIn(word[:i])
	}
	parts := splitName(word)
	if len(parts) < 2 {
		return deedUnknown
	}
	if anyof.Equal(parts[0], "batch", "bulk", "force", "admin", "permanently", "permanent", "hard", "schedule", "multi", "soft", "all") {
		parts = parts[1:]
	}
	d := deedOf(parts[0])
	if d == deedRead && (parts[0] == "head" || parts[0] == "tail" || parts[0] == "count") && len(parts) > 2 {
		return deedUnknown
	}
	return d
}

// splitName splits fooBar, foo-bar, foo_bar and foo:bar into lower-case parts.
func splitName(s string) (parts []string) {
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
		case b >= 'A' && b <= 'Z' && i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z':
			flush(i)
			start = i
		}
	}
	flush(len(s))
	return parts
}

// keepsData reports whether a kind of resource holds data that cannot be recreated, or many other
// resources, so that destroying one loses them.
func keepsData(noun string) bool {
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

// Deed returns what a sub-command of a program without a description does, by its name: "reads",
// "changes" or "destroys", as "delete-bucket" does, or "" if the name does not say.
func Deed(name string) string {
	switch deedIn(name) {
	case deedRead:
		return "reads"
	case deedChange:
		return "changes"
	case deedDestroy:
		return "destroys"
	}
	return ""
}
