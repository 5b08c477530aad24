package atomicfile_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/umpire-dev/umpire/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path, target := filepath.Join(dir, "x"), filepath.Join(dir, "target")
	for i, data := range []string{"first", "", "second\n"} {
		if err := atomicfile.Write(path, []byte(data), 0o640); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil || string(b) != data {
			t.Errorf("%d: %q, %v", i, b, err)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o640 {
			t.Errorf("%d: %v, %v", i, info.Mode(), err)
		}
	}
	if err := os.WriteFile(target, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(link, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(target); err != nil || string(b) != "kept" {
		t.Errorf("what a link leads to: %q, %v", b, err)
	}
}

func TestFailureLeavesAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Write(path, []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	missing := filepath.Join(dir, "no", "x")
	if err := atomicfile.Write(missing, []byte("x"), 0o600); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestReadersSeeOneOrTheOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	a, b := bytes.Repeat([]byte("a"), 1<<18), bytes.Repeat([]byte("b"), 1<<17)
	if err := atomicfile.Write(path, a, 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, data := range [][]byte{a, b} {
		all.Go(func() {
			for range 50 {
				if err := atomicfile.Write(path, data, 0o600); err != nil && runtime.GOOS != "windows" {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		if got, err := os.ReadFile(path); err == nil && !bytes.Equal(got, a) && !bytes.Equal(got, b) {
			t.Fatalf("%d bytes that nobody wrote", len(got))
		}
	}
	all.Wait()
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	var all sync.WaitGroup
	made := make(chan string, 20)
	for i := range 20 {
		all.Go(func() {
			text := string(rune('a' + i))
			switch err := atomicfile.Create(path, []byte(text), 0o600); {
			case err == nil:
				made <- text
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	all.Wait()
	close(made)
	b, err := os.ReadFile(path)
	if first := <-made; err != nil || string(b) != first {
		t.Errorf("%q was made, and %q is there, %v", first, b, err)
	}
	if second, ok := <-made; ok {
		t.Errorf("%q was made, too", second)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}
