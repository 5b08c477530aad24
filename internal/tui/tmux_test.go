//go:build !windows

package tui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tui/tuitest"
)

// pane is a terminal of tmux's in which the test binary runs as a program.
type pane struct {
	*tuitest.Pane
	t   *testing.T
	dir string // where the program notes what happens
}

func open(t *testing.T, w, h int, env ...string) *pane {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p := &pane{t: t, dir: dir, Pane: tuitest.Open(t, w, h, dir, append([]string{"TERM=screen-256color", "UMPIRE_TUI_SCRIPT=1", "UMPIRE_TUI_DIR=" + dir}, env...), exe)}
	return p
}

func (p *pane) log() string {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, "log"))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return string(b)
}

func TestTerminalTyping(t *testing.T) {
	p := open(t, 100, 30)
	p.Until("› a message, / for commands")
	p.Type("wide 世界 👋 é")
	p.Until("› wide 世界 👋 é")
	p.UntilRight(func(string) string { // the screen may be half drawn
		if x := strings.TrimSpace(p.Tmux("display-message", "-p", "#{cursor_x}")); x != "16" {
			return "the cursor is in column " + x + ", want 16"
		}
		return ""
	})
	p.Keys("BSpace", "BSpace", "BSpace", "X")
	p.Until("› wide 世界 X")
	p.Keys("Enter")
	p.Until("表示幅のテスト", "一  │ 👍 yes")
	p.UntilRight(func(screen string) string {
		for l := range strings.Lines(screen) {
			if strings.Contains(l, "│") && !strings.HasPrefix(l, "  列  │ value") && !strings.HasPrefix(l, "  一  │") {
				return "the table is shifted: " + l
			}
		}
		return ""
	})
	p.Keys("C-c")
	p.Until("left with 0")
	if on := strings.TrimSpace(p.Tmux("display-message", "-p", "#{alternate_on}")); on != "0" {
		t.Error("the terminal's screen is not given back")
	}
}

func TestTerminalApproval(t *testing.T) {
	p := open(t, 100, 30)
	p.Until("› a message")
	p.Type("push edit")
	p.Keys("Enter")
	p.Until("git push --force origin main", "y once  s this session  a always")
	p.Type("yes, and yes") // as a paste that is not marked
	p.Until("keys that come at once are ignored")
	p.Answer("y")
	p.Until("→ exit 0", "edit_file", "5 + // main greets.", `6 + func main() { fmt.Println("hello, 世界 👋") }`)
	p.Resize(60, 24)
	p.Until("y once  s this session  n no", "5 + // main greets.", "↑↓ scroll")
	p.UntilRight(func(screen string) string {
		for l := range strings.Lines(screen) {
			if strings.HasPrefix(l, "│") && !strings.HasSuffix(strings.TrimSpace(l), "│") {
				return "the box is broken at 60 columns"
			}
		}
		return ""
	})
	p.Resize(150, 40)
	p.Until(`6 + func main() { fmt.Println("hello, 世界 👋") }`, " │ 5 + // main greets.") // side by side
	p.Answer("e")
	p.Until("Why not?")
	p.Type("not now, 世界")
	p.Keys("Enter")
	p.Until("Blocked: the user said no", "› a message")
	if want := "sent 9 bytes\nbash 1 \"\"\nedit_file 0 \"not now, 世界\"\n"; p.log() != want {
		t.Errorf("answered %q, want %q", p.log(), want)
	}
	p.Keys("C-e", "Up", "Enter")
	p.Until("› ▾ ✓ bash git push", "exit code: 0", "browsing")
	p.Keys("Escape")
	p.Until("› a message")
}

