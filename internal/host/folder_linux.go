package host

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// folder is an open directory. Paths opened through it stay below it and never follow a symbolic
// link: if an agent swaps a folder for a link during a change, the result is an error and not
// access to another place.
type folder struct{ fd int }

const folderFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC

func openFolder(path string) (folder, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, folderFlags, 0) })
	if err != nil {
		return folder{}, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return folder{fd}, nil
}

func retry(f func() (int, error)) (int, error) {
	for {
		if fd, err := f(); !errors.Is(err, unix.EINTR) && !errors.Is(err, unix.EAGAIN) {
			return fd, err
		}
	}
}

// beneath opens a path below the folder, and follows no link.
func (f folder) beneath(rel string, flags int) (int, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat2(f.fd, rel, &unix.OpenHow{Flags: uint64(flags), Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS})
	})
	if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) {
		return fd, err
	}
	// A kernel or a container without openat2: open name by name, which is as safe but slower.
	at, names := f.fd, strings.Split(rel, "/")
	for i, name := range names {
		how := folderFlags | unix.O_NOFOLLOW
		if i == len(names)-1 {
			how = flags | unix.O_NOFOLLOW
		}
		next, err := retry(func() (int, error) { return unix.Openat(at, name, how, 0) })
		if at != f.fd {
			_ = unix.Close(at)
		}
		if err != nil {
			return -1, err
		}
		at = next
	}
	return at, nil
}

func (f folder) sub(rel string) (folder, error) {
	fd, err := f.beneath(rel, folderFlags)
	return folder{fd}, err
}

func (f folder) close() { _ = unix.Close(f.fd) }

func (f folder) sync() error { return unix.Fsync(f.fd) }

func (f folder) mkdir(name string, mode uint32) error { return unix.Mkdirat(f.fd, name, mode) }

func (f folder) lstat(name string) (found, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(f.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return found{}, err
	}
	return foundOf(&st), nil
}

func foundOf(st *unix.Stat_t) found {
	i := found{mode: st.Mode & 0o7777, size: st.Size, links: int64(st.Nlink), uid: int(st.Uid), gid: int(st.Gid), kind: Other}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		i.kind = File
	case unix.S_IFDIR:
		i.kind = Folder
	case unix.S_IFLNK:
		i.kind = Symlink
	}
	return i
}

// open opens a file for reading. It does not block on a pipe.
func (f folder) open(name string) (*os.File, found, error) {
	fd, err := f.beneath(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_NOCTTY)
	if err != nil {
		return nil, found{}, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		_ = unix.Close(fd)
		return nil, found{}, err
	}
	return os.NewFile(uintptr(fd), name), foundOf(&st), nil
}

func (f folder) create(name string, mode uint32) (*os.File, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(f.fd, name, unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
	})
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

func (f folder) readlink(name string) (string, error) {
	buf := make([]byte, maxPath+1)
	n, err := unix.Readlinkat(f.fd, name, buf)
	if err != nil {
		return "", err
	}
	return string(buf[:n]), nil
}

func (f folder) symlink(target, name string) error { return unix.Symlinkat(target, f.fd, name) }

func (f folder) remove(name string, isFolder bool) error {
	flags := 0
	if isFolder {
		flags = unix.AT_REMOVEDIR
	}
	return unix.Unlinkat(f.fd, name, flags)
}

// moveNew moves a file to an unused name.
func (f folder) moveNew(name string, to folder, toName string) error {
	err := unix.Renameat2(f.fd, name, to.fd, toName, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // the file system does not support it
		if _, err := to.lstat(toName); !errors.Is(err, fs.ErrNotExist) {
			return fs.ErrExist
		}
		return unix.Renameat(f.fd, name, to.fd, toName)
	}
	return err
}

// swap exchanges two files in one step. On errNoSwap, nothing has changed.
func (f folder) swap(name string, to folder, toName string) error {
	err := unix.Renameat2(f.fd, name, to.fd, toName, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return errNoSwap
	}
	return err
}

// replace moves a file over another one.
func (f folder) replace(name string, to folder, toName string) error {
	return unix.Renameat(f.fd, name, to.fd, toName)
}

func (f folder) names() ([]string, error) {
	fd, err := f.beneath(".", folderFlags)
	if err != nil {
		return nil, err
	}
	d := os.NewFile(uintptr(fd), ".")
	defer func() { _ = d.Close() }()
	return d.Readdirnames(-1)
}
