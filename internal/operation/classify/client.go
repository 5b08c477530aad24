package classify

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// describedClient reports whether a client of a service, a device or a database only reads, and
// reads no secret.
func (c Call) describedClient() bool {
	if !c.Known() || c.sendsText() {
		return false
	}
	w := c.plainWords()
	switch c.Program {
	case "aws":
		return c.describedAWS(w)
	case "kustomize":
		return len(c.Args) == 2 && c.Args[0].Text == "build" && c.ownFiles() && !remoteBase(c.Args[1].Text) || c.FirstArg() == "version"
	case "nvidia-smi":
		return nvidiaLooks(c.Args)
	case "aspell", "hunspell":
		return (c.FirstArg() == "list" || c.FirstArg() == "-l") && len(c.Args) < 4 && c.ownFiles() && !c.Begins("--conf") && !c.Begins("--per") && !c.Begins("--home")
	case "csvstat", "csvcut", "csvlook", "csvgrep", "csvsort", "csvjson", "in2csv", "csvjoin", "csvstack", "csvclean", "csvformat":
		return c.ownFiles()
	case "addr2line":
		return c.ownFiles()
	case "duckdb":
		return c.describedDuck()
	case "adb":
		for _, a := range c.Args { // adb joins the words into a command line for the device's shell
			if strings.ContainsAny(a.Text, ";|&$`<>(){}\n") {
				return false
			}
		}
		return phrased(w, "devices", "version", "get-state", "shell getprop *", "shell pm list *", "shell dumpsys *", "shell ls *", "shell wm size", "shell wm density", "shell ps *", "exec-out screencap") || phrased(w, "shell am start") && c.startsScreen() || phrased(w, "shell am force-stop *") && len(w) == 4 || len(w) > 0 && w[0] == "logcat" && !slices.ContainsFunc(c.Args, func(a command.Word) bool { return anyof.HasPrefix(a.Text, "-c", "-f", "--clear", "--file") })
	case "xcrun":
		return phrased(w, "simctl list *", "simctl boot *", "simctl shutdown *", "simctl launch *", "simctl terminate *") || phrased(w, "simctl install *") && c.ownFiles() || c.Has("--find", "--show-sdk-path", "--show-sdk-version")
	case "redis-cli":
		return localHost(c, "-h") && !c.Has("-u", "--eval", "-x", "--rdb", "--pipe", "--functions-rdb", "--cluster", "-i", "-r", "--lua-debugger") && len(c.Operands) > 0 && anyof.Equal(strings.ToLower(c.Operands[0].Text), "get", "mget", "keys", "scan", "hget", "hgetall", "hkeys", "hlen", "llen", "lrange", "scard", "smembers", "zcard", "zrange", "type", "ttl", "pttl", "exists", "strlen", "dbsize", "info", "ping", "time", "xlen", "xrange", "xinfo", "memory")
	case "sqlite3":
		return c.describedSQLite()
	case "psql", "mysql", "mariadb":
		return c.describedSQL()
	case "tmux":
		return phrased(w, "ls", "list-sessions", "list-windows *", "list-panes *", "display-message *", "has-session *", "capture-pane *", "show-options *") && !strings.Contains(strings.Join(w, " "), "#(")
	case "poetry":
		return phrased(w, "show *", "check", "env info", "env list", "version", "about", "lock --check") && c.inProject() && !c.outside() && len(w) > 0 && (w[0] != "version" || len(w) == 1)
	case "ssh-keygen":
		return c.ownFiles() && c.Begins("-l") && (c.Has("-l") || strings.HasPrefix(c.Args[0].Text, "-l")) && len(c.Args) < 5 && !c.Has("-R", "-p", "-y", "-e", "-i", "-t", "-q", "-N", "-D")
	case "openssl":
		return c.ownFiles() && anyof.Equal(c.Arg(0).Text, "x509", "version", "dgst", "req", "crl", "verify", "asn1parse") && c.Arg(0).Text == c.Args[0].Text && !c.Begins("-out") && !c.Begins("-eng") && !c.Begins("-key") && !c.Begins("-conf") && !c.Begins("-pass") && !c.Begins("-sign") && !c.Begins("-prov") && !c.Begins("-new") && !c.Begins("-CA") && !c.Begins("-outform") && !c.Begins("-writerand") || len(c.Args) == 1 && c.Args[0].Text == "version"
	case "ffprobe", "identify", "exiftool", "mediainfo", "sips", "pdfinfo", "pdftotext", "mdfind", "otool", "lipo", "objdump", "ldconfig", "javap", "aapt", "apkanalyzer", "tshark", "capinfos", "xmllint", "yq", "xsv", "qsv", "mlr", "tokei", "cloc", "scc":
		return c.describedViewer()
	}
	return false
}

