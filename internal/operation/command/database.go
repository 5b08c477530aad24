package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// erased are the traits of dropping data.
const erased = umpire.Destroy | umpire.Irreversible | umpire.DataStore

// doSQLClient reads the statements of a client in files and on standard input. Role q reads those
// in options.
func doSQLClient(c *Call) {
	c.connects()
	lang := c.store("sql:" + c.Model.Lang)
	if c.Program == "psql" && !c.Has("-X") {
		file := "~/.psqlrc"
		if w, ok := c.Var("PSQLRC"); ok && w.Known() {
			file = w.Text
		}
		if f, ok := c.StartedFile(file); ok {
			f.RunAs(lang, Run{})
		}
	}
	for flag, code := range map[string]string{"--py": "python", "--js": "js"} { // of mysqlsh
		if w, ok := c.Opt("-e"); ok && c.Has(flag) {
			c.Code(code, w, Run{})
		}
	}
	given := c.Has("-c", "-e", "-Q", "-q", "--query", "-execute")
	for _, o := range []string{"-f", "--queries-file", "-i"} {
		for _, w := range c.All(o) {
			if w.Text == "-" {
				continue
			}
			c.sqlFile(lang, w)
			given = true
		}
	}
	if c.Program == "cockroach" && len(c.Operands) > 0 && c.Operands[0].Text != "sql" {
		if c.Operands[0].Text == "node" && len(c.Operands) > 1 && c.Operands[1].Text == "decommission" {
			c.infra("decommission", []string{"node"}, c.Operands[2:], umpire.Destroy|umpire.Mutate)
		}
		return
	}
	if c.Inert() {
		return
	}
	if c.Model.Lang == "postgres" && given {
		// The words of a statement without quotes: psql -c DROP TABLE users.
		if w, ok := c.Opt("-c"); ok && !strings.Contains(strings.TrimSpace(w.Text), " ") && len(c.Operands) > 0 {
			text := w.Text
			for _, o := range c.Operands {
				text += " " + o.Text
			}
			c.Code(lang, w.With(text), Run{})
		}
	}
	if file := c.Stdin.File; !given && file != "" && !c.Stdin.Seen && c.Stdin.Taint == 0 {
		c.sqlFile(lang, Lit(file))
	} else if !given && c.Stdin.Pipe {
		c.Script(lang, c.Stdin, Run{Via: c.Program, Traits: c.Traits})
		if !c.Stdin.Seen {
			c.Op(umpire.Database, "script -", umpire.UnseenCode)
		}
	}
	for _, w := range append(slices.Clone(c.Operands), c.All("-h")...) {
		if strings.Contains(w.Text, "://") {
			c.Net(w, 0, 0)
		}
	}
}

// FarStore ends the language of statements for a database on another machine.
const FarStore = "@far"

// store returns the language of statements, marked if the database may be far, was made by this
// command line, or is for tests.
func (c *Call) store(lang string) string {
	switch {
	case c.farStore():
		return lang + FarStore
	case c.madeStore():
		return lang + MadeStore
	case c.testStore(), lang == "sql:redis" && c.numberedStore():
		return lang + TestStore
	}
	return lang
}

// connects records the hosts in the addresses of databases among the operands.
func (c *Call) connects() {
	for _, w := range append(c.All("-d"), c.Operands...) {
		if a := parseAddress(w.Text); strings.Contains(w.Text, "://") && !strings.Contains(w.Text, " ") && a.Host != "" {
			c.Net(w.With(a.Host), 0, 0)
		}
	}
}

// numberedStore reports whether a call picks a numbered database of Redis other than 0, and no
// command reaches another one. Applications use number 0, tests use the others.
func (c *Call) numberedStore() bool {
	n, ok := c.Opt("-n")
	return ok && n.Known() && strings.Trim(n.Text, "0") != "" && strings.Trim(n.Text, "0123456789") == "" && !slices.ContainsFunc(c.Args, func(w Word) bool {
		return !w.Known() || anyof.Equal(strings.ToLower(w.Text), "flushall", "select", "swapdb", "move", "shutdown", "debug", "config", "eval", "replicaof", "slaveof")
	}) && !c.Stdin.Pipe
}

// farStore reports whether an option, an address or a variable names a database that may be on
// another machine. An unknown address may be anywhere.
func (c *Call) farStore() bool {
	hosts := slices.Concat(c.All("-h"), c.All("--host"), c.All("-S"))
	for _, v := range []string{"PGHOST", "PGHOSTADDR", "MYSQL_HOST", "REDIS_HOST", "REDISCLI_HOST"} {
		if w, ok := c.Var(v); ok {
			hosts = append(hosts, w)
		}
	}
	if slices.ContainsFunc(hosts, func(w Word) bool { return !nearHost(w) }) {
		return true
	}
	operands := c.Operands
	if c.Model.Lang == "" || c.Model.Lang == "sqlite" || c.Model.Lang == "duckdb" {
		operands = nil // statements, or names of files
	}
	for _, w := range slices.Concat(operands, c.All("-d"), c.All("-u"), c.All("--url"), c.All("--uri"), c.All("--server")) {
		text := w.Text
		switch {
		case strings.Contains(text, "://"):
			if a := parseAddress(text); a.Host != "" && !nearHost(w.With(a.Host)) {
				return true
			}
		case strings.Contains(text, "host="):
			for f := range strings.FieldsSeq(text) {
				if h, ok := strings.CutPrefix(f, "host="); ok && !nearHost(w.With(h)) {
					return true
				}
			}
		case strings.HasPrefix(text, umpire.Hole) && w.Taint&FromAddress != 0:
			return true
		}
	}
	return false
}

// nearHost reports whether a database host is this machine. A name without a dot counts, as that of
// a container, unless it suggests production.
func nearHost(w Word) bool {
	h := w.Text
	if !w.Known() {
		return false
	}
	a := parseAddress(h)
	return h == "" || strings.HasPrefix(h, "/") || a.local() || !strings.Contains(h, ".") && !production(h)
}

// sqlFile runs a file of statements. It also records a file with unknown text as unseen code.
func (c *Call) sqlFile(lang string, w Word) {
	switch own := ownScript(c, w) && !c.Wrote(w); {
	case own && !strings.Contains(lang, "@"):
		lang += TestStore
	case !own && !c.File(w).Seen:
		c.Op(umpire.Database, "script "+w.Text, umpire.UnseenCode)
	}
	c.RunFile(lang, w, Run{})
}

// doSQLite reads "sqlite3 FILE STATEMENT...".
func doSQLite(c *Call) {
	lang := "sql:" + c.Model.Lang
	if len(c.Operands) > 0 && c.passingFile(c.Operands[0]) {
		lang = "sql:memory" // the file may be removed, and so may its data
	}
	if f, ok := c.Opt("-f"); ok {
		c.sqlFile(lang, f)
	}
	if f, ok := c.Opt("-init"); ok {
		c.RunFile(lang, f, Run{})
	}
	if len(c.Operands) > 0 && c.Arg(0).Text != ":memory:" {
		c.ReadFile(c.Arg(0))
	}
	if len(c.Operands) > 1 {
		for _, w := range c.Operands[1:] {
			if c.Has("-readonly") && !strings.Contains(w.Text, ".") {
				continue // the engine refuses to write, but a dot command may start programs
			}
			c.Code(lang, w, Run{})
		}
		return
	}
	if c.Stdin.Pipe && !c.Has("-c", "-s") {
		c.Script(lang, c.Stdin, Run{Via: c.Program, Traits: c.Traits})
	}
}

func doOracle(c *Call) {
	for _, w := range c.Operands {
		if f, ok := strings.CutPrefix(w.Text, "@"); ok {
			c.sqlFile(c.store("sql:oracle"), w.With(f))
		}
	}
	if c.Stdin.Pipe {
		c.Script(c.store("sql:oracle"), c.Stdin, Run{Via: c.Program, Traits: c.Traits})
	}
}

func doInflux(c *Call) {
	p := readPhrase(c.Operands)
	switch {
	case len(p.words) > 0 && p.words[0] == "delete":
		c.Op(umpire.Database, "delete measurement", erased)
	case p.deed == wording.Destroys:
		t := umpire.Destroy | umpire.Mutate
		if p.lasting() {
			t |= erased
		}
		c.Op(umpire.Database, Quote("drop-"+p.words[0], p.rest), t)
	case len(p.words) > 0 && p.words[0] == "query" || len(c.Operands) > 0 && c.Operands[0].Text == "query":
		for _, w := range c.Operands[1:] {
			c.Code(c.store("sql:influx"), w, Run{})
		}
	}
}

func doMysqladmin(c *Call) {
	for i, w := range c.Operands {
		switch w.Text {
		case "drop":
			c.Op(umpire.Database, Quote("drop-database", c.Operands[i+1:]), erased|umpire.Bulk)
			return
		case "shutdown", "password", "flush-privileges", "stop-replica", "stop-slave", "kill":
			c.Op(umpire.Database, w.Text, umpire.Mutate|umpire.Bulk|umpire.Loosened)
			return
		}
	}
}

