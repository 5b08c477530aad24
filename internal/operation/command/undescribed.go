package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// Undescribed reads a program without a description by its words. The weights of its verb, its
// object and the options that skip a question must add up to least: "clean" alone is part of a
// build, "tenant purge --prod" is not. The operation leads to a question. It never claims that a
// loss is irreversible, because the effects of the program are unknown.
func (c *Call) Undescribed(least int) {
	if c.Inert() || c.triesOnly() {
		return
	}
	if c.top == nil {
		c.queries()
	}
	s := sentence{}
	s.operands(c)
	if !s.reads {
		s.options(c)
	}
	if s.verb == "" && !s.reads {
		s.ownName(c)
	}
	if c.top == nil && s.verb == "" {
		s.short(c)
		s.raw(c)
	}
	if c.top == nil && s.verb == "" {
		s = c.console(s)
	}
	if s.reads || s.verb == "" || readingName(c.Program) || s.weight(c) < least {
		return
	}
	t := umpire.Destroy | umpire.Mutate
	if s.all {
		t |= umpire.Bulk
	}
	c.infra(s.verb, s.before, s.rest, t)
}

// sentence is what the words of a command line mean.
type sentence struct {
	verb   string   // a verb that destroys
	grave  int      // the weight of the verb alone: 2 needs no further word
	tidies bool     // the verb is as common for things that programs recreate
	reads  bool     // a harmless verb comes first
	before []string // the words before the verb
	rest   []Word   // the words after the verb
	nouns  []string // words for the object: kinds and names
	kinds  []string // the kinds among them
	all    bool     // the command applies to everything
	sure   bool     // an option skips the question
	dares  bool     // an option acknowledges the danger: --yes-i-really-mean-it
	named  bool     // the name of one thing follows the verb
}

