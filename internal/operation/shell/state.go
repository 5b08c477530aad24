package shell

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// Bounds on one reading. An adversary controls the text, so everything that grows with it is
// bounded; a reading that exceeds a bound gets an operation with the trait Unknown.
const (
	maxText      = 256 << 10 // bytes of one script
	maxSteps     = 20000     // commands and word parts that are read
	maxOps       = 2000
	maxDepth     = 100  // nested interpretation: eval, sh -c, functions, substitutions, tasks that start tasks
	maxAlts      = 8    // possible values kept for one variable
	maxWorlds    = 16   // readings of one command with different values
	maxFields    = 4096 // words one command can have
	maxValue     = 64 << 10
	maxItems     = 24 // loop items that are read one by one
	maxAgain     = 64 // second readings of command lines with undescribed options
	maxStrange   = 64 // texts that are completed because they do not parse, and doubtful comments
	maxGuesses   = 3
	maxFragments = 1024    // fragments of text that does not parse
	maxReads     = 1024    // files on the disk that are looked up
	maxBytes     = 4 << 20 // total size of these files
	maxFolders   = 1024    // folders listed
	maxMade      = 256     // links, definitions and moved files of one call
	maxWritten   = 1024    // files that one call writes
	maxOrigin    = 400     // bytes of an operation's Origin
)

// Env is the environment that a reading may consult.
type Env struct {
	Map      place.Map
	Getenv   func(name string) (string, bool) // nil: only HOME, PWD, TMPDIR, USER are known
	ReadFile func(path string) ([]byte, bool) // returns the content of a file, bounded; may be nil
	// Peek is like ReadFile, for the text of a file that the call only appends to. ReadFile follows as
	// soon as the call uses the text. May be nil.
	Peek     func(path string) ([]byte, bool)
	Disk     *disk.View                 // where paths lead; nil: not known
	Session  Session                    // earlier calls of the session; nil: not known
	Programs string                     // descriptions of programs from policy files, as command.Encode writes them
	ReadDir  func(path string) []string // returns the names in a folder, bounded; may be nil
	// Ran is called for each program that runs on this machine. It may be nil. The origin is that of the
	// operation: "" if the command itself runs the program. The variables are those that were set and that
	// may change what the program does.
	Ran func(dir, origin string, variables []string)
}

// Read returns the operations of a bash command line.
func Read(text string, env Env) []umpire.Operation {
	r := NewReader(env)
	r.Command(text)
	return r.Operations()
}

// wild is a folder where the command wrote files of unknown names, with the taints of their
// content.
type wild struct {
	folder string
	end    string // of their names, in lower case
	taint  command.Taint
}

// isNamed reports whether the known end of the names fits a path.
func (w wild) isNamed(abs string) bool {
	return strings.Contains(strings.ToLower(abs)+"/", w.end+"/") // it may be a folder
}

// maxFetched bounds the folders of a call whose files came from elsewhere.
const maxFetched = 64

// world is the state that a shell shares with all its subshells: the operations, and the file
// system.
type world struct {
	programs             map[string][]*command.Described // from policy files, by name
	env                  Env
	ops                  []umpire.Operation
	seen                 map[opKey]struct{}
	files                map[string]command.Stream
	links                map[string]string         // made by this command
	defs                 map[string][]command.Word // what this command defined, by key
	trees                []string                  // folders that this command downloaded as a whole
	made                 made
	moved                map[string]umpire.Operation // files that this command moved here from elsewhere, by their new name
	wild                 []wild
	fifo                 bool
	steps                int
	again                int
	reading              map[string]struct{} // scripts that are being read
	sources              map[string]source   // long texts that parsed, by text
	completions          int                 // texts that were completed
	doubtful             map[string]struct{} // here-documents that were read as commands
	depth                int
	over                 bool // a bound was hit
	paths                paths
	cache                map[string]onDisk   // files as they are on the disk, by path
	loaded               map[string]struct{} // modules that were read
	moduleDirs           []string            // more folders with modules
	bundles              int                 // long JavaScript programs that were read
	modules, moduleBytes int
	lists                map[string][]string // names in folders on the disk, by path
	bytes                int                 // total size of the files that were read

	prints   bool   // the command line may print the values of variables
	shadowed bool   // a name may start another program than usual
	quiet    string // the first builtin that ran
	loud     bool   // something ran or was defined that may affect later calls
}

