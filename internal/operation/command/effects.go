package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// Op records an operation of any kind with t and the call's traits. A resource with an unknown part
// makes it Unknown.
func (c *Call) Op(k umpire.Kind, resource string, t umpire.Trait) {
	c.op(umpire.Operation{Kind: k, Resource: resource, Traits: t})
}

func (c *Call) op(o umpire.Operation) {
	if strings.Contains(o.Resource, umpire.Hole) {
		o.Traits |= umpire.Unknown
	}
	o.Traits |= c.Traits
	c.Emit(o)
}

// path records an operation on a path with t and the call's traits, and returns the places of the
// path.
func (c *Call) path(k umpire.Kind, w Word, t umpire.Trait) umpire.Place {
	op := c.onPath(k, w, t)
	c.Emit(op)
	return op.Places
}

// onPath returns an operation on a path with t and the call's traits. An unknown part makes it
// Unknown, except for a number in a path that is not removed. Found and Filtered limit what the part
// can stand for. A folder that a search printed stands for the files below it, or for some of them.
func (c *Call) onPath(k umpire.Kind, w Word, t umpire.Trait) umpire.Operation {
	if k != umpire.Delete {
		w = c.Follow(w) // a delete removes the link; reads and writes follow it
	}
	abs, p := c.Path(w)
	if k != umpire.Delete {
		abs, p = Likely(c, w)
	}
	if !w.Known() && (k == umpire.Delete || !Numbered(w)) {
		t |= umpire.Unknown
		if w.Found && (k == umpire.Read && named(w.Text) || k == umpire.Write && namedSource(w.Text)) {
			t |= umpire.Found
		}
		if k == umpire.Delete && (p&umpire.PlaceTemp != 0 && p&(umpire.PlaceParent|umpire.PlaceWorkspace) == 0 && (numbered(abs) || counted(w.Text, abs)) ||
			p&umpire.PlaceInWorkspace != 0 && w.Found && named(w.Text)) {
			t |= umpire.Filtered
		}
	}
	if k == umpire.Delete && w.Found {
		if w.Taint&Picked != 0 {
			t |= umpire.Filtered
		} else if WholeFolder(w, c.SomeNames) {
			t |= umpire.Recursive
		}
	}
	if k != umpire.Delete && w.Found && w.Known() && !strings.ContainsAny(w.Text, "*?[") && c.isFolder(w) {
		t |= umpire.Recursive | When(k == umpire.Write && w.Taint&Picked != 0, umpire.Filtered)
	}
	if w.Taint&FromNetwork != 0 {
		t |= umpire.FromNetwork
	}
	if k == umpire.Read && (t|c.Traits)&(umpire.Recursive|umpire.Filtered|umpire.Inert|umpire.Remote|umpire.Container) == umpire.Recursive && c.keepsKeys(abs) {
		p |= umpire.PlacePrivate
	}
	return umpire.Operation{Kind: k, Resource: abs, Places: p, Traits: t | c.Traits}
}

// Likely returns the path of a file that is read or written, and its places. A search outside the
// project probably finds a file directly in its folder, or where the name has a meaning: /etc/shadow.
func Likely(h interface {
	Path(w Word) (string, umpire.Place)
}, w Word) (abs string, p umpire.Place) {
	abs, p = h.Path(w)
	if !w.Found || w.Known() || p&umpire.PlaceOutside == 0 {
		return abs, p
	}
	_, near := h.Path(w.Near())
	p |= near
	root, name, _ := strings.Cut(w.Text, "/"+umpire.Hole+"/")
	root, _ = h.Path(Lit(root + "/"))
	for _, at := range place.Named(name) {
		if path, known := h.Path(Lit(at)); strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/") {
			p |= known
		}
	}
	return abs, p
}

// Near returns a name of a listing as that of the file directly in the folder.
func (w Word) Near() Word { return w.With(strings.Replace(w.Text, "/"+umpire.Hole+"/", "/", 1)) }

