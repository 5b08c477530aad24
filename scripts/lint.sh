#!/bin/sh
# Runs golangci-lint with .golangci.yml, installing it below bin/ if need be.
set -eu
cd "$(dirname "$0")/.."
version=v2.5.0
tool=bin/golangci-lint-$version
if [ ! -x "$tool" ]; then
	mkdir -p bin
	GOBIN="$PWD/bin" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$version"
	mv bin/golangci-lint "$tool"
fi
unformatted=$(gofmt -l $(git ls-files '*.go'))
if [ -n "$unformatted" ]; then
	echo "gofmt these files:" "$unformatted" >&2
	exit 1
fi
"$tool" run ./...
