package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// recorded returns the names of the events in dir, in their order.
func recorded(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for r, err := range Read(dir, Query{}) {
		if err != nil {
			t.Fatalf("read %s: %v", dir, err)
		}
		if r.Action != "" {
			names = append(names, r.Action)
		}
	}
	return names
}

// many returns events that are named 0, 1, 2 and so on, and have a long note each.
func many(n int) []*Event {
	out := make([]*Event, n)
	for i := range out {
		out[i] = named(fmt.Sprint(i))
		out[i].Note = strings.Repeat("n", maxText)
	}
	return out
}

// Events that are too many for one write, or for one spill file, are refused together: none is on record.
func TestTooManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	appendNamed(t, dir, Options{}, "before")
	l, err := Open(dir, Options{Wait: time.Nanosecond})
	if err != nil {
		t.Fatalf("open %s: %v", dir, err)
	}
	if err := l.Append(); err != nil {
		t.Errorf("append nothing: %v", err)
	}
	if err := l.Append(many(6000)...); err == nil || !strings.Contains(err.Error(), "append fewer at once") {
		t.Errorf("append 6000 long events: got %v, want an error that says to append fewer", err)
	}
	release := holdLock(t, dir)
	if err := l.Append(many(1500)...); !errors.Is(err, ErrBusy) {
		t.Errorf("spill 1500 long events: got %v, want ErrBusy", err)
	}
	if err := l.Append(many(3)...); err != nil {
		t.Errorf("spill three events: %v", err)
	}
	release()
	appendNamed(t, dir, Options{}, "after")
	if got, want := recorded(t, dir), []string{"before", "0", "1", "2", "after"}; !slices.Equal(got, want) {
		t.Errorf("on record are %q, want %q", got, want)
	}
}

// Many spill files are taken over in several turns, each event once. What a writer that died left
// half written is removed when it is old.
func TestManySpills(t *testing.T) {
	dir := t.TempDir()
	appendNamed(t, dir, Options{}, "first")
	release := holdLock(t, dir)
	var want []string
	for i := range maxSpills + 5 {
		want = append(want, fmt.Sprint(i))
	}
	appendNamed(t, dir, Options{Wait: time.Nanosecond}, want...)
	release()
	spills := filepath.Join(dir, spillName)
	half, fresh := filepath.Join(spills, ".1-dead"), filepath.Join(spills, ".2-alive")
	for _, path := range []string{half, fresh} {
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatalf("write %s: %v", path, err)
		}
	}
	hour := time.Now().Add(-time.Hour)
	if err := os.Chtimes(half, hour, hour); err != nil {
		t.Fatalf("make %s old: %v", half, err)
	}
	if r := verify(t, dir); r.Spills != maxSpills+5 {
		t.Errorf("%d events are waiting, want %d", r.Spills, maxSpills+5)
	}
	appendNamed(t, dir, Options{}, "second")
	if r := verify(t, dir); r.Spills != 5 {
		t.Errorf("%d events are waiting after one append, want 5", r.Spills)
	}
	appendNamed(t, dir, Options{}, "third")
	if r := verify(t, dir); !r.OK() || r.Spills != 0 {
		t.Errorf("after two appends: got %+v, want nothing left", r)
	}
	got := recorded(t, dir)
	slices.Sort(got)
	want = append(want, "first", "second", "third")
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("on record are %d events, want %d, each once", len(got), len(want))
	}
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old half of a spill is still there: %v", err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("the spill that is being written was taken away: %v", err)
	}
}

// Within one process, an append that cannot have the lock in time spills as well.
func TestSpillsWithinAProcess(t *testing.T) {
	dir := t.TempDir()
	l, err := Open(dir, Options{Wait: time.Millisecond})
	if err != nil {
		t.Fatalf("open %s: %v", dir, err)
	}
	h := hold(t, l)
	e := named("waits")
	err = l.Append(e)
	h.close()
	if err != nil || e.Seq != 0 {
		t.Fatalf("append while the log is locked: %v, number %d", err, e.Seq)
	}
	appendNamed(t, dir, Options{}, "next")
	if got, want := recorded(t, dir), []string{"waits", "next"}; !slices.Equal(got, want) {
		t.Errorf("on record are %q, want %q", got, want)
	}
}

// A line that somebody made longer than any of the log's is a fault, and hides none of the others.
func TestLineWithoutEnd(t *testing.T) {
	for _, n := range []int{maxLine - 1, maxLine, 3 * maxLine, maxBroken + maxLine} {
		dir := t.TempDir()
		appendNamed(t, dir, Options{}, "a", "b", "c")
		l := lines(read(t, dir, logName))
		write(t, dir, logName, slices.Concat(l[0], []byte(strings.Repeat("x", n)+"\n"), l[1], l[2]))
		if r := verify(t, dir); r.OK() || r.Faults[0].Why != Edited || r.Faults[0].Line != 2 {
			t.Errorf("%d bytes: got %v, want an edited line 2", n, r.Faults)
		}
		if got, want := recorded(t, dir), []string{"a", "b", "c"}; !slices.Equal(got, want) {
			t.Errorf("%d bytes: read %q, want %q", n, got, want)
		}
		last, err := Last(dir, Query{}, 5)
		if err != nil || len(last) != 3 {
			t.Errorf("%d bytes: the last events are %d, %v, want 3", n, len(last), err)
		}
	}
}

// A closed file is never written over, and one that is no closed file of the log is not counted.
func TestClosedFilesAreKept(t *testing.T) {
	for name, want := range map[string]int{
		"audit-000001.jsonl": 1, "audit-000420.jsonl": 420, "audit-999999.jsonl": 999999,
		"audit-1.jsonl": 0, "audit-0000001.jsonl": 0, "audit-00000x.jsonl": 0, "audit--00001.jsonl": 0, "audit-000001.json": 0, "other-000001.jsonl": 0, logName: 0, "": 0,
	} {
		if got := fileNumber(name); got != want {
			t.Errorf("fileNumber(%q) = %d, want %d", name, got, want)
		}
	}
	dir := t.TempDir()
	appendNamed(t, dir, Options{}, "a")
	if err := os.Mkdir(filepath.Join(dir, "audit-000001.jsonl"), 0o700); err != nil { // a folder is no file of the log
		t.Fatalf("make a folder in the way: %v", err)
	}
	l, err := Open(dir, Options{MaxSize: 10})
	if err != nil {
		t.Fatalf("open %s: %v", dir, err)
	}
	if err := l.Append(named("b")); err == nil || !strings.Contains(err.Error(), "audit-000001.jsonl exists") {
		t.Errorf("rotate onto something that exists: got %v, want what is in the way", err)
	}
	if r := verify(t, dir); !r.OK() || r.Events != 1 {
		t.Errorf("after the refusal: got %+v, want one event and no fault", r)
	}
}
