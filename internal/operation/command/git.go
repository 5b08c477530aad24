package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// gitModels are git and the other version control systems. Every sub-command becomes an
// operation git(SUB ARGS...) with traits that say what it does to work and history.
var gitModels = []Model{
	{Names: "git", Opts: "-C=D -c=_ --git-dir=_ --work-tree=_ --exec-path?=_ --namespace=_ --super-prefix=_ --config-env=_ -p,--paginate -P,--no-pager --bare --list-cmds=_ --attr-source=_", Sub: []Model{
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
		{Names: "update-ref", Opts: "-d,--delete -m=_ --stdin", Do: doGitUpdateRef}, {Names: "symbolic-ref", Opts: "-d,--delete -m=_"},
		{Names: "worktree", Opts: "-f,--force+force -b,-B=_ -n,--dry-run+inert --reason=_ --expire=_", Do: doGitWorktree},
		{Names: "rm", Opts: "-r+recursive -f,--force+force -n,--dry-run+inert --cached -q --ignore-unmatch --pathspec-from-file=r", Do: doGitRm},
		{Names: "mv", Opts: "-f,--force -n,--dry-run+inert -k -v", Do: doMove},
		{Names: "read-tree", Opts: "--reset -u -m --prefix=_", Do: doGitReadTree}, {Names: "checkout-index", Opts: "-a,--all -f,--force+force --prefix=_", Do: doGitReadTree},
		{Names: "submodule", Opts: "-q --init --recursive -b,--branch=_ -f,--force", Do: doGitSubmodule},
		{Names: "rebase", Opts: "-x,--exec=c -i,--interactive --onto=_ -s=_ -X=_ --root --autosquash -C=_", Do: doGitPlain},
		{Names: "bisect", Style: Strict, Do: doGitBisect}, {Names: "difftool mergetool", Opts: "-x,--extcmd=P -t,--tool=_ -y", Do: doGitPlain},
		{Names: "commit", Opts: "-m,--message=_ -F,--file=r -C,-c,--reuse-message,--reedit-message,--fixup,--squash=_ --author=_ --date=_ -n,--no-verify+skips-check --no-gpg-sign -t,--template=r --dry-run -a,--all --amend -S,--gpg-sign?=_ --trailer=_ -u?=_ --cleanup=_", Do: doGitPlain},
		{Names: "merge", Opts: "-m=_ -F=r -s=_ -X=_ --no-verify+skips-check --abort", Do: doGitPlain},
		{Names: "add stage", Opts: "-f,--force+force -A,--all -u -p -n,--dry-run+inert --pathspec-from-file=r --chmod=_", Do: doGitAdd},
		{Names: "config", Opts: "--global --system --local --worktree -f,--file=_ --blob=_ --get --get-all --get-regexp --list,-l --unset --unset-all --add --replace-all --type=_ --default=_ -e,--edit --show-origin --show-scope --name-only --remove-section --rename-section -z,--null --bool --int --path", Do: doGitConfig},
		{Names: "remote", Opts: "-v -t=_ -m=_ -f --tags --push --add --delete", Do: doGitRemote},
		{Names: "clone", Opts: "-b,--branch=_ -o,--origin=_ -u,--upload-pack=P --template=_ --depth=_ --reference=_ -c,--config=_ --separate-git-dir=_ -j,--jobs=_ --shallow-since=_ --filter=_ --recurse-submodules?=_ --server-option=_ --bundle-uri=u", Do: doGitFetch},
		{Names: "fetch pull", Opts: "--upload-pack=P -j,--jobs=_ --depth=_ -s,--strategy=_ -X=_ -o=_ --shallow-since=_ --refmap=_ --filter=_ -f,--force -p,--prune -n,--dry-run", Do: doGitFetch},
		{Names: "ls-remote", Opts: "--upload-pack,--exec=P -q --sort=_ -o=_", Do: doGitFetch},
		{Names: "archive", Opts: "-o,--output=w --format=_ --prefix=_ --remote=h --exec=P --add-file=r", Do: doGitPlain}, {Names: "bundle", Do: doGitPlain},
		{Names: "format-patch", Opts: "-o,--output-directory=_ --stdout -n=_"}, {Names: "apply am", Opts: "-p=_ -C=_ --directory=_ --check+inert --stat+inert --exclude=_ --include=_ -3,--3way -R --numstat+inert", Args: "r*", Do: doGitApply},
		{Names: "send-email", Opts: "--to=_ --cc=_ --bcc=_ --from=_ --subject=_ --smtp-server=h --dry-run+inert --smtp-pass?=_ --smtp-user=_ --sendmail-cmd=P", Do: doGitMail}, {Names: "imap-send request-pull", Do: doGitMail},
		{Names: "diff log show grep blame whatchanged shortlog", Opts: "-G=_ -S=_ -L=_ --output=w --ext-diff+runs-program --textconv -O=_ --format=_ --pretty?=_ --since=_ --until=_ --author=_ --grep=_ -n=_ -U=_ -e=_ -f=_ --open-files-in-pager?=P", Do: doGitShow},
		{Names: "credential", Do: doGitCredential}, {Names: "credential-store credential-cache credential-osxkeychain credential-libsecret credential-manager", Do: doGitCredential},
		{Names: "init", Opts: "--template=_ --separate-git-dir=_ -b=_ --shared?=_ --object-format=_", Do: doGitPlain}, {Names: "notes", Opts: "-m=_ -F=_", Do: doGitNotes},
		{Names: "svn p4 cvsserver daemon http-backend instaweb shell upload-pack receive-pack", Do: doGitPlain}, {Names: "lfs", Do: doGitLFS}, {Names: "maintenance", Do: doGitMaintenance}, {Names: "sparse-checkout cherry-pick revert", Do: doGitPlain},
		{Names: "for-each-repo", Opts: "--config=_", Do: doGitForEach},
	}, Do: doGit},
	{Names: "bfg", Do: doGitRewriteTool}, {Names: "git-filter-repo", Opts: "--force+force --dry-run+inert", Do: doGitRewriteTool},
	{Names: "hg", Sub: []Model{
		{Names: "push", Opts: "-f,--force+force", Do: doHgPush}, {Names: "revert update up checkout co", Opts: "-C,--clean,-a,--all -r,--rev=_", Do: doHgRevert}, {Names: "strip purge histedit rollback", Do: doHgStrip},
	}},
	{Names: "jj", Sub: []Model{{Names: "abandon", Do: doHgStrip}, {Names: "git", Do: doJjGit}, {Names: "restore", Do: doHgRevert}}},
	{Names: "svn", Sub: []Model{{Names: "delete del remove rm", Do: doSvn}, {Names: "revert", Opts: "-R,--recursive+recursive", Do: doHgRevert}, {Names: "cleanup", Opts: "--remove-unversioned --remove-ignored", Do: doSvn}, {Names: "commit ci", Opts: "-m=_ -F=_", Do: doSvn}}},
}

