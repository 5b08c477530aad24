package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A faulty system fails its nth call.
type faulty struct {
	machine
	nth  int
	mode faultMode
	at   int    // calls so far
	what string // the call that failed
}

type faultMode string

const (
	failOnce faultMode = "fails"         // the call does nothing and returns an error
	failHalf faultMode = "fails halfway" // a write leaves half of its bytes, and then the same
	failAll  faultMode = "kills"         // that call and all later ones fail, as after a loss of power
	lie      faultMode = "lies"          // the call does nothing and returns no error
)

// step counts a call. It reports whether the call is to be made, and its error if not.
func (f *faulty) step(what string) (bool, error) {
	f.at++
	if f.at < f.nth || f.at > f.nth && f.mode != failAll {
		return true, nil
	}
	if f.at == f.nth {
		f.what = what
	}
	if f.mode == lie {
		return false, nil
	}
	return false, fmt.Errorf("%s: %w", what, syscall.ENOSPC)
}

func (f *faulty) checkDir(dir string) error {
	if ok, err := f.step("checkDir"); !ok {
		return err
	}
	return f.machine.checkDir(dir)
}

func (f *faulty) open(path string, flag int) (handle, error) {
	if ok, err := f.step("open " + filepath.Base(path)); !ok && err != nil {
		return nil, err
	}
	h, err := f.machine.open(path, flag)
	if err != nil {
		return nil, err
	}
	return &faultyHandle{h, f, filepath.Base(path)}, nil
}

func (f *faulty) lstat(path string) (fs.FileInfo, error) {
	if ok, err := f.step("lstat"); !ok && err != nil {
		return nil, err
	}
	return f.machine.lstat(path)
}

func (f *faulty) readDir(path string) ([]fs.DirEntry, error) {
	if ok, err := f.step("readDir"); !ok && err != nil {
		return nil, err
	}
	return f.machine.readDir(path)
}

func (f *faulty) mkdir(path string) error {
	if ok, err := f.step("mkdir"); !ok {
		return err
	}
	return f.machine.mkdir(path)
}

func (f *faulty) rename(from, to string) error {
	if ok, err := f.step("rename " + filepath.Base(from)); !ok && err != nil {
		return err
	}
	return f.machine.rename(from, to)
}

func (f *faulty) remove(path string) error {
	if ok, err := f.step("remove " + filepath.Base(path)); !ok {
		return err
	}
	return f.machine.remove(path)
}

func (f *faulty) syncDir(dir string) error {
	if ok, err := f.step("syncDir"); !ok {
		return err
	}
	return f.machine.syncDir(dir)
}

type faultyHandle struct {
	handle
	f    *faulty
	name string
}

func (h *faultyHandle) size() (int64, error) {
	if ok, err := h.f.step("size " + h.name); !ok && err != nil {
		return 0, err
	}
	return h.handle.size()
}

func (h *faultyHandle) isAt(path string) bool {
	if ok, err := h.f.step("isAt"); !ok && err != nil {
		return false
	}
	return h.handle.isAt(path)
}

func (h *faultyHandle) tryLock() (bool, error) {
	if ok, err := h.f.step("lock"); !ok && err != nil {
		return false, err
	}
	return h.handle.tryLock()
}

func (h *faultyHandle) ReadAt(b []byte, off int64) (int, error) {
	if ok, err := h.f.step("read " + h.name); !ok && err != nil {
		return 0, err
	}
	return h.handle.ReadAt(b, off)
}

func (h *faultyHandle) WriteAt(b []byte, off int64) (int, error) {
	if ok, err := h.f.step("write " + h.name); !ok {
		switch {
		case h.name == headName && err == nil:
			return len(b), nil // a lost head is found behind; a lost spill cannot be
		case err == nil:
			return h.handle.WriteAt(b, off)
		case h.f.mode == failHalf || h.f.mode == failAll && h.name == headName:
			n, _ := h.handle.WriteAt(b[:len(b)/2], off)
			return n, err
		}
		return 0, err
	}
	return h.handle.WriteAt(b, off)
}

func (h *faultyHandle) Write(b []byte) (int, error) {
	if ok, err := h.f.step("append " + h.name); !ok && err != nil {
		if h.f.mode != failOnce { // a kill or a full disk tears the line
			n, _ := h.handle.Write(b[:len(b)/2])
			return n, err
		}
		return 0, err
	}
	return h.handle.Write(b)
}

func (h *faultyHandle) truncate(size int64) error {
	if ok, err := h.f.step("truncate " + h.name); !ok {
		return err
	}
	return h.handle.truncate(size)
}

func (h *faultyHandle) sync() error {
	if ok, err := h.f.step("sync " + h.name); !ok {
		return err
	}
	return h.handle.sync()
}

// named returns an event that is found again by its Action.
func named(action string) *Event {
	e := sample()
	e.Action = action
	return e
}

func appendNamed(t *testing.T, dir string, o Options, names ...string) {
	t.Helper()
	l, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := l.Append(named(name)); err != nil {
			t.Fatal(err)
		}
	}
}

