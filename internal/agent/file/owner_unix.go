//go:build unix

package file

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner and the group of the file that it will replace.
func keepOwner(f *os.File, old fs.FileInfo) error {
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	was, ok := old.Sys().(*syscall.Stat_t)
	is, ok2 := fi.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || was.Uid == is.Uid && was.Gid == is.Gid {
		return nil
	}
	if err := f.Chown(int(was.Uid), int(was.Gid)); err != nil {
		return errors.New("it belongs to another user, and a write would change that: left unchanged")
	}
	return nil
}
