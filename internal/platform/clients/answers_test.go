package clients_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/clients"
)

// What is said to each client about a call.
var replies = []struct {
	name  string
	reply platform.Reply
}{
	{"allow", platform.Reply{Effect: umpire.Allow}},
	{"spoken", platform.Reply{Effect: umpire.Allow, Speak: true, Reason: "yes"}},
	{"deny", platform.Reply{Effect: umpire.Deny, Reason: `no "x"`}},
	{"silent deny", platform.Reply{}},
	{"ask", platform.Reply{Effect: umpire.Ask, Reason: "sure?"}},
	{"rewrite", platform.Reply{Effect: umpire.Allow, Reason: "so", Input: json.RawMessage(`{"command":"ls"}`)}},
	{"context", platform.Reply{Effect: umpire.Allow, Context: "know this"}},
}

// The words that several clients share: EXIT STDOUT < STDERR.
const (
	silent          = "0"
	claudeAllow     = `0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"yes"}}`
	claudeDeny      = `2 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no \"x\""}} < no "x"`
	claudeSilent    = `2 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"umpire: no reason given"}} < umpire: no reason given`
	claudeAsk       = `0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}`
	claudeNoAsk     = `2 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sure?"}} < sure?`
	claudeRewrite   = `0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"so","updatedInput":{"command":"ls"}}}`
	claudeNoRewrite = `2 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"this call is allowed only in another form, which this client cannot be given: call the tool with {\"command\":\"ls\"}"}} < this call is allowed only in another form, which this client cannot be given: call the tool with {"command":"ls"}`
	claudeContext   = `0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"know this"}}`
	deny            = `2 < no "x"`
	denySilent      = `2 < umpire: no reason given`
	denyAsk         = `2 < sure?`
	denyRewrite     = `2 < this call is allowed only in another form, which this client cannot be given: call the tool with {"command":"ls"}`
)

