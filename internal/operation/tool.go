package operation

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
	"github.com/umpire-dev/umpire/internal/redact"
)

// unknownTool reads a tool that umpire does not know, usually of a tool server. The name suggests
// the action, and the fields the resource.
func (r *reader) unknownTool() {
	words := nameWords(r.tool)
	own := nameWords(r.tool[strings.LastIndex(r.tool, "__")+1:]) // without the server: a server called mail does not send
	v := verbOf(own)
	shows := reveals(own, words)
	said := deeds(nil, "", r.in, 0)
	if anyof.In(own, "call", "invoke", "execute", "run", "use") && anyof.In(own, "tool", "function") { // the input names a tool
		name, _ := first(r.in, "name", "tool", "function")
		said = append(said, name)
	}
	for _, deed := range said {
		said := nameWords(deed)
		v = max(v, verbOf(said))
		shows = shows || reveals(said, words)
	}
	switch {
	case v == verbWrite && slices.Contains(own, "chat"):
		v = verbSend
	case v == verbWrite && widens(own, words, r.in):
		v = verbMerge
	case v == verbPay && anyof.In(words, "git", "jj", "svn", "hg"): // a checkout of a version control system buys nothing
		v = verbWrite
	case v == verbMerge && slices.Contains(words, "execute") && r.legible(words): // the code that it executes is read
		v = verbUnknown
	}
	t := v.traits()
	if strings.Contains(r.tool, umpire.Hole) { // the client does not name the server
		t |= umpire.Unknown
	}
	at := len(r.Operations())
	r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: t})
	r.Chdir(r.str(dirFields...))
	r.walk("", r.in, v, words, 0)
	if v <= verbRead && shows {
		r.Emit(umpire.Operation{Kind: umpire.System, Resource: "secret read " + r.tool})
	}
	if cli := client(words); (v != verbRead || cli == "kubectl") && len(own) <= 4 && !anyof.Equal(cli, "", "aws", "gcloud", "az") { // its tools are its sub-commands
		r.Vector(append(append([]string{cli}, slices.DeleteFunc(slices.Clone(own), func(w string) bool { return anyof.Equal(w, cli, "cli", "run", "execute", "command") })...), r.options()...))
	}
	if t == 0 && (readsByName(r.tool) || queriesByName(r.tool) && onlyQueries(r.Operations()[at+1:])) && r.sent.little() {
		r.Operations()[at].Traits |= umpire.PlainRead
	}
}

// options returns the fields of the input as the arguments of a command-line client: its flags, the
// kind of resource, the form of the output and, after the folders for a container, its image.
func (r *reader) options() (args []string) {
	for _, k := range slices.Sorted(maps.Keys(r.in)) {
		name := strings.ToLower(strings.Join(wording.Split(k), "-"))
		switch v := r.in[k].(type) {
		case bool:
			if v {
				args = append(args, "--"+name)
			}
		case string:
			switch name {
			case "resource-type", "resource", "kind":
				args = append(args, v)
			case "output":
				args = append(args, "-o", v)
			}
		case []any:
			for _, e := range v {
				if s, ok := e.(string); ok && anyof.Equal(name, "volumes", "mounts") {
					args = append(args, "-v", s)
				}
			}
		}
	}
	if image, ok := first(r.in, "image"); ok {
		args = slices.Concat([]string{"run"}, args, []string{image})
	}
	return args
}

// cell reads code that a tool runs. In Python notebooks, lines after a ! and cells that begin with
// %%bash go to a shell.
func (r *reader) cell(lang, text string) {
	if lang != "python" {
		r.Code(lang, text)
		return
	}
	code, commands := cellParts(text)
	for _, cmd := range commands {
		r.Command(cmd)
	}
	if code != "" || len(commands) == 0 {
		r.Code(lang, code)
	}
}

// later reads a cell that is written into a notebook. Its kernel runs the cell without another call.
func (r *reader) later(path, text string) {
	code, commands := cellParts(text)
	for _, cmd := range commands {
		r.Later("sh", cmd, path)
	}
	r.Later("python", code, path)
}

// cellParts returns the Python code and the shell commands of a notebook's cell.
func cellParts(text string) (code string, commands []string) {
	head, rest, _ := strings.Cut(strings.TrimLeft(text, " \n"), "\n")
	if f := strings.Fields(head); len(f) > 0 && (f[0] == "%%bash" || f[0] == "%%sh" || f[0] == "%%script") {
		return "", []string{rest}
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		cmd, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "!")
		if !ok {
			cmd, ok = strings.CutPrefix(strings.TrimLeft(line, " \t"), "%sx ")
		}
		if ok {
			commands = append(commands, strings.TrimPrefix(cmd, "!"))
			continue
		}
		b.WriteString(line)
	}
	return b.String(), commands
}

