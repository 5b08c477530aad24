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
		for running(pid) {
			if ctx.Err() != nil {
				t.Fatalf("%d still runs", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
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
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		left := alive(t, home)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			for _, pid := range left {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			t.Fatalf("%d are left", len(left))
		}
	}
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
		for deadline := time.Now().Add(time.Minute); running(pid); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Fatal("it goes on")
			}
		}
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
