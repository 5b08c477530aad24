package box

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/sandbox"
)

// showIdentity gives the program a ~/.gitconfig of its own, unless the person shows theirs.
func (r *Run) showIdentity() {
	c := &r.Config
	at := filepath.Join(c.Home, ".gitconfig")
	shows := func(p string) bool { return strings.HasPrefix(at+"/", strings.TrimSuffix(p, "/")+"/") }
	if runtime.GOOS == "darwin" || slices.ContainsFunc(slices.Concat(c.ReadOnly, c.Writable), shows) { // macOS shows files as they are
		return
	}
	c.Copied = append(c.Copied, sandbox.Mount{From: r.identity(), To: at})
}

// identity is the file that becomes the program's ~/.gitconfig.
func (r *Run) identity() string { return filepath.Join(r.Config.State, "gitconfig") }

// writeIdentity writes the author of the person's commits. It takes no other setting of git: aliases,
// helpers and included files run programs, and addresses of remotes can contain tokens.
func writeIdentity(ctx context.Context, r *Run) error {
	if err := os.WriteFile(r.identity(), nil, 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for _, key := range []string{"user.name", "user.email"} {
		value, err := exec.CommandContext(ctx, "git", "-C", r.Config.Folder, "config", "--get", key).Output()
		if err != nil {
			continue // the person sets no value, or git is not installed
		}
		// Git quotes the value: the project's own settings may have chosen it.
		if err := exec.CommandContext(ctx, "git", "config", "--file", r.identity(), "--end-of-options", key, strings.TrimSuffix(string(value), "\n")).Run(); err != nil {
			return err
		}
	}
	return nil
}
