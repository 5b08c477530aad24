package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/tui/tuitest"
)

// agentScreen runs the real agent in a terminal.
func agentScreen(t *testing.T, m *agentModel, home, dir string, w, h int, extra []string, args ...string) *tuitest.Pane {
	t.Helper()
	return tuitest.Open(t, w, h, dir, append(m.env(home), extra...), append([]string{program(t), "agent"}, args...)...)
}

// A day's work in a small terminal: look, change with a question, test, be interrupted, go on.
func TestAgentScreen(t *testing.T) {
	home, dir := agentHome(t, "rules:\n  - allow: [\"read(**)\"]\n")
	put(t, filepath.Join(dir, "sum.txt"), "broken 世界\n")
	m := scriptModel(t, "openai", 50,
		step{text: "I look first, **carefully**.", calls: calls("read_file", `{"file_path":"sum.txt"}`)},
		step{calls: calls("edit_file", `{"file_path":"sum.txt","old_string":"broken","new_string":"fixed"}`)},
		step{text: "It is fixed, 世界 👋."},
		step{text: "Working on it", hang: true})
	p := agentScreen(t, m, home, dir, 100, 30, nil)
	p.Until("scripted", "› a message")
	p.Type("fix sum.txt 世界")
	p.Keys("Enter")
	p.Until("read_file sum.txt (1 line)", "/sum.txt ", "- broken 世界", "+ fixed 世界", "y once")
	p.Resize(60, 24)
	p.Until("+ fixed 世界", "y once")
	p.UntilRight(func(screen string) string {
		for l := range strings.Lines(screen) {
			if strings.HasPrefix(l, "│") && !strings.HasSuffix(strings.TrimSpace(l), "│") {
				return "the box is broken at 60 columns"
			}
		}
		return ""
	})
	p.Answer("y")
	p.Until("It is fixed, 世界 👋.", "✓ edit_file sum.txt (line 1, +1/-1)", "› a message")
	if b, err := os.ReadFile(filepath.Join(dir, "sum.txt")); err != nil || string(b) != "fixed 世界\n" {
		t.Errorf("sum.txt: got %q, %v, want %q", b, err, "fixed 世界\n")
	}
	p.Keys("C-e", "Up", "Enter")
	p.Until("› ▾ ✓ read_file", "1 | broken 世界", "browsing")
	p.Keys("Escape")
	p.Until("› a message")

	p.Type("go on")
	p.Keys("Enter")
	<-m.hanging
	p.Until("Working on", "Esc stops")
	p.Keys("Escape")
	p.Until("[cancelled]", "› a message")
	p.Keys("C-c")
	p.Until("left with 0")

	// The next start offers it.
	p = agentScreen(t, m, home, dir, 80, 24, nil)
	p.Until("Continue the last session?", "messages · scripted · just now")
	p.Answer("y")
	p.Until("Working on", "[cancelled]", "› a message")
	p.Type("and now?")
	p.Keys("Enter")
	p.Until("That is all.", "› a message")
	if asked := m.asked(); !strings.Contains(asked[len(asked)-1], "fix sum.txt") {
		t.Error("the model was not given what was said before")
	}
}

// The answer "always" makes the policy's folder, and the approved call runs.
func TestAgentScreenFirstAlways(t *testing.T) {
	home, dir := agentHome(t, "")
	m := scriptModel(t, "openai", 50, step{calls: calls("bash", `{"command":"git tag v1"}`)}, step{text: "It is done."})
	put(t, filepath.Join(dir, "notes"), "x")
	p := agentScreen(t, m, home, dir, 100, 30, nil)
	p.Until("› a message")
	p.Type("go")
	p.Keys("Enter")
	p.Until("y once")
	p.Answer("a")
	p.Until("It is done.", "› a message")
	if asked := m.asked(); strings.Contains(asked[len(asked)-1], "changed after umpire judged") {
		t.Errorf("the approved call did not run: %s", asked[len(asked)-1])
	}
}

// A model that cannot be had is told of before anything is drawn or asked, the trust in the
// folder among it.
func TestAgentScreenWithoutAModel(t *testing.T) {
	home, dir := agentHome(t, "")
	put(t, filepath.Join(dir, "AGENTS.md"), "Use tabs.\n")
	m := scriptModel(t, "openai", 0)
	for says, env := range map[string][]string{"acme": {"PROVIDER=acme"}, "OPENAI_API_KEY": {"OPENAI_API_KEY=", "OPENAI_BASE_URL="}} {
		p := agentScreen(t, m, home, dir, 80, 24, env)
		p.Until(says, "left with ")
		p.UntilRight(func(screen string) string {
			if strings.Contains(screen, "trust") {
				return "it asks first"
			}
			return ""
		})
	}
}

