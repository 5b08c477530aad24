#!/bin/sh
# Builds the programs of a release twice, from two clones in folders of different names and with
# no build cache in common, and compares them byte by byte. TARGET names the platform.
set -eu
cd "$(dirname "$0")/.."
target=${TARGET:-linux_amd64}
root=$PWD
commit=$(git rev-parse HEAD)
scripts/goreleaser.sh --version >/dev/null # is installed
tool=$(ls "$root"/bin/goreleaser-v*)
work=$(mktemp -d "${TMPDIR:-/tmp}/umpire-reproducible.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

for folder in one a/longer/folder/two; do
	git clone -q "$root" "$work/$folder"
	git -C "$work/$folder" checkout -q "$commit"
	echo "build in $folder" >&2
	(
		cd "$work/$folder"
		mkdir -p bin
		ln -s "$tool" bin/
		GOOS=${target%%_*} GOARCH=${target#*_} GOCACHE="$work/cache-$(basename "$folder")" GOFLAGS='' \
			"$tool" build --snapshot --clean --single-target >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
	)
done

sums() { (cd "$work/$1/dist" && find . -type f \( -name 'umpire' -o -name 'umpire-hook' -o -name '*.exe' \) -exec sha256sum {} + && cd ../bin/release && find . -type f -exec sha256sum {} +) | sort -k2; }
sums one >"$work/one.sums"
sums a/longer/folder/two >"$work/two.sums"
[ "$(wc -l <"$work/one.sums")" -gt 2 ] || { echo "nothing was built" >&2; exit 1; }
if ! diff "$work/one.sums" "$work/two.sums"; then
	echo "the two builds differ" >&2
	exit 1
fi
grep -E ' \./(umpire|default)' "$work/one.sums" || head -3 "$work/one.sums"
echo "the two builds of $target are the same, $(wc -l <"$work/one.sums") files"
