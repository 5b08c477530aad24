package taint_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/taint"
)

func TestMemory(t *testing.T) {
	dir := t.TempDir()
	of := func(session string) *taint.Memory {
		return taint.Open(filepath.Join(dir, "taint")).Memory(umpire.Principal{Session: session}, nil)
	}
	m := of("one")
	m.Note("made", "/p/a\nb")
	m.Note("fetched", "/p/i.sh")
	if _, ok := of("one").Made("/p/a\nb"); ok {
		t.Error("a note is known before it is kept")
	}
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	m = of("one")
	if at, ok := m.Made("/p/a\nb"); !ok || at == 0 {
		t.Error("what was made is forgotten")
	}
	if _, read, ok := m.Fetched("/p/i.sh"); !ok || read {
		t.Errorf("fetched: %v %v", read, ok)
	}
	m.Note("read", "/p/i.sh")
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	if _, read, ok := of("one").Fetched("/p/i.sh"); !ok || !read {
		t.Errorf("read: %v %v", read, ok)
	}
	m = of("one")
	m.Note("fetched", "/p/i.sh") // another file by that name
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	if _, read, _ := of("one").Fetched("/p/i.sh"); read {
		t.Error("what was fetched again counts as read")
	}
	if _, ok := of("two").Made("/p/a\nb"); ok {
		t.Error("another session knows it")
	}
	if m := of(""); m != nil {
		t.Error("a session without a name has a memory")
	}
	var none *taint.Memory
	none.Note("made", "/x")
	if _, ok := none.Made("/x"); ok || none.Keep() != nil {
		t.Error("no memory knows something")
	}
}

// A line that is not as it was written is not there, and a file never grows for ever.
func TestMemoryForged(t *testing.T) {
	dir := t.TempDir()
	m := taint.Open(filepath.Join(dir, "taint")).Memory(umpire.Principal{Session: "s"}, nil)
	for _, what := range []string{"made", "tree", "fetched"} {
		m.Note(what, "/p/a")
	}
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "session", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{strings.ReplaceAll(string(data), "/p/a", "/p/b"), "made 1 \"/p/b\"\n", "00000000 made 1 \"/p/b\"\n", "\x00\xff", strings.Repeat("x", 1<<20)} {
		if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		m := taint.Open(filepath.Join(dir, "taint")).Memory(umpire.Principal{Session: "s"}, nil)
		_, made := m.Made("/p/b")
		_, _, fetched := m.Fetched("/p/b")
		tree, _ := m.FetchedInto("/p/b/x")
		if below := m.FetchedBelow("/p"); made || fetched || tree != "" || len(below) > 0 {
			t.Errorf("%.40q is believed: made %v, fetched %v, into %q, below %v", text, made, fetched, tree, below)
		}
	}
	for i := range 200 {
		m := taint.Open(filepath.Join(dir, "taint")).Memory(umpire.Principal{Session: "s"}, nil)
		for j := range 100 {
			m.Note("made", fmt.Sprintf("/p/%d/%d/%s", i, j, strings.Repeat("n", 100)))
		}
		if err := m.Keep(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(files[0]); err != nil || info.Size() > 128<<10 {
		t.Error(info.Size(), err)
	}
}

// A name that holds another one in quotes is not that one, and of several lines the last counts.
func TestMemoryNames(t *testing.T) {
	store := taint.Open(filepath.Join(t.TempDir(), "taint"))
	of := func() *taint.Memory { return store.Memory(umpire.Principal{Session: "s"}, nil) }
	m := of()
	m.Note("made", `/p/x "/p/y"`)
	m.Note("made", "/p/x\n00000000 made 1 \"/p/z\"\n")
	m.Note("fetched", `/p/"q"`)
	m.Note("fetched", "/p/a")
	m.Note("fetched", "/p/a b")
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	m = of()
	m.Note("read", "/p/a")
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	m = of()
	for path, want := range map[string]bool{`/p/x "/p/y"`: true, "/p/y": false, "/p/z": false, "/p": false, "": false, "/p/x\n00000000 made 1 \"/p/z\"\n": true} {
		if _, ok := m.Made(path); ok != want {
			t.Errorf("made %q: %v", path, ok)
		}
	}
	for path, want := range map[string][2]bool{`/p/"q"`: {true, false}, "/p/a": {true, true}, "/p/a b": {true, false}, "b": {}} {
		if _, read, ok := m.Fetched(path); ok != want[0] || read != want[1] {
			t.Errorf("fetched %q: %v, read %v", path, ok, read)
		}
	}
}

func BenchmarkMemory(b *testing.B) {
	store := taint.Open(filepath.Join(b.TempDir(), "taint"))
	of := func() *taint.Memory { return store.Memory(umpire.Principal{Session: "s"}, nil) }
	for i := range 9 {
		m := of()
		for j := range 60 {
			m.Note("made", fmt.Sprintf("/home/u/project/internal/package%d/file%d.go", i, j))
		}
		if err := m.Keep(); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		m := of()
		m.Made("/home/u/project/internal/package3/file7.go")
		m.Made("/home/u/project/internal/package3")
		m.Fetched("/home/u/project/Makefile")
	}
}

// No line counts as older than the file that it stands in: whoever can write there claims no
// more than what came into being since.
func TestMemoryIsNotBackdated(t *testing.T) {
	dir := t.TempDir()
	of := func(birth int64) *taint.Memory {
		return taint.Open(filepath.Join(dir, "taint")).Memory(umpire.Principal{Session: "one"}, func(string) int64 { return birth })
	}
	m := of(0)
	m.NoteAt("made", "/p/a", 1)
	m.NoteAt("tree", "/p", 1)
	m.NoteAt("tree", "/p/in", 7)
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	m = of(5)
	if at, ok := m.Made("/p/a"); !ok || at != 5 {
		t.Errorf("made at %d", at)
	}
	for path, want := range map[string]struct {
		dir string
		at  int64
	}{"/p/x": {"/p", 5}, "/p/in/x": {"/p/in", 7}, "/p/into": {"/p", 5}, "/p": {}, "/q/x": {}} {
		if dir, at := m.FetchedInto(path); dir != want.dir || at != want.at {
			t.Errorf("%s: %q, %d", path, dir, at)
		}
	}
}

func TestMemoryFetchedBelow(t *testing.T) {
	dir := t.TempDir()
	m := taint.Open(dir).Memory(umpire.Principal{Session: "s"}, nil)
	m.NoteAt("fetched", "/p/dl/i.sh", 3)
	m.NoteAt("fetched", "/p/dl/sub/j.sh", 4)
	m.NoteAt("fetched", "/p/dlother/k.sh", 5)
	m.NoteAt("made", "/p/dl/own.sh", 6)
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	m = taint.Open(dir).Memory(umpire.Principal{Session: "s"}, nil)
	if got, want := m.FetchedBelow("/p/dl"), map[string]int64{"/p/dl/i.sh": 3, "/p/dl/sub/j.sh": 4}; !maps.Equal(got, want) {
		t.Errorf("below /p/dl: %v, want %v", got, want)
	}
}
