package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/umpire-dev/umpire/internal/agent/file"
)

// maxEntries limits how many files and folders one call visits.
const maxEntries = 300_000

var errEntries = fmt.Errorf("there are more than %d files and folders: search a subfolder", maxEntries)

// skipped reports whether searches skip files of this name.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules"
}

// openFolder opens a folder to search. Files reached through it are inside it.
func openFolder(dir string) (*os.Root, error) {
	root, err := file.OpenDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist", dir)
	}
	return root, err
}

// walk calls f for the files below a folder, in order, by their paths from root. It follows no
// links, and skips unreadable entries. It stops if f returns fs.SkipAll.
func walk(ctx context.Context, root *os.Root, start string, f func(name string, d fs.DirEntry) error) error {
	n := 0
	return fs.WalkDir(root.FS(), start, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil // it vanished, or another user owns it
		}
		if n++; n > maxEntries {
			return errEntries
		}
		if name != start && skipped(d.Name()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		return f(name, d)
	})
}

// Limits of a pattern: alternatives multiply.
const (
	maxPattern = 1000
	maxBraces  = 4
	maxCommas  = 64
)

// globPattern checks a file pattern, and returns the folder that its fixed part names.
func globPattern(p string) (pattern, base string, err error) {
	switch {
	case p == "":
		return "", "", errors.New("the pattern is empty")
	case len(p) > maxPattern || strings.Count(p, "{") > maxBraces || strings.Count(p, ",") > maxCommas:
		return "", "", errors.New("the pattern is too long, or has too many alternatives: use several calls")
	case path.IsAbs(p):
		return "", "", errors.New("the pattern is absolute: give the folder as path, and a pattern below it")
	}
	p = strings.TrimPrefix(p, "./")
	for s := range strings.SplitSeq(p, "/") {
		if s == ".." {
			return "", "", errors.New("the pattern leaves the folder: pass the other folder as path")
		}
	}
	if !doublestar.ValidatePattern(p) {
		return "", "", fmt.Errorf("%q is not a file pattern such as **/*.go", p)
	}
	base, _ = doublestar.SplitPattern(p)
	return p, path.Clean(base), nil
}

// hasSkipped reports whether a path leads through a folder that searches always skip.
func hasSkipped(name string) bool {
	for s := range strings.SplitSeq(name, "/") {
		if s == ".git" || s == "node_modules" {
			return true
		}
	}
	return false
}
