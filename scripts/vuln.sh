#!/bin/sh
# Runs govulncheck. Its data lies on a server of its own: where that cannot be reached,
# this says so and succeeds, for nothing was found out.
set -eu
cd "$(dirname "$0")/.."
version=v1.1.4
tool=bin/govulncheck-$version
if [ ! -x "$tool" ]; then
	mkdir -p bin
	GOBIN="$PWD/bin" go install "golang.org/x/vuln/cmd/govulncheck@$version"
	mv bin/govulncheck "$tool"
fi
out=$(mktemp)
trap 'rm -f "$out"' EXIT
if timeout 120 "$tool" ./... >"$out" 2>&1; then
	cat "$out"
elif grep -q -e 'fetching vulnerabilities' -e 'no such host' -e 'dial tcp' -e 'Forbidden' "$out"; then
	echo "govulncheck: its data cannot be had here, nothing was checked"
else
	cat "$out"
	exit 1
fi
