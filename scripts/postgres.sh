#!/bin/bash
# Sees to it that PostgreSQL's programs are on this machine: tests start a server of their
# own from them. Debian's package is installed if they are not.
set -euo pipefail

found() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null; }

found && exit 0
# No server of the machine's own is wanted: only the programs.
if command -v apt-get >/dev/null && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	$sudo mkdir -p /etc/postgresql-common
	echo 'create_main_cluster = false' | $sudo tee /etc/postgresql-common/createcluster.conf >/dev/null
fi
"$(dirname "$0")/debian.sh" "PostgreSQL's programs (initdb, postgres), which they start a server from" postgresql
found
