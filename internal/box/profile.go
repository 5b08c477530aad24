package box

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/snapshot"
)

// UseProfile shows the sandbox the files of an agent and of its hook, which then decides inside as
// it would outside.
func UseProfile(r *Run, p *sandbox.Profile, at project.Project) error {
	r.Profile = p.Name
	c := &r.Config
	if err := p.Show(c, os.Getenv); err != nil {
		return err
	}
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} { // they locate umpire's files
		if dir := os.Getenv(name); filepath.IsAbs(dir) {
			c.Env = append(c.Env, name+"="+dir)
		}
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	programs := []string{exe, filepath.Join(filepath.Dir(exe), "umpire-hook")}
	if path, err := exec.LookPath("umpire-hook"); err == nil {
		programs = append(programs, path, filepath.Join(filepath.Dir(path), "umpire"))
	}
	for _, path := range programs {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			c.ReadOnly = append(c.ReadOnly, real, path)
		}
	}
	// An empty folder replaces a missing one: otherwise the program could create a policy, or a
	// record of a trusted folder, for the hook.
	user := snapshot.DefaultLayers(at.Home, at.Workspace, os.Getenv).User
	cache := cacheOf(at)
	state, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	if user == "" || cache == "" {
		return errors.New("cannot find the policy of the hook: set HOME")
	}
	none := filepath.Join(c.State, "none")
	orNone := func(path string) string {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		return none
	}
	config := filepath.Dir(user)
	shown, err := realPath(config) // created by readyHook: a policy that appears there later applies in the sandbox
	if err != nil {
		return err
	}
	c.Shown = append(c.Shown,
		sandbox.Mount{From: shown, To: config},
		sandbox.Mount{From: cache, To: cache},
		sandbox.Mount{From: filepath.Join(c.State, "record"), To: state, Writable: true},
		sandbox.Mount{From: orNone(filepath.Join(at.Home, home.State, "believed")), To: filepath.Join(state, "believed")},
	)
	entries, err := os.ReadDir(config)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(config, e.Name())
		switch real, err := filepath.EvalSymlinks(path); {
		case !anyof.Equal(filepath.Ext(path), ".yaml", ".yml") && e.Name() != "trust":
			c.Hidden = append(c.Hidden, path) // tokens, for example
		case err == nil && e.Type()&os.ModeSymlink != 0:
			c.ReadOnly = append(c.ReadOnly, real) // otherwise the policy would be missing
		}
	}
	slices.Sort(c.ReadOnly)
	c.ReadOnly = slices.Compact(c.ReadOnly)
	return nil
}

// cacheOf returns the folder of compiled policies.
func cacheOf(at project.Project) string { return snapshot.CacheDir(at.Home, at.Workspace, os.Getenv) }

// ReadyHook creates the folders that a profile shows, and compiles the policy: inside, the hook
// cannot store the result.
func ReadyHook(ctx context.Context, r *Run, at project.Project) error {
	layers := snapshot.DefaultLayers(at.Home, at.Workspace, os.Getenv)
	for _, dir := range []string{filepath.Join(r.Config.State, "none"), filepath.Join(r.Config.State, "record"), cacheOf(at), filepath.Dir(layers.User)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	if layers.Empty() {
		return nil
	}
	builtin, err := packs.Default()
	if err != nil {
		return err
	}
	if _, err := snapshot.Open(layers.Name(cacheOf(at), at.Workspace), builtin.Hash(), snapshot.Stat); err == nil {
		return nil
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, exe, "policy", "compile", "--quiet")
	cmd.Dir = at.Dir
	_ = cmd.Run() // with faults the last valid policy stays in force, as outside
	return nil
}

// maxKept and maxKeptSize limit the events of a sandbox that are added to the user's audit log.
const (
	maxKept     = 100_000
	maxKeptSize = 256 << 20 // bytes, also of a file without events
)

// KeepRecord adds the events of the sandbox's hook to the audit log. The program inside could forge
// events, so each one names its run.
func KeepRecord(r *Run) error {
	from := filepath.Join(r.Config.State, "record")
	dir, err := audit.DefaultDir()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	size := int64(0)
	for _, e := range entries { // a pipe would block, a link could lead to the host's files, and a sparse file has no end
		fi, err := e.Info()
		if err != nil || !fi.Mode().IsRegular() && !fi.IsDir() {
			return errors.Join(err, fmt.Errorf("%q in the audit log of the run is not a file: ignored %s", e.Name(), from))
		}
		if size += fi.Size(); size > maxKeptSize {
			return fmt.Errorf("the audit log of the run is larger than %d MiB: ignored %s", maxKeptSize>>20, from)
		}
	}
	log, err := audit.Open(dir, audit.Options{})
	if err != nil {
		return err
	}
	n := 0
	for rec, err := range audit.Read(from, audit.Query{}) {
		if audit.IsMissing(err) {
			break
		}
		if err != nil {
			return fmt.Errorf("could not merge the audit log of the run; it stays in %s: %w", from, err)
		}
		if rec.Chain != nil {
			continue // describes the file in the sandbox
		}
		if n++; n > maxKept {
			return fmt.Errorf("the audit log of the run has more than %d events; the rest stays in %s", maxKept, from)
		}
		e := rec.Event
		e.Data = maps.Clone(e.Data)
		if e.Data == nil {
			e.Data = map[string]string{}
		}
		e.Data["run"] = r.ID
		if err := log.Append(&e); err != nil {
			return fmt.Errorf("could not merge the audit log of the run; it stays in %s: %w", from, err)
		}
	}
	return os.RemoveAll(from)
}

// HintEndpoints prints the hosts that an agent needs and the policy does not list. Only the user
// may allow them.
func HintEndpoints(w io.Writer, p *sandbox.Profile, at project.Project) error {
	loaded, err := at.Settings()
	if err != nil {
		return err
	}
	var missing []string
	for _, host := range p.Endpoints {
		listed := false
		for _, e := range loaded.Source.AllowedEndpoints {
			name, _, _ := strings.Cut(e.Host, ":")
			below, wild := strings.CutPrefix(name, "*.")
			listed = listed || name == host || wild && (host == below || strings.HasSuffix(host, "."+below))
		}
		if !listed {
			missing = append(missing, host)
		}
	}
	if len(missing) > 0 {
		_, err = fmt.Fprintf(w, "umpire: %s needs its model at %s, and the policy may ask you about each connection. To allow all of them, add `allowedEndpoints: [%s]` to your policy\n", p.Title, missing[0], strings.Join(missing, ", "))
	}
	return err
}
