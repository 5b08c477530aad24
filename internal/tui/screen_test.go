package tui

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

// What the screen looks like, at three widths.
func TestFrames(t *testing.T) {
	for _, w := range []int{60, 80, 140} {
		for _, c := range []struct {
			name string
			play func(d *driver)
		}{
			{"turn", func(d *driver) { d.say("hello read grep fail"); d.idle() }},
			{"wide", func(d *driver) { d.say("todo wide"); d.idle() }},
			{"command", func(d *driver) { d.say("push"); d.asked(1) }},
			{"edit", func(d *driver) { d.say("edit"); d.asked(1) }},
			{"hostile", func(d *driver) { d.say("evil"); d.asked(1) }},
			{"slash", func(d *driver) { d.typeText("/c") }},
			{"sessions", func(d *driver) {
				d.say("/sessions")
				d.until("the list", func() bool { return d.m.mode == picking && !d.m.turn.on })
			}},
			{"keys", func(d *driver) { d.press("?") }},
			{"browse", func(d *driver) { d.say("read grep fail"); d.idle(); d.press("ctrl+e", "up", "enter") }},
		} {
			t.Run(fmt.Sprintf("%s-%d", c.name, w), func(t *testing.T) {
				d := drive(t, Options{}, w, 28)
				c.play(d)
				checkFrame(t, d)
				golden(t, fmt.Sprintf("%s-%d", c.name, w), d.text())
			})
		}
	}
}

// checkFrame fails unless a frame has exactly the screen's size and steers nothing.
func checkFrame(t *testing.T, d *driver) {
	t.Helper()
	v := d.m.View()
	lines := strings.Split(v.Content, "\n")
	if v.AltScreen && len(lines) != d.m.h {
		t.Errorf("%d lines on a screen of %d", len(lines), d.m.h)
	}
	for i, l := range lines {
		if n := width(l); n > d.m.w {
			t.Errorf("line %d is %d wide: %q", i, n, l)
		}
		if harm := steers(l); harm != "" {
			t.Errorf("line %d has %q: %q", i, harm, l)
		}
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.X >= d.m.w+1 || c.Y < 0 || c.Y >= d.m.h) {
		t.Errorf("the cursor is at %d, %d", c.X, c.Y)
	}
}

// steers returns what of a line a terminal would act on, other than colors and attributes.
func steers(line string) string {
	rest := line
	for {
		before, after, ok := strings.Cut(rest, "\x1b")
		for _, r := range before {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b || r == 0x200e || r == 0x200f || r == 0x2028 || r == 0x2029 || r == 0xfeff {
				return string(r)
			}
		}
		if !ok {
			return ""
		}
		end := strings.IndexByte(after, 'm')
		if !strings.HasPrefix(after, "[") || end < 0 || strings.Trim(after[1:end], "0123456789;") != "" {
			return "\x1b" + after[:min(len(after), 10)]
		}
		rest = after[end+1:]
	}
}

func TestEscStopsAndTakesBack(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("hello wait")
	d.until("the call", func() bool { return len(d.m.calls) == 1 })
	d.wants("Esc stops", "turn 1/40 · bash sleep 1000")
	d.say("next one")
	d.say("and another")
	d.wants("queued: next one", "queued: and another")
	d.press("up") // the last one is edited
	d.wants("› and another")
	d.typeText(" thing")
	d.press("enter")
	d.wants("queued: and another thing")
	d.press("esc")
	d.idle()
	d.wants("[cancelled]", "held: next one", "Hello! I can read", "▸ - bash sleep 1000")
	d.press("esc")
	if got := d.m.ed.value(); got != "next one\n\nand another thing" || len(d.m.queue) != 0 {
		t.Errorf("the editor has %q", got)
	}
}

func TestQueueIsSentWhenTheTurnEnds(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("wait")
	d.until("the call", func() bool { return len(d.m.calls) == 1 })
	d.say("read")
	d.typeText("quick")
	d.press("ctrl+s")
	d.until("the urgent one", func() bool { return len(d.urged()) == 1 && strings.Contains(d.text(), "quick") })
	close(d.s.gate)
	d.until("both turns", func() bool { return len(d.sent()) == 2 && !d.m.turn.on })
	if d.sent()[1] != "read" || d.urged()[0] != "quick" {
		t.Errorf("sent %q, urged %q", d.sent(), d.urged())
	}
	d.wants("read_file main.go (3 lines)", "quick")
}

