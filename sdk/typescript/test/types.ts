// What programs may write with the types, and what they may not. It is compiled and never run.
import { check, Client, Denied, Fault, requestExec, requestPackageInstall, requestPermission, type Answer, type Result } from "../index.js";
import { Guard, type Judged, type Sanitized } from "../guard.js";

const client = new Client({ url: "http://127.0.0.1:3700", token: "umpa_...", session: "s" });
const signal = new AbortController().signal;

export const answer: Promise<Answer> = requestPermission("network", "GET https://example.org/", { reason: "r", signal, deadline: 1000 });
export const result: Promise<Result> = requestExec("make", { cwd: "web", timeout: 1000, deadline: 5000 });
export const installed: Promise<Result> = client.requestPackageInstall("npm", ["left-pad"], { action: "remove" });
export const moved: Promise<Answer> = client.requestChanges([{ op: "move", from: "a", path: "b" }]);
export const unchanged: Promise<Answer> = client.requestChanges([{ op: "write", path: "a", content: "x", was: "absent" }]);
export const pushed: Promise<Answer> = client.requestPush("main", { dir: "x" });
export const effect: Promise<"allow" | "ask" | "deny"> = check("exec", "make");

try {
  await client.requestWrite("a.txt", "hi", { reason: "r" });
} catch (err) {
  if (err instanceof Denied) {
    const status: "pending" | "approved" | "denied" | "expired" | "superseded" | "cancelled" | "conflict" = err.status;
    console.log(status, err.note?.trim());
  } else if (err instanceof Fault) {
    console.log(err.status.toFixed(), err.hint?.trim());
  }
}

// @ts-expect-error: no such category
requestPermission("networks", "x");
// @ts-expect-error: no such package manager
requestPackageInstall("apt", ["x"]);
// @ts-expect-error: packages are a list
requestPackageInstall("npm", "x");
// @ts-expect-error: the deadline is a number
requestExec("make", { deadline: "5s" });
// @ts-expect-error: no such setting
new Client({ host: "x" });
// @ts-expect-error: the exit code is a number
requestExec("make").then((r) => r.exitCode.trim());

const guard = new Guard({ url: "http://127.0.0.1:3704" });
export const judged: Promise<Judged> = guard.input("hi", { userId: "u", metadata: { language: "de" }, deadline: 1000 });
export const clean: Promise<Sanitized> = guard.toolOutput("hi", { hidden: "remove" });
guard.batch([{ id: 1, text: "hi" }, { kind: "tool_output", text: "hi", tool: "fetch" }]);
// @ts-expect-error: no such kind
guard.batch([{ kind: "poem", text: "hi" }]);
// @ts-expect-error: a user sends no system prompt
guard.input("hi", { system: "x" });
// @ts-expect-error: no such way with hidden text
guard.toolOutput("hi", { hidden: "burn" });