// madeDatabase begins the key under which a command line remembers a database that it made.
// createdb fails if the database exists.
const madeDatabase = Made + "database "

func doCreatedb(c *Call) {
	if len(c.Operands) > 0 && c.Operands[0].Known() && !c.farStore() && !c.Inert() {
		c.Define(madeDatabase+c.Operands[0].Text, c.Operands[0])
	}
}

func doDropdb(c *Call) {
	for _, w := range c.Operands {
		if len(c.Defined(madeDatabase+w.Text)) == 0 {
			c.Code(c.store("sql:postgres"), w.With(`drop database "`+w.Text+`"`), Run{})
		}
	}
}

// doDump reads programs that dump a database. Their output is private data.
func doDump(c *Call) { c.Taints(FromTree) }

func doRestore(c *Call) {
	for _, w := range c.Operands {
		if c.Program == "pg_restore" || c.Program == "mongorestore" {
			c.ReadFile(w)
		}
	}
	t := umpire.Mutate | umpire.Overwrite
	if d, ok := c.Opt("-d"); (c.Has("--drop", "-o") || c.Has("-c") && !strings.HasPrefix(c.Program, "mongo")) && (!ok || c.farStore() || !d.Known() || !TestName(d.Text)) {
		t |= erased
	}
	if c.Program == "pg_restore" && !c.Has("-d") {
		return // only prints a script
	}
	c.Op(umpire.Database, Quote("restore", c.Operands), t)
}

func doPgServer(c *Call) {
	switch c.Program {
	case "pg_resetwal", "pg_resetxlog", "pg_dropcluster":
		c.Op(umpire.Database, Quote("drop-cluster", c.Operands), erased|umpire.Bulk)
	case "pg_ctl", "pg_ctlcluster":
		for _, w := range c.Operands {
			if w.Text == "stop" || w.Text == "restart" {
				c.Op(umpire.Database, w.Text, umpire.Mutate|umpire.Bulk)
			}
		}
	}
}

func doMongo(c *Call) {
	c.connects()
	given := false
	for _, w := range c.All("--eval") {
		c.Code(c.store("sql:mongo"), w, Run{})
		given = true
	}
	files := c.All("-f")
	for _, w := range c.Operands {
		if strings.HasSuffix(w.Text, ".js") || strings.HasSuffix(w.Text, ".mongodb") {
			files = append(files, w)
		}
	}
	for _, w := range files {
		c.sqlFile(c.store("sql:mongo"), w)
		given = true
	}
	if !given && c.Stdin.Pipe && !c.Inert() {
		c.Script(c.store("sql:mongo"), c.Stdin, Run{Via: c.Program, Traits: c.Traits})
	}
}

// redisScript reads the commands of Redis that a Lua script calls.
func redisScript(c *Call, w Word) {
	for _, part := range strings.Split(w.Text, "call(")[1:] {
		args, _, _ := strings.Cut(part, ")")
		if list, _, ok := strings.Cut(args, "unpack("); ok { // all keys that an earlier command returned
			args = list + "*"
		}
		args = strings.Map(func(r rune) rune {
			switch r {
			case '\'', '"', '\n':
				return -1
			case ',':
				return ' '
			}
			return r
		}, args)
		c.Code(c.store("sql:redis"), w.With(args), Run{})
	}
}

// doRedis reads one command in the arguments, or one per line on standard input.
func doRedis(c *Call) {
	if w, ok := c.Opt("--eval"); ok {
		c.sqlFile("lua", w)
		return
	}
	if w, ok := c.Opt("--cluster"); ok {
		if w.Text == "del-node" || w.Text == "reshard" || w.Text == "fix" || w.Text == "import" {
			c.Op(umpire.Database, "cluster-"+w.Text, umpire.Mutate|umpire.Destroy)
		}
		return
	}
	if v := strings.ToLower(c.Arg(0).Text); (v == "eval" || v == "eval_ro") && len(c.Operands) > 1 {
		redisScript(c, c.Operands[1])
	}
	if len(c.Operands) > 0 {
		var b strings.Builder
		for i, w := range c.Operands {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strings.ReplaceAll(w.Text, "\n", " "))
		}
		c.Code(c.store("sql:redis"), Word{Text: b.String(), Taint: c.Operands[0].Taint}, Run{})
		return
	}
	if c.Stdin.Pipe {
		c.Script(c.store("sql:redis"), c.Stdin, Run{Via: c.Program, Traits: c.Traits})
	}
}

