#!/bin/bash
# Sees to it that PostgreSQL's programs are on this machine: tests start a server of their
# own from them. Debian's package is installed if they are not.
set -euo pipefail

found() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null; }

found && exit 0
if ! command -v apt-get >/dev/null; then
	echo "the tests need PostgreSQL's programs (initdb, postgres): install them" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	sudo=sudo
fi
echo "installing postgresql, which the tests start a server from"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q >/dev/null
# No server of the machine's own is wanted: only the programs.
$sudo mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' | $sudo tee /etc/postgresql-common/createcluster.conf >/dev/null
$sudo apt-get install -q -y --no-install-recommends postgresql >/dev/null
found
