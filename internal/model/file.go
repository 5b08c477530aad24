package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/filelock"
	"github.com/umpire-dev/umpire/internal/regular"
)

// lockTime limits how long a process waits for another to release a file.
const lockTime = 2 * time.Second

// maxState limits a file in bytes.
const maxState = 1 << 20

// read decodes a file into v. If a file is missing, too large or damaged, v stays unchanged: losing
// this data is harmless unless the caller says otherwise.
func read(path string, v any) error {
	data, err := regular.Read(path, maxState)
	if errors.Is(err, regular.ErrOther) {
		return fmt.Errorf("%w: remove it", err)
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// write encodes v into a file atomically.
func write(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return atomicfile.WriteNoSync(path, data, 0o600)
}

// locked runs f while no other process does so for the same path.
func locked(ctx context.Context, path string, f func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	l, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer l.Close() // also releases the lock
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	for wait := 50 * time.Microsecond; ; wait = min(2*wait, 5*time.Millisecond) {
		got, err := filelock.Try(l)
		if err != nil {
			return fmt.Errorf("lock %s: %w", path, err)
		}
		if got {
			return f()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is locked by another process", path)
		case <-time.After(wait/2 + rand.N(wait)):
		}
	}
}
