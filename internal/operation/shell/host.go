package shell

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// host answers one running program.
type host struct {
	sh     *shell
	nested command.Stream // what nested commands print into this one's output
	only   command.Stream // the same without what the program itself adds
}

var _ command.Host = (*host)(nil)

func (h host) Emit(op umpire.Operation)                   { h.sh.Emit(op) }
func (h host) Path(w command.Word) (string, umpire.Place) { return h.sh.Path(w) }
func (h host) File(w command.Word) command.Stream         { return h.sh.File(w) }
func (h host) Store(w command.Word, s command.Stream)     { h.sh.Store(w, s) }
func (h host) Wrote(w command.Word) bool                  { return h.sh.wrote(w) }
func (h host) Starts(w command.Word) command.Stream       { return h.sh.starts(w) }
func (h host) ScriptAt(w command.Word) command.Stream     { return h.sh.scriptAt(w) }
func (h host) Names(w command.Word) []string              { return h.sh.names(w) }
func (h host) Exists(w command.Word) bool                 { return h.sh.exists(w) }
func (h host) Var(name string) (command.Word, bool)       { return h.sh.get(name) }
func (h host) SetVar(name string, w command.Word)         { h.sh.set(name, w) }
func (h host) Link(name, target command.Word)             { h.sh.link(name, target) }
func (h host) Moved(name, from command.Word)              { h.sh.move(name, from) }
func (h host) Follow(w command.Word) command.Word         { return h.sh.follow(w) }
func (h host) Define(key string, w command.Word)          { h.sh.define(key, w) }
func (h host) Defined(key string) []command.Word          { return h.sh.defs[key] }
func (h host) Chdir(w command.Word)                       { h.sh.chdir(w) }
func (h host) Model(name string) *command.Model           { return command.Lookup(name) }

// child is the shell state that a nested command sees.
func (h *host) child(r command.Run) *shell {
	c := h.sh.clone()
	c.asLinks = false
	if r.Via != "" {
		c.via = append(c.via, r.Via)
	}
	c.traits |= r.Traits &^ umpire.Inert
	if r.Traits&(umpire.Remote|umpire.Container) != 0 {
		c.mounts = r.Mounts
		c.fresh = r.Fresh
		c.vars = map[string]variable{}
		c.funcs = map[string]function{}
	}
	if r.Stdin != nil {
		c.stdin = *r.Stdin
		delete(c.fds, 0)
	}
	if r.Dir != nil {
		c.chdir(*r.Dir)
	}
	for _, e := range r.Env {
		if name, value, ok := strings.Cut(e.Text, "="); ok {
			c.set(name, e.With(value))
			c.loader(name, []command.Word{e.With(value)})
		}
	}
	c.out = nil
	delete(c.fds, 1)
	if r.Out {
		c.out = &h.only
	}
	if r.Origin != "" {
		if c.origin == "" {
			c.origin = "`" + clip(h.sh.source) + "`"
		}
		if len(c.origin) < maxOrigin {
			c.origin += ", " + clip(r.Origin)
		}
	}
	c.task = c.task || r.Task
	if r.File != nil {
		c.file, _ = h.sh.Path(*r.File)
	}
	return c
}

// apart runs f, which reads a text that a program starts. What it does to the names of
// programs is over with the program.
func (h *host) apart(r command.Run, f func()) {
	if r.Task {
		shadowed, loud, quiet := h.sh.shadowed, h.sh.loud, h.sh.quiet
		defer func() { h.sh.shadowed, h.sh.loud, h.sh.quiet = shadowed, loud, quiet }()
	}
	f()
}

func (h *host) done() {
	emitOut(&h.nested, h.only)
}

// Run implements command.Host. Programs find no functions or aliases of the shell, but
// reading them too costs nothing and forgets nothing.
func (h *host) Run(args []command.Word, r command.Run) {
	if len(args) == 0 || !h.sh.enter() {
		return
	}
	defer h.sh.leave()
	if r.Traits&umpire.Inert != 0 {
		return
	}
	h.apart(r, func() { h.child(r).simple(args) })
	if r.Out {
		h.done()
	}
}