// A message typed after Esc is sent, not held: its user has decided.
func TestMessageAfterStop(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("wait")
	d.until("the call", func() bool { return len(d.m.calls) == 1 })
	d.press("esc")
	d.say("read")
	d.until("the second turn", func() bool { return len(d.sent()) == 2 && !d.m.turn.on })
	d.wants("[cancelled]", "read_file main.go")
}

func TestCtrlC(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("wait")
	d.until("the call", func() bool { return len(d.m.calls) == 1 })
	d.press("ctrl+c")
	d.idle()
	d.wants("[cancelled]")
	if d.quit || d.s.saves != 0 {
		t.Fatal("it quit while something worked")
	}
	d.press("ctrl+c")
	d.until("the end", func() bool { return d.quit })
	if d.s.saves != 1 {
		t.Errorf("saved %d times", d.s.saves)
	}
}

// Whoever presses Ctrl+C to drop a line that they typed does not lose the session as well.
func TestCtrlCClearsFirst(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.typeText("half a thought")
	d.wants("Ctrl+C clears")
	d.press("esc")
	d.lacks("Ctrl+C quits")
	d.press("ctrl+c")
	d.wants("Ctrl+C quits")
	if !d.m.ed.empty() || d.quit || d.s.saves != 0 {
		t.Fatalf("%q, quit %v, saved %d times", d.m.ed.value(), d.quit, d.s.saves)
	}
	d.press("ctrl+c")
	d.until("the end", func() bool { return d.quit })
}

func TestExitStaysIfSavingFails(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.s.saveErr = errors.New("disk full")
	d.say("/exit")
	d.until("the message", func() bool { return d.m.unsaved })
	d.wants("could not be saved: disk full", "again to quit")
	if d.quit {
		t.Fatal("it left")
	}
	d.say("/exit")
	d.until("the end", func() bool { return d.quit })
}

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		name, typed string
		wants       []string
	}{
		{"help", "/help", []string{"/compact [focus]", "/exit", "/model [id]"}},
		{"reply", "/compact", []string{"Folded 12 messages."}},
		{"unknown", "/nope", []string{"unknown command /nope: /help lists"}},
		{"misspelt", "/hlep", []string{"unknown command /hlep: did you mean /help?"}},
		{"error", "/bad", []string{"it went wrong: try another way"}},
		{"model", "/model openai/gpt-4o", []string{"gpt-4o · Ctrl+C quits", "The next turn is for openai/gpt-4o."}},
		{"load", "/load 1", []string{"Loaded 1.", "message 0", "echo 3 → exit 0"}},
		{"load nothing", "/load lost", []string{"no such session"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := drive(t, Options{}, 80, 40)
			d.typeText(c.typed)
			d.m.suggest = suggestions{} // as typed, whatever is suggested
			d.press("enter")
			d.idle()
			d.wants(c.wants...)
			if len(d.sent()) != 0 {
				t.Errorf("the model was sent %q", d.sent())
			}
		})
	}
}

// Where the provider has no list, /model still says which model it is.
func TestModelWithoutAList(t *testing.T) {
	if got := noModels(conversation.Status{Model: "gpt-4o"}, errors.New("404")).Error(); !strings.Contains(got, "the model is gpt-4o") || !strings.Contains(got, "404") {
		t.Error(got)
	}
}

func TestPickers(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("/model")
	d.until("the list", func() bool { return d.m.mode == picking && !d.m.turn.on })
	d.typeText("GPT")
	d.lacks("› anthropic/claude")
	d.press("enter")
	d.until("the switch", func() bool { return d.m.status.Model == "openai/gpt-4o" })
	d.idle()

	d.say("/sessions")
	d.until("the list", func() bool { return d.m.mode == picking && !d.m.turn.on })
	d.wants("1. fix the parser", "2. write docs", "3 h ago")
	d.typeText("zzz")
	d.press("down", "up", "enter") // nothing is found: nothing to take
	d.wants("nothing is found")
	d.press("backspace", "backspace", "backspace", "down", "enter")
	d.until("the session", func() bool { return strings.Contains(d.text(), "Loaded s1.") })
}

