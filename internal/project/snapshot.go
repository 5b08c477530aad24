package project

import (
	"os"
	"slices"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
)

// Snapshot returns the path of the project's compiled policy.
func (p Project) Snapshot(cache string) string {
	return snapshot.DefaultLayers(p.Home, p.Workspace, os.Getenv).Name(cache, p.Workspace)
}

// Compile writes the project's compiled policy. If the files have faults, it writes the last
// valid policy, and returns the faults.
func (p Project) Compile(cache string, builtin *policy.Policy) (compiled *policy.Policy, fault, err error) {
	layers := snapshot.DefaultLayers(p.Home, p.Workspace, os.Getenv)
	s := &snapshot.Snapshot{Build: builtin.Hash(), Written: time.Now(), Sources: snapshot.StatAll(layers.Watched())}
	if s.Policy, _, fault = p.Policy(""); fault != nil {
		s.Fault = fault.Error()
		s.Policy, s.Valid = p.lastValid(cache, builtin)
	}
	return s.Policy, fault, snapshot.Write(p.Snapshot(cache), s)
}

// lastValid returns the last valid policy in a cache and when it was compiled: that of the
// project, that of the files for all projects, or the built-in one without a time.
func (p Project) lastValid(cache string, builtin *policy.Policy) (*policy.Policy, time.Time) {
	for _, at := range []Project{p, {Home: p.Home}} {
		last, err := snapshot.Last(at.Snapshot(cache))
		switch {
		case err != nil:
		case last.Fault == "":
			return last.Policy, last.Written
		default:
			return last.Policy, last.Valid
		}
	}
	return builtin, time.Time{}
}

// Fault says why the policy files are not in force.
type Fault struct {
	Err   error     // all faults of the files
	Valid time.Time // when the policy in force was compiled; zero for the built-in one
}

// InForce returns the policy by which the hook decides here: that of the files, or if they have
// faults, the last valid one. Of the latter, loaded has only the rules in force.
func (p Project) InForce() (*policy.Policy, *policyfile.Loaded, *Fault, error) {
	compiled, loaded, err := p.Policy("")
	if err == nil {
		return compiled, loaded, nil, nil
	}
	builtin, failed := packs.Default()
	if failed != nil {
		return nil, nil, nil, failed
	}
	last, fault := builtin, &Fault{Err: err}
	if cache := snapshot.CacheDir(p.Home, p.Workspace, os.Getenv); cache != "" {
		last, fault.Valid = p.lastValid(cache, builtin)
	}
	known, failed := parsed.Packs()
	if failed != nil {
		return nil, nil, nil, failed
	}
	loaded = &policyfile.Loaded{Source: sourceOf(last), Looked: snapshot.DefaultLayers(p.Home, p.Workspace, os.Getenv).Watched()}
	addExamples(loaded.Source.Rules, known)
	return last, loaded, fault, nil
}

// sourceOf returns a source of a compiled policy. Disabled rules, examples and allowed endpoints
// are lost.
func sourceOf(p *policy.Policy) policy.Source {
	s := policy.Source{
		Default: p.Default(), Rules: slices.Collect(p.Rules()), Modes: map[umpire.Kind]policy.Mode{}, AutoApprove: p.AutoApprove(), Observe: p.Observe(), Judge: p.Judge(),
		CannotAsk: p.CannotAsk(), AskFirst: p.AskFirst(), Audit: p.Audit(), ToolOutput: p.ToolOutput(), Prompts: p.Prompts(), Programs: p.Programs(),
	}
	for k := range umpire.Filesystem {
		if m := p.Mode(k); m != policy.ModeUnset {
			s.Modes[k] = m
		}
	}
	return s
}

// addExamples adds the examples of built-in rules, which a compiled policy does not have.
func addExamples(rules []policy.Rule, packs []*policyfile.Pack) {
	builtin := map[string]*policy.Rule{}
	for _, p := range packs {
		for i := range p.Rules {
			builtin[p.Rules[i].ID] = &p.Rules[i]
		}
	}
	for i := range rules {
		if r := builtin[rules[i].ID]; r != nil && rules[i].Layer == policy.Builtin {
			rules[i].Hits, rules[i].Misses = r.Hits, r.Misses
		}
	}
}
