package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

// calledIn runs the real program and returns what it printed and its status.
func calledIn(t *testing.T, home, dir, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t), args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// every calls f for each command of the program.
func every(c *cobra.Command, f func(path []string, c *cobra.Command)) {
	for _, sub := range c.Commands() {
		f(strings.Fields(sub.CommandPath())[1:], sub)
		every(sub, f)
	}
}

// takesText are the groups whose own argument may be any word.
var takesText = []string{"agent", "judge", "review"}

func TestEveryGroupRefusesUnknownCommands(t *testing.T) {
	home, dir := agentHome(t, "")
	groups := 0
	every(newRoot(), func(path []string, c *cobra.Command) {
		name := strings.Join(path, " ")
		if !c.HasSubCommands() || strings.Contains(strings.Join(takesText, " "), name) {
			return
		}
		groups++
		out, errs, status := calledIn(t, home, dir, "", append(path, "frob")...)
		if status != cli.ExitUsage || out != "" || !strings.Contains(errs, `unknown `+name+` command "frob"`) {
			t.Errorf("%s frob: status %d, %s%s", name, status, out, errs)
		}
		near := c.Commands()[0].Name()
		if _, errs, status = calledIn(t, home, dir, "", append(path, near+"x")...); status != cli.ExitUsage || !strings.Contains(errs, "did you mean "+near) {
			t.Errorf("%s %sx: status %d, %s", name, near, status, errs)
		}
	})
	if groups < 9 {
		t.Errorf("%d groups: the tree is larger", groups)
	}
	for _, args := range [][]string{{"frob"}, {"help", "frob"}, {"help", "ca", "frob"}, {"frob", "--help"}, {"ca", "frob", "-h"}} {
		if out, errs, status := calledIn(t, home, dir, "", args...); status != cli.ExitUsage || out != "" || !strings.Contains(errs, `command "frob"`) {
			t.Errorf("%s: status %d, %s%s", args, status, out, errs)
		}
	}
	for _, args := range [][]string{{"ca"}, {"token"}, {"audit"}, {"help", "ca", "show"}} {
		if out, errs, status := calledIn(t, home, dir, "", args...); status != 0 || !strings.Contains(out, "Usage:") || errs != "" {
			t.Errorf("%s: status %d, %s%s", args, status, out, errs)
		}
	}
}

// What a command does not take, it refuses before it does anything.
func TestEveryCommandRefusesMoreArguments(t *testing.T) {
	home, dir := agentHome(t, "")
	leaves := 0
	every(newRoot(), func(path []string, c *cobra.Command) {
		_, takes, _ := strings.Cut(strings.TrimSuffix(c.UseLine(), " [flags]"), strings.Join(path, " "))
		if takes = strings.ReplaceAll(takes, "[flags]", ""); strings.TrimSpace(takes) != "" || c.HasSubCommands() || c.Name() == "help" {
			return
		}
		leaves++
		if out, errs, status := calledIn(t, home, dir, "", append(path, "frob")...); status != cli.ExitUsage || out != "" || !strings.Contains(errs, "frob") {
			t.Errorf("%s frob: status %d, %s%s", path, status, out, errs)
		}
		if _, errs, status := calledIn(t, home, dir, "", append(path, "--frob")...); status != cli.ExitUsage || !strings.Contains(errs, "--frob") {
			t.Errorf("%s --frob: status %d, %s", path, status, errs)
		}
	})
	if leaves < 25 {
		t.Errorf("%d commands: there are more", leaves)
	}
}

// A file of the wrong kind is refused by name, and one that never ends is not read to its end.
func TestWrongFiles(t *testing.T) {
	home, dir := agentHome(t, "")
	put(t, filepath.Join(dir, "plain"), "words\nand more\n")
	const endless = "/dev/zero"
	for _, c := range []struct {
		args string
		says string
	}{
		{"guard serve --listen 127.0.0.1:0 --token-file " + endless, endless + " is larger than"},
		{"serve --listen 127.0.0.1:0 --notify-secret " + endless, endless + " is larger than"},
		{"serve --listen 127.0.0.1:0 --tls-cert " + endless + " --tls-key plain", endless + " is larger than"},
		{"serve --listen 127.0.0.1:0 --tls-cert plain --tls-key plain", "--tls-cert and --tls-key: "},
		{"trust " + endless + " --yes", endless + " is not a regular file"},
		{"review --provider ollama --instructions " + endless + " .", endless + " is larger than"},
		{"policy check .", "not a regular file"},
		{"replay plain", "plain is not a transcript"},
		{"replay .", "no transcripts in ."},
		{"replay " + endless, "not a regular file"},
		{"replay --since 30x .", `--since is "30x": must be a time`},
		{"run -C plain -- true", "plain is not a folder"},
		{"run -C none -- true", "none is not a folder"},
		{"guard scan " + endless, "larger than"},
		{"man plain", "not a directory"},
		{"audit verify --dir plain", "plain is not a folder"},
	} {
		out, errs, status := calledIn(t, home, dir, "", strings.Fields(c.args)...)
		if status == 0 || !strings.Contains(errs, c.says) || strings.Contains(out+errs, "login?code") {
			t.Errorf("%s: status %d, %s%s", c.args, status, out, errs)
		}
	}
}

// Several that make the same links at once all find them made.
func TestShimsAtOnce(t *testing.T) {
	home, dir := agentHome(t, "")
	var all []*exec.Cmd
	for range 8 {
		cmd := exec.CommandContext(t.Context(), program(t), "shims", "s")
		cmd.Dir, cmd.Env, cmd.Stderr = dir, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, new(bytes.Buffer)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("the command ended: %v: %s", err, cmd.Stderr)
		}
	}
}
