// It asks umpire-hook before every tool call. Whatever goes wrong, the call does not run.
import { spawn } from "node:child_process";

const hook = "@HOOK@";
const all = "@ALL@";
const limit = 58_000; // ms; umpire-hook itself answers earlier
const most = 16 << 20; // bytes of an answer

// ask starts umpire-hook and resolves to what it said, without blocking the event loop.
function ask(payload, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(hook, ["pi"], { cwd: cwd || undefined, stdio: ["pipe", "pipe", "pipe"] });
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

// about is what every payload has.
function about(name, ctx) {
  let session;
  try {
    session = ctx?.sessionManager?.getSessionId?.();
  } catch {
    // not every mode has one
  }
  return { hook_event_name: name, cwd: ctx?.cwd || process.cwd(), session_id: session };
}

// tell says what happened to umpire, which cannot undo it, and returns what it answers.
async function tell(payload) {
  try {
    const r = await ask(payload, payload.cwd);
    return (r.code === 0 && r.stdout.trim() && JSON.parse(r.stdout)) || {};
  } catch {
    return {}; // nothing depends on it
  }
}

const block = (reason) => ({ block: true, reason });

export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    try {
      const payload = {
        ...about("tool_call", ctx), tool_name: event.toolName, tool_input: event.input ?? {},
        tool_use_id: event.toolCallId, can_ask: ctx?.hasUI === true,
      };
      const r = await ask(payload, payload.cwd);
      if (r.code === 3) {
        const why = JSON.parse(r.stdout).ask;
        if (ctx?.hasUI === true && typeof why === "string" && (await ctx.ui.confirm("umpire asks", why)) === true) return;
        return block(why ? `The user did not allow it. ${why}` : "umpire asks, and nobody is there to answer");
      }
      if (r.code !== 0) {
        return block(r.stderr.trim() || `umpire-hook ended with ${r.code ?? "a signal"}; the user can run: umpire doctor`);
      }
      if (!r.stdout.trim()) return;
      const change = JSON.parse(r.stdout).input;
      if (!change) return;
      if (typeof change !== "object" || Array.isArray(change) || typeof event.input !== "object" || !event.input) {
        return block("umpire wants another input for this call and cannot set it");
      }
      for (const key of Object.keys(event.input)) if (!Object.hasOwn(change, key)) delete event.input[key];
      for (const key of Object.keys(change)) event.input[key] = change[key];
    } catch (e) {
      return block(`umpire could not judge this call: ${e?.message ?? e}; the user can run: umpire doctor`);
    }
  });
  pi.on("session_start", async (_event, ctx) => {
    const { context } = await tell(about("session_start", ctx));
    if (context && ctx?.hasUI === true) ctx.ui.notify(context, "warning");
  });
  pi.on("session_shutdown", async (_event, ctx) => {
    await tell(about("session_shutdown", ctx));
  });
  if (all) {
    pi.on("tool_result", async (event, ctx) => {
      const { output } = await tell({
        ...about("tool_result", ctx), tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId, tool_response: event.content,
      });
      if (typeof output === "string") return { content: [{ type: "text", text: output }] }; // instead of what the tool said
    });
    pi.on("input", async (event, ctx) => {
      await tell({ ...about("input", ctx), prompt: event.text });
    });
  }
}
