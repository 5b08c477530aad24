// Runs the real Claude Code with umpire's plugin and a scripted model, with umpire-hook in PATH and
// without. Needs ../shared/realclients, or the folder in SHARED, and `make build`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const clients = join(process.env.SHARED || join(root, '../shared'), 'realclients');
const { install, makeHome, session, write } = await import(pathToFileURL(join(clients, 'lib.mjs')));
const client = (await import(pathToFileURL(join(clients, 'clients/claude.mjs')))).default;
const plugin = join(root, 'plugins/claude-code');

for (const folder of [root, plugin]) {
	execFileSync(install(client), ['plugin', 'validate', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
}

let passed = 0, failed = 0;
function report(what, ok, detail) {
	console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${ok ? '' : `: ${detail}`}`);
	ok ? passed++ : failed++;
}

async function trial(hooked, command) {
	const place = makeHome();
	const bin = join(place.home, '.local/bin');
	mkdirSync(bin, { recursive: true });
	write(join(place.home, 'precious', 'keep.txt'), 'keep me\n');
	if (hooked) {
		for (const name of ['umpire', 'umpire-hook']) copyFileSync(join(root, 'bin', name), join(bin, name));
	}
	// The client's own settings name no hook: what stops the call is the plugin's.
	const alone = { ...client, configure: ({ home }) => write(join(home, '.claude', 'settings.json'), { permissions: { allow: ['Bash'] } }) };
	const run = await session(alone, {
		place, hook: '', calls: [client.shell(command(place))],
		options: { args: ['--plugin-dir', plugin], env: { PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` } },
	});
	const kept = existsSync(join(place.home, 'precious', 'keep.txt')), made = existsSync(join(place.home, 'made'));
	rmSync(place.root, { recursive: true, force: true });
	return { kept, made, told: run.told.join('\n'), detail: `${run.code} ${run.stderr.slice(0, 300)} ${run.told.join(' ').slice(0, 300)}` };
}

const destroy = ({ home }) => `rm -rf ${home}`, harmless = ({ home }) => `echo ok > ${home}/project/../made`;
let r = await trial(true, destroy);
report('a destructive call is stopped by the plugin', r.kept && r.told.includes('umpire denies'), r.detail);
r = await trial(true, () => 'echo harmless-ran');
report('a harmless call runs', r.told.includes('harmless-ran'), r.detail);
r = await trial(false, harmless);
report('without umpire-hook every call is stopped', !r.made && r.told.includes('umpire is not installed'), r.detail);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
