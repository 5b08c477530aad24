package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/question"
)

// do makes one call and returns the result and how often somebody was asked.
func (w *world) do(t *testing.T, id, name, input string) (agent.Result, agent.Returned, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return w.caller.Call(ctx, agent.Call{ID: id, Name: name, Input: json.RawMessage(input)}, nil)
}

func TestAnswers(t *testing.T) {
	const rule = "rules:\n  - ask: exec(make deploy*)\n    reason: deploys\n  - deny: exec(make secret)\n"
	type ask struct {
		command string
		ran     bool
		asked   bool
	}
	for name, c := range map[string]struct {
		answer agent.Choice
		wider  int
		calls  []ask
	}{
		"once":                           {agent.Once, 0, []ask{{"make a", true, true}, {"make a", true, true}}},
		"no":                             {agent.No, 0, []ask{{"make a", false, true}, {"make b", false, true}}},
		"session":                        {agent.Session, 0, []ask{{"go test ./a", true, true}, {"go test ./a", true, false}, {"go test ./b", true, true}, {"go test ./b", true, false}, {"go test ./a && go test ./b", true, false}}},
		"session, the like of it":        {agent.Session, 1, []ask{{"go test ./a", true, true}, {"go test ./b", true, false}, {"go build", true, true}, {"go test ./a | sh", true, true}}},
		"session does not answer a rule": {agent.Session, 0, []ask{{"make x", true, true}, {"make deploy", true, true}}},
		"a rule's very question":         {agent.Session, 0, []ask{{"make deploy", true, true}, {"make deploy", true, false}, {"make deploy all", true, true}}},
		"a deny is not asked":            {agent.Always, 0, []ask{{"make secret", false, false}}},
		"one part unknown":               {agent.Session, 0, []ask{{"go test ./a", true, true}, {"go test ./a && frobnicate", true, true}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, rule)
			asked := 0
			w.caller.Asker = asker(func(_ context.Context, q agent.Question) (agent.Answer, error) {
				asked++
				if q.ID == "" || q.Input == "" || q.Reason == "" || len(q.Operations) == 0 {
					t.Errorf("the question lacks something: %+v", q)
				}
				return agent.Answer{Choice: c.answer, Wider: min(c.wider, len(q.Wider)), By: "ada", Note: "because"}, nil
			})
			for i, a := range c.calls {
				before := asked
				in, _ := json.Marshal(map[string]string{"command": a.command})
				res, back, err := w.do(t, string(rune('a'+i)), "bash", string(in))
				if err != nil || res.Success != a.ran || (asked > before) != a.asked {
					t.Errorf("%s: %+v, %v, asked %v", a.command, res, err, asked > before)
				}
				if c.answer == agent.No && !strings.Contains(back.Text, "because") {
					t.Errorf("the model is not told why: %s", back.Text)
				}
			}
		})
	}
}