type opKey struct {
	kind     umpire.Kind
	resource string
	traits   umpire.Trait
	places   umpire.Place
	task     bool
}

// variable is a shell variable: one Word for each possible value, or the elements of an array.
type variable struct {
	alts     []command.Word
	elems    []command.Word
	keys     []string // of the elements that have an explicit key, "" for the others
	array    bool
	fixed    bool // readonly: it keeps its value
	mixed    bool // its elements are those of several possible arrays
	named    bool // declare -A: its keys are text
	exported bool
	passed   bool // given to a program that starts others
	integer  bool // declare -i: assigned values are evaluated
	lower    bool // declare -l
	upper    bool // declare -u
	ref      bool // declare -n: the value is the name of another variable
	perhaps  bool // it may be unset, because its assignment may not have run
}

// shell is one shell process.
type shell struct {
	*world
	vars        map[string]variable
	opened      []*file // that redirections of the current command opened
	took        bool    // the condition of a loop reads lines of the input
	funcs       map[string]function
	aliases     map[string]string
	params      []command.Word // $1 ...
	dir         string
	fds         map[int]*file
	out         *command.Stream // collects standard output; nil: no one reads it
	stdin       command.Stream
	via         []string
	traits      umpire.Trait
	mounts      []command.Mount
	inside      string         // the working folder in a container; "" is that of its image
	running     []string       // programs that are being run, with their folder
	calls       []string       // functions and aliases being run, outermost first
	bodies      []*syntax.Stmt // bodies of these functions; a name may be redefined in between
	forks       int            // number of enclosing constructs that run in the background or in a pipe
	pick        *chooser
	traps       *traps // nil: traps are read at once
	source      string
	perhaps     bool     // the expression may not be evaluated, so the values that it sets are unknown
	expressions int      // depth of values that are evaluated as arithmetic
	maybe       bool     // inside a branch that may not be taken
	repeats     bool     // inside a loop, a recursive call or a trap: variables may have other values than at the first run
	given       bool     // the script got arguments, all of them known
	shifted     bool     // the positional parameters may be others: a set or shift may have run
	skips       []skip   // states with which the shell may go on behind the current list
	others      []string // folders in which the shell may be instead
	elsewhere   bool     // this reads a command in such a folder
	errexit     bool     // set -e
	filled      []string // variables that this call did not set and that are not empty
	guesses     int      // depth of nested guesses
	guessed     bool     // the text that is read may not run at all
	netfds      bool     // a standard descriptor is a socket
	onlyCounted bool     // the files that are read are only counted or compared
	sized       bool     // only the size or the sum of the file on standard input is shown
	unshown     bool     // only names or numbers of a client's output are shown
	loading     bool     // the output of the substitution becomes environment variables
	asLinks     bool     // the program follows no links
	narrow      bool     // of the printed environment, only names or harmless settings are shown
	fresh       bool     // the environment is a new container's, and holds no values of the user
	alone       bool     // in a container that gets nothing of the user and ends with the command
	throwaway   bool     // statements are for a database in a container that this command line made
	far         bool     // statements are for a database on another machine
	tests       string   // statements go to a test database of this engine; "": they do not
	origin      string   // the command, and the place in a file, where the text stands
	file        string   // the path of the file with the text that is read
	task        bool     // a program read that file by default
	scan        bool     // much of it may not run: only certain operations count
	importer    string   // the program of the command line whose imports are read
	module      bool     // another program imports the code that is read
}

// file is an open file description.
type file struct {
	word command.Word // its path, if it has one
	host string       // host:port of a socket
	data command.Stream
	out  *command.Stream // a pipe or capture that collects the output
	proc func(command.Stream)
	app  bool
	many bool // it stands for many files, and nothing is printed into them so far
}

