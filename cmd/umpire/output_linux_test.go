package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

// A report that did not fit on the disk is not taken for a whole one.
func TestFullDisk(t *testing.T) {
	home, dir := agentHome(t, "")
	put(t, filepath.Join(dir, "text"), "words\n")
	if _, errs, status := calledIn(t, home, dir, "", "ca", "create"); status != 0 {
		t.Fatal(errs)
	}
	for _, args := range [][]string{
		{"--help"}, {"help", "queue"}, {"status"}, {"status", "--json"}, {"questions"}, {"changes", "runs"}, {"check", "ls"}, {"check", "--json", "ls"},
		{"audit", "stats"}, {"audit", "verify"}, {"policy", "show"}, {"policy", "list"}, {"policy", "explain", "delete-home"}, {"policy", "test"}, {"policy", "schema"},
		{"judge", "--prompt", "ls"}, {"guard", "scan", "text"}, {"ca", "show"}, {"ca", "trust"}, {"agent", "sessions", "--json"}, {"run", "--dry-run", "--", "true"}, {"completion", "bash"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		cmd := exec.CommandContext(t.Context(), program(t), args...)
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, full, &errs
		if err := cmd.Run(); err == nil || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%s: got error %v, standard error %q, want \"no space left\"", args, err, errs.String())
		}
		if err := full.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A command that cannot read what it is asked about fails and names the file. It does not say that
// there is nothing.
func TestEveryCommandOverAFileForItsFolder(t *testing.T) {
	for _, args := range []string{
		"agent sessions", "agent sessions --json", "questions", "questions --json", "review show", "review show 0a1b2c3d4e-1",
		"audit search", "audit stats", "audit tail", "audit verify", "audit export", "status --json", "changes", "changes runs",
	} {
		dir := newProject(t)
		state := filepath.Join(os.Getenv("HOME"), ".local", "state", "umpire")
		put(t, state, "no folder")
		t.Chdir(dir)
		if out, errs, err := streams(t, strings.Fields(args)...); cli.Status(err) != cli.ExitFailure || !strings.Contains(errs+err.Error(), state) {
			t.Errorf("umpire %s: status %d, %v, standard error %q, printed %.200q, want %d and %s", args, cli.Status(err), err, errs, out, cli.ExitFailure, state)
		}
	}
}

// What can be told is told, whatever else cannot be read.
func TestStatusOfHalfAHome(t *testing.T) {
	home, dir := agentHome(t, "")
	put(t, filepath.Join(home, ".local", "state", "umpire"), "no folder")
	out, errs, status := calledIn(t, home, dir, "", "status")
	if status != 1 || !strings.Contains(out, "policy") || !strings.Contains(errs, "not a directory") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}
