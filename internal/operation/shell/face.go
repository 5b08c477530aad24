package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// A path has two faces: its spelling, and its current target in the file system. An operation on a
// path that leads elsewhere is emitted twice, once for each face, so that a deny or ask applies to
// either face and an allow needs both.

// mild are the places with milder rules. A path is in such a place only if both faces are; it is in
// any other place if either face is.
const mild = umpire.PlaceInWorkspace | umpire.PlaceGenerated | umpire.PlaceTemp | umpire.PlaceNull | umpire.PlaceTrash | umpire.PlaceCache | umpire.PlaceAgentState | umpire.PlaceWorktree

// Limits on the paths that one reading remembers.
const (
	maxSpellings = 64   // of one path
	maxPaths     = 1024 // in total
)

// paths holds both faces of the paths in one reading.
type paths struct {
	view      *disk.View
	roots     []root
	behind    bool                // a link leads to one of the roots
	real      place.Map           // the roots where they are
	known     bool                // roots and real are set
	spellings map[string][]string // a path's spellings that are not clean, by its clean form
	judged    map[string]both
	resolved  map[[2]string]resolved // by folder and text, of paths on this machine
	listed    [2]int                 // folders and names, of all trees
	trees     map[string][]face      // folders that a program traverses, with the links in them, by name
	secrets   map[string][]string    // names of the files with secrets, by folder
	twins     map[disk.ID]string     // guarded files that have several names; nil: not looked up
}

// root is a folder that determines the places of paths, with its name and its real path.
type root struct{ named, real string }

// resolved is the result of resolving a path by its spelling alone.
type resolved struct {
	path   string
	places umpire.Place
}

// both are the places of one path: those of its spelling, and those of both faces.
type both struct {
	spelled, all umpire.Place
}

// face is the target of a path.
type face struct {
	path string
	link string // "a -> b", the last link on the way
}

// local reports whether paths are on this machine and its disk is known.
func (sh *shell) local() bool {
	return sh.paths.view != nil && sh.traits&(umpire.Remote|umpire.Container) == 0
}

// faced adds the places of a path's target on disk to those of its spelling.
func (sh *shell) faced(raw, abs string, p umpire.Place) umpire.Place {
	if !sh.local() || p&umpire.PlaceNull != 0 || strings.HasPrefix(abs, umpire.Hole) || len(sh.paths.judged) >= maxPaths { // operations on it are still emitted for both faces
		return p
	}
	sh.spelled(raw, abs)
	p &^= sh.unmatched(abs, p)
	all := p
	for _, f := range append(sh.faces(raw, !sh.asLinks), sh.below(abs)...) {
		if f.path == disk.Anywhere { // emitFaces asks
			all &^= mild
		} else if f.path != abs {
			q := sh.placesOf(f.path)
			all = all&q&mild | (all|q)&^mild
		}
	}
	if all != p {
		sh.paths.judged[abs] = both{p, all}
	}
	return all
}

// spelled remembers a spelling that the clean path loses: "..", or a final slash.
func (sh *shell) spelled(raw, abs string) {
	ps := &sh.paths
	if ps.judged == nil {
		ps.judged, ps.spellings = map[string]both{}, map[string][]string{}
	}
	list := ps.spellings[abs]
	switch {
	case raw == abs || slices.Contains(list, raw):
	case len(list) >= maxSpellings || len(ps.spellings) >= maxPaths:
		sh.exceeds("spellings of paths")
	default:
		ps.spellings[abs] = append(list, raw)
	}
}

// faces returns the targets of a path in the user's terms: paths in the home and the project have
// their usual names.
func (sh *shell) faces(raw string, follow bool) (list []face) {
	sh.findRoots()
	v := sh.paths.view
	v.At(sh.dir)
	if !strings.HasPrefix(raw, "/") && !(len(raw) > 2 && raw[1] == ':') {
		return nil
	}
	for _, f := range v.Resolve(raw, follow) {
		x := face{path: sh.named(f.Path)}
		if f.Link != "" {
			x.link = f.Link + " -> " + f.To
		}
		list = append(list, x)
		if f.Glob && follow {
			list = append(list, sh.secretMatches(f.Path)...)
		}
		if at, ok := sh.guardedName(f.Path); ok && follow {
			list = append(list, face{at, x.path + " = " + at})
		}
	}
	return list
}

