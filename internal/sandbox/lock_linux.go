//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/umpire-dev/umpire/internal/filelock"
)

// hold marks a run as one whose program runs, until release or the end of this process.
func hold(c *Config) (release func(), err error) {
	f, err := os.OpenFile(lockFile(c), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	switch got, err := filelock.Try(f); {
	case err != nil:
		return nil, errors.Join(err, f.Close())
	case !got:
		return nil, errors.Join(errors.New("this run's program runs already"), f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// Running reports whether the program of a run still runs.
func Running(c *Config) bool {
	f, err := os.Open(lockFile(c))
	if err != nil {
		return false
	}
	defer f.Close()
	got, err := filelock.Try(f)
	return err != nil || !got
}

func lockFile(c *Config) string { return filepath.Join(c.State, "lock") }
