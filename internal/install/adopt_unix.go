//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// adopt gives a file the owner of the file that it replaces.
func adopt(f *os.File, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(st.Uid) == os.Getuid() && int(st.Gid) == os.Getgid() {
		return nil
	}
	if err := f.Chown(int(st.Uid), int(st.Gid)); err != nil && int(st.Uid) != os.Getuid() {
		return err
	}
	return nil
}
