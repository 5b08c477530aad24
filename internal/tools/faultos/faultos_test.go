//go:build linux && amd64

package faultos_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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

// errand writes a file named for the environment, and ends as it is told.
type errand struct{ Dir, End string }

func init() { faultos.Errand(errand.run) }

func (e errand) run() error {
	if err := os.WriteFile(filepath.Join(e.Dir, os.Getenv("UMPIRE_TEST_NAME")), strconv.AppendInt(nil, int64(os.Getpid()), 10), 0o600); err != nil {
		return err
	}
	switch e.End {
	case "error":
		return errors.New("an error of\ntwo lines")
	case "panic":
		panic("at the end")
	}
	return nil
}

// One process runs errand after errand, each with its own fault and the test's environment, until one ends it.
func TestRunErrand(t *testing.T) {
	process := ""
	for _, tt := range []struct {
		end    string
		f      faultos.Fault
		result faultos.ProgramResult
		said   string
		again  bool // the process is that of the errand before
	}{
		{"", faultos.Fault{}, faultos.ProgramResult{}, "", false},
		{"error", faultos.Fault{}, faultos.ProgramResult{Status: 1}, "an error of\ntwo lines\n", true},
		{"", faultos.Fault{Mode: faultos.Kill, Nth: 9}, faultos.ProgramResult{}, "", true},
		{"", faultos.Fault{Mode: faultos.Fail, Nth: 2}, faultos.ProgramResult{What: "write a", Status: 1}, "input/output error", false},
		{"", faultos.Fault{Mode: faultos.Full, Nth: 1}, faultos.ProgramResult{What: "open a", Status: 1}, "no space left", false},
		{"", faultos.Fault{Mode: faultos.Torn, Nth: 1}, faultos.ProgramResult{What: "write a", Status: -1}, "", false},
		{"panic", faultos.Fault{}, faultos.ProgramResult{Status: 2}, "panic: at the end", false},
		{"", faultos.Fault{}, faultos.ProgramResult{}, "", false},
	} {
		dir := t.TempDir()
		t.Setenv("UMPIRE_TEST_NAME", "a")
		f := tt.f
		f.Calls, f.Root = faultos.Writes, dir
		r, said := faultos.RunErrand(t, errand{dir, tt.end}, f)
		b, err := os.ReadFile(filepath.Join(dir, "a"))
		if r != tt.result || !strings.Contains(said, tt.said) || tt.said == "" && said != "" || tt.again && string(b) != process {
			t.Errorf("%q at %+v: %+v, %q, by process %s after %s, %v; want %+v", tt.end, tt.f, r, said, b, process, err, tt)
		}
		process = string(b)
	}
	t.Setenv("UMPIRE_TEST_NAME", "b")
	dir := t.TempDir()
	faultos.RunErrand(t, errand{dir, ""}, faultos.Fault{})
	if _, err := os.Stat(filepath.Join(dir, "b")); err != nil {
		t.Errorf("with another environment: %v", err)
	}
}
