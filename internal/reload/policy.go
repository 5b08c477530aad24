package reload

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

// Folder returns the absolute path of a folder; "" means the working directory. Anything but a
// folder is an error: no project's rules would apply there.
func Folder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(abs)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: abs, Err: syscall.ENOTDIR}
	}
	return abs, err
}

// OpenPolicy opens the policy of a workspace's layers. It reads no YAML if there are no policy
// files, or if the user's cache has their compiled form, and stores newly compiled policies
// there.
func OpenPolicy(layers snapshot.Layers, home, workspace string, tell func(fault error)) (*Files[*policy.Policy], error) {
	return Open(layers, func() (*policy.Policy, error) { return cached(layers, home, workspace) }, tell)
}

// OpenFile opens the policy of one file, without the machine's, the user's and the project's.
func OpenFile(path string, tell func(fault error)) (*Files[*policy.Policy], error) {
	layers := snapshot.Layers{User: path}
	return Open(layers, func() (*policy.Policy, error) {
		// If the file is missing, the built-in policy would apply, which no one chose.
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		return compile(layers)
	}, tell)
}

// Source reads the sources of the policy of some layers.
func Source(layers snapshot.Layers) (*policy.Source, error) {
	builtin, err := parsed.Packs()
	if err != nil {
		return nil, err
	}
	l, err := policyfile.Load(layers, builtin)
	if err != nil {
		return nil, err
	}
	return &l.Source, nil
}

func cached(layers snapshot.Layers, home, workspace string) (*policy.Policy, error) {
	builtin, err := packs.Default()
	if err != nil {
		return nil, err
	}
	if layers.Empty() {
		return builtin, nil
	}
	cache := snapshot.CacheDir(home, workspace, os.Getenv)
	if cache == "" {
		return compile(layers)
	}
	path := layers.Name(cache, workspace)
	if p, ok := kept(path, builtin.Hash(), layers); ok {
		return p, nil
	}
	s := &snapshot.Snapshot{Build: builtin.Hash(), Written: time.Now(), Sources: snapshot.StatAll(layers.Watched())}
	if s.Policy, err = compile(layers); err != nil {
		return nil, err // the last valid one stays in the cache, for the hook
	}
	_ = snapshot.Write(path, s) // a full or read-only cache costs time, but does not disable rules
	return s.Policy, nil
}

// kept returns the compiled policy in the cache, if it matches the files' current state and is
// intact.
func kept(path, build string, layers snapshot.Layers) (*policy.Policy, bool) {
	s, err := snapshot.Open(path, build, snapshot.Stat)
	if err != nil || s.Fault != "" || s.Of(layers) != nil {
		return nil, false
	}
	// The file may be mapped, and an agent lives long: a writer to the file would change its
	// policy, and truncating it would crash the agent.
	p, err := policy.Open(strings.Clone(s.Policy.Bytes()))
	return p, err == nil && p.Intact()
}

func compile(layers snapshot.Layers) (*policy.Policy, error) {
	builtin, err := parsed.Packs()
	if err != nil {
		return nil, err
	}
	p, _, err := policyfile.Compile(layers, builtin)
	return p, err
}
