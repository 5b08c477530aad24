#!/bin/sh
# Builds the documentation below dist/site, and fails on a link to nothing. VERSION names the
# folder of a version; the newest is in docs/.
set -eu
cd "$(dirname "$0")/.."
version=${VERSION:-docs}
case $version in *[!A-Za-z0-9.-]* | .*)
	echo "VERSION must be a name such as v1.2" >&2
	exit 64
	;;
esac
if ! cmp -s site/package-lock.json site/node_modules/.locked; then
	(cd site && ../scripts/again.sh 600 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null)
	cp site/package-lock.json site/node_modules/.locked
fi
cd site
OUT="$PWD/../dist/site/$version" BASE="/umpire/$version/" VERSION="$version" node node_modules/.bin/vitepress build
