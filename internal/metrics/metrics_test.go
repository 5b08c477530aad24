package metrics

import (
	"context"
	"errors"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

func scrape(t *testing.T, r *Registry) (status int, text string) {
	t.Helper()
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Code, w.Body.String()
}

// Prometheus's own parser reads what a Registry serves, whatever a label says.
func TestParses(t *testing.T) {
	var r Registry
	plain := r.Counter("a_total", `Help with a \ and no labels.`)
	labelled := r.Counter("b_total", "With labels.", "zone", "kind")
	r.Counter("never_total", "Never counted.", "kind")
	took := r.Histogram("c_seconds", "A histogram.", []float64{0.5, 1, 5e-6 + 10}, "route")
	r.Gauge("d", "A gauge.", "category", func(context.Context) (map[string]float64, error) {
		return map[string]float64{"exec": 3, "file": 0}, nil
	})
	const hostile = "a\"b\\c\nb_total 9\n{x}"
	labelled.Inc(hostile, "k")
	labelled.Add(2, hostile, "k")
	for _, v := range []float64{0.5, 0.7, 100} {
		took.Observe(v, "/x")
	}
	status, text := scrape(t, &r)
	if status != 200 {
		t.Fatalf("status %d: %s", status, text)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if plain == nil || families["a_total"].GetMetric()[0].GetCounter().GetValue() != 0 || families["a_total"].GetHelp() != `Help with a \ and no labels.` {
		t.Errorf("a_total: %v", families["a_total"])
	}
	if b := families["b_total"].GetMetric(); len(b) != 1 || b[0].GetCounter().GetValue() != 3 || b[0].GetLabel()[1].GetValue() != hostile {
		t.Errorf("b_total: %v", b)
	}
	h := families["c_seconds"].GetMetric()[0].GetHistogram()
	var got []uint64
	for _, b := range h.GetBucket() {
		got = append(got, b.GetCumulativeCount())
	}
	if want := []uint64{1, 2, 2, 3}; len(got) != 4 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || got[3] != want[3] || h.GetSampleCount() != 3 || h.GetSampleSum() != 101.2 {
		t.Errorf("c_seconds: %v", h)
	}
	if d := families["d"].GetMetric(); len(d) != 2 || d[0].GetGauge().GetValue() != 3 {
		t.Errorf("d: %v", d)
	}
	if families["never_total"] != nil {
		t.Error("a family with labels has lines before it counted anything")
	}
	want := []string{"go_info", "go_goroutines", "go_memstats_heap_alloc_bytes", "process_start_time_seconds"}
	if runtime.GOOS == "linux" {
		want = append(want, "process_open_fds", "process_cpu_seconds_total", "process_resident_memory_bytes")
	}
	for _, name := range want {
		m := families[name].GetMetric()
		if len(m) != 1 || !(m[0].GetGauge().GetValue()+m[0].GetCounter().GetValue() >= 0) {
			t.Errorf("%s: %v", name, m)
		}
	}
}

// A missing gauge would look like a queue that is empty.
func TestUnreadableGauge(t *testing.T) {
	var r Registry
	r.Gauge("d", "A gauge.", "category", func(context.Context) (map[string]float64, error) { return nil, errors.New("database gone") })
	if status, text := scrape(t, &r); status != 500 || !strings.Contains(text, "read d: database gone") {
		t.Errorf("%d %q", status, text)
	}
}

func TestTwiceRegistered(t *testing.T) {
	var a, b Registry
	shared := a.Counter("x_total", "X.")
	b.Share(shared)
	shared.Inc()
	if _, text := scrape(t, &b); !strings.Contains(text, "\nx_total 1\n") {
		t.Errorf("a shared family is not served:\n%s", text)
	}
	defer func() {
		if recover() == nil {
			t.Error("a second family of the same name was taken")
		}
	}()
	b.Counter("x_total", "Another.")
}

func TestConcurrent(t *testing.T) {
	var r Registry
	f := r.Counter("x_total", "X.", "who")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				f.Inc("a")
			}
		})
	}
	scrape(t, &r)
	all.Wait()
	if _, text := scrape(t, &r); !strings.Contains(text, `x_total{who="a"} 8000`) {
		t.Error(text)
	}
}
