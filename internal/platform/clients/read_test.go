package clients_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/clients"
)

// judged reads a payload and decides by the built-in rules, as the hook does.
func judged(t *testing.T, c *platform.Client, payload []byte) (platform.Event, umpire.Effect, error) {
	t.Helper()
	e, err := c.Read(payload)
	if err != nil || !e.Judged() {
		return e, umpire.Allow, err
	}
	p, err := packs.Default()
	if err != nil {
		t.Fatal(err)
	}
	effect := umpire.Allow
	for _, a := range append([]umpire.Action{e.Action}, e.Also...) {
		a.Home, a.Workspace = "/home/dev", "/home/dev/proj"
		effect = min(effect, p.Decide(&a, operation.Read(&a, operation.Env{})).Effect)
	}
	return e, effect, nil
}

// stopped reports whether the hook asks at least: it may only pass what is no call.
func stopped(e *platform.Event, err error) bool {
	return e.Damage != "" && (err != nil || e.Judged()) || err == nil && e.Judged()
}

// No byte that is changed, lost or put into a call makes it none.
func TestDamageHidesNoCall(t *testing.T) {
	for _, whole := range []string{
		`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"tool_name": "Bash", "tool_input": "{\"command\": \"rm -rf \\\"/\\\"\"}", "x": [1, true, null, {"y": -1.5e3}]}`,
	} {
		for _, c := range clients.All() {
			denied := 0
			check := func(data string) {
				t.Helper()
				e, err := c.Read([]byte(data))
				if !stopped(&e, err) {
					t.Errorf("%s takes %q for %+v, %v", c.Name, data, e, err)
				}
				if c.Name == "claude" {
					if _, effect, err := judged(t, c, []byte(data)); err == nil && effect == umpire.Deny {
						denied++
					}
				}
				for _, a := range append([]umpire.Action{e.Action}, e.Also...) {
					if err == nil && (!json.Valid(a.Input) || a.Tool == "" || !platform.Absolute(a.Dir)) {
						t.Errorf("%s makes %+v of %q", c.Name, a, data)
					}
				}
			}
			tries := 0
			for i := range whole {
				if c.Name != "claude" && i%4 != 0 { // all share what is tried
					continue
				}
				if i > 0 {
					check(whole[:i])
				}
				check(whole[:i] + whole[i+1:])
				for _, b := range []string{"\x00", "\xff", `"`, "{", "}", "]", ",", `\`} {
					check(whole[:i] + b + whole[i+1:])
					check(whole[:i] + b + whole[i:])
					tries += 2
				}
			}
			if c.Name == "claude" && denied*100 < tries*70 { // the others ask
				t.Errorf("of %d damaged payloads %d are denied", tries, denied)
			}
		}
	}
}

// A payload that only looks odd is not damaged.
func TestWholePayloadsAreNotDamaged(t *testing.T) {
	for _, payload := range []string{
		"\xef\xbb\xbf{\"tool_name\":\"Bash\",\r\n\t\"tool_input\":{\"command\":\"ls \\ud800 \\u00e4 ä \\\"\",\"n\":[],\"o\":{},\"f\":-1.5E+3,\"t\":[true,false,null]}}\n",
		`{"tool_name":"Bash","tool_input":{"command":"{\"a\":"}}`,
		`{"tool_name":"Bash","tool_input":"{\"command\":\"ls\"} "}`,
		`{"tool_name":"Bash","tool_input":{"command":"ls","COMMAND":"ls"},"Tool_Name":"x"}`,
		`[{"tool_name":"Bash","tool_input":{"command":"ls"}}]`,
	} {
		for _, c := range clients.All() {
			if e, err := c.Read([]byte(payload)); e.Damage != "" || err != nil || !e.Judged() {
				t.Errorf("%s: %+v, %v of %s", c.Name, e, err, payload)
			}
		}
	}
}

// Whatever carries a call is judged, whoever sends it and whatever else is missing or
// unknown.
func TestCallsAreJudged(t *testing.T) {
	for _, payload := range []string{
		`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`, // the least there is
		`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`,
		`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"."}`,
		`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":7,"session_id":{}}`,
		`{"hook_event_name":"","tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"hook_event_name":null,"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"hook_event_name":7,"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"hook_event_name":"BeforeToolCall","tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"hook_event_name":"pretooluse","tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj","error":"x","prompt":"p","source":"s","reason":"r","stopReason":"s","sessionId":"i","conversationId":"i"}`,
		`{"tool_name":"Bash","tool_input":"{\"command\":\"rm -rf /\"}","cwd":"/home/dev/proj"}`,
		`{"tool_name":"Bash","tool_input":"rm -rf /","cwd":"/home/dev/proj"}`,
		`{"tool_name":"Bash","tool_input":["rm","-rf","/"],"cwd":"/home/dev/proj"}`,
		`{"toolName":"Bash","toolInput":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"toolName":"bash","toolArgs":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"ToolName":"Bash","ToolInput":{"command":"rm -rf /"},"Cwd":"/home/dev/proj"}`,
		`{"tool":"shell","input":{"command":"rm -rf /"},"dir":"/home/dev/proj"}`,
		`{"tool":{"name":"Bash","input":{"command":"rm -rf /"}}}`,
		`{"name":"Bash","arguments":"{\"command\":\"rm -rf /\"}"}`,
		`{"toolCall":{"name":"run_command","args":{"CommandLine":"rm -rf /"}}}`,
		`{"tool_call":{"name":"run_commands","input":{"commands":["rm -rf /"]}}}`,
		`{"event":{"toolName":"bash","input":{"command":"rm -rf /"}}}`,
		`{"input":{"tool":"bash","args":{"command":"rm -rf /"}}}`,
		`{"tool_info":{"command_line":"rm -rf /","cwd":"/home/dev/proj"}}`,
		`{"tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"command":"rm -rf /","cwd":"/home/dev/proj"}`,
		`{"hook_event_name":"beforeTerminal","command":"rm -rf /","cwd":"/home/dev/proj"}`,
		"\xef\xbb\xbf" + `{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
		`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"} and more`,
		`[{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}]`,
		`[1, {"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}]`,
		`{"hook_event_name":"Stop"} {"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/home/dev/proj"}`,
	} {
		for _, c := range clients.All() {
			e, effect, err := judged(t, c, []byte(payload))
			if effect != umpire.Deny || err != nil {
				t.Errorf("%s: %s of %s\n%+v, %v", c.Name, effect, payload, e, err)
			}
			if a := c.Encode(&e, platform.Reply{Effect: umpire.Deny, Reason: "no"}); !no(c, &e, a) {
				t.Errorf("%s does not hear %s of %s", c.Name, said(a), payload)
			}
		}
	}
}

// Cline's older form has every parameter in a string.
func TestClineWithoutEvent(t *testing.T) {
	_, effect, err := judged(t, clients.Find("cline"), []byte(`{"preToolUse":{"toolName":"run_commands","parameters":{"commands":"[\"rm -rf /\"]"}}}`))
	if effect != umpire.Deny || err != nil {
		t.Errorf("%s, %v", effect, err)
	}
}

// What is known not to come before a call stays what it is, with a call in it or without,
// and what carries no call is none.
func TestOthersAreNotJudged(t *testing.T) {
	const call = `"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/w"}`
	for _, tt := range []struct {
		client, payload string
		want            platform.EventKind
	}{
		{"claude", `{"hook_event_name":"PostToolUse",` + call, platform.Result},
		{"claude", `{"hook_event_name":"PermissionDenied",` + call, platform.Notice},
		{"claude", `{"hook_event_name":"AfterTool",` + call, platform.Result},
		{"gemini", `{"hook_event_name":"PostToolUse",` + call, platform.Result},
		{"crush", `{"event":"post_tool_use",` + call, platform.Result},
		{"copilot", `{"toolName":"bash","toolArgs":{"command":"rm -rf /"},"toolResult":{},"cwd":"/w"}`, platform.Result},
		{"kiro", `{"hook_event_name":"stop",` + call, platform.Notice},
		{"claude", `{"hook_event_name":"Invented","name":"x","params":{},"cwd":"/w"}`, platform.Other},
		{"claude", `{"hook_event_name":"Invented","data":[1],"cwd":"/w"}`, platform.Other},
	} {
		e, err := clients.Find(tt.client).Read([]byte(tt.payload))
		if err != nil || e.Kind != tt.want {
			t.Errorf("%s %s: %v, %v", tt.client, tt.payload, e.Kind, err)
		}
	}
	for _, c := range clients.All() {
		for _, payload := range []string{"", "null", "7", "[]", `"rm -rf /"`, `{`, `{"cwd":"/w"}`, `{"tool_name":7}`} {
			if e, err := c.Read([]byte(payload)); err == nil && e.Judged() && c.Name != "amp" { // whose payload is an input
				t.Errorf("%s takes %q for %+v", c.Name, payload, e)
			}
		}
	}
}

// What a payload lacks is said, so that the record shows it.
func TestLacks(t *testing.T) {
	e, err := clients.Find("claude").Read([]byte(`{"tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w"}`))
	if err != nil || e.Lacks != "hook_event_name is missing" {
		t.Errorf("%q, %v", e.Lacks, err)
	}
}

// Property: a destructive call that a client announces in its own words is denied however
// the rest of the payload is bent: fields dropped, of another type, or added.
func TestBentPayloads(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	junk := []any{nil, "", "x", 7, true, object{}, []any{}, object{"a": 1}}
	more := []string{"sessionId", "conversationId", "timestamp", "prompt", "source", "reason", "stopReason", "transcript_path", "permission_mode", "cursor_version", "turn_id", "agent_id", "extra"}
	// The fields that carry the call, in all clients' words, and the evidence that it is over.
	carries := []string{"tool_name", "toolName", "tool", "tool_call", "toolCall", "preToolUse", "tool_input", "toolArgs", "tool_info", "input", "command"}
	for _, c := range clients.All() {
		if c.Name == "amp" {
			continue // which names the tool in the environment
		}
		var whole object
		if err := json.Unmarshal(shell(t, c), &whole); err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			bent := maps.Clone(whole)
			for _, name := range slices.Sorted(maps.Keys(whole)) {
				if slices.Contains(carries, name) || random.IntN(2) == 0 {
					continue
				}
				if bent[name] = junk[random.IntN(len(junk))]; random.IntN(2) == 0 {
					delete(bent, name)
				}
			}
			for range random.IntN(3) {
				bent[more[random.IntN(len(more))]] = junk[random.IntN(len(junk))]
			}
			payload := mustJSON(t, bent)
			e, effect, err := judged(t, c, payload)
			if effect != umpire.Deny || err != nil {
				t.Fatalf("%s: %s of %s\n%+v, %v", c.Name, effect, payload, e, err)
			}
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"cwd":"/w"}`))
	f.Add([]byte(`{"toolCall":{"name":"x","args":["a",7]},"cwd":"."}`))
	f.Add([]byte(`{"input":{"input":{"command":""}}} x`))
	f.Add([]byte(`{"a":1,"a":2,"tool_input":"{\"a\":`))
	f.Add([]byte("\xff\xfe{\x00"))
	f.Add([]byte(`[[,]]{"a" 1 b":}tru`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range clients.All() {
			e, err := c.Read(data)
			if !json.Valid(data) && len(bytes.Trim(data, " \t\r\n")) > 0 && !bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) && e.Damage == "" {
				t.Errorf("%s takes %q for whole", c.Name, data)
			}
			if err == nil && e.Judged() && (e.Action.Tool == "" || !json.Valid(e.Action.Input) || !platform.Absolute(e.Action.Dir)) {
				t.Errorf("%s accepts %+v", c.Name, e)
			}
			e.Kind = platform.Call
			a := c.Encode(&e, platform.Reply{Effect: umpire.Deny, Reason: string(data)})
			if document(t, a); !no(c, &e, a) {
				t.Errorf("%s does not hear %s", c.Name, said(a))
			}
		}
	})
}

// How long a tool ran is taken from each client that says so, and from no other event.
func TestTook(t *testing.T) {
	for _, tt := range []struct {
		client, payload string
		want            time.Duration
	}{
		{"claude", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"cwd":"/w","duration_ms":37}`, 37 * time.Millisecond},
		{"claude", `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{},"cwd":"/w","duration_ms":7}`, 7 * time.Millisecond},
		{"qwen", `{"hook_event_name":"PostToolUse","tool_name":"x","tool_input":{},"cwd":"/w","duration_ms":6}`, 6 * time.Millisecond},
		{"cline", `{"hookName":"tool_result","workspaceRoots":["/w"],"tool_result":{"name":"x","durationMs":48}}`, 48 * time.Millisecond},
		{"cline", `{"hookName":"PostToolUse","workspaceRoots":["/w"],"postToolUse":{"toolName":"x","executionTimeMs":5}}`, 5 * time.Millisecond},
		{"generic", `{"event":"result","tool":"x","durationMs":12}`, 12 * time.Millisecond},
		{"claude", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"cwd":"/w","duration_ms":"x"}`, 0},
		{"claude", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"cwd":"/w","duration_ms":-5}`, 0},
		{"claude", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"cwd":"/w","duration_ms":1e300}`, 366 * 24 * time.Hour},
		{"claude", `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{},"cwd":"/w","duration_ms":5}`, 0},
	} {
		e, err := clients.Find(tt.client).Read([]byte(tt.payload))
		if err != nil || e.Took != tt.want {
			t.Errorf("%s %s: %s, %v", tt.client, tt.payload, e.Took, err)
		}
	}
}
