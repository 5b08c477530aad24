# umpire: `make run` judges a recorded day of a coding agent, `make test` passes the tests.

export CGO_ENABLED := 0
GO     ?= go
SHARED ?= ../shared
# What a shipped binary is built with: no paths of this machine, no symbol tables. The readers run
# once for each call, so that inlined code there is bytes to load and no time saved.
BUILD  := $(GO) build -trimpath -ldflags='-s -w' -gcflags='github.com/umpire-dev/umpire/internal/operation/...=-l'
FUZZTIME ?= 10s
CHAOS    ?= 5m
BASE     ?= main
MUTANTS  ?= 20
CLIENTS  ?= claude codex pi

.PHONY: help run build test race chaos lint vuln fuzz mutate score bench cross generate packs journeys windows site clients boxed reviewed clean release release-snapshot reproducible installed licences compare plugin newest

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build both programs and judge a recorded day of a coding agent
	@bin/umpire replay examples/day.jsonl

build: ## build bin/umpire and bin/umpire-hook
	@mkdir -p bin
	$(BUILD) -o bin/ ./cmd/umpire ./cmd/umpire-hook

test: ## run all tests (installs PostgreSQL's programs, Chromium, Node and tmux once)
	@scripts/postgres.sh
	@scripts/chromium.sh
	@scripts/node.sh
	@scripts/clients.sh
	@scripts/tmux.sh
	@scripts/again.sh 1200 $(GO) list -deps -test ./... >/dev/null # what is not here is fetched
	@scripts/types.sh
	$(GO) vet ./...
	umask 022 && $(GO) test -vet=off -ldflags='-s -w' -timeout 30m ./...
	umask 022 && node --test sdk/typescript/test/*.test.js

race: ## run the tests under the race detector (needs a C compiler)
	umask 022 && CGO_ENABLED=1 $(GO) test -timeout 30m -race ./...

journeys: ## walk through a day of each kind of user, step by step
	umask 022 && $(GO) test -count=1 -v ./journeys

chaos: ## kill gateways and their database while agents ask, for CHAOS
	@scripts/postgres.sh
	CHAOS=$(CHAOS) $(GO) test -count=1 -v -timeout 0 ./internal/chaos

lint: ## run the linters (installs them below bin/ once)
	@scripts/lint.sh

vuln: ## look for known vulnerabilities in what the programs link
	@scripts/vuln.sh

fuzz: ## run every fuzz target for FUZZTIME
	@FUZZTIME=$(FUZZTIME) scripts/fuzz.sh

generate: ## compile the built-in packs and descriptions of programs into what the programs link
	$(GO) generate ./internal/operation/command ./internal/packs

packs: generate

mutate: ## plant faults in what changed since BASE, and show those that no test notices
	@scripts/mutate.sh -base $(BASE) -n $(MUTANTS)

score: ## measure the rules and the guard on the corpora in SHARED
	$(GO) run ./internal/score -corpora $(SHARED)/corpora
	for w in inject toolout pii leak drift classify hard; do $(GO) run ./internal/guardscore -what $$w -corpora $(SHARED)/corpora || exit 1; done

bench: build ## measure the hook as a process, the decision in-process, and the proxy
	@scripts/bench.sh
	@scripts/bench-proxy.sh

cross: ## vet all code and tests for each system, and build for the other platforms
	@for s in linux darwin windows; do \
		echo "vet $$s"; export GOOS=$$s GOARCH=amd64; scripts/again.sh 600 $(GO) list -deps -test ./... >/dev/null && \
		$(GO) vet ./... || exit 1; done
	@for p in darwin/arm64 windows/amd64; do \
		echo "build $$p"; export GOOS=$${p%/*} GOARCH=$${p#*/}; \
		$(GO) build -o /dev/null ./cmd/umpire && $(GO) build -o /dev/null ./cmd/umpire-hook || exit 1; done

windows: ## run the Windows programs under Wine (installs Debian's package once)
	@scripts/wine.sh

site: ## build the documentation below dist/site and check its links (needs Node)
	@scripts/site.sh

clients: build ## drive real coding agents against the hook: CLIENTS, or all (needs Node and SHARED)
	@for c in $(CLIENTS); do $(SHARED)/realclients/run $$c "$(CURDIR)/bin/umpire-hook" '{client}' || exit 1; done

boxed: build ## run real coding agents in umpire's box: CLIENTS (needs Linux, Node and SHARED)
	@SHARED=$(SHARED) scripts/boxed.sh $(CLIENTS)

reviewed: ## have real coding agents review hostile code (needs Node and SHARED)
	@SHARED=$(SHARED) scripts/reviewed.sh

release-snapshot: ## build every package of a release below dist/, unsigned (installs goreleaser below bin/ once)
	@scripts/snapshot.sh

release: ## make the draft of the release that the commit's tag names (CI does; docs/releasing.md)
	@scripts/goreleaser.sh release --clean
	@node npm/pack.mjs
	$(GO) run ./internal/release image dist dist/image

reproducible: ## build a release's programs twice, in two folders, and compare the bytes
	@scripts/reproducible.sh

installed: ## install, use and remove the snapshot in fresh roots: deb, rpm, apk, tar.gz, npm and the image (needs root)
	@scripts/installed.sh

licences: ## write THIRD_PARTY.md anew
	$(GO) run ./internal/release licences THIRD_PARTY.md

compare: build ## put the calls of docs/comparison.md to umpire and to a peer (needs Node)
	@node scripts/compare.mjs

plugin: build ## run the real Claude Code and Gemini CLI with the plugins (needs Node and SHARED)
	@SHARED=$(SHARED) node scripts/plugin.mjs

newest: build ## test the newest release of each coding agent on npm: CLIENTS, or all (needs Node)
	@CLIENTS="$(if $(filter file,$(origin CLIENTS)),,$(CLIENTS))" scripts/newest.sh

clean: ## remove what was built
	rm -rf bin dist
