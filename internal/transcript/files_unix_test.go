//go:build unix

package transcript

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A file that can no longer be read is counted, and the walk goes on. One that is gone is not.
func TestFilesThatChangeMeanwhile(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(dir string) error
		faults int
	}{
		"removed":              {os.RemoveAll, 0},
		"its folder is a file": {func(dir string) error { return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)) }, 1},
	} {
		home := t.TempDir()
		tree(t, home, map[string]string{"first/a.jsonl": "", "first/b.jsonl": "", "second/c.jsonl": ""})
		r := NewReader(func(Call) error { return nil })
		var seen []string
		if err := r.Files(t.Context(), home, func(path string, _ fs.FileInfo) error {
			seen = append(seen, filepath.Base(path))
			if len(seen) > 1 {
				return nil
			}
			return tt.change(filepath.Dir(path))
		}); err != nil {
			t.Fatalf("%s: Files: %v", name, err)
		}
		if !slices.Equal(seen, []string{"a.jsonl", "c.jsonl"}) || r.Stats.Faults != tt.faults {
			t.Errorf("%s: got files %q and %d faults, want a.jsonl, c.jsonl and %d", name, seen, r.Stats.Faults, tt.faults)
		}
	}
}
