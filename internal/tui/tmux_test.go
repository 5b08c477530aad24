//go:build !windows

package tui

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// pane is a terminal of tmux's in which the test binary runs as a program.
type pane struct {
	t    *testing.T
	dir  string
	raw  string // a file: all that the program wrote
	seen string
}

// open starts the program. Nothing it writes is missed: it waits until it is listened to.
func open(t *testing.T, w, h int, env ...string) *pane {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "tui") // the path of a socket has to be short
	if err != nil {
		t.Fatal(err)
	}
	p := &pane{t: t, dir: dir, raw: filepath.Join(dir, "raw")}
	t.Cleanup(func() {
		_, _ = p.tmux("kill-server") // it may have ended by itself
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	env = append([]string{"UMPIRE_TUI_SCRIPT=1", "UMPIRE_TUI_DIR=" + dir}, env...)
	p.must("new-session", "-d", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h),
		"sh -c 'read go; env "+strings.Join(env, " ")+" "+exe+"; echo left with $?; read stay'")
	p.must("pipe-pane", "-o", "cat > "+p.raw)
	p.keys("go", "Enter")
	return p
}

func (p *pane) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-u", "-f", "/dev/null", "-S", filepath.Join(p.dir, "s")}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "LANG=C.UTF-8", "TERM=xterm-256color"}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	p.seen += errs.String()
	return out.String(), err
}

func (p *pane) must(args ...string) string {
	p.t.Helper()
	out, err := p.tmux(args...)
	if err != nil {
		p.t.Fatalf("tmux %q: %v %s", args, err, p.seen)
	}
	return out
}

func (p *pane) keys(keys ...string) {
	p.t.Helper()
	p.must(append([]string{"send-keys"}, keys...)...)
}

func (p *pane) typeText(text string) {
	p.t.Helper()
	p.must("send-keys", "-l", "--", text)
}

// until waits until all texts are on the screen.
func (p *pane) until(texts ...string) string {
	p.t.Helper()
	return p.untilIt(func(screen string) string {
		for _, t := range texts {
			if !strings.Contains(screen, t) {
				return "not on the screen: " + t
			}
		}
		return ""
	})
}

// untilIt waits until nothing is wrong with the screen.
func (p *pane) untilIt(wrong func(screen string) string) string {
	p.t.Helper()
	for late := time.Now().Add(time.Minute); ; {
		screen := p.must("capture-pane", "-p")
		what := wrong(screen)
		if what == "" {
			return screen
		}
		if time.Now().After(late) {
			p.t.Fatalf("%s\n%s", what, screen)
		}
		time.Sleep(10 * time.Millisecond) // tmux tells nobody that a screen changed
	}
}

// answer presses a key after a question has been on the screen long enough to be read.
func (p *pane) answer(key string) {
	p.t.Helper()
	time.Sleep(2 * settle)
	p.keys(key)
}

func (p *pane) log() string {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, "log"))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return string(b)
}

