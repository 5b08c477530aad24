//go:build amd64 || arm64

package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkRun(b *testing.B) {
	dir := b.TempDir()
	c := Config{Dir: filepath.Join(dir, "home", "proj"), Home: filepath.Join(dir, "home"), State: filepath.Join(dir, "state"), Args: []string{"/bin/true"}}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if status, err := Run(b.Context(), c); status != 0 || err != nil {
			b.Fatal(status, err)
		}
	}
}
