package audit

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/windows"
)

type file struct{ *os.File }

// openFile opens only a regular file: a link could point the log elsewhere.
func openFile(path string, flag int) (file, error) {
	if st, err := os.Lstat(path); err == nil && !st.Mode().IsRegular() {
		return file{}, fmt.Errorf("%s is not a regular file: move it away", path)
	}
	f, err := os.OpenFile(path, flag, 0o600)
	return file{f}, err
}

func (f file) size() (int64, error) {
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}

func (f file) isAt(path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}

// tryLock takes the lock if it is free. The locked range is far beyond the content, because Windows
// would otherwise block readers.
func (f file) tryLock() (bool, error) {
	at := windows.Overlapped{OffsetHigh: 0x7fffffff}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock the audit log: %w", err)
	}
	return true, nil
}

func (f file) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(b, off)
	if n == len(b) {
		return n, nil
	}
	if errors.Is(err, io.EOF) {
		return n, errShort
	}
	return n, err
}

func (f file) truncate(size int64) error { return f.Truncate(size) }
func (f file) sync() error               { return f.Sync() }

func checkDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	st, err := os.Lstat(dir)
	if err == nil && !st.IsDir() {
		return fmt.Errorf("%s is not a folder: name the real one", dir)
	}
	return err
}
