package shell

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/classify"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/projectfile"
)

// call reads a simple command: assignments, words, redirections.
func (sh *shell) call(c *syntax.CallExpr, redirs []*syntax.Redirect) {
	if len(c.Args) == 0 {
		sh.eachCombination(func() { sh.redirected(redirs, nil, func() {}) })
		for _, a := range c.Assigns {
			sh.assign(a, false)
		}
		return
	}
	if len(c.Args) == 1 && c.Args[0].Lit() == "exec" {
		sh.opened = nil
		sh.redirect(redirs)
		for _, to := range sh.opened { // exec 3> f in a loop empties each file, whatever is printed later
			if to.many {
				sh.empties(to)
			}
		}
		return
	}
	if glob, ok := c.Args[0].Parts[0].(*syntax.ExtGlob); ok && glob.Op == syntax.GlobExcept {
		sh.clone().script(glob.Pattern.Value) // !(list) is a list with inverted status, unless extglob is set
	}
	counted := sh.onlyCounted
	defer func() { sh.onlyCounted = counted }()
	sh.eachCombination(func() {
		sh.sized = sh.countsInput(c, redirs)
		sh.onlyCounted = counted || sh.sized
		sh.redirected(redirs, c, func() {
			sh.onlyCounted, sh.sized = counted, false
			sh.loading = len(c.Args) > 2 && c.Args[0].Lit() == "env" && c.Args[len(c.Args)-1].Lit() != ""
			args := sh.expand(c.Args)
			sh.loading = false
			if len(c.Assigns) == 0 {
				sh.simple(args)
				return
			}
			sh.withAssigns(c.Assigns, func() { sh.simple(args) })
		})
	})
}

// simple runs a command whose words are expanded.
func (sh *shell) simple(args []command.Word) {
	if len(args) == 0 || !sh.step() {
		return
	}
	// If the first word may expand to nothing, the next one is the command.
	if args[0].Text == umpire.Hole && len(args) > 1 {
		sh.unknownProgram(args)
		c := sh.clone()
		if lang := projectfile.SourceLanguage(args[1].Text); lang != "" && lang != "sh" { // of an interpreter
			if s := c.File(args[1]); s.Seen && !sh.task { // a compiler of the project's may read it, too
				(&host{sh: c}).Script(lang, s, command.Run{Via: args[1].Text, Args: args[2:], File: &args[1]})
			}
			return
		}
		c.simple(args[1:])
		return
	}
	name := args[0].Text
	if len(name) > 1 && name[0] == '=' && command.Lookup(name[1:]) != nil { // =name is the path of a program in zsh
		args = append([]command.Word{args[0].With(name[1:])}, args[1:]...)
		name = name[1:]
	}
	if text, ok := sh.aliases[name]; ok && !slices.Contains(sh.calls, "alias "+name) {
		if command.Lookup(name) != nil { // bash expands no alias in a script, and none in the line that defines it
			plain := sh.aside()
			plain.aliases = nil
			plain.simple(args)
		}
		c := sh
		c.calls = append(c.calls, "alias "+name)
		rest := args[1:]
		for len(rest) > 0 && strings.HasSuffix(text, " ") { // zsh and bash expand the next word as an alias, too
			next, ok := sh.aliases[rest[0].Text]
			if !ok {
				break
			}
			text, rest = text+next, rest[1:]
		}
		c.script(text + " " + command.Quote("", rest))
		c.calls = c.calls[:len(c.calls)-1]
		return
	}
	if f, ok := sh.funcs[name]; ok {
		sh.callFunction(name, f, args[1:])
		for old := f.before; old != nil; old = old.before {
			sh.aside().callFunction(name, *old, args[1:])
			f.perhaps = f.perhaps || old.perhaps
		}
		if f.perhaps {
			plain := sh.aside()
			delete(plain.funcs, name)
			plain.simple(args)
		}
		return
	}
	if b := builtin(name); b != nil {
		sh.quiet = cmp.Or(sh.quiet, name)
		sh.loud = sh.loud || !quietBuiltin(args) || (name == "echo" || name == "printf") && fromKey(args)
		b(sh, args)
		return
	}
	sh.program(args)
}

