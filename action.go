package umpire

import (
	"encoding/json"
	"slices"
)

// Principal identifies the agent and the person behind an Action.
type Principal struct {
	Platform string `json:"platform,omitempty"` // the coding agent: "claude", "codex", ...
	Agent    string `json:"agent,omitempty"`    // the sub-agent's ID, empty for the main agent
	Role     string `json:"role,omitempty"`     // role of the sub-agent: "general-purpose", "worker", ...
	Parent   string `json:"parent,omitempty"`   // the agent or session that started it, if known
	Session  string `json:"session,omitempty"`
	User     string `json:"user,omitempty"`
	Tenant   string `json:"tenant,omitempty"`
}

// Action is one tool call, as the agent sent it.
//
// Tool has the name that the agent uses, such as "Bash" or "run_commands". Tools of MCP
// servers have the same form for every agent, mcp__SERVER__TOOL, so that a rule for
// tool(mcp__github__*) matches all of them. If the agent does not name the server, SERVER is a
// Hole.
type Action struct {
	ID        string          `json:"id,omitempty"` // ID of the call, from the agent
	Principal Principal       `json:"principal"`
	Tool      string          `json:"tool"`              // "Bash", "mcp__db__query"
	Input     json.RawMessage `json:"input"`             // the tool's input, one JSON object
	Dir       string          `json:"dir"`               // working directory, an absolute path
	Workspace string          `json:"workspace"`         // root of the agent's project; empty means Dir
	Home      string          `json:"home"`              // home directory of the user that the tool runs as
	Temp      string          `json:"temp"`              // the temporary folder, $TMPDIR; empty means /tmp
	Tainted   bool            `json:"tainted,omitempty"` // the session read untrusted instructions
	Files     []File          `json:"files,omitempty"`   // files that the call runs and reads, if known; an approval covers only these contents
}

// File is a file that an Action runs or reads, with its content at the time of the Decision.
type File struct {
	Path string `json:"path"`
	Sum  string `json:"sum"` // SHA-256 in hexadecimal; otherwise a word that says why it is missing
}

// Reason says why a rule, a model or a person chose an Effect.
type Reason struct {
	Rule    string `json:"rule"`              // stable ID of the rule
	Effect  Effect `json:"effect"`            // effect of this rule
	Text    string `json:"text"`              // why, for people and agents
	Suggest string `json:"suggest,omitempty"` // instruction for the agent: what to do instead
	Op      int    `json:"op"`                // index of the Operation that matched; -1 for the Action as a whole
	Doubt   bool   `json:"doubt,omitempty"`   // the rule may match: part of the Operation is not known
	Would   string `json:"would,omitempty"`   // effect that an observed rule would have
	Own     bool   `json:"own,omitempty"`     // the rule belongs to the user or administrator; false for built-in rules
}

// Verdict is the opinion of a model about an Action.
type Verdict struct {
	Effect Effect `json:"effect"`
	Reason Reason `json:"reason"`
	Source string `json:"source"` // "rules", "model", "human", ...
}

// Decision is the result for an Action. The zero value denies.
type Decision struct {
	Effect   Effect   `json:"effect"`
	Reasons  []Reason `json:"reasons,omitempty"` // every rule that matched, strictest first
	Explicit bool     `json:"explicit"`          // a rule settled it; if false, the default applied
	Safe     bool     `json:"safe,omitempty"`    // built-in allow rules cover the rest, so neither the default nor a model applies
	// Unsettled are the indexes of the Operations that no rule settles, and that the default stops or
	// asks about.
	Unsettled []int `json:"unsettled,omitempty"`
}

// Add inserts a reason before those that are equally strict or milder, and makes the decision at
// least as strict as the reason.
func (d *Decision) Add(r Reason) {
	at := slices.IndexFunc(d.Reasons, func(other Reason) bool { return other.Effect >= r.Effect })
	if at < 0 {
		at = len(d.Reasons)
	}
	d.Reasons = slices.Insert(d.Reasons, at, r)
	if r.Effect < d.Effect {
		d.Effect, d.Explicit = r.Effect, true
	}
}

// Finding is a match that a guard found in a text. Start and End are offsets in bytes.
type Finding struct {
	Type  string  `json:"type"`
	Start int     `json:"start"`
	End   int     `json:"end"`
	Score float64 `json:"score,omitempty"`
}