// legible reports whether the input has a command, a statement or code that can be read.
func (r *reader) legible(words []string) bool {
	if s, ok := first(r.in, append(commandFields, "sql", "query", "statement")...); ok {
		return s != ""
	}
	_, ok := first(r.in, "code", "source")
	return ok && codeLang(r.in, words) != ""
}

// deeds appends the values of the fields that name what the tool is to do. All of them count: an
// adversary adds a harmless one, and a tool that forwards calls has them in an inner object.
func deeds(out []string, key string, value any, depth int) []string {
	switch x := value.(type) {
	case map[string]any:
		if depth > 2 {
			return out
		}
		for k, v := range x {
			out = deeds(out, k, v, depth+1)
		}
	case []any:
		for _, e := range x[:min(len(x), maxLeaves)] {
			out = deeds(out, key, e, depth+1)
		}
	case string:
		if len(x) > 64 || len(key) > 20 || strings.ContainsAny(x, " $\n") {
			return out
		}
		switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key)) {
		case "operation", "operations", "operationname", "action", "actions", "op", "method", "subcommand", "toolname":
			return append(out, x)
		}
	}
	return out
}

// client returns the command-line client that a tool runs by its name, or "".
func client(words []string) string {
	for _, w := range slices.Backward(words) {
		switch w {
		case "docker", "podman", "kubectl", "helm", "git", "gh", "glab", "aws", "gcloud", "az", "terraform", "tofu", "pulumi", "npm", "psql", "heroku", "flyctl", "wrangler", "doctl", "argocd":
			return w
		case "redis":
			return "redis-cli"
		}
	}
	return ""
}

// command reads a command of a tool. If the tool is named for a client, the command may leave out
// the client's name.
func (r *reader) command(s string, words []string) {
	if wording.StartsStatement(s) {
		r.Code("sql:"+engine(words), s)
	}
	r.Command(s)
	if cli := client(words); cli != "" && !strings.HasPrefix(strings.TrimSpace(s), cli+" ") {
		r.Command(cli + " " + s)
	}
}

// vector returns the argument vector in a tool's input: a program and its arguments, arguments for
// the program that the tool is named for, or a request in the terms of curl.
func (r *reader) vector(x map[string]any, words []string) []string {
	prog, ok := first(x, "command", "cmd", "program", "executable")
	args, list := x["args"].([]any)
	if list && !ok {
		prog = client(words)
		ok = prog != ""
	}
	if list && ok {
		vec := []string{prog}
		for _, a := range args {
			if s, ok := a.(string); ok {
				vec = append(vec, s)
			}
		}
		return vec
	}
	u, ok := first(x, "url", "uri")
	method, m := first(x, "method", "http_method", "httpMethod")
	if !ok || !m || !isURL(plainURL(u)) {
		return nil
	}
	vec := []string{"curl", "-X", strings.ToUpper(method)}
	for _, k := range []string{"body", "data", "json", "payload"} {
		switch b := x[k].(type) {
		case nil:
		case string:
			vec = append(vec, "--data-raw", b)
		default:
			if text, err := json.Marshal(b); err == nil {
				vec = append(vec, "--data-raw", string(text))
			}
		}
	}
	return append(vec, plainURL(u))
}

// walk reads every string in the input of an unknown tool, up to the bounds. key is the innermost
// key of value.
func (r *reader) walk(key string, value any, v verb, words []string, depth int) {
	if depth > maxNest || r.leaves > maxLeaves {
		if r.leaves <= maxLeaves+1 {
			r.leaves = maxLeaves + 2
			r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: umpire.Unknown})
		}
		return
	}
	switch x := value.(type) {
	case map[string]any:
		defer func(was map[string]any) { r.object = was }(r.object)
		r.object = x
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys) // for a stable order of operations
		if vec := r.vector(x, words); vec != nil {
			r.Vector(vec)
			if cli := client(words); cli != "" && vec[0] != cli && vec[0] != "curl" {
				r.Vector(append([]string{cli}, vec...))
			}
		}
		lang := codeLang(x, words)
		if text, ok := first(x, "code", "source", "script"); ok && lang != "" {
			r.cell(lang, text)
		}
		for _, k := range keys { // python_code, shellCode
			if text, ok := x[k].(string); ok && k != "code" && strings.HasSuffix(strings.ToLower(k), "code") {
				if l := codeLang(map[string]any{"language": nameWords(k)[0]}, nil); l != "" {
					r.cell(l, text)
				} else if lang != "" {
					r.cell(lang, text)
				}
			}
		}
		for _, k := range []string{"command", "cmd", "argv"} {
			if list, ok := x[k].([]any); ok && len(list) > 1 && !mixed(list) { // an argument vector
				vec := make([]string, len(list))
				for i, e := range list {
					vec[i] = e.(string)
				}
				r.Vector(vec)
			}
		}
		for _, k := range keys {
			r.walk(k, x[k], v, words, depth+1)
		}
	case []any:
		for _, e := range x {
			r.walk(key, e, v, words, depth+1)
		}
	case string:
		r.leaves++
		r.sent.add(x)
		if inner, ok := nestedJSON(x); ok { // parameters encoded as text
			r.walk(key, inner, v, words, depth+1)
			return
		}
		r.leaf(key, x, v, words)
	}
}