// plainWords returns the words of a call without options and without the values of common options.
func (c Call) plainWords() []string {
	var out []string
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		if strings.HasPrefix(t, "-") {
			if anyof.Equal(t, "--region", "--profile", "--output", "--query", "--project", "--format", "--filter", "--limit", "--zone", "-n", "--namespace", "-o", "--resource-group", "-g", "-s", "--subscription", "--max-items", "--log-group-name", "--app", "-a", "-t", "-F", "--stack-name") {
				i++
			}
			continue
		}
		out = append(out, t)
	}
	return out
}

// phrased reports whether the words are one of the phrases. A phrase that ends in * matches any
// further words.
func phrased(words []string, phrases ...string) bool {
	text := strings.Join(words, " ")
	return slices.ContainsFunc(phrases, func(p string) bool {
		head, more := strings.CutSuffix(p, " *")
		return text == head || text == p || more && strings.HasPrefix(text, head+" ")
	})
}

// describedAWS reports whether a verb of the AWS client only reads. Verbs that show an environment
// variable of a function or a task, a parameter, a secret or a token do not count.
func (c Call) describedAWS(w []string) bool {
	if c.Begins("--end") || c.Has("--debug", "--no-verify-ssl", "--ca-bundle", "--cli-input-json", "--cli-input-yaml") || len(w) < 2 {
		return false
	}
	if slices.ContainsFunc(c.Args, func(a command.Word) bool {
		return strings.Contains(a.Text, "file://") || strings.Contains(a.Text, "fileb://")
	}) {
		return false
	}
	verb := w[1]
	switch w[0] {
	case "sts":
		return verb == "get-caller-identity"
	case "s3":
		return verb == "ls"
	case "s3api":
		return strings.HasPrefix(verb, "list-") || strings.HasPrefix(verb, "head-") || anyof.Equal(verb, "get-bucket-location", "get-bucket-versioning")
	case "ec2":
		return strings.HasPrefix(verb, "describe-") && !strings.Contains(verb, "attribute") && !strings.Contains(verb, "launch-template")
	case "logs", "rds", "eks", "elbv2", "elb", "route53", "cloudwatch", "dynamodb", "sqs", "sns", "acm", "autoscaling", "elasticache", "kinesis", "efs", "cloudfront", "apigateway", "apigatewayv2", "events", "stepfunctions":
		return strings.HasPrefix(verb, "describe-") || strings.HasPrefix(verb, "list-") || w[0] == "logs" && anyof.Equal(verb, "tail", "filter-log-events")
	case "ecs", "lambda", "iam", "ecr", "cloudformation", "ssm", "secretsmanager", "codebuild", "codepipeline":
		return strings.HasPrefix(verb, "list-") && verb != "list-functions" || w[0] == "ecs" && anyof.Equal(verb, "describe-services", "describe-clusters") || w[0] == "ecr" && anyof.Equal(verb, "describe-repositories", "describe-images")
	case "configure":
		return verb == "list" || verb == "list-profiles"
	}
	return false
}

// localHost reports whether every value of a host option names this machine, or none is given.
func localHost(c Call, option string) bool {
	return !slices.ContainsFunc(c.All(option), func(w command.Word) bool { return !anyof.Equal(w.Text, "localhost", "127.0.0.1", "::1") })
}

// describedSQLite reports whether sqlite3 is called with a file and statements that only read.
func (c Call) describedSQLite() bool {
	for _, w := range c.Args {
		if strings.HasPrefix(w.Text, "-") && !anyof.Equal(strings.TrimPrefix(w.Text, "-"), "-header", "header", "column", "csv", "json", "line", "list", "readonly", "box", "table", "markdown", "tabs", "noheader", "-json", "-csv", "-column", "bail", "batch", "separator") {
			return false
		}
	}
	if len(c.Operands) < 2 || strings.Contains(c.Operands[0].Text, ":") && c.Operands[0].Text != ":memory:" { // a URI
		return false
	}
	for _, w := range c.Operands[1:] {
		t := strings.TrimSpace(w.Text)
		if strings.HasPrefix(t, ".") {
			if name, rest, _ := strings.Cut(t, " "); !anyof.Equal(name, ".schema", ".tables", ".indexes", ".databases", ".dbinfo") || strings.ContainsAny(rest, "|\n;") {
				return false
			}
			continue
		}
		if !lookingSQL(t) {
			return false
		}
	}
	return true
}

