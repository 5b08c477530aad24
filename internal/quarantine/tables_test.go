package quarantine

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Each argument of each tool takes a value of its kind, and refuses those of the others.
func TestEveryArgument(t *testing.T) {
	const ref = "typed:/x"
	fits := map[argKind][]string{
		text:     {`"a"`, `""`},
		number:   {`0`, `7`, `1099511627776`},
		boolean:  {`true`, `false`},
		location: {`"` + ref + `"`, `["` + ref + `","b"]`},
	}
	misfits := map[argKind][]string{
		text:     {`1`, `null`, `["a"]`, `"see TYPED:/x"`},
		number:   {`-1`, `1.5`, `"1"`, `1099511627777`, `null`},
		boolean:  {`"true"`, `1`, `null`},
		location: {`1`, `[]`, `[1]`, `null`, `{}`},
	}
	read := func(client, tool string, args map[string]string) (map[string]any, []string, error) {
		var parts []string
		for name, v := range args {
			parts = append(parts, `"`+name+`":`+v)
		}
		return readArgs(ToolCall{Client: client, Tool: tool, Args: json.RawMessage("{" + strings.Join(parts, ",") + "}")})
	}
	want := map[string]map[string]string{ // by client and tool: the arguments, as the clients have them
		"":         {Read: "file_path filePath limit offset path ref", Grep: "glob max path pattern ref", Glob: "path pattern ref"},
		"claude":   {Read: "file_path limit offset", Grep: "-A -B -C -i -n context glob head_limit multiline offset output_mode path pattern type", Glob: "path pattern"},
		"opencode": {Read: "filePath limit offset", Grep: "include path pattern", Glob: "path pattern"},
	}
	for client, tools := range want {
		for tool, names := range tools {
			sc, ok := schemas[client][tool]
			if !ok || len(sc.args) != len(strings.Fields(names)) {
				t.Errorf("%s %s takes %v, want %s", client, tool, sc.args, names)
			}
			base := func() map[string]string {
				args := map[string]string{}
				if tool != Read {
					args["pattern"] = `"x"`
				}
				if tool == Read || client != "" {
					for _, name := range []string{"path", "file_path", "filePath"} {
						if _, ok := sc.args[name]; ok {
							args[name] = `"` + ref + `"`
							break
						}
					}
				}
				return args
			}
			if _, _, err := read(client, tool, base()); err != nil {
				t.Errorf("%s %s: %v", client, tool, err)
			}
			for needed := range base() {
				args := base()
				delete(args, needed)
				if _, _, err := read(client, tool, args); err == nil {
					t.Errorf("%s %s passes without %s", client, tool, needed)
				}
			}
			for _, name := range strings.Fields(names) {
				k := sc.args[name]
				set := func(v string) (map[string]any, []string, error) {
					args := base()
					if k == location {
						for other := range args {
							if sc.args[other] == location {
								delete(args, other)
							}
						}
					}
					args[name] = v
					return read(client, tool, args)
				}
				for _, v := range fits[k] {
					if name == "pattern" && v == `""` {
						continue
					}
					args, locations, err := set(v)
					if err != nil {
						t.Errorf("%s %s: %s %s: %v", client, tool, name, v, err)
					}
					if _, isNumber := args[name].(int64); isNumber != (k == number) {
						t.Errorf("%s %s: %s %s is read as %T", client, tool, name, v, args[name])
					}
					if k == location && len(locations) != 1+strings.Count(v, ",") {
						t.Errorf("%s %s: %s %s has the locations %q", client, tool, name, v, locations)
					}
				}
				for _, v := range misfits[k] {
					if _, _, err := set(v); err == nil || !strings.Contains(err.Error(), "malformed_reference: ") {
						t.Errorf("%s %s: %s %s: got %v, want a refusal", client, tool, name, v, err)
					}
				}
			}
			for _, args := range []map[string]string{{"pattern": `"x"`, "path": `"a"`, "ref": `"b"`}, {"unknown": `1`}} {
				if _, _, err := read(client, tool, args); err == nil {
					t.Errorf("%s %s takes %v, want an error", client, tool, args)
				}
			}
		}
	}
	for _, c := range []ToolCall{{Client: "other", Tool: Read, Args: json.RawMessage(`{}`)}, {Tool: "Bash", Args: json.RawMessage(`{}`)}, {Tool: Read, Args: json.RawMessage(`[]`)}, {Tool: Read, Args: json.RawMessage(`{"path":"` + strings.Repeat("a", maxArgs) + `"}`)}} {
		if _, _, err := readArgs(c); err == nil {
			t.Errorf("%s %s with %d bytes passes", c.Client, c.Tool, len(c.Args))
		}
	}
}

