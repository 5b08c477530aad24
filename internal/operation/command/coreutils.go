package command

import (
	"encoding/base64"
	"encoding/hex"
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
	{Names: "gio", Sub: []Model{{Names: "trash", Args: "m*"}, {Names: "remove", Args: "d*"}, {Names: "copy", Args: "r* w"}, {Names: "move", Do: doMove}}},
	{Names: "mv gmv", Opts: "-t,--target-directory=_ -S,--suffix=_ -f,--force+force -T,--no-target-directory -n,--no-clobber --backup?=_", Do: doMove},
	{Names: "cp gcp", Opts: "-t,--target-directory=_ -S,--suffix=_ -r,-R,-a,--recursive,--archive+recursive -f,--force -T -n,--no-clobber --backup?=_ --preserve?=_ --no-preserve=_ --reflink?=_ --sparse=_", Do: doCopy},
	{Names: "install ginstall", Opts: "-t,--target-directory=_ -m,--mode=_ -o,--owner=_ -g,--group=_ -S,--suffix=_ -d,--directory -D", Do: doInstall},
	{Names: "ln gln", Opts: "-t,--target-directory=_ -S,--suffix=_ -s,--symbolic -f,--force -n,--no-dereference -r,--relative", Do: doLink},
	{Names: "mkdir gmkdir", Opts: "-m,--mode=_ -Z,--context?=_"}, // a new folder holds nothing and replaces nothing
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

	{Names: "cat gcat zcat bzcat xzcat zstdcat gzcat tac less more most bat batcat nl pv view", Opts: "-p=_ -n --style=_ --language,-l=_ --theme=_ --paging=_ --color=_ -r=_ -L=_ -N=_", Args: "r*", Do: doCat},
	{Names: "head tail ghead gtail", Opts: "-n,--lines=_ -c,--bytes=_ -s,--sleep-interval=_ --pid=_", Args: "r*", Do: doCat},
	{Names: "sort gsort comm join fmt expand unexpand pr nkf iconv dos2unix unix2dos look tsort ptx numfmt factor", Opts: "-o,--output=w --compress-program=P --files0-from=r --random-source=_ -k,--key=_ -t,--field-separator=_ -T=_ -S=_ -w=_ -s=_ -f=_ -c -A=_ -N=_ -j=_ --from-code=_ --to-code=_ -d=_", Args: "r*", Do: doSortLike},
	{Names: "uniq guniq", Opts: "-f,--skip-fields=_ -s,--skip-chars=_ -w,--check-chars=_", Args: "r w", Do: doSortLike},
	{Names: "column", Opts: "-s,--separator=_ -o,--output-separator=_ -c,--output-width=_ -N,--table-columns=_ -R=_ -H=_ -W=_ -O=_ -E=_ -n,--table-name=_", Args: "r*"},
	{Names: "paste fold", Opts: "-d,--delimiters=_ -w,--width=_", Args: "r*", Do: doSortLike},
	{Names: "od hexdump hd xxhash strings", Opts: "-A=_ -N=_ -j=_ -t=_ -n,--bytes=_ -e,--encoding=_ -f=r -w?=_ -S=_", Args: "r*"},
	{Names: "cmp", Opts: "-i=_ -n=_", Do: doDiff},
	{Names: "cut", Opts: "-d,--delimiter=_ -f,--fields=_ -c,--characters=_ -b,--bytes=_ --output-delimiter=_", Args: "r*"},
	{Names: "file", Opts: "-f,--files-from=r -m,--magic-file=_ -F,--separator=_ -P,--parameter=_ -e,--exclude=_"},
	{Names: "wc cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum md5 du stat tree realpath readlink basename dirname locate mlocate namei getfacl lsattr", Opts: "-a=_ --files0-from=r -L=_ -I=_ -d=_ -c=_ --max-depth=_", Style: 0},
	{Names: "ls dir vdir exa eza lsd", Opts: "-I,--ignore=_ -w,--width=_ -T=_ --color?=_ --sort=_ --time=_ --hide=_ -d,--directory", Do: doLs},
	{Names: "which type whence where", Do: doWhich},
	{Names: "tr", Opts: "-d,--delete -s,--squeeze-repeats -c,-C,--complement", Do: doTr},
	{Names: "rev", Args: "r*", Do: doRev},
	{Names: "base64 gbase64 base32 basenc", Opts: "-d,-D,--decode -w,--wrap=_ -i=r -o=w -b=_", Args: "r", Do: doBase64},
	{Names: "xxd", Opts: "-r,-revert -p,-ps,-plain -c,-cols=_ -g=_ -l,-len=_ -s=_ -seek=_ -o=_", Style: LongDash, Args: "r w", Do: doXxd},
	{Names: "uudecode", Opts: "-o=w", Args: "r", Do: doDecoder}, {Names: "uuencode", Args: "r _"},
	{Names: "gunzip bunzip2 unxz unlzma unzstd lz4cat funzip unpigz uncompress unlz4 unbrotli", Opts: "-S,--suffix=_ -c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "gzip bzip2 xz lzma zstd pigz lz4 brotli compress", Opts: "-d,--decompress,--uncompress -S,--suffix=_ -c,--stdout,--to-stdout -k,--keep -T=_ -o=w -t,--test -l,--list", Do: doCompress},
	{Names: "grep egrep fgrep rg ag ack ugrep zgrep ripgrep pcregrep", Opts: "-e,--regexp=_ -f,--file=r -m,--max-count=_ -A=_ -B=_ -C=_ --include=_ --exclude=_ --exclude-dir=_ -g,--glob=_ -t,--type=_ -T,--type-not=_ --color?=_ --pre=P --hostname-bin=P --pager=P -d=_ -D=_ --iglob=_ --max-depth=_ --sort=_ -j,--threads=_ -M=_ -r,-R,--recursive", Do: doGrep},
	{Names: "sed gsed", Opts: "-e,--expression=_ -f,--file=r -i,-I,--in-place?=_ -l=_ -n,--quiet,--silent -E,-r -s,--separate -z", Do: doSed},
	{Names: "awk gawk mawk nawk goawk", Opts: "-f,--file=x -F,--field-separator=_ -v,--assign=_ -i,--include=x -e,--source=e -E,--exec=x -l,--load=_ -o?=_ -p?=_ -d?=_", Style: Strict, Lang: "awk", Do: doAwk},
	{Names: "jq gojq jaq", Style: NoOptions, Do: doJq},
	{Names: "man", Opts: "-H,--html?=_ -P,--pager=_ -C,--config-file=_ -M,--manpath=_ -S,-s,--sections=_ -L,--locale=_ -m,--systems=_ -e,--extension=_ -R,--recode=_ -E,--encoding=_ -p,--preprocessor=_ -r,--prompt=_ -T,--troff-device?=_ -X,--gxditview?=_", Do: doMan},
	{Names: "diff gdiff sdiff colordiff diff3 delta difft vimdiff3 wdiff", Opts: "--from-file=r --to-file=r -I,--ignore-matching-lines=_ -x,--exclude=_ -X,--exclude-from=r -U,--unified=_ -C,--context=_ -S=_ -W,--width=_ -D=_ -F=_ --label=_ -o,--output=w --color?=_ --diff-program=P", Do: doDiff},
	{Names: "yq dasel fx xq tomlq", Opts: "--arg=_ --argjson=_ --slurpfile=_ --rawfile=_ -f,--from-file=r -L=_ --indent=_ -o=_ -i,--inplace -p=_", Args: "_ r*"},
	{Names: "patch gpatch", Opts: "-i,--input=r -d,--directory=D -o,--output=w -p,--strip=_ -R --dry-run+inert -B=_ -F=_ -r=_", Args: "o r", Do: doPatch},
	{Names: "apply_patch applypatch", Do: doApplyPatch},
	{Names: "ed ex", Opts: "-p=_ -s", Args: "o", Lang: "ed", Do: doEditor},
	{Names: "vim vi nvim view vimdiff nano emacs micro helix hx pico joe kak", Opts: "-c,--cmd=_ -u=_ -S=x -s=_ -w=_ -T=_ --eval=_ -l=x --load=x -f=_ -batch", Style: LongDash, Lang: "vim", Do: doEditor},

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
	for _, w := range from {
		p := c.Delete(w, 0)
		s := c.File(w)
		s.Taint |= placeTaint(p)
		t := umpire.Overwrite
		if c.Has("-n") {
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
		deposit(c, w, to, len(from) > 1, s, umpire.Overwrite)
	}
	c.SetOut(Stream{})
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
		c.Link(to.With(strings.TrimSuffix(to.Text, "/")+"/"+lastName(w.Text)), w)
	}
}

func lastName(p string) string {
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
		c.WriteFile(w, t, Stream{Seen: true})
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

// modeTraits tells what a permission mode opens.
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
		if strings.ContainsAny(what, "rwxX") && (who == "" || strings.ContainsAny(who, "goa")) {
			t |= umpire.Loosened
		}
		if strings.Contains(what, "w") && (strings.ContainsAny(who, "oa")) {
			t |= umpire.WorldWritable | umpire.Loosened
		}
		if strings.Contains(what, "s") && (who == "" || strings.ContainsAny(who, "uga")) {
			t |= umpire.Setuid
		}
	}
	return t
}