func TestConfirmAndDraft(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("/undo")
	d.asked(1)
	d.wants("Files were changed by someone else", "Restore it all the same?", "y yes  n no")
	d.lacks("sandbox", "once")
	d.press("y")
	d.idle()
	d.wants("› the message that was undone")
}

func TestResumeOffer(t *testing.T) {
	for _, c := range []struct {
		key, want string
	}{{"y", "Loaded s2."}, {"n", "/ for commands"}, {"q", "/ for commands"}} {
		t.Run(c.key, func(t *testing.T) {
			saved := newScripted().saved[0]
			saved.Updated = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
			d := drive(t, Options{Resume: &saved}, 80, 24)
			d.wants("Continue the last session?", "fix the parser · 12 messages · claude-sonnet-4 · 3 h ago · /home/dev/app")
			d.clock = d.clock.Add(answerDelay)
			d.press(c.key)
			d.until("the answer", func() bool { return strings.Contains(d.text(), c.want) })
		})
	}
	t.Run("it cannot be loaded", func(t *testing.T) {
		d := drive(t, Options{Resume: &conversation.Saved{ID: "lost", Name: "x"}}, 80, 24)
		d.clock = d.clock.Add(answerDelay)
		d.press("y")
		d.until("the message", func() bool { return strings.Contains(d.text(), "so this is a new one: no such session") })
	})
}

// What is typed while a session is offered is kept, whether it comes at once or later, and
// sending it declines the offer.
func TestResumeOfferKeepsWhatIsTyped(t *testing.T) {
	for name, typed := range map[string]func(d *driver){
		"at once":       func(d *driver) { d.typeText("yes, but fix the tests") },
		"after a while": func(d *driver) { d.clock = d.clock.Add(answerDelay); d.typeText("yes, but fix the tests") },
		"with pauses": func(d *driver) {
			d.typeText("yes, but ")
			d.clock = d.clock.Add(time.Minute)
			d.typeText("fix the tests")
		},
		"a paste": func(d *driver) { d.update(tea.PasteMsg{Content: "yes, but fix the tests"}) },
		"an answer and a paste": func(d *driver) {
			d.update(tea.PasteMsg{Content: "yes, "})
			d.clock = d.clock.Add(answerDelay)
			d.typeText("but fix the tests")
		},
	} {
		t.Run(name, func(t *testing.T) {
			saved := newScripted().saved[0]
			d := drive(t, Options{Resume: &saved}, 80, 24)
			d.wants("Continue the last session?")
			typed(d)
			d.wants("Continue the last session?", "› yes, but fix the tests", "delete it to answer")
			d.press("enter")
			d.until("the message", func() bool { return slices.Contains(d.sent(), "yes, but fix the tests") })
			d.lacks("Continue the last session?", "Loaded s2.")
		})
	}
	saved := newScripted().saved[0]
	d := drive(t, Options{Resume: &saved}, 80, 24)
	d.press("y") // before it could be read
	d.wants("Continue the last session?", "› y")
	d.press("enter", "backspace", "enter")
	d.press("esc")
	d.until("the answer", func() bool { return len(d.m.asked) == 0 })
}

func TestHistory(t *testing.T) {
	d := drive(t, Options{History: []string{"one", "two", "two"}}, 80, 24)
	d.typeText("draft")
	for _, want := range []string{"two", "one", "one"} {
		d.press("up")
		if got := d.m.ed.value(); got != want {
			t.Fatalf("up: %q, want %q", got, want)
		}
	}
	for _, want := range []string{"two", "draft", "draft"} {
		d.press("down")
		if got := d.m.ed.value(); got != want {
			t.Fatalf("down: %q, want %q", got, want)
		}
	}
}

