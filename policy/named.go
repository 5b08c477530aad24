package policy

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// matchNamed matches the words of a deny or ask pattern against each single object of an operation:
// each package that it installs, and each branch that it pushes to. A rule for one object must also
// match if another comes first, or if the object has a different spelling.
func matchNamed(op *umpire.Operation, a *alt, argv []string) match {
	k, pattern := op.Kind, a.parts
	n, m := 0, sure // number of operands in the pattern, and the match of its options
	for i, p := range pattern {
		if isOption(p) || p == "--" {
			m = min(m, max(matchWords(pattern[i:i+1], argv), matchWords(pattern[i:i+1], op.Spelled)))
		} else {
			n++
		}
	}
	switch {
	case m == no:
		return no
	case k == umpire.Packages && len(argv) > 2 && (n == 1 && !a.open || n > 2): // packages(pip *) names the manager
		return min(m, matchPackages(operands(nil, pattern), argv))
	case k == umpire.Git && argv[0] == "push" && (n == 1 && !a.open || n > 2):
		var room [8]string // most patterns have fewer operands: allocate nothing for them
		return min(m, matchPush(operands(room[:0], pattern), argv))
	}
	return no
}

// matchPackages matches each package, alone and after the manager and its verb. So packages(flask)
// and packages(pip install flask) match "pip install -q six Flask[async]>=2" as well.
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

// matchPush matches each branch that is pushed to. So git(push origin main) and git(main) match
// "git push origin HEAD:refs/heads/main" as well. A push that names no branch may match any.
func matchPush(pattern, argv []string) match {
	best, limit := no, sure
	at := []string{argv[0], pushRemote(argv), ""}
	if len(pattern) == 1 {
		at = at[2:]
	} else if at[1] == umpire.Hole { // then only the branch counts
		at[1], limit = pattern[1], could
	}
	branches(argv, func(branch string) {
		if branch == umpire.Hole && len(pattern) == 1 && gitCommand(pattern[0]) {
			return
		}
		at[len(at)-1] = branch
		best = max(best, min(limit, matchOperands(pattern, at, len(pattern))))
	})
	return best
}

// gitCommand reports whether a pattern of one word names a git command: git(stash) does not match a
// push to a branch of that name.
func gitCommand(w string) bool {
	const commands = "|add|am|apply|archive|bisect|blame|branch|bundle|checkout|cherry-pick|clean|clone|commit|config|describe" +
		"|diff|fetch|filter-branch|gc|grep|init|log|ls-files|ls-remote|merge|mv|notes|prune|pull|push|rebase|reflog" +
		"|remote|reset|restore|revert|rm|send-email|show|stash|status|submodule|switch|tag|update-ref|worktree|"
	return strings.Contains(commands, "|"+w+"|")
}

// pushRemote returns the remote of a git push. It returns a Hole if the words name none, or a URL,
// which may belong to any remote.
func pushRemote(argv []string) string {
	remote := umpire.Hole
	pushOperands(argv, func(i int, w string) {
		if i == 0 && !strings.ContainsAny(w, ":/") {
			remote = w
		}
	})
	return remote
}

// branches yields each branch that a git push names, and a Hole for unnamed ones.
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

// pushOperands yields the operands of a git push, the remote and the refspecs, with their indexes.
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

// pushValue reports whether an option of git push takes the next word as its value. Git accepts
// abbreviated long options.
func pushValue(option string) bool {
	if !strings.HasPrefix(option, "--") {
		return strings.HasSuffix(option, "o")
	}
	return slices.ContainsFunc([]string{"--push-option", "--receive-pack", "--repo", "--exec"}, func(o string) bool {
		return len(option) > 3 && strings.HasPrefix(o, option)
	})
}

// operands appends the words that are not options.
func operands(to, words []string) []string {
	for _, w := range words {
		if !isOption(w) && w != "--" {
			to = append(to, w)
		}
	}
	return to
}

// packageNames yields the possible names of a package argument: the argument itself, and without
// version, extras, alias, channel or registry.
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
	case "nix", "nix-env": // nixpkgs#jq, nixpkgs.jq
		w = w[max(strings.LastIndexByte(w, '#'), strings.LastIndexByte(w, '.'))+1:]
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

