package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/umpire-dev/umpire/guard"
)

// Spans returns a value for guard.WithSpans. It makes a span for every run of a pipeline, such as
// "guard input", and within it a span for every stage, such as "guard input InjectionDetection".
// Calls that a stage makes with its context, such as to a model, are within its span. The
// attributes are
//
//	umpire.guard.pipeline, umpire.guard.stage, umpire.guard.verdict, umpire.guard.category,
//	umpire.guard.score, umpire.guard.input.sha256
//
// The attributes contain no texts, no names of users, and no reasons, which may quote a text. A
// check that failed has the status Error.
func Spans(t trace.Tracer) guard.Spans {
	return func(ctx context.Context, pipeline, stage string) (context.Context, func(guard.Event)) {
		name := "guard " + pipeline
		attributes := []attribute.KeyValue{attribute.String("umpire.guard.pipeline", pipeline)}
		if stage != "" {
			name += " " + stage
			attributes = append(attributes, attribute.String("umpire.guard.stage", stage))
		}
		ctx, span := t.Start(ctx, name, trace.WithAttributes(attributes...))
		return ctx, func(e guard.Event) {
			span.SetAttributes(attribute.String("umpire.guard.verdict", e.Verdict.String()), attribute.Float64("umpire.guard.score", e.Score), attribute.String("umpire.guard.input.sha256", e.Input))
			if e.Category != "" {
				span.SetAttributes(attribute.String("umpire.guard.category", string(e.Category)))
			}
			if e.Category == guard.SystemError {
				span.SetStatus(codes.Error, "a check failed")
			}
			span.End()
		}
	}
}