// unmatched returns the places that only the spelling of a pattern in the project claims: the names
// on the disk that it matches have them not. vendor/x/.git* may match nothing but .gitignore.
func (sh *shell) unmatched(abs string, p umpire.Place) umpire.Place {
	dir, pattern := path.Split(abs)
	p &= umpire.PlaceGitDir | umpire.PlaceGitHooks | umpire.PlaceCredentials
	if p == 0 || !strings.ContainsAny(pattern, "*?[") || strings.ContainsAny(dir, "*?["+umpire.Hole) || strings.Contains(pattern, umpire.Hole) || !sh.env.Map.InProject(abs) ||
		slices.ContainsFunc(sh.ops, func(o umpire.Operation) bool { return o.Kind == umpire.Write || o.Kind == umpire.Git }) {
		return 0
	}
	real, ok := sh.where(path.Clean(dir), true)
	names, whole := sh.paths.view.Names(real)
	if !ok || !whole {
		return 0
	}
	for _, n := range names {
		matches, err := path.Match(strings.ToLower(strings.ReplaceAll(pattern, "[!", "[^")), strings.ToLower(n.Name))
		if err != nil {
			return 0
		}
		if matches {
			p &^= sh.placesOf(sh.named(path.Join(real, n.Name)))
		}
	}
	return p
}

// maxSecrets bounds the secrets of one folder that are compared with patterns.
const maxSecrets = 64

const secretPlaces = umpire.PlaceCredentials | umpire.PlaceEnvFile

// secretMatches returns the files with secrets that a pattern matches although its spelling does
// not show it: certs/*.pem may match certificates only, or also a key.
func (sh *shell) secretMatches(pattern string) (list []face) {
	if sh.placesOf(sh.named(pattern))&secretPlaces != 0 || strings.Contains(pattern, umpire.Hole) {
		return nil
	}
	folders := []string{"/"}
	parts := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	for i, part := range parts {
		matches := func(name string) bool {
			ok, err := path.Match(strings.ReplaceAll(part, "[!", "[^"), name)
			return ok && err == nil && (name[0] != '.' || part[0] == '.')
		}
		var next []string
		for _, dir := range folders {
			switch {
			case !strings.ContainsAny(part, "*?["):
				next = append(next, path.Join(dir, part))
			case i == len(parts)-1:
				secrets := sh.secretsIn(dir)
				for n, name := range secrets {
					// If there are more secrets than are kept, the pattern may match one of the
					// others.
					if matches(name) || n == 0 && len(secrets) > maxSecrets {
						list = append(list, face{path: sh.named(path.Join(dir, name))})
					}
				}
			default:
				in, _ := sh.paths.view.Names(dir) // if the list is cut off, Resolve reports that the pattern may lead anywhere
				for _, n := range in {
					if n.Kind == disk.Folder && matches(n.Name) {
						next = append(next, path.Join(dir, n.Name))
					}
				}
			}
		}
		folders = next
	}
	return list
}

// secretsIn returns the names of the files with secrets in a folder, at most one more than
// maxSecrets. An adversary may hide them among any number of other names.
func (sh *shell) secretsIn(dir string) (list []string) {
	if list, ok := sh.paths.secrets[dir]; ok {
		return list
	}
	at := sh.named(dir)
	own := sh.env.Map.InProject(at) && !strings.Contains(strings.TrimPrefix(at, sh.env.Map.Workspace), "/.") // elsewhere folders count, too
	in, _ := sh.paths.view.Names(dir)
	for _, n := range in {
		if n.Kind != disk.Regular || own && n.Name[0] != '.' && !place.SecretName(n.Name) {
			continue
		}
		if sh.placesOf(sh.named(path.Join(dir, n.Name)))&secretPlaces != 0 {
			if list = append(list, n.Name); len(list) > maxSecrets {
				break
			}
		}
	}
	if sh.paths.secrets == nil {
		sh.paths.secrets = map[string][]string{}
	}
	sh.paths.secrets[dir] = list
	return list
}

// findRoots looks up the real paths of the home, the project and the temporary folder.
func (sh *shell) findRoots() {
	ps := &sh.paths
	if ps.known {
		return
	}
	ps.known = true
	m := sh.env.Map
	ps.real = m
	for _, d := range []struct {
		named string
		real  *string
	}{{m.Workspace, &ps.real.Workspace}, {m.Home, &ps.real.Home}, {m.Dir, &ps.real.Dir}, {m.Temp, &ps.real.Temp}, {"/tmp", nil}} {
		if d.named == "" || d.named == "/" {
			continue
		}
		faces := ps.view.Resolve(d.named, true)
		if len(faces) == 0 || faces[0].Path == "/" {
			continue
		}
		ps.behind = ps.behind || faces[0].Path != d.named
		if d.named == m.Home || d.named == m.Workspace {
			ps.view.Know(faces[0].Path)
		}
		ps.roots = append(ps.roots, root{d.named, faces[0].Path})
		if d.real != nil {
			*d.real = faces[0].Path
		}
	}
}

// named replaces the real path of a root by the root's name.
func (sh *shell) named(real string) string {
	if !sh.paths.behind {
		return real
	}
	best := -1
	for i, r := range sh.paths.roots {
		if rest, ok := strings.CutPrefix(real, r.real); ok && (rest == "" || rest[0] == '/') && (best < 0 || len(r.real) > len(sh.paths.roots[best].real)) {
			best = i
		}
	}
	if best < 0 {
		return real
	}
	r := sh.paths.roots[best]
	return path.Clean(r.named + real[len(r.real):])
}

