package agent

import (
	"context"
	"encoding/json"
)

// Tool is a tool that a model can call.
type Tool struct {
	Name        string // [A-Za-z0-9_-]{1,64}
	Description string
	Schema      json.RawMessage // JSON Schema of the input, an object
	// Dangerous tools ask if no rule settles the call. This is a default: the policy may ask
	// about other tools, and allow dangerous ones.
	Dangerous bool
	// Resolve makes the paths of an input absolute, without links. A Caller calls it before any
	// decision, and records it in Env, so that the tool opens the path that was judged. It is nil
	// for tools without paths.
	Resolve func(input json.RawMessage, env *Env) (json.RawMessage, error)
	// Run runs the call. Any error is a failed Result. Only a Caller calls it.
	Run func(ctx context.Context, input json.RawMessage, env *Env) Result
	// Preview returns what a person should see before they approve the call, such as the diff of an
	// edit; if nil, they see the input. It changes nothing. Its result binds Run; see Env.Seen.
	Preview func(ctx context.Context, input json.RawMessage, env *Env) Preview
	// Origin names the source of the tool's output, for its label; nil if the output is
	// trusted.
	Origin func(input json.RawMessage) string
}

// Env is the environment of a tool call.
type Env struct {
	Dir       string             // base of relative paths: the folder in which the agent was started
	Workspace string             // the project's root
	CallID    string             // of the Call
	Output    func(piece string) // gets output as it arrives; may be nil
	Sandbox   bool               // the Decision requires the sandbox
	Resolved  bool               // the tool's Resolve produced the input, so follow no links in it
	Seen      *Preview           // the approved preview; nil if umpire asked no one
	Run       *RunState          // state that the tools of one run share
	Hold      func() error       // returns an error if the judged files changed; call it right before a command starts; may be nil
}

// Holds returns an error if the judged files changed.
func (e *Env) Holds() error {
	if e.Hold == nil {
		return nil
	}
	return e.Hold()
}

// Preview is the display of a call before it runs.
type Preview struct {
	Text string // a command, a diff; plain text, untrusted
	Diff bool   // Text is a unified diff
	// Outside are the files outside the workspace that the call would write.
	Outside []string
	// Sums binds the approval: the SHA-256 of each file that the preview is based on, by resolved
	// path ("" for a missing file). Run refuses if one changed.
	Sums map[string]string
	// Files are the contents behind the diff in Text, for interfaces that draw their own.
	Files []Edited
	Err   string // the call cannot succeed; it returns this at once
}

// Edited is a file before and after a call. Its text is untrusted.
type Edited struct {
	Path          string // absolute
	Before, After string
	New           bool // there was no file
}

// Result is the result of a call. The model gets Data, or all fields if Data is nil. People see
// Output.
type Result struct {
	Success bool   `json:"success"`
	Output  string `json:"output"`
	Data    any    `json:"data,omitempty"`
	Error   string `json:"error,omitempty"`

	// Walled explains how the sandbox may have caused the failure; empty if it did not.
	Walled string `json:"-"`
	// Files are the written files, if Output is their diff. They are for people, and are not
	// stored.
	Files []Edited `json:"-"`
	// Notes report the guards' changes to the output, for people. They are not encoded with the
	// result.
	Notes []string `json:"-"`
}

// Failed returns the Result of a call that failed.
func Failed(reason string) Result { return Result{Error: reason} }
