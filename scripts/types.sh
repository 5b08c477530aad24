#!/bin/bash
# Checks the types of the TypeScript package, and that index.d.ts says what index.js does.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/node.sh
cd sdk/typescript
cp index.d.ts node_modules/.before
node_modules/.bin/tsc -p .
node_modules/.bin/tsc -p test
if ! cmp -s index.d.ts node_modules/.before; then
	echo "sdk/typescript/index.d.ts was not up to date: it is now, commit it" >&2
	exit 1
fi
echo "types: fine"