// WholeFolder reports whether a word from find is a folder and stands for all files below it, as in
// find src -type f | xargs rm. A word without an extension counts as a folder.
func WholeFolder(w Word, names func(Word) []string) bool {
	return w.Found && w.Known() && w.Taint&Picked == 0 && !strings.ContainsAny(w.Text, "*?[") && (path.Ext(w.Text) == "" || len(names(w)) > 0)
}

// isFolder reports whether a name is probably that of a folder: it has no ending, or the disk has
// such a folder.
func (c *Call) isFolder(w Word) bool {
	return path.Ext(strings.TrimLeft(LastName(w.Text), ".")) == "" || len(c.SomeNames(w)) > 0
}

// keepsKeys reports whether programs keep keys below a folder: it is a home or above one, or a
// folder in the user's home such as ~/.config/gh.
func (c *Call) keepsKeys(abs string) bool {
	home, _ := c.Path(Lit("~"))
	return home != "~" && place.KeepsKeys(abs, home)
}

// When returns t if a condition is met, or else no trait.
func When(met bool, t umpire.Trait) umpire.Trait {
	if met {
		return t
	}
	return 0
}

// Entry is the unknown name of a file in a folder that a program lists. It is never "..", and unlike
// other unknown parts it stays below its folder. No file name contains the byte zero.
const Entry = umpire.Hole + "\x00"

// Number is an unknown number, such as the process ID of the shell. A name that contains it stays
// in its folder. An unknown word before a # reads the same, and is as harmless, since the name then
// ends in #.
const Number = umpire.Hole + "#"

// Numbered reports whether w has unknown parts, and each of them is a number, a date or a hash.
// Such parts cannot lead to another folder, so the purpose of the path is known without them.
func Numbered(w Word) bool {
	n := strings.Count(w.Text, Number)
	return n > 0 && n == strings.Count(w.Text, umpire.Hole)
}

// numbered reports whether every unknown part of a path continues a name, as in /tmp/build$X. Only
// a crafted value, such as /../.., leads out of the folder.
func numbered(abs string) bool {
	rest := abs
	for {
		i := strings.Index(rest, umpire.Hole)
		if i < 0 {
			return true
		}
		if i == 0 || rest[i-1] == '/' || rest[i-1] == '.' {
			return false
		}
		rest = rest[i+len(umpire.Hole):]
		if strings.HasPrefix(rest, umpire.Hole) {
			rest = strings.TrimLeft(rest, umpire.Hole)
		}
	}
}

// counted reports whether every unknown part of a path is a number inside a name, as in /tmp/x.$$.
func counted(text, abs string) bool {
	n := strings.Count(text, Number)
	return n > 0 && n == strings.Count(text, umpire.Hole) && n == strings.Count(abs, umpire.Hole) && !strings.HasPrefix(text, Number) && !strings.Contains(text, "/"+Number)
}

// named reports whether a word from find stands for all files of one name below a known folder.
func named(text string) bool {
	head, name, ok := strings.Cut(text, "/"+umpire.Hole+"/")
	return ok && !strings.Contains(head+name, umpire.Hole) && strings.Trim(name, "*./?") != ""
}

// EmptiesMany reports whether a file that is truncated stands for many. It may stand for the files in
// a folder, as in a loop over find. If nothing is written, it may stand for all matches of a pattern.
func EmptiesMany(w Word, abs string, p umpire.Place, names func(Word) []string, nothing bool) bool {
	return nothing && (w.Glob && (w.Known() || w.Found && named(w.Text)) || w.Found && strings.ContainsAny(w.Text, "*?[")) || WholeFolder(w, names) ||
		p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceParent|umpire.PlaceWorkspace) != 0 || strings.HasSuffix(abs, "/*") && p&umpire.PlaceInWorkspace == 0
}

