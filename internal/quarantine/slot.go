package quarantine

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/umpire-dev/umpire/internal/filelock"
)

// Slot is the right of one reviewer to run, among all of this user.
type Slot struct{ file *os.File }

// TakeSlot takes one of n slots, which are files in dir. A process that dies frees its slots.
// ErrFull means that all are taken.
func TakeSlot(dir string, n int) (*Slot, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	for i := range n {
		f, err := os.OpenFile(filepath.Join(dir, "reviewer-"+strconv.Itoa(i)+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		got, err := filelock.Try(f)
		if err == nil && got {
			return &Slot{f}, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	return nil, ErrFull
}

// Free frees the slot.
func (s *Slot) Free() error { return s.file.Close() }
