#!/bin/bash
# Installs the newest release of each coding agent that npm has, in a temporary folder, and tests
# it with `umpire doctor --live`: CLIENTS="claude codex" for some of them. It fails if one does not
# pass, and says which release is newer than the one that docs/clients.md observed.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022
scripts/node.sh
declare -A package=(
	[claude]=@anthropic-ai/claude-code [cline]=cline [codex]=@openai/codex [copilot]=@github/copilot
	[gemini]=@google/gemini-cli [opencode]=opencode-ai [pi]=@mariozechner/pi-coding-agent [qwen]=@qwen-code/qwen-code
)
mkdir -p "${HOME:?}/.cache" # not among temporary files: umpire is not installed there
work=$(mktemp -d "$HOME/.cache/umpire-newest.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

read -ra names <<<"${CLIENTS:-$(printf '%s\n' "${!package[@]}" | sort | xargs)}"
failed=()
for name in "${names[@]}"; do
	[ -n "${package[$name]:-}" ] || { echo "npm has no agent $name: name some of ${!package[*]}" >&2; exit 2; }
	mkdir "$work/$name"
	# The agents' own install scripts fetch their programs.
	scripts/again.sh 600 npm install --prefix "$work/$name" --no-audit --no-fund --loglevel=error "${package[$name]}@latest" >/dev/null
	version=$(node -p 'require(process.argv[1]).version' "$work/$name/node_modules/${package[$name]}/package.json")
	grep -q "^| \`$name\` .*observed, ${version//./\\.} " docs/clients.md || echo "$name $version is not the release that docs/clients.md observed"
	bin/umpire doctor --live "$name" --bin "$name=$work/$name/node_modules/.bin/$name" || failed+=("$name $version")
done
if [ ${#failed[@]} -gt 0 ]; then
	printf 'newest: did not pass: %s\n' "${failed[@]}" >&2
	exit 1
fi
