// Runs the real Claude Code with umpire's plugin and the real Gemini CLI with its extension, each with
// a scripted model, with umpire-hook in PATH and without. Needs ../shared/realclients, or the folder in
// SHARED, and `make build`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const clients = join(process.env.SHARED || join(root, '../shared'), 'realclients');
const load = (path) => import(pathToFileURL(join(clients, path)));
const { install, makeHome, session, write } = await load('lib.mjs');
const claude = (await load('clients/claude.mjs')).default, gemini = (await load('clients/gemini.mjs')).default;

function runClient(bin, args, home) {
	const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
	execFileSync(bin, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH, HOME: home, TERM: 'dumb', GEMINI_CLI_TRUST_WORKSPACE: 'true' }, timeout: 120_000 });
}

// The clients' own settings name no hook: what stops a call is the plugin's.
const plugins = [
	{
		name: 'claude', folder: join(root, 'plugins/claude-code'),
		validate: ['plugin', 'validate'],
		client: { ...claude, configure: ({ home }) => write(join(home, '.claude', 'settings.json'), { permissions: { allow: ['Bash'] } }) },
		args: (folder) => ['--plugin-dir', folder],
	},
	{
		name: 'gemini', folder: join(root, 'plugins/gemini'),
		validate: ['extensions', 'validate'],
		client: {
			...gemini,
			configure({ home, url }) {
				gemini.configure({ home, url, hook: '', options: { events: [] } });
				runClient(install(gemini), ['extensions', 'install', '--consent', '--skip-settings', join(root, 'plugins/gemini')], home);
			},
		},
		args: () => [],
	},
];

let passed = 0, failed = 0;
function report(what, ok, detail) {
	console.log(`${ok ? 'ok  ' : 'FAIL'} ${what}${ok ? '' : `: ${detail}`}`);
	ok ? passed++ : failed++;
}

async function trial(plugin, hooked, command) {
	const place = makeHome();
	const bin = join(place.home, '.local/bin');
	mkdirSync(bin, { recursive: true });
	write(join(place.home, 'precious', 'keep.txt'), 'keep me\n');
	if (hooked) {
		for (const name of ['umpire', 'umpire-hook']) copyFileSync(join(root, 'bin', name), join(bin, name));
	}
	const run = await session(plugin.client, {
		place, hook: '', calls: [plugin.client.shell(command(place))],
		options: { args: plugin.args(plugin.folder), env: { PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` } },
	});
	const kept = existsSync(join(place.home, 'precious', 'keep.txt')), made = existsSync(join(place.home, 'made'));
	rmSync(place.root, { recursive: true, force: true });
	return { kept, made, told: run.told.join('\n'), detail: `${run.code} ${run.stderr.slice(0, 300)} ${run.told.join(' ').slice(0, 300)}` };
}

const destroy = ({ home }) => `rm -rf ${home}`, harmless = ({ home }) => `echo ok > ${home}/project/../made`;
for (const plugin of plugins) {
	const { root: scratch, home } = makeHome();
	runClient(install(plugin.client), [...plugin.validate, plugin.folder], home);
	rmSync(scratch, { recursive: true, force: true });
	let r = await trial(plugin, true, destroy);
	report(`${plugin.name}: a destructive call is stopped by the plugin`, r.kept && r.told.includes('umpire denies'), r.detail);
	r = await trial(plugin, true, () => 'echo harmless-ran');
	report(`${plugin.name}: a harmless call runs`, r.told.includes('harmless-ran'), r.detail);
	r = await trial(plugin, false, harmless);
	report(`${plugin.name}: without umpire-hook every call is stopped`, !r.made && r.told.includes('umpire is not installed'), r.detail);
}
execFileSync(install(claude), ['plugin', 'validate', root], { stdio: ['ignore', 'ignore', 'inherit'] });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
