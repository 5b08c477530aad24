const all = "@ALL@";

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
      if (!rewrite(event.input, change)) return block("umpire wants another input for this call and cannot set it");
    } catch (e) {
      return block(`umpire could not judge this call: ${e?.message ?? e}; the user can run: umpire doctor`);
    }
  });
  pi.on("session_start", async (_event, ctx) => {
    const { context } = await tell(about("session_start", ctx), ctx?.cwd);
    if (context && ctx?.hasUI === true) ctx.ui.notify(context, "warning");
  });
  pi.on("session_shutdown", async (_event, ctx) => {
    await tell(about("session_shutdown", ctx), ctx?.cwd);
  });
  if (all) {
    pi.on("tool_result", async (event, ctx) => {
      const { output } = await tell({
        ...about("tool_result", ctx), tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId, tool_response: event.content,
      }, ctx?.cwd);
      if (typeof output === "string") return { content: [{ type: "text", text: output }] }; // instead of what the tool said
    });
    pi.on("input", async (event, ctx) => {
      await tell({ ...about("input", ctx), prompt: event.text }, ctx?.cwd);
    });
  }
}
