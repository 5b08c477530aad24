#!/bin/sh
# Runs real coding agents in umpire's box, with a scripted model behind its proxy. They are
# installed once by ../shared/realclients, or the folder in SHARED.
set -eu
cd "$(dirname "$0")/.."
lib=$(cd "${SHARED:-../shared}/realclients" && pwd)
for name in "$@"; do
	bin=$(node --input-type=module -e 'const [lib, name] = process.argv.slice(-2);
const { install } = await import(lib + "/lib.mjs");
console.log(install((await import(`${lib}/clients/${name}.mjs`)).default));' "$lib" "$name")
	set -- "$@" --bin "$name=$bin"
done
exec bin/umpire doctor --live --boxed "$@"
