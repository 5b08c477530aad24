//go:build unix

package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/store"
)

// A killed gateway's lock outlives it for a moment in a copy of its file that a child has. The
// next gateway waits for that, and not for one that runs.
func TestLockOfKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	child, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil { // the gateway is gone
		t.Fatal(err)
	}
	type result struct {
		unlock func() error
		err    error
	}
	got := make(chan result, 1)
	go func() {
		unlock, err := store.Lock(t.Context(), path)
		got <- result{unlock, err}
	}()
	select {
	case r := <-got:
		t.Fatalf("the child has it: %v", r.err)
	case <-time.After(100 * time.Millisecond):
	}
	if err := unix.Close(child); err != nil { // its program runs now
		t.Fatal(err)
	}
	r := <-got
	if r.err != nil {
		t.Fatal(r.err)
	}
	if _, err := store.Lock(t.Context(), path); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("another gateway uses %s (process %d): stop it", path, os.Getpid())) || !strings.Contains(err.Error(), "--server") || strings.Contains(err.Error(), "--database") {
		t.Errorf("of one that runs: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Lock(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	if err := r.unlock(); err != nil {
		t.Fatal(err)
	}
}
