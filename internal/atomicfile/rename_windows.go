package atomicfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// patience bounds how long Rename waits for other programs.
const patience = 500 * time.Millisecond

// Rename gives a file another name, and replaces the file that had it. Windows refuses that
// while another program has one of them open, as a reader of settings has for a moment, and
// nothing says when it is closed: Rename tries again.
func Rename(from, to string) error {
	const sharingViolation = syscall.Errno(32)
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		err := os.Rename(from, to)
		held := errors.Is(err, sharingViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
		if !held || time.Now().After(deadline) {
			return err
		}
	}
}