// answers has what each client then hears, byte by byte.
var answers = map[string][]string{
	"claude": {
		silent,        // allow
		claudeAllow,   // spoken
		claudeDeny,    // deny
		claudeSilent,  // silent deny
		claudeAsk,     // ask
		claudeRewrite, // rewrite
		claudeContext, // context
	},
	"codex": {
		silent,        // allow
		silent,        // spoken
		claudeDeny,    // deny
		claudeSilent,  // silent deny
		claudeNoAsk,   // ask
		claudeRewrite, // rewrite
		claudeContext, // context
	},
	"gemini": {
		silent, // allow
		silent, // spoken
		`2 {"decision":"deny","reason":"no \"x\""} < no "x"`,                                    // deny
		`2 {"decision":"deny","reason":"umpire: no reason given"} < umpire: no reason given`,    // silent deny
		`2 {"decision":"deny","reason":"sure?"} < sure?`,                                        // ask
		`0 {"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"ls"}}}`, // rewrite
		silent, // context
	},
	"qwen": {
		silent,          // allow
		claudeAllow,     // spoken
		claudeDeny,      // deny
		claudeSilent,    // silent deny
		claudeAsk,       // ask
		claudeNoRewrite, // rewrite
		silent,          // context
	},
	"copilot": {
		silent, // allow
		`0 {"permissionDecision":"allow","permissionDecisionReason":"yes"}`,                                              // spoken
		`2 {"permissionDecision":"deny","permissionDecisionReason":"no \"x\""} < no "x"`,                                 // deny
		`2 {"permissionDecision":"deny","permissionDecisionReason":"umpire: no reason given"} < umpire: no reason given`, // silent deny
		`0 {"permissionDecision":"ask","permissionDecisionReason":"sure?"}`,                                              // ask
		`0 {"permissionDecision":"allow","permissionDecisionReason":"so","modifiedArgs":{"command":"ls"}}`,               // rewrite
		`0 {"additionalContext":"know this"}`,                                                                            // context
	},
	"droid": {
		silent,        // allow
		claudeAllow,   // spoken
		claudeDeny,    // deny
		claudeSilent,  // silent deny
		claudeNoAsk,   // ask
		claudeRewrite, // rewrite
		silent,        // context
	},
	"cline": {
		`0 {}`, // allow
		`0 {}`, // spoken
		`2 {"overrideInput":{"commands":["printf '%s\\n' 'no \"x\"' \u003e\u00262; exit 1"]}} < no "x"`,                                 // deny
		`2 {"overrideInput":{"commands":["printf '%s\\n' 'umpire: no reason given' \u003e\u00262; exit 1"]}} < umpire: no reason given`, // silent deny
		`2 {"overrideInput":{"commands":["printf '%s\\n' 'sure?' \u003e\u00262; exit 1"]}} < sure?`,                                     // ask
		`0 {"overrideInput":{"command":"ls"}}`, // rewrite
		`0 {"context":"know this"}`,            // context
	},
	"opencode": {
		silent,                         // allow
		silent,                         // spoken
		deny,                           // deny
		denySilent,                     // silent deny
		denyAsk,                        // ask
		`0 {"input":{"command":"ls"}}`, // rewrite
		`0 {"context":"know this"}`,    // context
	},
	"pi": {
		silent,                         // allow
		silent,                         // spoken
		deny,                           // deny
		denySilent,                     // silent deny
		`3 {"ask":"sure?"}`,            // ask
		`0 {"input":{"command":"ls"}}`, // rewrite
		`0 {"context":"know this"}`,    // context
	},
	"cursor": {
		`0 {"permission":"allow"}`, // allow
		`0 {"permission":"allow"}`, // spoken
		`0 {"permission":"deny","user_message":"no \"x\"","agent_message":"no \"x\""} < no "x"`,                                                // deny
		`0 {"permission":"deny","user_message":"umpire: no reason given","agent_message":"umpire: no reason given"} < umpire: no reason given`, // silent deny
		`0 {"permission":"deny","user_message":"sure?","agent_message":"sure?"} < sure?`,                                                       // ask
		`0 {"permission":"deny","user_message":"this call is allowed only in another form, which this client cannot be given: call the tool with {\"command\":\"ls\"}","agent_message":"this call is allowed only in another form, which this client cannot be given: call the tool with {\"command\":\"ls\"}"} < this call is allowed only in another form, which this client cannot be given: call the tool with {"command":"ls"}`, // rewrite
		`0 {"permission":"allow"}`, // context
	},
	"vscode": {
		silent,        // allow
		claudeAllow,   // spoken
		claudeDeny,    // deny
		claudeSilent,  // silent deny
		claudeAsk,     // ask
		claudeRewrite, // rewrite
		claudeContext, // context
	},
	"windsurf": {
		silent,      // allow
		silent,      // spoken
		deny,        // deny
		denySilent,  // silent deny
		denyAsk,     // ask
		denyRewrite, // rewrite
		silent,      // context
	},
	"kiro": {
		silent,      // allow
		silent,      // spoken
		deny,        // deny
		denySilent,  // silent deny
		denyAsk,     // ask
		denyRewrite, // rewrite
		silent,      // context
	},
	"amp": {
		silent,      // allow
		silent,      // spoken
		deny,        // deny
		denySilent,  // silent deny
		`1 < sure?`, // ask
		denyRewrite, // rewrite
		silent,      // context
	},
	"antigravity": {
		`0 {"decision":"allow"}`,                             // allow
		`0 {"decision":"allow"}`,                             // spoken
		`0 {"decision":"deny","reason":"no \"x\""} < no "x"`, // deny
		`0 {"decision":"deny","reason":"umpire: no reason given"} < umpire: no reason given`, // silent deny
		`0 {"decision":"ask","reason":"sure?"}`,                                              // ask
		`0 {"decision":"deny","reason":"this call is allowed only in another form, which this client cannot be given: call the tool with {\"command\":\"ls\"}"} < this call is allowed only in another form, which this client cannot be given: call the tool with {"command":"ls"}`, // rewrite
		`0 {"decision":"allow"}`, // context
	},
	"crush": {
		silent,                   // allow
		`0 {"decision":"allow"}`, // spoken
		`2 {"decision":"deny","reason":"no \"x\""} < no "x"`,                                 // deny
		`2 {"decision":"deny","reason":"umpire: no reason given"} < umpire: no reason given`, // silent deny
		`2 {"decision":"deny","reason":"sure?"} < sure?`,                                     // ask
		`0 {"updated_input":{"command":"ls"}}`,                                               // rewrite
		`0 {"context":"know this"}`,                                                          // context
	},
	"kimi": {
		silent,          // allow
		silent,          // spoken
		claudeDeny,      // deny
		claudeSilent,    // silent deny
		claudeNoAsk,     // ask
		claudeNoRewrite, // rewrite
		silent,          // context
	},
	"devin": {
		silent,          // allow
		silent,          // spoken
		claudeDeny,      // deny
		claudeSilent,    // silent deny
		claudeNoAsk,     // ask
		claudeNoRewrite, // rewrite
		silent,          // context
	},
	"generic": {
		`0 {"effect":"allow"}`,                                                             // allow
		`0 {"effect":"allow","reason":"yes"}`,                                              // spoken
		`2 {"effect":"deny","reason":"no \"x\""} < no "x"`,                                 // deny
		`2 {"effect":"deny","reason":"umpire: no reason given"} < umpire: no reason given`, // silent deny
		`3 {"effect":"ask","reason":"sure?"}`,                                              // ask
		`0 {"effect":"allow","input":{"command":"ls"}}`,                                    // rewrite
		`0 {"effect":"allow","context":"know this"}`,                                       // context
	},
}

