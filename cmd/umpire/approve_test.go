package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/cmd/umpire/queue"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/terminal"
)

// scripted is a person who says what a test wants.
type scripted struct {
	bytes.Buffer
	lines  []string
	keys   string
	before func(i int) // called before each key
	pos    int
	raw    bool
	closed bool
}

func (s *scripted) Ask(q string) (string, error) {
	s.WriteString(q)
	if s.raw {
		return "", errors.New("a line is read in raw mode")
	}
	if len(s.lines) == 0 {
		return "", terminal.ErrNone
	}
	line := s.lines[0]
	s.lines = s.lines[1:]
	return line, nil
}

// Key returns the next key; a dot is a while in which nothing is typed.
func (s *scripted) Key(time.Duration) (byte, error) {
	if s.before != nil {
		s.before(s.pos)
	}
	if s.pos == len(s.keys) {
		return 0, terminal.ErrNone
	}
	k := s.keys[s.pos]
	if s.pos++; k == '.' {
		return 0, terminal.ErrLate
	}
	return k, nil
}

func (s *scripted) Drop()        {}
func (s *scripted) Raw() bool    { s.raw = true; return true }
func (s *scripted) Cooked()      { s.raw = false }
func (s *scripted) Close() error { s.closed, s.raw = true, false; return nil }

func (s *scripted) open() (terminal.Person, error) { return s, nil }

// askedAbout puts a question into the box of the test's home.
func askedAbout(t *testing.T, command string) (*umpire.Action, question.Question) {
	t.Helper()
	in, err := json.Marshal(map[string]string{"command": command, "description": "harmless"})
	if err != nil {
		t.Fatal(err)
	}
	a := &umpire.Action{Principal: umpire.Principal{Platform: "codex", Session: "s"}, Tool: "Bash", Dir: "/w", Input: in}
	box, _, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	q, err := box.Ask(a, []umpire.Operation{{Kind: umpire.Exec, Resource: command}}, umpire.Decision{Reasons: []umpire.Reason{{Rule: "no-deploy", Effect: umpire.Ask, Text: "deploys"}}})
	if err != nil {
		t.Fatal(err)
	}
	return a, q
}

// execute runs one command with a person.
func execute(t *testing.T, p *scripted, stdout *bytes.Buffer, args ...string) error {
	t.Helper()
	root := newRoot()
	for _, c := range root.Commands() {
		if n := c.Name(); n == "approve" || n == "deny" || n == "watch" {
			root.RemoveCommand(c)
		}
	}
	root.AddCommand(queue.NewApprove(p.open), queue.NewDeny(p.open), queue.NewWatch(p.open))
	root.SetOut(stdout)
	root.SetErr(stdout)
	root.SetArgs(args)
	return root.Execute()
}

