package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/projectfile"
)

// host serves one running program as its command.Host.
type host struct {
	sh     *shell
	nested command.Stream // output of nested commands that is part of this one's
	only   command.Stream // the same, without the program's own output
	ran    bool           // the output is that of programs which it ran
}

var _ command.Host = (*host)(nil)

func (h host) Emit(op umpire.Operation)                        { h.sh.Emit(op) }
func (h host) Path(w command.Word) (string, umpire.Place)      { return h.sh.Path(w) }
func (h host) File(w command.Word) command.Stream              { return h.sh.File(w) }
func (h host) Store(w command.Word, s command.Stream)          { h.sh.Store(w, s) }
func (h host) Wrote(w command.Word) bool                       { return h.sh.wrote(w) }
func (h host) Starts(w command.Word) command.Stream            { return h.sh.starts(w) }
func (h host) ScriptAt(w command.Word) command.Stream          { return h.sh.scriptAt(w) }
func (h host) Names(w command.Word) []string                   { return h.sh.names(w) }
func (h host) SomeNames(w command.Word) []string               { list, _ := h.sh.someNames(w); return list }
func (h host) Exists(w command.Word) bool                      { return h.sh.exists(w) }
func (h host) Unchanged(root command.Word, commit string) bool { return h.sh.unchanged(root, commit) }
func (h host) Brings(root command.Word, was, is string)        { h.sh.brings(root, was, is) }
func (h host) Var(name string) (command.Word, bool)            { return h.sh.get(name) }
func (h host) Assigned(name string) bool                       { _, ok := h.sh.vars[name]; return ok }
func (h host) SetVar(name string, w command.Word)              { h.sh.pass(name, w) }
func (h host) Link(name, target command.Word)                  { h.sh.link(name, target) }
func (h host) Moved(name, from command.Word)                   { h.sh.move(name, from) }
func (h host) Copied(name, from command.Word)                  { h.sh.copied(name, from) }
func (h host) Follow(w command.Word) command.Word              { return h.sh.follow(w) }
func (h host) Define(key string, w command.Word)               { h.sh.define(key, w) }
func (h host) Defined(key string) []command.Word               { return h.sh.defined(key) }
func (h host) Chdir(w command.Word)                            { h.sh.chdir(w) }
func (h host) Model(name string) *command.Model                { return command.Lookup(name) }

// child returns the shell state that a nested command sees.
func (h *host) child(r command.Run) *shell {
	c := h.sh.clone()
	c.asLinks, c.filled, c.repeats = false, nil, c.repeats || r.Many
	if r.Via != "" {
		c.via = append(c.via, r.Via)
	}
	c.traits |= r.Traits &^ umpire.Inert
	if r.Traits&(umpire.Remote|umpire.Container) != 0 {
		c.mounts, c.inside = slices.Clone(r.Mounts), ""
		for i := range c.mounts { // the caller may have left the folder in which this reading began
			host := &c.mounts[i].Host
			host.Text, _ = h.sh.spelling(*host)
		}
		c.fresh, c.throwaway, c.alone = r.Fresh, r.Throwaway, r.Alone
		c.vars = map[string]variable{}
		c.funcs = map[string]function{}
	} else {
		c.inherit()
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
			c.pass(name, e.With(value))
			c.loader(name, []command.Word{e.With(value)})
		}
	}
	c.out = nil
	delete(c.fds, 1)
	if r.Out {
		c.out = &h.only
	}
	if r.Origin != "" {
		if c.origin == "" && h.sh.source != "" { // a notebook's cell has no command around it
			c.origin = "`" + clip(h.sh.source) + "`"
		}
		if len(c.origin) < maxOrigin {
			c.origin = strings.TrimPrefix(c.origin+", "+clip(r.Origin), ", ")
		}
	}
	c.task, c.scan = c.task || r.Task, c.scan || r.Scan
	if r.File != nil {
		c.file, _ = h.sh.Path(*r.File)
	}
	return c
}

