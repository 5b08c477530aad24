package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/cmd/umpire/agent"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

const allowAll = "rules:\n  - allow: [\"exec(go *)\", \"exec(ls *)\", \"exec(sh *)\", \"exec(grep *)\", \"exec(cat *)\"]\n  - allow: [\"read(**)\", \"write(**)\"]\n"

// The work that the agent is for: look, change, test, fail, mend. On both wires, with
// answers that come cut into single bytes, and with the commands in the sandbox.
func TestAgentWorks(t *testing.T) {
	for wire, more := range map[string][]string{"openai": nil, "anthropic": {"--sandbox"}} {
		t.Run(wire, func(t *testing.T) {
			home, dir := agentHome(t, allowAll)
			put(t, filepath.Join(dir, "check.sh"), "grep -q fixed sum.txt\n")
			put(t, filepath.Join(dir, "sum.txt"), "broken\n")
			m := scriptModel(t, wire, 1,
				step{text: "I look first.", calls: calls("read_file", `{"file_path":"sum.txt"}`, "tree", `{}`)},
				step{calls: calls("edit_file", `{"file_path":"sum.txt","old_string":"broken","new_string":"mended"}`)},
				step{calls: calls("bash", `{"command":"sh check.sh"}`)},
				step{text: "The check fails; once more.", calls: calls("edit_file", `{"file_path":"sum.txt","old_string":"mended","new_string":"fixed"}`)},
				step{calls: calls("bash", `{"command":"sh check.sh"}`)},
				step{text: "It is fixed."})
			out, errs, status := agentRun(t, m, home, dir, "", append([]string{"-p", "fix it", "--output", "json"}, more...)...)
			if status != 0 {
				t.Fatalf("status %d: %s%s", status, out, errs)
			}
			var p agent.RunReport
			if err := json.Unmarshal([]byte(out), &p); err != nil {
				t.Fatal(err)
			}
			if p.Result != "It is fixed." || p.Turns != 6 || p.IsError || len(p.Denials) != 0 || p.Usage.TotalTokens != 720 {
				t.Errorf("result: want \"It is fixed.\" after 6 turns and 720 tokens, without an error or a denial:\n%s", out)
			}
			if b, err := os.ReadFile(filepath.Join(dir, "sum.txt")); err != nil || string(b) != "fixed\n" {
				t.Errorf("sum.txt: got %q, %v, want %q", b, err, "fixed\n")
			}
			asked := m.asked()
			if len(asked) != 6 || !strings.Contains(asked[1], "broken") || !strings.Contains(asked[3], "exit") {
				t.Errorf("the model was told %q", asked)
			}
		})
	}
}

// An answer that ends in an error of the server's is no success, in none of the outputs. One
// that goes on after it is.
func TestAgentAnswerEndsInAnError(t *testing.T) {
	const fault = `data: {"error":{"message":"the upstream died","code":502},"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}` + "\n\n"
	const half = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}` + "\n\n"
	const done = "data: [DONE]\n\n"
	home, dir := agentHome(t, "")
	for name, c := range map[string]struct {
		raw    string
		status int
		says   []string
	}{
		"alone":      {fault + done, 1, []string{"the upstream died"}},
		"at the end": {half + fault + done, 1, []string{"the upstream died"}},
		"and cut":    {half + fault, 1, []string{"the upstream died; ", "answer is incomplete"}},
		"goes on":    {fault + half + done, 0, nil},
		"cut short":  {half + `data: {"choices":[{"delta":{},"finish_reason":"length"}]}` + "\n\n" + done, 1, []string{"length limit"}},
		"filtered":   {`data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}` + "\n\n" + done, 1, []string{"refused"}},
	} {
		for _, output := range []string{"text", "json", "stream-json"} {
			m := scriptModel(t, "openai", 0, step{raw: c.raw})
			out, errs, status := agentRun(t, m, home, dir, "", "-p", "go", "--output", output)
			if status != c.status {
				t.Errorf("%s, %s: status %d: %s%s", name, output, status, out, errs)
			}
			said := errs
			if output == "json" {
				var p agent.RunReport
				if err := json.Unmarshal([]byte(out), &p); err != nil || p.IsError != (c.status != 0) {
					t.Errorf("%s: is_error must agree with exit status %d: %v\n%s", name, c.status, err, out)
				}
				said = p.Error
			}
			for _, s := range c.says {
				if !strings.Contains(said, s) {
					t.Errorf("%s, %s: %q says nothing of %q", name, output, said, s)
				}
			}
		}
	}
	// A paused answer goes on in the next turn.
	paused := `event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"one "}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"pause_turn"},"usage":{"output_tokens":1}}

