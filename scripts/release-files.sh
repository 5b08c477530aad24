#!/bin/sh
# Writes what packages hold besides the programs: manual pages and completion scripts.
set -eu
cd "$(dirname "$0")/.."
out=bin/release
rm -rf "$out"
mkdir -p "$out/completions"
go build -trimpath -buildvcs=false -o "$out/umpire" ./cmd/umpire # for this machine, whatever is being built for
"$out/umpire" man "$out/man" >/dev/null
"$out/umpire" completion bash >"$out/completions/umpire.bash"
"$out/umpire" completion fish >"$out/completions/umpire.fish"
"$out/umpire" completion zsh >"$out/completions/_umpire"
rm "$out/umpire"
