package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Call is one program with its parsed command line.
type Call struct {
	Host
	Model    *Model
	Program  string // base name as looked up
	Name     string // program and sub-commands: "git push"
	Args     []Word // everything after the program
	Operands []Word // arguments that are neither options nor their values nor sub-commands
	Stdin    Stream
	Traits   umpire.Trait // set by options; added to everything the call does
	Out      Stream       // its output; Do may set it
	does     Effect       // of the options that were given
	opts     []setOption
	outSet   bool
	doubts   []doubt
	top      *Model // of the program, where Model is of its sub-command
	first    int    // index of the first operand in Args
	repo     *gitRepo
}

type setOption struct {
	name     string // canonical: first in the Model's list, or as written if unlisted
	raw      string // as written
	value    Word
	has      bool
	detached bool   // the value is a word of its own
	model    *Model // that read it: options of a program come before its sub-command
}

// doubt is an option that the Model does not list, before a word that decides what the
// rest of the command line means. Nobody knows whether the word is its value.
type doubt struct {
	at    int  // index of the option in Args
	taken bool // the word was taken for the value
}

// Opt returns the last value given to an option, by the first of its names.
func (c *Call) Opt(name string) (Word, bool) {
	for i := len(c.opts) - 1; i >= 0; i-- {
		if o := &c.opts[i]; o.name == name && o.has && !c.another(o, name) {
			return o.value, true
		}
	}
	return Word{}, false
}

// All returns every value given to an option.
func (c *Call) All(name string) (ws []Word) {
	for i := range c.opts {
		if o := &c.opts[i]; o.name == name && o.has && !c.another(o, name) {
			ws = append(ws, o.value)
		}
	}
	return ws
}

// Global returns every value given to an option of the program itself, before any
// sub-command.
func (c *Call) Global(name string) (ws []Word) {
	for i := range c.opts {
		if o := &c.opts[i]; o.name == name && o.has && o.model == c.top {
			ws = append(ws, o.value)
		}
	}
	return ws
}

// another reports whether an option was given before a sub-command that has an option of
// the same name with another meaning: in git -C DIR branch nothing is copied.
func (c *Call) another(o *setOption, name string) bool {
	if o.model == nil || o.model == c.Model {
		return false
	}
	own, ok := c.Model.option(name)
	if !ok {
		return false
	}
	was, ok := o.model.option(o.raw)
	return !ok || was.role != own.role || was.name != own.name
}

// Has reports whether any of the options was given. An option is named by the first of
// its names in the Model, or as written if the Model does not list it.
func (c *Call) Has(names ...string) bool {
	for i := range c.opts {
		for _, n := range names {
			if o := &c.opts[i]; (o.name == n || o.raw == n) && !c.another(o, n) {
				return true
			}
		}
	}
	return false
}

// Arg returns operand i, or an empty Word.
func (c *Call) Arg(i int) Word {
	if i < len(c.Operands) {
		return c.Operands[i]
	}
	return Word{}
}

// Following returns all words after the first operand, options among them.
func (c *Call) Following() []Word {
	if len(c.Operands) == 0 {
		return nil
	}
	return c.Args[min(c.first+1, len(c.Args)):]
}

// Inert reports whether the call only prints help, a version or a dry run.
func (c *Call) Inert() bool { return c.Traits&umpire.Inert != 0 }

// SetOut says what the call prints.
func (c *Call) SetOut(s Stream) {
	s.Pipe = true
	c.Out, c.outSet = s, true
}

// Output is what the call prints, as far as it is known.
func (c *Call) Output() Stream {
	if !c.outSet {
		if c.settings() {
			return Text("")
		}
		return Unseen(c.Out.Taint | c.Stdin.Taint)
	}
	return c.Out
}

// Answered reports whether SetOut was called.
func (c *Call) Answered() bool { return c.outSet }

// Taints adds to what is known of the origin of the call's output.
func (c *Call) Taints(t Taint) { c.Out.Taint |= t }

