package operation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/operation/powershell"
	"github.com/umpire-dev/umpire/internal/operation/shell"
	"github.com/umpire-dev/umpire/internal/redact"
)

// Bounds on one tool's input. The reader skips input beyond a bound and reports it with the trait
// Unknown.
const (
	maxInput  = 16 << 20 // bytes of JSON
	maxLeaves = 2000     // strings in the input of an unknown tool that are read
	maxNest   = 32
)

// Env is the environment that a reading may consult. A nil function means that nothing is known.
type Env struct {
	Getenv   func(name string) (string, bool)
	ReadFile func(path string) ([]byte, bool)
	// Peek is like ReadFile, for the text of a file that the call only appends to. ReadFile follows as
	// soon as the call uses the text. May be nil.
	Peek     func(path string) ([]byte, bool)
	Disk     *disk.View    // nil: paths are judged by their spelling only
	Session  shell.Session // earlier calls of the session; nil: not known
	Programs string        // descriptions of programs, as policy.Policy.Programs has them
	ReadDir  func(path string) []string
	Ran      func(dir, origin string, variables []string) // see shell.Env
}

// Read returns the operations of an action, at least one. It never fails: input that it cannot read
// is an Operation with the trait Unknown.
//
// A panic most likely comes from input that an adversary crafted to cause it. The operations read
// so far then count, and the rest is unseen code.
func Read(a *umpire.Action, env Env) (ops []umpire.Operation) {
	workspace := cmp.Or(a.Workspace, a.Dir)
	if rel, err := filepath.Rel(workspace, a.Home); err == nil && rel != "." && filepath.IsLocal(rel) {
		workspace = "/" // a folder that contains the home is not a project, and "/" counts as no workspace
	}
	at := place.Map{Home: a.Home, Workspace: workspace, Dir: a.Dir, Temp: a.Temp}
	at.Worktrees = sync.OnceValue(func() []string { return worktrees(at, env) })
	onWindows := at.Windows()
	if env.Getenv != nil {
		at.Moved = at.MovedBy(env.Getenv)
	}
	r := &reader{Reader: shell.NewReader(shell.Env{Map: at, Getenv: env.Getenv, ReadFile: env.ReadFile, Peek: env.Peek, ReadDir: env.ReadDir, Disk: env.Disk, Session: env.Session, Programs: env.Programs, Ran: env.Ran}), tool: a.Tool}
	r.powershell = onWindows && !(a.Principal.Platform == "claude" && strings.EqualFold(a.Tool, "bash")) // which needs Git for Windows
	defer func() {
		if p := recover(); p != nil {
			ops = append(r.Operations(), umpire.Operation{Kind: umpire.Exec, Resource: umpire.Hole, Traits: umpire.Unknown | umpire.UnseenCode | umpire.Obfuscated,
				Source: fmt.Sprint("panic: ", p)})
		}
	}()
	if len(a.Input) > maxInput || json.Unmarshal(a.Input, &r.in) != nil {
		if t := bytes.TrimSpace(a.Input); len(t) > 0 && !bytes.Equal(t, []byte("null")) {
			r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: a.Tool, Traits: umpire.Unknown})
			return r.Operations()
		}
	}
	r.read()
	if len(r.Operations()) == 0 {
		r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: umpire.Unknown})
	}
	return r.Operations()
}

// LoadsCode reports whether the variable called name can make programs load or run code.
func LoadsCode(name string) bool { return shell.Loads(name) }

type reader struct {
	*shell.Reader
	tool       string
	in         map[string]any
	object     map[string]any // the part of in that is read: one file of several, with its path and content
	powershell bool           // the client runs command lines with PowerShell
	leaves     int
	sent       size
}

// str returns the first of the named fields that is a string.
func (r *reader) str(names ...string) string {
	s, _ := first(r.in, names...)
	return s
}

func first(m map[string]any, names ...string) (string, bool) {
	for _, n := range names {
		if s, ok := m[n].(string); ok {
			return s, true
		}
	}
	return "", false
}

// strs returns the strings in the first of the named fields that has any: one, or a list.
func (r *reader) strs(names ...string) []string {
	for _, n := range names {
		switch v := r.in[n].(type) {
		case string:
			return []string{v}
		case []any:
			var out []string
			for _, e := range v {
				if s, ok := e.(string); ok {
					out = append(out, s)
				}
			}
			return out
		}
	}
	return nil
}

