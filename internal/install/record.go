package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// record is the list of installed files, in installed.json of umpire's state folder.
type record struct {
	Version  int         `json:"version"`
	Installs []installed `json:"installs"`
}

// installed is a file that umpire wrote.
type installed struct {
	Agent   string      `json:"agent"`
	Scope   Scope       `json:"scope"`
	Path    string      `json:"path"`
	Time    time.Time   `json:"time"`
	Existed bool        `json:"existed"`          // before umpire wrote to it
	Exact   bool        `json:"exact"`            // the backup contains nothing of umpire
	Before  string      `json:"before,omitempty"` // SHA-256 of the backup
	After   string      `json:"after"`            // SHA-256 of the written content
	Backup  string      `json:"backup,omitempty"`
	Dirs    []string    `json:"dirs,omitempty"` // folders that were created for it, the innermost last
	Ours    []HookEntry `json:"hooks"`
}

// stateDir returns umpire's state folder: the user's, or the machine's for managed settings.
func stateDir(env Env, scope Scope) string {
	if scope == Managed {
		return filepath.Join("/", env.Root, "var/lib/umpire")
	}
	if runtime.GOOS == "windows" {
		if d := env.getenv("LocalAppData"); filepath.IsAbs(d) {
			return filepath.Join(d, "umpire")
		}
	}
	if d := env.getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "umpire")
	}
	return filepath.Join(env.Home, ".local", "state", "umpire")
}

func recordPath(env Env, scope Scope) string {
	return filepath.Join(stateDir(env, scope), "installed.json")
}

func loadRecord(env Env, scope Scope) (*record, error) {
	r := &record{Version: 1}
	path := recordPath(env, scope)
	data, err := read(path)
	if err != nil || data == nil {
		if errors.Is(err, fs.ErrPermission) && scope == Managed {
			return r, nil // only root can read it: do without
		}
		return r, err
	}
	if err = json.Unmarshal(data, r); err == nil && r.Version != 1 {
		err = errors.New("it belongs to another version of umpire")
	}
	if err != nil {
		return &record{Version: 1}, fmt.Errorf("%s (the installation record) cannot be read: %w; remove it", path, err)
	}
	return r, nil
}

func (r *record) clone() *record { return &record{Version: 1, Installs: slices.Clone(r.Installs)} }

func (r *record) find(path string) *installed {
	for i := range r.Installs {
		if r.Installs[i].Path == path {
			return &r.Installs[i]
		}
	}
	return nil
}

func (r *record) drop(path string) {
	r.Installs = slices.DeleteFunc(r.Installs, func(i installed) bool { return i.Path == path })
}

// stage writes the record to a temporary file, which commit renames.
func (r *record) stage(env Env, scope Scope) (temp string, err error) {
	if len(r.Installs) == 0 {
		return "", nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", err
	}
	return stage(recordPath(env, scope), append(data, '\n'), 0o600)
}

func (r *record) commit(env Env, scope Scope, temp string) error {
	if len(r.Installs) == 0 {
		return ignore(os.Remove(recordPath(env, scope)))
	}
	return atomicfile.Rename(temp, recordPath(env, scope))
}
