package guard

import (
	"cmp"
	"context"
	"time"
)

// The values of OutputStage.Order of the built-in output stages.
const (
	OrderLeakage      = 5
	OrderPII          = 10
	OrderDynamicRules = 15
	OrderPatterns     = 20
)

// Answer describes the text that an output pipeline checks.
type Answer struct {
	UserID   string
	TenantID string
	System   string // the system prompt, which the answer must not disclose
	Canary   string // the token of its Canary
	Metadata map[string]any
	Vault    *Vault // receives the values that PII masks; if nil, masks cannot be undone
}

// OutputStage is one check of an output pipeline.
type OutputStage struct {
	Name     string
	Order    int
	Disabled bool
	Timeout  time.Duration
	Quick    bool // as in Stage
	// Reach is the length in bytes of the longest span that the stage looks for. A stream holds
	// back that much text. Zero means that the stage needs the whole text.
	Reach int
	Check func(ctx context.Context, text string, a *Answer) (Result, error)

	scanner func(a *Answer) scanner // checks a text that grows; set for built-in stages
	ours    bool                    // as in Stage
}

// Output is the pipeline for texts that a model wrote. It is safe for concurrent use. The zero
// value rejects every text.
type Output struct {
	made    bool // NewOutput made it
	stages  []OutputStage
	message func(subject string, c Category, language string) string
	tenants map[string]*Output // pipelines of tenants with their own settings
	watcher
}

// NewOutput returns a pipeline of stages, which it sorts by Order. A pipeline without stages allows
// everything.
func NewOutput(stages []OutputStage, opts ...Option) *Output {
	o := settings(opts)
	return &Output{made: true, stages: byOrder(stages, func(s OutputStage) int { return s.Order }), watcher: o.watcher}
}

// Check runs the pipeline on a text. Each stage sees the text that the earlier ones left. It always
// returns a verdict: it rejects a text that it cannot judge.
func (p *Output) Check(ctx context.Context, text string, a Answer) Result {
	if p == nil || !p.made {
		return failed("", errZero)
	}
	if own := p.tenants[a.TenantID]; own != nil {
		return own.Check(ctx, text, a)
	}
	start := time.Now()
	a.UserID = cmp.Or(a.UserID, "anonymous")
	w := p.watch("output", a.UserID, a.TenantID)
	if w.watched() {
		w.input, w.texts = hash(text), []string{text}
	}
	ctx = w.begin(ctx)
	out := Result{Verdict: Allowed, Text: text}
	for i := range p.stages {
		s := &p.stages[i]
		if s.Disabled {
			continue
		}
		inner, began := w.stage(ctx, s.Name)
		given := a
		res, err := run(inner, s.Quick, s.Timeout, func(ctx context.Context) (Result, error) { return s.Check(ctx, out.Text, &given) })
		if err != nil {
			res = failed(s.Name, err)
			w.report(s.Name, res, res.Reason, began)
			return w.end(res, start)
		}
		res.Stage = s.Name
		w.report(s.Name, res, w.reason(res, s.ours), began)
		out.Score = max(out.Score, res.Score)
		out.Findings = append(out.Findings, res.Findings...)
		out.Hints = append(out.Hints, res.Hints...)
		out.Observed = append(out.Observed, res.Observed...)
		switch res.Verdict {
		case Allowed:
		case Modified:
			out.Verdict, out.Text, out.Stage, out.Reason = Modified, res.Text, s.Name, res.Reason
			out.Changes = append(out.Changes, Change{s.Name, res.Reason})
			w.texts = append(w.texts, res.Text)
		default:
			out.Verdict, out.Text, out.Stage, out.Reason, out.Category = Rejected, "", s.Name, res.Reason, res.Category
			out.Category = cmp.Or(out.Category, SystemError)
			out.Message = messageFor(p.message, out, a.Metadata, text)
			return w.end(out, start)
		}
	}
	return w.end(out, start)
}
