#!/usr/bin/env bash
# Reviews for the action: annotations in the log, SARIF in a file. The job's token needs
# no more than to read contents and pull requests. Nothing is checked out.
set -uo pipefail

umpire=${INPUT_UMPIRE:-umpire}
sarif=${INPUT_SARIF:-umpire-review.sarif}
target=${INPUT_TARGET:-}
if [ -z "$target" ]; then
  if [ -z "${PULL_REQUEST:-}" ]; then
    echo "umpire review: give a target: this is no event of a pull request" >&2
    exit 2
  fi
  target="${GITHUB_REPOSITORY:?}#$PULL_REQUEST"
fi
args=(--engine "${INPUT_ENGINE:-none}" --fail-on "${INPUT_FAIL_ON:-high}")
if [ -n "${INPUT_BASELINE:-}" ]; then
  args+=(--baseline "$INPUT_BASELINE")
fi

"$umpire" review "${args[@]}" --format sarif --output "$sarif" -- "$target"
status=$?
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'status=%s\nsarif=%s\n' "$status" "${sarif//$'\n'/}" >> "$GITHUB_OUTPUT"
fi
# The annotations are made of the same findings, without a model being asked again.
if [ -s "$sarif" ] && [ "${INPUT_ENGINE:-none}" != none ]; then
  "$umpire" review --engine none --merge "$sarif" --fail-on never --format github -- "$target" || true
else
  "$umpire" review "${args[@]}" --format github -- "$target" || true
fi
exit "$status"