// Each tool of the catalog is denied as its row says, and one that looks like it is unknown.
func TestEveryTool(t *testing.T) {
	rows := 0
	for text, want := range map[string]Tool{
		"Read Grep Glob":              {false, Low, "", ReadOnly},
		"Bash":                        {true, Critical, "AS-001", Execution},
		"Write Edit":                  {true, Critical, "AS-001", Write},
		"TodoWrite":                   {true, Medium, "AS-003", State},
		"QuestionTool":                {true, Medium, "AS-004", Interaction},
		"KillShell":                   {true, Medium, "AS-006", Execution},
		"mcp_ mcp__x__y mcp_anything": {true, High, "AS-008", MCP},
		"read Re\u0430d  Mcp_x other": {false, High, "", Unknown},
	} {
		for _, name := range strings.Split(text, " ") {
			rows++
			if got := classify(name); got != want {
				t.Errorf("%q: got %+v, want %+v", name, got, want)
			}
		}
	}
	for name, tool := range catalog {
		switch {
		case tool.Denied != (name != Read && name != Grep && name != Glob):
			t.Errorf("%s: denied is %v", name, tool.Denied)
		case tool.Denied && (tool.Label == "" || tool.Risk == Low):
			t.Errorf("%s: a denied tool without a risk: %+v", name, tool)
		}
	}
}

