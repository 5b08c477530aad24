// Package metrics counts events and serves the counts in Prometheus's text format, version 0.0.4. Prometheus's own
// client links Protocol Buffers and a parser of /proc for the same few lines: see docs/decisions.
package metrics

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Registry serves families of metrics, in the order of their names, and those of the process.
type Registry struct {
	mu       sync.Mutex
	families map[string]*Family
}

// A Family is a metric with all values of its labels. Its methods are safe for concurrent use.
type Family struct {
	name, help, kind string
	labels           []string
	bounds           []float64                                         // of a histogram, ascending
	read             func(context.Context) (map[string]float64, error) // of a gauge with one label
	mu               sync.Mutex
	series           map[string]*series // by the text of their labels
}

type series struct {
	value   float64 // the sum, in a histogram
	count   uint64
	buckets []uint64 // not cumulative
}

// Counter returns a new family that only grows. Without labels it begins at zero, otherwise without a line.
func (r *Registry) Counter(name, help string, labels ...string) *Family {
	return r.add(&Family{name: name, help: help, kind: "counter", labels: labels})
}

// Histogram returns a new family that counts values up to each bound.
func (r *Registry) Histogram(name, help string, bounds []float64, labels ...string) *Family {
	return r.add(&Family{name: name, help: help, kind: "histogram", labels: labels, bounds: bounds})
}

// Gauge adds a family with one label. Each request for the metrics calls read, which returns the values by label.
func (r *Registry) Gauge(name, help, label string, read func(context.Context) (map[string]float64, error)) {
	r.add(&Family{name: name, help: help, kind: "gauge", labels: []string{label}, read: read})
}

func (r *Registry) add(f *Family) *Family {
	f.series = map[string]*series{}
	if len(f.labels) == 0 {
		f.at(nil)
	}
	r.Share(f)
	return f
}

// Share serves families of another registry as well. It panics if a name is taken: two families of one name
// would be one metric to Prometheus.
func (r *Registry) Share(families ...*Family) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.families == nil {
		r.families = map[string]*Family{}
	}
	for _, f := range families {
		if r.families[f.name] != nil {
			panic("metrics: " + f.name + " is registered twice")
		}
		r.families[f.name] = f
	}
}

// Inc adds one to the counter with these values of its labels.
func (f *Family) Inc(values ...string) { f.Add(1, values...) }

// Add adds n, which must not be negative, to the counter with these values of its labels.
func (f *Family) Add(n float64, values ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at(values).value += n
}

// Observe counts a value in the histogram with these values of its labels.
func (f *Family) Observe(v float64, values ...string) {
	at, _ := slices.BinarySearch(f.bounds, v) // a bound includes its value
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.at(values)
	s.value += v
	s.count++
	if at < len(f.bounds) {
		s.buckets[at]++
	}
}

func (f *Family) at(values []string) *series {
	key := labels(f.labels, values)
	s := f.series[key]
	if s == nil {
		s = &series{buckets: make([]uint64, len(f.bounds))}
		f.series[key] = s
	}
	return s
}

// escape keeps a label's value within its quotes, as the format says.
var escape = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// labels returns name="value" pairs in the order of their names. It panics if a value is missing, as a fault of ours.
func labels(names, values []string) string {
	if len(names) != len(values) {
		panic(fmt.Sprintf("metrics: %d values for the labels %q", len(values), names))
	}
	pairs := make([]string, len(names))
	for i := range names {
		pairs[i] = names[i] + `="` + escape.Replace(values[i]) + `"`
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ",")
}

// ServeHTTP writes all families. A gauge that cannot be read fails the request: a missing line would look like zero.
func (r *Registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	ctx, cancel := context.WithTimeout(req.Context(), 5*time.Second)
	defer cancel()
	r.mu.Lock()
	families := slices.Collect(maps.Values(r.families))
	r.mu.Unlock()
	slices.SortFunc(families, func(a, b *Family) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	for _, f := range families {
		if err := f.write(ctx, &b); err != nil {
			http.Error(w, fmt.Sprintf("read %s: %v", f.name, err), http.StatusInternalServerError)
			return
		}
	}
	process(&b)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, b.String()) // the collector went away
}

func (f *Family) write(ctx context.Context, b *strings.Builder) error {
	head := func() {
		fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", f.name, strings.ReplaceAll(f.help, `\`, `\\`), f.name, f.kind)
	}
	if f.read != nil {
		values, err := f.read(ctx)
		if err != nil {
			return err
		}
		head()
		for _, value := range slices.Sorted(maps.Keys(values)) {
			line(b, f.name, labels(f.labels, []string{value}), values[value])
		}
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.series) > 0 {
		head()
	}
	for _, key := range slices.Sorted(maps.Keys(f.series)) {
		s := f.series[key]
		if f.bounds == nil {
			line(b, f.name, key, s.value)
			continue
		}
		below, comma := uint64(0), ","
		if key == "" {
			comma = ""
		}
		for i, bound := range f.bounds {
			below += s.buckets[i]
			line(b, f.name+"_bucket", key+comma+`le="`+strconv.FormatFloat(bound, 'g', -1, 64)+`"`, float64(below))
		}
		line(b, f.name+"_bucket", key+comma+`le="+Inf"`, float64(s.count))
		line(b, f.name+"_sum", key, s.value)
		line(b, f.name+"_count", key, float64(s.count))
	}
	return nil
}

func line(b *strings.Builder, name, labels string, v float64) {
	b.WriteString(name)
	if labels != "" {
		b.WriteString("{" + labels + "}")
	}
	b.WriteString(" " + strconv.FormatFloat(v, 'g', -1, 64) + "\n")
}
