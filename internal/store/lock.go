package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/umpire-dev/umpire/internal/filelock"
)

// Timeout and interval of Lock while another process is ending.
const (
	lockWithin = 2 * time.Second
	lockEvery  = 10 * time.Millisecond
)

// Lock keeps a second gateway from using a file. The system releases the lock with the process. If
// a process is killed while it starts a program, the child holds the lock until that program runs,
// so Lock waits a moment.
func Lock(ctx context.Context, path string) (unlock func() error, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	late := time.After(lockWithin)
	again := time.NewTicker(lockEvery)
	defer again.Stop()
	for {
		got, err := filelock.Try(f)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		if got {
			return f.Close, nil
		}
		select {
		case <-again.C:
		case <-late:
			return nil, errors.Join(fmt.Errorf("another gateway uses %s: stop it, or let umpire run use that gateway with --server and --proxy", path), f.Close())
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, ctx.Err()), f.Close())
		}
	}
}