// destroying returns the weight of a destructive verb: 2 needs no further word. It returns 0 for
// any other word.
func destroying(verb string) int {
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

// tidies reports whether a verb usually only tidies up.
func tidies(verb string) bool {
	return anyof.Equal(verb, "clean", "clear", "cleanup", "gc", "vacuum", "sweep", "down", "close", "fresh", "invalidate")
}

// harmlessVerb reports whether a verb reads, or takes the following words as text or names.
func harmlessVerb(w string) bool {
	if anyof.Equal(w, "add", "create", "new", "make", "generate", "gen", "run", "exec", "execute", "test", "commit", "install", "start", "serve", "find", "grep", "query", "send", "say", "post", "build", "init", "watch", "format", "fmt",
		"open", "set", "train", "write", "log", "logs", "ask", "echo", "note", "plan", "check", "verify", "preview", "dump", "export", "eval", "compile", "bench", "debug", "trace", "man", "which", "use", "sync", "fetch", "pull", "clone", "publish", "rename", "edit", "tag", "comment", "todo", "audit", "report", "scan", "analyze", "analyse", "parse", "render", "login", "logout", "connect", "attach", "can-i") {
		return true
	}
	return deedOf(w) == deedRead
}

// operands looks for the verb among the first operands.
func (s *sentence) operands(c *Call) {
	ops, values := c.spoken()
	within := 4 // a verb comes early; a later one is part of prose
	for i, w := range ops {
		if strings.IndexByte(w.Text, '=') > 0 {
			within = 6
		}
		if i >= 6 {
			break
		}
		low := strings.ToLower(w.Text)
		if s.verb == "" && i < within && plainWord(w) {
			parts := nameWords(w.Text)
			if off, rest := turnsOff(ops[i:]); off {
				s.take("poweroff", lowers(ops[:i]), rest)
				s.grave = 2
				return
			}
			if verb, nouns := destroyingPart(parts); verb != "" && !(low == "archive" && i+1 < len(ops) && plainWord(ops[i+1])) {
				s.take(verb, lowers(ops[:i]), ops[i+1:])
				s.means(nouns)
				s.all = s.all || slices.Contains(nouns, "all") || len(nouns) > 0 && several(nouns[len(nouns)-1]) && !s.tidies
				s.named = i < 2 && len(s.rest) > 0 && properName(s.rest[0]) && (verb == "delete" || anyof.Equal(verb, "remove", "rm", "del") && administers(c.Program))
				continue
			}
			if anyof.Equal(low, "publish", "tag", "post", "query", "export", "dump", "report") && i+1 < len(ops) && destroying(ops[i+1].Text) > 0 {
				continue // a noun here, before the verb: publish drop bookworm
			}
			if harmlessVerb(low) || len(parts) > 1 && harmlessVerb(parts[0]) {
				s.reads = len(parts) == 1 || i == 0 || s.verb == ""
				return
			}
		}
		setting := strings.IndexByte(low, '=') > 0 // slot=0
		if plainWord(w) || !strings.Contains(low, "/") {
			s.noun(low)
		}
		if s.verb == "" && !plainWord(w) && !setting && !values[i] && !(i == 0 && strings.HasPrefix(low, "/")) {
			break // a file or a text: more of them follow
		}
	}
}

// spoken returns the operands, and the indexes of those that may be the value of the option before.
func (c *Call) spoken() (ops []Word, values map[int]bool) {
	ops, values = unfold(c.Operands), map[int]bool{}
	if len(ops) != len(c.Operands) {
		return ops, values
	}
	at := 0
	for i, w := range c.Args {
		if at < len(ops) && w.Text == ops[at].Text {
			values[at] = i > 0 && strings.HasPrefix(c.Args[i-1].Text, "-") && !strings.Contains(c.Args[i-1].Text, "=")
			at++
		}
	}
	return ops, values
}

// several reports whether a noun means more than one thing: delete-stories.
func several(noun string) bool {
	return len(noun) > 4 && strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss") && !mildNoun(noun)
}

// queries reads SQL in the arguments, if the name of an option or of the program says that it runs
// statements.
func (c *Call) queries() {
	own := c.Program
	if i := strings.LastIndexAny(own, "-_"); i >= 0 {
		own = own[i+1:]
	}
	for i, w := range c.Args {
		name, text := "", w.Text
		if strings.HasPrefix(text, "-") {
			name, text, _ = strings.Cut(text, "=")
		} else if i > 0 {
			name = c.Args[i-1].Text
		}
		if len(text) < 8 || !startsStatement(text) {
			continue
		}
		switch strings.TrimLeft(name, "-") {
		case "e", "c", "q", "sql", "query", "execute", "exec", "command", "statement", "eval", "run", "shell":
			c.Code("sql:", w.With(text), Run{})
		default:
			if len(c.Operands) == 1 && (strings.HasSuffix(own, "sql") || strings.HasSuffix(own, "db") || own == "console" || own == "shell") {
				c.Code("sql:", w.With(text), Run{})
			}
		}
	}
}

// startsStatement reports whether a text begins like an SQL statement that changes data.
func startsStatement(text string) bool {
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

// administers reports whether a program's name ends like that of an administrator's tool: shopctl,
// tenant-admin.
func administers(name string) bool {
	return anyof.HasSuffix(name, "ctl", "adm", "admin", "-ops", "-mgr")
}

// properName reports whether a word is the name of one thing. A number is not: it may be an entry
// in a list of the user's own. A file name is not, either.
func properName(w Word) bool {
	return plainWord(w) && strings.Trim(w.Text, "0123456789") != "" && !versioned(w.Text) || w.Known() && (strings.HasPrefix(w.Text, "/") || isAddress(w.Text))
}

// isAddress reports whether a word is the address of a thing on another machine: lake://prod/main,
// ghcr.io/acme/shop.
func isAddress(w string) bool {
	host, rest, ok := strings.Cut(w, "/")
	return ok && rest != "" && (strings.HasSuffix(host, ":") || strings.IndexByte(host, '.') > 0)
}

// ownName reads the name of the program itself: delete-tenant, wipe_prod, agent-uninstall.sh.
func (s *sentence) ownName(c *Call) {
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(c.Program), ".sh"), ".py")
	parts := nameWords(name)
	if noun, ok := strings.CutSuffix(name, "delete"); ok && len(parts) == 1 && len(noun) > 1 && len(c.Operands) > 0 { // ldapdelete
		parts = []string{noun, "entry", "delete"}
	}
	for len(parts) > 2 && destroying(parts[0]) == 0 && destroying(parts[len(parts)-1]) == 0 {
		parts = parts[1:] // acme-delete-tenant
	}
	if len(parts) < 2 {
		return
	}
	verb, nouns := destroyingPart(parts)
	if verb == "" || !anyof.Equal(verb, "nuke", "wipe", "purge", "destroy", "erase", "obliterate", "teardown") && !slices.ContainsFunc(slices.Concat(nouns, s.nouns), graveNoun) && !production(name) && !(verb == "uninstall" && parts[0] != verb && len(c.Args) == 0) {
		return
	}
	s.take(verb, nil, unfold(c.Operands))
	s.grave = 1
	if verb == "uninstall" {
		nouns = append(nouns, "installation")
	}
	s.means(nouns)
}

