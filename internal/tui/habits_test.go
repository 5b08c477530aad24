package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

func TestSearchPast(t *testing.T) {
	d := drive(t, Options{History: []string{"fix the parser", "run the tests", "fix the parser", "two\nlines \x1b[2J"}}, 80, 24)
	d.press("ctrl+r")
	d.wants("Earlier messages", `two\nlines \x1b[2J`, "run the tests", "fix the parser")
	if n := strings.Count(d.text(), "fix the parser"); n != 1 {
		t.Errorf("a message is listed %d times", n)
	}
	d.press("esc")
	d.lacks("Earlier messages")
	d.typeText("pars")
	d.press("ctrl+r", "enter")
	d.lacks("Earlier messages")
	if got := d.m.ed.value(); got != "fix the parser" {
		t.Errorf("taken %q", got)
	}
	if len(d.sent()) != 0 {
		t.Error("it was sent unseen")
	}
}

func TestNothingToSearch(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.press("ctrl+r")
	d.wants("you have not sent a message yet")
}

func TestCommandsAreRemembered(t *testing.T) {
	kept := make(chan string, 1)
	d := drive(t, Options{Remember: func(text string) { kept <- text }}, 80, 24)
	d.say("/compact the tests")
	d.idle()
	d.press("up")
	if got, k := d.m.ed.value(), <-kept; got != "/compact the tests" || k != got {
		t.Errorf("%q, kept %q", got, k)
	}
}

func TestCtrlD(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("wait")
	d.until("the call", func() bool { return len(d.m.calls) == 1 })
	d.press("ctrl+d")
	if d.m.leaving {
		t.Fatal("it leaves from work in progress")
	}
	close(d.s.gate)
	d.idle()
	d.typeText("ab")
	d.press("home", "ctrl+d")
	if got := d.m.ed.value(); got != "b" || d.m.leaving {
		t.Fatalf("%q, leaving: %v", got, d.m.leaving)
	}
	d.press("delete", "ctrl+d")
	d.until("the end", func() bool { return d.quit })
	if d.s.saves != 1 {
		t.Errorf("saved %d times", d.s.saves)
	}
}

// rings reports whether a message has the terminal call its user.
func rings(d *driver, msg tea.Msg) bool {
	_, cmd := d.m.Update(msg)
	found := false
	var look func(tea.Cmd)
	look = func(c tea.Cmd) {
		if c == nil {
			return
		}
		switch msg := c().(type) {
		case tea.BatchMsg:
			for _, c := range msg {
				look(c)
			}
		case tea.RawMsg:
			found = found || msg.Msg == "\a"
		}
	}
	look(cmd)
	return found
}

// Who looks elsewhere is called for a question and at the end; nobody else is.
func TestBell(t *testing.T) {
	for name, c := range map[string]struct {
		before []tea.Msg
		want   bool
	}{
		"nobody knows": {nil, false},
		"looking":      {[]tea.Msg{tea.BlurMsg{}, tea.FocusMsg{}}, false},
		"elsewhere":    {[]tea.Msg{tea.BlurMsg{}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, Options{}, 80, 24)
			for _, msg := range c.before {
				d.update(msg)
			}
			if got := rings(d, &question{q: bashQuestion("x", "make"), answer: make(chan agent.Answer, 1)}); got != c.want {
				t.Errorf("a question rings: %v", got)
			}
			d.m.asked = nil
			d.m.turn = turn{on: true}
			if got := rings(d, stopped{}); got != c.want {
				t.Errorf("the end rings: %v", got)
			}
			if !d.m.View().ReportFocus {
				t.Error("the terminal is not asked where its user looks")
			}
		})
	}
}

func TestHelpOnSmallScreens(t *testing.T) {
	d := drive(t, Options{}, 60, 12)
	d.press("?")
	d.wants("Enter", "↑ ↓ scroll")
	d.lacks("this list")
	d.press("end")
	d.wants("show this list")
	d.press("down", "down", "pgup")
	d.wants("send; while the model works")
	d.press("x")
	d.lacks("scroll")
	if d.m.mode != typing || !d.m.ed.empty() {
		t.Error("the list is not closed, or its key was typed")
	}
}

// On the smallest screens a question says that more follows.
func TestQuestionOnSmallScreens(t *testing.T) {
	d := drive(t, Options{}, 30, 10)
	d.update(&question{q: bashQuestion("x", "echo one; touch two"), answer: make(chan agent.Answer, 1)})
	d.wants("▏ echo one; touch", "lines 1-1 of ", "esc stop")
}

// Long explanations of commands go on below themselves.
func TestCommandsAreWrapped(t *testing.T) {
	text := helpText([]conversation.Command{{Name: "undo", Args: "[n]", Help: "take back the last messages, and what was done to files"}}, 60)
	if !strings.Contains(text, "  /undo [n]                  take back the last messages,\n"+strings.Repeat(" ", 29)+"and what was done to files\n") {
		t.Errorf("%s", text)
	}
	for l := range strings.Lines(text) {
		if width(l) > 61 {
			t.Errorf("too long: %q", l)
		}
	}
}

// What a call led to is said of a session of before, too, and how long it took is not.
func TestResumedCalls(t *testing.T) {
	d := drive(t, Options{Entries: []conversation.Entry{{Call: &agent.ToolCall{ToolName: "bash", ToolCallID: "x", Input: []byte(`{"command":"make"}`)},
		Result: &agent.Result{Success: true, Output: "ok", Data: map[string]any{"exitCode": 0.0}}}}}, 80, 24)
	d.wants("bash make → exit 0")
	d.lacks("0ms")
}
