package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The go command reads in this log which folders a test depends on: all that have sources.
func TestSources(t *testing.T) {
	const child = "UMPIRE_TEST_SOURCES"
	root := Sources(t)
	if os.Getenv(child) != "" {
		return
	}
	path := filepath.Join(t.TempDir(), "log")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSources$", "-test.testlogfile="+path)
	cmd.Env = append(os.Environ(), child+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the same test with a log: %v\n%s", err, out)
	}
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{"": true, "policy": true, "cmd/umpire": true, "internal/web/pages": true, ".github": false, "guard/testdata": false} {
		if got := strings.Contains(string(log), "open "+filepath.Join(root, dir)+"\n"); got != want {
			t.Errorf("the log names the folder %q: got %t, want %t", dir, got, want)
		}
	}
}
