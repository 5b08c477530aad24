package audit

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func hold(t *testing.T, l *Log) *holder {
	t.Helper()
	h, err := l.lock(time.Now().Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestSpill(t *testing.T) {
	dir := t.TempDir()
	l := fill(t, dir, 1, Options{})
	h := hold(t, l)
	other, err := Open(dir, Options{Wait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	strict, err := Open(dir, Options{Wait: time.Millisecond, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	e := sample()
	e.Tool = "Spilled"
	if err := other.Append(e, sample()); err != nil || e.Seq != 0 {
		t.Fatal(err, e.Seq)
	}
	if err := strict.Append(sample()); !errors.Is(err, ErrBusy) {
		t.Fatalf("got %v, want ErrBusy", err)
	}
	h.close()
	saved := filepath.Join(t.TempDir(), "spill")
	if err := os.CopyFS(saved, os.DirFS(filepath.Join(dir, spillName))); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, 1, Options{})
	if r := verify(t, dir); !r.OK() || r.Events != 4 || r.Spills != 0 {
		t.Fatalf("got %+v, want four sound events and nothing left", r)
	}
	if b := read(t, dir, logName); bytes.Count(b, []byte(`"tool":"Spilled"`)) != 1 {
		t.Error("the spilled event is not on record")
	}
	// Killed before the file was removed: it must not be taken over again.
	if err := os.CopyFS(filepath.Join(dir, spillName), os.DirFS(saved)); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, 1, Options{})
	if r := verify(t, dir); !r.OK() || r.Events != 5 {
		t.Errorf("got %+v, want five sound events", r)
	}
}

// Who was held up for longer than it would wait takes a free lock all the same.
func TestFreeLockIsTakenLate(t *testing.T) {
	l := fill(t, t.TempDir(), 0, Options{})
	for range 50 { // a timer that has run out too would win every other time
		h, err := l.lock(time.Now().Add(-time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		h.close()
	}
}

// vanishing is a system on which another process removes the head whenever it is locked.
type vanishing struct{ machine }

func (v vanishing) open(path string, flag int) (handle, error) {
	h, err := v.machine.open(path, flag)
	return vanished{h}, err
}

type vanished struct{ handle }

func (vanished) isAt(string) bool { return false }

// An append that does not get the lock leaves it to the next one of this process.
func TestBusyLockIsLeft(t *testing.T) {
	for name, sys := range map[string]system{"held by another process": machine{}, "a head that is removed again and again": vanishing{}} {
		dir := t.TempDir()
		l := fill(t, dir, 1, Options{})
		release := func() {}
		if sys == (machine{}) {
			release = holdLock(t, dir)
		}
		l.sys = sys
		if _, err := l.lock(time.Now()); !errors.Is(err, ErrBusy) {
			t.Errorf("%s: got %v, want %v", name, err, ErrBusy)
		}
		release()
		l.sys = machine{}
		h, err := l.lock(time.Now())
		if err != nil {
			t.Fatalf("%s: the next one: %v", name, err)
		}
		h.close()
	}
}