// readingName reports whether a cmdlet's name says that it only looks: Get-Help. The name of a
// program such as list-admin does not say so. The lower-case verbs are for PowerShell's reader,
// which folds the case of a name.
func readingName(program string) bool {
	verb, noun, ok := strings.Cut(program, "-")
	if anyof.Equal(verb, "get", "show") {
		return noun != "" && !strings.Contains(noun, "-")
	}
	return ok && noun != "" && anyof.Equal(verb, "Get", "Show", "Find", "Test", "Measure", "Select", "Search")
}

// madeForWork reports whether a program's name says that it manages a developer's working copy of
// something: devenv, worktreectl.
func madeForWork(program string) bool {
	if rest, ok := strings.CutPrefix(program, "dev"); ok {
		return anyof.Equal(rest, "", "env", "box", "kit", "space", "stack", "server", "container", "tool", "tools")
	}
	return strings.HasPrefix(program, "worktree") || strings.HasPrefix(program, "sandbox")
}

// object reports whether the words after the verb contain more than a word for everything.
func (s *sentence) object() bool {
	return slices.ContainsFunc(s.rest, func(w Word) bool { return !strings.EqualFold(w.Text, "all") && w.Text != "*" })
}

// take sets the verb of the sentence, and the words before and after it.
func (s *sentence) take(verb string, before []string, rest []Word) {
	s.verb, s.before, s.rest = verb, before, rest
	s.grave, s.tidies = destroying(verb), tidies(verb)
	s.kinds = append(s.kinds, s.nouns...)
	if len(s.nouns) == 0 && len(rest) > 0 {
		parts := nameWords(rest[0].Text)
		if len(rest) > 1 || len(parts) == 2 && mildNoun(parts[0]) && strings.Trim(parts[1], "0123456789") == "" { // draft-12
			s.kinds = append(s.kinds, parts...)
		}
	}
}

// means adds nouns that are part of the verb's own word.
func (s *sentence) means(nouns []string) {
	s.nouns, s.kinds = append(s.nouns, nouns...), append(s.kinds, nouns...)
}

