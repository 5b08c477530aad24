package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A person sees what will be written, in color, and nothing is written without a yes.
func TestInitAtTerminal(t *testing.T) {
	if !free(t) {
		return
	}
	prog := program(t)
	dir := project(t)
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
		// What is typed before the question can be answered is dropped: a person types again.
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for tick := time.NewTicker(50 * time.Millisecond); ; {
				if _, err := io.WriteString(c.f, tt.answer); err != nil {
					return
				}
				select {
				case <-stop:
					tick.Stop()
					return
				case <-tick.C:
				}
			}
		}()
		c.expect(tt.says)
		close(stop)
		<-done
		if _, err := os.Stat(settings); (err == nil) != strings.HasPrefix(tt.says, "Installed") {
			t.Errorf("after %q: %v", tt.answer, err)
		}
	}
}
