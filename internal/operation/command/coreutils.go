package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

func doRemove(c *Call) {
	t := umpire.Trait(0)
	if len(c.Operands) > 0 && c.Traits&umpire.Force != 0 {
		t |= umpire.Force
	}
	for _, w := range c.Operands {
		u := t
		if strings.HasPrefix(w.Text, umpire.Hole) && strings.ReplaceAll(w.Text, umpire.Hole, "") == "/*" {
			u |= umpire.WholeTree // an empty variable makes it /*
		}
		if t := strings.TrimPrefix(w.Text, "./"); t == "*" || t == "." || t == "" && w.Text != "" {
			if abs, _ := c.Path(w); strings.HasPrefix(abs, umpire.Hole) {
				u |= umpire.WholeTree | umpire.Unknown // cd $X, which is home where X is empty
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

// builtBeside reports whether the call removes a folder beside other build output: bin with obj,
// which .NET makes, or deps with _build, which Elixir makes.
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

// deleteBuilt removes files that a build of the project makes again.
func (c *Call) deleteBuilt(w Word, t umpire.Trait) {
	abs, p := c.Path(w)
	if p&umpire.PlaceInWorkspace == 0 || p&umpire.PlaceWorkspace != 0 {
		c.Delete(w, t)
		return
	}
	c.Emit(umpire.Operation{Kind: umpire.Delete, Resource: abs, Places: p | umpire.PlaceGenerated, Traits: t | c.Traits})
}

// doRimraf is rm -rf by another name, for scripts of the Node world.
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

// sources splits operands into the sources and the destination.
func sources(c *Call) (from []Word, to Word, ok bool) {
	if t, has := c.Opt("-t"); has {
		return c.Operands, t.With(strings.TrimSuffix(t.Text, "/") + "/"), true
	}
	if n := len(c.Operands); n >= 2 {
		return c.Operands[:n-1], c.Operands[n-1], true
	}
	return nil, Word{}, false
}

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
		case kept && w.Glob && p&umpire.PlaceWorkspace != 0 && p&umpire.PlaceGitDir == 0: // from the project's root into the project: all is there still
		case kept && downloaded(w, p): // it is in the project from now on
		case kept && c.renames(w, to):
			c.deleteBuilt(w, 0) // another name; the file stays in the project
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

// downloaded reports whether a path is one named file in the folder that browsers save to.
func downloaded(w Word, p umpire.Place) bool {
	dir, name := path.Split(w.Text)
	return w.Known() && !w.Glob && strings.HasSuffix(dir, "/Downloads/") && p&umpire.PlaceInHome != 0 && p&(umpire.PlaceInWorkspace|umpire.PlaceCredentials|umpire.PlacePrivate) == 0 && path.Ext(name) != ""
}

// renames reports whether a move gives an ordinary file of the project another name there, and
// replaces no other file.
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
			c.readUnshown(w) // its secrets stay where they are kept, under a name that is guarded too
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

// sampleEnv reports whether a file is the sample that a project's environment file starts
// as: .env.example, env.sample.
func sampleEnv(p string) bool {
	name := strings.ToLower(p[strings.LastIndexByte(p, '/')+1:])
	return (strings.HasPrefix(name, ".env.") || strings.HasPrefix(name, "env.") || strings.HasPrefix(name, ".env-") || strings.HasSuffix(name, ".env")) &&
		(strings.Contains(name, "example") || strings.Contains(name, "sample") || strings.Contains(name, "template") || strings.Contains(name, "dist") || strings.Contains(name, "default"))
}

// deposit writes one source to its destination, below it if that is a folder for sure.
func deposit(c *Call, from, to Word, many bool, s Stream, t umpire.Trait) {
	if many || strings.HasSuffix(to.Text, "/") || to.Text == "." || to.Text == ".." {
		name := from.Text[strings.LastIndexByte(strings.TrimRight(from.Text, "/"), '/')+1:]
		c.WriteFile(to.With(strings.TrimSuffix(to.Text, "/")+"/"+strings.TrimRight(name, "/")), t&^umpire.Recursive, s)
		if strings.HasSuffix(from.Text, "/.") || strings.HasSuffix(from.Text, "/*") {
			c.path(umpire.Write, to, t) // everything goes there
		}
		return
	}
	if c.Traits&umpire.Recursive == 0 && t&umpire.Overwrite != 0 {
		t |= umpire.Truncate
	}
	p := c.WriteFile(to, t, s)
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
		// A link to a secret reads it under another name: the name inherits the taint of the
		// content.
		_, p := c.Path(real)
		s := c.File(real)
		s.Taint |= placeTaint(p)
		t := umpire.Trait(0)
		if c.Has("-f") {
			t = umpire.Overwrite
		}
		if p&umpire.PlaceNull != 0 {
			t |= umpire.Truncate // everything written there from now on is lost
		}
		deposit(c, w, to, len(from) > 1, s, t)
		if !into {
			c.Link(to, target)
		}
		renamed(c, to, w)
		c.Link(to.With(strings.TrimSuffix(to.Text, "/")+"/"+lastName(w.Text)), target)
	}
}

func lastName(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// doTrash reads commands that empty the desktop's trash, the last place of deleted files.
func doTrash(c *Call) {
	if c.Program != "gio" || c.Has("--empty") {
		sys(c, "trash empty", umpire.Irreversible)
	}
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
		t |= umpire.ResourceBomb // it ends when the disk is full
	}
	for _, w := range c.Args {
		if v, ok := strings.CutPrefix(w.Text, "of="); ok {
			c.WriteFile(w.With(v), t, in)
			for _, from := range c.Args {
				if f, ok := strings.CutPrefix(from.Text, "if="); ok {
					renamed(c, w.With(v), from.With(f))
				}
			}
			return
		}
	}
	if part && c.Stdin.Pipe && in.Seen { // some of a text, which may say something else than the whole
		in = Unseen(in.Taint | FromDecoder)
	}
	c.SetOut(in)
}

func doMktemp(c *Call) {
	_, dir := c.Opt("-p")
	if !dir && len(c.Operands) == 0 || c.Has("-t") {
		c.SetOut(Text("/tmp/tmp.XXXXXXXX\n"))
		return
	}
	if len(c.Operands) > 0 && strings.HasPrefix(c.Operands[0].Text, "/tmp/") {
		c.SetOut(Text(c.Operands[0].Text + "\n"))
		return
	}
	if d, _ := c.Opt("-p"); d.Text != "" {
		c.SetOut(Text(d.Text + "/tmp.XXXXXXXX\n"))
	}
}

// doCat passes on its input if it is known.
func doCat(c *Call) {
	if len(c.Operands) == 0 {
		c.SetOut(c.someLines(c.Stdin))
		return
	}
	out := Stream{Seen: true, Pipe: true}
	for _, w := range c.Operands {
		if cmd, ok := strings.CutPrefix(w.Text, "+!"); ok { // less and more run it on start
			c.Shell(w.With(cmd), Run{Traits: umpire.RunsProgram})
			continue
		}
		s := c.File(w)
		if w.Text == "-" {
			s = c.Stdin
		}
		if !s.Seen {
			out.Seen = false
			if c.Host.Model(lastName(w.Text)) != nil && strings.Contains(w.Text, "bin/") { // a program, whatever its new name
				out.Taint |= FromUnseen
			}
		}
		out.Text += s.Text
		out.Taint |= s.Taint
	}
	out.Taint |= c.Out.Taint
	if len(out.Text) > 256<<10 {
		out.Seen = false
	}
	if len(c.Operands) == 1 {
		out = c.someLines(out)
	}
	c.SetOut(out)
}

// doLs prints the names it was given; the contents of folders among them are not known.
func doLs(c *Call) {
	if len(c.Operands) == 0 || c.Has("-l") {
		return
	}
	var b strings.Builder
	var t Taint
	for _, w := range c.Operands {
		if !c.Has("-d") && !w.Glob && !c.programFile(w.Text) {
			return
		}
		b.WriteString(w.Text + "\n")
		t |= w.Taint
	}
	s := Text(b.String())
	s.Taint = t
	c.SetOut(s)
}

// programFile reports whether a path is that of a program, and so of no folder.
func (c *Call) programFile(p string) bool {
	dir, name := path.Split(p)
	switch dir {
	case "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/":
		return c.Host.Model(name) != nil
	}
	return false
}

func contains(ws []Word, s string) bool {
	for _, w := range ws {
		if w.Text == s {
			return true
		}
	}
	return false
}

func doFdupes(c *Call) {
	if c.Has("-d") {
		for _, w := range c.Operands {
			c.Delete(w, umpire.Recursive|umpire.Filtered)
		}
	}
}

// doFallocate reads a file made of reserved room: that of hundreds of gigabytes is there
// to fill the disk.
func doFallocate(c *Call) {
	size, _ := c.Opt("-l")
	t := umpire.Append
	n := strings.TrimRight(strings.ToUpper(size.Text), "IB")
	if digits := strings.TrimRight(n, "KMGTPE"); strings.HasSuffix(n, "T") || strings.HasSuffix(n, "P") || strings.HasSuffix(n, "E") ||
		strings.HasSuffix(n, "G") && len(digits) > 2 || len(digits) > 11 {
		t |= umpire.ResourceBomb
	}
	for _, w := range c.Operands {
		c.WriteFile(w, t, Unseen(0))
	}
}

func hasArg(args []Word, text string) bool {
	for _, w := range args {
		if w.Text == text {
			return true
		}
	}
	return false
}

// writes reports whether a command of ex or vim saves the file.
func writes(cmd string) bool {
	for part := range strings.SplitSeq(cmd, "|") {
		part = strings.TrimLeft(part, ": %\t0123456789,$")
		word := part
		if i := strings.IndexFunc(part, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
			word = part[:i]
		}
		switch word {
		case "w", "wq", "wqa", "wa", "wall", "write", "x", "xa", "xit", "exit", "up", "update":
			return true
		}
	}
	return false
}

// Made begins the key under which a command line remembers a folder that a command makes,
// or else fails.
const Made = "made "

// MadePath begins the key of a folder that a command makes with those above it, if they are not there.
const MadePath = "made path "

func doMkdir(c *Call) {
	for _, w := range c.Operands {
		if c.Inert() {
			return
		}
		if abs, _ := c.Path(w); c.Has("-p") {
			if w.Known() && !w.Glob {
				c.Define(MadePath+abs, w)
			}
			continue
		}
		c.makes(w)
	}
}

// makes records that the call makes a folder, and fails if one of that name is there.
func (c *Call) makes(w Word) {
	if w.Known() && !w.Glob {
		if abs, _ := c.Path(w); !strings.Contains(abs, umpire.Hole) || !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, "~") {
			c.Define(Made+abs, w)
		}
	}
}