// describedSQL reports whether psql or mysql runs one statement that only reads, on a server of
// this machine.
func (c Call) describedSQL() bool {
	if !localHost(c, "-h") || c.Stdin.Seen || c.Stdin.Pipe {
		return false
	}
	statement := command.Word{}
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		name, v, joined := strings.Cut(t, "=")
		switch {
		case anyof.Equal(t, "-c", "-e", "--command", "--execute"):
			if i++; i == len(c.Args) || statement.Text != "" {
				return false
			}
			statement = c.Args[i]
		case joined && (name == "--command" || name == "--execute") && statement.Text == "":
			statement = c.Args[i].With(v)
		case anyof.Equal(t, "-h", "-U", "-d", "-p", "-u", "-P", "-D", "--host", "--port", "--user", "--username", "--dbname", "--database") && (c.Program == "psql" || t != "-p"):
			i++
		case anyof.Equal(name, "--host"):
			if !anyof.Equal(v, "localhost", "127.0.0.1", "::1") {
				return false
			}
		case anyof.Equal(name, "--port", "--user", "--username", "--dbname", "--database"):
		case anyof.Equal(t, "-t", "-A", "-x", "-q", "-At", "-tA", "-X", "-w", "-N", "-B", "-s", "--tuples-only", "--no-align", "--csv", "--expanded", "--table", "-tAc", "-tc", "-Atc", "-xc", "-Ne", "-sNe", "-Nse"):
			if t[1] != '-' && (strings.HasSuffix(t, "c") || strings.HasSuffix(t, "e")) {
				if i++; i == len(c.Args) || statement.Text != "" {
					return false
				}
				statement = c.Args[i]
			}
		case strings.HasPrefix(t, "-p") && c.Program != "psql", strings.HasPrefix(t, "-u") && c.Program != "psql", strings.HasPrefix(t, "-h") && anyof.Equal(t[2:], "localhost", "127.0.0.1"):
		case strings.HasPrefix(t, "-"):
			return false
		case strings.Contains(t, "://"): // postgresql://user@localhost/db
			_, rest, _ := strings.Cut(t, "://")
			host, _, _ := strings.Cut(rest, "/")
			if at := strings.LastIndexByte(host, '@'); at >= 0 {
				host = host[at+1:]
			}
			host, _, _ = strings.Cut(host, ":")
			if !anyof.Equal(host, "localhost", "127.0.0.1", "") || strings.Contains(t, "?") {
				return false
			}
		case strings.Contains(t, "="): // a connection string
			return false
		}
	}
	t := strings.TrimSpace(statement.Text)
	if strings.HasPrefix(t, `\`) {
		name, rest, _ := strings.Cut(t[1:], " ")
		return c.Program == "psql" && anyof.Equal(strings.TrimSuffix(name, "+"), "d", "dt", "di", "dv", "dn", "df", "du", "l", "dx", "ds", "dm", "conninfo") && !strings.ContainsAny(rest, "\\|`\n")
	}
	return lookingSQL(t)
}

// lookingSQL reports whether a text is one statement that only reads: it begins with a verb that
// reads, has no word that writes, and calls only functions of sqlComputes.
func lookingSQL(t string) bool {
	t = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(t), ";"))
	if t == "" || strings.ContainsAny(t, ";\\`$") || strings.Contains(t, "--") || strings.Contains(t, "/*") {
		return false
	}
	low := strings.ToLower(t)
	first := low[:nameLen(low)]
	switch first {
	case "select", "show", "explain", "describe", "desc", "values":
	case "pragma":
		return !strings.ContainsAny(t, "=") && strings.Trim(low, "abcdefghijklmnopqrstuvwxyz_0123456789 ()'\"") == "" && (anyof.HasPrefix(low, "pragma table_", "pragma index_", "pragma foreign_key_list") || anyof.Equal(strings.TrimSpace(low[6:]), "user_version", "journal_mode", "integrity_check", "database_list"))
	default:
		return false
	}
	for i := 0; i < len(low); {
		if low[i] == '\'' || low[i] == '"' { // a quoted text or name
			end := strings.IndexByte(low[i+1:], low[i])
			if end < 0 {
				return false
			}
			i += end + 2
			continue
		}
		n := nameLen(low[i:])
		if n == 0 {
			i++
			continue
		}
		name, rest := low[i:i+n], strings.TrimLeft(low[i+n:], " \n\t")
		if anyof.Equal(name, "into", "insert", "update", "delete", "drop", "alter", "create", "truncate", "grant", "revoke", "copy", "call", "do", "set", "attach", "load", "lock", "merge", "outfile", "dumpfile", "program", "vacuum", "reindex", "execute", "prepare", "analyse") {
			return false
		}
		if strings.HasPrefix(rest, "(") && !anyof.Listed(sqlComputes, name) {
			return false
		}
		i += n
	}
	return true
}

