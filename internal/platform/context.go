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
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/home"
)

// Complete adds home, temporary folder and workspace if the client did not name them. project is
// the project folder that the client names; it may be empty.
func Complete(a *umpire.Action, project string, getenv func(string) string) {
	if a.Home == "" {
		a.Home = home.Dir(getenv)
	}
	if a.Temp == "" {
		a.Temp = getenv("TMPDIR")
	}
	if a.Workspace != "" { // the payload takes precedence over the environment
		project = a.Workspace
	}
	a.Workspace = Workspace(a.Dir, project, a.Home)
}

// Workspace returns the root of the project that contains dir: the folder that the client
// names, or the nearest parent with a repository or a policy. A home folder is never a
// workspace, even with a repository of dotfiles: to an agent in ~/proj, the rest of the home is
// outside. A folder above the home, or the root, is not one either, because a project could
// name it and so claim the whole disk.
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

// Inside reports whether a path is root or below it, by spelling.
func Inside(dir, root string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// MaxFile limits how much is read of a file that a command runs, in bytes. For JavaScript, Go
// and Rust the limit is maxBundle, because bundlers and generators write longer ones.
const (
	MaxFile   = 256 << 10
	maxBundle = 8 << 20
)

// ReadFile reads a file that a command runs. For a larger file it returns one byte more than the
// limit, so that the caller does not mistake the beginning for the complete file. It returns false
// for anything but a regular file: an agent may have created a pipe that never ends.
func ReadFile(path string) ([]byte, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	// The file may be a pipe by now: open it without blocking, and check again.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	limit := int64(MaxFile)
	if anyof.Equal(filepath.Ext(path), ".js", ".cjs", ".mjs", ".go", ".rs") {
		limit = maxBundle
	}
	b := bytes.NewBuffer(make([]byte, 0, min(info.Size(), limit)+bytes.MinRead))
	_, err = b.ReadFrom(io.LimitReader(f, limit+1))
	return b.Bytes(), err == nil
}

// maxNames limits how many names of a folder are read.
const maxNames = 500

// ReadDir reads the first few hundred names in a folder.
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
