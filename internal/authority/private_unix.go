//go:build !windows

package authority

import (
	"io/fs"
	"os"
	"syscall"
)

// private reports that a file's mode shows who may read it.
const private = true

// ownedByUser reports whether only this user and root may change the file.
func ownedByUser(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Geteuid() || st.Uid == 0) && info.Mode().Perm()&0o022 == 0
}
