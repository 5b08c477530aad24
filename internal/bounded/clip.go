package bounded

import "unicode/utf8"

// Clip returns s if it has at most n bytes. Otherwise it returns the first n bytes, without a part of
// a character at the end, and then mark.
func Clip(s string, n int, mark string) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}
