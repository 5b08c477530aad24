package shell

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

type function struct {
	body     *syntax.Stmt
	before   *function // what the name may still mean
	perhaps  bool      // its definition may not have run
	exported bool      // export -f: shells that this one starts have it
}

func (sh *shell) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		if !sh.step() {
			return
		}
		sh.stmt(s)
		sh.settle()
	}
}

// condition reads the list before a then or do. What runs next does so only if its last command
// succeeds; the caller settles the list afterwards.
func (sh *shell) condition(list []*syntax.Stmt) {
	if len(list) == 0 {
		return
	}
	last := len(list) - 1
	sh.stmts(list[:last])
	sh.stmt(list[last])
}

// stmt reads one statement with its redirections.
func (sh *shell) stmt(s *syntax.Stmt) {
	if s == nil || !sh.step() || !sh.enter() {
		return
	}
	defer sh.leave()
	run := sh
	if s.Background || s.Coprocess {
		run = sh.clone() // the caller does not see its changes
		run.forks++
	}
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		was := sh.made.node
		sh.made.node = call
		run.everywhere(func(sh *shell) { sh.call(call, s.Redirs) })
		sh.made.node = was
		return
	}
	if s.Cmd == nil {
		run.everywhere(func(sh *shell) { sh.eachCombination(func() { sh.redirected(s.Redirs, nil, func() {}) }) })
		return
	}
	run.redirected(s.Redirs, s.Cmd, func() { run.command(s.Cmd) })
}

// silent reports whether a command prints nothing to any descriptor.
func silent(cmd syntax.Command) bool {
	prints := false
	if cmd != nil {
		syntax.Walk(cmd, func(n syntax.Node) bool {
			call, ok := n.(*syntax.CallExpr)
			prints = prints || ok && len(call.Args) > 0 && !anyof.Equal(call.Args[0].Lit(), ":", "true", "false")
			return !prints
		})
	}
	return !prints
}

func (sh *shell) command(cmd syntax.Command) {
	switch c := cmd.(type) {
	case nil:
	case *syntax.Block:
		sh.stmts(c.Stmts)
	case *syntax.Subshell:
		sh.clone().stmts(c.Stmts)
	case *syntax.BinaryCmd:
		sh.binary(c)
	case *syntax.IfClause:
		sh.ifClause(c)
	case *syntax.WhileClause:
		was := sh.took
		sh.took = false
		sh.condition(c.Cond)
		sh.bomb(c.Do, endless(c))
		b := sh.loop()
		b.stdin.Spent = b.stdin.Spent || sh.took
		sh.took = was
		b.stmts(c.Do)
		sh.settle()
		sh.mergeBranches(false, b)
	case *syntax.ForClause:
		sh.forClause(c)
	case *syntax.CaseClause:
		sh.caseClause(c)
	case *syntax.FuncDecl:
		if list, ok := c.Body.Cmd.(*syntax.BinaryCmd); ok {
			sh.command(besideBody(c, list))
			return
		}
		names := c.Names
		if c.Name != nil {
			names = append(names, c.Name)
		}
		for _, n := range names {
			sh.funcs[n.Value] = function{body: c.Body}
			if calledByZsh(n.Value) {
				sh.loop().stmt(c.Body)
			}
		}
	case *syntax.ArithmCmd:
		sh.arith(c.X)
	case *syntax.TestClause:
		sh.test(c.X)
	case *syntax.DeclClause:
		sh.declare(c)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			sh.arith(x)
		}
	case *syntax.TimeClause:
		sh.stmt(c.Stmt)
	case *syntax.CoprocClause:
		// COPROC[1] leads to its input, COPROC[0] to its output.
		name := "COPROC"
		if c.Name != nil {
			name = sh.one(c.Name).Text
		}
		sh.vars[name] = variable{array: true, elems: command.Lits("62", "63")}
		sub, stmt := sh.clone(), c.Stmt
		if stmt.Cmd == nil && c.Name != nil { // coproc sh <<< text: the parser takes sh for a name
			named := *stmt
			named.Cmd = &syntax.CallExpr{Args: []*syntax.Word{c.Name}}
			stmt = &named
		}
		sh.fds[62] = &file{data: command.Unseen(0)}
		sh.fds[63] = &file{proc: func(s command.Stream) { sub.stdin = s; sub.stmt(stmt) }}
		first := sh.clone()
		first.stdin = command.Stream{Pipe: true}
		first.stmt(stmt)
	case *syntax.CallExpr:
		sh.call(c, nil)
	}
}

