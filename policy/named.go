package policy

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// matchNamed matches the words of a deny or ask pattern against the single things that an
// operation is about: each package that it installs, and each branch that it pushes to. A rule
// for one of them must not fail because another stands in front of it, or because the same
// thing is spelled in another way.
func matchNamed(k umpire.Kind, a *alt, argv []string) match {
	pattern := a.parts
	n, m := 0, sure // operands of the pattern, and the match of its options
	for i, p := range pattern {
		if isOption(p) || p == "--" {
			m = min(m, matchWords(pattern[i:i+1], argv))
		} else {
			n++
		}
	}
	switch {
	case m == no:
		return no
	case k == umpire.Packages && len(argv) > 2 && (n == 1 && !a.open || n > 2): // packages(pip *) is about the manager
		return min(m, matchPackages(operands(nil, pattern), argv))
	case k == umpire.Git && argv[0] == "push" && n > 2:
		var room [8]string // most patterns have fewer operands: no garbage for what no rule concerns
		return min(m, matchPush(operands(room[:0], pattern), argv))
	}
	return no
}

// matchPackages matches each package, alone and behind the manager and its verb:
// packages(flask) and packages(pip install flask) are about "pip install -q six Flask[async]>=2"
// as well.
func matchPackages(pattern, argv []string) match {
	for i, p := range pattern {
		pattern[i] = sameLetters(argv[0], p)
	}
	one := make([]string, 0, 3)
	if len(pattern) > 1 {
		one = append(one, argv[0], argv[1])
	}
	best := no
	for _, w := range argv[2:] {
		if best == sure {
			break
		}
		if isOption(w) {
			continue
		}
		packageNames(argv[0], w, func(name string) {
			at := append(one, sameLetters(argv[0], name))
			best = max(best, matchOperands(pattern, at, len(pattern)))
		})
	}
	return best
}

// matchPush matches each branch that is pushed to, behind each word that may name the remote:
// git(push origin main) is about "git push origin HEAD:refs/heads/main" as well. A push that
// names no branch may be about any.
func matchPush(pattern, argv []string) match {
	best := no
	try := func(remote string) {
		limit := sure
		if remote == umpire.Hole { // then only the branch counts
			remote, limit = pattern[1], could
		}
		branches(argv, func(branch string) {
			at := [...]string{argv[0], remote, branch}
			best = max(best, min(limit, matchOperands(pattern, at[:], len(pattern))))
		})
	}
	remotes(argv, try)
	return best
}

// remotes yields the words of a git push that may name the remote. A Hole stands for one that the
// words do not name, or name by a URL, which may be that of any remote.
func remotes(argv []string, yield func(string)) {
	n := 0
	for _, w := range argv[1:] {
		switch {
		case isOption(w) || w == "--":
			continue
		case n == 0 && strings.ContainsAny(w, ":/"):
			yield(umpire.Hole)
			return
		}
		yield(w)
		if n++; n == 2 || !valuedFirst(argv) {
			return
		}
	}
	if n == 0 {
		yield(umpire.Hole)
	}
}

// branches yields each branch that a git push names, and a Hole for those that it leaves unnamed.
func branches(argv []string, yield func(string)) {
	named, remote, unnamed := 0, false, false
	for _, w := range argv[1:] {
		switch {
		case w == "--all" || w == "--branches" || w == "--mirror":
			unnamed = true
			continue
		case isOption(w) || w == "--":
			continue
		case !remote:
			remote = true
			continue
		}
		named++
		w = strings.TrimPrefix(w, "+")
		if _, to, ok := strings.Cut(w, ":"); ok && to != "" {
			w = to
		}
		w = strings.TrimPrefix(strings.TrimPrefix(w, "refs/"), "heads/")
		if w == "HEAD" || w == "@" || strings.Contains(w, "*") {
			unnamed = true
			continue
		}
		yield(w)
	}
	if unnamed || named == 0 || named == 1 && valuedFirst(argv) {
		yield(umpire.Hole)
	}
}

// valuedFirst reports whether the first operand of a git push may be the value of the option in
// front of it: push -o ci.skip origin.
func valuedFirst(argv []string) bool {
	return len(argv) > 2 && isOption(argv[1]) && !strings.Contains(argv[1], "=") && !isOption(argv[2])
}

// operands appends the words that are no options.
func operands(to, words []string) []string {
	for _, w := range words {
		if !isOption(w) && w != "--" {
			to = append(to, w)
		}
	}
	return to
}

// packageNames yields the names that a word may have for a manager: as it is, and without what
// names a version, extras, an alias, a channel or the registry itself.
func packageNames(manager, w string, yield func(string)) {
	yield(w)
	if alias, target, ok := strings.Cut(w, "npm:"); ok { // x@npm:y@1 installs y as x
		yield(strings.TrimSuffix(alias, "@"))
		yield(target)
		w = target
	}
	switch manager {
	case "apt", "apt-get", "aptitude": // nginx/stable
		w, _, _ = strings.Cut(w, "/")
	case "pacman", "yay", "paru": // extra/nginx
		w = w[strings.LastIndexByte(w, '/')+1:]
	case "conda", "mamba", "micromamba": // conda-forge::numpy
		w = w[strings.LastIndexByte(w, ':')+1:]
	}
	if i := strings.LastIndexByte(w, '@'); i > 0 {
		w = w[:i]
	}
	if i := strings.IndexAny(w, "=<>~!^[; :"); i > 0 {
		w = w[:i]
	}
	yield(w)
}

// sameLetters returns a name in the letters that it shares with all names that a registry takes
// for the same: small ones, and one - for each run of -, _ and . of a Python package (PEP 503).
func sameLetters(manager, name string) string {
	name = strings.ToLower(name)
	switch manager {
	case "pip", "pip3", "pipx", "uv", "uvx", "poetry", "pdm", "pipenv", "rye":
	default:
		return name
	}
	if !strings.ContainsAny(name, "_.") && !strings.Contains(name, "--") {
		return name
	}
	b := make([]byte, 0, len(name))
	for i := range len(name) {
		c := name[i]
		if c == '_' || c == '.' {
			c = '-'
		}
		if c != '-' || len(b) == 0 || b[len(b)-1] != '-' {
			b = append(b, c)
		}
	}
	return string(b)
}
