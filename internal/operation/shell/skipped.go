package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// A shell goes on behind a list of which only the beginning ran: TEST && RUN=echo; $RUN rm -rf x.
// The adversary chooses the test, or the folder of a cd that fails. So what the rest of the list
// changes holds only perhaps: each later command is read with both values, and in both folders.

// skip is a state with which a shell may go on because the rest of a list did not run.
type skip struct {
	state *shell
	fails bool // the state after a command that failed: under set -e the shell ends
}

// maySkip records that the rest of the current list may not run.
func (sh *shell) maySkip(state *shell, fails bool) {
	if n := len(sh.skips); n == maxAlts {
		sh.skips[n-1].state.mayBe(state)
		return
	}
	sh.skips = append(sh.skips, skip{state, fails})
}

// settle ends a list: the states in which it may have stopped become possible.
func (sh *shell) settle() {
	skips := sh.skips
	sh.skips = nil
	for _, s := range skips {
		if !s.fails || !sh.errexit {
			sh.mayBe(s.state)
		}
	}
}

// goOn records that set -e does not end the shell: it does not before && and ||.
func (sh *shell) goOn() {
	for i := range sh.skips {
		sh.skips[i].fails = false
	}
}

// aside returns a copy of the shell for a reading whose output nobody gets.
func (sh *shell) aside() *shell {
	c := sh.clone()
	c.out = &command.Stream{}
	return c
}

// mayBe makes the state of another shell a possible one.
func (sh *shell) mayBe(o *shell) {
	sh.shifted = sh.shifted || o.shifted || !slices.Equal(sh.params, o.params)
	for name, v := range sh.vars {
		old, had := o.vars[name]
		w, known := command.Word{}, false
		if !had {
			w, known = o.outside(name)
		}
		switch {
		case name == localsKey || had && sameVariable(v, old):
			continue
		case v.array || old.array:
			old.mix(v)
			v = old
		case known:
			v.alts = union([]command.Word{w}, v.alts)
		default:
			v.perhaps = v.perhaps || old.perhaps || len(old.alts) == 0
			v.alts = union(old.alts, v.alts)
		}
		sh.vars[name] = v
	}
	for name, old := range o.vars {
		if _, ok := sh.vars[name]; !ok {
			old.perhaps = true
			sh.vars[name] = old
		}
	}
	for name, f := range sh.funcs {
		if old, had := o.funcs[name]; !had {
			f.perhaps = true
			sh.funcs[name] = f
		} else if old.body != f.body {
			f.before = &old
			sh.funcs[name] = f
		}
	}
	sh.filled = inBoth(sh.filled, o.filled)
	sh.mayBeIn(append(slices.Clip(o.others), o.dir)...)
}

func sameVariable(a, b variable) bool {
	same := func(x, y command.Word) bool { return x.Text == y.Text && x.Taint == y.Taint && x.Filled == y.Filled }
	return a.array == b.array && a.perhaps == b.perhaps && slices.EqualFunc(a.alts, b.alts, same) && slices.EqualFunc(a.elems, b.elems, same)
}

// mix makes the elements of another variable possible ones.
func (v *variable) mix(o variable) {
	all := slices.Clip(v.elems)
	if !v.array {
		if all = slices.Clip(v.alts); len(all) == 0 {
			all = append(all, command.Word{}) // it may not be set
		}
	}
	if all = append(all, o.elems...); !o.array {
		all = append(all, o.alts...)
	}
	if len(all) > maxFields {
		all = append(all[:maxFields], command.Word{Text: umpire.Hole, Marks: command.Marks{Many: true}})
	}
	v.elems, v.array, v.mixed = all, true, true
	v.alts, v.keys = nil, nil
}

// maxOthers bounds the other folders in which a command may run.
const maxOthers = 4

// mayBeIn records that the shell may be in other folders.
func (sh *shell) mayBeIn(dirs ...string) {
	for _, d := range dirs {
		switch {
		case d == sh.dir || slices.Contains(sh.others, d):
		case len(sh.others) == maxOthers:
			sh.exceeds("folders in which a command may run")
		default:
			sh.others = append(slices.Clip(sh.others), d)
		}
	}
}

// everywhere reads a command in each folder in which the shell may be.
func (sh *shell) everywhere(read func(*shell)) {
	if len(sh.others) == 0 {
		read(sh)
		return
	}
	before, others := sh.aside(), sh.others
	sh.others = nil
	read(sh)
	for _, dir := range others {
		c := before.aside()
		c.dir, c.others, c.elsewhere = dir, nil, true
		read(c)
		sh.mayBeIn(c.dir)
	}
}

// enterFolder changes to a folder, as cd does. A cd that fails changes nothing.
func (sh *shell) enterFolder(to command.Word, fails bool) {
	if fails || sh.lacksFolder(to) {
		if sh.elsewhere {
			return // this reading follows the disk
		}
		sh.maySkip(sh.aside(), true)
	}
	sh.chdir(to)
}