// sqlComputes are functions that only compute, and keywords that a parenthesis may follow.
const sqlComputes = `in exists values over and or not as from join on using filter any all some case when then else where having by select distinct union except intersect between like limit is with partition within group
	count sum avg min max total coalesce ifnull nullif length char_length octet_length lower upper trim ltrim rtrim round abs ceil floor substr substring replace instr position date datetime time strftime julianday now date_trunc extract age to_char to_date to_timestamp cast concat group_concat string_agg array_agg json_extract json_array_length json_each json_object json_agg jsonb_array_length row_number rank dense_rank lag lead first_value last_value ntile random typeof hex quote printf format unnest generate_series array_length cardinality current_date year month day hour datediff pg_size_pretty pg_total_relation_size pg_relation_size pg_database_size to_regclass version database user int varchar char decimal numeric text`

// ownFiles reports whether every word of a call that may be a path is in the project or a temporary
// folder, and holds no secret.
func (c Call) ownFiles() bool {
	for _, w := range c.Args {
		t := w.Text
		if strings.HasPrefix(t, "-") && !strings.Contains(t, "/") {
			continue
		}
		if _, p := c.Path(w); strings.Contains(t, "://") || p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace|umpire.PlaceWorktree|umpire.PlaceTemp) == 0 ||
			p&(umpire.PlaceCredentials|umpire.PlacePrivate|umpire.PlaceEnvFile|umpire.PlaceSocket|umpire.PlaceDevice|umpire.PlaceGitDir) != 0 {
			return false
		}
	}
	return true
}

// describedViewer reports whether a program that prints the content of files only reads files of
// the project. No operation names them.
func (c Call) describedViewer() bool {
	if !c.ownFiles() {
		return false
	}
	switch c.Program {
	case "ffprobe", "mediainfo", "pdfinfo", "mdfind", "otool", "javap", "capinfos", "tokei", "cloc", "scc":
		return !c.Has("-o", "--report-file", "--out") && !c.Begins("--config")
	case "identify":
		return len(c.Operands) == 1 && !c.Has("-define", "-write") && !strings.ContainsAny(c.Operands[0].Text, ":@|")
	case "exiftool":
		return !slices.ContainsFunc(c.Args, func(w command.Word) bool {
			return strings.Contains(w.Text, "=") || anyof.HasPrefix(w.Text, "-@", "-o", "-w") || strings.Contains(w.Text, "config") || strings.Contains(w.Text, "if") || strings.HasPrefix(w.Text, "-p") || anyof.Contains(w.Text, "delete", "overwrite", "execute")
		})
	case "sips":
		return c.Has("-g", "--getProperty") && !c.Has("-s", "-o", "--out", "-z", "-Z", "-r", "-j", "--js")
	case "lipo":
		return anyof.Equal(c.FirstArg(), "-info", "-archs")
	case "pdftotext":
		return len(c.Args) > 0 && c.Args[len(c.Args)-1].Text == "-"
	case "objdump", "aapt", "apkanalyzer":
		return !c.Begins("--pl")
	case "tshark":
		return c.Has("-r") && !c.Has("-w", "-X", "-i", "-F", "-o", "-C")
	case "xmllint":
		return !c.Begins("--out") && !c.Has("-o", "--shell", "--xinclude", "--catalogs", "--loaddtd", "--dtdvalid", "--noent")
	case "yq":
		if slices.ContainsFunc(c.Args, func(w command.Word) bool { return strings.Contains(w.Text, "env") || strings.Contains(w.Text, "load") }) {
			return false
		}
		return !c.Has("-i", "--inplace", "-s", "--split-exp", "-f", "--from-file", "--in-place") && !strings.HasPrefix(c.FirstArg(), "-i")
	case "xsv", "qsv", "mlr":
		return !c.Has("-o", "--output", "-I", "--from-file") && c.Arg(0).Text != "split" && c.Arg(0).Text != "tee"
	}
	return false
}

