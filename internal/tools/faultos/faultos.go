//go:build linux && amd64

package faultos

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

// Run runs a command until it ends, with a fault. It kills processes that the command leaves behind.
func Run(t *testing.T, c *exec.Cmd, f Fault) ProgramResult {
	t.Helper()
	p, err := start(c, f.resolved(t))
	if err != nil {
		t.Fatal(err)
	}
	return p.end(t, c)
}

// resolved returns the fault with the root as the kernel names it.
func (f Fault) resolved(t *testing.T) Fault {
	t.Helper()
	if f.Root != "" {
		root, err := filepath.EvalSymlinks(f.Root)
		if err != nil {
			t.Fatal(err)
		}
		f.Root = root
	}
	return f
}

// below returns a path as seen from the root, and whether it is below it.
func (f Fault) below(path string) (string, bool) {
	path = strings.TrimSuffix(path, " (deleted)")
	rest, ok := strings.CutPrefix(filepath.Clean(path), f.Root)
	return strings.TrimPrefix(rest, "/"), ok && (rest == "" || rest[0] == '/')
}
