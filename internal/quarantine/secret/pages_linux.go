package secret

import (
	"os"

	"golang.org/x/sys/unix"
)

// pages returns zeroed memory for n bytes, rounded up to whole pages.
func pages(n int) ([]byte, error) {
	size := os.Getpagesize()
	size = (n + size - 1) / size * size
	b, err := ownPages(size)
	if err != nil { // an older kernel, or one with the call disabled
		if b, err = unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS); err != nil {
			return nil, err
		}
		if err := unix.Mlock(b); err != nil {
			_ = unix.Munmap(b)
			return nil, err
		}
	}
	for _, advice := range []int{unix.MADV_DONTDUMP, unix.MADV_DONTFORK} {
		if err := unix.Madvise(b, advice); err != nil {
			_ = unix.Munmap(b)
			return nil, err
		}
	}
	return b, nil
}

// ownPages returns memory that the kernel itself does not map: not even a debugger can read it.
func ownPages(size int) ([]byte, error) {
	fd, err := unix.MemfdSecret(unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(fd) }()
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return nil, err
	}
	return unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}

func release(b []byte) { _ = unix.Munmap(b) }