// startsScreen reports whether adb opens a screen of an app by its name, without an address for it:
// tel: would dial.
func (c Call) startsScreen() bool {
	screen := false
	for i, w := range c.Args {
		switch t := w.Text; {
		case t == "-n":
			screen = i+1 < len(c.Args) && strings.Contains(c.Args[i+1].Text, "/")
		case anyof.Equal(t, "-W", "-S", "-s"):
		case strings.HasPrefix(t, "-") || strings.Contains(t, ":"):
			return false
		}
	}
	return screen
}

// nvidiaLooks reports whether nvidia-smi only shows the state of the graphics cards.
func nvidiaLooks(args []command.Word) bool {
	return !slices.ContainsFunc(args, func(w command.Word) bool {
		t := w.Text
		return !anyof.Equal(t, "-L", "-q", "pmon", "dmon", "topo", "-m") && !strings.HasPrefix(t, "--query-") && !strings.HasPrefix(t, "--format=")
	})
}

// describedDuck reports whether duckdb runs one statement that only reads, on files of the project.
func (c Call) describedDuck() bool {
	statement, file := "", false
	for i := 0; i < len(c.Args); i++ {
		switch t := c.Args[i].Text; {
		case (t == "-c" || t == "-s") && i+1 < len(c.Args) && statement == "":
			i++
			statement = c.Args[i].Text
		case anyof.Equal(t, "-json", "-csv", "-markdown", "-table", "-box", "-line", "-list", "-readonly", "-header", "-noheader"):
		case strings.HasPrefix(t, "-"):
			return false
		case !file && (t == ":memory:" || Of(command.NewCall(c.Host, nil, c.Program, c.Args[i:i+1], command.Stream{})).ownFiles()):
			file = true
		case statement == "" && file:
			statement = t
		default:
			return false
		}
	}
	if !lookingSQL(statement) {
		return false
	}
	for rest := statement; ; { // a quoted text may name a file
		i := strings.IndexAny(rest, `'"`)
		if i < 0 {
			return true
		}
		end := strings.IndexByte(rest[i+1:], rest[i])
		if end < 0 {
			return false
		}
		text := rest[i+1 : i+1+end]
		rest = rest[i+end+2:]
		if c.elsewhere(text) || c.obeyed(text) || strings.Contains(text, "://") {
			return false
		}
	}
}

// remoteBase reports whether kustomize may read the name of a folder as a remote repository, such
// as github.com/x/y.
func remoteBase(dir string) bool {
	first, _, _ := strings.Cut(dir, "/")
	return strings.ContainsAny(dir, ":?@") || strings.Contains(strings.Trim(first, "."), ".")
}

// describedRequest reports whether the request that was read is all that curl does, and does not
// delete anything.
func (c Call) describedRequest() bool {
	if m, ok := c.Opt("-X"); ok && !anyof.Equal(m.Text, "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH") {
		return false // a removal is permanent
	}
	if slices.ContainsFunc(c.All("-w"), func(w command.Word) bool { return strings.HasPrefix(w.Text, "@") }) { // curl prints from that file
		return false
	}
	return (c.Known() || c.asksHere()) && !c.Has("-K", "--config", "--engine", "--libcurl", "--trace", "--trace-ascii", "--hsts", "--alt-svc", "--ca-native", "--stderr", "--etag-save", "-x", "--proxy", "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "--unix-socket", "--abstract-unix-socket", "--connect-to", "--resolve", "--interface", "--doh-url", "--dns-servers", "--netrc-file", "--cert", "-E")
}

// describedForge reports whether a forge's client only reads.
func describedForge(c Call) bool {
	noun, verb := c.Args, command.Word{}
	if len(noun) < 2 || c.sendsText() || c.Has("-X", "-f", "-F", "--input", "-w", "--web") {
		return false
	}
	verb = noun[1]
	switch noun[0].Text {
	case "api":
		return !strings.Contains(verb.Text, "graphql") && !strings.HasPrefix(verb.Text, "-") && !c.Has("-H", "--hostname", "--cache")
	case "pr", "issue", "run", "release", "repo", "workflow", "label", "milestone", "cache", "ruleset", "project", "org":
		if anyof.Equal(verb.Text, "view", "list", "status", "diff", "checks", "watch", "ls", "item-list", "field-list") {
			return true
		}
	case "search":
		return true
	case "auth":
		return verb.Text == "status" && !c.Has("-t", "--show-token")
	}
	return false
}
