#!/bin/bash
# Sees to it that Node and npm are on this machine, and what tests take from npm: they run
# the TypeScript package, check its types, and log in with a provider. Debian's packages
# are installed if they are not there.
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD

found() { command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null; }

if ! found; then
	scripts/debian.sh "Node 18 or newer, with npm, which runs the TypeScript package" nodejs npm
	if ! found; then
		echo "the tests need Node 18 or newer, with npm; this is $(node --version): install a newer one" >&2
		exit 1
	fi
fi

# No script of a package's is run, and what is installed is what the lock file names.
for dir in sdk/typescript internal/login/testdata/provider; do
	if ! cmp -s "$dir/package-lock.json" "$dir/node_modules/.locked"; then
		(cd "$dir" && "$top/scripts/again.sh" 600 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null)
		cp "$dir/package-lock.json" "$dir/node_modules/.locked"
	fi
done
