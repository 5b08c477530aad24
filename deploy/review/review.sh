#!/usr/bin/env bash
# Runs the review for the action: annotations in the log, SARIF in a file, a summary of the
# job and, if asked for, one comment. It checks nothing out.
set -uo pipefail

target=${INPUT_TARGET:-}
pull=${PULL_REQUEST:-}
if [ -n "$pull" ]; then
  pull="${GITHUB_REPOSITORY:?}#$pull"
fi
if [ -z "${target:=$pull}" ]; then
  echo "umpire review: set the input target: the event has no pull request" >&2
  exit 2
fi
sarif=${INPUT_SARIF:-umpire-review.sarif}
summary=$(mktemp "${RUNNER_TEMP:-/tmp}/umpire-review.XXXXXX") || exit 2
trap 'rm -f "$summary"' EXIT

args=(--engine "${INPUT_ENGINE:-none}" --fail-on "${INPUT_FAIL_ON:-high}" --format github --also "sarif=$sarif" --also "markdown=$summary")
[ -z "${INPUT_PROVIDER:-}" ] || args+=(--provider "$INPUT_PROVIDER")
[ -z "${INPUT_BASE_URL:-}" ] || args+=(--base-url "$INPUT_BASE_URL")
[ -z "${INPUT_MODEL:-}" ] || args+=(--model "$INPUT_MODEL")
[ -z "${INPUT_API_KEY:-}" ] || args+=(--api-key-env INPUT_API_KEY) # its name: arguments can be seen
[ -z "${INPUT_BASELINE:-}" ] || args+=(--baseline "$INPUT_BASELINE")
if [ "${INPUT_COMMENT:-false}" = true ]; then
  if [ -z "$pull" ]; then
    echo "umpire review: comment needs an event of a pull request" >&2
    exit 2
  fi
  args+=(--comment "$pull")
fi

rm -f -- "$sarif" # one of before would be taken for this review's
"${UMPIRE:-umpire}" review "${args[@]}" -- "$target"
status=$?
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'status=%s\n' "$status" >> "$GITHUB_OUTPUT"
  [ ! -s "$sarif" ] || printf 'sarif=%s\n' "${sarif//$'\n'/}" >> "$GITHUB_OUTPUT"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "$summary" ]; then
  cat "$summary" >> "$GITHUB_STEP_SUMMARY"
fi
exit "$status"