// Op records an operation of any kind with the call's traits.
func (c *Call) Op(k umpire.Kind, resource string, t umpire.Trait) {
	if strings.Contains(resource, umpire.Hole) {
		t |= umpire.Unknown
	}
	c.Emit(umpire.Operation{Kind: k, Resource: resource, Traits: t | c.Traits})
}

func (c *Call) path(k umpire.Kind, w Word, t umpire.Trait) umpire.Place {
	if k != umpire.Delete {
		w = c.Follow(w) // what is removed is the link, what is read and written is what it leads to
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

// Number is a number that is not known, such as that of the shell's process. It leads
// nowhere, whatever stands before it; and an unknown word before a # leads to a name that
// ends in one.
const Number = umpire.Hole + "#"

// Numbered reports whether each unknown part of a word is a number, a date or a hash. Such a
// part of a name leads to no other folder: the purpose of the path is known without it.
func Numbered(w Word) bool {
	n := strings.Count(w.Text, Number)
	return n > 0 && n == strings.Count(w.Text, umpire.Hole)
}

// numbered reports whether every unknown part of a path goes on a name, as in
// /tmp/build.$$: only a value made for it leads out of the folder.
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

// counted reports whether every unknown part of a path is a number that goes on a name, as
// in /tmp/x.$$.
func counted(text, abs string) bool {
	n := strings.Count(text, Number)
	return n > 0 && n == strings.Count(text, umpire.Hole) && n == strings.Count(abs, umpire.Hole) && !strings.HasPrefix(text, Number) && !strings.Contains(text, "/"+Number)
}

// named reports whether what find prints is whatever has one name below a folder.
func named(text string) bool {
	head, name, ok := strings.Cut(text, "/"+umpire.Hole+"/")
	return ok && !strings.Contains(head+name, umpire.Hole) && strings.Trim(name, "*./?") != ""
}

// namedSource reports whether what find prints are source files below a folder, by the
// ending that it looks for: none of them is a file that others obey.
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
	// Whole trees, what the user typed, and who may log in are private without being a secret to read.
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
		t |= umpire.Bulk // empties whatever there is
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
	res, more := endpoint(w.Text)
	c.Emit(umpire.Operation{Kind: umpire.Network, Resource: res, Traits: t | more | c.Traits})
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
		if s = c.Host.ScriptAt(w); !s.Seen && lang != "sh" {
			s = Stream{} // bundles are long, and archives can be run
		}
	}
	s.Taint |= w.Taint
	if r.Origin == "" {
		r.Origin = w.Text
	}
	r.File = &w
	c.Script(lang, s, r)
}

// NewCall parses a command line by its Model; m may be nil for an unknown program.
func NewCall(h Host, m *Model, program string, args []Word, stdin Stream) *Call {
	c := &Call{Host: h, Model: m, top: m, Program: program, Name: program, Args: args, Stdin: stdin}
	if m == nil {
		c.parse(&Model{}, args, true)
		return c
	}
	c.parse(m, args, false)
	return c
}