// fromKey reports whether a word contains a credential from the environment: printing it shows it
// to the model.
func fromKey(args []command.Word) bool {
	return slices.ContainsFunc(args, func(w command.Word) bool { return w.Taint&(command.FromKey|command.FromLikelyKey) != 0 })
}

// callFunction reads the body of a function with arguments. It reads a recursive call once.
func (sh *shell) callFunction(name string, f function, args []command.Word) {
	n := 0
	for _, b := range sh.bodies {
		if b == f.body {
			n++
		}
	}
	if n > 0 {
		// A recursive function that runs in the background multiplies without end.
		if sh.forks > 0 {
			sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: name, Traits: umpire.ResourceBomb | umpire.Bulk})
		}
		if n > 1 {
			return
		}
	}
	if !sh.enter() {
		return
	}
	defer sh.leave()
	params, calls, bodies, forks, filled := sh.params, sh.calls, sh.bodies, sh.forks, sh.filled
	repeats, shifted := sh.repeats, sh.shifted
	sh.repeats, sh.shifted = repeats || n > 0, shifted || slices.ContainsFunc(args, func(w command.Word) bool { return w.Many })
	if n == 0 && len(calls) == 0 {
		sh.forks = 0
	}
	locals := map[string]variable{}
	outer := sh.vars
	sh.vars = make(map[string]variable, len(outer))
	maps.Copy(sh.vars, outer)
	sh.params, sh.calls = args, append(calls[:len(calls):len(calls)], name)
	sh.bodies = append(bodies[:len(bodies):len(bodies)], f.body)
	sh.vars[localsKey] = variable{}
	sh.stmt(f.body)
	// Local variables end with the function; other changes stay.
	for _, w := range sh.vars[localsKey].elems {
		locals[w.Text] = variable{}
	}
	delete(sh.vars, localsKey)
	for k := range locals {
		if v, ok := outer[k]; ok {
			sh.vars[k] = v
		} else {
			delete(sh.vars, k)
		}
	}
	if v, ok := outer[localsKey]; ok {
		sh.vars[localsKey] = v
	}
	sh.params, sh.calls, sh.bodies, sh.forks = params, calls, bodies, forks
	sh.repeats, sh.shifted = repeats, shifted
	sh.filled = inBoth(filled, sh.filled) // it may have returned before a test
}

// localsKey holds the names of a function's local variables. It is not a valid name, so no variable
// has it.
const localsKey = "\x00locals"

// unknownProgram reports a command whose program is unknown. Scripts often name programs by
// variables, such as $CC, so only the arguments make this serious.
func (sh *shell) unknownProgram(args []command.Word) {
	t := umpire.Unknown | codeTraits(args[0].Taint)
	if sh.namesRiskyPlace(args[1:]) {
		t |= umpire.UnseenCode
	}
	sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: command.Quote(args[0].Text, args[1:]), Traits: t})
}

// namesRiskyPlace reports whether an argument is a place where any program could do harm.
func (sh *shell) namesRiskyPlace(args []command.Word) bool {
	return slices.ContainsFunc(args, func(a command.Word) bool {
		if strings.HasPrefix(a.Text, "-") {
			return false
		}
		_, p := sh.Path(a)
		return p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceSystemTop|umpire.PlaceDevice|umpire.PlaceCredentials) != 0
	})
}

// codeTraits returns the traits of running code that has a taint.
func codeTraits(t command.Taint) (out umpire.Trait) {
	out |= command.When(t&command.FromNetwork != 0, umpire.RemoteCode)
	out |= command.When(t&command.Fetched != 0, umpire.UnseenCode)
	out |= command.When(t&command.FromDecoder != 0, umpire.DecodedCode)
	return out
}

// printsForever reports whether a program prints until its reader stops.
func printsForever(prog string, args []command.Word) bool {
	switch prog {
	case "yes":
		return true
	case "cat", "base64", "xxd", "od", "hexdump", "tee":
		for _, a := range args {
			if a.Text == "/dev/zero" || a.Text == "/dev/urandom" || a.Text == "/dev/random" {
				return true
			}
		}
	}
	return false
}

// fillsFile reports whether standard output is a file on disk.
func (sh *shell) fillsFile() bool {
	f, ok := sh.fds[1]
	if !ok || f.word.Text == "" {
		return false
	}
	_, p := sh.Path(f.word)
	return p&(umpire.PlaceNull|umpire.PlaceDevice) == 0
}

