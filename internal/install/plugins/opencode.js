// It asks umpire-hook before every tool call. Whatever goes wrong, the call does not run:
// OpenCode blocks a call only when its plugin throws.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const hook = "@HOOK@";
const heartbeat = "@HEARTBEAT@";
const all = "@ALL@";
const limit = 58_000; // ms; umpire-hook itself answers earlier
const most = 16 << 20; // bytes of an answer

// ask starts umpire-hook and resolves to what it said. It never blocks the event loop:
// calls of one turn are made at the same time.
function ask(payload, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(hook, ["opencode"], { cwd: cwd || undefined, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error("umpire-hook did not answer in time"));
    }, limit);
    child.stdout.setEncoding("utf8");
    child.stderr.setEncoding("utf8");
    child.stdout.on("data", (s) => { if ((stdout += s).length > most) child.kill("SIGKILL"); });
    child.stderr.on("data", (s) => { if (stderr.length < most) stderr += s; });
    child.stdin.on("error", () => {}); // it may answer before it has read all
    child.on("error", (e) => { clearTimeout(timer); reject(e); });
    child.on("close", (code) => { clearTimeout(timer); resolve({ code, stdout, stderr }); });
    child.stdin.end(JSON.stringify(payload));
  });
}

// tell says what happened to umpire, which cannot undo it, and returns what it answers.
async function tell(payload, cwd) {
  try {
    const r = await ask(payload, cwd);
    return (r.code === 0 && r.stdout.trim() && JSON.parse(r.stdout)) || {};
  } catch {
    return {}; // nothing depends on it
  }
}

export const Umpire = async ({ directory, client }) => {
  try {
    mkdirSync(dirname(heartbeat), { recursive: true, mode: 0o700 });
    writeFileSync(heartbeat, JSON.stringify({ pid: process.pid, time: new Date().toISOString(), directory }) + "\n", { mode: 0o600 });
  } catch {
    // umpire doctor will miss it; calls are judged all the same
  }
  const dir = directory || process.cwd();
  const parents = new Map(); // a sub-agent has a session of its own
  const hooks = {
    "tool.execute.before": async (input, output) => {
      let r;
      try {
        r = await ask({
          hook_event_name: "tool.execute.before", cwd: dir, session_id: input.sessionID, parent_session_id: parents.get(input.sessionID),
          tool_name: input.tool, tool_input: output.args ?? {}, tool_use_id: input.callID, can_ask: false,
        }, dir);
      } catch (e) {
        throw new Error(`umpire could not judge this call, so it was blocked: ${e?.message ?? e}; the user can run: umpire doctor`);
      }
      if (r.code !== 0) {
        throw new Error(r.stderr.trim() || `umpire-hook ended with ${r.code ?? "a signal"}, so the call was blocked; the user can run: umpire doctor`);
      }
      if (!r.stdout.trim()) return;
      let change;
      try {
        change = JSON.parse(r.stdout).input;
      } catch {
        throw new Error("umpire-hook gave no clear answer, so the call was blocked; the user can run: umpire doctor");
      }
      if (!change) return;
      if (typeof change !== "object" || Array.isArray(change) || typeof output.args !== "object" || !output.args) {
        throw new Error("umpire wants another input for this call and cannot set it, so the call was blocked");
      }
      // The arguments are changed one by one: a new object would not be looked at.
      for (const key of Object.keys(output.args)) if (!Object.hasOwn(change, key)) delete output.args[key];
      for (const key of Object.keys(change)) output.args[key] = change[key];
    },
    event: async ({ event }) => {
      const name = event?.type;
      if (name !== "session.created" && name !== "session.deleted") return;
      const info = event.properties?.info ?? {};
      if (info.parentID && name === "session.created") parents.set(info.id, info.parentID);
      if (name === "session.deleted") parents.delete(info.id);
      const { context: said } = await tell({ hook_event_name: name, cwd: info.directory || dir, session_id: info.id, parent_session_id: info.parentID }, dir);
      if (!said || info.parentID) return;
      try {
        await client.tui.showToast({ body: { title: "umpire", message: said, variant: "warning", duration: 15_000 } });
      } catch {
        // there is no screen
      }
    },
  };
  if (all) {
    hooks["tool.execute.after"] = async (input, output) => {
      const { output: text } = await tell({
        hook_event_name: "tool.execute.after", cwd: dir, session_id: input.sessionID, parent_session_id: parents.get(input.sessionID),
        tool_name: input.tool, tool_input: input.args ?? {}, tool_use_id: input.callID, tool_response: output,
      }, dir);
      if (typeof text !== "string" || !output) return;
      output.output = text; // instead of what the tool said
      if (Array.isArray(output.content)) output.content = [{ type: "text", text }];
    };
    hooks["chat.message"] = (input, output) => {
      const prompt = (output?.parts ?? []).map((p) => (p?.type === "text" ? p.text : "")).join("\n");
      return tell({ hook_event_name: "chat.message", cwd: dir, session_id: input?.sessionID, prompt }, dir);
    };
  }
  return hooks;
};
