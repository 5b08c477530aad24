package guard

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/bounded"
)

// Cause is an error whose text may be logged and shown, because it contains no words of the checked
// text. If your Stage returns a Cause, wrapped or not, the reason of the rejection contains it.
type Cause string

// Error implements error.
func (c Cause) Error() string { return string(c) }

// CauseOf returns why a check failed, without words of the text: the messages of other errors and
// of panics often quote their input.
func CauseOf(err error) string {
	var own Cause
	var panicked *bounded.Panic
	switch {
	case errors.As(err, &own):
		return bounded.Clip(string(own), maxCause, "...")
	case errors.As(err, &panicked):
		return "it panicked"
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long"
	case errors.Is(err, context.Canceled):
		return "the caller canceled it"
	}
	return "it returned an error"
}

// maxCause is the length limit of a Cause, in bytes.
const maxCause = 500

// errZero is the error of a pipeline that no constructor made. It has none of the stages that the
// program meant it to have, so it rejects.
const errZero = Cause("it is a zero value: use NewInput, NewOutput or FromConfig")

// failed is the Result of a stage that failed.
func failed(stage string, err error) Result {
	what := "the guard"
	if stage != "" {
		what = "the check " + stage
	}
	return Result{Verdict: Rejected, Category: SystemError, Reason: what + " failed, so the text was stopped: " + CauseOf(err), Stage: stage, Err: err}
}

// apart returns a reason with the words of the texts replaced by "...": a caller's stage may quote
// the text, in another case or in pieces.
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
	return bounded.Clip(b.String(), maxCause, "...")
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !inWord(r) })
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == utf8.RuneError
}
