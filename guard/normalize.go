package guard

import (
	"context"
	"fmt"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/normal"
)

// NormalizationOptions are the options of Normalization; the zero value is fine.
type NormalizationOptions struct {
	// MaxInvisible is how much of a text, 0 to 1, characters of one kind that nobody sees
	// can be: 0.1 if zero. Those with a meaning, as in emoji or Persian, do not count.
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
	return Stage{Name: "UnicodeNormalization", Order: OrderNormalization, Quick: true, Check: func(_ context.Context, r *Request) (Result, error) {
		f := normal.Text(r.Text)
		var found []umpire.Finding
		for _, s := range f.Spans {
			found = append(found, umpire.Finding{Type: s.Class.String(), Start: s.Start, End: s.End})
		}
		for c, n := range f.Count {
			if c := normal.Class(c); c != normal.Mixed && n > fewInvisible && float64(n) > o.MaxInvisible*float64(f.Runes) {
				res := Reject(PromptInjection, fmt.Sprintf("%.0f%% of the text are %s characters: send it without them", 100*float64(n)/float64(f.Runes), c))
				res.Findings = found
				return res, nil
			}
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
