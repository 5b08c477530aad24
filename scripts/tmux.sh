#!/bin/bash
# Sees to it that tmux is on this machine: tests type into the agent's screen, and look at
# it, in a terminal of tmux's. Debian's package is installed if it is not.
set -euo pipefail

command -v tmux >/dev/null && exit 0
if ! command -v apt-get >/dev/null; then
	echo "the tests need tmux: install it" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	sudo=sudo
fi
echo "installing tmux, which tests look at the agent's screen in"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q >/dev/null
$sudo apt-get install -q -y --no-install-recommends tmux >/dev/null
command -v tmux >/dev/null
