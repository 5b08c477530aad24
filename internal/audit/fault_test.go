package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	left int    // files that are open
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
	f.left++
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

func (h *faultyHandle) Close() error {
	h.f.left--
	return h.handle.Close()
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
		{name: "torn head", before: begin, prepare: tornHeadIn(begin)},
		{name: "torn head after a rotation", opts: Options{MaxSize: 100}, before: begin, prepare: tornHeadIn(begin)},
		{name: "torn head, and no file open", before: begin, prepare: func(t *testing.T, dir string) {
			tornHeadIn(begin)(t, dir)
			if err := os.Rename(filepath.Join(dir, logName), filepath.Join(dir, "audit-000001.jsonl")); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "torn line in a full file", opts: Options{MaxSize: 100}, before: begin, prepare: func(t *testing.T, dir string) {
			appendNamed(t, dir, Options{}, begin...)
			write(t, dir, logName, append(read(t, dir, logName), `{"seq":4,"ti`...))
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
					if sys.left != 0 {
						t.Errorf("call %d (%s): %d files stay open", n, sys.what, sys.left)
					}
					if sys.what == "" {
						if err != nil {
							t.Fatalf("without a fault: %v", err)
						}
						if n < 5 {
							t.Fatalf("only %d calls were failed", n-1)
						}
						return
					}
					at := fmt.Sprintf("call %d (%s)", n, sys.what)
					if err == nil && mode != lie && strings.HasPrefix(sys.what, "sync") {
						t.Errorf("%s: acknowledged, and the disk may not have it", at)
					}
					afterFault(t, at, dir, s.before, err)
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
			t.Errorf("%s: the note %q, want none about damage", at, rec.Note)
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
	torn := t.TempDir()
	tornHeadIn([]string{"a", "b", "c"})(t, torn)
	all := func(list []Record, err error) error {
		for _, name := range []string{"a", "b", "c"} {
			if err == nil && !slices.ContainsFunc(list, func(r Record) bool { return r.Action == name }) {
				return fmt.Errorf("%w: %s", errMissing, name)
			}
		}
		return err
	}
	for name, read := range map[string]func(sys system, dir string) error{
		"verify": func(sys system, dir string) error {
			r, err := verifyOn(sys, dir)
			if err == nil && (!r.OK() || r.Events < 3) {
				return fmt.Errorf("%w: %v", errMissing, r.Faults)
			}
			return err
		},
		"read": func(sys system, dir string) error {
			var list []Record
			for r, err := range readOn(sys, dir, Query{}) {
				if err != nil {
					return err
				}
				list = append(list, r)
			}
			return all(list, nil)
		},
		"last": func(sys system, dir string) error { return all(lastOn(sys, dir, Query{}, 100)) },
	} {
		for _, dir := range []string{dir, torn} {
			for n := 1; ; n++ {
				sys := &faulty{nth: n, mode: failOnce}
				err := read(sys, dir)
				if sys.left != 0 {
					t.Errorf("%s: call %d (%s): %d files stay open, which a gateway that runs for months has not got", name, n, sys.what, sys.left)
				}
				if sys.what == "" {
					if err != nil || n < 5 {
						t.Fatalf("%s without a fault: %v after %d calls", name, err, n-1)
					}
					break
				}
				if err == nil && strings.HasPrefix(sys.what, "readDir") && name != "verify" {
					continue // the spill folder, of which a search shows nothing
				}
				if err == nil || !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, ErrBusy) {
					t.Errorf("%s: call %d (%s) failed: got %v, want what failed", name, n, sys.what, err)
				}
			}
		}
	}
}

var errMissing = errors.New("an event is missing, and no error")

// tornHeadIn prepares a log whose head a loss of power cut short.
func tornHeadIn(names []string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		last := len(names) - 1
		appendNamed(t, dir, Options{}, names[:last]...)
		old := read(t, dir, headName)
		appendNamed(t, dir, Options{}, names[last])
		write(t, dir, headName, append(read(t, dir, headName)[:headHashEnd], old[headHashEnd:]...))
	}
}

// An event that waited in a damaged file is not silently lost: the log says so.
func TestDamagedSpill(t *testing.T) {
	for what, damage := range map[string]func(b []byte) []byte{
		"changed": func(b []byte) []byte { b[10] ^= 1; return b },
		"short":   func(b []byte) []byte { return b[:hashLen] },
		"cut":     func(b []byte) []byte { return b[:len(b)-1] },
		"empty":   func([]byte) []byte { return nil },
	} {
		dir := t.TempDir()
		appendNamed(t, dir, Options{}, "a")
		release := holdLock(t, dir)
		appendNamed(t, dir, Options{Wait: time.Nanosecond}, "b")
		release()
		files, err := os.ReadDir(filepath.Join(dir, spillName))
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: got %v, %v, want one spill file", what, files, err)
		}
		name := filepath.Join(spillName, files[0].Name())
		write(t, dir, name, damage(read(t, dir, name)))
		appendNamed(t, dir, Options{}, "c")
		notes := 0
		for r, err := range Read(dir, Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Kind == Failure && strings.Contains(r.Note, errSpill.Error()) && strings.HasPrefix(r.Spill, files[0].Name()) {
				notes++
			}
		}
		if r := verify(t, dir); notes != 1 || !r.OK() || r.Spills != 0 {
			t.Errorf("%s: got %d notes and %+v, want 1 note and nothing left", what, notes, r)
		}
	}
}

// A folder for the log that cannot be made or found is an error that says so.
func TestNoFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file", nil)
	for _, at := range []string{filepath.Join(dir, "file"), filepath.Join(dir, "file", "below")} {
		if l, err := Open(at, Options{}); err == nil {
			t.Errorf("Open(%s): got %v, want an error", at, l)
		}
		if r, err := Verify(at); err == nil {
			t.Errorf("Verify(%s): got %+v, want an error", at, r)
		}
		for r, err := range Read(at, Query{}) {
			if err == nil {
				t.Errorf("Read(%s): got %v, want an error", at, r)
			}
		}
		if list, err := Last(at, Query{}, 1); err == nil {
			t.Errorf("Last(%s): got %v, want an error", at, list)
		}
		if s, err := Count(at, Query{}); err == nil {
			t.Errorf("Count(%s): got %+v, want an error", at, s)
		}
	}
}

// spillPlace rejects a place without a valid number, because another writer can put anything there.
func TestSpillPlace(t *testing.T) {
	for text, want := range map[string]struct {
		name  string
		place int
	}{"a:7": {"a", 7}, "a:0": {"a", 0}, "a": {}, "": {}, "a:": {}, "a:x": {}, "a:7:8": {}, "a:99999999999999999999": {}} {
		if name, place := spillPlace(text); name != want.name || place != want.place {
			t.Errorf("spillPlace(%q) = %q, %d, want %q, %d", text, name, place, want.name, want.place)
		}
	}
}
