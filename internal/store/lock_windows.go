package store

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// Lock keeps a second gateway away from what a file stands for. The system drops it with the process.
func Lock(path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped)); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("another gateway uses %s: stop it, or name another folder: %w", path, err)
	}
	return f.Close, nil
}
