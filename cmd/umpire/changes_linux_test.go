package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/box"
	"github.com/umpire-dev/umpire/internal/sandbox"
)

// Runs are listed, and thrown away one by one, by age or all, but not while they run.
func TestRuns(t *testing.T) {
	if !free(t) {
		return
	}
	bin := program(t) // before HOME, and with it the compiler's cache, is another
	dir := newProject(t)
	state, err := audit.DefaultDir()
	if err != nil {
		t.Fatal(err)
	}
	put := func(id string, began time.Time) {
		t.Helper()
		at := filepath.Join(state, "runs", id)
		r := box.Run{ID: id, Started: began, Command: "make \x1b[31m", Config: sandbox.Config{Dir: dir, State: "/elsewhere"}}
		body, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"run.json": string(body), "upper/a.txt": "one\ntwo\n"} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(at, name)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	put("old", now.AddDate(0, 0, -10))
	put("recent", now.Add(time.Minute)) // after a.txt was written
	put("running", now.AddDate(0, 0, -10))
	lock, err := os.Create(filepath.Join(state, "runs", "running", "lock")) // as the run has it
	if err == nil {
		defer func() { _ = lock.Close() }()
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := changesIn(t, bin, dir)
	if out := run(0, "runs"); strings.Count(out, "\n") != 3 || strings.Contains(out, "\x1b") || strings.Count(out, "(running)") != 1 {
		t.Errorf("runs: %q", out)
	}
	if out := run(0, "show", "--stat", "--run", "recent"); out != "     1 +      0 -  a.txt\n     1 +      0 -  in 1 change\n" {
		t.Errorf("stat: %q", out)
	}
	if out := run(0, "show", "--run", "recent"); strings.Contains(out, "\x1b") { // no terminal, no colors
		t.Errorf("show: %q", out)
	}
	if err := os.WriteFile(filepath.Join(state, "runs", "old", "upper", "new.txt"), []byte("new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(0, "show", "new.txt", "--run", "old")
	if out := run(64, "apply", "new.txt", "--hunk", "1", "--run", "old"); !strings.Contains(out, "has no hunks: pass it without --hunk") {
		t.Errorf("a hunk of a new file: %s", out)
	}
	later := now.Add(2 * time.Minute)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "a.txt"), []byte("mine\n"), 0o600), os.Chtimes(filepath.Join(dir, "a.txt"), later, later)); err != nil {
		t.Fatal(err)
	}
	if out := run(1, "apply", "a.txt", "--run", "recent"); !strings.Contains(out, "it also changed in the project") || !strings.HasSuffix(out, "0 changes applied\n") {
		t.Errorf("a change that was not applied: %s", out)
	}
	if out := run(1, "discard", "--run", "running"); !strings.Contains(out, "still running") {
		t.Errorf("discard: %s", out)
	}
	run(64, "discard", "--older", "soon")
	if out := run(0, "discard", "--older", "7d"); out != "discarded the changes of 1 run\n" {
		t.Errorf("discard --older: %s", out)
	}
	if out := run(0, "discard", "--all"); out != "discarded the changes of 1 run\n" {
		t.Errorf("discard --all: %s", out)
	}
	if out := run(0, "runs", "--json"); !strings.Contains(out, `"id":"running"`) || strings.Contains(out, `"old"`) || strings.Contains(out, `"recent"`) {
		t.Errorf("left: %s", out)
	}
}

// changesIn returns a function that runs umpire changes in a folder, and wants an exit status.
func changesIn(t *testing.T, bin, dir string) func(want int, args ...string) string {
	return func(want int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), bin, append([]string{"changes"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Fatalf("umpire %v: want exit status %d: %v\n%s", args, want, err, out)
		}
		return string(out)
	}
}
