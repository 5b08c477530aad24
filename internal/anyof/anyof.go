// Package anyof asks whether a text holds any of several others.
package anyof

import (
	"slices"
	"strings"
)

// Contains reports whether s contains one of parts.
func Contains(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

// HasPrefix reports whether s begins with one of prefixes.
func HasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// HasSuffix reports whether s ends with one of suffixes.
func HasSuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(p string) bool { return strings.HasSuffix(s, p) })
}

// Equal reports whether s is one of list.
func Equal(s string, list ...string) bool { return slices.Contains(list, s) }

// In reports whether one of words is in list.
func In(words []string, list ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
}

// Listed reports whether a list of words, separated by white space, contains a word.
func Listed(list, word string) bool {
	for i := 0; word != ""; {
		n := strings.Index(list[i:], word)
		if n < 0 {
			return false
		}
		start, end := i+n, i+n+len(word)
		if (start == 0 || list[start-1] <= ' ') && (end == len(list) || list[end] <= ' ') {
			return true
		}
		i = end
	}
	return false
}
