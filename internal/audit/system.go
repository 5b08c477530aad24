package audit

import (
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// A system is the part of the operating system that the log uses. Tests replace it to fail one
// chosen call: a full disk, a kill between two writes, a lock that another process holds.
type system interface {
	// checkDir creates dir if it is missing, and fails if others can write to it.
	checkDir(dir string) error
	// open opens only a regular file.
	open(path string, flag int) (handle, error)
	lstat(path string) (fs.FileInfo, error)
	readDir(path string) ([]fs.DirEntry, error)
	mkdir(path string) error
	rename(from, to string) error
	remove(path string) error
	syncDir(dir string) error
}

// A handle is an open file of a system.
type handle interface {
	io.ReaderAt
	io.WriterAt
	io.Writer // appends: the log is opened with O_APPEND
	io.Closer // releases the lock too
	size() (int64, error)
	isAt(path string) bool // path still names this file
	tryLock() (bool, error)
	truncate(size int64) error
	sync() error
}

// machine is the real operating system.
type machine struct{}

func (machine) checkDir(dir string) error { return checkDir(dir) }

func (machine) open(path string, flag int) (handle, error) {
	f, err := openFile(path, flag)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (machine) lstat(path string) (fs.FileInfo, error)     { return os.Lstat(path) }
func (machine) readDir(path string) ([]fs.DirEntry, error) { return os.ReadDir(path) }
func (machine) mkdir(path string) error                    { return os.Mkdir(path, 0o700) }
func (machine) rename(from, to string) error               { return atomicfile.Rename(from, to) }
func (machine) remove(path string) error                   { return os.Remove(path) }

func (machine) syncDir(dir string) error {
	if runtime.GOOS == "windows" { // folders cannot be synced there
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
