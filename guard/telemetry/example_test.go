package telemetry_test

import (
	"context"
	"fmt"
	"log"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/guard/telemetry"
)

// A service exports the verdicts of its guard as metrics. This reader stands for an exporter.
func ExampleObserver() {
	reader := metric.NewManualReader()
	meters := metric.NewMeterProvider(metric.WithReader(reader))
	observer, err := telemetry.Observer(meters.Meter("shop"))
	if err != nil {
		log.Fatal(err)
	}
	in := guard.NewInput([]guard.Stage{guard.Validation(guard.ValidationOptions{MaxLength: 20})}, guard.WithObserver(observer))
	in.Check(context.Background(), guard.Request{Text: "When do you open?"})

	var got metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &got); err != nil {
		log.Fatal(err)
	}
	for _, m := range got.ScopeMetrics[0].Metrics {
		fmt.Println(m.Name)
	}
	// Output:
	// umpire.guard.checks
	// umpire.guard.duration
}

// Each run of a pipeline is a span, and each stage is a span within it.
func ExampleSpans() {
	recorder := tracetest.NewSpanRecorder()
	traces := trace.NewTracerProvider(trace.WithSpanProcessor(recorder))
	in := guard.NewInput([]guard.Stage{guard.Validation(guard.ValidationOptions{MaxLength: 20})},
		guard.WithSpans(telemetry.Spans(traces.Tracer("shop"))))
	in.Check(context.Background(), guard.Request{Text: "When do you open?"})

	for _, span := range recorder.Ended() {
		fmt.Println(span.Name())
	}
	// Output:
	// guard input InputValidation
	// guard input
}
