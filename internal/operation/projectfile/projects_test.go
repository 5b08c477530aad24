package projectfile_test

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/golden"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// What a command runs out of the files of a project is read as testdata/projects says. A block
// that is not sh is a file of the project, for the commands below it.
func TestProjects(t *testing.T) {
	paths, err := filepath.Glob("testdata/projects/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, file := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			p := &project{}
			golden.Check(t, file, p.read)
		})
	}
}

// readingEnv is a home with a project in it and no files that are known.
var readingEnv = shell.Env{Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj", Temp: "/tmp"}}

// project is a folder of files that commands run in.
type project struct {
	files map[string]string
	ran   bool
}

func (p *project) read(name, text string) []umpire.Operation {
	if name != "sh" {
		if p.ran || p.files == nil {
			p.files, p.ran = map[string]string{}, false
		}
		p.files[path.Join(readingEnv.Map.Workspace, name)] = text + "\n"
		return nil
	}
	p.ran = true
	env := readingEnv
	env.ReadFile = func(name string) ([]byte, bool) {
		text, ok := p.files[name]
		return []byte(text), ok
	}
	env.ReadDir = func(dir string) (names []string) {
		for name := range p.files {
			if rest, ok := strings.CutPrefix(name, dir+"/"); ok {
				first, _, _ := strings.Cut(rest, "/")
				names = append(names, first)
			}
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	return shell.Read(text, env)
}