// parse sorts args into options and operands, descending into sub-commands.
func (c *Call) parse(m *Model, args []Word, unknown bool) {
	c.Model = m
	c.Operands = c.Operands[:0]
	first := len(c.opts)
	defer func() {
		for i := first; i < len(c.opts); i++ {
			if c.opts[i].model == nil {
				c.opts[i].model = m
			}
		}
	}()
	style := m.Style
	if style&NoOptions != 0 {
		c.Operands = append(c.Operands, args...)
		return
	}
	if style&Bundled != 0 && len(args) > 0 && args[0].Text != "" && args[0].Text[0] != '-' && args[0].Known() {
		args = append([]Word{args[0].With("-" + args[0].Text)}, args[1:]...)
	}
	for i := 0; i < len(args); i++ {
		w := args[i]
		t := w.Text
		isOption := len(t) > 1 && t[0] == '-'
		if style&Windows != 0 && len(t) > 1 && t[0] == '/' && !strings.Contains(t[1:], "/") {
			isOption = true
		}
		switch {
		case t == "--" && style&(LongDash|Windows) == 0:
			if style&AnyOption != 0 {
				c.opts = append(c.opts, setOption{name: "--", raw: "--"})
				continue
			}
			if len(c.Operands) == 0 {
				c.first = len(c.Args) - len(args) + i + 1
			}
			c.Operands = append(c.Operands, args[i+1:]...)
			c.opts = append(c.opts, setOption{name: "--", raw: "--"})
			return
		case !isOption:
			if len(m.Sub) > 0 && len(c.Operands) == 0 {
				if s := m.sub(t); s != nil {
					for j := first; j < len(c.opts); j++ {
						c.opts[j].model = m
					}
					c.Name += " " + t
					c.parse(s, args[i+1:], false)
					return
				}
			}
			if len(c.Operands) == 0 {
				c.first = len(c.Args) - len(args) + i
			}
			c.Operands = append(c.Operands, w)
			if style&Strict != 0 || len(m.Sub) > 0 && style&ShortValue == 0 && len(c.Operands) == 1 && m.Do == nil {
				if style&Strict != 0 {
					c.Operands = append(c.Operands, args[i+1:]...)
					return
				}
			}
		case strings.HasPrefix(t, "--") || style&(LongDash|Windows|CaseFold) != 0:
			i = c.doubted(m, args, i, c.long(m, args, i))
		case len(t) > 2 && m.lists(t): // several letters that are no cluster, as zip's -TT
			i = c.long(m, args, i)
		default:
			i = c.doubted(m, args, i, c.cluster(m, args, i))
		}
	}
}

// doubted notes the option at index i, if m does not list it and what it takes decides how
// the rest is read. end is the index of the last word that was taken for the option.
func (c *Call) doubted(m *Model, args []Word, i, end int) int {
	if len(c.opts) == 0 || i+1 >= len(args) || m.Style&(Windows|CaseFold) != 0 {
		return end
	}
	last := &c.opts[len(c.opts)-1]
	o, listed := m.option(last.raw)
	leads := len(c.Operands) == 0 && (m.Style&(Strict|Verb) != 0 || len(m.Sub) > 0) &&
		!c.runsCode(m) && !(m.Lang == "python" && c.Has("-m")) // what follows is for the code
	at := len(c.Args) - len(args) + i
	switch {
	case listed && !o.short, last.raw == "--help", last.raw == "--version":
	case end > i: // by an abbreviation that may be none, or by a client of a cloud that may have lost its verb
		if listed && leads || !listed && deedIn(args[end].Text) != deedUnknown {
			c.doubts = append(c.doubts, doubt{at, true})
		}
	case !last.has && leads && !strings.HasPrefix(args[i+1].Text, "-"):
		c.doubts = append(c.doubts, doubt{at, false})
	}
	return end
}

// maxReadings bounds how many ways one command line is read.
const maxReadings = 16

// Readings returns the other command lines that this one may be, when options that nobody
// described take a word or leave it: in "wrap --new-option x rm -rf /" the program is x
// or rm.
func (c *Call) Readings() (out [][]Word) {
	from := c
	for next := 0; ; next++ {
		for _, d := range from.doubts {
			if len(out) >= maxReadings {
				return out
			}
			skip := 2 // the option and its value
			if d.taken {
				skip = 1
			}
			out = append(out, slices.Concat(from.Args[:d.at], from.Args[d.at+skip:]))
		}
		if next >= len(out) {
			return out
		}
		from = NewCall(c.Host, c.top, c.Program, out[next], c.Stdin)
	}
}

