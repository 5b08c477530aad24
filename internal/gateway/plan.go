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
// digest of a plan.
type Plan interface {
	category() approval.Category
	// title returns the plan in the gateway's own words: short, and only from checked fields.
	title() string
	// action returns the call that an agent would make itself for the plan, in the project's root.
	action(root string) *umpire.Action
	// operations returns the operations of that call.
	operations(a *umpire.Action, env operation.Env) []umpire.Operation
}

// Abilities that only some plans have.
type (
	// bound is a plan that is bound to the state of the host at the time of the request.
	bound interface {
		// bind binds it, and returns the text for people.
		bind(ctx context.Context, g *Gateway) (shown string, err error)
		// checkUnchanged returns an error if the host is no longer in that state.
		checkUnchanged(ctx context.Context, g *Gateway) error
	}
	// executable is a plan that this gateway carries out once it is approved.
	executable interface {
		// runs reports whether there is anything to carry out.
		runs() bool
		// again reports whether it can begin again, because it skips the parts that are done.
		again() bool
		// here reports whether this gateway has everything that the plan needs.
		here(ctx context.Context, g *Gateway) bool
		carryOut(ctx context.Context, g *Gateway, r *approval.Request) (status string, result host.CommandResult)
	}
	// restricted is a plan that can tighten the decision of the rules.
	restricted interface {
		restrict(d *umpire.Decision, j *judgment)
	}
	// single is a plan that may need a new answer each time, whatever the rules cover.
	single interface {
		oneByOne() (why string) // "" if rules may cover it
	}
	// noted is a plan that shows people more than its title.
	noted interface {
		notes() []string
	}
	// targeted is a plan that supersedes older ones with the same target.
	targeted interface {
		target() string
	}
	// lengthy is a plan of which cards may show only a part.
	lengthy interface {
		writeFullText(ctx context.Context, g *Gateway, put func(string) error) error
	}
)

// A plan that lost one of these methods would be carried out without the check.
var (
	_ = []bound{(*FilePlan)(nil), (*NetworkPlan)(nil), (*CommandPlan)(nil), (*PackagePlan)(nil), (*SettingPlan)(nil)}
	_ = []executable{(*FilePlan)(nil), (*CommandPlan)(nil), (*PackagePlan)(nil), (*PushPlan)(nil), (*SettingPlan)(nil)}
	_ = []lengthy{(*FilePlan)(nil), (*CommandPlan)(nil), (*PackagePlan)(nil), (*PushPlan)(nil)}
)

// judgment is what restrict can use in addition to the decision.
type judgment struct {
	g     *Gateway
	a     *umpire.Action
	ops   []umpire.Operation
	pol   *policy.Policy
	given *granted
}

// categories maps each category to an empty plan for decoding, and to the reader of its
// submissions.
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

// planOf returns the plan of a submission. It refuses a submission that it does not understand: a
// person must not be asked about something other than what would be done.
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

// metadata decodes the metadata of a submission. The field extra belongs to the agent: people see
// it, and rules do not.
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

// extra is the part of the metadata that every category accepts.
type extra struct {
	Extra json.RawMessage `json:"extra"`
}

// shownTitle returns a plan's title for people and programs, without characters that would steer a
// terminal, reorder a line or hide in it.
func shownTitle(p Plan) string { return visible.Block(p.title()) }

// encode returns a value of this package as JSON. Encoding cannot fail, because all raw JSON in
// such values was decoded before.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// encodePlan returns the stored form of a plan, with its category first. Digests are computed over
// this text, so the order of its fields must not change.
func encodePlan(p Plan) json.RawMessage {
	b := encode(p)
	head := `{"category":"` + string(p.category()) + `"`
	if len(b) > len("{}") {
		head += ","
	}
	return append([]byte(head), b[1:]...)
}

// digestOf returns the digest of a plan, which identifies what it would do.
func digestOf(p Plan) string {
	sum := sha256.Sum256(encodePlan(p))
	return hex.EncodeToString(sum[:])
}

// decodePlan decodes a stored plan.
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

// storedMetadata is the part of a stored request's metadata that the gateway relies on.
type storedMetadata struct {
	Effective json.RawMessage `json:"effective"` // the plan
	Ask       bool            `json:"ask,omitempty"`
}

func (k *storedMetadata) plan(r *approval.Request) (Plan, error) {
	if err := json.Unmarshal(r.Metadata, k); err != nil {
		return nil, err
	}
	p, err := decodePlan(k.Effective)
	if err == nil && digestOf(p) != r.Digest {
		err = errors.New("the stored request differs from the approved one")
	}
	return p, err
}

// StoredPlan returns the plan of a stored request. It returns an error if the plan's digest differs
// from the one that was approved.
func StoredPlan(r *approval.Request) (Plan, error) { return new(storedMetadata).plan(r) }

// runs reports whether this gateway carries the plan out after an approval.
func runs(p Plan) bool {
	x, ok := p.(executable)
	return ok && x.runs()
}

// runsAgain reports whether an execution that has begun can begin again.
func runsAgain(p Plan) bool {
	x, ok := p.(executable)
	return ok && x.runs() && x.again()
}

// has reports whether this gateway has the files or commits of the plan.
func (g *Gateway) has(ctx context.Context, p Plan) bool {
	x, ok := p.(executable)
	return !ok || x.here(ctx, g)
}

// bind binds a plan to the current state of the host, and returns the text for people.
func (g *Gateway) bind(ctx context.Context, p Plan) (shown string, err error) {
	if b, ok := p.(bound); ok {
		return b.bind(ctx, g)
	}
	return "", nil
}

// local returns the basic action of a plan that this gateway carries out or decides on.
func local(root, tool string, input map[string]any) *umpire.Action {
	a := &umpire.Action{Principal: umpire.Principal{Platform: "gateway"}, Tool: tool, Dir: root, Workspace: root}
	a.Input, _ = json.Marshal(input) // strings and lists of strings always marshal
	return a
}

// argv returns the input of a tool that runs a program with arguments and without a shell.
func argv(words ...string) map[string]any { return map[string]any{"command": words} }

// describe returns the line that people read below the title.
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
