package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
)

// coreutilsModels are the programs that move, remove, show and change files.
var coreutilsModels = []Model{
	{Names: "rm grm", Opts: "-r,-R,--recursive+recursive -f,--force+force -i --interactive?=_", Do: doRemove},
	{Names: "rimraf del-cli", Opts: "-g,--glob -v -i,--interactive --impl=_ --tmp=_ --max-retries=_", Do: doRimraf},
	{Names: "shx", Args: "C", Style: Strict},
	{Names: "rmdir grmdir unlink", Args: "d*"},
	{Names: "srm wipe", Opts: "-r,-R,--recursive+recursive -f,--force+force", Do: doShred},
	{Names: "shred gshred", Opts: "-n,--iterations=_ -s,--size=_ --random-source=_ -u,--remove?=_ -f,--force+force", Do: doShred},
	{Names: "trash trash-put gio-trash rmtrash gtrash", Args: "m*"},
	{Names: "trash-empty trash-rm", Opts: "-f -i --all-users --trash-dir=_ --dry-run+inert", Do: doTrash},
	{Names: "gio", Sub: []Model{{Names: "trash", Opts: "--empty --list --restore", Args: "m*", Do: doTrash}, {Names: "remove", Args: "d*"}, {Names: "copy", Args: "r* w"}, {Names: "move", Do: doMove}}},
	{Names: "mv gmv", Opts: "-t,--target-directory=_ -S,--suffix=_ -f,--force+force -T,--no-target-directory -n,--no-clobber --backup?=_", Do: doMove},
	{Names: "cp gcp", Opts: "-t,--target-directory=_ -S,--suffix=_ -r,-R,-a,--recursive,--archive+recursive -f,--force -T -n,--no-clobber --backup?=_ --preserve?=_ --no-preserve=_ --reflink?=_ --sparse=_", Do: doCopy},
	{Names: "install ginstall", Opts: "-t,--target-directory=_ -m,--mode=_ -o,--owner=_ -g,--group=_ -S,--suffix=_ -d,--directory -D", Do: doInstall},
	{Names: "ln gln", Opts: "-t,--target-directory=_ -S,--suffix=_ -s,--symbolic -f,--force -n,--no-dereference -r,--relative", Do: doLink},
	{Names: "mkdir gmkdir", Opts: "-m,--mode=_ -Z,--context?=_ -p,--parents", Do: doMkdir}, // a new folder holds nothing and replaces nothing
	{Names: "fallocate", Opts: "-l,--length=_ -o,--offset=_ -p,--posix -d,--dig-holes -c,--collapse-range -z,--zero-range -n,--keep-size -x", Do: doFallocate},
	{Names: "mkfifo", Opts: "-m,--mode=_ -Z,--context?=_", Args: "o*"},
	{Names: "mknod", Opts: "-m,--mode=_ -Z,--context?=_", Args: "o"},
	{Names: "touch gtouch", Opts: "-d,--date=_ -r,--reference=_ -t=_ --time=_", Args: "o*"},
	{Names: "truncate gtruncate", Opts: "-s,--size=_ -r,--reference=_", Do: doTruncate},
	{Names: "tee gtee sponge", Opts: "-a,--append --output-error?=_", Do: doTee},
	{Names: "dd gdd dcfldd dc3dd", Style: KeyVal, Do: doDD},
	{Names: "chmod gchmod", Opts: "-R,--recursive+recursive --reference=_", Style: AnyOption, Do: doChmod},
	{Names: "chown gchown chgrp", Opts: "-R,--recursive+recursive --reference=_ --from=_", Do: doChown},
	{Names: "chattr", Opts: "-R+recursive -v=_ -p=_", Do: doChattr},
	{Names: "setfacl", Opts: "-R,--recursive+recursive -m,--modify=_ -x,--remove=_ -M=r -X=r --set=_ --restore=_ -b,--remove-all -k,--remove-default -d,--default --test+inert", Do: doSetfacl},
	{Names: "setcap", Args: "_ o*", Do: doSetcap},
	{Names: "split gsplit csplit", Opts: "-b=_ -l=_ -n=_ -a=_ -C=_ --filter=c --additional-suffix=_", Args: "r t", Do: doSplitService},
	{Names: "mktemp gmktemp tempfile", Opts: "-p,--tmpdir?=_ -t --suffix=_ -d,--directory -q,--quiet -u,--dry-run", Do: doMktemp},

	{Names: "file", Opts: "-f,--files-from=r -m,--magic-file=_ -F,--separator=_ -P,--parameter=_ -e,--exclude=_", Args: "i*"},
	{Names: "stat", Opts: "-c,--format=_ --printf=_ -f -L -t -r -x", Args: "i*"},
	{Names: "tree du locate mlocate namei getfacl lsattr", Opts: "-a=_ -L=_ -I=_ -d=_ -c=_ --max-depth=_"},
	{Names: "wc cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum md5", Opts: "-a=_ --files0-from=r", Args: "i*"},
	{Names: "patch gpatch", Opts: "-i,--input=r -d,--directory=D -o,--output=w -p,--strip=_ -R --dry-run+inert -B=_ -F=_ -r=_", Args: "o r", Do: doPatch},
	{Names: "apply_patch applypatch", Do: doApplyPatch},

	{Names: "find gfind fdfind-legacy", Style: NoOptions, Do: doFind},
	{Names: "fd fdfind", Opts: "-e,--extension=_ -t,--type=_ -E,--exclude=_ -d,--max-depth=_ --min-depth=_ -S,--size=_ --changed-within=_ --changed-before=_ -c,--color=_ -j=_ --base-directory=D -o,--owner=_ --search-path=_", Do: doFd},
	{Names: "xargs gxargs", Opts: "-I=_ -i,--replace?=_ -J=_ -n,--max-args=_ -P,--max-procs=_ -L=_ -l,--max-lines?=_ -d,--delimiter=_ -a,--arg-file=r -E=_ -e,--eof?=_ -s,--max-chars=_ --process-slot-var=_ -R=_ -S=_ -0,--null -r,--no-run-if-empty -t,--verbose -p,--interactive", Style: Strict, Do: doXargs},
	{Names: "parallel", Style: NoOptions, Do: doParallel},

	{Names: "tar gtar bsdtar", Opts: "-f,--file=_ -C,--directory=D -x,--extract,--get -c,--create -t,--list -r,--append -u,--update --delete -T,--files-from=r -X,--exclude-from=r --exclude=_ -I,--use-compress-program=_ --to-command=P --checkpoint-action=_ --checkpoint?=_ -F,--info-script,--new-volume-script=P --rsh-command=P --rmt-command=P --transform,--xform=_ --strip-components=_ --owner=_ --group=_ --mode=_ -b=_ -H,--format=_ -K=_ -N=_ -V,--label=_ -g,--listed-incremental=_ --remove-files -O,--to-stdout -P,--absolute-names --overwrite", Style: Bundled, Do: doTar},
	{Names: "zip", Opts: "-b=_ -x=_ -i=_ -n=_ -P=_ -t=_ -tt=_ -O=w -TT,--unzip-command=P -m,--move -d,--delete -r,--recurse-paths", Args: "w r*", Do: doZip},
	{Names: "unzip", Opts: "-d=_ -x=_ -P=_ -l -v -t -p -Z", Do: doUnzip},
	{Names: "7z 7za 7zr p7zip", Do: doSevenZip},
	{Names: "unrar rar", Do: doSevenZip},
	{Names: "cpio", Opts: "-i,--extract -o,--create -p,--pass-through -F,--file=r -D,--directory=D -I=r -O=w --rsh-command=P", Args: ""},
	{Names: "ar", Style: Bundled, Args: "w r*"},
	{Names: "rename prename perl-rename", Opts: "-e=_ -n,--nono,--no-act,--dry-run+inert", Args: "_ o*"},
	{Names: "ncdu rmlint fdupes jdupes", Opts: "-d,--delete", Do: doFdupes},
}

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
		c.Delete(w, u)
	}
	c.SetOut(Stream{})
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