// Script implements command.Host.
func (h *host) Script(lang string, text command.Stream, r command.Run) {
	if r.Traits&umpire.Inert != 0 || !h.sh.enter() {
		return
	}
	defer h.sh.leave()
	h.apart(r, func() {
		c := h.child(r)
		c.params = r.Args
		c.run(lang, text)
	})
	if r.Out {
		h.done()
	}
}

// run reads code in a language.
func (sh *shell) run(lang string, text command.Stream) {
	if t := codeTraits(text.Taint); t != 0 || !text.Seen && (text.Pipe || text.Taint != 0) {
		if !text.Seen {
			t |= umpire.UnseenCode
		}
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: lang, Traits: t})
	}
	if !text.Seen || text.Text == "" {
		return
	}
	if text.Text == umpire.Hole {
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: lang + " " + umpire.Hole, Traits: umpire.UnseenCode | umpire.Unknown | codeTraits(text.Taint)})
		return
	}
	switch {
	case lang == "" || lang == "sh":
		was := sh.traps
		sh.traps = &traps{}
		sh.script(text.Text)
		sh.ends()
		sh.traps = was
	case strings.HasPrefix(lang, "sql:"):
		sh.sql(lang[len("sql:"):], text.Text)
	case lang == "powershell" || lang == "cmd":
		sh.windows(lang, text.Text)
	default:
		sh.code(lang, text.Text)
	}
}

// source runs a file in this shell.
func (h host) source(w command.Word) {
	sh := h.sh
	if h.sourced(w) {
		return
	}
	switch w.Text {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/dev/tty":
		if w.Text == "/dev/tty" || !sh.stdin.Pipe && !sh.stdin.Seen && sh.stdin.Taint == 0 {
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "source " + w.Text, Traits: umpire.Interactive})
		}
	}
	s := sh.open(w)
	if !s.Seen && s.Taint == 0 && !s.Pipe {
		s = sh.scriptAt(w)
	}
	s.Taint |= w.Taint
	if !s.Seen && s.Taint == 0 {
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: command.Quote("source", []command.Word{w})}) // a file that nobody has seen
		return
	}
	origin, file := sh.origin, sh.file
	if !sh.wrote(w) && len(origin) < maxOrigin {
		if origin == "" {
			sh.origin = "`" + clip(command.Quote("source", []command.Word{w})) + "`"
		}
		sh.origin += ", " + clip(w.Text)
	}
	sh.file, _ = sh.Path(w)
	sh.run("sh", s)
	sh.origin, sh.file = origin, file
}

// runPath reads a program that is called by its path and whose text is known: because
// this very command wrote it, or because it lies in the workspace.
func (h *host) runPath(w command.Word, args []command.Word) {
	s := h.sh.File(w)
	if !s.Seen && s.Taint == 0 {
		if s = h.sh.scriptAt(w); !s.Seen {
			return
		}
	}
	lang := "sh"
	if s.Seen {
		if strings.IndexByte(s.Text, 0) >= 0 {
			return
		}
		lang = shebang(s.Text)
		if lang == "" {
			return
		}
	}
	run := command.Run{Via: w.Text, Args: args, File: &w}
	if !h.sh.wrote(w) {
		run.Origin = w.Text
	}
	h.Script(lang, s, run)
}

// shebang tells the language of a script by its first line.
func shebang(text string) string {
	if !strings.HasPrefix(text, "#!") {
		return "sh"
	}
	line, _, _ := strings.Cut(text[2:], "\n")
	f := strings.Fields(line)
	if len(f) == 0 {
		return "sh"
	}
	p := base(f[0])
	if p == "env" && len(f) > 1 {
		p = base(f[len(f)-1])
	}
	p = strings.TrimRight(p, "0123456789.")
	switch p {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "mksh":
		return "sh"
	case "python", "perl", "ruby", "php", "lua", "awk":
		return p
	case "node", "deno", "bun":
		return "js"
	}
	return ""
}

