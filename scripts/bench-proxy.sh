#!/bin/sh
# Measures the proxy against no proxy, squid and tinyproxy, in one run. Debian's packages of
# these are installed if they are not there.
set -eu
cd "$(dirname "$0")/.."
if { ! [ -x /usr/sbin/squid ] || ! command -v tinyproxy >/dev/null; } && command -v apt-get >/dev/null; then
	scripts/debian.sh "squid and tinyproxy, which the proxy is measured against" squid tinyproxy
fi
mkdir -p bin
CGO_ENABLED=0 go build -o bin/ ./cmd/umpire
go run ./internal/egress/bench "$@"
