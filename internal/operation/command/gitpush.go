package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// protectedBranch reports whether a branch has a name on which others usually build, such as main.
func protectedBranch(ref string) bool {
	ref = strings.ToLower(strings.TrimPrefix(ref, "refs/heads/"))
	if anyof.Equal(ref, "main", "master", "trunk", "develop", "development", "production", "prod", "staging", "stable", "release", "default", "gh-pages") {
		return true
	}
	return anyof.HasPrefix(ref, "release/", "releases/", "release-", "hotfix/", "stable/", "stable-", "support/")
}

// releaseTag reports whether a refspec pushes a tag, or a ref named like a version: v1.2.0. In many
// projects such a push starts a release.
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
	if pushesToTemp(c, remote) {
		c.Traits &^= umpire.Force | umpire.Overwrite | umpire.Destroy | umpire.Bulk
		git(c, 0)
		return
	}
	if pushesElsewhere(c, remote) {
		t |= umpire.UntrustedSource
	}
	// --force overrides a lease, in either order.
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
			t |= umpire.Force // a plus overrides a lease
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
	every := c.Has("--all", "--branches") // may include a protected branch
	switch {
	case t&umpire.Force != 0:
		if every {
			t |= umpire.Bulk | umpire.ProtectedBranch
		}
		if len(refs) == 0 {
			t |= umpire.ProtectedBranch // may be any branch
		}
	case t&umpire.Destroy == 0 && (every || releases):
		t |= umpire.ProtectedBranch
	}
	git(c, t)
}

// pushesToTemp reports whether a push goes to a repository in a temporary folder, as tests make: a
// path, or a remote that this command line gave such a path, in a clone that is temporary too.
func pushesToTemp(c *Call, remote []Word) bool {
	temp := func(w Word) bool {
		_, p := c.Path(w)
		return !gitAddress(w.Text) && !strings.Contains(w.Text, "::") && p&umpire.PlaceTemp != 0
	}
	name := "origin"
	for _, w := range remote {
		if strings.Contains(w.Text, "/") {
			return temp(w)
		}
		name = w.Text
	}
	if !temp(Lit(".")) || len(c.Global("-C")) > 0 {
		return false
	}
	met := false
	for _, w := range c.Defined(remotesSet) {
		if key, address, _ := strings.Cut(w.Text, "="); strings.EqualFold(key, "remote."+name+".url") {
			if met = temp(w.With(address)); !met {
				return false
			}
		}
	}
	return met
}

// pushesElsewhere reports whether a push goes to an address that the repository does not know. Its
// settings on the disk make an address known; settings of this command line do not. The adversary
// is a text that makes the agent add a remote and push to it.
func pushesElsewhere(c *Call, remote []Word) bool {
	repo := gitRepository(c)
	known := func(address string) bool {
		return slices.ContainsFunc(repo.settings, func(s gitSet) bool {
			_, ok := remoteURL(s.key)
			return ok && s.line > 0 && sameRepository(s.value, address)
		})
	}
	name := "" // the default remote
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
	if len(remotes) == 0 { // the first remote of a new repository
		return false
	}
	if slices.ContainsFunc(c.Defined(remotesSet), func(w Word) bool { // set by earlier commands of this command line
		key, address, _ := strings.Cut(w.Text, "=")
		return sets(key, w.With(address))
	}) {
		return true
	}
	// An earlier call may have added the remote: git has exchanged data with others, but never
	// with this one.
	return slices.Contains(remotes, name) && !repo.trusts(c, name) && slices.ContainsFunc(remotes, func(other string) bool { return repo.met(c, other) })
}

// remotes returns the names of the remotes on other machines in the settings on the disk.
func (g *gitRepo) remotes() (names []string) {
	for _, s := range g.settings {
		if name, ok := remoteURL(s.key); ok && name != "" && s.line > 0 && gitAddress(s.value) {
			names = append(names, name)
		}
	}
	return names
}

// met reports whether git ever fetched from a remote or pushed to it: then it has refs for the
// remote's branches.
func (g *gitRepo) met(c *Call, name string) bool {
	for _, refs := range []string{"refs/remotes", "logs/refs/remotes"} {
		if len(c.Names(Lit(path.Join(g.dir, refs, name)))) > 0 {
			return true
		}
	}
	packed := c.Host.Starts(Lit(path.Join(g.dir, "packed-refs")))
	return packed.Pipe && !packed.Seen || strings.Contains(packed.Text, " refs/remotes/"+name+"/") // a file too large to read counts as yes
}

// trusts reports whether git met a remote and did more than fetch from it. The reflog of a branch
// says why it changed: by a clone, or by a push that a person allowed. The adversary makes the
// agent fetch from the new remote first, so that git has met it.
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
	git(c, umpire.Irreversible|umpire.WholeTree|umpire.Overwrite)
}

// doGitReplace shows one object in place of another. Nothing is lost, but an attacker can make a
// reviewer read another commit than the one that is pushed.
func doGitReplace(c *Call) {
	if len(c.Operands) > 0 && !c.Has("-l") || c.Has("--convert-graft-file") {
		git(c, umpire.Overwrite)
	}
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