// options looks for verbs among the options, and for options that skip questions.
func (s *sentence) options(c *Call) {
	var objects []string // delete --cert-name shop
	defer func() { s.means(objects) }()
	for i, a := range c.Args {
		t := a.Text
		if t == "--" {
			return
		}
		switch {
		case t == "*" || strings.EqualFold(t, "all") || strings.EqualFold(t, "everything"):
			s.all = true
			continue
		case strings.EqualFold(t, "force"), strings.EqualFold(t, "yes"), t == "forced", t == "noprompt":
			s.sure = s.sure || s.verb != ""
			continue
		case len(t) < 2 || t[0] != '-':
			continue
		}
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimLeft(t, "-")), "=")
		if value == "false" || value == "no" || value == "0" {
			continue
		}
		if strings.EqualFold(value, "all") {
			s.all = true
		}
		if s.verb == "" && (t == "-rm" || t == "-rmr" || t == "-del") {
			s.take(name, lowers(c.Operands[:min(1, len(c.Operands))]), c.Operands[min(1, len(c.Operands)):])
			continue
		}
		if t[1] != '-' && len(t) <= 5 && !strings.Contains(t, "=") {
			s.letters(c, t[1:], i)
			if name != "all" && name != "yes" {
				continue
			}
		}
		parts := nameWords(name)
		if len(parts) > 1 && anyof.Equal(parts[len(parts)-1], "empty", "duplicates", "na", "null", "nulls", "blank", "comments", "whitespace") {
			continue // --drop-empty: which of the results to show
		}
		s.dares = s.dares || dares(name)
		switch parts0(parts) {
		case "all", "everything":
			s.all = true
			s.nouns = append(s.nouns, parts[1:]...) // --all-users
		case "force", "forced", "yes", "assume", "confirm", "confirmed", "noconfirm", "noprompt", "noinput", "unattended", "really", "hard", "permanent", "permanently", "cascade", "execute", "approve", "skip", "recursive", "without":
			s.sure = s.sure || parts[0] != "skip" && parts[0] != "without" || slices.ContainsFunc(parts, isQuestion)
		case "i":
			s.sure = len(parts) > 2 // --i-know-what-i-am-doing
		case "no", "non", "auto", "omit", "skiptrash":
			s.sure = s.sure || name == "skiptrash" || slices.ContainsFunc(parts, isQuestion)
		}
		s.named = s.named || value != "" && slices.Contains(s.nouns, name) // delete-workspace -workspace=w1
		if s.verb != "" && len(s.nouns) == 0 && i+1 < len(c.Args) && (len(s.rest) == 0 || s.rest[0].Text == c.Args[i+1].Text) {
			objects = append(objects, parts...)
		}
		verb, nouns := destroyingPart(parts)
		if verb != "" && s.verb != "" && !s.tidies && len(nouns) == 0 { // forget --keep-none --prune
			s.sure = true
		}
		if verb != "" && (s.verb == "" || s.tidies && len(nouns) > 0 && !slices.ContainsFunc(nouns, mildNoun)) && (destroyingOption(verb) || verb != "disable" && slices.Contains(nouns, "all")) { // down --destroy-data; --disable-all chooses checks
			s.take(verb, lowers(c.Operands[:min(2, len(c.Operands))]), c.Operands[min(2, len(c.Operands)):])
			s.grave = 1
			s.means(nouns)
			s.all = s.all || slices.Contains(parts, "all")
		}
	}
}

// dares reports whether an option has a name that no one types by accident, such as --do-it or
// --i-know-what-i-am-doing. Programs demand such options before they do something permanent.
func dares(name string) bool {
	name = strings.NewReplacer("-", "", "_", "").Replace(name)
	return name == "doit" || name == "nodryrun" || strings.HasPrefix(name, "dangerous") || strings.Contains(name, "ireally") || anyof.HasPrefix(name, "iknow", "iunderstand", "reallydo")
}

// isQuestion reports whether a word is a safeguard of a careful program before it destroys: a
// confirmation or a backup.
func isQuestion(w string) bool {
	return anyof.Equal(w, "confirm", "confirmation", "prompt", "prompts", "interaction", "interactive", "input", "ask", "approve", "backup", "backups", "snapshot", "preserve", "warning", "warnings", "checks", "wait", "safety", "trash")
}

// destroyingOption reports whether an option of that name destroys, rather than choosing how
// something is made.
func destroyingOption(verb string) bool {
	return destroying(verb) == 2 || verb == "delete" || verb == "uninstall"
}

// letters reads a cluster of short options. An f before the name of a file is not "force".
func (s *sentence) letters(c *Call, letters string, i int) {
	file := i+1 < len(c.Args) && c.looksLikeFile(c.Args[i+1].Text)
	every := false
	for _, l := range letters {
		switch {
		case l == 'y', (l == 'f' || l == 'F') && !file:
			s.sure = true
		case l == 'a' && s.verb != "" && (!s.tidies || s.verb == "down"):
			every = true
		case l == 'n' && len(letters) == 1 && strings.Contains(c.Arg(0).Text, ":"): // --no-interaction of consoles such as Symfony's
			s.sure = true
		}
	}
	s.all = s.all || every && (s.sure || len(s.rest) == 0)
}

