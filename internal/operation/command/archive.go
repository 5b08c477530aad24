package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

func doCompress(c *Call) {
	if c.Has("-t", "-l") {
		c.operands("i*")
		return
	}
	for _, w := range c.Operands {
		c.ReadFile(w)
	}
	s := Unseen(c.Stdin.Taint | c.Out.Taint)
	if c.Has("-d") {
		s.Taint |= FromDecoder
		c.unpacksFiles()
	}
	c.SetOut(c.keyed(s))
}

func doTar(c *Call) {
	// TAR_OPTIONS comes before the arguments, and TAPE names the archive if no argument does. With
	// either, an adversary can send an archive away with a harmless command line.
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
	if list := c.All("-C"); len(list) == 1 && file.Text != "" && file.Text != "-" && file.Text[0] != '~' && !path.IsAbs(file.Text) {
		if from, ok := c.Var("OLDPWD"); ok && from.Known() { // tar opens the archive before it changes to the folder of -C
			file = file.With(path.Join(from.Text, file.Text))
		}
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
	case c.Has("-c") || c.Has("-r") || c.Has("-u") || c.Has("-A") || c.Has("-d"):
		t := c.Out.Taint
		for _, w := range c.Operands {
			p := c.ReadTree(w, 0)
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
	if c.Has("-@") {
		c.readListed(Lit("-"))
	}
	if c.Has("-m") {
		for _, w := range c.Operands[min(1, len(c.Operands)):] {
			c.Delete(w, umpire.Recursive)
		}
	}
}

// doCpio reads cpio and pax. They copy the files that standard input lists to an archive (-o) or to
// the folder that the last operand names (-p), or unpack an archive (-i).
func doCpio(c *Call) {
	archive, _ := c.Opt("-F")
	from, to := c.Has("-i"), c.Has("-o")
	copies := c.Has("-p") || from && to // as pax does
	if copies || to {
		c.readListed(Lit("-"))
		for _, w := range c.Operands[:max(0, len(c.Operands)-1)] {
			c.ReadFile(w)
		}
	}
	switch {
	case c.Inert():
	case copies:
		if n := len(c.Operands); n > 0 {
			unpack(c, c.Operands[n-1], c.Stdin.Taint)
		}
	case to && archive.Text != "":
		c.WriteFile(archive, umpire.Truncate, Unseen(c.Out.Taint))
	case !to && archive.Text != "":
		c.ReadFile(archive)
	}
	if from && !to && !c.Has("-t", "--to-stdout") && !c.Inert() {
		unpack(c, Lit("."), c.Stdin.Taint|c.File(archive).Taint)
	}
}

func doUnzip(c *Call) {
	ws := append(c.All("-Path"), c.Operands...) // of Expand-Archive
	if len(ws) == 0 {
		return
	}
	c.ReadFile(ws[0])
	s := c.File(ws[0])
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
	} else if d, ok := c.Opt("-DestinationPath"); ok {
		dir = d
	} else if len(ws) > 1 && c.Program == "expand-archive" {
		dir = ws[1]
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
			p := c.ReadTree(w, 0)
			t |= c.File(w).Taint | placeTaint(p)
		}
		c.WriteFile(c.Operands[1], umpire.Truncate, Unseen(t))
		if c.Has("-sdel") || HasText(c.Args, "-sdel") {
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

// compressor reports whether the filter program of tar is a common compressor.
func compressor(cmd string) bool {
	f := strings.Fields(cmd)
	if len(f) == 0 {
		return true
	}
	return anyof.Equal(f[0], "gzip", "pigz", "bzip2", "pbzip2", "lbzip2", "xz", "pxz", "pixz", "lzma", "lzop", "lzip", "plzip", "zstd", "zstdmt", "pzstd", "lz4", "brotli", "compress")
}

// tapeHost returns the host of an archive on another machine, HOST:FILE, or an empty Word.
func tapeHost(c *Call, file Word) Word {
	host, _, ok := strings.Cut(file.Text, ":")
	if !ok || host == "" || strings.Contains(host, "/") || c.Has("--force-local") {
		return Word{}
	}
	return file.With(host)
}

// doTarRemote reads tar with an archive on another machine.
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

// unpack records that the files of an archive are written into a folder. Their names are unknown,
// so in the home folder, the root or a folder of keys or settings they may overwrite anything.
func unpack(c *Call, dir Word, t Taint) {
	if abs, p := c.Path(dir); p&(umpire.PlaceRoot|umpire.PlaceSystem|umpire.PlaceHome|umpire.PlaceCredentials|umpire.PlaceStartup|umpire.PlaceJobs|umpire.PlaceGitDir|umpire.PlaceAgentConfig) != 0 || anyof.HasSuffix(abs, "/.config", "/Library") {
		c.path(umpire.Write, dir, umpire.Recursive|umpire.Overwrite)
	}
	c.WriteFile(dir.With(strings.TrimSuffix(dir.Text, "/")+"/"+umpire.Hole), 0, Unseen(t))
}
