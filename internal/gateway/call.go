package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Call is a tool call that a coding agent or its hook submits for a decision. The gateway judges
// and shows it, and the requester runs it.
type Call struct {
	Platform  string          `json:"platform,omitempty"` // the coding agent, such as claude
	Agent     string          `json:"agent,omitempty"`    // its sub-agent
	Tool      string          `json:"tool"`
	Input     json.RawMessage `json:"input"`
	Dir       string          `json:"dir,omitempty"`
	Workspace string          `json:"workspace,omitempty"`
	Home      string          `json:"home,omitempty"`
}

// Limits of a call, in bytes.
const (
	maxCallName = 200
	maxCallPath = 4 << 10
)

// CallPlan is a Call as a plan.
type CallPlan struct {
	of   approval.Category
	Call *Call `json:"call,omitempty"`
}

func readCall(s *Submission) (Plan, error) {
	c := *s.Call
	switch {
	case s.Category != "" || s.Action != "" || len(s.Metadata) > 0:
		return nil, bad("send a call without category, action and metadata: the gateway reads them from it")
	case c.Tool == "" || len(c.Tool) > maxCallName || len(c.Platform) > maxCallName || len(c.Agent) > maxCallName:
		return nil, bad("a call must name its tool; names may have at most %d bytes", maxCallName)
	case len(c.Input) > maxContent:
		return nil, bad("the input is larger than %d bytes", maxContent)
	}
	for _, p := range []string{c.Dir, c.Workspace, c.Home} {
		if p != "" && !path.IsAbs(p) && !windowsPath(p) || len(p) > maxCallPath {
			return nil, bad("dir, workspace and home must be absolute paths")
		}
	}
	if len(c.Input) == 0 {
		c.Input = json.RawMessage("{}")
	}
	c.Input = compact(c.Input)
	p := &CallPlan{Call: &c}
	p.of = callCategory(p.operations(p.action(""), operation.Env{}))
	return p, nil
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

func (p *CallPlan) category() approval.Category { return p.of }

func (p *CallPlan) title() string { return p.Call.title() }

func (p *CallPlan) action(string) *umpire.Action { return p.Call.action() }

// operations reads no file of this machine, because the files that a call names are on the asker's.
func (p *CallPlan) operations(a *umpire.Action, env operation.Env) []umpire.Operation {
	return operation.Read(a, operation.Env{Programs: env.Programs})
}

func (p *CallPlan) notes() []string {
	c := p.Call
	by := cmp.Or(c.Platform, "an agent")
	if c.Agent != "" {
		by += ", sub-agent " + c.Agent
	}
	notes := []string{"a tool call of " + visible.Line(by)}
	if c.Dir != "" {
		notes = append(notes, "in "+visible.Line(c.Dir))
	}
	return notes
}

func windowsPath(p string) bool { return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') }

// action returns the call as the policy reads it. The files that it names are on the asker's
// machine.
func (c *Call) action() *umpire.Action {
	a := &umpire.Action{Principal: umpire.Principal{Platform: c.Platform, Agent: c.Agent}, Tool: c.Tool, Input: c.Input, Dir: c.Dir, Workspace: c.Workspace, Home: c.Home}
	a.Workspace = cmp.Or(a.Workspace, a.Dir)
	return a
}

// callCategory returns the category of a call: files or network if it touches nothing else, and
// otherwise commands, which people answer one by one.
func callCategory(ops []umpire.Operation) approval.Category {
	// Traits of ordinary writes and milder calls. Any other trait puts the call with the commands.
	const usual = umpire.Truncate | umpire.Append | umpire.Described | umpire.PlainRead
	only := func(kinds ...umpire.Kind) bool {
		return len(ops) > 0 && !slices.ContainsFunc(ops, func(o umpire.Operation) bool { return !slices.Contains(kinds, o.Kind) || o.Traits&^usual != 0 })
	}
	switch {
	case only(umpire.Read, umpire.Write, umpire.Delete):
		return approval.Filesystem
	case only(umpire.Network):
		return approval.Network
	}
	return approval.Exec
}

// title returns the call as one line: its tool and its subject.
func (c *Call) title() string {
	var in map[string]any
	about := ""
	if json.Unmarshal(c.Input, &in) == nil {
		for _, key := range []string{"command", "cmd", "script", "file_path", "filePath", "path", "notebook_path", "url", "query"} {
			if s, ok := in[key].(string); ok && s != "" {
				about = s
				break
			}
		}
	}
	if about == "" {
		about = string(c.Input)
	}
	return strings.ToValidUTF8(clipTo(visible.Block(c.Tool+": "+about), approval.MaxAction), "")
}

func clipTo(s string, n int) string {
	if len(s) > n {
		return s[:n-3] + "…"
	}
	return s
}

// asked keeps the question of an agent's own policy: only a rule that a person stored at this
// gateway, or an answer for the session, replaces it.
func (g *Gateway) asked(plan Plan, p Principal, session string, d umpire.Decision, ops []umpire.Operation, a *umpire.Action) umpire.Decision {
	stored := func(d umpire.Decision) bool {
		return d.Explicit && d.Effect == umpire.Allow && slices.ContainsFunc(d.Reasons, func(r umpire.Reason) bool { return r.Effect == umpire.Allow && strings.HasPrefix(r.Rule, storedRule) })
	}
	if d.Effect != umpire.Allow || stored(d) {
		return d
	}
	now := g.current()
	if given, ok := now.given(p, session).covers(plan, a, ops, func(ops []umpire.Operation) umpire.Decision {
		if d := now.policy.Decide(a, ops); d.Effect != umpire.Allow || stored(d) {
			return d
		}
		return umpire.Decision{Effect: umpire.Ask} // a rule of a file is not a person's answer
	}); ok {
		return given
	}
	d.Effect = umpire.Ask
	return d
}
