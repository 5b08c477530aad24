package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

// Call is one program with its parsed command line.
type Call struct {
	Host
	Model    *Model
	Program  string // base name, as Lookup takes it
	Name     string // program and sub-commands: "git push"
	Args     []Word // everything after the program
	Operands []Word // arguments other than options, their values and sub-commands
	Stdin    Stream
	Traits   umpire.Trait // set by options; added to everything the call does
	Out      Stream       // its output; Do may set it
	does     Effect       // of the given options
	opts     []setOption
	outSet   bool
	doubts   []doubt
	top      *Model // of the program; Model is that of its sub-command
	first    int    // index of the first operand in Args
	repo     *gitRepo
}

type setOption struct {
	name     string // canonical: first in the Model's list, or as written if unlisted
	raw      string // as written
	value    Word
	has      bool
	detached bool   // the value is a separate word
	at       int    // index in Args of the word that has it
	model    *Model // in force where the option stands: of the program, or of its sub-command
}

// doubt is an option that the Model does not list, before a word that decides what the rest of the
// command line means. The word may be its value.
type doubt struct {
	at    int  // index of the option in Args
	taken bool // the word was read as the value
}

// Opt returns the last value given to an option, and whether there is one. name is the first of the
// option's names in the Model.
func (c *Call) Opt(name string) (Word, bool) {
	for i := len(c.opts) - 1; i >= 0; i-- {
		if o := &c.opts[i]; o.name == name && o.has && !c.another(o, name) {
			return o.value, true
		}
	}
	return Word{}, false
}

// All returns every value given to an option, in order. name is the first of the option's names in
// the Model.
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

// another reports whether an option was given before a sub-command that has an option of the same
// name with another meaning: git -C DIR branch copies no branch.
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
//
//go:noinline
func (c *Call) Arg(i int) Word {
	if i < len(c.Operands) {
		return c.Operands[i]
	}
	return Word{}
}

// FirstArg returns the text of the first argument, which may be an option, or "".
func (c *Call) FirstArg() string {
	if len(c.Args) > 0 {
		return c.Args[0].Text
	}
	return ""
}

// Following returns all words after the first operand, including options.
func (c *Call) Following() []Word {
	if len(c.Operands) == 0 {
		return nil
	}
	return c.Args[min(c.first+1, len(c.Args)):]
}

// wordsFrom returns the words from operand i on, including options: those of a command that the
// program runs.
func (c *Call) wordsFrom(i int) []Word {
	at := 0
	for j, w := range c.Args {
		if at < len(c.Operands) && w.Text == c.Operands[at].Text {
			if at == i {
				return c.Args[j:]
			}
			at++
		}
	}
	return nil
}

// Inert reports whether the call only prints help, a version or a dry run.
func (c *Call) Inert() bool { return c.Traits&umpire.Inert != 0 }

// SetOut sets the output of the call.
//
//go:noinline
func (c *Call) SetOut(s Stream) {
	s.Pipe = true
	c.Out, c.outSet = s, true
}

// Output returns the output of the call. If Do did not set it, the content is unknown, except for
// programs that print a folder or settings for the shell. A program with unknown output may print
// any of the names that it reads, unless it counts them or hashes files.
func (c *Call) Output() Stream {
	out := c.Out
	if !c.outSet {
		if dir := c.printsFolder(); dir != "" {
			return Text(dir + "\n")
		}
		if c.settings() {
			return Text("")
		}
		if anyof.Equal(c.Program, "locate", "plocate") && len(c.Operands) > 0 {
			c.printsFound(Lits("/"), Lits("*"+c.Operands[0].Text+"*"), umpire.Filtered)
			return c.Out
		}
		out = Unseen(c.Out.Taint | c.Stdin.Taint)
		if c.Model != nil && c.Model.Do == nil && strings.HasPrefix(c.Model.Args, "r") && c.Program != "wc" { // it prints its files
			out = c.keyed(out)
		}
	}
	if out.Seen || out.Lists() || c.Program == "wc" || strings.HasSuffix(c.Program, "sum") || c.Has("--count", "--quiet") {
		return out
	}
	in := c.listing()
	out.Text = in.Text
	out.Taint |= in.Taint
	if c.printsAll() {
		return out
	}
	root := false
	for _, w := range lines(in, true) {
		_, p := c.Path(w)
		if p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace) == 0 {
			return out
		}
		root = root || p&umpire.PlaceWorkspace != 0
	}
	if root { // some files of the project, not the whole
		out.Taint |= Picked
	}
	return out
}

