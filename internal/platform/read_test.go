package platform

import (
	"fmt"
	"strings"
	"testing"
)

// plainClient has a form of its own with the least that a client can have.
var plainClient = &Client{Decode: func(data []byte) (Event, error) {
	f, err := Read(data)
	if err != nil {
		return Event{}, err
	}
	e := Event{Name: f.Text("event"), Kind: Kinds{{"before", Call}, {"may", Permission}, {"after", Result}, {"said", Prompt}, {"over", Notice}}.Of(f.Text("event"))}
	e.Action.Tool, e.Action.Input, e.Action.Dir = f.Text("tool"), f["input"], f.Text("dir")
	return e, e.Check("event", "tool", "input", "dir")
}}

// reading says in one line what a client makes of a payload.
func reading(payload string) string {
	e, err := plainClient.Read([]byte(payload))
	if err != nil {
		return "error: " + err.Error()
	}
	out := e.Kind.String()
	if e.Judged() {
		out += fmt.Sprintf(" %s %s in %s", e.Action.Tool, e.Action.Input, strings.Replace(e.Action.Dir, Here(), "HERE", 1))
	}
	for _, a := range e.Also {
		out += fmt.Sprintf(", also %s %s", a.Tool, a.Input)
	}
	if e.Lacks != "" {
		out += ", lacks: " + e.Lacks
	}
	if e.Damage != "" {
		out += ", damage: " + e.Damage
	}
	return out
}

// A payload that carries a call is read as one, however it is named, whatever is missing and
// whatever is damaged, unless its event never precedes a call.
func TestRead(t *testing.T) {
	const call = `{"event":"before","tool":"a","input":{},"dir":"/p"}`
	for _, tt := range [][2]string{
		// the client's form
		{`{"event":"before","tool":"sh","input":{"a":1},"dir":"/p"}`, `call sh {"a":1} in /p`},
		{"\xef\xbb\xbf" + `{"event":"may","tool":"sh","input":{"a":1},"dir":"/p"}`, `permission sh {"a":1} in /p`},
		{`{"event":"before","tool":"sh","input":"ls","dir":"/p"}`, `call sh {"command":"ls","path":"ls"} in /p`},
		{`{"event":"before","tool":"sh","input":["ls","-l"],"dir":"/p"}`, `call sh {"command":["ls","-l"]} in /p`},
		{`{"event":"before","tool":"sh","input":"{\"a\":1}","dir":"/p"}`, `call sh {"a":1} in /p`},
		{`{"event":"before","tool":"sh","input":null,"dir":"/p"}`, `call sh {} in /p`},
		{`{"event":"after","tool":"sh","input":{"a":1},"dir":"/p"}`, `result`},
		{`{"event":"said","tool":"sh","input":{"a":1},"dir":"/p"}`, `prompt`},
		{`{"event":"over"}`, `notice`},
		// with something missing
		{`{"event":"before","tool":"sh","dir":"/p"}`, `call sh {} in /p, lacks: input is missing`},
		{`{"event":"before","input":{"a":1},"dir":"/p"}`, `call ⟨?⟩ {"a":1} in /p, lacks: tool is missing`},
		{`{"event":"before","tool":"sh","input":{"a":1}}`, `call sh {"a":1} in HERE, lacks: dir is missing or not absolute`},
		{`{"event":"before","tool":"sh","input":{"a":1},"dir":"sub"}`, `call sh {"a":1} in HERE/sub, lacks: dir is missing or not absolute`},
		{`{"event":"before","tool":"sh","input":{},"dir":"d","cwd":"/q"}`, `call sh {} in /q, lacks: dir is missing or not absolute`},
		{`{"tool":"sh","input":{"a":1},"dir":"/p"}`, `call sh {"a":1} in /p, lacks: event is missing`},
		{`{"event":"before","dir":"/p"}`, `error: incomplete hook payload: tool is missing`},
		{`{}`, `error: incomplete hook payload: event is missing`},
		// events with unknown names
		{`{"event":"new","tool":"sh","input":{"a":1},"dir":"/p"}`, `call sh {"a":1} in /p`},
		{`{"event":"new","tool":"sh","input":null,"args":{"a":1},"cwd":"/p"}`, `call sh {"a":1} in /p`},
		{`{"event":"new","tool":"sh","dir":"/p"}`, `call sh {} in /p`},
		{`{"event":"new","text":"hi"}`, `other`},
		{`{"event":"new","name":"sh","args":{"a":1}}`, `other`},
		// two spellings of one field
		{`{"Tool-Name":"sh","tool name":"","tool_name":"no","tool_input":{"a":1},"cwd":"/p"}`, `call sh {"a":1} in /p, lacks: event is missing`},
		{`{"Tool-Name":null,"ToolName":"","tool name":"sh","tool_input":{"a":1},"cwd":"/p"}`, `call sh {"a":1} in /p, lacks: event is missing`},
		// no object
		{``, `error: the hook payload is not a valid JSON object: it is empty`},
		{` `, `error: the hook payload is not a valid JSON object: it ends too early`},
		{`7`, `error: the hook payload is not a valid JSON object: it must be an object, not this number`},
		{`[1]`, `error: the hook payload is not a valid JSON object: it must be an object, not a list`},
		{`[{"event":"over"},{"event":"said"}]`, `error: the hook payload is not a valid JSON object: it must be an object, not a list`},
		{`hello`, `error: the hook payload is damaged: a value is not JSON at byte 5`},
		// several documents
		{`[` + call + `,` + strings.Replace(call, `"a"`, `"b"`, 1) + `,` + call + `]`, `call a {} in /p, also b {}`},
		{`{"event":"over"} ` + call, `call a {} in /p, damage: more follows the document at byte 17`},
		{`{"event":"over"} {"event":"said"}`, `notice, damage: more follows the document at byte 17`},
		{`{"event":"over"} {"event":"before","tool":"a"}`, `call a {} in HERE, lacks: input is missing, damage: more follows the document at byte 17`},
		{`{"event":"over"} {"event":"before"}`, `error: the hook payload is damaged: more follows the document at byte 17`},
		{call + ` ` + strings.Replace(call, `/p`, `/q`, 1), `call a {} in /p, also a {}, damage: more follows the document at byte 52`},
		{`hello ` + call, `call a {} in /p, damage: a value is not JSON at byte 5`},
		// damage
		{`{"event":"over"`, `notice, damage: it is cut off at byte 15`},
		{strings.TrimSuffix(call, `}`), `call a {} in /p, damage: it is cut off at byte 50`},
		{`{"event":"before","tool":"a","input":{"x":1,"x":2},"dir":"/p"}`, `call a {"x":1} in /p, also a {"x":1,"x":2}, damage: a field is given twice at byte 48`},
		{`{"event":"over","note":"` + call + `"}`, `call a {} in /p, damage: a comma is missing at byte 26`},
	} {
		if got := reading(tt[0]); got != tt[1] {
			t.Errorf("%s\nis read as %s\nwant       %s", tt[0], got, tt[1])
		}
	}
}

