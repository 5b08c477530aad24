package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

func doGitReset(c *Call) {
	switch {
	case c.Has("--hard"):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
	case c.Has("--merge"):
		git(c, umpire.Uncommitted)
	default:
		git(c, 0)
	}
}

// wholeTree reports whether one of the pathspecs matches the whole working tree.
func wholeTree(ws []Word) bool {
	for _, w := range ws {
		if anyof.Equal(strings.TrimSuffix(w.Text, "/"), ".", "*", ":", ":/", ":/*", "..", ":(top)", "./*", "**", ":(glob)**", "../..", "") {
			return true
		}
	}
	return false
}

// allGenerated reports whether every path is a generated file of the project, such as a lock file,
// or a deleted file that git puts back. Such paths hold no uncommitted work.
func allGenerated(c *Call, paths []Word) bool {
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(w Word) bool {
		_, p := c.Path(w)
		return !w.Known() || w.Glob || strings.HasPrefix(w.Text, ":") || p&umpire.PlaceGenerated == 0 && !gone(c, w) || p&umpire.PlaceInWorkspace == 0
	})
}

// gone reports whether an operand names a file that is not there.
func gone(c *Call, w Word) bool {
	names, base := c.SomeNames(w.With(path.Dir(w.Text))), path.Base(w.Text)
	return !strings.ContainsAny(w.Text, `*?[:\`) && strings.Trim(base, ".") != "" && (c.Name == "git restore" || c.Has("--")) && !c.Has("-f") && len(names) > 0 && len(names) < MaxSome && !slices.Contains(names, base) && !c.Exists(w)
}

func doGitClean(c *Call) {
	force := c.Has("-f")
	for _, w := range gitSettings(c) {
		if k, v, _ := strings.Cut(w.Text, "="); strings.EqualFold(k, "clean.requireforce") && (v == "false" || v == "0" || v == "no") {
			force = true
		}
	}
	switch {
	case c.Has("-n"), !force && !c.Has("-i"):
		git(c, umpire.Inert)
	case c.Has("-i"):
		git(c, umpire.Uncommitted)
	case c.Has("-X") && !c.Has("-x") && ignoresBuilds(c):
		git(c, 0)
	case len(c.Operands) == 0 || wholeTree(c.Operands):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
		c.Delete(Lit("."), umpire.Recursive|umpire.Filtered|umpire.Uncommitted)
	default:
		if allGenerated(c, c.Operands) {
			git(c, 0)
		} else {
			git(c, umpire.Uncommitted)
		}
		for _, w := range c.Operands {
			c.Delete(w, umpire.Recursive|umpire.Filtered|umpire.Uncommitted)
		}
	}
}

// OutputName reports whether a folder's name is one that build tools give their output, and people
// their sources.
func OutputName(name string) bool {
	return anyof.Equal(name, "bin", "lib", "es", "esm", "cjs", "umd", "types", "typings", "site", "public", "book", "output")
}

// ignoresBuilds reports whether git ignores only what builds make in the repository around the
// call's folder. Settings and data of the user are often ignored as well.
func ignoresBuilds(c *Call) bool {
	g := gitRepository(c)
	read := func(name string) Stream { return c.Host.Starts(Lit(path.Join(g.root, name))) }
	ignore := read(".gitignore")
	if g.dir == "" || g.own != g.dir || !ignore.Seen || ignoresBelow(c, g.root, 0) {
		return false
	}
	for line := range strings.Lines(ignore.Text + "\n" + read(".git/info/exclude").Text) {
		name := strings.Trim(strings.TrimSpace(line), "/")
		if name == "" || name[0] == '#' || OutputName(name) {
			continue
		}
		at := Lit(path.Join(g.root, name))
		if _, p := c.Path(at); p&umpire.PlaceGenerated == 0 && (strings.ContainsAny(name, "*?[!") || c.Exists(at) || len(c.SomeNames(at)) > 0) {
			return false
		}
	}
	return !c.Exists(Lit("~/.config/git/ignore"))
}

// ignoresBelow reports whether a folder below dir has a .gitignore of its own. Builds make those in
// their output.
func ignoresBelow(c *Call, dir string, depth int) bool {
	return depth < 4 && slices.ContainsFunc(c.SomeNames(Lit(dir)), func(name string) bool {
		at := path.Join(dir, name)
		_, p := c.Path(Lit(at))
		return depth > 0 && name == ".gitignore" || p&(umpire.PlaceGenerated|umpire.PlaceGitDir) == 0 && ignoresBelow(c, at, depth+1)
	})
}

func doGitCheckout(c *Call) {
	paths := c.Operands
	createdBranch(c, "-b", "-B", "--orphan")
	if c.Has("-b", "--orphan") && !c.Has("-f") {
		git(c, 0)
		return
	}
	if after := gitAfterDashes(c); len(after) > 0 {
		paths = after
	}
	switch {
	case settles(c, paths), stashed(c, paths), allGenerated(c, paths):
		git(c, 0)
	case c.Has("-f"), !c.Has("-p") && wholeTree(paths):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
	case c.Has("-p"):
		git(c, 0)
	case len(gitAfterDashes(c)) > 0, len(paths) >= 2 && !c.Has("-b"), c.Has("--pathspec-from-file"), len(paths) == 1 && !c.Has("-t", "--detach", "-d") && looksLikeFile(paths[0].Text):
		git(c, umpire.Uncommitted)
	default:
		git(c, 0)
	}
}

// changesSettings records the settings of umpire and agents that the call names and changes in the
// working tree: the adversary takes them back to an older commit, or out of the project. The whole
// tree changes all day, and names no file.
func changesSettings(c *Call) {
	if !anyof.Equal(c.Name, "git checkout", "git restore", "git stash", "git rm", "git checkout-index") || c.Inert() ||
		c.Has("--staged", "-S") && !c.Has("--worktree", "-W") {
		return
	}
	root := ""
	if w := c.Global("-C"); len(w) > 0 {
		root = w[len(w)-1].Text
	}
	for _, w := range append(slices.Clip(c.Operands), gitAfterDashes(c)...) {
		name := w.Text
		if magic, ok := strings.CutPrefix(name, ":"); ok { // :/x, :(glob)x
			if anyof.HasPrefix(magic, "!", "^", "(exclude") {
				continue // what it leaves out does not change
			}
			if _, rest, long := strings.Cut(magic, ")"); long && magic[0] == '(' {
				magic = rest
			}
			name = strings.TrimLeft(magic, "/")
		}
		// Patterns of git match hidden files, those of the shell do not.
		if match, _ := path.Match(name, ".umpire.yaml"); match && !w.Glob && strings.Trim(name, "*./") != "" {
			name = ".umpire.yaml"
		}
		if root != "" && !path.IsAbs(name) {
			name = path.Join(root, name)
		}
		if _, p := c.Path(w.With(name)); p&(umpire.PlaceUmpire|umpire.PlaceAgentConfig|umpire.PlaceMCP) != 0 {
			c.path(umpire.Write, w.With(name), umpire.Overwrite)
		}
	}
}

// settles reports whether the call settles named files of a merge by taking one side. The other
// side stays in git.
func settles(c *Call, paths []Word) bool {
	return c.Has("--ours", "--theirs") && !c.Has("-f") && len(paths) > 0 && !wholeTree(paths)
}

// stashKey returns the key under which a command line remembers what it did in a repository, such
// as "stash". Calls in the same folder, or with the same last -C, share it.
func stashKey(c *Call, what string) string {
	dir, _ := c.Path(Lit("."))
	if w := c.Global("-C"); len(w) > 0 {
		dir, _ = c.Path(w[len(w)-1])
	}
	return "git " + what + " " + dir
}

// stashed reports whether this command line stashed the work that named files would lose, and did
// not restore it since.
func stashed(c *Call, paths []Word) bool {
	return len(paths) > 0 && !wholeTree(paths) && !c.Has("-f") && len(c.Defined(stashKey(c, "stash"))) > 0 && len(c.Defined(stashKey(c, "unstash"))) == 0
}

// gitAfterDashes returns the words after "--", or nil.
func gitAfterDashes(c *Call) []Word {
	args := gitArgs(c)
	for i, w := range args {
		if w.Text == "--" {
			return args[i+1:]
		}
	}
	return nil
}

// looksLikeFile guesses whether a word is a file and not a branch. Branch names rarely have an
// ending or begin with ./.
func looksLikeFile(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || strings.HasPrefix(s, "v") && strings.Trim(s[1:], "0123456789.-rc") == "" {
		return strings.HasPrefix(s, "./")
	}
	ext := s[i+1:]
	if ext == "x" && i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
		return false // a branch for releases: v20.x
	}
	return strings.HasPrefix(s, "./") || len(ext) >= 1 && len(ext) <= 5 && strings.Trim(ext, "0123456789") != "" && strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

func doGitRestore(c *Call) {
	switch {
	case settles(c, c.Operands), stashed(c, c.Operands), allGenerated(c, c.Operands):
		git(c, 0)
	case c.Has("-p"), c.Has("-S") && !c.Has("-W"):
		git(c, 0)
	case wholeTree(c.Operands) && !strings.HasPrefix(c.Arg(0).Text, ":"):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
	case len(c.Operands) > 0 || c.Has("--pathspec-from-file"):
		git(c, umpire.Uncommitted)
	}
}

func doGitSwitch(c *Call) {
	createdBranch(c, "-c", "-C", "--force-create", "--orphan")
	if c.Has("-f") {
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
		return
	}
	git(c, 0)
}

func doGitStash(c *Call) {
	t := umpire.Trait(0)
	switch verb := c.Arg(0).Text; {
	case verb == "clear", verb == "drop" && c.Has("--all"):
		t = umpire.Uncommitted | umpire.WholeTree | umpire.Irreversible
	case verb == "drop":
		t = umpire.Uncommitted
	case len(c.Operands) == 0, verb == "push" && len(c.Operands) == 1, verb == "save": // all work, not only named files
		c.Define(stashKey(c, "stash"), Lit("all"))
	case anyof.Equal(verb, "pop", "apply", "branch"):
		c.Define(stashKey(c, "unstash"), Lit("all"))
	}
	git(c, t)
}

func doGitWorktree(c *Call) {
	t := umpire.Trait(0)
	if c.Arg(0).Text == "add" && len(c.Operands) > 1 {
		createdBranch(c, "-b", "-B")
		c.WriteFile(c.Operands[1], umpire.Recursive, Unseen(0))
		c.makes(c.Operands[1])
	}
	if c.Arg(0).Text == "remove" && c.Has("-f") {
		abs, _ := c.Path(c.Arg(1))
		fresh := strings.Contains(abs+"/", "/tmp.XXXXXXXX/") // mktemp made the folder, so its work is of this call
		if !fresh && len(c.Defined(Made+abs)) == 0 {
			t |= umpire.Uncommitted
		}
	}
	git(c, t)
}

func doGitRm(c *Call) {
	t := umpire.Trait(0)
	switch {
	case c.Has("--cached"):
	case wholeTree(c.Operands):
		t = umpire.Uncommitted | umpire.WholeTree
	case c.Has("-f"): // otherwise git refuses to lose uncommitted work
		t = umpire.Uncommitted
	}
	git(c, t)
}

func doGitReadTree(c *Call) {
	if c.Has("--reset") && c.Has("-u") || c.Has("-a") && c.Has("-f") {
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
		return
	}
	git(c, 0)
}

func doGitSubmodule(c *Call) {
	switch c.Arg(0).Text {
	case "foreach":
		run := Run{Via: "git submodule foreach", Out: true}
		if f, ok := c.StartedFile(path.Join(gitRepository(c).root, ".gitmodules")); ok { // the command runs in every submodule; the first stands for all
			for _, s := range gitLines(f) {
				if strings.HasSuffix(s.key, ".path") && run.Dir == nil {
					dir := Lit(path.Join(gitRepository(c).root, s.value))
					run.Dir = &dir
				}
			}
		}
		if words := c.wordsFrom(1); len(words) == 1 {
			c.Shell(words[0], run)
		} else {
			c.Exec(words, run)
		}
		return
	case "add":
		gitRemote(c, c.Arg(1))
	case "deinit":
		if c.Has("-f") {
			git(c, umpire.Uncommitted)
			return
		}
	}
	git(c, 0)
}

func doGitAdd(c *Call) {
	t := umpire.Trait(0)
	for _, w := range c.Operands {
		if _, p := c.Path(w); p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
			t |= umpire.CarriesSecret
		}
	}
	git(c, t)
}
