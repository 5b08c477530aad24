package policy

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// bases are the anchors of path patterns for one action.
type bases struct {
	home, workspace string
	fold            bool // compare names without regard to case
}

func basesOf(a *umpire.Action) bases {
	b := bases{home: slashes(a.Home), workspace: slashes(a.Workspace)}
	if b.workspace == "" {
		b.workspace = slashes(a.Dir)
	}
	// A Policy depends only on its arguments: it may run on another machine than the action. So the
	// form of the home decides which file system applies.
	b.fold = strings.HasPrefix(b.home, "/Users/") || drive(b.home)
	return b
}

func slashes(p string) string {
	if drive(p) || strings.HasPrefix(p, `\\`) {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	if len(p) > 1 {
		p = strings.TrimRight(p, "/")
	}
	return p
}

func (b bases) of(a anchor) (string, bool) {
	switch a {
	case anchorHome:
		return b.home, b.home != ""
	case anchorWorkspace:
		return b.workspace, b.workspace != ""
	}
	return "", true
}

// below returns path relative to base, without a leading slash.
func below(base, path string, fold bool) (string, bool) {
	if base == "/" {
		base = ""
	}
	if len(path) < len(base) || !equal(path[:len(base)], base, fold) {
		return "", false
	}
	rest := path[len(base):]
	if base == "" && drive(rest) {
		return rest, true
	}
	if rest == "" {
		return "", true
	}
	if rest[0] != '/' {
		return "", false
	}
	return rest[1:], true
}

func equal(a, b string, fold bool) bool {
	if fold {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// pathPattern is a path pattern as stored in a record: segments joined by slashes.
type pathPattern struct {
	anchor anchor
	glob   string
}

// nextSegment takes the first segment off a relative path.
func nextSegment(s string) (seg, rest string) {
	seg, rest, _ = strings.Cut(s, "/")
	return seg, rest
}

// segments matches a path against a glob, both without a leading slash. Only ** matches more than
// one segment, so it is enough to backtrack to the last **.
func segments(pattern, path string, one func(pattern, seg string) bool) bool {
	starPattern, starPath, star := "", "", false
	for path != "" {
		if pattern != "" {
			p, rest := nextSegment(pattern)
			if p == "**" {
				starPattern, starPath, star = rest, path, true
				pattern = rest
				continue
			}
			seg, more := nextSegment(path)
			if one(p, seg) {
				pattern, path = rest, more
				continue
			}
		}
		if !star {
			return false
		}
		_, starPath = nextSegment(starPath)
		pattern, path = starPattern, starPath
	}
	return pattern == "" || pattern == "**"
}

func segment(p, seg string) bool     { return glob(p, seg, false) }
func segmentFold(p, seg string) bool { return glob(p, seg, true) }

// covered matches a segment for an allow pattern. A segment with glob characters may expand to any
// matching name, so only * covers it. Nothing covers a segment that may expand to "..".
func covered(p, seg string) bool {
	if !isGlob(seg) {
		return glob(p, seg, false)
	}
	return (p == "*" || p == "**") && seg[0] != '.'
}

// covers matches an allow or unless pattern.
func (p pathPattern) covers(path string, b bases) bool {
	base, ok := b.of(p.anchor)
	if !ok || strings.Contains(path, umpire.Hole) || !rooted(path) {
		return false
	}
	rel, ok := below(base, path, false)
	if !ok {
		return false
	}
	for s := range strings.SplitSeq(rel, "/") {
		if s == ".." || isGlob(s) && s[0] == '.' {
			return false
		}
	}
	return segments(p.glob, rel, covered)
}

// rooted reports whether a path is absolute, so that its location is known.
func rooted(p string) bool { return strings.HasPrefix(p, "/") || drive(p) }

// match matches a deny or ask pattern. tree is set if everything below path is meant, too.
func (p pathPattern) match(path string, b bases, tree, generated bool) match {
	base, ok := b.of(p.anchor)
	if !ok {
		return no
	}
	hole, globbed := strings.Contains(path, umpire.Hole), isGlob(path)
	if !hole && !globbed || globbed && !hole && strings.Contains(path, `\`) && !strings.ContainsAny(path, "*?[") {
		one := segment
		if b.fold {
			one = segmentFold
		}
		if rel, ok := below(base, path, b.fold); ok && segments(p.glob, rel, one) {
			return sure
		}
		if tree {
			return p.matchTree(base, path, b, generated)
		}
		return no
	}
	full := strings.TrimSuffix(base, "/")
	whole := atoms(escapeGlob(full)+"/"+p.glob, true)
	if p.glob == "" {
		whole = atoms(escapeGlob(full), true)
	}
	res := atoms(path, true)
	if overlap(whole, res, b.fold) {
		if hole {
			return could
		}
		return sure // rm ~/no* means all files that the glob expands to
	}
	if tree && overlap(whole, append(res, atom{kind: atomRest}), b.fold) {
		return could
	}
	return no
}

// matchTree matches a pattern against everything below path. A folder that contains the fixed part
// of the pattern surely matches; a deeper folder may match.
func (p pathPattern) matchTree(base, path string, b bases, generated bool) match {
	prefix := base
	rest := p.glob
	for rest != "" {
		seg, more := nextSegment(rest)
		lit, ok := literal(seg)
		if !ok {
			break
		}
		prefix, rest = prefix+"/"+lit, more
	}
	if _, ok := below(path, prefix, b.fold); ok {
		return sure
	}
	if rest == "" || generated {
		return no
	}
	whole := atoms(escapeGlob(strings.TrimSuffix(base, "/"))+"/"+p.glob, true)
	if overlap(whole, append(literalAtoms(path), atom{kind: atomRest}), b.fold) {
		return could
	}
	return no
}

// escapeGlob makes a pattern that matches s only.
func escapeGlob(s string) string {
	if !isGlob(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(`*?[\`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
