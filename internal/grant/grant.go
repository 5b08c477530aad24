// Package grant computes what a person's answer covers beyond one call.
//
// Offer returns the grants that can be shown to the person, and Session reports whether the chosen
// grants cover a later call. A grant always covers its own call: Offer tries each with the policy
// engine and drops those that do not. It never covers more than the patterns shown, because an
// agent may plan its calls around an answer.
package grant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// Grave are the traits of operations that no stored answer covers.
const Grave = umpire.RemoteCode | umpire.DecodedCode | umpire.UnseenCode | umpire.Exfiltration | umpire.RemoteShell | umpire.SelfTamper | umpire.Obfuscated |
	umpire.HiddenText | umpire.Irreversible | umpire.Destroy | umpire.Privilege | umpire.CarriesSecret | umpire.Payment | umpire.Production | umpire.AuditTamper |
	umpire.BypassFlags | umpire.PublicAccess | umpire.Unknown | umpire.Setuid | umpire.WorldWritable

// Riskier are the traits that a grant never covers, unless the operation that was shown had them.
const Riskier = Grave | umpire.Force | umpire.Bulk | umpire.SkipsCheck | umpire.ProtectedBranch | umpire.RunsProgram | umpire.LoadsCode | umpire.Persistence |
	umpire.UntrustedSource | umpire.Global

// Losing are the traits for which no rule is proposed: the grave ones, and those of operations that
// override a protection, lose something, or reach further than their words.
const Losing = Riskier&^(umpire.RunsProgram|umpire.LoadsCode) | umpire.Uncommitted | umpire.Overwrite | umpire.WholeTree | umpire.NoWhere | umpire.DataStore |
	umpire.Format | umpire.ResourceBomb | umpire.EnvDump | umpire.Tunnel | umpire.HostAccess | umpire.Metadata | umpire.Message

// stronger are traits that come from the context of an operation, and not from the words of its
// pattern: redirection into a file, the machine of a command, changed permissions. A grant covers
// them only if the operation that was shown had them.
const stronger = Riskier | umpire.Truncate | umpire.Append | umpire.Recursive | umpire.Format | umpire.Remote | umpire.Container | umpire.HostAccess |
	umpire.Tunnel | umpire.Listen | umpire.Upload | umpire.Interactive | umpire.EnvDump | umpire.Permissions | umpire.Ownership | umpire.Loosened

// foreign are the traits of operations whose data or code came from another party. Rules for
// untainted sessions never match them.
const foreign = umpire.FromNetwork | umpire.RemoteCode | umpire.UntrustedSource

// Without returns the traits that a pattern made from an operation must not cover.
func Without(op umpire.Operation) umpire.Trait { return stronger &^ op.Traits }

// Part is one pattern of a Grant, with its exclusions.
type Part struct {
	Pattern string       `json:"pattern"`
	Without umpire.Trait `json:"without,omitempty"` // does not cover operations with any of these
	Clean   bool         `json:"clean,omitempty"`   // does not apply to a tainted session
}

// Grant is the coverage of one answer. It covers a call if it covers each operation of the
// call.
type Grant struct {
	ID      string   `json:"-"`
	Parts   []Part   `json:"parts"`
	Tools   []string `json:"tools,omitempty"`   // globs of the tools that it applies to; all if empty
	Tainted bool     `json:"tainted,omitempty"` // given in a tainted session, and valid there
	// Operations are those that a rule asked about. If a rule asks again, only equal operations are
	// covered: the patterns do not answer rules. Input is the digest of the call's input, set if a
	// rule asked about its text.
	Operations []umpire.Operation `json:"operations,omitempty"`
	Input      string             `json:"input,omitempty"`
}

// String returns the patterns, one per line. Parse reads it.
func (g *Grant) String() string {
	lines := make([]string, len(g.Parts))
	for i, p := range g.Parts {
		lines[i] = p.Pattern
	}
	return strings.Join(lines, "\n")
}

// Parse reads patterns that a person wrote, one per line. The Grant has no exclusions.
func Parse(text string) (g Grant, err error) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if _, err := policy.ParsePattern(line); err != nil {
			return Grant{}, err
		}
		g.Parts = append(g.Parts, Part{Pattern: line})
	}
	if len(g.Parts) == 0 {
		return Grant{}, fmt.Errorf("the rule is empty: write, for example, exec(npm test)")
	}
	return g, nil
}

// Rules returns the Grant as allow rules of a layer. The first has the given ID, the others have a
// number appended.
func (g *Grant) Rules(id string, l policy.Layer, reason string) ([]policy.Rule, error) {
	out := make([]policy.Rule, len(g.Parts))
	for i, part := range g.Parts {
		p, err := policy.ParsePattern(part.Pattern)
		if err != nil {
			return nil, err
		}
		out[i] = policy.Rule{ID: id, Effect: umpire.Allow, Match: []policy.Pattern{p}, Layer: l, Reason: reason, When: policy.Condition{Without: part.Without, Tools: g.Tools}}
		if i > 0 {
			out[i].ID = fmt.Sprintf("%s-%d", id, i+1)
		}
		if part.Clean {
			out[i].When.Tainted = new(bool)
		}
	}
	return out, nil
}

