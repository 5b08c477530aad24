package platform

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Read decodes a payload of the client, and decides whether there is a call to judge. A payload
// with a tool's name and its input is a call, whatever its fields are named and whatever is
// missing, unless it names an event that never precedes a call. Clients change their payloads
// with every release, and a call that nobody judges runs.
//
// A payload that is not one complete JSON document, or that readers may read differently, gets
// several readings: the Event then has Damage, a description, and Also, the other calls.
//
// Even with an error, the Event has the fields that were understood.
func (c *Client) Read(data []byte) (Event, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // PowerShell's pipes begin with it
	damage := damaged(data)
	if damage == "" {
		e, err := c.read(data)
		if err == nil || errors.Is(err, ErrIncomplete) {
			return e, err
		}
		var list []json.RawMessage
		switch {
		case json.Unmarshal(data, &list) == nil:
			one, err := c.pick(list, "", err)
			if err != nil {
				one.Kind = e.Kind // a form without messages means a call by each payload
			}
			return one, err
		case json.Valid(data) || len(bytes.TrimSpace(data)) == 0:
			return e, err
		}
		damage = "it is not JSON"
	}
	none := fmt.Errorf("the hook payload is damaged: %s", damage)
	docs := documents(data)
	if e, err := c.pick(docs, damage, none); err == nil && !e.Judged() {
		return e, nil
	}
	return c.pick(append(docs, fragments(data)...), damage, none)
}

// pick returns the first call of several documents, with the other calls. If there is no call, and
// none is announced, it returns the first known event.
func (c *Client) pick(docs []json.RawMessage, damage string, none error) (Event, error) {
	var e, other Event
	announced := false
	for _, doc := range docs {
		one, err := c.read(doc)
		switch {
		case err == nil && one.Judged() && !e.Judged():
			e = one
		case err == nil && one.Judged():
			if a := one.Action; !slices.ContainsFunc(append(e.Also, e.Action), func(b umpire.Action) bool {
				return a.Tool == b.Tool && a.Dir == b.Dir && bytes.Equal(a.Input, b.Input)
			}) {
				e.Also = append(e.Also, a)
			}
		case one.Kind != Other && !one.Judged() && other.Kind == Other:
			other = one
		case one.Judged(): // it announces a call without its content
			announced = true
		}
	}
	e.Damage, other.Damage = damage, damage
	switch {
	case e.Judged():
		return e, nil
	case other.Kind != Other && damage != "" && !announced:
		return other, nil
	}
	return e, none
}

func (c *Client) read(data []byte) (Event, error) {
	e, err := c.Decode(data)
	if err != nil && !errors.Is(err, ErrIncomplete) || !e.Judged() && e.Kind != Other {
		return e, err
	}
	a := &e.Action
	if !e.Judged() || err != nil {
		f, broken := Read(data)
		if broken != nil {
			return e, err
		}
		tool, input, dir := f.call(err != nil, 2)
		if a.Tool == "" && tool != "" && Given(input) || !Given(a.Input) {
			a.Tool, a.Input = cmp.Or(a.Tool, tool), input
		}
		if a.Tool == "" && !Given(a.Input) {
			return e, err
		}
		if e.Kind == Other && results.Of(plain(e.Name)) == Result {
			e.Kind = Result
			return e, nil
		}
		if e.Kind == Other {
			e.Kind = Call
		}
		if err != nil {
			e.Lacks = strings.TrimPrefix(err.Error(), ErrIncomplete.Error()+": ")
		}
		a.Tool = cmp.Or(a.Tool, umpire.Hole)
		switch {
		case Absolute(a.Dir):
		case Absolute(dir):
			a.Dir = dir
		default: // a client starts its hooks in the tools' folder
			a.Dir = filepath.Join(cmp.Or(Here(), "/"), cmp.Or(a.Dir, dir))
		}
	}
	if e.Blank = blank(a.Input); e.Blank != "" {
		a.Input = json.RawMessage("{}")
	}
	a.Input = argument(a.Input)
	return e, nil
}

// blank returns why a tool's input says nothing about what the tool would do, or "".
func blank(v json.RawMessage) string {
	switch v = Object(v); {
	case !Given(v):
		return "the tool's input is missing"
	case string(v) == `""`, v[0] == '[' && len(bytes.TrimSpace(v[1:len(v)-1])) == 0:
		return "the tool's input is empty"
	case !strings.ContainsRune(`{["`, rune(v[0])):
		return "the tool's input is not an object"
	}
	return ""
}

// results lists the events of all clients that follow a call, normalized by plain: a client may use
// another one's names.
var results = Kinds{
	{"posttooluse", Result},
	{"posttoolusefailure", Result},
	{"aftertool", Result},
	{"toolexecuteafter", Result},
	{"toolresult", Result},
}

// The clients' names for the parts of a call, normalized by plain.
var (
	toolNames  = []string{"toolname", "tool", "name"}
	inputNames = []string{"toolinput", "toolargs", "toolinfo", "input", "args", "arguments", "parameters", "params"}
	dirNames   = []string{"cwd", "dir", "workingdirectory", "workdir"}
	partNames  = []string{"toolcall", "pretooluse", "tooluse", "call", "tool", "event", "input", "functioncall", "function", "payload", "data"}
	// Fields that occur only before a call runs.
	commandNames = []string{"command", "commands", "cmd", "commandline", "shellcommand"}
)

// call finds a call in a payload of unknown form: in its fields, or in an object within one of
// them. A field named only "name" names a tool within such an object, or if there is no event. An
// input without a tool's name must identify itself.
func (f Fields) call(loose bool, depth int) (tool string, input json.RawMessage, dir string) {
	p := make(Fields, len(f))
	for _, name := range slices.Sorted(maps.Keys(f)) { // of two spellings, the first with a value counts
		if v := p[plain(name)]; !Given(v) || string(v) == `""` {
			p[plain(name)] = f[name]
		}
	}
	for _, name := range dirNames {
		dir = cmp.Or(dir, p.Text(name))
	}
	names := toolNames
	if !loose {
		names = names[:2]
	}
	for _, name := range names {
		tool = cmp.Or(tool, p.Text(name))
	}
	for i, name := range inputNames {
		if v := p[name]; Given(v) && (tool != "" || i < 3) {
			input = v
			break
		}
	}
	if tool != "" && input != nil {
		return tool, input, dir
	}
	if depth > 0 {
		for _, name := range partNames {
			part, err := Read(Object(p[name]))
			if err != nil {
				continue
			}
			if t, in, d := part.call(true, depth-1); in != nil && (t != "" || input == nil) {
				return cmp.Or(t, tool), in, cmp.Or(dir, d)
			}
		}
	}
	if input == nil {
		for _, name := range commandNames {
			if v := p[name]; Given(v) {
				in, _ := json.Marshal(Fields{"command": v}) // decoded from JSON above
				return tool, in, dir
			}
		}
	}
	return tool, input, dir
}

// plain normalizes a name: PreToolUse and pre_tool_use become equal.
func plain(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, name))
}

// argument wraps a tool's input that is not an object: a command as a string or as a list of words.
func argument(v json.RawMessage) json.RawMessage {
	v = Object(v)
	if len(v) == 0 || v[0] != '"' && v[0] != '[' {
		return v
	}
	in := Fields{"command": v}
	if v[0] == '"' {
		in["path"] = v
	}
	b, err := json.Marshal(in)
	if err != nil { // decoded from JSON above
		return v
	}
	return b
}