func TestSuggestions(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.typeText("/co")
	d.wants("› /compact", "  /cost")
	d.lacks("/clear", "/quit")
	d.press("down", "tab")
	if got := d.m.ed.value(); got != "/cost " {
		t.Fatalf("completed to %q", got)
	}
	d.press("ctrl+u")
	d.typeText("/qui")
	if d.m.suggest.shown() {
		t.Error("quit is suggested, which is another name of exit")
	}
	d.press("ctrl+u")
	d.typeText("see @int")
	d.until("the paths", func() bool { return len(d.m.suggest.list) == 2 })
	d.press("enter")
	if got := d.m.ed.value(); got != "see @internal/" || len(d.sent()) > 0 {
		t.Fatalf("completed to %q, sent %q", got, d.sent())
	}
	d.until("what is below", func() bool { return len(d.m.suggest.list) == 1 })
	d.press("tab")
	if got := d.m.ed.value(); got != "see @internal/世界.go " {
		t.Fatalf("completed to %q", got)
	}
	d.typeText("@ma")
	d.until("the paths", func() bool { return len(d.m.suggest.list) == 2 })
	d.press("esc")
	if d.m.suggest.shown() || d.m.hint != "" {
		t.Error("Esc did not close the list, and only that")
	}
}

func TestFolding(t *testing.T) {
	d := drive(t, Options{}, 80, 30)
	d.say("read grep")
	d.idle()
	d.wants("▸ ✓ read_file main.go (3 lines)", "▾ ✓ grep /func/ → 2 match(es)", "main.go:3: func main() {}")
	d.lacks("1 | package main")
	d.say("fail read")
	d.idle()
	d.wants("▸ ✗ bash go test ./... → exit 1", "error: the command ended with exit code 1", "1 | package main")
	d.lacks("FAIL")
}

func TestBrowsing(t *testing.T) {
	d := drive(t, Options{}, 80, 30)
	d.press("ctrl+e")
	d.wants("there is no finished call to browse")
	d.say("read grep fail")
	d.idle()
	d.press("ctrl+e", "up", "up", "up", "enter")
	d.wants("› ▾ ✓ read_file", "1 | package main", "Esc leaves")
	d.press("enter")
	d.wants("› ▸ ✓ read_file")
	d.lacks("1 | package main")
	d.press("enter", "esc")
	d.wants("1 | package main")
	d.lacks("› ▾")

	t.Run("ends when the model starts", func(t *testing.T) {
		d.press("ctrl+e")
		d.exec(d.m.sendNow("hello"))
		d.idle()
		if d.m.mode != typing {
			t.Error("still browsing")
		}
		d.press("ctrl+e")
		d.m.event(agent.TurnStart{Turn: 2, MaxTurns: 40}) // without a word of the model's
		if d.m.mode != typing {
			t.Error("still browsing at the next turn")
		}
	})
	t.Run("ends when something is asked", func(t *testing.T) {
		d.press("ctrl+e")
		go func() { _, _ = d.s.ui.Ask(d.m.ctx, bashQuestion("x", "ls")) }()
		d.asked(1)
		d.wants("y once")
		d.press("n")
		d.until("the answer", func() bool { return len(d.m.asked) == 0 })
		if d.m.mode != typing {
			t.Error("browsing again")
		}
	})
}

func TestRunningOutput(t *testing.T) {
	d := drive(t, Options{}, 80, 60)
	d.say("stream")
	d.until("the output", func() bool { return strings.Contains(d.text(), "line 199 of the build") })
	d.lacks("line 170 of the build") // 500 characters are shown
	for _, e := range d.m.calls {
		if n := len([]rune(e.output)); n != maxRunning {
			t.Errorf("%d characters are kept", n)
		}
	}
	close(d.s.gate)
	d.idle()
	d.lacks("line 199")
}

func TestLongOutputIsCut(t *testing.T) {
	d := drive(t, Options{}, 80, 80)
	d.update(worked{agent.ToolCall{ToolName: "x", ToolCallID: "1", Input: []byte("{}")}})
	d.update(worked{agent.ToolResult{ToolName: "x", ToolCallID: "1", Result: agent.Result{Success: true, Output: strings.Repeat("世", 2500), Data: 1}}})
	if n := strings.Count(d.text(), "世"); n != 2000 {
		t.Errorf("%d characters are shown", n)
	}
	d.wants("… 500 characters more", "7.5 KB")
	if e := d.m.newest; len(e.result.Output) > 6000 || e.result.Data != nil || e.call.Input != nil {
		t.Error("what is not shown is kept")
	}
}

