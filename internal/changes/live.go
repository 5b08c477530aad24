package changes

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/umpire-dev/umpire/internal/host"
)

// Outcome is the state of a question.
type Outcome uint8

// The outcomes.
const (
	Open    Outcome = iota
	Written         // it was approved, and the project has it
	Refused
	Lapsed // answered for other file versions, or too late
)

// Approver decides on changes while the program runs, and writes the approved ones.
type Approver interface {
	// Check returns the decision of the rules on a change: Written, Refused, or Open if umpire must
	// ask a person.
	Check(ctx context.Context, set []*Change) (Outcome, error)
	// Ask requests a set, which is written once approved, and returns the question's ID.
	Ask(ctx context.Context, set []*Change) (id string, err error)
	// Answers returns the states of questions. A missing one is Open.
	Answers(ctx context.Context, ids []string) (map[string]Outcome, error)
	// Cancel withdraws a question.
	Cancel(ctx context.Context, id string) error
}

// Limits of a Live.
const (
	shortest = 300 * time.Millisecond // shortest pause between two passes
	longest  = 15 * time.Second
	share    = 20   // a pass may take one part in this many of the time
	maxOpen  = 100  // concurrent questions; the rest waits for the review
	maxTick  = 2000 // changes per pass
)

// Live watches the changes of a running program. It saves the project's files as they were and,
// with an Approver, writes approved changes at once. It does not touch the overlay: the program
// sees its own version of every file, which an approval makes the project's.
type Live struct {
	box   *Box
	judge Approver // nil: nothing is written

	last  map[string]mark // state at the last pass
	asked map[string]mark // versions that were already submitted
	alone map[string]bool // changes of a set that failed: submit each separately
	open  map[string][]*Change
	bases int

	Done, Refusals int // number of written and refused changes
	Err            error
}

// mark distinguishes two versions of a change without reading them.
type mark struct {
	what     What
	from, in string
	up, low  stat
}

func markOf(e *ChangedPath) mark {
	return mark{e.What, e.From, e.In, e.up, stat{kind: e.low.kind}}
}

// Watch returns a Live for a run that is about to begin.
func (b *Box) Watch(j Approver) *Live {
	b.seen = map[string]seen{}
	return &Live{box: b, judge: j, last: map[string]mark{}, asked: map[string]mark{}, alone: map[string]bool{}, open: map[string][]*Change{}}
}

// Run makes passes until the context ends.
func (l *Live) Run(ctx context.Context) {
	wait := shortest
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		began := time.Now()
		if err := l.compare(ctx, false); ctx.Err() == nil {
			l.Err = err // retried in the next pass
		}
		wait = min(max(shortest, share*time.Since(began)), longest)
	}
}

// Finish makes a last pass after the program has ended, and returns the number of open questions.
// With cancel, it withdraws them.
func (l *Live) Finish(ctx context.Context, cancel bool) (open int, err error) {
	if l.judge == nil {
		return 0, l.Err
	}
	for range 3 { // what rules allow is written in this pass, or in the next
		if err := l.compare(ctx, true); err != nil {
			return len(l.open), err
		}
	}
	if !cancel {
		return len(l.open), nil
	}
	for id := range l.open {
		if err := l.judge.Cancel(ctx, id); err != nil {
			return len(l.open), err
		}
	}
	return 0, l.settleAnswers(ctx) // count answers that arrived before
}

