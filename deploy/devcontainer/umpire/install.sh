#!/bin/sh
# Runs as root while the container's image is built. The options come as variables.
set -eu
command -v npm >/dev/null || { echo "umpire: this feature needs Node: add the feature node before it" >&2; exit 1; }
case ${VERSION:=latest} in *[!A-Za-z0-9.+-]*) echo "umpire: no version: $VERSION" >&2; exit 1 ;; esac
prefix=/usr/local
npm install --global --prefix "$prefix" --no-audit --no-fund --ignore-scripts "@umpire-dev/umpire@$VERSION"
set -f
for agent in ${AGENTS:-claude}; do
	"$prefix/bin/umpire" init --managed --yes "$agent"
done
