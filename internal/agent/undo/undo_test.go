package undo

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/agent/file"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

type world struct {
	t     *testing.T
	dir   string
	state string
	*Store
}

func newWorld(t *testing.T) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	w := &world{t: t, dir: filepath.Join(top, "proj"), state: filepath.Join(top, "undo")}
	must(t, os.Mkdir(w.dir, 0o755))
	w.Store, err = Open(w.state)
	must(t, err)
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// change is a change of the agent's; other is somebody else's.
func (w *world) change(name, content string) {
	w.t.Helper()
	f, err := file.Open(w.path(name))
	must(w.t, err)
	defer f.Close()
	must(w.t, w.Touched(f.Path, f.Data, f.Mode, f.Exists))
	must(w.t, f.Write([]byte(content)))
	w.Wrote(f.Path, []byte(content))
}

func (w *world) other(name, content string) {
	must(w.t, os.WriteFile(w.path(name), []byte(content), 0o644))
}

// files is what there is.
func (w *world) files() map[string]string {
	w.t.Helper()
	m := map[string]string{}
	must(w.t, fs.WalkDir(os.DirFS(w.dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			data, err := os.ReadFile(w.path(name))
			must(w.t, err)
			m[name] = string(data)
		}
		return err
	}))
	return m
}

type files = map[string]string

func TestUndo(t *testing.T) {
	w := newWorld(t)
	w.other("a", "a0")
	must(t, os.Chmod(w.path("a"), 0o750))
	must(t, w.Begin("m1"))
	w.change("a", "a1")
	w.change("a", "a1b")
	w.change("sub/new", "n1")
	must(t, w.Begin("m2"))
	must(t, w.Begin("m3"))
	w.change("a", "a3")
	after := files{"a": "a3", "sub/new": "n1"}

	plan, err := w.Plan(3)
	must(t, err)
	same(t, "plan", plan, Report{Turns: []string{"m3", "m2", "m1"}, Restored: []string{w.path("a"), w.path("sub/new")}})
	same(t, "files after the plan", w.files(), after)
	r, err := w.Undo(1, false)
	must(t, err)
	same(t, "one turn", r, Report{Turns: []string{"m3"}, Restored: []string{w.path("a")}})
	same(t, "files", w.files(), files{"a": "a1b", "sub/new": "n1"})

	w.Store, err = Open(w.state) // the session is resumed
	must(t, err)
	r, err = w.Undo(2, false)
	must(t, err)
	same(t, "two turns", r.Turns, []string{"m2", "m1"})
	same(t, "files", w.files(), files{"a": "a0"})
	if fi, err := os.Stat(w.path("a")); err != nil || fi.Mode().Perm() != 0o750 {
		t.Errorf("the mode is %v, %v", fi.Mode(), err)
	}
	if _, err := w.Undo(1, false); err == nil {
		t.Error("more was undone than there was")
	}
	r, err = w.Redo(3, false)
	must(t, err)
	same(t, "done again", r.Turns, []string{"m1", "m2", "m3"})
	same(t, "files", w.files(), after)
	if _, err := w.Redo(1, false); err == nil {
		t.Error("more was done again than was undone")
	}
	_, err = w.Undo(1, false)
	must(t, err)
	must(t, w.Begin("m4"))
	if _, err := w.Redo(1, false); err == nil {
		t.Error("what was undone came back after a new turn")
	}
	same(t, "turns", len(w.Turns()), 3)
}

func TestChangedBySomebodyElse(t *testing.T) {
	setUp := func(t *testing.T) *world {
		w := newWorld(t)
		w.other("mine", "0")
		w.other("theirs", "0")
		w.other("between", "0")
		must(t, w.Begin("m1"))
		for _, name := range []string{"mine", "theirs", "between"} {
			w.change(name, "1")
		}
		w.other("between", "theirs")
		must(t, w.Begin("m2"))
		w.change("between", "2")
		w.other("theirs", "their work")
		return w
	}
	w := setUp(t)
	r, err := w.Undo(2, false)
	must(t, err)
	same(t, "left alone", r, Report{Turns: []string{"m2", "m1"}, Restored: []string{w.path("mine")}, Changed: []string{w.path("between"), w.path("theirs")}})
	same(t, "files", w.files(), files{"mine": "0", "theirs": "their work", "between": "2"})
	r, err = w.Redo(2, false)
	must(t, err)
	same(t, "done again", r.Restored, []string{w.path("mine")})
	same(t, "files", w.files(), files{"mine": "1", "theirs": "their work", "between": "2"})

	w = setUp(t)
	r, err = w.Undo(2, true)
	must(t, err)
	same(t, "told all the same", r.Changed, []string{w.path("between"), w.path("theirs")})
	same(t, "files", w.files(), files{"mine": "0", "theirs": "0", "between": "0"})

	w = setUp(t)
	must(t, os.Remove(w.path("mine")))
	must(t, os.Symlink("theirs", w.path("mine")))
	r, err = w.Undo(2, true)
	must(t, err)
	if len(r.Failed) != 1 || !strings.HasPrefix(r.Failed[0], w.path("mine")+": ") {
		t.Errorf("through a link: %+v", r)
	}
}

