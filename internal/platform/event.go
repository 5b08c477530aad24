package platform

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/jsonfault"
)

// EventKind is the type of an Event.
type EventKind uint8

// The kinds. A client waits for a decision on Call and Permission, and continues after
// every other.
const (
	Other        EventKind = iota // an event with an unknown name
	Call                          // before a tool call
	Permission                    // before the client asks its user about a call
	Result                        // a tool has run, or failed
	Prompt                        // a message of the user, or of a program in the user's place
	SessionStart                  // a session began, or continues
	SessionEnd
	AgentStart // a sub-agent began
	AgentStop
	Notice // known and ignored: the end of a turn, a compacted context
)

// Event is one payload of a client.
type Event struct {
	Name   string // the client's name for it: "PreToolUse", "tool.execute.before"
	Kind   EventKind
	Action umpire.Action   // the call; Principal and Dir are set for every kind
	Output json.RawMessage // Result: the tool's output, in the client's form
	Took   time.Duration   // Result: how long the tool ran, if the client reports it
	Text   string          // Prompt: the message
	Mode   string          // the client's permission mode, in its words
	Asks   bool            // the payload says that a person is there to answer
	Other  string          // another client whose form the payload has
	Lacks  string          // a call: the missing fields, in words
	Blank  string          // a call: why its input says nothing about what the tool would do, in words

	Damage string          // why the payload is ambiguous, in words
	Also   []umpire.Action // a call: other readings of a damaged payload
}

// Judged reports whether the client waits for a decision.
func (e *Event) Judged() bool { return e.Kind == Call || e.Kind == Permission }

// Reply is umpire's response to a client.
type Reply struct {
	Effect  umpire.Effect
	Reason  string          // reason for the agent's model and the user
	Speak   bool            // send an explicit allow, so that the client does not ask its user
	Input   json.RawMessage // with an allow: the replacement of the tool's input, one JSON object
	Context string          // further context for the model

	// For a Result, if Replaces returns true: the replacement of the tool's output, in its shape
	// and as one text.
	Output json.RawMessage
	Text   string
}

// HookOutput is the complete output of the hook process.
type HookOutput struct {
	Stdout string
	Stderr string
	Exit   int
}

// Client translates between one coding agent's hooks and umpire's types.
type Client struct {
	Name  string // the argument of umpire-hook, and the Platform of principals
	Title string // the product name

	// Decode reads a payload in the client's form. Call Read instead, which calls it. It ignores
	// unknown fields, because clients add some with every release. Even with an error, the Event
	// has the fields that were understood.
	Decode func(data []byte) (Event, error)

	// Encode encodes a reply in the client's form. Effect is never Ask if Asks returns false.
	Encode func(e *Event, r Reply) HookOutput

	// Asks reports whether the client can ask a person. It then gets an ask; otherwise umpire must
	// find a person itself.
	Asks func(e *Event, getenv func(string) string) bool

	// Replaces reports whether the client's model gets the replacement in a Reply instead of the
	// tool's output. Nil means never.
	Replaces func(e *Event) bool

	// Refuses means that the client keeps a Prompt from its model if a Reply denies it.
	Refuses bool

	// Project lists the environment variables that may hold the project's folder.
	Project []string
}

// Never is the Asks of a client that cannot ask.
func Never(*Event, func(string) string) bool { return false }

// Always is the Asks of a client that always can.
func Always(*Event, func(string) string) bool { return true }

// ErrIncomplete means that a payload lacks a field that judging needs.
var ErrIncomplete = errors.New("incomplete hook payload")

// Kinds maps a client's event names to kinds. It is a list because a map would be built at every
// start of the hook, for every client.
type Kinds []struct {
	Event string
	Kind  EventKind
}

// Of returns the kind of an event name, or Other if it is unknown.
func (k Kinds) Of(event string) EventKind {
	for i := range k {
		if k[i].Event == event {
			return k[i].Kind
		}
	}
	return Other
}

// Fields are the top-level fields of a payload. They are cheaper than a struct, for which
// encoding/json uses reflection, and the hook must start fast.
type Fields map[string]json.RawMessage

// Read reads a payload's top level.
func Read(data []byte) (f Fields, err error) {
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, notObject(err)
	}
	return f, nil
}

