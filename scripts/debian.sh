#!/bin/sh
# Installs packages of Debian's that the tests need: debian.sh NEED PACKAGE...
# NEED says to people what it is, and is all that is done on other systems.
set -eu
need=$1
shift
if ! command -v apt-get >/dev/null; then
	echo "the tests need $need: install it" >&2
	exit 1
fi
as=
[ "$(id -u)" = 0 ] || as=sudo
echo "installing $*: the tests need $need"
# The lists are fetched anew each time, for those of a machine's image name packages that
# are gone. Another may be installing: its lock is waited for.
exec "$(dirname "$0")/again.sh" 1200 $as env DEBIAN_FRONTEND=noninteractive sh -c '
	apt-get -q -o DPkg::Lock::Timeout=600 update >/dev/null &&
	dpkg --configure -a >/dev/null &&
	apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 install --no-install-recommends "$@" >/dev/null' sh "$@"
