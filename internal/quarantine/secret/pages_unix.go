//go:build unix && !linux

package secret

import (
	"os"

	"golang.org/x/sys/unix"
)

// pages returns zeroed memory for n bytes, rounded up to whole pages.
func pages(n int) ([]byte, error) {
	size := os.Getpagesize()
	size = (n + size - 1) / size * size
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, err
	}
	if err := unix.Mlock(b); err != nil {
		_ = unix.Munmap(b)
		return nil, err
	}
	return b, nil
}

func release(b []byte) { _ = unix.Munmap(b) }
