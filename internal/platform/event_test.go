package platform

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
)

// An event lacks a field only if it needs it, and the error says its name at the client.
func TestCheck(t *testing.T) {
	whole := Event{Name: "before", Action: umpire.Action{Tool: "bash", Input: json.RawMessage("{}"), Dir: "/srv"}}
	for _, k := range []EventKind{Call, Permission, Result, Prompt} {
		judged := k == Call || k == Permission
		e := whole
		if e.Kind = k; e.Judged() != judged {
			t.Errorf("%s: judged %v, want %v", k, e.Judged(), judged)
		}
		if err := e.Check("E", "T", "I", "D"); err != nil {
			t.Errorf("%s: %v", k, err)
		}
		for lacks, take := range map[string]func(*Event){
			"E is missing": func(e *Event) { e.Name = "" }, "T is missing": func(e *Event) { e.Action.Tool = "" }, "I is missing": func(e *Event) { e.Action.Input = nil },
			"D is missing or not absolute": func(e *Event) { e.Action.Dir = "srv" },
		} {
			e := whole
			e.Kind = k
			take(&e)
			needs := judged || lacks == "E is missing"
			if err := e.Check("E", "T", "I", "D"); (err != nil) != needs || err != nil && (!errors.Is(err, ErrIncomplete) || !strings.HasSuffix(err.Error(), lacks)) {
				t.Errorf("%s without %q: got %v, want an error: %v", k, lacks, err, needs)
			}
		}
		if text, err := k.MarshalText(); err != nil || string(text) != k.String() || len(text) == 0 {
			t.Errorf("%s is written as %q, %v", k, text, err)
		}
	}
}

