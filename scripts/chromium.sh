#!/bin/bash
# Sees to it that Chromium is on this machine: tests look at the web pages in it. Debian's
# package is installed if it is not.
set -euo pipefail

found() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

found >/dev/null && exit 0
"$(dirname "$0")/debian.sh" "Chromium, which they look at pages with" chromium
found >/dev/null
