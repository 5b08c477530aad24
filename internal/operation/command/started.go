package command

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// Bounds on the files that one program reads without being told to. The adversary may have written
// them.
const (
	MaxIncludes = 64
	MaxTargets  = 1 << 16  // more than a file of 256 KiB has
	MaxLine     = 64 << 10 // bytes of one line after expansion
)

// Started is a file with commands that a program reads without being told to. The adversary may
// have made the folder: an unpacked archive contains its build files, its repository's settings and
// its hooks.
type Started struct {
	Stream
	Call *Call
	Name string // the path by which the program opens it
	Own  bool   // this very call wrote it
}

// StartedFile returns the first of some files that exists. If its text cannot be read, the call
// runs unseen code, and startedFile returns an empty one, whose methods find nothing to run.
func (c *Call) StartedFile(names ...string) (Started, bool) {
	for _, n := range names {
		w := Lit(n)
		f := Started{Stream: c.Host.Starts(w), Call: c, Name: n, Own: c.Wrote(w)}
		switch {
		case f.Seen:
			return f, true
		case f.Own || f.Pipe || f.Taint != 0:
			f.RunUnseen()
			return Started{Call: c}, false
		}
	}
	return Started{Call: c}, false
}

// SourceFile returns one of many files. A long one leads to no question: every large project has
// some.
func (c *Call) SourceFile(name string) Started {
	f := Started{Stream: c.Host.Starts(Lit(name)), Call: c, Name: name, Own: c.Wrote(Lit(name))}
	if !f.Seen && (f.Own || f.Taint != 0) {
		f.RunUnseen()
	}
	return f
}

// MaxSome is the least number of names that SomeNames returns for a larger folder.
const MaxSome = 400

// Beyond records that a program reads more files than umpire does. The adversary may have put the
// dangerous code after the last one that umpire reads.
func (c *Call) Beyond(name string) {
	c.Op(umpire.Exec, Quote(c.Program, Lits(name, "and more")), umpire.UnseenCode)
}

// AtMost returns the first of a list of files or folders that a program reads, and records unseen
// code if there are more than maxFolders.
func (c *Call) AtMost(list []string) []string {
	if len(list) > MaxFolders {
		c.Beyond(list[MaxFolders])
		list = list[:MaxFolders]
	}
	return list
}

// Present returns the paths that may exist in a folder. One listing is cheaper than a look at each
// path.
func (c *Call) Present(dir string, names []string) (out []string) {
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

// RunUnseen records that the program runs code of a file that umpire cannot read.
func (f Started) RunUnseen() {
	if f.Own || f.Taint != 0 {
		f.Call.Script("sh", f.Stream, f.At(0, Run{}))
		return
	}
	f.Call.Op(umpire.Exec, Quote(f.Call.Program, Lits(f.Name)), umpire.UnseenCode)
}

// At returns r with the origin of a text in the file. Lines count from 1; 0 stands for the whole
// file.
func (f Started) At(line int, r Run) Run {
	r.Origin = f.Name
	if line > 0 {
		r.Origin += ":" + strconv.Itoa(line)
	}
	r.Task = !f.Own
	r.Via = cmp.Or(r.Via, f.Call.Program)
	return r
}

// Tree parses the file as settings. A file beyond the bounds of the parser counts as unseen code.
func (f Started) Tree(read func(string) *datafile.Value) *datafile.Value {
	t := read(f.Text)
	if t.Lost && f.Seen {
		f.RunUnseen()
	}
	return t
}

// Run runs a text of the file in a shell.
func (f Started) Run(line int, text string, r Run) {
	if strings.TrimSpace(text) != "" {
		f.Call.Shell(Word{Text: text, Taint: f.Taint}, f.At(line, r))
	}
}

// Exec runs a command vector of the file.
func (f Started) Exec(line int, args []string, r Run) {
	words := Lits(args...)
	for i := range words {
		words[i].Taint = f.Taint
	}
	f.Call.Exec(words, f.At(line, r))
}

// RunAs runs the whole file in a language, if there is one.
func (f Started) RunAs(lang string, r Run) {
	if !f.Seen {
		return
	}
	r = f.At(0, r)
	r.Traits |= f.Call.Traits
	w := Lit(f.Name)
	r.File = &w
	f.Call.Script(lang, f.Stream, r)
}

// StartsFile runs the files that exist as code of a language.
func StartsFile(c *Call, lang string, names ...string) {
	for _, n := range names {
		if f, ok := c.StartedFile(n); ok {
			f.RunAs(lang, Run{})
		}
	}
}

// After returns the line number of each occurrence of a key, and the text that follows.
func (f Started) After(key string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		line, rest := 1, f.Text
		for {
			before, more, ok := strings.Cut(rest, key)
			if line += strings.Count(before, "\n"); !ok || !yield(line, more) {
				return
			}
			rest = more
		}
	}
}

// Assigned runs the commands that a text gives a key: key: "x", "key" = ["x", "y"].
func (f Started) Assigned(key string) {
	for line, rest := range f.After(key) {
		rest = strings.TrimLeft(rest, `"' `)
		if value := strings.TrimLeft(rest, ":="); value != rest {
			for _, cmd := range QuotedWords(strings.TrimSpace(value)) {
				f.Run(line, cmd, Run{})
			}
		}
	}
}

// Closing returns the index of the parenthesis or brace that ends the reference at the beginning of
// s, or len(s).
func Closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(s)
}
