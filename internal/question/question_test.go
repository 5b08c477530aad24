package question

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
)

func call(command string) *umpire.Action {
	in, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err)
	}
	return &umpire.Action{Principal: umpire.Principal{Platform: "codex", Session: "s"}, Tool: "Bash", Dir: "/w", Input: in}
}

func asked(t testing.TB, b Box, a *umpire.Action) Question {
	t.Helper()
	q, err := b.Ask(a, []umpire.Operation{{Kind: umpire.Exec, Resource: "make deploy"}}, umpire.Decision{Effect: umpire.Ask, Reasons: []umpire.Reason{{Rule: "r", Effect: umpire.Ask, Text: "why"}}})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func answered(t testing.TB, b Box, q Question, s State) Question {
	t.Helper()
	q, err := b.Answer(q, s, "someone", "a note")
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// rewrite changes a question's file, as time or somebody else would.
func rewrite(t *testing.T, b Box, s State, id string, f func(*Question)) {
	t.Helper()
	q, err := b.read(s, id)
	if err != nil {
		t.Fatal(err)
	}
	if f(&q); b.write(q) != nil {
		t.Fatal("not written")
	}
}

func TestLife(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "box"))
	a := call("make deploy")
	if _, ok := b.Take(a); ok || b.Has(a) {
		t.Fatal("an approval that nobody gave")
	}
	q := asked(t, b, a)
	if again := asked(t, b, a); again.ID != q.ID || !again.Asked.Equal(q.Asked) {
		t.Errorf("asked twice: %+v, %+v", q, again)
	}
	if list, err := b.List(Pending); err != nil || len(list) != 1 || list[0].Ops[0] != "exec(make deploy)" || list[0].Reasons[0].Rule != "r" {
		t.Errorf("pending %+v, error %v; want one that would run make deploy, asked by r", list, err)
	}
	if _, ok := b.Take(a); ok {
		t.Error("passed before the answer")
	}
	answered(t, b, q, Approved)
	if _, err := b.Answer(q, Denied, "other", ""); !errors.Is(err, ErrNone) {
		t.Errorf("a second answer: %v", err)
	}
	if !b.Has(a) {
		t.Error("the approval is not there")
	}
	if got, ok := b.Take(a); !ok || got.By != "someone" || got.Note != "a note" || got.State != Used {
		t.Errorf("taken %+v, %t; want what someone approved with a note, now used", got, ok)
	}
	if _, ok := b.Take(a); ok || b.Has(a) {
		t.Error("passed twice")
	}
	if q, err := b.Find(q.ID); !errors.Is(err, ErrNone) {
		t.Errorf("a call that passed still takes an answer: %+v, %v", q, err)
	}
	if got, ok := b.Answered(q.ID); !ok || got.State != Used || got.By != "someone" {
		t.Errorf("answered %+v, %t; want what someone approved, used", got, ok)
	}
	if list, err := b.List(Used); err != nil || len(list) != 1 {
		t.Errorf("used %+v, error %v; want one", list, err)
	}
}

// The folders of the states keep their names: a hook and the command line of two versions share them.
func TestFolders(t *testing.T) {
	b := Open("box")
	for s, want := range map[State]string{Pending: "pending", Approved: "approved", Denied: "denied", Used: "used"} {
		if got := b.path(s, "x"); got != filepath.Join("box", want, "x.json") {
			t.Errorf("a question that is %s is at %s, want the folder %s", s, got, want)
		}
	}
}

// A person who approved by mistake can take it back until the call passes.
func TestTakeBack(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "box"))
	a := call("make deploy")
	answered(t, b, asked(t, b, a), Approved)
	q, err := b.Find(ID(a))
	if err != nil || q.State != Approved {
		t.Fatalf("question %+v, error %v; want it approved", q, err)
	}
	answered(t, b, q, Denied)
	if _, ok := b.Refused(a); !ok || b.Has(a) {
		t.Error("it is not denied")
	}
	if _, ok := b.Take(a); ok {
		t.Error("an approval that was taken back let the call pass")
	}
	if _, ok := b.Answered("../denied/" + ID(a)); ok {
		t.Error("a path was taken for an ID")
	}
}