// compare compares all changes once. A change since the last pass waits for the next: the program may
// be in the middle of it.
func (l *Live) compare(ctx context.Context, last bool) error {
	if l.judge != nil {
		if err := l.settleAnswers(ctx); err != nil {
			return err
		}
	}
	list, err := l.box.List(ctx)
	if err != nil {
		return err
	}
	now := make(map[string]mark, len(list))
	var calm []ChangedPath
	for i := range list {
		e := &list[i]
		m := markOf(e)
		now[key(e)] = m
		if before, ok := l.last[key(e)]; e.Not == "" && (last || ok && before == m) {
			calm = append(calm, *e)
		}
	}
	l.last = now
	maps.DeleteFunc(l.asked, func(k string, _ mark) bool { _, ok := now[k]; return !ok })
	maps.DeleteFunc(l.alone, func(k string, _ bool) bool { _, ok := now[k]; return !ok })
	w, err := l.box.openToRead()
	if err != nil {
		return err
	}
	defer w.Close()
	if err := l.keepBases(w, list); err != nil || l.judge == nil {
		return err
	}
	if err := l.takeBack(ctx, list); err != nil {
		return err
	}
	InOrder(calm)
	return l.submit(ctx, w, calm)
}

func key(e *ChangedPath) string { return string(e.What) + " " + e.Path }

