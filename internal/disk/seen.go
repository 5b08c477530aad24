package disk

import "strconv"

// Seen records the files that the decision on a call depends on: the targets of its paths, and the
// text of the files that it runs. A program that starts the call itself calls Hold as its last
// step.
type Seen struct {
	View   *View
	Opened map[string][]byte // by path; nil for a file that is too large to keep
	open   func(path string) ([]byte, bool)
	keep   int
}

// See returns a Seen that reads files with open. It keeps files of at most keep bytes.
func See(v *View, keep int, open func(path string) ([]byte, bool)) *Seen {
	return &Seen{View: v, Opened: map[string][]byte{}, open: open, keep: keep}
}

// ReadFile reads a file, and makes Hold compare it.
func (s *Seen) ReadFile(path string) ([]byte, bool) {
	s.View.Watch(path)
	if s.View.Missing(path) {
		return nil, false
	}
	b, ok := s.open(path)
	if ok {
		s.Opened[path] = b
		if len(b) > s.keep {
			s.Opened[path] = nil
		}
	}
	return b, ok
}

// Peek reads a file whose text does not matter to the decision yet.
func (s *Seen) Peek(path string) ([]byte, bool) {
	if s.View.Missing(path) {
		return nil, false
	}
	return s.open(path)
}

// Hold returns a *ChangedError if a link leads elsewhere or a file was replaced since the decision.
// It returns nil for the nil Seen.
func (s *Seen) Hold() error {
	if s == nil {
		return nil
	}
	if path, changed := s.View.Changed(); changed {
		return &ChangedError{path}
	}
	return nil
}

// ChangedError means that a path changed after the call was judged.
type ChangedError struct{ Path string }

func (e *ChangedError) Error() string {
	return strconv.QuoteToASCII(e.Path) + " changed after umpire judged this call: make the call again"
}