func said(a platform.HookOutput) string {
	s := fmt.Sprint(a.Exit)
	if a.Stdout != "" {
		s += " " + strings.TrimSuffix(a.Stdout, "\n")
	}
	if a.Stderr != "" {
		s += " < " + strings.TrimSuffix(a.Stderr, "\n")
	}
	return s
}

// shell is the call of a shell command, as the client says it.
func shell(t *testing.T, c *platform.Client) []byte {
	t.Helper()
	say := inWords[c.Name]
	if c.Name == "amp" {
		say = func(a act) any { return ampWords(t, a) }
	}
	b, err := json.Marshal(say(acts[0]))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAnswers(t *testing.T) {
	for _, c := range clients.All() {
		t.Run(c.Name, func(t *testing.T) {
			want := answers[c.Name]
			if len(want) != len(replies) {
				t.Fatalf("%d answers are written down, want %d", len(want), len(replies))
			}
			e, err := c.Decode(shell(t, c))
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range replies {
				a := c.Encode(&e, r.reply)
				if got := said(a); got != want[i] {
					t.Errorf("%s\n got %s\nwant %s", r.name, got, want[i])
				}
				document(t, a)
			}
		})
	}
}

// document checks that what is printed is one line of JSON, or nothing.
func document(t *testing.T, a platform.HookOutput) {
	t.Helper()
	if a.Stdout != "" && (!json.Valid([]byte(a.Stdout)) || strings.Count(a.Stdout, "\n") != 1 || !strings.HasSuffix(a.Stdout, "\n")) {
		t.Errorf("not one line of JSON: %q", a.Stdout)
	}
	if a.Stderr != "" && !strings.HasSuffix(a.Stderr, "\n") {
		t.Errorf("not a line: %q", a.Stderr)
	}
}

// no is a denial as each client hears it.
func no(c *platform.Client, e *platform.Event, a platform.HookOutput) bool {
	switch c.Name {
	case "claude":
		if e.Other == "copilot" && e.Name == "PreToolUse" { // which it was observed to hear
			return strings.Contains(a.Stdout, `"permissionDecision":"deny"`)
		}
	case "cline": // deaf to exit statuses
		return strings.Contains(a.Stdout, `"cancel":true`) || strings.Contains(a.Stdout, `"overrideInput":{}`) || strings.Contains(a.Stdout, `; exit 1"]}`)
	case "cursor":
		return a.Exit == 0 && strings.Contains(a.Stdout, `"permission":"deny"`)
	case "antigravity":
		return a.Exit == 0 && strings.Contains(a.Stdout, `"decision":"deny"`)
	}
	return a.Exit == 2 && strings.TrimSpace(a.Stderr) != ""
}

// A payload that could not be read has no name to repeat, and the denial of it is heard
// all the same.
func TestUnreadableIsDenied(t *testing.T) {
	for _, c := range clients.All() {
		for _, data := range []string{"", "[]", `{"`, "\x00", `{}`, `{"hook_event_name":"PreToolUse"`, `{"hook_event_name":7}`} {
			e, err := c.Decode([]byte(data))
			if err == nil && c.Name != "amp" {
				t.Errorf("%s reads %q", c.Name, data)
			}
			e.Kind = platform.Call
			a := c.Encode(&e, platform.Reply{Effect: umpire.Deny, Reason: "unreadable"})
			if document(t, a); !no(c, &e, a) || strings.Contains(a.Stdout, `"hookEventName":""`) {
				t.Errorf("%s hears %s of %q", c.Name, said(a), data)
			}
		}
	}
}

// A missing field is a failure, not a call that nobody judges; a field of another type
// counts as missing.
func TestIncomplete(t *testing.T) {
	for _, c := range clients.All() {
		if c.Name == "amp" {
			continue // whose payload is the tool's input itself
		}
		var whole object
		if err := json.Unmarshal(shell(t, c), &whole); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"hook_event_name", "hookEventName", "hookName", "agent_action_name", "event", "tool_name", "toolName", "tool", "tool_call", "toolCall",
			"tool_input", "toolArgs", "tool_info", "input", "cwd", "dir", "workspaceRoots"} {
			if _, ok := whole[field]; !ok {
				continue
			}
			for _, value := range []any{nil, object{}, []any{}, 7} {
				part := object{}
				maps.Copy(part, whole)
				part[field] = value
				if value == nil {
					delete(part, field)
				}
				b, err := json.Marshal(part)
				if err != nil {
					t.Fatal(err)
				}
				e, err := c.Decode(b)
				switch {
				case err != nil:
				case field == "tool_input" || field == "toolArgs" || field == "tool_info" || field == "input":
					if value == nil {
						t.Errorf("%s: without %s it is %+v", c.Name, field, e)
					}
				case field == "cwd" && platform.Absolute(e.Action.Dir): // the folder that the hook runs in
				case c.Name == "copilot" && field == "toolName": // which event it is cannot be told then
				case !e.Judged() && e.Name != "" && c.Name == "antigravity":
				default:
					t.Errorf("%s: with %s as %v it is %+v", c.Name, field, value, e)
				}
			}
		}
	}
}

