package command_test

import "testing"

func TestGitLosesWork(t *testing.T) {
	for text, want := range map[string]string{
		"git reset --hard":                         "git(reset --hard) uncommitted",
		"git -C /x --no-pager reset --har HEAD~2":  "git(reset --har HEAD~2) uncommitted",
		"git -c alias.x='reset --hard' x":          "git(reset --hard) uncommitted",
		"git clean -xdf":                           "git(clean -xdf) force",
		"git checkout -- .":                        "git(checkout -- .) uncommitted,whole-tree",
		"git restore .":                            "git(restore .) uncommitted,whole-tree",
		"git switch -f main":                       "git(switch -f main) uncommitted",
		"git stash clear":                          "git(stash clear) irreversible",
		"git push -f origin main":                  "git(push -f origin main) force,protected-branch",
		"git push origin +main":                    "git(push origin +main) force,protected-branch",
		"git push origin +HEAD:refs/heads/main":    "git(push origin +HEAD:refs/heads/main) force,protected-branch",
		"git push --mirror origin":                 "git(push --mirror origin) bulk",
		"git push origin :main":                    "git(push origin :main) destroy,protected-branch",
		"git push --force-w=dev origin +main":      "git(push --force-w=dev origin +main) force,protected-branch",
		"git push -d origin main":                  "git(push -d origin main) destroy,protected-branch",
		"git submodule foreach 'rm -rf ~/x'":       "delete(/home/dev/x) recursive",
		"git bisect run rm -rf /home/dev/x":        "delete(/home/dev/x) recursive",
		"git rebase -x 'rm -rf ~/x' main":          "delete(/home/dev/x) recursive",
		"git -c alias.x='!rm -rf ~/x' x":           "delete(/home/dev/x) recursive",
		"git -c core.pager='rm -rf ~/x' log":       "delete(/home/dev/x) recursive",
		"git -c core.sshCommand='rm -r ~/x' fetch": "delete(/home/dev/x) recursive",
		"git difftool -x 'rm -rf ~/x'":             "delete(/home/dev/x) recursive",
		"git clone 'ext::rm -rf /home/dev/x'":      "delete(/home/dev/x) recursive",
		"gh api -X DELETE repos/o/r":               "infra(gh api DELETE repos/o/r) destroy",
		"gh repo delete o/r --yes":                 "infra(gh delete repo o/r) destroy",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
}

func TestGitOnlyLooks(t *testing.T) {
	for _, text := range []string{
		"git status", "git log --grep 'reset --hard'", "git diff --stat", "git clean -nxd", "git reset --help",
		"git push --dry-run -f origin main", "git config --get core.pager", "gh pr view 3", "gh api repos/o/r",
	} {
		t.Run(text, func(t *testing.T) { wantQuiet(t, text) })
	}
}
