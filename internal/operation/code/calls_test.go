package code_test

import (
	"slices"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/code"
	"github.com/umpire-dev/umpire/internal/operation/golden"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// machine has the files that examples read, and nothing else.
var machine = shell.Env{
	Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj", Temp: "/tmp"},
	Getenv: func(name string) (string, bool) {
		return map[string]string{"HOME": "/home/dev"}[name], name == "HOME"
	},
	ReadFile: func(string) ([]byte, bool) { return nil, false },
}

func readCode(lang, text string) []umpire.Operation {
	r := shell.NewReader(machine)
	r.Code(lang, text)
	return r.Operations()
}

// Every row of every table has an example of its own, which says what operations come of
// such a call: kind, resource, traits and places.
func TestCalls(t *testing.T) {
	for table, rows := range code.Tables() {
		t.Run(table, func(t *testing.T) {
			examples := golden.Check(t, "testdata/calls/"+table+".txt", readCode)
			delete(examples, "")
			for _, name := range rows {
				if examples[name] == 0 {
					t.Errorf("the row %q has no example", name)
				}
				delete(examples, name)
			}
			for name := range examples {
				t.Errorf("the example %q is of no row", name)
			}
		})
	}
}

// A name that stands in two rows of a table would be found in one of them only.
func TestNamesOnce(t *testing.T) {
	if twice := slices.Compact(code.Twice()); len(twice) > 0 {
		t.Errorf("in two rows: %q", twice)
	}
}

// What is folded, followed and looked into in each language, besides its calls.
func TestLanguages(t *testing.T) {
	golden.Check(t, "testdata/languages.txt", readCode)
}
