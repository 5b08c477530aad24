package store

import (
	"errors"
	"fmt"
	"os"

	"github.com/umpire-dev/umpire/internal/filelock"
)

// Lock keeps a second gateway away from what a file stands for. The system drops it with the process.
func Lock(path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	switch got, err := filelock.Try(f); {
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	case !got:
		return nil, errors.Join(fmt.Errorf("another gateway uses %s: stop it, or name another folder", path), f.Close())
	}
	return f.Close, nil
}
