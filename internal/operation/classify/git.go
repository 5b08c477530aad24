package classify

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// gitReads are the sub-commands that change nothing, gitWork those that record every change as an
// operation. gitLooks are whole commands of the latter that change nothing.
const (
	gitReads = " status log diff show blame annotate shortlog whatchanged describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base for-each-ref show-ref count-objects check-ignore check-attr grep range-diff cherry diff-tree diff-index diff-files verify-commit verify-tag var version help show-branch reflog ls-remote "
	gitWork  = " add stage commit branch tag stash checkout switch restore reset rm mv merge rebase cherry-pick revert fetch pull push remote config worktree notes init clean apply am clone submodule "
	gitLooks = "|remote|remote -v|branch|branch -a|branch -r|branch -v|branch -vv|branch --list|branch --show-current|stash list|tag|tag -l|tag --list|worktree list|submodule status|"
)

// describedGit reports whether the operations of git are all that happens: it works on a repository
// in one of the places, so that its settings are the user's, and no option names a program.
func (c Call) describedGit(in umpire.Place) bool {
	if !c.knownObjects() {
		return false
	}
	sub, looks, dir := "", false, command.Lit(".")
	for i := 0; i < len(c.Args) && sub == ""; i++ {
		switch t := c.Args[i].Text; {
		case t == "--no-pager" || t == "-P" || t == "--no-optional-locks":
		case t == "-C" && i+1 < len(c.Args):
			i++
			if t := c.Args[i].Text; dir.Text == "." || strings.HasPrefix(t, "/") || strings.HasPrefix(t, "~") {
				dir = c.Args[i]
			} else {
				dir = dir.With(dir.Text + "/" + t)
			}
		case strings.HasPrefix(t, "-"):
			return false
		default:
			sub, looks = t, strings.Contains(gitReads, " "+t+" ") || strings.Contains(gitLooks, "|"+command.Quote(t, c.Args[i+1:])+"|")
		}
	}
	switch _, p := c.Path(dir); {
	case p&umpire.PlaceGitDir != 0:
		return false
	case p&in != 0:
	case in&umpire.PlaceInWorkspace != 0 && c.ownFolder(dir.Text):
	case in&umpire.PlaceInWorkspace == 0 && c.projectFolder(dir) && looks:
	default:
		return false
	}
	for _, w := range c.Args {
		name, _, _ := strings.Cut(w.Text, "=")
		if strings.Contains(w.Text, "::") { // git fetch ext::COMMAND runs a command
			return false
		}
		if len(name) < 4 || !strings.HasPrefix(name, "--") {
			continue
		}
		for _, o := range []string{"--ext-diff", "--textconv", "--open-files-in-pager", "--upload-pack", "--receive-pack", "--exec", "--template", "--separate-git-dir", "--filters", "--batch-command", "--extcmd", "--no-index", "--output-directory", "--config-env", "--sign-cmd", "--unsafe-paths"} {
			if strings.HasPrefix(o, name) { // git accepts abbreviated options
				return false
			}
		}
	}
	if c.Has("-O") || sub == "rebase" && c.Has("-x") || !c.plainStrategy() || sub == "config" && !c.plainConfig() {
		return false
	}
	if sub == "lfs" {
		return len(c.Operands) > 0 && (anyof.Equal(c.Operands[0].Text, "ls-files", "status", "pull", "fetch", "version") || c.Operands[0].Text == "lfs" && anyof.Equal(c.Arg(1).Text, "ls-files", "status", "pull", "fetch", "version"))
	}
	return sub != "" && (strings.Contains(gitReads, " "+sub+" ") || strings.Contains(gitWork, " "+sub+" "))
}

// knownObjects reports whether no argument could be an unknown option. The end of a revision that
// git only shows may be unknown, because scripts compute such names.
func (c Call) knownObjects() bool {
	for i, w := range c.Args {
		if w.Known() && !w.Bare && (!w.Glob || !c.GlobOption(w.Text)) {
			continue
		}
		if w.Bare || w.Many || w.Glob || i == 0 || !anyof.Equal(c.FirstArg(), "show", "cat-file", "log", "diff", "rev-parse", "ls-tree", "rev-list", "merge-base", "blame") ||
			w.Text == "" || w.Text[0] == '-' || w.Text[0] == '/' || w.Text[0] == '.' || strings.HasPrefix(w.Text, umpire.Hole) {
			return false
		}
	}
	return true
}

// plainStrategy reports whether every merge strategy of the call is built into git. Any other name
// is a program. It ignores -s where it is another option, as in git status -s.
func (c Call) plainStrategy() bool {
	merges := anyof.Equal(strings.TrimPrefix(c.Name, "git "), "merge", "rebase", "pull")
	for i, w := range c.Args {
		name, v, joined := strings.Cut(w.Text, "=")
		switch {
		case len(name) > 3 && strings.HasPrefix("--strategy", name):
		case merges && name == "-s":
		case merges && strings.HasPrefix(name, "-s") && len(name) > 2:
			v, joined = name[2:], true
		default:
			continue
		}
		if !joined && i+1 < len(c.Args) {
			v = c.Args[i+1].Text
		}
		if !anyof.Listed("recursive ort resolve octopus ours subtree", v) {
			return false
		}
	}
	return true
}

// plainConfig reports whether git config sets or gets one setting that holds no credential. Setting
// it is an operation of its own.
func (c Call) plainConfig() bool {
	ops := c.Operands
	if len(ops) > 0 && (ops[0].Text == "get" || ops[0].Text == "set") {
		ops = ops[1:]
	}
	if c.Has("--list", "-l", "--get-regexp", "--get-urlmatch", "-z") || len(ops) == 0 || ops[0].Text == "list" {
		return false
	}
	k := strings.ToLower(ops[0].Text)
	section, _, _ := strings.Cut(k, ".")
	return !strings.Contains(k, "extraheader") && anyof.Listed("user author committer core init branch remote merge pull push rebase commit diff color fetch advice rerere alias log status tag submodule format gc pack index feature extensions worktree safe", section)
}