// namedSource reports whether a word from find stands for source files in a tree, by the ending
// that find searches for. No other program and no agent obeys such files.
func namedSource(text string) bool {
	i := strings.LastIndex(text, "*.")
	return i >= 0 && named(text) && IsScript(text[i:]) || i >= 0 && named(text) && anyof.Listed("go java kt rs c h cc cpp hpp cs swift dart scala vue svelte css scss html rst tex sql proto jsx m mm ex exs hs ml clj", text[i+2:])
}

// ReadFile records that a file's content is read, adds its taint to the call's output, and returns
// the places of the file.
func (c *Call) ReadFile(w Word) umpire.Place {
	if host := Share(w.Text); host != "" {
		c.Net(w.With(host), umpire.Download, 0)
	}
	p := c.path(umpire.Read, w, 0)
	c.Out.Taint |= c.File(w).Taint | c.treeTaint(p)
	if keyFolder(w.Text) {
		c.Out.Taint |= FromTree
	}
	return p
}

// ReadTree is ReadFile for a program that reads everything below a folder. t describes the reading.
func (c *Call) ReadTree(w Word, t umpire.Trait) umpire.Place {
	if !c.isFolder(w) {
		return c.ReadFile(w)
	}
	own := c.Traits
	c.Traits |= t | umpire.Recursive
	p := c.ReadFile(w)
	c.Traits = own
	return p
}

// keyFolder reports whether a path names a folder of keys, or all files in one. It judges by the
// name alone, so agents may work with such a folder, but not send it away whole.
func keyFolder(p string) bool {
	p = strings.TrimSuffix(strings.TrimSuffix(p, "/*"), "/")
	return anyof.Equal(p[strings.LastIndexByte(p, '/')+1:], "certs", "keys", "secrets", ".secrets", "private", "credentials", "keystore", "pki")
}

// treeTaint returns the taint of what the call reads at a place. A tree with private files is as
// private as a home.
func (c *Call) treeTaint(p umpire.Place) Taint {
	if p&umpire.PlacePrivate != 0 && c.Traits&umpire.Recursive != 0 {
		return placeTaint(p) | FromTree
	}
	return placeTaint(p)
}

// placeTaint returns the taint of the content at a place.
func placeTaint(p umpire.Place) Taint {
	if p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
		return FromSecret
	}
	// Whole trees, histories and lists of accounts are private, although anyone may read them.
	if p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceParent|umpire.PlaceHistory|umpire.PlaceAccounts) != 0 {
		return FromTree
	}
	return 0
}

// WriteFile records that a file is written, remembers its new content s, and returns the places of
// the file.
func (c *Call) WriteFile(w Word, t umpire.Trait, s Stream) umpire.Place {
	if s.Taint&FromNetwork != 0 {
		t |= umpire.FromNetwork
	}
	if s.Taint&FromSecret != 0 {
		t |= umpire.CarriesSecret
	}
	if t&umpire.Truncate != 0 && s.Seen && s.Text == "" {
		if abs, p := c.Path(w); EmptiesMany(w, abs, p, c.SomeNames, true) {
			t |= umpire.Bulk
		}
	}
	if host := Share(w.Text); host != "" {
		c.Net(w.With(host), umpire.Upload, s.Taint)
	}
	p := c.path(umpire.Write, w, t)
	if !c.Inert() {
		s.After = t&umpire.Append != 0 && t&umpire.Truncate == 0
		c.Store(w, s)
	}
	return p
}

// Delete records that a file or tree is removed, and returns its places.
func (c *Call) Delete(w Word, t umpire.Trait) umpire.Place {
	if w.Text == "" {
		return 0 // not a path: rm reports an error and removes nothing
	}
	if dir, ok := strings.CutSuffix(w.Text, "**/*"); ok && w.Glob && !w.Found {
		const whole = umpire.PlaceWorkspace | umpire.PlaceParent | umpire.PlaceHome | umpire.PlaceRoot
		if op := c.onPath(umpire.Delete, w.Part(dir+"*"), t); op.Places&whole != 0 { // all files of a project or a home
			c.Emit(op)
		}
	}
	return c.path(umpire.Delete, w, t)
}

