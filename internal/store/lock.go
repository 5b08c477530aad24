package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
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
			noteHolder(f)
			return f.Close, nil
		}
		select {
		case <-again.C:
		case <-late:
			return nil, errors.Join(fmt.Errorf("another gateway uses %s%s: stop it, or let umpire run use that gateway with --server and --proxy", path, holder(f)), f.Close())
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, ctx.Err()), f.Close())
		}
	}
}

// noteHolder notes this process in its lock file. The note is only for people, so a full disk fails nothing.
func noteHolder(f *os.File) {
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
}

// holder returns the process that has a lock, in words, or "" if its version does not note it.
func holder(f *os.File) string {
	b := make([]byte, 20)
	n, _ := f.ReadAt(b, 0) // io.EOF for what is shorter
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil || pid <= 0 {
		return ""
	}
	return fmt.Sprintf(" (process %d)", pid)
}
