package code

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Kind is the type of an Effect.
type Kind uint8

// The kinds of effects.
const (
	Delete       Kind = iota // removes the file Arg
	Write                    // writes Data to the file Arg
	ReadFile                 // reads the file Arg
	Network                  // contacts Arg, a URL or host:port, with Data
	Shell                    // runs Arg as a shell command, Data on its standard input
	Exec                     // runs the vector Args, Data on its standard input
	Eval                     // evaluates code that is unknown, or comes from a doubtful origin
	EnvDump                  // prints or sends the whole environment
	ReverseShell             // connects a shell to a remote party
	Kill                     // sends a signal to the process Arg
	Bomb                     // starts processes without bound
	SQL                      // runs the statement Arg, on the SQLite file Args[0] if there is one
	Mongo                    // runs the method Arg on a document database
	Infra                    // destroys a remote resource: Arg is "noun name"
	Chdir                    // changes the working directory for later effects
	Listen                   // waits for connections
	Source                   // runs the file Arg as code of the same language
	Unlink                   // removes one file, and no folder
	Browse                   // opens Arg in another program
	Link                     // makes Arg a link to Args[0]
	Import                   // runs the module at the address Arg
	Setenv                   // sets the environment variable Args[0] to Arg, for later effects
)

// Effect is one action of a program.
type Effect struct {
	Kind   Kind
	Arg    command.Word
	Args   []command.Word
	Data   command.Stream
	Traits umpire.Trait
	Whole  bool // the program has no condition, so names of a listing in Arg stand for all of it
}

// Empties reports whether the effect leaves a file without content.
func (e *Effect) Empties() bool {
	return e.Kind == Write && e.Traits&umpire.Truncate != 0 && e.Data.Seen && e.Data.Text == ""
}

// Env is the environment that a reading may consult.
type Env struct {
	Getenv func(name string) (command.Word, bool)
	Stdin  command.Stream
	Args   []command.Word // the program's arguments
	// Importer is the program that loads this one, if only what it calls counts. Empty means that
	// every function counts.
	Importer string
	// Modules returns the file of the project that an import of a name loads, or nil. May be nil.
	Modules func(name string) *Module
	// Do is called for each effect in order, and returns its result: the output of a command, the
	// content of a file. May be nil.
	Do func(Effect) command.Stream
}

// Result has the effects and the output of a program.
type Result struct {
	Effects []Effect
	Out     command.Stream
}

// Bounds. The text comes from an adversary, so nesting, work and findings are bounded; a program
// that exceeds a bound gets an Eval of unknown code.
const (
	maxText    = 64 << 10
	maxDepth   = 32
	maxSteps   = 200000
	maxEffects = 500
	maxAlts    = 8
	maxValue   = 32 << 10
	maxOut     = 64 << 10
	maxItems   = 256 // items of a list that are read one by one
	maxList    = 4096
	maxVars    = 2000
)

// Read returns the effects of text in a language: python, js, perl, ruby, php, lua, awk, r, groovy,
// applescript, vim, ed and their usual other names.
func Read(lang, text string, env Env) Result {
	m := &machine{tables: allTables, env: env, inTaint: env.Stdin.Taint, vars: map[string]value{}, funcs: map[string]*function{}, loaded: map[*Module]*machine{}}
	m.l = m.languageOf(lang)
	long := len(text) > maxText
	switch {
	case long && m.l.is("go", "rust"): // an adversary can pad the source of a program
		text, _ = Excerpt(text)
	case long:
		text = text[:maxText]
		m.exhausted()
	}
	in := env.Stdin
	m.selects = selects(m.l, text)
	m.whole = !selects(m.l, fileTests().ReplaceAllString(text, ""))
	m.listed = in.Lists() && in.Seen && in.Taint&command.Picked == 0 && strings.Count(in.Text, "\n") <= maxAlts && !m.selects
	switch m.l.name {
	case "vim":
		m.vim(text)
	case "ed":
		m.ed(text)
	case "applescript":
		m.applescript(text)
	case "lisp":
		m.lisp(text)
	case "go", "rust":
		m.program(flat(text))
	case "", "c":
		for _, part := range strings.Split(text, "#include \"")[1:] {
			if name, _, ok := strings.Cut(part, "\""); ok && m.l.is("c") && m.step() {
				m.generic(m.effect(Effect{Kind: Source, Arg: command.Lit(name)}).Text)
			}
		}
		m.generic(text)
	default:
		switch lang {
		case "elixir":
			text = strings.ReplaceAll(text, "!(", "(") // rm! is rm that raises an error
		case "scala":
			text = strings.NewReplacer(" !=", " !=", ".!!", ".execute()", ".!", ".execute()", " !", ".execute()", " #| ", ` + " | " + `, " #&& ", ` + " && " + `).Replace(text)
		case "java":
			text = javaArrays(text)
		}
		m.program(text)
		if lang == "elixir" || lang == "scala" { // also read calls that the table does not describe
			m.l.expands = true
			m.generic(text)
		}
	}
	if m.socket != "" && m.bare != "" && !slices.ContainsFunc(m.effects, func(e Effect) bool { return e.Kind == ReverseShell }) {
		m.effect(Effect{Kind: ReverseShell, Arg: command.Lit(m.socket)})
	}
	if long {
		m.exhausted()
	}
	return Result{Effects: m.effects, Out: m.output()}
}

