package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Op records an operation of any kind with the call's traits.
func (c *Call) Op(k umpire.Kind, resource string, t umpire.Trait) {
	if strings.Contains(resource, umpire.Hole) {
		t |= umpire.Unknown
	}
	c.Emit(umpire.Operation{Kind: k, Resource: resource, Traits: t | c.Traits})
}

func (c *Call) path(k umpire.Kind, w Word, t umpire.Trait) umpire.Place {
	if k != umpire.Delete {
		w = c.Follow(w) // a delete removes the link; reads and writes follow it
	}
	abs, p := c.Path(w)
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
	if w.Taint&FromNetwork != 0 {
		t |= umpire.FromNetwork
	}
	c.Emit(umpire.Operation{Kind: k, Resource: abs, Places: p, Traits: t | c.Traits})
	return p
}

// Number is an unknown number, such as the process ID of the shell. It leads to no other folder,
// whatever precedes it. An unknown word before a # reads the same, and is as harmless: its
// name ends in that #.
const Number = umpire.Hole + "#"

// Numbered reports whether each unknown part of a word is a number, a date or a hash. Such a
// part of a name leads to no other folder: the purpose of the path is known without it.
func Numbered(w Word) bool {
	n := strings.Count(w.Text, Number)
	return n > 0 && n == strings.Count(w.Text, umpire.Hole)
}

// numbered reports whether every unknown part of a path continues a name, as in /tmp/build.$$: only
// a crafted value leads out of the folder.
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

// counted reports whether every unknown part of a path is a number that continues a name, as in
// /tmp/x.$$.
func counted(text, abs string) bool {
	n := strings.Count(text, Number)
	return n > 0 && n == strings.Count(text, umpire.Hole) && n == strings.Count(abs, umpire.Hole) && !strings.HasPrefix(text, Number) && !strings.Contains(text, "/"+Number)
}

// named reports whether find prints every file of one name below a folder.
func named(text string) bool {
	head, name, ok := strings.Cut(text, "/"+umpire.Hole+"/")
	return ok && !strings.Contains(head+name, umpire.Hole) && strings.Trim(name, "*./?") != ""
}

// namedSource reports whether find prints source files below a folder, by the ending that it
// searches for: other programs and agents obey none of these.
func namedSource(text string) bool {
	i := strings.LastIndex(text, "*.")
	return i >= 0 && named(text) && script(text[i:]) || i >= 0 && named(text) && listed("go java kt rs c h cc cpp hpp cs swift dart scala vue svelte css scss html rst tex sql proto jsx m mm ex exs hs ml clj", text[i+2:])
}

// ReadFile records that a file's content is read, and lets its taint flow into the output.
func (c *Call) ReadFile(w Word) umpire.Place {
	p := c.path(umpire.Read, w, 0)
	c.Out.Taint |= c.File(w).Taint | placeTaint(p)
	if keyFolder(w.Text) {
		c.Out.Taint |= FromTree
	}
	return p
}

// keyFolder reports whether a path is a folder of keys, or all that is in one, by its
// name alone: fit to be worked with, not to be sent away whole.
func keyFolder(p string) bool {
	p = strings.TrimSuffix(strings.TrimSuffix(p, "/*"), "/")
	switch p[strings.LastIndexByte(p, '/')+1:] {
	case "certs", "keys", "secrets", ".secrets", "private", "credentials", "keystore", "pki":
		return true
	}
	return false
}

func placeTaint(p umpire.Place) Taint {
	if p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
		return FromSecret
	}
	// Whole trees, typed text, and lists of who may log in are private without being a secret to
	// read.
	if p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceParent|umpire.PlaceHistory|umpire.PlaceAccounts) != 0 {
		return FromTree
	}
	return 0
}

// WriteFile records that a file is written and remembers its new content.
func (c *Call) WriteFile(w Word, t umpire.Trait, s Stream) umpire.Place {
	if s.Taint&FromNetwork != 0 {
		t |= umpire.FromNetwork
	}
	if s.Taint&FromSecret != 0 {
		t |= umpire.CarriesSecret
	}
	if w.Glob && (w.Known() || w.Found && named(w.Text)) && t&umpire.Truncate != 0 && s.Seen && s.Text == "" {
		t |= umpire.Bulk // empties whatever exists
	}
	p := c.path(umpire.Write, w, t)
	if !c.Inert() {
		c.Store(w, s)
	}
	return p
}

