package atomicfile

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// renameTimeout limits how long Rename waits for other programs.
const renameTimeout = 500 * time.Millisecond

// Rename renames a file and replaces the one at the new name. Windows refuses that while
// another program has one of them open, as a reader of settings briefly does, and does not
// report when it closes. So Rename retries.
func Rename(from, to string) error {
	const sharingViolation = syscall.Errno(32)
	for deadline := time.Now().Add(renameTimeout); ; time.Sleep(5 * time.Millisecond) {
		err := os.Rename(from, to)
		held := errors.Is(err, sharingViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
		if !held || time.Now().After(deadline) {
			return err
		}
	}
}
