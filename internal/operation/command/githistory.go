package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// expiresNow reports whether an expiry time removes every unreachable commit at once.
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
