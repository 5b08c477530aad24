package disk

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// Face is the target of a path.
type Face struct {
	Path string // absolute and clean; its longest existing part has no links
	Link string // the last link on the way, or ""
	To   string // the link's target
	Glob bool   // part of Path is a pattern or unknown
}

// Resolve returns the current targets of an absolute path. raw need not be clean: as in the kernel,
// ".." after a link leads to the parent of the link's target. A missing part stays as it is
// spelled.
// If follow is set, a link in the last component is followed; one before a final slash always is.
//
// A component with a pattern (*, ?, [) stands for itself and for every link it matches. The last
// component is matched only if follow is set. A Hole ends the walk.
func (v *View) Resolve(raw string, follow bool) []Face {
	if v == nil {
		return nil
	}
	key := raw
	if follow {
		key += "\x00"
	}
	if faces, ok := v.faces[key]; ok {
		return slices.Clip(faces)
	}
	faces := v.resolve(raw, follow)
	if v.faces == nil {
		v.faces = map[string][]Face{}
	}
	if len(v.faces) < maxLooks {
		v.faces[key] = faces
	}
	return slices.Clip(faces)
}

func (v *View) resolve(raw string, follow bool) []Face {
	w := walk{view: v, follow: follow || anyof.HasSuffix(raw, "/", "/.", "/..")}
	cur, rest := "/", raw
	if len(raw) > 2 && raw[1] == ':' { // C:/
		cur, rest = raw[:2]+"/", raw[2:]
	}
	parts := split(rest)
	if len(parts) > maxParts {
		return []Face{anywhere}
	}
	w.from(Face{Path: cur}, parts, maxLinks)
	if v.over {
		w.add(anywhere)
	}
	if len(w.faces) == 0 {
		w.add(Face{Path: path.Clean(raw)})
	}
	return w.faces
}

func split(s string) []string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '/' })
	return slices.DeleteFunc(parts, func(p string) bool { return p == "." })
}

// walk is one resolution.
type walk struct {
	view   *View
	follow bool
	faces  []Face
	been   map[string]int // visited places of the walk, with the remaining links
}

// Anywhere is the Path of a Face that may be any path: there are too many alternatives, or the View
// is beyond a limit.
const Anywhere = "/**"

var anywhere = Face{Path: Anywhere, Glob: true}

// branch continues the walk at one of several alternatives. Links to each other and to their folder
// lead to the same place again and again, which is walked once.
func (w *walk) branch(f Face, parts []string, links int) {
	key := f.Path + "\x00" + strings.Join(parts, "/")
	if left, ok := w.been[key]; ok && left >= links {
		return
	}
	if len(w.been) >= maxBranches {
		w.add(anywhere)
		return
	}
	if w.been == nil {
		w.been = map[string]int{}
	}
	w.been[key] = links
	w.from(f, parts, links)
}

// from walks on from f, whose Path has no links.
func (w *walk) from(f Face, parts []string, links int) {
	missing := 0 // missing components of Path, which the call may create as folders
	for n := 0; len(parts) > 0 && n < 4*maxParts; n++ {
		part := parts[0]
		parts = parts[1:]
		switch {
		case part == "..":
			f.Path = path.Dir(f.Path)
			missing = max(missing-1, 0)
			continue
		case strings.Contains(part, umpire.Hole):
			f.Glob = true
			f.Path = join(f.Path, append([]string{part}, parts...))
			w.add(f)
			return
		}
		next := path.Join(f.Path, part)
		if len(w.view.made) > 0 && w.view.made[strings.ToLower(next)] != nil && links > 0 && (len(parts) > 0 || w.follow) {
			w.planned(f, next, parts, links-1)
		}
		var i Info
		if missing == 0 || strings.HasPrefix(next, "/proc/") { // a link of a process counts, though nobody looks at /proc
			i = w.view.Lstat(next)
		}
		if i.Kind == None {
			if isGlob(part) && missing == 0 {
				w.glob(f, part, parts, links)
				return
			}
			f.Path = next
			f.Glob = f.Glob || isGlob(part)
			missing++
			continue
		}
		if i.Kind != Link || len(parts) == 0 && !w.follow {
			f.Path = next
			if as, ok := w.view.known[i.ID]; ok && as != next {
				f.Link, f.To, f.Path = next, as, as
			}
			continue
		}
		if links--; links <= 0 {
			return // the kernel gives up here as well
		}
		if len(parts) > maxParts {
			w.add(anywhere)
			return
		}
		missing = 0
		f.Link, f.To = next, i.Target
		if to := i.Target; strings.HasPrefix(to, "/") {
			f.Path = "/"
		} else if len(to) > 2 && to[1] == ':' {
			f.Path, i.Target = to[:2]+"/", to[2:]
		}
		parts = append(split(i.Target), parts...)
	}
	w.add(f)
}

