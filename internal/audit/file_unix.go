//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// A file is a plain descriptor: os.File would start the network poller, which costs the hook more
// than the append itself.
type file struct{ fd int }

// openFile opens only a regular file. A symbolic link could point the log elsewhere, and a pipe
// could hang the hook.
func openFile(path string, flag int) (file, error) {
	for {
		fd, err := syscall.Open(path, flag|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0o600)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return file{-1}, &fs.PathError{Op: "open", Path: path, Err: err}
		}
		var st syscall.Stat_t
		if err := syscall.Fstat(fd, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
			syscall.Close(fd)
			return file{-1}, fmt.Errorf("%s is not a regular file: move it away", path)
		}
		return file{fd}, nil
	}
}

func (f file) Close() error { return syscall.Close(f.fd) }

func (f file) size() (int64, error) {
	var st syscall.Stat_t
	err := syscall.Fstat(f.fd, &st)
	return st.Size, err
}

// isAt reports whether path still names this file.
func (f file) isAt(path string) bool {
	var a, b syscall.Stat_t
	return syscall.Fstat(f.fd, &a) == nil && syscall.Lstat(path, &b) == nil && a.Ino == b.Ino && a.Dev == b.Dev
}

// tryLock takes the lock if it is free.
func (f file) tryLock() (bool, error) {
	switch err := syscall.Flock(f.fd, syscall.LOCK_EX|syscall.LOCK_NB); err {
	case nil:
		return true, nil
	case syscall.EWOULDBLOCK, syscall.EINTR:
		return false, nil
	default:
		return false, fmt.Errorf("lock the audit log: %w", err)
	}
}

func (f file) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		k, err := syscall.Pread(f.fd, b[n:], off+int64(n))
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return n, err
		}
		if k == 0 {
			return n, errShort
		}
		n += k
	}
	return n, nil
}

func (f file) WriteAt(b []byte, off int64) (n int, err error) {
	for n < len(b) {
		k, err := syscall.Pwrite(f.fd, b[n:], off+int64(n))
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return n, err
		}
		n += k
	}
	return n, nil
}

func (f file) truncate(size int64) error { return syscall.Ftruncate(f.fd, size) }
func (f file) sync() error               { return syscall.Fsync(f.fd) }

// checkDir returns an error unless this user owns the folder and no one else can write to it.
func checkDir(dir string) error {
	var st syscall.Stat_t
	err := syscall.Lstat(dir, &st)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		err = syscall.Lstat(dir, &st)
	}
	switch {
	case err != nil:
		return &fs.PathError{Op: "stat", Path: dir, Err: err}
	case st.Mode&syscall.S_IFMT != syscall.S_IFDIR:
		return fmt.Errorf("%s is not a folder: name the real one", dir)
	case st.Mode&0o022 != 0:
		return fmt.Errorf("others can write to %s: run chmod 700 on it", dir)
	}
	return nil
}

// Write appends: the log is opened with O_APPEND.
func (f file) Write(b []byte) (n int, err error) {
	for {
		n, err = syscall.Write(f.fd, b)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}