func TestClearScreenKeepsHistory(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("hello")
	d.idle()
	d.press("ctrl+l")
	d.lacks("Hello!")
	d.press("pgup")
	d.wants("Hello!")
	d.press("ctrl+end")
	d.say("/clear")
	d.idle()
	d.press("pgup")
	d.lacks("Hello!")
}

func TestReadingIsNotDisturbed(t *testing.T) {
	d := drive(t, Options{Entries: longConversation(40)}, 80, 24)
	d.press("pgup", "pgup")
	before := strings.Split(d.text(), "\n")[1:10]
	d.update(notice{text: "something new"})
	d.update(worked{agent.TextDelta{Text: "and more"}})
	after := strings.Split(d.text(), "\n")[1:10]
	if strings.Join(before, "\n") != strings.Join(after, "\n") {
		t.Errorf("the view moved:\n%s\n--\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	d.wants("more below")
	d.press("ctrl+end")
	d.idle()
	d.wants("something new", "and more")
}

func TestErrorsAreShown(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.say("broken")
	d.idle()
	d.wants("✗ the provider hung up: try again")
	d.update(worked{agent.Failure{Error: "a chunk was lost"}})
	d.wants("✗ a chunk was lost")
}

func TestStatusBar(t *testing.T) {
	d := drive(t, Options{}, 120, 24)
	d.wants("claude-sonnet-4 · Ctrl+C quits")
	d.lacks("ctx:", "tokens:", "$")
	d.m.status.Input, d.m.status.Usage = 161000, agent.Usage{InputTokens: 1234567, OutputTokens: 89, CachedTokens: 1000, Cost: 1.239, Priced: true}
	d.m.status.MaxCost = 5
	d.wants("ctx: 81%  tokens: 1,234,567 in / 89 out (1,000 cached)  $1.24 of $5.00")
	if s := d.m.statusBar(); !strings.Contains(s, yellow.on("ctx: 81%")) {
		t.Errorf("81%% is not yellow: %q", s)
	}
	d.m.status.Input = 160000
	if s := d.m.statusBar(); !strings.Contains(s, "ctx: 80%") || strings.Contains(s, yellow.on("ctx: 80%")) {
		t.Errorf("80%% is yellow: %q", s)
	}
}

func TestBigPaste(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	text := strings.Repeat("pasted 世界 line\r\n", 6000) // 120 KB
	d.update(tea.PasteMsg{Content: text + "\x1b[2J\x07end"})
	checkFrame(t, d)
	d.typeText("!")
	d.press("up", "home", "end", "down", "left", "backspace")
	checkFrame(t, d)
	d.press("enter")
	d.idle()
	if got := d.sent()[0]; strings.Count(got, "世界") != 6000 || !strings.HasSuffix(got, "[2Jen!") || strings.ContainsAny(got, "\r\x1b\x07") {
		t.Errorf("sent %d bytes that end in %q", len(got), got[max(0, len(got)-20):])
	}
	d.wants("6,001 lines")
	d.update(tea.PasteMsg{Content: strings.Repeat("x", 2*maxInput)})
	d.wants("the message is full")
	checkFrame(t, d)
}

func TestResize(t *testing.T) {
	d := drive(t, Options{Entries: longConversation(40)}, 140, 40)
	d.say("edit")
	d.asked(1)
	for _, s := range [][2]int{{60, 24}, {20, 6}, {5, 2}, {300, 100}, {80, 10}} {
		d.update(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
		checkFrame(t, d)
	}
	d.press("n")
	d.idle()
	for _, s := range [][2]int{{60, 24}, {20, 6}, {300, 100}} {
		d.update(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
		checkFrame(t, d)
	}
}

// The captures in the documentation are what the screen looks like.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/agent.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"turn-80", "command-80"} {
		frame, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(frame)) {
			if l = strings.TrimRight(l, "\n"); l != "" && !strings.Contains(string(page), "    "+l+"\n") {
				t.Errorf("docs/agent.md lacks a line of %s: %q", name, l)
			}
		}
	}
}
