#!/bin/sh
# Measures the hook as a process, and what it does inside.
set -eu
cd "$(dirname "$0")/.."
corpus=../shared/corpora/commands-dev.jsonl
[ -f "$corpus" ] || corpus=
go run ./internal/bench -bin bin ${corpus:+-corpus "$corpus"}
go test -run '^$' -bench . -benchmem ./policy ./internal/snapshot ./internal/operation/... ./internal/audit ./internal/redact
