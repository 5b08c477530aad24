// Package regular reads files that someone else may have put there.
//
// The adversary is an agent or the author of a project: opening a pipe in place of a file would
// block, and a device never ends.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Flags open a file for reading, do not block on a pipe, and do not adopt a terminal, from which
// another user could end this process.
const Flags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

var (
	// ErrOther means that a path is not a regular file, but a folder, a pipe or a device.
	ErrOther = errors.New("not a regular file")
	// ErrLarge means that a file is larger than the limit.
	ErrLarge = errors.New("larger than")
)

// Open opens a regular file for reading. It does not open a device, which alone can have effects.
func Open(path string) (*os.File, fs.FileInfo, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s is %w", path, ErrOther)
	}
	return Opened(os.OpenFile(path, Flags, 0))
}

// Opened takes what opening a file with Flags returned, such as in an os.Root. It closes anything
// but a regular file.
func Opened(f *os.File, err error) (*os.File, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %w", f.Name(), ErrOther)
	}
	if err != nil {
		_ = f.Close() // opened for reading only
		return nil, nil, err
	}
	return f, info, nil
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int) ([]byte, error) {
	f, _, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err == nil && len(data) > limit {
		err = fmt.Errorf("%s is %w %d bytes", path, ErrLarge, limit)
	}
	return data, err
}