// gitArgs is what follows the sub-command.
func gitArgs(c *Call) []Word {
	subs := strings.Fields(c.Name)[1:]
	args := c.Args
	for i := 0; i < len(args) && len(subs) > 0; i++ {
		if args[i].Text == subs[0] {
			subs = subs[1:]
			if len(subs) == 0 {
				return args[i+1:]
			}
		}
	}
	return nil
}

// git emits what a sub-command does to the repository.
func git(c *Call, t umpire.Trait) {
	gitPrograms(c)
	c.Op(umpire.Git, Quote(strings.TrimPrefix(c.Name, "git "), gitArgs(c)), t)
}

// gitPrograms reads settings given with -c that name programs: whoever may set one may
// run anything.
func gitPrograms(c *Call) {
	for _, w := range c.All("-c") {
		key, value, ok := strings.Cut(w.Text, "=")
		if !ok {
			continue
		}
		runs, bad := gitSetting(key, value)
		if runs != "" {
			c.Shell(w.With(runs), Run{Traits: umpire.RunsProgram})
		}
		if bad != 0 {
			c.Op(umpire.Git, Quote("config", Lits(key, value)), bad)
		}
	}
}

// gitSetting tells the program that a setting makes git run, and what else is bad about it.
func gitSetting(key, value string) (runs string, t umpire.Trait) {
	k := strings.ToLower(key)
	section, _, _ := strings.Cut(k, ".")
	last := k[strings.LastIndexByte(k, '.')+1:]
	switch {
	case k == "core.pager" || k == "core.editor" || k == "sequence.editor" || k == "core.sshcommand" || k == "core.gitproxy" || k == "core.askpass" || k == "diff.external" || k == "gpg.program" || k == "gpg.ssh.program" ||
		k == "gpg.ssh.defaultkeycommand" || k == "sendemail.sendmailcmd" || k == "uploadpack.packobjectshook" || k == "core.alternaterefscommand" || k == "interactive.difffilter" || section == "pager" ||
		last == "textconv" || (section == "filter" && (last == "clean" || last == "smudge" || last == "process")) || (section == "merge" && last == "driver") || (section == "diff" && last == "command") ||
		((section == "difftool" || section == "mergetool" || section == "browser" || section == "man") && (last == "cmd" || last == "path")) || last == "uploadpack" || last == "receivepack" || last == "vcs" || section == "trailer" && (last == "command" || last == "cmd"):
		switch value {
		case "cat", "less", "more", "vim", "vi", "nano", "true", "false", ":", "", "delta", "code --wait", "less -R", "less -FRX", "ssh", "gpg", "gpg2", "never":
			return "", 0
		}
		return value, 0
	case k == "core.fsmonitor":
		if value != "true" && value != "false" && value != "" {
			return value, 0
		}
	case last == "helper" && section == "credential":
		if strings.HasPrefix(value, "!") {
			return value[1:], 0
		}
		if strings.ContainsAny(value, "/") {
			return value, 0
		}
	case k == "core.hookspath":
		if value == "/dev/null" {
			return "", umpire.SkipsCheck
		}
		return "", umpire.RunsProgram
	case k == "init.templatedir":
		return "", umpire.RunsProgram
	case k == "protocol.ext.allow" && value != "never":
		return "", umpire.RunsProgram
	case k == "http.sslverify" && (value == "false" || value == "0"):
		return "", umpire.SkipsCheck
	case section == "url" && (last == "insteadof" || last == "pushinsteadof"), k == "http.proxy":
		return "", umpire.UntrustedSource
	case section == "alias" && strings.HasPrefix(value, "!"):
		return "", 0
	}
	return "", 0
}

