package changes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/host"
)

func (b *Box) mustOpen(t testing.TB) *Writer {
	t.Helper()
	w, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// all writes what there is, and returns what stays and why.
func (w *Writer) all(t testing.TB, over bool) (n int, stays string) {
	t.Helper()
	n, err := w.WriteAll(t.Context(), w.b.mustList(t), over, func(e *ChangedPath, err error) { stays += e.Path + ": " + err.Error() + "; " })
	if err != nil {
		t.Fatal(err)
	}
	return n, stays
}

func TestWriteAll(t *testing.T) {
	for _, tt := range []struct {
		name          string
		low, up, edit map[string]string
		over          bool
		want, stays   string
	}{
		{"conflicts stay", map[string]string{"a": "1", "b": "1"}, map[string]string{"a": "2", "b": "2"}, map[string]string{"a": "3"}, false, "a=3|644 b=2|644", "a: it also changed in the project since the run began; "},
		{"unless they are overwritten", map[string]string{"a": "1"}, map[string]string{"a": "2"}, map[string]string{"a": "3"}, true, "a=2|644", ""},
		{"a folder with an edit stays whole", map[string]string{"d/a": "1", "d/e/f": "2"}, map[string]string{"d": "whiteout"}, map[string]string{"d/e/f": "3"}, false, "d/ d/a=1|644 d/e/ d/e/f=3|644", "d/e/f: it also changed in the project since the run began; d/e: it is not empty; d/a: it also changed in the project since the run began; d: it is not empty; "},
		{"a file becomes a folder", map[string]string{"a": "1"}, map[string]string{"a/b": "2"}, nil, false, "a/ a/b=2|644", ""},
		{"a folder stays whose place a link out takes", map[string]string{"d/a": "1"}, map[string]string{"d": "-> /etc"}, nil, false, "d/ d/a=1|644", "d/a: its replacement is not written: it leads out of the project; d: it is not empty; d: it leads out of the project; "},
		{"git's own stays", map[string]string{"x": "1"}, map[string]string{".git/config": "evil", "x": "2"}, nil, false, "x=2|644", ".git: git's own; .git/config: git's own; "},
		{"a submodule's stays", map[string]string{"sub/.git": "gitdir: a", "sub/x": "1"}, map[string]string{"sub/.git": "gitdir: b", "sub/x": "2"}, nil, false, "sub/ sub/.git=gitdir: a|644 sub/x=2|644", "sub/.git: a file of git or umpire, or not a plain name; "},
		{"what is no file stays", nil, map[string]string{"p": "pipe", "f": "1"}, nil, false, "f=1|644", "p: neither a file nor a folder nor a link; "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := laid(t, tt.low, tt.up)
			put(t, b.Dir, tt.edit)
			_, stays := b.mustOpen(t).all(t, tt.over)
			if got := listing(t, b.Dir); got != tt.want || stays != tt.stays {
				t.Errorf("got  %s, %s\nwant %s, %s", got, stays, tt.want, tt.stays)
			}
		})
	}
}

// Names of one file in the overlay, and in the project, come apart and nothing else happens.
func TestHardLinks(t *testing.T) {
	b := laid(t, map[string]string{"a": "1"}, map[string]string{"a": "2"})
	outside := filepath.Join(filepath.Dir(b.Dir), "outside")
	for from, to := range map[string]string{filepath.Join(b.Upper(), "a"): filepath.Join(b.Upper(), "b"), filepath.Join(b.Dir, "a"): outside} {
		if err := os.Link(from, to); err != nil {
			t.Fatal(err)
		}
	}
	b.Started = later(t, b.Dir)
	if _, stays := b.mustOpen(t).all(t, false); stays != "" {
		t.Error(stays)
	}
	if data, _ := os.ReadFile(outside); string(data) != "1" || listing(t, b.Dir) != "a=2|644 b=2|644" {
		t.Errorf("outside %s, project %s", data, listing(t, b.Dir))
	}
}

// A file of many MiB is a set of its own; a thousand files are several.
func TestManyAndLarge(t *testing.T) {
	up := map[string]string{"large": strings.Repeat("0123456789abcdef", 1<<20)}
	for i := range 2*host.MaxChanges + 10 {
		up[fmt.Sprintf("d/%d", i)] = strconv.Itoa(i)
	}
	b := laid(t, nil, up)
	sets := 0
	b.step = func(s string) {
		if s == "set written" {
			sets++
		}
	}
	n, stays := b.mustOpen(t).all(t, false)
	if n != len(up)+1 || stays != "" || sets < 4 || len(b.mustList(t)) != 0 {
		t.Errorf("%d changes in %d sets, %s", n, sets, stays)
	}
}