// printsAll reports whether a filter usually prints a part of every line, so that a listing of the
// whole project stays one.
func (c *Call) printsAll() bool {
	return c.filters() && (!strings.HasSuffix(c.Program, "awk") || strings.HasPrefix(c.Arg(0).Text, "{") && !strings.Contains(c.Arg(0).Text, "if"))
}

// filters reports whether the program prints the lines of its input.
func (c *Call) filters() bool {
	return anyof.Listed("awk gawk mawk grep ggrep egrep fgrep sed gsed cut gcut sort gsort uniq guniq shuf gshuf column paste comm jq perl", c.Program)
}

// listing returns the listing that the call reads: from its input, or from a file or a process that
// this command line wrote. A call that names a file of a listing prints the content of that file.
func (c *Call) listing() (in Stream) {
	if !c.Stdin.Spent || c.filters() {
		in = c.Stdin
	}
	for _, w := range c.Operands {
		if s := c.written(w); s.Lists() {
			in.add(s)
		}
	}
	if !in.Lists() {
		return Stream{}
	}
	return in
}

// add joins another stream that has names of a listing. The adversary doubles a file again and again,
// so too long a text becomes the widest listing.
func (s *Stream) add(more Stream) {
	text := s.Text
	if !strings.Contains(text, more.Text) {
		text += more.Text
	}
	if len(text) > maxListing {
		text = everyFile
	}
	*s = Stream{Text: text, Taint: s.Taint | more.Taint, Pipe: true}
}

const (
	maxListing = 64 << 10
	everyFile  = "/" + ListMark + "\n"
)

// written returns the content of a file that this command line wrote, or of a process substitution.
func (c *Call) written(w Word) Stream {
	if strings.HasPrefix(w.Text, "/dev/fd/") || c.Wrote(w) {
		return c.File(w)
	}
	return Stream{}
}

// Answered reports whether SetOut was called.
func (c *Call) Answered() bool { return c.outSet }

// Taints adds t to the taint of the call's output.
func (c *Call) Taints(t Taint) { c.Out.Taint |= t }

// NewCall parses a command line by its Model; m may be nil for an unknown program.
func NewCall(h Host, m *Model, program string, args []Word, stdin Stream) *Call {
	c := &Call{Host: h, Model: m, top: m, Program: program, Name: program, Args: args, Stdin: stdin}
	if m == nil {
		c.parse(&Model{}, args)
		return c
	}
	c.parse(m, args)
	return c
}

// Perform reports the effects of the call: first those of its options and operands, by their
// roles, then those of the Model's Do.
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
		if g, ok := o.model.long(o.raw); ok && g.role != 0 {
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
	if m.System != "" {
		c.systemOps(m.System)
	}
	if m.Do != nil {
		m.Do(c)
	}
}

// address records contact with the host of a URL, or of an image or a module that begins with the
// host of its registry, as in x.example/app:1. Other names and paths have no effect.
func (c *Call) address(w Word) {
	text := strings.TrimPrefix(w.Text, "docker://")
	if strings.Contains(text, "://") {
		if parseAddress(text).Host != "" {
			c.Net(w.With(text), 0, 0)
		}
		return
	}
	host, _, ok := strings.Cut(text, "/")
	name, port, served := strings.Cut(host, ":")
	if ok && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"+umpire.Hole) == "" &&
		(served && digits(port) || strings.Contains(strings.Trim(name, "."), ".") && !served) {
		c.Net(w.With(host), 0, 0)
	}
}