// Broken answers are read as far as they can be trusted, and no further.
func TestBrokenAnswers(t *testing.T) {
	const list = `"findings":[` + oneFinding + `]`
	for name, c := range map[string]struct {
		in       string
		how      Attempt
		findings int    // -1: no success
		risk     string // of the answer
		fault    string
	}{
		"an answer of the wrong shape, in prose":  {`I say {"findings":{},"riskLevel":"low","recommendedActions":[]} here`, JSONExtract, -1, "", "findings: must be a list"},
		"two of the wrong shape":                  {`{"findings":1} and {"riskLevel":2}`, JSONExtract, -1, "", "findings: must be a list"},
		"a risk that is kept":                     {`{` + list + `,"riskLevel":"critical","recommendedActions":["a`, Partial, 1, "critical", ""},
		"a risk that is none":                     {`{` + list + `,"riskLevel":"none","recommendedActions":["a`, Partial, 1, "high", ""},
		"a risk that is cut off":                  {`{` + list + `,"riskLevel":"crit`, Partial, 1, "high", ""},
		"actions that are kept":                   {`{` + list + `,"recommendedActions":["a","b"],"riskLevel":`, Partial, 1, "high", ""},
		"actions that are cut off":                {`{` + list + `,"recommendedActions":["a","b`, Partial, 1, "high", ""},
		"metadata that is kept":                   {`{"metadata":{"findings":[]},` + list + `,"x":`, Partial, 1, "high", ""},
		"metadata that is cut off":                {`{` + list + `,"metadata":{"findings":[`, Partial, 1, "high", ""},
		"findings in metadata alone":              {`{"metadata":{` + list + `},"x":`, Direct, -1, "", "not valid JSON"},
		"an escaped quote before the findings":    {`{"x":"\"","findings":[` + oneFinding + `],`, Partial, 1, "high", ""},
		"a space before the colon":                {"{\"findings\" \t\n: [" + oneFinding + "],", Partial, 1, "high", ""},
		"a name without a colon":                  {`{"findings" [` + oneFinding + `],`, Direct, -1, "", "not valid JSON"},
		"findings that are none":                  {`{"findings":[{"type":"x"}],"y":`, Direct, -1, "", "not valid JSON"},
		"findings of which one is whole":          {`{"findings":[{"type":"x"},` + oneFinding + `],"y":`, Partial, 1, "high", ""},
		"a finding that is a text":                {`{"findings":["x",` + oneFinding + `],"y":`, Partial, 1, "high", ""},
		"a finding that is a text, and cut off":   {`{"findings":["x\"`, Direct, -1, "", "not valid JSON"},
		"no findings, and broken":                 {`{"findings":[],"y":`, Partial, 0, "low", ""},
		"no object":                               {`"findings":[]`, JSONExtract, -1, "", ""},
		"metadata of the wrong shape":             {`{"findings":[],"riskLevel":"low","recommendedActions":[],"metadata":[]}`, Direct, -1, "", "metadata: must be an object"},
		"a finding of the wrong shape":            {`{"findings":[1],"riskLevel":"low","recommendedActions":[]}`, Direct, -1, "", "findings[0]: must be an object"},
		"actions of the wrong shape":              {`{"findings":[],"riskLevel":"low","recommendedActions":{}}`, Direct, -1, "", "recommendedActions: must be a list"},
		"an action of the wrong shape":            {`{"findings":[],"riskLevel":"low","recommendedActions":[1]}`, Direct, -1, "", "recommendedActions[0]: must be a string"},
		"a location of the wrong shape":           {answer(strings.Replace(oneFinding, `{"file":"a.go","line":3,"column":1}`, `7`, 1), "high"), Direct, -1, "", "findings[0].location: must be an object"},
		"a location without a line":               {answer(strings.Replace(oneFinding, `"line":3,"column":1`, `"line":null,"column":null`, 1), "high"), Direct, 1, "high", ""},
		"no location":                             {answer(strings.Replace(oneFinding, `{"file":"a.go","line":3,"column":1}`, `null`, 1), "high"), Direct, 1, "high", ""},
		"a finding with more than umpire knows":   {answer(strings.Replace(oneFinding, `"title":"t"`, `"title":"t","mood":{"a":1}`, 1), "high"), Direct, 1, "high", ""},
		"a risk that is lower than its findings":  {answer(oneFinding, "low"), Direct, 1, "high", ""},
		"a risk that is higher than its findings": {answer(oneFinding, "critical"), Direct, 1, "high", ""},
	} {
		p := ParseAnswer(c.in)
		faults := strings.Join(p.Errors, "\n")
		if p.Success != (c.findings >= 0) || !strings.Contains(faults, c.fault) || c.how != JSONExtract && p.Attempt != c.how {
			t.Errorf("%s: success %v by %s with %q, want %d findings by %s with %q", name, p.Success, p.Attempt, faults, c.findings, c.how, c.fault)
			continue
		}
		if p.Success && (len(p.Data.Findings) != c.findings || c.risk == "high" && p.Data.RiskLevel.String() != "high") {
			t.Errorf("%s: %d findings of the risk %s, want %d of %s", name, len(p.Data.Findings), p.Data.RiskLevel, c.findings, c.risk)
		}
	}
}

// An agent without a session, and a session that is gone, get nothing.
func TestNoSession(t *testing.T) {
	d := newDesk(t, false)
	if _, err := d.Issue("none", material, false); !errors.Is(err, errSession) {
		t.Errorf("Issue: got %v, want %v", err, errSession)
	}
	refs, err := d.Issue(d.session.ID, material[:1], false)
	if err != nil || len(refs) != 1 || !d.Check(d.session.ID, refs[0]).Valid {
		t.Fatalf("Issue: got %q, %v, want one valid reference", refs, err)
	}
	ref := refs[0]
	if c := d.Check("none", ref); c.Valid || c.Error != SessionMismatch {
		t.Errorf("Check by another session: got %+v, want %s", c, SessionMismatch)
	}
	d.Forget(d.session.ID)
	if c := d.Check(d.session.ID, ref); c.Valid {
		t.Errorf("Check of what is forgotten: got %+v", c)
	}
	if got := d.call(Read, object("ref", ref)); got.Allowed {
		t.Errorf("Decide of what is forgotten: got %+v", got)
	}
	bad := DefaultConfig("/x")
	bad.AllowedTools = []string{"Bash"}
	if e, err := NewEnforcer(bad, nil, nil, nil, nil); err == nil || e != nil {
		t.Errorf("NewEnforcer with Bash: got %v, %v, want an error", e, err)
	}
}