// sameLetters returns the canonical spelling of a name at its registry: lower case, and one "-" for
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

// coversNamed reports whether a one-word allow pattern names all packages that an operation
// installs or removes, in any version, or all branches of origin that it pushes to. Packages from
// other sources, forced pushes and deletions need a more specific pattern.
func coversNamed(a *alt, op *umpire.Operation, argv []string) bool {
	const elsewhere = taints | umpire.PlainHTTP | umpire.Unknown
	if len(a.parts) != 1 || a.open || isOption(a.parts[0]) || len(argv) < 3 || op.Traits&elsewhere != 0 {
		return false
	}
	switch {
	case op.Kind == umpire.Packages && (argv[1] == "install" || argv[1] == "remove"):
		return !slices.ContainsFunc(argv[2:], func(w string) bool {
			name, ok := plainPackage(w)
			return !ok || !glob(a.parts[0], name, false)
		})
	case op.Kind == umpire.Git && argv[0] == "push":
		rest := argv[1:]
		if rest[0] == "-u" || rest[0] == "--set-upstream" {
			rest = rest[1:]
		}
		return len(rest) > 1 && rest[0] == "origin" && !slices.ContainsFunc(rest[1:], func(w string) bool {
			branch, ok := plainBranch(w)
			return !ok || !glob(a.parts[0], branch, false)
		})
	}
	return false
}

// plainPackage returns the name of a package in the default registry. It rejects files, addresses,
// aliases and options.
func plainPackage(w string) (name string, ok bool) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@._/+-~^=<>!,[]*"
	name = w
	if i := strings.LastIndexByte(w, '@'); i > 0 {
		name = w[:i]
	}
	if i := strings.IndexAny(name, "=<>~!^["); i > 0 {
		name = name[:i]
	}
	version := w[len(name):]
	file := strings.Trim(w, letters) != "" || strings.HasPrefix(version, "@.") || strings.Contains(version, "/") || strings.Contains(name, "..")
	for _, end := range [...]string{".tgz", ".tar", ".gz", ".bz2", ".xz", ".zip", ".whl", ".gem", ".deb", ".rpm", ".apk"} {
		file = file || len(w) > len(end) && strings.EqualFold(w[len(w)-len(end):], end)
	}
	return name, name != "" && !file && !strings.ContainsAny(name[:1], "-./~*+^")
}

// plainBranch returns the branch that a refspec adds to.
func plainBranch(w string) (branch string, ok bool) {
	from, to, both := strings.Cut(w, ":")
	if !both {
		to = from
	}
	branch = strings.TrimPrefix(to, "refs/heads/")
	return branch, from != "" && branch != "" && branch != "HEAD" && branch != "@" && !strings.HasPrefix(branch, "refs/") &&
		!strings.ContainsAny(w, "+*") && !isOption(w) && !spread(w)
}

// eachNamed lets allow rules cover an operation about several packages or branches by covering each
// of them.
func (d *decision) eachNamed(v *view) {
	var names []string
	switch {
	case v.op.Kind == umpire.Packages && len(v.words) > 3:
		names = operands(nil, v.words[2:])
	case v.op.Kind == umpire.Git && len(v.words) > 3 && v.words[0] == "push" && !slices.ContainsFunc(v.words, pushValue):
		pushOperands(v.words, func(i int, w string) {
			if i > 0 {
				names = append(names, w)
			}
		})
	}
	const most = 64 // each one costs a search
	if len(names) < 2 || len(names) > most {
		return
	}
	i, said := v.index, len(d.said)
	covered, pardon, safe := false, true, d.safe[i]
	for _, name := range names {
		op, one := *v.op, *v
		one.words = make([]string, 0, len(v.words))
		for _, w := range v.words {
			if w == name || !slices.Contains(names, w) {
				one.words = append(one.words, w)
			}
		}
		op.Resource = strings.Join(one.words, " ")
		one.op, d.covered[i], d.pardon[i] = &op, false, false
		d.ids = d.ids[:0]
		d.find(&one)
		d.consider(&one, true)
		if covered = d.covered[i]; !covered {
			break
		}
		pardon = pardon && d.pardon[i]
	}
	d.covered[i], d.pardon[i], d.safe[i] = covered, covered && pardon, safe
	if !covered {
		d.said = d.said[:said]
	}
}
