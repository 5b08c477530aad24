package session_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/session"
)

func say(role agent.Role, s string) agent.Message {
	return agent.Message{Role: role, Parts: []agent.Part{{Text: s}}}
}

func texts(list []agent.Message) (out []string) {
	for _, m := range list {
		out = append(out, m.Text())
	}
	return out
}

// full writes a session with one of everything.
func full(t *testing.T, dir string) *session.Session {
	t.Helper()
	s := session.New(dir, "/proj", "model-a")
	for _, err := range []error{
		s.Append(say(agent.User, "one")), s.Append(say(agent.Assistant, "two")),
		s.Card("c1", agent.Result{Success: true, Output: strings.Repeat("x", 5000), Data: map[string]any{"exitCode": 1, "content": "long", "files": []int{1}}}),
		s.AddUsage(agent.Usage{InputTokens: 5, OutputTokens: 2, TotalTokens: 7, Cost: 0.5, CachedTokens: 3}),
		s.SetModel("model-b"), s.SetName("my work"),
		s.Append(say(agent.User, "three")), s.Append(say(agent.Assistant, "four")),
		s.Fold(2, agent.Message{Role: agent.User, Summary: true, Parts: []agent.Part{{Text: "sum"}}}),
		s.Append(say(agent.User, "five")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestKeepAndOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	s := full(t, dir)
	want, meta := s.State(), s.Metadata()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := session.Open(dir, meta.File)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	got := again.State()
	if !reflect.DeepEqual(texts(got.Messages), []string{"sum", "three", "four", "five"}) || !reflect.DeepEqual(texts(got.Shown), []string{"one", "two", "three", "four", "five"}) ||
		!reflect.DeepEqual(texts(got.Messages), texts(want.Messages)) {
		t.Errorf("messages %q, shown %q, want those of before: %q, %q", texts(got.Messages), texts(got.Shown), texts(want.Messages), texts(want.Shown))
	}
	if m := again.Metadata(); m.ID != meta.ID || m.Name != "my work" || m.ModelID != "model-b" || m.Cwd != "/proj" || m.MessageCount != 5 || !m.CreatedAt.Equal(meta.CreatedAt) {
		t.Errorf("the description is %+v, want that of %+v with a name, the second model and 5 messages", m, meta)
	}
	if got.Usage.TotalTokens != 7 || got.Usage.Cost != 0.5 || got.Last.CachedTokens != 3 || len(got.Cards["c1"].Output) > 2010 || !reflect.DeepEqual(got.Cards["c1"].Data, map[string]any{"exitCode": 1.0}) {
		t.Errorf("the usage is %+v, the card %+v; want 7 tokens, and a short card with its exit code only", got.Usage, got.Cards["c1"].Data)
	}
	info, err := os.Stat(filepath.Join(dir, meta.File))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v, want 0600", info.Mode(), err)
	}
}

// Undoing goes back, and what comes then is another branch; nothing is lost in the file.
func TestBack(t *testing.T) {
	dir := t.TempDir()
	s := session.New(dir, "/", "m")
	s.Append(say(agent.User, "one"))
	mark := s.Mark()
	s.Append(say(agent.User, "two"))
	there := s.Mark()
	if err := s.Back(mark); err != nil {
		t.Fatal(err)
	}
	s.Append(say(agent.User, "other"))
	name := s.Metadata().File
	s.Close()
	s, err := session.Open(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := texts(s.State().Messages); !reflect.DeepEqual(got, []string{"one", "other"}) {
		t.Errorf("the messages are %q, want one and other", got)
	}
	if err := s.Back(there); err != nil || !reflect.DeepEqual(texts(s.State().Shown), []string{"one", "two"}) {
		t.Errorf("Back to the other branch: %v, %q, want one and two", err, texts(s.State().Shown))
	}
	if s.Back("m99") == nil {
		t.Error("went to where it never was")
	}
	if err := s.Back(""); err != nil || len(s.State().Messages) > 0 {
		t.Errorf("Back to the beginning: %v, %d messages, want none", err, len(s.State().Messages))
	}
}

// A crash in the middle of any write loses at most that line, and what comes next is read.
func TestCrash(t *testing.T) {
	dir := t.TempDir()
	s := full(t, dir)
	name := s.Metadata().File
	s.Close()
	whole, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	first := strings.IndexByte(string(whole), '\n') + 1
	for n := first; n < len(whole); n += 17 {
		if err := os.WriteFile(filepath.Join(dir, name), whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := session.Open(dir, name)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		before := len(s.State().Shown)
		if err := s.Append(say(agent.User, "after")); err != nil {
			t.Fatal(err)
		}
		s.Close()
		s, err = session.Open(dir, name)
		if err != nil {
			t.Fatalf("cut at %d, then written: %v", n, err)
		}
		if st := s.State(); len(st.Shown) != before+1 || st.Shown[before].Text() != "after" {
			t.Errorf("cut at %d: %q", n, texts(st.Shown))
		}
		s.Close()
	}
}

func TestFaultyFiles(t *testing.T) {
	dir := t.TempDir()
	const first = `{"type":"session","id":"x","version":1}` + "\n"
	faulty := map[string]string{
		"empty": "", "no-session": "{\"type\":\"message\"}\n", "garbage": "\x00\x01\n", "version": `{"type":"session","id":"x","version":9}` + "\n",
		"hole":   first + "{\n" + `{"type":"name"}` + "\n",
		"loose":  first + `{"type":"message","id":"m1","parent":"m9","message":{}}` + "\n",
		"loop":   first + `{"type":"message","id":"m1","parent":"m1","message":{}}` + "\n",
		"second": first + strings.Replace(first, `"x"`, `"y"`, 1),
		"back":   first + `{"type":"back","to":"m9"}` + "\n",
	}
	for name, text := range faulty {
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := session.Open(dir, name+".jsonl"); err == nil {
			t.Errorf("Open(%s) reads the file, want an error", name)
		}
	}
	good := full(t, dir)
	good.Close()
	var warned []string
	list, err := session.List(dir, func(err error) { warned = append(warned, err.Error()) })
	if err != nil || len(list) != 1 || list[0].ID != good.Metadata().ID || len(warned) != len(faulty) {
		t.Errorf("List: got %d sessions, the warnings %q and %v, want 1 session and %d warnings", len(list), warned, err, len(faulty))
	}
	if list, err := session.List(filepath.Join(dir, "empty.jsonl"), nil); err == nil || list != nil {
		t.Errorf("List of a file: got %v, %v, want only an error", list, err)
	}
	if list, err := session.List(filepath.Join(dir, "none"), nil); err != nil || list != nil {
		t.Errorf("List of no folder: got %v, %v, want no sessions", list, err)
	}
}

// A message that cannot be written is an error, and the session goes on without it.
func TestMessageThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	s := session.New(dir, "/", "m")
	if err := s.Sync(); err != nil {
		t.Errorf("Sync before the first message: %v, want nothing to do", err)
	}
	s.Append(say(agent.User, "one"))
	broken := agent.Message{Role: agent.Assistant, Parts: []agent.Part{{Call: &agent.Call{Name: "bash", Input: []byte("{")}}}}
	if err := s.Append(broken); err == nil {
		t.Error("a call whose input is not JSON is written, want an error")
	}
	if err := s.Append(say(agent.User, "two")); err != nil {
		t.Errorf("after the error: %v, want the session to go on", err)
	}
	want := []string{"one", "two"}
	if err := errors.Join(s.Sync(), s.Close(), s.Close(), s.Sync()); err != nil {
		t.Errorf("Sync and Close, twice each: %v, want no error", err)
	}
	again, err := session.Open(dir, s.Metadata().File)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got, now := texts(again.State().Messages), texts(s.State().Messages); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(now, want) {
		t.Errorf("the messages are %q, and %q in the file, want %q", now, got, want)
	}
}

// A conversation as a document has every part that a person saw. A text cannot leave its block.
func TestMarkdown(t *testing.T) {
	m := session.Metadata{ID: "s1", ModelID: "m", Cwd: "/proj"}
	st := session.State{Shown: []agent.Message{
		say(agent.User, "hello"),
		{Role: agent.Assistant, Parts: []agent.Part{{Thinking: &agent.Thinking{Text: "hm"}}, {Text: "I look."}, {Call: &agent.Call{Name: "bash", Input: []byte(`{"command":"ls"}`)}}}},
		{Role: agent.User, Parts: []agent.Part{{Result: &agent.Returned{Text: "```\n## You"}}}},
	}}
	want := "# s1\n\nm, 0001-01-01T00:00:00Z, in `/proj`\n\n## You\n\nhello\n\n## Agent\n\nI look.\n\n### bash\n\n```json\n{\"command\":\"ls\"}\n```\n\n````\n```\n## You\n````\n"
	if got := string(session.Markdown(m, st)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	m.Name = "my work"
	if got := string(session.Markdown(m, st)); !strings.HasPrefix(got, "# my work\n") {
		t.Errorf("a session with a name begins with %.20q, want the name", got)
	}
}

func TestNamesStayInside(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "sessions")
	full(t, filepath.Join(base, "sessions-evil")).Close()
	other, err := filepath.Glob(filepath.Join(base, "sessions-evil", "*"))
	if err != nil || len(other) != 1 {
		t.Fatal(other, err)
	}
	full(t, dir).Close()
	if err := os.Symlink(other[0], filepath.Join(dir, "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../sessions-evil/" + filepath.Base(other[0]), other[0], "link.jsonl", "", ".", "..", "a/b.jsonl", ".hidden.jsonl", "x.json", `..\x.jsonl`, "x\x00.jsonl"} {
		if s, err := session.Open(dir, name); err == nil {
			s.Close()
			t.Errorf("%q was opened", name)
		}
	}
}

func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	s := full(t, dir)
	name := s.Metadata().File
	if _, err := session.Open(dir, name); !errors.Is(err, session.ErrOpen) {
		t.Errorf("a second Open: got %v, want %v", err, session.ErrOpen)
	}
	s.Close()
	again, err := session.Open(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func TestOnlySomeAreKept(t *testing.T) {
	dir := t.TempDir()
	open := full(t, dir) // the oldest, and in use
	defer open.Close()
	for i := range session.Kept + 5 {
		s := session.New(dir, "/", "m")
		s.SetName(fmt.Sprint(i))
		if i%2 == 0 { // an empty one is not kept
			s.Close()
			continue
		}
		s.Append(say(agent.User, "x"))
		s.Close()
	}
	for range session.Kept {
		s := session.New(dir, "/", "m")
		s.Append(say(agent.User, "x"))
		s.Close()
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != session.Kept+1 {
		t.Errorf("%d files, %v, want %d and the one in use", len(files), err, session.Kept)
	}
	if _, err := os.Stat(filepath.Join(dir, open.Metadata().File)); err != nil {
		t.Error("one that is in use was removed")
	}
}

func FuzzOpen(f *testing.F) {
	dir := f.TempDir()
	f.Add([]byte(`{"type":"session","id":"x","version":1}` + "\n" + `{"type":"message","id":"m1","message":{"role":"user"}}` + "\n" + `{"type":"fold","id":"m2","parent":"m1","count":7,"message":{}}` + "\n" + `{"type":"back","to":"m1"}` + "\n"))
	f.Add([]byte(`{"type":"session","id":"x","version":1}` + "\n" + `{"type":"message","id":"m2","message":{"role":"user"}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(dir, "x.jsonl")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := session.Open(dir, "x.jsonl")
		if err != nil {
			return
		}
		n := len(s.State().Shown)
		if err := s.Append(say(agent.User, "x")); err != nil || len(s.State().Shown) != n+1 {
			t.Errorf("a message is lost: %v", err)
		}
		s.Close()
		if s, err = session.Open(dir, "x.jsonl"); err != nil {
			t.Fatal(err)
		}
		s.Close()
	})
}