// said reports whether an operation names a path. Of the programs that run, only those that
// this call started count: its own name holds all of its arguments.
func (sh *shell) said(from int) func(text, abs string) bool {
	return func(text, abs string) bool {
		for i := range sh.ops {
			o := &sh.ops[i]
			if o.Resource == abs || (i >= from || o.Kind != umpire.Exec) && (strings.Contains(o.Resource, abs) || strings.Contains(o.Resource, text)) {
				return true
			}
		}
		return false
	}
}

// handedOn reads the command that an unknown program is most likely to run: words that
// begin like a shell's or a deleting one, or the text of an option that says so.
func (h *host) handedOn(c *command.Call) {
	for i, a := range c.Args {
		name, value, attached := strings.Cut(a.Text, "=")
		switch name {
		case "--exec", "--cmd", "--command", "--run", "--on-change", "--onchange", "--shell-command":
			if !attached && i+1 < len(c.Args) {
				value = c.Args[i+1].Text
			}
			c.Shell(a.With(value), command.Run{Out: true})
			continue
		}
		if i+1 >= len(c.Args) || len(c.Args[i+1].Text) < 2 || c.Args[i+1].Text[0] != '-' {
			continue
		}
		flags := c.Args[i+1].Text[1:]
		if b := base(a.Text); b == "rm" && strings.ContainsAny(flags, "rRf") || isShell(b) && strings.HasSuffix(flags, "c") && flags[0] != '-' {
			c.Exec(c.Args[i:], command.Run{Out: true})
			return
		}
	}
}

// Path resolves a path against the shell's folder. In a container only what is mounted
// is the host's; on a remote machine nothing is.
//
// The places are those of both faces of the path: of its spelling, and of where it leads.
func (sh *shell) Path(w command.Word) (string, umpire.Place) {
	abs, p := sh.spelling(w)
	if !sh.local() {
		return abs, p
	}
	m := sh.env.Map
	m.Dir = sh.dir
	return abs, sh.faced(m.Spell(strings.ReplaceAll(w.Text, command.Number, umpire.Hole)), abs, p)
}

// spelling resolves a path by its spelling alone.
func (sh *shell) spelling(w command.Word) (string, umpire.Place) {
	m := sh.env.Map
	m.Dir = sh.dir
	w.Text = strings.ReplaceAll(w.Text, command.Number, umpire.Hole)
	if sh.traits&umpire.Container != 0 {
		m.Dir = "/"
		abs, p := m.Resolve(w.Text)
		for _, mt := range sh.mounts {
			if rest, ok := strings.CutPrefix(abs, strings.TrimSuffix(mt.Inside, "/")); ok && (rest == "" || rest[0] == '/') {
				m.Dir = sh.env.Map.Dir
				return m.Resolve(strings.TrimSuffix(mt.Host.Text, "/") + "/" + strings.TrimPrefix(rest, "/"))
			}
		}
		return abs, p & (umpire.PlaceNull | umpire.PlaceDevice | umpire.PlaceEnvFile | umpire.PlaceCredentials)
	}
	if sh.traits&umpire.Remote != 0 {
		m.Workspace, m.Dir = "", m.Home
		return m.Resolve(w.Text)
	}
	if strings.HasPrefix(sh.dir, umpire.Hole) && !path.IsAbs(w.Text) && !strings.HasPrefix(w.Text, umpire.Hole) && !strings.HasPrefix(w.Text, "~") {
		return m.Resolve(sh.dir + "/" + w.Text)
	}
	abs, p := sh.resolved(m, w.Text)
	for range 8 { // through links that this very command made
		dir := sh.linked(abs)
		if dir == "" {
			break
		}
		abs, p = m.Resolve(sh.links[dir] + abs[len(dir):])
	}
	return abs, p
}

