package filelock_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/umpire-dev/umpire/internal/filelock"
)

func TestTry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	a, b := open(), open()
	if got, err := filelock.Try(a); !got || err != nil {
		t.Fatalf("%v, %v", got, err)
	}
	if got, err := filelock.Try(b); got || err != nil {
		t.Errorf("held: %v, %v", got, err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := filelock.Try(b); !got || err != nil {
		t.Errorf("free again: %v, %v", got, err)
	}
	if got, err := filelock.Try(a); got || err == nil {
		t.Errorf("a closed file: %v, %v", got, err)
	}
}
