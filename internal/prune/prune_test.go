package prune_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/prune"
)

func TestFolder(t *testing.T) {
	for name, tt := range map[string]struct {
		ages []int // minutes
		most int
		want string
	}{
		"nothing there":         {nil, 3, ""},
		"all young, with room":  {[]int{1, 2}, 3, "0 1"},
		"the old go":            {[]int{1, 90, 2}, 9, "0 2"},
		"no room: the oldest":   {[]int{1, 3, 2}, 3, "0 2"},
		"far too many":          {[]int{4, 3, 2, 1, 5}, 2, "3"},
		"the old make the room": {[]int{90, 1, 2}, 3, "1 2"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for i, age := range tt.ages {
				path := filepath.Join(dir, fmt.Sprint(i))
				at := time.Now().Add(-time.Duration(age) * time.Minute)
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
			}
			prune.Folder(dir, time.Hour, tt.most)
			var left []string
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				left = append(left, e.Name())
			}
			if got := strings.Join(left, " "); got != tt.want {
				t.Errorf("%q, not %q", got, tt.want)
			}
		})
	}
	prune.Folder(filepath.Join(t.TempDir(), "none"), time.Hour, 3)
}

func TestTemporary(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	old := time.Now().Add(-2 * time.Hour)
	for name, at := range map[string]time.Time{"umpire-x-old": old, "umpire-x-new": time.Now(), "other-old": old} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(path, "state"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	prune.Temporary("umpire-x-", time.Hour)
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if want := []string{filepath.Join(dir, "other-old"), filepath.Join(dir, "umpire-x-new")}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%v %v, want %v", names, err, want)
	}
}
