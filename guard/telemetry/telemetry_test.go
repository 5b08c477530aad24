package telemetry_test

import (
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

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
