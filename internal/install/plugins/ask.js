// This module asks umpire-hook before every tool call. Whatever goes wrong, the call does not run.
import { spawn } from "node:child_process";

const limit = 58_000; // ms; umpire-hook itself answers earlier
const most = 16 << 20; // bytes of an answer

// ask starts umpire-hook and resolves to its answer. It never blocks the event loop: an agent
// makes the calls of one turn at the same time.
function ask(payload, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn("@HOOK@", ["@CLIENT@"], { cwd: cwd || undefined, stdio: ["pipe", "pipe", "pipe"] });
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

// tell reports an event, which umpire cannot undo, and returns the answer. No call depends on it.
async function tell(payload, cwd) {
  try {
    const r = await ask(payload, cwd);
    return (r.code === 0 && r.stdout.trim() && JSON.parse(r.stdout)) || {};
  } catch {
    return {};
  }
}

// rewrite makes an input equal to another one, key by key: a client does not look at a new object.
// It reports whether both are objects.
function rewrite(input, change) {
  if (typeof change !== "object" || Array.isArray(change) || typeof input !== "object" || !input) return false;
  for (const key of Object.keys(input)) if (!Object.hasOwn(change, key)) delete input[key];
  for (const key of Object.keys(change)) input[key] = change[key];
  return true;
}