// resolved is m.Resolve. The readers of one command ask for the same path up to ten times.
func (sh *shell) resolved(m place.Map, text string) (string, umpire.Place) {
	key := [2]string{m.Dir, text}
	if r, ok := sh.paths.resolved[key]; ok {
		return r.path, r.places
	}
	abs, p := m.Resolve(text)
	if len(sh.paths.resolved) < maxPaths {
		if sh.paths.resolved == nil {
			sh.paths.resolved = map[[2]string]resolved{}
		}
		sh.paths.resolved[key] = resolved{abs, p}
	}
	return abs, p
}

// link remembers a link. One at a folder that is there already lies in it; both names are
// told then, and the one that nobody uses does no harm.
func (sh *shell) link(name, target command.Word) {
	sh.planLink(name, target)
	if sh.traits&(umpire.Remote|umpire.Container) != 0 || !name.Known() || !target.Known() || len(sh.links) >= 256 {
		return
	}
	abs, p := sh.Path(name)
	to, _ := sh.Path(target)
	if p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceWorkspace) != 0 || to == abs || strings.HasPrefix(to, abs+"/") {
		return
	}
	if sh.links == nil {
		sh.links = map[string]string{}
	}
	sh.links[abs] = to
}

// move remembers what was moved, under the name it has now and below it: which of them it
// is depends on whether that is a folder.
func (sh *shell) move(name, from command.Word) {
	sh.planCopy(name, from)
	if sh.traits&(umpire.Remote|umpire.Container) != 0 || !name.Known() || !from.Known() || len(sh.moved) >= 256 {
		return
	}
	abs, _ := sh.Path(name)
	was, p := sh.Path(from)
	if sh.moved == nil {
		sh.moved = map[string]umpire.Operation{}
	}
	op := umpire.Operation{Kind: umpire.Delete, Resource: was, Places: p}
	sh.moved[abs] = op
	sh.moved[path.Join(abs, path.Base(was))] = op
	sh.movesFetched(abs, was)
}

// goesToo records the delete of what was moved to where a delete finds it: moved away and
// then deleted is deleted.
func (sh *shell) goesToo(op umpire.Operation) {
	all := strings.HasSuffix(op.Resource, "/*")
	below := strings.TrimRight(op.Resource, "/*") + "/"
	for _, name := range slices.Sorted(maps.Keys(sh.moved)) {
		if name == op.Resource || (all || op.Traits&umpire.Recursive != 0) && strings.HasPrefix(name, below) {
			was := sh.moved[name]
			delete(sh.moved, name)
			was.Traits = op.Traits &^ umpire.Filtered
			sh.Emit(was)
		}
	}
}

// define remembers what this command line defines. A machine elsewhere keeps its own.
func (sh *shell) define(key string, w command.Word) {
	if sh.traits&(umpire.Remote|umpire.Container) != 0 || len(sh.defs) >= 256 {
		return
	}
	if dir, ok := strings.CutPrefix(key, command.Made); ok {
		sh.made.makes(dir)
		return
	}
	if sh.maybe && strings.HasPrefix(key, "git stash ") {
		return // it softens, and may not have happened
	}
	if sh.defs == nil {
		sh.defs = map[string][]command.Word{}
	}
	sh.defs[key] = union(sh.defs[key], []command.Word{w})
}

// linked tells the link that a path leads through, "" if through none.
func (sh *shell) linked(abs string) string {
	longest := ""
	for dir := range sh.links {
		if len(dir) > len(longest) && strings.HasPrefix(abs, dir+"/") {
			longest = dir
		}
	}
	return longest
}

func (sh *shell) follow(w command.Word) command.Word {
	if len(sh.links) == 0 {
		return w
	}
	abs, _ := sh.Path(w)
	if to, ok := sh.links[abs]; ok {
		if sh.local() {
			sh.spelled(abs, to) // a link that lies there already may lead elsewhere
		}
		return w.With(to)
	}
	return w
}

