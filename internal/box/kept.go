package box

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/changes"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/host"
	places "github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// Changes returns the changes of a run.
func (r *Run) Changes() *changes.Box {
	return &changes.Box{ID: r.ID, Dir: r.Config.Dir, State: r.Config.State, Started: r.Started}
}

func dir() (string, error) {
	state, err := audit.DefaultDir()
	return filepath.Join(state, "runs"), err
}

// Ended is like Last, for a run that has ended. It rejects a running one: its program could replace
// a change between its display and its application.
func Ended(id string) (*Run, error) {
	r, err := Last(id)
	if err == nil && sandbox.Running(&r.Config) {
		err = fmt.Errorf("run %s is still running and could change what you saw: stop it first, or use `umpire changes review`", r.ID)
	}
	return r, err
}

// Last returns the run with that ID, or the last one of this project.
func Last(id string) (*Run, error) {
	dir, err := dir()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	at, err := project.At("")
	if err != nil {
		return nil, err
	}
	for _, e := range slices.Backward(entries) { // their names begin with the time
		if id != "" && e.Name() != id {
			continue
		}
		r, err := readRun(filepath.Join(dir, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // a run that never started
		}
		if err != nil {
			return nil, err
		}
		if real, err := filepath.EvalSymlinks(at.Dir); id != "" || err == nil && (real == r.Config.Dir || strings.HasPrefix(real, r.Config.Dir+"/")) {
			return r, nil
		}
	}
	if id != "" {
		return nil, fmt.Errorf("there is no run %q", id)
	}
	return nil, errors.New("no run of this folder: start one with `umpire run -- COMMAND`, or select another with --run")
}

// All returns the stored runs, oldest first.
func All() (list []*Run, err error) {
	dir, err := dir()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir) // their names begin with the time
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		r, err := readRun(filepath.Join(dir, e.Name()))
		if errors.Is(err, os.ErrNotExist) {
			continue // a run that never started
		}
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// readRun reads the run that is stored in dir, whatever folder its record names.
func readRun(dir string) (*Run, error) {
	data, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		return nil, err
	}
	var r Run
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	r.Config.State = dir
	return &r, nil
}

// Discard deletes a run with its changes.
func (r *Run) Discard() error {
	if sandbox.Running(&r.Config) {
		return fmt.Errorf("run %s is still running: stop it first", r.ID)
	}
	// An overlay creates folders that no one may read, and a killed run leaves them behind.
	if err := os.Chmod(filepath.Join(r.Config.State, "work", "work"), 0o700); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.RemoveAll(r.Config.State)
}

// Sensitive reports whether a change affects a file that programs, agents or umpire obey. The gateway
// never writes such a file without a question, so commands warn people as well.
func (r *Run) Sensitive(e *changes.ChangedPath) bool {
	m := places.Map{Workspace: r.Config.Dir, Dir: r.Config.Dir, Home: r.Config.Home}
	return slices.ContainsFunc([]string{e.Path, e.From}, func(p string) bool {
		at := filepath.Join(r.Config.Dir, p)
		_, where := m.Resolve(at)
		return p != "" && (where|gateway.SensitivePlacesAt(m, at, e.Kind == host.Symlink, e.Target))&gateway.SensitivePlaces != 0
	})
}
