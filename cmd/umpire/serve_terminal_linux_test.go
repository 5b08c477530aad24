package main

import (
	"bufio"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// A server ends with its terminal, unless nohup started it. While the terminal is open, SIGHUP reloads.
func TestServersEndWithTheirTerminal(t *testing.T) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP) // else the servers ignore it if nohup started the tests
	prog := program(t)
	for name, tt := range map[string]struct {
		command string
		stays   bool
	}{
		"gateway":       {`exec "$0" serve --listen 127.0.0.1:0 --proxy 127.0.0.1:0 >&3 2>&3`, false},
		"guard":         {`exec "$0" guard serve --listen 127.0.0.1:0 >&3 2>&3`, false},
		"gateway nohup": {`trap "" HUP; exec "$0" serve --listen 127.0.0.1:0 --proxy 127.0.0.1:0 >&3 2>&3`, true},
		"guard nohup":   {`trap "" HUP; exec "$0" guard serve --listen 127.0.0.1:0 >&3 2>&3`, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newProject(t)
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			cmd := exec.Command("sh", "-c", tt.command, prog)
			cmd.Dir, cmd.Env, cmd.ExtraFiles = dir, os.Environ(), []*os.File{write}
			c := openConsole(t, cmd)
			write.Close()
			lines := bufio.NewScanner(read)
			expect := func(text string) {
				t.Helper()
				for lines.Scan() {
					if strings.Contains(lines.Text(), text) {
						return
					}
				}
				t.Fatalf("it ended without %q", text)
			}
			hangUp := func() {
				t.Helper()
				if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
					t.Fatal(err)
				}
			}
			expect("listening")
			hangUp()
			expect("SIGHUP: reloaded")
			if err := c.f.Close(); err != nil { // the kernel sends SIGHUP
				t.Fatal(err)
			}
			if tt.stays {
				expect("SIGHUP: reloaded")
				hangUp() // still there
				expect("SIGHUP: reloaded")
				if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
			}
			expect("shutting down")
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}