// What is written down has no secret, however deep it lies and whatever type it has.
func TestRedactTypes(t *testing.T) {
	deep := any("x")
	for range maxWalk {
		deep = []any{deep}
	}
	if got := Redact(deep); !reflect.DeepEqual(got, deep) {
		t.Errorf("%d lists deep: got %v", maxWalk, got)
	}
	deeper := []any{deep}
	if text, err := json.Marshal(Redact(deeper)); err != nil || !strings.Contains(string(text), "[REDACTED]") {
		t.Errorf("%d lists deep: got %s, %v, want it cut", maxWalk+1, text, err)
	}
	long := strings.Repeat("é", maxLogged)
	for name, c := range map[string]struct{ in, want any }{
		"a text":         {long, long},
		"a longer text":  {long + "é", "[REDACTED: 101 chars]"},
		"texts":          {[]string{"a", "hmac=00ff", long + "é"}, []any{"a", "hmac=[REDACTED]", "[REDACTED: 101 chars]"}},
		"another type":   {time.Duration(1), "1ns"},
		"a number":       {json.Number("1"), json.Number("1")},
		"truth":          {true, true},
		"nothing":        {nil, nil},
		"keys of secret": {map[string]any{"myPassword": 1, "SECRET": 1, "tokens": 1, "apiKey": 1, "API_KEY": 1, "credential": 1, "x": 1}, map[string]any{"myPassword": "[REDACTED]", "SECRET": "[REDACTED]", "tokens": "[REDACTED]", "apiKey": "[REDACTED]", "API_KEY": "[REDACTED]", "credential": "[REDACTED]", "x": 1}},
	} {
		if got := Redact(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %#v, want %#v", name, got, c.want)
		}
	}
	for event, want := range map[EventType]Severity{Spawned: Low, Exited: Low, MACFailed: Critical, OtherSession: Critical, ReferenceExpired: High, InvalidReference: High, RateExceeded: High, AgentTimedOut: High, ResponseRejected: High, ResponseSanitized: Medium, SnapshotRejected: High, IsolationDegraded: High, ToolBlocked: Critical, "other": Critical} {
		if e := NewEvent(time.Unix(0, 0), event, Session{ID: "s", Agent: "a"}, "m", nil); e.Severity != want || e.Session != "s" || e.Agent != "a" || e.Time != "1970-01-01T00:00:00.000Z" {
			t.Errorf("%s: got %+v, want %s", event, e, want)
		}
	}
}

// A log that cannot be opened says how to name another, and one that is opened keeps what was
// there.
func TestOpenLog(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLog(filepath.Join(file, "log"), io.Discard); err == nil || strings.Contains(err.Error(), "--audit") {
		t.Errorf("below a file: got %v, want that the folder cannot be made", err)
	}
	if _, err := OpenLog(dir, io.Discard); err == nil || !strings.Contains(err.Error(), "--audit") {
		t.Errorf("a folder: got %v, want a hint at --audit", err)
	}
	l, err := OpenLog(filepath.Join(dir, "new", "log"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	l.Add(NewEvent(time.Now(), Spawned, Session{}, "m", map[string]any{"x": func() {}}))
	if err := l.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	for path, want := range map[string]os.FileMode{filepath.Join(dir, "new"): 0o700, filepath.Join(dir, "new", "log"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want || info.Size() == 0 {
			t.Errorf("%s: got %v, %v, want the mode %v", path, info, err, want)
		}
	}
	if l, err = OpenLog(file, io.Discard); err != nil {
		t.Fatal(err)
	}
	for range flushEvents - 1 {
		l.Add(NewEvent(time.Now(), Exited, Session{}, "mild", nil))
	}
	l.Add(NewEvent(time.Now(), Exited, Session{}, "mild", nil))
	if text, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(text), "before\n") || strings.Count(string(text), "mild") != flushEvents {
		t.Errorf("after %d events: got %s, %v", flushEvents, text, err)
	}
	l.Add(NewEvent(time.Now(), RateExceeded, Session{}, "grave", nil))
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "grave") {
		t.Errorf("a grave event: got %s, %v, want it written at once", text, err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}
