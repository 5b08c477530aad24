package model

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/filelock"
)

// maxFile bounds the files of this package, in bytes.
const maxFile = 64 << 10

// lockTime is how long a process waits for another to let go of a file.
const lockTime = 2 * time.Second

// read decodes a file into v. A file that is missing, too large or damaged leaves v as
// it is: what is kept here can be forgotten, except where the caller says otherwise.
func read(path string, v any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file: remove it", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return err
	}
	if len(data) > maxFile {
		return fmt.Errorf("%s is larger than %d bytes: remove it", path, maxFile)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// write puts v into a file, whole or not at all.
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
	defer l.Close() // and the lock with it
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
