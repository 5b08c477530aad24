package changes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/filelock"
	"github.com/umpire-dev/umpire/internal/host"
)

// walker walks the overlay's upper folder and the project side by side.
type walker struct {
	ctx  context.Context
	b    *Box
	list []ChangedPath
	buf  [2][]byte
	room bool // within a folder that replaces something else
}

// walk lists the differences of the overlay from the project.
func (b *Box) walk(ctx context.Context) ([]ChangedPath, error) {
	up, err := openDir(unix.AT_FDCWD, b.Upper(), 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(up) }()
	low, err := openDir(unix.AT_FDCWD, b.Dir, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(low) }()
	w := &walker{ctx: ctx, b: b}
	err = w.folder(up, low, "", 0)
	return w.list, err
}

func openDir(at int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC|flags, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

// names lists a folder. The caller keeps the descriptor.
func names(fd int) ([]string, error) {
	own, err := openDir(fd, ".", 0)
	if err != nil {
		return nil, err
	}
	d := os.NewFile(uintptr(own), ".")
	defer func() { _ = d.Close() }()
	list, err := d.Readdirnames(maxPaths + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return list, err
}

func lstat(at int, name string) (stat, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(at, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return stat{}, err
	}
	s := stat{kind: host.Other, mode: st.Mode & 0o777, size: st.Size, mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(), ino: st.Ino}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.kind = host.File
	case unix.S_IFDIR:
		s.kind = host.Folder
	case unix.S_IFLNK:
		s.kind = host.Symlink
	case unix.S_IFCHR:
		s.gone = st.Rdev == 0
	}
	return s, nil
}

func (w *walker) add(e ChangedPath) error {
	if len(w.list) == maxPaths {
		return fmt.Errorf("more than %d paths changed: discard them with `umpire changes discard`", maxPaths)
	}
	if len(w.list) == cap(w.list) { // double it: there may be very many
		w.list = slices.Grow(w.list, max(64, len(w.list)))
	}
	w.list = append(w.list, e)
	if len(w.list)%1024 == 0 {
		return w.ctx.Err()
	}
	return nil
}

// folder compares a folder of the overlay with the project's folder of that name; low is -1 if
// there is none.
func (w *walker) folder(up, low int, prefix string, depth int) error {
	if depth > maxDepth {
		return w.add(ChangedPath{Path: prefix + "...", What: Created, Kind: host.Other, Not: "folders nested too deeply"})
	}
	list, err := names(up)
	if err != nil {
		return err
	}
	if low >= 0 && opaque(up) {
		hidden, err := names(low)
		if err != nil {
			return err
		}
		have := make(map[string]bool, len(list))
		for _, n := range list {
			have[n] = true
		}
		for _, n := range hidden {
			if !have[n] {
				if err := w.deleted(low, n, prefix+n, "", false, depth); err != nil {
					return err
				}
			}
		}
	}
	for _, name := range list {
		if err := w.one(up, low, name, prefix+name, depth); err != nil {
			return err
		}
	}
	return nil
}

// opaque reports whether a folder of the overlay hides the project's folder of the same name.
func opaque(fd int) bool {
	var b [1]byte
	n, err := unix.Fgetxattr(fd, "user.overlay.opaque", b[:])
	return err == nil && n == 1 && b[0] == 'y'
}

func (w *walker) one(up, low int, name, path string, depth int) error {
	e := ChangedPath{Path: path, What: Created, instead: w.room}
	var err error
	if e.up, err = lstat(up, name); errors.Is(err, fs.ErrNotExist) {
		return nil // the program is still running
	} else if err != nil {
		return err
	}
	there := false
	if low >= 0 {
		e.low, err = lstat(low, name)
		if there = err == nil; err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if e.up.gone {
		if !there { // it never existed on the host
			return nil
		}
		return w.deleted(low, name, path, "", false, depth)
	}
	e.Kind, e.Size = e.up.kind, e.up.size
	if e.Kind == host.Folder {
		return w.intoFolder(&e, up, low, name, there, depth)
	}
	if there && e.low.kind != e.Kind {
		if err := w.deleted(low, name, path, "", true, depth); err != nil {
			return err
		}
		there, e.low, e.instead = false, stat{}, true
	}
	switch e.Kind {
	case host.File:
		e.Mode = e.up.mode
		if !there {
			break
		}
		e.What = Changed
		if e.Was = e.low.mode; e.Was == e.Mode {
			e.Was = 0
		}
		switch same := w.same(&e, up, low, name); {
		case same && e.Was == 0:
			return nil
		case same:
			e.What = Mode
		}
	case host.Symlink:
		e.Size = 0
		if e.Target, err = readlink(up, name); err != nil {
			return ignoreRemoved(err)
		}
		if there {
			e.What = Changed
			if was, err := readlink(low, name); err == nil && was == e.Target {
				return nil
			}
		}
	default:
		e.Not = "neither a file nor a folder nor a link"
	}
	return w.add(e)
}

// ignoreRemoved returns nil for a path that the program removed during the walk.
func ignoreRemoved(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENOTDIR) {
		return nil
	}
	return err
}

func (w *walker) intoFolder(e *ChangedPath, up, low int, name string, there bool, depth int) error {
	sub, err := openDir(up, name, unix.O_NOFOLLOW)
	if err != nil {
		return ignoreRemoved(err)
	}
	defer func() { _ = unix.Close(sub) }()
	below := -1
	switch {
	case there && e.low.kind == host.Folder:
		if below, err = openDir(low, name, unix.O_NOFOLLOW); err != nil {
			return ignoreRemoved(err)
		}
		defer func() { _ = unix.Close(below) }()
	default:
		if there {
			if err := w.deleted(low, name, e.Path, "", true, depth); err != nil {
				return err
			}
			e.instead = true
			defer func(was bool) { w.room = was }(w.room)
			w.room = true
		}
		e.low, e.Size = stat{}, 0
		if err := w.add(*e); err != nil {
			return err
		}
	}
	return w.folder(sub, below, e.Path+"/", depth+1)
}

// deleted lists a path of the project that the overlay hides, with its content.
func (w *walker) deleted(low int, name, path, in string, first bool, depth int) error {
	e := ChangedPath{Path: path, What: Deleted, In: in, first: first}
	var err error
	if e.low, err = lstat(low, name); err != nil {
		return ignoreRemoved(err)
	}
	if e.Kind = e.low.kind; e.Kind == host.File {
		e.Size = e.low.size
	}
	if e.Kind == host.Other {
		e.Not = "neither a file nor a folder nor a link"
	}
	if depth > maxDepth {
		e.Not = "folders nested too deeply"
	}
	if err := w.add(e); err != nil || e.Kind != host.Folder || e.Not != "" {
		return err
	}
	in = cmp.Or(in, path)
	sub, err := openDir(low, name, unix.O_NOFOLLOW)
	if err != nil {
		return ignoreRemoved(err)
	}
	defer func() { _ = unix.Close(sub) }()
	list, err := names(sub)
	if err != nil {
		return err
	}
	for _, n := range list {
		if err := w.deleted(sub, n, path+"/"+n, in, first, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func readlink(at int, name string) (string, error) {
	buf := make([]byte, 4097)
	n, err := unix.Readlinkat(at, name, buf)
	if err != nil {
		return "", err
	}
	return string(buf[:n]), nil
}

// same reports whether two files have the same content. It does not read files of equal size and
// time: an overlay keeps both if only the permissions change. Times in whole seconds come from
// builds and archives and prove nothing; neither do very recent ones, because the kernel gives
// equal times to writes within some milliseconds.
func (w *walker) same(e *ChangedPath, up, low int, name string) bool {
	switch {
	case e.up.size != e.low.size:
		return false
	case e.up.size == 0, e.up.mtime == e.low.mtime && e.up.mtime%1e9 != 0 && e.up.mtime < w.b.Started.UnixNano():
		return true
	}
	if s, ok := w.b.seen[e.Path]; ok && s.up == e.up && s.low == e.low {
		return s.same
	}
	same := w.equal(up, low, name, e.up.size)
	if w.b.seen != nil {
		w.b.seen[e.Path] = seen{e.up, e.low, same}
	}
	return same
}

// equal compares two files of one name and size. An unreadable file counts as different.
func (w *walker) equal(up, low int, name string, size int64) bool {
	var fds [2]int
	for i, at := range []int{up, low} {
		// A pipe that replaced the file has no writer.
		fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
		if err != nil {
			return false
		}
		defer func() { _ = unix.Close(fd) }()
		var st unix.Stat_t
		if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size != size {
			return false
		}
		if fds[i] = fd; w.buf[i] == nil {
			w.buf[i] = make([]byte, 64<<10)
		}
	}
	for at := int64(0); at < size; {
		n := readAt(fds[0], w.buf[0], at)
		if m := readAt(fds[1], w.buf[1], at); n <= 0 || n != m || !bytes.Equal(w.buf[0][:n], w.buf[1][:n]) {
			return false
		}
		at += int64(n)
	}
	return true
}

// readAt fills a buffer as far as the file goes; -1 is an error.
func readAt(fd int, b []byte, at int64) (n int) {
	for n < len(b) {
		m, err := unix.Pread(fd, b[n:], at+int64(n))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return -1
		case m == 0:
			return n
		default:
			n += m
		}
	}
	return n
}

// changedSince reports whether a file of the project's was changed after a time.
func changedSince(dir, name string, t time.Time) (bool, error) {
	s, err := lstat(unix.AT_FDCWD, filepath.Join(dir, name))
	return s.since(t), err
}

// lockFile takes a lock that ends with the file, or the process.
func lockFile(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	switch got, err := filelock.Try(f); {
	case err != nil:
		return nil, errors.Join(err, f.Close())
	case !got:
		return nil, errors.Join(errors.New("another umpire is writing the changes of this run: try again when it has ended"), f.Close())
	}
	return f, nil
}