func TestDamage(t *testing.T) {
	w := newWorld(t)
	w.other("a", "0")
	must(t, w.Begin("m"))
	w.change("a", "1")
	must(t, os.WriteFile(w.content(file.Sum([]byte("0"))), []byte("evil"), 0o600))
	r, err := w.Undo(1, false)
	must(t, err)
	if len(r.Failed) != 1 || !strings.Contains(r.Failed[0], "damaged") {
		t.Errorf("%+v", r)
	}
	same(t, "files", w.files(), files{"a": "1"})
	for _, text := range []string{"{", `{"turns":[],"done":3}`, ""} {
		must(t, os.WriteFile(w.journal(), []byte(text), 0o600))
		if _, err := Open(w.state); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestBounds(t *testing.T) {
	w := newWorld(t)
	var err error
	w.Store, err = open(w.state, 1000)
	must(t, err)
	for i := range 30 {
		must(t, w.Begin(fmt.Sprint(i)))
		w.change("a", strings.Repeat(string(rune('a'+i%26)), 90)+fmt.Sprint(i))
	}
	if n := len(w.Turns()); n < 5 || n > 12 {
		t.Errorf("%d turns are kept", n)
	}
	var total int64
	entries, err := os.ReadDir(filepath.Join(w.state, "files"))
	must(t, err)
	for _, e := range entries {
		fi, err := e.Info()
		must(t, err)
		total += fi.Size()
	}
	if total > 1000 {
		t.Errorf("%d bytes are kept", total)
	}
	must(t, w.Begin("large"))
	w.change("a", strings.Repeat("x", 2000))
	must(t, w.Begin("after"))
	w.change("a", "small")
	r, err := w.Undo(1, false)
	must(t, err)
	if len(r.Failed) != 1 || !strings.Contains(r.Failed[0], "too large to save") {
		t.Errorf("%+v", r)
	}
	for i := range maxTurns + 10 {
		must(t, w.Begin(fmt.Sprint(i)))
	}
	same(t, "turns", len(w.Turns()), maxTurns)
}

// Against a model that copies everything: any order of changes, undos and redos.
func TestAgainstCopies(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 6 {
		w := newWorld(t)
		states, at := []files{{}}, 0
		for range 40 {
			switch k := rnd.IntN(4); {
			case k < 2:
				must(t, w.Begin("m"))
				for range rnd.IntN(3) {
					w.change(fmt.Sprintf("f%d", rnd.IntN(3)), fmt.Sprint(rnd.IntN(4)))
				}
				states = append(states[:at+1], w.files())
				at++
			case k == 2 && at > 0:
				n := 1 + rnd.IntN(at)
				_, err := w.Undo(n, false)
				must(t, err)
				at -= n
			case k == 3 && at < len(states)-1:
				n := 1 + rnd.IntN(len(states)-1-at)
				_, err := w.Redo(n, false)
				must(t, err)
				at += n
			}
			if got := w.files(); !maps.Equal(got, states[at]) {
				t.Fatalf("there is %v, not %v", got, states[at])
			}
		}
	}
}

func TestTouchedFailsWithoutRoom(t *testing.T) {
	w := newWorld(t)
	must(t, os.RemoveAll(w.state))
	if err := w.Touched(w.path("a"), []byte("x"), 0o644, true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what cannot be kept is changed: %v", err)
	}
}

// Folders that a change made go with it, unless somebody has put something into them.
func TestUndoFolders(t *testing.T) {
	there := func(w *world, name string) bool {
		_, err := os.Lstat(w.path(name))
		return err == nil
	}
	w := newWorld(t)
	must(t, os.Mkdir(w.path("own"), 0o755))
	must(t, w.Begin("m1"))
	w.change("a/b/c/one", "1")
	w.change("a/b/two", "2")
	w.change("a/x/three", "3")
	w.change("own/four", "4")
	w.change("kept/five", "5")
	w.change("led/six", "6")
	w.other("kept/theirs", "x")
	must(t, w.Begin("m2"))
	w.change("a/b/seven", "7")

	_, err := w.Undo(1, false)
	must(t, err)
	if !there(w, "a/b") {
		t.Error("a folder of the turn before is gone")
	}
	// A link in the place of a folder is not ours.
	must(t, os.Rename(w.path("led"), w.path("moved")))
	must(t, os.Symlink("moved", w.path("led")))
	_, err = w.Undo(1, false)
	must(t, err)
	for name, want := range map[string]bool{"a": false, "own": true, "kept": true, "led": true, "moved": true} {
		if there(w, name) != want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
	_, err = w.Redo(1, false)
	must(t, err)
	if !there(w, "a/b/c/one") {
		t.Error("it was not done again")
	}
	_, err = w.Undo(1, false)
	must(t, err)
	if there(w, "a") {
		t.Error("the folders stay after it was undone twice")
	}
}
