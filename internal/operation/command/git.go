package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// gitArgs returns the words after the sub-command.
func gitArgs(c *Call) []Word {
	subs := strings.Fields(c.Name)[1:]
	args := c.Args
	for i := 0; i < len(args) && len(subs) > 0; i++ {
		if args[i].Text == subs[0] {
			subs = subs[1:]
			if len(subs) == 0 {
				return args[i+1:]
			}
		}
	}
	return nil
}

// git records the effect of a sub-command on the repository, and runs the programs that settings
// make it start.
func git(c *Call, t umpire.Trait) {
	gitPrograms(c)
	bringsLinks(c)
	changesSettings(c)
	t &^= disposable(c, t)
	name, args := strings.TrimPrefix(c.Name, "git "), gitArgs(c)
	op := umpire.Operation{Kind: umpire.Git, Resource: Quote(name, args), Traits: t}
	if s := c.Spelled(len(c.Args) - len(args)); s != nil {
		op.Spelled = append(strings.Fields(name), s...)
	}
	c.op(op)
}

// disposable returns the traits among t that do not count: those of lost files if nothing changed
// since the last commit, or in a temporary folder, and all traits in a clone that this command line
// made. A working tree in a temporary folder may share branches and stashes with the project, so
// losses of these count.
func disposable(c *Call, t umpire.Trait) umpire.Trait {
	if t&(umpire.Uncommitted|umpire.WholeTree|umpire.Overwrite|umpire.Destroy|umpire.Irreversible) == 0 || t&(umpire.Upload|umpire.Force) != 0 || c.Has("--git-dir", "--work-tree") {
		return 0
	}
	if _, set := c.Var("GIT_DIR"); set {
		return 0
	}
	if t&umpire.Uncommitted != 0 && keepsWork(c) {
		return umpire.Uncommitted | umpire.WholeTree | umpire.Irreversible
	}
	dir := Lit(".")
	for i, w := range c.Global("-C") {
		if i > 0 || !w.Known() {
			return 0
		}
		dir = w
	}
	switch abs, p := c.Path(dir); {
	case len(c.Defined(Made+abs)) > 0 && inClone(c, abs):
		return t
	case p&umpire.PlaceTemp == 0 || p&umpire.PlaceInWorkspace != 0:
		return 0
	}
	if anyof.Equal(c.Name, "git reset", "git clean", "git checkout", "git restore", "git switch", "git rm") {
		return umpire.Uncommitted | umpire.WholeTree | umpire.Irreversible
	}
	return 0
}

// clones is the key under which a command line remembers the repositories that it cloned.
const clones = "git clone"

// inClone reports whether a folder is a clone that this command line made, or in one.
func inClone(c *Call, abs string) bool {
	return slices.ContainsFunc(c.Defined(clones), func(w Word) bool { return abs == w.Text || strings.HasPrefix(abs, w.Text+"/") })
}

// doGit reads a sub-command that is not described: an alias.
func doGit(c *Call) {
	gitPrograms(c)
	if len(c.Operands) == 0 {
		return
	}
	name := c.Operands[0].Text
	switch {
	case name == "status" && c.Has("-s", "--short", "--porcelain"):
		c.printsFound(nil, nil, umpire.Filtered)
	case name == "ls-tree" && c.Has("--name-only", "--name-status"):
		c.printsFound(c.Operands[min(2, len(c.Operands)):], nil, 0)
	}
	gitAlias(c, name, c.Following())
	if c.Has("--") && c.Model.sub(name) != nil { // git -- reset: some versions of git accept it
		c.Exec(append(Lits("git"), c.Operands...), Run{})
	}
}

func doGitPlain(c *Call) {
	if strings.HasSuffix(c.Name, " daemon") {
		t := umpire.Listen
		for _, w := range c.Args {
			if w.Text == "--enable=receive-pack" {
				t |= umpire.HostAccess // anyone may push
			}
		}
		c.Net(Lit("0.0.0.0:9418"), t, 0)
	}
	git(c, 0)
}

