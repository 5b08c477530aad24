package platform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/jsonfault"
)

// Kind says what a client tells its hook.
type Kind uint8

// The kinds. A client waits for a decision on Call and Permission, and continues after
// every other.
const (
	Other        Kind = iota // an event of which umpire does not know the name
	Call                     // a tool is about to be called
	Permission               // the client is about to ask its user about a call
	Result                   // a tool has run, or failed
	Prompt                   // the user, or what speaks for one, said something
	SessionStart             // a session began, or continues
	SessionEnd
	AgentStart // a sub-agent began
	AgentStop
	Notice // known, and nothing to umpire: a turn ended, a context was compacted
)

var kindNames = [...]string{"other", "call", "permission", "result", "prompt", "session-start", "session-end", "agent-start", "agent-stop", "notice"}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "other"
}

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Event is one payload of a client.
type Event struct {
	Name   string // as the client says it: "PreToolUse", "tool.execute.before"
	Kind   Kind
	Action umpire.Action   // the call that it is about; Principal and Dir are set for every kind
	Output json.RawMessage // Result: what the tool answered, in the client's form
	Took   time.Duration   // Result: how long the tool ran, where the client says so
	Text   string          // Prompt: what was said
	Mode   string          // the client's own permission mode, as it says it
	Asks   bool            // the payload says that a person is there to answer
	Other  string          // the client whose form this payload has, if it is not the one that was named
	Lacks  string          // a call: what the payload should have said and did not, in words

	Damage string          // why the payload cannot be read in one way only, in words
	Also   []umpire.Action // a call: the others that a damaged payload can be read as
}

// Judged reports whether the client waits for a decision.
func (e *Event) Judged() bool { return e.Kind == Call || e.Kind == Permission }

// Reply is what umpire wants to say to a client.
type Reply struct {
	Effect  umpire.Effect
	Reason  string          // why, for the agent's model and the user
	Speak   bool            // say an allow aloud, so that the client does not ask its user
	Input   json.RawMessage // with an allow: the input to call the tool with instead, one JSON object
	Context string          // further context for the model

	// Of a Result, where Replaces says that the client obeys: what the model is given
	// instead of the tool's answer, in the answer's own shape and as one text.
	Output json.RawMessage
	Text   string
}

// Answer is what the hook process says, all of it.
type Answer struct {
	Stdout string
	Stderr string
	Exit   int
}

// Client translates between one coding agent's hooks and umpire's nouns.
type Client struct {
	Name  string // the argument of umpire-hook, and the Platform of principals
	Title string // as its makers write it

	// Decode reads a payload in the client's own form, for Read, which is what to call.
	// Fields that it does not know are left alone: clients add some with every release. The
	// Event is usable as far as it was understood even if there is an error.
	Decode func(data []byte) (Event, error)

	// Encode says a reply in the client's words. Effect is never Ask where Asks says no.
	Encode func(e *Event, r Reply) Answer

	// Asks reports whether the client shows a question to a person: then an ask is
	// handed to it, and otherwise umpire has to find a person itself.
	Asks func(e *Event, getenv func(string) string) bool

	// Replaces reports whether the client gives its model what a Reply to this Result has
	// instead of the tool's answer. Nil: never.
	Replaces func(e *Event) bool

	// Refuses says that the client keeps a Prompt from its model when a Reply denies it.
	Refuses bool

	// Project lists the environment variables that may hold the project's folder.
	Project []string
}

// Never is the Asks of a client that cannot ask.
func Never(*Event, func(string) string) bool { return false }

// Always is the Asks of a client that always can.
func Always(*Event, func(string) string) bool { return true }

// ErrIncomplete is returned for payloads without a field that judging needs.
var ErrIncomplete = errors.New("incomplete hook payload")

// Kinds says what kind of event a client means by a name. It is a list and no map, since
// a map is built at every start of the hook, for every client.
type Kinds []struct {
	Event string
	Kind  Kind
}

// Of returns the kind of an event of that name: Other, if it is not known.
func (k Kinds) Of(event string) Kind {
	for i := range k {
		if k[i].Event == event {
			return k[i].Kind
		}
	}
	return Other
}

// Fields is the outermost level of a payload. Reading it so costs less at every start
// than what encoding/json has to find out about a struct.
type Fields map[string]json.RawMessage

// Read reads a payload's outermost level.
func Read(data []byte) (f Fields, err error) {
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, notObject(err)
	}
	return f, nil
}

// Text returns a field that is a string. One that is of another type counts as missing.
func (f Fields) Text(name string) string {
	var s string
	if v := f[name]; len(v) > 0 && json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// Millis returns a field that is a number of milliseconds, at most a year.
func (f Fields) Millis(name string) time.Duration {
	var n float64
	if v := f[name]; len(v) == 0 || json.Unmarshal(v, &n) != nil {
		return 0
	}
	return Millis(n)
}

// Millis makes a duration of what a payload says in milliseconds.
func Millis(n float64) time.Duration {
	return time.Duration(max(0, min(n, 366*24*3600*1000)) * float64(time.Millisecond))
}

// Has reports whether a payload has a field, whatever is in it.
func (f Fields) Has(name string) bool { return f[name] != nil }

func notObject(err error) error {
	return fmt.Errorf("hook payload is not the JSON object it should be: %w", jsonfault.Words(err))
}

// Unmarshal reads a payload into a struct, with an error that names it. A field that is
// of another type than the struct says counts as missing: clients change those that
// judging does not need, too.
func Unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var other *json.UnmarshalTypeError
	if err == nil || errors.As(err, &other) && other.Field != "" {
		return nil
	}
	return notObject(err)
}

// Check reports what an event lacks that judging needs. The field names are the
// client's own.
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

// Here is the folder that this process runs in. Clients whose payloads name none start
// their hooks where their tools work.
func Here() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// Object returns the JSON object that is written into a JSON string, and what is none
// as it is. Some clients send the input of a tool so.
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

// ServerTool is the name of a tool server's tool in an Action, whatever the client calls
// it: mcp__github__delete_repo. A server that the client does not name is a Hole.
func ServerTool(server, tool string) string {
	if server == "" {
		server = umpire.Hole
	}
	return "mcp__" + server + "__" + tool
}

// Absolute reports whether a folder's name is absolute in the notation of Unix or of
// Windows, whichever this is: payloads are read on both.
func Absolute(dir string) bool {
	return dir != "" && (dir[0] == '/' || len(dir) > 2 && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/') || len(dir) > 2 && dir[:2] == `\\`)
}

// Line writes a value as the one line of JSON that clients read.
func Line(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // only for a RawMessage that is no JSON, and those come decoded
		return ""
	}
	return string(b) + "\n"
}

// Deny says no in the ways there are: a document, words on standard error, and the exit
// status that most clients take for one.
func (r *Reply) Deny(doc any) Answer {
	return Answer{Stdout: Line(doc), Stderr: r.Why() + "\n", Exit: 2}
}

// Unchanged turns an allow of a changed input into a denial that says what to call
// instead, for clients that cannot be given one: it is not this call that was allowed.
func (r Reply) Unchanged() Reply {
	if r.Effect == umpire.Allow && len(r.Input) > 0 {
		r.Effect = umpire.Deny
		r.Reason = "this call is allowed only in another form, which this client cannot be given: call the tool with " + string(r.Input)
	}
	return r
}

// Why is the reason of a reply, which is never empty: some clients run a call that is
// denied without one.
func (r *Reply) Why() string {
	if strings.TrimSpace(r.Reason) == "" {
		return "umpire: no reason given"
	}
	return r.Reason
}
