package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Layer says who wrote a rule. Higher values are trusted more.
type Layer uint8

// The layers. The zero value is trusted least: a program that forgets to say where a rule
// came from can only tighten with it.
const (
	Project        Layer = iota // a file in the workspace, which the agent can write
	ProjectTrusted              // the same, but the user trusts its exact content
	Builtin                     // a built-in pack
	User                        // the user's own file
	Managed                     // the administrator's file
	layerCount
)

var layerNames = [...]string{"project", "trusted project", "builtin", "user", "managed"}

// String returns the layer's name.
func (l Layer) String() string { return nameOf(layerNames[:], l) }

// nameOf returns the name of the value v of an enumeration.
func nameOf[E ~uint8](names []string, v E) string {
	if int(v) < len(names) {
		return names[v]
	}
	return "unknown"
}

// valueOf returns the value of an enumeration that has a name. what is the word for it in an error.
func valueOf[E ~uint8](names []string, what, name string) (E, error) {
	if i := slices.Index(names, name); i >= 0 {
		return E(i), nil
	}
	return 0, fmt.Errorf("unknown %s %q: use %s", what, name, strings.Join(names, ", "))
}

// Pos is a position in a policy file. Line and Col start at 1.
type Pos struct {
	File string
	Line int
	Col  int
}

// String returns file:line:col, without unknown parts.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Rule has a stable ID, conditions, and the Effect for operations that match.
type Rule struct {
	ID      string
	Title   string
	Effect  umpire.Effect
	Match   []Pattern // the rule matches an operation if any of these match
	Unless  []Pattern // unless any of these match
	When    Condition // and this holds
	Reason  string    // why the rule exists, in one line
	Suggest string    // instruction for the agent: what to do instead
	Pack    string    // the pack that contains the rule
	Layer   Layer
	Certain bool // never match with doubt; by default a rule then asks
	Locked  bool // a project file can neither disable nor except it
	Observe bool // record the effect without enforcing it
	Hits    []Example
	Misses  []Example
	Pos     Pos
}

// standIn reports whether the rule is an allow rule of a pack. It replaces the default if no other
// rule matches, and is not a permission.
func (r *Rule) standIn() bool { return r.Layer == Builtin && r.Pack != "" && r.Effect == umpire.Allow }

// Platform returns a coding agent that the rule applies to, for testing its examples.
func (r *Rule) Platform() string {
	for _, p := range r.When.Platforms {
		if !strings.ContainsAny(p, "*?[{\\") {
			return p
		}
	}
	return "claude"
}

// Condition limits a rule further. The zero value always holds.
type Condition struct {
	Platforms []string // globs, any of them; empty means all
	Tools     []string // likewise, over the tool's name
	Agents    []string // likewise, over the sub-agent's ID or role
	Traits    umpire.Trait
	Without   umpire.Trait
	Tainted   *bool // whether another party influences the session or the operation's data or code; nil means either
}

// Example is a shell command, or the input of a tool, that a rule must or must not match.
type Example struct {
	Command string
	Tool    string
	Input   string // JSON object
	Dir     string
	Tainted bool // in a tainted session
	Pos     Pos
}

// Mode decides operations of a kind that no rule settles.
type Mode uint8

// The modes. ApproveBulk asks like ApproveEach, but a front end may group the questions.
const (
	ModeUnset Mode = iota // the policy's default
	ApproveEach
	ApproveBulk
	AllowAll
	DenyAll
	modeCount
)

var modeNames = [...]string{"", "approve-each", "approve-bulk", "allow-all", "deny-all"}

// String returns the mode's name, which is empty for ModeUnset.
func (m Mode) String() string { return nameOf(modeNames[:], m) }

// ParseMode reads the name of a Mode.
func ParseMode(s string) (Mode, error) {
	m, err := valueOf[Mode](modeNames[1:], "mode", s)
	if err != nil {
		return ModeUnset, err
	}
	return m + 1, nil
}

// MarshalText implements encoding.TextMarshaler.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Mode) UnmarshalText(b []byte) (err error) {
	*m, err = ParseMode(string(b))
	return err
}

// Endpoint is a host that is allowed before any rule except managed denies.
type Endpoint struct {
	Host  string // a network pattern without method and path
	Layer Layer
	Pos   Pos
}

