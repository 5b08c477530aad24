// Package nearest finds the known word that a misspelled one probably means.
package nearest

import "strings"

// Word returns the known word nearest to s, ignoring case: at most two letters are added,
// dropped, changed or swapped, and fewer than s has. It returns "" if no word is that near.
func Word(s string, known []string) string {
	best, least := "", min(3, len(s))
	for _, k := range known {
		if d := distance(strings.ToLower(s), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is the number of letters to add, drop, change or swap. Words that differ much in
// length are far apart without counting.
func distance(a, b string) int {
	if len(a) > 64 || len(a)-len(b) > 3 || len(b)-len(a) > 3 {
		return 99
	}
	var before, prev []int
	cur := make([]int, len(b)+1)
	for j := range cur {
		cur[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, prev, cur = prev, cur, make([]int, len(b)+1)
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
	}
	return cur[len(b)]
}