// Text returns a string field. A field of another type counts as missing.
func (f Fields) Text(name string) string {
	var s string
	if v := f[name]; len(v) > 0 && json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// Millis returns a field with a number of milliseconds, at most a year.
func (f Fields) Millis(name string) time.Duration {
	var n float64
	if v := f[name]; len(v) == 0 || json.Unmarshal(v, &n) != nil {
		return 0
	}
	return Millis(n)
}

// Millis converts a payload's milliseconds into a duration.
func Millis(n float64) time.Duration {
	return time.Duration(max(0, min(n, 366*24*3600*1000)) * float64(time.Millisecond))
}

// Has reports whether a payload has a field, with any value.
func (f Fields) Has(name string) bool { return f[name] != nil }

func notObject(err error) error {
	return fmt.Errorf("the hook payload is not a valid JSON object: %w", jsonfault.Words(err))
}

// Unmarshal reads a payload into a struct, with an error that names it. A field of an unexpected
// type counts as missing: clients also change fields that judging does not need.
func Unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var other *json.UnmarshalTypeError
	if err == nil || errors.As(err, &other) && other.Field != "" {
		return nil
	}
	return notObject(err)
}

// Check returns the missing fields that judging needs, by the client's names.
func (e *Event) Check(event, tool, input, dir string) error {
	switch {
	case e.Name == "":
		return fmt.Errorf("%w: %s is missing", ErrIncomplete, event)
	case e.Judged() && e.Action.Tool == "":
		return fmt.Errorf("%w: %s is missing", ErrIncomplete, tool)
	case e.Judged() && len(e.Action.Input) == 0:
		return fmt.Errorf("%w: %s is missing", ErrIncomplete, input)
	case e.Judged() && !Absolute(e.Action.Dir):
		return fmt.Errorf("%w: %s is missing or not absolute", ErrIncomplete, dir)
	}
	return nil
}

// Here returns the working directory of this process. Clients whose payloads name no folder start
// their hooks in the tools' folder.
func Here() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// Object returns the JSON object inside a JSON string, and other values unchanged. Some clients
// send a tool's input in that form.
func Object(v json.RawMessage) json.RawMessage {
	if v = bytes.TrimSpace(v); len(v) > 0 && v[0] == '"' {
		var s string
		if json.Unmarshal(v, &s) == nil && json.Valid([]byte(s)) {
			return json.RawMessage(s)
		}
	}
	return v
}

// Given reports whether a field of a payload has a value.
func Given(v json.RawMessage) bool { return len(v) > 0 && string(v) != "null" }

// ServerTool returns the name of a server's tool in an Action, whatever the client calls it:
// mcp__github__delete_repo. An unnamed server becomes a Hole.
func ServerTool(server, tool string) string {
	server = cmp.Or(server, umpire.Hole)
	return "mcp__" + server + "__" + tool
}

// Absolute reports whether a folder is absolute in Unix or Windows notation, on any system:
// payloads of both are read anywhere.
func Absolute(dir string) bool {
	return dir != "" && (dir[0] == '/' || len(dir) > 2 && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/') || len(dir) > 2 && dir[:2] == `\\`)
}

// Line encodes a value as one line of JSON for a client.
func Line(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // only for an invalid RawMessage, and those come decoded
		return ""
	}
	return string(b) + "\n"
}

// Deny denies in every way: by a document, a message on standard error, and the exit status that
// most clients treat as a denial.
func (r *Reply) Deny(doc any) HookOutput {
	return HookOutput{Stdout: Line(doc), Stderr: r.Why() + "\n", Exit: 2}
}

// Unchanged turns an allow of a changed input into a denial with the input to use, for clients
// that cannot take a changed input: the decision does not allow the original call.
func (r Reply) Unchanged() Reply {
	if r.Effect == umpire.Allow && len(r.Input) > 0 {
		r.Effect = umpire.Deny
		r.Reason = "this call is allowed only in another form, which this client cannot be given: call the tool with " + string(r.Input)
	}
	return r
}

// Why returns the reason of a reply, which is never empty: some clients run a call that is denied
// without one.
func (r *Reply) Why() string {
	if strings.TrimSpace(r.Reason) == "" {
		return "umpire: no reason given"
	}
	return r.Reason
}
