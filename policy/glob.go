package policy

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// checkGlob returns an error for an invalid glob.
func checkGlob(s string) error {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i+1 == len(s) {
				return errors.New(`it ends in a backslash: write \\ for the character itself`)
			}
			i++
		case '[':
			n := classEnd(s[i:])
			if n < 0 {
				return errors.New(`a [ is not closed: write \[ for the character itself`)
			}
			i += n
		}
	}
	return nil
}

// classEnd returns the index of the ] that closes the class at the start of s, or -1.
func classEnd(s string) int {
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ']':
			return i
		}
	}
	return -1
}

// inClass reports whether r is in the class c, such as [a-z].
func inClass(c string, r rune, fold bool) bool {
	body := c[1 : len(c)-1]
	not := false
	if body != "" && (body[0] == '!' || body[0] == '^') {
		not, body = true, body[1:]
	}
	in := false
	for body != "" {
		lo, n := classRune(body)
		body = body[n:]
		hi := lo
		if len(body) > 1 && body[0] == '-' {
			hi, n = classRune(body[1:])
			body = body[1+n:]
		}
		if lo <= r && r <= hi || fold && (lo <= lower(r) && lower(r) <= hi || lo <= upper(r) && upper(r) <= hi) {
			in = true
		}
	}
	return in != not
}

func classRune(s string) (rune, int) {
	if s[0] == '\\' && len(s) > 1 {
		r, n := utf8.DecodeRuneInString(s[1:])
		return r, n + 1
	}
	return utf8.DecodeRuneInString(s)
}

func lower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

func upper(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r - ('a' - 'A')
	}
	return r
}

// glob reports whether all of s matches the pattern. Only * matches more than one character, so it
// is enough to backtrack to the last *: the time is at most len(pattern) x len(s).
func glob(pattern, s string, fold bool) bool {
	star, mark := -1, 0
	p, i := 0, 0
	for i < len(s) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, i
			p++
			continue
		}
		if n, m := matchOne(pattern[p:], s[i:], fold); n > 0 {
			p += n
			i += m
			continue
		}
		if star < 0 {
			return false
		}
		_, n := utf8.DecodeRuneInString(s[mark:])
		mark += n
		p, i = star+1, mark
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne matches the first element of a pattern, which must not be *, against the first character
// of s. It returns the length of both, or zero if they differ.
func matchOne(p, s string, fold bool) (n, m int) {
	if p == "" {
		return 0, 0
	}
	switch p[0] {
	case '?':
		_, m = utf8.DecodeRuneInString(s)
		return 1, m
	case '[':
		end := classEnd(p)
		if end < 0 {
			return 0, 0
		}
		r, m := utf8.DecodeRuneInString(s)
		if !inClass(p[:end+1], r, fold) {
			return 0, 0
		}
		return end + 1, m
	case '\\':
		if len(p) > 1 {
			if same(p[1], s[0], fold) {
				return 2, 1
			}
			return 0, 0
		}
	}
	if same(p[0], s[0], fold) {
		return 1, 1
	}
	return 0, 0
}

func same(a, b byte, fold bool) bool {
	return a == b || fold && lower(rune(a)) == lower(rune(b)) && a < utf8.RuneSelf && b < utf8.RuneSelf
}

// isGlob reports whether s contains a special character of globs.
func isGlob(s string) bool { return strings.ContainsAny(s, `*?[\`) }

// unescape removes the backslashes from a glob without other special characters.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// literal returns the only string that a glob matches, if there is just one.
func literal(s string) (string, bool) {
	if strings.ContainsAny(s, "*?[") {
		return "", false
	}
	return unescape(s), true
}