// language defines how a program is split into tokens, and which calls it may contain.
type language struct {
	name    string
	hash    bool // # comments
	hashes  bool // #= and =# comments
	slashes bool // // and /* */
	dashes  bool // --
	regexp  bool // /re/ is a literal
	sigils  string
	interp  byte
	opens   string // brackets that begin an expression in a literal, with the character before or after them
	bare    bool   // calls need no parentheses
	expands bool   // file names may contain ~ and variables
	scopes  string // prefixes of names that only show where the name is defined
	calls   *table
	call    func(*machine, *call) (value, bool) // reads a call that calls describes, under the name used there
}

//go:noinline
func (l *language) is(names ...string) bool { return slices.Contains(names, l.name) }

// languageOf returns the language with a name, which may end in a version. Languages without a
// table are read by name.
func languageOf(lang string) *language {
	switch strings.TrimRight(strings.ToLower(lang), "0123456789.") {
	case "python", "pypy", "py", "jython":
		return &language{name: "python", hash: true, scopes: "builtins. __builtins__. __builtin__. globals(). locals(). vars(). sys.modules. __main__.", calls: &pythonCalls}
	case "js", "node", "nodejs", "javascript", "deno", "bun", "ts", "typescript":
		return &language{name: "js", slashes: true, regexp: true, interp: '$', opens: "${", scopes: "globalThis. global. window. self. process.mainModule.require.", calls: &jsCalls, call: jsCall}
	case "perl":
		return &language{name: "perl", hash: true, regexp: true, sigils: "$@%&", interp: 'p', opens: "@{ ${", bare: true, calls: &perlCalls, call: perlCall}
	case "ruby", "irb", "jruby":
		return &language{name: "ruby", hash: true, regexp: true, sigils: "$@", interp: '#', opens: "#{", bare: true, scopes: "Kernel. Object. Process.Kernel.", calls: &rubyCalls}
	case "php":
		return &language{name: "php", hash: true, slashes: true, sigils: "$", interp: 'p', opens: "{$", scopes: `\`, calls: &phpCalls, call: phpCall}
	case "lua", "luajit":
		return &language{name: "lua", dashes: true, bare: true, scopes: "_G.", calls: &luaCalls}
	case "vimscript": // the calls in a Vim expression, read as Lua
		return &language{name: "lua", dashes: true, bare: true, expands: true, scopes: "_G.", calls: &luaCalls}
	case "awk", "gawk", "mawk", "nawk":
		return &language{name: "awk", hash: true, regexp: true, calls: &awkCalls}
	case "r", "rscript":
		return &language{name: "r", hash: true, scopes: "base.", calls: &rCalls}
	case "groovy", "gradle", "jshell", "java", "kotlin", "scala":
		return &language{name: "groovy", slashes: true, interp: '$', opens: "${", calls: &groovyCalls}
	case "julia":
		return &language{name: "julia", hash: true, hashes: true, interp: 'j', opens: "$( #{", calls: &juliaCalls}
	case "tcl", "tclsh", "elixir":
		return &language{name: "julia", hash: true, interp: 'j', opens: "$( #{", calls: &juliaCalls}
	case "applescript", "osascript":
		return &language{name: "applescript", dashes: true}
	case "go", "golang":
		return &language{name: "go", slashes: true, calls: &goCalls, call: compiledCall}
	case "rust", "rs":
		return &language{name: "rust", slashes: true, calls: &rustCalls, call: compiledCall}
	case "lisp", "elisp":
		return &language{name: "lisp", expands: true, calls: &lispCalls}
	case "vim", "ex", "vi", "nvim", "view":
		return &language{name: "vim", expands: true}
	case "ed":
		return &language{name: "ed"}
	case "c":
		return &language{name: "c"} // no table: calls are read by name, and ~ has no meaning
	}
	return &language{expands: true} // calls are read by name alone
}

// tables are shared by all languages. A machine gets them as a field, because rows name functions
// that look up rows: package variables would have an initialization cycle.
type tables struct {
	languageOf                         func(string) *language
	values, texts, clients, names, vim *table
}

var allTables = tables{languageOf, &valueCalls, &textCalls, &clientCalls, &namedCalls, &vimFunctions}

// machine is the state of a program at one point of the reading.
type machine struct {
	tables
	l         *language
	env       Env
	vars      map[string]value
	shared    map[string]bool // variables that also have another name, so their values are unknown
	funcs     map[string]*function
	regions   []*region   // the parts of the program around the current statement
	declaring bool        // a declaration of names is read
	unnamed   []*function // functions of JavaScript
	effects   []Effect
	out       strings.Builder
	outT      command.Taint
	printed   bool
	inTaint   command.Taint
	selects   bool   // a condition of the program may take only some of what it reads
	listed    bool   // standard input has a few names of a listing, and the program takes all of them
	whole     bool   // the program has no condition, as Effect.Whole says
	inserted  string // text that an editor inserts, up to the line with a dot
	socket    string // address of the open connection, if there is one
	bare      string // a shell runs that obeys its standard input
	netfd     bool   // the descriptor of the connection became standard input or output
	class     string // the class of Python whose methods are read
	classes   []string
	loaded    map[*Module]*machine // the modules that were read, of all programs that import them
	inner     bool                 // the code is a module's
	reflects  bool                 // the code may replace what a module has, in ways that are not followed
	depth     int
	steps     int
	over      bool
	muted     bool // code is read that has another reading: it has no effects, and defines nothing anew
	endless   bool // the program contains an endless loop
	forked    bool // the program contains a process that multiplies
}

type function struct {
	toks   []token
	params []parameter
	expr   bool
	called bool
	calls  int
	home   *machine  // the module that defines it, if another program calls it
	before *function // with the same name, which a branch may not replace
}

func (m *machine) effect(e Effect) command.Stream {
	if m.muted {
		return command.Unseen(0)
	}
	if len(m.effects) >= maxEffects {
		m.exhausted()
		return command.Stream{}
	}
	if e.Kind != Delete && e.Kind != Unlink && !e.Empties() {
		e.Arg.Text = strings.ReplaceAll(e.Arg.Text, command.Entry, umpire.Hole)
		for i, w := range e.Args {
			e.Args[i].Text = strings.ReplaceAll(w.Text, command.Entry, umpire.Hole)
		}
	}
	e.Whole = m.whole
	m.effects = append(m.effects, e)
	if m.env.Do == nil {
		return command.Unseen(0)
	}
	return m.env.Do(e)
}

func (m *machine) exhausted() {
	if m.over {
		return
	}
	m.over = true
	if m.inner { // a module is long, as many are
		return
	}
	e := Effect{Kind: Eval, Arg: command.Word{Text: umpire.Hole}, Traits: umpire.Obfuscated | umpire.UnseenCode | umpire.Unknown}
	m.effects = append(m.effects, e)
	if m.env.Do != nil {
		m.env.Do(e)
	}
}

func (m *machine) step() bool {
	if m.steps++; m.steps > maxSteps {
		m.exhausted()
	}
	return !m.over
}

func (m *machine) enter() bool {
	if m.depth >= maxDepth {
		m.exhausted()
		return false
	}
	m.depth++
	return true
}

func (m *machine) leave() { m.depth-- }

func (m *machine) print(v value, newline bool) {
	m.printed = true
	m.outT |= v.taint
	if m.out.Len() < maxOut {
		m.out.WriteString(v.text())
		if newline {
			m.out.WriteByte('\n')
		}
	}
	if v.ref == refEnv {
		m.effect(Effect{Kind: EnvDump})
		m.outT |= command.FromEnv
	}
}

func (m *machine) output() command.Stream {
	if !m.printed {
		return command.Stream{Seen: true, Pipe: true, Taint: m.outT}
	}
	return command.Stream{Text: m.out.String(), Seen: true, Pipe: true, Taint: m.outT}
}

// program reads a whole text in the machine's language.
func (m *machine) program(text string) value {
	if !m.enter() {
		return unknown()
	}
	defer m.leave()
	p := &parser{m: m, t: lex(m.l, text)}
	m.reflects = m.reflects || m.l.is("python") && slices.ContainsFunc(p.t, func(t token) bool {
		return t.kind == tName && anyof.Listed("__dict__ __builtins__ attrgetter eval exec getattr globals modules setattr vars", t.text)
	})
	if len(p.t) >= maxTokens {
		m.exhausted()
	}
	v := p.statements()
	if m.depth == 1 {
		m.callbacks()
	}
	return v
}

// callbacks reads the functions that the program never calls, because other code may call them.
func (m *machine) callbacks() {
	if m.env.Importer != "" {
		m.importerCalls()
		return
	}
	for range 3 {
		var todo []*function
		for _, name := range m.order() {
			todo = append(todo, m.funcs[name])
		}
		todo = append(todo, m.unnamed...)
		todo = slices.DeleteFunc(todo, func(f *function) bool { return f.called })
		if len(todo) == 0 {
			return
		}
		for _, f := range todo {
			m.apply(f, nil)
		}
	}
}

// importerCalls makes the calls of functions that the importing program makes. Each counts as the
// module has it first: the importer may give its names and those of a library another meaning in this
// machine, and has its own in the run. Then it counts with the importer's arguments. Effects outside of
// functions are left to the reading of that program itself.
func (m *machine) importerCalls() {
	for _, name := range m.order() {
		if strings.Contains(m.env.Importer, strings.TrimPrefix(name, ".")+"(") {
			m.apply(m.funcs[name], nil)
		}
	}
	m.muted = true
	m.program(m.env.Importer)
	m.muted = false
}

// order returns the functions by name, for a stable result.
func (m *machine) order() []string {
	return slices.SortedFunc(maps.Keys(m.funcs), func(a, b string) int { // teardown runs after the tests of a class
		late := func(s string) int { return strings.Count(strings.ToLower(s), "teardown") }
		return cmp.Or(late(a)-late(b), strings.Compare(a, b))
	})
}

// eval runs a value as code of the program's language.
func (m *machine) eval(v value) value {
	if v.fn != nil {
		return m.apply(v.fn, nil)
	}
	if v.ref == refCode || v.ref == refText {
		v.ref = ""
	}
	if v.taint&(command.FromNetwork|command.FromDecoder) != 0 || !v.known() {
		t := command.When(!v.known(), umpire.UnseenCode|umpire.Unknown)
		m.effect(Effect{Kind: Eval, Arg: v.word(), Traits: t})
	}
	out := unknown()
	for _, a := range v.all() {
		if strings.Trim(a, " \n\t;") != umpire.Hole {
			out = m.program(a)
		}
	}
	out.taint |= v.taint
	return out
}

// apply runs a function of the program.
func (m *machine) apply(f *function, args []value) value { return m.applyTo(f, args, value{}) }

// applyTo runs a function with arguments; kw has those that are passed by name. The zero value as
// kw means that other code calls the function, with arguments that the program does not show.
func (m *machine) applyTo(f *function, args []value, kw value) value {
	if f.home != nil && f.home != m {
		for _, a := range append(slices.Clip(args), kw) {
			m.own(a)
		}
		v := f.home.own(f.home.applyTo(f, args, kw))
		if v.module == nil && len(v.alts) == 0 && !v.seq && v.fn == nil {
			v.module, v.object = f.home, true
		}
		return v
	}
	if f.calls > 2 || !m.enter() {
		return unknown()
	}
	defer m.leave()
	defer func(was bool) { m.muted = was }(m.muted)
	m.muted = false
	f.called = true
	f.calls++
	defer func() { f.calls-- }()
	base := len(m.regions)
	defer m.leaveRegions(base)
	defer func(was bool) { m.declaring = was }(m.declaring)
	m.declaring = false
	given := m.bind(f, args, kw)
	p := &parser{m: m, t: f.toks}
	r := m.enterRegion(aBody, p, len(p.t))
	r.maybe = kw.keys == nil // nor does the program show whether the other code calls it
	r.stops = p.leaves(len(p.t))
	saved := map[string]held{}
	give := func(name string, v value) {
		old, set := m.vars[name]
		saved[name] = held{old, set}
		m.vars[name] = v
	}
	for i, x := range f.params {
		if x.pattern != nil {
			m.destructure(x.pattern, given[i], x.rest == "[")
			continue
		}
		if x.name != "require" || !m.l.is("js") || i < len(args) { // a module loader passes Node's own require
			give(x.name, given[i])
		}
	}
	if m.l.is("perl") {
		give("$_", listOf(args))
		if len(args) == 1 {
			m.vars["$_"] = args[0]
		}
		give("$_args", listOf(args))
	}
	var v value
	if f.expr {
		v = p.expression(0)
	} else {
		v = p.statements()
	}
	if p.returned != nil {
		v = *p.returned
	}
	m.leaveRegions(base + 1)
	for name, old := range saved {
		delete(r.before, name)
		m.restore(name, old)
	}
	if f.before != nil {
		v = either(v, m.applyTo(f.before, args, kw))
	}
	return v
}