// holdLock keeps the lock of a log until the function it returns is called.
func holdLock(t *testing.T, dir string) (release func()) {
	t.Helper()
	h, err := machine{}.open(filepath.Join(dir, headName), os.O_RDWR|os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := h.tryLock(); !got || err != nil {
		t.Fatalf("lock: got %v, %v", got, err)
	}
	return func() { h.Close() }
}

// An append fails at its first call to the system, at its second, and so on until it
// succeeds. Each time: an event that was acknowledged is on record once, one that was
// refused at most once, all earlier ones are there, and the chain holds.
func TestEveryCallFails(t *testing.T) {
	begin := []string{"a", "b", "c"}
	situations := []struct {
		name    string
		opts    Options
		prepare func(t *testing.T, dir string)
		held    bool // another process has the lock
		before  []string
	}{
		{name: "empty folder"},
		{name: "three lines", before: begin, prepare: func(t *testing.T, dir string) { appendNamed(t, dir, Options{}, begin...) }},
		{name: "torn line", before: begin, prepare: func(t *testing.T, dir string) {
			appendNamed(t, dir, Options{}, begin...)
			write(t, dir, logName, append(read(t, dir, logName), `{"seq":4,"ti`...))
		}},
		{name: "head one line behind", before: begin, prepare: func(t *testing.T, dir string) {
			appendNamed(t, dir, Options{}, begin[:2]...)
			old := read(t, dir, headName)
			appendNamed(t, dir, Options{}, begin[2])
			write(t, dir, headName, old)
		}},
		{name: "spilled events", before: begin, prepare: func(t *testing.T, dir string) {
			appendNamed(t, dir, Options{}, begin[0])
			release := holdLock(t, dir)
			appendNamed(t, dir, Options{Wait: time.Nanosecond}, begin[1:]...)
			release()
		}},
		{name: "full file", before: begin, opts: Options{MaxSize: 100}, prepare: func(t *testing.T, dir string) { appendNamed(t, dir, Options{}, begin...) }},
		{name: "closed file, and none open", before: begin, prepare: func(t *testing.T, dir string) {
			appendNamed(t, dir, Options{}, begin...)
			if err := os.Rename(filepath.Join(dir, logName), filepath.Join(dir, "audit-000001.jsonl")); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "lock held", held: true, opts: Options{Wait: time.Nanosecond}, before: begin, prepare: func(t *testing.T, dir string) { appendNamed(t, dir, Options{}, begin...) }},
	}
	for _, s := range situations {
		for _, mode := range []faultMode{failOnce, failHalf, failAll, lie} {
			t.Run(s.name+"/"+string(mode), func(t *testing.T) {
				for n := 1; ; n++ {
					dir := t.TempDir()
					if s.prepare != nil {
						s.prepare(t, dir)
					}
					release := func() {}
					if s.held {
						release = holdLock(t, dir)
					}
					o := s.opts
					o.Durable = true
					sys := &faulty{nth: n, mode: mode}
					err := appendOn(sys, dir, o, "x")
					release()
					if sys.what == "" {
						if err != nil {
							t.Fatalf("without a fault: %v", err)
						}
						if n < 5 {
							t.Fatalf("only %d calls were failed", n-1)
						}
						return
					}
					afterFault(t, fmt.Sprintf("call %d (%s)", n, sys.what), dir, s.before, err)
				}
			})
		}
	}
}

func appendOn(sys system, dir string, o Options, name string) error {
	l, err := openOn(sys, dir, o)
	if err != nil {
		return err
	}
	return l.Append(named(name))
}

// afterFault appends once more on a sound machine, and looks at what is on record.
func afterFault(t *testing.T, at, dir string, before []string, fault error) {
	t.Helper()
	if fault != nil && !errors.Is(fault, syscall.ENOSPC) {
		t.Errorf("%s: the error %q does not say what failed", at, fault)
	}
	appendNamed(t, dir, Options{}, "after")
	for range 3 { // take over what was spilled
		appendNamed(t, dir, Options{}, "more")
	}
	r := verify(t, dir)
	if !r.OK() {
		t.Errorf("%s: the chain does not hold: %v", at, r.Faults)
	}
	if r.Spills > 0 {
		t.Errorf("%s: %d spilled events were never taken over", at, r.Spills)
	}
	times := map[string]int{}
	for rec, err := range Read(dir, Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		times[rec.Action]++
		if strings.Contains(rec.Note, "damaged") {
			t.Errorf("%s: %s", at, rec.Note)
		}
	}
	for _, name := range append(before, "after") {
		if times[name] != 1 {
			t.Errorf("%s: %q is on record %d times", at, name, times[name])
		}
	}
	if fault == nil && times["x"] != 1 {
		t.Errorf("%s: acknowledged, and on record %d times", at, times["x"])
	}
	if times["x"] > 1 {
		t.Errorf("%s: refused, and on record %d times", at, times["x"])
	}
}

// A reader that cannot read a part of the record says so. It never reports a shorter record
// as whole.
func TestReadersFail(t *testing.T) {
	dir := t.TempDir()
	appendNamed(t, dir, Options{MaxSize: 1000}, "a", "b", "c")
	for n := 1; ; n++ {
		sys := &faulty{nth: n, mode: failOnce}
		r, err := verifyOn(sys, dir)
		if sys.what == "" {
			if err != nil || !r.OK() || r.Events < 3 {
				t.Fatalf("without a fault: %+v, %v", r, err)
			}
			return
		}
		if err == nil && r.OK() {
			t.Errorf("call %d (%s) failed, and the record is said to be whole", n, sys.what)
		}
	}
}