// apart runs f, which reads a text that a program starts. Changes to the meaning of names end with
// a program that reads its own files (Task), and files that a scan seems to write are forgotten.
func (h *host) apart(r command.Run, f func()) {
	if r.Task {
		shadowed, loud, quiet := h.sh.shadowed, h.sh.loud, h.sh.quiet
		defer func() { h.sh.shadowed, h.sh.loud, h.sh.quiet = shadowed, loud, quiet }()
	}
	if r.Scan {
		defer h.sh.world.unchanged()()
	}
	f()
}

func (h *host) done() {
	emitOut(&h.nested, h.only)
}

// inherit marks what a program may not get of the shell that starts it: variables and functions that
// nothing seems to export. Otherwise rm(){ :; } would hide the rm of env rm -rf x, and T=dist the
// rm -rf /* of sh -c 'rm -rf $T/*'. They stay possible, since there are many ways to export.
func (sh *shell) inherit() {
	sh.aliases = nil
	for name, f := range sh.funcs {
		f.perhaps = f.perhaps || !f.exported
		sh.funcs[name] = f
	}
	for name, v := range sh.vars {
		if _, own := sh.environ(name); !v.exported && !v.passed && !v.array && !own && name != "PATH" && name != "OLDPWD" && len(v.alts) > 0 {
			v.perhaps = true
			sh.vars[name] = v
		}
	}
}

// pass sets a variable that a program gives to those that it starts.
func (sh *shell) pass(name string, w command.Word) {
	sh.set(name, w)
	v := sh.vars[name]
	v.passed = true
	sh.vars[name] = v
}

// Run implements command.Host.
func (h *host) Run(args []command.Word, r command.Run) {
	if len(args) == 0 || !h.sh.enter() {
		return
	}
	defer h.sh.leave()
	if r.Traits&umpire.Inert != 0 {
		return
	}
	h.ran = h.ran || r.Out
	h.apart(r, func() {
		c := h.child(r)
		if f, ok := c.funcs[args[0].Text]; ok { // only a program that starts a shell runs a function
			f.perhaps = true
			c.funcs[args[0].Text] = f
		}
		c.simple(args)
	})
	if r.Out {
		h.done()
	}
}

// Tasks implements command.Host.
func (h *host) Tasks(reader string, c *command.Call) { projectfile.Tasks(reader, c) }

// Script implements command.Host.
func (h *host) Script(lang string, text command.Stream, r command.Run) {
	if r.Traits&umpire.Inert != 0 || !h.sh.enter() {
		return
	}
	defer h.sh.leave()
	h.ran = h.ran || r.Out && lang == "sh"
	h.apart(r, func() {
		c := h.child(r)
		c.params = r.Args
		c.shifted = false
		c.given = len(r.Args) > 0 && !slices.ContainsFunc(r.Args, func(w command.Word) bool { return !w.Known() || w.Marks != (command.Marks{}) })
		c.run(lang, text)
	})
	if r.Out {
		h.done()
	}
}

// run reads code in a language.
func (sh *shell) run(lang string, text command.Stream) {
	t := codeTraits(text.Taint)
	if strings.HasPrefix(lang, "sql:") { // a dump is often compressed
		t &^= umpire.DecodedCode
	}
	if t != 0 || !text.Seen && (text.Pipe || text.Taint != 0) {
		if !text.Seen {
			t |= umpire.UnseenCode
		}
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: lang, Traits: t})
	}
	if !text.Seen || text.Text == "" {
		return
	}
	if unseen(text.Text) {
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: lang + " " + umpire.Hole, Traits: umpire.UnseenCode | umpire.Unknown | codeTraits(text.Taint)})
		sh.print(command.Unseen(text.Taint))
		return
	}
	if lang != "" && lang != "sh" { // only a shell runs a program on the names of a listing
		text.Text = command.Unlisted(text.Text)
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

// unseen reports whether a text has unknown words, and beside them only names of a listing.
func unseen(text string) (yes bool) {
	if !strings.Contains(text, umpire.Hole) {
		return false
	}
	for w := range strings.FieldsSeq(text) {
		hole := strings.Trim(w, umpire.Hole) == ""
		if !hole && !strings.HasSuffix(w, command.ListMark) {
			return false
		}
		yes = yes || hole
	}
	return yes
}

// source runs a file in this shell.
func (h host) source(w command.Word) {
	for _, f := range command.FilesOrSelf(&h, w) {
		h.sourceOne(f)
	}
}

func (h host) sourceOne(w command.Word) {
	sh := h.sh
	if h.sourced(w) {
		return
	}
	if anyof.Equal(w.Text, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/dev/tty") {
		if w.Text == "/dev/tty" || !sh.stdin.Pipe && !sh.stdin.Seen && sh.stdin.Taint == 0 {
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "source " + w.Text, Traits: umpire.Interactive})
		}
	}
	s := sh.open(w)
	s.Taint |= w.Taint
	if !s.Seen && s.Taint == 0 {
		var t umpire.Trait
		switch _, q := sh.spelling(w); {
		case q&umpire.PlaceInWorkspace != 0 && sh.starts(w).Pipe: // it exists, but its text cannot be read
			t = umpire.UnseenCode
		case strings.HasSuffix(w.Text, "/bin/activate") && w.Known() && q&umpire.PlaceGenerated != 0 && Own(w.Text, q): // a virtual environment
			t = umpire.ProjectCode
		}
		sh.filled = nil
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: command.Quote("source", []command.Word{w}), Traits: t})
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

