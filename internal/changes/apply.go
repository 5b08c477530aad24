package changes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/visible"
)

// ErrClash means that a file of the project differs from the version that the program saw.
var ErrClash = errors.New("it also changed in the project since the run began")

// Writer writes changes of a run to the project. Only one process can have it at a time. Close it.
type Writer struct {
	b       *Box
	up, low *host.Tree
	lock    *os.File
	known   map[string]settledPath
	seen    map[string]shownPath
	Ended   int // changes of a set that a killed process left unfinished, and that are complete now
}

// Open takes the lock for writing. It first completes a set of a killed process.
func (b *Box) Open(ctx context.Context) (*Writer, error) {
	lock, err := lockFile(filepath.Join(b.State, "changes.lock"))
	if err != nil {
		return nil, err
	}
	w, err := b.openToRead()
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	w.lock = lock
	if err := w.recover(ctx); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// openToRead opens a run to read its changes.
func (b *Box) openToRead() (w *Writer, err error) {
	w = &Writer{b: b}
	if err = os.MkdirAll(b.Upper(), 0o700); err == nil {
		w.up, err = host.OpenTree(b.Upper())
	}
	if err == nil {
		w.low, err = host.OpenTree(b.Dir)
	}
	if err == nil {
		w.known, err = b.settled()
	}
	if err == nil {
		w.seen, err = b.shown()
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// recover completes a set of a killed process.
func (w *Writer) recover(ctx context.Context) error {
	j, err := w.b.started()
	if err != nil || j == nil {
		return err
	}
	switch err := w.write(ctx, j); {
	case errors.Is(err, host.ErrConflict): // someone edited it in the meantime: their version stays, and the change stays pending
		return w.b.end()
	case err != nil && !errors.Is(err, host.ErrLeft):
		return fmt.Errorf("a set of changes is half written, and cannot be finished: %w", err)
	}
	w.Ended = len(j.Set)
	return nil
}

// Close releases the lock for writing.
func (w *Writer) Close() {
	for _, t := range []*host.Tree{w.up, w.low} {
		if t != nil {
			t.Close()
		}
	}
	if w.lock != nil {
		_ = w.lock.Close()
	}
}

// Change is a ChangedPath with its content, read once, and bound to the project's state at that time.
type Change struct {
	ChangedPath
	Step host.Change    // the project's content of a file
	Old  []byte         // of a file: the project's content
	Box  host.FileState // the program's version
}

// Read reads the change of a ChangedPath. It returns ErrClash if the project's file changed since the
// run began, unless over is set.
func (w *Writer) Read(e *ChangedPath, over bool) (*Change, error) {
	c := &Change{ChangedPath: *e}
	s := &c.Step
	s.Path = e.Path
	var err error
	switch {
	case e.Not != "":
		return nil, errors.New(e.Not)
	case e.Clash && !over:
		return nil, ErrClash
	case e.What == Deleted:
		s.Op = host.Delete
	case e.What == Renamed:
		s.Op, s.From = host.Move, e.From
	case e.What == Mode:
		s.Op, s.Mode = host.Chmod, e.Mode
	case e.Kind == host.Folder:
		s.Op = host.Mkdir
	case e.Kind == host.Symlink:
		s.Op, s.Target = host.Link, e.Target
	default:
		s.Op = host.Write
		if s.Content, c.Box, err = w.up.Read(e.Path); err != nil {
			return nil, err
		}
		s.Mode = c.Box.Mode & 0o777
	}
	if e.What != Deleted && s.Op != host.Write {
		if c.Box, err = w.up.State(e.Path); err != nil {
			return nil, err
		}
		is := host.FileState{Kind: e.Kind, Target: e.Target}
		if c.Box.Kind != is.Kind || c.Box.Target != is.Target {
			return nil, errors.New("the program is changing it")
		}
	}
	if err := w.bind(c, over); err != nil {
		return nil, err
	}
	return c, nil
}

// bind binds a change to the current state of the project.
func (w *Writer) bind(c *Change, over bool) error {
	one := []host.Change{c.Step}
	if c.instead && w.taken(c.Path) { // until another change of the set deletes the old path
		return nil
	}
	if err := w.low.Bind(one); err != nil {
		return err
	}
	c.Step = one[0]
	s := &c.Step
	switch same := c.Box.Sum; {
	case s.Op == host.Move && same != s.Source.Sum, s.Op == host.Chmod && same != s.Base.Sum:
		return errors.New("the program is changing it")
	case s.Op == host.Write && s.Base.Kind == host.File:
		old, now, err := w.low.Read(s.Path)
		if err != nil {
			return err
		}
		if c.Old = old; now != s.Base {
			return fmt.Errorf("%s: %w", visible.Clip(s.Path, 200), host.ErrConflict)
		}
	}
	if over {
		return nil
	}
	// Someone may have edited it since the listing.
	at, base := s.Path, s.Base
	if s.Op == host.Move {
		at, base = s.From, s.Source
	}
	known, ok := w.known[at]
	switch {
	case ok && known.Host == base, base.Kind == host.Folder, base.Kind == host.Absent:
		return nil
	}
	since, err := changedSince(w.b.Dir, at, w.b.Started)
	if err == nil && since {
		err = ErrClash
	}
	return err
}

// taken reports whether the target of a change exists in the project.
func (w *Writer) taken(p string) bool {
	now, err := w.low.State(p)
	return err != nil || now.Kind != host.Absent
}

// Diff returns a complete change for people, with secrets masked.
func (w *Writer) Diff(c *Change) (string, error) { return w.low.Whole(&c.Step) }

// Only reduces a change of a file to one of its hunks. The rest stays pending.
func (c *Change) Only(hunks []host.Hunk) {
	c.Step.Content = host.Pick(c.Old, hunks)
}

// Hunks returns the changed blocks of a text; nil if the file is not text, is new, or was
// deleted.
func (c *Change) Hunks() []host.Hunk {
	if c.Step.Op != host.Write || c.Step.Base.Kind != host.File {
		return nil
	}
	return host.Hunks(c.Old, c.Step.Content)
}

// Part reduces a change of a file to the given hunks. The rest stays pending.
func (c *Change) Part(hunks []host.Hunk) {
	c.Step.Content = host.Pick(c.Old, hunks)
	c.Box = host.FileState{Kind: host.Other} // matches no version of the program, so none counts as settled
}

// Room reports whether a change fits into one set with the others.
func Room(set []*Change, c *Change) bool {
	size := len(c.Step.Content)
	for _, o := range set {
		size += len(o.Step.Content)
	}
	return len(set) == 0 || len(set) < host.MaxChanges && size <= host.MaxContent && set[0].first == c.first
}

// recordWritten records a change as written.
func (c *Change) recordWritten(all map[string]settledPath) {
	if c.Step.Op == host.Move {
		all[c.Step.From] = settledPath{}
	}
	if _, both := all[c.Path]; !both || c.What != Deleted {
		all[c.Path] = settledPath{Box: c.Box, Host: c.Step.After()}
	}
}

// Write writes a set of changes to the project: all of them or none.
func (w *Writer) Write(ctx context.Context, set []*Change) error {
	if w.lock == nil {
		return errors.New("this was opened only for reading")
	}
	j := &journal{ID: fmt.Sprintf("%s-%x", w.b.ID, time.Now().UnixNano()), Settled: map[string]settledPath{}}
	for _, c := range set {
		j.Set = append(j.Set, c.Step)
		c.recordWritten(j.Settled)
	}
	if err := w.b.begin(j); err != nil {
		return err
	}
	w.b.at("set noted")
	err := w.write(ctx, j)
	if err != nil && !errors.Is(err, host.ErrHalf) { // otherwise the next process retries
		err = errors.Join(err, w.b.end())
	}
	return err
}

func (w *Writer) write(ctx context.Context, j *journal) error {
	w.low.OnStep(w.b.at)
	left := w.low.Apply(ctx, j.ID, j.Set)
	if left != nil && !errors.Is(left, host.ErrLeft) {
		return left
	}
	w.b.at("set written")
	if err := w.b.recordOutcomes(j.Settled); err != nil {
		return errors.Join(err, host.ErrHalf)
	}
	w.b.at("set settled")
	known, forget := len(w.seen), w.seen
	for p, s := range j.Settled {
		delete(forget, shownKey(p, s.Box.Kind == host.Absent))
		w.known[p] = s
	}
	if len(forget) != known { // the rest is a different change
		if err := w.saveShown(forget); err != nil {
			return err
		}
	}
	return errors.Join(left, w.b.end())
}

// WriteAll writes the changes of Entries, in as many sets as needed, and calls skipped for
// those that it leaves out.
func (w *Writer) WriteAll(ctx context.Context, list []ChangedPath, over bool, skipped func(*ChangedPath, error)) (n int, err error) {
	var set []*Change
	flush := func() error {
		if len(set) == 0 {
			return nil
		}
		err := w.Write(ctx, set)
		if err == nil {
			n += len(set)
		}
		set = nil
		return err
	}
	left := map[string]bool{} // folders in which something stays
	skip := func(e *ChangedPath, err error) {
		for _, p := range []string{e.Path, e.From} {
			for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
				left[dir] = true
			}
		}
		skipped(e, err)
	}
	list = slices.Clone(list)
	InOrder(list)
	for i := range list {
		e := &list[i]
		if e.What == Deleted && left[e.Path] {
			skip(e, errors.New("it is not empty"))
			continue
		}
		if len(set) > 0 && set[0].first && !e.first { // the next changes need their place
			if err := flush(); err != nil {
				return n, err
			}
		}
		c, err := w.Read(e, over)
		if err == nil {
			_, err = w.AsShown(c)
		}
		if err != nil {
			skip(e, err)
			continue
		}
		c.Old = nil
		if !Room(set, c) {
			if err := flush(); err != nil {
				return n, err
			}
		}
		set = append(set, c)
	}
	return n, flush()
}

// InOrder sorts Entries into a possible order: deletions that make room, moves, new files, and
// other deletions from the bottom up.
func InOrder(list []ChangedPath) {
	rank := func(e *ChangedPath) int {
		switch {
		case e.first:
			return 0
		case e.What == Renamed:
			return 1
		case e.What != Deleted:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(list, func(x, y ChangedPath) int {
		a, b := rank(&x), rank(&y)
		if a != b {
			return a - b
		}
		if a == 0 || a == 3 {
			return strings.Compare(y.Path, x.Path)
		}
		return strings.Compare(x.Path, y.Path)
	})
}

// Drop settles Entries without writing them: they are no longer listed, unless the program changes
// them again.
func (w *Writer) Drop(list []ChangedPath) error {
	more := map[string]settledPath{}
	for i := range list {
		e := &list[i]
		box, err := boxState(w.up, e)
		if err != nil {
			return err
		}
		low, err := w.low.State(e.Path)
		if err != nil {
			return err
		}
		if _, both := more[e.Path]; !both || e.What != Deleted {
			more[e.Path] = settledPath{Box: box, Host: low}
		}
		if e.What == Renamed {
			if low, err = w.low.State(e.From); err != nil {
				return err
			}
			more[e.From] = settledPath{Host: low}
		}
	}
	return w.b.recordOutcomes(more)
}

// DropPart removes hunks from the program's version of a file, after the program has ended.
func (w *Writer) DropPart(ctx context.Context, c *Change, keep []host.Hunk) error {
	set := []host.Change{{Op: host.Write, Path: c.Path, Content: host.Pick(c.Old, keep), Mode: c.Step.Mode}}
	if err := w.up.Bind(set); err != nil {
		return err
	}
	return w.up.Apply(ctx, fmt.Sprintf("%x", time.Now().UnixNano()), set)
}
