// Package install writes umpire's hooks into the settings of coding agents, and removes them.
//
// Plan returns the Changes of files for an Agent, and PlanRemove those that undo them, so that a
// person can read them first; Apply writes them. Inspect reports the Status of what is installed, with
// its Problems: an agent or a project may have switched the hook off or redirected it.
//
// Settings belong to their users: an edit keeps comments, order and other hooks, and saves the
// old content. Removing the hooks restores it.
package install

import (
	"errors"
	"fmt"
	"os"
	"slices"
)

// Env is the machine to install on.
type Env struct {
	Home     string                       // the user's home folder
	Dir      string                       // the project's folder
	Root     string                       // the folder of machine-wide paths; "" means the real root
	Getenv   func(string) string          // nil is an empty environment
	LookPath func(string) (string, error) // nil finds no program
	Hook     string                       // absolute path of umpire-hook for the agents' settings
}

// Scope is the reach of an installed hook.
type Scope uint8

// The scopes.
const (
	User    Scope = iota // the user, in all projects
	Project              // one project's folder
	Managed              // all users of the machine; agents cannot remove it
)

var scopeNames = [...]string{"user", "project", "managed"}

// String returns the scope's name.
func (s Scope) String() string { return scopeNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Scope) UnmarshalText(b []byte) error {
	i := slices.Index(scopeNames[:], string(b))
	if i < 0 {
		return fmt.Errorf("unknown scope %q", b)
	}
	*s = Scope(i)
	return nil
}

// Options configure an installation.
type Options struct {
	AllEvents bool // also results, prompts and sub-agents
	OnlyCalls bool // not these: remove what an earlier installation added for them; by default it stays
	Trust     bool // Codex: record the user's trust in the hook, on the user's request only
}

// Change is the planned change of one file.
type Change struct {
	Agent   string
	Scope   Scope
	Path    string // the agent's path, which may be a symbolic link
	Before  []byte
	After   []byte // nil removes the file
	Mode    os.FileMode
	Existed bool
	Note    string // a note for the user

	form form
}

// HookEntry is one hook in an agent's settings.
type HookEntry struct {
	Event   string `json:"event"`
	Matcher string `json:"matcher,omitempty"` // matching tools; "" means all
	Command string `json:"command"`           // the command in the file
	Before  bool   `json:"-"`                 // another program's hook that runs before umpire's
}

// Trouble is a fault of a file or its content.
type Trouble string

// The kinds of trouble, from bad to harmless.
const (
	Broken  Trouble = "broken"  // the agent may ignore the whole file
	Off     Trouble = "off"     // a switch turns umpire's hook off
	Changed Trouble = "changed" // the installed settings are gone or different
	Weak    Trouble = "weak"    // calls may pass without umpire
	Steered Trouble = "steered" // variables are set that bypass umpire
	Note    Trouble = "note"
)

// Problem is a problem in a settings file.
type Problem struct {
	Kind Trouble
	Path string
	Text string
	Next string // the next step
}

// File is the state of one settings file.
type File struct {
	Path    string
	Scope   Scope
	Exists  bool
	Looked  bool // only read by the agent: umpire never writes it for this one
	Ours    []HookEntry
	Foreign []HookEntry
}

// Status is the state of umpire in one agent's settings.
type Status struct {
	Agent     string
	OnlyHere  bool // installed only by the settings of this project
	Installed bool // a hook for the calls of all tools exists, and no setting was found that disables it
	Files     []File
	Problems  []Problem
	Heartbeat string // the file that umpire's plugin touches when the agent loads it; "" without a plugin
}

// ErrUnsupported means that an agent has no file for a scope.
var ErrUnsupported = errors.New("not supported")