func (c *Call) long(m *Model, args []Word, i int) int {
	w := args[i]
	name, value, attached := strings.Cut(w.Text, "=")
	if m.Style&Windows != 0 && !attached {
		name, value, attached = strings.Cut(w.Text, ":")
	}
	o, ok := m.option(name)
	if !ok && m.Style&LongDash != 0 && strings.HasPrefix(name, "--") {
		o, ok = m.option(name[1:])
	}
	if !ok {
		if name == "-h" && m.Style&HelpH != 0 || aboutItself(name) && !c.versionFollows(args, i) ||
			m.Style&LongDash != 0 && name[0] == '-' && aboutItself("-"+name) || m.Style&Windows != 0 && name == "/?" {
			c.asksAbout(m)
		}
		if m.Style&ShortValue != 0 && !attached && i+1 < len(args) && !strings.HasPrefix(args[i+1].Text, "-") {
			c.opts = append(c.opts, setOption{name: name, raw: name, value: args[i+1], has: true})
			return i + 1
		}
		c.opts = append(c.opts, setOption{name: name, raw: name, value: w.With(value), has: attached})
		return i
	}
	set := setOption{name: o.name, raw: name}
	c.Traits |= o.traits
	c.does |= o.effects
	if o.about && !o.short && !attached {
		c.asksAbout(m)
	}
	switch {
	case o.role == 0:
		if attached && (value == "false" || value == "0" || value == "no" || value == "none") {
			c.Traits &^= o.traits // --dry-run=false
			c.does &^= o.effects
		}
		set.value, set.has = w.With(value), attached
	case attached:
		set.value, set.has = w.With(value), true
	case o.attach:
	case i+1 < len(args):
		i++
		set.value, set.has, set.detached = args[i], true, true
		if o.short && o.role == '_' && strings.ContainsAny(args[i].Text, "/~.") {
			c.Operands = append(c.Operands, args[i]) // --pre FILE, where --prefix takes a value
		}
	}
	c.opts = append(c.opts, set)
	return i
}

// asksAbout notes that the call only prints the program's help or version.
func (c *Call) asksAbout(m *Model) {
	if m.Style&NoInert == 0 && !c.runsCode(m) {
		c.Traits |= umpire.Inert
	}
}

// versionFollows reports whether an option that is not described has a value that no help
// takes: gem yank NAME --version 1.0 withdraws that version.
func (c *Call) versionFollows(args []Word, i int) bool {
	_, value, attached := strings.Cut(args[i].Text, "=")
	if !attached && i+1 < len(args) {
		value = args[i+1].Text
	}
	return attached || value != "" && strings.Contains("0123456789=<>~^v"+umpire.Hole, value[:1]) && strings.ContainsAny(value, "0123456789"+umpire.Hole)
}

// runsCode reports whether an option before has given the program code to run. What
// follows is then for that code: python -c CODE --help runs it.
func (c *Call) runsCode(m *Model) bool {
	for i := range c.opts {
		raw := c.opts[i].raw
		if o, ok := m.option(raw); ok && (o.role == 'e' || o.role == 'c') {
			return true
		}
		if m.Lang != "" {
			switch raw {
			case "-c", "-e", "-E", "-p", "-r", "--eval", "--print", "--command":
				return true
			}
		}
	}
	return false
}

func (c *Call) cluster(m *Model, args []Word, i int) int {
	w := args[i]
	letters := w.Text[1:]
	for len(letters) > 0 {
		if strings.HasPrefix(letters, umpire.Hole) {
			return i
		}
		n := 1
		for n < len(letters) && letters[n]&0xC0 == 0x80 {
			n++
		}
		name := "-" + letters[:n]
		letters = letters[n:]
		o, ok := m.option(name)
		if !ok {
			if strings.ContainsAny(letters, "/.~") { // maybe no flags but a file: the n of -Xnotes/plan.txt tries nothing out
				before := c.Traits & umpire.Inert
				defer func() { c.Traits = c.Traits&^umpire.Inert | before }()
			}
			if name == "-h" && m.Style&HelpH != 0 {
				c.Traits |= umpire.Inert
			}
			c.opts = append(c.opts, setOption{name: name, raw: name})
			continue
		}
		c.Traits |= o.traits
		c.does |= o.effects
		if o.about && m.Lang == "" { // lua -v runs its script as well
			c.asksAbout(m)
		}
		set := setOption{name: o.name, raw: name}
		if o.role != 0 {
			switch {
			case letters != "":
				set.value, set.has = w.With(strings.TrimPrefix(letters, "=")), true
				letters = ""
			case o.attach:
			case i+1 < len(args):
				i++
				set.value, set.has, set.detached = args[i], true, true
			}
		}
		c.opts = append(c.opts, set)
	}
	return i
}