// besideBody returns a list that the parser took for the body of a function. Only its first command
// is the body: f(){ :; } && rm -rf x
func besideBody(f *syntax.FuncDecl, list *syntax.BinaryCmd) *syntax.BinaryCmd {
	first, whole := *f, *list
	first.Body = list.X
	whole.X = &syntax.Stmt{Position: list.X.Position, Cmd: &first}
	return &whole
}

// branch returns a shell for a part of the program that may not run.
func (sh *shell) branch() *shell {
	b := sh.clone()
	b.maybe = true
	return b
}

// loop returns a shell for a part of the program that is read once but may run many times.
func (sh *shell) loop() *shell {
	b := sh.branch()
	b.repeats = true
	return b
}

// binary runs a pipeline or an and-or list. Both sides count, also one that a shell may skip: an
// attacker chooses the condition.
func (sh *shell) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		// A pipeline is left-associative: the left side may be a pipeline itself.
		var data command.Stream
		left := sh.clone()
		left.forks++
		left.out = &data
		left.onlyCounted = left.onlyCounted || onlyCounted(c.X, c.Y) || sh.onlyNames(c.X, c.Y)
		left.unshown = left.unshown || unshown(c.X, c.Y)
		left.narrow = left.narrow || narrows(c.X, c.Y)
		delete(left.fds, 1) // the left side does not get a redirection of the whole pipeline
		left.stmt(c.X)
		data.Pipe = true
		if w := words(c.Y); counts(w) && sh.funcs[w[0]].body == nil {
			data.Taint &^= command.FromEnv
		}
		right := sh.clone()
		right.forks++
		right.stdin = data
		delete(right.fds, 0)
		right.stmt(c.Y)
		if w := words(c.Y); len(w) > 0 && w[0] == "read" { // zsh, ksh and bash with lastpipe run it in this shell
			sh.mayBe(right)
		}
	case syntax.AndStmt:
		sh.stmt(c.X)
		defer sh.knows(c.X)()
		defer sh.assumeMissing([]*syntax.Stmt{c.X}, true)()
		sh.goOn()
		if isCommand(c.X, "false") {
			sh.otherwise(nil, c.Y)
			return
		}
		if sh.certain(c.X) {
			sh.stmt(c.Y)
			return
		}
		skipped := sh.aside()
		sh.maySkip(skipped, false)
		sh.fillIn(c.X, true)
		sh.stmt(c.Y)
		v, own := sh.vars[emptyTested(c.X)]
		switch {
		case own && skipped.vars[emptyTested(c.X)].isEmpty():
			skipped.vars[emptyTested(c.X)] = v // test -z "$X" && X=y: skipped only if X has a value
		case sh.leaves(c.Y):
			skipped.fillIn(c.X, false)
			sh.fillIn(c.X, false) // what follows runs only if the left side failed
		}
	case syntax.OrStmt:
		before := sh.skips
		sh.skips = nil
		sh.stmt(c.X)
		if sh.leaves(c.Y) {
			sh.skips = nil // what follows runs only if all of the left side did
			defer sh.fillIn(c.X, true)
		}
		sh.goOn()
		defer sh.assumeMissing([]*syntax.Stmt{c.X}, false)()
		b := sh.otherwise(c.X, c.Y)
		for _, s := range sh.skips { // the right side ran there
			maps.Copy(s.state.vars, changedVariables(sh.vars, b.vars))
		}
		sh.skips = append(before, sh.skips...)
	}
}

