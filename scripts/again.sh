#!/bin/sh
# Runs a command that needs the network, up to four times: again.sh SECONDS COMMAND...
# Each try may take that long.
set -u
limit=$1
shift
command -v timeout >/dev/null || timeout() { shift 4; "$@"; } # not on every system
for pause in 5 15 45 0; do
	timeout --foreground -k 10 "$limit" "$@" && exit 0
	status=$?
	[ "$pause" = 0 ] && exit "$status"
	echo "$1 ended with status $status: once more in $pause s" >&2
	sleep "$pause"
done