// noun adds the parts of a word to the nouns for the object.
func (s *sentence) noun(low string) {
	if len(s.nouns) < 12 && !FileName(low) {
		s.nouns = append(s.nouns, nameWords(low)...)
	}
}

// weight adds up the weights of the sentence's words.
func (s *sentence) weight(c *Call) int {
	n := s.grave
	live := slices.ContainsFunc(c.Args, func(w Word) bool { return production(w.Text) })
	grave, mild := slices.ContainsFunc(s.nouns, graveNoun), slices.ContainsFunc(s.kinds, mildNoun)
	local := slices.ContainsFunc(s.kinds, localName) || madeForWork(c.Program)
	if s.verb == "cancel" || s.verb == "abort" { // a program that runs once can run again
		mild = mild || slices.ContainsFunc(s.kinds, func(w string) bool {
			return anyof.Equal(w, "run", "runs", "job", "jobs", "build", "builds", "task", "query")
		})
	}
	if s.dares && !mild { // the program itself treats the call as dangerous
		n++
	}
	for _, w := range s.rest { // a version of a tool can be fetched again
		mild = mild || (s.verb == "uninstall" || s.verb == "remove") && versioned(w.Text)
	}
	for _, a := range c.Args {
		name := strings.TrimLeft(a.Text, "-")
		_, value, _ := strings.Cut(name, "=")
		local = local || localName(name) || localName(value)
	}
	for _, name := range []string{"APP_ENV", "RAILS_ENV", "RACK_ENV", "NODE_ENV", "ENVIRONMENT"} {
		if w, ok := c.Var(name); ok {
			local, live = local || localName(w.Text), live || production(w.Text)
		}
	}
	if s.all && (!s.tidies || grave || s.sure || s.object()) {
		n++
	}
	if live {
		n++
	}
	named := len(s.nouns) > 0 || len(s.rest) > 0 // without an object, -f may not skip a question
	if s.sure && (named || live || s.all) && !(s.tidies && !grave) {
		n++
	}
	if grave && !mild || s.named && !s.sure && !mild {
		n++
	}
	switch s.verb {
	case "uninstall", "revert", "rollback", "downgrade", "undeploy", "delete", "reset": // they apply to the whole if nothing is named
		if !named && (s.sure || s.verb == "uninstall" && administers(c.Program)) {
			n++
		}
	case "purge", "revoke": // rush purge, direnv revoke
		if !s.sure && !named && len(c.Args) < 2 {
			n--
		}
	}
	if mild {
		n -= 2
	}
	if local && !live {
		n -= 2
	}
	return n
}

// graveNoun reports whether a noun means data that cannot be recreated, or people, their rights or
// their work.
func graveNoun(w string) bool {
	if w == "cache" || w == "index" || w == "container" || w == "share" || w == "n" || w == "app" || w == "site" || w == "workspace" || w == "project" {
		return w == "app" || w == "site" || w == "project"
	}
	if keepsData(w) {
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

// mildNoun reports whether a noun means something that programs recreate by themselves.
func mildNoun(w string) bool {
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "s")
	}
	return anyof.Equal(w, "cache", "log", "tmp", "temp", "temporary", "build", "dist", "output", "coverage", "view", "optimize", "asset", "screen", "tab", "window", "pane", "history", "preview", "doc", "pod", "dep", "target", "lint",
		"session", "stash", "lock", "stat", "metric", "breakpoint", "filter", "plugin", "theme", "font", "package", "dependencie", "dependency", "module", "snapshotted", "draft", "alarm", "timer", "notification", "bookmark", "layout", "process", "port", "watch", "proxy", "mock", "sandbox", "emulator", "simulator", "playground", "example", "demo", "search", "fact", "thumbnail", "unused", "orphan", "orphaned", "stale", "obsolete", "import", "comment", "whitespace", "color", "prompt", "clipboard", "selection", "terminal", "config", "autoload", "opcache", "transient", "preference", "alia", "completion", "hook", "shim", "warning", "marker")
}

// localName reports whether a name suggests a developer's environment: dev, dev-ana, shop_test.
func localName(w string) bool {
	parts := splitName(w)
	if len(parts) == 0 || len(parts) > 3 || len(parts) > 1 && strings.Trim(parts[1], "0123456789") == "" { // dev-9 is a device
		return false
	}
	return localWord(parts[0]) || localWord(parts[len(parts)-1])
}

