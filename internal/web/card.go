package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/gateway"
	"github.com/umpire-dev/umpire/internal/redact"
)

// Limits of a card.
const (
	maxShown = 20_000 // bytes of a text
	maxLine  = 200    // characters of an action in a list
	maxPast  = 6      // earlier requests of the agent
	maxSame  = 20     // other pending requests for the same action
)

// row is a request as a list shows it.
type row struct {
	approval.Request        // with secrets masked
	Who              string // the agent's name
	Hidden           bool   // a secret of its action is masked
	Kept             kept
	Plan             gateway.Plan // nil if the stored plan is not the one of the digest
}

// kept is the part of a request's metadata that pages show: checked fields, and the agent's own
// words.
type kept struct {
	Operations []operation `json:"operations"`
	Reasons    []reason    `json:"reasons"`
	Words      string      `json:"description"`
	Diff       string      `json:"diff"`
}

type reason struct{ Rule, Effect, Text string }

// Asks reports whether a rule asks a person, or would deny by now.
func (k kept) Asks() bool {
	return slices.ContainsFunc(k.Reasons, func(r reason) bool { return r.Effect != "allow" })
}

// Risks returns the risks of all operations, gravest first.
func (r *row) Risks() []risk { return allRisks(r.Kept.Operations) }

// Grave reports whether the request has a serious risk.
func (r *row) Grave() bool {
	return slices.ContainsFunc(r.Risks(), func(k risk) bool { return k.Grave })
}

// Plain reports whether a list shows everything that an approval would permit. People may
// approve several such requests at once.
func (r *row) Plain() bool {
	if r.Hidden || !r.Category.Bulk() || r.Grave() || r.Needs > 1 || r.Kept.Diff != "" || len([]rune(r.Action)) > maxLine {
		return false
	}
	switch p := r.Plan.(type) {
	case *gateway.NetworkPlan:
		return p.Body == ""
	case *gateway.FilePlan:
		return len(p.Changes) == 0
	case *gateway.PushPlan:
		return p.Push == nil
	}
	return false
}

// Call returns the tool call of the request with secrets masked, or nil.
func (r *row) Call() *gateway.Call {
	p, ok := r.Plan.(*gateway.CallPlan)
	if !ok {
		return nil
	}
	shown := *p.Call
	shown.Input = redact.ReadableJSON(shown.Input)
	return &shown
}

// Command returns the shell command that the request would run, with secrets masked, or "".
func (r *row) Command() string {
	if p, ok := r.Plan.(*gateway.CommandPlan); ok {
		return redact.ReadableCommand(p.Command)
	}
	return ""
}

// Long reports whether the request may have more than its card shows.
func (r *row) Long() bool {
	switch p := r.Plan.(type) {
	case *gateway.FilePlan:
		return len(p.Changes) > 0
	case *gateway.PushPlan:
		return p.Push != nil
	case *gateway.CommandPlan:
		return len(p.Files) > 0
	case *gateway.PackagePlan:
		return len(p.Files) > 0
	}
	return false
}

// Cut reports whether a text is longer than its display.
func (r *row) Cut(s string) bool { return len(s) > maxShown }

// Text returns the displayed part of a long text.
func (r *row) Text(s string) string {
	if r.Cut(s) {
		return strings.ToValidUTF8(s[:maxShown], "")
	}
	return s
}

// Sections returns the displayed part of the difference.
func (r *row) Sections() []section {
	if r.Category == approval.Sandbox {
		return []section{changes(r.Text(r.Kept.Diff))}
	}
	return sections(r.Text(r.Kept.Diff))
}

func makeRow(r approval.Request, names map[string]string) (row, error) {
	out := row{Request: gateway.Masked(r), Who: names[r.Agent]}
	out.Who, out.Hidden = cmp.Or(out.Who, "unknown "+r.Agent), out.Action != r.Action
	if err := json.Unmarshal(out.Metadata, &out.Kept); err != nil {
		return out, fmt.Errorf("request %s: %w", r.ID, err)
	}
	if p, err := gateway.StoredPlan(&r); err == nil { // without a plan it is shown, but cannot be approved
		out.Plan = p
	}
	return out, nil
}

func makeRows(list []approval.Request, names map[string]string) (out []row, err error) {
	for _, r := range list {
		one, err := makeRow(r, names)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// card is a request with everything that a person needs to answer it.
type card struct {
	row
	Past   []row            // earlier requests of the agent
	Same   []row            // other pending requests for the same action
	Rules  gateway.Choices  // rules that an answer can store
	Ran    *gateway.Outcome // nil if the gateway executes nothing
	Steps  []step           // history of the request
	*visit                  // the person who looks
}

// Tree returns the operations, grouped by the programs that do them.
func (c *card) Tree() []branch { return tree(c.Kept.Operations) }

// Waits reports whether the request is pending.
func (c *card) Waits() bool { return c.State == approval.Pending }

// Voted reports whether the viewer is one of several required approvers, and has approved.
func (c *card) Voted() bool {
	return slices.ContainsFunc(c.Votes, func(v approval.Vote) bool { return strings.EqualFold(v.Operator, c.visit.Name) })
}

// About returns the title of the difference.
func (c *card) About() string {
	switch c.Category {
	case approval.Packages:
		return "From the registry"
	case approval.Exec:
		return "What it runs"
	case approval.Network:
		return "What it sends"
	}
	return "What changes"
}

func (p *Pages) makeCard(ctx context.Context, v *visit, r approval.Request) (*card, error) {
	names, err := p.g.AgentNames(ctx)
	if err != nil {
		return nil, err
	}
	c := &card{visit: v}
	if c.row, err = makeRow(r, names); err != nil {
		return nil, err
	}
	past, err := p.s.List(ctx, approval.Filter{Agent: r.Agent, Before: r.ID, Limit: maxPast, States: settled})
	if err != nil {
		return nil, err
	}
	if c.Past, err = makeRows(past, names); err != nil {
		return nil, err
	}
	if c.Waits() {
		same, err := p.s.Same(ctx, &r, maxSame)
		if err != nil {
			return nil, err
		}
		if c.Same, err = makeRows(same, names); err != nil {
			return nil, err
		}
		if c.Rules, err = p.g.Choices(&r); err != nil {
			return nil, err
		}
		return c, nil
	}
	if r.State == approval.Approved {
		if c.Ran, err = p.g.Outcome(ctx, &r); err != nil {
			return nil, err
		}
	}
	c.Steps = steps(&c.Request, c.Ran)
	return c, nil
}

var settled = []approval.State{approval.Approved, approval.Denied, approval.Expired, approval.Superseded, approval.Cancelled, approval.Conflict}
