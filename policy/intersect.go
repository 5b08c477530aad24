package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
)

// atom is one element of a glob over a whole string: one character of a set, or any
// number of them.
type atom struct {
	kind  atomKind
	char  rune
	class string
}

type atomKind uint8

const (
	atomChar  atomKind = iota
	atomOne            // any character but a slash
	atomClass          // one of a class, never a slash
	atomAny            // any character
	atomStar           // any number of characters, no slash
	atomAll            // any number of characters
	atomRest           // nothing, or a slash and anything
	atomDirs           // nothing, or anything and a slash
)

// atoms reads a glob. In a path, ** crosses slashes and a * does not; in words a *
// matches anything. A Hole matches anything in both.
func atoms(s string, path bool) []atom {
	out := make([]atom, 0, len(s))
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case strings.HasPrefix(s[i:], umpire.Hole):
			out = append(out, atom{kind: atomAll})
			i += len(umpire.Hole)
			continue
		case path && c == '/' && s[i:] == "/**":
			return append(out, atom{kind: atomRest})
		case path && strings.HasPrefix(s[i:], "**/") && (i == 0 || s[i-1] == '/'):
			out = append(out, atom{kind: atomDirs})
			i += 3
			continue
		case c == '*' && (!path || strings.HasPrefix(s[i:], "**")):
			out = append(out, atom{kind: atomAll})
			for i < len(s) && s[i] == '*' {
				i++
			}
			continue
		case c == '*':
			out = append(out, atom{kind: atomStar})
		case c == '?' && path:
			out = append(out, atom{kind: atomOne})
		case c == '?':
			out = append(out, atom{kind: atomAny})
		case c == '[':
			if n := classEnd(s[i:]); n > 0 {
				out = append(out, atom{kind: atomClass, class: s[i : i+n+1]})
				i += n + 1
				continue
			}
			out = append(out, atom{kind: atomChar, char: '['})
		case c == '\\' && i+1 < len(s):
			i++
			fallthrough
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			out = append(out, atom{kind: atomChar, char: r})
			i += n
			continue
		}
		i++
	}
	return out
}

// meets reports whether some character is in both.
func (a atom) meets(b atom, fold bool) bool {
	if a.kind > b.kind {
		a, b = b, a
	}
	switch {
	case a.kind == atomChar && b.kind == atomChar:
		return a.char == b.char || fold && lower(a.char) == lower(b.char)
	case a.kind == atomChar && b.kind == atomOne:
		return a.char != '/'
	case a.kind == atomChar && b.kind == atomClass:
		return a.char != '/' && inClass(b.class, a.char, fold)
	case a.kind == atomChar && b.kind == atomStar:
		return a.char != '/'
	}
	return true // two sets: assume that they meet, which only causes a question
}

// maxOverlap limits the work of overlap, which grows with the product of the lengths.
const maxOverlap = 1 << 18

// overlap reports whether some string matches both. It assumes that two sets of characters meet, so
// it may err to true but never to false.
func overlap(a, b []atom, fold bool) bool {
	if len(a)*len(b) > maxOverlap {
		return true // the agent chose the length, so ask a person
	}
	seen := make([]bool, (len(a)+1)*(len(b)+1)*4)
	var walk func(i, j int, ia, jb bool) bool
	walk = func(i, j int, ia, jb bool) bool {
		// ia: inside the repeating part of a's atomRest or atomDirs; jb: likewise for b.
		state := (i*(len(b)+1) + j) * 4
		if ia {
			state++
		}
		if jb {
			state += 2
		}
		if seen[state] {
			return false
		}
		seen[state] = true
		if i == len(a) && j == len(b) {
			return true
		}
		var x, y atom
		if i < len(a) {
			x = a[i]
			switch {
			case x.kind == atomStar || x.kind == atomAll || x.kind == atomRest || x.kind == atomDirs && !ia:
				if walk(i+1, j, false, jb) {
					return true
				}
			}
		}
		if j < len(b) {
			y = b[j]
			switch {
			case y.kind == atomStar || y.kind == atomAll || y.kind == atomRest || y.kind == atomDirs && !jb:
				if walk(i, j+1, ia, false) {
					return true
				}
			}
		}
		if i == len(a) || j == len(b) {
			return false
		}
		// Both consume one character. next lists the positions after it.
		for _, p := range step(i, x, ia) {
			if slices.ContainsFunc(step(j, y, jb), func(q move) bool { return p.eats.meets(q.eats, fold) && walk(p.at, q.at, p.in, q.in) }) {
				return true
			}
		}
		return false
	}
	return walk(0, 0, false, false)
}

type move struct {
	at   int
	in   bool
	eats atom
}

func step(i int, x atom, in bool) []move {
	slash := atom{kind: atomChar, char: '/'}
	switch x.kind {
	case atomStar, atomAll:
		return []move{{i, false, x}}
	case atomRest:
		if in {
			return []move{{i, true, atom{kind: atomAll}}}
		}
		return []move{{i, true, slash}}
	case atomDirs:
		return []move{{i, true, atom{kind: atomAll}}, {i + 1, false, slash}}
	}
	return []move{{i + 1, false, x}}
}

// intersects is overlap for a word with Holes.
func intersects(pattern, word string) bool {
	return overlap(atoms(pattern, false), literalAtoms(word), false)
}

// literalAtoms reads a string in which only a Hole is special.
func literalAtoms(s string) []atom {
	out := make([]atom, 0, len(s))
	for i := 0; i < len(s); {
		if strings.HasPrefix(s[i:], umpire.Hole) {
			out = append(out, atom{kind: atomAll})
			i += len(umpire.Hole)
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		out = append(out, atom{kind: atomChar, char: r})
		i += n
	}
	return out
}
