#!/bin/sh
# Starts an agent's container: mirrors the project into the workspace, makes it a repository
# whose origin is the gateway, and ends the agent when the gateway does not answer.
set -eu

api=${SANDBOX_API:?the address of the gateway\'s side for agents}
project=${HOST_PROJECT:-/project}
workspace=${WORKSPACE:-/workspace}
every=${WATCH_SECONDS:-10}
case $workspace in
/ | "$project" | "$project"/*) echo "umpire: $workspace cannot be the workspace: it would be emptied" >&2; exit 64 ;;
esac
token=$(cat "${TOKEN_FILE:?the file with the agent\'s token}")
if [ -z "$token" ]; then
	echo "umpire: $TOKEN_FILE has no token: make one with \`umpire token add --agent NAME\`" >&2
	exit 64
fi

# An exact mirror: nothing of another run is left.
find "$workspace" -mindepth 1 -maxdepth 1 -exec rm -rf {} +
cp -a "$project/." "$workspace/"
cd "$workspace"
if [ ! -e .git ]; then
	git init -q -b main
	git add -A
	git -c user.name=umpire -c user.email=umpire@localhost commit -q --allow-empty -m "the project as it was"
fi
# The token is git's password, and not in a file that the agent would commit.
git remote remove origin 2>/dev/null || :
git remote add origin "$api/git/project.git"
git config --local credential.helper '!f() { echo username=agent; echo "password=$UMPIRE_TOKEN"; }; f'

proxy="http://agent:$token@${PROXY:?host and port of the proxy}"
export UMPIRE_TOKEN="$token" SANDBOX_API="$api" NODE_USE_ENV_PROXY=1
export HTTP_PROXY="$proxy" HTTPS_PROXY="$proxy" http_proxy="$proxy" https_proxy="$proxy" ALL_PROXY="$proxy"
host=${api#*://}
export NO_PROXY="${host%%:*},127.0.0.1,localhost" no_proxy="${host%%:*},127.0.0.1,localhost"

alive() {
	status=$(curl -fsS --noproxy '*' -m 5 "$api/api/status") || return 1
	case $status in
	*'"remainingMs":0'[,}]*) return 1 ;;
	esac
}

if ! alive; then
	echo "umpire: the gateway does not answer at $api, or its time is over" >&2
	exit 69
fi
me=$$
(
	while sleep "$every" && kill -0 "$me" 2>/dev/null; do
		if ! alive; then
			echo "umpire: the gateway is gone: the agent ends" >&2
			kill -TERM "$me" 2>/dev/null
			sleep 5
			kill -KILL "$me" 2>/dev/null
			exit
		fi
	done
) &
exec "$@"