func doChmod(c *Call) {
	files := c.Operands
	t := umpire.Permissions
	if _, ok := c.Opt("--reference"); !ok {
		mode := ""
		for i := range c.opts { // chmod -x file, chmod -R -w dir: the mode looks like an option
			if r := c.opts[i].raw; len(r) == 2 && strings.Contains("rwxXst", r[1:]) {
				mode = r
			}
		}
		if mode == "" && len(files) > 0 && !(len(files) == 1 && strings.HasPrefix(files[0].Text, "/")) {
			mode, files = files[0].Text, files[1:]
		}
		t |= modeTraits(mode)
		if mode == "000" || mode == "0" || mode == "a-rwx" || mode == "-rwx" || mode == "0000" {
			t |= umpire.Bulk
		}
	}
	for _, w := range files {
		c.path(umpire.Write, w, t)
	}
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

// doSetfacl reads access lists: other::rwx and the like open a file to everybody.
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
		if !c.Has("-d") && !w.Glob {
			return
		}
		b.WriteString(w.Text + "\n")
		t |= w.Taint
	}
	s := Text(b.String())
	s.Taint = t
	c.SetOut(s)
}

// doWhich prints where a program lies, which is the program for what runs it.
func doWhich(c *Call) {
	if len(c.Operands) == 1 && c.Operands[0].Known() {
		c.SetOut(Text(c.Operands[0].Text + "\n"))
	}
}

