// Package taint remembers which sessions met content that tries to steer the agent, and which
// files a session made and downloaded.
//
// A session stays tainted until it ends, and stricter rules apply to it. A taint is one small
// file for each session, so that every enforcement point of a machine sees it. A process of
// the same user can delete the file.
package taint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/prune"
)

// keep is how long the Memory of a session is kept after the last write. A mark never expires: a
// clock that is set forward must not clean a running session.
const keep = 30 * 24 * time.Hour

// maxSessions limits the number of marks, and maxFile the size of one in bytes.
const (
	maxSessions = 2000
	maxFile     = 16 << 10
)

// Mark is the reason for the taint of a session.
type Mark struct {
	Time     time.Time `json:"time"`
	Platform string    `json:"platform,omitempty"`
	Session  string    `json:"session"`
	Tool     string    `json:"tool,omitempty"` // the tool that printed it
	Why      string    `json:"why,omitempty"`  // the kind of finding, never the text itself
}

// Store is the folder of marks.
type Store struct{ dir string }

// Open returns the store in a folder, which need not exist yet.
func Open(dir string) Store { return Store{dir} }

// path returns the path of a session's mark. It is the same for all callers: a session that a hook
// tainted is tainted for the gateway and the proxy as well.
func (s Store) path(session string) string {
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+".json")
}

// Has reports whether a principal's session, or the one that started it, is tainted. A session
// without a name never is, because everyone would share it.
func (s Store) Has(p umpire.Principal) bool {
	for _, session := range []string{p.Session, p.Parent} {
		if session == "" {
			continue
		}
		// A session counts as tainted if its mark cannot be read.
		if _, err := os.Lstat(s.path(session)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// Set taints a session. The first mark stays, because it names the origin.
func (s Store) Set(m Mark) error {
	if m.Session == "" {
		return errors.New("a session without a name cannot be tainted")
	}
	if m.Time.IsZero() {
		m.Time = time.Now()
	}
	if len(m.Why) > 1000 {
		m.Why = m.Why[:1000]
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	prune.Folder(s.dir, math.MaxInt64, maxSessions)
	path := s.path(m.Session)
	err = atomicfile.Create(path, data, 0o600)
	if errors.Is(err, fs.ErrExist) {
		now := time.Now()
		err = os.Chtimes(path, now, now)
	}
	return err
}

// List returns the marks, the latest first. An unreadable file also taints, but is not listed.
func (s Store) List() ([]Mark, error) {
	names, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Mark
	for _, n := range names {
		if filepath.Ext(n.Name()) != ".json" {
			continue
		}
		path := filepath.Join(s.dir, n.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
			continue
		}
		data, err := os.ReadFile(path)
		var m Mark
		if err == nil && json.Unmarshal(data, &m) == nil {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Mark) int { return b.Time.Compare(a.Time) })
	return out, nil
}
