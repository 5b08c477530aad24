package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	l := fill(t, dir, 40, Options{MaxSize: 6000})
	r := verify(t, dir)
	if !r.OK() || r.Files < 3 || r.First != 1 {
		t.Fatalf("got %+v, want a sound log in several files", r)
	}
	// A crash between the rename and the new file.
	names, err := closedFiles(machine{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, logName), filepath.Join(dir, fmt.Sprintf("audit-%06d.jsonl", len(names)+1))); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, dir); !r.OK() {
		t.Errorf("after a half rotation: %v", r.Faults)
	}
	if err := l.Append(sample()); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, dir); !r.OK() {
		t.Errorf("after a half rotation and an append: %v", r.Faults)
	}
	// A whole file is gone.
	if err := os.Remove(filepath.Join(dir, names[1])); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, dir); r.OK() || r.Faults[0].Why != Deleted {
		t.Errorf("a missing file: %v", r.Faults)
	}
}

// A file is full when the next line does not fit, and not a byte sooner.
func TestRotatesAtItsSize(t *testing.T) {
	twice := func(o Options) (dir string) {
		dir = t.TempDir()
		l, err := Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			e := named("a")
			e.Time = time.Unix(1, 0)
			if err := l.Append(e); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	size := int64(len(read(t, twice(Options{}), logName)))
	for max, want := range map[int64]int{size: 1, size - 1: 2} {
		if r := verify(t, twice(Options{MaxSize: max})); !r.OK() || r.Files != want {
			t.Errorf("lines of %d bytes in files of %d: got %d files, want %d", size, max, r.Files, want)
		}
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 60, Options{MaxSize: 6000, Keep: 2})
	r := verify(t, dir)
	if !r.OK() || r.Files != 3 || r.First <= 1 {
		t.Fatalf("got %+v, want a sound log in several files", r)
	}
	names, err := closedFiles(machine{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, names[0])); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, dir); r.OK() || r.Faults[0].Why != Deleted {
		t.Errorf("a file that no rotation dropped is gone: %v", r.Faults)
	}
}
