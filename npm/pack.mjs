// Packs what goreleaser built into npm packages below dist/npm: one for each platform, with the
// programs, and the one that people install, with a launcher.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const out = join(dist, 'npm');
const { version } = JSON.parse(readFileSync(join(dist, 'metadata.json')));
const artifacts = JSON.parse(readFileSync(join(dist, 'artifacts.json')));
const launcher = JSON.parse(readFileSync(join(root, 'npm/umpire/package.json')));

const platforms = { linux: 'linux', darwin: 'darwin', windows: 'win32' };
const processors = { amd64: 'x64', arm64: 'arm64' };

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

function pack(dir, manifest) {
	writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest, null, '  ') + '\n');
	for (const name of ['LICENSE', 'THIRD_PARTY.md']) copyFileSync(join(root, name), join(dir, name));
	execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
}

const packages = new Map();
for (const a of artifacts.filter((a) => a.type === 'Binary')) {
	const os = platforms[a.goos], cpu = processors[a.goarch];
	const name = `@umpire-dev/umpire-${os}-${cpu}`;
	const dir = join(out, `umpire-${os}-${cpu}`);
	mkdirSync(join(dir, 'bin'), { recursive: true });
	copyFileSync(join(root, a.path), join(dir, 'bin', a.name));
	chmodSync(join(dir, 'bin', a.name), 0o755);
	packages.set(name, { dir, os, cpu });
}
if (packages.size === 0) throw new Error('dist holds no programs: run make release-snapshot');

const { description, license, homepage, repository } = launcher;
for (const [name, { dir, os, cpu }] of packages) {
	writeFileSync(join(dir, 'README.md'), `The programs of umpire for ${os} on ${cpu}. Install \`${launcher.name}\` instead.\n`);
	pack(dir, { name, version, description: `${description} (${os}, ${cpu})`, license, homepage, repository, os: [os], cpu: [cpu], files: ['bin'], preferUnplugged: true });
}
const dir = join(out, 'umpire');
cpSync(join(root, 'npm/umpire'), dir, { recursive: true });
const optionalDependencies = Object.fromEntries([...packages.keys()].sort().map((name) => [name, version]));
pack(dir, { ...launcher, version, files: [...launcher.files, 'THIRD_PARTY.md'], optionalDependencies });
console.log(`packed ${packages.size + 1} packages of version ${version} into dist/npm`);
