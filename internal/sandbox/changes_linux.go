//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Changes reads an overlay: what lies in its upper folder differs from the project's own.
func Changes(c *Config) (list []Change, err error) {
	upper := c.Upper()
	err = filepath.WalkDir(upper, func(at string, d fs.DirEntry, err error) error {
		if err != nil || at == upper {
			return err
		}
		rel, err := filepath.Rel(upper, at)
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		change := Change{Path: filepath.ToSlash(rel), Mode: fi.Mode(), Size: fi.Size()}
		below, lowErr := os.Lstat(filepath.Join(c.Dir, rel))
		switch {
		case fi.Mode()&fs.ModeCharDevice != 0: // how an overlay writes down that there is nothing
			if st, ok := fi.Sys().(*syscall.Stat_t); !ok || st.Rdev != 0 {
				return nil
			}
			if change.Deleted = lowErr == nil; !change.Deleted { // it never was on the host
				return nil
			}
		case fi.IsDir():
			if opaque(at) {
				gone, err := missing(filepath.Join(c.Dir, rel), at, change.Path)
				if err != nil {
					return err
				}
				list = append(list, gone...)
			}
			if lowErr == nil && below.IsDir() {
				return nil // only what is in it differs
			}
		case fi.Mode()&fs.ModeSymlink != 0:
			if change.Target, err = os.Readlink(at); err != nil {
				return err
			}
		}
		list = append(list, change)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return list, err
}

// ChangedSince reports whether a file was changed after a time. Its own time of change
// counts as well: other programs set the time of its content as they like.
func ChangedSince(fi fs.FileInfo, t time.Time) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return fi.ModTime().After(t) || ok && time.Unix(st.Ctim.Unix()).After(t)
}

// hold marks a run as one whose program runs, until release or the end of this process.
func hold(c *Config) (release func(), err error) {
	f, err := os.OpenFile(lockFile(c), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(errors.New("this run's program runs already"), f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// Running reports whether the program of a run still runs.
func Running(c *Config) bool {
	f, err := os.Open(lockFile(c))
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil
}

func lockFile(c *Config) string { return filepath.Join(c.State, "lock") }

// opaque reports whether a folder of the overlay hides the project's of the same name.
func opaque(at string) bool {
	var b [1]byte
	n, err := unix.Lgetxattr(at, "user.overlay.opaque", b[:])
	return err == nil && n == 1 && b[0] == 'y'
}

// missing lists what an opaque folder hides of the project's, but for what it has itself.
func missing(low, up, name string) (list []Change, err error) {
	err = filepath.WalkDir(low, func(at string, d fs.DirEntry, err error) error {
		if err != nil || at == low {
			return err
		}
		rel, err := filepath.Rel(low, at)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(filepath.Join(up, rel)); err == nil {
			return nil
		}
		list = append(list, Change{Path: name + "/" + filepath.ToSlash(rel), Deleted: true})
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return list, err
}