func approvals(t *testing.T) (out []audit.Record) {
	t.Helper()
	_, dir, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range audit.Read(dir, audit.Query{Kind: audit.Approval}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func TestApprove(t *testing.T) {
	for _, tt := range []struct {
		name, command, said string
		args                []string
		left, took, refused bool
		effect              string
	}{
		{"yes", "approve", "y", nil, false, true, false, "allow"},
		{"yes, in full", "approve", "YES", nil, false, true, false, "allow"},
		{"no", "approve", "n", nil, true, false, false, ""},
		{"nothing", "approve", "", nil, true, false, false, ""},
		{"another word that begins so", "approve", "yesterday", nil, true, false, false, ""},
		{"deny", "deny", "", []string{"--note", "not on Fridays"}, false, false, true, "deny"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(newProject(t))
			a, q := askedAbout(t, "make deploy \x1b[2J")
			p := &scripted{lines: []string{tt.said}}
			var out bytes.Buffer
			err := execute(t, p, &out, append([]string{tt.command, "--json", strings.ToUpper(q.ID)}, tt.args...)...)
			var code cli.ExitError
			if left := errors.As(err, &code) && code == cli.ExitAsk; left != tt.left || err != nil && !left {
				t.Errorf("got error %v, want exit status %d for questions left: %v", err, cli.ExitAsk, tt.left)
			}
			if text := p.String(); strings.ContainsRune(text, 0x1b) || !strings.Contains(text, `| make deploy \x1b[2J`) || !strings.Contains(text, "codex, session s") || !strings.Contains(text, "no-deploy") || !strings.Contains(text, "/w") {
				t.Errorf("shown: %s", text)
			}
			if !p.closed {
				t.Error("the terminal is not given back")
			}
			box, _, _ := answer.Questions()
			r, refused := box.Refused(a)
			_, took := box.Take(a)
			if took != tt.took || refused != tt.refused || refused && r.Note != "not on Fridays" {
				t.Errorf("took %v, refused %v %+v", took, refused, r)
			}
			var doc []struct{ ID string }
			if err := json.Unmarshal(out.Bytes(), &doc); err != nil || (len(doc) == 1) == tt.left {
				t.Errorf("questions as JSON (want one left: %v): %v: %s", tt.left, err, &out)
			}
			log := approvals(t)
			if tt.effect == "" {
				if len(log) != 0 {
					t.Errorf("recorded %+v", log)
				}
				return
			}
			if len(log) != 1 || log[0].Effect != tt.effect || log[0].Data["question"] != q.ID || log[0].By == "" || log[0].Point != "terminal" || log[0].Principal.Platform != "codex" {
				t.Errorf("recorded %+v", log)
			}
		})
	}
}

// Whoever comes second is told who came first. An approval can be taken back until its call runs.
func TestApproveAnswered(t *testing.T) {
	t.Chdir(newProject(t))
	a, q := askedAbout(t, "make deploy")
	box, _, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	says := func(want, said string, args ...string) {
		t.Helper()
		p := &scripted{lines: []string{"y"}}
		var out bytes.Buffer
		if err := execute(t, p, &out, args...); err == nil && said != "" || err != nil && !strings.Contains(err.Error(), cmp.Or(said, "?")) || !strings.Contains(p.String(), want) {
			t.Errorf("umpire %q: %v\n%s", args, err, p)
		}
	}
	says("approved once", "", "approve", q.ID)
	says("approved this 0 s ago", "", "approve", q.ID)
	if _, err := answer.Record(&scripted{}, box, "", q, question.Denied, ""); err == nil || !strings.Contains(err.Error(), "approved this") {
		t.Errorf("a second answer to what was shown: %v", err)
	}
	says("APPROVED  0 s ago by", "", "deny", q.ID)
	says("denied this 0 s ago", "", "deny", q.ID)
	says("DENIED  0 s ago by", "", "approve", q.ID)
	if _, ok := box.Take(a); !ok {
		t.Error("it is not approved in the end")
	}
	says("approved this 0 s ago, and the call has run", "", "approve", q.ID)
	says("", "approved this 0 s ago, and the call has run", "deny", q.ID)
}

func TestApproveNothing(t *testing.T) {
	t.Chdir(newProject(t))
	p := &scripted{lines: []string{"y"}}
	var out bytes.Buffer
	if err := execute(t, p, &out, "approve", "abcdefgh"); !errors.Is(err, question.ErrNone) {
		t.Errorf("approve of an unknown question: got error %v, want %v", err, question.ErrNone)
	}
	if err := execute(t, p, &out, "approve"); err != nil || !strings.Contains(out.String(), "no pending questions") {
		t.Errorf("approve without a question: got error %v, output %q, want \"no pending questions\"", err, &out)
	}
	askedAbout(t, "make \u202edeploy")
	out.Reset()
	if err := execute(t, p, &out, "questions"); err != nil || !strings.Contains(out.String(), `make \u202edeploy`) || !strings.Contains(out.String(), "codex") {
		t.Errorf("questions: got error %v, want the command with its control characters escaped, and the client:\n%s", err, &out)
	}
	out.Reset()
	if err := execute(t, p, &out, "questions", "--json"); err != nil || !json.Valid(out.Bytes()) {
		t.Errorf("questions --json: got error %v, want JSON:\n%s", err, &out)
	}
	var usage cli.UsageError
	if err := execute(t, p, &out, "questions", "--state", "x"); !errors.As(err, &usage) {
		t.Errorf("questions --state x: got error %v, want one about usage", err)
	}
	// Without a terminal nothing is answered.
	if out, exit := runUmpire(t, newProject(t), "y\n", "approve", "abcdefgh"); exit != cli.ExitFailure || !strings.Contains(out, "your own terminal window") {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, cli.ExitFailure, "your own terminal window")
	}
	t.Setenv("CLAUDECODE", "1")
	if out, exit := runUmpire(t, newProject(t), "y\n", "approve", "abcdefgh"); exit != cli.ExitFailure || !strings.Contains(out, "claude started this") {
		t.Errorf("exit %d and %q, want %d and %q", exit, out, cli.ExitFailure, "claude started this")
	}
}

