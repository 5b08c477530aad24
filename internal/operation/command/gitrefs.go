package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// A branch or a tag is a name for a commit. Removing the name loses nothing if the same command
// line made it, or if a remote or the branch that is checked out has the commit.

// refKey returns the key under which a command line remembers that git made a branch or a tag. git
// refuses to make one that exists.
func refKey(c *Call, ref string) string { return Made + stashKey(c, ref) }

// makesRefs remembers the branches or tags that a call makes.
func makesRefs(c *Call, prefix string, names ...Word) {
	for _, w := range names {
		if w.Known() && !c.Inert() {
			c.Define(refKey(c, prefix+w.Text), w)
		}
	}
}

// keepsRefs reports whether removing these branches or tags loses nothing: each is new in this
// command line, or a remote or the branch that is checked out has its commit.
func keepsRefs(c *Call, prefix string, names []Word) bool {
	var refs *gitRefs
	for _, w := range names {
		if !w.Known() {
			return false
		}
		if len(c.Defined(refKey(c, prefix+w.Text))) > 0 {
			continue
		}
		if refs == nil {
			refs = readRefs(c)
		}
		if refs == nil || !refs.published(prefix+w.Text) {
			return false
		}
	}
	return len(names) > 0
}

// gitRefs knows the commits of branches and tags.
type gitRefs struct {
	c      *Call
	root   string // of the working tree
	dir    string // .git
	head   string // the branch that is checked out, refs/heads/main
	packed string // content of packed-refs
}

// readRefs reads the branches and tags of the repository around the call's folder. It returns nil
// if there is none, if they cannot be read, or if the call works on another repository.
func readRefs(c *Call) *gitRefs {
	if _, elsewhere := c.Var("GIT_DIR"); elsewhere || len(c.Global("-C"))+len(c.Global("--git-dir")) > 0 {
		return nil
	}
	g := gitRepository(c)
	if g.dir == "" || g.root == g.dir || !strings.HasSuffix(g.dir, ".git") {
		return nil // a bare repository, or a submodule
	}
	r := &gitRefs{c: c, root: g.root, dir: g.dir}
	packed := r.file("packed-refs")
	own := c.Host.Starts(Lit(path.Join(g.own, "HEAD")))
	head, ok := strings.CutPrefix(strings.TrimSpace(own.Text), "ref: ")
	if !ok || packed.Pipe && !packed.Seen {
		return nil
	}
	r.head, r.packed = head, packed.Text
	return r
}

// file returns a file in .git.
func (r *gitRefs) file(name string) Stream { return r.c.Host.Starts(Lit(path.Join(r.dir, name))) }

// commit returns the commit of a name such as refs/heads/main, or "" if there is no such name.
func (r *gitRefs) commit(ref string) string {
	if id := strings.TrimSpace(r.file(ref).Text); id != "" {
		return id
	}
	for line := range strings.Lines(r.packed) {
		if id, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == ref {
			return id
		}
	}
	return ""
}

// published reports whether the commit of a name is safe without it: it is the one that is checked
// out on another branch, or a remote is known to have it.
func (r *gitRefs) published(ref string) bool {
	id := r.commit(ref)
	if id == "" {
		return false
	}
	if ref != r.head && id == r.commit(r.head) || strings.HasPrefix(ref, "refs/tags/") && strings.Contains(r.file("FETCH_HEAD").Text, id+"\tnot-for-merge\ttag '") {
		return true
	}
	for line := range strings.Lines(r.packed) {
		if strings.HasPrefix(line, id+" refs/remotes/") {
			return true
		}
	}
	return r.holds("refs/remotes", id, 0)
}

// holds reports whether a name in a folder such as refs/remotes, or below it, is that of a commit.
func (r *gitRefs) holds(dir, id string, depth int) bool {
	return depth < 4 && slices.ContainsFunc(r.c.SomeNames(Lit(path.Join(r.dir, dir))), func(name string) bool {
		at := path.Join(dir, name)
		return strings.TrimSpace(r.file(at).Text) == id || r.holds(at, id, depth+1)
	})
}