// secretOperand reads the value of a data option as a file if it names a secret. The program prints
// its files, and no width or separator is called ~/.ssh/id_rsa: in some version of the program the
// option is a flag, and the file an operand.
func (c *Call) secretOperand(w Word) {
	if _, p := c.Path(w); p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
		c.ReadFile(w)
	}
}

// operands performs the roles of the operands. spec is Model.Args; a repeated role takes all
// operands that the roles after it leave.
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

// role records what a call does with an operand or value of a role.
func (c *Call) role(r Role, w Word) {
	switch r {
	case 'r':
		if w.Text != "-" {
			c.ReadFile(w)
		}
	case 'l':
		c.readListed(w)
	case 'i':
		if w.Text != "-" {
			c.path(umpire.Read, w, umpire.Inert)
		}
	case 'w', 'a', 't':
		t := umpire.Append
		if r == 'w' {
			t = umpire.Truncate
		}
		if anyof.HasPrefix(w.Text, "|", "!") { // strace -o '|cmd', which it also takes as '!cmd'
			c.Shell(w.With(w.Text[1:]), Run{Traits: umpire.RunsProgram})
			return
		}
		for _, w := range c.destinations(w) {
			if w.Text != "-" && w.Text != "" {
				c.WriteFile(w, t, Unseen(c.Out.Taint|c.Stdin.Taint))
			}
		}
	case 'o':
		c.WriteFile(w, 0, Unseen(0))
	case 'd', 'm':
		c.Delete(w, 0)
	case 'D':
		c.Chdir(w)
	case 'x':
		if c.lang() == "vim" && path.Ext(w.Text) == ".lua" { // Neovim reads it as Lua, and Vim as its own commands
			c.RunFile("lua", w, Run{})
		}
		c.RunFile(c.lang(), w, Run{})
	case 'h', 'u':
		if f, ok := fileWithin(w); ok {
			c.ReadFile(f)
			return
		}
		if r == 'u' && !strings.Contains(w.Text, "://") && c.looksLikeFile(w.Text) { // links -dump ~/.ssh/id_rsa
			c.ReadFile(w)
			return
		}
		if r == 'h' {
			for host := range strings.SplitSeq(w.Text, ",") { // the members of a cluster
				if host != "" && !strings.HasPrefix(host, "/") { // the folder of a local socket
					c.Net(w.With(host), 0, 0)
				}
			}
			return
		}
		c.Net(w, 0, w.Taint&FromKey) // a key in the address is sent
		c.Out.Taint |= FromNetwork
	case 'U':
		c.Net(w, umpire.Upload, c.Stdin.Taint)
	case 'R':
		c.address(w)
	case 'c':
		c.Shell(w, Run{Out: true})
	case 'P':
		c.Shell(w, Run{Traits: HelperTraits(w)})
	case 'C':
		c.Exec([]Word{w}, Run{Out: true})
	case 'e':
		c.Code(c.lang(), w, Run{Out: true, Args: c.Operands})
	case 'q':
		c.Code(c.store("sql:"+c.Model.Lang), w, Run{})
	case 'p':
		verb := "install"
		if wording.DeedOf(c.Name[strings.LastIndexByte(c.Name, ' ')+1:]) == wording.Destroys {
			verb = "remove"
		}
		Packages(c, verb, []Word{w}, 0)
	case 'A': // a debugger reads and changes the memory of the process
		c.path(umpire.Read, w.With("/proc/"+w.Text+"/mem"), 0)
	case 'L':
		if addr := w.Text[strings.LastIndexByte(w.Text, '=')+1:]; !digits(addr) && addr != "" { // a port alone is on this machine
			if strings.HasPrefix(addr, ":") || strings.HasPrefix(addr, "*") {
				addr = "0.0.0.0" + strings.TrimPrefix(addr, "*")
			}
			c.Emit(umpire.Operation{Kind: umpire.Network, Resource: addr, Traits: umpire.Listen | c.Traits})
		}
	case 'E':
		if name, value, ok := strings.Cut(w.Text, "="); ok {
			c.SetVar(name, w.With(value))
		}
	}
}

