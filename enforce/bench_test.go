package enforce_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/umpire-dev/umpire/enforce"
)

// BenchmarkOpen opens the policy of a project as an agent does when it starts.
func BenchmarkOpen(b *testing.B) {
	for _, bm := range []struct{ name, policy string }{{"no files", ""}, {"user file", "version: 1\nrules:\n  - ask: exec(make deploy)\n"}} {
		b.Run(bm.name, func(b *testing.B) {
			home := b.TempDir()
			b.Setenv("HOME", home)
			for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
				b.Setenv(k, "")
			}
			if bm.policy != "" {
				file := filepath.Join(home, ".config", "umpire", "policy.yaml")
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					b.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(bm.policy), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			dir := filepath.Join(home, "proj")
			if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := enforce.Open(enforce.Options{Platform: "umpire", Dir: dir, State: filepath.Join(home, "state")}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
