package shell

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

// Session has the effects of the session's earlier calls on files, and records those of this call.
// A record is "made", "fetched", "read", or "tree" for a folder that gets many files from
// elsewhere. Paths contain no links; times are in nanoseconds.
type Session interface {
	Made(path string) (at int64, ok bool)
	Fetched(path string) (at int64, read, ok bool)
	FetchedInto(path string) (dir string, at int64) // the innermost such folder that contains path; at is 0 if there is none
	FetchedBelow(dir string) map[string]int64       // single files in a folder, with their times
	Note(what, path string)
	NoteAt(what, path string, at int64)
}

const (
	// slack is the largest lag of a file system's clock, in nanoseconds.
	slack = 20e6
	// maxOwn bounds the files that are checked to learn whether the session made a folder.
	maxOwn = 1024
	// unpackTime and arrivalTime bound how long after its start a download puts new names next to
	// others, in nanoseconds. unpackTime is cautious, because it lets a delete pass; arrivalTime is
	// generous, because it causes a question.
	unpackTime, arrivalTime = 60e9, 600e9
)

// where returns the target of a path, if there is exactly one and it is known.
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

// remember notes an operation on a file, and marks a delete if the session made everything that it
// removes.
func (sh *shell) remember(op *umpire.Operation) {
	s := sh.env.Session
	if s == nil || !sh.local() || op.Traits&(umpire.Remote|umpire.Container|umpire.Inert) != 0 {
		return
	}
	switch op.Kind {
	case umpire.Write:
		resource, inside := strings.CutSuffix(op.Resource, "/"+umpire.Hole) // names in an archive
		real, ok := sh.where(resource, true)
		if !ok || inside && (op.Places&umpire.PlaceTemp != 0 || sh.paths.view.Lstat(real).Kind != disk.None) {
			return
		}
		if op.Traits&(umpire.FromNetwork|umpire.Download) != 0 && op.Traits&umpire.Recursive == 0 {
			s.Note("fetched", real)
		}
		if op.Traits&(umpire.FromNetwork|umpire.Recursive) == umpire.FromNetwork|umpire.Recursive {
			s.Note("tree", real)
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
		if sh.madeBySession(op.Resource) {
			op.Places |= umpire.PlaceMade
		}
	}
}

// replaces reports whether a write replaces the content of a plain file in the home folder, outside
// the project. The old content is lost, as with a delete. Histories, caches, the states of clients
// and the sources of other projects have places of their own and change all the time. Programs
// write their state, a log or the content of bin again.
func (sh *shell) replaces(op *umpire.Operation) bool {
	const plain = umpire.PlaceInHome | umpire.PlaceOutside
	if op.Kind != umpire.Write || op.Traits&umpire.Truncate == 0 || op.Places&^umpire.PlaceHomeTop != plain || !sh.local() {
		return false
	}
	real, ok := sh.where(op.Resource, true)
	if !ok || path.Base(path.Dir(real)) == "bin" || strings.Contains(real, "/.local/state/") || path.Ext(real) == ".log" || path.Ext(real) == ".pid" {
		return false
	}
	i := sh.paths.view.Lstat(real)
	return i.Kind == disk.Regular && i.Size > 0
}

// makes notes the topmost folder of a path that does not exist yet, or the path itself.
func (sh *shell) makes(real string) {
	if sh.env.Session == nil {
		return
	}
	if top, ok := sh.firstNew(real); ok {
		sh.env.Session.Note("made", top)
	}
}

// firstNew returns the topmost folder of a path that does not exist yet, or the path itself.
func (sh *shell) firstNew(real string) (string, bool) {
	v := sh.paths.view
	if v.Lstat(real).Kind != disk.None || v.Lstat("/").Kind == disk.None {
		return "", false
	}
	for up := path.Dir(real); up != "/" && up != "." && v.Lstat(up).Kind == disk.None; up = path.Dir(real) {
		real = up
	}
	return real, true
}

// madeBySession reports whether the session made everything at a path: the session's notes say so,
// and every file there was created since. A moved file is older, so it counts as another's.
func (sh *shell) madeBySession(abs string) bool {
	s, v := sh.env.Session, sh.paths.view
	abs = strings.TrimSuffix(abs, "/*")
	real, ok := sh.where(abs, false)
	if !ok || v.Lstat(real).Kind == disk.None {
		return false
	}
	since := int64(0)
	for p := real; p != "/" && p != "."; p = path.Dir(p) {
		if at, ok := s.Made(p); ok {
			if !bornSince(v.Lstat(p), at) {
				return false
			}
			since = at
			break
		}
	}
	if dir, at := s.FetchedInto(real); since == 0 && at != 0 {
		if v.Lstat(childOf(dir, real)).Born < at+unpackTime { // a later file may come from someone else
			since = at
		}
	}
	if since == 0 {
		return false
	}
	seen := 0
	for todo := []string{real}; len(todo) > 0; todo = todo[1:] {
		i := v.Lstat(todo[0])
		if seen++; seen > maxOwn || !bornSince(i, since) {
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

// absent reports whether there is nothing at a path on the disk, and nothing in this call may bring
// it there: a checkout or an archive may bring a link to something that must not be deleted.
func (sh *shell) absent(abs string) bool {
	abs = strings.TrimSuffix(abs, "/*")
	real, ok := sh.where(abs, false)
	return ok && real == abs && sh.isMissing(real) && len(sh.moved) == 0 && len(sh.links) == 0 && !slices.ContainsFunc(sh.ops, func(o umpire.Operation) bool {
		return o.Kind == umpire.Git || o.Kind == umpire.Write && (o.Traits&(umpire.Recursive|umpire.Unknown) != 0 || strings.HasPrefix(o.Resource, real))
	})
}

// bornSince reports whether a file was created after a time. It returns false if the file system
// does not record that.
func bornSince(i disk.Info, at int64) bool { return i.Born != 0 && i.Born+slack >= at }

// childOf returns the entry of dir that is path or contains it.
func childOf(dir, below string) string {
	for path.Dir(below) != dir {
		below = path.Dir(below)
	}
	return below
}

// fetched returns the taint of a file that an earlier call of the session downloaded. A file that
// someone else changed since stays tainted.
func (sh *shell) fetched(w command.Word) command.Taint {
	real, i, ok := sh.remembered(w)
	if !ok {
		return 0
	}
	if t := sh.downloaded(real, i); t != 0 {
		return t
	}
	if sh.unpacked(real, i) {
		return command.Fetched
	}
	return 0
}

// fetchedAlone is like fetched, but only for single downloads. The files of a clone or an archive
// are the sources of a project.
func (sh *shell) fetchedAlone(w command.Word) command.Taint {
	real, i, ok := sh.remembered(w)
	if !ok {
		return 0
	}
	return sh.downloaded(real, i)
}

// remembered finds a regular file on this machine that the session may have notes about.
func (sh *shell) remembered(w command.Word) (real string, i disk.Info, ok bool) {
	if sh.env.Session == nil || !sh.local() || !w.Known() {
		return "", i, false
	}
	abs, _ := sh.spelling(w)
	if real, ok = sh.where(abs, true); !ok {
		return "", i, false
	}
	i = sh.paths.view.Lstat(real)
	return real, i, i.Kind == disk.Regular
}

// downloaded returns the taint of a file that was downloaded under its name.
func (sh *shell) downloaded(real string, i disk.Info) command.Taint {
	at, read, ok := sh.env.Session.Fetched(real)
	switch {
	case !ok || i.Change+slack < at: // the download did not happen
		return 0
	case read:
		return command.Fetched
	}
	return command.FromNetwork
}

// copiesFetched notes that a file gets the content of a file that the session downloaded and read,
// or that came with a clone: running the copy needs the same question.
func (sh *shell) copiesFetched(abs string, t command.Taint) {
	s := sh.env.Session
	if s == nil || !sh.local() || t&(command.Fetched|command.FromNetwork) != command.Fetched {
		return
	}
	if real, ok := sh.where(abs, true); ok {
		s.Note("fetched", real)
		s.Note("read", real)
	}
}

// unpacked reports whether a file came with a clone or out of a downloaded archive: it was created
// since, and the session did not write it. Files that package managers install and compilers build
// there do not count.
func (sh *shell) unpacked(real string, i disk.Info) bool {
	s := sh.env.Session
	dir, at := s.FetchedInto(real)
	if at == 0 || cmp.Or(i.Born, i.Change)+slack < at {
		return false
	}
	if v := sh.paths.view; !cameWithDownload(v.Lstat(dir), v.Lstat(childOf(dir, real)), at) {
		return false
	}
	for p := real; p != dir && p != "/" && p != "."; p = path.Dir(p) {
		if made, ok := s.Made(p); ok && made > at {
			return false
		}
		if anyof.Equal(path.Base(p), "node_modules", "site-packages", ".venv", "venv") {
			return false
		}
	}
	if sh.placesOf(real)&umpire.PlaceGenerated == 0 {
		return true
	}
	_, text := sh.disk(real)
	return text
}

// movesFetched notes the new name of a folder that was downloaded, or that contains downloaded
// files.
func (sh *shell) movesFetched(abs, was string) {
	if sh.env.Session == nil || !sh.local() {
		return
	}
	if to, ok := sh.where(abs, true); ok && sh.paths.view.Lstat(to).Kind == disk.Folder {
		abs = path.Join(abs, path.Base(was))
	}
	sh.renamesFetched(abs, was)
}

// renamesFetched is like movesFetched for a move whose new name is known.
func (sh *shell) renamesFetched(abs, was string) {
	s := sh.env.Session
	if s == nil || !sh.local() {
		return
	}
	from, ok := sh.where(was, false)
	to, known := sh.where(abs, true)
	if !ok || !known || sh.paths.view.Lstat(from).Kind != disk.Folder {
		return
	}
	if _, at := s.FetchedInto(from + "/x"); at != 0 {
		s.NoteAt("tree", to, at)
	}
	for file, at := range s.FetchedBelow(from) {
		name := to + strings.TrimPrefix(file, from)
		s.NoteAt("fetched", name, at)
		if _, read, _ := s.Fetched(file); read {
			s.Note("read", name)
		}
	}
}

// cameWithDownload reports whether top, an entry of dir, may have come with a download into dir at
// time at. A dir that existed before also has other files.
func cameWithDownload(dir, top disk.Info, at int64) bool {
	return bornSince(dir, at) || cmp.Or(top.Born, top.Change) <= at+arrivalTime
}

// fetchedInto notes the folder that a downloaded archive is unpacked to. abs is a path in it whose
// last part is unknown.
func (sh *shell) fetchedInto(abs string) {
	dir, ok := strings.CutSuffix(abs, "/"+umpire.Hole)
	if s := sh.env.Session; ok && s != nil && sh.local() {
		if real, ok := sh.where(dir, true); ok {
			s.Note("tree", real)
		}
	}
}