// doGit is for what is no sub-command that git has: an alias, given with -c.
func doGit(c *Call) {
	gitPrograms(c)
	if len(c.Operands) == 0 {
		return
	}
	name := c.Operands[0].Text
	if c.Has("--") && c.Model.sub(name) != nil { // git -- reset: refused, but not by every git
		c.Exec(append(Lits("git"), c.Operands...), Run{})
		return
	}
	for _, w := range c.All("-c") {
		key, value, ok := strings.Cut(w.Text, "=")
		if !ok || !strings.EqualFold(key, "alias."+name) {
			continue
		}
		rest := Quote("", c.Operands[1:])
		if sh, ok := strings.CutPrefix(value, "!"); ok {
			c.Shell(w.With(sh+rest), Run{Out: true})
		} else {
			c.Shell(w.With("git "+value+rest), Run{Out: true})
		}
		return
	}
}

func doGitPlain(c *Call) { git(c, 0) }

func protectedBranch(ref string) bool {
	ref = strings.TrimPrefix(ref, "refs/heads/")
	switch strings.ToLower(ref) {
	case "main", "master", "trunk", "develop", "development", "production", "prod", "staging", "stable", "release", "default", "gh-pages":
		return true
	}
	for _, p := range []string{"release/", "releases/", "release-", "hotfix/", "stable/", "stable-", "support/"} {
		if strings.HasPrefix(ref, p) {
			return true
		}
	}
	return false
}

