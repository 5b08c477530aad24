package platform

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/home"
)

// Complete fills in what the client did not say: home, temporary folder and workspace.
// project is the client's own word for the project's folder, which may be empty.
func Complete(a *umpire.Action, project string, getenv func(string) string) {
	if a.Home == "" {
		a.Home = home.Dir(getenv)
	}
	if a.Temp == "" {
		a.Temp = getenv("TMPDIR")
	}
	if a.Workspace != "" { // the payload's word goes before that of the environment
		project = a.Workspace
	}
	a.Workspace = Workspace(a.Dir, project, a.Home)
}

// Workspace tells the root of the project that dir belongs to: what the client says, if
// dir lies in it, or the nearest folder upwards with a repository or a policy. A home
// folder is none, however many dotfiles are kept in a repository there: to an agent that
// works in ~/proj, the rest of the home is not the project. Neither is a folder above it, or
// the root: a project could name them, and the whole disk would be its own.
func Workspace(dir, project, home string) string {
	if filepath.IsAbs(project) && Inside(dir, project) && filepath.Dir(filepath.Clean(project)) != filepath.Clean(project) && !(filepath.IsAbs(home) && Inside(home, project)) {
		return filepath.Clean(project)
	}
	for d := dir; filepath.IsAbs(d) && len(d) > 1 && !(filepath.IsAbs(home) && Inside(home, d)); {
		for _, mark := range []string{".git", ".umpire.yaml", ".hg", ".jj"} {
			if _, err := os.Lstat(filepath.Join(d, mark)); err == nil {
				return d
			}
		}
		up := filepath.Dir(d)
		if up == d {
			break
		}
		d = up
	}
	return dir
}

// Inside reports whether a path is root or lies below it, by spelling.
func Inside(dir, root string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// MaxFile bounds what is read of a file that a command runs, in bytes. Bundles of JavaScript are
// longer: of such a file MaxBundle is read.
const (
	MaxFile   = 256 << 10
	MaxBundle = 8 << 20
)

// ReadFile reads a file that a command runs, for the reading of what it would do. Of a file
// that is larger than that it returns one byte more: it is there, and not to
// be taken for what it begins with. It answers no for what is not a regular file: an agent
// may have put a pipe there that never ends.
func ReadFile(path string) ([]byte, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	// Meanwhile the pipe may have come: it is opened without waiting, and looked at again.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	limit := int64(MaxFile)
	switch filepath.Ext(path) {
	case ".js", ".cjs", ".mjs":
		limit = MaxBundle
	}
	b := bytes.NewBuffer(make([]byte, 0, min(info.Size(), limit)+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, limit+1))
	return b.Bytes(), err == nil
}

// maxNames bounds how many names of a folder are read.
const maxNames = 500

// ReadDir reads the names in a folder, the first few hundred, for the reading of what a
// command would do.
func ReadDir(path string) []string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(maxNames)
	if err != nil {
		return nil
	}
	slices.Sort(names)
	return names
}
