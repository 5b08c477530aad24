package operation

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/place"
)

// maxWorktrees bounds the working trees of one repository that are read.
const maxWorktrees = 32

// worktrees returns the working trees that git made for the repository of the workspace. The
// adversary may write the workspace's .git: a folder counts only if its own .git names the entry
// that names it, and never if it contains the home or the workspace.
func worktrees(at place.Map, env Env) (trees []string) {
	if env.ReadDir == nil || env.ReadFile == nil || at.Workspace == "/" {
		return nil
	}
	entries := path.Join(at.Workspace, ".git/worktrees")
	for n, name := range env.ReadDir(entries) {
		if n == maxWorktrees {
			break
		}
		entry := path.Join(entries, name)
		link := gitPath(env, entry, "gitdir", "")
		tree := path.Dir(link)
		if path.Base(link) != ".git" || path.Dir(entry) != entries || gitPath(env, tree, ".git", "gitdir: ") != entry || holds(tree, at.Home) || holds(tree, at.Workspace) {
			continue
		}
		trees = append(trees, strings.ToLower(tree))
	}
	return trees
}

// gitPath returns the path in a file of git that has one line, which may be relative to the file's
// folder.
func gitPath(env Env, dir, file, before string) string {
	text, _ := env.ReadFile(path.Join(dir, file))
	name, ok := strings.CutPrefix(strings.TrimSuffix(string(text), "\n"), before)
	if !ok || name == "" || strings.ContainsAny(name, "\n\x00") {
		return ""
	}
	if !path.IsAbs(name) {
		name = path.Join(dir, name)
	}
	return path.Clean(name)
}

// holds reports whether a folder is another one or contains it.
func holds(dir, other string) bool {
	return strings.HasPrefix(strings.ToLower(other)+"/", strings.TrimSuffix(strings.ToLower(dir), "/")+"/")
}
