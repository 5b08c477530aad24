package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/tools/programs"
)

// Every command has its files in the home that umpire was set up in, whatever HOME says: a
// gateway whose environment a project set keeps its token where the others look for it.
func TestOneHome(t *testing.T) {
	dir := t.TempDir()
	passwd, bin := filepath.Join(dir, "passwd"), filepath.Join(dir, "umpire")
	programs.Build(t, dir, passwd, "cmd/umpire")
	dir = newProject(t)
	account, other := filepath.Dir(dir), t.TempDir()
	put(t, filepath.Join(account, ".config/umpire/policy.yaml"), "version: 1\n")
	put(t, passwd, fmt.Sprintf("me:x:%d:1::%s:/bin/sh\n", os.Getuid(), account))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	env := func(home string) []string { return []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")} }

	gw := exec.CommandContext(ctx, bin, "serve", "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0")
	gw.Dir, gw.Env = dir, env(other)
	log, err := gw.StderrPipe()
	if err == nil {
		err = gw.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gw.Process.Signal(syscall.SIGTERM); _ = gw.Wait() })
	at, warned := map[string]string{}, false
	lines := bufio.NewScanner(log)
	for len(at) < 2 && lines.Scan() {
		warned = warned || strings.Contains(lines.Text(), "umpire init") && strings.Contains(lines.Text(), account)
		if m := regexp.MustCompile(`side=(\w+) address=(127\.0\.0\.1:\d+)`).FindStringSubmatch(lines.Text()); m != nil {
			at[m[1]] = m[2]
		}
	}
	go func() {
		for lines.Scan() { // else it would wait for somebody to read
		}
	}()
	if !warned {
		t.Error("the gateway does not say whose files it uses")
	}
	if list, err := os.ReadDir(other); err != nil || len(list) > 0 {
		t.Errorf("in the other home: %v, %v", list, err)
	}
	commands := [][]string{{"queue"}, {"rules"}, {"token", "list"}, {"history"}, {"login"}}
	if free(t) {
		commands = append(commands, []string{"run", "--proxy", at["proxy"], "--", "true"})
	}
	for _, home := range []string{account, other} {
		for _, args := range commands {
			cmd := exec.CommandContext(ctx, bin, args...)
			cmd.Dir, cmd.Env = dir, append(env(home), "UMPIRE_SERVER=http://"+at["all"])
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v with HOME=%s: %v\n%s", args, home, err, out)
			}
		}
	}
}
