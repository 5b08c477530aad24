//go:build unix

package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// writable describes how another user than the owner and root could replace a file: by writing to
// it, or to a folder above it. It returns "" if no one can.
func writable(path string) string {
	for ; ; path = filepath.Dir(path) {
		info, err := os.Lstat(path)
		if err != nil {
			return err.Error()
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		switch mode := info.Mode(); {
		case ok && st.Uid != 0 && int(st.Uid) != os.Getuid():
			return fmt.Sprintf("%s belongs to user %d", path, st.Uid)
		case mode.IsDir() && mode&fs.ModeSticky != 0: // in a sticky folder, only owners replace files
		case mode.Perm()&0o002 != 0:
			return path + " can be written by everyone"
		case ok && mode.Perm()&0o020 != 0 && int(st.Gid) != os.Getgid() && st.Gid != 0:
			return fmt.Sprintf("%s can be written by group %d", path, st.Gid)
		}
		if path == filepath.Dir(path) {
			return ""
		}
	}
}