// doGitLsFiles outputs the names of tracked files: all files of the project, or those that match a
// pattern. Options may select other files, such as untracked ones; then the output is unknown.
func doGitLsFiles(c *Call) {
	gitPrograms(c)
	if c.Has("-d", "-i", "-u", "-k") {
		return
	}
	if c.Has("-o", "-m") { // files that git cannot bring back
		c.printsFound(nil, c.Operands, umpire.Filtered)
		return
	}
	if len(c.Operands) == 0 {
		c.SetOut(Text("." + bareMark + "\n"))
		return
	}
	var b strings.Builder
	for _, w := range c.Operands {
		name := w.Text
		if strings.ContainsAny(name, "*?[") { // patterns of git match in all folders below
			name = c.findTarget(Lit("."), []Word{w}).Text
		}
		b.WriteString(name + bareMark + "\n")
	}
	c.SetOut(Text(b.String()))
}

func doGitBisect(c *Call) {
	if c.Arg(0).Text == "run" && len(c.Operands) > 1 {
		c.Exec(c.Operands[1:], Run{Via: "git bisect run", Out: true})
	}
	git(c, 0)
}

func doGitShow(c *Call) {
	if c.Program != "git" {
		return
	}
	gitPrograms(c)
	switch {
	case c.Has("--name-only", "--name-status"):
		c.printsFound(nil, nil, umpire.Filtered)
	case c.Name == "git grep" && c.Has("-l", "--files-with-matches", "-L", "--files-without-match"):
		c.printsMatching(c.Operands[min(1, len(c.Operands)):], c.Operands[:min(1, len(c.Operands))], c.Has("-v", "-L", "--files-without-match"))
	}
	for _, w := range c.Operands {
		// git diff compares any two files with --no-index, and without it if one is outside of the
		// repository.
		_, p := c.Path(w)
		elsewhere := strings.HasSuffix(c.Name, " diff") && p&(umpire.PlaceInWorkspace|umpire.PlaceWorkspace|umpire.PlaceNull) == 0 && (strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "../"))
		if c.Has("--no-index") && p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 || elsewhere {
			w.Found = w.Found || strings.Contains(w.Text, "*")
			c.ReadFile(w)
		}
		if i := strings.IndexByte(w.Text, ':'); i > 0 {
			if _, p := c.Path(w.With(w.Text[i+1:])); p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
				c.path(umpire.Read, w.With(w.Text[i+1:]), 0)
				c.Taints(FromSecret)
			}
		}
	}
}

func doGitNotes(c *Call) {
	if c.Arg(0).Text == "remove" || c.Arg(0).Text == "prune" {
		git(c, umpire.Mutate)
	}
}

func doGitLFS(c *Call) {
	switch c.Arg(0).Text {
	case "migrate":
		git(c, umpire.Irreversible|umpire.Overwrite)
	case "prune":
		git(c, umpire.Mutate)
	case "push":
		c.Exec(append(Lits("git"), c.Operands...), Run{})
	default:
		git(c, 0)
	}
}

// doGitSubtree reads the sub-commands of git subtree, which push or fetch a folder of the project.
func doGitSubtree(c *Call) {
	if len(c.Operands) > 1 && c.Operands[0].Text == "push" {
		c.Exec(append(Lits("git"), c.Operands...), Run{})
		return
	}
	gitRemote(c, c.Arg(1))
	git(c, 0)
}

// doGitSendPack reads git send-pack, which does the work of git push, as a push.
func doGitSendPack(c *Call) { c.Exec(append(Lits("git", "push"), gitArgs(c)...), Run{}) }

func doGitMaintenance(c *Call) {
	if v := c.Arg(0).Text; v == "start" || v == "register" {
		git(c, umpire.Persistence)
	}
}

func doGitForEach(c *Call) {
	c.Exec(append(Lits("git"), c.Operands...), Run{})
}

func doJjGit(c *Call) {
	if c.Arg(0).Text == "remote" && c.Arg(1).Text != "list" {
		gitRemote(c, c.Arg(3))
		setsRemote(c, c.Arg(2), c.Arg(3))
	}
	if c.Arg(0).Text == "clone" {
		gitRemote(c, c.Arg(1))
	}
	if c.Arg(0).Text == "push" {
		t := umpire.Upload
		if len(c.Defined(remotesSet)) > 0 {
			t |= umpire.UntrustedSource
		}
		if c.Has("--deleted") {
			t |= umpire.Destroy
		}
		c.Op(umpire.Git, Quote("jj git", c.Operands), t)
	}
}