// keepBases stores the project's version of files that the program has begun to change: if someone
// also edits one there, people can see both sides.
func (l *Live) keepBases(w *Writer, list []ChangedPath) error {
	for i := range list {
		e := &list[i]
		if e.What != Changed || e.Kind != host.File || e.Clash || e.Not != "" || e.low.size > maxBase || e.low.since(l.box.Started) || l.bases >= maxBases {
			continue
		}
		name := filepath.Join(l.box.State, baseFile(e.Path))
		if _, err := os.Lstat(name); err == nil {
			continue
		}
		data, _, err := w.low.Read(e.Path)
		if err != nil {
			continue // it is disappearing, or unreadable: there is no other side to show
		}
		if since, err := changedSince(l.box.Dir, e.Path, l.box.Started); err != nil || since {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := l.box.writeFile(baseFile(e.Path), data); err != nil {
			return err
		}
		l.bases++
	}
	return nil
}

// takeBack withdraws questions about outdated changes.
func (l *Live) takeBack(ctx context.Context, list []ChangedPath) error {
	there := make(map[string]bool, len(list))
	for i := range list {
		there[key(&list[i])] = true
	}
	for id, set := range l.open {
		if slices.ContainsFunc(set, func(c *Change) bool { return there[key(&c.ChangedPath)] }) {
			continue
		}
		if err := l.judge.Cancel(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// submit submits the changes without a decision in their current version.
func (l *Live) submit(ctx context.Context, w *Writer, calm []ChangedPath) error {
	g := l.grouped(calm)
	var free []*Change // sets of changes that rules allow
	n := 0
	for i := range calm {
		e := &calm[i]
		if g.withOthers(e) || l.asked[key(e)] == l.last[key(e)] {
			continue
		}
		if n++; n > maxTick {
			break
		}
		unit := g.unit(e)
		set, err := w.readAll(unit)
		if errors.Is(err, errLarge) {
			l.mark(unit) // leave it to the review
		}
		if err != nil {
			continue // it is changing: leave it to the next pass
		}
		says, err := l.judge.Check(ctx, set)
		switch {
		case errors.Is(err, ErrClash):
			l.mark(unit)
		case err != nil:
			return err
		case says == Written:
			l.mark(unit)
			if err := l.gather(ctx, &free, set, l.alone[key(e)]); err != nil {
				return err
			}
		case says == Refused:
			l.mark(unit)
			l.Refusals += len(set)
		case len(l.open) < maxOpen:
			id, err := l.judge.Ask(ctx, set)
			if l.mark(unit); err == nil {
				l.open[id] = set
			} else if !errors.Is(err, ErrClash) {
				return err
			}
		}
	}
	return l.flush(ctx, &free)
}

// groups records which changes belong together.
type groups struct {
	removed map[string][]ChangedPath // content of removed folders
	moving  map[string]bool          // removed folders from which something is still to be moved
	filled  map[string]bool          // new folders that come with their content
}

func (l *Live) grouped(calm []ChangedPath) groups {
	g := groups{removed: map[string][]ChangedPath{}, moving: map[string]bool{}, filled: map[string]bool{}}
	for k := range l.last {
		if m := l.last[k]; m.what == Renamed && m.in != "" {
			g.moving[m.in] = true
		}
	}
	for i := range calm {
		e := &calm[i]
		if e.What == Deleted {
			if e.In != "" {
				g.removed[e.In] = append(g.removed[e.In], *e)
			}
			continue
		}
		for dir := path.Dir(e.Path); dir != "." && !g.filled[dir]; dir = path.Dir(dir) {
			g.filled[dir] = true
		}
	}
	return g
}

// withOthers reports whether e is not submitted separately: it conflicts, or belongs to a folder.
func (g groups) withOthers(e *ChangedPath) bool {
	return e.Clash || e.What == Deleted && (e.In != "" || g.moving[e.Path]) || e.What == Created && e.Kind == host.Folder && g.filled[e.Path]
}

// unit returns e, or for a removed folder all of its content, the bottom first.
func (g groups) unit(e *ChangedPath) []ChangedPath {
	if e.What != Deleted {
		return []ChangedPath{*e}
	}
	return append(g.removed[e.Path], *e)
}

// gather adds changes to those that rules allow. A set that must stay separate is submitted at
// once.
func (l *Live) gather(ctx context.Context, free *[]*Change, set []*Change, alone bool) error {
	if alone {
		if err := l.flush(ctx, free); err != nil {
			return err
		}
		*free = set
		return l.flush(ctx, free)
	}
	for _, c := range set {
		if !Room(*free, c) || len(*free) > 0 && len(*free)+len(set) > host.MaxChanges {
			if err := l.flush(ctx, free); err != nil {
				return err
			}
		}
		*free = append(*free, c)
	}
	return nil
}

// flush submits the changes that rules allow, as one set.
func (l *Live) flush(ctx context.Context, free *[]*Change) error {
	set := *free
	if *free = nil; len(set) == 0 {
		return nil
	}
	id, err := l.judge.Ask(ctx, set)
	if errors.Is(err, ErrClash) { // someone is editing; the next pass finds a conflict
		return nil
	}
	if err == nil {
		l.open[id] = set
	}
	return err
}

func (l *Live) mark(unit []ChangedPath) {
	for i := range unit {
		l.asked[key(&unit[i])] = l.last[key(&unit[i])]
	}
}

var errLarge = errors.New("the set has too many changes")

func (w *Writer) readAll(list []ChangedPath) (set []*Change, err error) {
	for i := range list {
		if list[i].Size > host.MaxContent && list[i].What != Deleted {
			return nil, errLarge
		}
		c, err := w.Read(&list[i], false)
		if err == nil && list[i].instead && w.taken(c.Path) {
			err = errors.New("apply the earlier change to this path first")
		}
		if err != nil {
			return nil, err
		}
		if c.Old = nil; !Room(set, c) || len(c.Step.Content) > host.MaxContent {
			return nil, errLarge
		}
		set = append(set, c)
	}
	return set, nil
}

// settleAnswers records the outcome of questions.
func (l *Live) settleAnswers(ctx context.Context) error {
	if len(l.open) == 0 {
		return nil
	}
	answers, err := l.judge.Answers(ctx, slices.Collect(maps.Keys(l.open)))
	if err != nil {
		return err
	}
	for id, a := range answers {
		set := l.open[id]
		switch a {
		case Open:
			continue
		case Written:
			more := map[string]settledPath{}
			for _, c := range set {
				c.recordWritten(more)
			}
			if err := l.box.recordOutcomes(more); err != nil {
				return err
			}
			l.Done += len(set)
		case Refused:
			l.Refusals += len(set)
		case Lapsed:
			for _, c := range set {
				if k := key(&c.ChangedPath); len(set) > 1 && !l.alone[k] {
					l.alone[k] = true
					delete(l.asked, k)
				}
			}
		}
		delete(l.open, id)
	}
	return nil
}
