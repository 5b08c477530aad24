// Package telemetry reports the work of package guard as OpenTelemetry metrics and spans.
//
// Observer counts verdicts and measures durations for every stage of a pipeline. Spans makes a span
// for every run and every stage. Neither ever contains a text. Pass them to a pipeline with
// guard.WithObserver and guard.WithSpans:
//
//	observer, err := telemetry.Observer(provider.Meter("guard"))
//	...
//	in := guard.NewInput(stages, guard.WithObserver(observer), guard.WithSpans(telemetry.Spans(tracer)))
package telemetry

import (
	"cmp"
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/umpire-dev/umpire/guard"
)

// Observer returns an observer for guard.WithObserver. It counts the checks of every stage and
// measures their durations. The stage "all" stands for a pipeline as a whole:
//
//	umpire.guard.checks    by pipeline, stage, verdict and category
//	umpire.guard.duration  in seconds, by pipeline and stage
//
// The attributes contain no texts and no names of users.
func Observer(m metric.Meter) (guard.Observer, error) {
	checks, err := m.Int64Counter("umpire.guard.checks", metric.WithDescription("Texts that were checked"))
	if err != nil {
		return nil, err
	}
	took, err := m.Float64Histogram("umpire.guard.duration", metric.WithDescription("How long a check took"), metric.WithUnit("s"),
		metric.WithExplicitBucketBoundaries(0.00001, 0.0001, 0.001, 0.01, 0.1, 1, 10))
	if err != nil {
		return nil, err
	}
	return func(e guard.Event) {
		stage := cmp.Or(e.Stage, "all")
		where := []attribute.KeyValue{attribute.String("pipeline", e.Pipeline), attribute.String("stage", stage)}
		ctx := context.Background()
		took.Record(ctx, e.Took.Seconds(), metric.WithAttributes(where...))
		checks.Add(ctx, 1, metric.WithAttributes(append(where, attribute.String("verdict", e.Verdict.String()), attribute.String("category", string(e.Category)))...))
	}, nil
}