// Delete records that a file or tree is removed.
func (c *Call) Delete(w Word, t umpire.Trait) umpire.Place {
	if w.Text == "" {
		return 0 // no path has that name: rm says so, and removes nothing
	}
	return c.path(umpire.Delete, w, t)
}

// Net records contact with a host: a URL, host, host:port or user@host. Sent data that
// stems from secrets makes it exfiltration.
func (c *Call) Net(w Word, t umpire.Trait, sent Taint) {
	if sent&(FromSecret|FromEnv) != 0 {
		t |= umpire.Exfiltration | umpire.CarriesSecret
	}
	if sent&FromTree != 0 {
		t |= umpire.Exfiltration | umpire.Upload
	}
	if sent&FromShell != 0 {
		t |= umpire.RemoteShell
	}
	if !w.Known() || w.Taint&FromHost != 0 {
		t |= umpire.Unknown
	}
	if w.Taint&(FromSecret|FromEnv) != 0 {
		t |= umpire.Exfiltration | umpire.CarriesSecret
	}
	if credential(sent) && t&umpire.Exfiltration == 0 && !parseAddress(w.Text).local() {
		t |= umpire.CarriesSecret
	}
	res, more := endpoint(w.Text)
	c.Emit(umpire.Operation{Kind: umpire.Network, Resource: res, Traits: t | more | c.Traits})
}

// credential reports whether a taint is that of a variable that holds a credential by its name: a
// key, or the address of a database, in which clients expect the password.
func credential(t Taint) bool {
	const address = FromAddress | FromLikelyKey
	return t&FromKey != 0 || t&address == address
}

// Exec runs a nested command vector as part of this call.
func (c *Call) Exec(args []Word, r Run) {
	if len(args) == 0 {
		return
	}
	if r.Via == "" {
		r.Via = c.Program
	}
	r.Traits |= c.Traits
	c.Run(args, r)
}

// Shell runs text as shell commands as part of this call.
//
//go:noinline
func (c *Call) Shell(w Word, r Run) { c.Code("sh", w, r) }

// Code runs text in a language as part of this call.
func (c *Call) Code(lang string, w Word, r Run) {
	if r.Via == "" {
		r.Via = c.Program
	}
	r.Traits |= c.Traits
	c.Script(lang, Stream{Text: w.Text, Seen: true, Taint: w.Taint, Pipe: true}, r)
}

// RunFile runs a script file in a language.
func (c *Call) RunFile(lang string, w Word, r Run) {
	if r.Via == "" {
		r.Via = c.Program
	}
	r.Traits |= c.Traits
	if w.Text == "-" {
		c.Script(lang, c.Stdin, r)
		return
	}
	if files := FilesOf(c, w); len(files) > 0 {
		for _, f := range files {
			c.RunFile(lang, f, r)
		}
		return
	}
	if lang == "js" && w.Known() && !scriptName(w.Text) { // node finds the file or folder of a module
		for _, end := range []string{".js", ".mjs", ".cjs", "/index.js"} {
			if f := w.With(w.Text + end); !c.Exists(w) && c.Exists(f) {
				w = f
			}
		}
	}
	c.ReadFile(w)
	s := c.File(w)
	if !s.Seen && s.Taint == 0 && !s.Pipe {
		// Archives can be run, and umpire does not read installed packages.
		if s = c.Host.ScriptAt(w); !s.Seen && lang != "sh" && (lang == "js" && strings.Contains(w.Text, "node_modules/") || !script(w.Text)) {
			s = Stream{}
		}
	}
	s.Taint |= w.Taint
	if r.Origin == "" {
		r.Origin = w.Text
	}
	r.File = &w
	c.Script(lang, s, r)
}

// FilesOf returns the files that a word with a pattern in its last part stands for, as far
// as the disk is known. The word of a loop has the pattern in its text alone. The bound on the
// files that a call reads bounds what is done with them.
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

// fixed is a word that names one file.
func (w Word) fixed(text string) Word {
	return Word{Text: text, Taint: w.Taint}
}
