package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	l := fill(t, dir, 40, Options{MaxSize: 6000})
	r := verify(t, dir)
	if !r.OK() || r.Files < 3 || r.First != 1 {
		t.Fatalf("%+v", r)
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

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 60, Options{MaxSize: 6000, Keep: 2})
	r := verify(t, dir)
	if !r.OK() || r.Files != 3 || r.First <= 1 {
		t.Fatalf("%+v", r)
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