func (sh *shell) chdir(w command.Word) {
	old := sh.dir
	if !w.Known() {
		sh.made.leaves()
	}
	if !w.Known() && !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, umpire.Hole) {
		sh.dir = path.Join(sh.dir, w.Text)
	} else if strings.HasPrefix(w.Text, umpire.Hole) {
		sh.dir = w.Text
	} else {
		m := sh.env.Map
		m.Dir = sh.dir
		sh.dir, _ = m.Resolve(w.Text)
	}
	v := sh.vars["OLDPWD"]
	v.alts = []command.Word{command.Lit(old)}
	sh.vars["OLDPWD"] = v
	// A cd that fails leaves PWD as it was: what the command itself put there stays possible.
	if p, ok := sh.vars["PWD"]; ok {
		p.alts = union(p.alts, []command.Word{command.Lit(sh.dir)})
		sh.vars["PWD"] = p
	}
}

// File tells what is known of a file's content.
func (sh *shell) File(w command.Word) command.Stream {
	if n := fdOf(w.Text); n >= 0 {
		if s, ok := sh.files[w.Text]; ok {
			return s
		}
		if f, ok := sh.fds[n]; ok {
			return f.data
		}
		if n == 0 {
			return sh.stdin
		}
		return command.Stream{}
	}
	if socket(w.Text) != "" {
		return command.Unseen(command.FromNetwork)
	}
	abs, p := sh.Path(w)
	if abs == "/dev/null" {
		return command.Text("")
	}
	var t command.Taint
	if p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
		t = command.FromSecret
	}
	if w.Known() && !w.Glob {
		if s, ok := sh.files[abs]; ok {
			s.Taint |= t
			return s
		}
	}
	// A tree holds what its parts hold; a glob may name any file of its folder.
	head := abs
	if i := strings.IndexAny(head, "*?["); i >= 0 {
		head = head[:i]
	}
	if len(sh.files) > 0 {
		for name, s := range sh.files {
			if strings.HasPrefix(name, head) && (w.Glob || strings.HasPrefix(name[len(head):], "/")) {
				t |= s.Taint
			}
		}
	}
	for _, tree := range sh.trees {
		if strings.HasPrefix(abs, tree) {
			t |= command.FromUnseen
		}
	}
	t |= sh.wild
	f := sh.fetched(w)
	if _, q := sh.spelling(w); t == 0 && sh.env.ReadFile != nil && w.Known() && ((p|q)&umpire.PlaceInWorkspace != 0 || p&umpire.PlaceTemp != 0 && sh.local()) && sh.traits&(umpire.Remote|umpire.Container) == 0 {
		if s, ok := sh.disk(abs); ok {
			s.Taint = f
			return s
		}
	}
	return command.Stream{Taint: t | f}
}

// onDisk is a file as it was read for this call.
type onDisk struct {
	text string
	size int
	ok   bool
}

// read reads a file from the disk, once for a call. Files beyond the bounds are there, and
// their text is not known.
func (sh *shell) read(abs string) onDisk {
	if f, ok := sh.cache[abs]; ok {
		return f
	}
	if sh.env.ReadFile == nil || len(sh.cache) >= maxReads || sh.bytes > maxBytes {
		return onDisk{size: maxBytes + 1}
	}
	b, ok := sh.env.ReadFile(abs)
	f := onDisk{ok: ok, size: len(b)}
	if ok && len(b) <= maxText {
		f.text = string(b)
	}
	sh.bytes += len(b)
	if sh.cache == nil {
		sh.cache = map[string]onDisk{}
	}
	sh.cache[abs] = f
	return f
}

// disk returns the text of a file that is on the disk and short enough to be a text.
func (sh *shell) disk(abs string) (command.Stream, bool) {
	f := sh.read(abs)
	if !f.ok || f.size > maxText || strings.IndexByte(f.text, 0) >= 0 {
		return command.Stream{}, false
	}
	return command.Text(f.text), true
}