// program reads the start of a program: it identifies the program, and emits the start, the files
// that it runs, and the effects in its description.
func (sh *shell) program(args []command.Word) {
	if !sh.enter() {
		return
	}
	defer sh.leave()
	name := args[0]
	if to, ok := sh.renamedProgram(name); ok {
		sh.program(append([]command.Word{name.With(to)}, args[1:]...))
	}
	defer func(was bool) { sh.asLinks = was }(sh.asLinks)
	sh.recordLinks(base(name.Text), args[1:])
	name, prog, ok := sh.programName(args)
	if !ok {
		sh.print(command.Unseen(0))
		return
	}
	m, prog := sh.modelOf(prog)
	h := &host{sh: sh}
	c := command.NewCall(h, m, prog, args[1:], sh.stdin)
	t := sh.startTraits(c, name, prog, args[1:])
	if printsForever(prog, args[1:]) && sh.fillsFile() {
		sh.Emit(umpire.Operation{Kind: umpire.Exec, Resource: prog, Traits: umpire.ResourceBomb | umpire.Bulk})
	}
	users, confirmed, complete := sh.described(h, prog, args[1:])
	standard, own := sh.programOrigin(name)
	t |= h.classify(c, m == nil, name, standard, own, complete)
	resource := command.Quote(prog, args[1:])
	run := sh.dir + "\x00" + resource
	if sh.task && slices.Contains(sh.running, run) {
		return // a task that starts itself again
	}
	running := sh.running
	sh.running = append(running[:len(running):len(running)], run)
	defer func() { sh.running = running }()
	src := sh.source
	if sh.depth < 4 {
		sh.source = command.Quote(name.Text, args[1:])
	}
	exec := len(sh.ops)
	spelled := c.Spelled(0)
	emit := func(name, resource string) {
		op := umpire.Operation{Kind: umpire.Exec, Resource: resource, Traits: t &^ umpire.Recursive &^ umpire.Force}
		if words := command.ProgramWords(name); spelled != nil {
			op.Spelled = append(words, spelled...)
		} else if words[0] != name {
			for i := range args[1:] {
				words = append(words, args[1+i].Text)
			}
			op.Spelled = words
		}
		sh.Emit(op)
	}
	emit(prog, resource)
	if found := sh.programPath(name, prog); !standard && !own && sh.impostor(m, found) {
		emit(found.Text, command.Quote(found.Text, args[1:]))
	} else if at := sh.projectPath(m, found); at != "" {
		emit(at, command.Quote(at, args[1:]))
	}
	if prog == "mkfifo" || prog == "mknod" {
		sh.fifo = true
	}
	sh.runOwn(h, name, prog, args[1:])
	dir, from := sh.dir, len(sh.ops)
	sh.perform(c, m, args, confirmed, t&umpire.Described != 0)
	projectfile.Load(c, name)
	c.Compiles()
	sh.runCompiled(c, name)
	sh.knownTask(c, exec)
	for _, u := range users {
		c.Taints(sh.asDescribed(u, m == nil && confirmed, from))
		sh.dir = dir
	}
	for _, args := range c.Readings() {
		if sh.again++; sh.again > maxAgain { // nested doubts multiply the work
			sh.steps = maxSteps
			sh.step()
			break
		}
		c.Taints(sh.readAlternative(m, prog, args))
	}
	sh.source = src
	sh.print(h.output(c))
}

// classify returns the traits of what kind of program a call runs: one of the system (standard), one
// of the workspace (own), or one that only the user describes (complete).
func (h *host) classify(c *command.Call, undescribed bool, name command.Word, standard, own, complete bool) umpire.Trait {
	if !standard && !own {
		if undescribed && h.ownScript(name) && classify.Of(c).OwnScript() {
			return umpire.ProjectCode
		}
		return 0
	}
	n := classify.Of(c)
	t := n.Traits(own)
	switch {
	case !h.sh.narrow && dumps(command.Quote(c.Program, c.Args)):
		return 0
	case !undescribed:
	case own && builtHere(name.Text) && n.BuiltProgram():
		t |= umpire.ProjectCode
	case complete && !own:
		t |= umpire.Described
	case standard && n.OnlyLooks():
		t |= umpire.PlainRead
	}
	return t
}

