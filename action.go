package umpire

import (
	"encoding/json"
	"slices"
)

// Principal is who wants an Action.
type Principal struct {
	Platform string `json:"platform,omitempty"` // the coding agent: "claude", "codex", ...
	Agent    string `json:"agent,omitempty"`    // the sub-agent's ID, empty for the main agent
	Role     string `json:"role,omitempty"`     // what sort of sub-agent it is: "general-purpose", "worker", ...
	Parent   string `json:"parent,omitempty"`   // the agent or session that started it, where the platform tells
	Session  string `json:"session,omitempty"`
	User     string `json:"user,omitempty"`
	Tenant   string `json:"tenant,omitempty"`
}

// Action is one thing an agent wants to do: a tool call as the platform sent it.
//
// Tool is the tool's name as the platform says it, "Bash" or "run_commands". Only the tools
// of servers have one form, mcp__SERVER__TOOL, so that a rule about tool(mcp__github__*)
// speaks for every platform; a server that the platform does not name is a Hole.
type Action struct {
	ID        string          `json:"id,omitempty"` // the platform's ID of this call
	Principal Principal       `json:"principal"`
	Tool      string          `json:"tool"`              // "Bash", "mcp__db__query"
	Input     json.RawMessage `json:"input"`             // the tool's input, one JSON object
	Dir       string          `json:"dir"`               // working directory, absolute
	Workspace string          `json:"workspace"`         // root of the project the agent works in; empty means Dir
	Home      string          `json:"home"`              // home directory of the user whose rights the tool has
	Temp      string          `json:"temp"`              // the temporary folder, $TMPDIR; empty means /tmp
	Tainted   bool            `json:"tainted,omitempty"` // the session met content that tries to steer the agent
	Files     []File          `json:"files,omitempty"`   // what it runs and reads, where somebody looked: an approval is for these
}

// File is a file that an Action runs or reads, as it was when the Action was judged.
type File struct {
	Path string `json:"path"`
	Sum  string `json:"sum"` // SHA-256 in hexadecimal digits; else a word for why there is none
}

// Reason is why a rule, a model or a person wants an Effect.
type Reason struct {
	Rule    string `json:"rule"`              // stable ID of the rule
	Effect  Effect `json:"effect"`            // what this rule asks for
	Text    string `json:"text"`              // why, for people and agents
	Suggest string `json:"suggest,omitempty"` // what to do instead
	Op      int    `json:"op"`                // index of the Operation that matched; -1 for the Action as a whole
	Doubt   bool   `json:"doubt,omitempty"`   // it only may match: part of the Operation is not known
	Would   string `json:"would,omitempty"`   // the Rule is only observed: the effect that it would have
	Own     bool   `json:"own,omitempty"`     // the Rule is the user's or the administrator's, and not built in
}

// Verdict is what a model says about an Action.
type Verdict struct {
	Effect Effect `json:"effect"`
	Reason Reason `json:"reason"`
	Source string `json:"source"` // "rules", "model", "human", ...
}

// Decision is the final answer to an Action. Its zero value denies.
type Decision struct {
	Effect   Effect   `json:"effect"`
	Reasons  []Reason `json:"reasons,omitempty"` // every rule that spoke, strictest first
	Explicit bool     `json:"explicit"`          // rules settled it; false: nothing spoke and the default applied
	Safe     bool     `json:"safe,omitempty"`    // built-in allow rules cover what no other rule settled, so the default did not apply and no model needs to look
}

// Add puts a reason before those that are as strict or milder, and makes the decision at
// least as strict as it.
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

// Finding is what a guard saw in a text, with its place in bytes.
type Finding struct {
	Type  string  `json:"type"`
	Start int     `json:"start"`
	End   int     `json:"end"`
	Score float64 `json:"score,omitempty"`
}
