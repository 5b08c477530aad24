// Package tuitest runs a program in a tmux terminal, for tests that type into it and read its
// screen.
package tuitest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Pane is a terminal with a running program.
type Pane struct {
	Dir string // a folder with a short path, removed at the end

	t     testing.TB
	raw   string   // a file with the program's output
	alive *os.File // readable at its end, once the program and its children have ended
	said  string   // messages of tmux
}

// Open starts a program in dir, with exactly that environment, in a terminal of w columns and h
// lines. It misses no output. When the program ends, "left with" and its exit status appear on the
// screen.
func Open(t testing.TB, w, h int, dir string, env []string, argv ...string) *Pane {
	t.Helper()
	temp, err := os.MkdirTemp("", "tui") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	p := &Pane{Dir: temp, t: t, raw: filepath.Join(temp, "raw")}
	fifo := filepath.Join(temp, "alive")
	if out, err := exec.CommandContext(t.Context(), "mkfifo", fifo).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v %s", err, out)
	}
	if p.alive, err = os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	args := []string{"new-session", "-d", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h), "-c", dir,
		"sh", "-c", `exec 9>` + fifo + `; read go; env -i "$@"; echo left with $?; read stay`, "sh"}
	p.Tmux(append(append(args, env...), argv...)...)
	p.Tmux("pipe-pane", "-o", "exec 9>"+fifo+"; cat > "+p.raw)
	p.Keys("go", "Enter") // now that the recording runs
	return p
}

// end ends the program and waits for it: it must not write into the test's folders during their
// removal.
func (p *Pane) end() {
	_, _ = p.tmux("kill-server") // it may have ended by itself
	if err := p.alive.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		p.t.Error(err)
	}
	if _, err := p.alive.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		p.t.Errorf("the program continues without its terminal: %v", err)
	}
	if err := errors.Join(p.alive.Close(), os.RemoveAll(p.Dir)); err != nil {
		p.t.Error(err)
	}
}

func (p *Pane) tmux(args ...string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-f", "/dev/null", "-S", filepath.Join(p.Dir, "s")}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.Dir, "LANG=C.UTF-8", "TERM=xterm-256color"}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	p.said += errs.String()
	return out.String(), err
}

// Tmux runs a tmux command and returns its output.
func (p *Pane) Tmux(args ...string) string {
	p.t.Helper()
	out, err := p.tmux(args...)
	if err != nil {
		p.t.Fatalf("tmux %q: %v %s", args, err, p.said)
	}
	return out
}

// Keys presses keys, by tmux's names.
func (p *Pane) Keys(keys ...string) {
	p.t.Helper()
	p.Tmux(append([]string{"send-keys"}, keys...)...)
}

// Type types a text in one step.
func (p *Pane) Type(text string) {
	p.t.Helper()
	p.Tmux("send-keys", "-l", "--", text)
}

// Paste pastes a text in bracketed-paste mode.
func (p *Pane) Paste(text string) {
	p.t.Helper()
	file := filepath.Join(p.Dir, "paste")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.Tmux("load-buffer", file)
	p.Tmux("paste-buffer", "-p")
}

// Resize changes the terminal's size.
func (p *Pane) Resize(w, h int) {
	p.t.Helper()
	p.Tmux("resize-window", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h))
}

// Until waits until all texts are on the screen, and returns the screen.
func (p *Pane) Until(texts ...string) string {
	p.t.Helper()
	return p.UntilRight(func(screen string) string {
		for _, t := range texts {
			if !strings.Contains(screen, t) {
				return "not on the screen: " + t
			}
		}
		return ""
	})
}

// UntilRight waits until the check finds no fault on the screen, and returns the screen.
func (p *Pane) UntilRight(wrong func(screen string) string) string {
	p.t.Helper()
	for late := time.Now().Add(time.Minute); ; {
		screen := p.Tmux("capture-pane", "-p")
		what := wrong(screen)
		if what == "" {
			return screen
		}
		if time.Now().After(late) {
			p.t.Fatalf("%s\n%s", what, screen)
		}
		time.Sleep(10 * time.Millisecond) // tmux does not signal changes of the screen
	}
}

// Answer presses a key once the screen has been visible long enough to be read.
func (p *Pane) Answer(key string) {
	p.t.Helper()
	p.Read()
	p.Keys(key)
}

// Read waits for the time that a person needs to read a question: answers that come faster, or soon
// after other keys, do not count, and a busy machine delays keys.
func (p *Pane) Read() { time.Sleep(time.Second) }

// Scrollback returns the screen and the lines above it.
func (p *Pane) Scrollback() string {
	p.t.Helper()
	return p.Tmux("capture-pane", "-p", "-S", "-10000")
}

// Output returns the raw output of the program, which must have ended.
func (p *Pane) Output() string {
	p.t.Helper()
	for late := time.Now().Add(time.Minute); ; {
		b, err := os.ReadFile(p.raw)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			p.t.Fatal(err)
		}
		if bytes.Contains(b, []byte("left with ")) {
			return string(b)
		}
		if time.Now().After(late) {
			p.t.Fatalf("the end of the program is not among what it wrote: %q", b)
		}
		time.Sleep(10 * time.Millisecond) // the copy does not signal its progress
	}
}
