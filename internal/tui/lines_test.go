package tui

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

// lineTest talks to the face for terminals without cursor movement.
type lineTest struct {
	t    *testing.T
	s    *scripted
	in   *os.File
	out  chan byte
	seen strings.Builder
	from int
	done chan error
	late atomic.Int64 // how much later it is than at the start: else time stands still
}

func byLines(t *testing.T, o Options) *lineTest {
	t.Helper()
	return byLinesUntil(context.Background(), t, o)
}

func byLinesUntil(ctx context.Context, t *testing.T, o Options) *lineTest {
	t.Helper()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	o.In, o.Out, o.Env = inR, outW, []string{"TERM=xterm-256color"}
	l := &lineTest{t: t, s: newScripted(), in: inW, out: make(chan byte, 1<<20), done: make(chan error, 1)}
	u := New(o)
	l.s.ui = u
	u.face.(*lines).offers = true
	start := time.Now()
	u.face.(*lines).now = func() time.Time { return start.Add(time.Duration(l.late.Load())) }
	u.Notice(ctx, "told before anything ran")
	go func() {
		l.done <- u.Run(ctx, l.s)
		_ = outW.Close()
	}()
	go func() {
		defer close(l.out)
		r := bufio.NewReader(outR)
		for {
			b, err := r.ReadByte()
			if err != nil {
				return
			}
			l.out <- b
		}
	}()
	t.Cleanup(func() { _ = inW.Close(); _ = inR.Close(); _ = outR.Close() })
	return l
}

func (l *lineTest) say(line string) {
	l.t.Helper()
	if _, err := io.WriteString(l.in, line+"\n"); err != nil {
		l.t.Fatal(err)
	}
}

// until reads on until a text was printed.
func (l *lineTest) until(text string) {
	l.t.Helper()
	late := time.After(time.Minute)
	for !strings.Contains(l.seen.String()[l.from:], text) {
		select {
		case b, ok := <-l.out:
			if !ok {
				l.t.Fatalf("never printed: %q\n%s", text, l.seen.String())
			}
			l.seen.WriteByte(b)
		case <-late:
			l.t.Fatalf("never printed: %q\n%s", text, l.seen.String())
		}
	}
	l.from += strings.Index(l.seen.String()[l.from:], text) + len(text)
}

// answer answers a question when it could be read.
func (l *lineTest) answer(line string) {
	l.t.Helper()
	l.late.Add(int64(answerDelay))
	l.say(line)
}

func (l *lineTest) end() {
	l.t.Helper()
	for b := range l.out {
		l.seen.WriteByte(b)
	}
	if err := <-l.done; err != nil {
		l.t.Error(err)
	}
	if strings.ContainsAny(l.seen.String(), "\x1b\r\x07\u202e") {
		l.t.Errorf("it steers the terminal: %q", l.seen.String())
	}
}

// A message that is typed where a session is offered declines it and is sent.
func TestLinesOfferKeepsWhatIsTyped(t *testing.T) {
	l := byLines(t, Options{Resume: &conversation.Saved{ID: "lost", Name: "old", Messages: 3, Model: "m", Dir: "/d", Updated: time.Now()}})
	l.until("Continue the last session?")
	l.say("hello")
	l.until("Hello! I can read **files**")
	if strings.Contains(l.seen.String(), "no such session") {
		t.Error("the session was loaded")
	}
	l.say("/exit")
	l.end()
}

