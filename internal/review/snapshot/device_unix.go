//go:build unix

package snapshot

import (
	"io/fs"
	"syscall"
)

func deviceOf(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Dev) //nolint:unconvert // it is signed on some systems
	}
	return 0
}
