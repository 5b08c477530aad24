// Package plural writes numbers of things and durations for people: 1 call, 2 entries,
// 3 min 5 s.
package plural

import (
	"fmt"
	"strings"
)

// Integer is a number of things.
type Integer interface{ ~int | ~int64 | ~uint64 }

// Count returns a number and its noun, of which one is the singular.
func Count[N Integer](n N, one string) string { return fmt.Sprintf("%d %s", n, Noun(n, one)) }

// Noun returns the form of a noun that goes with a number.
func Noun[N Integer](n N, one string) string {
	switch {
	case n == 1:
		return one
	case len(one) > 1 && strings.HasSuffix(one, "y") && !strings.ContainsRune("aeiou", rune(one[len(one)-2])):
		return one[:len(one)-1] + "ies"
	case strings.HasSuffix(one, "ch"), strings.HasSuffix(one, "sh"), strings.HasSuffix(one, "s"), strings.HasSuffix(one, "x"):
		return one + "es"
	}
	return one + "s"
}
