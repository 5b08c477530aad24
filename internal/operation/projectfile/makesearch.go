package projectfile

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/command"
)

// search has the folders in which make looks for prerequisites that match a pattern.
type search struct {
	pattern string
	folders []string
}

// vpath reads a pattern and folders. Without folders it ends the searches for the pattern or, without
// a pattern, all searches.
func (m *maker) vpath(text string) {
	words := strings.Fields(m.expand(text))
	if len(words) > 1 {
		folders := strings.FieldsFunc(strings.Join(words[1:], ":"), func(c rune) bool { return c == ':' })
		m.searches = append(m.searches, search{words[0], folders})
		return
	}
	m.searches = slices.DeleteFunc(m.searches, func(s search) bool { return len(words) == 0 || s.pattern == words[0] })
}

// located returns prerequisites with their folders: those that are not in make's folder may be in a
// folder of a search. It returns nil if none is.
func (m *maker) located(needs []string) (out []string) {
	for i, n := range needs {
		for _, s := range m.searches {
			if _, ok := matchStem(s.pattern, n); !ok && s.pattern != n || path.IsAbs(n) || m.exists(n) {
				continue
			}
			if j := slices.IndexFunc(s.folders, func(dir string) bool { return m.exists(path.Join(dir, n)) }); j >= 0 {
				if out == nil {
					out = slices.Clone(needs)
				}
				out[i] = path.Join(s.folders[j], n)
				break
			}
		}
	}
	return out
}

// exists reports whether a file is in a folder of the project.
func (m *maker) exists(name string) bool {
	dir, last := path.Split(path.Clean(name))
	return slices.Contains(m.c.Names(command.Lit(cmp.Or(dir, "."))), last)
}

// matchStem returns the part of a name that the % of a pattern stands for, and whether the name
// matches.
func matchStem(pattern, name string) (string, bool) {
	before, after, ok := strings.Cut(pattern, "%")
	if !ok || len(name) < len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
		return "", false
	}
	return name[len(before) : len(name)-len(after)], true
}
