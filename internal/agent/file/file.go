package file

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxSize is the size limit, in bytes, of a file that is read or written.
const maxSize = 32 << 20

// errChanged means that a file changed after it was read.
var errChanged = errors.New("someone else changed the file: read it again")

// File is the content of a file when it was read, or a path without a file.
type File struct {
	Path   string // resolved
	Exists bool
	Data   []byte
	Mode   fs.FileMode // permissions

	dir  *os.Root // nil while the folder does not exist
	name string
	info fs.FileInfo
}

// Open reads the complete file at a resolved path. A missing file is not an error. Folders, pipes,
// devices and files larger than maxSize are.
func Open(path string) (*File, error) {
	f := &File{Path: path, name: filepath.Base(path)}
	dir, err := OpenDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	f.dir = dir
	if err := f.read(); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return f, nil
}

func (f *File) read() error {
	fi, err := f.dir.Lstat(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	h, err := OpenRegular(f.dir, f.name, fi)
	if err != nil {
		return fmt.Errorf("%s %w", f.Path, err)
	}
	defer func() { _ = h.Close() }()
	if fi.Size() > maxSize {
		return fmt.Errorf("%s has %d MiB: the limit is %d; use grep, or a command that prints a part of it", f.Path, fi.Size()>>20, maxSize>>20)
	}
	if f.Data, err = io.ReadAll(io.LimitReader(h, maxSize+1)); err != nil {
		return err
	}
	if len(f.Data) > maxSize {
		return fmt.Errorf("%s grew while umpire read it", f.Path)
	}
	f.Exists, f.info, f.Mode = true, fi, fi.Mode().Perm()
	return nil
}

// OpenRegular opens a file in a folder for reading, if it is the regular file that info
// describes. It never blocks, as opening a pipe would.
func OpenRegular(dir *os.Root, name string, info fs.FileInfo) (*os.File, error) {
	switch {
	case info.IsDir():
		return nil, errors.New("is a folder")
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New("the file was replaced by a link")
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file: umpire does not read pipes, sockets and devices")
	}
	h, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	now, err := h.Stat()
	if err == nil && !os.SameFile(now, info) {
		err = errors.New("was replaced while umpire opened it")
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// Sum returns the SHA-256 of the content that was read, or "" if there was no file.
func (f *File) Sum() string {
	if !f.Exists {
		return ""
	}
	return Sum(f.Data)
}

// Sum returns the SHA-256 of data, in hexadecimal.
func Sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// Close closes the folder.
func (f *File) Close() {
	if f.dir != nil {
		_ = f.dir.Close()
	}
}

// Unchanged returns errChanged if the file changed after it was read.
func (f *File) Unchanged() error {
	if f.dir == nil {
		if _, err := os.Lstat(filepath.Dir(f.Path)); !errors.Is(err, fs.ErrNotExist) {
			return errChanged
		}
		return nil
	}
	fi, err := f.dir.Lstat(f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.Exists {
			return errChanged
		}
		return nil
	case err != nil:
		return err
	case !f.Exists || !os.SameFile(fi, f.info) || fi.Size() != f.info.Size() || !fi.ModTime().Equal(f.info.ModTime()):
		return errChanged
	}
	return nil
}

// Write replaces or creates the file in one step, and creates missing folders. It keeps mode and
// owner. If the file changed after it was read, Write returns errChanged and writes nothing.
func (f *File) Write(data []byte) (err error) {
	mode := fs.FileMode(0o666) // minus the user's umask
	if f.Exists {
		if mode = f.Mode; mode&0o222 == 0 {
			return errors.New("it is read-only")
		}
	}
	return f.put(data, mode)
}

// Restore is like Write, but sets the mode of a new file.
func (f *File) Restore(data []byte, mode fs.FileMode) error {
	if f.Exists {
		mode = f.Mode
	}
	return f.put(data, mode.Perm())
}

func (f *File) put(data []byte, mode fs.FileMode) (err error) {
	if len(data) > maxSize {
		return fmt.Errorf("it would have %d MiB: the limit is %d", len(data)>>20, maxSize>>20)
	}
	if f.dir == nil {
		if err := f.makeDir(); err != nil {
			return err
		}
	}
	temp := ".umpire-" + rand.Text()
	h, err := f.dir.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	moved := false
	defer func() {
		if !moved {
			err = errors.Join(err, f.dir.Remove(temp))
		}
	}()
	_, err = h.Write(data)
	if err == nil && f.Exists {
		err = keepOwner(h, f.info)
		if err == nil {
			err = h.Chmod(mode)
		}
	}
	if err == nil {
		err = h.Sync()
	}
	if err = errors.Join(err, h.Close()); err != nil {
		return err
	}
	if err := f.Unchanged(); err != nil {
		return err
	}
	if !f.Exists {
		// A file that another process creates at this moment is not replaced.
		err = f.dir.Link(temp, f.name)
		if err == nil || errors.Is(err, fs.ErrExist) {
			if err != nil {
				return errChanged
			}
			return f.taken(data) // remove the temporary name
		}
	}
	if err := f.dir.Rename(temp, f.name); err != nil {
		return err
	}
	moved = true
	return f.taken(data)
}

// taken records the new content of the file.
func (f *File) taken(data []byte) error {
	fi, err := f.dir.Lstat(f.name)
	if err != nil {
		return err
	}
	f.Exists, f.Data, f.info, f.Mode = true, data, fi, fi.Mode().Perm()
	return nil
}

// makeDir creates the missing folders above the file.
func (f *File) makeDir() error {
	want := filepath.Dir(f.Path)
	have := want
	var dir *os.Root
	for {
		d, err := OpenDir(have)
		if err == nil {
			dir = d
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || have == filepath.Dir(have) {
			return err
		}
		have = filepath.Dir(have)
	}
	rel, err := filepath.Rel(have, want)
	if err == nil && rel != "." {
		err = dir.MkdirAll(rel, 0o777)
	}
	if err = errors.Join(err, dir.Close()); err != nil {
		return err
	}
	f.dir, err = OpenDir(want)
	return err
}

// Remove removes the file unless it changed after it was read.
func (f *File) Remove() error {
	if err := f.Unchanged(); err != nil || !f.Exists {
		return err
	}
	if err := f.dir.Remove(f.name); err != nil {
		return err
	}
	f.Exists, f.Data, f.info = false, nil, nil
	return nil
}
