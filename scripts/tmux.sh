#!/bin/bash
# Sees to it that tmux is on this machine: tests type into the agent's screen, and look at
# it, in a terminal of tmux's. Debian's package is installed if it is not.
set -euo pipefail

command -v tmux >/dev/null && exit 0
"$(dirname "$0")/debian.sh" "tmux, which they look at the agent's screen in" tmux
command -v tmux >/dev/null