// sources splits operands into what is taken and where it goes.
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
		if !(kept && w.Glob && p&umpire.PlaceWorkspace != 0 && p&umpire.PlaceGitDir == 0) { // from the project's root into the project: all is there still
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

func doCopy(c *Call) {
	from, to, ok := sources(c)
	if !ok {
		return
	}
	for _, w := range from {
		p := c.ReadFile(w)
		s := c.File(w)
		s.Taint |= placeTaint(p)
		t := umpire.Overwrite
		if c.Has("-n") || sampleEnv(w.Text) && !c.Exists(to) {
			t = 0
		}
		deposit(c, w, to, len(from) > 1, s, t)
		renamed(c, to, w)
	}
	c.SetOut(Stream{})
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
	for _, w := range from {
		// A link to a secret reads it by another name: the name inherits what it holds.
		_, p := c.Path(w)
		s := c.File(w)
		s.Taint |= placeTaint(p)
		t := umpire.Trait(0)
		if c.Has("-f") {
			t = umpire.Overwrite
		}
		if p&umpire.PlaceNull != 0 {
			t |= umpire.Truncate // what is written there from now on is lost
		}
		deposit(c, w, to, len(from) > 1, s, t)
		c.Link(to, w)
		renamed(c, to, w)
		c.Link(to.With(strings.TrimSuffix(to.Text, "/")+"/"+lastName(w.Text)), w)
	}
}

func lastName(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// doTrash reads what empties the desktop's trash, the last place where deleted files are.
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
	endless, bounded := false, false
	for _, w := range c.Args {
		if v, ok := strings.CutPrefix(w.Text, "if="); ok {
			p := c.ReadFile(w.With(v))
			in = c.File(w.With(v))
			in.Taint |= placeTaint(p)
			endless = v == "/dev/zero" || v == "/dev/urandom" || v == "/dev/random"
		}
		bounded = bounded || strings.HasPrefix(w.Text, "count=")
	}
	t := umpire.Truncate
	if endless && !bounded {
		t |= umpire.ResourceBomb // it ends when the disk is full
	}
	for _, w := range c.Args {
		if v, ok := strings.CutPrefix(w.Text, "of="); ok {
			c.WriteFile(w.With(v), t, in)
			return
		}
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

// doCat passes on what it reads when it is known.
func doCat(c *Call) {
	if len(c.Operands) == 0 {
		c.SetOut(c.Stdin)
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
		}
		out.Text += s.Text
		out.Taint |= s.Taint
	}
	out.Taint |= c.Out.Taint
	if len(out.Text) > 256<<10 {
		out.Seen = false
	}
	c.SetOut(out)
}

// doLs prints the names it was given; what lies in the folders among them is not known.
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

func doMkdir(c *Call) {
	if c.Has("-p") || c.Inert() {
		return // it may be there
	}
	for _, w := range c.Operands {
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
