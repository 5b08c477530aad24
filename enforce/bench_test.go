package enforce_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/hooks"
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

// BenchmarkDecide judges a command as an agent does that runs for long: each decision looks
// at the policy files first.
func BenchmarkDecide(b *testing.B) {
	home := b.TempDir()
	b.Setenv("HOME", home)
	for _, k := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		b.Setenv(k, "")
	}
	file := filepath.Join(home, ".config", "umpire", "policy.yaml")
	dir := filepath.Join(home, "proj")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.MkdirAll(filepath.Join(dir, ".git"), 0o755),
		os.WriteFile(file, []byte("version: 1\nrules:\n  - ask: exec(make deploy)\n"), 0o600)); err != nil {
		b.Fatal(err)
	}
	e, err := enforce.Open(enforce.Options{Platform: "umpire", Dir: dir, State: filepath.Join(home, "state")})
	if err != nil {
		b.Fatal(err)
	}
	run := hooks.NewRun("ada", "")
	for name, command := range map[string]string{"short": "git status", "long": "cd src && for f in *.go; do grep -n TODO \"$f\" | sed 's/x/y/' >> ../out.txt; done && go test ./... && git add -A && git commit -m done"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := e.Decide(run.Call("bash", map[string]any{"command": command})); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("policy alone", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e.Policy()
		}
	})
}