// nestedJSON decodes a text that is a JSON object or list.
func nestedJSON(text string) (v any, ok bool) {
	t := strings.TrimSpace(text)
	if len(t) < 2 || t[0] != '{' && t[0] != '[' || len(t) > maxNested || json.Unmarshal([]byte(t), &v) != nil {
		return nil, false
	}
	return v, true
}

// maxNested bounds the texts that are decoded again, in bytes.
const maxNested = 64 << 10

// leaf reads one string of an unknown tool's input.
func (r *reader) leaf(key, s string, v verb, words []string) {
	k := strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
	switch k {
	case "command", "cmd", "commands", "commandline", "bash", "shell", "run", "exec", "shellscript", "bashscript":
		r.command(s, words)
		return
	case "script":
		if !anyof.In(words, "browser", "page", "puppeteer", "playwright", "javascript", "js", "evaluate") {
			r.Command(s)
			return
		}
	case "sql", "statement", "query", "queries", "statements", "text", "stmt", "input":
		if k == "sql" || (!anyof.Equal(k, "text", "stmt", "input") || wording.StartsStatement(s)) && anyof.In(words, "sql", "psql", "postgres", "postgresql", "mysql", "sqlite", "mariadb", "db", "database", "bigquery", "snowflake", "clickhouse", "supabase", "duckdb", "mssql", "oracle", "redshift", "neon", "execute") {
			at := len(r.Operations())
			r.Code("sql:"+engine(words), s)
			if ops := r.Operations()[at:]; anyof.In(words, "prod", "production", "live") {
				for i := range ops {
					ops[i].Traits |= umpire.Remote | umpire.Production
				}
			}
			return
		}
	}
	if strings.HasSuffix(k, "command") { // shell_command, cli_command
		r.command(s, words)
		return
	}
	s = strings.TrimSpace(s) // tools trim, too
	if p, ok := command.FileURL(plainURL(s)); ok && !strings.Contains(s, " ") {
		r.path(p, v)
		return
	}
	if u := plainURL(s); isURL(u) || isURLKey(k) && strings.Contains(u, ".") && !strings.ContainsAny(u[:1], "/.#?") && !strings.ContainsAny(u, " <>") {
		r.url(u) // of any length, because a URL has room for data to send
		return
	}
	t, out := r.hands(v, words)
	if out && redact.Exposes(s) {
		r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: v.traits() | umpire.CarriesSecret | t})
	}
	if v < verbWrite && readsPage(s) {
		r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: umpire.Exfiltration | umpire.CarriesSecret})
	}
	if len(s) > 4096 || strings.ContainsAny(s, "\n") {
		return // prose or content
	}
	switch {
	case isPathKey(k) && s != "" || strings.HasPrefix(s, "/") && len(s) > 1 && !strings.Contains(s, " ") || strings.HasPrefix(s, "~/"):
		if isDestination(k) && v == verbRead {
			v = verbWrite
		}
		if isOrigin(k) && v == verbWrite && anyof.In(words, "move", "rename", "mv") {
			r.Delete(s, 0) // the tool removes it, as mv does
			return
		}
		if v == verbDelete && isContext(k) && !slices.ContainsFunc(words, func(w string) bool {
			return anyof.HasPrefix(w, "project", "workspace", "repo", "folder", "dir", "tree", "root", "rmdir", "wipe", "file", "path")
		}) {
			v = verbRead // the tool deletes something there
		}
		at := len(r.Operations())
		r.path(s, v)
		if ops := r.Operations(); out && len(ops) > at && ops[at].Places&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 { // .env in a push to a repository
			r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: v.traits() | umpire.CarriesSecret | t})
		}
	}
}