// Events that nobody knows pass, and those that nobody waits for are not answered as if
// they were calls.
func TestOtherEvents(t *testing.T) {
	for _, tt := range []struct{ client, payload, want string }{
		{"claude", `{"hook_event_name":"Invented","cwd":"/w"}`, silent},
		{"claude", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"cwd":"/w"}`, `0 {"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"know this"}}`},
		{"claude", `{"hook_event_name":"Stop"}`, silent},
		{"codex", `{"hook_event_name":"SessionStart","cwd":"/w"}`, `0 {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"know this"}}`},
		{"codex", `{"hook_event_name":"Interrupt","cwd":"/w"}`, silent},
		{"gemini", `{"hook_event_name":"AfterTool","cwd":"/w"}`, `0 {"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"know this"}}`},
		{"gemini", `{"hook_event_name":"BeforeModel"}`, silent},
		{"qwen", `{"hook_event_name":"UserPromptSubmit","prompt":"p"}`, `0 {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"know this"}}`},
		{"copilot", `{"sessionId":"s","source":"new","cwd":"/w"}`, `0 {"additionalContext":"know this"}`},
		{"copilot", `{"sessionId":"s","cwd":"/w"}`, silent},
		{"copilot", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{}}`, `0 {"additionalContext":"know this"}`},
		{"droid", `{"hook_event_name":"SessionStart"}`, `0 {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"know this"}}`},
		{"cline", `{"hookName":"agent_start","workspaceRoots":["/w"]}`, `0 {"context":"know this"}`},
		{"cline", `{"hookName":"invented"}`, `0 {"context":"know this"}`},
		{"opencode", `{"hook_event_name":"tool.execute.after","input":{"tool":"bash"}}`, `0 {"context":"know this"}`},
		{"pi", `{"hook_event_name":"session_start"}`, `0 {"context":"know this"}`},
		{"cursor", `{"hook_event_name":"beforeSubmitPrompt","prompt":"p"}`, `0 {"continue":true}`},
		{"cursor", `{"hook_event_name":"subagentStart"}`, `0 {"permission":"allow"}`},
		{"cursor", `{"hook_event_name":"stop"}`, `0 {}`},
		{"cursor", `{"hook_event_name":"invented"}`, `0 {"permission":"allow"}`},
		{"windsurf", `{"agent_action_name":"pre_user_prompt","tool_info":{"user_prompt":"p"}}`, silent},
		{"kiro", `{"hook_event_name":"agentSpawn","cwd":"/w"}`, `0 know this`},
		{"antigravity", `{"conversationId":"c","error":"","toolCall":null}`, `0 {}`},
		{"antigravity", `{"conversationId":"c"}`, `0 {"decision":"allow"}`},
		{"crush", `{"event":"PreCompact","tool_name":"compact","tool_input":{}}`, silent},
		{"generic", `{"event":"session-start"}`, `0 {"effect":"allow","context":"know this"}`},
	} {
		c := clients.Find(tt.client)
		e, err := c.Decode([]byte(tt.payload))
		if err != nil || e.Judged() {
			t.Errorf("%s %s: %+v, %v", tt.client, tt.payload, e, err)
			continue
		}
		if got := said(c.Encode(&e, platform.Reply{Effect: umpire.Allow, Context: "know this"})); got != tt.want {
			t.Errorf("%s %s\n got %s\nwant %s", tt.client, tt.payload, got, tt.want)
		}
	}
}

// What a user sent is kept from the model in each client's own way, and nothing is said
// to those that have none.
func TestRefusedPrompt(t *testing.T) {
	block := `0 {"decision":"block","reason":"no"}`
	claude := `{"hook_event_name":"UserPromptSubmit","prompt":"p","cwd":"/w"}`
	want := map[string][2]string{
		"claude":   {claude, block},
		"codex":    {claude, block},
		"qwen":     {claude, block},
		"droid":    {claude, `2 < no`},
		"gemini":   {`{"hook_event_name":"BeforeAgent","prompt":"p","cwd":"/w"}`, `0 {"decision":"deny","reason":"no"}`},
		"cursor":   {`{"hook_event_name":"beforeSubmitPrompt","prompt":"p"}`, `0 {"continue":false,"user_message":"no"}`},
		"windsurf": {`{"agent_action_name":"pre_user_prompt","tool_info":{"user_prompt":"p"}}`, `2 < no`},
	}
	for _, c := range clients.All() {
		tt, ok := want[c.Name]
		if ok != c.Refuses {
			t.Errorf("%s refuses prompts: %v", c.Name, c.Refuses)
		}
		if !ok {
			continue
		}
		e, err := c.Decode([]byte(tt[0]))
		if err != nil || e.Kind != platform.Prompt || e.Text != "p" {
			t.Errorf("%s: %+v, %v", c.Name, e, err)
		}
		if got := said(c.Encode(&e, platform.Reply{Effect: umpire.Deny, Reason: "no"})); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", c.Name, got, tt[1])
		}
	}
}

// A client that asks its user already is told the same in its own words, and left alone
// where umpire would ask as well.
func TestPermission(t *testing.T) {
	nested := func(decision string) string {
		return `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":` + decision + `}}`
	}
	for client, tt := range map[string]struct{ payload, allow, deny string }{
		"claude":  {`{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w"}`, nested(`{"behavior":"allow"}`), nested(`{"behavior":"deny","message":"no"}`)},
		"codex":   {`{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w"}`, nested(`{"behavior":"allow"}`), nested(`{"behavior":"deny","message":"no"}`)},
		"copilot": {`{"hookName":"permissionRequest","sessionId":"s","toolName":"bash","toolInput":{"command":"ls"},"cwd":"/w"}`, `{"behavior":"allow"}`, `{"behavior":"deny","message":"no"}`},
	} {
		c := clients.Find(client)
		e, err := c.Decode([]byte(tt.payload))
		if err != nil || e.Kind != platform.Permission || string(e.Action.Input) != `{"command":"ls"}` {
			t.Errorf("%s: %+v, %v", client, e, err)
			continue
		}
		for _, x := range []struct {
			r    platform.Reply
			want string
		}{
			{platform.Reply{Effect: umpire.Allow}, silent},
			{platform.Reply{Effect: umpire.Ask, Reason: "sure?"}, silent},
			{platform.Reply{Effect: umpire.Allow, Speak: true}, "0 " + tt.allow},
			{platform.Reply{Effect: umpire.Deny, Reason: "no"}, "2 " + tt.deny + " < no"},
		} {
			if got := said(c.Encode(&e, x.r)); got != x.want {
				t.Errorf("%s, %s: %s, want %s", client, x.r.Effect, got, x.want)
			}
		}
	}
}

