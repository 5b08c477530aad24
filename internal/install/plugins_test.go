package install

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// driver calls plugins as their clients do, and prints what would happen to each call.
const driver = `
import { readFileSync } from "node:fs";
async function call({ Plugin: plugin, Kind: kind, UI: ui, Input: args }) {
const said = [];
const ctx = { cwd: process.cwd(), hasUI: ui !== "none", ui: {
  confirm: async (...a) => { said.push(a.join(": ")); return ui === "yes"; }, notify: (s) => said.push(s) } };
const client = { tui: { showToast: ({ body }) => said.push(body.message) } };
let blocked = "";
const module = await import(plugin);
if (kind === "opencode") {
  const hooks = await module.Umpire({ directory: process.cwd(), client });
  await hooks.event({ event: { type: "session.created", properties: { info: { id: "s" } } } });
  const output = { args };
  const kept = output.args;
  try {
    await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, output);
  } catch (e) {
    blocked = e.message;
  }
  const after = { title: "t", output: "raw", metadata: {} };
  await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "c", args }, after);
  said.push(after.output);
  if (kept !== output.args) blocked = "the arguments are another object";
} else {
  const on = {};
  module.default({ on: (name, f) => { on[name] = f; } });
  await on.session_start({ type: "session_start" }, ctx);
  const r = await on.tool_call({ toolName: "bash", toolCallId: "c", input: args }, ctx);
  if (r?.block) blocked = r.reason || "no reason";
  const after = await on.tool_result({ toolName: "bash", toolCallId: "c", input: args, content: [{ type: "text", text: "raw" }] }, ctx);
  said.push(after?.content[0].text ?? "raw");
}
return { blocked, args, said };
}
const ends = [];
for (const c of JSON.parse(readFileSync(0))) ends.push(await call(c).catch((e) => ({ error: e.stack })));
console.log(JSON.stringify(ends));
`

// sent are the arguments of each call.
const sent = `{"command":"ls","n":1}`

