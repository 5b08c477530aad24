#!/bin/sh
# Checks the form and the English of the tree, then runs golangci-lint with .golangci.yml. It
# installs golangci-lint below bin/ if need be.
set -eu
cd "$(dirname "$0")/.."
version=v2.5.0
tool=bin/golangci-lint-$version
if [ ! -x "$tool" ]; then
	mkdir -p bin
	GOBIN="$PWD/bin" scripts/again.sh 1200 go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$version"
	mv bin/golangci-lint "$tool"
fi
files=$(git ls-files '*.go') # apart, so that its failure is one of this script
unformatted=$(gofmt -l $files)
if [ -n "$unformatted" ]; then
	echo "gofmt these files:" "$unformatted" >&2
	exit 1
fi
${GO:-go} run ./internal/tools/prose
"$tool" run --allow-parallel-runners ./... # of another checkout
