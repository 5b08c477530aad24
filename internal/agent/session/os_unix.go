//go:build unix

package session

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the file for this process, and reports false if another one has it.
func lock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// noFollow keeps a link in a session's place from leading elsewhere, and a pipe from
// keeping the reader waiting.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK
