// Package folder reads a folder's instructions to an agent, as far as the user trusts the folder,
// and builds the system prompt. The author of the folder is the adversary: untrusted instructions
// reach the model as data.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/regular"
)

// Limits of context files.
const (
	UsedChars = 4_000  // characters of a file that are used
	LargeSize = 16_000 // bytes above which a file causes a warning
	maxRead   = 1 << 20
	maxDepth  = 32 // folders between the root of the project and the working directory
)

// File is a context file.
type File struct {
	Path  string // absolute
	Name  string // as shown to people: relative to the working directory, or from ~
	Text  string // the part that is used
	Cut   bool
	Yours bool // the user's file, not the project's
}

// Context reads the context files: the user's from config, then one per folder from the project's
// root down to dir. AGENTS.md takes precedence over CLAUDE.md beside it. In dir alone, CONTEXT.md
// and .agent/context.md count, too. warn gets files that are large or cannot be read, but not
// missing ones. A link that leads out of the project is followed only if the project is trusted,
// because the file's text goes to the model's provider.
func Context(config, root, dir string, trusted bool, warn func(string)) (files []File) {
	add := func(folder string, yours bool, names ...string) {
		for _, n := range names {
			path := filepath.Join(folder, n)
			within := root
			if yours || trusted {
				within = ""
			}
			f, err := read(within, path, warn)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				warn(fmt.Sprintf("the context file %s could not be read: %v", path, err))
				continue
			}
			f.Yours = yours
			if f.Name, err = filepath.Rel(dir, path); err != nil || yours {
				f.Name = path
			}
			files = append(files, f)
			return
		}
	}
	if config != "" {
		add(config, true, "AGENTS.md")
	}
	for _, d := range between(root, dir) {
		if d == dir {
			add(d, false, "AGENTS.md", "CLAUDE.md", "CONTEXT.md", filepath.Join(".agent", "context.md"))
		} else {
			add(d, false, "AGENTS.md", "CLAUDE.md")
		}
	}
	return files
}

// between lists the folders from root down to dir.
func between(root, dir string) []string {
	rel, err := filepath.Rel(root, dir)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return []string{dir}
	}
	list := []string{root}
	if rel == "." {
		return list
	}
	for _, part := range strings.Split(rel, string(filepath.Separator)) {
		if len(list) == maxDepth {
			return append(list, dir)
		}
		list = append(list, filepath.Join(list[len(list)-1], part))
	}
	return list
}

// read reads a context file. Links must not lead out of the folder within.
func read(within, path string, warn func(string)) (File, error) {
	open := func() (*os.File, error) { return os.OpenFile(path, regular.Flags, 0) }
	if within != "" {
		rel, err := filepath.Rel(within, path)
		if err != nil {
			return File{}, err
		}
		root, err := os.OpenRoot(within)
		if err != nil {
			return File{}, err
		}
		defer func() { _ = root.Close() }() // opened for reading only
		open = func() (*os.File, error) { return root.OpenFile(rel, regular.Flags, 0) }
	}
	file, info, err := regular.Opened(open())
	if err != nil {
		return File{}, err
	}
	defer func() { _ = file.Close() }() // opened for reading only
	b, err := io.ReadAll(io.LimitReader(file, maxRead))
	if err != nil {
		return File{}, err
	}
	if info.Size() > LargeSize && warn != nil {
		warn(fmt.Sprintf("the context file %s has %d bytes; only its first %d characters are used", path, info.Size(), UsedChars))
	}
	f := File{Path: path, Text: strings.ToValidUTF8(string(b), "\uFFFD")}
	if utf8.RuneCountInString(f.Text) > UsedChars {
		n := 0
		for i := range f.Text {
			if n == UsedChars {
				f.Text = f.Text[:i]
				break
			}
			n++
		}
		f.Cut = true
	}
	return f, nil
}
