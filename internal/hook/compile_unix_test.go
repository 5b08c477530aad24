//go:build unix

package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program is told what to compile, and its exit status counts.
func TestCompileWith(t *testing.T) {
	dir := t.TempDir()
	for script, want := range map[string]string{
		"echo noise; echo noise >&2; echo \"$*\" >" + filepath.Join(dir, "args"): "",
		"exit 3": "umpire policy compile failed",
	} {
		prog := filepath.Join(dir, "umpire")
		if err := os.WriteFile(prog, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := compileWith(prog, "/w", "/c"); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "args")); err != nil || string(got) != "policy compile --quiet --dir /w --cache /c\n" {
		t.Errorf("it is started with %q, %v", got, err)
	}
}