// --resume without a session lets its user choose, and takes one that stands apart from it.
func TestAgentScreenResume(t *testing.T) {
	home, dir := agentHome(t, "")
	m := scriptModel(t, "openai", 0)
	agentRun(t, m, home, dir, "", "-p", "the first task")
	agentRun(t, m, home, dir, "", "-p", "the second task")
	p := agentScreen(t, m, home, dir, 80, 24, nil, "--resume")
	p.Until("search:", "the first task", "the second task")
	p.Type("first")
	p.Until("search: first")
	p.Keys("Enter")
	p.Until("Continuing", "the first task", "› a message")
	p.Keys("C-c")
	p.Until("left with 0")
	list, err := filepath.Glob(filepath.Join(home, ".local", "state", "umpire", "agent", "sessions", "*.jsonl"))
	if err != nil || len(list) != 2 {
		t.Fatalf("sessions: got %q, %v, want 2", list, err)
	}
	p = agentScreen(t, m, home, dir, 80, 24, nil, "-r", filepath.Base(list[1]))
	p.Until("the second task", "That is all.", "› a message")
}

// At the start the newest session of this folder is offered and none of another, and what is
// typed meanwhile is kept.
func TestAgentScreenOffersOwnFolder(t *testing.T) {
	home, dir := agentHome(t, "")
	other := filepath.Join(home, "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	m := scriptModel(t, "openai", 0)
	agentRun(t, m, home, other, "", "-p", "a task elsewhere")
	p := agentScreen(t, m, home, dir, 80, 24, nil)
	if screen := p.Until("› a message"); strings.Contains(screen, "last session") {
		t.Errorf("a session of another folder is offered:\n%s", screen)
	}
	p.Keys("C-c")
	p.Until("left with 0")
	agentRun(t, m, home, dir, "", "-p", "a task of this folder")
	agentRun(t, m, home, other, "", "-p", "a newer task elsewhere")
	p = agentScreen(t, m, home, dir, 80, 24, nil)
	p.Until("Continue the last session?", "a task of this folder")
	p.Type("now something new")
	p.Until("› now something new")
	p.Keys("Enter")
	p.Until("now something new", "That is all.", "› a message")
}

// Who approves an edit approves it of the file that was shown.
func TestAgentScreenFileSwapped(t *testing.T) {
	home, dir := agentHome(t, "rules:\n  - allow: [\"read(**)\"]\n")
	put(t, filepath.Join(dir, "a.txt"), "one\n")
	m := scriptModel(t, "openai", 0,
		step{calls: calls("read_file", `{"file_path":"a.txt"}`)},
		step{calls: calls("edit_file", `{"file_path":"a.txt","old_string":"one","new_string":"two"}`)},
		step{text: "Oh."})
	p := agentScreen(t, m, home, dir, 100, 30, nil, "change it")
	p.Until("+ two", "y once")
	put(t, filepath.Join(dir, "a.txt"), "one\nand a line of somebody else\n")
	p.Answer("y")
	p.Until("✗ edit_file", "Oh.")
	if b, err := os.ReadFile(filepath.Join(dir, "a.txt")); err != nil || !strings.HasPrefix(string(b), "one\n") {
		t.Errorf("a.txt: got %q, %v, want it to begin with %q", b, err, "one\n")
	}
}

// What a command prints and what a model says cannot act on the terminal, nor can what is
// asked about.
func TestAgentScreenHostile(t *testing.T) {
	home, dir := agentHome(t, allowAll)
	put(t, filepath.Join(dir, "evil.txt"), "\x1b]0;owned\x07\x1b[2J\x1b]52;c;AAAA\x07 \u202etxt.exe \u200b end\n")
	m := scriptModel(t, "openai", 0,
		step{text: "See \x1b]0;owned\x07 &#27;[2J \u202e.", calls: calls("bash", `{"command":"cat evil.txt"}`)},
		step{calls: calls("bash", `{"command":"touch x # \u001b]0;owned\u0007\u202e\n"}`)},
		step{text: "Done."})
	p := agentScreen(t, m, home, dir, 100, 40, nil, "look at evil.txt")
	p.Until(`✗ bash touch x # \x1b]0;owned\x07\u202e`, "hidden-text", "Done.", "› a message")
	p.Keys("C-e", "Up", "Enter")
	p.Until("› ▾ ✓ bash cat evil.txt", "note: umpire:", "txt.exe")
	p.Keys("C-c")
	p.Until("left with 0")
	for _, harm := range []string{"\x1b]0;owned", "\x1b]52", "\u202e", "\u200b"} {
		if strings.Contains(p.Output(), harm) {
			t.Errorf("%q reached the terminal", harm)
		}
	}
}

func TestAgentScreenBigPaste(t *testing.T) {
	home, dir := agentHome(t, allowAll)
	m := scriptModel(t, "openai", 0, step{text: "That is a lot."})
	p := agentScreen(t, m, home, dir, 80, 24, nil)
	p.Until("› a message")
	text := strings.Repeat("0123456789 世界 0123456789\n", 4000) + "the end"
	p.Paste(text)
	p.Until("the end")
	p.Keys("Enter")
	p.Until("That is a lot.", "› a message")
	if asked := m.asked(); strings.Count(asked[0], "0123456789 世界 0123456789") != 4000 {
		t.Errorf("the model was given %d bytes", len(asked[0]))
	}
}

func TestAgentScreenWithoutColor(t *testing.T) {
	home, dir := agentHome(t, "rules:\n  - allow: [\"read(**)\"]\n")
	put(t, filepath.Join(dir, "a.txt"), "one\n")
	m := scriptModel(t, "openai", 0,
		step{text: "I read.", calls: calls("read_file", `{"file_path":"a.txt"}`)},
		step{calls: calls("edit_file", `{"file_path":"a.txt","old_string":"one","new_string":"two"}`)},
		step{text: "Changed."})
	p := agentScreen(t, m, home, dir, 80, 40, []string{"NO_COLOR=1"})
	p.Until("/help lists the commands")
	p.Type("change a.txt")
	p.Keys("Enter")
	p.Until("< read_file a.txt (1 line): done", "| -one", "| +two", "then Enter:")
	p.Read()
	p.Type("y")
	p.Keys("Enter")
	p.Until("Changed.")
	p.Type("/exit")
	p.Keys("Enter")
	p.Until("left with 0")
	if strings.Contains(p.Output(), "\x1b") {
		t.Errorf("escape sequences: %q", p.Output())
	}
	if b, err := os.ReadFile(filepath.Join(dir, "a.txt")); err != nil || string(b) != "two\n" {
		t.Errorf("a.txt: got %q, %v, want %q", b, err, "two\n")
	}
}

// Finished output stays in the terminal's own scrollback.
func TestAgentScreenInline(t *testing.T) {
	home, dir := agentHome(t, allowAll)
	m := scriptModel(t, "openai", 0, step{text: strings.Repeat("A paragraph of the answer.\n\n", 60)}, step{text: "The second."})
	p := agentScreen(t, m, home, dir, 80, 24, nil, "--inline", "write a lot")
	p.Until("A paragraph", "› a message")
	p.Type("more")
	p.Keys("Enter")
	p.Until("The second.", "› a message")
	p.Keys("C-c")
	p.Until("left with 0")
	all := p.Scrollback()
	if n := strings.Count(all, "A paragraph of the answer."); n != 60 || strings.Count(all, "The second.") != 1 {
		t.Errorf("%d of 60 paragraphs stayed:\n%s", n, all)
	}
}

// A hook that fails is told of on the screen, and not written across it.
func TestAgentScreenHookFails(t *testing.T) {
	home, dir := agentHome(t, "")
	put(t, filepath.Join(home, ".config", "umpire", "agent.json"), `{"hooks":[{"name":"flaky","event":"beforeAgentStart","command":["/bin/false"]}]}`)
	p := agentScreen(t, scriptModel(t, "openai", 0), home, dir, 100, 30, nil)
	p.Until("› a message")
	p.Type("go")
	p.Keys("Enter")
	p.Until("skipped a hook that failed", "flaky", "That is all.")
	p.Keys("C-l")
	p.UntilRight(func(screen string) string {
		if strings.Contains(screen, "flaky") {
			return "it is still there: the screen does not know of it"
		}
		return ""
	})
}