// What is another call, and what is the same one said in other words.
func TestDigest(t *testing.T) {
	input := func(s string) func(*umpire.Action) { return func(a *umpire.Action) { a.Input = json.RawMessage(s) } }
	for _, tt := range []struct {
		name   string
		change func(*umpire.Action)
		same   bool
	}{
		{"nothing", func(*umpire.Action) {}, true},
		{"the ID of the call", func(a *umpire.Action) { a.ID = "x" }, true},
		{"a description", input(`{"command":"make deploy","description":"go"}`), true},
		{"the order of keys", input(`{"description":"go","command":"make deploy"}`), true},
		{"the command", input(`{"command":"make deploy "}`), false},
		{"another field", input(`{"command":"make deploy","timeout":1}`), false},
		{"the last of two keys counts", input(`{"command":"make deploy","command":"rm"}`), false},
		{"the session", func(a *umpire.Action) { a.Principal.Session = "t" }, false},
		{"the client", func(a *umpire.Action) { a.Principal.Platform = "gemini" }, false},
		{"the sub-agent", func(a *umpire.Action) { a.Principal.Agent = "worker" }, false},
		{"the folder", func(a *umpire.Action) { a.Dir = "/" }, false},
		{"the tool", func(a *umpire.Action) { a.Tool = "Write" }, false},
		{"a boundary", func(a *umpire.Action) { a.Tool, a.Dir = "Bash/", "w" }, false},
	} {
		a := call("make deploy")
		tt.change(a)
		if got := Digest(a) == Digest(call("make deploy")); got != tt.same {
			t.Errorf("%s: same is %v", tt.name, got)
		}
	}
	x, y := call("x"), call("x")
	x.Tool, y.Tool = "Write", "Write"
	y.Input = json.RawMessage(`{"command":"x","description":"y"}`)
	if Digest(x) == Digest(y) {
		t.Error("the description of what is no shell does not count")
	}
}

// Of many that take an approval, and of many that answer, one wins.
func TestRaces(t *testing.T) {
	b := Open(t.TempDir())
	for i := range 20 {
		a := call(fmt.Sprint(i))
		q := asked(t, b, a)
		var took, said atomic.Int32
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				if _, err := b.Answer(q, []State{Approved, Denied}[n%2], "x", ""); err == nil {
					said.Add(1)
				} else if !errors.Is(err, ErrNone) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		_, refused := b.Refused(a)
		for range 8 {
			wg.Go(func() {
				if _, ok := b.Take(a); ok {
					took.Add(1)
				}
			})
		}
		wg.Wait()
		if want := int32(1); said.Load() != 1 || refused && took.Load() != 0 || !refused && took.Load() != want {
			t.Errorf("%d answers counted, refused %v, %d passed", said.Load(), refused, took.Load())
		}
	}
}

// An answer is about what was shown: whatever lies in its place now is another question.
func TestShown(t *testing.T) {
	b := Open(t.TempDir())
	a := call("make deploy")
	q := asked(t, b, a)
	rewrite(t, b, Pending, q.ID, func(q *Question) { q.Digest = strings.Repeat("0", 64) })
	if _, err := b.Answer(q, Approved, "x", ""); !errors.Is(err, ErrNone) {
		t.Errorf("answered with error %v, want %v", err, ErrNone)
	}
	if list, _ := b.List(Pending); len(list) != 1 {
		t.Errorf("the question is gone: %v", list)
	}
	if _, err := b.Ask(a, nil, umpire.Decision{}); err == nil || !strings.Contains(err.Error(), "another call") {
		t.Errorf("two calls share a question: %v", err)
	}
	if _, ok := b.Take(a); ok {
		t.Error("passed")
	}
}

