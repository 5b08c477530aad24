package command_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/golden"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// Every verb and option that a reader knows by name is read as testdata/verbs says. Each file has
// the programs of the file of that name.
func TestVerbsAreReadAsOperations(t *testing.T) {
	files, err := filepath.Glob("testdata/verbs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			golden.Check(t, file, func(_, text string) []umpire.Operation { return shell.Read(text, readingEnv) })
		})
	}
}
