package guard

import (
	"context"
	"fmt"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/normal"
)

// NormalizationOptions are the options of Normalization. The zero value selects the defaults.
type NormalizationOptions struct {
	// MaxInvisible is the largest allowed share, 0 to 1, of invisible characters in a text, and of
	// each other kind of character that the stage removes; 0.1 if zero. One or two are always
	// allowed. Characters with a meaning, such as those in emoji or Persian, do not count.
	MaxInvisible float64
}

// fewInvisible is the number of characters that cannot hide anything, even in a short text.
const fewInvisible = 2

// Normalization returns the stage that removes invisible characters and leaves all other bytes
// unchanged. It rejects a text that is largely invisible, and a text that hides another one. Later
// stages judge the canonical form.
func Normalization(o NormalizationOptions) Stage {
	if o.MaxInvisible <= 0 {
		o.MaxInvisible = 0.1
	}
	return Stage{ours: true, reads: true, Name: "UnicodeNormalization", Order: OrderNormalization, Quick: true, Check: func(_ context.Context, r *Request) (Result, error) {
		f := r.formOf()
		var found []umpire.Finding
		for _, s := range f.Spans[:min(len(f.Spans), maxHiddenFindings)] {
			found = append(found, umpire.Finding{Type: s.Class.String(), Start: s.Start, End: s.End})
		}
		if n, kind := tooMany(f, o.MaxInvisible); n > 0 {
			res := Reject(PromptInjection, fmt.Sprintf("%.0f%% of the text is %s characters: send it without them", 100*float64(n)/float64(f.Runes), kind))
			res.Findings = found
			return res, nil
		}
		for _, v := range f.Views {
			if v.Hidden {
				res := Reject(PromptInjection, "the text hides another one in invisible characters")
				res.Findings = append(found, umpire.Finding{Type: "hidden-text", Start: v.Start, End: v.End, Score: 1})
				return res, nil
			}
		}
		res := Result{Verdict: Allowed, Findings: found}
		if f.Visible != r.Text {
			res.Verdict, res.Text, res.Reason, res.form = Modified, f.Visible, "removed invisible characters: "+counted(f), f
		}
		return res, nil
	}}
}

// maxHiddenFindings is the limit of reported spans of hidden characters per text.
const maxHiddenFindings = 64

// counted returns the number of hidden characters of each kind in a text, as words.
func counted(f *normal.Form) string {
	var parts []string
	for c := range normal.Classes {
		if n := f.Count[c]; n > 0 && c != normal.Stacked && c != normal.Mixed {
			parts = append(parts, fmt.Sprintf("%d %s", n, c))
		}
	}
	return strings.Join(parts, ", ")
}

// Canonical returns the text as the stages judge it: in NFKC, without invisible characters, and
// with look-alike letters replaced. A Stage that matches words must read it instead of Text.
func (r *Request) Canonical() string { return r.formOf().Text }

// formOf returns the form of the text. It computes the form once for all stages. After
// Normalization removed characters, the form is still that of the original text, so that findings
// have positions in the original.
func (r *Request) formOf() *normal.Form {
	if r.form == nil || r.formText != r.Text {
		r.form, r.formText = normal.Text(r.Text), r.Text
	}
	return r.form
}

// tooMany returns the count and the name of a kind of character that exceeds the limit, or 0. All
// invisible characters count as one kind, so that an adversary cannot stay below several limits
// with a mixture.
func tooMany(f *normal.Form, most float64) (n int, kind string) {
	for _, c := range [...]normal.Class{normal.ZeroWidth, normal.Tag, normal.Variation, normal.Bidi} {
		switch {
		case f.Count[c] == 0:
			continue
		case n == 0:
			kind = c.String()
		default:
			kind = "invisible"
		}
		n += f.Count[c]
	}
	over := func(n int) bool { return n > fewInvisible && float64(n) > most*float64(f.Runes) }
	if over(n) {
		return n, kind
	}
	for _, c := range [...]normal.Class{normal.Control, normal.Invalid, normal.Stacked} {
		if n = f.Count[c]; over(n) {
			return n, c.String()
		}
	}
	return 0, ""
}
