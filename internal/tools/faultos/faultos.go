//go:build linux && amd64

package faultos

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Mode is the fate of the nth call.
type Mode string

// The modes.
const (
	Fail Mode = "fails"           // the call is not made and returns an error
	Full Mode = "full disk"       // this call and all later ones that need space return ENOSPC
	Torn Mode = "torn and killed" // a write leaves half of its bytes, and the program is killed
	Kill Mode = "killed"          // the program is killed before the call
	Hang Mode = "hangs"           // the call never returns
)

// Calls says which system calls count.
type Calls string

// The calls.
const (
	Writes Calls = "writes" // that change files below Root
	Files  Calls = "files"  // that read or change files below Root
	Box    Calls = "box"    // calls that change the rights or the view of a process: mounts, namespaces, capabilities, filters
)

// A Fault is one call of a program that goes wrong. The zero Nth lets all calls through.
type Fault struct {
	Nth   int
	Mode  Mode
	Calls Calls
	Root  string // counts only calls on files below this folder
	Own   bool   // counts only calls of the program itself, and not of its children
}

// ProgramResult is the outcome of the program.
type ProgramResult struct {
	What   string // the failed call, such as "rename settings.json"; "" if there were fewer calls
	Status int    // the exit status; -1 after a kill
}

const variable = "UMPIRE_TEST_FAULTOS"

// order is the command for the tracer.
type order struct {
	Fault
	Args []string
}

// Run runs a command until it ends, with a fault. It kills processes that the command leaves behind.
func Run(t *testing.T, c *exec.Cmd, f Fault) ProgramResult {
	t.Helper()
	if f.Root != "" {
		root, err := filepath.EvalSymlinks(f.Root)
		if err != nil {
			t.Fatal(err)
		}
		f.Root = root
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(order{f, append([]string{c.Path}, c.Args[1:]...)})
	if err != nil {
		t.Fatal(err)
	}
	report, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer report.Close()
	c.Path, c.Args = self, []string{self}
	c.Env = append(c.Environ(), variable+"="+string(text))
	c.ExtraFiles = []*os.File{w}
	if err := errors.Join(c.Start(), w.Close()); err != nil {
		t.Fatal(err)
	}
	var r ProgramResult
	failed := json.NewDecoder(report).Decode(&r)
	if err := c.Wait(); err != nil || failed != nil {
		t.Fatalf("trace %s: %v, %v, want a report", text, err, failed)
	}
	return r
}

func init() {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	report := os.NewFile(3, "report")
	unix.CloseOnExec(3)
	var o order
	err := errors.Join(os.Unsetenv(variable), json.Unmarshal([]byte(text), &o))
	if err == nil {
		var r ProgramResult
		if r, err = trace(o); err == nil {
			err = json.NewEncoder(report).Encode(r)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faultos:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// below returns a path as seen from the root, and whether it is below it.
func (f Fault) below(path string) (string, bool) {
	path = strings.TrimSuffix(path, " (deleted)")
	rest, ok := strings.CutPrefix(filepath.Clean(path), f.Root)
	return strings.TrimPrefix(rest, "/"), ok && (rest == "" || rest[0] == '/')
}