func doMemcached(c *Call) {
	if c.Program == "memcrm" {
		c.Op(umpire.Database, Quote("delete", c.Operands), umpire.Destroy|umpire.Mutate)
		return
	}
	if c.Program == "memcflush" || slices.ContainsFunc(c.Operands, func(w Word) bool { return w.Text == "flush_all" }) {
		c.Op(umpire.Database, "flushall", umpire.Destroy|umpire.Bulk)
	}
}

func doEtcd(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	t := umpire.Destroy | umpire.Mutate
	switch v := c.Operands[0].Text; v {
	case "del", "rm", "rmdir":
		if c.Has("--prefix", "--from-key", "--recursive", "-r") || c.Arg(1).Text == "" {
			t |= erased | umpire.Bulk
		}
		c.Op(umpire.Database, Quote("delete", c.Operands[1:]), t)
	case "member", "user", "role", "auth", "snapshot", "lease":
		if d := wording.DeedIn(c.Arg(1).Text); d == wording.Destroys || v == "snapshot" && c.Arg(1).Text == "restore" {
			c.Op(umpire.Database, Quote(v+"-"+c.Arg(1).Text, c.Operands[2:]), t)
		}
	case "defrag", "compact", "compaction", "move-leader":
		c.Op(umpire.Database, v, umpire.Mutate|umpire.Loosened)
	}
}

// doStoreVerb reads the clients of data stores by the verb among their first operands.
func doStoreVerb(c *Call) {
	for i, w := range c.Operands {
		if i > 2 {
			return
		}
		switch strings.ToLower(w.Text) {
		case "deleteall", "rmr", "clearsnapshot", "assassinate", "truncatehints", "removenode", "decommission":
			c.Op(umpire.Database, Quote(w.Text, c.Operands[i+1:]), erased)
			return
		case "delete":
			c.Op(umpire.Database, Quote("delete", c.Operands[i+1:]), umpire.Destroy|umpire.Mutate)
			return
		case "drain", "stopdaemon", "move", "rebuild":
			c.Op(umpire.Database, Quote(w.Text, c.Operands[i+1:]), umpire.Mutate|umpire.Loosened)
			return
		}
	}
}

func doKafka(c *Call) {
	name := strings.TrimSuffix(c.Program, ".sh")
	switch {
	case c.Has("--list", "--describe") && !c.Has("--delete"):
	case name == "kafka-topics" && c.Has("--delete"), name == "kafka-delete-records", name == "kafka-storage" && len(c.Operands) > 0 && c.Operands[0].Text == "format":
		ws := c.All("--topic")
		if s, ok := c.Opt("--bootstrap-server"); ok && c.madeAddress(parseAddress(s.Text)) {
			return
		} else if ok && nearHost(s) && len(ws) == 1 && ws[0].Known() && TestName(ws[0].Text) {
			return
		}
		c.Op(umpire.Database, Quote("delete-topic", ws), erased)
	case c.Has("--delete", "--delete-offsets", "--remove", "--delete-config"), c.Has("--reset-offsets") && c.Has("--execute"):
		c.Op(umpire.Database, "delete "+name, umpire.Destroy|umpire.Mutate)
	case c.Has("--alter", "--add", "--execute"):
		c.Op(umpire.Database, "alter "+name, umpire.Mutate|umpire.Loosened)
	}
}

func doRabbit(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	v := c.Operands[0].Text
	rest := c.Operands[1:]
	switch v {
	case "reset", "force_reset", "delete_vhost", "delete_queue", "purge_queue":
		t := erased
		if v == "reset" || v == "force_reset" {
			t |= umpire.Bulk
		}
		c.Op(umpire.Database, Quote(v, rest), t)
	case "enable", "disable", "set": // rabbitmq-plugins
		c.Op(umpire.Database, Quote(v, rest), umpire.Mutate)
	case "forget_cluster_node", "stop_app", "stop", "shutdown", "close_all_connections", "close_all_user_connections", "change_password", "set_permissions", "add_user", "set_user_tags", "rotate_logs", "set_policy", "force_boot":
		c.Op(umpire.Database, Quote(v, rest), umpire.Mutate|umpire.Loosened)
	default:
		if d := wording.DeedIn(v); d == wording.Destroys {
			c.Op(umpire.Database, Quote(v, rest), umpire.Destroy|umpire.Mutate)
		}
	}
}

func doCelery(c *Call) {
	for _, w := range c.Operands {
		if w.Text == "purge" || w.Text == "amqp" && slices.ContainsFunc(c.Operands, func(x Word) bool { return x.Text == "queue.purge" || x.Text == "queue.delete" }) {
			c.Op(umpire.Database, "purge queue", erased)
			return
		}
	}
}

