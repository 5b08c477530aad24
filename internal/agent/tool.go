package agent

import (
	"context"
	"encoding/json"
)

// Tool is something a model can have done.
type Tool struct {
	Name        string // [A-Za-z0-9_-]{1,64}
	Description string
	Schema      json.RawMessage // JSON Schema of the input, an object
	// Dangerous tools are asked about where no rule speaks. It is a default: the policy
	// may ask about one that is not, and allow one that is.
	Dangerous bool
	// Resolve writes the paths of an input out: absolute, and without links. A Caller has it
	// done before anything is judged, and says so in Env: the path that was judged is then
	// the one that is opened. nil: there is none in it.
	Resolve func(input json.RawMessage, env *Env) (json.RawMessage, error)
	// Run runs the call. Any error is a failed Result. Only a Caller calls it.
	Run func(ctx context.Context, input json.RawMessage, env *Env) Result
	// Preview says what a person should see before the call is approved, as the diff of an
	// edit; nil: the input. It changes nothing. Its result binds Run: Env.Seen.
	Preview func(ctx context.Context, input json.RawMessage, env *Env) Preview
	// Origin tells where what the tool returns came from, for its label; nil: it is not
	// foreign text.
	Origin func(input json.RawMessage) string
}

// Env is what a tool is given besides its input.
type Env struct {
	Dir       string             // where relative paths begin: the folder the agent was started in
	Workspace string             // the project's root
	CallID    string             // of the Call
	Output    func(piece string) // may be nil: output as it arrives
	Sandbox   bool               // the Decision asks for the box
	Resolved  bool               // the input comes from the tool's Resolve: no link in it is followed
	Seen      *Preview           // the preview that was approved; nil if nobody was asked
	Run       *RunState          // state that the tools of one run share
	Hold      func() error       // nil, or an error if what was judged changed; asked right before a command starts
}

// Holds returns an error if what was judged changed.
func (e *Env) Holds() error {
	if e.Hold == nil {
		return nil
	}
	return e.Hold()
}

// Preview is what is shown of a call before it runs.
type Preview struct {
	Text string // a command, a diff; plain text, untrusted
	Diff bool   // Text is a unified diff
	// Outside are the files outside the workspace that it would write.
	Outside []string
	// Sums binds the approval: SHA-256 of the files' contents the preview was made from, by
	// resolved path ("" for a file that is not there). Run refuses when they changed.
	Sums map[string]string
	// Files are the texts that Text is the difference of, for faces that draw their own.
	Files []Edited
	Err   string // the call cannot succeed as things are: it is answered with this at once
}

// Edited is a file before and after a call, foreign text.
type Edited struct {
	Path          string // absolute
	Before, After string
	New           bool // there was none
}

// Result is what a call led to. The model is given Data when there is any, else all of it;
// people are shown Output.
type Result struct {
	Success bool   `json:"success"`
	Output  string `json:"output"`
	Data    any    `json:"data,omitempty"`
	Error   string `json:"error,omitempty"`

	// Walled says how the box may be why a call failed; empty: it is not, or there was none.
	Walled string `json:"-"`
	// Files are what was written, where Output is the difference. They are for people, and not kept.
	Files []Edited `json:"-"`
	// Notes say what the guards did to the output, for people. They do not appear in the result's form.
	Notes []string `json:"-"`
}

// Failed is the Result of a call that did not succeed.
func Failed(reason string) Result { return Result{Error: reason} }
