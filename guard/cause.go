package guard

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/late"
)

// Cause is an error whose text may be logged and shown, because it contains nothing of the
// checked text. If your Stage returns one, also wrapped, the reason of the rejection contains
// it.
type Cause string

// Error implements error.
func (c Cause) Error() string { return string(c) }

// CauseOf returns why a check failed, without words of the text: errors and panics often quote
// what they failed at.
func CauseOf(err error) string {
	var own Cause
	var panicked *late.Panic
	switch {
	case errors.As(err, &own):
		return cut(string(own), maxCause)
	case errors.As(err, &panicked):
		return "it panicked"
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long"
	case errors.Is(err, context.Canceled):
		return "the caller canceled it"
	}
	return "it returned an error"
}

// maxCause bounds a Cause, in bytes.
const maxCause = 500

// errZero is the reason for which a pipeline without a constructor rejects: it lacks the stages
// that the program meant it to have.
const errZero = Cause("it is a zero value: use NewInput, NewOutput or FromConfig")

// failed is the Result of a stage that failed.
func failed(stage string, err error) Result {
	what := "the guard"
	if stage != "" {
		what = "the check " + stage
	}
	return Result{Verdict: Rejected, Category: SystemError, Reason: what + " failed, so the text was stopped: " + CauseOf(err), Stage: stage, Err: err}
}

// apart returns a reason without words of the texts: a caller's stage may quote the text, in
// another case or in pieces.
func apart(reason string, texts ...string) string {
	inside := map[string]bool{}
	for _, text := range texts {
		for _, w := range wordsOf(text) {
			inside[w] = true
		}
	}
	var b strings.Builder
	for rest := reason; rest != ""; {
		n := strings.IndexFunc(rest, inWord)
		if n < 0 {
			n = len(rest)
		}
		b.WriteString(rest[:n])
		rest = rest[n:]
		n = strings.IndexFunc(rest, func(r rune) bool { return !inWord(r) })
		if n < 0 {
			n = len(rest)
		}
		if w := rest[:n]; inside[strings.ToLower(w)] {
			b.WriteString("...")
		} else {
			b.WriteString(w)
		}
		rest = rest[n:]
	}
	return cut(b.String(), maxCause)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !inWord(r) })
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == utf8.RuneError
}