func doGitPush(c *Call) {
	t := umpire.Upload
	refs := c.Operands
	if len(refs) > 0 {
		remote := refs[0].Text
		if strings.Contains(remote, "://") || strings.Contains(remote, "@") && strings.Contains(remote, ":") || strings.HasPrefix(remote, "ext::") {
			t |= umpire.UntrustedSource
			gitRemote(c, refs[0])
		}
		refs = refs[1:]
	}
	lease := false
	for i := range c.opts {
		if c.opts[i].name == "--force-with-lease" {
			lease = true
		}
		if c.opts[i].name == "-f" { // the last one wins
			lease = false
			t |= umpire.Force
		}
	}
	if c.Has("--no-force") && !c.Has("-f") {
		t &^= umpire.Force
	}
	if c.Has("-f") && c.Has("--force-with-lease") && lease {
		t &^= umpire.Force
		c.Traits &^= umpire.Force
		t |= umpire.Overwrite
	} else if lease && !c.Has("-f") {
		t |= umpire.Overwrite
	}
	if c.Has("--force-if-includes") {
		t |= umpire.Overwrite
	}
	if c.Has("--mirror", "--prune") {
		t |= umpire.Bulk | umpire.Force | umpire.Irreversible
	}
	del := c.Has("-d")
	unnamed := len(refs) == 0
	for _, w := range refs {
		ref := w.Text
		if r, ok := strings.CutPrefix(ref, "+"); ok {
			ref = r
			t |= umpire.Force // a plus outweighs any lease
		}
		src, dst, colon := strings.Cut(ref, ":")
		switch {
		case colon && src == "" && dst != "":
			del = true
			ref = dst
		case colon:
			ref = dst
		}
		if protectedBranch(ref) {
			t |= umpire.ProtectedBranch
		}
	}
	if del {
		t |= umpire.Destroy
	}
	if t&umpire.Force != 0 && unnamed {
		t |= umpire.ProtectedBranch // whatever branch it is
	}
	if c.Has("--all", "--branches") && t&umpire.Force != 0 {
		t |= umpire.Bulk | umpire.ProtectedBranch
	}
	git(c, t)
}

// gitRemote reads a URL that git talks to: ext:: and the options of ssh run programs.
func gitRemote(c *Call, w Word) {
	if cmd, ok := strings.CutPrefix(w.Text, "ext::"); ok {
		c.Shell(w.With(strings.ReplaceAll(cmd, "% ", `\ `)), Run{Traits: umpire.RunsProgram})
		return
	}
	if i := strings.Index(w.Text, "://-"); i >= 0 || strings.HasPrefix(w.Text, "-") {
		c.Op(umpire.Exec, Quote("ssh", []Word{w}), umpire.RunsProgram|umpire.Obfuscated)
		return
	}
	if strings.Contains(w.Text, "://") && !strings.HasPrefix(w.Text, "file://") || strings.Contains(w.Text, "@") && strings.Contains(w.Text, ":") {
		c.Net(w, 0, w.Taint)
	}
}

func doGitReset(c *Call) {
	switch {
	case c.Has("--hard"):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
	case c.Has("--merge"), c.Has("--keep"):
		git(c, umpire.Uncommitted)
	default:
		git(c, 0)
	}
}

// wholeTree reports whether path specifications name everything there is.
func wholeTree(ws []Word) bool {
	for _, w := range ws {
		switch strings.TrimSuffix(w.Text, "/") {
		case ".", "*", ":", ":/", ":/*", "..", ":(top)", "./*", "**", ":(glob)**", "../..", "":
			return true
		}
	}
	return false
}

func doGitClean(c *Call) {
	force := c.Has("-f")
	for _, w := range c.All("-c") {
		if k, v, _ := strings.Cut(w.Text, "="); strings.EqualFold(k, "clean.requireforce") && (v == "false" || v == "0" || v == "no") {
			force = true
		}
	}
	switch {
	case c.Has("-n"), !force && !c.Has("-i"):
		git(c, umpire.Inert)
	case c.Has("-i"):
		git(c, umpire.Uncommitted)
	case len(c.Operands) == 0 || wholeTree(c.Operands):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
		c.Delete(Lit("."), umpire.Recursive|umpire.Filtered|umpire.Uncommitted)
	default:
		git(c, umpire.Uncommitted)
		for _, w := range c.Operands {
			c.Delete(w, umpire.Recursive|umpire.Filtered|umpire.Uncommitted)
		}
	}
}