// keepsWork reports whether a call loses no work, although it resets files: all files are as in the
// commit that is checked out, and a reset leaves no unpublished commit behind.
func keepsWork(c *Call) bool {
	switch c.Name {
	case "git reset", "git checkout", "git restore", "git switch":
	default:
		return false
	}
	if len(gitSettings(c)) > 0 || len(c.Defined(stashKey(c, "unstash"))) > 0 {
		return false
	}
	for _, name := range [...]string{"GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"} {
		if w, ok := c.Var(name); ok && w.Text != "" {
			return false
		}
	}
	r, g := readRefs(c), gitRepository(c)
	if r == nil || g.own != g.dir || slices.ContainsFunc(g.settings, func(s gitSet) bool { return s.key == "core.worktree" }) {
		return false
	}
	if to := c.Arg(0); c.Name == "git reset" && to.Text != "" && to.Text != "HEAD" && !r.published(r.head) {
		return false
	}
	return c.Host.Unchanged(Lit(r.root), r.commit(r.head))
}

// bringsLinks records the links in the commits that a call brings into the working tree.
func bringsLinks(c *Call) {
	switch c.Name {
	case "git checkout", "git switch", "git merge", "git pull", "git rebase", "git reset", "git cherry-pick", "git stash":
	default:
		return
	}
	var r *gitRefs
	for _, w := range c.Operands {
		if !w.Known() || c.Inert() {
			continue
		}
		if r == nil {
			if r = readRefs(c); r == nil {
				return
			}
		}
		id := w.Text
		for _, at := range [...]string{"refs/heads/", "refs/remotes/", "refs/remotes/origin/", "refs/tags/", "refs/"} { // stash pop
			name := at + strings.Replace(w.Text, "pop", "stash", 1)
			if x := r.commit(name); x != "" {
				id = x
				break
			}
		}
		c.Host.Brings(Lit(r.root), r.commit(r.head), id)
	}
}

// unborn is the key under which a command line remembers that it made a new repository.
const unborn = "git init"

func doGitInit(c *Call) {
	if len(c.Operands) == 0 && gitRepository(c).dir == "" {
		c.Define(stashKey(c, unborn), Lit("."))
	}
	git(c, 0)
}

// replaces reports whether another branch has a name, or may have it, so that a new branch of that
// name replaces it.
func replaces(c *Call, name Word) bool {
	if len(c.Defined(stashKey(c, unborn))) > 0 {
		return false
	}
	r := readRefs(c)
	return r == nil || !name.Known() || r.head != "refs/heads/"+name.Text && r.commit("refs/heads/"+name.Text) != ""
}

func doGitBranch(c *Call) {
	del := c.Has("-D") || c.Has("-d") && c.Has("-f")
	t := umpire.Trait(0)
	switch n := len(c.Operands); {
	case del:
		t = umpire.Overwrite | umpire.Destroy
		if keepsRefs(c, "refs/heads/", c.Operands) {
			t = 0
		}
	case c.Has("-M", "-C"):
		if n == 0 || replaces(c, c.Operands[n-1]) {
			t = umpire.Overwrite
		}
	case c.Has("-f"):
		if n == 0 || replaces(c, c.Operands[0]) {
			t = umpire.Overwrite
		}
	case n > 0 && n < 3 && !slices.ContainsFunc(c.Args, func(w Word) bool { return strings.HasPrefix(w.Text, "-") }):
		makesRefs(c, "refs/heads/", c.Operands[0])
	}
	for _, w := range c.Operands {
		if protectedBranch(w.Text) {
			t |= umpire.ProtectedBranch
		}
		// An unknown word, or one that the shell splits, may hold -D. With only -d, git keeps unmerged branches.
		option := w.Many && !Numbered(w) || strings.HasPrefix(w.Text, umpire.Hole) && len(c.Operands) > 1
		if !w.Known() && (del || option && !c.Has("-d")) {
			t |= umpire.Bulk
		}
	}
	if del && len(c.Operands) == 0 || slices.ContainsFunc(c.Args, func(w Word) bool { return strings.HasPrefix(w.Text, "-"+umpire.Hole) }) {
		t |= umpire.Bulk
	}
	git(c, t)
}

func doGitTag(c *Call) {
	t := umpire.Trait(0)
	switch {
	case c.Has("-d"):
		if !keepsRefs(c, "refs/tags/", c.Operands) {
			t = umpire.Destroy
		}
	case len(c.Operands) > 0 && !c.Has("-f", "-l", "-n", "--contains", "--points-at"):
		makesRefs(c, "refs/tags/", c.Operands[0])
	}
	git(c, t)
}

// createdBranch remembers the branch that checkout, switch or worktree add makes, unless one of the
// force options lets it replace an existing one.
func createdBranch(c *Call, option string, force ...string) {
	if w, ok := c.Opt(option); ok && !slices.ContainsFunc(c.Args, func(a Word) bool { return slices.Contains(force, a.Text) }) {
		makesRefs(c, "refs/heads/", w)
	}
}
