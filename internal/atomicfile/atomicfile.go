// Package atomicfile replaces whole files: other programs read either the old content or the
// new one, never a part.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write replaces or creates the file at path, with these permissions whatever the umask is. After
// an error or a crash, the file has its old content. If path is a symbolic link, Write replaces the
// link and not its target.
func Write(path string, data []byte, mode fs.FileMode) error {
	return write(path, data, mode, (*os.File).Sync, Rename)
}

// WriteNoSync is like Write, for caches and counters that are written often: a power failure may
// leave the file empty.
func WriteNoSync(path string, data []byte, mode fs.FileMode) error {
	return write(path, data, mode, func(*os.File) error { return nil }, Rename)
}

// Create is like Write for a new file: if it exists, the error is fs.ErrExist. Of concurrent calls,
// one succeeds.
func Create(path string, data []byte, mode fs.FileMode) error {
	return write(path, data, mode, (*os.File).Sync, os.Link)
}

func write(path string, data []byte, mode fs.FileMode, sync func(*os.File) error, name func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // 0600: it may hold a secret
	if fault := (*fs.PathError)(nil); errors.As(err, &fault) {
		fault.Path = path // the caller knows no other name
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	// Without Sync, a power failure could leave the name without the content.
	if err = errors.Join(err, f.Chmod(mode), sync(f), f.Close()); err == nil {
		err = name(f.Name(), path)
	}
	if e := os.Remove(f.Name()); !errors.Is(e, fs.ErrNotExist) { // it was renamed
		err = errors.Join(err, e)
	}
	return err
}