func newShell(env Env) *shell {
	w := &world{env: env, files: map[string]command.Stream{}, seen: map[opKey]struct{}{}, paths: paths{view: env.Disk}}
	sh := &shell{world: w, vars: map[string]variable{}, funcs: map[string]function{}, dir: env.Map.Dir, fds: map[int]*file{}}
	return sh
}

// clone returns a subshell: it starts with a copy of the state, and passes on only its operations,
// files and output.
func (sh *shell) clone() *shell {
	c := *sh
	c.vars = maps.Clone(sh.vars)
	c.funcs = maps.Clone(sh.funcs)
	c.aliases = maps.Clone(sh.aliases)
	c.fds = maps.Clone(sh.fds)
	c.via = slices.Clip(sh.via)
	c.calls = slices.Clip(sh.calls)
	c.bodies = slices.Clip(sh.bodies)
	c.pick, c.skips = nil, nil
	return &c
}

// mergeBranches merges the states of branches of which at most one has run. If one of them always
// runs, the variables that each of them sets are set.
func (sh *shell) mergeBranches(always bool, branches ...*shell) {
	fresh := map[string]int{}
	for _, b := range branches {
		for name := range b.vars {
			if _, had := sh.vars[name]; !had {
				fresh[name]++
			}
		}
	}
	for _, b := range branches {
		sh.mergeBranch(b)
	}
	for name, n := range fresh {
		if v := sh.vars[name]; name != localsKey && !v.array && (!always || n < len(branches)) {
			if _, known := sh.outside(name); !known {
				v.perhaps = true
				sh.vars[name] = v
			}
		}
	}
	for _, b := range branches {
		sh.filled = inBoth(sh.filled, b.filled)
	}
}

// mergeBranch merges the state of a branch that may have run.
func (sh *shell) mergeBranch(b *shell) {
	sh.shifted = sh.shifted || b.shifted || !slices.Equal(sh.params, b.params)
	for name, v := range b.vars {
		old, ok := sh.vars[name]
		switch {
		case !ok:
			if w, known := sh.outside(name); known {
				v.alts = union(v.alts, []command.Word{w})
			}
			sh.vars[name] = v
		case sameVariable(v, old):
		case v.array || old.array:
			old.mix(v)
			sh.vars[name] = old
		default:
			old.perhaps = old.perhaps || v.perhaps
			old.alts = union(old.alts, v.alts)
			sh.vars[name] = old
		}
	}
	for name, f := range b.funcs {
		if old, had := sh.funcs[name]; !had {
			f.perhaps = true
		} else if old.body != f.body {
			f.before = &old
		}
		sh.funcs[name] = f
	}
	for k, v := range b.aliases {
		sh.setAlias(k, v)
	}
	maps.Copy(sh.fds, b.fds)
	was := sh.dir
	sh.dir = b.dir
	sh.mayBeIn(append(slices.Clip(b.others), was)...)
}

func union(a, b []command.Word) []command.Word {
	a = slices.Clip(a)
	for _, w := range b {
		if i := slices.IndexFunc(a, func(x command.Word) bool { return x.Text == w.Text && x.Taint == w.Taint }); i < 0 {
			if len(a) >= maxAlts {
				return append(a[:maxAlts-1], command.Word{Text: umpire.Hole, Taint: w.Taint})
			}
			a = append(a, w)
		} else if a[i].Filled && !w.Filled {
			a = slices.Clone(a)
			a[i].Filled = false
		}
	}
	return a
}

// chooser enumerates the combinations of the possible values of the variables in one command.
type chooser struct {
	names []string
	index []int
	limit []int
}

func (c *chooser) choose(name string, n int) int {
	for i, x := range c.names {
		if x == name {
			return min(c.index[i], n-1)
		}
	}
	c.names = append(c.names, name)
	c.index = append(c.index, 0)
	c.limit = append(c.limit, n)
	return 0
}

func (c *chooser) next() bool {
	for i := range c.index {
		if c.index[i]++; c.index[i] < c.limit[i] {
			return true
		}
		c.index[i] = 0
	}
	return false
}