// runOwn runs the file of the workspace that a program's name stands for, if there is one.
func (sh *shell) runOwn(h *host, name command.Word, prog string, args []command.Word) {
	if strings.Contains(name.Text, "/") || windowsProgram(name.Text) {
		h.runPath(name, args)
	} else if file, ok := sh.inPath(prog); ok {
		h.runPath(file, args)
	} else if file, ok := sh.ownProgram(prog); ok {
		h.runPath(file, args)
	}
}

// programName returns the name as far as it is known, and the program that it most likely starts.
// It also reads the other programs that the name may mean. It returns false if the program is
// unknown.
func (sh *shell) programName(args []command.Word) (name command.Word, prog string, ok bool) {
	name = args[0]
	prog = base(name.Text)
	if lies, ok := strings.CutPrefix(name.Text, command.Installed); ok && lies == prog && !strings.Contains(prog, umpire.Hole) {
		name.Text = prog // the output of which, type or command -v
	} else if !name.Known() {
		bare := strings.ReplaceAll(prog, umpire.Hole, "")
		if name.Found { // find prints paths below the folder; the program is probably directly in it
			if near := name.Near(); near.Known() {
				(&host{sh: sh}).runPath(near, args[1:])
			}
		}
		if f, ok := sh.funcs[bare]; ok && f.body != nil {
			sh.clone().simple(append([]command.Word{name.With(bare)}, args[1:]...))
		}
		if prog == umpire.Hole || bare == "" || command.Lookup(bare) == nil {
			sh.unknownProgram(args)
			return name, "", false
		}
		if sh.namesRiskyPlace(args[1:]) {
			sh.unknownProgram(args)
		}
		prog = bare // ${x}rm is rm where x is empty
	}
	if as := sh.calledAs(name); as != "" {
		prog = as
	}
	if name.Glob {
		for i, p := range sh.matchingPrograms(name.Text) {
			if i == 0 {
				prog = p
				continue
			}
			sh.clone().program(append([]command.Word{name.With(p)}, args[1:]...))
		}
	}
	return name, prog, true
}

// modelOf finds the description of a program, and the program's name there. On macOS, where the
// file system ignores case, RM is rm.
func (sh *shell) modelOf(prog string) (*command.Model, string) {
	if m := command.Lookup(prog); m != nil {
		return m, prog
	}
	if l := strings.ToLower(prog); l != prog {
		if m := command.Lookup(l); m != nil && (m.Style&command.CaseFold != 0 || strings.HasPrefix(sh.env.Map.Home, "/Users/")) {
			return m, l
		}
	}
	return nil, prog
}

// knownTask marks the operation at index exec, the start of a task that is named after a
// deployment, as project code if all that the task starts is known: then its name says nothing
// more.
func (sh *shell) knownTask(c *command.Call, exec int) {
	if exec+1 >= len(sh.ops) || !classify.Of(c).NamesDeployment() {
		return
	}
	starts := false
	for _, op := range sh.ops[exec+1:] {
		program, _, _ := strings.Cut(op.Resource, " ")
		switch {
		case op.Traits&(umpire.Unknown|umpire.UnseenCode) != 0:
			return
		case op.Kind != umpire.Exec || op.Resource == sh.ops[exec].Resource:
		case op.Origin == "" || op.Traits&(umpire.Described|umpire.ProjectCode) == 0 && command.Lookup(program) == nil:
			return
		default:
			starts = true
		}
	}
	if starts {
		sh.ops[exec].Traits |= umpire.ProjectCode
	}
}

// startTraits returns the traits of the start itself, which apply to any program.
func (sh *shell) startTraits(c *command.Call, name command.Word, prog string, args []command.Word) umpire.Trait {
	t := c.Traits | codeTraits(name.Taint)
	t |= command.When(sh.netfds && command.IsShell(prog), umpire.RemoteShell)
	t |= command.When(c.Opens(), umpire.Interactive)
	t |= command.When(slices.ContainsFunc(args, func(a command.Word) bool { return !a.Known() }), umpire.Unknown)
	return t
}