// Whatever umpire-hook does, a call runs only after a clear yes.
func TestPlugins(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("there is no node: umpire doctor --live has the real agents run the plugins")
		return
	}
	env := machineFor(t)
	run := filepath.Join(env.Home, "driver.mjs")
	put(t, run, driver)
	type test struct {
		name, hook string
		ui         string // "none", "yes", "no"
		blocked    string // "" is not
		args       string
		only       string
		says       string
	}
	type call struct {
		test                    `json:"-"`
		Plugin, Kind, UI, State string
		Input                   json.RawMessage
	}
	var calls []call
	for i, tt := range []test{
		{name: "allow", hook: "exit 0", args: sent},
		{name: "deny", hook: "echo because >&2; exit 2", blocked: "because"},
		{name: "deny without a reason", hook: "exit 2", blocked: "umpire-hook ended with 2"},
		{name: "crash", hook: "exit 1", blocked: "umpire-hook ended with 1"},
		{name: "killed", hook: "kill -9 $$", blocked: "a signal"},
		{name: "changed", hook: `echo '{"input":{"command":"id","new":true}}'`, args: `{"command":"id","new":true}`},
		{name: "changed to what it cannot be", hook: `echo '{"input":["id"]}'`, blocked: "another input"},
		{name: "only context", hook: `echo '{"context":"by the way"}'`, args: sent},
		{name: "garbage", hook: "echo hello", blocked: "umpire"},
		{name: "cut off", hook: `printf '{"inp'`, blocked: "umpire"},
		{name: "deaf", hook: "exec 0<&-; exit 0", args: sent},
		{name: "not what was asked", hook: `grep -q '"tool_name":"bash"' || exit 9; exit 0`, args: sent},
		{name: "ask, nobody there", hook: `echo '{"ask":"really?"}'; exit 3`, ui: "none", blocked: "really?", only: "pi"},
		{name: "ask, yes", hook: `echo '{"ask":"really?"}'; exit 3`, ui: "yes", args: sent, only: "pi"},
		{name: "ask, no", hook: `echo '{"ask":"really?"}'; exit 3`, ui: "no", blocked: "really?", only: "pi"},
		{name: "ask about nothing", hook: `exit 3`, ui: "yes", blocked: "umpire", only: "pi"},
		{name: "ask", hook: `echo '{"ask":"really?"}'; exit 3`, blocked: "ended with 3", only: "opencode"},
		{name: "missing", blocked: "umpire could not judge this call"},
		{name: "a session hears something", hook: "exit 0", ui: "yes", says: "look out"},
		{name: "another answer", hook: "exit 0", says: "cleaned"},
		{name: "no answer at all", hook: "exit 0", says: "raw"},
	} {
		for _, kind := range []string{"opencode", "pi"} {
			if tt.only != "" && tt.only != kind {
				continue
			}
			dir := filepath.Join(env.Home, fmt.Sprint(kind, i))
			hook := filepath.Join(dir, "a 'b' $(x)", "umpire-hook")
			if tt.hook != "" {
				// Sessions are told, and have no say.
				other := "*session*creat*|*session_start*) exit 1;; *tool.execute.after*|*tool_result*) exit 1;;"
				switch tt.says {
				case "look out":
					other = `*session*creat*|*session_start*) echo '{"context":"look out"}'; exit 0;; *tool.execute.after*|*tool_result*) exit 2;;`
				case "cleaned":
					other = `*session*creat*|*session_start*) echo nonsense; exit 0;; *tool.execute.after*|*tool_result*) echo '{"output":"cleaned"}'; exit 0;;`
				}
				put(t, hook, "#!/bin/sh\nread -r payload\ncase $payload in "+other+" esac\nprintf '%s' \"$payload\" | (\n"+tt.hook+"\n)\n")
				if err := os.Chmod(hook, 0o755); err != nil {
					t.Fatal(err)
				}
				if tt.name == "killed" {
					put(t, hook, "#!/bin/sh\nkill -9 $$\n")
				}
			}
			c := call{tt, filepath.Join(dir, kind+".mjs"), kind, cmp.Or(tt.ui, "none"), filepath.Join(dir, "state"), json.RawMessage(sent)}
			put(t, c.Plugin, plugin(kind, hook, c.State, true))
			calls = append(calls, c)
		}
	}
	text, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, run)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.CombinedOutput()
	var ends []struct {
		Error, Blocked string
		Args           json.RawMessage
		Said           []string
	}
	if err != nil || json.Unmarshal(out, &ends) != nil || len(ends) != len(calls) {
		t.Fatalf("%d calls: %v: %s", len(calls), err, out)
	}
	for i, tt := range calls {
		got := ends[i]
		if got.Error != "" {
			t.Errorf("%s, %s: %s", tt.Kind, tt.name, got.Error)
			continue
		}
		if tt.says != "" && !slices.Contains(got.Said, tt.says) {
			t.Errorf("%s, %s: said %q, want %q", tt.Kind, tt.name, got.Said, tt.says)
		}
		if (got.Blocked != "") != (tt.blocked != "") || !strings.Contains(got.Blocked, tt.blocked) || tt.args != "" && string(got.Args) != tt.args {
			t.Errorf("%s, %s: %q, %s; want it blocked with %q, or the arguments %s", tt.Kind, tt.name, got.Blocked, got.Args, tt.blocked, tt.args)
		}
		if tt.blocked != "" && string(got.Args) != sent {
			t.Errorf("%s, %s: blocked, and changed: %s", tt.Kind, tt.name, got.Args)
		}
		if _, err := os.Stat(filepath.Join(tt.State, "heartbeat", "opencode")); tt.Kind == "opencode" && err != nil {
			t.Errorf("%s: no heartbeat: %v", tt.name, err)
		}
	}
}