// placesOf returns the places of a path that comes from the disk.
func (sh *shell) placesOf(abs string) umpire.Place {
	m := sh.env.Map
	m.Dir = sh.dir
	_, p := sh.resolved(m, abs)
	if sh.paths.behind { // the parents of the roots have their real names
		_, q := sh.paths.real.Resolve(abs)
		p |= q &^ (mild | umpire.PlaceOutside)
	}
	return p
}

// emitFaces emits an operation again for each other path that its path leads to.
func (sh *shell) emitFaces(op umpire.Operation) {
	if op.Kind != umpire.Read && op.Kind != umpire.Write && op.Kind != umpire.Delete || op.Traits&(umpire.Remote|umpire.Container) != 0 || !sh.local() {
		return
	}
	for n, raw := range append([]string{op.Resource}, sh.paths.spellings[op.Resource]...) {
		list := sh.faces(raw, op.Kind != umpire.Delete && !sh.asLinks)
		if n == 0 {
			list = append(list, sh.below(op.Resource)...)
		}
		for _, f := range list {
			if f.path == op.Resource {
				continue
			}
			if f.path == disk.Anywhere { // no sign of a danger, and nothing that the call denies
				sh.exceeds("links and names on the way to " + op.Resource)
				continue
			}
			other := op
			other.Resource, other.Places = f.path, sh.placesOf(f.path)
			if f.link != "" {
				other.Via = append(other.Via[:len(other.Via):len(other.Via)], "link "+f.link)
			}
			if other.Places&umpire.PlaceNull == 0 {
				sh.emit(other)
			}
		}
	}
}

// leadsToBuilds reports whether a path leads through links to build output of the project, and
// nowhere else: rm -rf cache/* with cache -> build deletes nothing that is really below cache.
func (sh *shell) leadsToBuilds(abs string) bool {
	if !sh.local() {
		return false
	}
	const builds = umpire.PlaceInWorkspace | umpire.PlaceGenerated
	found := false
	for _, raw := range append([]string{abs}, sh.paths.spellings[abs]...) {
		for _, f := range sh.faces(raw, false) {
			if f.link == "" && f.path == abs {
				continue
			}
			if f.link == "" || sh.placesOf(f.path)&builds != builds {
				return false
			}
			found = true
		}
	}
	return found
}

// ignoredOutput reports whether a folder of the project has a name that build tools and people use,
// such as lib, and the project's .gitignore says that git does not keep it.
func (sh *shell) ignoredOutput(abs string) bool {
	rel, in := strings.CutPrefix(abs, sh.env.Map.Workspace+"/")
	if !in || !sh.local() || sh.env.ReadFile == nil || !command.OutputName(path.Base(rel)) {
		return false
	}
	text, _ := sh.env.ReadFile(path.Join(sh.env.Map.Workspace, ".gitignore"))
	return slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool {
		line = strings.TrimSuffix(strings.TrimSpace(line), "/")
		return line == "/"+rel || line == rel || line == path.Base(rel)
	})
}

// singleFile reports whether a path is that of a file, so that a recursive delete removes no more
// than it. A file that does not exist counts by its name. The adversary moves a folder to the name
// first.
func (sh *shell) singleFile(abs string) bool {
	if !sh.local() || slices.ContainsFunc(sh.ops, func(o umpire.Operation) bool { return o.Kind == umpire.Write || o.Kind == umpire.Git }) {
		return false
	}
	real, ok := sh.where(abs, false)
	if !ok {
		return false
	}
	k := sh.paths.view.Lstat(real).Kind
	return k == disk.Regular || k == disk.None && command.FileName(path.Base(abs))
}

// planLink records a link that the call makes, for the rest of the call.
func (sh *shell) planLink(name, target command.Word) {
	if !sh.local() || !name.Known() || !target.Known() {
		return
	}
	abs, _ := sh.Path(name)
	to, _ := sh.Path(linkTarget(name, target))
	sh.paths.view.Make(abs, to)
	if t := target.Text; !strings.HasPrefix(t, "/") && !strings.HasPrefix(t, "~") { // the target as the link stores it
		sh.paths.view.Make(abs, t)
	}
}

// planCopy records that links below a folder also exist under another name after the copy.
func (sh *shell) planCopy(name, from command.Word) {
	if !sh.local() || !name.Known() || !from.Known() {
		return
	}
	was, _ := sh.Path(from)
	for _, f := range sh.paths.view.Resolve(was, false) {
		if k := sh.paths.view.Lstat(f.Path).Kind; k != disk.Link && k != disk.Folder {
			continue
		}
		abs, _ := sh.Path(name)
		sh.paths.view.Copy(abs, was)
		sh.paths.view.Copy(path.Join(abs, path.Base(was)), was)
	}
}