// planned continues the walk through the links that the call has created at a path.
func (w *walk) planned(f Face, at string, parts []string, links int) {
	for _, p := range w.view.made[strings.ToLower(at)] {
		g := f
		if strings.HasPrefix(p.target, "/") {
			g.Path = "/"
		}
		if !p.copied {
			g.Link, g.To = at, p.target
			w.branch(g, append(split(p.target), parts...), links)
			continue
		}
		before := len(w.faces)
		w.branch(g, append(split(p.target), parts...), links)
		w.faces = append(w.faces[:before], slices.DeleteFunc(w.faces[before:], func(x Face) bool { return x.Link == f.Link })...)
	}
}

// glob continues the walk through the links that a pattern matches. Folders that it matches stand
// for themselves, by the pattern, and are searched as far as further patterns go.
func (w *walk) glob(f Face, part string, parts []string, links int) {
	g := f
	g.Glob = true
	g.Path = join(f.Path, append([]string{part}, parts...))
	w.add(g)
	if len(parts) == 0 && !w.follow {
		return
	}
	for at := range w.view.made {
		if path.Dir(at) != strings.ToLower(f.Path) {
			continue
		}
		if ok, err := path.Match(strings.ToLower(strings.ReplaceAll(part, "[!", "[^")), path.Base(at)); ok || err != nil {
			w.planned(f, at, parts, links-1)
		}
	}
	names, whole := w.view.Names(f.Path)
	if !whole && w.view.Lstat(f.Path).Kind == Folder {
		w.add(anywhere)
	}
	for _, n := range names {
		if n.Kind != Link && (n.Kind != Folder || len(parts) == 0) || n.Name[0] == '.' && part[0] != '.' {
			continue
		}
		if ok, err := path.Match(strings.ReplaceAll(part, "[!", "[^"), n.Name); err == nil && !ok {
			continue
		}
		before := len(w.faces)
		w.branch(f, append([]string{n.Name}, parts...), links)
		// The pattern stands for a folder that leads through no link.
		if n.Kind == Folder {
			kept := w.faces[:before]
			for _, x := range w.faces[before:] {
				if x.Link != f.Link {
					kept = append(kept, x)
				}
			}
			w.faces = kept
		}
	}
}

func (w *walk) add(f Face) {
	if slices.ContainsFunc(w.faces, func(x Face) bool { return x.Path == f.Path }) {
		return
	}
	if len(w.faces) < maxFaces {
		w.faces = append(w.faces, f)
		return
	}
	// The last face stands for all that do not fit: everything below their common folder.
	last := &w.faces[maxFaces-1]
	last.Path, last.Glob = join(around(last.Path, f.Path), []string{"**"}), true
	last.Link, last.To = f.Link, f.To
}

// around returns the common folder of two paths.
func around(a, b string) string {
	for a = path.Dir(a); a != path.Dir(a) && !strings.HasPrefix(b, a+"/"); {
		a = path.Dir(a)
	}
	return a
}

func join(dir string, parts []string) string {
	return path.Clean(dir + "/" + strings.Join(parts, "/"))
}

func isGlob(s string) bool { return strings.ContainsAny(s, "*?[") }