func TestTerminalInterrupt(t *testing.T) {
	p := open(t, 80, 24)
	p.Until("› a message")
	p.Type("wait")
	p.Keys("Enter")
	p.Until("turn 1/40 · bash sleep 1000")
	p.Type("next")
	p.Keys("Enter")
	p.Until("queued: next")
	p.Keys("Escape")
	p.Until("[cancelled]", "held: next")
	p.Keys("Escape")
	p.Until("› next")
	p.Keys("C-u")
	p.Type("push")
	p.Keys("Enter")
	p.Until("y once")
	p.Answer("Escape")
	p.Until("› a message")
	p.Keys("C-c")
	p.Until("left with 0")
}

func TestTerminalBigPaste(t *testing.T) {
	p := open(t, 80, 24)
	p.Until("› a message")
	text := strings.Repeat("0123456789 世界 0123456789\n", 4000) + "the end"
	p.Paste(text)
	p.Until("the end")
	p.Keys("Enter")
	p.Until("4,001 lines, 116.0 KB in all", "› a message")
	if !strings.Contains(p.log(), "sent "+strconv.Itoa(len(text))+" bytes") {
		t.Errorf("the message is not what was pasted: %s", p.log())
	}
}

// Nothing that a model or a tool says reaches the terminal as an order.
func TestTerminalHostile(t *testing.T) {
	p := open(t, 80, 24)
	p.Until("› a message")
	p.Type("evil")
	p.Keys("Enter")
	p.Until(`printf '\x1b[2J\u202e'\r\x1b[1A hidden`)
	p.Answer("n")
	p.Until("› a message")
	p.Keys("C-c")
	p.Until("left with 0")
	for _, harm := range []string{"\x1b]52", "\x1b]0;owned", "\x1b[999;999H", "\x1bP", "\u202e", "\u200b", "\x9b"} {
		if strings.Contains(p.Output(), harm) {
			t.Errorf("%q reached the terminal", harm)
		}
	}
}

func TestTerminalWithoutColor(t *testing.T) {
	for _, env := range []string{"NO_COLOR=1", "TERM=dumb"} {
		t.Run(env, func(t *testing.T) {
			p := open(t, 80, 24, env)
			p.Until("/help lists the commands")
			p.Type("hello push")
			p.Keys("Enter")
			p.Until("> bash git push --force origin main", "esc stop, then Enter:")
			p.Read()
			p.Type("y")
			p.Keys("Enter")
			p.Until("→ exit 0: done")
			p.Type("/exit")
			p.Keys("Enter")
			p.Until("left with 0")
			if strings.Contains(p.Output(), "\x1b") {
				t.Errorf("escape sequences: %q", p.Output())
			}
			if p.log() != "sent 10 bytes\nbash 1 \"\"\nsaved\n" {
				t.Errorf("answered %q", p.log())
			}
		})
	}
}

func TestTerminalInline(t *testing.T) {
	p := open(t, 80, 24, "UMPIRE_TUI_INLINE=1")
	p.Until("› a message")
	p.Type("long")
	p.Keys("Enter")
	p.Until("Paragraph 99", "› a message")
	p.Type("edit")
	p.Keys("Enter")
	p.Until("y once")
	p.Answer("n")
	p.Until("Blocked: the user said no", "› a message")
	p.Keys("C-e")
	p.Until("browsing")
	p.Keys("Escape")
	p.Until("› a message")
	p.Keys("C-c")
	p.Until("left with 0")
	all := p.Scrollback()
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
	p.Until("Continue the last session?", "fix the parser · 12 messages")
	p.Answer("y")
	p.Until("Loaded s2.", "› a message")
}

// A program that is told to end gives the terminal back, and saves.
func TestTerminalEnded(t *testing.T) {
	p := open(t, 80, 24)
	p.Until("› a message")
	p.Type("wait")
	p.Keys("Enter")
	p.Until("bash sleep 1000")
	pid, err := os.ReadFile(filepath.Join(p.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-TERM", string(pid)).Run(); err != nil {
		t.Fatal(err)
	}
	p.Until("left with 0")
	if !strings.Contains(p.log(), "saved") {
		t.Errorf("not saved: %s", p.log())
	}
}
