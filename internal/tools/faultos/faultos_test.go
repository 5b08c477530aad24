//go:build linux && amd64

package faultos_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/umpire-dev/umpire/internal/tools/faultos"
)

// A shell that writes two files is failed, cut and killed at each of its calls.
func TestRun(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		mode      faultos.Mode
		nth       int
		what      string
		status    int
		one, two  string
		oneExists bool
	}{
		{faultos.Fail, 1, "open one", 0, "", "second\n", false},
		{faultos.Fail, 2, "write one", 0, "", "second\n", true},
		{faultos.Full, 1, "open one", 2, "", "", false},
		{faultos.Torn, 1, "write one", -1, "fir", "", true},
		{faultos.Kill, 2, "write one", -1, "", "", true},
		{faultos.Kill, 99, "", 0, "first\n", "second\n", true},
	} {
		dir := t.TempDir()
		c := exec.CommandContext(t.Context(), shell, "-c", "echo first >one; echo second >two")
		c.Dir, c.Stderr = dir, nil
		r := faultos.Run(t, c, faultos.Fault{Nth: tt.nth, Mode: tt.mode, Calls: faultos.Writes, Root: dir})
		one, err := os.ReadFile(filepath.Join(dir, "one"))
		two, _ := os.ReadFile(filepath.Join(dir, "two")) // it need not be there
		if r.What != tt.what || r.Status != tt.status || string(one) != tt.one || string(two) != tt.two || tt.oneExists != (err == nil) {
			t.Errorf("%s at %d: %+v, one %q (%v), two %q, want %+v", tt.mode, tt.nth, r, one, err, two, tt)
		}
	}
}

// Threads and children are followed, and what is left running ends with the program.
func TestChildrenAreFollowed(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	c := exec.CommandContext(t.Context(), shell, "-c", "(echo x >one); sleep 600 & echo y >two")
	c.Dir = dir
	r := faultos.Run(t, c, faultos.Fault{Nth: 1, Mode: faultos.Fail, Calls: faultos.Writes, Root: dir})
	if _, err := os.Stat(filepath.Join(dir, "two")); r.What != "open one" || err != nil {
		t.Errorf("got %+v, and two: %v; want the child's open to fail and the shell to go on", r, err)
	}
}
