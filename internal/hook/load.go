package hook

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

// compileTime limits how long umpire may take to compile a changed policy.
const compileTime = 3 * time.Second

var errSlow = errors.New("umpire policy compile took too long")

// load opens the policy in force. It may return faults together with a policy: the last valid one,
// or the built-in one.
func (h *Hook) load(a *umpire.Action) (p *policy.Policy, failure string) {
	builtin, err := packs.Default()
	if err != nil {
		return nil, "the built-in policy: " + err.Error()
	}
	layers := snapshot.DefaultLayers(a.Home, a.Workspace, h.Getenv)
	if layers.Empty() {
		return builtin, ""
	}
	cache := snapshot.CacheDir(a.Home, a.Workspace, h.Getenv)
	if cache == "" {
		return builtin, "there is no home folder to keep the compiled policy in"
	}
	path := layers.Name(cache, a.Workspace)
	s, err := snapshot.Open(path, builtin.Hash(), snapshot.Stat)
	if err == nil && s.Of(layers) == nil {
		return s.Policy, s.Fault
	}
	before, _ := snapshot.Last(path) // if there is none, latest fails
	failed := h.Compile(a.Workspace, "")
	s, err = latest(path, builtin.Hash(), layers)
	unchanged := err == nil && failed != nil && before != nil && s.Written.Equal(before.Written)
	if (err != nil || unchanged) && !errors.Is(failed, errSlow) { // there is no time for a second wait
		// A cache that is full, read-only or another user's must not disable the user's rules, nor keep old
		// ones in force.
		if aside, again := h.compileTemporary(a, layers, builtin.Hash()); again == nil && (err != nil || aside.Fault == "") {
			return aside.Policy, aside.Fault
		}
	}
	switch {
	case err != nil && failed != nil:
		return builtin, "the built-in policy is in force: " + failed.Error()
	case err != nil:
		return builtin, "the built-in policy is in force: " + err.Error()
	case failed != nil && s.Fault == "":
		return s.Policy, "the last good policy is in force: " + failed.Error()
	}
	return s.Policy, s.Fault
}

// compileTemporary compiles the policy into a temporary folder for this call only.
func (h *Hook) compileTemporary(a *umpire.Action, layers snapshot.Layers, build string) (*snapshot.Snapshot, error) {
	dir, err := os.MkdirTemp(h.Getenv("TMPDIR"), "umpire-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := h.Compile(a.Workspace, dir); err != nil {
		return nil, err
	}
	return latest(layers.Name(dir, a.Workspace), build, layers)
}

// latest opens a policy that was just compiled.
func latest(path, build string, layers snapshot.Layers) (*snapshot.Snapshot, error) {
	s, err := snapshot.Open(path, build, snapshot.Stat)
	if errors.Is(err, snapshot.ErrStale) {
		// The files changed within one tick of the clock, and the next call will notice; or they
		// could not be compiled. Use the last valid policy.
		s, err = snapshot.Last(path)
	}
	if err != nil {
		return nil, err
	}
	return s, s.Of(layers)
}

// compile starts umpire to compile the policy. This is a separate program, because YAML would slow
// every start of this one. cache replaces the usual folder if set.
func compile(workspace, cache string) error {
	prog, err := Sibling("umpire")
	if err != nil {
		return err
	}
	return compileWith(prog, workspace, cache)
}

func compileWith(prog, workspace, cache string) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	// Clients wait until the last holder of their pipes is gone: it gets none of them.
	proc, err := os.StartProcess(prog, []string{prog, "policy", "compile", "--quiet", "--dir", workspace, "--cache", cache}, &os.ProcAttr{Dir: "/", Files: []*os.File{null, null, null}})
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		state, err := proc.Wait()
		if err == nil && !state.Success() {
			err = errors.New("umpire policy compile failed: run `umpire policy check`")
		}
		done <- err
	}()
	timer := time.NewTimer(compileTime)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		_ = proc.Kill()
		return errSlow
	}
}

// Sibling returns the path of another umpire program in this program's folder.
func Sibling(name string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return filepath.Join(filepath.Dir(exe), name+filepath.Ext(exe)), nil
}