// otherwise reads the right side of ||, which usually does not run, and returns the state after it.
func (sh *shell) otherwise(test, s *syntax.Stmt) *shell {
	b := sh.branch()
	b.fillIn(test, false)
	b.stmt(s)
	b.settle()
	was := maps.Clone(sh.vars)
	sh.fillIn(test, true)
	dir, others := sh.dir, sh.others
	sh.mergeBranches(false, b)
	sh.dir, sh.others = dir, others
	b.vars = changedVariables(was, b.vars)
	return b
}

// changedVariables returns the variables that differ from what they were.
func changedVariables(was, is map[string]variable) map[string]variable {
	changed := map[string]variable{}
	for name, v := range is {
		if old, had := was[name]; !had || !sameVariable(old, v) {
			changed[name] = v
		}
	}
	return changed
}

func isCommand(s *syntax.Stmt, names ...string) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) != 1 || s.Negated {
		return false
	}
	lit := c.Args[0].Lit()
	return slices.Contains(names, lit[strings.LastIndexByte(lit, '/')+1:])
}

func (sh *shell) ifClause(c *syntax.IfClause) {
	var branches []*shell
	cur, otherwise := sh, false
	for e := c; e != nil; e = e.Else {
		cur.condition(e.Cond)
		otherwise = len(e.Cond) == 0
		b := cur.branch()
		switch {
		case !otherwise:
			b.fillIn(e.Cond[len(e.Cond)-1], true)
		case c.Else == e: // after an elif, which may set the variable, the first test says nothing
			b.fillIn(c.Cond[len(c.Cond)-1], false)
		}
		forget := b.assumeMissing(e.Cond, true)
		b.stmts(e.Then)
		forget()
		branches = append(branches, b)
		if e.Else != nil {
			defer cur.assumeMissing(e.Cond, false)()
		}
	}
	sh.settle()
	sh.mergeBranches(otherwise, branches...)
	if n := len(c.Then); c.Else == nil && n > 0 && sh.leaves(c.Then[n-1]) {
		sh.fillIn(c.Cond[len(c.Cond)-1], false)
	}
}

// forClause reads the body of a for loop once for each item, up to maxItems. The body may not run
// at all.
func (sh *shell) forClause(c *syntax.ForClause) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		items := sh.params
		if l.InPos.IsValid() {
			items = sh.expand(l.Items)
		}
		if len(items) == 0 && l.InPos.IsValid() {
			return
		}
		b := sh.loop()
		for i, it := range items {
			if i >= maxItems {
				it = command.Lit(umpire.Hole)
			}
			it.Found = it.Found || it.Glob
			b.set(l.Name.Value, it)
			b.stmts(c.Do)
			if i >= maxItems || !sh.step() {
				break
			}
		}
		if len(items) == 0 {
			b.set(l.Name.Value, command.Lit(umpire.Hole))
			b.stmts(c.Do)
		}
		runs := l.InPos.IsValid() && items[0].Known() && !items[0].Glob
		sh.mergeBranches(runs, b)
	case *syntax.CStyleLoop:
		sh.arith(l.Init)
		sh.arith(l.Cond)
		sh.bomb(c.Do, l.Cond == nil)
		b := sh.loop()
		for _, x := range []syntax.ArithmExpr{l.Init, l.Post} {
			if n := assigned(x); n != "" {
				b.set(n, command.Lit(umpire.Hole))
			}
		}
		b.stmts(c.Do)
		b.arith(l.Post)
		sh.mergeBranches(false, b)
	}
}

func assigned(x syntax.ArithmExpr) string {
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		if w, ok := x.X.(*syntax.Word); ok {
			return w.Lit()
		}
	case *syntax.UnaryArithm:
		if w, ok := x.X.(*syntax.Word); ok {
			return w.Lit()
		}
	}
	return ""
}