func localWord(w string) bool {
	return anyof.Equal(w, "dev", "development", "local", "localhost", "test", "testing", "tests", "ci")
}

// versioned reports whether a word is a version or ends in one: 18.0.0, node@18.
func versioned(w string) bool {
	at := strings.LastIndexByte(w, '@')
	if at > 0 {
		w = w[at+1:]
	}
	return at > 0 && w != "" && strings.Trim(w[:1], "0123456789") == "" || strings.Count(w, ".") > 0 && strings.Trim(w, "0123456789.") == ""
}

// triesOnly reports whether an option asks for a dry run, for help or for the version.
func (c *Call) triesOnly() bool {
	for i, a := range c.Args {
		if len(a.Text) < 3 || a.Text[0] != '-' {
			continue
		}
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimLeft(a.Text, "-")), "=")
		switch strings.ReplaceAll(strings.ReplaceAll(name, "-", ""), "_", "") {
		case "version": // with a value, the version of the object to delete
			return value == "" && (i == 0 || i == len(c.Args)-1)
		case "dryrun", "dry", "simulate", "noop", "whatif", "pretend", "preview", "help", "plan", "justprint", "testrun":
			return value != "false" && value != "no" && value != "0" && value != "none"
		}
	}
	return false
}

// plainWord reports whether a word may be a verb or a noun of a command line.
func plainWord(w Word) bool {
	return w.Known() && w.Text != "" && len(w.Text) <= 40 && w.Text[0] != '-' && !strings.ContainsAny(w.Text, " /=@\n\t,;'\"(){}[]<>|$*") && !FileName(w.Text)
}

// nameWords splits a word into its parts: at ".", ":" and "/", where splitName does, and after a
// verb that is joined to a noun (dropdb).
func nameWords(s string) (out []string) {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '.' || r == ':' || r == '/' }) {
		for _, w := range splitName(part) {
			out = append(out, unglued(w)...)
		}
	}
	return out
}

func unglued(w string) []string {
	for _, verb := range []string{"remove", "delete", "drop", "destroy", "reset", "wipe", "purge", "truncate", "erase", "flush"} {
		if noun, ok := strings.CutPrefix(w, verb); ok && len(noun) > 1 && (keepsData(noun) || graveNoun(noun) || noun == "all" || noun == "data") && destroying(w) == 0 {
			return []string{verb, noun}
		}
	}
	for _, verb := range []string{"rm", "del"} { // rmpool
		if noun, ok := strings.CutPrefix(w, verb); ok && len(noun) > 3 && (keepsData(noun) || graveNoun(noun)) {
			return []string{verb, noun}
		}
	}
	return []string{w}
}

func parts0(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return parts[0]
}

// destroyingPart finds the verb in a word of several parts: first (delete-cluster), last
// (user-delete, db_reset) or before "all". It returns the other parts as nouns.
func destroyingPart(parts []string) (verb string, nouns []string) {
	if n := len(parts); n > 2 && parts[n-1] == "all" && destroying(parts[0]) == 0 { // content:delete-all
		verb, nouns = destroyingPart(parts[:n-1])
		return verb, append(slices.Clip(nouns), "all")
	}
	at := -1
	switch n := len(parts); {
	case n == 0 || n > 5:
	case n > 1 && parts[0] == "tear" && parts[1] == "down":
		return "teardown", parts[2:]
	case destroying(parts[0]) > 0:
		at = 0
	case n > 1 && slices.Contains([]string{"unsafe", "force", "hard", "factory", "batch", "bulk", "full", "pre", "post"}, parts[0]) && destroying(parts[1]) > 0:
		at = 1
		if parts[0] == "unsafe" || parts[0] == "factory" || parts[0] == "hard" {
			return parts[1], append([]string{"system"}, parts[2:]...)
		}
	case destroying(parts[n-1]) > 0:
		at = n - 1
	}
	if at < 0 {
		return "", nil
	}
	return parts[at], slices.Concat(parts[:at], parts[at+1:])
}