// Codex runs the call if it meets one key that it does not know. Whatever is said, there
// is none.
func TestCodexStrictness(t *testing.T) {
	c := clients.Find("codex")
	known := []string{"hookSpecificOutput", "hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext", "decision", "behavior", "message"}
	for _, name := range []string{"PreToolUse", "PermissionRequest", "PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStart", "Stop", "Invented"} {
		e, err := c.Decode([]byte(`{"hook_event_name":"` + name + `","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/w"}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range replies {
			r.reply.Context = "know this"
			a := c.Encode(&e, r.reply)
			if a.Stdout == "" {
				continue
			}
			if e.Kind == platform.Prompt && r.reply.Effect != umpire.Allow {
				var stopped map[string]string
				if err := json.Unmarshal([]byte(a.Stdout), &stopped); err != nil || len(stopped) != 2 || stopped["decision"] != "block" || stopped["reason"] == "" || a.Exit != 0 {
					t.Errorf("%s, %s: it would send the prompt on %s", name, r.name, said(a))
				}
				continue
			}
			var doc map[string]object
			if err := json.Unmarshal([]byte(a.Stdout), &doc); err != nil {
				t.Fatalf("%s: %v", a.Stdout, err)
			}
			specific := doc["hookSpecificOutput"]
			for k := range specific {
				if len(doc) != 1 || !slices.Contains(known, k) {
					t.Errorf("%s, %s: it does not know %s", name, r.name, a.Stdout)
				}
			}
			if specific["hookEventName"] != name {
				t.Errorf("%s, %s: another event's name in %s", name, r.name, a.Stdout)
			}
			switch d := specific["permissionDecision"]; {
			case d == "ask", d == "allow" && specific["updatedInput"] == nil, d == "deny" && (specific["permissionDecisionReason"] == "" || a.Stderr == "" || a.Exit != 2):
				t.Errorf("%s, %s: it would run the call on %s", name, r.name, said(a))
			}
		}
	}
}

// Who can be asked.
func TestAsks(t *testing.T) {
	none := func(string) string { return "" }
	alone := func(name string) string {
		return map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}[name]
	}
	for client, want := range map[string]bool{
		"claude": true, "codex": false, "gemini": false, "qwen": true, "copilot": true, "droid": false, "cline": false, "opencode": false, "pi": false,
		"cursor": false, "vscode": true, "windsurf": false, "kiro": false, "amp": true, "antigravity": true, "crush": false, "kimi": false, "devin": false, "generic": false,
	} {
		if got := clients.Find(client).Asks(&platform.Event{}, none); got != want {
			t.Errorf("%s: %v", client, got)
		}
	}
	if clients.Find("claude").Asks(&platform.Event{}, alone) || clients.Find("qwen").Asks(&platform.Event{Mode: "yolo"}, none) {
		t.Error("nobody is there, and they are asked")
	}
	if !clients.Find("pi").Asks(&platform.Event{Asks: true}, none) || !clients.Find("generic").Asks(&platform.Event{Asks: true}, none) {
		t.Error("somebody is there, and they are not asked")
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range clients.All() {
		say := inWords[c.Name]
		for _, a := range acts {
			if say == nil {
				continue
			}
			if words := say(a); words != nil {
				b, err := json.Marshal(words)
				if err != nil {
					f.Fatal(err)
				}
				f.Add(b)
			}
		}
	}
	f.Add([]byte(`{"tool_input":[[[[]]]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range clients.All() {
			e, err := c.Decode(data)
			if err == nil && e.Judged() && (e.Name == "" || e.Action.Tool == "" || len(e.Action.Input) == 0 || !platform.Absolute(e.Action.Dir)) {
				t.Errorf("%s accepts %+v", c.Name, e)
			}
			if err == nil && len(e.Action.Input) > 0 && !json.Valid(e.Action.Input) {
				t.Errorf("%s makes %q of it", c.Name, e.Action.Input)
			}
			e.Kind = platform.Call
			a := c.Encode(&e, platform.Reply{Effect: umpire.Deny, Reason: string(data)})
			if document(t, a); !no(c, &e, a) {
				t.Errorf("%s does not hear %s", c.Name, said(a))
			}
		}
	})
}

// Where a client gives its model another answer of a tool, it is said in the words it
// was observed to obey, and elsewhere it is not said.
func TestReplacedOutput(t *testing.T) {
	for _, tt := range []struct{ client, payload, want string }{
		{"claude", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"cwd":"/w","tool_response":{"stdout":"bad"}}`, `0 {"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"know this","updatedToolOutput":{"stdout":"good"}}}`},
		{"claude", `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{},"cwd":"/w","error":"bad"}`, ""},
		{"codex", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"cwd":"/w","tool_response":"bad"}`, `0 {"decision":"block","reason":"good"}`},
		{"gemini", `{"hook_event_name":"AfterTool","tool_name":"x","cwd":"/w","tool_response":{"llmContent":"bad"}}`, `0 {"decision":"deny","reason":"good"}`},
		{"copilot", `{"sessionId":"s","cwd":"/w","toolName":"bash","toolArgs":{},"toolResult":{"textResultForLlm":"bad"}}`, `0 {"additionalContext":"know this","modifiedResult":{"resultType":"success","textResultForLlm":"good"}}`},
		{"opencode", `{"hook_event_name":"tool.execute.after","input":{"tool":"bash"},"output":{"output":"bad"}}`, `0 {"context":"know this","output":"good"}`},
		{"pi", `{"hook_event_name":"tool_result","event":{"toolName":"bash","content":[]}}`, `0 {"context":"know this","output":"good"}`},
		{"generic", `{"event":"result","tool":"x","output":{"stdout":"bad"}}`, `0 {"effect":"allow","context":"know this","output":{"stdout":"good"}}`},
		{"qwen", `{"hook_event_name":"PostToolUse","tool_name":"x","tool_input":{},"cwd":"/w","tool_response":"bad"}`, ""},
		{"droid", `{"hook_event_name":"PostToolUse","tool_name":"x","tool_input":{},"cwd":"/w","tool_response":"bad"}`, ""},
		{"cline", `{"hookName":"tool_result","workspaceRoots":["/w"],"tool_result":{"name":"x","output":"bad"}}`, ""},
	} {
		c := clients.Find(tt.client)
		e, err := c.Decode([]byte(tt.payload))
		if err != nil || e.Kind != platform.Result || len(e.Output) == 0 {
			t.Errorf("%s %s: %+v, %v", tt.client, tt.payload, e, err)
			continue
		}
		can := c.Replaces != nil && c.Replaces(&e)
		if can != (tt.want != "") {
			t.Errorf("%s says that it replaces: %v", tt.client, can)
		}
		r := platform.Reply{Effect: umpire.Allow, Context: "know this"}
		if can {
			r.Output, r.Text = []byte(`{"stdout":"good"}`), "good"
		}
		got := said(c.Encode(&e, r))
		if tt.want != "" && got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.client, got, tt.want)
		}
		if tt.want == "" && strings.Contains(got, "good") {
			t.Errorf("%s is told to replace: %s", tt.client, got)
		}
	}
}
