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
	mapFrom = 128 << 10 // bytes from which on mapping a file is faster than reading it
	maxMaps = 16        // a process that opens more, for it lives long, can wait for a read
)

// maps counts mappings. Reasons of old decisions may point into any of them, so none is
// ever undone, and a process may only have so many before its allocator gets no more.
var maps atomic.Int32

// load returns the content of a file. A large one is mapped, and stays so as long as
// the process lives: of ten thousand rules a decision touches a few pages.
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
