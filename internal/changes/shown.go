package changes

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/umpire-dev/umpire/internal/host"
)

const (
	shownFile = "shown.json"
	maxShown  = 10_000 // paths; no one reads more differences
)

// shownPath is the version of a path that a person saw.
type shownPath struct {
	Box  host.FileState `json:"box"`
	Base host.FileState `json:"base"`
}

var (
	// ErrShown means that a change differs from the one that was shown.
	ErrShown = errors.New("it changed after it was shown: review it again with `umpire changes show`")
	// ErrUnseen means that no one saw the hunks of a file, so their numbers mean nothing.
	ErrUnseen = errors.New("its hunks were not shown yet: see `umpire changes show`, which numbers them")
)

func (b *Box) shown() (map[string]shownPath, error) {
	out := map[string]shownPath{}
	err := b.readFile(shownFile, func(r io.Reader) error { return json.NewDecoder(r).Decode(&out) })
	return out, err
}

// shownKey identifies a path in the shown changes. A deletion that makes room for a new path of the
// same name has a separate key.
func shownKey(p string, deleted bool) string {
	if deleted {
		return p + "/"
	}
	return p
}

// Show records the displayed changes, so that exactly these can be written later. A change that
// was not shown is not written.
func (w *Writer) Show(list []*Change, not ...*ChangedPath) error {
	all, err := w.b.shown()
	if err != nil {
		return err
	}
	note := func(e *ChangedPath, s shownPath) {
		if key := shownKey(e.Path, e.What == Deleted); len(all) < maxShown || all[key] != (shownPath{}) {
			all[key] = s
		}
	}
	for _, c := range list {
		note(&c.ChangedPath, shownPath{c.Box, c.Step.Base})
	}
	for _, e := range not {
		note(e, shownPath{Box: host.FileState{Kind: host.Other}, Base: host.FileState{Kind: host.Other}})
	}
	return w.saveShown(all)
}

func (w *Writer) saveShown(all map[string]shownPath) error {
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	w.seen = all
	return w.b.writeFile(shownFile, data)
}

// AsShown returns an error if a change differs from the one that was shown. A change that was never
// shown passes.
func (w *Writer) AsShown(c *Change) (was bool, err error) {
	s, ok := w.seen[shownKey(c.Path, c.What == Deleted)]
	_, other := w.seen[shownKey(c.Path, c.What != Deleted)]
	if ok && (s.Box != c.Box || s.Base != c.Step.Base) || !ok && other {
		return true, ErrShown
	}
	return ok, nil
}