// Fields in which clients put the same thing (observed; hook contracts, section 4).
var (
	commandFields = []string{"command", "cmd", "commands", "CommandLine", "command_line", "commandLine", "script", "shell_command", "bash"}
	pathFields    = []string{"file_path", "filePath", "path", "notebook_path", "target_notebook", "target_file", "absolute_path", "file", "filename", "TargetFile", "AbsolutePath"}
	textFields    = []string{"content", "contents", "file_text", "new_text", "new_string", "new_str", "newString", "newText", "new_source", "newCode", "CodeContent", "ReplacementContent", "code_edit", "code", "text"}
	oldFields     = []string{"old_string", "old_str", "oldString", "oldText", "old_text", "TargetContent"}
	dirFields     = []string{"dir_path", "directory", "workdir", "cwd", "working_dir", "working_directory", "workingDirectory", "Cwd"}
)

// read reads the call. Known tools of coding agents are read by their name, which says most; all
// other tools are read by their fields.
func (r *reader) read() {
	if lang := umpire.ShellLanguage(r.tool); lang != "" {
		r.shell(lang)
		return
	}
	switch strings.ToLower(r.tool) {
	case "write_stdin", "write_bash", "write_powershell", "send_to_terminal":
		r.typedInput()
	case "read", "read_file", "readfile", "view", "view_image", "read_files", "read_many_files", "fs_read", "view_file", "read_code", "readmediafile":
		r.paths(func(p string) { r.Read(p) })
	case "write", "write_file", "writefile", "create", "create_file", "notebookedit", "notebook_edit", "edit", "multiedit", "replace", "editor",
		"str_replace", "str_replace_based_edit_tool", "fs_write", "edit_file", "insert", "multi_edit", "write_to_file", "replace_in_file", "search_replace", "edit_notebook",
		"write_code", "strreplacefile", "replace_string_in_file", "multi_replace_string_in_file", "insert_edit_into_file", "edit_notebook_file",
		"replace_file_content", "multi_replace_file_content":
		r.write()
	case "apply_patch", "applypatch":
		texts := r.strs("command", "patch", "input", "patchText", "patch_text", "diff", "content")
		for _, t := range texts {
			r.patch(t)
		}
		if len(texts) == 0 {
			r.unknownTool()
		}
	case "delete_file", "deletefile", "delete":
		r.paths(func(p string) { r.Delete(p, 0) })
	case "grep", "grep_search", "search_file_content", "searchtext", "codebase_search", "search_codebase":
		r.Chdir(r.str(dirFields...))
		r.search()
		if len(r.Operations()) == 0 { // it searches the current folder
			r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: umpire.Described})
		}
	case "glob", "ls", "list_directory", "list_dir", "list_files", "file_search", "glob_file_search":
		r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: umpire.Described}) // shows names, and no content
	case "webfetch", "web_fetch", "fetchurl", "fetch_url", "fetch", "fetch_web_content", "webfetchtool", "fetch_webpage", "read_url_content":
		r.fetch()
	case "todowrite", "todo_write", "todoread", "todo_read", "update_todo_list", "manage_todo_list", "write_todos", "update_plan", "taskcreate", "taskupdate", "taskget", "tasklist", "task", "agent", "subagent", "taskoutput", "taskstop", "cli_help", "codebase_investigator", "enterworktree",
		"bashoutput", "bash_output", "killshell", "killbash", "kill_shell", "kill_bash", "stop_bash", "read_bash", "askuserquestion", "ask_user", "ask_followup_question", "enterplanmode", "exitplanmode", "exit_plan_mode",
		"toolsearch", "skill", "attempt_completion", "think", "lsp", "list_mcp_resources", "listmcpresourcestool", "get_errors", "list_code_usages", "get_changed_files", "get_terminal_output", "test_search":
		r.clientTool()
	case "sendmessage", "teamcreate", "teamdelete", "sendinput", "send_input", "spawn_agent", "wait_agent", "close_agent", "resume_agent", "followup_task", "list_agents":
		r.clientMessage()
	case "websearch", "web_search", "google_web_search":
		r.webSearch()
	default:
		r.unknownTool()
	}
}