func TestLines(t *testing.T) {
	l := byLines(t, Options{Resume: &conversation.Saved{ID: "lost", Name: "old", Messages: 3, Model: "m", Dir: "/d", Updated: time.Now()}})
	l.until("/help lists")
	l.until("Continue the last session?")
	l.until("old · 3 messages · m · just now · /d")
	l.until("y yes, n no")
	l.answer("y")
	l.until("so this is a new one: no such session")
	if !strings.Contains(l.seen.String(), "told before anything ran") {
		t.Error("a notice of before is lost")
	}
	l.say("hello read fail")
	l.until("Hello! I can read **files**")
	l.until("> read_file main.go")
	l.until("< read_file main.go (3 lines): done")
	l.until("< bash go test ./... → exit 1: failed")
	l.until("error: the command ended with exit code 1")
	l.say("/compact")
	l.until("Folded 12 messages.")
	l.say("/sessions")
	l.until("  2. write docs")
	l.say("/model")
	l.until("openai/gpt-4o")
	l.say("stream")
	l.until("line 50 of the build")
	l.until("… more is not shown")
	close(l.s.gate)
	l.until("< bash make all → exit 0: done")
	l.say("busy")
	l.until(`(asked again in 4 s: it is \x1b[2Jbusy)`)
	l.until("here I am")
	l.say("/nope")
	l.until("unknown command /nope")
	l.say("/bad")
	l.until("error: it went wrong")
	l.say("/load 2")
	l.until("You: message 0")
	l.until("Loaded 2.")
	l.say("broken")
	l.until("error: the provider hung up")
	l.say("/exit")
	l.end()
	if l.s.saves != 1 {
		t.Errorf("saved %d times", l.s.saves)
	}
}

// The rest of a line that does not fit is marked: no terminal breaks it where its author
// wants.
func TestLineQuestionsAreBroken(t *testing.T) {
	l := byLines(t, Options{})
	q := bashQuestion("x", strings.Repeat("a", 100)+"sandbox: all is walled")
	go func() { _, _ = l.s.ui.Ask(context.Background(), q) }()
	l.until("--- bash\n| " + strings.Repeat("a", 76) + "\n¦ " + strings.Repeat("a", 24) + "sandbox: all is walled\n")
	l.until("then Enter: ")
	l.answer("n")
	l.say("/exit")
	l.end()
}

func TestLineAnswers(t *testing.T) {
	l := byLines(t, Options{})
	l.say("push")
	l.until("--- bash\n| git push --force origin main\n")
	l.until("in /home/dev/app")
	l.until("s, a allow: bash: git push * below /home/dev/app")
	l.until("esc stop, then Enter: ")
	l.say("y") // at once
	l.until("typed that before you could read the question")
	l.answer("perhaps")
	l.until("That is not an answer.")
	l.answer("s")
	l.until("exit 0: done")
	l.say("push")
	l.until("then Enter: ")
	l.answer("e")
	l.until("Why not")
	l.say("use a branch")
	l.until("error: Blocked: the user said no. use a branch")
	l.say("parallel")
	l.until("then Enter: ")
	l.answer("y")
	l.until("then Enter: ")
	l.answer("n")
	l.until("failed")
	l.say("evil")
	l.until(`printf '\x1b[2J\u202e'\r\x1b[1A hidden`)
	l.until("then Enter: ")
	l.answer("stop")
	l.until("[cancelled]")
	l.say("/undo")
	l.until("Restore it all the same?")
	l.until("y yes, n no, then Enter: ")
	l.answer("n")
	l.until("Nothing was undone.")
	_ = l.in.Close()
	l.end()
	want := []agent.Answer{{Choice: agent.Session}, {Choice: agent.No, Note: "use a branch"}, {Choice: agent.Once}, {Choice: agent.No}}
	for i, a := range want {
		if i >= len(l.s.answered) || l.s.answered[i] != a {
			t.Fatalf("answered %+v, want %+v", l.s.answered, want)
		}
	}
}

// A script's lines are messages. None of them answers a question that nobody had seen.
func TestLinesTypedAhead(t *testing.T) {
	l := byLines(t, Options{})
	l.say("push\ny\ny\ny")
	l.until("then Enter: ")
	_ = l.in.Close()
	l.end()
	for _, a := range l.s.answered {
		if a.Choice != agent.No {
			t.Errorf("answered %+v", a)
		}
	}
	if !strings.Contains(l.seen.String(), "the input ended: no one can answer") {
		t.Errorf("not refused:\n%s", l.seen.String())
	}
}