func doGitCheckout(c *Call) {
	paths := c.Operands
	if c.Has("-b", "--orphan") && !c.Has("-f") {
		git(c, 0)
		return
	}
	switch {
	case c.Has("-f"):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
	case c.Has("-p"):
		git(c, 0)
	case c.Has("--") && len(gitAfterDashes(c)) > 0:
		paths = gitAfterDashes(c)
		if wholeTree(paths) {
			git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
		} else {
			git(c, umpire.Uncommitted)
		}
	case wholeTree(paths):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
	case len(paths) >= 2 && !c.Has("-b"), c.Has("--pathspec-from-file"):
		git(c, umpire.Uncommitted)
	case len(paths) == 1 && !c.Has("-t", "--detach", "-d") && looksLikeFile(paths[0].Text):
		git(c, umpire.Uncommitted)
	default:
		git(c, 0)
	}
}

func gitAfterDashes(c *Call) []Word {
	args := gitArgs(c)
	for i, w := range args {
		if w.Text == "--" {
			return args[i+1:]
		}
	}
	return nil
}

// looksLikeFile tells a file from a branch by what names of branches hardly have.
func looksLikeFile(s string) bool {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || strings.HasPrefix(s, "v") && strings.Trim(s[1:], "0123456789.-rc") == "" {
		return strings.HasPrefix(s, "./")
	}
	ext := s[i+1:]
	return strings.HasPrefix(s, "./") || len(ext) >= 1 && len(ext) <= 5 && strings.Trim(ext, "0123456789") != "" && strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

func doGitRestore(c *Call) {
	switch {
	case c.Has("-p"), c.Has("-S") && !c.Has("-W"):
		git(c, 0)
	case wholeTree(c.Operands) && !strings.HasPrefix(c.Arg(0).Text, ":"):
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
	case len(c.Operands) > 0 || c.Has("--pathspec-from-file"):
		git(c, umpire.Uncommitted)
	}
}

func doGitSwitch(c *Call) {
	if c.Has("-f") {
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
		return
	}
	git(c, 0)
}

func doGitStash(c *Call) {
	switch c.Arg(0).Text {
	case "clear":
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
	case "drop":
		if c.Has("--all") {
			git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
			return
		}
		git(c, umpire.Uncommitted)
	default:
		git(c, 0)
	}
}

func doGitBranch(c *Call) {
	t := umpire.Trait(0)
	del := c.Has("-D") || c.Has("-d") && c.Has("-f")
	if del || c.Has("-f") || c.Has("-M", "-C") {
		t |= umpire.Overwrite
	}
	if del || c.Has("-d") {
		t |= umpire.Destroy
		if !del {
			t &^= umpire.Destroy // git keeps what is not merged
		}
	}
	n := 0
	for _, w := range c.Operands {
		n++
		if protectedBranch(w.Text) {
			t |= umpire.ProtectedBranch
		}
		if !w.Known() {
			t |= umpire.Bulk
		}
	}
	if del && n == 0 {
		t |= umpire.Bulk
	}
	git(c, t)
}

func doGitTag(c *Call) {
	t := umpire.Trait(0)
	if c.Has("-d") {
		t |= umpire.Destroy
	}
	git(c, t)
}

// expiresNow reports whether a time of expiry is past for all that is unreachable.
func expiresNow(v string) bool { return v == "now" || v == "all" || v == "0" }

func doGitReflog(c *Call) {
	switch c.Arg(0).Text {
	case "expire":
		for _, o := range []string{"--expire", "--expire-unreachable"} {
			if v, ok := c.Opt(o); ok && expiresNow(v.Text) {
				git(c, umpire.Irreversible|umpire.WholeTree)
				return
			}
		}
		git(c, 0)
	case "delete", "drop":
		git(c, umpire.Irreversible)
	}
}

func doGitGC(c *Call) {
	for _, o := range []string{"--prune", "--expire"} {
		if v, ok := c.Opt(o); ok && expiresNow(v.Text) {
			git(c, umpire.Irreversible)
			return
		}
	}
	for _, w := range c.All("-c") {
		if k, v, _ := strings.Cut(w.Text, "="); strings.HasPrefix(strings.ToLower(k), "gc.") && expiresNow(v) {
			git(c, umpire.Irreversible)
			return
		}
	}
	git(c, 0)
}

func doGitRewrite(c *Call) {
	if c.Program == "git" && strings.HasSuffix(c.Name, "replace") && c.Has("-l") {
		return
	}
	git(c, umpire.Irreversible|umpire.WholeTree|umpire.Overwrite)
}

func doGitRewriteTool(c *Call) {
	c.Op(umpire.Git, Quote(c.Program, c.Args), umpire.Irreversible|umpire.WholeTree|umpire.Overwrite)
}

func doGitUpdateRef(c *Call) {
	t := umpire.Trait(0)
	if c.Has("-d") || c.Has("--stdin") {
		t |= umpire.Destroy
		for _, w := range c.Operands {
			if w.Text == "HEAD" || protectedBranch(w.Text) || !strings.HasPrefix(w.Text, "refs/heads/") {
				t |= umpire.ProtectedBranch | umpire.Irreversible
			}
		}
	}
	git(c, t)
}

func doGitWorktree(c *Call) {
	t := umpire.Trait(0)
	if c.Arg(0).Text == "add" && len(c.Operands) > 1 {
		c.WriteFile(c.Operands[1], umpire.Recursive, Unseen(0))
	}
	if c.Arg(0).Text == "remove" && c.Has("-f") {
		t |= umpire.Uncommitted
	}
	git(c, t)
}

func doGitRm(c *Call) {
	t := umpire.Trait(0)
	if !c.Has("--cached") {
		t |= umpire.Uncommitted
		if wholeTree(c.Operands) {
			t |= umpire.WholeTree
		}
		if !c.Has("-f") && !wholeTree(c.Operands) {
			t = 0 // git refuses to lose what is not committed
		}
	}
	git(c, t)
}

func doGitReadTree(c *Call) {
	if c.Has("--reset") && c.Has("-u") || c.Has("-a") && c.Has("-f") {
		git(c, umpire.Uncommitted|umpire.WholeTree|umpire.Irreversible)
		return
	}
	git(c, 0)
}

func doGitSubmodule(c *Call) {
	switch c.Arg(0).Text {
	case "foreach":
		if len(c.Operands) == 2 {
			c.Shell(c.Operands[1], Run{Via: "git submodule foreach", Out: true})
		} else if len(c.Operands) > 2 {
			c.Exec(c.Operands[1:], Run{Via: "git submodule foreach", Out: true})
		}
		return
	case "add":
		gitRemote(c, c.Arg(1))
	case "deinit":
		if c.Has("-f") {
			git(c, umpire.Uncommitted)
			return
		}
	}
	git(c, 0)
}

func doGitBisect(c *Call) {
	if c.Arg(0).Text == "run" && len(c.Operands) > 1 {
		c.Exec(c.Operands[1:], Run{Via: "git bisect run", Out: true})
	}
	git(c, 0)
}

func doGitAdd(c *Call) {
	t := umpire.Trait(0)
	for _, w := range c.Operands {
		if _, p := c.Path(w); p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
			t |= umpire.CarriesSecret
		}
	}
	git(c, t)
}