// last chooses the newest value of each variable.
func (c *chooser) last() {
	for i := range c.index {
		c.index[i] = c.limit[i] - 1
	}
}

// eachCombination runs f once for each combination of possible values.
func (sh *shell) eachCombination(f func()) {
	outer := sh.pick
	sh.pick = &chooser{}
	for n := 1; ; n++ {
		f()
		if sh.over || !sh.pick.next() {
			break
		}
		if n == maxWorlds {
			sh.pick.last() // each assignment ran
			f()
			sh.exceeds("values of variables")
			break
		}
	}
	sh.pick = outer
}

// step counts one unit of work and reports whether the reading may continue.
func (sh *shell) step() bool {
	if sh.steps++; sh.steps > maxSteps && !sh.over {
		sh.over = true
		sh.world.ops = append(sh.world.ops, umpire.Operation{Kind: umpire.Exec, Resource: beyond + umpire.Hole, Traits: umpire.Unknown | umpire.UnseenCode | umpire.Obfuscated})
	}
	return !sh.over
}

// beyond begins the resource of an operation that stands for what a bound of the reading cuts off.
const beyond = "more than umpire reads: "

// exceeds records that a reading was cut off: an adversary may hide a command behind the bound.
func (sh *shell) exceeds(what string) {
	sh.emit(umpire.Operation{Kind: umpire.Exec, Resource: beyond + what, Traits: umpire.Unknown | umpire.UnseenCode})
}

// enter counts one level of nesting and reports whether it is allowed; if so, the caller must call
// leave.
func (sh *shell) enter() bool {
	if sh.depth >= maxDepth {
		sh.steps = maxSteps
		sh.step()
		return false
	}
	sh.depth++
	return true
}

func (sh *shell) leave() { sh.depth-- }

// Emit implements command.Host.
func (sh *shell) Emit(op umpire.Operation) {
	op.Traits |= sh.traits
	op.Resource = command.Unlisted(op.Resource)
	if sh.scan && !certain(&op) {
		return
	}
	if op.Via == nil {
		op.Via = sh.via
	}
	if op.Kind == umpire.Read && op.Traits&umpire.Recursive != 0 && op.Traits&(umpire.Remote|umpire.Container) != 0 {
		_, own := sh.Path(command.Lit(op.Resource)) // the home there is another: it need not hold the user's keys
		op.Places &^= umpire.PlacePrivate &^ own
	}
	if b, ok := sh.paths.judged[op.Resource]; ok && op.Places == b.all {
		op.Places = b.spelled // the other face is a separate operation
	}
	if op.Kind == umpire.Delete && op.Places&umpire.PlaceInWorkspace != 0 && op.Traits&umpire.Container == 0 {
		if sh.leadsToBuilds(op.Resource) || sh.ignoredOutput(op.Resource) {
			op.Places |= umpire.PlaceGenerated
		}
		if op.Traits&umpire.Recursive != 0 && sh.singleFile(op.Resource) {
			op.Traits &^= umpire.Recursive
		}
	}
	sh.emit(op)
	sh.emitFaces(op)
}

