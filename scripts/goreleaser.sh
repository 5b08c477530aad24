#!/bin/sh
# Runs goreleaser, installing it below bin/ if need be.
set -eu
cd "$(dirname "$0")/.."
version=v2.16.0
tool=$PWD/bin/goreleaser-$version
if [ ! -x "$tool" ]; then
	mkdir -p bin
	CGO_ENABLED=0 GOBIN="$PWD/bin" scripts/again.sh 1800 go install "github.com/goreleaser/goreleaser/v2@$version"
	mv bin/goreleaser "$tool"
fi
if [ -z "$(git remote)" ]; then # goreleaser takes a checkout without one for no checkout at all
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/umpire-dev/umpire
fi
exec "$tool" "$@"
