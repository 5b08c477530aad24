#!/bin/sh
# Has real coding agents review hostile code, with a scripted model on this machine. They
# are installed once by ../shared/realclients, or the folder in SHARED.
set -eu
cd "$(dirname "$0")/.."
lib=$(cd "${SHARED:-../shared}/realclients" && pwd)
for name in claude codex opencode cline gemini; do
	node --input-type=module -e 'const [lib, name] = process.argv.slice(-2);
const { install } = await import(lib + "/lib.mjs");
console.log(install((await import(`${lib}/clients/${name}.mjs`)).default));' "$lib" "$name"
done
UMPIRE_REAL_CLIENTS=1 exec "${GO:-go}" test -count=1 -v -run 'TestReal(Clients|Adapters)' ./internal/quarantine/engine
