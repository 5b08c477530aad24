package guard

import (
	"context"
	"fmt"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/normal"
)

// NormalizationOptions are the options of Normalization; the zero value is fine.
type NormalizationOptions struct {
	// MaxInvisible is how much of a text, 0 to 1, characters that nobody sees can be, and
	// how much those of each other kind that is taken away: 0.1 if zero. Two are never too
	// many, and those with a meaning, as in emoji or Persian, do not count.
	MaxInvisible float64
}

// fewInvisible are too few to hide anything, however short the text.
const fewInvisible = 2

// Normalization returns the stage that hands on the canonical form of a text: NFKC, without
// what nobody sees, look-alike letters replaced. It rejects what is largely invisible.
func Normalization(o NormalizationOptions) Stage {
	if o.MaxInvisible <= 0 {
		o.MaxInvisible = 0.1
	}
	return Stage{ours: true, Name: "UnicodeNormalization", Order: OrderNormalization, Quick: true, Check: func(_ context.Context, r *Request) (Result, error) {
		f := normal.Text(r.Text)
		var found []umpire.Finding
		for _, s := range f.Spans {
			found = append(found, umpire.Finding{Type: s.Class.String(), Start: s.Start, End: s.End})
		}
		if n, kind := tooMany(f, o.MaxInvisible); n > 0 {
			res := Reject(PromptInjection, fmt.Sprintf("%.0f%% of the text are %s characters: send it without them", 100*float64(n)/float64(f.Runes), kind))
			res.Findings = found
			return res, nil
		}
		// What the hidden characters spell is gone from the text, so it is judged here.
		res := Result{Verdict: Allowed, Findings: found}
		for _, v := range f.Views {
			if v.Hidden {
				res = Reject(PromptInjection, "the text hides another one in characters that nobody sees")
				res.Findings = append(found, umpire.Finding{Type: "hidden-text", Start: v.Start, End: v.End, Score: 1})
				return res, nil
			}
		}
		if f.Text != r.Text {
			if f.Count[normal.Mixed]+f.Count[normal.ZeroWidth] >= 4 {
				res.Score = 0.15 // the stages after this one do not see the disguise
			}
			res.Verdict, res.Text, res.Reason = Modified, f.Text, "look-alike and invisible characters were replaced"
		}
		return res, nil
	}}
}

// tooMany returns how many characters of a text are of a kind that it has too much of, and
// the kind. All that nobody sees is one, so that a mixture hides no more than the rest.
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