// doBackup reads commands that prune, delete or unlock backups.
func doBackup(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	t := umpire.Destroy | umpire.Mutate
	verb := strings.ToLower(c.Operands[0].Text)
	rest := c.Operands[1:]
	whole := false
	switch c.Program {
	case "borg", "attic":
		switch verb {
		case "delete":
			whole = len(rest) > 0 && !strings.Contains(rest[0].Text, "::")
		case "rdelete":
			whole = true
		case "prune", "recreate", "break-lock", "compact", "key", "with-lock", "rcreate", "upgrade":
			if verb == "rcreate" || verb == "key" && c.Arg(1).Text != "remove" && c.Arg(1).Text != "change-passphrase" {
				return
			}
		default:
			return
		}
	case "restic", "rustic":
		switch verb {
		case "forget", "prune", "unlock", "rewrite", "repair", "recover":
		case "key":
			if c.Arg(1).Text != "remove" && c.Arg(1).Text != "add" && c.Arg(1).Text != "passwd" {
				return
			}
		default:
			return
		}
	case "tmutil":
		switch verb {
		case "delete", "deletelocalsnapshots", "thinlocalsnapshots", "disable", "removedestination", "deleteinprogress":
			whole = true
		default:
			return
		}
	case "duplicity":
		if !strings.HasPrefix(verb, "remove-") && verb != "cleanup" {
			return
		}
		whole = c.Has("--force")
	case "btrbk": // deletes every backup that its configuration no longer keeps
		if !anyof.Equal(verb, "run", "resume", "snapshot", "prune", "clean") || c.Has("-p") || c.Has("--preserve-snapshots") && c.Has("--preserve-backups") {
			return
		}
		whole = c.Has("--wipe")
	case "snapper":
		if !anyof.Equal(verb, "delete", "remove", "rm", "del", "undochange", "rollback", "cleanup", "delete-config") {
			return
		}
		whole = !anyof.Equal(verb, "cleanup", "undochange", "rollback")
	case "bup":
		if verb != "rm" && verb != "gc" && verb != "prune-older" {
			return
		}
		whole = verb == "rm"
	case "borgmatic", "sanoid", "timeshift": // their descriptions are enough
		return
	default:
		d := wording.DeedIn(verb)
		if d == wording.Unknown && len(rest) > 0 {
			d = wording.DeedIn(rest[0].Text)
		}
		if d != wording.Destroys {
			return
		}
		whole = strings.HasPrefix(c.Program, "pgb") || verb == "delete"
	}
	if whole {
		t |= erased
	}
	c.infra(verb, []string{"backup"}, rest, t)
}

// doCypher reads statements for graph databases, by their verbs.
func doCypher(c *Call) {
	if f, ok := c.Opt("-f"); ok {
		c.sqlFile("sql:cypher", f)
		return
	}
	text := c.Stdin.Text
	if len(c.Operands) > 0 {
		text = c.Operands[0].Text
	} else if c.Stdin.Pipe && !c.Stdin.Seen {
		c.Op(umpire.Database, "script -", umpire.UnseenCode)
		return
	}
	words := strings.FieldsFunc(strings.ToLower(outsideQuotes(text)), func(r rune) bool { return (r < 'a' || r > 'z') && r != '_' })
	switch {
	case slices.Contains(words, "drop") && slices.Contains(words, "database"), slices.Contains(words, "delete") && !slices.Contains(words, "where") && !strings.Contains(text, "{"):
		c.Op(umpire.Database, "delete graph", erased|umpire.NoWhere)
	case slices.Contains(words, "drop"), slices.Contains(words, "delete"):
		c.Op(umpire.Database, "delete nodes", umpire.Destroy|umpire.Mutate)
	}
}

// outsideQuotes returns a text without its quoted parts.
func outsideQuotes(s string) string {
	var b strings.Builder
	quote := rune(0)
	for _, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"' || r == '`':
			quote = r
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// doMix reads tasks of Elixir that run code or change a database.
func doMix(c *Call) {
	if env, _ := c.Var("MIX_ENV"); env.Text == "test" {
		return // test runs recreate this database
	}
	switch v := c.Arg(0).Text; v {
	case "run":
		for i, w := range c.Operands[:len(c.Operands)-1] {
			if w.Text == "-e" || w.Text == "--eval" {
				c.Code("elixir", c.Operands[i+1], Run{Out: true})
			}
		}
	case "eval":
		c.Code("elixir", c.Arg(1), Run{Out: true})
	case "ecto.drop", "ecto.reset":
		c.schema(v, c.Has("--force-drop"))
	case "ecto.rollback":
		if HasText(c.Args, "--all") {
			c.schema(v, false)
			return
		}
		c.undo(v, c.steps(""))
	default:
		doHex(c)
	}
}
