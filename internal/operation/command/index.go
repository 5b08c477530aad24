package command

import (
	"strings"
	"sync"
	"sync/atomic"
)

// index finds a Model by its name. Of several with one name the last one counts.
//
// A map of all names costs a process about ten times what a handful of searches does, and
// a hook looks up a handful; a server, or a script of many commands, gets the map.
func index(name string) *Model {
	if strings.Contains(name, " ") {
		return nil
	}
	if lookups.Add(1) > 24 {
		return table()[name]
	}
	all := families
	for i := len(all) - 1; i >= 0; i-- {
		for j := len(all[i]) - 1; j >= 0; j-- {
			if m := &all[i][j]; hasWord(m.Names, name) {
				return m
			}
		}
	}
	return nil
}

var lookups atomic.Int32

var table = sync.OnceValue(func() map[string]*Model {
	t := make(map[string]*Model, 4096)
	for _, f := range families {
		for i := range f {
			for n := range strings.SplitSeq(f[i].Names, " ") {
				t[n] = &f[i]
			}
		}
	}
	return t
})

// Lookup finds the Model of a program by its base name, nil if there is none. Versioned
// names of interpreters, such as python3.12, are found under the name without the version.
func Lookup(name string) *Model {
	if m := index(name); m != nil {
		return m
	}
	base := strings.TrimRight(name, "0123456789.-")
	switch base {
	case "python", "pypy", "ipython", "pip", "perl", "ruby", "gem", "irb", "php", "lua", "luajit", "node", "nodejs", "tclsh", "wish", "guile", "bash", "ksh", "zsh",
		"java", "groovy", "scala", "swift", "julia", "Rscript", "psql", "pg_dump", "pg_restore", "mysql", "mongo", "gcc", "clang", "go", "vim", "emacs", "osascript":
		return index(base)
	}
	return nil
}

// Matching returns the names of at most n described programs that ok accepts.
func Matching(ok func(name string) bool, n int) (names []string) {
	for _, family := range families {
		for i := range family {
			for name := range strings.FieldsSeq(family[i].Names) {
				if ok(name) {
					if names = append(names, name); len(names) == n {
						return names
					}
				}
			}
		}
	}
	return names
}
