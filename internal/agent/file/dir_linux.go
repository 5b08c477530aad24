package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// OpenDir opens a folder by a resolved path. A link in the path is an error, because it appeared
// later.
func OpenDir(path string) (*os.Root, error) {
	fd, err := openDir(path)
	if errors.Is(err, unix.ELOOP) {
		return nil, fmt.Errorf("%s: a link appeared in its path", path)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }()
	return os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", fd))
}

const dirFlags = unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC

func openDir(path string) (int, error) {
	fd, err := again(func() (int, error) {
		return unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: dirFlags, Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS})
	})
	if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) {
		return fd, err
	}
	return openByName(path)
}

// openByName is openDir for a kernel or container without openat2: as safe, but slower.
func openByName(path string) (int, error) {
	at, err := again(func() (int, error) { return unix.Open("/", dirFlags, 0) })
	if err != nil {
		return -1, err
	}
	for name := range strings.SplitSeq(path, "/") {
		if name == "" {
			continue
		}
		next, err := again(func() (int, error) { return unix.Openat(at, name, dirFlags|unix.O_NOFOLLOW, 0) })
		_ = unix.Close(at)
		if err != nil {
			return -1, err
		}
		at = next
	}
	return at, nil
}

func again(f func() (int, error)) (int, error) {
	for {
		if fd, err := f(); !errors.Is(err, unix.EINTR) && !errors.Is(err, unix.EAGAIN) {
			return fd, err
		}
	}
}