func TestTime(t *testing.T) {
	b := Open(t.TempDir())
	a := call("make deploy")
	for _, at := range []time.Duration{-Validity - time.Second, time.Hour} {
		q := answered(t, b, asked(t, b, a), Approved)
		rewrite(t, b, Approved, q.ID, func(q *Question) { q.Answered = time.Now().Add(at) })
		if _, ok := b.Take(a); ok || b.Has(a) {
			t.Errorf("answered %v from now: passed", at)
		}
	}
	late := answered(t, b, asked(t, b, call("late")), Approved)
	rewrite(t, b, Approved, late.ID, func(q *Question) { q.Answered = time.Now().Add(-Validity - time.Second) })
	if q, err := b.Find(late.ID); !errors.Is(err, ErrNone) {
		t.Errorf("found an expired approval: %+v, %v", q, err)
	}
	old := asked(t, b, call("old"))
	rewrite(t, b, Pending, old.ID, func(q *Question) { q.Asked = time.Now().Add(-Expiry - time.Second) })
	if _, err := b.Find(old.ID); !errors.Is(err, ErrNone) {
		t.Errorf("found an expired question: %v", err)
	}
	if list, _ := b.List(Pending); len(list) != 0 {
		t.Errorf("pending %v, want none", list)
	}
	if again := asked(t, b, call("old")); time.Since(again.Asked) > time.Minute {
		t.Error("the expired question was not asked anew")
	}
	no := answered(t, b, asked(t, b, call("no")), Denied)
	if _, ok := b.Refused(call("no")); !ok {
		t.Error("not refused")
	}
	rewrite(t, b, Denied, no.ID, func(q *Question) { q.Answered = time.Now().Add(-Expiry - time.Second) })
	if _, ok := b.Refused(call("no")); ok {
		t.Error("refused for ever")
	}
}

// People change their minds, in one direction by themselves.
func TestDeniedThenApproved(t *testing.T) {
	b := Open(t.TempDir())
	a := call("make deploy")
	denied := answered(t, b, asked(t, b, a), Denied)
	if q, ok := b.Refused(a); !ok || q.Note != "a note" {
		t.Errorf("refused %+v, %t; want it with a note", q, ok)
	}
	if _, err := b.Answer(denied, Denied, "x", ""); err == nil {
		t.Error("denied twice")
	}
	found, err := b.Find(denied.ID)
	if err != nil || found.State != Denied {
		t.Fatalf("found %+v, error %v; want it denied", found, err)
	}
	answered(t, b, found, Approved)
	if _, ok := b.Refused(a); ok {
		t.Error("still refused")
	}
	if _, ok := b.Take(a); !ok {
		t.Error("did not pass")
	}
}