// Merge adds the coverage of other to g. Both must have the same patterns.
func (g *Grant) Merge(other *Grant) {
	g.Tainted = g.Tainted && other.Tainted
	for i := range g.Parts {
		for _, p := range other.Parts {
			if p.Pattern == g.Parts[i].Pattern {
				g.Parts[i].Without &= p.Without
				g.Parts[i].Clean = g.Parts[i].Clean && p.Clean
			}
		}
	}
	if g.Input != other.Input { // one of the two applies to a specific input only, so do not add its operations
		if g.Input != "" {
			g.Input, g.Operations = other.Input, other.Operations
		}
		return
	}
	for _, op := range other.Operations {
		if !slices.ContainsFunc(g.Operations, func(o umpire.Operation) bool { return same(&o, &op) }) {
			g.Operations = append(g.Operations, op)
		}
	}
}

// same reports whether everything that a rule may have asked about is equal.
func same(a, b *umpire.Operation) bool {
	return a.Kind == b.Kind && a.Resource == b.Resource && a.Traits == b.Traits && a.Places == b.Places
}

func digest(a *umpire.Action) string {
	sum := sha256.Sum256(a.Essence())
	return hex.EncodeToString(sum[:])
}

// compile makes a policy of grants alone: it allows what they cover.
func compile(grants []Grant) (*policy.Policy, error) {
	src := policy.Source{Default: umpire.Ask}
	for i := range grants {
		id := grants[i].ID
		if id == "" {
			id = fmt.Sprintf("grant-%d", i+1)
		}
		rules, err := grants[i].Rules(id, policy.User, "a person allowed it")
		if err != nil {
			return nil, err
		}
		src.Rules = append(src.Rules, rules...)
	}
	p, err := policy.Compile(src)
	if err != nil {
		return nil, err
	}
	if w := p.Warnings(); len(w) > 0 { // a pattern such as exec(*) would be stored without effect
		return nil, fmt.Errorf("%s", w[0].Msg)
	}
	return p, nil
}

// Covers reports whether the Grant's patterns cover all of a call.
func (g *Grant) Covers(a *umpire.Action, ops []umpire.Operation) bool {
	p, err := compile([]Grant{*g})
	return err == nil && allows(p.Decide(a, ops))
}

func allows(d umpire.Decision) bool { return d.Explicit && d.Effect == umpire.Allow }

// Session holds the grants of one session. A nil Session allows nothing.
type Session struct {
	grants         []Grant
	clean, tainted *policy.Policy // allowed by the patterns in an untainted or tainted session
}

// NewSession returns a Session with these grants.
func NewSession(grants ...Grant) (*Session, error) {
	s := &Session{grants: slices.Clone(grants)}
	for i := range s.grants {
		if s.grants[i].ID == "" {
			s.grants[i].ID = fmt.Sprintf("grant-%d", i+1)
		}
	}
	var err error
	if s.clean, err = compile(s.grants); err != nil {
		return nil, err
	}
	s.tainted, err = compile(slices.DeleteFunc(slices.Clone(s.grants), func(g Grant) bool { return !g.Tainted }))
	return s, err
}

// Covers reports whether answers cover all of a call that needs one, and names a grant that covers
// part of it. decide is the policy in force without the Session. An operation that it allows needs
// no answer. If one of its rules asks, only an answer about an equal operation counts; if none
// matches, the patterns count.
func (s *Session) Covers(a *umpire.Action, ops []umpire.Operation, decide func([]umpire.Operation) umpire.Decision) (id string, ok bool) {
	if s == nil || len(s.grants) == 0 {
		return "", false
	}
	pol := s.clean
	if a.Tainted {
		pol = s.tainted
	}
	input := digest(a)
	covered := func(ops []umpire.Operation) bool {
		d := decide(ops)
		if d.Effect == umpire.Deny {
			return false
		}
		if allows(d) {
			return true
		}
		if d.Explicit {
			for i := range s.grants {
				if g := &s.grants[i]; g.answers(a, ops, input) {
					id = g.ID
					return true
				}
			}
			return false
		}
		given := pol.Decide(a, ops)
		if !allows(given) {
			return false
		}
		for _, r := range given.Reasons {
			id = r.Rule
		}
		return true
	}
	real := significant(ops)
	for i := 0; i < len(real); i++ {
		end := i + 1
		if end < len(real) && policy.ByPath(&real[i], &real[end]) {
			end++
		}
		if !covered(real[i:end]) {
			return "", false
		}
		i = end - 1
	}
	return id, id != "" // without an answer, the policy decides
}

// answers reports whether the grant was given about equal operations, by the same tool, for a rule
// that asked.
func (g *Grant) answers(a *umpire.Action, ops []umpire.Operation, input string) bool {
	if len(g.Operations) == 0 && g.Input == "" || a.Tainted && !g.Tainted || g.Input != "" && g.Input != input || len(g.Tools) > 0 && !slices.Contains(g.Tools, a.Tool) {
		return false
	}
	for i := range ops {
		if !slices.ContainsFunc(g.Operations, func(o umpire.Operation) bool { return same(&o, &ops[i]) }) {
			return false
		}
	}
	return true
}

// significant returns the operations that need an answer: rules ignore inert ones, unless there is
// nothing else.
func significant(ops []umpire.Operation) []umpire.Operation {
	out := slices.DeleteFunc(slices.Clone(ops), func(o umpire.Operation) bool { return o.Traits&umpire.Inert != 0 })
	if len(out) == 0 {
		return ops
	}
	return out
}
