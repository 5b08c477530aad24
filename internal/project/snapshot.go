package project

import (
	"os"
	"time"

	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

// Snapshot returns the path of the project's compiled policy.
func (p Project) Snapshot(cache string) string {
	return snapshot.DefaultLayers(p.Home, p.Workspace, os.Getenv).Name(cache, p.Workspace)
}

// Compile writes the project's compiled policy. If the files have faults, it writes the last
// valid policy, or the policy without those files, and returns the faults.
func (p Project) Compile(cache string, builtin, otherwise *policy.Policy) (compiled *policy.Policy, fault, err error) {
	layers := snapshot.DefaultLayers(p.Home, p.Workspace, os.Getenv)
	s := &snapshot.Snapshot{Build: builtin.Hash(), Written: time.Now(), Sources: snapshot.StatAll(layers.Watched())}
	path := p.Snapshot(cache)
	if s.Policy, _, fault = p.Policy(""); fault != nil {
		s.Policy, s.Fault = otherwise, fault.Error()
		if last, err := snapshot.Last(path); err == nil {
			s.Policy = last.Policy
		}
	}
	return s.Policy, fault, snapshot.Write(path, s)
}
