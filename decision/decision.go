// Package decision is the policy decision point: an Action goes in, a Decision comes out.
//
// A Point reads the Action (package reader) and decides by a policy (package policy). It
// fails closed: an Action that cannot be read is an error, and the zero Decision denies.
//
//	point, err := decision.Open("/home/dev/shop") // the policy files in force there
//	...
//	res, err := point.Decide(ctx, umpire.Action{Tool: "Bash", Input: input})
//	if err != nil || res.Effect != umpire.Allow {
//		// do not run the call
//	}
//
// A Point neither records nor asks. Package enforce does both, for agents written in Go.
package decision

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/packs/parsed"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/reload"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/policy"
	"github.com/umpire-dev/umpire/reader"
)

// Point decides about Actions. It is safe for concurrent use. New, Open and OpenFile make it;
// the zero value denies with an error.
type Point struct {
	// Dir is the working directory of Actions that have none, as an absolute path. Open sets
	// it. Set it before the first Decide.
	Dir string
	// Log receives faults of policy files that change while the Point is in use. Nil means
	// slog.Default(). Set it before the first Decide.
	Log *slog.Logger

	machine reader.Machine
	now     func() (*policy.Policy, error)
}

// Result is a Decision with its Action and Operations.
type Result struct {
	umpire.Decision
	Action     umpire.Action      // complete: with home, workspace and temporary folder
	Operations []umpire.Operation // a Reason refers to one by its index
	// Fault says why a policy file that has changed is not in force. The last good policy
	// decided.
	Fault error
}

// New returns a Point that decides by p about calls on machine m.
func New(p *policy.Policy, m reader.Machine) *Point {
	return &Point{machine: m, now: func() (*policy.Policy, error) { return p, nil }}
}

// Open returns a Point that decides about calls on this machine, by the policy files in force
// for the folder dir: the administrator's, the user's, the project's, and the built-in packs.
// It compares the files before each decision, so a change applies at once. The error names
// every fault of a file with its place.
func Open(dir string) (*Point, error) {
	m := reader.Local()
	dir, err := reload.Folder(dir)
	if err != nil {
		return nil, err
	}
	workspace := m.Workspace(dir)
	p, err := open(func(tell func(error)) (*reload.Files[*policy.Policy], error) {
		return reload.OpenPolicy(snapshot.DefaultLayers(m.Home(), workspace, os.Getenv), m.Home(), workspace, tell)
	})
	if err != nil {
		return nil, err
	}
	p.Dir = dir
	return p, nil
}

// OpenFile is like Open with one policy file instead of the administrator's, the user's and
// the project's.
func OpenFile(path string) (*Point, error) {
	return open(func(tell func(error)) (*reload.Files[*policy.Policy], error) { return reload.OpenFile(path, tell) })
}

func open(files func(tell func(error)) (*reload.Files[*policy.Policy], error)) (*Point, error) {
	p := &Point{machine: reader.Local()}
	f, err := files(p.logFault)
	if err != nil {
		return nil, err
	}
	p.now = f.Now
	return p, nil
}

func (p *Point) logFault(fault error) {
	log := p.Log
	if log == nil {
		log = slog.Default()
	}
	log.Warn("policy file has a fault; the last good policy stays in force", "error", fault)
}

var errZero = errors.New("the decision point has no policy: use decision.New, Open or OpenFile")

// Decide reads a and decides about it. An error means that a could not be read; the Result
// then denies.
func (p *Point) Decide(ctx context.Context, a umpire.Action) (Result, error) {
	if p == nil || p.now == nil {
		return Result{Action: a}, errZero
	}
	a.Dir = cmp.Or(a.Dir, p.Dir)
	pol, fault := p.now()
	ops, err := reader.ReadWithPrograms(ctx, &a, p.machine, pol.Programs())
	if err != nil {
		return Result{Action: a}, err
	}
	return Result{Decision: pol.Decide(&a, ops), Action: a, Operations: ops, Fault: fault}, nil
}

// Policy returns the policy in force, nil for a zero Point.
func (p *Point) Policy() *policy.Policy {
	if p.now == nil {
		return nil
	}
	pol, _ := p.now()
	return pol
}

// Load reads a policy file and adds the built-in packs that it uses. name is the name of the
// file in errors. You can change the Source before policy.Compile. The error names every fault
// with its place.
func Load(name string, data []byte) (policy.Source, error) {
	f, err := policyfile.Parse(name, data, policy.User)
	if err != nil {
		return policy.Source{}, err
	}
	packs, err := parsed.Packs()
	if err != nil {
		return policy.Source{}, err
	}
	l, err := policyfile.Join([]*policyfile.File{f}, packs)
	if err != nil {
		return policy.Source{}, err
	}
	return l.Source, nil
}
