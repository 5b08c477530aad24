package command

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// started is a file with commands that a program reads without being told to. The adversary may
// have made the folder: an unpacked archive contains its build files, its repository's settings and
// its hooks.
type started struct {
	Stream
	c    *Call
	name string // the path by which the program opens it
	own  bool   // this very call wrote it
}

// startedFile returns the first of some files that exists. If its text cannot be read, the call
// runs unseen code, and startedFile returns an empty one, whose methods find nothing to run.
func (c *Call) startedFile(names ...string) (started, bool) {
	for _, n := range names {
		w := Lit(n)
		f := started{Stream: c.Host.Starts(w), c: c, name: n, own: c.Wrote(w)}
		switch {
		case f.Seen:
			return f, true
		case f.own || f.Pipe || f.Taint != 0:
			f.unseen()
			return started{c: c}, false
		}
	}
	return started{c: c}, false
}

// sourceFile returns one of many files. A long one leads to no question: every large project has
// some.
func (c *Call) sourceFile(name string) started {
	f := started{Stream: c.Host.Starts(Lit(name)), c: c, name: name, own: c.Wrote(Lit(name))}
	if !f.Seen && (f.own || f.Taint != 0) {
		f.unseen()
	}
	return f
}

// MaxSome is the least number of names that SomeNames returns for a larger folder.
const MaxSome = 400

// beyond records that a program reads more files than umpire does. The adversary may have put the
// dangerous code after the last one that umpire reads.
func (c *Call) beyond(name string) {
	c.Op(umpire.Exec, Quote(c.Program, Lits(name, "and more")), umpire.UnseenCode)
}

// atMost returns the first of a list of files or folders that a program reads, and records unseen
// code if there are more than maxFolders.
func (c *Call) atMost(list []string) []string {
	if len(list) > maxFolders {
		c.beyond(list[maxFolders])
		list = list[:maxFolders]
	}
	return list
}

// present returns the paths that may exist in a folder. One listing is cheaper than a look at each
// path.
func (c *Call) present(dir string, names []string) (out []string) {
	list := c.SomeNames(Lit(dir))
	if len(list) == 0 || len(list) >= MaxSome {
		return names
	}
	for _, n := range names {
		top, _, _ := strings.Cut(n, "/")
		if slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, top) }) || c.Wrote(Lit(path.Join(dir, n))) {
			out = append(out, n)
		}
	}
	return out
}

// unseen records that the program runs code of a file that umpire cannot read.
func (f started) unseen() {
	if f.own || f.Taint != 0 {
		f.c.Script("sh", f.Stream, f.at(0, Run{}))
		return
	}
	f.c.Op(umpire.Exec, Quote(f.c.Program, Lits(f.name)), umpire.UnseenCode)
}

// at returns r with the origin of a text in the file. Lines count from 1; 0 stands for the whole
// file.
func (f started) at(line int, r Run) Run {
	r.Origin = f.name
	if line > 0 {
		r.Origin += ":" + strconv.Itoa(line)
	}
	r.Task = !f.own
	r.Via = cmp.Or(r.Via, f.c.Program)
	return r
}

// tree parses the file as settings. A file beyond the bounds of the parser counts as unseen code.
func (f started) tree(read func(string) *datafile.Value) *datafile.Value {
	t := read(f.Text)
	if t.Lost && f.Seen {
		f.unseen()
	}
	return t
}

// run runs a text of the file in a shell.
func (f started) run(line int, text string, r Run) {
	if strings.TrimSpace(text) != "" {
		f.c.Shell(Word{Text: text, Taint: f.Taint}, f.at(line, r))
	}
}

// exec runs a command vector of the file.
func (f started) exec(line int, args []string, r Run) {
	words := Lits(args...)
	for i := range words {
		words[i].Taint = f.Taint
	}
	f.c.Exec(words, f.at(line, r))
}

// code runs the whole file in a language, if there is one.
func (f started) code(lang string, r Run) {
	if !f.Seen {
		return
	}
	r = f.at(0, r)
	r.Traits |= f.c.Traits
	w := Lit(f.name)
	r.File = &w
	f.c.Script(lang, f.Stream, r)
}

// startsFile runs the files that exist as code of a language.
func startsFile(c *Call, lang string, names ...string) {
	for _, n := range names {
		if f, ok := c.startedFile(n); ok {
			f.code(lang, Run{})
		}
	}
}