func doSortLike(c *Call) {
	if len(c.Operands) == 0 && c.Stdin.Seen && strings.Count(c.Stdin.Text, "\n") <= 1 {
		c.SetOut(c.Stdin)
	}
}

func doTr(c *Call) {
	if !c.Stdin.Seen || c.Has("-c") {
		s := c.Stdin
		s.Seen = false
		s.Taint |= FromDecoder
		if !c.Stdin.Pipe {
			return
		}
		c.SetOut(s)
		return
	}
	from := trSet(c.Arg(0).Text)
	s := c.Stdin
	if c.Has("-d") {
		s.Text = strings.Map(func(r rune) rune {
			if strings.ContainsRune(from, r) {
				return -1
			}
			return r
		}, s.Text)
	} else if to := []rune(trSet(c.Arg(1).Text)); len(to) > 0 {
		set := []rune(from)
		s.Text = strings.Map(func(r rune) rune {
			for i, f := range set {
				if f == r {
					return to[min(i, len(to)-1)]
				}
			}
			return r
		}, s.Text)
		s.Taint |= FromDecoder
	}
	c.SetOut(s)
}

// trSet expands ranges and classes of tr.
func trSet(s string) string {
	for _, k := range [...][2]string{{"[:upper:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}, {"[:lower:]", "abcdefghijklmnopqrstuvwxyz"}, {"[:digit:]", "0123456789"}, {"[:space:]", " \t\n\r\v\f"}, {"[:blank:]", " \t"}, {`\n`, "\n"}, {`\t`, "\t"}, {`\\`, `\`}} {
		s = strings.ReplaceAll(s, k[0], k[1])
	}
	var b strings.Builder
	r := []rune(s)
	for i := 0; i < len(r); i++ {
		if i+2 < len(r) && r[i+1] == '-' && r[i] < r[i+2] && r[i+2]-r[i] < 256 {
			for x := r[i]; x <= r[i+2]; x++ {
				b.WriteRune(x)
			}
			i += 2
			continue
		}
		b.WriteRune(r[i])
	}
	return b.String()
}

func doRev(c *Call) {
	s := c.Stdin
	s.Taint |= FromDecoder
	if s.Seen {
		lines := strings.Split(s.Text, "\n")
		for i, l := range lines {
			r := []rune(l)
			for a, z := 0, len(r)-1; a < z; a, z = a+1, z-1 {
				r[a], r[z] = r[z], r[a]
			}
			lines[i] = string(r)
		}
		s.Text = strings.Join(lines, "\n")
	}
	c.SetOut(s)
}

// input is what a filter with at most one file operand reads.
func input(c *Call) Stream {
	if len(c.Operands) == 0 || c.Operands[0].Text == "-" {
		return c.Stdin
	}
	s := c.File(c.Operands[0])
	s.Taint |= c.Out.Taint
	return s
}

func doBase64(c *Call) {
	s := input(c)
	if !c.Has("-d") {
		s.Seen = false
		c.SetOut(s)
		return
	}
	s.Taint |= FromDecoder
	if s.Seen {
		text := strings.Map(func(r rune) rune {
			if r == '\n' || r == ' ' || r == '\r' {
				return -1
			}
			return r
		}, s.Text)
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			b, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
		}
		s.Text, s.Seen = string(b), err == nil
	}
	c.SetOut(s)
}

func doXxd(c *Call) {
	s := input(c)
	if !c.Has("-r", "-rp", "-pr") {
		s.Seen = false
		c.SetOut(s)
		return
	}
	s.Taint |= FromDecoder
	if s.Seen {
		b, err := hex.DecodeString(strings.Join(strings.Fields(s.Text), ""))
		s.Text, s.Seen = string(b), err == nil
	}
	c.SetOut(s)
}

func doDecoder(c *Call) {
	s := input(c)
	s.Taint |= FromDecoder
	s.Seen = false
	if s.Pipe || len(c.Operands) > 0 {
		c.SetOut(s)
	}
}

func doCompress(c *Call) {
	if c.Has("-t") || c.Has("-l") {
		return
	}
	for _, w := range c.Operands {
		c.ReadFile(w)
	}
	s := Unseen(c.Stdin.Taint | c.Out.Taint)
	if c.Has("-d") {
		s.Taint |= FromDecoder
	}
	c.SetOut(s)
}

