package command

import (
	"strings"
	"sync"
)

// families are all the Models, one slice and one file a family.
func families() [][]Model {
	return [][]Model{
		wrapperModels,
		interpreterModels,
		httpModels,
		remoteModels,
		coreutilsModels,
		machineModels,
		gitModels,
		forgeModels,
		packageModels,
		secretModels,
		cloudModels,
		containerModels,
		clusterModels,
		provisionModels,
		databaseModels,
		windowsModels,
		agentModels, // after the clouds, two of whose clients are agents as well
	}
}

// index is made on first use: a map literal of this size would cost every start of the
// hook more than the one look-up it needs.
var index = sync.OnceValue(func() map[string]*Model {
	t := make(map[string]*Model, 1024)
	for _, f := range families() {
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
	t := index()
	if m := t[name]; m != nil {
		return m
	}
	base := strings.TrimRight(name, "0123456789.-")
	switch base {
	case "python", "pypy", "ipython", "pip", "perl", "ruby", "gem", "irb", "php", "lua", "luajit", "node", "nodejs", "tclsh", "wish", "guile", "bash", "ksh", "zsh",
		"java", "groovy", "scala", "swift", "julia", "Rscript", "psql", "pg_dump", "pg_restore", "mysql", "mongo", "gcc", "clang", "go", "vim", "emacs", "osascript":
		return t[base]
	}
	return nil
}
