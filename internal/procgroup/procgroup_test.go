//go:build linux

package procgroup_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

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
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
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
	procgroup.End(cmd, home)
	_ = cmd.Wait() // killed
	for _, pid := range pids {
		for syscall.Kill(pid, 0) == nil && !zombie(t, pid) { // init may not have fetched it yet
			if ctx.Err() != nil {
				t.Fatalf("%d still runs", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("one with another home: %v", err)
	}
}

// A program that left the group and starts others all the time ends with what it starts
// while it is looked for.
func TestEndOfOneThatStartsOthers(t *testing.T) {
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "setsid", "sh", "-c", "echo began; while :; do sleep 100 & done")
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

func zombie(t *testing.T, pid int) bool {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || strings.HasPrefix(string(out), "Z")
}