// readsPage reports whether a script for a web page sends what the page's user is logged in with to
// an address that the script names.
func readsPage(script string) bool {
	low := strings.ToLower(script)
	return anyof.Contains(low, "document.cookie", "localstorage", "sessionstorage") && strings.Contains(low, "://") &&
		anyof.Contains(low, "fetch(", "sendbeacon(", "xmlhttprequest", "websocket(", ".src=", ".src =", "location=", "location.href")
}

// hands reports whether a tool hands its input to a service, where a secret does not belong. It is
// exfiltration if people or a search engine get it; an issue or a page may be the user's own.
func (r *reader) hands(v verb, words []string) (t umpire.Trait, out bool) {
	switch {
	case v == verbSend, v <= verbRead && anyof.In(words, "web", "brave", "tavily", "exa", "google", "bing", "duckduckgo", "kagi", "perplexity", "serp", "searxng"):
		return umpire.Exfiltration, true
	case v < verbWrite:
		return 0, false
	}
	for k := range r.in {
		if isPathKey(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(k))) {
			_, hosted := first(r.in, "repo", "repository", "owner", "project_id", "bucket")
			return 0, hosted // without one, it is a file of this machine
		}
	}
	return 0, true
}

func (r *reader) path(p string, v verb) {
	switch v {
	case verbWrite, verbSend, verbPay:
		content, ok := first(r.object, textFields...)
		if outer := r.str(textFields...); !ok || outer != "" && outer != content { // which of the two is written, only the tool knows
			r.Write(p, outer, 0)
		}
		if ok {
			r.Write(p, content, 0)
		}
	case verbDelete:
		r.Delete(p, umpire.Recursive)
	default:
		r.Read(p)
	}
}

func isURL(s string) bool {
	i := strings.Index(s, "://")
	if i < 2 || i > 12 || strings.ContainsAny(s, " \t<>") {
		return false
	}
	return !slices.ContainsFunc([]byte(s[:i]), func(c byte) bool {
		return (c|0x20 < 'a' || c|0x20 > 'z') && c != '+' && c != '-' && (c < '0' || c > '9')
	})
}

func isURLKey(k string) bool { return k == "url" || k == "urls" || k == "uri" || k == "href" }

func isPathKey(k string) bool {
	return anyof.Equal(k, "path", "paths", "file", "files", "filepath", "filename", "filepaths", "dir", "directory", "folder", "source", "src", "destination", "dest", "dst",
		"target", "targetfile", "sourcepath", "destinationpath", "output", "outputpath", "outputfile", "notebookpath", "oldpath", "newpath", "absolutepath", "localpath", "savepath")
}

func isContext(k string) bool {
	return anyof.Equal(k, "projectroot", "root", "rootdir", "rootpath", "workspace", "workspaceroot", "workspacepath", "projectpath", "projectdir", "cwd", "workdir", "workingdir", "workingdirectory", "repopath")
}

func isOrigin(k string) bool {
	return k == "source" || k == "src" || k == "oldpath" || k == "from" || k == "sourcepath"
}

func isDestination(k string) bool {
	return anyof.Equal(k, "destination", "dest", "dst", "destinationpath", "output", "outputpath", "outputfile", "newpath", "savepath")
}

// codeLang returns the language of the code in the input of a tool.
func codeLang(in map[string]any, words []string) string {
	l, ok := first(in, "language", "lang", "runtime", "kernel")
	if !ok {
		for _, w := range words {
			switch w {
			case "ide": // tools of an IDE run cells of notebooks
				l = "python"
			case "playwright", "puppeteer":
				l = "js"
			case "python", "jupyter", "ipython", "javascript", "node", "bash", "shell", "ruby", "perl", "php", "powershell", "lua", "r":
				l = w
			}
		}
	}
	switch strings.TrimRight(strings.ToLower(l), "0123456789.") {
	case "python", "py", "jupyter", "ipython":
		return "python"
	case "javascript", "js", "node", "typescript", "ts", "deno", "bun":
		return "js"
	case "bash", "shell", "sh", "zsh":
		return "sh"
	case "ruby", "perl", "php", "lua", "powershell":
		return strings.ToLower(l)
	}
	return ""
}

func engine(words []string) string {
	for _, w := range words {
		switch w {
		case "mysql", "mariadb":
			return "mysql"
		case "sqlite", "duckdb":
			return "sqlite"
		case "mssql", "sqlserver":
			return "mssql"
		case "oracle", "clickhouse", "bigquery", "snowflake":
			return w
		}
	}
	return "postgres"
}