// emit records an operation for one face of its path.
func (sh *shell) emit(op umpire.Operation) {
	if sh.env.Ran != nil && op.Kind == umpire.Exec && op.Traits&(umpire.Remote|umpire.Container) == 0 {
		sh.env.Ran(sh.dir, sh.origin, sh.influences())
	}
	if op.Kind == umpire.Delete && (sh.task || sh.projectScript()) && builds(op, sh.env.Map.Workspace) {
		op.Places = op.Places&^umpire.PlaceWorkspace | umpire.PlaceGenerated
	}
	if op.Kind == umpire.Delete && len(sh.moved) > 0 {
		sh.deleteMoved(op)
	}
	if op.Kind == umpire.Write && op.Traits&(umpire.Recursive|umpire.FromNetwork) == umpire.Recursive|umpire.FromNetwork && len(sh.trees) < maxFetched {
		sh.trees = append(sh.trees, op.Resource+"/")
	}
	if op.Kind == umpire.Delete && op.Traits&(umpire.Remote|umpire.Container) == 0 && op.Places&umpire.PlaceAgentHooks == 0 && sh.guardedBy(op.Resource, op.Places) {
		defer sh.Emit(umpire.Operation{Kind: umpire.Sandbox, Resource: "agent-hooks replace " + op.Resource, Traits: umpire.SelfTamper})
	}
	if op.Kind == umpire.Exec && op.Traits&(umpire.Container|umpire.Remote) != 0 && !sh.narrow && !sh.fresh && dumps(op.Resource) {
		op.Traits |= umpire.EnvDump
	}
	if op.Kind == umpire.Read && (sh.sized || sh.onlyCounted && op.Places&umpire.PlaceCredentials == 0) && op.Places&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
		op.Traits |= umpire.Inert
	}
	if f, ok := sh.fds[1]; (sh.unshown || ok && (f.word.Text == "/dev/null" || f.word.Text != "" && strings.HasSuffix(op.Resource, " reveal plan"))) && op.Kind == umpire.Infra && op.Traits&umpire.CarriesSecret != 0 {
		op.Traits |= umpire.Inert
	}
	if op.Kind == umpire.Write && op.Places&umpire.PlaceCredentials != 0 && op.Places&umpire.PlaceInWorkspace != 0 && (sh.env.ReadFile == nil || sh.exists(command.Lit(op.Resource))) {
		op.Traits |= umpire.Overwrite
	}
	if op.Kind == umpire.Write && (sh.made.absent[op.Resource] || op.Places&umpire.PlaceEnvFile != 0 && sh.isMissing(op.Resource)) {
		op.Traits &^= umpire.Overwrite
	}
	if op.Kind == umpire.Write && op.Places&umpire.PlaceEnvFile != 0 && op.Traits&umpire.Truncate != 0 && sh.exists(command.Lit(op.Resource)) {
		op.Traits |= umpire.Overwrite
	}
	if op.Kind == umpire.Delete && op.Traits&(umpire.Recursive|umpire.Remote|umpire.Container) == 0 && sh.wrote(command.Lit(op.Resource)) && sh.isMissing(op.Resource) { // a file that this call made
		op.Places |= umpire.PlaceMade
	}
	if op.Kind == umpire.Delete && op.Traits&(umpire.Remote|umpire.Container) == 0 && sh.made.isMade(op.Resource) && (op.Traits&umpire.Unknown == 0 || !strings.Contains(op.Resource, umpire.Hole)) {
		op.Places |= umpire.PlaceGenerated
	}
	if op.Kind == umpire.Delete && op.Traits&umpire.Filtered != 0 && op.Places&umpire.PlaceInWorkspace != 0 && op.Places&(umpire.PlaceGenerated|umpire.PlaceTemp) == 0 && place.Work(op.Resource) {
		op.Places |= umpire.PlaceSource // a search for files that people write
	}
	if sh.alone && op.Traits&umpire.Remote == 0 {
		op.Traits &^= umpire.RemoteCode | umpire.UnseenCode
	}
	if sh.throwaway && (op.Kind == umpire.Packages || op.Kind == umpire.Delete || op.Kind == umpire.System || op.Kind == umpire.Write) {
		op.Traits &^= umpire.Destroy | umpire.Global | umpire.Recursive | umpire.Irreversible | umpire.Format
	}
	if op.Kind == umpire.Database && sh.scratch(op.Resource) {
		op.Traits &^= umpire.Irreversible // disposable, but on another machine worth a question
		if op.Traits&(umpire.Remote|umpire.Production) == 0 {
			op.Traits &^= umpire.Destroy | umpire.DataStore | umpire.NoWhere | umpire.Bulk
		}
	}
	if sh.replaces(&op) {
		defer sh.emit(umpire.Operation{Kind: umpire.Delete, Resource: op.Resource, Places: op.Places, Via: op.Via, Traits: op.Traits & umpire.Inert})
	}
	if op.Kind == umpire.Delete && op.Traits&(umpire.Remote|umpire.Container|umpire.Unknown|umpire.Recursive) == umpire.Recursive && op.Places&umpire.PlaceInWorkspace != 0 && sh.absent(op.Resource) || op.Kind == umpire.Delete && op.Traits&^umpire.Force == 0 && op.Places&^umpire.PlaceInHome == umpire.PlaceInWorkspace && sh.local() && sh.restorable(op.Resource) {
		op.Places |= umpire.PlaceMade
	}
	sh.remember(&op)
	k := opKey{op.Kind, op.Resource, op.Traits, op.Places, sh.task}
	if _, dup := sh.seen[k]; dup {
		return
	}
	if len(sh.ops) >= maxOps {
		sh.steps = maxSteps
		sh.step()
		return
	}
	sh.seen[k] = struct{}{}
	op.Source = command.Unlisted(cmp.Or(op.Source, sh.source))
	op.Origin, op.Task = sh.origin, sh.task
	sh.world.ops = append(sh.world.ops, op)
}

