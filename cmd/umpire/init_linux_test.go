package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A person sees what will be written, in color, and nothing is written without a yes.
func TestInitAtTerminal(t *testing.T) {
	if !free(t) {
		return
	}
	prog := program(t)
	dir := newProject(t)
	t.Chdir(dir)
	settings := filepath.Join(filepath.Dir(dir), ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ answer, says string }{{"n\n", "nothing was written"}, {"\n", "nothing was written"}, {"yes\n", "Installed for Claude Code"}} {
		cmd := exec.Command(prog, "init", "claude", "--force")
		cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=")
		c := openConsole(t, cmd)
		c.expect("\x1b[32m+")
		c.expect("Write this file? [y/N] ")
		c.typed(tt.answer)
		c.expect(tt.says)
		if _, err := os.Stat(settings); (err == nil) != strings.HasPrefix(tt.says, "Installed") {
			t.Errorf("after %q: %v", tt.answer, err)
		}
	}
	c := openConsole(t, exec.Command(prog, "uninstall"))
	c.expect("Change or remove this file? [y/N] ")
	c.typed("yes\n")
	c.expect("Removed from Claude Code")
}
