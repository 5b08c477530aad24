// Package reader reads an Action into Operations: what a tool call would do, to which
// files, hosts, packages and repositories. It runs nothing.
//
// Shell commands are interpreted, not matched: variables, pipes, wrappers and scripts in
// other languages are followed. A part that only the running program can know becomes an
// umpire.Hole, and its Operation has the trait Unknown.
//
//	ops, err := reader.Read(ctx, &umpire.Action{
//		Tool:  "Bash",
//		Input: json.RawMessage(`{"command":"rm -rf ~"}`),
//		Dir:   "/home/dev/shop",
//	}, reader.Local())
//
// Package policy decides about Operations. Package decision does both in one call.
//
// # Stability
//
// The kinds of Operations and the form of their Resources are stable. The reading of a
// command is not: a later version may read more Operations, or more traits, from the same
// call. Match Operations with package policy, and compare no strings.
package reader

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
)

// Machine is the machine that a call would run on, as far as a reading needs it. Its methods
// must be safe for concurrent use.
type Machine interface {
	// Home returns the home folder of the user whose rights the tools have.
	Home() string
	// Workspace returns the root of the project that dir belongs to.
	Workspace(dir string) string
	// Getenv returns the value of an environment variable that commands inherit.
	Getenv(name string) (value string, ok bool)
	// ReadFile returns the content of a regular file: a script, a Makefile. It should
	// refuse large files and must not block, because the agent may have made a pipe.
	ReadFile(path string) ([]byte, error)
}

// ErrIncomplete means that an Action lacks a field that the reading needs.
var ErrIncomplete = errors.New("incomplete action")

// Read reads what a would do. It fills in the fields Home, Workspace and Temp of a that are
// empty, because rules about ~ and the workspace need them.
//
// There is at least one Operation for every call. A command that cannot be read, and more input
// than the limits allow, gives Operations with the trait Unknown. An error means that
// nothing was read, and that the call must not run. It is ErrIncomplete if a lacks a tool, an
// absolute working directory or a home, if its Input is not JSON, or if a or m is nil. Otherwise ctx
// is done.
func Read(ctx context.Context, a *umpire.Action, m Machine) ([]umpire.Operation, error) {
	return ReadWithPrograms(ctx, a, m, "")
}

// ReadWithPrograms is like Read, with the program descriptions of a policy; see
// policy.Policy.Programs.
func ReadWithPrograms(ctx context.Context, a *umpire.Action, m Machine, programs string) ([]umpire.Operation, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a == nil || m == nil {
		return nil, fmt.Errorf("%w: there is no Action or no Machine: use Local() or a Machine of your own", ErrIncomplete)
	}
	if a.Home == "" {
		a.Home = m.Home()
	}
	switch {
	case a.Tool == "":
		return nil, fmt.Errorf("%w: Tool is empty", ErrIncomplete)
	case !filepath.IsAbs(a.Dir):
		return nil, fmt.Errorf("%w: Dir %q is not an absolute path: set it to the folder that the call would run in", ErrIncomplete, a.Dir)
	case len(a.Input) > 0 && !json.Valid(a.Input):
		return nil, fmt.Errorf("%w: Input is not valid JSON", ErrIncomplete)
	case !filepath.IsAbs(a.Home):
		env, _ := m.Getenv("HOME")
		return nil, fmt.Errorf("%w: Home %q is not an absolute path: set it, or HOME", ErrIncomplete, cmp.Or(a.Home, env))
	}
	if a.Workspace == "" {
		a.Workspace = m.Workspace(a.Dir)
	}
	if a.Temp == "" {
		a.Temp, _ = m.Getenv("TMPDIR")
	}
	env := operation.Env{Programs: programs, Getenv: m.Getenv, ReadFile: func(path string) ([]byte, bool) {
		b, err := m.ReadFile(path)
		return b, err == nil
	}}
	if _, ok := m.(local); ok {
		env.Disk, env.ReadDir, env.Peek = disk.New(a.Home, a.Workspace, a.Temp), platform.ReadDir, platform.ReadFile
	}
	return operation.Read(a, env), ctx.Err()
}

// Local returns the machine that this program runs on, with its user's home and environment. It
// resolves symbolic links in paths. Any other Machine judges paths by their spelling.
func Local() Machine { return local{} }

type local struct{}

func (local) Home() string {
	return home.Dir(os.Getenv) // Read returns an error if there is none
}

func (l local) Workspace(dir string) string     { return platform.Workspace(dir, "", l.Home()) }
func (local) Getenv(name string) (string, bool) { return os.LookupEnv(name) }

func (local) ReadFile(path string) ([]byte, error) {
	b, ok := platform.ReadFile(path)
	if !ok {
		return nil, fmt.Errorf("read %s: not a regular file of moderate size", path)
	}
	return b, nil
}