// search reads the files below the folders of a search, and those that it selects by name: it shows
// their lines, unless the client asks for names only.
func (r *reader) search() {
	folders := r.strs("path", "paths", "include_directories", "directory_path")
	if mode := r.str("output_mode"); mode != "" && mode != "content" || strings.EqualFold(r.tool, "grep") && mode == "" {
		for _, p := range folders {
			r.Read(p)
		}
		return
	}
	if len(folders) == 0 {
		folders = []string{"."}
	}
	globs := r.strs("glob", "include", "include_pattern", "includePattern")
	for _, dir := range folders {
		r.Search(dir, r.str("pattern", "query", "regex"))
	}
	for _, g := range globs {
		for _, dir := range folders {
			r.Read(strings.TrimSuffix(dir, "/") + "/" + g)
		}
	}
}

// shell reads a tool that runs command lines of a shell. Clients put them into different fields.
func (r *reader) shell(lang string) {
	r.Chdir(r.str(dirFields...))
	if off, _ := r.in["dangerouslyDisableSandbox"].(bool); off {
		r.Emit(umpire.Operation{Kind: umpire.Sandbox, Resource: "agent-sandbox off", Traits: umpire.Privilege})
	}
	var list []string
	n := 0
	for _, f := range commandFields { // if there are several, the client may run any of them
		if v, ok := r.in[f].([]any); ok && mixed(v) {
			r.walk(f, v, 0, nil, 0)
			n++
			continue
		}
		texts := r.strs(f)
		if n += len(texts); f == "command" && len(texts) > 1 { // an older form of Codex: one argument vector
			r.Vector(texts)
			continue
		}
		list = append(list, texts...)
	}
	for _, c := range list {
		if lang == "sh" && strings.Contains(c, "*** Begin Patch") && strings.HasPrefix(strings.TrimSpace(c), "*** Begin Patch") {
			r.patch(c)
			continue
		}
		if lang == "sh" && r.powershell {
			r.Code("powershell", c)
			if powershell.Marked(c) {
				continue
			}
		}
		if lang == "sh" {
			r.Command(c)
		} else {
			r.Code(lang, c)
		}
	}
	if vec := r.vector(r.in, nil); vec != nil { // a program with its arguments in another field
		r.Vector(vec)
	}
	if n == 0 {
		r.unknownTool()
	}
	if len(r.Operations()) > 0 {
		return
	}
	if q := r.Quiet(); q != "" {
		r.Emit(umpire.Operation{Kind: umpire.Exec, Resource: q, Traits: umpire.Described})
		return
	}
	r.Emit(umpire.Operation{Kind: umpire.Exec, Resource: ":"}) // nothing runs now, but a later call may use a definition
}

// typedInput reads the input to a running program, most likely a shell.
func (r *reader) typedInput() {
	r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool})
	for _, f := range []string{"chars", "input", "text", "command"} {
		for _, s := range r.strs(f) {
			r.Command(s)
		}
	}
}

// mixed reports whether a list contains anything but strings.
func mixed(list []any) bool {
	return slices.ContainsFunc(list, func(e any) bool { _, ok := e.(string); return !ok })
}

// paths calls f for every path that the input names.
func (r *reader) paths(f func(string)) {
	r.Chdir(r.str(dirFields...))
	n := 0
	for _, field := range append(pathFields, "paths", "file_paths") {
		for _, p := range r.strs(field) {
			f(p)
			n++
		}
	}
	for _, field := range []string{"files", "requests", "edits", "replacements", "operations"} {
		list, _ := r.in[field].([]any)
		for _, e := range list {
			switch e := e.(type) {
			case string:
				f(e)
				n++
			case map[string]any:
				if p, ok := first(e, pathFields...); ok {
					f(p)
					n++
				}
			}
		}
	}
	if n == 0 {
		r.unknownTool()
	}
}

// write reads the tools that write and edit files. Missing fields leave the file unchanged.
func (r *reader) write() {
	text, whole := first(r.in, "content", "contents", "file_text", "CodeContent")
	t := umpire.Trait(0)
	if whole {
		t = umpire.Truncate
	} else {
		text = strings.Join(r.strs(textFields...), "\n")
		for _, field := range []string{"edits", "replacements", "ReplacementChunks"} {
			edits, _ := r.in[field].([]any)
			for _, e := range edits {
				if m, ok := e.(map[string]any); ok {
					s, _ := first(m, textFields...)
					text += s + "\n"
				}
			}
		}
	}
	old, now := r.edits()
	r.paths(func(p string) {
		r.Write(p, text, t)
		r.Edit(p, old, now)
		if strings.HasSuffix(p, ".ipynb") && !whole && r.str("cell_type", "cell_language", "language") != "markdown" {
			r.later(p, text)
		}
	})
}

