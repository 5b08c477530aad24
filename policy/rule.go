package policy

import (
	"fmt"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Layer says who wrote a rule. A later one is trusted more.
type Layer uint8

// The layers. The zero value is trusted least: whoever forgets to say where a rule
// came from can only tighten with it.
const (
	Project        Layer = iota // a file in the workspace, which the agent can write
	ProjectTrusted              // the same, its exact content trusted by the user
	Builtin                     // a pack that umpire brings along
	User                        // the user's own file
	Managed                     // the administrator's file
	layerCount
)

var layerNames = [layerCount]string{"project", "trusted project", "builtin", "user", "managed"}

// String returns the layer's name.
func (l Layer) String() string {
	if l < layerCount {
		return layerNames[l]
	}
	return "unknown"
}

// Pos is a place in a policy file; Line and Col count from one.
type Pos struct {
	File string
	Line int
	Col  int
}

// String returns file:line:col as far as it is known.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Rule is a condition with a stable ID, and the Effect it asks for.
type Rule struct {
	ID      string
	Title   string
	Effect  umpire.Effect
	Match   []Pattern // speaks about an operation that any of these match
	Unless  []Pattern // and none of these
	When    Condition // and only then
	Reason  string    // why it is dangerous, one line
	Suggest string    // what to do instead
	Pack    string    // the pack it came with
	Layer   Layer
	Certain bool // keep silent rather than ask where it only may match
	Locked  bool // a project file can neither disable nor except it
	Observe bool // say what it would do, without effect
	Hits    []Example
	Misses  []Example
	Pos     Pos
}

// standIn reports whether the rule is a pack's that allows. It takes the place of the
// default where no other rule speaks, and is no permission.
func (r *Rule) standIn() bool { return r.Layer == Builtin && r.Pack != "" && r.Effect == umpire.Allow }

// Platform is a coding agent that the rule speaks about: its examples are judged as if
// that one asked.
func (r *Rule) Platform() string {
	for _, p := range r.When.Platforms {
		if !strings.ContainsAny(p, "*?[{\\") {
			return p
		}
	}
	return "claude"
}

// Condition is what must hold besides a rule's patterns. Its zero value always holds.
type Condition struct {
	Platforms []string // globs, any of them; none given: all
	Tools     []string // likewise, over the tool's name
	Agents    []string // likewise, over the sub-agent's ID or role
	Traits    umpire.Trait
	Without   umpire.Trait
	Tainted   *bool // the session, or the operation's data or code, is under another party's influence, or is not
}

// Example is an action on which a rule speaks, or must not: a shell command, or the
// input of a tool.
type Example struct {
	Command string
	Tool    string
	Input   string // JSON object
	Dir     string
	Tainted bool // in a tainted session
	Pos     Pos
}

// Mode is what happens to an operation on which no rule settled anything.
type Mode uint8

// The modes. ApproveBulk asks as ApproveEach does; a front end may gather the questions.
const (
	ModeUnset Mode = iota // the policy's default
	ApproveEach
	ApproveBulk
	AllowAll
	DenyAll
	modeCount
)

var modeNames = [modeCount]string{"", "approve-each", "approve-bulk", "allow-all", "deny-all"}

// String returns the mode's name, which is empty for ModeUnset.
func (m Mode) String() string {
	if m < modeCount {
		return modeNames[m]
	}
	return "unknown"
}

// ParseMode reads the name of a Mode.
func ParseMode(s string) (Mode, error) {
	for i, n := range modeNames {
		if n == s && i > 0 {
			return Mode(i), nil
		}
	}
	return ModeUnset, fmt.Errorf("unknown mode %q: use %s", s, strings.Join(modeNames[1:], ", "))
}

// MarshalText implements encoding.TextMarshaler.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Mode) UnmarshalText(b []byte) (err error) {
	*m, err = ParseMode(string(b))
	return err
}

// Endpoint is a host that may be reached before any but a managed deny rule is asked.
type Endpoint struct {
	Host  string // a network pattern without method and path
	Layer Layer
	Pos   Pos
}

// Disable switches a rule off.
type Disable struct {
	Rule    string
	Layer   Layer
	Pos     Pos
	Observe bool // the rule only says what it would do
}

