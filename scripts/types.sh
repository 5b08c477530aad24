#!/bin/bash
# Checks the types of the TypeScript package, and that its .d.ts files say what its .js files do.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/node.sh
cd sdk/typescript
cat ./*.d.ts >node_modules/.before
node_modules/.bin/tsc -p .
node_modules/.bin/tsc -p test
if ! cat ./*.d.ts | cmp -s - node_modules/.before; then
	echo "the .d.ts files of sdk/typescript were not up to date: they are now, commit them" >&2
	exit 1
fi
echo "types: fine"
