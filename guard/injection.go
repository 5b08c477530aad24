package guard

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
)

// InjectionOptions are the options of Injection. The zero value selects the defaults.
type InjectionOptions struct {
	// Threshold is the score, 0 to 1, at which the stage rejects a text; 0.5 if zero.
	Threshold float64
	// Judge, if set, is asked about texts whose score is within Grey of Threshold. Its score, 0 to
	// 1, replaces that of the stage. If it fails, the text is rejected.
	Judge func(ctx context.Context, text string) (score float64, err error)
	// Classifier, if set, is asked in addition.
	Classifier *ClassifierOptions
	// Context, if set, lists names that do not count as words of an attack.
	Context *ContextConfig
	// Grey is the distance from Threshold within which Judge and Classifier are asked; 0.3 if zero.
	Grey float64
}

// judgeTimeout is the timeout of a stage that asks a judge or a classifier.
const judgeTimeout = 30 * time.Second

// Injection returns the stage that rejects attempts to change, escape or extract the instructions
// of a model. Findings have positions in bytes of the original text.
func Injection(o InjectionOptions) Stage {
	if o.Threshold <= 0 {
		o.Threshold = 0.5
	}
	if o.Grey <= 0 {
		o.Grey = 0.3
	}
	words := o.Context.ownWords()
	var limit time.Duration
	waits := o.Judge != nil || o.Classifier != nil
	if waits { // a model needs more time than the default
		limit = judgeTimeout
	}
	return Stage{ours: true, reads: true, Name: "InjectionDetection", Order: OrderInjection, Quick: !waits, Timeout: limit, Check: func(ctx context.Context, r *Request) (Result, error) {
		f := r.formOf()
		op := inject.Judge(f, inject.Options{Model: inject.Input(), Threshold: inject.InputThreshold})
		if words != nil && op.Score > o.Threshold-o.Grey && undisguised(f) {
			if without := neutral(words, r.Text); without != r.Text {
				op.Score = min(op.Score, inject.Judge(normal.Text(without), inject.Options{Model: inject.Input(), Threshold: inject.InputThreshold}).Score)
			}
		}
		res := Result{Verdict: Allowed, Score: op.Score, Findings: evidence(op.Evidence)}
		res.formed(f)
		doubt := res.Score > o.Threshold-o.Grey && res.Score < o.Threshold+o.Grey
		if o.Judge != nil && doubt {
			score, err := o.Judge(ctx, r.Text)
			if err != nil {
				return Result{}, fmt.Errorf("judge: %w", err)
			}
			if !(score >= 0 && score <= 1) {
				return Result{}, Cause(fmt.Sprintf("the judge answered %v, which is not a score from 0 to 1", score))
			}
			res.Score = score
		}
		if o.Classifier != nil {
			done, err := o.Classifier.weigh(ctx, r.Text, &res, o.Threshold, doubt)
			if done || err != nil {
				return res, err
			}
		}
		if res.Score >= o.Threshold {
			res.Verdict, res.Category, res.Reason = Rejected, PromptInjection, "the text tries to steer the model"
			res.Why = why(r.Text, op.Evidence)
			return res, nil
		}
		res.Findings = nil
		// A score below the threshold counts only in part when the pipeline combines the scores.
		res.Score *= 0.5 / o.Threshold * 0.8
		return res, nil
	}}
}

// undisguised reports whether a text contains no hidden characters and no hidden text.
func undisguised(f *normal.Form) bool {
	return len(f.Spans) == 0 && !slices.ContainsFunc(f.Views, func(v normal.View) bool { return v.Hidden })
}

// formed adds the forms of a text, and of the texts encoded in it, to the score and the findings.
func (r *Result) formed(f *normal.Form) {
	innocent := 1.0
	add := func(x form, start, end int) {
		innocent = min(innocent, 1-x.score)
		r.Findings = append(r.Findings, umpire.Finding{Type: "injection/" + x.kind, Start: start, End: end, Score: x.score})
	}
	for _, x := range forms(f.Text) {
		start, end := f.Range(x.start, x.end)
		add(x, start, end)
	}
	for _, v := range f.Views {
		for _, x := range forms(v.Text) {
			start, end := v.Start, v.End
			if !v.Hidden {
				start, end = f.Range(start, end)
			}
			add(x, start, end)
		}
	}
	r.Score = 1 - (1-r.Score)*innocent
}

func evidence(es []inject.Evidence) []umpire.Finding {
	var out []umpire.Finding
	for _, e := range es {
		out = append(out, umpire.Finding{Type: "injection/" + e.Kind, Start: e.Start, End: e.End, Score: e.Score})
	}
	return out
}
