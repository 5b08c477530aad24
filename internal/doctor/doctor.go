// Package doctor examines whether umpire protects this machine: its programs, policy and audit log,
// and the hook of every coding agent. It trusts tests rather than settings: it runs each agent's
// configured command line with a call in that agent's form.
package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// Status is the severity of a finding.
type Status string

// The statuses.
const (
	OK   Status = "ok"
	Warn Status = "warn" // works, but weaker than it looks or could be
	Fail Status = "fail" // does not protect
)

// Finding is the result of one check. Its texts may quote untrusted files: escape them before a
// terminal shows them.
type Finding struct {
	About  string `json:"about"` // "umpire", "box", or a client's name
	Check  string `json:"check"`
	Status Status `json:"status"`
	Text   string `json:"text"`
	Next   string `json:"next,omitempty"` // the next step
}

// Doctor examines the setup. All fields except Hook, Models, Gateway, Box and Version are required.
type Doctor struct {
	Home, Dir, Workspace string
	Getenv               func(string) string
	Exe                  string // umpire's program, with links resolved
	Hook                 string // path of umpire-hook that init writes, maybe a link; "" means beside Exe

	// Policy compiles the policy in force.
	Policy func() (*policy.Policy, *policyfile.Loaded, error)

	// Models lists the models that the judge uses, or none if the policy does not use the judge.
	Models func(context.Context) ([]model.Status, error)

	// Gateway returns an error if no one can be asked at the policy's gateway.
	Gateway func(context.Context, *policyfile.Gateway) error

	// Box lists the sandbox layers that this kernel supports, for `umpire run`.
	Box func(context.Context) ([]Layer, error)

	// Version returns the version of an agent's program, or "" if unknown.
	Version func(program string) string

	// Found gets each finding at once, because some checks are slow.
	Found func(Finding)

	policy *policy.Policy      // policy in force, or nil
	people *policyfile.Gateway // gateway of that policy, or nil
}

// Layer is a layer of the sandbox.
type Layer struct {
	Name      string
	OK, Tried bool
	Text      string
}

// About marks findings that concern no client.
const About = "umpire"

func (d *Doctor) report(about, check string, s Status, next, format string, args ...any) {
	d.Found(Finding{About: about, Check: check, Status: s, Text: fmt.Sprintf(format, args...), Next: next})
}

func (d *Doctor) ok(check, format string, args ...any) {
	d.report(About, check, OK, "", format, args...)
}

const checkTime = 20 * time.Second

// Run makes all checks.
func (d *Doctor) Run(ctx context.Context) {
	d.programs()
	d.folders()
	d.rules()
	d.compiled(ctx)
	d.state()
	d.questions()
	d.gateway(ctx)
	d.models(ctx)
	d.agents(ctx)
	d.box(ctx)
}