// Net records contact with a host: a URL, host, host:port or user@host. sent is the taint of the
// data that goes there; data from secrets or whole trees makes the operation exfiltration.
func (c *Call) Net(w Word, t umpire.Trait, sent Taint) {
	t |= When(sent&(FromSecret|FromEnv) != 0, umpire.Exfiltration|umpire.CarriesSecret)
	t |= When(sent&FromTree != 0, umpire.Exfiltration|umpire.Upload)
	t |= When(sent&FromShell != 0, umpire.RemoteShell)
	t |= When(!w.Known() || w.Taint&FromHost != 0, umpire.Unknown)
	t |= When(w.Taint&(FromSecret|FromEnv) != 0, umpire.Exfiltration|umpire.CarriesSecret)
	t |= When(credential(sent) && t&umpire.Exfiltration == 0 && !parseAddress(w.Text).local(), umpire.CarriesSecret)
	if scheme, _, ok := strings.Cut(w.Text, "://"); ok && strings.HasPrefix(scheme, "stratum") {
		t |= umpire.ResourceBomb // a pool of coin miners
	}
	if reachesNobody(w.Text) {
		t &^= umpire.Message
	}
	res, more := endpoint(w.Text)
	c.Emit(umpire.Operation{Kind: umpire.Network, Resource: res, Traits: t | more | c.Traits})
}

// reachesNobody reports whether a message to an address cannot reach a person: the mail catcher of a
// test, and a domain that is reserved for tests.
func reachesNobody(address string) bool {
	a := parseAddress(address)
	return a.local() || strings.HasSuffix(a.Host, ".test") || strings.HasSuffix(a.Host, ".invalid")
}

// credential reports whether a taint is that of a variable that holds a credential by its name: a
// key, or the address of a database, in which clients expect the password.
func credential(t Taint) bool {
	const address = FromAddress | FromLikelyKey
	return t&FromKey != 0 || t&address == address
}

// Exec runs a command vector as part of this call, with the call's traits. If it is the end of the
// operands, the options between them belong to the command: git submodule foreach rm -rf x
func (c *Call) Exec(args []Word, r Run) {
	if len(args) == 0 {
		return
	}
	if i := len(c.Operands) - len(args); i >= 0 && &args[0] == &c.Operands[i] {
		if words := c.wordsFrom(i); len(words) > len(args) {
			args = words
		}
	}
	if r.Dir == nil && r.Traits&(umpire.Container|umpire.Remote) == 0 {
		r.Dir = c.commandFolder(args[0])
	}
	r.Via = cmp.Or(r.Via, c.Program)
	r.Traits |= c.Traits
	c.Run(args, r)
}

// commandFolder returns the folder that an option before a command names for it, unless this call
// has changed to it already.
func (c *Call) commandFolder(command Word) *Word {
	for i, w := range c.Args {
		if w.Text == command.Text {
			break
		}
		name, value, attached := ValueAt(c.Args, i)
		if !anyof.Equal(name, "-C", "--cwd", "--dir", "--directory", "--working-directory", "--working-dir", "--workdir", "--wd", "--chdir") {
			continue
		}
		dir := w.With(value)
		if !attached && i+1 < len(c.Args) {
			dir = c.Args[i+1]
		}
		if !c.changesFolder(name, i) && (strings.ContainsAny(value, "/~.") || len(c.SomeNames(dir)) > 0) {
			return &dir
		}
	}
	return nil
}

// changesFolder reports whether the description of the program says that the option at an index
// changes the folder of the call itself.
func (c *Call) changesFolder(option string, at int) bool {
	if c.top == nil || c.style()&Strict != 0 && at > c.first {
		return false
	}
	for m := range c.models() {
		if o, ok := m.option(option); ok && o.role == 'D' {
			return true
		}
	}
	return false
}

