package agent

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkAgentWorld sets an agent up, all that comes before its first frame.
func BenchmarkAgentWorld(b *testing.B) {
	for name, text := range map[string]string{"no policy": "", "user policy": "version: 1\nrules:\n  - ask: exec(make deploy)\n"} {
		b.Run(name, func(b *testing.B) {
			home := b.TempDir()
			for k, v := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "XDG_STATE_HOME": "", "PROVIDER": "openai", "MODEL_ID": "scripted", "OPENAI_API_KEY": "test-key"} {
				b.Setenv(k, v)
			}
			dir := filepath.Join(home, "proj")
			if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
				b.Fatal(err)
			}
			if text != "" {
				file := filepath.Join(home, ".config", "umpire", "policy.yaml")
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					b.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				w, err := newWorld(flags{dir: dir}, io.Discard, nil)
				if err != nil {
					b.Fatal(err)
				}
				w.end()
			}
		})
	}
}
