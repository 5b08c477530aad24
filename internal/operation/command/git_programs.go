// Code generated from programs/git.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var gitModels = []Model{
	{Names: "git", Opts: "-C=D -c=_ --shallow-file=_ --git-dir=_ --work-tree=_ --exec-path?=_ --namespace=_ --super-prefix=_ --config-env=_ -p,--paginate -P,--no-pager --bare --list-cmds=_ --attr-source=_", Sub: gitCommands1, Do: doGit},
	{Names: "bfg", Do: doGitRewriteTool},
	{Names: "git-filter-repo", Opts: "--force+force --dry-run+inert", Do: doGitRewriteTool},
	{Names: "hg", Opts: "-R,--repository=_ --cwd=D --config=_ --encoding=_ --encodingmode=_ --color=_ --pager=_ --hidden -y,--noninteractive -q,--quiet -v,--verbose --debug --debugger --traceback --time --profile", Sub: gitCommands2, Do: doHg},
	{Names: "jj", Opts: "-R,--repository=_ --at-operation,--at-op=_ --color=_ --config=_ --config-file=_ --ignore-working-copy --ignore-immutable --quiet --no-pager --debug", Sub: gitCommands3, Do: doJj},
	{Names: "svn", Opts: "--username=_ --password=_ --config-dir=_ --config-option=_ --editor-cmd=P --diff-cmd=P --diff3-cmd=P --non-interactive --trust-server-cert --trust-server-cert-failures=_ --no-auth-cache --force-interactive --password-from-stdin", Sub: gitCommands4},
}

