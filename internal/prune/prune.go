// Package prune bounds folders of small files: it removes the oldest.
package prune

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Folder removes the files of a folder that were written longer than age ago, and then the
// oldest until there is room for one of at most most. Entries that cannot be removed stay. An
// agent in a loop must not fill the disk, and a folder that cannot be tidied must stop no call.
func Folder(dir string, age time.Duration, most int) {
	names, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	type aged struct {
		path string
		at   time.Time
	}
	var all []aged
	for _, n := range names {
		info, err := n.Info()
		if err != nil {
			continue // another process removed it
		}
		path := filepath.Join(dir, n.Name())
		if time.Since(info.ModTime()) > age {
			_ = os.Remove(path)
			continue
		}
		all = append(all, aged{path, info.ModTime()})
	}
	if len(all) < most {
		return
	}
	slices.SortFunc(all, func(a, b aged) int { return a.at.Compare(b.at) })
	for _, a := range all[:len(all)-most+1] {
		_ = os.Remove(a.path)
	}
}

// Temporary removes folders that killed processes of this user left in the temporary folder:
// those with a prefix that are older than age.
func Temporary(prefix string, age time.Duration) {
	names, err := os.ReadDir(os.TempDir())
	if err != nil {
		return
	}
	for _, n := range names {
		if !n.IsDir() || !strings.HasPrefix(n.Name(), prefix) {
			continue
		}
		if info, err := n.Info(); err == nil && time.Since(info.ModTime()) > age {
			_ = os.RemoveAll(filepath.Join(os.TempDir(), n.Name())) // what cannot be removed stays
		}
	}
}
