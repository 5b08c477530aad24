package sql_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/golden"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// What statements and clients' commands are read as, through the shell that runs them.
func TestExamples(t *testing.T) {
	golden.Check(t, "testdata/examples.txt", func(lang, text string) []umpire.Operation {
		r := shell.NewReader(shell.Env{Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj", Temp: "/tmp"}})
		r.Code(lang, text)
		return r.Operations()
	})
}
