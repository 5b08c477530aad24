package main

import (
	"strings"
	"testing"
)

// The scripts of the shells call the program this way.
func TestShellAsksForCompletions(t *testing.T) {
	for call, want := range map[string]string{"__complete": "claude\tClaude Code\n", "__completeNoDesc": "claude\n"} {
		out, errs, status := calledIn(t, t.TempDir(), t.TempDir(), "", call, "init", "cla")
		if !strings.HasPrefix(out, want) || status != 0 {
			t.Errorf("%s: %q, %q, status %d", call, out, errs, status)
		}
	}
}
