package policyfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/policy"
)

// SourceError is a fault at a place in a policy file.
type SourceError struct {
	File string
	Line int
	Col  int
	Msg  string
	Hint string // the next step
}

// Error returns file:line:col: message; hint.
func (e *SourceError) Error() string {
	s := e.Msg
	if at := (policy.Pos{File: e.File, Line: e.Line, Col: e.Col}).String(); at != "" {
		s = at + ": " + s
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Errors is every fault that was found, in the order of their places.
type Errors []*SourceError

// Error returns one fault a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// DocLink names the section of the documents about policy files.
func (Errors) DocLink() doclink.Name { return doclink.Policy }

// Unwrap returns the faults.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

func (es Errors) sorted() Errors {
	slices.SortStableFunc(es, func(a, b *SourceError) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return slices.CompactFunc(es, func(a, b *SourceError) bool { return *a == *b })
}

// fromPolicy turns what Compile found into faults with their places.
func fromPolicy(err error) Errors {
	var es policy.Errors
	if !errors.As(err, &es) {
		return Errors{{Msg: err.Error()}}
	}
	out := make(Errors, len(es))
	for i, e := range es {
		msg := e.Msg
		if e.Rule != "" {
			msg = fmt.Sprintf("rule %q: %s", e.Rule, msg)
		}
		out[i] = &SourceError{File: e.Pos.File, Line: e.Pos.Line, Col: e.Pos.Col, Msg: msg, Hint: e.Hint}
	}
	return out
}

// didYouMean returns a hint that names the known word nearest to s, or all of them.
func didYouMean(s string, known []string) string {
	if best, dist := nearest(s, known); best != "" && dist < len(s) {
		return fmt.Sprintf("did you mean %s?", best)
	}
	return "use one of " + strings.Join(known, ", ")
}

// nearest returns the known word that is nearest to s, at most two letters away.
func nearest(s string, known []string) (best string, dist int) {
	dist = 3
	for _, k := range known {
		if d := distance(strings.ToLower(s), strings.ToLower(k)); d < dist {
			best, dist = k, d
		}
	}
	return best, dist
}

// distance is the number of letters to add, drop, change or swap; words that differ
// much in length are far apart without counting.
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
