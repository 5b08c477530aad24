package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

func protectedBranch(ref string) bool {
	ref = strings.TrimPrefix(ref, "refs/heads/")
	switch strings.ToLower(ref) {
	case "main", "master", "trunk", "develop", "development", "production", "prod", "staging", "stable", "release", "default", "gh-pages":
		return true
	}
	for _, p := range []string{"release/", "releases/", "release-", "hotfix/", "stable/", "stable-", "support/"} {
		if strings.HasPrefix(ref, p) {
			return true
		}
	}
	return false
}

// releaseTag reports whether a ref is a tag or called like one: v1.2.0. Pushing it starts a release
// in many projects.
func releaseTag(ref string) bool {
	if _, dst, ok := strings.Cut(ref, ":"); ok {
		ref = dst
	}
	name, tag := strings.CutPrefix(ref, "refs/tags/")
	number := strings.TrimPrefix(name, "v")
	return tag || number != "" && number[0] >= '0' && number[0] <= '9' && strings.Contains(number, ".")
}

func doGitPush(c *Call) {
	t := umpire.Upload
	refs := c.Operands
	if len(refs) > 0 {
		remote := refs[0].Text
		if strings.Contains(remote, "://") || strings.Contains(remote, "@") && strings.Contains(remote, ":") || strings.HasPrefix(remote, "ext::") {
			t |= umpire.UntrustedSource
			gitRemote(c, refs[0])
		}
		refs = refs[1:]
	}
	lease := false
	for i := range c.opts {
		if c.opts[i].name == "--force-with-lease" {
			lease = true
		}
		if c.opts[i].name == "-f" { // the last one wins
			lease = false
			t |= umpire.Force
		}
	}
	if c.Has("--no-force") && !c.Has("-f") {
		t &^= umpire.Force
	}
	if c.Has("-f") && c.Has("--force-with-lease") && lease {
		t &^= umpire.Force
		c.Traits &^= umpire.Force
		t |= umpire.Overwrite
	} else if lease && !c.Has("-f") {
		t |= umpire.Overwrite
	}
	if c.Has("--force-if-includes") {
		t |= umpire.Overwrite
	}
	if c.Has("--mirror", "--prune") {
		t |= umpire.Bulk | umpire.Force | umpire.Irreversible
	}
	del := c.Has("-d")
	unnamed := len(refs) == 0
	for _, w := range refs {
		ref := w.Text
		if r, ok := strings.CutPrefix(ref, "+"); ok {
			ref = r
			t |= umpire.Force // a plus outweighs any lease
		}
		src, dst, colon := strings.Cut(ref, ":")
		switch {
		case colon && src == "" && dst != "":
			del = true
			ref = dst
		case colon:
			ref = dst
		}
		if protectedBranch(ref) {
			t |= umpire.ProtectedBranch
		}
	}
	if del {
		t |= umpire.Destroy
	}
	if t&umpire.Force != 0 && unnamed {
		t |= umpire.ProtectedBranch // of any branch
	}
	if c.Has("--all", "--branches") && t&umpire.Force != 0 {
		t |= umpire.Bulk | umpire.ProtectedBranch
	}
	if del = del || t&umpire.Force != 0; !del && (c.Has("--all", "--branches", "--tags", "--follow-tags") || slices.ContainsFunc(refs, func(w Word) bool { return releaseTag(w.Text) })) {
		t |= umpire.ProtectedBranch // a release, or a branch that others use, may be among them
	}
	git(c, t)
}

// extWords returns the command of an ext:: URL, which no shell reads: % keeps the next
// character.
func extWords(cmd string) []Word {
	words := strings.Fields(strings.NewReplacer("%%", "%", "% ", "\x00").Replace(cmd))
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "\x00", " ")
	}
	return Lits(words...)
}

// gitRemote reads a URL that git talks to: ext:: and the options of ssh run programs.
func gitRemote(c *Call, w Word) {
	if cmd, ok := strings.CutPrefix(w.Text, "ext::"); ok {
		words := extWords(cmd)
		for i := range words {
			words[i].Taint = w.Taint
		}
		c.Exec(words, Run{Traits: umpire.RunsProgram})
		return
	}
	if i := strings.Index(w.Text, "://-"); i >= 0 || strings.HasPrefix(w.Text, "-") {
		c.Op(umpire.Exec, Quote("ssh", []Word{w}), umpire.RunsProgram|umpire.Obfuscated)
		return
	}
	if strings.Contains(w.Text, "://") && !strings.HasPrefix(w.Text, "file://") || strings.Contains(w.Text, "@") && strings.Contains(w.Text, ":") {
		c.Net(w, 0, w.Taint)
	}
}

func doGitRemote(c *Call) {
	switch c.Arg(0).Text {
	case "add", "set-url":
		if n := len(c.Operands); n >= 3 {
			gitRemote(c, c.Operands[2])
			git(c, umpire.UntrustedSource)
			return
		}
	case "remove", "rm":
		git(c, umpire.Mutate)
		return
	}
	git(c, 0)
}

func doGitFetch(c *Call) {
	if len(c.Operands) > 0 {
		gitRemote(c, c.Operands[0])
	}
	t := umpire.Trait(0)
	for _, w := range c.Operands {
		if _, dst, ok := strings.Cut(w.Text, ":"); ok && strings.HasPrefix(w.Text, "+") && !strings.HasPrefix(dst, "refs/remotes/") {
			t |= umpire.Force // a branch of one's own is replaced
		}
	}
	git(c, t)
	c.Taints(FromNetwork)
	if strings.HasSuffix(c.Name, "clone") && len(c.Operands) > 0 {
		dir := c.Arg(1)
		if len(c.Operands) < 2 {
			dir = c.Operands[0].With(strings.TrimSuffix(lastName(c.Operands[0].Text), ".git"))
		}
		if dir.Text != "" {
			c.WriteFile(dir, umpire.Recursive, Unseen(FromNetwork))
			c.makes(dir)
			abs, _ := c.Path(dir)
			c.Define(clones, Lit(abs))
		}
	}
}

func doGitMail(c *Call) { git(c, umpire.Message|umpire.Upload) }
