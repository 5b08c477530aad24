// Package tuitest runs a program in a tmux terminal, for tests that type into it and read its
// screen.
package tuitest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Pane is a terminal with a running program.
type Pane struct {
	Dir string // a folder with a short path, removed at the end

	t     testing.TB
	alive *os.File // readable at its end, once the program and its children have ended
	said  string   // messages of tmux

	copied *os.File      // what tmux has drawn of the program's output
	drawn  chan struct{} // has a value after more was drawn
	mu     sync.Mutex
	raw    bytes.Buffer // all of the output that was drawn
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
	p := &Pane{Dir: temp, t: t, drawn: make(chan struct{}, 1)}
	fifo, raw := filepath.Join(temp, "alive"), filepath.Join(temp, "raw")
	if out, err := exec.CommandContext(t.Context(), "mkfifo", fifo, raw).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v %s", err, out)
	}
	if p.alive, err = os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		t.Fatal(err)
	}
	if p.copied, err = os.OpenFile(raw, os.O_RDWR|syscall.O_NONBLOCK, 0); err != nil { // to write as well: without a writer, it would be at its end
		t.Fatal(err)
	}
	go p.keep()
	t.Cleanup(p.end)
	args := []string{"new-session", "-d", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h), "-c", dir,
		"sh", "-c", `exec 9>` + fifo + `; read go; env -i "$@"; echo left with $?; read stay`, "sh"}
	p.Tmux(append(append(args, env...), argv...)...)
	p.Tmux("pipe-pane", "-o", "exec 9>"+fifo+"; cat > "+raw)
	p.Keys("go", "Enter") // now that the recording runs
	return p
}

// keep keeps the program's output until the end. Tmux draws output before it copies it, so the
// screen shows all that was copied.
func (p *Pane) keep() {
	b := make([]byte, 32<<10)
	for {
		n, err := p.copied.Read(b)
		if err != nil {
			return // p.end closed it
		}
		p.mu.Lock()
		p.raw.Write(b[:n])
		p.mu.Unlock()
		select {
		case p.drawn <- struct{}{}:
		default: // whoever waits has not looked at what came before
		}
	}
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
	if err := errors.Join(p.alive.Close(), p.copied.Close(), os.RemoveAll(p.Dir)); err != nil {
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
	for late := time.After(time.Minute); ; {
		screen := p.Tmux("capture-pane", "-p")
		what := wrong(screen)
		if what == "" {
			return screen
		}
		select {
		case <-p.drawn:
		case <-late:
			p.t.Fatalf("%s\n%s", what, screen)
		}
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
	for late := time.After(time.Minute); ; {
		p.mu.Lock()
		text := p.raw.String()
		p.mu.Unlock()
		if strings.Contains(text, "left with ") {
			return text
		}
		select {
		case <-p.drawn:
		case <-late:
			p.t.Fatalf("the end of the program is not among what it wrote: %q", text)
		}
	}
}