// Each name that a client may use for a part of a call is understood, in each of its spellings and
// within each object that may hold the call.
func TestReadEachName(t *testing.T) {
	check := func(payload, want string) {
		t.Helper()
		if got := reading(payload); got != want {
			t.Errorf("%s\nis read as %s\nwant       %s", payload, got, want)
		}
	}
	for want, table := range map[string][]string{ // the names that umpire promises to know
		"toolname tool name": toolNames,
		"toolinput toolargs toolinfo input args arguments parameters params":                   inputNames,
		"cwd dir workingdirectory workdir":                                                     dirNames,
		"toolcall pretooluse tooluse call tool event input functioncall function payload data": partNames,
		"command commands cmd commandline shellcommand":                                        commandNames,
	} {
		if got := strings.Join(table, " "); got != want {
			t.Errorf("the names are %s, want %s", got, want)
		}
	}
	const missing = ", lacks: event is missing"
	spelled := func(name string) []string {
		return []string{name, strings.ToUpper(name), name[:2] + "_" + name[2:], name[:2] + "-." + name[2:]}
	}
	for _, tool := range toolNames[:2] {
		for _, name := range spelled(tool) {
			check(`{"`+name+`":"sh","args":{"a":1},"cwd":"/p"}`, `call sh {"a":1} in /p`+missing)
		}
	}
	for i, input := range inputNames {
		for _, name := range spelled(input) {
			check(`{"tool":"sh","`+name+`":{"a":1},"cwd":"/p"}`, `call sh {"a":1} in /p`+missing)
			if i < 3 { // it says by itself that it is a tool's
				check(`{"`+name+`":{"a":1},"cwd":"/p"}`, `call ⟨?⟩ {"a":1} in /p`+missing)
			}
		}
	}
	for _, dir := range dirNames {
		for _, name := range spelled(dir) {
			check(`{"tool":"sh","args":{"a":1},"`+name+`":"/p"}`, `call sh {"a":1} in /p`+missing)
		}
	}
	for _, command := range commandNames {
		for _, name := range spelled(command) {
			check(`{"`+name+`":"ls","cwd":"/p"}`, `call ⟨?⟩ {"command":"ls"} in /p`+missing)
		}
	}
	for _, part := range partNames {
		inner := `{"name":"sh","args":{"a":1},"cwd":"/p"}`
		for range 2 { // within an object, and within one in that
			inner = `{"` + part + `":` + inner + `}`
			check(inner, `call sh {"a":1} in /p`+missing)
		}
		if part != "input" { // an input is one, whatever it holds
			check(`{"`+part+`":`+inner+`}`, `error: incomplete hook payload: event is missing`)
		}
	}
	for _, k := range results {
		for _, name := range spelled(k.Event) {
			check(`{"event":"`+name+`","tool":"sh","input":{"a":1},"dir":"/p"}`, "result")
		}
	}
}
