package guard

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ValidationOptions are the options of Validation. The zero value selects the defaults.
type ValidationOptions struct {
	MinLength int // visible characters; 1 if zero
	MaxLength int // characters; 10,000 if zero
	MaxBytes  int // four times MaxLength if zero
}

// Validation returns the stage that rejects texts that are empty, too long, not UTF-8, or
// contain a NUL.
func Validation(o ValidationOptions) Stage {
	if o.MinLength <= 0 {
		o.MinLength = 1
	}
	if o.MaxLength <= 0 {
		o.MaxLength = 10_000
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = utf8.UTFMax * o.MaxLength
	}
	return Stage{ours: true, Name: "InputValidation", Order: OrderValidation, Quick: true, Check: func(_ context.Context, r *Request) (Result, error) {
		if reason := o.fault(r.Text); reason != "" {
			return Reject(InvalidInput, reason), nil
		}
		return Allow(), nil
	}}
}

func (o *ValidationOptions) fault(text string) string {
	if len(text) > o.MaxBytes { // first, because the other checks read the whole text
		return fmt.Sprintf("the text has %d bytes, and %d are allowed: shorten it", len(text), o.MaxBytes)
	}
	if !utf8.ValidString(text) {
		return "the text is not valid UTF-8"
	}
	if strings.IndexByte(text, 0) >= 0 {
		return "the text holds a NUL character"
	}
	if n := utf8.RuneCountInString(text); n > o.MaxLength {
		return fmt.Sprintf("the text has %d characters, and %d are allowed: shorten it", n, o.MaxLength)
	}
	seen := 0
	for _, c := range text {
		if visible(c) {
			if seen++; seen >= o.MinLength {
				return ""
			}
		}
	}
	if seen == 0 {
		return "the text is empty"
	}
	return fmt.Sprintf("the text has %d characters, and %d are needed", seen, o.MinLength)
}

// visible reports whether a character is visible. Fillers are not, although Unicode counts them as
// letters.
func visible(c rune) bool {
	if c < utf8.RuneSelf {
		return c > ' ' && c != 0x7f
	}
	switch c {
	case 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800:
		return false
	}
	return !unicode.Is(unicode.White_Space, c) && !unicode.In(c, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Zs)
}
