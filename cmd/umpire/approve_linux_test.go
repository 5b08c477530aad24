package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/terminal"
)

// console is a pseudo terminal with a program in it.
type console struct {
	t    *testing.T
	f    *os.File
	cmd  *exec.Cmd
	seen bytes.Buffer
}

func openConsole(t *testing.T, cmd *exec.Cmd) *console {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal("there are no pseudo terminals here: ", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return &console{t: t, f: master, cmd: cmd}
}

// expect reads until the program has printed something, and returns all up to that. What came
// after it stays to be expected: one read may have both.
func (c *console) expect(text string) string {
	c.t.Helper()
	b := make([]byte, 4096)
	for !strings.Contains(c.seen.String(), text) {
		n, err := c.f.Read(b)
		c.seen.Write(b[:n])
		if err != nil {
			c.t.Fatalf("%v, waiting for %q; printed %s", err, text, &c.seen)
		}
	}
	return string(c.seen.Next(strings.Index(c.seen.String(), text) + len(text)))
}

func (c *console) typed(s string) {
	c.t.Helper()
	if _, err := io.WriteString(c.f, s); err != nil {
		c.t.Fatal(err)
	}
}

// free reports whether a person could answer here. Where an agent runs the tests nobody
// can: that umpire says so is then what is tested.
func free(t *testing.T) bool {
	t.Helper()
	if terminal.Agent() == nil {
		return true
	}
	c := openConsole(t, exec.Command(program(t), "approve", "abcdefgh"))
	c.expect("agents cannot answer for people")
	return false
}

func TestApproveAtTerminal(t *testing.T) {
	if !free(t) {
		return
	}
	prog := program(t)
	dir := newProject(t)
	t.Chdir(dir)
	a, q := askedAbout(t, "make deploy")
	box, _, _ := answer.Questions()

	c := openConsole(t, exec.Command(prog, "approve", q.ID))
	c.expect("[y/N] ")
	c.typed("y\n")
	c.expect("approved once")
	if err := c.cmd.Wait(); err != nil || !box.Has(a) {
		t.Errorf("%v, approved %v", err, box.Has(a))
	}
	log := approvals(t)
	if len(log) != 1 || log[0].Effect != "allow" {
		t.Errorf("audit log: got %+v, want one event, allow", log)
	}
}

// What was typed before the question could be read is no answer.
func TestTypedAhead(t *testing.T) {
	if !free(t) {
		return
	}
	prog := program(t)
	t.Chdir(newProject(t))
	a, q := askedAbout(t, "make deploy")
	box, _, _ := answer.Questions()
	cmd := exec.Command("/bin/sh", "-c", `echo ready; read x; exec "$0" approve "$1"`, prog, q.ID)
	c := openConsole(t, cmd)
	c.expect("ready")
	c.typed("go\ny\ny\n")
	c.expect("[y/N] ")
	c.typed("n\n")
	c.expect("still pending")
	if box.Has(a) {
		t.Error("approved")
	}
}

// An agent that makes itself a terminal is known by what it leaves in the environment, by
// the processes above, or by who holds the terminal.
func TestAgentsTerminal(t *testing.T) {
	if !free(t) {
		return
	}
	prog := program(t)
	dir := newProject(t)
	t.Chdir(dir)
	a, q := askedAbout(t, "make deploy")
	box, _, _ := answer.Questions()
	agent := filepath.Join(t.TempDir(), "codex")
	sh, err := os.ReadFile("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(agent, sh, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
	}{
		{"environment", []string{"/usr/bin/env", "CLAUDECODE=1", prog, "approve", q.ID}},
		{"above", []string{agent, "-c", `"$0" approve "$1"; true`, prog, q.ID}},
		{"environment of a process above", []string{"/usr/bin/env", "GEMINI_CLI=1", "/bin/sh", "-c", `env -u GEMINI_CLI "$0" approve "$1"; true`, prog, q.ID}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := openConsole(t, exec.Command(tt.args[0], tt.args[1:]...))
			c.typed("y\n")
			c.expect("agents cannot answer for people")
		})
	}
	t.Run("holds the terminal", func(t *testing.T) {
		script, err := exec.LookPath("script")
		if err != nil {
			t.Fatal(err, ": install util-linux or bsdutils")
		}
		// script leaves the agent's family by setsid -f and keeps nothing of its environment:
		// only that an agent started it shows, for it runs below one still.
		cmd := exec.Command(agent, "-c", `env -i HOME="$HOME" PATH="$PATH" "$2" -qc "setsid -w $0 approve $1" /dev/null; true`, prog, q.ID, script)
		cmd.Stdin = strings.NewReader("y\ny\n")
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), "agents cannot") && !strings.Contains(string(out), "your own terminal window") {
			t.Errorf("want a refusal to answer without a terminal:\n%s", out)
		}
	})
	if box.Has(a) {
		t.Error("approved")
	}
}

func TestWatchAtTerminal(t *testing.T) {
	if !free(t) {
		return
	}
	prog := program(t)
	t.Chdir(newProject(t))
	c := openConsole(t, exec.Command(prog, "watch", "--bell"))
	c.expect("waiting")
	a, _ := askedAbout(t, "make deploy")
	box, _, _ := answer.Questions()
	c.expect("q quit: ")
	for !box.Has(a) { // keys that come too soon are ignored
		c.typed("a")
		runtime.Gosched()
	}
	c.expect("approved once")
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	state, err := unix.IoctlGetTermios(int(c.f.Fd()), unix.TCGETS)
	if err != nil || state.Lflag&unix.ICANON == 0 || state.Lflag&unix.ECHO == 0 {
		t.Errorf("the terminal is left raw: %+v, %v", state, err)
	}
}
