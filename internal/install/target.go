package install

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"

	"github.com/umpire-dev/umpire/internal/regular"
)

// form is the format of hooks in a settings file.
type form interface {
	// install returns the content with umpire's hooks.
	install(data []byte) ([]byte, error)
	// remove returns the content without umpire's hooks, and whether nothing else is left.
	remove(data []byte) (out []byte, empty bool, err error)
	// has reports whether the content contains anything of umpire.
	has(data []byte) bool
	// inspect reports the hooks in the content.
	inspect(data []byte, f *found)
}

// target is a file that an agent reads, with its wanted content.
type target struct {
	path  string
	scope Scope
	mode  os.FileMode // mode of a new file
	form  form
	note  string // a note about the file for the user

	// others are files with the same purpose. If one exists, umpire does not write this file.
	others   []string
	optional bool // the others only prevent writing this file
	looked   bool // only inspected, never written
}

// found is the inspected content of a file.
type found struct {
	path     string
	ours     []HookEntry
	foreign  []HookEntry
	problems []Problem
}

func (f *found) report(k Trouble, next, format string, args ...any) {
	f.problems = append(f.problems, Problem{Kind: k, Path: f.path, Text: fmt.Sprintf(format, args...), Next: next})
}

// again is the remedy for wrong settings of umpire.
const again = "run umpire init again in your own terminal"

// differs reports an entry that was changed since the installation.
func (f *found) differs(e hookEvent, how string) {
	k := Note
	if e.kind == onCall {
		k = Weak
	}
	f.report(k, again, "umpire's hook for %s was changed: %s", e.name, how)
}

// read reads a settings file of limited size. The result for a missing file is nil.
func read(path string) ([]byte, error) {
	data, err := regular.Read(path, maxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

func keys(maps ...map[string]any) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for _, m := range maps {
			for k := range m {
				if !seen[k] {
					seen[k] = true
					if !yield(k) {
						return
					}
				}
			}
		}
	}
}
