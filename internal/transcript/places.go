package transcript

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Places returns the existing folders and files of the clients' transcripts. project is a folder
// whose SpecStory exports count, or "".
func Places(home, project string, getenv func(string) string) (list []string) {
	or := func(name, path string) string {
		if d := getenv(name); filepath.IsAbs(d) {
			return d
		}
		return filepath.Join(home, path)
	}
	open := filepath.Join(or("XDG_DATA_HOME", ".local/share"), "opencode")
	copilot := or("COPILOT_HOME", ".copilot")
	all := []string{
		filepath.Join(or("CLAUDE_CONFIG_DIR", ".claude"), "projects"),
		filepath.Join(or("CODEX_HOME", ".codex"), "sessions"),
		filepath.Join(or("CODEX_HOME", ".codex"), "archived_sessions"),
		filepath.Join(home, ".gemini", "tmp"),
		filepath.Join(home, ".qwen", "projects"),
		filepath.Join(open, "storage", "part"),
		filepath.Join(open, "opencode.db"),
		filepath.Join(copilot, "session-state"),
		filepath.Join(copilot, "history-session-state"),
		filepath.Join(home, ".cursor", "projects"),
		filepath.Join(home, ".pi", "agent", "sessions"),
		filepath.Join(home, ".cline", "data", "sessions"),
	}
	if project != "" {
		all = append(all, filepath.Join(project, ".specstory", "history"))
	}
	for _, p := range all {
		if !filepath.IsAbs(p) {
			continue // no home
		}
		if _, err := os.Stat(p); err == nil {
			list = append(list, p)
		}
	}
	return list
}

// Files calls f for every file below a folder that may be a transcript by its name, or for the file
// itself. It follows no links, and stops at the limit of files.
func (r *Reader) Files(ctx context.Context, root string, f func(path string, info fs.FileInfo) error) error {
	info, err := os.Stat(root)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return f(root, info)
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real // the user named the link
	}
	n := 0
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			r.Stats.Faults++
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			if name := d.Name(); path != root && (name == "node_modules" || name == ".git") {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || !candidate(path):
			return nil
		}
		if n++; n > r.Limits.Files {
			r.Stats.Clipped = true
			return fs.SkipAll
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			r.Stats.Faults++
			return nil //nolint:nilerr // it is counted, and the other files are read
		}
		return f(path, info)
	})
}

// candidate reports whether a file may be a transcript by its name.
func candidate(path string) bool {
	slash := filepath.ToSlash(path)
	switch filepath.Ext(path) {
	case ".jsonl":
		return filepath.Base(path) != "history.jsonl"
	case ".json":
		name := filepath.Base(path)
		return strings.HasPrefix(name, "session") || strings.HasPrefix(name, "prt_") || strings.HasSuffix(name, ".messages.json")
	case ".md":
		return strings.Contains(slash, "/.specstory/history/")
	case ".db":
		return filepath.Base(path) == "opencode.db"
	}
	return false
}
