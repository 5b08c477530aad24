#!/bin/sh
# Measures the hook as a process, what it does inside, and the way to a model.
set -eu
cd "$(dirname "$0")/.."
corpus=../shared/corpora/commands-dev.jsonl
[ -f "$corpus" ] || corpus=
go run ./internal/bench -bin bin ${corpus:+-corpus "$corpus"}
go test -run '^$' -bench . -benchmem ./policy ./internal/snapshot ./internal/operation/... ./internal/audit ./internal/redact
go test -run '^$' -bench SlowPath -benchtime 200x ./cmd/umpire