func doGrep(c *Call) {
	files := c.Operands
	if _, e := c.Opt("-e"); !e {
		if _, f := c.Opt("-f"); !f && len(files) > 0 && !c.Has("--files") {
			files = files[1:]
		}
	}
	if c.Has("-l") || c.Has("-L") || c.Has("-c") || c.Has("-q") || c.Has("--files") {
		return // names and counts
	}
	for _, w := range files {
		if w.Text != "-" {
			c.ReadFile(w)
		}
	}
}

func doSed(c *Call) {
	files := c.Operands
	scripts := c.All("-e")
	if len(scripts) == 0 && !c.Has("-f") && len(files) > 0 {
		if files[0].Text == "" && c.Has("-i") && len(files) > 1 {
			files = files[1:] // BSD: -i takes a suffix of its own
		}
		scripts, files = files[:1], files[1:]
	}
	for _, w := range files {
		c.ReadFile(w)
		if c.Has("-i") {
			c.WriteFile(w, 0, Unseen(0))
		}
	}
	out := c.Stdin
	if len(files) > 0 {
		out = Unseen(c.Out.Taint)
		if len(files) == 1 {
			if s := c.File(files[0]); s.Seen {
				out = s
			}
		}
	}
	for _, w := range scripts {
		out = sedScript(c, w, out)
	}
	c.SetOut(out)
}

