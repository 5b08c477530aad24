package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

func doRemove(c *Call) {
	t := When(len(c.Operands) > 0 && c.Traits&umpire.Force != 0, umpire.Force)
	for _, w := range c.Operands {
		u := t
		if !w.Filled && strings.HasPrefix(w.Text, umpire.Hole) && strings.ReplaceAll(w.Text, umpire.Hole, "") == "/*" {
			u |= umpire.WholeTree // if the variable is empty, this is /*
		}
		if t := strings.TrimPrefix(w.Text, "./"); t == "*" || t == "." || t == "" && w.Text != "" {
			if abs, _ := c.Path(w); strings.HasPrefix(abs, umpire.Hole) {
				u |= umpire.WholeTree | umpire.Unknown // after cd $X: if X is empty, this is the home folder
			}
		}
		if builtBeside(c.Operands, w) {
			c.deleteBuilt(w, u)
			continue
		}
		c.Delete(w, u)
	}
	c.SetOut(Stream{})
}

// builtBeside reports whether the call removes a folder together with its twin, so that both are
// build output: bin with obj of .NET, or deps with _build of Elixir.
func builtBeside(ws []Word, w Word) bool {
	dir, name := path.Split(strings.TrimSuffix(strings.ReplaceAll(w.Text, `\`, "/"), "/"))
	twin := ""
	switch name {
	case "bin":
		twin = "obj"
	case "deps":
		twin = "_build"
	default:
		return false
	}
	return w.Known() && slices.ContainsFunc(ws, func(o Word) bool {
		return strings.TrimSuffix(strings.ReplaceAll(o.Text, `\`, "/"), "/") == dir+twin
	})
}

// deleteBuilt records the removal of a path as that of a generated file, if it is in the project.
func (c *Call) deleteBuilt(w Word, t umpire.Trait) {
	abs, p := c.Path(w)
	if p&umpire.PlaceInWorkspace == 0 || p&umpire.PlaceWorkspace != 0 {
		c.Delete(w, t)
		return
	}
	c.Emit(umpire.Operation{Kind: umpire.Delete, Resource: abs, Places: p | umpire.PlaceGenerated, Traits: t | c.Traits})
}

// doRimraf reads rimraf, the rm -rf of Node.
func doRimraf(c *Call) {
	for _, w := range c.Operands {
		c.Delete(w, umpire.Recursive|umpire.Force)
	}
	c.SetOut(Stream{})
}

func doShred(c *Call) {
	for _, w := range c.Operands {
		if c.Program == "shred" && !c.Has("-u") {
			c.WriteFile(w, umpire.Truncate|umpire.Irreversible, Stream{})
			continue
		}
		c.Delete(w, umpire.Irreversible)
	}
}

// sources splits the operands into the sources and the destination. ok is false if there are too
// few.
func sources(c *Call) (from []Word, to Word, ok bool) {
	if t, has := c.Opt("-t"); has {
		return c.Operands, t.With(strings.TrimSuffix(t.Text, "/") + "/"), true
	}
	if n := len(c.Operands); n >= 2 {
		return c.Operands[:n-1], c.Operands[n-1], true
	}
	return nil, Word{}, false
}

// doMove reads a move, which removes a file at one place and may replace a file at another. Files
// that stay in the project, or come into it from the downloads, do not count as removed.
func doMove(c *Call) {
	from, to, ok := sources(c)
	if !ok {
		return
	}
	_, q := c.Path(to)
	kept := to.Known() && q&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace) != 0 && q&(umpire.PlaceGenerated|umpire.PlaceGitDir) == 0
	for _, w := range from {
		_, p := c.Path(w)
		switch {
		case w.Found && inside(p) && inside(q) && (!to.Known() || strings.HasSuffix(to.Text, "/") || len(c.SomeNames(to)) > 0): // each file gets another name in the project
		case kept && w.Glob && p&umpire.PlaceWorkspace != 0 && p&umpire.PlaceGitDir == 0: // from the root of the project into the project: nothing is lost
		case kept && downloaded(w, p): // the project has it now
		case kept && c.renames(w, to):
			c.deleteBuilt(w, 0) // the file stays in the project under another name
		default:
			c.Delete(w, 0)
		}
		c.Moved(to, w)
		renamed(c, to, w)
		s := c.File(w)
		s.Taint |= placeTaint(p)
		t := umpire.Overwrite
		if c.Has("-n") || sampleEnv(w.Text) && !c.Exists(to) {
			t = 0
		}
		deposit(c, w, to, len(from) > 1, s, t)
	}
	c.SetOut(Stream{})
}

// inside reports whether a path is in the project, and not among the files of git.
func inside(p umpire.Place) bool {
	return p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace) != 0 && p&umpire.PlaceGitDir == 0
}

// downloaded reports whether a path is a single file in the folder where browsers save downloads.
func downloaded(w Word, p umpire.Place) bool {
	dir, name := path.Split(w.Text)
	return w.Known() && !w.Glob && strings.HasSuffix(dir, "/Downloads/") && p&umpire.PlaceInHome != 0 && p&(umpire.PlaceInWorkspace|umpire.PlaceCredentials|umpire.PlacePrivate) == 0 && path.Ext(name) != ""
}

// renames reports whether a move gives an ordinary file of the project another ordinary name in the
// project, and replaces no other file.
func (c *Call) renames(from, to Word) bool {
	const ordinary = umpire.PlaceInHome | umpire.PlaceInWorkspace | umpire.PlaceGenerated | umpire.PlaceSource | umpire.PlaceWorktree | umpire.PlaceCache
	_, p := c.Path(from)
	_, q := c.Path(to)
	return from.Known() && !from.Glob && !to.Glob && p&umpire.PlaceInWorkspace != 0 && (p|q&^umpire.PlaceWorkspace)&^ordinary == 0 && c.Traits&umpire.Force == 0 && !c.Exists(to)
}

func doCopy(c *Call) {
	from, to, ok := sources(c)
	if !ok {
		return
	}
	for _, w := range from {
		ownCopy := !c.Has("-r") && envFile(c, w) && envFile(c, to) && sameFolder(c, w, to)
		p := umpire.PlaceEnvFile
		if ownCopy {
			c.readUnshown(w) // the secrets stay in their folder, under a name that is guarded too
		} else {
			p = c.ReadFile(w)
		}
		s := c.File(w)
		s.Taint |= placeTaint(p)
		t := umpire.Overwrite
		if c.Has("-n") || (ownCopy || sampleEnv(w.Text)) && !c.Exists(to) {
			t = 0
		}
		deposit(c, w, to, len(from) > 1, s, t)
		renamed(c, to, w)
		if c.Traits&umpire.Recursive != 0 {
			c.Copied(to, w)
		}
	}
	c.SetOut(Stream{})
}

// sameFolder reports whether two files are in the same folder of the project.
func sameFolder(c *Call, a, b Word) bool {
	x, p := c.Path(a)
	y, q := c.Path(b)
	return p&q&umpire.PlaceInWorkspace != 0 && path.Dir(x) == path.Dir(y) && x != y
}

// sampleEnv reports whether a file is a sample from which people copy a project's environment
// file: .env.example, env.sample.
func sampleEnv(p string) bool {
	name := strings.ToLower(p[strings.LastIndexByte(p, '/')+1:])
	return (anyof.HasPrefix(name, ".env.", "env.", ".env-") || strings.HasSuffix(name, ".env")) &&
		anyof.Contains(name, "example", "sample", "template", "dist", "default")
}

// deposit records that a source is written to a destination: below it if it must be a folder, or
// else in its place. If the destination may be a folder, the file is known under both names.
func deposit(c *Call, from, to Word, many bool, s Stream, t umpire.Trait) {
	_, p := c.Path(to)
	home := p&umpire.PlaceHome != 0 && from.Known() && to.Known() && !strings.ContainsAny(to.Text, "*?[") && strings.Trim(LastName(from.Text), ".") != "" && !strings.HasSuffix(from.Text, "/") && !c.Has("-T")
	if home || many || strings.HasSuffix(to.Text, "/") || to.Text == "." || to.Text == ".." {
		name := from.Text[strings.LastIndexByte(strings.TrimRight(from.Text, "/"), '/')+1:]
		c.WriteFile(to.With(strings.TrimSuffix(to.Text, "/")+"/"+strings.TrimRight(name, "/")), t&^umpire.Recursive, s)
		if strings.HasSuffix(from.Text, "/.") || strings.HasSuffix(from.Text, "/*") {
			c.path(umpire.Write, to, t) // all files of the source land there
		}
		return
	}
	if c.Traits&umpire.Recursive == 0 && t&umpire.Overwrite != 0 {
		t |= umpire.Truncate
	}
	p = c.WriteFile(to, t, s)
	if p&(umpire.PlaceSystemTop|umpire.PlaceHome|umpire.PlaceWorkspace) != 0 || p&umpire.PlaceTemp != 0 {
		name := from.Text[strings.LastIndexByte(strings.TrimRight(from.Text, "/"), '/')+1:]
		c.Store(to.With(to.Text+"/"+name), s)
	}
}

func doInstall(c *Call) {
	if c.Has("-d") {
		return
	}
	if m, ok := c.Opt("-m"); ok {
		if t := modeTraits(m.Text); t != 0 {
			_, to, _ := sources(c)
			c.WriteFile(to, t|umpire.Permissions, Stream{})
		}
	}
	doCopy(c)
}

func doLink(c *Call) {
	from, to, ok := sources(c)
	if !ok {
		if len(c.Operands) == 1 {
			c.WriteFile(c.Operands[0].With(c.Operands[0].Text[strings.LastIndexByte(c.Operands[0].Text, '/')+1:]), 0, c.File(c.Operands[0]))
		}
		return
	}
	symbolic := c.Has("-s") && !c.Has("-r")
	for _, w := range from {
		target, real := w, w
		into := len(from) > 1 || strings.HasSuffix(to.Text, "/")
		switch {
		case !symbolic:
			abs, _ := c.Path(w)
			target = w.With(abs)
		case w.Text == "" || w.Text[0] == '/' || w.Text[0] == '~':
		case into || len(c.SomeNames(to)) > 0:
			real = w.With(strings.TrimSuffix(to.Text, "/") + "/" + w.Text)
		default:
			real = w.With(path.Dir(to.Text) + "/" + w.Text)
		}
		// A link gives a secret a second name, so that name has the taint of the content.
		_, p := c.Path(real)
		s := c.File(real)
		s.Taint |= placeTaint(p)
		t := When(c.Has("-f"), umpire.Overwrite)
		if p&umpire.PlaceNull != 0 {
			t |= umpire.Truncate // whatever is written there later is lost
		}
		deposit(c, w, to, len(from) > 1, s, t)
		if !into {
			c.Link(to, target)
		}
		renamed(c, to, w)
		c.Link(to.With(strings.TrimSuffix(to.Text, "/")+"/"+LastName(w.Text)), target)
	}
}

// LastName returns the last part of a path, without trailing slashes.
func LastName(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

func doTruncate(c *Call) {
	size, _ := c.Opt("-s")
	t := umpire.Truncate
	if strings.HasPrefix(size.Text, "+") {
		t = umpire.Append
	}
	for _, w := range c.Operands {
		c.WriteFile(w, t, Stream{Seen: strings.Trim(size.Text, "0") == ""})
	}
}

func doTee(c *Call) {
	t := umpire.Truncate
	if c.Has("-a") {
		t = umpire.Append
	}
	for _, w := range c.Operands {
		c.WriteFile(w, t, c.Stdin)
	}
	c.SetOut(c.Stdin)
}

// doDD reads the operands of dd, which are KEY=VALUE. The input must be known before the output, in
// any order of the operands.
func doDD(c *Call) {
	in := c.Stdin
	endless, bounded, part := false, false, false
	for _, w := range c.Args {
		if v, ok := strings.CutPrefix(w.Text, "if="); ok {
			p := c.ReadFile(w.With(v))
			in = c.File(w.With(v))
			in.Taint |= placeTaint(p)
			endless = v == "/dev/zero" || v == "/dev/urandom" || v == "/dev/random"
		}
		bounded = bounded || strings.HasPrefix(w.Text, "count=")
		for _, o := range [...]string{"count=", "skip=", "iseek=", "conv=", "cbs="} {
			part = part || strings.HasPrefix(w.Text, o)
		}
	}
	t := umpire.Truncate
	if endless && !bounded {
		t |= umpire.ResourceBomb // it ends only when the disk is full
	}
	for _, w := range c.Args {
		if v, ok := strings.CutPrefix(w.Text, "of="); ok {
			out := w.With(v)
			out.Found = w.Found
			c.WriteFile(out, t, in)
			for _, from := range c.Args {
				if f, ok := strings.CutPrefix(from.Text, "if="); ok {
					renamed(c, w.With(v), from.With(f))
				}
			}
			return
		}
	}
	if part && c.Stdin.Pipe && in.Seen { // a part of a text may do something else than the whole
		in = Unseen(in.Taint | FromDecoder)
	}
	c.SetOut(in)
}

func doMktemp(c *Call) {
	dir, named := c.Opt("-p")
	if !named {
		dir, named = c.Opt("--tmpdir")
	}
	if !named && len(c.Operands) == 0 || c.Has("-t") {
		c.SetOut(Text("/tmp/tmp.XXXXXXXX\n"))
		return
	}
	switch {
	case len(c.Operands) > 0 && c.Operands[0].Known() && dir.Text == "" && strings.Contains(c.Operands[0].Text, "XXX"):
		c.SetOut(Text(c.Operands[0].Text + "\n"))
	case dir.Text != "":
		c.SetOut(Text(dir.Text + "/tmp.XXXXXXXX\n"))
	}
}

// doCat outputs the known content of the files or the input, as far as head or tail prints it.
func doCat(c *Call) {
	if len(c.Operands) == 0 {
		c.SetOut(c.someLines(c.Stdin))
		return
	}
	out := Stream{Seen: true, Pipe: true}
	long := false
	for _, w := range c.Operands {
		if cmd, ok := strings.CutPrefix(w.Text, "+!"); ok { // a command that less and more run at start
			c.Shell(w.With(cmd), Run{Traits: umpire.RunsProgram})
			continue
		}
		s := c.File(w)
		if w.Text == "-" {
			s = c.Stdin
		}
		if !s.Seen {
			out.Seen = false
			if c.Host.Model(LastName(w.Text)) != nil && strings.Contains(w.Text, "bin/") { // a program, which stays one under a new name
				out.Taint |= FromUnseen
			}
		}
		if out.Taint |= s.Taint; len(out.Text)+len(s.Text) > 256<<10 {
			long = true
			if out.Lists() || s.Lists() {
				out.Text = everyFile
			}
			s.Text = ""
		}
		out.Text += s.Text
	}
	out.Taint |= c.Out.Taint
	if long {
		out.Seen = false
		if !out.Lists() {
			out.Text = ""
		}
	}
	if len(c.Operands) == 1 {
		out = c.someLines(out)
	}
	c.SetOut(out)
}

// doLs outputs the names of the operands. If one may be a folder, the output is unknown.
func doLs(c *Call) {
	if c.Has("-l") || slices.ContainsFunc(c.Operands, func(w Word) bool { return !c.Has("-d") && !w.Glob && !w.Found && !c.programFile(w.Text) }) {
		return
	}
	names := c.Operands
	for _, w := range c.Operands {
		if dir, all := strings.CutSuffix(w.Text, "/*"); all && w.Glob { // the pattern has places that the folder has not
			names = append(slices.Clip(names), Word{Text: cmp.Or(dir, "/"), Taint: w.Taint, Marks: Marks{Found: true}})
		}
	}
	c.each(names, func(w Word) Word { return w })
}

// doListing outputs the paths that du -a and tree -f print with other text.
func doListing(c *Call) {
	if c.Has("-a", "-f") {
		c.printsFound(c.Operands, nil, 0)
	}
}

// programFile reports whether a path is that of a described program, and so not of a folder.
func (c *Call) programFile(p string) bool {
	dir, name := path.Split(p)
	if anyof.Equal(dir, "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/") {
		return c.Host.Model(name) != nil
	}
	return false
}

func HasText(ws []Word, s string) bool {
	return slices.ContainsFunc(ws, func(w Word) bool { return w.Text == s })
}

func doFdupes(c *Call) {
	if c.Has("-d") {
		for _, w := range c.Operands {
			c.Delete(w, umpire.Recursive|umpire.Filtered)
		}
	}
}

// doFallocate reads a file of reserved space. One of 100 GB or more is there to fill the disk.
func doFallocate(c *Call) {
	size, _ := c.Opt("-l")
	t := umpire.Append
	n := strings.TrimRight(strings.ToUpper(size.Text), "IB")
	if digits := strings.TrimRight(n, "KMGTPE"); anyof.HasSuffix(n, "T", "P", "E") ||
		strings.HasSuffix(n, "G") && len(digits) > 2 || len(digits) > 11 {
		t |= umpire.ResourceBomb
	}
	for _, w := range c.Operands {
		c.WriteFile(w, t, Unseen(0))
	}
}

// writes reports whether a command of ex or vim saves the file.
func writes(cmd string) bool {
	for part := range strings.SplitSeq(cmd, "|") {
		part = strings.TrimLeft(part, ": %\t0123456789,$")
		word := part
		if i := strings.IndexFunc(part, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
			word = part[:i]
		}
		if anyof.Equal(word, "w", "wq", "wqa", "wa", "wall", "write", "x", "xa", "xit", "exit", "up", "update") {
			return true
		}
	}
	return false
}

// Made begins the key under which a command line remembers a folder that a command makes, and
// where the command fails if the folder exists.
const Made = "made "

// MadePath begins the key of a folder that mkdir -p makes, which does not fail if it exists.
const MadePath = "made path "

func doMkdir(c *Call) {
	for _, w := range c.Operands {
		if c.Inert() {
			return
		}
		abs, p := c.Path(w)
		mode, _ := c.Opt("-m")
		if t := modeTraits(mode.Text); t&umpire.Loosened != 0 && p&umpire.PlaceCredentials != 0 {
			c.path(umpire.Write, w, t|umpire.Permissions) // as chmod does
		}
		if c.Has("-p") {
			if w.Known() && !w.Glob {
				c.Define(MadePath+abs, w)
			}
			continue
		}
		c.makes(w)
	}
}

// makes records that the call makes a folder, and fails if that path exists.
func (c *Call) makes(w Word) {
	if w.Known() && !w.Glob {
		if abs, _ := c.Path(w); !strings.Contains(abs, umpire.Hole) || !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, "~") {
			c.Define(Made+abs, w)
		}
	}
}

// modeTraits returns the traits of a permission mode.
func modeTraits(mode string) (t umpire.Trait) {
	oct := strings.TrimLeft(mode, "=+-")
	if len(oct) >= 3 && strings.Trim(oct, "01234567") == "" {
		last := oct[len(oct)-1]
		if last != '0' {
			t |= umpire.Loosened
		}
		if last == '2' || last == '3' || last == '6' || last == '7' {
			t |= umpire.WorldWritable | umpire.Loosened
		}
		if len(oct) >= 4 {
			if d := oct[len(oct)-4]; d >= '4' && d <= '7' || d == '2' || d == '3' {
				t |= umpire.Setuid
			}
		}
		return t
	}
	for part := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(part, "+=")
		if i < 0 {
			continue
		}
		who, what := part[:i], part[i+1:]
		t |= When(strings.ContainsAny(what, "rwxX") && (who == "" || strings.ContainsAny(who, "goa")), umpire.Loosened)
		t |= When(strings.Contains(what, "w") && (strings.ContainsAny(who, "oa")), umpire.WorldWritable|umpire.Loosened)
		t |= When(strings.Contains(what, "s") && (who == "" || strings.ContainsAny(who, "uga")), umpire.Setuid)
	}
	return t
}

// noRights reports whether a mode removes all permissions from everybody: 000, a=, ugo-rwx, -rwx.
func noRights(mode string) bool {
	if strings.Trim(mode, "0") == "" {
		return mode != ""
	}
	left := "ugo"
	for part := range strings.SplitSeq(mode, ",") {
		who, what, ok := strings.Cut(part, "-")
		if ok && strings.Trim("rwx", what) != "" {
			return false // a permission stays
		}
		if !ok {
			who, what, ok = strings.Cut(part, "=")
			if !ok || what != "" {
				return false
			}
		}
		if who == "" || strings.Contains(who, "a") {
			who = "ugo"
		}
		left = strings.Map(func(r rune) rune {
			if strings.ContainsRune(who, r) {
				return -1
			}
			return r
		}, left)
	}
	return left == ""
}

func doChmod(c *Call) {
	files := c.Operands
	t, unrunnable := umpire.Permissions, false
	if _, ok := c.Opt("--reference"); !ok {
		mode := ""
		for i := range c.opts { // chmod -x file, chmod -R -w dir: the mode looks like an option
			if r := c.opts[i].raw; len(r) == 2 && strings.Contains("rwxXst", r[1:]) {
				mode = "-" + strings.TrimPrefix(mode, "-") + r[1:]
			}
		}
		if mode == "" && len(files) > 0 && !(len(files) == 1 && strings.HasPrefix(files[0].Text, "/")) {
			mode, files = files[0].Text, files[1:]
		}
		t |= modeTraits(mode)
		unrunnable = takesExecution(mode)
		if noRights(mode) {
			t |= umpire.Bulk
		}
	}
	for _, w := range files {
		if p := c.path(umpire.Write, w, t); p&umpire.PlaceGitHooks != 0 && unrunnable {
			c.Delete(w, 0) // git skips the hook
		}
	}
}

// takesExecution reports whether a mode keeps a file from being run: -x, a-x, 644.
func takesExecution(mode string) bool {
	if octal := strings.TrimLeft(mode, "0"); octal != "" && strings.Trim(octal, "01234567") == "" {
		return !strings.ContainsAny(octal, "1357")
	}
	for part := range strings.SplitSeq(mode, ",") {
		if _, taken, ok := strings.Cut(part, "-"); ok && strings.Contains(taken, "x") {
			return true
		}
		if _, set, ok := strings.Cut(part, "="); ok && !strings.ContainsAny(set, "xX") {
			return true
		}
	}
	return false
}

func doChown(c *Call) {
	files := c.Operands
	if _, ok := c.Opt("--reference"); !ok && len(files) > 0 {
		files = files[1:]
	}
	for _, w := range files {
		c.path(umpire.Write, w, umpire.Ownership)
	}
}

func doChattr(c *Call) {
	for _, w := range c.Operands {
		if !strings.HasPrefix(w.Text, "+") && !strings.HasPrefix(w.Text, "=") {
			c.path(umpire.Write, w, umpire.Permissions)
		}
	}
}

// doSetfacl reads access lists. An entry such as other::rwx opens a file to everybody.
func doSetfacl(c *Call) {
	t := umpire.Permissions
	for _, o := range []string{"-m", "--set"} {
		for _, w := range c.All(o) {
			for e := range strings.SplitSeq(w.Text, ",") {
				f := strings.Split(strings.TrimPrefix(strings.TrimPrefix(e, "default:"), "d:"), ":")
				if len(f) < 2 {
					continue
				}
				who, what := f[0], f[len(f)-1]
				if strings.ContainsAny(what, "rwx") {
					t |= umpire.Loosened
				}
				if (who == "o" || who == "other") && strings.Contains(what, "w") {
					t |= umpire.WorldWritable
				}
			}
		}
	}
	for _, w := range c.Operands {
		c.path(umpire.Write, w, t)
	}
}

func doSetcap(c *Call) {
	if len(c.Operands) > 1 {
		c.path(umpire.Write, c.Operands[len(c.Operands)-1], umpire.Setuid|umpire.Permissions)
	}
}