// endless reports whether a loop's condition is always true.
func endless(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	s := c.Cond[0]
	yes := false
	switch x := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(x.Args) == 0 {
			return false
		}
		lit := x.Args[0].Lit()
		switch lit[strings.LastIndexByte(lit, '/')+1:] {
		case "true", ":":
			yes = true
		case "false":
			return c.Until != s.Negated
		case "[", "test":
			yes = len(x.Args) > 1 && x.Args[1].Lit() != "" && !strings.HasPrefix(x.Args[1].Lit(), "-") && len(x.Args) <= 3
		default:
			return false
		}
	case *syntax.ArithmCmd:
		w, ok := x.X.(*syntax.Word)
		yes = ok && w.Lit() != "" && w.Lit()[0] >= '1' && w.Lit()[0] <= '9'
	case *syntax.TestClause:
		w, ok := x.X.(*syntax.Word)
		yes = ok && w.Lit() != ""
	}
	return yes && c.Until == s.Negated
}

// bomb reports an endless loop that starts something in the background in every round and does not
// wait for it.
func (sh *shell) bomb(body []*syntax.Stmt, endless bool) {
	if !endless {
		return
	}
	spawns := false
	for _, s := range body {
		if isCommand(s, "wait") {
			if spawns {
				return
			}
			continue
		}
		if c, ok := s.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 && c.Args[0].Lit() == "sleep" {
			return
		}
		syntax.Walk(s, func(n syntax.Node) bool {
			if st, ok := n.(*syntax.Stmt); ok && st.Background {
				spawns = true
			}
			_, isFunc := n.(*syntax.FuncDecl)
			return !isFunc
		})
		if spawns && onlySubshell(s) {
			// A wait outside the subshell does not wait for jobs inside it.
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "while true", Traits: umpire.ResourceBomb | umpire.Bulk})
			return
		}
	}
	if spawns {
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "while true", Traits: umpire.ResourceBomb | umpire.Bulk})
	}
}

func onlySubshell(s *syntax.Stmt) bool {
	_, ok := s.Cmd.(*syntax.Subshell)
	return ok && !s.Background
}

func (sh *shell) test(x syntax.TestExpr) {
	switch x := x.(type) {
	case *syntax.Word:
		sh.one(x)
	case *syntax.ParenTest:
		sh.test(x.X)
	case *syntax.BinaryTest:
		for _, side := range []syntax.TestExpr{x.X, x.Y} {
			if w, ok := side.(*syntax.Word); ok && comparesNumbers(x.Op) {
				sh.evaluate(sh.one(w).Text)
				continue
			}
			sh.test(side)
		}
	case *syntax.UnaryTest:
		if w, ok := x.X.(*syntax.Word); ok && x.Op == syntax.TsVarSet {
			sh.subscript(sh.one(w).Text)
			return
		}
		sh.test(x.X)
	}
}

// comparesNumbers reports whether both sides of an operator are arithmetic.
func comparesNumbers(op syntax.BinTestOperator) bool {
	switch op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		return true
	}
	return false
}

// capture runs statements in a subshell and returns their output.
func (sh *shell) capture(list []*syntax.Stmt) command.Word {
	if !sh.enter() {
		return command.Lit(umpire.Hole)
	}
	defer sh.leave()
	var data command.Stream
	c := sh.clone()
	c.pick = sh.pick
	c.out = &data
	c.onlyCounted = c.onlyCounted || sh.loading && !sh.prints && len(list) == 1 && plainFilters(list[0])
	c.loading = false
	if sh.loading && len(list) == 1 && plainFilters(list[0]) {
		defer sh.loadersIn(len(sh.ops))
	}
	delete(c.fds, 1)
	if len(list) == 1 && list[0].Cmd == nil && len(list[0].Redirs) == 1 && list[0].Redirs[0].Op == syntax.RdrIn {
		// $(<file) prints the file.
		w := sh.one(list[0].Redirs[0].Word)
		data = c.open(w)
	} else {
		c.stmts(list)
	}
	return streamWord(data)
}

func streamWord(s command.Stream) command.Word {
	if s = s.Words(); s.Seen {
		if s.Lists() { // zsh splits at a NUL; bash drops it, which joins two names
			s.Text = strings.ReplaceAll(s.Text, "\x00", "\n")
		}
		return command.Word{Text: strings.TrimRight(s.Text, "\n"), Taint: s.Taint}
	}
	if !s.Pipe && s.Taint == 0 {
		return command.Word{} // it printed nothing
	}
	return command.Word{Text: umpire.Hole, Taint: s.Taint}
}

