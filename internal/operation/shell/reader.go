package shell

import (
	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Reader reads the calls of tools other than a shell with the same interpreter. A tool that takes
// an argument vector, a statement or code is read as the shell reads the program of that name.
type Reader struct{ sh *shell }

// NewReader returns a Reader that starts in the working directory of env.
func NewReader(env Env) *Reader { return &Reader{newShell(env)} }

// Operations returns the operations read so far, in order.
func (r *Reader) Operations() []umpire.Operation { return r.sh.ops }

// Emit adds an operation as it is.
func (r *Reader) Emit(op umpire.Operation) { r.sh.Emit(op) }

// Chdir changes the working directory for later commands.
func (r *Reader) Chdir(dir string) {
	if dir != "" {
		r.sh.chdir(command.Lit(dir))
	}
}

// Command reads a bash command line.
func (r *Reader) Command(text string) {
	sh := r.sh
	text = command.Plain(text)
	sh.hidden(text)
	sh.prints = sh.prints || prints(text)
	sh.traps = &traps{}
	sh.script(text)
	sh.ends()
	if sh.fifo { // data may flow in a circle: the last write is read first
		sh.script(text)
	}
}

// Vector reads a program with its arguments.
func (r *Reader) Vector(args []string) { r.sh.simple(command.Lits(args...)) }

// Code reads text in one of the languages that Script of command.Host accepts.
func (r *Reader) Code(lang, text string) { r.sh.run(lang, command.Text(text)) }

// Later reads text of a file that something else runs later. Only what is certain counts.
func (r *Reader) Later(lang, text, path string) {
	h := &host{sh: r.sh}
	h.Script(lang, command.Stream{Text: text, Seen: true}, command.Run{Scan: true, Task: true, Origin: path})
}

// Read reads a file.
func (r *Reader) Read(path string) {
	r.sh.open(command.Lit(path))
}

// Search prints the lines of the files below a folder that match a pattern.
func (r *Reader) Search(folder, pattern string) {
	command.NewCall(&host{sh: r.sh}, nil, "", nil, command.Stream{}).Search(command.Lit(folder), command.Lit(pattern))
}

// Write writes content to a file; t describes how.
func (r *Reader) Write(path, content string, t umpire.Trait) {
	w := command.Lit(path)
	abs, p := r.sh.Path(w)
	r.sh.Emit(umpire.Operation{Kind: umpire.Write, Resource: abs, Places: p, Traits: t})
	r.sh.Store(w, command.Text(content))
}

// Edit replaces parts of a file: old and now are pairs. For settings of a coding agent, Edit
// applies the pairs to the file on disk, because an edit can replace a part of a word.
func (r *Reader) Edit(path string, old, now []string) { r.sh.edited(path, old, now) }

// Delete removes a file or tree.
func (r *Reader) Delete(path string, t umpire.Trait) {
	abs, p := r.sh.Path(command.Lit(path))
	r.sh.Emit(umpire.Operation{Kind: umpire.Delete, Resource: abs, Places: p, Traits: t})
}

// Network contacts the host of a URL.
func (r *Reader) Network(url string, t umpire.Trait) {
	command.NewCall(&host{sh: r.sh}, nil, "", nil, command.Stream{}).Net(command.Lit(url), t, 0)
}