func (p *pane) output() string {
	p.t.Helper()
	b, err := os.ReadFile(p.raw)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

func TestTerminalTyping(t *testing.T) {
	p := open(t, 100, 30)
	p.until("› a message, / for commands")
	p.typeText("wide 世界 👋 é")
	p.until("› wide 世界 👋 é")
	if x := strings.TrimSpace(p.must("display-message", "-p", "#{cursor_x}")); x != "16" {
		t.Errorf("the cursor is in column %s, want 16", x)
	}
	p.keys("BSpace", "BSpace", "BSpace", "X")
	p.until("› wide 世界 X")
	p.keys("Enter")
	screen := p.until("表示幅のテスト", "一  │ 👍 yes")
	for l := range strings.Lines(screen) {
		if strings.Contains(l, "│") && !strings.HasPrefix(l, "  列  │ value") && !strings.HasPrefix(l, "  一  │") {
			t.Errorf("the table is shifted: %q", l)
		}
	}
	p.keys("C-c")
	p.until("left with 0")
	if on := strings.TrimSpace(p.must("display-message", "-p", "#{alternate_on}")); on != "0" {
		t.Error("the terminal's screen is not given back")
	}
}

func TestTerminalApproval(t *testing.T) {
	p := open(t, 100, 30)
	p.until("› a message")
	p.typeText("push edit")
	p.keys("Enter")
	p.until("git push --force origin main", "y once  s this session  a always")
	p.typeText("yes, and yes") // as a paste that is not marked
	p.until("keys that come at once are ignored")
	p.answer("y")
	p.until("→ exit 0", "edit_file", "5 + // main greets.", `6 + func main() { fmt.Println("hello, 世界 👋") }`)
	p.must("resize-window", "-x", "60", "-y", "24")
	p.until("y once  s this session  n no", "5 + // main greets.", "↑↓ scroll")
	p.untilIt(func(screen string) string {
		for l := range strings.Lines(screen) {
			if strings.HasPrefix(l, "│") && !strings.HasSuffix(strings.TrimSpace(l), "│") {
				return "the box is broken at 60 columns"
			}
		}
		return ""
	})
	p.must("resize-window", "-x", "150", "-y", "40")
	p.until(`6 + func main() { fmt.Println("hello, 世界 👋") }`, " │ 5 + // main greets.") // side by side
	p.answer("e")
	p.until("Why not?")
	p.typeText("not now, 世界")
	p.keys("Enter")
	p.until("Blocked: the user said no", "› a message")
	if want := "sent 9 bytes\nbash 1 \"\"\nedit_file 0 \"not now, 世界\"\n"; p.log() != want {
		t.Errorf("answered %q, want %q", p.log(), want)
	}
	p.keys("C-e", "Up", "Enter")
	p.until("› ▾ ✓ bash git push", "exit code: 0", "browsing")
	p.keys("Escape")
	p.until("› a message")
}

func TestTerminalInterrupt(t *testing.T) {
	p := open(t, 80, 24)
	p.until("› a message")
	p.typeText("wait")
	p.keys("Enter")
	p.until("turn 1/40 · bash sleep 1000")
	p.typeText("next")
	p.keys("Enter")
	p.until("queued: next")
	p.keys("Escape")
	p.until("[cancelled]", "held: next")
	p.keys("Escape")
	p.until("› next")
	p.keys("C-u")
	p.typeText("push")
	p.keys("Enter")
	p.until("y once")
	p.answer("Escape")
	p.until("› a message")
	p.keys("C-c")
	p.until("left with 0")
}

func TestTerminalBigPaste(t *testing.T) {
	p := open(t, 80, 24)
	p.until("› a message")
	file := filepath.Join(p.dir, "paste")
	text := strings.Repeat("0123456789 世界 0123456789\n", 4000) + "the end"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p.must("load-buffer", file)
	p.must("paste-buffer", "-p")
	p.until("the end")
	p.keys("Enter")
	p.until("4,001 lines, 116.0 KB in all", "› a message")
	if !strings.Contains(p.log(), "sent "+strconv.Itoa(len(text))+" bytes") {
		t.Errorf("the message is not what was pasted: %s", p.log())
	}
}

// Nothing that a model or a tool says reaches the terminal as an order.
func TestTerminalHostile(t *testing.T) {
	p := open(t, 80, 24)
	p.until("› a message")
	p.typeText("evil")
	p.keys("Enter")
	p.until(`printf '\x1b[2J\u202e'\r\x1b[1A hidden`)
	p.answer("n")
	p.until("› a message")
	for _, harm := range []string{"\x1b]52", "\x1b]0;owned", "\x1b[999;999H", "\x1bP", "\u202e", "\u200b", "\x9b"} {
		if strings.Contains(p.output(), harm) {
			t.Errorf("%q reached the terminal", harm)
		}
	}
}

func TestTerminalWithoutColor(t *testing.T) {
	for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
		t.Run(env, func(t *testing.T) {
			p := open(t, 80, 24, env)
			p.until("/help lists the commands")
			p.typeText("hello push")
			p.keys("Enter")
			p.until("> bash git push --force origin main", "esc stop, then Enter:")
			time.Sleep(2 * settle) // until it counts as read
			p.typeText("y")
			p.keys("Enter")
			p.until("→ exit 0: done")
			p.typeText("/exit")
			p.keys("Enter")
			p.until("left with 0")
			if strings.Contains(p.output(), "\x1b") {
				t.Errorf("escape sequences: %q", p.output())
			}
			if p.log() != "sent 10 bytes\nbash 1 \"\"\nsaved\n" {
				t.Errorf("answered %q", p.log())
			}
		})
	}
}

func TestTerminalInline(t *testing.T) {
	p := open(t, 80, 24, "UMPIRE_TUI_INLINE=1")
	p.until("› a message")
	p.typeText("long")
	p.keys("Enter")
	p.until("Paragraph 99", "› a message")
	p.typeText("edit")
	p.keys("Enter")
	p.until("y once")
	p.answer("n")
	p.until("Blocked: the user said no", "› a message")
	p.keys("C-e")
	p.until("browsing")
	p.keys("Escape")
	p.until("› a message")
	p.keys("C-c")
	p.until("left with 0")
	all := p.must("capture-pane", "-p", "-S", "-1000")
	at := 0
	for i := range 100 { // in order, and each once
		text := "Paragraph " + strconv.Itoa(i) + " of"
		n := strings.Index(all, text)
		if n < at || strings.Count(all, text) != 1 {
			t.Fatalf("%q is lost, moved or doubled:\n%s", text, all)
		}
		at = n
	}
	if strings.Contains(all, "Ctrl+C quits") {
		t.Errorf("the status bar stays behind:\n%s", all)
	}
}

func TestTerminalResume(t *testing.T) {
	p := open(t, 80, 24, "UMPIRE_TUI_RESUME=1")
	p.until("Go on with the last session?", "fix the parser · 12 messages")
	p.answer("y")
	p.until("Loaded s2.", "› a message")
}

// A program that is told to end gives the terminal back, and saves.
func TestTerminalEnded(t *testing.T) {
	p := open(t, 80, 24)
	p.until("› a message")
	p.typeText("wait")
	p.keys("Enter")
	p.until("bash sleep 1000")
	pid, err := os.ReadFile(filepath.Join(p.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-TERM", string(pid)).Run(); err != nil {
		t.Fatal(err)
	}
	p.until("left with 0")
	if !strings.Contains(p.log(), "saved") {
		t.Errorf("not saved: %s", p.log())
	}
}