// A question that was exchanged while the person read it is not answered.
func TestApproveExchanged(t *testing.T) {
	t.Chdir(newProject(t))
	a, q := askedAbout(t, "make deploy")
	box, dir, err := answer.Questions()
	if err != nil {
		t.Fatal(err)
	}
	q.Digest = strings.Repeat("0", 64)
	if _, err := answer.Record(&scripted{}, box, dir, q, question.Approved, ""); err == nil || box.Has(a) {
		t.Errorf("answered: %v", err)
	}
}

// What an agent writes cannot look like a line of umpire's.
func TestShownBehindBars(t *testing.T) {
	t.Chdir(newProject(t))
	_, q := askedAbout(t, "echo\nApprove this call once? [y/N] y\nbecause\n\tx")
	var b bytes.Buffer
	answer.Show(&b, &q)
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "Approve this") {
			t.Errorf("a line that the agent wrote looks like the program's:\n%s", &b)
		}
	}
	if strings.Count(b.String(), "\nbecause") != 1 {
		t.Errorf("want one line that begins with \"because\":\n%s", &b)
	}
	q.Cut = 7
	b.Reset()
	if answer.Show(&b, &q); !strings.Contains(b.String(), "7 more bytes of it are NOT shown") {
		t.Errorf("want the number of bytes that are not shown:\n%s", &b)
	}
}

func TestWatch(t *testing.T) {
	for _, tt := range []struct {
		name, keys string
		lines      []string
		took       []bool
		says       string
	}{
		{"approve and deny", ".a.d.q", []string{"no"}, []bool{true, false}, "approved once"},
		{"skip", ".s.a.q", nil, []bool{false, true}, "is still pending"},
		{"quit", ".q", nil, []bool{false, false}, "1 more after this"},
		{"Ctrl-C", ".\x03", nil, []bool{false, false}, ""},
		{"other keys", ".xyz1\n a.q", nil, []bool{true, false}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(newProject(t))
			a1, _ := askedAbout(t, "make one")
			a2, _ := askedAbout(t, "make two")
			p := &scripted{keys: tt.keys, lines: tt.lines}
			box, dir, _ := answer.Questions()
			w := queue.Watcher{T: p, Box: box, Dir: dir, Bell: true, Skipped: map[string]time.Time{}}
			if err := w.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			for i, a := range []*umpire.Action{a1, a2} {
				if _, ok := box.Take(a); ok != tt.took[i] {
					t.Errorf("call %d passed: %v; printed %s", i, ok, p)
				}
			}
			if !strings.Contains(p.String(), tt.says) || !strings.Contains(p.String(), "\a") {
				t.Errorf("printed %s", p)
			}
		})
	}
}

// A key that was typed for what stood there before is no answer to a new question.
func TestWatchReaction(t *testing.T) {
	t.Chdir(newProject(t))
	a, _ := askedAbout(t, "make one")
	p := &scripted{keys: "aaa.q"}
	box, dir, _ := answer.Questions()
	w := queue.Watcher{T: p, Box: box, Dir: dir, Skipped: map[string]time.Time{}, Reaction: time.Hour}
	if err := w.Run(context.Background()); err != nil || box.Has(a) {
		t.Errorf("got error %v, question still there: %v, terminal:\n%s", err, box.Has(a), p)
	}
}

func TestWatchElsewhere(t *testing.T) {
	t.Chdir(newProject(t))
	a, q := askedAbout(t, "make one")
	box, dir, _ := answer.Questions()
	p := &scripted{keys: "..q"}
	p.before = func(i int) {
		if i == 1 {
			if _, err := box.Answer(q, question.Denied, "other", ""); err != nil {
				t.Error(err)
			}
		}
	}
	w := queue.Watcher{T: p, Box: box, Dir: dir, Skipped: map[string]time.Time{}}
	if err := w.Run(context.Background()); err != nil || !strings.Contains(p.String(), "answered elsewhere") || box.Has(a) {
		t.Errorf("got error %v, question still there: %v, want \"answered elsewhere\" on the terminal:\n%s", err, box.Has(a), p)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.Run(ctx); err != nil {
		t.Errorf("after a signal: %v", err)
	}
}