func doGitConfig(c *Call) {
	ops := c.Operands
	if len(ops) > 0 {
		switch ops[0].Text {
		case "list", "get":
			return
		case "set":
			ops = ops[1:]
		case "edit":
			git(c, 0)
			return
		}
	}
	if c.Has("--get", "--get-all", "--get-regexp", "--list") || len(ops) < 2 && !c.Has("--unset", "--unset-all", "-e", "--remove-section") {
		return
	}
	t := umpire.Trait(0)
	if c.Has("--global", "--system") {
		t |= umpire.Global
	}
	if len(ops) >= 2 {
		runs, bad := gitSetting(ops[0].Text, ops[1].Text)
		t |= bad
		if runs != "" {
			t |= umpire.RunsProgram
			c.Shell(ops[1].With(runs), Run{Traits: umpire.RunsProgram})
		}
		if sh, ok := strings.CutPrefix(ops[1].Text, "!"); ok && strings.HasPrefix(strings.ToLower(ops[0].Text), "alias.") {
			c.Shell(ops[1].With(sh), Run{})
		}
	}
	git(c, t)
}

func doGitRemote(c *Call) {
	switch c.Arg(0).Text {
	case "add", "set-url":
		if n := len(c.Operands); n >= 3 {
			gitRemote(c, c.Operands[2])
			git(c, umpire.UntrustedSource)
			return
		}
	case "remove", "rm":
		git(c, umpire.Mutate)
		return
	}
	git(c, 0)
}

