package command_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/golden"
	"github.com/umpire-dev/umpire/internal/operation/shell"
	"github.com/umpire-dev/umpire/internal/policyfile"
)

// Every example of a program is read as the operations that testdata says: their kind,
// resource, traits and places. UPDATE_EXAMPLES=1 writes them anew; review each line that
// changes.
func TestExamplesAreReadAsOperations(t *testing.T) {
	paths, err := filepath.Glob("programs/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d families, %v", len(paths), err)
	}
	for _, path := range paths {
		family := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(family, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			programs, err := policyfile.ParseBuiltins(path, data)
			if err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			for i := range programs {
				writeExamples(&want, programs[i].Names[0], &programs[i])
			}
			file := filepath.Join("testdata", "programs", family+".txt")
			if os.Getenv("UPDATE_EXAMPLES") != "" {
				if err := os.WriteFile(file, []byte(want.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden.Check(t, file, func(_, text string) []umpire.Operation { return shell.Read(text, readingEnv) })
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if listed := withoutOperations(string(got)); listed != want.String() {
				t.Errorf("%s does not have the examples of %s: run the test with UPDATE_EXAMPLES=1", file, path)
			}
		})
	}
}

// writeExamples writes the examples of a program and its commands as package golden has them.
func writeExamples(b *strings.Builder, name string, p *policyfile.Builtin) {
	if examples := slices.Concat(p.Hits, p.Misses); len(examples) > 0 {
		b.WriteString(name + "\n")
		for _, e := range examples {
			b.WriteString("\tsh> " + strings.ReplaceAll(strings.TrimSuffix(e.Command, "\n"), "\n", "\n\t> ") + "\n")
		}
	}
	for i := range p.Commands {
		writeExamples(b, name+" "+p.Commands[i].Names[0], &p.Commands[i])
	}
}

// withoutOperations leaves the names and examples of a file.
func withoutOperations(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "\t\t") {
			b.WriteString(l)
		}
	}
	return b.String()
}