var gitCommands1 = []Model{
	{Names: "push", Opts: "-f,--force+force --force-with-lease? --force-if-includes --mirror --all --branches --tags --prune -d,--delete -n,--dry-run+inert -o,--push-option=_ --repo=_ --receive-pack,--exec=P --no-verify+skips-check --signed?=_ --recurse-submodules=_ -u,--set-upstream", Style: AnyOption, Do: doGitPush},
	{Names: "reset", Opts: "--hard --merge --keep --soft --mixed --pathspec-from-file=r -N -q,--quiet -p,--patch", Do: doGitReset},
	{Names: "clean", Opts: "-f,--force+force -d -x -X -n,--dry-run+inert -e,--exclude=_ -i,--interactive -q,--quiet", Do: doGitClean},
	{Names: "checkout", Opts: "-f,--force+force -b,-B,--orphan=_ -t,--track -l --ours --theirs -m,--merge -p,--patch --conflict=_ --pathspec-from-file=r --detach -d --guess --no-guess --recurse-submodules --no-recurse-submodules --no-merge --no-detach", Style: AnyOption, Do: doGitCheckout},
	{Names: "restore", Opts: "-s,--source=_ -S,--staged -W,--worktree -p,--patch --pathspec-from-file=r --ours --theirs -m,--merge --conflict=_", Do: doGitRestore},
	{Names: "switch", Opts: "-f,--force,--discard-changes+force -c,-C,--create,--force-create,--orphan=_ -t,--track -d,--detach -m,--merge --no-merge --conflict=_ --guess", Do: doGitSwitch},
	{Names: "stash", Opts: "-q,--quiet -m,--message=_ -u,-a --pathspec-from-file=r", Do: doGitStash},
	{Names: "branch", Opts: "-d,--delete -D -m,-M,--move -c,-C,--copy -f,--force+force -u,--set-upstream-to=_ --contains=_ --no-contains=_ --merged?=_ --sort=_ --format=_ -r,--remotes -a,--all -l,--list", Do: doGitBranch},
	{Names: "tag", Opts: "-d,--delete -f,--force+force -m,--message=_ -F,--file=r -u,--local-user=_ -l,--list -n?=_ --sort=_ --format=_ --contains=_ --points-at=_", Do: doGitTag},
	{Names: "reflog", Opts: "--expire=_ --expire-unreachable=_ --all -n,--dry-run+inert --updateref --rewrite", Do: doGitReflog},
	{Names: "gc", Opts: "--prune?=_ --aggressive --auto --force", Do: doGitGC},
	{Names: "prune", Opts: "--expire=_ -n,--dry-run+inert -v,--verbose", Do: doGitGC},
	{Names: "filter-branch", Opts: "--env-filter=P --tree-filter=P --index-filter=P --parent-filter=P --msg-filter=P --commit-filter=P --tag-name-filter=P --setup=P -d=_ -f,--force+force --original=_", Do: doGitRewrite},
	{Names: "filter-repo", Opts: "-f,--force+force -n,--dry-run+inert --path=_ --replace-text=r --analyze+inert", Do: doGitRewrite},
	{Names: "replace", Opts: "-d,--delete -l,--list -f,--force", Do: doGitRewrite},
	{Names: "update-ref", Opts: "-d,--delete -m=_ --stdin", Do: doGitUpdateRef},
	{Names: "symbolic-ref", Opts: "-d,--delete -m=_"},
	{Names: "worktree", Opts: "-f,--force+force -b,-B=_ -n,--dry-run+inert --reason=_ --expire=_", Do: doGitWorktree},
	{Names: "rm", Opts: "-r+recursive -f,--force+force -n,--dry-run+inert --cached -q --ignore-unmatch --pathspec-from-file=r", Do: doGitRm},
	{Names: "mv", Opts: "-f,--force -n,--dry-run+inert -k -v", Do: doMove},
	{Names: "read-tree", Opts: "--reset -u -m --prefix=_", Do: doGitReadTree},
	{Names: "checkout-index", Opts: "-a,--all -f,--force+force --prefix=_", Do: doGitReadTree},
	{Names: "submodule", Opts: "-q --init --recursive -b,--branch=_ -f,--force", Do: doGitSubmodule},
	{Names: "rebase", Opts: "-x,--exec=c -i,--interactive --onto=_ -s=_ -X=_ --root --autosquash -C=_", Do: doGitPlain},
	{Names: "bisect", Style: Strict, Do: doGitBisect},
	{Names: "difftool mergetool", Opts: "-x,--extcmd=P -t,--tool=_ -y", Do: doGitPlain},
	{Names: "commit", Opts: "-m,--message=_ -F,--file=r -C,-c,--reuse-message,--reedit-message,--fixup,--squash=_ --author=_ --date=_ -n,--no-verify+skips-check --no-gpg-sign -t,--template=r --dry-run -a,--all --amend -S,--gpg-sign?=_ --trailer=_ -u?=_ --cleanup=_", Do: doGitPlain},
	{Names: "merge", Opts: "-m=_ -F,--file=r -s=_ -X=_ --no-verify+skips-check --abort", Do: doGitPlain},
	{Names: "add stage", Opts: "-f,--force+force -A,--all -u -p -n,--dry-run+inert --pathspec-from-file=r --chmod=_", Do: doGitAdd},
	{Names: "config", Opts: "--global --system --local --worktree -f,--file=_ --blob=_ --get --get-all --get-regexp --list,-l --unset --unset-all --add --replace-all --type=_ --default=_ -e,--edit --show-origin --show-scope --name-only --remove-section --rename-section -z,--null --bool --int --path", Do: doGitConfig},
	{Names: "remote", Opts: "-v -t=_ -m=_ -f --tags --push --add --delete", Do: doGitRemote},
	{Names: "clone", Opts: "-b,--branch=_ -o,--origin=_ -u,--upload-pack=P --template=_ --depth=_ --reference=_ -c,--config=_ --separate-git-dir=_ -j,--jobs=_ --shallow-since=_ --filter=_ --recurse-submodules?=_ --server-option=_ --bundle-uri=u", Do: doGitFetch},
	{Names: "fetch pull", Opts: "--upload-pack=P -j,--jobs=_ --depth=_ -s,--strategy=_ -X=_ -o=_ --shallow-since=_ --refmap=_ --filter=_ -f,--force -p,--prune -n,--dry-run", Do: doGitFetch},
	{Names: "ls-remote", Opts: "--upload-pack,--exec=P -q --sort=_ -o=_", Do: doGitFetch},
	{Names: "archive", Opts: "-o,--output=w --format=_ --prefix=_ --remote=h --exec=P --add-file=r", Do: doGitPlain},
	{Names: "bundle", Do: doGitPlain},
	{Names: "format-patch", Opts: "-o,--output-directory=_ --stdout -n=_"},
	{Names: "apply am", Opts: "-p=_ -C=_ --directory=_ --check+inert --stat+inert --exclude=_ --include=_ -3,--3way -R --numstat+inert", Args: "r*", Do: doGitApply},
	{Names: "send-email", Opts: "--to=_ --cc=_ --bcc=_ --from=_ --subject=_ --smtp-server=h --dry-run+inert --smtp-pass?=_ --smtp-user=_ --sendmail-cmd=P", Do: doGitMail},
	{Names: "imap-send request-pull", Do: doGitMail},
	{Names: "cat-file archive-file", Opts: "--batch-command --batch?=_ --batch-check?=_", Do: doGitShow},
	{Names: "grep", Opts: "-O,--open-files-in-pager?=P -e=_ -f=r -A=_ -B=_ -C=_ -m=_ --max-depth=_ --threads=_", Do: doGitShow},
	{Names: "diff log show blame annotate whatchanged shortlog", Opts: "--contents=r -G=_ -S=_ -L=_ --output=w --ext-diff+runs-program --textconv -O=_ --format=_ --pretty?=_ --since=_ --until=_ --author=_ --grep=_ -n=_ -U=_ -e=_ -f=_ --open-files-in-pager?=P", Do: doGitShow},
	{Names: "rev-parse", Do: doGitRevParse},
	{Names: "credential", Do: doGitCredential},
	{Names: "credential-store credential-cache credential-osxkeychain credential-libsecret credential-manager", Do: doGitCredential},
	{Names: "init", Opts: "--template=_ --separate-git-dir=_ -b=_ --shared?=_ --object-format=_", Do: doGitPlain},
	{Names: "notes", Opts: "-m,--message=_ -F,--file=r -C,-c,--reuse-message,--reedit-message=_", Do: doGitNotes},
	{Names: "svn p4 cvsserver daemon http-backend instaweb shell upload-pack receive-pack", Do: doGitPlain},
	{Names: "lfs", Do: doGitLFS},
	{Names: "maintenance", Do: doGitMaintenance},
	{Names: "sparse-checkout cherry-pick revert", Do: doGitPlain},
	{Names: "ls-files", Opts: "-d,--deleted -o,--others -i,--ignored -m,--modified -u,--unmerged -k,--killed -x,--exclude=_ -X,--exclude-from=r -z -c,--cached -s,--stage", Do: doGitLsFiles},
	{Names: "for-each-repo", Opts: "--config=_", Do: doGitForEach},
}

var gitCommands2 = []Model{
	{Names: "push", Opts: "-f,--force+force", Do: doHgPush},
	{Names: "revert update up checkout co", Opts: "-C,--clean,-a,--all -r,--rev=_", Do: doHgRevert},
	{Names: "strip purge histedit rollback", Do: doHgStrip},
}

var gitCommands3 = []Model{
	{Names: "abandon", Do: doHgStrip},
	{Names: "git", Do: doJjGit},
	{Names: "restore", Do: doHgRevert},
}

var gitCommands4 = []Model{
	{Names: "delete del remove rm", Do: doSvn},
	{Names: "revert", Opts: "-R,--recursive+recursive", Do: doHgRevert},
	{Names: "cleanup", Opts: "--remove-unversioned --remove-ignored", Do: doSvn},
	{Names: "commit ci", Opts: "-m=_ -F=_", Do: doSvn},
}
