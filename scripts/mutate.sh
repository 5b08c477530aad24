#!/bin/sh
# Plants faults in what this branch changed, and shows those that no test notices. A mutant may
# remove any file or signal any process, so it runs in namespaces of its own, in which only a
# temporary folder and Go's build cache can be written.
set -eu
cd "$(dirname "$0")/.."
GO=${GO:-go}
GOCACHE=$($GO env GOCACHE)
GOMODCACHE=$($GO env GOMODCACHE)
WORK=$(mktemp -d /var/tmp/mutate.XXXXXX)
trap 'rm -rf "$WORK"' EXIT
mkdir "$WORK/tmp" "$WORK/home"
$GO build -o "$WORK/mutate" ./internal/tools/mutate
export GOCACHE GOMODCACHE WORK
unshare --user --map-root-user --mount --pid --fork --mount-proc sh -euc '
	mount --bind "$GOCACHE" "$GOCACHE"
	mount --bind "$WORK/tmp" /tmp
	mount -o remount,ro,bind /
	umask 022
	HOME=$WORK/home exec nice "$WORK/mutate" "$@"
' sh "$@"