// scriptAt implements command.Host. What the system and the user's own settings have is
// long and sound; the adversary's lies where files are unpacked and written.
func (sh *shell) scriptAt(w command.Word) command.Stream {
	abs, p := sh.Path(w)
	if p&(umpire.PlaceSystem|umpire.PlaceCredentials|umpire.PlaceEnvFile|umpire.PlaceStartup|umpire.PlaceCache|umpire.PlaceAgentConfig) != 0 {
		return command.Stream{}
	}
	if rest, ok := strings.CutPrefix(abs, sh.env.Map.Home+"/"); ok && strings.HasPrefix(rest, ".") {
		return command.Stream{}
	}
	return sh.starts(w)
}

// names implements command.Host.
func (sh *shell) names(w command.Word) []string {
	if sh.env.ReadDir == nil || !w.Known() || w.Glob || len(sh.lists) >= maxFolders || sh.traits&(umpire.Remote|umpire.Container) != 0 {
		return nil
	}
	abs, p := sh.Path(w)
	if p&umpire.PlaceInWorkspace == 0 && p&umpire.PlaceWorkspace == 0 {
		return nil
	}
	if list, ok := sh.lists[abs]; ok {
		return list
	}
	if sh.lists == nil {
		sh.lists = map[string][]string{}
	}
	sh.lists[abs] = sh.env.ReadDir(abs)
	return sh.lists[abs]
}

// starts implements command.Host. A file that is there and cannot be read as a text is a
// pipe of which nothing is seen.
func (sh *shell) starts(w command.Word) command.Stream {
	if sh.wrote(w) {
		return sh.File(w)
	}
	if sh.env.ReadFile == nil || !w.Known() || w.Glob || sh.traits&(umpire.Remote|umpire.Container) != 0 {
		return command.Stream{}
	}
	if sh.nothingAt(w) {
		return command.Stream{}
	}
	abs, p := sh.Path(w)
	if !path.IsAbs(abs) || p&(umpire.PlaceProc|umpire.PlaceDevice|umpire.PlaceNull|umpire.PlaceSocket|umpire.PlaceRelative) != 0 {
		return command.Stream{}
	}
	s, ok := sh.disk(abs)
	if !ok && (sh.read(abs).ok || sh.read(abs).size > maxText) {
		return command.Stream{Pipe: true}
	}
	return s
}

// wrote reports whether this very call wrote a file, by its own name.
func (sh *shell) wrote(w command.Word) bool {
	if len(sh.files) == 0 || !w.Known() || w.Glob {
		return false
	}
	abs, _ := sh.Path(w)
	_, ok := sh.files[abs]
	return ok
}

// exists reports whether a file is on the disk, or was written by this very call.
func (sh *shell) exists(w command.Word) bool {
	if abs, _ := sh.Path(w); sh.made.absent[abs] {
		return false
	}
	if sh.wrote(w) {
		return true
	}
	if sh.env.ReadFile == nil || !w.Known() || w.Glob || sh.traits&(umpire.Remote|umpire.Container) != 0 {
		return false
	}
	if sh.nothingAt(w) {
		return false
	}
	abs, _ := sh.Path(w)
	return sh.read(abs).ok
}

// nothingAt reports that no file lies at a path. Programs look for settings at many paths
// where there are none, and to judge a path takes far longer than to look.
func (sh *shell) nothingAt(w command.Word) bool {
	if !sh.local() || len(sh.links) > 0 || strings.HasPrefix(sh.dir, umpire.Hole) {
		return false
	}
	m := sh.env.Map
	m.Dir = sh.dir
	raw := m.Spell(w.Text)
	return path.IsAbs(raw) && sh.isMissing(raw) && sh.isMissing(path.Clean(raw))
}

