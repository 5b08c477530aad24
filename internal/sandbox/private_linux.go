//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// kept are the system's settings folders, which contain credentials. /opt is not one: it contains
// whole programs, and may belong to one user.
var kept = []string{"/etc", "/usr/local/etc"}

// private lists the files of a folder that not everyone may read. They are for root, a group or a
// user, and the user who runs umpire may have access.
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

// maxLooked limits the number of paths that are searched for sockets.
const maxLooked = 50_000

// sockets lists sockets in folders that the sandbox shows. A program of the host listens on each,
// and read access must not mean connect access. A socket that the Config names is intended.
func (c *Config) sockets() (list []string, err error) {
	looked := 0
	look := func(from, to string) {
		_ = filepath.WalkDir(from, func(at string, d fs.DirEntry, err error) error {
			if looked++; looked > maxLooked {
				return fs.SkipAll
			}
			switch {
			case err != nil:
				return nil //nolint:nilerr // as in private
			case at != from && d.Type() == fs.ModeSocket:
				list = append(list, to+strings.TrimPrefix(at, from))
			case d.IsDir() && slices.Contains(c.Own, at):
				return fs.SkipDir // it is empty inside
			}
			return nil
		})
	}
	for _, p := range slices.Concat(c.ReadOnly, c.Writable) {
		look(p, p)
	}
	for _, m := range c.Shown {
		look(m.From, m.To)
	}
	if looked > maxLooked {
		err = fmt.Errorf("the visible folders have more than %d paths: programs inside can connect to sockets among the rest", maxLooked)
	}
	return list, err
}
