package shell

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Session is what earlier calls of the session did to files, and takes notes of what this
// one is about to do: "made", "fetched" or "read". Paths have no links; times are in
// nanoseconds.
type Session interface {
	Made(path string) (at int64, ok bool)
	Fetched(path string) (at int64, read, ok bool)
	Note(what, path string)
}

const (
	// slack is how far the clock of a file system may be behind, in nanoseconds.
	slack = 20e6
	// maxOwn bounds the files that are looked at to learn whether the session made a folder.
	maxOwn = 1024
)

// where tells the one place that a path leads to, if it is known.
func (sh *shell) where(abs string, follow bool) (string, bool) {
	if strings.Contains(abs, umpire.Hole) || hasGlob(abs) && sh.paths.view.Lstat(abs).Kind == disk.None {
		return "", false
	}
	faces := sh.paths.view.Resolve(abs, follow)
	if len(faces) != 1 || faces[0].Glob {
		return "", false
	}
	return faces[0].Path, true
}

// remember takes notes of an operation on a file, and says of a delete whether the session
// made what goes.
func (sh *shell) remember(op *umpire.Operation) {
	s := sh.env.Session
	if s == nil || !sh.local() || op.Traits&(umpire.Remote|umpire.Container|umpire.Inert) != 0 {
		return
	}
	switch op.Kind {
	case umpire.Write:
		real, ok := sh.where(op.Resource, true)
		if !ok {
			return
		}
		if op.Traits&(umpire.FromNetwork|umpire.Download) != 0 && op.Traits&umpire.Recursive == 0 {
			s.Note("fetched", real)
		}
		if op.Places&(umpire.PlaceTemp|umpire.PlaceGenerated|umpire.PlaceNull) == 0 {
			sh.makes(real)
		}
	case umpire.Read:
		real, ok := sh.where(op.Resource, true)
		if !ok {
			return
		}
		if _, read, ok := s.Fetched(real); ok && !read {
			s.Note("read", real)
		}
	case umpire.Delete:
		if sh.own(op.Resource) {
			op.Places |= umpire.PlaceMade
		}
	}
}

// makes notes the topmost folder of a path that does not exist yet, or the path itself.
func (sh *shell) makes(real string) {
	v := sh.paths.view
	if sh.env.Session == nil || v.Lstat(real).Kind != disk.None || v.Lstat("/").Kind == disk.None {
		return
	}
	for up := path.Dir(real); up != "/" && up != "." && v.Lstat(up).Kind == disk.None; up = path.Dir(real) {
		real = up
	}
	sh.env.Session.Note("made", real)
}

// own reports whether the session made all that lies at a path: it says so itself, and every
// file there was born since. A file that was moved there is older, so that it counts as
// what it was.
func (sh *shell) own(abs string) bool {
	s, v := sh.env.Session, sh.paths.view
	abs = strings.TrimSuffix(abs, "/*")
	real, ok := sh.where(abs, false)
	if !ok || v.Lstat(real).Kind == disk.None {
		return false
	}
	since := int64(0)
	for p := real; p != "/" && p != "."; p = path.Dir(p) {
		if at, ok := s.Made(p); ok {
			if v.Lstat(p).Born+slack < at {
				return false
			}
			since = at
			break
		}
	}
	if since == 0 {
		return false
	}
	seen := 0
	for todo := []string{real}; len(todo) > 0; todo = todo[1:] {
		i := v.Lstat(todo[0])
		if seen++; seen > maxOwn || i.Born+slack < since {
			return false
		}
		if i.Kind != disk.Folder {
			continue
		}
		names, whole := v.Names(todo[0])
		if !whole {
			return false
		}
		for _, n := range names {
			todo = append(todo, path.Join(todo[0], n.Name))
		}
	}
	return true
}

// fetched tells the taint of a file that an earlier call of the session downloaded. One that
// was changed since by somebody else is tainted still.
func (sh *shell) fetched(w command.Word) command.Taint {
	s := sh.env.Session
	if s == nil || !sh.local() || !w.Known() {
		return 0
	}
	abs, _ := sh.spelling(w)
	real, ok := sh.where(abs, true)
	if !ok {
		return 0
	}
	at, read, ok := s.Fetched(real)
	if i := sh.paths.view.Lstat(real); !ok || i.Kind != disk.Regular || i.Change+slack < at {
		return 0 // the download did not happen
	}
	if read {
		return command.Fetched
	}
	return command.FromNetwork
}
