package static

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// Limits of files that are checked again because of links.
const (
	maxThrough = 20_000 // number of files in one review
	maxHops    = 40
)

// linked checks files that a link makes available under another name: programs that open the tree
// read .claude/settings.json even if .claude is a link to a folder with a harmless name.
func (f *file) linked() error {
	if f.surface(); len(f.hits) == 0 && surfaceOf(f.path+"/x") != nil { // a folder of settings
		f.on(surfaceOf(f.path+"/x"), surfaceOf(f.path+"/x").Severity, 0, "it is a link")
	}
	to, ok := f.k.resolve(f.path)
	if !ok {
		return nil
	}
	files := f.k.s.Files
	if sf, ok := f.k.s.File(to); ok {
		return f.readAs(sf, f.path)
	}
	if !strings.Contains("/"+f.path, "/.") && path.Base(f.path) != "requirements" {
		return nil // the names of the files in other folders are enough
	}
	for i := range files {
		rest, below := strings.CutPrefix(files[i].Path, to+"/")
		if to == "." {
			rest, below = files[i].Path, true
		}
		if !below || files[i].Kind == snapshot.Text || files[i].Kind == snapshot.Change {
			continue
		}
		if err := f.readAs(&files[i], f.path+"/"+rest); err != nil {
			return err
		}
	}
	return nil
}

// readAs checks a file under the name that a link gives it. Findings keep the file's real path.
func (f *file) readAs(sf *snapshot.File, name string) error {
	if sf.Digest == "" || sf.Kind != snapshot.Regular || sf.Large() || strings.EqualFold(sf.Path, name) {
		return nil
	}
	if n := f.k.through.Add(1); n > maxThrough {
		if n == maxThrough+1 {
			f.on(unchecked, unchecked.Severity, 0, "")
		}
		return nil
	}
	b, err := f.k.s.Read(sf)
	if err != nil {
		return err
	}
	as := &file{k: f.k, f: sf, path: name, base: strings.ToLower(path.Base(name)), text: strings.TrimPrefix(string(b), "\ufeff")}
	as.named()
	for _, h := range as.hits {
		h.file, h.detail = sf.Path, "by the link "+quoted(name)+", "+h.detail
		f.hits = append(f.hits, h)
	}
	return nil
}

// resolve follows links within the material by their text. It returns false if they lead outside or
// in a circle.
func (k *checker) resolve(p string) (string, bool) {
	done, rest := ".", strings.Split(p, "/")
	for hops := 0; len(rest) > 0; {
		part := rest[0]
		rest = rest[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if done == "." {
				return "", false
			}
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, part)
		to, link := k.links[next]
		if !link {
			done = next
			continue
		}
		if hops++; hops > maxHops || path.IsAbs(to) {
			return "", false
		}
		rest = append(strings.Split(to, "/"), rest...)
	}
	return done, true
}
