#!/bin/sh
# Runs every fuzz target of the module for $FUZZTIME (default 10s) each, but for those in
# folders that match $FUZZSKIP.
set -eu
cd "$(dirname "$0")/.."
grep -rl --include='*_test.go' '^func Fuzz' . | grep -Ev "${FUZZSKIP:-^$}" | sort | while read -r file; do
	pkg=$(dirname "$file")
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file" | while read -r target; do
		echo "fuzz $pkg $target"
		go test -run='^$' -fuzz="^$target\$" -fuzztime="${FUZZTIME:-10s}" -fuzzminimizetime=10x "$pkg"
	done
done