// lacksFolder reports whether the disk has no such folder, or a file in its place, and nothing in this call seems to make it.
func (sh *shell) lacksFolder(w command.Word) bool {
	if !w.Known() || w.Glob || !sh.local() {
		return false
	}
	abs, _ := sh.Path(w)
	if !sh.isMissing(abs) {
		i, known := sh.paths.view.Stat(abs)
		return known && i.Kind != disk.Folder
	}
	within := func(dir string) bool { return dir == abs || strings.HasPrefix(dir, abs+"/") }
	for _, dirs := range sh.made.pending {
		if slices.ContainsFunc(dirs, within) {
			return false
		}
	}
	for key := range sh.defs {
		if dir, ok := strings.CutPrefix(key, command.MadePath); ok && within(dir) {
			return false
		}
	}
	for i := range sh.ops {
		op := &sh.ops[i]
		switch {
		case op.Kind == umpire.Write && (op.Traits&umpire.Unknown != 0 || within(op.Resource) || strings.HasPrefix(abs, op.Resource+"/") && op.Traits&umpire.Recursive != 0):
			return false
		case op.Kind == umpire.Exec && op.Traits&umpire.Described == 0 && strings.Contains(op.Resource, path.Base(abs)):
			return false // cmake -B build; cargo new build
		}
	}
	return true
}

// certain reports whether a command can hardly fail, so that what follows it with && runs.
func (sh *shell) certain(s *syntax.Stmt) bool {
	if s.Negated || s.Background || len(s.Redirs) > 0 {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && sh.certain(c.X) && sh.certain(c.Y)
	case *syntax.DeclClause:
		return c.Variant.Value == "export" && sh.certainValues(c.Args)
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return sh.certainValues(c.Assigns)
		}
		name := c.Args[0].Lit()
		if sh.funcs[name].body != nil {
			return false
		}
		// A cd that may fail records so itself.
		return anyof.Equal(name, "true", ":", "echo") || name == "cd" && len(c.Args) == 2 && c.Args[1].Lit() != ""
	}
	return false
}

// certainValues reports whether assignments succeed: no command in them can fail, and no variable is
// read-only.
func (sh *shell) certainValues(list []*syntax.Assign) bool {
	for _, a := range list {
		if a.Name == nil || sh.vars[a.Name.Value].fixed {
			return false
		}
		fails := false
		if a.Value != nil {
			syntax.Walk(a.Value, func(n syntax.Node) bool {
				switch n.(type) {
				case *syntax.CmdSubst, *syntax.ArithmExp:
					fails = true
				}
				return !fails
			})
		}
		if fails || a.Array != nil || a.Index != nil {
			return false
		}
	}
	return true
}

// leaves reports whether what follows a command does not run after it: exit, return.
func (sh *shell) leaves(s *syntax.Stmt) bool {
	if s.Background || slices.ContainsFunc(s.Redirs, func(r *syntax.Redirect) bool { return r.Op != syntax.DplOut }) {
		return false // a redirection that fails keeps it from running
	}
	switch c := s.Cmd.(type) {
	case *syntax.Block:
		return len(c.Stmts) > 0 && sh.leaves(c.Stmts[len(c.Stmts)-1])
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && sh.certain(c.X) && sh.leaves(c.Y)
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			return false
		}
		name := c.Args[0].Lit()
		if _, other := sh.aliases[name]; other {
			return false
		}
		if f := sh.funcs[name]; f.body != nil {
			return f.before == nil && !f.perhaps && f.body.Cmd != s.Cmd && leavesDirectly(f.body)
		}
		return name == "exit" || name == "return" && len(sh.calls) > 0
	}
	return false
}

// leavesDirectly reports whether the body of a function ends with exit.
func leavesDirectly(body *syntax.Stmt) bool {
	b, ok := body.Cmd.(*syntax.Block)
	if !ok || len(b.Stmts) == 0 {
		return false
	}
	c, ok := b.Stmts[len(b.Stmts)-1].Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && c.Args[0].Lit() == "exit" && len(b.Stmts[len(b.Stmts)-1].Redirs) == 0
}

// isEmpty reports whether a variable has no value, or an empty one.
func (v variable) isEmpty() bool {
	return !v.array && !slices.ContainsFunc(v.alts, func(w command.Word) bool { return w.Text != "" })
}

// emptyTested returns the variable that a command tests to be empty: [ -z "$X" ].
func emptyTested(s *syntax.Stmt) string {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || len(c.Args) < 3 || c.Args[1].Lit() != "-z" || !anyof.Equal(c.Args[0].Lit(), "[", "test") || len(c.Args) > 4 {
		return ""
	}
	return onlyVariable(c.Args[2])
}
