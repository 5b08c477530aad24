package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/jsonfault"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// Plan is the effect of a request: checked fields in canonical form. Each category has its own
// type, and CallPlan is a coding agent's tool call of any category. An answer is bound to the
// digest of a plan. Each interface below is an ability that only some plans have.
type Plan interface {
	category() approval.Category
	// title is the plan in the gateway's own words: short, and all of it from checked fields.
	title() string
	// action is the plan as a call that an agent would make itself, in the project's root.
	action(root string) *umpire.Action
	// operations reads that call.
	operations(a *umpire.Action, env operation.Env) []umpire.Operation
}

// Abilities that only some plans have.
type (
	// bound is a plan that is tied to the host as it is when the plan is asked for.
	bound interface {
		// bind ties it, and returns what people are shown.
		bind(ctx context.Context, g *Gateway) (shown string, err error)
		// fits reports whether the host is still as the plan says.
		fits(ctx context.Context, g *Gateway) error
	}
	// executable is a plan that this gateway carries out once it is approved.
	executable interface {
		// runs reports whether there is anything to carry out.
		runs() bool
		// again reports whether it can be begun again: parts that are done are found to be done.
		again() bool
		// here reports whether this gateway has everything that the plan needs.
		here(ctx context.Context, g *Gateway) bool
		carryOut(ctx context.Context, g *Gateway, r *approval.Request) (status string, result host.Result)
	}
	// restricted is a plan that may need more than the rules say.
	restricted interface {
		restrict(d *umpire.Decision, j *judgment)
	}
	// single is a plan that may need a new answer each time, whatever the rules cover.
	single interface {
		oneByOne() (why string) // "" if rules may cover it
	}
	// noted is a plan with more to say to people than its title.
	noted interface {
		notes() []string
	}
	// targeted is a plan that supersedes older ones of the same target.
	targeted interface {
		target() string
	}
	// lengthy is a plan whose cards show a part only.
	lengthy interface {
		whole(ctx context.Context, g *Gateway, put func(string) error) error
	}
)

// judgment is what a restriction can look at besides the decision.
type judgment struct {
	g     *Gateway
	a     *umpire.Action
	ops   []umpire.Operation
	pol   *policy.Policy
	given *granted
}

// categories has, for each category, an empty plan to decode into and the reader of submissions.
var categories = map[approval.Category]struct {
	empty func() Plan
	read  func(*Submission) (Plan, error)
}{
	approval.Network:    {func() Plan { return &NetworkPlan{} }, readNetwork},
	approval.Filesystem: {func() Plan { return &FilePlan{} }, readFiles},
	approval.Git:        {func() Plan { return &PushPlan{} }, readBranch},
	approval.Packages:   {func() Plan { return &PackagePlan{} }, readPackages},
	approval.Exec:       {func() Plan { return &CommandPlan{} }, readCommand},
	approval.Sandbox:    {func() Plan { return &SettingPlan{} }, readSetting},
}

// planOf reads a submission. It refuses what it does not understand: a person must not be asked
// about something other than what would be done.
func planOf(s *Submission) (Plan, error) {
	if s.Call != nil {
		return readCall(s)
	}
	c, ok := categories[s.Category]
	if !ok {
		return nil, unknownCategory(s.Category)
	}
	return c.read(s)
}

// metadata decodes what a category brings besides its action. Extra is the asker's own: it is shown
// and not judged.
func metadata[M any](s *Submission) (m M, err error) {
	if len(s.Metadata) == 0 {
		return m, nil
	}
	dec := json.NewDecoder(bytes.NewReader(s.Metadata))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return m, bad("metadata of %s: %v", s.Category, jsonfault.Words(err))
	}
	return m, nil
}

// extra is the part of metadata that every category takes.
type extra struct {
	Extra json.RawMessage `json:"extra"`
}

// shownTitle is a plan's title as people and programs get it: without characters that would steer a
// terminal, reorder a line or hide in it.
func shownTitle(p Plan) string { return visible.Block(p.title()) }

// encode returns a value of this package as JSON. It has one: all raw JSON in it was decoded before.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// encodePlan returns a plan as it is stored, its category first. Digests are of this text, so its
// order of fields does not change.
func encodePlan(p Plan) json.RawMessage {
	b := encode(p)
	head := `{"category":"` + string(p.category()) + `"`
	if len(b) > len("{}") {
		head += ","
	}
	return append([]byte(head), b[1:]...)
}

// digestOf names what a plan would do.
func digestOf(p Plan) string {
	sum := sha256.Sum256(encodePlan(p))
	return hex.EncodeToString(sum[:])
}

// decodePlan reads a stored plan.
func decodePlan(raw json.RawMessage) (Plan, error) {
	var head struct {
		Category approval.Category `json:"category"`
		Call     json.RawMessage   `json:"call"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, err
	}
	c, ok := categories[head.Category]
	if !ok {
		return nil, bad("the stored request has the unknown category %q", head.Category)
	}
	p := c.empty()
	if head.Call != nil {
		p = &CallPlan{of: head.Category}
	}
	return p, json.Unmarshal(raw, p)
}

// kept is the part of a stored request that the gateway goes by.
type kept struct {
	Effective json.RawMessage `json:"effective"` // the plan
	Ask       bool            `json:"ask,omitempty"`
}

func (k *kept) plan(r *approval.Request) (Plan, error) {
	if err := json.Unmarshal(r.Metadata, k); err != nil {
		return nil, err
	}
	p, err := decodePlan(k.Effective)
	if err == nil && digestOf(p) != r.Digest {
		err = errors.New("the stored request differs from the approved one")
	}
	return p, err
}

// KeptPlan returns the plan of a stored request. It returns an error if the plan's digest differs
// from the one that was approved.
func KeptPlan(r *approval.Request) (Plan, error) { return new(kept).plan(r) }

// runs reports whether an approval is carried out here, and is no mere answer.
func runs(p Plan) bool {
	x, ok := p.(executable)
	return ok && x.runs()
}

// runsAgain reports whether what was begun can be begun again.
func runsAgain(p Plan) bool {
	x, ok := p.(executable)
	return ok && x.runs() && x.again()
}

// has reports whether the files or commits of the plan are at this gateway.
func (g *Gateway) has(ctx context.Context, p Plan) bool {
	x, ok := p.(executable)
	return !ok || x.here(ctx, g)
}

// bind ties a plan to the host as it is now, and returns what people are shown of it.
func (g *Gateway) bind(ctx context.Context, p Plan) (shown string, err error) {
	if b, ok := p.(bound); ok {
		return b.bind(ctx, g)
	}
	return "", nil
}

// local begins the action of a plan that this gateway carries out or guards.
func local(root, tool string, input map[string]any) *umpire.Action {
	a := &umpire.Action{Principal: umpire.Principal{Platform: "gateway"}, Tool: tool, Dir: root, Workspace: root}
	a.Input, _ = json.Marshal(input) // texts always marshal
	return a
}

// argv is the input of a program with its arguments, which no shell reads.
func argv(words ...string) map[string]any { return map[string]any{"command": words} }

// describe is the line that people read below the title.
func describe(p Plan, d umpire.Decision) string {
	var parts []string
	if n, ok := p.(noted); ok {
		parts = n.notes()
	}
	for _, r := range d.Reasons[:min(3, len(d.Reasons))] {
		parts = append(parts, r.Text)
	}
	text := strings.Join(parts, "; ")
	if len(text) > approval.MaxText {
		text = strings.ToValidUTF8(text[:approval.MaxText], "")
	}
	return text
}
