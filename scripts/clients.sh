#!/bin/bash
# Sees to it that the programs are on this machine that tests send through the proxy: curl,
# git, Python and pip (scripts/node.sh has npm). Debian's packages are installed if they are
# not there.
set -euo pipefail

found() { command -v curl >/dev/null && command -v git >/dev/null && python3 -m pip --version >/dev/null 2>&1; }

found && exit 0
"$(dirname "$0")/debian.sh" "curl, git and Python 3 with pip, which they send through the proxy" ca-certificates curl git python3 python3-pip
found
