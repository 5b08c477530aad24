package shell

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Reader reads what tools other than a shell do, with everything the interpreter knows:
// a tool that takes an argument vector, a statement or code is read as the shell reads
// the program of that name.
type Reader struct{ sh *shell }

// NewReader starts in env's working directory.
func NewReader(env Env) *Reader { return &Reader{newShell(env)} }

// Operations are all that was read so far, in order.
func (r *Reader) Operations() []umpire.Operation { return r.sh.ops }

// Emit adds an operation that needs no reading.
func (r *Reader) Emit(op umpire.Operation) { r.sh.Emit(op) }

// Quiet names the first of the shell's own commands that was run, if nothing but such
// commands was, and none that later command lines could notice.
func (r *Reader) Quiet() string {
	if r.sh.loud || r.sh.shadowed || len(r.sh.funcs) > 0 {
		return ""
	}
	for n, v := range r.sh.vars {
		if command.Influential(n, v.exported) {
			return ""
		}
	}
	return r.sh.quiet
}

// Chdir changes the folder that what follows happens in.
func (r *Reader) Chdir(dir string) {
	if dir != "" {
		r.sh.chdir(command.Lit(dir))
	}
}

// Command reads a bash command line.
func (r *Reader) Command(text string) {
	sh := r.sh
	sh.hidden(text)
	sh.prints = sh.prints || prints(text)
	sh.script(text)
	if sh.fifo { // data may run in a circle: what was written last is read first
		sh.script(text)
	}
}

// Vector reads a program with its arguments.
func (r *Reader) Vector(args []string) { r.sh.simple(command.Lits(args...)) }

// Code reads text in one of the languages of command.Host's Script.
func (r *Reader) Code(lang, text string) { r.sh.run(lang, command.Text(text)) }

// Read reads a file.
func (r *Reader) Read(path string) {
	r.sh.open(command.Lit(path))
}

// Write writes content to a file; t says how.
func (r *Reader) Write(path, content string, t umpire.Trait) {
	w := command.Lit(path)
	abs, p := r.sh.Path(w)
	r.sh.Emit(umpire.Operation{Kind: umpire.Write, Resource: abs, Places: p, Traits: t})
	r.sh.Store(w, command.Text(content))
}

// Removed notes what an edit of a file takes away, beside what it puts there. Lines that
// name umpire in a coding agent's settings are its hook.
func (r *Reader) Removed(path, old, now string) {
	abs, p := r.sh.Path(command.Lit(path))
	if p&umpire.PlaceAgentConfig != 0 && p&umpire.PlaceAgentRules == 0 && strings.Count(old, "umpire") > strings.Count(now, "umpire") {
		r.sh.Emit(umpire.Operation{Kind: umpire.Sandbox, Resource: "agent-hooks replace " + abs, Traits: umpire.SelfTamper})
	}
}

// Delete removes a file or tree.
func (r *Reader) Delete(path string, t umpire.Trait) {
	abs, p := r.sh.Path(command.Lit(path))
	r.sh.Emit(umpire.Operation{Kind: umpire.Delete, Resource: abs, Places: p, Traits: t})
}

// Network contacts the host of a URL.
func (r *Reader) Network(url string, t umpire.Trait) {
	command.NewCall(&host{sh: r.sh}, nil, "", nil, command.Stream{}).Net(command.Lit(url), t, 0)
}
