//go:build unix

package engine

// openCodePlugin returns a plugin for OpenCode that asks umpire before each call, takes the
// arguments of the answer, and throws if umpire denies or does not answer.
func openCodePlugin(umpire, socket string) string {
	return `import { spawnSync } from "node:child_process";
export const UmpireReview = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const call = JSON.stringify({ tool: input.tool, args: output.args, cwd: directory });
    const r = spawnSync(` + asJSON(umpire) + `, [` + asJSON(hookName) + `, "opencode", ` + asJSON(socket) + `], { input: call, encoding: "utf8", timeout: 30000 });
    if (r.error || r.status !== 0) throw new Error((r.stderr || "").trim() || "umpire does not answer");
    if (r.stdout.trim()) output.args = Object.assign(output.args, JSON.parse(r.stdout).args);
  },
});
`
}