// runPath reads a program that is called by its path, if its text is known: this command wrote it,
// or it is on the disk.
func (h *host) runPath(w command.Word, args []command.Word) {
	for _, f := range command.FilesOrSelf(h, w) {
		h.runOne(f, args)
	}
}

func (h *host) runOne(w command.Word, args []command.Word) {
	s := h.sh.File(w)
	if !s.Seen && s.Taint == 0 {
		// A large file may be a compiled program or a script: only a shell script's name tells them
		// apart.
		if s = h.sh.scriptAt(w); !s.Seen && !(s.Pipe && shellName(w.Text)) {
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
			h.interpreted(s, w, args)
			return
		}
	}
	run := command.Run{Via: w.Text, Args: args, File: &w}
	if !h.sh.wrote(w) {
		run.Origin = w.Text
	}
	h.Script(lang, s, run)
}

// shellName reports whether a file name is that of a shell script.
func shellName(name string) bool {
	return anyof.Equal(path.Ext(name), ".sh", ".bash", ".zsh", ".ksh", ".dash")
}

// ownScript reports whether a call names by its path a script of the workspace whose text was read,
// so that its operations are known.
func (h *host) ownScript(w command.Word) bool {
	sh := h.sh
	if !w.Known() || w.Glob || w.Taint != 0 || sh.shadowed || !strings.Contains(w.Text, "/") || sh.wrote(w) || len(sh.influences()) > 0 {
		return false
	}
	if _, p := sh.Path(w); p&umpire.PlaceInWorkspace == 0 || p&(umpire.PlaceGitDir|umpire.PlaceGitHooks) != 0 {
		return false
	}
	s := sh.File(w)
	return s.Seen && s.Taint == 0 && strings.HasPrefix(s.Text, "#!") && strings.IndexByte(s.Text, 0) < 0 && shebang(s.Text) != ""
}

// interpreted runs the interpreter in the first line of a script with the script and the arguments:
// #!/bin/rm -rf deletes them. The kernel passes everything after the program as one word.
func (h *host) interpreted(s command.Stream, file command.Word, args []command.Word) {
	line, _, _ := strings.Cut(strings.TrimPrefix(s.Text, "#!"), "\n")
	program, option, _ := strings.Cut(strings.TrimSpace(line), " ")
	words := []command.Word{{Text: program, Taint: s.Taint}}
	if option = strings.TrimSpace(option); option != "" {
		words = append(words, command.Word{Text: option, Taint: s.Taint})
	}
	h.sh.clone().program(append(append(words, file), args...))
}

// shebang returns the language of a script by its first line, or "" for other programs.
func shebang(text string) string {
	if !strings.HasPrefix(text, "#!") {
		return "sh"
	}
	line, _, _ := strings.Cut(text, "\n")
	return command.LangOf(line)
}

