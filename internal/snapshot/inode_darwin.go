package snapshot

import (
	"io/fs"
	"syscall"
)

func inode(info fs.FileInfo) (change int64, number uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctimespec.Nano(), st.Ino
	}
	return 0, 0
}