// perform reads the call by the program's description. Without a description it guesses, unless a
// file of the user describes the program (confirmed).
func (sh *shell) perform(c *command.Call, m *command.Model, args []command.Word, confirmed, described bool) {
	dir, from := sh.dir, len(sh.ops)
	if m != nil {
		c.Perform()
		if m.Style&command.CaseFold == 0 { // a cmdlet runs in the shell, but a program changes only its own folder
			sh.dir = dir
		}
		quiet := len(sh.ops) == from
		if quiet && !described {
			c.Undescribed(3)
		}
		if !c.Inert() && !slices.ContainsFunc(sh.ops[from:], func(o umpire.Operation) bool { return len(o.Via) > len(sh.via) }) { // it has not started another program
			c.Handed(quiet)
		}
		sh.leftovers(c, from)
		return
	}
	c.Handed(true)
	if !confirmed {
		c.Undescribed(2)
		c.RunsAddress()
		sh.leftovers(c, from)
	}
	for _, handler := range []string{"command_not_found_handle", "command_not_found_handler"} {
		if f, ok := sh.funcs[handler]; ok { // the program may be missing
			sh.callFunction(handler, f, args)
		}
	}
}

// leftovers reads the words of a call that no operation since the one at index from shows.
func (sh *shell) leftovers(c *command.Call, from int) {
	if !slices.ContainsFunc(sh.ops[from:], func(o umpire.Operation) bool { return o.Kind != umpire.Read }) { // no operation says what the program changes
		c.Edits()
	}
	c.Leftovers(sh.mentions(from), classify.Of(c).Described())
}

// output returns the output of the call: its own, and that of the programs that it starts.
func (h *host) output(c *command.Call) command.Stream {
	out := c.Output()
	if !h.nested.Pipe && !h.nested.Seen && h.nested.Taint == 0 {
		return out
	}
	if h.ran && !out.Seen {
		out.Text = "" // the names that it reads are printed by what it ran, or not at all
	}
	emitOut(&h.nested, out)
	if c.Answered() || out.Lists() {
		return h.nested
	}
	h.nested.Taint |= out.Taint
	if h.only.Pipe {
		only := h.only
		only.Taint |= c.Out.Taint
		return only
	}
	return h.nested
}

// described reads the call by the descriptions in policy files. confirmed means that a file of the
// user describes it, so nothing is guessed; complete means that the description lists all effects.
func (sh *shell) described(h *host, prog string, args []command.Word) (calls []*command.Call, confirmed, complete bool) {
	if sh.env.Programs == "" {
		return nil, false, false
	}
	ds, ok := sh.programs[prog]
	if !ok {
		ds = command.Describing(sh.env.Programs, prog)
		if sh.programs == nil {
			sh.programs = map[string][]*command.Described{}
		}
		sh.programs[prog] = ds
	}
	for _, d := range ds {
		c := command.NewCall(h, d.Model, prog, args, sh.stdin)
		calls = append(calls, c)
		confirmed, complete = confirmed || d.Vouches(c), complete || d.Whole(c)
	}
	return calls, confirmed, complete
}

// asDescribed performs a call by a description from a policy file, and returns the taint of its
// output. Such a description adds to the built-in one.
func (sh *shell) asDescribed(c *command.Call, exact bool, from int) command.Taint {
	c.Perform()
	if exact {
		sh.leftovers(c, from)
	}
	t := c.Out.Taint
	for _, args := range c.Readings() {
		if sh.again++; sh.again > maxAgain {
			sh.steps = maxSteps
			sh.step()
			break
		}
		t |= sh.readAlternative(c.Top(), c.Program, args)
	}
	return t
}

// maxOwnProgram bounds scripts in folders of PATH inside the workspace, in bytes. Longer ones are
// installed programs, which are trusted.
const maxOwnProgram = 8 << 10

// readAlternative reads another possible meaning of the program's arguments, and returns the taint
// of its output.
func (sh *shell) readAlternative(m *command.Model, prog string, args []command.Word) command.Taint {
	alt := sh.clone()
	alt.maybe = true
	h := &host{sh: alt}
	c := command.NewCall(h, m, prog, args, sh.stdin)
	c.Perform()
	return c.Output().Taint | h.nested.Taint
}