// Disable turns a rule off.
type Disable struct {
	Rule    string
	Layer   Layer
	Pos     Pos
	Observe bool // the rule records its effect without enforcing it
}

// Source holds the merged layers from which Compile makes a Policy.
type Source struct {
	Default          umpire.Effect // if no rule settles an operation
	Rules            []Rule
	Disabled         []Disable
	AllowedEndpoints []Endpoint
	Modes            map[umpire.Kind]Mode
	AutoApprove      bool // a call that rules allow skips the platform's question
	Observe          bool // record decisions and stop nothing
	Judge            Judge
	CannotAsk        CannotAsk
	AskFirst         bool // ask at the gateway even if the agent can ask its user
	Audit            Audit
	ToolOutput       ToolOutput
	Prompts          bool   // check user prompts before the model reads them
	Programs         string // program descriptions, for package reader
}

// ToolOutput says how to handle instructions in tool output, before the model reads it.
type ToolOutput uint8

// The values. The zero value replaces.
const (
	ReplaceOutput ToolOutput = iota // replace instructions and taint the session
	WarnOutput                      // warn the model and taint the session
	PassOutput                      // do not check
	toolOutputCount
)

var toolOutputNames = [...]string{"replace", "warn", "pass"}

// String returns the name used in policy files.
func (o ToolOutput) String() string { return nameOf(toolOutputNames[:], o) }

// MarshalText implements encoding.TextMarshaler.
func (o ToolOutput) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *ToolOutput) UnmarshalText(b []byte) (err error) {
	*o, err = valueOf[ToolOutput](toolOutputNames[:], "value", string(b))
	return err
}

// Audit limits the audit log. Zero values select the defaults of the log; the maximum is
// 65,535.
type Audit struct {
	MaxSize int // size in MiB at which a new file begins
	Keep    int // number of old files to keep
}

// Judge selects the actions that a model decides.
type Judge struct {
	Scope     Scope
	Ambiguous bool // the judge may also allow actions that rules ask about only because of doubt
}

// Scope selects the unsettled calls that the judge decides.
type Scope uint8

// The scopes.
const (
	ScopeNone  Scope = iota // no judge
	ScopeRisky              // calls that do more than read and change the workspace, or are not fully known
	ScopeAll
	scopeCount
)

var scopeNames = [...]string{"none", "risky", "all"}

// String returns the scope's name.
func (s Scope) String() string { return nameOf(scopeNames[:], s) }

// MarshalText implements encoding.TextMarshaler.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Scope) UnmarshalText(b []byte) (err error) {
	*s, err = valueOf[Scope](scopeNames[:], "scope", string(b))
	return err
}

// CannotAsk says what happens to an ask if the agent cannot ask its user.
type CannotAsk uint8

// The values. The zero value denies at once.
const (
	AskLater CannotAsk = iota // deny; the call may run once after a person approves it
	AskWait                   // wait some time for a person's answer
)

var cannotAskNames = [...]string{"deny", "wait"}

// String returns the name used in policy files.
func (c CannotAsk) String() string { return nameOf(cannotAskNames[:], c) }

// MarshalText implements encoding.TextMarshaler.
func (c CannotAsk) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *CannotAsk) UnmarshalText(b []byte) (err error) {
	*c, err = valueOf[CannotAsk](cannotAskNames[:], "value", string(b))
	return err
}

// Error is one fault in a Source.
type Error struct {
	Pos  Pos
	Rule string
	Msg  string
	Hint string // the next step for the author
}

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	if at := e.Pos.String(); at != "" {
		b.WriteString(at + ": ")
	}
	if e.Rule != "" {
		fmt.Fprintf(&b, "rule %q: ", e.Rule)
	}
	b.WriteString(e.Msg)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Errors holds every fault of a Source.
type Errors []*Error

// Error implements error, one fault a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the faults.
func (es Errors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

// Warning reports a part of a Source that was skipped or may surprise its author.
type Warning struct {
	Pos  Pos
	Rule string
	Msg  string
}

// String returns the warning on one line.
func (w Warning) String() string {
	return (&Error{Pos: w.Pos, Rule: w.Rule, Msg: w.Msg}).Error()
}
