package guard

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/normal"
)

// The values of Stage.Order of the built-in input stages.
const (
	OrderNormalization  = 0
	OrderRateLimit      = 1
	OrderValidation     = 2
	OrderInjection      = 3
	OrderClassification = 4
	OrderPermission     = 5
	OrderTopicDrift     = 6
)

// Request is a text for a model.
type Request struct {
	UserID   string         `json:"userId,omitempty"` // empty means "anonymous"
	TenantID string         `json:"tenantId,omitempty"`
	Channel  string         `json:"channel,omitempty"`
	Text     string         `json:"text"`
	Metadata map[string]any `json:"metadata,omitempty"` // the Key constants, such as HistoryKey, name the keys that stages read

	form     *normal.Form // form of formText, which differs from Text after a stage changed it
	formText string
}

// HistoryKey is the Metadata key of the user's earlier turns, oldest first: a list of strings, or
// of objects with a "role" and a "content".
const HistoryKey = "conversationHistory"

// Stage is one check of an input pipeline.
type Stage struct {
	Name     string
	Order    int // stages with a lower Order run first
	Disabled bool
	Timeout  time.Duration // 5 s if zero; none if zero and Quick
	Quick    bool          // Check never waits, so it needs no deadline
	// Check receives the request with the text that the earlier stages left. Its Result allows,
	// with a score and hints; passes on a changed text, with Modified; or rejects. An error
	// rejects.
	Check func(ctx context.Context, r *Request) (Result, error)

	ours  bool // built in: its reasons contain no words of the text
	reads bool // reads the canonical form
}

// Input is the pipeline for the texts of users. It is safe for concurrent use. The zero value
// rejects every text.
type Input struct {
	made      bool // NewInput made it
	stages    []Stage
	threshold float64
	message   func(subject string, c Category, language string) string // nil selects the built-in messages
	about     string                                                   // see About
	tenants   map[string]*Input                                        // pipelines of tenants with their own settings
	watcher
}

// Option configures a pipeline.
type Option func(*options)

type options struct {
	threshold float64
	watcher
}

// WithThreshold sets the combined score of the stages, 0 to 1, at which an Input rejects (default
// 0.5).
func WithThreshold(score float64) Option { return func(o *options) { o.threshold = score } }

// WithObserver reports the result of every stage, and of the whole pipeline, to o.
func WithObserver(o Observer) Option { return func(p *options) { p.observer = o } }

// WithSpans calls s at the start and the end of the pipeline and of each of its stages.
func WithSpans(s Spans) Option { return func(p *options) { p.spans = s } }

func settings(opts []Option) options {
	o := options{threshold: 0.5}
	for _, f := range opts {
		f(&o)
	}
	return o
}

// NewInput returns a pipeline of stages, which it sorts by Order. A pipeline without stages allows
// everything.
func NewInput(stages []Stage, opts ...Option) *Input {
	o := settings(opts)
	return &Input{made: true, stages: byOrder(stages, func(s Stage) int { return s.Order }), threshold: o.threshold, watcher: o.watcher}
}

// normalizedHint is the prefix of a hint that contains the changed text. It lets a stage written
// for the hint protocol, not for this package, change the text with the verdict Allowed.
const normalizedHint = "normalized:"

// Check runs the pipeline on a request. It always returns a verdict: it rejects a text that it
// cannot judge.
func (p *Input) Check(ctx context.Context, r Request) Result {
	if p == nil || !p.made {
		return failed("", errZero)
	}
	if own := p.tenants[r.TenantID]; own != nil {
		return own.Check(ctx, r)
	}
	if p.about != "" {
		ctx = context.WithValue(ctx, aboutKey{}, p.about)
	}
	start := time.Now()
	r.UserID = cmp.Or(r.UserID, "anonymous")
	w := p.watch("input", r.UserID, r.TenantID)
	if w.watched() {
		w.input, w.texts = hash(r.Text), []string{r.Text}
	}
	ctx = w.begin(ctx)
	out := Result{Verdict: Allowed, Text: r.Text}
	innocent := 1.0 // likelihood that the findings of all stages are wrong
	for i := range p.stages {
		s := &p.stages[i]
		if s.Disabled {
			continue
		}
		inner, began := w.stage(ctx, s.Name)
		var res Result
		var err error
		if s.reads { // compute the form here, once for all stages
			_, err = run(inner, true, 0, func(context.Context) (Result, error) { r.formOf(); return Result{}, nil })
		}
		given := r
		if err == nil {
			res, err = run(inner, s.Quick, s.Timeout, func(ctx context.Context) (Result, error) { return s.Check(ctx, &given) })
		}
		if err != nil {
			res = failed(s.Name, err)
			w.report(s.Name, res, res.Reason, began)
			return w.end(res, start)
		}
		res.Stage = s.Name
		for _, h := range res.Hints {
			if text, ok := strings.CutPrefix(h, normalizedHint); ok && res.Verdict == Allowed {
				res.Verdict, res.Text = Modified, text
			}
		}
		innocent *= 1 - min(max(res.Score, 0), 1)
		switch res.Verdict {
		case Allowed:
		case Modified:
			r.Text, out.Text, out.Verdict, out.Stage, out.Reason = res.Text, res.Text, Modified, s.Name, res.Reason
			out.Changes = append(out.Changes, Change{s.Name, res.Reason})
			if r.form = nil; res.form != nil {
				r.form, r.formText = res.form, res.Text
			}
			w.texts = append(w.texts, res.Text)
		default:
			res = p.rejected(out, res, r)
			w.report(s.Name, res, w.reason(res, s.ours), began)
			return w.end(res, start)
		}
		w.report(s.Name, res, w.reason(res, s.ours), began)
		out.Findings = append(out.Findings, res.Findings...)
		out.Hints = append(out.Hints, res.Hints...)
		out.Observed = append(out.Observed, res.Observed...)
		if out.Score = 1 - innocent; out.Score >= p.threshold {
			out = p.unlikely(out, res.Category, res.Reason, s.Name, r)
			return w.end(out, start)
		}
	}
	return w.end(out, start)
}

// rejected completes the result of the stage that stops r, after those of the stages before it.
func (p *Input) rejected(before, res Result, r Request) Result {
	res.Text = ""
	res.Category = cmp.Or(res.Category, SystemError)
	res.Findings = append(before.Findings, res.Findings...)
	res.Hints = append(before.Hints, res.Hints...)
	res.Message = messageFor(p.message, res, r.Metadata, r.Text)
	res.Observed = append(before.Observed, res.Observed...)
	return res
}

// unlikely stops r because the findings of several stages together are too likely to be right.
func (p *Input) unlikely(out Result, category Category, reason, stage string, r Request) Result {
	out.Verdict, out.Text, out.Stage = Rejected, "", stage
	if out.Category = category; out.Category == "" {
		out.Category = PromptInjection
	}
	if out.Reason = reason; out.Reason == "" {
		out.Reason = fmt.Sprintf("the checks together find it %.0f%% likely to be an attack", 100*out.Score)
	}
	out.Message = messageFor(p.message, out, r.Metadata, r.Text)
	return out
}

// messageFor returns the message for the person whose text was rejected.
func messageFor(message func(string, Category, string) string, res Result, meta map[string]any, text string) string {
	if message == nil {
		message = new(stageSettings).message
	}
	return message(res.subject, res.Category, languageOf(meta, text))
}