func TestHunksOfAFile(t *testing.T) {
	old, now := "", ""
	for i := range 40 {
		old += fmt.Sprintln(i)
		if i == 5 || i == 30 {
			now += "new "
		}
		now += fmt.Sprintln(i)
	}
	b := laid(t, map[string]string{"a": old}, map[string]string{"a": now})
	w := b.mustOpen(t)
	read := func() *Change {
		t.Helper()
		list := b.mustList(t)
		if len(list) != 1 || list[0].Clash {
			t.Fatal(told(list))
		}
		c, err := w.Read(&list[0], false)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := read()
	if len(c.Hunks()) != 2 {
		t.Fatal(c.Hunks())
	}
	c.Part(c.Hunks()[1:])
	if err := w.Write(t.Context(), []*Change{c}); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(filepath.Join(b.Dir, "a")); strings.Count(string(data), "new") != 1 || !strings.Contains(string(data), "new 30") {
		t.Errorf("%s", data)
	}
	c = read() // what is left is no conflict
	if h := c.Hunks(); len(h) != 1 || !strings.Contains(h[0].String(), "+new 5\n") {
		t.Fatal(h)
	}
	if err := w.DropPart(t.Context(), c, nil); err != nil {
		t.Fatal(err)
	}
	if list := b.mustList(t); len(list) != 0 {
		t.Error(told(list))
	}
}

// What somebody was shown is what is written, and nothing else.
func TestShownAndAnother(t *testing.T) {
	for name, change := range map[string]func(b *Box) error{
		"the program's": func(b *Box) error { return os.WriteFile(filepath.Join(b.Upper(), "a"), []byte("evil"), 0o644) },
		"its mode":      func(b *Box) error { return os.Chmod(filepath.Join(b.Upper(), "a"), 0o755) },
		"the project's": func(b *Box) error { return os.WriteFile(filepath.Join(b.Dir, "a"), []byte("mine"), 0o644) },
	} {
		b := laid(t, map[string]string{"a": "1"}, map[string]string{"a": "2"})
		w := b.mustOpen(t)
		list := b.mustList(t)
		c, err := w.Read(&list[0], false)
		if err == nil {
			err = w.Show([]*Change{c})
		}
		if err == nil {
			err = change(b)
		}
		if err != nil {
			t.Fatal(err)
		}
		b.Started = later(t, b.Dir) // so that only this holds it
		if n, stays := w.all(t, false); n != 0 || stays != "a: "+ErrShown.Error()+"; " {
			t.Errorf("%s changed: %d written, %s", name, n, stays)
		}
		// Likewise what was read before, without being written down.
		if err := w.Write(t.Context(), []*Change{c}); name == "the project's" && !errors.Is(err, host.ErrConflict) {
			t.Errorf("written over the project's: %v", err)
		}
		if data, _ := os.ReadFile(filepath.Join(b.Dir, "a")); string(data) == "evil" {
			t.Error("what was not shown is written")
		}
	}
}

// What takes the place of something of another kind is shown whole, and written as shown.
func TestShownInAnotherKind(t *testing.T) {
	for name, tt := range map[string]struct {
		low, up map[string]string
		want    string
	}{
		"a folder for a file": {map[string]string{"a": "1"}, map[string]string{"a/b": "2", "a/c/d": "3"}, "a/ a/b=2|644 a/c/ a/c/d=3|644"},
		"a folder for a link": {map[string]string{"a": "-> x", "x/b": "1"}, map[string]string{"a/b": "2"}, "a/ a/b=2|644 x/ x/b=1|644"},
		"a link for a file":   {map[string]string{"a": "1"}, map[string]string{"a": "-> b"}, "a->b"},
		"a file for a folder": {map[string]string{"a/b": "1"}, map[string]string{"a": "2"}, "a=2|644"},
		"a file for a link":   {map[string]string{"a": "-> b"}, map[string]string{"a": "2"}, "a=2|644"},
	} {
		t.Run(name, func(t *testing.T) {
			b := laid(t, tt.low, tt.up)
			w := b.mustOpen(t)
			list := b.mustList(t)
			var shown []*Change
			for i := range list {
				c, err := w.Read(&list[i], true)
				if err == nil {
					_, err = w.Diff(c)
				}
				if err != nil {
					t.Fatalf("%s %s is not shown: %v", list[i].What, list[i].Path, err)
				}
				shown = append(shown, c)
			}
			if err := w.Show(shown); err != nil {
				t.Fatal(err)
			}
			if n, stays := w.all(t, false); n != len(list) || stays != "" || listing(t, b.Dir) != tt.want {
				t.Errorf("%d of %d written, %s: %s", n, len(list), stays, listing(t, b.Dir))
			}
			if list := b.mustList(t); len(list) != 0 {
				t.Error(told(list))
			}
		})
		t.Run(name+", another than was shown", func(t *testing.T) {
			b := laid(t, tt.low, tt.up)
			w := b.mustOpen(t)
			for i, list := 0, b.mustList(t); i < len(list); i++ {
				c, err := w.Read(&list[i], true)
				if err == nil {
					err = w.Show([]*Change{c})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := os.RemoveAll(filepath.Join(b.Upper(), "a")); err != nil {
				t.Fatal(err)
			}
			put(t, b.Upper(), map[string]string{"a": "evil"})
			if _, _ = w.all(t, false); strings.Contains(listing(t, b.Dir), "evil") {
				t.Error("what was not shown is written")
			}
		})
	}
}

// A folder of the project's that becomes a link at any moment is never written through.
func TestWriteWhileFoldersBecomeLinks(t *testing.T) {
	b := laid(t, map[string]string{"d/keep": "1"}, nil)
	outside := filepath.Join(filepath.Dir(b.Dir), "outside")
	put(t, outside, map[string]string{"keep": "1"})
	d, link := filepath.Join(b.Dir, "d"), filepath.Join(filepath.Dir(b.Dir), "link")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		var err error
		for ctx.Err() == nil && err == nil {
			err = unix.Renameat2(unix.AT_FDCWD, d, unix.AT_FDCWD, link, unix.RENAME_EXCHANGE)
		}
		done <- err
	}()
	w := b.mustOpen(t)
	for i := range 150 {
		put(t, b.Upper(), map[string]string{fmt.Sprintf("d/f%d", i): "x"})
		list, err := b.List(t.Context())
		list = slices.DeleteFunc(list, func(e ChangedPath) bool { return e.Path == "d" }) // the link itself may go
		if err == nil {
			_, err = w.WriteAll(t.Context(), list, true, func(*ChangedPath, error) {})
		}
		_ = err // it may well not be possible; that nothing is outside is what counts
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := listing(t, outside); got != "keep=1|644" {
		t.Errorf("outside: %s", got)
	}
}

func TestOneWriter(t *testing.T) {
	b := laid(t, nil, map[string]string{"a": "1"})
	b.mustOpen(t)
	if w, err := b.Open(t.Context()); err == nil {
		w.Close()
		t.Error("two write at a time")
	}
}

func TestDrop(t *testing.T) {
	b := laid(t, map[string]string{"a": "1", "gone": "long enough"}, map[string]string{"a": "2", "b": "3", "gone": "whiteout", "moved": "long enough"})
	w := b.mustOpen(t)
	if err := w.Drop(b.mustList(t)); err != nil {
		t.Fatal(err)
	}
	if list := b.mustList(t); len(list) != 0 {
		t.Error(told(list))
	}
	put(t, b.Upper(), map[string]string{"b": "4"})
	if got := told(b.mustList(t)); got != "created b" {
		t.Error(got)
	}
}

// Wherever umpire dies while it writes a set, every file is the old or the new one, and
// whoever opens the run next ends the set, so that all of it is there or nothing.
func TestKilledAtEveryStep(t *testing.T) {
	low := map[string]string{"a": "old\n", "gone": "x", "from": "moved\n", "dir/x": "1", "run": "#!"}
	up := map[string]string{"a": "new\n", "gone": "whiteout", "from": "whiteout", "to/here": "moved\n", "dir": "whiteout", "made/deep": "m", "link": "-> a", "run": "#!"}
	if dir := os.Getenv("CHANGES_TEST_DIE_IN"); dir != "" {
		var started int64
		at, _ := strconv.Atoi(os.Getenv("CHANGES_TEST_DIE_AT"))
		if _, err := fmt.Sscan(os.Getenv("CHANGES_TEST_STARTED"), &started); err != nil {
			t.Fatal(err)
		}
		b := &Box{ID: "run", Dir: filepath.Join(dir, "proj"), State: filepath.Join(dir, "state"), Started: time.Unix(0, started)}
		b.step = func(string) {
			if at--; at == 0 {
				p, _ := os.FindProcess(os.Getpid())
				_ = p.Kill()
				select {}
			}
		}
		w, err := b.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if n, stays := w.all(t, false); stays != "" || n == 0 {
			t.Fatal(n, stays)
		}
		return
	}
	for at := 1; ; at++ {
		b := laid(t, low, up)
		if err := os.Chmod(filepath.Join(b.Upper(), "run"), 0o755); err != nil {
			t.Fatal(err)
		}
		before := listing(t, b.Dir)
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledAtEveryStep$")
		cmd.Env = append(os.Environ(), "CHANGES_TEST_DIE_IN="+filepath.Dir(b.Dir), "CHANGES_TEST_DIE_AT="+strconv.Itoa(at), fmt.Sprint("CHANGES_TEST_STARTED=", b.Started.UnixNano()))
		out, died := cmd.CombinedOutput()
		if data, _ := os.ReadFile(filepath.Join(b.Dir, "a")); string(data) != "old\n" && string(data) != "new\n" {
			t.Errorf("step %d: a has %q", at, data)
		}
		begun, err := b.started()
		if err != nil {
			t.Errorf("step %d: %v", at, err)
		}
		w, err := b.Open(t.Context())
		if err != nil {
			t.Fatalf("step %d: %v", at, err)
		}
		const after = "a=new\n|644 link->a made/ made/deep=m|644 run=#!|755 to/ to/here=moved\n|644"
		got, list := listing(t, b.Dir), b.mustList(t)
		if whole := got == after && len(list) == 0; !whole && (begun != nil || got != before || len(list) == 0) {
			t.Errorf("step %d: the project has %s, and %s waits; begun %v; it had %s; it printed %s", at, got, told(list), begun != nil, before, out)
		}
		if (begun != nil) != (w.Ended > 0) {
			t.Errorf("step %d: begun %v, ended %d", at, begun != nil, w.Ended)
		}
		if n, stays := w.all(t, false); stays != "" || listing(t, b.Dir) != after {
			t.Errorf("step %d: %d more written, %s stays, the project has %s", at, n, stays, listing(t, b.Dir))
		}
		w.Close()
		if died == nil { // it came to its end
			if at < 20 {
				t.Errorf("only %d steps: %s", at, out)
			}
			return
		}
	}
}

// Whoever edits a file between the death and the next start keeps it.
func TestEditedAfterDeath(t *testing.T) {
	b := laid(t, map[string]string{"a": "1", "b": "1"}, map[string]string{"a": "2", "b": "2"})
	w := b.mustOpen(t)
	list := b.mustList(t)
	j := &journal{ID: "x", Settled: map[string]settledPath{}}
	for i := range list {
		c, err := w.Read(&list[i], false)
		if err != nil {
			t.Fatal(err)
		}
		j.Set = append(j.Set, c.Step)
	}
	w.Close()
	if err := b.begin(j); err != nil {
		t.Fatal(err)
	}
	put(t, b.Dir, map[string]string{"b": "mine"})
	b.mustOpen(t)
	if got := listing(t, b.Dir); got != "a=1|644 b=mine|644" {
		t.Error(got)
	}
	if got := told(b.mustList(t)); got != "changed a; changed b conflict" {
		t.Error(got)
	}
}

// Whoever edits a file between the listing and the look at it has made a conflict.
func TestEditedBetweenListAndRead(t *testing.T) {
	b := laid(t, map[string]string{"a": "1", "gone": "1"}, map[string]string{"a": "2", "gone": "whiteout"})
	w := b.mustOpen(t)
	list := b.mustList(t)
	put(t, b.Dir, map[string]string{"a": "mine", "gone": "mine"})
	for i := range list {
		if _, err := w.Read(&list[i], false); !errors.Is(err, ErrClash) {
			t.Errorf("%s: %v", list[i].Path, err)
		}
	}
}