// edits returns the old and new texts of an edit, in pairs.
func (r *reader) edits() (old, now []string) {
	add := func(m map[string]any) {
		if s, ok := first(m, oldFields...); ok {
			n, _ := first(m, textFields...)
			old, now = append(old, s), append(now, n)
		}
	}
	add(r.in)
	for _, field := range []string{"edits", "replacements", "ReplacementChunks"} {
		list, _ := r.in[field].([]any)
		for _, e := range list {
			if m, ok := e.(map[string]any); ok {
				add(m)
			}
		}
	}
	return old, now
}

func (r *reader) fetch() {
	n := 0
	for _, u := range r.strs("url", "urls", "uri", "Url") {
		r.url(u)
		n++
	}
	list, _ := r.in["requests"].([]any)
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			if u, ok := first(m, "url"); ok {
				r.url(u)
				n++
			}
		}
	}
	if n == 0 { // Gemini puts the URLs into the prompt
		for _, f := range strings.Fields(r.str("prompt")) {
			if i := strings.Index(f, "http"); i >= 0 && strings.Contains(f[i:], "://") {
				r.url(strings.TrimRight(f[i:], ".,;:!?)]}>\"'"))
			}
		}
	}
}

// url reads the fetching of a URL. A program can send a secret as part of an address, so a part
// that looks like a secret counts as exfiltration.
func (r *reader) url(u string) {
	t := command.When(redact.Exposes(u), umpire.Exfiltration|umpire.CarriesSecret)
	u = plainURL(u)
	if p, ok := command.FileURL(u); ok {
		r.Read(p)
		return
	}
	if !strings.Contains(u, "://") {
		u = "https://" + u
	}
	if !sends(r.in, 0) {
		t |= command.WebRead(u)
	}
	r.Network(u, t)
}

// sends reports whether a call sends more than an address: a method, a body, headers or
// credentials.
func sends(value any, depth int) bool {
	switch x := value.(type) {
	case map[string]any:
		for k, v := range x {
			if anyof.Equal(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(k)), "method", "httpmethod", "verb", "header", "headers", "body", "data", "json", "payload", "form", "formdata", "content", "files", "cookie", "cookies", "auth", "authorization", "token", "apikey", "username", "password", "user", "proxy", "params", "args", "options", "script", "js", "actions") {
				return true
			}
			if depth > maxNest || sends(v, depth+1) {
				return true
			}
		}
	case []any:
		if slices.ContainsFunc(x, func(v any) bool { return depth > maxNest || sends(v, depth+1) }) {
			return true
		}
	}
	return false
}

// plainURL removes characters that every URL parser ignores: spaces around the URL, and line
// breaks and tabs anywhere.
func plainURL(u string) string {
	u = strings.TrimSpace(u)
	if strings.ContainsAny(u, "\t\r\n") {
		u = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(u)
	}
	return u
}

// clientTool reads a tool that plans, asks the user, or starts and watches the client's own
// sub-agents and jobs. The calls that these make are judged separately.
func (r *reader) clientTool() {
	r.unknownTool()
	for i, op := range r.Operations() {
		if op.Kind == umpire.Tool && op.Traits&umpire.Unknown == 0 {
			r.Operations()[i].Traits |= umpire.Described
		}
	}
}

// clientMessage reads a message between the client's own sub-agents. The message stays inside the
// client, and the calls that they make are judged separately.
func (r *reader) clientMessage() {
	r.clientTool()
	ops := r.Operations()
	for i := range ops {
		if ops[i].Kind == umpire.Tool && ops[i].Traits&(umpire.Exfiltration|umpire.CarriesSecret) == 0 {
			ops[i].Traits &^= umpire.Message | umpire.Mutate | umpire.Destroy
		}
	}
}

// webSearch reads a search of the web. A search engine gets the words, so they must hold no secret.
func (r *reader) webSearch() {
	q := r.str("query", "q")
	t := command.SearchRead(q)
	if redact.Exposes(q) {
		t = umpire.Exfiltration | umpire.CarriesSecret
	}
	r.Emit(umpire.Operation{Kind: umpire.Tool, Resource: r.tool, Traits: t})
}
