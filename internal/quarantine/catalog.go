package quarantine

import "strings"

// The tools that a reviewer may get.
const (
	Read = "Read"
	Grep = "Grep"
	Glob = "Glob"
)

// Severity is the gravity of an event, and the risk of a tool.
type Severity string

// The severities.
const (
	Low      Severity = "low"
	Medium   Severity = "medium"
	High     Severity = "high"
	Critical Severity = "critical"
)

// Category is the purpose of a tool, for the record.
type Category string

// The categories.
const (
	ReadOnly    Category = "read-only"
	Write       Category = "write"
	Execution   Category = "execution"
	Network     Category = "network"
	MCP         Category = "mcp"
	AgentTool   Category = "agent"
	Skill       Category = "skill"
	State       Category = "state"
	Interaction Category = "interaction"
	Unknown     Category = "other"
)

// Tool describes a tool name. Only the list of allowed tools decides whether the tool may be
// called; an unknown tool is not on it.
type Tool struct {
	Denied   bool // no configuration may allow it
	Risk     Severity
	Label    string // the attack that it would enable
	Category Category
}

var catalog = map[string]Tool{
	Read: {false, Low, "", ReadOnly},
	Grep: {false, Low, "", ReadOnly},
	Glob: {false, Low, "", ReadOnly},

	"Bash":         {true, Critical, "AS-001", Execution},
	"Write":        {true, Critical, "AS-001", Write},
	"Edit":         {true, Critical, "AS-001", Write},
	"MultiEdit":    {true, Critical, "AS-001", Write},
	"NotebookEdit": {true, Critical, "AS-001", Write},

	"Task":  {true, Critical, "AS-007", AgentTool},
	"Agent": {true, Critical, "AS-007", AgentTool},

	"Skill":        {true, High, "AS-007", Skill},
	"SlashCommand": {true, High, "AS-007", Skill},

	"WebFetch":  {true, High, "AS-008", Network},
	"WebSearch": {true, High, "AS-008", Network},

	"TodoWrite":    {true, Medium, "AS-003", State},
	"QuestionTool": {true, Medium, "AS-004", Interaction},
	"KillShell":    {true, Medium, "AS-006", Execution},
}

// classify returns the description of a tool name. It compares names byte for byte, so a
// look-alike is unknown.
func classify(name string) Tool {
	if t, ok := catalog[name]; ok {
		return t
	}
	if strings.HasPrefix(name, "mcp_") { // names of MCP tools begin with mcp__, which this prefix includes
		return Tool{true, High, "AS-008", MCP}
	}
	return Tool{false, High, "", Unknown}
}
