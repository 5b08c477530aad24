//go:build linux

package procgroup_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/procgroup"
	"github.com/umpire-dev/umpire/internal/tools/poll"
)

// What a program started ends with it, in its group and out of it; what has another home
// does not.
func TestEnd(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	home := t.TempDir()
	other := exec.CommandContext(ctx, "sleep", "100")
	other.Env = []string{"HOME=" + home + "-other"}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill() }()
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 100 & echo $!; setsid sleep 100 & echo $!; exec 1>&-; wait")
	cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
	procgroup.Lead(cmd)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pids []int
	lines := bufio.NewScanner(out)
	for len(pids) < 2 && lines.Scan() {
		pid, err := strconv.Atoi(strings.TrimSpace(lines.Text()))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	if len(pids) < 2 {
		t.Fatalf("%d started, %v", len(pids), lines.Err())
	}
	procgroup.End(cmd, home)
	_ = cmd.Wait() // killed
	for _, pid := range pids {
		poll.Until(t, func() (bool, string) { return !running(pid), fmt.Sprintf("process %d still runs", pid) })
	}
	// A kill would come before this, and what is dead takes a signal, too.
	if err := other.Process.Signal(syscall.SIGTERM); err != nil {
		t.Errorf("one with another home: %v", err)
	}
	_ = other.Wait()
	if status := other.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGTERM {
		t.Errorf("one with another home: %v", other.ProcessState)
	}
}

// A program that left the group and starts others all the time ends with what it starts
// while it is looked for.
func TestEndOfOneThatStartsOthers(t *testing.T) {
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "setsid", "sh", "-c", "echo began; i=0; while [ $((i+=1)) -lt 3000 ]; do sleep 100 & done")
	cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	procgroup.Lead(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if !bufio.NewScanner(out).Scan() {
		t.Fatal("it did not begin")
	}
	procgroup.End(cmd, home)
	_ = cmd.Wait()
	t.Cleanup(func() {
		for _, pid := range alive(t, home) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	poll.Until(t, func() (bool, string) {
		left := alive(t, home)
		return len(left) == 0, fmt.Sprintf("the processes %v still run", left)
	})
}

// A program that left the group ends also while it becomes another one, when it shows no
// environment: here it does so nearly all the time.
func TestEndOfOneThatBecomesOthers(t *testing.T) {
	home := t.TempDir()
	script := filepath.Join(home, "again")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n[ $1 -gt 200000 ] || exec \"$0\" $(($1+1))\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", `setsid "$HOME/again" 1 & echo $!; wait`)
		cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
		procgroup.Lead(cmd)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		for got := 0; got != pid; { // until it has a session of its own
			if got, err = unix.Getsid(pid); err != nil {
				t.Fatal(err)
			}
		}
		procgroup.End(cmd, home)
		_ = cmd.Wait()
		t.Cleanup(func() {
			if t.Failed() && running(pid) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
		poll.Until(t, func() (bool, string) { return !running(pid), fmt.Sprintf("process %d still runs", pid) })
	}
}

// alive lists the processes with a home.
func alive(t *testing.T, home string) (pids []int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		env, err := os.ReadFile(f)
		if pid, e := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil && e == nil && strings.Contains("\x00"+string(env), "\x00HOME="+home+"\x00") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// running reports whether a process is there, and not only its status, which init may not
// have fetched yet.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}
