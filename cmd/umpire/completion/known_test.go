package completion

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A shell proposes only programs: no folder, no link to nothing and no file that cannot be run.
func TestExecutable(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, mode := range map[string]os.FileMode{"program": 0o700, "text": 0o600} {
		if err := os.WriteFile(path(name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(path("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"program": true, "text": runtime.GOOS == "windows", "folder": false, "none": false} {
		if got := executable(path(name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
