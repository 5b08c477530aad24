#!/bin/bash
# Sees to it that Chromium is on this machine: tests look at the web pages in it. Debian's
# package is installed if it is not.
set -euo pipefail

found() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

found >/dev/null && exit 0
if ! command -v apt-get >/dev/null; then
	echo "the tests need a Chromium: install one" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	sudo=sudo
fi
echo "installing chromium, which the tests look at pages with"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q >/dev/null
$sudo apt-get install -q -y --no-install-recommends chromium >/dev/null
found >/dev/null
