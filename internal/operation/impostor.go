package operation

import (
	"iter"
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// Impostor returns the path by which a call names its program, if the program has the name of a
// system program but is in a folder where neither the system nor a build puts programs. An
// adversary names a file "make", because a rule for make means the system's make. installed reports
// whether the system has a program with a name; described programs always count. Files in looked,
// which the reading opened, count too, because another program may start them.
func Impostor(op umpire.Operation, m place.Map, looked iter.Seq[string], installed func(name string) bool) string {
	if op.Kind != umpire.Exec {
		return ""
	}
	called, _, _ := strings.Cut(op.Resource, " ")
	if command.Lookup(called) == nil && !installed(called) {
		return ""
	}
	planted := func(file string) bool {
		if path.Base(file) != called || shell.Standard(file) {
			return false
		}
		_, p := m.Resolve(file)
		return !shell.Own(file, p)
	}
	name, _, _ := strings.Cut(op.Source, " ")
	if quoted, ok := strings.CutPrefix(op.Source, "'"); ok {
		name, _, _ = strings.Cut(quoted, "'")
	}
	if planted(name) {
		return name
	}
	for file := range looked {
		if planted(file) {
			return file
		}
	}
	return ""
}
