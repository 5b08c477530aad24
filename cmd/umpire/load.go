package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/decision"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
	"github.com/umpire-dev/umpire/reader"
)

// place is where a command judges from.
type place struct {
	dir, workspace, home string
}

// here tells the place of dir, "" for the working directory.
func here(dir string) (place, error) {
	if dir == "" {
		d, err := os.Getwd()
		if err != nil {
			return place{}, fmt.Errorf("cannot determine the working directory: %w; pass one with --dir", err)
		}
		dir = d
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return place{}, err
	}
	home, _ := os.UserHomeDir()
	return place{dir, platform.Workspace(dir, "", home), home}, nil
}

// namedFolder is here for what a flag names, which must be a folder: a judgement as from anywhere
// else would be of another project.
func namedFolder(dir string) (place, error) {
	if dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return place{}, usageError{fmt.Errorf("%s is not a folder: pass the project folder with -C", visible.Line(dir))}
		}
	}
	return here(dir)
}

// load compiles the policy that is in force at a place. A file, if named, takes the
// place of the user's.
func (p place) load(file string) (*policy.Policy, *policyfile.Loaded, error) {
	paths := snapshot.DefaultLayers(p.home, p.workspace, os.Getenv)
	if file != "" {
		if _, err := os.Stat(file); err != nil {
			return nil, nil, err
		}
		paths = policyfile.Paths{User: file}
	}
	ps, err := parsed.Packs()
	if err != nil {
		return nil, nil, err
	}
	return policyfile.Compile(paths, ps)
}

// settings reads what the policies say, without compiling their rules.
func (p place) settings() (*policyfile.Loaded, error) {
	return readSettings(snapshot.DefaultLayers(p.home, p.workspace, os.Getenv))
}

func readSettings(layers policyfile.Paths) (*policyfile.Loaded, error) {
	ps, err := parsed.Packs()
	if err != nil {
		return nil, err
	}
	return policyfile.Load(layers, ps)
}

// judge reads an action and decides it. It completes the action.
func judge(p *policy.Policy, a *umpire.Action) ([]umpire.Operation, umpire.Decision, error) {
	res, err := decision.New(p, reader.Local()).Decide(context.Background(), *a)
	*a = res.Action
	return res.Operations, res.Decision, err
}

// maxSmall bounds files that hold a token, a certificate or a policy, in bytes.
const maxSmall = 1 << 20

// readSmall reads a file that somebody named. It may be a device that never ends.
func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	if err == nil && len(b) > maxSmall {
		err = fmt.Errorf("%s is larger than %d bytes: pass another file", path, maxSmall)
	}
	return b, err
}