// mentions returns a function that reports whether an operation names a path. An exec before index
// from counts only if its resource is the path: the exec of the call itself contains all of its
// arguments, and would hide that no other operation mentions them. For the value of an option, the
// same start in another form, such as an interactive one, does not count either.
func (sh *shell) mentions(from int) func(text, abs string, value bool) bool {
	return func(text, abs string, value bool) bool {
		for i := range sh.ops {
			o := &sh.ops[i]
			if value && from > 0 && o.Kind == umpire.Exec && o.Resource == sh.ops[from-1].Resource {
				continue
			}
			if o.Resource == abs || (i >= from || o.Kind != umpire.Exec) && (strings.Contains(o.Resource, abs) || strings.Contains(o.Resource, text)) {
				return true
			}
		}
		return false
	}
}

// define records a definition of this command line. Definitions on a remote machine do not count.
func (sh *shell) define(key string, w command.Word) {
	if sh.traits&(umpire.Remote|umpire.Container) != 0 {
		return
	}
	if len(sh.defs) >= maxMade {
		sh.exceeds("definitions")
		return
	}
	if dir, ok := strings.CutPrefix(key, command.MadePath); ok {
		if top, ok := sh.firstNew(dir); ok {
			sh.made.makes(top)
		}
		return
	}
	if dir, ok := strings.CutPrefix(key, command.Made); ok {
		sh.made.makes(dir)
		return
	}
	if sh.maybe && strings.HasPrefix(key, "git stash ") {
		return // a stash makes later rules milder, and may not have happened
	}
	if sh.defs == nil {
		sh.defs = map[string][]command.Word{}
	}
	sh.defs[key] = union(sh.defs[key], []command.Word{w})
}

// defined returns a definition of this command line. For the key of a folder (command.Made), it
// returns the folder if this command line created it.
func (sh *shell) defined(key string) []command.Word {
	if dir, ok := strings.CutPrefix(key, command.Made); ok {
		if sh.made.isMade(dir) {
			return command.Lits(dir)
		}
		return nil
	}
	return sh.defs[key]
}

// onDisk is a file as this call read it.
type onDisk struct {
	text  string
	size  int
	ok    bool
	whole bool // text is the whole file, which is not binary
	// peeked means that the call has only appended to the file: its text decides nothing yet.
	peeked bool
}

// stream returns the text of f, and false if the file is too long, binary or unreadable.
func (f onDisk) stream() (command.Stream, bool) {
	if !f.whole {
		return command.Stream{}, false
	}
	return command.Text(f.text), true
}

// unreadable reports whether a path holds text that umpire cannot read but a program may: a pipe, a
// device, or a file that needs other rights. A folder does not count, because programs fail on it.
func (sh *shell) unreadable(abs string) bool {
	if !sh.local() {
		return false
	}
	i, ok := sh.paths.view.Stat(abs)
	return ok && i.Kind == disk.Regular && !sh.read(abs).ok || sh.paths.view.Opaque(abs)
}

// starts implements command.Host. It returns a file that exists and cannot be read as text as a
// pipe with unseen content.
func (sh *shell) starts(w command.Word) command.Stream {
	if sh.wrote(w) {
		return sh.File(w)
	}
	if t := sh.broughtToStart(w); t != 0 {
		return command.Unseen(t)
	}
	if sh.env.ReadFile == nil || !w.Known() || w.Glob || sh.traits&(umpire.Remote|umpire.Container) != 0 || sh.noFileAt(w) {
		return command.Stream{}
	}
	abs, p := sh.Path(w)
	if !path.IsAbs(abs) || p&umpire.PlaceRelative != 0 {
		return command.Stream{}
	}
	if _, q := sh.spelling(w); q&(umpire.PlaceProc|umpire.PlaceDevice|umpire.PlaceNull|umpire.PlaceSocket) != 0 {
		return command.Stream{}
	}
	s, ok := sh.disk(abs)
	if !ok && (sh.read(abs).ok || sh.read(abs).size > maxText || sh.unreadable(abs)) {
		return command.Stream{Pipe: true}
	}
	if ok {
		s.Taint |= sh.fetchedAlone(w)
	}
	return s
}
