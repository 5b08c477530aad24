//go:build !linux

package host

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

// folder is a directory below a root. The system keeps paths below the root; folder checks for
// links before each access.
type folder struct {
	root *os.Root
	rel  string
	top  bool
}

func openFolder(p string) (folder, error) {
	r, err := os.OpenRoot(p)
	return folder{r, ".", true}, err
}

func (f folder) at(name string) string { return path.Join(f.rel, name) }

func (f folder) sub(rel string) (folder, error) {
	at := f.rel
	for _, name := range strings.Split(rel, "/") {
		at = path.Join(at, name)
		st, err := f.root.Lstat(at)
		if err != nil {
			return folder{}, err
		}
		if !st.IsDir() {
			return folder{}, &fs.PathError{Op: "open", Path: at, Err: errNotFolder}
		}
	}
	return folder{f.root, at, false}, nil
}

func (f folder) close() {
	if f.top {
		_ = f.root.Close()
	}
}

func (f folder) sync() error { return nil }

func (f folder) mkdir(name string, mode uint32) error {
	return f.root.Mkdir(f.at(name), fs.FileMode(mode))
}

func (f folder) lstat(name string) (found, error) {
	st, err := f.root.Lstat(f.at(name))
	if err != nil {
		return found{}, err
	}
	return foundOf(st), nil
}

func foundOf(st fs.FileInfo) found {
	i := found{mode: uint32(st.Mode().Perm()), size: st.Size(), links: 1, uid: -1, gid: -1, kind: Other}
	switch {
	case st.Mode().IsRegular():
		i.kind = File
	case st.IsDir():
		i.kind = Folder
	case st.Mode()&fs.ModeSymlink != 0:
		i.kind = Symlink
	}
	return i
}

func (f folder) open(name string) (*os.File, found, error) {
	before, err := f.root.Lstat(f.at(name))
	if err != nil {
		return nil, found{}, err
	}
	if !before.Mode().IsRegular() {
		return nil, foundOf(before), errNotFile
	}
	file, err := f.root.Open(f.at(name))
	if err != nil {
		return nil, found{}, err
	}
	now, err := file.Stat()
	if err == nil && !os.SameFile(before, now) { // it was swapped for a link
		err = errNotFile
	}
	if err != nil {
		return nil, found{}, errors.Join(err, file.Close())
	}
	return file, foundOf(now), nil
}

func (f folder) create(name string, mode uint32) (*os.File, error) {
	return f.root.OpenFile(f.at(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, fs.FileMode(mode))
}

func (f folder) readlink(name string) (string, error) { return f.root.Readlink(f.at(name)) }

func (f folder) symlink(target, name string) error { return f.root.Symlink(target, f.at(name)) }

func (f folder) remove(name string, _ bool) error { return f.root.Remove(f.at(name)) }

func (f folder) moveNew(name string, to folder, toName string) error {
	if _, err := to.lstat(toName); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return f.root.Rename(f.at(name), to.at(toName))
}

func (f folder) swap(string, folder, string) error { return errNoSwap }

func (f folder) replace(name string, to folder, toName string) error {
	return f.root.Rename(f.at(name), to.at(toName))
}

func (f folder) names() ([]string, error) {
	d, err := f.root.Open(f.rel)
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }()
	return d.Readdirnames(-1)
}