event: message_stop
data: {"type":"message_stop"}

`
	if out, errs, status := agentRun(t, scriptModel(t, "anthropic", 0, step{raw: paused}, step{text: "two"}), home, dir, "", "-p", "go"); out != "one two\n" || status != 0 {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	// Who reads events learns how it ended by the last of them.
	m := scriptModel(t, "openai", 0, step{status: 400})
	out, _, status := agentRun(t, m, home, dir, "", "-p", "go", "--output", "stream-json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := lines[len(lines)-1]; status != 1 || !strings.HasPrefix(lines[0], `{"type":"init"`) || !strings.HasPrefix(last, `{"type":"error"`) || !strings.Contains(last, "scripted failure") {
		t.Errorf("status %d: %s", status, out)
	}
}

const printedSchema = `{"type":"object","additionalProperties":false,"required":["result","is_error","usage","cost","turns","session_id","denials"],"properties":{
"result":{"type":"string"},"is_error":{"type":"boolean"},"error":{"type":"string"},"cost":{"type":"number","minimum":0},"turns":{"type":"integer","minimum":0},"session_id":{"type":"string","minLength":1},
"usage":{"type":"object","additionalProperties":false,"required":["inputTokens","outputTokens","totalTokens"],"properties":{"inputTokens":{"type":"integer"},"outputTokens":{"type":"integer"},"totalTokens":{"type":"integer"}}},
"denials":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{"tool_name":{"type":"string"},"tool_call_id":{"type":"string"},"input":{},"reason":{"type":"string"},"policy":{"type":"boolean"},"rules":{"type":"array","items":{"type":"string"}},"advice":{"type":"string"}},"required":["tool_name","tool_call_id","input","reason","policy","advice"]}}}}`

const eventSchema = `{"oneOf":[
{"type":"object","additionalProperties":false,"required":["type","session_id","model","cwd","tools"],"properties":{"type":{"const":"init"},"session_id":{"type":"string"},"model":{"type":"string"},"cwd":{"type":"string"},"tools":{"type":"array","items":{"type":"string"}}}},
{"type":"object","additionalProperties":false,"required":["type","turn","maxTurns"],"properties":{"type":{"const":"turn-start"},"turn":{"type":"integer"},"maxTurns":{"type":"integer"}}},
{"type":"object","additionalProperties":false,"required":["type","text"],"properties":{"type":{"const":"text-delta"},"text":{"type":"string"}}},
{"type":"object","additionalProperties":false,"required":["type","toolName","toolCallId","input"],"properties":{"type":{"const":"tool-call"},"toolName":{"type":"string"},"toolCallId":{"type":"string"},"input":{}}},
{"type":"object","additionalProperties":false,"required":["type","toolName","toolCallId","result"],"properties":{"type":{"const":"tool-result"},"toolName":{"type":"string"},"toolCallId":{"type":"string"},"result":{"type":"object","additionalProperties":false,"required":["success","output"],"properties":{"success":{"type":"boolean"},"output":{"type":"string"},"data":{},"error":{"type":"string"}}}}},
{"type":"object","additionalProperties":false,"required":["type","usage"],"properties":{"type":{"const":"finish"},"usage":{"type":"object"}}},
{"type":"object","additionalProperties":false,"required":["type","error"],"properties":{"type":{"const":"error"},"error":{"type":"string"}}}]}`

func validate(t *testing.T, schema, text string) {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("output is no JSON: %v: %s", err, text)
	} else if err := r.Validate(v); err != nil {
		t.Errorf("output does not follow its schema: %v: %s", err, text)
	}
}

func TestAgentOutputs(t *testing.T) {
	steps := func() []step {
		return []step{{text: "Hm.", calls: calls("bash", `{"command":"ls -a"}`, "bash", `{"command":"rm -rf ~"}`, "glob", `{"pattern":"*"}`)}, {text: "Done.", calls: calls("glob", `{"pattern":"*"}`)}, {text: "All done."}}
	}
	home, dir := agentHome(t, allowAll)
	m := scriptModel(t, "openai", 0, steps()...)
	out, _, status := agentRun(t, m, home, dir, "", "-p", "go", "--output", "stream-json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || !strings.Contains(lines[0], `"type":"init"`) || len(lines) < 12 {
		t.Errorf("status %d, %d lines: %s", status, len(lines), out)
	}
	for _, l := range lines {
		validate(t, eventSchema, l)
	}
	m = scriptModel(t, "openai", 0, steps()...)
	out, _, status = agentRun(t, m, home, dir, "", "-p", "go", "--output", "json")
	validate(t, printedSchema, out)
	var p agent.RunReport
	if err := json.Unmarshal([]byte(out), &p); err != nil || status != 0 || len(p.Denials) != 1 || !p.Denials[0].Policy || p.Denials[0].ToolName != "bash" {
		t.Errorf("status %d, %v: %s", status, err, out)
	}
	m = scriptModel(t, "openai", 0, steps()...)
	if out, _, _ = agentRun(t, m, home, dir, "", "-p", "go"); out != "All done.\n" {
		t.Errorf("out is %q, want %q", out, "All done.\n")
	}
}

func TestAgentStatus(t *testing.T) {
	home, dir := agentHome(t, "")
	loop := step{calls: calls("glob", `{"pattern":"*"}`)}
	for name, c := range map[string]struct {
		args   []string
		stdin  string
		steps  []step
		status int
		says   string
	}{
		"done":                    {[]string{"-p", "go"}, "", nil, 0, "That is all."},
		"standard input alone":    {[]string{"-p", "-"}, "the words", []step{{text: "ok"}}, 0, "ok"},
		"no message":              {[]string{"-p", "-"}, " \n", nil, cli.ExitUsage, "message is empty"},
		"wrong output":            {[]string{"-p", "x", "--output", "xml"}, "", nil, cli.ExitUsage, "xml"},
		"nobody to ask":           {[]string{"-p", "go"}, "", []step{{calls: calls("bash", `{"command":"make"}`)}, {text: "I may not."}}, 3, "I may not."},
		"denied":                  {[]string{"-p", "go"}, "", []step{{calls: calls("bash", `{"command":"rm -rf /"}`)}, {text: "I may not."}}, 3, "I may not."},
		"piped, and it fails":     {nil, "go\n", []step{{status: 401}}, 1, "the last message ended with an error"},
		"piped, and it is denied": {nil, "go\n", []step{{calls: calls("bash", `{"command":"rm -rf /"}`)}, {text: "I may not."}}, 3, "the last call of the agent was refused"},
		"piped, and it goes on":   {nil, "go\nagain\n", []step{{status: 401}, {text: "ok"}}, 0, "ok"},
		"turns":                   {[]string{"-p", "go", "--max-turns", "2"}, "", []step{loop, loop, loop}, 4, "limit on turns"},
		"the same call":           {[]string{"-p", "go"}, "", []step{loop, loop, loop, loop, loop, loop}, 4, "repeats"},
		"time":                    {[]string{"-p", "go", "--timeout", "1s"}, "", []step{{text: "half of it", hang: true}}, 4, "timed out"},
		"the server says no":      {[]string{"-p", "go"}, "", []step{{status: 401}}, 1, "scripted failure"},
		"no such session":         {[]string{"-p", "go", "--resume", "nope"}, "", nil, 1, "no such session"},
		"no session named":        {[]string{"-p", "go", "--resume"}, "", nil, cli.ExitUsage, "name the session"},
		"unknown provider":        {[]string{"-p", "go", "--provider", "acme"}, "", nil, cli.ExitUsage, "acme"},
		"unknown, for an editor":  {[]string{"--acp", "--provider", "acme"}, "", nil, cli.ExitUsage, "acme"},
		"a flag that is not one":  {[]string{"--nonsense"}, "", nil, cli.ExitUsage, "unknown flag"},
		"turns below one":         {[]string{"-p", "go", "--max-turns", "0"}, "", nil, cli.ExitUsage, `--max-turns is "0"`},
		"cost below nothing":      {[]string{"-p", "go", "--max-cost", "-1"}, "", nil, cli.ExitUsage, `--max-cost is "-1"`},
		"invalid cost":            {[]string{"-p", "go", "--max-cost", "NaN"}, "", nil, cli.ExitUsage, `--max-cost is "NaN"`},
		"time below nothing":      {[]string{"-p", "go", "--timeout", "-1s"}, "", nil, cli.ExitUsage, "--timeout is \"-1s\""},
		"unknown effort":          {[]string{"-p", "go", "--effort", "huge"}, "", nil, cli.ExitUsage, "low, medium, high"},
		"output of a screen":      {[]string{"--output", "json", "go"}, "", nil, cli.ExitUsage, "requires -p"},
		"a message to an editor":  {[]string{"--acp", "go"}, "", nil, cli.ExitUsage, "the editor"},
		"two sessions":            {[]string{"-p", "go", "-c", "-r=x"}, "", nil, cli.ExitUsage, "not both"},
	} {
		t.Run(name, func(t *testing.T) {
			m := scriptModel(t, "openai", 0, c.steps...)
			out, errs, status := agentRun(t, m, home, dir, c.stdin, c.args...)
			if status != c.status || !strings.Contains(out+errs, c.says) {
				t.Errorf("status %d, want %d: %s%s", status, c.status, out, errs)
			}
			if strings.Contains(out+errs, "test-key") {
				t.Error("the key is printed")
			}
			if status == cli.ExitUsage && len(m.asked()) > 0 {
				t.Error("it began all the same")
			}
		})
	}
}

// A session goes on with its own model, unless --model names another.
func TestAgentResumesWithItsModel(t *testing.T) {
	home, dir := agentHome(t, allowAll)
	m := scriptModel(t, "openai", 0, step{text: "one"}, step{text: "two"}, step{text: "three"})
	for i, c := range []struct{ args, model string }{{"--model first", "first"}, {"--continue", "first"}, {"--continue --model second", "second"}} {
		if out, errs, status := agentRun(t, m, home, dir, "", append(strings.Fields(c.args), "-p", "go")...); status != 0 {
			t.Fatalf("%s: status %d: %s%s", c.args, status, out, errs)
		}
		if asked := m.asked(); len(asked) != i+1 || !strings.Contains(asked[i], `"model":"`+c.model+`"`) {
			t.Errorf("%s: %d requests, the last is %.200q, want one for the model %s", c.args, len(asked), asked[len(asked)-1], c.model)
		}
	}
}

// A run that ends with a refusal says which call it was, by which rule or why, and what its
// user can do: on standard error, and in JSON.
func TestAgentRefusalIsExplained(t *testing.T) {
	home, dir := agentHome(t, "rules:\n  - ask: exec(make deploy)\n    id: deploys\n    reason: deploys\n")
	for command, want := range map[string]struct {
		policy bool
		rule   string
		says   []string
	}{
		"rm -rf ~":              {true, "delete-home", []string{"umpire denies this", "`umpire policy explain delete-home`"}},
		"make deploy":           {false, "deploys", []string{"umpire asks about this: deploys (make deploy; rule deploys)", "--wait", "umpire approve"}},
		"make":                  {false, "", []string{"no rule settles this call", "umpire check", "at a terminal"}},
		"make \x1b]0;owned\x07": {true, "hidden-text", []string{`\u001b]0;owned`, "rule hidden-text"}},
	} {
		in, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		steps := []step{{calls: calls("bash", string(in))}, {text: "I may not."}}
		out, errs, status := agentRun(t, scriptModel(t, "openai", 0, steps...), home, dir, "", "-p", "go")
		if status != agent.ExitStopped || out != "I may not.\n" || strings.Contains(errs, "\x1b") {
			t.Errorf("%s: status %d, %q", command, status, out)
		}
		for _, w := range append(want.says, "umpire: stopped: ", "umpire: refused: bash ", "why: ", "next: ") {
			if !strings.Contains(errs, w) {
				t.Errorf("%s: no %q on standard error:\n%s", command, w, errs)
			}
		}
		for _, output := range []string{"json", "stream-json"} {
			out, _, status = agentRun(t, scriptModel(t, "openai", 0, steps...), home, dir, "", "-p", "go", "--output", output)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			last := lines[len(lines)-1]
			if output == "stream-json" {
				if validate(t, eventSchema, last); status != agent.ExitStopped || !strings.Contains(last, `{"type":"error"`) {
					t.Errorf("status %d: %s", status, last)
				}
				continue
			}
			validate(t, printedSchema, last)
			var p agent.RunReport
			if err := json.Unmarshal([]byte(last), &p); err != nil || status != agent.ExitStopped || !p.IsError || p.Error == "" || len(p.Denials) != 1 {
				t.Fatalf("status %d, %v: %s", status, err, out)
			}
			d := p.Denials[0]
			if d.Policy != want.policy || d.Advice == "" || d.Reason == "" || want.rule != "" && !slices.Contains(d.Rules, want.rule) || want.rule == "" && len(d.Rules) != 0 && command == "make" {
				t.Errorf("%s: got %+v, want policy %v and rule %q", command, d, want.policy, want.rule)
			}
		}
	}
}

// Who reads JSON gets it although nothing could begin.
func TestAgentFailsAsJSON(t *testing.T) {
	home, dir := agentHome(t, "")
	m := scriptModel(t, "openai", 0)
	for output, schema := range map[string]string{"json": strings.Replace(printedSchema, `,"minLength":1`, "", 1), "stream-json": eventSchema} {
		out, errs, status := agentRun(t, m, home, dir, "", "-p", "go", "--resume=none", "--output", output)
		validate(t, schema, out)
		if status != 1 || !strings.Contains(out, "no such session") || !strings.Contains(errs, "no such session") {
			t.Errorf("%s: status %d, %s%s", output, status, out, errs)
		}
	}
}

// What agent.json says is looked at before anything starts, as the flags are.
func TestAgentSettingsFaults(t *testing.T) {
	for text, says := range map[string]string{
		``:                     "it is empty",
		`{"effort":"huge"}`:    "low, medium, high",
		`{"maxTurns":-1}`:      "maxTurns must be more than 0",
		`{"maxTurns":0}`:       "maxTurns must be more than 0", // it would select the default
		`{"maxCost":0.0}`:      "maxCost must be more than 0",  // it would be no limit
		`{"window":0}`:         "window must be more than 0",
		`{"provider":"acme"}`:  "acme",
		`{"maxCost":1} {"x":2`: "want one JSON object",
		`{"maxcosts":1}`:       "maxcosts",
	} {
		home, dir := agentHome(t, "")
		put(t, filepath.Join(home, ".config", "umpire", "agent.json"), text)
		m := scriptModel(t, "openai", 0)
		for _, args := range [][]string{{"-p", "go"}, {"--acp"}} {
			if out, errs, status := agentRun(t, m, home, dir, "", args...); status != 1 || out != "" || !strings.Contains(errs, "agent.json: ") || !strings.Contains(errs, says) {
				t.Errorf("%s %s: status %d, %s%s", text, args, status, out, errs)
			}
		}
	}
}

// Who cannot reach a model is told which variable or flag says where it is.
func TestModelUnreachable(t *testing.T) {
	refusing := func(status int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(s.Close)
		return s.URL
	}
	home, dir := agentHome(t, "")
	put(t, filepath.Join(dir, "main.go"), "package main\n")
	for _, c := range []struct {
		base                string
		agent, judge, other string
	}{
		{"http://127.0.0.1:1", "OPENAI_BASE_URL or --base-url", "baseURL in your policy", "--base-url"}, // where nobody listens
		{refusing(401), "OPENAI_API_KEY", "$OPENAI_API_KEY", "$OPENAI_API_KEY"},
		{refusing(404), "MODEL_ID or --model", "model and baseURL", "--model"},
		{refusing(302), "OPENAI_BASE_URL or --base-url", "", "--base-url"},
	} {
		m := &agentModel{wire: "openai", Server: &httptest.Server{URL: c.base}}
		put(t, filepath.Join(home, ".config", "umpire", "policy.yaml"), "version: 1\njudge:\n  enabled: true\n  providers: [openai]\n  openai: {model: m, baseURL: \""+c.base+"/v1\"}\n")
		for _, args := range [][]string{{"agent", "-p", "go"}, {"judge", "curl -o page.html https://example.org/page"}, {"review", "--isolate", "off", "--provider", "openai", "--base-url", c.base + "/v1", "."}} {
			cmd := exec.CommandContext(t.Context(), program(t), args...)
			cmd.Dir, cmd.Env = dir, m.env(home)
			var errs strings.Builder
			cmd.Stderr = &errs
			err := cmd.Run()
			want := map[string]string{"agent": c.agent, "judge": c.judge, "review": c.other}[args[0]]
			if err == nil || !strings.Contains(errs.String(), want) || strings.Contains(errs.String(), "test-key") {
				t.Errorf("%s at %s: %v, %s", args[0], c.base, err, errs.String())
			}
		}
	}
}

// A session that cannot be read is passed over, and its user is told.
func TestAgentDamagedSession(t *testing.T) {
	home, dir := agentHome(t, "")
	m := scriptModel(t, "openai", 0)
	if _, errs, status := agentRun(t, m, home, dir, "", "-p", "first"); status != 0 {
		t.Fatal(errs)
	}
	put(t, filepath.Join(home, ".local", "state", "umpire", "agent", "sessions", "20990101-000000.000-DAMAGED.jsonl"), "{}\n")
	for _, args := range [][]string{{"-p", "more", "--continue"}, {"--lines"}} {
		if _, errs, status := agentRun(t, m, home, dir, "", args...); status != 0 || !strings.Contains(errs, "skipped session 20990101-000000.000-DAMAGED.jsonl") {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}

// What the conversation has to say of itself is told on standard error.
func TestAgentPrintsNotices(t *testing.T) {
	home, dir := agentHome(t, "")
	put(t, filepath.Join(home, ".config", "umpire", "agent.json"), `{"window":10}`)
	args := []string{"-p", "more"}
	for range 4 {
		if _, errs, status := agentRun(t, scriptModel(t, "openai", 0), home, dir, "", args...); status != 0 {
			t.Fatal(errs)
		}
		args = []string{"-p", "more", "-c"}
	}
	m := scriptModel(t, "openai", 0, step{status: 400}, step{text: "Going on."})
	if out, errs, status := agentRun(t, m, home, dir, "", args...); status != 0 || out != "Going on.\n" || !strings.Contains(errs, "could not be summarized") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	m = scriptModel(t, "openai", 0, step{text: "a summary"}, step{text: "Going on."})
	if out, errs, status := agentRun(t, m, home, dir, "", args...); status != 0 || out != "Going on.\n" || !strings.Contains(errs, "summarized: ") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

// Standard input that nobody ends is waited for, but not in silence, and not beyond the
// time that there is.
func TestAgentInputStaysOpen(t *testing.T) {
	in, open := io.Pipe()
	defer open.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := agent.Piped(ctx, in, time.Millisecond, func(string) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	home, dir := agentHome(t, "")
	m := scriptModel(t, "openai", 0)
	for status, end := range map[int]func(*exec.Cmd) error{
		agent.ExitLimit:       func(*exec.Cmd) error { return nil },
		agent.ExitInterrupted: func(c *exec.Cmd) error { return c.Process.Signal(syscall.SIGINT) },
	} {
		args := []string{"agent", "-p", "go"}
		if status == agent.ExitLimit {
			args = append(args, "--timeout", "200ms")
		}
		cmd := exec.CommandContext(t.Context(), program(t), args...)
		cmd.Dir, cmd.Env = dir, m.env(home)
		if _, err := cmd.StdinPipe(); err != nil { // which is never closed
			t.Fatal(err)
		}
		stderr, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := bufio.NewScanner(stderr)
		said.Scan() // it waits, or the time is up
		if err := end(cmd); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // the status says it
		if got := cmd.ProcessState.ExitCode(); got != status || len(m.asked()) > 0 {
			t.Errorf("status %d, not %d: %s", got, status, said.Text())
		}
	}
}

// A signal ends the run at once, with what was said kept.
func TestAgentInterrupted(t *testing.T) {
	home, dir := agentHome(t, "")
	m := scriptModel(t, "openai", 20, step{text: "one two three four five six seven", hang: true}, step{text: "Well."})
	cmd := exec.CommandContext(t.Context(), program(t), "agent", "-p", "go", "--output", "stream-json")
	cmd.Dir, cmd.Env = dir, m.env(home)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said string
	interrupted := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var e struct{ Type, Text string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Error(err)
		}
		said += e.Text
		if !interrupted && strings.HasPrefix(said, "one two") { // it has been read, so it can be kept
			interrupted = true
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // the status says it
	if s := cmd.ProcessState.ExitCode(); s != agent.ExitInterrupted || !interrupted {
		t.Errorf("status %d: %s %s", s, said, errs.String())
	}
	if out, errs, status := agentRun(t, m, home, dir, "", "-p", "and now?", "--continue"); status != 0 || !strings.Contains(out, "Well.") {
		t.Fatalf("status %d: %s%s", status, out, errs)
	}
	if asked := m.asked(); !strings.Contains(asked[len(asked)-1], "one two") {
		t.Errorf("the model was told %s", asked[len(asked)-1])
	}
}

// After kill -9 in the middle of a call the session goes on with a history that is whole.
func TestAgentResumesAfterKill(t *testing.T) {
	for _, wire := range []string{"openai", "anthropic"} {
		home, dir := agentHome(t, "rules:\n  - allow: [\"exec(sh *)\", \"exec(echo *)\", \"exec(sleep *)\", \"write(**)\", \"read(**)\"]\n")
		put(t, filepath.Join(dir, "wait.sh"), "echo begun > begun; sleep 600\n")
		fifo := filepath.Join(dir, "begun")
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		m := scriptModel(t, wire, 0, step{text: "I wait.", calls: calls("glob", `{"pattern":"*.sh"}`)}, step{calls: calls("bash", `{"command":"sh wait.sh","timeout":600000}`)}, step{text: "Going on."})
		cmd := exec.CommandContext(t.Context(), program(t), "agent", "-p", "go")
		cmd.Dir, cmd.Env = dir, m.env(home)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			_ = cmd.Wait() // it is killed
			close(ended)
		}()
		runs := make(chan struct{})
		go func() {
			if _, err := os.ReadFile(fifo); err == nil { // waits until the command runs
				close(runs)
			}
		}()
		select {
		case <-runs:
		case <-ended:
			t.Fatal("it ended before the command ran")
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-ended
		out, errs, status := agentRun(t, m, home, dir, "", "-p", "go on", "--continue")
		if status != 0 || !strings.Contains(out, "Going on.") {
			t.Fatalf("status %d: %s%s", status, out, errs)
		}
		asked := m.asked()
		if last := asked[len(asked)-1]; !strings.Contains(last, "I wait.") || !strings.Contains(last, "interrupted by the user") || !strings.Contains(last, "go on") {
			t.Errorf("%s: the model was told %s", wire, last)
		}
	}
}
