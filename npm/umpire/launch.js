// Starts the program of this platform. The programs come in packages of their own, of which npm
// installs the one that fits: nothing is downloaded, and nothing runs, at install time.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');
const path = require('node:path');

const name = path.basename(process.argv[1]).startsWith('umpire-hook') ? 'umpire-hook' : 'umpire';

function find() {
	const target = `@umpire-dev/umpire-${process.platform}-${process.arch}`;
	const file = process.platform === 'win32' ? `${name}.exe` : name;
	try {
		return path.join(path.dirname(require.resolve(`${target}/package.json`)), 'bin', file);
	} catch {
		console.error(`umpire: the package ${target} is not installed. ` +
			'npm leaves it out with --omit=optional, and there is none for every platform: ' +
			'install again without that, or take an archive of the release.');
		process.exit(1);
	}
}

const child = spawn(find(), process.argv.slice(2), { stdio: 'inherit' });
// A terminal sends its signals to both; what is sent to this process alone goes on to the program.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => child.kill(signal));
}
child.on('error', (err) => {
	console.error(`umpire: ${err.message}`);
	process.exit(1);
});
child.on('exit', (code, signal) => {
	process.exit(signal ? 128 + constants.signals[signal] : code);
});
