package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	trace2 "go.opentelemetry.io/otel/trace"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/guard/telemetry"
)

func TestObserver(t *testing.T) {
	reader := metric.NewManualReader()
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	o, err := telemetry.Observer(provider.Meter("test"))
	if err != nil {
		t.Fatal(err)
	}
	p := guard.NewInput([]guard.Stage{guard.Validation(guard.ValidationOptions{MaxLength: 20})}, guard.WithObserver(o))
	p.Check(t.Context(), guard.Request{UserID: "ada", Text: "secret words"})
	p.Check(t.Context(), guard.Request{UserID: "ada", Text: strings.Repeat("secret words ", 10)})
	var got metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &got); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%+v", got)
	for _, word := range []string{"secret", "ada"} {
		if strings.Contains(text, word) {
			t.Errorf("the metrics have %q", word)
		}
	}
	counts := map[string]int64{}
	for _, m := range got.ScopeMetrics[0].Metrics {
		if sum, ok := m.Data.(metricdata.Sum[int64]); ok {
			for _, d := range sum.DataPoints {
				stage, _ := d.Attributes.Value("stage")
				verdict, _ := d.Attributes.Value("verdict")
				counts[stage.AsString()+" "+verdict.AsString()] += d.Value
			}
		}
	}
	want := map[string]int64{"all allow": 1, "all reject": 1, "InputValidation allow": 1, "InputValidation reject": 1}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", counts, want)
	}
}

// Every run of a pipeline is a span, its stages are within it, and nothing tells the text.
func TestSpans(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	tracer := trace.NewTracerProvider(trace.WithSpanProcessor(recorder)).Tracer("test")
	spans := guard.WithSpans(telemetry.Spans(tracer))
	ctx, caller := tracer.Start(t.Context(), "request")
	broken := guard.Stage{Name: "Broken", Order: 9, Check: func(ctx context.Context, _ *guard.Request) (guard.Result, error) {
		_, model := tracer.Start(ctx, "model")
		model.End()
		return guard.Result{}, errors.New("it quotes secret words")
	}}
	in := guard.NewInput([]guard.Stage{guard.Validation(guard.ValidationOptions{}), broken}, spans)
	in.Check(ctx, guard.Request{UserID: "ada", Text: "secret words"})
	pii, err := guard.PII(guard.PIIOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out := guard.NewOutput([]guard.OutputStage{guard.SystemPromptLeakage(guard.LeakageOptions{}), pii}, spans)
	out.Check(ctx, "secret words", guard.Answer{})
	for _, text := range []string{"secret words", "CANARY-19b25856"} {
		s := out.Stream(ctx, guard.Answer{Canary: "CANARY-19b25856"})
		_, _ = s.Write(text)
		s.Close()
	}
	caller.End()

	names := map[trace2.SpanID]string{}
	for _, s := range recorder.Ended() {
		names[s.SpanContext().SpanID()] = s.Name()
		for _, word := range []string{"secret", "ada", "CANARY"} {
			if text := fmt.Sprintf("%v %v %v %v", s.Name(), s.Attributes(), s.Status(), s.Events()); strings.Contains(text, word) {
				t.Errorf("a span has %q: %s", word, text)
			}
		}
	}
	if a, b := len(recorder.Started()), len(recorder.Ended()); a != b {
		t.Errorf("%d spans were started and %d ended", a, b)
	}
	var got []string
	for _, s := range recorder.Ended() {
		line := names[s.Parent().SpanID()] + " > " + s.Name()
		if s.Status().Code == codes.Error {
			line += " failed"
		}
		got = append(got, line)
	}
	want := []string{
		"guard input > guard input InputValidation", "guard input Broken > model", "guard input > guard input Broken failed", "request > guard input failed",
		"guard output > guard output SystemPromptLeakage", "guard output > guard output PIIMasking", "request > guard output",
		"guard output > guard output SystemPromptLeakage", "guard output > guard output PIIMasking", "request > guard output",
		"guard output > guard output PIIMasking", "guard output > guard output SystemPromptLeakage", "request > guard output", " > request",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// Spans that panic change nothing.
func TestSpansPanic(t *testing.T) {
	for name, spans := range map[string]guard.Spans{
		"begin": func(context.Context, string, string) (context.Context, func(guard.Event)) { panic("spans") },
		"end": func(ctx context.Context, _, _ string) (context.Context, func(guard.Event)) {
			return ctx, func(guard.Event) { panic("spans") }
		},
	} {
		p := guard.NewInput([]guard.Stage{guard.Validation(guard.ValidationOptions{})}, guard.WithSpans(spans))
		if r := p.Check(t.Context(), guard.Request{Text: "hello"}); r.Verdict != guard.Allowed {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
