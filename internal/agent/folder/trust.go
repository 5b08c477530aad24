package folder

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/umpire-dev/umpire/internal/regular"
)

// surface lists the files of a folder that configure, instruct or start something. A change to any
// of them ends the trust. A name with a trailing slash is a folder with all of its contents. Links
// in it are not followed: files reached through a folder that may be a link are listed separately.
var surface = []string{".env", ".mcp.json", "AGENTS.md", "CLAUDE.md", "CONTEXT.md", ".agent/context.md", ".agent/", ".umpire/"}

// Limits on the files that are read.
const (
	maxSurface = 500
	maxTrusted = 64 << 20 // bytes of one file to hash
	maxList    = 1 << 20  // bytes of the list
)

// Surface lists the files of a project that an agent would obey, from the project's root down to
// dir, with their current content.
func Surface(root, dir string) (files map[string]string, err error) {
	files = map[string]string{}
	add := func(path string) error {
		if len(files) >= maxSurface {
			return fmt.Errorf("more than %d files in %s and similar folders: too many to trust", maxSurface, filepath.Dir(path))
		}
		b, err := regular.Read(path, maxTrusted)
		sum := sha256.Sum256(b)
		switch {
		case errors.Is(err, regular.ErrLarge):
			return fmt.Errorf("%s is too large to trust", path)
		case err == nil:
			files[path] = hex.EncodeToString(sum[:])
		case !errors.Is(err, fs.ErrNotExist): // an unreadable file may become readable later
			files[path] = "unreadable"
		}
		return nil
	}
	for _, d := range between(root, dir) {
		for _, name := range surface {
			if !strings.HasSuffix(name, "/") {
				if err := add(filepath.Join(d, name)); err != nil {
					return nil, err
				}
				continue
			}
			err := filepath.WalkDir(filepath.Join(d, name), func(path string, e fs.DirEntry, err error) error {
				if err == nil && !e.IsDir() {
					return add(path)
				}
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					files[path] = "unreadable"
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// Digest identifies the trusted files: their paths and contents.
func Digest(files map[string]string) string {
	var list []string
	for p, s := range files {
		list = append(list, fmt.Sprintf("%d:%s%s", len(p), p, s))
	}
	slices.Sort(list)
	sum := sha256.Sum256([]byte(strings.Join(list, "\n")))
	return hex.EncodeToString(sum[:])
}

// Trust is the list of folders that the user trusts. Its file is outside all of them.
type Trust struct{ Path string }

type trusted struct {
	Digest string    `json:"digest"`
	Time   time.Time `json:"time"`
}

// Has reports whether a folder is trusted in its current state.
func (t Trust) Has(dir, digest string) (bool, error) {
	b, err := lockedfile.Read(t.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	list, err := parse(b)
	return err == nil && list[dir].Digest == digest, err
}

// Set trusts a folder in its current state. An empty digest withdraws the trust.
func (t Trust) Set(dir, digest string) error {
	if err := os.MkdirAll(filepath.Dir(t.Path), 0o700); err != nil {
		return err
	}
	return lockedfile.Transform(t.Path, func(b []byte) ([]byte, error) {
		list, err := parse(b)
		if err != nil {
			return nil, err
		}
		if digest == "" {
			delete(list, dir)
		} else {
			list[dir] = trusted{digest, time.Now()}
		}
		return json.MarshalIndent(list, "", "  ")
	})
}

func parse(b []byte) (list map[string]trusted, err error) {
	list = map[string]trusted{}
	if len(b) > maxList {
		return nil, errors.New("the list of trusted folders is too large: remove it")
	}
	if len(b) == 0 {
		return list, nil
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("the list of trusted folders is damaged: %w", err)
	}
	return list, nil
}

// HasEnv reports whether a folder has a .env.
func HasEnv(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".env"))
	return err == nil
}

// Env reads the agent's variables from a folder's .env file. Call it only for trusted folders: the
// author of that file chooses the server that gets the conversation.
func Env(dir string, names ...string) (map[string]string, error) {
	b, err := regular.Read(filepath.Join(dir, ".env"), maxTrusted)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		k, v, ok := strings.Cut(line, "=")
		if k = strings.TrimSpace(k); !ok || strings.HasPrefix(line, "#") || !slices.Contains(names, k) {
			continue
		}
		v = strings.TrimSpace(v)
		if n := len(v); n >= 2 && (v[0] == '"' || v[0] == '\'') && v[n-1] == v[0] {
			v = v[1 : n-1]
		} else if i := strings.Index(v, " #"); i >= 0 {
			v = strings.TrimSpace(v[:i])
		}
		out[k] = v
	}
	return out, nil
}
