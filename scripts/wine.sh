#!/bin/sh
# Runs the Windows programs under Wine: hook, check, init and the audit log. It installs Wine
# from Debian's packages if need be. As `go test -exec` it runs one program: wine.sh run FILE ...
set -eu
wine=/usr/lib/wine/wine64
export WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
if [ "${1:-}" = run ]; then
	shift
	exec "$wine" "$@"
fi

cd "$(dirname "$0")/.."
if [ ! -x "$wine" ] || ! command -v x86_64-w64-mingw32-ld >/dev/null; then
	command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || {
		echo "install the packages wine64 and binutils-mingw-w64-x86-64" >&2
		exit 1
	}
	scripts/again.sh 900 apt-get update -q >/dev/null
	DEBIAN_FRONTEND=noninteractive scripts/again.sh 1800 apt-get install -qy --no-install-recommends wine64 binutils-mingw-w64-x86-64 >/dev/null
fi

work=$PWD/bin/wine
rm -rf "$work"
mkdir -p "$work/home"
export WINEPREFIX="$work/prefix"
trap '/usr/lib/wine/wineserver -k 2>/dev/null || :; rm -rf "$work"' EXIT # the server of this folder only
trap 'exit 1' INT TERM
HOME=$work/home timeout 300 "$wine" wineboot -i >/dev/null 2>&1

# Go asks bcryptprimitives.dll for random numbers, which Wine has from version 9 on. This one
# passes the call on to advapi32.dll.
system32=$WINEPREFIX/drive_c/windows/system32
if [ ! -e "$system32/bcryptprimitives.dll" ]; then
	printf 'LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng=advapi32.SystemFunction036\n' >"$work/prng.def"
	x86_64-w64-mingw32-dlltool -d "$work/prng.def" -e "$work/prng.o"
	x86_64-w64-mingw32-ld -shared --entry 0 "$work/prng.o" -o "$system32/bcryptprimitives.dll"
fi

programs=$WINEPREFIX/drive_c/umpire
mkdir -p "$programs"
export CGO_ENABLED=0 GOOS=windows GOARCH=amd64
${GO:-go} build -o "$programs/" ./cmd/umpire ./cmd/umpire-hook
UMPIRE_PROGRAMS='C:\umpire' ${GO:-go} test -vet=off -count=1 -timeout 20m -exec "$PWD/scripts/wine.sh run" -run "${RUN:-TestWindows}" -v ./cmd/umpire-hook
