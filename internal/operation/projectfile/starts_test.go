package projectfile_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/golden"
)

// Package packs decides about folders that bring code for a program to start. This test holds the
// operations below the head of each case: a second rule that still stops a call hides no loss.
// UPDATE_EXAMPLES=1 writes them anew; review each line that changes.
func TestStartsAreReadAsOperations(t *testing.T) {
	files, err := filepath.Glob("../../packs/testdata/starts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var read strings.Builder
			for c := range strings.SplitSeq(strings.TrimPrefix(string(data), "=== "), "\n=== ") {
				head, folder, _ := strings.Cut(strings.TrimSuffix(c, "\n"), "\n--- ")
				head, want, _ := strings.Cut(head, "\n")
				_, line, _ := strings.Cut(head, ": ")
				got := "\t\t" + strings.Join(golden.Lines(folderOf(folder).read("sh", line)), "\n\t\t")
				if got != want && os.Getenv("UPDATE_EXAMPLES") == "" {
					t.Errorf("%s is read as\n%s\nand not\n%s", head, got, want)
				}
				read.WriteString("=== " + head + "\n" + got + "\n")
				if folder != "" {
					read.WriteString("--- " + folder + "\n")
				}
			}
			if os.Getenv("UPDATE_EXAMPLES") != "" {
				if err := os.WriteFile(file, []byte(read.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// folderOf reads files that each begin with a name; "--- " is before all but the first.
func folderOf(text string) *project {
	p := &project{files: map[string]string{}}
	for f := range strings.SplitSeq(text, "\n--- ") {
		name, text, _ := strings.Cut(f, "\n")
		switch {
		case strings.HasPrefix(name, "~/"):
			name = readingEnv.Map.Home + name[1:]
		case !path.IsAbs(name):
			name = path.Join(readingEnv.Map.Workspace, name)
		}
		p.files[name] = text + "\n"
	}
	return p
}