func doGitFetch(c *Call) {
	if len(c.Operands) > 0 {
		gitRemote(c, c.Operands[0])
	}
	git(c, 0)
	c.Taints(FromNetwork)
	if strings.HasSuffix(c.Name, "clone") && len(c.Operands) > 0 {
		dir := c.Arg(1)
		if len(c.Operands) < 2 {
			dir = c.Operands[0].With(strings.TrimSuffix(lastName(c.Operands[0].Text), ".git"))
		}
		if dir.Text != "" {
			c.WriteFile(dir, umpire.Recursive, Unseen(FromNetwork))
		}
	}
}

func doGitShow(c *Call) {
	if c.Program != "git" {
		return
	}
	gitPrograms(c)
	for _, w := range c.Operands {
		if i := strings.IndexByte(w.Text, ':'); i > 0 {
			if _, p := c.Path(w.With(w.Text[i+1:])); p&(umpire.PlaceCredentials|umpire.PlaceEnvFile) != 0 {
				c.path(umpire.Read, w.With(w.Text[i+1:]), 0)
				c.Taints(FromSecret)
			}
		}
	}
}

func doGitMail(c *Call) { git(c, umpire.Message|umpire.Upload) }

func doGitCredential(c *Call) {
	switch c.Arg(0).Text {
	case "fill", "get":
		c.Op(umpire.Read, "git-credential", 0)
		c.Emit(umpire.Operation{Kind: umpire.Read, Resource: "git-credential", Places: umpire.PlaceCredentials, Traits: c.Traits})
		c.Taints(FromSecret)
	case "erase", "reject":
		git(c, umpire.Mutate)
	}
}

func doGitNotes(c *Call) {
	if c.Arg(0).Text == "remove" || c.Arg(0).Text == "prune" {
		git(c, umpire.Mutate)
	}
}

func doGitLFS(c *Call) {
	switch c.Arg(0).Text {
	case "migrate":
		git(c, umpire.Irreversible|umpire.Overwrite)
	case "prune":
		git(c, umpire.Mutate)
	default:
		git(c, 0)
	}
}

func doGitMaintenance(c *Call) {
	if v := c.Arg(0).Text; v == "start" || v == "register" {
		git(c, umpire.Persistence)
	}
}

func doGitForEach(c *Call) {
	c.Exec(append(Lits("git"), c.Operands...), Run{})
}

func doHgPush(c *Call) {
	t := umpire.Upload
	if c.Has("-f") {
		t |= umpire.Force | umpire.ProtectedBranch
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}

func doHgRevert(c *Call) {
	t := umpire.Uncommitted
	if c.Has("-C") || wholeTree(c.Operands) {
		t |= umpire.WholeTree | umpire.Irreversible
	}
	if c.Program == "hg" && !c.Has("-C") && len(c.Operands) == 0 {
		t = 0
	}
	c.Op(umpire.Git, Quote(c.Name, c.Operands), t)
}

func doHgStrip(c *Call) {
	c.Op(umpire.Git, Quote(c.Name, c.Operands), umpire.Irreversible|umpire.Overwrite)
}

func doJjGit(c *Call) {
	if c.Arg(0).Text == "push" {
		c.Op(umpire.Git, Quote("jj git", c.Operands), umpire.Upload)
	}
}

func doSvn(c *Call) { c.Op(umpire.Git, Quote(c.Name, c.Operands), umpire.Mutate) }
