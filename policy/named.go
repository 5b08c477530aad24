package policy

import (
	"slices"
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

// matchPush matches each branch that is pushed to: git(push origin main) is about "git push
// origin HEAD:refs/heads/main" as well. A push that names no branch may be about any.
func matchPush(pattern, argv []string) match {
	best, limit := no, sure
	remote := pushRemote(argv)
	if remote == umpire.Hole { // then only the branch counts
		remote, limit = pattern[1], could
	}
	branches(argv, func(branch string) {
		at := [...]string{argv[0], remote, branch}
		best = max(best, min(limit, matchOperands(pattern, at[:], len(pattern))))
	})
	return best
}

// pushRemote returns the remote of a git push. It is a Hole if the words do not name one, or name
// it by a URL, which may be that of any remote.
func pushRemote(argv []string) string {
	remote := umpire.Hole
	pushOperands(argv, func(i int, w string) {
		if i == 0 && !strings.ContainsAny(w, ":/") {
			remote = w
		}
	})
	return remote
}

// branches yields each branch that a git push names, and a Hole for those that it leaves unnamed.
func branches(argv []string, yield func(string)) {
	named, unnamed := false, slices.ContainsFunc(argv, everyBranch)
	pushOperands(argv, func(i int, w string) {
		if i == 0 {
			return
		}
		named = true
		w = strings.TrimPrefix(w, "+")
		if _, to, ok := strings.Cut(w, ":"); ok && to != "" {
			w = to
		}
		w = strings.TrimPrefix(strings.TrimPrefix(w, "refs/"), "heads/")
		if w == "HEAD" || w == "@" || strings.Contains(w, "*") {
			unnamed = true
			return
		}
		yield(w)
	})
	if unnamed || !named {
		yield(umpire.Hole)
	}
}

// everyBranch reports whether an option of git push adds branches that no word names.
func everyBranch(w string) bool { return w == "--all" || w == "--branches" || w == "--mirror" }

// pushOperands yields the operands of a git push, the remote and the refspecs, with their numbers.
func pushOperands(argv []string, yield func(i int, w string)) {
	n, value := 0, false
	for _, w := range argv[1:] {
		switch {
		case value:
			value = false
		case isOption(w):
			value = pushValue(w)
		case w != "--":
			yield(n, w)
			n++
		}
	}
}

// pushValue reports whether an option of git push takes the next word for its value. Git takes
// the start of a long option for the option.
func pushValue(option string) bool {
	if !strings.HasPrefix(option, "--") {
		return strings.HasSuffix(option, "o")
	}
	for _, o := range [...]string{"--push-option", "--receive-pack", "--repo", "--exec"} {
		if len(option) > 3 && strings.HasPrefix(o, option) {
			return true
		}
	}
	return false
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

// sameLetters returns the spelling that a registry takes a name for: lower case, and one "-" for
// each run of -, _ and . in a Python package (PEP 503). So another spelling does not bypass a rule.
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
