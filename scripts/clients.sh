#!/bin/bash
# Sees to it that the programs are on this machine that tests send through the proxy: curl,
# git, Python and pip (scripts/node.sh has npm). Debian's packages are installed if they are
# not there.
set -euo pipefail

found() { command -v curl >/dev/null && command -v git >/dev/null && python3 -m pip --version >/dev/null 2>&1; }

if ! found; then
	if ! command -v apt-get >/dev/null; then
		echo "the tests need curl, git and Python 3 with pip: install them" >&2
		exit 1
	fi
	sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo=sudo
	fi
	echo "installing curl, git and python3-pip, which tests send through the proxy"
	export DEBIAN_FRONTEND=noninteractive
	$sudo apt-get update -q >/dev/null
	$sudo apt-get install -q -y --no-install-recommends ca-certificates curl git python3 python3-pip >/dev/null
	found
fi
