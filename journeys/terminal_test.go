package journeys

import (
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/umpire-dev/umpire/internal/tui/tuitest"
)

// terminal is a window in which a program runs.
type terminal struct{ pane *tuitest.Pane }

// openTerminal starts a program in a terminal of its own.
func openTerminal(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 3, "terminal NAME COLUMNSxLINES PROGRAM ARGS...")
	w, h := size(ts, args[1])
	env := []string{"TERM=xterm-256color"}
	for _, k := range []string{"HOME", "PATH", "LANG", "USER", "TMPDIR", "PROVIDER", "MODEL_ID", "OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		if v := ts.Getenv(k); v != "" {
			env = append(env, k+"="+v)
		}
	}
	of(ts).views[args[0]] = &terminal{tuitest.Open(scriptTB{of(ts).tb, ts}, w, h, ts.MkAbs("."), env, args[2:]...)}
}

func size(ts *testscript.TestScript, s string) (w, h int) {
	a, b, _ := strings.Cut(s, "x")
	w, err := strconv.Atoi(a)
	ts.Check(err)
	h, err = strconv.Atoi(b)
	ts.Check(err)
	return w, h
}

func terminalOf(ts *testscript.TestScript, name string) *terminal {
	t, ok := viewOf(ts, name).(*terminal)
	if !ok {
		ts.Fatalf("%s is a page, and this needs a terminal", name)
	}
	return t
}

// typeText types a line and presses Enter.
func typeText(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 2, "type NAME TEXT")
	t := terminalOf(ts, args[0])
	t.pane.Type(strings.Join(args[1:], " "))
	t.pane.Keys("Enter")
}

// answer presses a key after a person's time to read the question.
func answer(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 2, "answer NAME KEY")
	t := terminalOf(ts, args[0])
	t.pane.Read()
	t.pane.Keys(args[1:]...)
}

// quit waits until a terminal's program has ended with an exit status.
func quit(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, neg, args, 1, "quit NAME [STATUS]")
	status := "0"
	if len(args) > 1 {
		status = args[1]
	}
	terminalOf(ts, args[0]).pane.Until("left with " + status)
}

func (t *terminal) see(texts ...string) string { return t.pane.Until(texts...) }
func (t *terminal) press(keys ...string)       { t.pane.Keys(keys...) }
func (t *terminal) screen() string             { return t.pane.Tmux("capture-pane", "-p") }
func (t *terminal) gone(text string) {
	t.pane.UntilRight(func(screen string) string {
		if strings.Contains(screen, text) {
			return "still on the screen: " + text
		}
		return ""
	})
}