// A question that comes after the input's end is refused too: it would wait for ever.
func TestLinesAskedAfterTheEnd(t *testing.T) {
	l := byLines(t, Options{Prompt: "wait push"})
	l.until("sleep 1000")
	_ = l.in.Close()
	close(l.s.gate)
	l.until("the input ended: no one can answer")
	l.end()
	if len(l.s.answered) > 0 { // the model must not take the end for a person's no
		t.Errorf("answered %+v, want no answer", l.s.answered)
	}
}

// The work in progress is stopped, and waited for, before the session is saved.
func TestLinesEnded(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	l := byLinesUntil(ctx, t, Options{Prompt: "push"})
	l.until("then Enter: ")
	stop()
	l.end()
	if l.s.saves != 1 || l.s.running {
		t.Errorf("saved %d times; still running: %v", l.s.saves, l.s.running)
	}
}

func TestLineQueue(t *testing.T) {
	l := byLines(t, Options{Prompt: "wait"})
	l.until("> bash sleep 1000")
	l.say("read")
	l.until("queued")
	l.say("! look at this")
	l.say("/compact")
	l.until("queued")
	close(l.s.gate)
	l.until("read_file main.go (3 lines): done")
	l.until("Folded 12 messages.")
	_ = l.in.Close()
	l.end()
	if len(l.s.urged) != 1 || l.s.urged[0] != "look at this" {
		t.Errorf("urged %q", l.s.urged)
	}
}

func TestWhichFace(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
	}{
		{"no color", []string{"TERM=xterm", "NO_COLOR=1"}},
		{"dumb", []string{"TERM=dumb"}},
		{"the last one counts", []string{"TERM=xterm", "TERM=dumb"}},
		{"no terminal", []string{"TERM=xterm"}},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if !plain(Options{Env: c.env, In: r, Out: w}) {
			t.Errorf("%s: cursor movement", c.name)
		}
		_, _ = r.Close(), w.Close()
	}
}

// A line that was typed before a question could be read, and is heard only later, is no
// answer to it.
func TestLineThatWaits(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	now := time.Now()
	l := newLines(Options{In: null, Out: null})
	l.now = func() time.Time { return now }
	q := &question{q: bashQuestion("x", "make"), answer: make(chan agent.Answer, 1)}
	before := typedLine{"y", now}
	now = now.Add(time.Minute)
	l.handle(q)
	at := typedLine{"y", now}
	now = now.Add(time.Minute)
	for _, early := range []typedLine{before, at} {
		if l.line(early); len(l.asked) != 1 {
			t.Fatal("it is answered")
		}
	}
	now = now.Add(answerDelay)
	if l.line(typedLine{"n", now}); len(l.asked) != 0 || (<-q.answer).Choice != agent.No {
		t.Error("it is not answered")
	}
}

// Where lines are printed, the wider rules are a choice as well, and shown before they count.
func TestLinesWiderRule(t *testing.T) {
	l := byLines(t, Options{})
	l.until("told before anything ran")
	q := bashQuestion("x", "go test ./a")
	q.Session, q.Always, q.Wider = "exec(go test ./a)", "", []string{"exec(go test *)"}
	answer := make(chan agent.Answer, 1)
	go func() {
		a, err := l.s.ui.Ask(t.Context(), q)
		if err != nil {
			t.Error(err)
		}
		answer <- a
	}()
	l.until("s allows: exec(go test ./a)")
	l.until("w wider rule (1 of 2)")
	l.answer("w")
	l.until("s allows: exec(go test *)")
	l.until("w narrow rule (2 of 2)")
	l.answer("s")
	if a := <-answer; a.Choice != agent.Session || a.Wider != 1 {
		t.Errorf("%+v", a)
	}
	_ = l.in.Close()
	l.end()
}
