//go:build unix

package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	t.Setenv("API_TOKEN", "hunter2")
	dir := t.TempDir()
	for _, tt := range []struct {
		name string
		c    Command
		want Result
	}{
		{"argv", Command{Argv: []string{"echo", "$HOME; rm"}}, Result{Stdout: "$HOME; rm\n"}},
		{"shell", Command{Shell: "echo a; echo b >&2; exit 3"}, Result{Stdout: "a\n", Stderr: "b\n", ExitCode: 3}},
		{"folder", Command{Shell: "pwd", Dir: dir}, Result{Stdout: dir + "\n"}},
		{"no secrets", Command{Shell: "env | grep -c hunter2"}, Result{Stdout: "0\n", ExitCode: 1}},
		{"no input", Command{Shell: "cat; echo end"}, Result{Stdout: "end\n"}},
		{"signal", Command{Shell: "kill -TERM $$"}, Result{ExitCode: 143}},
		{"bad text", Command{Shell: `printf 'a\377b'`}, Result{Stdout: "a\uFFFDb"}},
	} {
		got := Run(t.Context(), tt.c)
		got.Took = 0
		if got != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	for _, c := range []Command{{}, {Argv: []string{"/no/such/program"}}, {Shell: "true", Dir: "/no/such/folder"}} {
		if got := Run(t.Context(), c); got.ExitCode != ExitNotStarted || got.Stderr == "" {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// Nothing that a command started outlives its time.
func TestTimeout(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	got := Run(t.Context(), Command{Shell: fmt.Sprintf("sleep 600 & echo $! > %s; wait", file), Timeout: 300 * time.Millisecond})
	if got.ExitCode != ExitTimeout || !strings.Contains(got.Stderr, "umpire: ended after 300ms") || got.Took > 30*time.Second {
		t.Errorf("%+v", got)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(data), &pid); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); syscall.Kill(pid, 0) == nil && !zombie(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the child lives on")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Run(ctx, Command{Shell: "sleep 60"}); got.ExitCode == 0 {
		t.Errorf("canceled: %+v", got)
	}
}

func zombie(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(data), ") Z ")
}

// Of much output the beginning and the end are kept, and what is missing shows.
func TestOutputIsBounded(t *testing.T) {
	streamed := 0
	got := Run(t.Context(), Command{Shell: "echo begin; yes | head -c 5000000; echo; echo end", Stream: func(_ string, p []byte) { streamed += len(p) }})
	if len(got.Stdout) > maxHead+maxTail+100 || !strings.HasPrefix(got.Stdout, "begin\n") || !strings.HasSuffix(got.Stdout, "\nend\n") ||
		!strings.Contains(got.Stdout, "bytes left out") || int64(streamed) != got.Cut+maxHead+maxTail {
		t.Errorf("%d bytes kept, %d cut, %d streamed", len(got.Stdout), got.Cut, streamed)
	}
}

// A grandchild that keeps the pipes open is not waited for.
func TestOpenPipes(t *testing.T) {
	start := time.Now()
	got := Run(t.Context(), Command{Shell: "setsid sleep 20 & echo started"})
	if got.Stdout != "started\n" || got.ExitCode != 0 || time.Since(start) > 15*time.Second {
		t.Errorf("%+v after %s", got, time.Since(start))
	}
}

func TestPackageCommand(t *testing.T) {
	for _, tt := range []struct {
		manager, verb string
		scripts       bool
		want          string
	}{
		{"npm", "install", false, "npm install --ignore-scripts --no-audit --no-fund -- a b"},
		{"npm", "install", true, "npm install -- a b"},
		{"npm", "remove", false, "npm uninstall -- a b"},
		{"bun", "add", false, "bun add --ignore-scripts a b"},
		{"pip", "install", false, "pip install --only-binary :all: -- a b"},
		{"cargo", "add", false, "cargo add -- a b"},
		{"go", "add", false, "go get -- a b"},
		{"pip", "add", false, ""},
		{"go", "remove", false, ""},
		{"sh", "install", false, ""},
	} {
		got, err := PackageCommand(tt.manager, tt.verb, []string{"a", "b"}, tt.scripts)
		if strings.Join(got, " ") != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s %s: %v, %v", tt.manager, tt.verb, got, err)
		}
	}
	first, _ := PackageCommand("npm", "install", []string{"a"}, false)
	second, _ := PackageCommand("npm", "install", []string{"b"}, false)
	if slices.Equal(first, second) || first[len(first)-1] != "a" {
		t.Error("two commands share their words")
	}
}
