//go:build amd64 || arm64

package sandbox

import (
	"io/fs"
	"path/filepath"
)

// private lists what lies in a folder and not everybody may read: it is there for root, or
// for a group, and whoever runs umpire may be either.
func private(top string) (list []string, err error) {
	err = filepath.WalkDir(top, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return nil //nolint:nilerr // what this process cannot look at, no program in the box can
		}
		fi, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // it was removed
		}
		need := fs.FileMode(0o004)
		if d.IsDir() {
			need = 0o005
		}
		if fi.Mode().Perm()&need == need {
			return nil
		}
		list = append(list, at)
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return list, err
}