// Shell runs a text as shell commands, as part of this call.
//
//go:noinline
func (c *Call) Shell(w Word, r Run) { c.Code("sh", w, r) }

// Code runs a text in a language, as part of this call.
func (c *Call) Code(lang string, w Word, r Run) {
	r.Via = cmp.Or(r.Via, c.Program)
	r.Traits |= c.Traits
	c.Script(lang, Stream{Text: w.Listed(), Seen: true, Taint: w.Taint, Pipe: true}, r)
}

// RunFile reads and runs a script file in a language. "-" is the standard input, and a pattern
// stands for every file that matches. An address is fetched and run at once.
func (c *Call) RunFile(lang string, w Word, r Run) {
	r.Via = cmp.Or(r.Via, c.Program)
	r.Traits |= c.Traits
	if w.Text == "-" {
		c.Script(lang, c.Stdin, r)
		return
	}
	for _, f := range FilesOrSelf(c, w) {
		c.runOne(lang, f, r)
	}
}

func (c *Call) runOne(lang string, w Word, r Run) {
	if CodeAddress(w.Text) {
		c.runRemote(lang, w, r)
		return
	}
	if lang == "js" && w.Known() && !ScriptName(w.Text) { // node adds the ending, or takes the folder of a module
		for _, end := range []string{".js", ".mjs", ".cjs", "/index.js"} {
			if f := w.With(w.Text + end); !c.Exists(w) && c.Exists(f) {
				w = f
			}
		}
	}
	c.ReadFile(w)
	s := c.File(w)
	if !s.Seen && s.Taint == 0 && !s.Pipe {
		// The call may run an archive or an installed package, which umpire does not read: then the
		// missing text is not a finding.
		if s = c.Host.ScriptAt(w); !s.Seen && lang != "sh" && (lang == "js" && strings.Contains(w.Text, "node_modules/") || !IsScript(w.Text)) {
			s = Stream{}
		}
	}
	s.Taint |= w.Taint
	r.Origin = cmp.Or(r.Origin, w.Text)
	r.File = &w
	c.Script(lang, s, r)
}

// FilesOf returns the files that match a word with a pattern in the last part of its path, or nil.
// It looks at the text of the word, since the word of a loop is not marked as a pattern. Callers
// need no bound of their own, because the number of files that a call reads is limited.
func FilesOf(h interface{ Names(Word) []string }, w Word) (files []Word) {
	dir, pattern := path.Split(w.Text)
	if !w.Known() || strings.ContainsAny(dir, "*?[") || !strings.ContainsAny(pattern, "*?[") {
		return nil
	}
	for _, name := range h.Names(w.fixed(path.Clean(dir + "."))) {
		if ok, _ := path.Match(pattern, name); ok && (name[0] != '.' || pattern[0] == '.') {
			files = append(files, w.fixed(dir+name))
		}
	}
	return files
}

// FilesOrSelf returns the files that match a word, or the word if none does. Do not call it again for
// one of them: an agent can name a file *.sh, and that pattern matches itself for ever.
func FilesOrSelf(h interface{ Names(Word) []string }, w Word) []Word {
	if files := FilesOf(h, w); len(files) > 0 {
		return files
	}
	return []Word{w}
}

// fixed returns a word with the taint of w that names one file.
func (w Word) fixed(text string) Word {
	return Word{Text: text, Taint: w.Taint}
}

// IsScript reports whether a word is the name of a file with code. Callers have checked with outside
// that it is in the workspace.
func IsScript(s string) bool {
	return slices.ContainsFunc([]string{".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".tsx", ".rb", ".R", ".r", ".php", ".pl", ".lua", ".sh", ".bash", ".zsh"}, func(e string) bool {
		return strings.HasSuffix(s, e) && len(s) > len(e)
	})
}
