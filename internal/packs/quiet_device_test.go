package packs_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

// Work in a clone of this command line, or in a temporary folder, may be thrown away. The
// adversary names another repository by an option, a variable, or a folder that is no clone.
func TestGitInNewClone(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"git clone -q https://github.com/acme/lib && cd lib && git reset --hard v1.0 && git clean -fdx", "git clone https://github.com/acme/lib w && git -C w checkout -f && git -C w branch -D old",
			"cd /tmp && rm -rf lib && git clone -q https://github.com/acme/lib && cd lib && git reset --hard v1 && git checkout .", "cd /tmp/lib && git reset --hard && git clean -fdx", "git -C /tmp/lib restore .",
			"d=$(mktemp -d) && cd \"$d\" && git init -q && git commit --allow-empty -qm x && git reset --hard",
		}},
		{umpire.Ask, []string{
			"git clone https://github.com/acme/lib; cd lib && git reset --hard", "git clone https://github.com/acme/lib && cd docs && git reset --hard", "mkdir lab && cd lab && git reset --hard", "git worktree add ../w && cd ../w && git branch -D old",
			"cd /tmp/lib && git branch -D old", "cd /tmp/lib && git --work-tree=/home/dev/proj reset --hard", "export GIT_DIR=/home/dev/proj/.git; cd /tmp/lib && git reset --hard", "git -C /tmp -C ../home/dev/proj reset --hard",
			"git clone https://github.com/acme/lib && cd lib && cd .. && git reset --hard",
		}},
		{umpire.Deny, []string{"git clone https://github.com/acme/lib && cd lib && git push -f origin main", "cd /tmp/lib && git stash clear"}},
	})
}