// get returns a variable's value; if there are several, it chooses one.
func (sh *shell) get(name string) (command.Word, bool) {
	v, ok := sh.vars[name]
	for range 8 { // references may form a cycle
		if !ok || !v.ref || len(v.alts) == 0 {
			break
		}
		name = v.alts[0].Text
		v, ok = sh.vars[name]
	}
	if !ok {
		return sh.environ(name)
	}
	if v.array {
		switch {
		case len(v.elems) == 0:
			return command.Word{}, true
		case v.mixed:
			return sh.any(name, v.elems), true
		}
		return v.elems[0], true
	}
	n := len(v.alts)
	if n == 0 {
		return command.Word{}, false
	}
	if v.perhaps {
		n++ // or it is empty
	}
	i := len(v.alts) - 1
	if n > 1 && sh.pick != nil {
		i = sh.pick.choose(name, n)
	}
	if i == len(v.alts) {
		return command.Word{}, true
	}
	return v.alts[i], true
}

// environ returns the known value of a variable that this command did not set.
func (sh *shell) environ(name string) (command.Word, bool) {
	m := &sh.env.Map
	switch name {
	case "HOME":
		return command.Lit(m.Home), m.Home != ""
	case "PWD":
		return command.Lit(sh.dir), true
	case "TMPDIR":
		if m.Temp == "" {
			return command.Lit("/tmp"), true
		}
		return command.Lit(m.Temp), true
	case "USER", "LOGNAME":
		if i := strings.LastIndexByte(m.Home, '/'); i >= 0 {
			return command.Lit(m.Home[i+1:]), true
		}
	case "IFS":
		return command.Lit(" \t\n"), true
	case "SHELL", "BASH":
		return command.Lit("/bin/bash"), true
	}
	if sh.env.Getenv != nil {
		if v, ok := sh.env.Getenv(name); ok {
			return command.Lit(v), true
		}
	}
	return command.Word{}, false
}

func (sh *shell) set(name string, w command.Word) {
	if v, ok := sh.vars[name]; ok && v.ref && len(v.alts) > 0 {
		name = v.alts[0].Text
	}
	if len(w.Text) > maxValue {
		w.Text = umpire.Hole
	}
	if strings.Contains(name, umpire.Hole) && w.Known() {
		sh.setAny(name, w)
		return
	}
	v := sh.vars[name]
	alts := []command.Word{sh.declaredValue(v, w)}
	if v.fixed {
		alts = union(v.alts, alts)
	}
	v.perhaps = false
	v.hold(alts)
	sh.vars[name] = v
	sh.changed(name)
}

// setAny makes a value possible for each variable that a partly unknown name may mean:
// export ${unset:-T}=~
func (sh *shell) setAny(name string, w command.Word) {
	pat := strings.ReplaceAll(name, umpire.Hole, "*")
	for n, v := range sh.vars {
		if !v.array && globMatch(pat, n) {
			v.alts = union(v.alts, []command.Word{w})
			sh.vars[n] = v
		}
	}
}

func (sh *shell) setAlias(name, text string) {
	if sh.aliases == nil {
		sh.aliases = map[string]string{}
	}
	sh.aliases[name] = text
	sh.shadowed = sh.shadowed || !ownName(name)
}
