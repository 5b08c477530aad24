// Package project loads, compiles and changes the policy of the project that a command works
// in.
package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/decision"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
	"github.com/umpire-dev/umpire/reader"
)

// OwnSettings reads the settings of the administrator and the user for models and people. It
// does not open the project's file, because an agent can write it.
func OwnSettings(home, workspace string) (*policyfile.Loaded, error) {
	paths := snapshot.DefaultLayers(home, workspace, os.Getenv)
	paths.Project = ""
	return readSettings(paths)
}

// Project is the folder that a command works in, with its policy.
type Project struct {
	Dir       string // absolute
	Workspace string // the folder of the repository around Dir, "" outside one
	Home      string // the user's home folder
}

// At returns the project of dir, "" for the working directory.
func At(dir string) (Project, error) {
	if dir == "" {
		d, err := os.Getwd()
		if err != nil {
			return Project{}, fmt.Errorf("the folder that you are in cannot be used: %w; change to another one and try again", err)
		}
		dir = d
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Project{}, err
	}
	own := home.Dir(os.Getenv)
	return Project{dir, platform.Workspace(dir, "", own), own}, nil
}

// Policy compiles the project's policy. A file, if named, replaces the user's.
func (p Project) Policy(file string) (*policy.Policy, *policyfile.Loaded, error) {
	paths := snapshot.DefaultLayers(p.Home, p.Workspace, os.Getenv)
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

// Settings reads the settings of the project's policy without compiling its rules.
func (p Project) Settings() (*policyfile.Loaded, error) {
	return readSettings(snapshot.DefaultLayers(p.Home, p.Workspace, os.Getenv))
}

func readSettings(layers policyfile.Paths) (*policyfile.Loaded, error) {
	ps, err := parsed.Packs()
	if err != nil {
		return nil, err
	}
	return policyfile.Load(layers, ps)
}

// Decide completes an action, reads it into operations and decides by a policy.
func Decide(p *policy.Policy, a *umpire.Action) ([]umpire.Operation, umpire.Decision, error) {
	res, err := decision.New(p, reader.Local()).Decide(context.Background(), *a)
	*a = res.Action
	return res.Operations, res.Decision, err
}
