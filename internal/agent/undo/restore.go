package undo

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/umpire-dev/umpire/internal/agent/file"
)

// Plan returns the changes that Undo would make. It changes nothing.
func (s *Store) Plan(n int) (Report, error) { return s.undo(n, false, true) }

// Undo undoes the last n turns. It does not touch files that someone else has changed since, unless
// confirmed is set.
func (s *Store) Undo(n int, confirmed bool) (Report, error) { return s.undo(n, confirmed, false) }

func (s *Store) undo(n int, confirmed, dry bool) (r Report, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n < 1 || n > s.done {
		return r, fmt.Errorf("%d turns can be undone", s.done)
	}
	turns := s.turns[s.done-n : s.done]
	for _, t := range slices.Backward(turns) {
		r.Turns = append(r.Turns, t.Label)
	}
	s.each(turns, &r, confirmed, dry, func(chain []*FileChange) (expect, want FileState) {
		return chain[len(chain)-1].After, chain[0].Before
	})
	if dry {
		return r, nil
	}
	removeDirs(turns)
	s.done -= n
	return r, s.save()
}

// Redo repeats the last n undone turns.
func (s *Store) Redo(n int, confirmed bool) (r Report, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n < 1 || n > len(s.turns)-s.done {
		return r, fmt.Errorf("%d turns can be redone", len(s.turns)-s.done)
	}
	turns := s.turns[s.done : s.done+n]
	for _, t := range turns {
		r.Turns = append(r.Turns, t.Label)
	}
	s.each(turns, &r, confirmed, false, func(chain []*FileChange) (expect, want FileState) {
		return chain[0].Before, chain[len(chain)-1].After
	})
	s.done += n
	return r, s.save()
}

// each restores the files of some turns. ends returns, for the entries of a file, oldest first, the
// expected current state and the state to restore.
func (s *Store) each(turns []Turn, r *Report, confirmed, dry bool, ends func([]*FileChange) (expect, want FileState)) {
	chains := map[string][]*FileChange{}
	for i := range turns {
		for k := range turns[i].Files {
			e := &turns[i].Files[k]
			chains[e.Path] = append(chains[e.Path], e)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(chains)) {
		chain := chains[path]
		fail := func(err error) { r.Failed = append(r.Failed, fmt.Sprintf("%s: %v", path, err)) }
		f, err := file.Open(path)
		if err != nil {
			fail(err)
			continue
		}
		expect, want := ends(chain)
		foreign := f.Sum() != expect.Sum || broken(chain)
		switch {
		case f.Sum() == want.Sum: // already restored
		case foreign && !confirmed:
			r.Changed = append(r.Changed, path)
			if !dry {
				for _, e := range chain {
					e.Left = true
				}
			}
		case dry:
			r.Restored = append(r.Restored, path)
		default:
			if foreign {
				r.Changed = append(r.Changed, path)
			}
			if err := s.restore(f, want); err != nil {
				fail(err)
				break
			}
			r.Restored = append(r.Restored, path)
			for _, e := range chain {
				e.Left = false
			}
		}
		f.Close()
	}
}

// removeDirs removes the folders that turns created, if they are empty.
func removeDirs(turns []Turn) {
	var dirs []string
	for i := range turns {
		for k := range turns[i].Files {
			dirs = append(dirs, turns[i].Files[k].Dirs...)
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return len(b) - len(a) }) // nested entries first
	for _, dir := range slices.Compact(dirs) {
		above, err := file.OpenDir(filepath.Dir(dir))
		if err != nil {
			continue // it was removed, or a link leads elsewhere now
		}
		if fi, err := above.Lstat(filepath.Base(dir)); err == nil && fi.IsDir() {
			_ = above.Remove(filepath.Base(dir)) // it stays if it is not empty
		}
		_ = above.Close()
	}
}

// broken reports whether someone else changed a file between two turns.
func broken(chain []*FileChange) bool {
	for i, e := range chain {
		if e.Left || i > 0 && chain[i-1].After.Sum != e.Before.Sum {
			return true
		}
	}
	return false
}

// restore gives a file its target state.
func (s *Store) restore(f *file.File, want FileState) error {
	if want.Sum == "" {
		return f.Remove()
	}
	data, err := s.load(want)
	if err != nil {
		return err
	}
	return f.Restore(data, want.Mode)
}
