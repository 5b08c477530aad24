#!/bin/bash
# Checks the types of the TypeScript package, and that its .d.ts files say what its .js files do.
# UPDATE_TYPES=1 writes them anew.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/node.sh
cd sdk/typescript
made=node_modules/.types
rm -rf "$made"
node_modules/.bin/tsc -p . --outDir "$made"
if [ -n "${UPDATE_TYPES:-}" ]; then
	cp "$made"/*.d.ts .
fi
for file in "$made"/*.d.ts; do
	if ! diff -u "$(basename "$file")" "$file"; then
		echo "sdk/typescript: $(basename "$file") does not match its .js file: run UPDATE_TYPES=1 scripts/types.sh and commit it" >&2
		exit 1
	fi
done
node_modules/.bin/tsc -p test
echo "types: fine"
