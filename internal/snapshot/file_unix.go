//go:build unix

package snapshot

import (
	"io"
	"io/fs"
	"os"
	"sync/atomic"
	"syscall"
)

const (
	mapFrom = 128 << 10 // bytes above which mapping a file is faster than reading it
	maxMaps = 16        // a process that opens more lives long enough to read instead
)

// maps counts mappings. Reasons of old decisions may point into any of them, so they are never
// unmapped, and their number is limited.
var maps atomic.Int32

// load returns the content of a file. It maps a large one for the life of the process: a decision
// needs few pages of ten thousand rules.
func load(f *os.File, size int) ([]byte, error) {
	if size >= mapFrom && maps.Add(1) <= maxMaps {
		if b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE); err == nil {
			return b, nil
		}
	}
	b := make([]byte, size)
	_, err := io.ReadFull(f, b)
	return b, err
}

func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Getuid() || st.Uid == 0) && info.Mode().Perm()&0o022 == 0
}
