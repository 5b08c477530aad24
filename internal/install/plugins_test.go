package install

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// driver calls a plugin as its client does, and prints what would happen to the call.
const driver = `
const [plugin, kind, ui, tool] = process.argv.slice(2);
const args = JSON.parse(tool);
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
console.log(JSON.stringify({ blocked, args, said }));
`

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
	for _, tt := range []struct {
		name, hook string
		ui         string // "none", "yes", "no"
		blocked    string // "" is not
		args       string
		only       string
		says       string
	}{
		{name: "allow", hook: "exit 0", args: `{"command":"ls","n":1}`},
		{name: "deny", hook: "echo because >&2; exit 2", blocked: "because"},
		{name: "deny without a reason", hook: "exit 2", blocked: "umpire-hook ended with 2"},
		{name: "crash", hook: "exit 1", blocked: "umpire-hook ended with 1"},
		{name: "killed", hook: "kill -9 $$", blocked: "a signal"},
		{name: "changed", hook: `echo '{"input":{"command":"id","new":true}}'`, args: `{"command":"id","new":true}`},
		{name: "changed to what it cannot be", hook: `echo '{"input":["id"]}'`, blocked: "another input"},
		{name: "only context", hook: `echo '{"context":"by the way"}'`, args: `{"command":"ls","n":1}`},
		{name: "garbage", hook: "echo hello", blocked: "umpire"},
		{name: "cut off", hook: `printf '{"inp'`, blocked: "umpire"},
		{name: "deaf", hook: "exec 0<&-; exit 0", args: `{"command":"ls","n":1}`},
		{name: "not what was asked", hook: `grep -q '"tool_name":"bash"' || exit 9; exit 0`, args: `{"command":"ls","n":1}`},
		{name: "ask, nobody there", hook: `echo '{"ask":"really?"}'; exit 3`, ui: "none", blocked: "really?", only: "pi"},
		{name: "ask, yes", hook: `echo '{"ask":"really?"}'; exit 3`, ui: "yes", args: `{"command":"ls","n":1}`, only: "pi"},
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
			hook := filepath.Join(env.Home, "hooks", "a 'b' $(x)", "umpire-hook")
			if err := os.RemoveAll(hook); err != nil {
				t.Fatal(err)
			}
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
			path := filepath.Join(env.Home, kind+".mjs")
			put(t, path, plugin(kind, hook, filepath.Join(env.Home, "state"), true))
			cmd := exec.Command(node, run, path, kind, tt.ui+strings.Repeat("none", 1-min(1, len(tt.ui))), `{"command":"ls","n":1}`)
			out, err := cmd.CombinedOutput()
			var got struct {
				Blocked string
				Args    json.RawMessage
				Said    []string
			}
			if err != nil || json.Unmarshal(out, &got) != nil {
				t.Errorf("%s, %s: %v: %s", kind, tt.name, err, out)
				continue
			}
			if tt.says != "" && !slices.Contains(got.Said, tt.says) {
				t.Errorf("%s, %s: said %s, want %q", kind, tt.name, out, tt.says)
			}
			if (got.Blocked != "") != (tt.blocked != "") || !strings.Contains(got.Blocked, tt.blocked) || tt.args != "" && string(got.Args) != tt.args {
				t.Errorf("%s, %s: %s; want it blocked with %q, or the arguments %s", kind, tt.name, out, tt.blocked, tt.args)
			}
			if tt.blocked != "" && string(got.Args) != `{"command":"ls","n":1}` {
				t.Errorf("%s, %s: blocked, and changed: %s", kind, tt.name, out)
			}
			if _, err := os.Stat(filepath.Join(env.Home, "state", "heartbeat", "opencode")); kind == "opencode" && err != nil {
				t.Errorf("no heartbeat: %v", err)
			}
		}
	}
}
