//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/filelock"
)

// hold marks a run as active, until release or the end of this process.
func hold(c *Config) (release func(), err error) {
	f, err := os.OpenFile(lockFile(c), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	got, err := filelock.Try(f)
	for range maxAsking { // Running holds the lock for a moment
		if got || err != nil {
			break
		}
		time.Sleep(time.Millisecond)
		got, err = filelock.Try(f)
	}
	switch {
	case err != nil:
		return nil, errors.Join(err, f.Close())
	case !got:
		return nil, errors.Join(errors.New("the program of this run is already running"), f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// maxAsking limits the wait for another process, in milliseconds.
const maxAsking = 1000

// Running reports whether the program of a run still runs.
func Running(c *Config) bool {
	f, err := os.Open(lockFile(c))
	if err != nil {
		return false
	}
	defer f.Close()
	// A shared lock: two callers must not mistake each other for the program.
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil
}

func lockFile(c *Config) string { return filepath.Join(c.State, "lock") }
