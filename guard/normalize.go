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
	// MaxInvisible is the largest share, 0 to 1, of invisible characters in a text, and of
	// each other kind that the stage removes: 0.1 if zero. Two are never too many, and
	// characters with a meaning, as in emoji or Persian, do not count.
	MaxInvisible float64
}

// fewInvisible are too few to hide anything, however short the text.
const fewInvisible = 2

// Normalization returns the stage that removes invisible characters. The rest passes byte for
// byte; later stages judge the canonical form. The stage rejects text that is largely
// invisible, and text that hides another text.
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

// maxHiddenFindings bounds the reported places of hidden characters in one text.
const maxHiddenFindings = 64

// counted says how many hidden characters of each kind a text has.
func counted(f *normal.Form) string {
	var parts []string
	for c := range normal.Classes {
		if n := f.Count[c]; n > 0 && c != normal.Stacked && c != normal.Mixed {
			parts = append(parts, fmt.Sprintf("%d %s", n, c))
		}
	}
	return strings.Join(parts, ", ")
}

// Canonical returns the text as the stages judge it: NFKC, without invisible characters, with
// look-alike letters replaced. A Stage that matches words must read it instead of Text.
func (r *Request) Canonical() string { return r.formOf().Text }

// formOf returns the form of the text, which is worked out once for all stages. After
// characters were removed it is still that of the text as it was sent, so that findings are
// places in that.
func (r *Request) formOf() *normal.Form {
	if r.form == nil || r.formText != r.Text {
		r.form, r.formText = normal.Text(r.Text), r.Text
	}
	return r.form
}

// tooMany returns the number of characters of a kind that a text has too many of, and the kind. All
// invisible characters are one kind, so that a mixture does not hide under several limits.
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