// A denial never leaves an approval of the same call behind: if that cannot be taken away,
// the question stays open and whoever answers hears of it.
func TestDenialThatCannotTakeApprovalAway(t *testing.T) {
	b := Open(t.TempDir())
	q := asked(t, b, call("make deploy"))
	stuck := filepath.Join(b.path(Approved, q.ID), "x") // a folder that is not empty cannot be removed
	if err := os.MkdirAll(stuck, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Answer(q, Denied, "someone", ""); err == nil {
		t.Error("denied as if nothing was left")
	}
	if err := os.RemoveAll(filepath.Dir(stuck)); err != nil {
		t.Fatal(err)
	}
	if found, err := b.Find(q.ID); err != nil || found.State != Pending {
		t.Fatalf("found %+v, error %v; want it pending", found, err)
	}
	answered(t, b, q, Denied)
}

// A question that was asked again while it was being answered is answered, too.
func TestAskedWhileAnswered(t *testing.T) {
	b := Open(t.TempDir())
	a := call("make deploy")
	q := asked(t, b, a)
	yes := answered(t, b, q, Approved)
	q.State, q.Asked = Pending, yes.Answered.Add(-time.Millisecond)
	if err := b.write(q); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Take(a); !ok {
		t.Fatal("did not pass")
	}
	if list, _ := b.List(Pending); len(list) != 0 {
		t.Errorf("still open: %v", list)
	}
}

// However much an agent writes, what the call would do and why it is asked about is kept.
func TestBounds(t *testing.T) {
	b := Open(t.TempDir())
	a := call(strings.Repeat("<\"\\\x01\xff", 40000))
	a.Tool, a.Dir, a.Principal.Session = strings.Repeat("t", 1<<20), "/"+strings.Repeat("\xff", 1<<20), strings.Repeat("s", 1<<20)
	var ops []umpire.Operation
	var d umpire.Decision
	for range 100 {
		ops = append(ops, umpire.Operation{Kind: umpire.Exec, Resource: strings.Repeat("\xff\"", 5000)})
		d.Reasons = append(d.Reasons, umpire.Reason{Rule: strings.Repeat("r", 5000), Text: strings.Repeat("\xff<", 5000), Suggest: strings.Repeat("\u2028", 5000)})
	}
	q, err := b.Ask(a, ops, d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Find(q.ID)
	if err != nil || len(got.Ops) != maxOps+1 || len(got.Reasons) != maxReasons || len(got.Input) < maxText || got.Cut < 100000 {
		t.Errorf("%d operations, %d reasons, %d bytes of input, %d cut, %v", len(got.Ops), len(got.Reasons), len(got.Input), got.Cut, err)
	}
	answered(t, b, got, Approved)
	if _, ok := b.Take(a); !ok {
		t.Error("did not pass")
	}
	text, err := os.ReadFile(b.path(Pending, asked(t, b, call("flood")).ID))
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxOpen { // as many as there may be, without a question for each
		if err := os.WriteFile(b.path(Pending, ID(call(fmt.Sprint("before", i)))), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 50 {
		asked(t, b, call(fmt.Sprint("flood", i)))
	}
	if list, err := os.ReadDir(filepath.Join(b.dir, string(Pending))); err != nil || len(list) > maxOpen {
		t.Errorf("%d questions, error %v; want at most %d", len(list), err, maxOpen)
	}
}

// Who answers sees a long call to its end.
func TestLongCallIsWhole(t *testing.T) {
	b := Open(t.TempDir())
	a := call("cat > page.html <<'E'\n" + strings.Repeat("<p>a line of it</p>\n", 3000) + "the last\nE")
	q := asked(t, b, a)
	got, err := b.Find(q.ID)
	if err != nil || got.Cut != 0 || !strings.Contains(got.Input, "the last") {
		t.Errorf("%d bytes, %d cut, %v", len(got.Input), got.Cut, err)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	b := Open(t.TempDir())
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	a := call("curl -H 'Authorization: Bearer " + secret + "' https://example.com")
	q, err := b.Ask(a, []umpire.Operation{{Kind: umpire.Exec, Resource: "curl -H 'Authorization: Bearer " + secret + "'"}}, umpire.Decision{})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(b.path(Pending, q.ID))
	if err != nil || strings.Contains(string(data), secret) {
		t.Errorf("the file has %s, error %v; want no secret in it", data, err)
	}
	if info, err := os.Stat(b.path(Pending, q.ID)); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestWait(t *testing.T) {
	b := Open(t.TempDir())
	for _, s := range []State{Approved, Denied} {
		q := asked(t, b, call(string(s)))
		done := make(chan struct{})
		got := make(chan Question)
		go func() {
			q, ok := b.Wait(q, done)
			if !ok {
				t.Error("gave up")
			}
			got <- q
		}()
		answered(t, b, q, s)
		if q := <-got; q.State != s {
			t.Errorf("%s: the wait ends with %+v, want that state", s, q)
		}
		close(done)
	}
	done := make(chan struct{})
	close(done)
	if _, ok := b.Wait(asked(t, b, call("late")), done); ok {
		t.Error("an answer from nobody")
	}
}

func TestFindHostile(t *testing.T) {
	b := Open(t.TempDir())
	for _, id := range []string{"", "../approved/x", "A", "x\x00", strings.Repeat("a", 300), "."} {
		if q, err := b.Find(id); err == nil {
			t.Errorf("%q: found %+v, want an error", id, q)
		}
	}
}

// TestMain is also the process that TestKill kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("QUESTION_TEST_BOX"); dir != "" {
		b := Open(dir)
		for i := 0; ; i++ {
			if i == maxOpen/2 { // who kills it is late, and of more the oldest would go
				time.Sleep(time.Hour)
			}
			a := call(fmt.Sprint(i))
			q, err := b.Ask(a, nil, umpire.Decision{})
			if err == nil {
				_, err = b.Answer(q, []State{Approved, Denied}[i%2], "x", "")
			}
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println(i)
		}
	}
	os.Exit(m.Run())
}

// An answer that was acknowledged outlives a kill at any moment.
func TestKill(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for round := range 8 {
		dir := t.TempDir()
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "QUESTION_TEST_BOX="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		last, lines := -1, bufio.NewScanner(out)
		for lines.Scan() {
			if _, err := fmt.Sscan(lines.Text(), &last); err != nil {
				t.Fatal(lines.Text())
			}
			if last == 10+7*round {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait()
		b := Open(dir)
		for i := range last + 1 {
			a := call(fmt.Sprint(i))
			_, refused := b.Refused(a)
			_, took := b.Take(a)
			_, again := b.Take(a)
			if even := i%2 == 0; took != even || refused == even || again {
				t.Errorf("answer %d of %d: refused %v, passed %v, again %v", i, last, refused, took, again)
			}
		}
		// What was not acknowledged is in one state, or can be asked again.
		a := call(fmt.Sprint(last + 1))
		_, refused := b.Refused(a)
		if b.Has(a) && refused {
			t.Error("approved and refused")
		}
		if !refused && !b.Has(a) {
			answered(t, b, asked(t, b, a), Approved)
		}
	}
}

// Whatever lies in the folder, it approves nothing by accident.
func FuzzRead(f *testing.F) {
	a := call("make deploy")
	b := Open(f.TempDir())
	q := asked(f, b, a)
	data, err := os.ReadFile(b.path(Pending, q.ID))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"id":"` + q.ID + `","digest":"` + q.Digest + `"}`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := Open(t.TempDir())
		for _, s := range []State{Pending, Approved, Denied} {
			if err := os.MkdirAll(filepath.Join(b.dir, string(s)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(b.path(s, q.ID), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var in Question
		whole := json.Unmarshal(data, &in) == nil && in.ID == q.ID && in.Digest == q.Digest && time.Since(in.Answered) < Validity+time.Minute
		if _, ok := b.Take(a); ok && !whole {
			t.Errorf("passed by %q", data)
		}
		for _, s := range []State{Pending, Approved, Denied, Used} {
			list, err := b.List(s)
			if err != nil || slices.ContainsFunc(list, func(x Question) bool { return x.ID != q.ID }) {
				t.Errorf("listed %v, error %v; want no other question than %s", list, err, q.ID)
			}
		}
		if found, err := b.Find(q.ID); err == nil {
			if _, err := b.Answer(found, Approved, "x", ""); err == nil && found.Digest != in.Digest {
				t.Errorf("answered %+v, want no answer to a question that was changed", found)
			}
		}
	})
}

// Whoever answers a question is not done with it when its asker has the answer, and may ask
// about the same call again at once: the answer to that is not lost.
func TestAskedAgainAtOnce(t *testing.T) {
	b := Open(t.TempDir())
	var all sync.WaitGroup
	defer all.Wait()
	late := time.Now().Add(time.Minute)
	for i := range 60 {
		state := []State{Approved, Denied}[i%2]
		q := asked(t, b, call("make deploy"))
		all.Go(func() {
			if _, err := b.Answer(q, state, "ada", ""); err != nil {
				t.Errorf("%d: %v", i, err)
			}
		})
		got, err := b.read(state, q.ID)
		for err != nil || got.Answered.Before(q.Asked) { // sooner than Wait
			if time.Now().After(late) {
				t.Fatalf("%d: the answer does not come: %v", i, err)
			}
			got, err = b.read(state, q.ID)
		}
		if state == Approved {
			if err := b.Use(got); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// pends reports whether a question waits for its answer.
func (b Box) pends(q Question) bool {
	got, err := b.Find(q.ID)
	return err == nil && got.State == Pending && got.Digest == q.Digest
}

// A question ends with the process that waits for its answer. The test starts itself as that
// process, which asks and then waits to be killed.
func TestAskerEnds(t *testing.T) {
	dir := os.Getenv("TEST_ASKER")
	a := &umpire.Action{Principal: umpire.Principal{Platform: "umpire", Session: "dead"}, Tool: "bash", Dir: "/w", Input: []byte(`{"command":"make"}`)}
	if dir != "" {
		q, err := Open(dir).Bound().Ask(a, nil, umpire.Decision{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("asked " + q.ID)
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		return
	}
	dir = t.TempDir()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAskerEnds$")
	c.Env = append(os.Environ(), "TEST_ASKER="+dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	id := strings.TrimPrefix(strings.TrimSpace(line), "asked ")
	if err != nil || id == "" {
		t.Fatal(line, err)
	}
	b := Open(dir)
	shown, err := b.Find(id)
	if err != nil {
		t.Fatalf("while the asker lives: %v", err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed

	other := *a
	other.Principal.Session = "alive"
	alive, err := b.Bound().Ask(&other, nil, umpire.Decision{})
	if err != nil {
		t.Fatal(err)
	}
	if list, err := b.List(Pending); err != nil || len(list) != 1 || list[0].ID != alive.ID {
		t.Errorf("pending: %+v, error %v; want %s alone", list, err, alive.ID)
	}
	if list, err := b.List(Abandoned); err != nil || len(list) != 1 || list[0].ID != id {
		t.Errorf("abandoned: %+v, error %v; want %s alone", list, err, id)
	}
	if _, err := b.Find(id); !errors.Is(err, errAbandoned) {
		t.Errorf("it is still found: %v", err)
	}
	if _, err := b.Answer(shown, Approved, "ada", ""); !errors.Is(err, errAbandoned) || b.Has(a) {
		t.Errorf("it was approved: %v", err)
	}
	// The same call, asked again, is a question of the living.
	again, err := b.Bound().Ask(a, nil, umpire.Decision{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Answer(again, Approved, "ada", ""); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Question){
		"another process": func(q *Question) { q.Asker = "OTHER" },
		"another call":    func(q *Question) { q.Digest = again.Digest },
		"no process":      func(q *Question) { q.Asker = "" },
	} {
		q := alive
		change(&q)
		if b.Withdraw(q); !b.pends(alive) {
			t.Errorf("%s withdrew the question", name)
		}
	}
	b.Bound().Withdraw(alive)
	if list, err := b.List(Pending); err != nil || len(list) != 0 {
		t.Errorf("after it was withdrawn: %+v, %v", list, err)
	}
	// A name that leads elsewhere is nobody's.
	for _, name := range []string{"../pending/x", "/etc/passwd", "x"} {
		if b.asks(name) {
			t.Errorf("%q counts as a question, want that it does not", name)
		}
	}
}

// A question about a call of which a rule allows a part says which part no rule settles.
func TestAskNamesUnsettled(t *testing.T) {
	ops := []umpire.Operation{{Kind: umpire.Exec, Resource: "go test"}, {Kind: umpire.Exec, Resource: "go tool cover"}, {Kind: umpire.Exec, Resource: "sort"}}
	allowed := umpire.Reason{Rule: "always-1", Effect: umpire.Allow, Text: "allowed by dev"}
	for name, tt := range map[string]struct {
		d    umpire.Decision
		want string
	}{
		"two parts":   {umpire.Decision{Effect: umpire.Ask, Unsettled: []int{1, 2}}, "no rule settles exec(go tool cover) and 1 more"},
		"one part":    {umpire.Decision{Effect: umpire.Ask, Unsettled: []int{2}}, "no rule settles exec(sort)"},
		"a rule asks": {umpire.Decision{Effect: umpire.Ask, Explicit: true, Unsettled: []int{1}}, "allowed by dev"},
	} {
		tt.d.Reasons = []umpire.Reason{allowed}
		q, err := Open(t.TempDir()).Ask(call("go test && go tool cover | sort"), ops, tt.d)
		if err != nil || q.Reasons[0].Text != tt.want || (q.Reasons[0].Effect == umpire.Ask) == tt.d.Explicit {
			t.Errorf("%s: reasons %+v, error %v; want %q first", name, q.Reasons, err, tt.want)
		}
	}
}