// The model is given a call's data where there is any, also of one that failed.
func TestDataOfAFailedCall(t *testing.T) {
	w := newWorld(t, yes)
	err := w.caller.Add(agent.Tool{Name: "check", Schema: json.RawMessage(schema), Run: func(context.Context, json.RawMessage, *agent.Env) agent.Result {
		return agent.Result{Output: "for people", Error: "exit code 3", Data: map[string]int{"exitCode": 3}}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if res, back, err := w.do(t, "a", "check", `{"command":"x"}`); err != nil || res.Error == "" || back.Text != `{"exitCode":3}` || !back.Error {
		t.Errorf("%+v, %+v, %v", res, back, err)
	}
}

// An input that does not fit is explained in plain words, all faults at once.
func TestMisfitsInPlainWords(t *testing.T) {
	w := newWorld(t, yes)
	const schema = `{"type":"object","$defs":{"name":{"type":"string","pattern":"^[a-z]+$"}},"properties":{
		"file_path":{"type":"string","minLength":1,"maxLength":5},"limit":{"type":"integer","minimum":1,"maximum":100},
		"rate":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},"step":{"type":"integer","multipleOf":5},
		"mode":{"enum":["read","write"]},"fixed":{"const":1},"all":{"type":"boolean"},"none":{"type":"null"},
		"who":{"$ref":"#/$defs/name"},"either":{"type":["string","integer"]},"any":{"anyOf":[{"type":"integer","minimum":3},{"type":"string"}]},
		"tags":{"type":"array","items":{"type":"string"},"maxItems":2,"uniqueItems":true},"map":{"type":"object","additionalProperties":{"type":"integer"}},
		"not":{"not":{"type":"string"}},
		"edits":{"type":"array","minItems":1,"items":{"type":"object","properties":{"old":{"type":"string","minLength":1},"at":{"type":"object","properties":{"line":{"type":"integer"}},"additionalProperties":false}},"required":["old"]}}
		},"required":["file_path"],"additionalProperties":false}`
	if err := w.caller.Add(agent.Tool{Name: "edits", Schema: json.RawMessage(schema)}); err != nil {
		t.Fatal(err)
	}
	const known = "unknown property (known: all, any, edits, either, file_path, fixed, limit, map, mode, none, not, rate, …)"
	for input, want := range map[string]string{
		`"file_path":3`:                                                 "file_path: want a string, got 3",
		`"file_path":null`:                                              "file_path: want a string, got null",
		`"limit":1`:                                                     "file_path: missing, want a string",
		`"file_path":"a","filepath":"b"`:                                "filepath: " + known,
		`"file_path":"a","a\u001b b\n":1`:                               `"a\x1b b\n": ` + known,
		`"file_path":"a","limit":"10"`:                                  `limit: want a whole number, got "10"`,
		`"file_path":"a","limit":1.5`:                                   "limit: want a whole number, got 1.5",
		`"file_path":"a","limit":0`:                                     "limit: want at least 1, got 0",
		`"file_path":"a","limit":101`:                                   "limit: want at most 100, got 101",
		`"file_path":"a","rate":0`:                                      "rate: want more than 0, got 0",
		`"file_path":"a","rate":1`:                                      "rate: want less than 1, got 1",
		`"file_path":"a","step":7`:                                      "step: want a multiple of 5, got 7",
		`"file_path":""`:                                                "file_path: want at least 1 character, got 0",
		`"file_path":"abcdef"`:                                          "file_path: want at most 5 characters, got 6",
		`"file_path":"a","mode":"delete"`:                               `mode: want one of "read", "write", got "delete"`,
		`"file_path":"a","fixed":2`:                                     "fixed: want 1, got 2",
		`"file_path":"a","all":"yes"`:                                   `all: want true or false, got "yes"`,
		`"file_path":"a","none":1`:                                      "none: want null, got 1",
		`"file_path":"a","who":"A"`:                                     `who: want a text that matches ^[a-z]+$, got "A"`,
		`"file_path":"a","who":1`:                                       "who: want a string, got 1",
		`"file_path":"a","either":[]`:                                   "either: want a string or a whole number, got []",
		`"file_path":"a","any":true`:                                    "any: want a whole number or a string, got true",
		`"file_path":"a","any":1`:                                       "any: want at least 3, got 1",
		`"file_path":"a","tags":"x"`:                                    `tags: want a list, got "x"`,
		`"file_path":"a","tags":["x",2]`:                                "tags[1]: want a string, got 2",
		`"file_path":"a","tags":["x","x"]`:                              `tags[1]: "x" appears twice: name each item once`,
		`"file_path":"a","tags":["x","y","z"]`:                          "tags: want at most 2 items, got 3",
		`"file_path":"a","map":{"k":"v"}`:                               `map.k: want a whole number, got "v"`,
		`"file_path":"a","edits":[]`:                                    "edits: want at least 1 item, got 0",
		`"file_path":"a","edits":[{"old":"a"},{}]`:                      "edits[1].old: missing, want a string",
		`"file_path":"a","edits":[{"old":"a","at":{"line":"1","x":1}}]`: `edits[0].at.line: want a whole number, got "1"; edits[0].at.x: unknown property (known: line)`,
		`"file_path":3,"limit":0,"mode":1`:                              `file_path: want a string, got 3; limit: want at least 1, got 0; mode: want one of "read", "write", got 1`,
		`"file_path":3,"a":1,"b":1,"c":1,"d":1,"e":1,"f":1`:             "and 2 more",
		`"file_path":"` + strings.Repeat("x", 500) + `","all":"` + strings.Repeat("y", 500) + `"`: "yyy…; file_path: want at most 5 characters, got 500",
		`"file_path":"a","not":"x"`: "not", // what nothing here knows is said as it is
	} {
		res, _, err := w.do(t, "a", "edits", "{"+input+"}")
		const head = "the input does not fit the schema of edits: "
		if got, ok := strings.CutPrefix(res.Error, head); err != nil || !ok || got != want && !strings.HasSuffix(got, want) && want != "not" || strings.Contains(got, "validating") != (want == "not") {
			t.Errorf("%s:\n%q, want\n%q, %v", input, got, want, err)
		}
	}
	for input, want := range map[string]string{`[1]`: "must be a JSON object, got [1]", `"x"`: `must be a JSON object, got "x"`, `{`: "is not JSON"} {
		if res, _, err := w.do(t, "a", "edits", input); err != nil || !strings.Contains(res.Error, want) {
			t.Errorf("%s: %q, %v", input, res.Error, err)
		}
	}
}

// The rarer keywords of a schema are explained, too.
func TestMisfitsOfOtherSchemas(t *testing.T) {
	w := newWorld(t, yes)
	const schema = `{"type":"object","definitions":{"small":{"type":"integer","maximum":9}},"properties":{
		"both":{"allOf":[{"type":"integer"},{"minimum":3}]},"pair":{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}},
		"either":{"oneOf":[{"type":"integer","minimum":3},{"type":"integer","maximum":1}]},"none":{"type":"object","additionalProperties":false},
		"small":{"oneOf":[{"$ref":"#/definitions/small"},{"type":"null"}]},"lost":{"anyOf":[{"$ref":"#/properties/few"},{"type":"null"}]},
		"few":{"type":"object","minProperties":1,"maxProperties":1},"named":{"type":"object","patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false},
		"twice":{"enum":[1,1]},"many":{"enum":[1,2,3,4,5,6,7,8,9,10,11,12,13]},"any":{"anyOf":[{"minimum":3},{"type":"string","pattern":"^a"}]}
		},"required":["need","pair"]}`
	if err := w.caller.Add(agent.Tool{Name: "more", Schema: json.RawMessage(schema)}); err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]string{
		`"pair":[]`: "need: missing", `"need":1`: "pair: missing, want a list", `"need":1,"pair":["a","b"]`: `pair[1]: want a whole number, got "b"`, `"need":1,"pair":[1]`: "pair[0]: want a string, got 1",
		`"both":1`: "both: want at least 3, got 1", `"both":"x"`: `both: want a whole number, got "x"`,
		`"either":2`: "either: 2 matches none of the 2 allowed forms", `"either":"x"`: `either: want a whole number, got "x"`,
		`"none":{"a":1}`: "none.a: unknown property", `"small":10`: "small: want at most 9, got 10", `"lost":1`: "validating",
		`"few":{}`: "few: want at least 1 property, got 0", `"few":{"a":1,"b":1}`: "few: want at most 1 property, got 2",
		`"named":{"xa":"b"}`: `named.xa: want a whole number, got "b"`, `"named":{"a":1}`: "named.a: unknown property",
		`"twice":2`: "twice: want one of 1, 1, got 2", `"many":0`: "many: want one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, …, got 0", `"any":2`: "any: want at least 3, got 2",
	} {
		text := "{" + input + "}"
		if !strings.HasPrefix(input, `"need"`) && !strings.HasPrefix(input, `"pair"`) {
			text = `{"need":1,"pair":[],` + input + "}"
		}
		res, _, err := w.do(t, "a", "more", text)
		got := strings.TrimPrefix(res.Error, "the input does not fit the schema of more: ")
		if err != nil || got != want && (want != "validating" || !strings.Contains(got, want)) {
			t.Errorf("%s: %q, %v, want %q", input, got, err, want)
		}
	}
	if res, _, err := w.do(t, "a", "more", `{"need":1,"pair":[],"named":{"x1":1},"few":{"a":1},"small":null,"either":3,"both":3}`); err != nil || strings.Contains(res.Error, "schema") {
		t.Errorf("an input that fits: %q, %v", res.Error, err)
	}
}

// A schema of a server's that refers to itself, or names what is not there, ends.
func TestMisfitsOfHostileSchemas(t *testing.T) {
	w := newWorld(t, yes)
	for i, schema := range []string{
		`{"type":"object","properties":{"a":{"$ref":"#"}},"additionalProperties":false}`,
		`{"type":"object","$defs":{"x":{"anyOf":[{"type":"integer"},{"type":"array","items":{"$ref":"#/$defs/x"}}]}},"properties":{"a":{"$ref":"#/$defs/x"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"(a+)+$"}},"additionalProperties":false}`,
	} {
		name := fmt.Sprintf("t%d", i)
		if err := w.caller.Add(agent.Tool{Name: name, Schema: json.RawMessage(schema)}); err != nil {
			t.Fatal(err)
		}
		deep := strings.Repeat(`{"a":`, 100) + "1.5" + strings.Repeat("}", 100)
		for _, input := range []string{deep, `{"a":` + strings.Repeat("[", 50) + `"x"` + strings.Repeat("]", 50) + `}`, `{"b":1}`} {
			if res, _, err := w.do(t, "a", name, input); err != nil || res.Success || len(res.Error) > 4000 {
				t.Errorf("%s: %d bytes, %+v", schema, len(res.Error), res)
			}
		}
	}
}

// The name of a tool is the one that rules, records and the model use: it is unique, and has no
// characters that could look like another one's.
func TestToolsThatCannotBeAdded(t *testing.T) {
	object, longest := `{"type":"object"}`, strings.Repeat("a", 64)
	for _, c := range []struct{ name, schema, want string }{
		{"", object, "not a tool name"},
		{longest + "a", object, "not a tool name"},
		{"ba sh", object, "not a tool name"},
		{"b\u0430sh", object, "not a tool name"}, // a Cyrillic letter
		{"bash\n", object, "not a tool name"},
		{"first", object, "two tools are named first"},
		{"no_json", `{`, "schema of no_json"},
		{"no_type", `{"type":"objekt","$ref":"#/nowhere"}`, "schema of no_type"},
		{longest, object, ""},
		{"Read_file-2", object, ""},
	} {
		var caller agent.Caller
		err := caller.Add(agent.Tool{Name: "first", Schema: json.RawMessage(object)}, agent.Tool{Name: c.name, Schema: json.RawMessage(c.schema)})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q with %s: got %v, want %q", c.name, c.schema, err, c.want)
		}
		if added := len(caller.Tools()) == 2; added != (c.want == "") {
			t.Errorf("%q with %s: added %v, want %v", c.name, c.schema, added, c.want == "")
		}
	}
}

func TestNobodyToAsk(t *testing.T) {
	w := newWorld(t, "")
	res, _, err := w.do(t, "a", "bash", `{"command":"make"}`)
	if err != nil || !strings.HasPrefix(res.Error, agent.Blocked) || len(w.ran) > 0 {
		t.Errorf("%+v, %v", res, err)
	}
	if d := w.caller.Denials(); len(d) != 1 || d[0].Policy {
		t.Errorf("%+v", d)
	}
	// The tool that only looks runs.
	if res, _, _ := w.do(t, "b", "look", `{"command":"x"}`); !res.Success {
		t.Error(res.Error)
	}
}

func TestStop(t *testing.T) {
	w := newWorld(t, "")
	w.caller.Asker = asker(func(context.Context, agent.Question) (agent.Answer, error) {
		return agent.Answer{Choice: agent.Stop}, nil
	})
	w.model.say(call("a", "bash", `{"command":"make"}`), call("b", "bash", `{"command":"make b"}`))
	got, err := run(t, t.Context(), user("go"), w.options())
	if err != nil || len(w.ran) > 0 || len(w.model.asked) != 1 || !strings.Contains(strings.Join(got, ""), agent.Blocked) {
		t.Errorf("%v, ran %q, %q", err, w.ran, got)
	}
	if len(w.kept) != 2 || len(w.kept[1].Parts) != 2 {
		t.Errorf("%+v", w.kept)
	}
}

// A question is answered here or by `umpire approve`: the first answer counts.
func TestAnsweredElsewhere(t *testing.T) {
	for _, state := range []question.State{question.Approved, question.Denied} {
		w := newWorld(t, "")
		closed := make(chan struct{})
		w.caller.Asker = asker(func(ctx context.Context, q agent.Question) (agent.Answer, error) {
			defer close(closed)
			box := question.Open(filepath.Join(w.state, "questions"))
			shown, err := box.Find(q.ID)
			if err == nil {
				_, err = box.Answer(shown, state, "bob", "from afar")
			}
			if err != nil {
				t.Error(err)
			}
			<-ctx.Done() // the prompt is closed
			return agent.Answer{Choice: agent.Once, By: "too late"}, nil
		})
		res, _, err := w.do(t, "a", "bash", `{"command":"make"}`)
		<-closed
		if err != nil || res.Success != (state == question.Approved) || state == question.Denied && !strings.Contains(res.Error, "from afar") {
			t.Errorf("%s: %+v, %v", state, res, err)
		}
		by := ""
		for r, err := range audit.Read(w.state, audit.Query{Kind: audit.Approval}) {
			if err != nil {
				t.Fatal(err)
			}
			by += r.By + " "
		}
		if by != "bob " {
			t.Errorf("on record: %q", by)
		}
	}
}

// What was approved is what runs: a script that is another one by the time of the answer,
// or by that of the next call, was not approved.
func TestApprovalIsForTheScriptAsItWas(t *testing.T) {
	for name, policy := range map[string]string{"nothing speaks": "", "a rule asks": "rules:\n  - ask: exec(sh *)\n"} {
		w := newWorld(t, policy)
		script := filepath.Join(w.dir, "x.sh")
		write := func(text string) {
			if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("echo harmless\n")
		w.caller.Asker = asker(func(context.Context, agent.Question) (agent.Answer, error) {
			write("echo something else\n")
			return agent.Answer{Choice: agent.Once}, nil
		})
		if res, _, _ := w.do(t, "a", "bash", `{"command":"sh x.sh"}`); res.Success || !strings.Contains(res.Error, "changed while") {
			t.Errorf("%s: %+v", name, res)
		}
		// An approval given by `umpire approve` before is for what was there then.
		var id string
		w.caller.Asker = asker(func(_ context.Context, q agent.Question) (agent.Answer, error) {
			id = q.ID
			return agent.Answer{}, errors.New("the screen is gone")
		})
		w.do(t, "b", "bash", `{"command":"sh x.sh"}`)
		box := question.Open(filepath.Join(w.state, "questions"))
		shown, err := box.Find(id)
		if err == nil {
			_, err = box.Answer(shown, question.Approved, "ada", "")
		}
		if err != nil {
			t.Fatal(err)
		}
		write("echo yet another\n")
		if res, _, _ := w.do(t, "c", "bash", `{"command":"sh x.sh"}`); res.Success {
			t.Errorf("%s: %+v", name, res)
		}
		write("echo something else\n")
		if res, _, _ := w.do(t, "d", "bash", `{"command":"sh x.sh"}`); !res.Success {
			t.Errorf("%s: as it was approved: %+v", name, res)
		}
	}
}

// A session that met orders while a question was open is held to the stricter rules.
func TestApprovalAfterATaint(t *testing.T) {
	w := newWorld(t, "rules:\n  - deny: exec(make deploy)\n    when: {tainted: true}\n")
	w.caller.Asker = asker(func(ctx context.Context, _ agent.Question) (agent.Answer, error) {
		_, _, err := w.caller.Call(ctx, agent.Call{ID: "look", Name: "look", Input: json.RawMessage(`{"command":"attack"}`)}, nil)
		return agent.Answer{Choice: agent.Once}, err
	})
	if res, _, _ := w.do(t, "a", "bash", `{"command":"make deploy"}`); res.Success || !strings.Contains(res.Error, "now denies it") {
		t.Errorf("%+v", res)
	}
}

// An answer that came too late allows nothing for the session either, whatever was said
// elsewhere.
func TestLateAnswerAllowsNothing(t *testing.T) {
	for _, state := range []question.State{question.Denied, question.Approved} {
		w := newWorld(t, "")
		asked := 0
		w.caller.Asker = asker(func(_ context.Context, q agent.Question) (agent.Answer, error) {
			asked++
			box := question.Open(filepath.Join(w.state, "questions"))
			shown, err := box.Find(q.ID)
			if err == nil {
				_, err = box.Answer(shown, state, "bob", "")
			}
			if err != nil {
				t.Error(err)
			}
			return agent.Answer{Choice: agent.Session}, nil
		})
		for _, id := range []string{"a", "b"} {
			if res, _, _ := w.do(t, id, "bash", `{"command":"go test ./`+id+`"}`); res.Success != (state == question.Approved) {
				t.Errorf("%s: %+v", state, res)
			}
		}
		if asked != 2 {
			t.Errorf("%s: asked %d times", state, asked)
		}
	}
}

// A person who answers while the call is given up approves neither it nor the next one like it.
func TestAnswerAfterTheEnd(t *testing.T) {
	w := newWorld(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	w.caller.Asker = asker(func(ctx context.Context, _ agent.Question) (agent.Answer, error) {
		if asked++; asked > 1 {
			return agent.Answer{}, nil
		}
		cancel()
		<-ctx.Done()
		return agent.Answer{Choice: agent.Once}, nil
	})
	call := agent.Call{ID: "a", Name: "bash", Input: json.RawMessage(`{"command":"make"}`)}
	if _, _, err := w.caller.Call(ctx, call, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if res, _, _ := w.do(t, "b", "bash", `{"command":"make"}`); res.Success || asked != 2 || len(w.ran) > 0 {
		t.Errorf("asked %d times, ran %q: %+v", asked, w.ran, res)
	}
}

func TestAskerFails(t *testing.T) {
	for name, a := range map[string]asker{
		"with an error": func(context.Context, agent.Question) (agent.Answer, error) {
			return agent.Answer{Choice: agent.Once}, errors.New("the screen is gone")
		},
		"with a panic": func(context.Context, agent.Question) (agent.Answer, error) { panic("on purpose") },
	} {
		w := newWorld(t, "")
		w.caller.Asker = a
		if res, _, _ := w.do(t, "a", "bash", `{"command":"make"}`); !strings.HasPrefix(res.Error, agent.Blocked) || !strings.Contains(res.Error, "no one answered") || len(w.ran) > 0 {
			t.Errorf("%s: got %+v, want that no one answered", name, res)
		}
	}
}

// What a hook makes of a call is what is judged, shown and run.
func TestHookModifies(t *testing.T) {
	w := newWorld(t, "rules:\n  - deny: exec(make secret)\n  - allow: exec(ls)\n")
	var x hooks.Executor
	to := "ls"
	x.BeforeTool(hooks.BeforeTool{Name: "mine", Order: hooks.Standard, Do: func(context.Context, *hooks.ToolCall) (hooks.Result, error) {
		return hooks.Modify(map[string]any{"command": to}), nil
	}})
	seen := ""
	x.AfterTool(hooks.AfterTool{Name: "after", Do: func(_ context.Context, _ *hooks.ToolCall, out *hooks.ToolResult) error {
		seen = out.Output
		return nil
	}})
	w.caller.Hooks = &x
	if res, _, _ := w.do(t, "a", "bash", `{"command":"make secret"}`); !res.Success || !slices.Equal(w.ran, []string{"ls"}) || seen != "did ls" {
		t.Errorf("%+v, ran %q, seen %q", res, w.ran, seen)
	}
	to = "make secret"
	if res, _, _ := w.do(t, "b", "bash", `{"command":"ls"}`); !strings.HasPrefix(res.Error, agent.Blocked) {
		t.Errorf("%+v", res)
	}
}

// Orders in what a tool answers do not reach the model, and stricter rules hold then.
func TestOutputIsGuarded(t *testing.T) {
	w := newWorld(t, "rules:\n  - deny: exec(ls *)\n    when: {tainted: true}\n  - allow: exec(ls *)\n")
	if res, _, _ := w.do(t, "a", "bash", `{"command":"ls host"}`); !res.Success {
		t.Fatal(res.Error)
	}
	res, back, err := w.do(t, "b", "look", `{"command":"attack"}`)
	if err != nil || !res.Success || strings.Contains(back.Text, "Ignore all previous") || back.Origin != "look" || len(res.Notes) == 0 {
		t.Errorf("%+v\n%s\n%v", res, back.Text, err)
	}
	if res, _, _ := w.do(t, "c", "bash", `{"command":"ls host"}`); !strings.HasPrefix(res.Error, agent.Blocked) {
		t.Errorf("the session is not tainted: %+v", res)
	}
}

// Text that cannot be checked is withheld.
func TestOutputIsWithheld(t *testing.T) {
	w := newWorld(t, "")
	w.caller.Guard.MaxBytes = 64
	_, back, err := w.do(t, "a", "look", `{"command":"`+strings.Repeat("harmless ", 50)+`"}`)
	if err != nil || !back.Error || !strings.Contains(back.Text, "withheld") || strings.Contains(back.Text, "harmless") {
		t.Errorf("%v: %s", err, back.Text)
	}
}

// A tool sees whether it is to run in the box, and what was shown to the approver.
func TestToolSeesBoxAndPreview(t *testing.T) {
	w := newWorld(t, "")
	var got agent.Env
	err := w.caller.Add(agent.Tool{Name: "write_file", Schema: json.RawMessage(`{"type":"object"}`), Dangerous: true,
		Preview: func(context.Context, json.RawMessage, *agent.Env) agent.Preview {
			return agent.Preview{Text: "+ x", Sums: map[string]string{"/a": "1"}}
		},
		Run: func(_ context.Context, _ json.RawMessage, env *agent.Env) agent.Result {
			got = *env
			return agent.Result{Success: true}
		}})
	if err != nil {
		t.Fatal(err)
	}
	w.caller.Box, w.caller.Boxed = true, "no network"
	w.caller.Asker = asker(func(_ context.Context, q agent.Question) (agent.Answer, error) {
		if q.Preview.Text != "+ x" || q.Sandbox != "no network" || q.Session == "" || !strings.Contains(q.Session, w.dir) {
			t.Errorf("%+v", q)
		}
		return agent.Answer{Choice: agent.Once}, nil
	})
	if res, _, _ := w.do(t, "a", "write_file", `{"file_path":"x","content":"y"}`); !res.Success || !got.Sandbox || got.Seen == nil || got.Seen.Sums["/a"] != "1" {
		t.Errorf("%+v, %+v", res, got)
	}
}

// What failed in the box runs without it only after a question of its own, and never where
// a rule wants the box.
func TestOutsideTheBox(t *testing.T) {
	for name, c := range map[string]struct {
		answer agent.Choice
		want   string
	}{"yes": {agent.Once, "without"}, "session is only once": {agent.Session, "without"}, "no": {agent.No, "in the box"}} {
		w := newWorld(t, "rules:\n  - allow: exec(net *)\n")
		w.caller.Box, w.caller.Boxed = true, "in the box"
		w.caller.Remove("bash")
		err := w.caller.Add(agent.Tool{Name: "bash", Schema: json.RawMessage(schema), Dangerous: true, Run: func(_ context.Context, _ json.RawMessage, env *agent.Env) agent.Result {
			if env.Sandbox {
				return agent.Result{Output: "in the box", Error: "no network", Walled: "there is no network in the box."}
			}
			return agent.Result{Success: true, Output: "without"}
		}})
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		w.caller.Asker = asker(func(_ context.Context, q agent.Question) (agent.Answer, error) {
			asked++
			if !strings.Contains(q.Sandbox, "WITHOUT") || !strings.Contains(q.Reason, "no network") || q.Session != "" || q.Always != "" {
				t.Errorf("%+v", q)
			}
			return agent.Answer{Choice: c.answer}, nil
		})
		for i := range 2 {
			if res, _, _ := w.do(t, fmt.Sprint(i), "bash", `{"command":"net x"}`); res.Output != c.want {
				t.Errorf("%s: %+v", name, res)
			}
		}
		if asked != 2 {
			t.Errorf("%s: asked %d times", name, asked)
		}
		w.caller.Asker = nil
		if res, _, _ := w.do(t, "z", "bash", `{"command":"net x"}`); res.Output != "in the box" {
			t.Errorf("%s: ran without a question: %+v", name, res)
		}
	}
}

// Everything that was judged is on record, with the effect that held.
func TestRecord(t *testing.T) {
	w := newWorld(t, yes)
	w.do(t, "a", "bash", `{"command":"ls"}`)
	w.do(t, "b", "bash", `{"command":"make"}`)
	w.do(t, "c", "bash", `{"command":"rm -rf ~"}`)
	var effects []string
	for r, err := range audit.Read(w.state, audit.Query{Kind: audit.Decision}) {
		if err != nil {
			t.Fatal(err)
		}
		effects = append(effects, r.Effect)
	}
	if !slices.Equal(effects, []string{umpire.Allow.String(), umpire.Ask.String(), umpire.Deny.String()}) {
		t.Errorf("%q", effects)
	}
}

// Each call that ran is on record with how long it took, and those that did not are not.
func TestRecordOfRuns(t *testing.T) {
	w := newWorld(t, yes)
	var took time.Duration
	x := &hooks.Executor{}
	x.AfterTool(hooks.AfterTool{Name: "took", Do: func(_ context.Context, _ *hooks.ToolCall, out *hooks.ToolResult) error {
		took = out.Took
		return nil
	}})
	w.caller.Hooks = x
	w.do(t, "a", "bash", `{"command":"ls"}`)
	w.do(t, "b", "bash", `{"command":"rm -rf ~"}`)
	n := 0
	for r, err := range audit.Read(w.state, audit.Query{Kind: audit.Result}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; r.Tool != "bash" || r.Point != audit.Agent || r.Millis != took.Milliseconds() {
			t.Errorf("%+v after %s", r.Event, took)
		}
	}
	if n != 1 || took <= 0 {
		t.Errorf("%d results are on record, the hook heard of %s", n, took)
	}
}

// A policy that only observes stops nothing of its own, and loosens nothing: what would be
// asked without it is.
func TestObserve(t *testing.T) {
	w := newWorld(t, "mode: observe\nrules:\n  - deny: exec(make)\n")
	if res, _, _ := w.do(t, "a", "bash", `{"command":"make"}`); res.Success || len(w.ran) > 0 {
		t.Errorf("a command ran that nobody was asked about: %+v", res)
	}
	w.caller.Asker = asker(func(context.Context, agent.Question) (agent.Answer, error) {
		return agent.Answer{Choice: agent.Once}, nil
	})
	if res, _, _ := w.do(t, "b", "bash", `{"command":"make"}`); !res.Success {
		t.Error(res.Error)
	}
	if res, _, _ := w.do(t, "c", "look", `{"command":"make"}`); !res.Success {
		t.Error(res.Error)
	}
}

// What was judged is what runs: a file or link that is swapped after the last judgement, here
// while the answer is kept, blocks the call.
func TestSwappedBeforeTheStart(t *testing.T) {
	for name, swap := range map[string]func(dir string) error{
		"nothing": func(string) error { return nil },
		"a text":  func(dir string) error { return os.WriteFile(dir+"/Makefile", []byte("lint:\n\trm -rf ~\n"), 0o600) },
		"a link": func(dir string) error {
			return errors.Join(os.Remove(dir+"/Makefile"), os.Symlink("other.mk", dir+"/Makefile"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "")
			for _, file := range []string{"Makefile", "other.mk"} {
				if err := os.WriteFile(filepath.Join(w.dir, file), []byte("lint:\n\tgo vet ./...\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			w.caller.Keep = func(grant.Grant) error { return swap(w.dir) }
			w.caller.Asker = asker(func(context.Context, agent.Question) (agent.Answer, error) {
				return agent.Answer{Choice: agent.Always}, nil
			})
			res, _, err := w.do(t, "a", "bash", `{"command":"make lint"}`)
			if err != nil || res.Success != (name == "nothing") || !res.Success && !strings.Contains(res.Error, "changed after umpire judged") {
				t.Errorf("%+v, %v", res, err)
			}
			if denied := len(w.caller.Denials()) > 0; denied == res.Success {
				t.Errorf("denials: %v", w.caller.Denials())
			}
		})
	}
}
