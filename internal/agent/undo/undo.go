// Package undo saves files before an agent changes them, and restores them.
//
// A Store belongs to one session and is outside any repository. It stores each content once,
// and drops the oldest turns when it grows too large. It does not touch files that someone else
// has changed since, unless the user forces it.
package undo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/agent/file"
	"github.com/umpire-dev/umpire/internal/atomicfile"
)

// Limits of a store.
const (
	maxBytes   = 256 << 20
	maxTurns   = 200
	maxJournal = 32 << 20
)

// Store keeps the files of one session. It is safe for concurrent use.
type Store struct {
	dir   string
	limit int64

	mu    sync.Mutex
	turns []Turn
	done  int              // number of turns in force; later ones were undone
	sizes map[string]int64 // sizes of the stored contents, by their hashes
}

// Turn holds the changes that belong to one message of the user.
type Turn struct {
	Label string       `json:"label"` // label of the message
	Time  time.Time    `json:"time"`
	Files []FileChange `json:"files,omitempty"`
}

// FileChange is the change of one file in a turn.
type FileChange struct {
	Path   string    `json:"path"`
	Before FileState `json:"before"`
	After  FileState `json:"after"`
	Left   bool      `json:"left,omitempty"` // undo did not touch it, so redo does not either
	// Dirs are the folders above it that did not exist before, the deepest first.
	Dirs []string `json:"dirs,omitempty"`
}

// FileState is the content of a file.
type FileState struct {
	Sum  string      `json:"sum,omitempty"` // SHA-256; "" if the file does not exist
	Mode fs.FileMode `json:"mode,omitempty"`
}

// Report lists the changes that undoing made, or would make.
type Report struct {
	Turns    []string // labels, the latest first
	Restored []string // paths
	Changed  []string // changed by someone else since, and not touched unless confirmed
	Failed   []string // "path: why"
}

// Open opens the store in a folder, which it creates if needed.
func Open(dir string) (*Store, error) { return open(dir, maxBytes) }

func open(dir string, limit int64) (*Store, error) {
	s := &Store{dir: dir, limit: limit, sizes: map[string]int64{}}
	if err := os.MkdirAll(filepath.Join(dir, "files"), 0o700); err != nil {
		return nil, err
	}
	fi, err := os.Stat(s.journal())
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if fi.Size() > maxJournal {
		return nil, fmt.Errorf("%s is too large: remove %s; earlier changes can then not be undone", s.journal(), dir)
	}
	data, err := os.ReadFile(s.journal())
	if err != nil {
		return nil, err
	}
	var j journal
	if err := json.Unmarshal(data, &j); err != nil || j.Done < 0 || j.Done > len(j.Turns) {
		return nil, fmt.Errorf("%s is damaged: remove %s; earlier changes can then not be undone", s.journal(), dir)
	}
	s.turns, s.done = j.Turns, j.Done
	entries, err := os.ReadDir(filepath.Join(dir, "files"))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if fi, err := e.Info(); err == nil {
			s.sizes[e.Name()] = fi.Size()
		}
	}
	return s, s.forget()
}

type journal struct {
	Turns []Turn `json:"turns"`
	Done  int    `json:"done"`
}

func (s *Store) journal() string           { return filepath.Join(s.dir, "journal.json") }
func (s *Store) content(sum string) string { return filepath.Join(s.dir, "files", sum) }

// Begin begins a turn. From then on, earlier undos cannot be redone.
func (s *Store) Begin(label string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns = append(s.turns[:s.done:s.done], Turn{Label: label, Time: time.Now().UTC()})
	s.done = len(s.turns)
	return s.save()
}

// Turns returns the turns that can be undone, the oldest first.
func (s *Store) Turns() []Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.turns[:s.done])
}

// Touched saves a file before its first change in a turn.
func (s *Store) Touched(path string, before []byte, mode fs.FileMode, exists bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done == 0 {
		s.turns = append(s.turns, Turn{Time: time.Now().UTC()})
		s.done = 1
	}
	t := &s.turns[s.done-1]
	if slices.ContainsFunc(t.Files, func(e FileChange) bool { return e.Path == path }) {
		return nil
	}
	st, err := s.keep(before, mode, exists)
	if err != nil {
		return err
	}
	e := FileChange{Path: path, Before: st, After: st}
	if !exists {
		e.Dirs = missing(path)
	}
	t.Files = append(t.Files, e)
	return s.save()
}

// missing returns the missing folders above a path, the deepest first.
func missing(path string) (dirs []string) {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// Wrote saves the content of a file after a change. If that fails, Redo cannot repeat the
// change.
func (s *Store) Wrote(path string, after []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.done == 0 {
		return
	}
	t := &s.turns[s.done-1]
	i := slices.IndexFunc(t.Files, func(e FileChange) bool { return e.Path == path })
	if i < 0 {
		return
	}
	mode := t.Files[i].Before.Mode
	if fi, err := os.Lstat(path); err == nil {
		mode = fi.Mode().Perm()
	}
	st, err := s.keep(after, mode, true)
	if err != nil {
		st = FileState{Sum: file.Sum(after), Mode: mode}
	}
	t.Files[i].After = st
	_ = s.save() // the journal on disk still describes the turn before
}

// keep stores a content, once.
func (s *Store) keep(data []byte, mode fs.FileMode, exists bool) (FileState, error) {
	if !exists {
		return FileState{}, nil
	}
	st := FileState{Sum: file.Sum(data), Mode: mode.Perm()}
	if _, ok := s.sizes[st.Sum]; ok || int64(len(data)) > s.limit {
		return st, nil // do not store a content that is too large; report it on request
	}
	if err := atomicfile.Write(s.content(st.Sum), data, 0o600); err != nil {
		return st, err
	}
	s.sizes[st.Sum] = int64(len(data))
	return st, nil
}

func (s *Store) load(st FileState) ([]byte, error) {
	data, err := os.ReadFile(s.content(st.Sum))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("its content was too large to save")
	}
	if err == nil && file.Sum(data) != st.Sum {
		err = errors.New("its stored copy is damaged")
	}
	return data, err
}

// save writes the journal. If the store is too large, it first forgets the oldest turns.
func (s *Store) save() error {
	if err := s.forget(); err != nil {
		return err
	}
	data, err := json.Marshal(journal{s.turns, s.done})
	if err != nil {
		return err
	}
	return atomicfile.Write(s.journal(), data, 0o600)
}

// forget drops the oldest turns while the store is too large, and contents that no turn refers to.
func (s *Store) forget() error {
	for {
		used := map[string]bool{}
		for _, t := range s.turns {
			for _, e := range t.Files {
				used[e.Before.Sum], used[e.After.Sum] = true, true
			}
		}
		var total int64
		for sum, n := range s.sizes {
			if used[sum] {
				total += n
				continue
			}
			if err := os.Remove(s.content(sum)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			delete(s.sizes, sum)
		}
		if total <= s.limit && len(s.turns) <= maxTurns {
			return nil
		}
		if len(s.turns) == 1 { // in the only turn left, drop the earliest entries
			files := s.turns[0].Files
			if len(files) == 0 {
				return nil
			}
			s.turns[0].Files = files[1:]
			continue
		}
		s.turns = s.turns[1:]
		s.done = max(s.done-1, 0)
	}
}
