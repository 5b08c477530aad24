package redact

import "strings"

// String returns s with every secret masked. Masking again changes nothing. If s contains no
// secret, String returns s itself.
func String(s string) string { return mask(s, false) }

// Readable is like String for text that people judge by reading it. It masks secrets, and keeps
// text in place of a secret that could have an effect, such as a command between the markers of a
// key. The lines stay those of s.
func Readable(s string) string { return mask(s, true) }

func mask(s string, reading bool) string {
	for range maxPasses {
		masked := pass(s, reading)
		if len(masked) == len(s) && masked == s {
			break
		}
		s = masked
	}
	return s
}

// maxPasses limits how often a text is masked until nothing more is found. A mask changes its
// context: a value may now end earlier. Only crafted text needs a second pass.
const maxPasses = 8

func pass(s string, reading bool) string {
	sc := scanner{s: s, reading: reading}
	m, ok := sc.next()
	if !ok {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 32)
	done := 0
	for ; ok; m, ok = sc.next() {
		b.WriteString(s[done:m.start])
		writeMask(&b, m.kind)
		done = m.end
	}
	b.WriteString(s[done:])
	return b.String()
}

// Contains reports whether s holds something shaped like a real credential.
//
// It is stricter than String, because a Decision may depend on the answer. Words that
// documentation uses for secrets do not count, nor do passwords too plain to tell from prose.
// The user:password of a URL, which goes to the very host it is for, does not count either.
func Contains(s string) bool {
	sc := scanner{s: s}
	for m, ok := sc.next(); ok; m, ok = sc.next() {
		if m.strong && !isExample(s[m.start:m.end]) {
			return true
		}
	}
	return false
}

const (
	maskOpen  = "[masked:"
	maskClose = "]"
	maxKind   = 32
)

func writeMask(b *strings.Builder, kind string) {
	b.WriteString(maskOpen)
	b.WriteString(kind)
	b.WriteString(maskClose)
}

// maskLen returns the length of the mask at the start of s, or 0. Only this package's exact form
// counts: the agent may write a bracket and hide a secret in it.
func maskLen(s string) int {
	if !strings.HasPrefix(s, maskOpen) {
		return 0
	}
	rest := s[len(maskOpen):]
	for i := 0; i < len(rest) && i <= maxKind; i++ {
		switch c := rest[i]; {
		case c == ']':
			if isKind(rest[:i]) {
				return len(maskOpen) + i + 1
			}
			return 0
		case c != '-' && !isLower(c):
			return 0
		}
	}
	return 0
}

// isMask reports whether s is a mask and nothing else.
func isMask(s string) bool { n := maskLen(s); return n > 0 && n == len(s) }
