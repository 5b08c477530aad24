package policyfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/policy"
)

// SourceError is a fault at a position in a policy file.
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

// Errors are all faults that were found, in order of their positions.
type Errors []*SourceError

// Error returns one fault per line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// DocLink returns the section of the documentation about policy files.
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
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	return slices.CompactFunc(es, func(a, b *SourceError) bool { return *a == *b })
}

// fromPolicy adds positions to the errors of Compile.
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

// didYouMean returns a hint with the nearest known word, or all of them.
func didYouMean(s string, known []string) string {
	if near := nearest.Word(s, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "use one of " + strings.Join(known, ", ")
}
