#!/usr/bin/env bash
# Provides the umpire program for the action. By default it builds the source that the
# runner fetched with the action: the commit that the workflow pins, with modules that go.sum
# pins.
set -euo pipefail

program=${INPUT_UMPIRE:-}
if [ -z "$program" ]; then
  program=${RUNNER_TEMP:?}/umpire-review/umpire
  cd "${GITHUB_ACTION_PATH:?}/../.."
  CGO_ENABLED=0 GOFLAGS="-mod=readonly -trimpath -buildvcs=false" go build -o "$program" ./cmd/umpire
elif ! command -v "$program" > /dev/null; then
  echo "umpire review: there is no program $program" >&2
  exit 2
else
  program=$(command -v "$program")
fi
if [ -n "${INPUT_UMPIRE_SHA256:-}" ]; then
  read -r sum _ < <(if command -v sha256sum > /dev/null; then sha256sum -- "$program"; else shasum -a 256 -- "$program"; fi)
  if [ "$sum" != "$INPUT_UMPIRE_SHA256" ]; then
    echo "umpire review: $program has the SHA-256 $sum, not $INPUT_UMPIRE_SHA256" >&2
    exit 2
  fi
fi
printf 'program=%s\n' "${program//$'\n'/}" >> "${GITHUB_OUTPUT:?}"
