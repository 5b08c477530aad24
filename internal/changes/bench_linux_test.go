package changes

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkList reads an overlay of 100,000 files beside a project of as many.
func BenchmarkList(b *testing.B) {
	const files = 100_000
	for _, tt := range []struct {
		name    string
		low, up string
		want    int
	}{
		{"created", "", "some text of a file\n", files + files/100},
		{"changed", "some text\n", "some text of a file\n", files},
		{"rewritten alike", "some text of a file\n", "some text of a file\n", 0},
		{"deleted", "some text\n", "whiteout", files},
	} {
		b.Run(tt.name, func(b *testing.B) {
			dir := b.TempDir()
			box := &Box{ID: "run", Dir: filepath.Join(dir, "proj"), State: filepath.Join(dir, "state"), Started: time.Now().Add(time.Hour)}
			for root, text := range map[string]string{box.Dir: tt.low, box.Upper(): tt.up} {
				if err := os.MkdirAll(root, 0o755); err != nil {
					b.Fatal(err)
				}
				if text == "" {
					continue
				}
				set := map[string]string{}
				for i := range files {
					set[fmt.Sprintf("src%d/file%d.go", i/100, i)] = text
				}
				put(b, root, set)
				for name := range set { // as builds leave them, so that contents count
					if err := os.Chtimes(filepath.Join(root, name), time.Unix(1_700_000_000, 0), time.Unix(1_700_000_000, 0)); err != nil && text != "whiteout" {
						b.Fatal(err)
					}
				}
			}
			b.ReportAllocs()
			var list []ChangedPath
			before, rounds := cpuTime(b), 0
			for b.Loop() {
				runtime.GC()
				list = box.mustList(b)
				rounds++
			}
			b.ReportMetric(float64((cpuTime(b)-before).Milliseconds())/float64(rounds), "cpu-ms/op")
			if len(list) != tt.want {
				b.Fatalf("%d changes, want %d", len(list), tt.want)
			}
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MiB-held")
			runtime.KeepAlive(list)
		})
	}
}

// cpuTime is what this process used of the processor: unlike the time on the clock it is
// nearly the same on a busy machine.
func cpuTime(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
