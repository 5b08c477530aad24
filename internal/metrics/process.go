package metrics

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

var started = time.Now()

// runtimeMetrics are measurements of the Go runtime, by the names that Prometheus's clients give them.
var runtimeMetrics = [...]struct{ name, kind, help, from string }{
	{"go_goroutines", "gauge", "Goroutines that exist.", "/sched/goroutines:goroutines"},
	{"go_memstats_alloc_bytes_total", "counter", "Bytes allocated on the heap, also those freed since.", "/gc/heap/allocs:bytes"},
	{"go_memstats_heap_alloc_bytes", "gauge", "Bytes of objects on the heap.", "/memory/classes/heap/objects:bytes"},
	{"go_memstats_sys_bytes", "gauge", "Bytes that the runtime has from the system.", "/memory/classes/total:bytes"},
}

// process writes the metrics of this process.
func process(b *strings.Builder) {
	head := func(name, kind, help string) { fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	head("go_info", "gauge", "The version of Go.")
	line(b, "go_info", labels([]string{"version"}, []string{runtime.Version()}), 1)
	var samples [len(runtimeMetrics)]metrics.Sample
	for i, m := range runtimeMetrics {
		samples[i].Name = m.from
	}
	metrics.Read(samples[:])
	for i, m := range runtimeMetrics {
		head(m.name, m.kind, m.help)
		if v := samples[i].Value; v.Kind() == metrics.KindUint64 {
			line(b, m.name, "", float64(v.Uint64()))
		}
	}
	head("process_start_time_seconds", "gauge", "Start of the process, in seconds since 1970.")
	line(b, "process_start_time_seconds", "", float64(started.UnixMilli())/1000)
	linux(b, head)
}

// linux writes what /proc says about this process. Other systems have no such folder.
func linux(b *strings.Builder, head func(name, kind, help string)) {
	if fds, err := os.ReadDir("/proc/self/fd"); err == nil {
		head("process_open_fds", "gauge", "Open file descriptors.")
		line(b, "process_open_fds", "", float64(len(fds)-1)) // without the folder's own
	}
	// Fields are counted from the end of the program's name, which may contain blanks and parentheses.
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	number := func(field int) float64 { // by the number that proc(5) gives it
		if i := field - 3; i < len(fields) {
			if n, err := strconv.ParseUint(fields[i], 10, 64); err == nil {
				return float64(n)
			}
		}
		return math.NaN()
	}
	const ticks = 100 // a second, on all that Go supports
	head("process_cpu_seconds_total", "counter", "Processor time of the process.")
	line(b, "process_cpu_seconds_total", "", (number(14)+number(15))/ticks)
	head("process_resident_memory_bytes", "gauge", "Resident memory in bytes.")
	line(b, "process_resident_memory_bytes", "", number(24)*float64(os.Getpagesize()))
}
