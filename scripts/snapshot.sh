#!/bin/sh
# Builds every package of a release below dist/, unsigned. ONLY=linux/amd64 builds those of one
# platform, and no formula or manifest, which name them all.
set -eu
cd "$(dirname "$0")/.."
if [ -n "${ONLY:-}" ]; then
	mkdir -p bin
	sed -e "s/^    goos: .*/    goos: [${ONLY%/*}]/" -e "s/^    goarch: .*/    goarch: [${ONLY#*/}]/" .goreleaser.yaml >bin/goreleaser.yaml
	scripts/goreleaser.sh release --config bin/goreleaser.yaml --snapshot --clean --skip=sign,homebrew,scoop
else
	scripts/goreleaser.sh release --snapshot --clean --skip=sign
fi
node npm/pack.mjs
case ${ONLY:-linux} in linux*) go run ./internal/release image dist dist/image ;; esac
