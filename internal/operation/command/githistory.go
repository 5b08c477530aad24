package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

func doGitBranch(c *Call) {
	t := umpire.Trait(0)
	del := c.Has("-D") || c.Has("-d") && c.Has("-f")
	if del || c.Has("-f") || c.Has("-M", "-C") {
		t |= umpire.Overwrite
	}
	if del || c.Has("-d") {
		t |= umpire.Destroy
		if !del {
			t &^= umpire.Destroy // git keeps unmerged branches
		}
	}
	n := 0
	for _, w := range c.Operands {
		n++
		if protectedBranch(w.Text) {
			t |= umpire.ProtectedBranch
		}
		if !w.Known() && (del || !c.Has("-d")) { // with -d alone, git keeps unmerged branches
			t |= umpire.Bulk
		}
	}
	if del && n == 0 {
		t |= umpire.Bulk
	}
	git(c, t)
}

func doGitTag(c *Call) {
	t := umpire.Trait(0)
	if c.Has("-d") && !tagsOfTip(c) {
		t |= umpire.Destroy
	}
	git(c, t)
}

// tagsOfTip reports whether all tags that a call names are plain ones of the commit that is
// checked out, on a branch: git tag NAME makes them anew.
func tagsOfTip(c *Call) bool {
	read := func(name string) string { return strings.TrimSpace(c.Starts(Lit(".git/" + name)).Text) }
	branch, ok := strings.CutPrefix(read("HEAD"), "ref: ")
	if _, elsewhere := c.Var("GIT_DIR"); !ok || elsewhere || len(c.Operands) == 0 || len(c.Global("-C"))+len(c.Global("--git-dir")) > 0 {
		return false
	}
	tip := read(branch)
	return tip != "" && !slices.ContainsFunc(c.Operands, func(w Word) bool { return !w.Known() || read("refs/tags/"+w.Text) != tip })
}

// expiresNow reports whether a time of expiry is past for all that is unreachable.
func expiresNow(v string) bool { return v == "now" || v == "all" || v == "0" }

func doGitReflog(c *Call) {
	switch c.Arg(0).Text {
	case "expire":
		for _, o := range []string{"--expire", "--expire-unreachable"} {
			if v, ok := c.Opt(o); ok && expiresNow(v.Text) {
				git(c, umpire.Irreversible|umpire.WholeTree)
				return
			}
		}
		git(c, 0)
	case "delete", "drop":
		git(c, umpire.Irreversible)
	}
}

func doGitGC(c *Call) {
	for _, o := range []string{"--prune", "--expire"} {
		if v, ok := c.Opt(o); ok && expiresNow(v.Text) {
			git(c, umpire.Irreversible)
			return
		}
	}
	for _, w := range gitSettings(c) {
		if k, v, _ := strings.Cut(w.Text, "="); strings.HasPrefix(strings.ToLower(k), "gc.") && expiresNow(v) {
			git(c, umpire.Irreversible)
			return
		}
	}
	git(c, 0)
}

func doGitRewrite(c *Call) {
	if c.Program == "git" && strings.HasSuffix(c.Name, "replace") && c.Has("-l") {
		return
	}
	git(c, umpire.Irreversible|umpire.WholeTree|umpire.Overwrite)
}

func doGitRewriteTool(c *Call) {
	c.Op(umpire.Git, Quote(c.Program, c.Args), umpire.Irreversible|umpire.WholeTree|umpire.Overwrite)
}

func doGitUpdateRef(c *Call) {
	t := umpire.Trait(0)
	if c.Has("-d") || c.Has("--stdin") {
		t |= umpire.Destroy
		for _, w := range c.Operands {
			if w.Text == "HEAD" || protectedBranch(w.Text) || !strings.HasPrefix(w.Text, "refs/heads/") {
				t |= umpire.ProtectedBranch | umpire.Irreversible
			}
		}
	}
	git(c, t)
}