// emitOut adds a stream to the output that out collects.
func emitOut(out *command.Stream, s command.Stream) {
	if out == nil || !s.Pipe && !s.Seen && s.Taint == 0 {
		return
	}
	empty := !out.Pipe && !out.Seen
	switch {
	case empty:
		*out = s
		out.Pipe = true
	case out.Seen && s.Seen && len(out.Text)+len(s.Text) < maxText:
		out.Text += s.Text
		out.Taint |= s.Taint
	case len(out.Text)+len(s.Text) < maxText:
		*out = command.Stream{Text: out.Text + s.Text, Taint: out.Taint | s.Taint, Pipe: true} // may have names of a listing
	default:
		*out = command.Unseen(out.Taint | s.Taint)
	}
}

// print delivers standard output.
func (sh *shell) print(s command.Stream) {
	if sh.fresh {
		s.Taint &^= command.FromEnv
	}
	f, ok := sh.fds[1]
	if !ok {
		sh.shows(s)
		emitOut(sh.out, s)
		return
	}
	f.put(sh, s)
}

// put delivers output to a file: to the pipe or capture behind it, to a process, to a host, or to
// the disk.
func (f *file) put(sh *shell, s command.Stream) {
	s.Pipe = true
	f.many = f.many && s.Seen && s.Text == ""
	switch {
	case f.out != nil:
		emitOut(f.out, s)
	case f.proc != nil:
		f.proc(s)
	case f.host != "":
		t := command.When(s.Taint&(command.FromSecret|command.FromEnv) != 0, umpire.Exfiltration|umpire.CarriesSecret)
		sh.Emit(umpire.Operation{Kind: umpire.Network, Resource: f.host, Traits: t | umpire.Upload})
	case f.word.Text != "":
		sh.tainted(f.word, s.Taint, umpire.Append)
		s.After = f.app
		sh.Store(f.word, s)
		f.app = true
	}
}

// procSubst runs <(cmd) or >(cmd) and returns a path for it.
func (sh *shell) procSubst(p *syntax.ProcSubst) string {
	name := "/dev/fd/" + strconv.Itoa(100+len(sh.files))
	sub := sh.clone()
	sub.forks++
	if p.Op == syntax.CmdIn {
		var data command.Stream
		sub.out = &data
		delete(sub.fds, 1)
		sub.stmts(p.Stmts)
		data.Pipe = true
		sh.files[name] = data
		return name
	}
	stmts := p.Stmts
	first := sub.clone()
	first.stdin = command.Stream{Pipe: true}
	first.stmts(stmts)
	sh.files[name] = command.Stream{}
	sh.fds[fdOf(name)] = &file{proc: func(s command.Stream) {
		c := sub.clone()
		c.stdin = s
		c.stmts(stmts)
	}}
	return name
}

// fdOf returns the descriptor that a path such as /dev/fd/3 names, or -1.
func fdOf(p string) int {
	for _, prefix := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"} {
		if s, ok := strings.CutPrefix(p, prefix); ok {
			if n, err := strconv.ParseUint(s, 10, 16); err == nil {
				return int(n)
			}
			return -1
		}
	}
	switch p {
	case "/dev/stdin":
		return 0
	case "/dev/stdout":
		return 1
	case "/dev/stderr":
		return 2
	}
	return -1
}

// tainted emits that private data, or data from elsewhere, is written to a file.
func (sh *shell) tainted(w command.Word, taint command.Taint, t umpire.Trait) {
	if taint&(command.FromSecret|command.FromEnv) != 0 {
		t |= umpire.CarriesSecret
	}
	if taint&command.FromNetwork != 0 {
		t |= umpire.FromNetwork
	}
	if t&(umpire.CarriesSecret|umpire.FromNetwork) == 0 {
		return
	}
	if abs, p := sh.Path(w); p&umpire.PlaceNull == 0 {
		sh.Emit(umpire.Operation{Kind: umpire.Write, Resource: abs, Places: p, Traits: t})
	}
}
