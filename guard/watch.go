package guard

import (
	"context"
	"sync/atomic"
	"time"
)

// Spans is called at the start of a pipeline, with an empty stage, and at the start of each stage,
// with its name. It returns the context to continue with, and a function that is called at the end.
// The pipeline waits for both. Package guard/telemetry has a Spans that makes OpenTelemetry spans.
type Spans func(ctx context.Context, pipeline, stage string) (context.Context, func(Event))

// watcher reports events to an observer.
type watcher struct {
	observer Observer
	spans    Spans
}

func (w watcher) watched() bool { return w.observer != nil || w.spans != nil }

func (w watcher) watch(pipeline, user, tenant string) watch {
	return watch{watcher: w, pipeline: pipeline, user: user, tenant: tenant}
}

// A watch reports one run of a pipeline.
type watch struct {
	watcher
	pipeline     string
	input        string
	texts        []string // the original text, and each changed version
	user, tenant string
	ended        func(Event)       // called at the end of the pipeline
	last         Event             // event of the last stage
	changed      Event             // event of the last stage that changed the text
	instead      map[string]string // reported reasons, by the original ones that quote the text
}

// startedStage is a stage that has started.
type startedStage struct {
	at    time.Time
	ended func(Event)
}

// open calls spans. It ignores a panic, because an observer must not affect a check.
func (w *watch) open(ctx context.Context, stage string) (out context.Context, ended func(Event)) {
	if w.spans == nil {
		return ctx, nil
	}
	defer func() {
		if recover() != nil || out == nil {
			out, ended = ctx, nil
		}
	}()
	return w.spans(ctx, w.pipeline, stage)
}

// begin reports the beginning of the pipeline.
func (w *watch) begin(ctx context.Context) context.Context {
	ctx, w.ended = w.open(ctx, "")
	return ctx
}

// stage reports the beginning of a stage.
func (w *watch) stage(ctx context.Context, name string) (context.Context, startedStage) {
	if !w.watched() {
		return ctx, startedStage{}
	}
	b := startedStage{at: time.Now()}
	ctx, b.ended = w.open(ctx, name)
	return ctx, b
}

// reason returns the reported reason of a stage. Reasons of built-in stages contain no words of the
// text.
func (w *watch) reason(r Result, ours bool) string {
	if ours || r.Reason == "" || !w.watched() {
		return r.Reason
	}
	return apart(r.Reason, append(w.texts, r.Text)...)
}

// report reports the end of a stage. reason replaces the reason of the Result.
func (w *watch) report(stage string, r Result, reason string, b startedStage) {
	if w.observer == nil && b.ended == nil {
		return
	}
	e := Event{Time: time.Now(), Pipeline: w.pipeline, Stage: stage, Verdict: r.Verdict, Category: r.Category, Reason: reason, Score: r.Score,
		Took: time.Since(b.at), Input: w.input, User: w.user, Tenant: w.tenant}
	for _, o := range r.Observed {
		o.Reason = "" // it may quote the text
		e.Observed = append(e.Observed, o)
	}
	if reason != r.Reason {
		if w.instead == nil {
			w.instead = map[string]string{}
		}
		w.instead[r.Reason] = reason
	}
	switch {
	case stage != "":
		if w.last = e; e.Verdict == Modified {
			w.changed = e
		}
	case r.Verdict == Modified:
		e.By, e.ByTook = r.Stage, w.changed.Took
	default:
		if e.By = r.Stage; e.By == w.last.Stage {
			e.ByTook = w.last.Took
		}
	}
	var lost atomic.Int64
	if w.observer != nil {
		deliver(w.observer, e, &lost)
	}
	if b.ended != nil {
		deliver(b.ended, e, &lost)
	}
}

// end reports the end of the pipeline.
func (w *watch) end(r Result, start time.Time) Result {
	reason := r.Reason
	if other, ok := w.instead[reason]; ok {
		reason = other
	}
	w.report("", r, reason, startedStage{start, w.ended})
	return r
}
