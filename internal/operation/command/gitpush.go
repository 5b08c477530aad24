package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// protectedBranch reports whether others usually build on a branch of this name.
func protectedBranch(ref string) bool {
	ref = strings.ToLower(strings.TrimPrefix(ref, "refs/heads/"))
	switch ref {
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
	remote, refs := c.Operands, []Word(nil)
	if len(remote) > 0 {
		remote, refs = remote[:1], remote[1:]
	} else {
		remote = c.All("--repo")
	}
	if pushesElsewhere(c, remote) {
		t |= umpire.UntrustedSource
	}
	// --force switches off the comparison that a lease asks for, in either order.
	if c.Has("-f") {
		t |= umpire.Force
	} else if c.Has("--force-with-lease", "--force-if-includes") {
		t |= umpire.Overwrite
	}
	if c.Has("--mirror", "--prune") {
		t |= umpire.Bulk | umpire.Force | umpire.Irreversible
	}
	if c.Has("-d") {
		t |= umpire.Destroy
	}
	releases := c.Has("--tags", "--follow-tags")
	for _, w := range refs {
		releases = releases || releaseTag(w.Text)
		ref, forced := strings.CutPrefix(w.Text, "+")
		if forced {
			t |= umpire.Force // a plus outweighs any lease
		}
		if src, dst, ok := strings.Cut(ref, ":"); ok && dst != "" {
			ref = dst
			if src == "" {
				t |= umpire.Destroy
			}
		}
		if protectedBranch(ref) {
			t |= umpire.ProtectedBranch
		}
	}
	every := c.Has("--all", "--branches") // a branch that others build on may be among them
	switch {
	case t&umpire.Force != 0:
		if every {
			t |= umpire.Bulk | umpire.ProtectedBranch
		}
		if len(refs) == 0 {
			t |= umpire.ProtectedBranch // the branch may be any
		}
	case t&umpire.Destroy == 0 && (every || releases):
		t |= umpire.ProtectedBranch
	}
	git(c, t)
}

// pushesElsewhere reports whether a push goes to an address that is not one of the repository's
// remotes. Those that its settings on the disk name are; what this call sets is none.
// The adversary is a text that has the agent add a remote of its own, and push to it.
func pushesElsewhere(c *Call, remote []Word) bool {
	repo := gitRepository(c)
	known := func(address string) bool {
		return slices.ContainsFunc(repo.settings, func(s gitSet) bool {
			_, ok := remoteURL(s.key)
			return ok && s.line > 0 && sameRepository(s.value, address)
		})
	}
	name := "" // the branch's own remote
	for _, w := range remote {
		if gitAddress(w.Text) {
			gitRemote(c, w)
			return !known(w.Text)
		}
		name = w.Text
	}
	sets := func(key string, address Word) bool {
		of, ok := remoteURL(key)
		return ok && (name == "" || strings.EqualFold(of, name)) && gitAddress(address.Text) && !known(address.Text)
	}
	for _, w := range gitSettings(c) {
		if key, address, ok := strings.Cut(w.Text, "="); ok && sets(strings.ToLower(key), w.With(address)) {
			gitRemote(c, w.With(address))
			return true
		}
	}
	remotes := repo.remotes()
	if len(remotes) == 0 { // the first remote: nobody yet from whom the content could be kept
		return false
	}
	if slices.ContainsFunc(c.Defined(remotesSet), func(w Word) bool { // by earlier commands of this call
		key, address, _ := strings.Cut(w.Text, "=")
		return sets(key, w.With(address))
	}) {
		return true
	}
	// A remote that an earlier call added: git has heard of others, and never of this one.
	return slices.Contains(remotes, name) && !repo.trusts(c, name) && slices.ContainsFunc(remotes, func(other string) bool { return repo.met(c, other) })
}

// remotes returns the names of the remotes on other machines.
func (g *gitRepo) remotes() (names []string) {
	for _, s := range g.settings {
		if name, ok := remoteURL(s.key); ok && name != "" && s.line > 0 && gitAddress(s.value) {
			names = append(names, name)
		}
	}
	return names
}

// met reports whether anything was fetched from a remote or pushed to it: git then keeps what it
// knows of its branches.
func (g *gitRepo) met(c *Call, name string) bool {
	for _, refs := range []string{"refs/remotes", "logs/refs/remotes"} {
		if len(c.Names(Lit(path.Join(g.dir, refs, name)))) > 0 {
			return true
		}
	}
	packed := c.Host.Starts(Lit(path.Join(g.dir, "packed-refs")))
	return packed.Pipe && !packed.Seen || strings.Contains(packed.Text, " refs/remotes/"+name+"/") // too many to read: no doubt
}

// trusts reports whether git met a remote, and did more than fetch from it. The log of a branch
// says why it changed: a clone, or a push that a person allowed. The adversary fetches from its own
// remote first, so that git has met it.
func (g *gitRepo) trusts(c *Call, name string) bool {
	fetched := false
	logs := path.Join(g.dir, "logs/refs/remotes", name)
	for i, branch := range c.Names(Lit(logs)) {
		f := c.Host.Starts(Lit(path.Join(logs, branch)))
		for line := range strings.Lines(f.Text) {
			_, why, _ := strings.Cut(line, "\t")
			if fetched = strings.HasPrefix(why, "fetch") || strings.HasPrefix(why, "pull"); !fetched {
				return true
			}
		}
		if i == maxSettings {
			return true
		}
	}
	return !fetched && g.met(c, name)
}

func doGitMail(c *Call) { git(c, umpire.Message|umpire.Upload) }
