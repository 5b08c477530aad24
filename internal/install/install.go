// Package install writes umpire's hooks into the settings of coding agents, and removes them.
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

// Env is the machine that is written to.
type Env struct {
	Home     string                       // the user's home folder
	Dir      string                       // the project's folder
	Root     string                       // the folder of machine-wide paths; "" is the machine's own root
	Getenv   func(string) string          // nil is an empty environment
	LookPath func(string) (string, error) // nil finds no program
	Hook     string                       // the absolute path of umpire-hook, as the agents are to start it
}

// Scope says for whom a hook is installed.
type Scope uint8

// The scopes.
const (
	User    Scope = iota // the user, in all projects
	Project              // one project's folder
	Managed              // everybody on the machine; agents cannot undo it
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
		return fmt.Errorf("the scope %q is not known", b)
	}
	*s = Scope(i)
	return nil
}

// Options select what is installed.
type Options struct {
	AllEvents bool // results, prompts and sub-agents besides calls and sessions
	Trust     bool // Codex: record the user's trust in the hook; only they can want that
}

// Change is what would happen to one file.
type Change struct {
	Agent   string
	Scope   Scope
	Path    string // as the agent knows it; it may be a symbolic link
	Before  []byte
	After   []byte // nil removes the file
	Mode    os.FileMode
	Existed bool
	Note    string // a note for the user

	form form
}

// Entry is one hook in an agent's settings.
type Entry struct {
	Event   string `json:"event"`
	Matcher string `json:"matcher,omitempty"` // which tools; "" is all
	Command string `json:"command"`           // the command, as the file has it
	Before  bool   `json:"-"`                 // a foreign one that stands before umpire's
}

// Trouble says what is wrong with a file or its content.
type Trouble string

// The kinds of trouble, from bad to harmless.
const (
	Broken  Trouble = "broken"  // the agent may ignore the whole file
	Off     Trouble = "off"     // a switch keeps umpire's hook from being called
	Changed Trouble = "changed" // the installed settings are gone or different
	Weak    Trouble = "weak"    // calls may pass without umpire
	Steered Trouble = "steered" // variables are set that reach past umpire
	Note    Trouble = "note"
)

// Problem is one thing that someone should know.
type Problem struct {
	Kind Trouble
	Path string
	Text string
	Next string // what to do
}

// File is what one settings file has.
type File struct {
	Path    string
	Scope   Scope
	Exists  bool
	Ours    []Entry
	Foreign []Entry
}

// Status is how umpire stands in one agent's settings.
type Status struct {
	Agent     string
	Installed bool // there is a hook for the calls of all tools, and nothing was seen to switch it off
	Files     []File
	Problems  []Problem
	Heartbeat string // the file that umpire's plugin touches when the agent loads it; "" if it is none
}

// ErrUnsupported is returned for a scope that an agent has no file for.
var ErrUnsupported = errors.New("not supported")