// sedScript reads the commands of sed that run programs and write files, and applies a
// plain substitution to what is known.
func sedScript(c *Call, w Word, in Stream) Stream {
	in.Seen = in.Seen && w.Known()
	text := w.Text
	for text != "" {
		text = sedAddress(strings.TrimLeft(text, " \t\n;{}"))
		if text == "" {
			break
		}
		cmd := text[0]
		line, rest, _ := strings.Cut(text[1:], "\n")
		arg := w.With(strings.TrimSpace(line))
		text = text[1:]
		switch cmd {
		case 'e':
			if arg.Text != "" {
				c.Shell(arg, Run{Out: true})
			} else {
				c.Script("sh", in, Run{Via: "sed", Out: true})
			}
			in.Seen, text = false, rest
		case 'w', 'W':
			c.WriteFile(arg, umpire.Truncate, in)
			text = rest
		case 'r', 'R':
			c.ReadFile(arg)
			in.Seen, text = false, rest
		case 'a', 'i', 'c':
			for strings.HasSuffix(line, `\`) {
				line, rest, _ = strings.Cut(rest, "\n")
			}
			in.Seen, text = false, rest
		case '#', ':':
			text = rest
		case 'b', 't', 'T':
			in.Seen = false
			if i := strings.IndexAny(text, ";\n}"); i >= 0 {
				text = text[i:]
			} else {
				text = ""
			}
		case 's', 'y':
			in, text = sedSubstitute(c, w, in, cmd, text)
		default:
			in.Seen = false
		}
	}
	return in
}

// sedAddress skips what says on which lines a command works.
func sedAddress(s string) string {
	for s != "" {
		switch {
		case strings.IndexByte("0123456789$,!+~ \t", s[0]) >= 0:
			s = s[1:]
		case s[0] == '/', s[0] == '\\' && len(s) > 1:
			delim := s[0]
			if delim == '\\' {
				delim, s = s[1], s[1:]
			}
			_, s = sedPart(s[1:], delim)
			s = strings.TrimLeft(s, "IM")
		default:
			return s
		}
	}
	return s
}

// sedPart cuts s at the next delimiter that is neither escaped nor in brackets.
func sedPart(s string, delim byte) (part, rest string) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case delim:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

func sedSubstitute(c *Call, w Word, in Stream, cmd byte, text string) (Stream, string) {
	if text == "" {
		return in, ""
	}
	delim := text[0]
	from, text := sedPart(text[1:], delim)
	to, text := sedPart(text, delim)
	if cmd == 'y' {
		in.Seen = false
		return in, text
	}
	global, eval := false, false
	for text != "" && strings.IndexByte("0123456789gpiImMew", text[0]) >= 0 {
		switch text[0] {
		case 'g':
			global = true
		case 'e':
			eval = true
		case 'w':
			line, rest, _ := strings.Cut(text[1:], "\n")
			c.WriteFile(w.With(strings.TrimSpace(line)), umpire.Truncate, in)
			text = " " + rest
		}
		text = text[1:]
	}
	if in.Seen && !strings.ContainsAny(from, `.*[]^$\+?(){}|`) && !strings.ContainsAny(to, `\&`) {
		n := 1
		if global {
			n = -1
		}
		in.Text = strings.Replace(in.Text, from, to, n)
	} else {
		in.Seen = false
	}
	if eval {
		if in.Seen {
			c.Shell(Word{Text: in.Text, Taint: in.Taint}, Run{Out: true})
		} else {
			c.Script("sh", Unseen(in.Taint), Run{Via: "sed", Out: true})
			// What takes the place of a match is known even where the line is not.
			c.Shell(w.With(to), Run{Out: true})
		}
	}
	return in, text
}

func doAwk(c *Call) {
	files := c.Operands
	if !c.Has("-f") && !c.Has("-e") && !c.Has("-E") && len(files) > 0 {
		c.Code("awk", files[0], Run{Out: true})
		files = files[1:]
	}
	for _, w := range files {
		if !strings.Contains(w.Text, "=") && w.Text != "-" {
			c.ReadFile(w)
		}
	}
	if len(files) == 0 && !c.Stdin.Pipe {
		return // a BEGIN block's output is the program's own
	}
	c.SetOut(Unseen(c.Out.Taint | c.Stdin.Taint))
}

func doEditor(c *Call) {
	for _, o := range []string{"-c", "--eval"} {
		for _, w := range c.All(o) {
			c.Code("vim", w, Run{})
		}
	}
	saves := false
	for _, w := range append(c.All("-c"), c.Operands...) {
		cmd, plus := strings.CutPrefix(w.Text, "+")
		saves = saves || (plus || len(c.All("-c")) > 0) && writes(cmd)
	}
	for _, w := range c.Operands {
		if saves && !strings.HasPrefix(w.Text, "+") {
			c.WriteFile(w, 0, Unseen(0))
		}
		if strings.HasPrefix(w.Text, "+") {
			if len(w.Text) > 1 && (w.Text[1] < '0' || w.Text[1] > '9') && w.Text[1] != '/' {
				c.Code("vim", w.With(w.Text[1:]), Run{})
			}
			continue
		}
		c.path(umpire.Read, w, 0)
	}
	if c.Stdin.Seen && (c.Program == "ed" || c.Program == "ex" || c.Has("-es") || c.Has("-s")) {
		c.Script("vim", c.Stdin, Run{Via: c.Program})
		for _, w := range c.Operands {
			c.WriteFile(w, 0, Unseen(c.Stdin.Taint))
		}
	}
}

// doFind reads find's expression: starting points, tests that narrow, actions.
func doFind(c *Call) {
	args := c.Args
	var roots []Word
	i := 0
	for i < len(args) && (args[i].Text == "-H" || args[i].Text == "-L" || args[i].Text == "-P" || args[i].Text == "-E" || args[i].Text == "-X" || strings.HasPrefix(args[i].Text, "-O")) {
		i++
	}
	for ; i < len(args); i++ {
		t := args[i].Text
		if t == "-f" && i+1 < len(args) {
			i++
			roots = append(roots, args[i])
			continue
		}
		if strings.HasPrefix(t, "-") && len(t) > 1 || t == "(" || t == "!" || t == `\(` || t == `\!` {
			break
		}
		roots = append(roots, args[i])
	}
	if len(roots) == 0 {
		roots = Lits(".")
	}
	narrow := umpire.Trait(0)
	parens := 0
	var names []Word
	for j := i; j < len(args); j++ {
		t := args[j].Text
		switch strings.TrimPrefix(t, "-") {
		case "(", `\(`:
			parens++
		case ")", `\)`:
			parens--
		case "o", "or", ",":
			if parens <= 0 { // what follows does not depend on the tests before
				names, narrow = nil, 0
			}
		case "name", "iname", "path", "ipath", "wholename", "iwholename", "regex", "iregex", "lname":
			not := j > 0 && (args[j-1].Text == "!" || args[j-1].Text == `\!` || args[j-1].Text == "-not")
			if j++; j < len(args) && !not {
				names = append(names, args[j])
				if strings.Trim(args[j].Text, "*./?") != "" {
					narrow |= umpire.Filtered
				}
			}
		case "newer", "mtime", "mmin", "atime", "amin", "ctime", "cmin", "size", "user", "group", "perm", "uid", "gid", "newermt", "used", "links", "inum", "samefile", "fstype":
			j++
			narrow |= umpire.Filtered
		case "type", "xtype":
			if j++; j < len(args) && args[j].Text == "l" {
				narrow |= umpire.Filtered
			}
		case "maxdepth", "mindepth":
			j++
		case "empty":
			narrow |= umpire.Filtered
			names = append(names, Lit(umpire.Hole))
		case "nouser", "nogroup":
			narrow |= umpire.Filtered
		case "delete":
			for _, r := range roots {
				target := findTarget(r, names)
				if _, p := c.Path(r); p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceSystem|umpire.PlaceParent) != 0 {
					target = r // a name may occur all over the machine
				}
				c.Delete(target, umpire.Recursive|narrow)
			}
		case "fprint", "fprint0", "fls":
			if j++; j < len(args) {
				c.WriteFile(args[j], umpire.Truncate, Unseen(0))
			}
		case "fprintf":
			if j += 2; j < len(args)+1 && j-1 < len(args) {
				c.WriteFile(args[j-1], umpire.Truncate, Unseen(0))
			}
		case "exec", "execdir", "ok", "okdir":
			end := j + 1
			for end < len(args) && args[end].Text != ";" && args[end].Text != `\;` && !(args[end].Text == "+" && args[end-1].Text == "{}") {
				end++
			}
			if j+1 < end {
				for _, r := range roots {
					target := findTarget(r, names)
					if _, p := c.Path(r); p&(umpire.PlaceRoot|umpire.PlaceHome|umpire.PlaceSystem|umpire.PlaceParent) != 0 && changes(args[j+1:end]) {
						target = r // a name may occur all over the machine
					}
					cmd := make([]Word, 0, end-j)
					for _, w := range args[j+1 : end] {
						cmd = append(cmd, Word{Text: strings.ReplaceAll(w.Text, "{}", target.Text), Taint: w.Taint | holds(w, "{}")*target.Taint, Glob: w.Glob || strings.Contains(w.Text, "{}") && target.Glob})
					}
					c.Exec(cmd, Run{Via: "find", Traits: narrow | umpire.Bulk, Out: true})
				}
			}
			j = end
		}
	}
	// Its output is names: what a program downstream is handed.
	var b strings.Builder
	for _, r := range roots {
		b.WriteString(findTarget(r, names).Text + "\n")
	}
	if !c.Answered() {
		c.SetOut(Text(b.String()))
	}
}

// changes reports whether a command that find runs alters the files it is given.
func changes(cmd []Word) bool {
	for i, w := range cmd {
		switch name := w.Text[strings.LastIndexByte(w.Text, '/')+1:]; name {
		case "rm", "rmdir", "unlink", "shred", "srm", "wipe", "truncate", "mv", "chmod", "chown", "chgrp", "chattr", "setfacl":
			return true
		case "sudo", "doas", "env", "nice", "command", "busybox", "nohup":
			continue
		default:
			if i > 0 && strings.HasPrefix(w.Text, "-") || strings.Contains(w.Text, "=") {
				continue
			}
		}
		return false
	}
	return false
}

// findTarget is what find hands on: the starting point itself when nothing narrows it,
// or whatever of a name lies below it.
func findTarget(root Word, names []Word) Word {
	if len(names) == 0 {
		return root
	}
	n := names[len(names)-1].Text
	if strings.Trim(n, "*./?") == "" {
		return root
	}
	return Word{Text: strings.TrimSuffix(root.Text, "/") + "/" + umpire.Hole + "/" + n[strings.LastIndexByte(n, '/')+1:], Taint: root.Taint, Glob: true}
}

// holds is 1 if a word holds the mark that stands for a program's input, or 0.
func holds(w Word, mark string) Taint {
	if strings.Contains(w.Text, mark) {
		return 1
	}
	return 0
}

func doFd(c *Call) {
	for i, w := range c.Args {
		switch w.Text {
		case "-x", "--exec", "-X", "--exec-batch":
			root := Lit(".")
			if len(c.Operands) > 1 && !contains(c.Args[i:], c.Operands[1].Text) {
				root = c.Operands[1]
			}
			var cmd []Word
			seen := false
			for _, a := range c.Args[i+1:] {
				if a.Text == ";" {
					break
				}
				if strings.Contains(a.Text, "{") {
					seen = true
				}
				cmd = append(cmd, a.With(strings.NewReplacer("{}", root.Text, "{/}", root.Text, "{//}", root.Text, "{.}", root.Text).Replace(a.Text)))
			}
			if !seen {
				cmd = append(cmd, root)
			}
			c.Exec(cmd, Run{Via: "fd", Traits: umpire.Bulk | umpire.Filtered, Out: true})
			return
		}
	}
}

func contains(ws []Word, s string) bool {
	for _, w := range ws {
		if w.Text == s {
			return true
		}
	}
	return false
}

// lines are the arguments that a program makes of its input, at most a handful.
func lines(s Stream, byLine bool) []Word {
	if !s.Seen {
		return []Word{{Text: umpire.Hole, Taint: s.Taint}}
	}
	var out []Word
	fields := strings.Fields(s.Text)
	if byLine {
		fields = strings.FieldsFunc(s.Text, func(r rune) bool { return r == '\n' || r == 0 })
	}
	for _, f := range fields {
		if len(out) >= 64 {
			return append(out, Word{Text: umpire.Hole, Taint: s.Taint})
		}
		out = append(out, Word{Text: f, Taint: s.Taint, Glob: strings.Contains(f, umpire.Hole)})
	}
	return out
}

func doXargs(c *Call) {
	in := c.Stdin
	if f, ok := c.Opt("-a"); ok {
		in = c.File(f)
	}
	if len(c.Operands) == 0 {
		return
	}
	mark := ""
	switch {
	case c.Has("-I"):
		if v, ok := c.Opt("-I"); ok {
			mark = v.Text
		}
	case c.Has("-i"):
		mark = "{}"
		if v, ok := c.Opt("-i"); ok && v.Text != "" {
			mark = v.Text
		}
	case c.Has("-J"):
		if v, ok := c.Opt("-J"); ok {
			mark = v.Text
		}
	}
	args := lines(in, mark != "" || c.Has("-0") || c.Has("-d"))
	if mark == "" {
		c.Exec(append(append([]Word(nil), c.Operands...), args...), Run{Via: "xargs", Stdin: &Stream{}, Out: true})
		return
	}
	for _, a := range args {
		c.Exec(substitute(c.Operands, mark, a), Run{Via: "xargs", Stdin: &Stream{}, Out: true})
	}
}

func substitute(cmd []Word, mark string, a Word) []Word {
	out := make([]Word, len(cmd))
	for i, w := range cmd {
		out[i] = w
		if mark != "" && strings.Contains(w.Text, mark) {
			out[i] = Word{Text: strings.ReplaceAll(w.Text, mark, a.Text), Taint: w.Taint | a.Taint, Glob: w.Glob || a.Glob}
		}
	}
	return out
}

func doParallel(c *Call) {
	args := c.Args
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-j", "--jobs", "-P", "-N", "-n", "-I", "-a", "--arg-file", "--delay", "--timeout", "--retries", "--colsep", "-C", "--joblog", "--results", "-S", "--sshlogin", "--tmpdir", "-d", "--delimiter", "--wd", "--workdir", "--load", "--memfree", "--halt", "-L", "-X", "--tag-string", "--tagstring", "--basefile", "--env", "--block", "--recstart", "--recend", "-s", "--max-replace-args":
			args = args[min(2, len(args)):]
		default:
			args = args[1:]
		}
	}
	var cmd, given []Word
	sep := false
	for _, w := range args {
		if strings.HasPrefix(w.Text, ":::") {
			sep = true
			continue
		}
		if sep {
			given = append(given, w)
		} else {
			cmd = append(cmd, w)
		}
	}
	if !sep {
		given = lines(c.Stdin, true)
	}
	if len(given) > 64 {
		given = append(given[:64:64], Word{Text: umpire.Hole})
	}
	for _, a := range given {
		if len(cmd) == 0 { // each line is a command
			c.Shell(a, Run{Via: "parallel", Out: true})
			continue
		}
		var full []Word
		seen := false
		for _, w := range cmd {
			seen = seen || strings.Contains(w.Text, "{")
		}
		if seen {
			full = substitute(cmd, "{}", a)
			full = substitute(full, "{1}", a)
		} else {
			full = append(append([]Word(nil), cmd...), a)
		}
		// Parallel joins its words and gives them to a shell.
		if len(full) >= 3 && full[1].Text == "-c" {
			c.Exec(full, Run{Via: "parallel", Out: true})
		} else {
			var text []string
			var t Taint
			for _, w := range full {
				text, t = append(text, w.Text), t|w.Taint
			}
			c.Shell(Word{Text: strings.Join(text, " "), Taint: t}, Run{Via: "parallel", Out: true})
		}
	}
}

func doTar(c *Call) {
	// TAR_OPTIONS stands before the arguments, TAPE where no archive is named: both send
	// an archive away without a word on the command line.
	if v, ok := c.Var("TAR_OPTIONS"); ok && v.Text != "" {
		args := []Word{Lit(c.Program)}
		for f := range strings.FieldsSeq(v.Text) {
			args = append(args, v.With(f))
		}
		c.Exec(append(args, c.Args...), Run{Via: "TAR_OPTIONS", Env: Lits("TAR_OPTIONS="), Out: true})
		return
	}
	file, named := c.Opt("-f")
	if !named {
		file, _ = c.Var("TAPE")
	}
	if host := tapeHost(c, file); host.Text != "" {
		doTarRemote(c, host)
		return
	}
	if w, ok := c.Opt("-I"); ok && !compressor(w.Text) {
		c.Shell(w, Run{Traits: umpire.RunsProgram})
	}
	for _, a := range c.All("--checkpoint-action") {
		if cmd, ok := strings.CutPrefix(a.Text, "exec="); ok {
			c.Shell(a.With(strings.Trim(cmd, `"'`)), Run{Traits: umpire.RunsProgram})
		}
	}
	switch {
	case c.Has("-c") || c.Has("-r") || c.Has("-u"):
		t := Taint(0)
		for _, w := range c.Operands {
			p := c.ReadFile(w)
			t |= c.File(w).Taint | placeTaint(p)
			if p&(umpire.PlaceHome|umpire.PlaceWorkspace|umpire.PlaceRoot) != 0 {
				t |= FromTree
			}
			if c.Has("--remove-files") {
				c.Delete(w, umpire.Recursive)
			}
		}
		if file.Text != "" && file.Text != "-" {
			c.WriteFile(file, umpire.Truncate, Unseen(t))
		} else {
			c.SetOut(Unseen(t))
		}
	case c.Has("-x"):
		s := c.Stdin
		if file.Text != "" && file.Text != "-" {
			c.ReadFile(file)
			s = c.File(file)
		}
		if c.Has("-O") {
			c.SetOut(Unseen(s.Taint))
			return
		}
		unpack(c, Lit("."), s.Taint)
	case c.Has("--delete"):
		c.WriteFile(file, 0, Unseen(0))
	}
}

func doZip(c *Call) {
	if c.Has("-m") {
		for _, w := range c.Operands[min(1, len(c.Operands)):] {
			c.Delete(w, umpire.Recursive)
		}
	}
}

func doUnzip(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	c.ReadFile(c.Operands[0])
	s := c.File(c.Operands[0])
	if c.Has("-l") || c.Has("-v") || c.Has("-t") || c.Has("-Z") {
		return
	}
	if c.Has("-p") {
		c.SetOut(Unseen(s.Taint | FromDecoder))
		return
	}
	dir := Lit(".")
	if d, ok := c.Opt("-d"); ok {
		dir = d
	}
	unpack(c, dir, s.Taint)
}

func doSevenZip(c *Call) {
	if len(c.Operands) < 2 {
		return
	}
	switch c.Operands[0].Text {
	case "a", "u":
		t := Taint(0)
		for _, w := range c.Operands[2:] {
			p := c.ReadFile(w)
			t |= c.File(w).Taint | placeTaint(p)
		}
		c.WriteFile(c.Operands[1], umpire.Truncate, Unseen(t))
		if c.Has("-sdel") || hasArg(c.Args, "-sdel") {
			for _, w := range c.Operands[2:] {
				c.Delete(w, umpire.Recursive)
			}
		}
	case "x", "e":
		c.ReadFile(c.Operands[1])
		dir := Lit(".")
		for _, w := range c.Args {
			if d, ok := strings.CutPrefix(w.Text, "-o"); ok && d != "" {
				dir = w.With(d)
			}
		}
		unpack(c, dir, c.File(c.Operands[1]).Taint)
	}
}

func doFdupes(c *Call) {
	if c.Has("-d") {
		for _, w := range c.Operands {
			c.Delete(w, umpire.Recursive|umpire.Filtered)
		}
	}
}

// compressor reports whether the program that tar is told to filter by is one of the usual.
func compressor(cmd string) bool {
	f := strings.Fields(cmd)
	if len(f) == 0 {
		return true
	}
	switch f[0] {
	case "gzip", "pigz", "bzip2", "pbzip2", "lbzip2", "xz", "pxz", "pixz", "lzma", "lzop", "lzip", "plzip", "zstd", "zstdmt", "pzstd", "lz4", "brotli", "compress":
		return true
	}
	return false
}

// tapeHost tells the host of an archive that lies on another machine, HOST:FILE.
func tapeHost(c *Call, file Word) Word {
	host, _, ok := strings.Cut(file.Text, ":")
	if !ok || host == "" || strings.Contains(host, "/") || c.Has("--force-local") {
		return Word{}
	}
	return file.With(host)
}

// doTarRemote reads tar with its archive on another machine.
func doTarRemote(c *Call, host Word) {
	if c.Has("-x") || c.Has("-t") {
		c.Net(host, umpire.Download, 0)
		if c.Has("-x") {
			c.WriteFile(Lit("./"+umpire.Hole), 0, Unseen(FromNetwork))
		}
		c.Out.Taint |= FromNetwork
		return
	}
	t := Taint(0)
	for _, w := range c.Operands {
		t |= c.File(w).Taint | placeTaint(c.ReadFile(w))
	}
	c.Net(host, umpire.Upload, t)
}

// doJq reads jq's command line, in which some options take two words.
func doJq(c *Call) {
	program := false
	for i := 0; i < len(c.Args); i++ {
		w := c.Args[i]
		switch t := w.Text; {
		case t == "--arg" || t == "--argjson":
			i += 2
		case t == "--rawfile" || t == "--slurpfile" || t == "--argfile":
			if i += 2; i < len(c.Args) {
				c.ReadFile(c.Args[i])
			}
		case t == "-f" || t == "--from-file":
			if i++; i < len(c.Args) {
				c.ReadFile(c.Args[i])
				program = true
			}
		case t == "-L" || t == "--indent" || t == "--stream-errors":
			i++
		case t == "--args" || t == "--jsonargs":
			return
		case len(t) > 1 && t[0] == '-':
		case !program:
			program = true
			if strings.Contains(t, "$ENV") || strings.TrimSpace(t) == "env" || strings.HasPrefix(t, "env|") || strings.HasPrefix(t, "env |") {
				c.Taints(FromEnv)
			}
		default:
			c.ReadFile(w)
		}
	}
}

// doMan reads man, whose options name the programs that show a page.
func doMan(c *Call) {
	for _, o := range []string{"-H", "-P"} {
		if w, ok := c.Opt(o); ok && w.Text != "" {
			c.Shell(w, Run{Traits: umpire.RunsProgram})
		}
	}
}

// doDiff reads files of which it prints what differs: for one of two, all of it.
func doDiff(c *Call) {
	for _, w := range c.Operands {
		if w.Text != "-" {
			c.ReadFile(w)
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

// unpack records that an archive's files are written into a folder. Which they are only
// the archive knows; into a home, the root or a folder of keys any may matter.
func unpack(c *Call, dir Word, t Taint) {
	if _, p := c.Path(dir); p&(umpire.PlaceRoot|umpire.PlaceSystem|umpire.PlaceHome|umpire.PlaceCredentials|umpire.PlaceStartup|umpire.PlaceJobs|umpire.PlaceGitDir|umpire.PlaceAgentConfig) != 0 {
		c.path(umpire.Write, dir, umpire.Recursive|umpire.Overwrite)
	}
	c.WriteFile(dir.With(strings.TrimSuffix(dir.Text, "/")+"/"+umpire.Hole), 0, Unseen(t))
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
