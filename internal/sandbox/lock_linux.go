//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// hold marks a run as one whose program runs, until release or the end of this process.
func hold(c *Config) (release func(), err error) {
	f, err := os.OpenFile(lockFile(c), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
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
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil
}

func lockFile(c *Config) string { return filepath.Join(c.State, "lock") }