// Perform says what the call does: first what the roles of its options and operands
// mean, then what the Model's Do adds.
func (c *Call) Perform() {
	m := c.Model
	if c.Inert() && m.Do == nil {
		return
	}
	for i := range c.opts {
		o := &c.opts[i]
		if !o.has {
			continue
		}
		if g, ok := o.model.option(o.raw); ok && g.role != 0 {
			c.role(g.role, o.value)
			if g.role == '_' && o.detached && strings.HasPrefix(m.Args, "r*") {
				c.secretOperand(o.value)
			}
		}
	}
	c.operands(m.Args)
	if e := m.Effects | c.does; e != 0 {
		c.performEffects(e)
	}
	if m.Do != nil {
		m.Do(c)
	}
}

// secretOperand reads the value of an option that is mere data, if it names a place of
// secrets and the program prints the files that it is given: no width or separator is
// called ~/.ssh/id_rsa, so that some version of the program has a flag there.
func (c *Call) secretOperand(w Word) {
	if _, p := c.Path(w); p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
		c.ReadFile(w)
	}
}

func (c *Call) operands(spec string) {
	if spec == "" {
		return
	}
	roles := strings.Fields(spec)
	star, after := -1, 0
	for i, r := range roles {
		if len(r) > 1 && r[1] == '*' {
			star, after = i, len(roles)-i-1
		}
	}
	n := len(c.Operands)
	for i, w := range c.Operands {
		var r Role
		switch {
		case star < 0 || i < star:
			if i >= len(roles) {
				return
			}
			r = roles[i][0]
		case n-i <= after:
			r = roles[len(roles)-(n-i)][0]
		default:
			r = roles[star][0]
		}
		if r == 'C' {
			c.Exec(c.Operands[i:], Run{Out: true})
			return
		}
		c.role(r, w)
	}
}

func (c *Call) role(r Role, w Word) {
	switch r {
	case 'r':
		if w.Text != "-" {
			c.ReadFile(w)
		}
	case 'i':
		if w.Text != "-" {
			c.path(umpire.Read, w, umpire.Inert)
		}
	case 'w':
		if w.Text != "-" {
			c.WriteFile(w, umpire.Truncate, Unseen(c.Out.Taint|c.Stdin.Taint))
		}
	case 'a':
		c.WriteFile(w, umpire.Append, Unseen(c.Out.Taint|c.Stdin.Taint))
	case 'o':
		c.WriteFile(w, 0, Unseen(0))
	case 't':
		c.WriteFile(w, umpire.Append, Unseen(c.Out.Taint|c.Stdin.Taint))
	case 'd', 'm':
		c.Delete(w, 0)
	case 'D':
		c.Chdir(w)
	case 'x':
		c.RunFile(c.lang(), w, Run{})
	case 'h', 'u':
		c.Net(w, 0, 0)
		if r == 'u' {
			c.Out.Taint |= FromNetwork
		}
	case 'U':
		c.Net(w, umpire.Upload, c.Stdin.Taint)
	case 'c':
		c.Shell(w, Run{Out: true})
	case 'P':
		c.Shell(w, Run{Traits: umpire.RunsProgram})
	case 'C':
		c.Exec([]Word{w}, Run{Out: true})
	case 'e':
		c.Code(c.lang(), w, Run{Out: true})
	case 'q':
		c.Code(c.store("sql:"+c.Model.Lang), w, Run{})
	case 'p':
		c.Op(umpire.Packages, Quote(c.Name, []Word{w}), 0)
	case 'E':
		if name, value, ok := strings.Cut(w.Text, "="); ok {
			c.SetVar(name, w.With(value))
		}
	}
}

func (c *Call) lang() string {
	if c.Model.Lang != "" {
		return c.Model.Lang
	}
	return "sh"
}
