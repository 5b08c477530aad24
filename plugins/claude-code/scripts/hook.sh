#!/bin/sh
# Hands the call to umpire-hook. Without it nothing decides, and the call is stopped.
if command -v umpire-hook >/dev/null 2>&1; then
	exec umpire-hook claude
fi
echo "umpire is not installed, and its plugin stops every call: ask the user to install umpire (https://github.com/umpire-dev/umpire/blob/main/docs/install.md), or to disable the plugin" >&2
exit 2
