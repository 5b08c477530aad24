// OpenCode blocks a call only when its plugin throws.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const heartbeat = "@HEARTBEAT@";
const all = "@ALL@";

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
      if (!rewrite(output.args, change)) {
        throw new Error("umpire wants another input for this call and cannot set it, so the call was blocked");
      }
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