// destinations returns the files that a value may name: what destination finds, and the value as it
// is if it leads out of the folder with the name of the form. An adversary hides a path behind such
// a folder, or link: type=/../.git/config.
func (c *Call) destinations(w Word) []Word {
	form := destination(w)
	folder, _, ok := strings.Cut(w.Text, "/")
	abs, p := c.Path(w)
	if !ok || form.Text == w.Text || p&(umpire.PlaceOutside|umpire.PlaceGitDir|umpire.PlaceGitHooks) == 0 && strings.Contains(abs, "/"+folder+"/") {
		return []Word{form}
	}
	return []Word{w, form}
}

// destination returns the file that a value names after words about its form, if it has some:
// csv=F, home:F, or type=tar,dest=F. A form without a file names none.
func destination(w Word) Word {
	for field := range strings.SplitSeq(w.Text, ",") {
		switch i := strings.IndexAny(field, "=:"); {
		case i < 2 || !PlainWord(w.With(field[:i])):
			return w
		case strings.Contains(w.Text, "://"), anyof.Equal(field[:i], "type", "format"):
			w.Text = ""
		default:
			w.Text = field[i+1:]
		}
	}
	return w
}

// readListed records the secrets among the files whose names a file lists, one a line, or standard
// input in its place. The program shows them or copies them away.
func (c *Call) readListed(list Word) {
	s := c.Stdin
	if list.Text != "-" {
		c.ReadFile(list)
		s = c.File(list)
	}
	for _, w := range lines(s, true) {
		c.secretOperand(w)
	}
}

// lang returns the language of code and scripts of the call.
func (c *Call) lang() string {
	if c.Model.Lang != "" {
		return c.Model.Lang
	}
	return "sh"
}

// Known reports whether every argument is known, and none could expand to an option.
func (c *Call) Known() bool {
	return !slices.ContainsFunc(c.Args, func(w Word) bool { return !w.Known() || w.Bare || w.Glob && c.GlobOption(w.Text) })
}

// GlobOption reports whether a pattern may expand to a file name that the program takes for an
// option with an effect, such as -delete or --compress-program=x. The adversary creates that file.
func (c *Call) GlobOption(pattern string) bool {
	if strings.IndexByte("*?[", pattern[0]) < 0 {
		return pattern[0] == '-'
	}
	if c.Program != "find" && c.Program != "gfind" {
		return true
	}
	return slices.ContainsFunc([]string{"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls"}, func(o string) bool {
		ok, err := path.Match(pattern, o)
		return ok || err != nil
	})
}

// Begins reports whether an argument may be an option that begins with long, or an abbreviation of
// it.
func (c *Call) Begins(long string) bool {
	return slices.ContainsFunc(c.Args, func(w Word) bool {
		return strings.HasPrefix(w.Text, long) || len(w.Text) > 2 && strings.HasPrefix(long, w.Text)
	})
}

// AsksAboutItself reports whether the only argument asks a program for its version or help.
func (c *Call) AsksAboutItself() bool {
	switch c.FirstArg() {
	case "--version", "--help":
		return true
	case "-v":
		return c.Program == "node" || c.Program == "npm" || c.Program == "pnpm" || c.Program == "yarn" || c.Program == "bun"
	case "-V":
		return c.Program == "python" || c.Program == "python3" || c.Program == "cargo" || c.Program == "rustc"
	}
	return false
}

// Verb returns the sub-command, whether or not the program's description lists it.
func (c *Call) Verb() string {
	if _, sub, ok := strings.Cut(c.Name, " "); ok {
		return sub
	}
	return c.Arg(0).Text
}