// Source is what a Policy is compiled from: the layers, already added up.
type Source struct {
	Default          umpire.Effect // when nothing spoke
	Rules            []Rule
	Disabled         []Disable
	AllowedEndpoints []Endpoint
	Modes            map[umpire.Kind]Mode
	AutoApprove      bool // an action that rules allow skips the platform's own question
	Observe          bool // decide and record, and stop nothing
	Judge            Judge
	CannotAsk        CannotAsk
	AskFirst         bool // wait for a person elsewhere also where the platform could ask
	Audit            Audit
	ToolOutput       ToolOutput
	Prompts          bool   // what users send is judged before the platform's model reads it
	Programs         string // descriptions of programs for the reader of commands; the policy only carries them
}

// ToolOutput is what becomes of what tools answer, where the platform shows it to umpire
// before its model reads it.
type ToolOutput uint8

// The ways. The zero value replaces.
const (
	ReplaceOutput ToolOutput = iota // instructions in it are replaced, and the session is tainted
	WarnOutput                      // the model is warned of them, and the session is tainted
	PassOutput                      // nobody looks
	toolOutputCount
)

var toolOutputNames = [toolOutputCount]string{"replace", "warn", "pass"}

// String returns the name used in policy files.
func (o ToolOutput) String() string {
	if o < toolOutputCount {
		return toolOutputNames[o]
	}
	return "unknown"
}

// MarshalText implements encoding.TextMarshaler.
func (o ToolOutput) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (o *ToolOutput) UnmarshalText(b []byte) error {
	for i, n := range toolOutputNames {
		if n == string(b) {
			*o = ToolOutput(i)
			return nil
		}
	}
	return fmt.Errorf("unknown way %q: use %s", b, strings.Join(toolOutputNames[:], ", "))
}

// Audit bounds the record of what was decided. Zeros leave it at what the log does by
// itself; neither may be more than 65,535.
type Audit struct {
	MaxSize int // MiB after which a new file is begun
	Keep    int // finished files that are kept
}

// Judge says what a model is asked about.
type Judge struct {
	Scope     Scope
	Ambiguous bool // it may also allow what rules only ask about because part of the action is not known
}

// Scope is how much of what no rule settled goes to the judge.
type Scope uint8

// The scopes.
const (
	ScopeNone  Scope = iota // there is no judge
	ScopeRisky              // what reaches beyond reading and the workspace, or is not fully known
	ScopeAll
	scopeCount
)

var scopeNames = [scopeCount]string{"none", "risky", "all"}

// String returns the scope's name.
func (s Scope) String() string {
	if s < scopeCount {
		return scopeNames[s]
	}
	return "unknown"
}

// MarshalText implements encoding.TextMarshaler.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Scope) UnmarshalText(b []byte) error {
	for i, n := range scopeNames {
		if n == string(b) {
			*s = Scope(i)
			return nil
		}
	}
	return fmt.Errorf("unknown scope %q: use %s", b, strings.Join(scopeNames[:], ", "))
}

// CannotAsk is what becomes of an ask where the platform has no way to ask anybody.
type CannotAsk uint8

// The ways. The zero value denies at once.
const (
	AskLater CannotAsk = iota // deny, and let the call pass once when a person approved it
	AskWait                   // wait for a person's answer, for a while
	cannotAskCount
)

var cannotAskNames = [cannotAskCount]string{"deny", "wait"}

// String returns the name used in policy files.
func (c CannotAsk) String() string {
	if c < cannotAskCount {
		return cannotAskNames[c]
	}
	return "unknown"
}

// MarshalText implements encoding.TextMarshaler.
func (c CannotAsk) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *CannotAsk) UnmarshalText(b []byte) error {
	for i, n := range cannotAskNames {
		if n == string(b) {
			*c = CannotAsk(i)
			return nil
		}
	}
	return fmt.Errorf("unknown way %q: use %s", b, strings.Join(cannotAskNames[:], ", "))
}

// Error is a fault in a Source.
type Error struct {
	Pos  Pos
	Rule string
	Msg  string
	Hint string // what to do next
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

// Errors is every fault of a Source at once.
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

// Warning is something in a Source that was left out or will surprise its author.
type Warning struct {
	Pos  Pos
	Rule string
	Msg  string
}

// String returns the warning on one line.
func (w Warning) String() string {
	return (&Error{Pos: w.Pos, Rule: w.Rule, Msg: w.Msg}).Error()
}