// Store remembers what a file holds from now on.
func (sh *shell) Store(w command.Word, s command.Stream) {
	abs, p := sh.Path(w)
	if p&umpire.PlaceNull != 0 || fdOf(w.Text) >= 0 {
		if f, ok := sh.fds[fdOf(w.Text)]; ok && (s.Pipe || s.Taint != 0) {
			f.put(sh, s)
		}
		return
	}
	if sh.traits&umpire.Remote != 0 {
		return
	}
	if p&(umpire.PlaceAgentConfig|umpire.PlaceAgentRules) != 0 {
		sh.agentFile(abs, p, s)
	}
	if !w.Known() {
		if s.Taint&(command.FromNetwork|command.Fetched) != 0 {
			sh.fetchedInto(abs)
		}
		sh.wild |= s.Taint
		return
	}
	if old, ok := sh.files[abs]; ok && sh.maybe {
		// It may or may not have been written: both contents are possible.
		if old.Seen && s.Seen {
			s.Text = old.Text + "\n" + s.Text
		}
		s.Taint |= old.Taint
	}
	if len(sh.files) < 1024 {
		sh.files[abs] = s
	}
	if s.Seen && s.Text != "" {
		sh.planted(p, s)
		if sh.enter() {
			sh.obeyed(path.Base(abs), s)
			sh.leave()
		}
	}
}

// obeyed reads what a project's file, or a part of one, has to run for whoever installs or
// enters the project, without being asked for by name.
func (sh *shell) obeyed(file string, s command.Stream) {
	var names []string
	switch file {
	case "package.json":
		names = []string{`"preinstall"`, `"install"`, `"postinstall"`, `"prepare"`}
	case "devcontainer.json": // the other commands run inside of the container
		names = []string{`"initializeCommand"`}
	case ".envrc", "setup.py":
		c := newShell(sh.env)
		c.world = sh.world
		c.via = append(sh.via[:len(sh.via):len(sh.via)], file)
		if file == ".envrc" {
			c.script(s.Text)
		} else {
			c.code("python", s.Text)
		}
		return
	}
	for _, name := range names {
		_, rest, ok := strings.Cut(s.Text, name)
		if !ok {
			continue
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
		var text string
		if !ok || json.NewDecoder(strings.NewReader(value)).Decode(&text) != nil {
			continue
		}
		c := newShell(sh.env)
		c.world = sh.world
		c.via = append(sh.via[:len(sh.via):len(sh.via)], strings.Trim(name, `"`))
		c.stdin = command.Stream{}
		c.script(text)
	}
}

// planted reads text that is put where something will run it later.
func (sh *shell) planted(p umpire.Place, s command.Stream) {
	if p&umpire.PlaceEditorConfig != 0 && strings.Contains(s.Text, `"folderOpen"`) { // a task for whoever opens the folder
		sh.Emit(umpire.Operation{Kind: umpire.System, Resource: "job install editor", Traits: umpire.Persistence})
	}
	if p&(umpire.PlaceStartup|umpire.PlaceGitHooks|umpire.PlaceJobs) == 0 || !sh.enter() {
		return
	}
	defer sh.leave()
	c := newShell(sh.env)
	c.world = sh.world
	c.via = append(sh.via[:len(sh.via):len(sh.via)], "planted")
	c.traits = umpire.Persistence
	c.stdin = command.Stream{}
	if p&umpire.PlaceJobs != 0 {
		c.jobs(s.Text)
		return
	}
	c.script(s.Text)
	for _, text := range c.aliases {
		c.script(text)
	}
}

// jobs reads crontab lines: what stands after the five fields or @when.
func (sh *shell) jobs(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if cmd, ok := strings.CutPrefix(line, "ExecStart="); ok {
			sh.script(strings.TrimLeft(cmd, "-@:+!"))
			continue
		}
		f := strings.Fields(line)
		n := 5
		if strings.HasPrefix(line, "@") {
			n = 1
		}
		if len(f) > n {
			sh.script(strings.Join(f[n:], " "))
		}
	}
}