// The small readers of values, by each sort of value.
func TestValues(t *testing.T) {
	for v, want := range map[string]bool{"": false, "null": false, "0": true, `""`: true, "{}": true, "false": true} {
		if got := Given(json.RawMessage(v)); got != want {
			t.Errorf("%q is given: %v, want %v", v, got, want)
		}
	}
	for in, want := range map[string]string{`{"a":1}`: `{"a":1}`, `"{\"a\":1}"`: `{"a":1}`, ` "{\"a\":1}" `: `{"a":1}`, `"text"`: `"text"`, `"{"`: `"{"`, "": "", " 1 ": "1", `"1"`: "1", `[1]`: "[1]", `"open`: `"open`} {
		if got := string(Object(json.RawMessage(in))); got != want {
			t.Errorf("Object(%s): got %s, want %s", in, got, want)
		}
	}
	for dir, want := range map[string]bool{
		"": false, "/": true, "/a": true, "a": false, "a/b": false, `C:\`: true, "C:/": true, "C:": false, "C:a": false, `\\h\s`: true, `\\`: false, `\a`: false, "é:/": false,
	} {
		if got := Absolute(dir); got != want {
			t.Errorf("%q is absolute: %v, want %v", dir, got, want)
		}
	}
	fields, err := Read([]byte(`{"text":"a","number":1500.5,"long":1e300,"less":-1,"null":null,"list":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		text string
		took time.Duration
		has  bool
	}{
		"text": {"a", 0, true}, "number": {"", 1500500 * time.Microsecond, true}, "long": {"", 366 * 24 * time.Hour, true}, "less": {"", 0, true}, "null": {"", 0, true}, "list": {"", 0, true}, "none": {"", 0, false},
	} {
		if text, took, has := fields.Text(name), fields.Millis(name), fields.Has(name); text != want.text || took != want.took || has != want.has {
			t.Errorf("the field %s: got %q, %s, %v, want %+v", name, text, took, has, want)
		}
	}
	for payload, fails := range map[string]bool{`{"a":1}`: false, `{"a":"x"}`: false, `{"a":{}}`: false, `[]`: true, `{`: true, `7`: true, ``: true} {
		var v struct{ A int }
		if err := Unmarshal([]byte(payload), &v); (err != nil) != fails || err != nil && !strings.HasPrefix(err.Error(), "the hook payload is not a valid JSON object: ") {
			t.Errorf("Unmarshal(%s): %v, want an error about the payload: %v", payload, err, fails)
		}
	}
	if got := EventKind(200).String(); got != "other" {
		t.Errorf("a kind that does not exist: got %q, want other", got)
	}
	if Never(nil, nil) || !Always(nil, nil) {
		t.Error("Never asks, or Always does not")
	}
	for server, want := range map[string]string{"": "mcp__" + umpire.Hole + "__drop", "db": "mcp__db__drop"} {
		if got := ServerTool(server, "drop"); got != want {
			t.Errorf("server %q: got %s, want %s", server, got, want)
		}
	}
	if got := Line(map[string]int{"a": 1}); got != "{\"a\":1}\n" {
		t.Errorf("a line: got %q", got)
	}
	if got := Line(json.RawMessage("{")); got != "" {
		t.Errorf("a value that is no JSON: got %q, want nothing", got)
	}
	if got, err := os.Getwd(); err != nil || Here() != got {
		t.Errorf("here is %q, want %q, %v", Here(), got, err)
	}
	for root, inside := range map[string][]string{"/a": {"/a", "/a/b", "/a/..b", "/a/b/../c"}, "/": {"/", "/x"}} {
		for _, dir := range inside {
			if !Inside(dir, root) {
				t.Errorf("%s is not inside %s", dir, root)
			}
		}
	}
	for _, dir := range []string{"/", "/ab", "/b", "/a/..", "/a/../b", "a", ""} {
		if Inside(dir, "/a") {
			t.Errorf("%q is inside /a", dir)
		}
	}
}

// A denial is said in each way that a client may read, and a changed input that a client cannot be
// given denies the call.
func TestDenyInEachWay(t *testing.T) {
	for reason, want := range map[string]string{"no": "no", "": "umpire: no reason given", " \n": "umpire: no reason given"} {
		if got := (&Reply{Reason: reason}).Why(); got != want {
			t.Errorf("the reason %q is said as %q, want %q", reason, got, want)
		}
	}
	r := Reply{Effect: umpire.Deny, Reason: "no"}
	if got := r.Deny(map[string]string{"x": "y"}); got.Stdout != "{\"x\":\"y\"}\n" || got.Stderr != r.Why()+"\n" || got.Exit != 2 {
		t.Errorf("got %+v, want the document, the words and status 2", got)
	}
	for _, effect := range []umpire.Effect{umpire.Allow, umpire.Ask, umpire.Deny} {
		for _, input := range []string{"", `{"a":1}`} {
			r := Reply{Effect: effect, Reason: "why", Input: json.RawMessage(input)}
			got := r.Unchanged()
			if effect == umpire.Allow && input != "" {
				if got.Effect != umpire.Deny || !strings.HasSuffix(got.Reason, "call the tool with "+input) {
					t.Errorf("an allow of another input: got %s, %q, want a denial with the input", got.Effect, got.Reason)
				}
			} else if got.Effect != effect || got.Reason != "why" {
				t.Errorf("%s with the input %q: got %s, %q, want it as it is", effect, input, got.Effect, got.Reason)
			}
		}
	}
}

// What a command runs is read up to its limit and one byte more, by the sort of file; what is no
// file, or no folder, is nothing.
func TestReadLimits(t *testing.T) {
	dir := t.TempDir()
	for name, limit := range map[string]int{"a.sh": MaxFile, "a": MaxFile, "a.ts": MaxFile, "a.js": maxBundle, "a.cjs": maxBundle, "a.mjs": maxBundle, "a.go": maxBundle, "a.rs": maxBundle} {
		path := filepath.Join(dir, name)
		for size, want := range map[int]int{0: 0, limit - 1: limit - 1, limit: limit, limit + 1: limit + 1, limit + 2: limit + 1} {
			if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
				t.Fatal(err)
			}
			if b, ok := ReadFile(path); !ok || len(b) != want {
				t.Errorf("%s of %d bytes: read %d, %v, want %d", name, size, len(b), ok, want)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "none"), filepath.Join(dir, "a.sh", "below")} {
		if b, ok := ReadFile(path); ok {
			t.Errorf("%s: read %d bytes, want nothing", path, len(b))
		}
	}
	for _, path := range []string{filepath.Join(dir, "a.sh"), filepath.Join(dir, "none")} {
		if names := ReadDir(path); names != nil {
			t.Errorf("%s: has %q, want nothing", path, names)
		}
	}
	if got, want := ReadDir(dir), []string{"a", "a.cjs", "a.go", "a.js", "a.mjs", "a.rs", "a.sh", "a.ts", "d"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
}