// doSvn reads commands that change a working copy, which can be reverted, or with a URL the
// repository on the server, where everyone sees the change at once.
func doSvn(c *Call) {
	t := umpire.Mutate
	elsewhere := strings.HasSuffix(c.Name, " import") || strings.HasSuffix(c.Name, " relocate") || c.Has("--relocate")
	for _, w := range c.Operands {
		switch {
		case elsewhere:
			if gitAddress(w.Text) {
				t |= umpire.UntrustedSource
				gitRemote(c, w)
			}
		case strings.Contains(w.Text, "://") && !strings.HasSuffix(c.Name, "commit") && !strings.HasSuffix(c.Name, "ci") && !strings.Contains(c.Name, " sw"):
			t |= umpire.Destroy
		}
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}

// doHg runs aliases of hg. Dangerous sub-commands have descriptions of their own.
func doHg(c *Call) {
	hgPrograms(c)
	if len(c.Operands) == 0 {
		return
	}
	list := c.Global("--config")
	if s, ok := written(c, ".hg/hgrc", "~/.hgrc", "~/.config/hg/hgrc"); ok && s.Seen {
		for key, value := range Settings(s.Text) {
			list = append(list, Word{Text: key + "=" + value, Taint: s.Taint})
		}
	}
	for _, w := range list {
		if key, value, ok := strings.Cut(w.Text, "="); ok && key == "alias."+c.Operands[0].Text {
			runAlias(c, "hg", w.With(value), c.Following())
		}
	}
}

// hgPrograms runs the programs that settings of --config name.
func hgPrograms(c *Call) {
	for _, w := range c.Global("--config") {
		key, value, ok := strings.Cut(w.Text, "=")
		if !ok || value == "" {
			continue
		}
		section, name, _ := strings.Cut(key, ".")
		switch {
		case section == "hooks" && !strings.HasPrefix(value, "python:"), key == "ui.editor", key == "ui.ssh", key == "pager.pager", key == "ui.merge",
			section == "merge-tools" && strings.HasSuffix(name, ".executable"), section == "extdiff" && strings.HasPrefix(name, "cmd."):
			c.Shell(w.With(value), Run{Traits: umpire.RunsProgram})
		case section == "hooks", section == "extensions" && strings.ContainsAny(value, "/~"):
			c.Op(umpire.Exec, "hg "+w.Text, umpire.LoadsCode)
		}
	}
}

// doHgExtdiff runs the program that the call chooses for a comparison.
func doHgExtdiff(c *Call) {
	hgPrograms(c)
	if program, ok := c.Opt("-p"); ok {
		c.Shell(joined(slices.Concat([]Word{program}, c.All("-o"), c.Operands)), Run{Out: true})
	}
}

// doHgPush reads a push of hg or a similar system, with the address as its first operand.
func doHgPush(c *Call) {
	if c.Program == "hg" {
		hgPrograms(c)
	}
	t := umpire.Upload
	if c.Has("-f") {
		t |= umpire.Force | umpire.ProtectedBranch
	}
	if to := c.Arg(0); gitAddress(to.Text) {
		t |= umpire.UntrustedSource
		gitRemote(c, to)
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}

func doHgRevert(c *Call) {
	if c.Program == "hg" {
		hgPrograms(c)
	}
	t := umpire.Uncommitted
	if c.Has("-C") || wholeTree(c.Operands) {
		t |= umpire.WholeTree | umpire.Irreversible
	}
	if c.Program == "hg" && !c.Has("-C") && len(c.Operands) == 0 {
		t = 0
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}

func doHgStrip(c *Call) {
	if c.Program == "hg" {
		hgPrograms(c)
	}
	t := umpire.Irreversible | umpire.Overwrite
	if v := c.Verb(); v == "purge" || v == "clean" { // deletes files that the repository does not have
		t = umpire.Irreversible | umpire.Uncommitted | umpire.WholeTree
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}

// written returns the content of the first of some files that this very call wrote.
func written(c *Call, names ...string) (Stream, bool) {
	for _, n := range names {
		if w := Lit(n); c.Wrote(w) {
			return c.File(w), true
		}
	}
	return Stream{}, false
}
