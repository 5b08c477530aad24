package taint

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/umpire-dev/umpire"
)

// noFolder reports whether an error says that a folder could not be made.
func noFolder(err error) bool {
	var e *fs.PathError
	return errors.As(err, &e) && e.Op == "mkdir"
}

// A store that cannot be read or written says so, and no session of it counts as clean.
func TestStoreFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	who := umpire.Principal{Session: "s"}
	for name, dir := range map[string]string{"a file in its place": file, "a file in the place of its parent": filepath.Join(file, "taint")} {
		s := Open(dir)
		if err := s.Set(Mark{Session: "s"}); !noFolder(err) {
			t.Errorf("%s: Set: got %v, want that the folder cannot be made", name, err)
		}
		if !s.Has(who) {
			t.Errorf("%s: a session counts as clean", name)
		}
		if marks, err := s.List(); err == nil {
			t.Errorf("%s: List: got %v, want an error", name, marks)
		}
	}
}

// A mark keeps when and why it began, whatever comes later.
func TestFirstMarkStays(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "taint"))
	first := time.Now().Add(-time.Hour).Round(0)
	for _, m := range []Mark{
		{Session: "s", Time: first, Platform: "p", Tool: "t", Why: strings.Repeat("x", 1000)},
		{Session: "s", Tool: "later"},
		{Session: "late", Why: strings.Repeat("x", 1001)},
	} {
		if err := s.Set(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(s.dir, "note.txt"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "big.json"), []byte("{}"+strings.Repeat(" ", maxFile)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(s.path("late"), filepath.Join(s.dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	marks, err := s.List()
	if err != nil || len(marks) != 2 {
		t.Fatalf("got %v, %v, want two marks", marks, err)
	}
	if m := marks[0]; m.Session != "late" || len(m.Why) != 1000 || time.Since(m.Time) > time.Minute {
		t.Errorf("got %+v, want the later session first, cut at 1000 bytes and marked now", m)
	}
	if m := marks[1]; m.Session != "s" || !m.Time.Equal(first) || m.Platform != "p" || m.Tool != "t" || len(m.Why) != 1000 {
		t.Errorf("got %+v, want the first mark of s", m)
	}
}

// A memory that cannot be read knows nothing, and one that cannot be written says so.
func TestMemoryFails(t *testing.T) {
	dir := t.TempDir()
	s := Open(filepath.Join(dir, "taint"))
	m := s.Memory(umpire.Principal{Session: "s"}, nil)
	if err := os.MkdirAll(m.path, 0o700); err != nil {
		t.Fatal(err)
	}
	if at, ok := m.Made("/a"); ok || at != 0 {
		t.Errorf("Made: got %d, %v from a folder", at, ok)
	}
	m.Note("made", "/a")
	if err := m.Keep(); err == nil || !strings.Contains(err.Error(), m.path) {
		t.Errorf("Keep to a folder: got %v, want an error that names %s", err, m.path)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m = Open(filepath.Join(dir, "file", "taint")).Memory(umpire.Principal{Session: "s"}, nil)
	m.Note("made", "/a")
	if err := m.Keep(); !noFolder(err) {
		t.Errorf("Keep below a file: got %v, want that the folder cannot be made", err)
	}
	if err := m.Keep(); err != nil {
		t.Errorf("Keep of nothing: got %v", err)
	}
}

// A Memory holds as much as its bounds say, and not one more.
func TestMemoryBounds(t *testing.T) {
	dir := t.TempDir()
	of := func() *Memory { return Open(filepath.Join(dir, "taint")).Memory(umpire.Principal{Session: "s"}, nil) }
	m := of()
	longest, longer := "/"+strings.Repeat("a", maxName-1), "/"+strings.Repeat("a", maxName)
	for _, name := range []string{longest, longest, longer} {
		m.Note("fetched", name)
	}
	if len(m.pending) != 1 {
		t.Errorf("got %d notes, want one, of the name of %d bytes", len(m.pending), maxName)
	}
	for i := range maxNotes + 1 {
		m.Note("fetched", "/"+strings.Repeat("b", i))
	}
	if len(m.pending) != maxNotes {
		t.Errorf("got %d notes, want %d", len(m.pending), maxNotes)
	}
	m.Note("fetched", "/") // known already
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	// A file that was made is noted again when it is still not there after a while.
	m = of()
	now := time.Now()
	m.now = func() time.Time { return now }
	m.NoteAt("made", "/x", now.UnixNano())
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{again - time.Second, 0}, {again + time.Second, 1}} {
		m := of()
		m.now = func() time.Time { return now.Add(tt.after) }
		m.Note("made", "/x")
		if len(m.pending) != tt.want {
			t.Errorf("after %v: got %d notes, want %d", tt.after, len(m.pending), tt.want)
		}
	}
	// A full memory begins anew.
	size := func() int64 {
		info, err := os.Stat(m.path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	for before := int64(0); ; before = size() {
		m := of()
		for i := range 20 {
			m.NoteAt("fetched", longest[:maxName-2]+string(rune('a'+i)), int64(i+1))
		}
		if err := m.Keep(); err != nil {
			t.Fatal(err)
		}
		after := size()
		if after > maxMemory {
			t.Fatalf("got %d bytes, want %d at most", after, maxMemory)
		}
		if after <= before {
			if before+after <= maxMemory {
				t.Errorf("begun anew at %d bytes, with %d to add", before, after)
			}
			break
		}
	}
}

// The innermost folder counts, and of two notes of one folder the earlier.
func TestFetchedInto(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "taint"))
	m := s.Memory(umpire.Principal{Session: "s"}, nil)
	for _, n := range []tree{{"/p/in", 5}, {"/p", 7}, {"/p/in", 9}, {"/p/in/", 3}, {"/q", 1}, {"/s", 9}, {"/s", 5}, {"/s", 7}} {
		m.NoteAt("tree", n.dir, n.at)
		if err := m.Keep(); err != nil {
			t.Fatal(err)
		}
		m = s.Memory(umpire.Principal{Session: "s"}, nil)
	}
	for path, want := range map[string]tree{"/p/in/a": {"/p/in/", 3}, "/p/a": {"/p", 7}, "/p/inner": {"/p", 7}, "/p": {}, "/q/x/y": {"/q", 1}, "/r": {}, "/s/a": {"/s", 5}} {
		if dir, at := m.FetchedInto(path); dir != want.dir || at != want.at {
			t.Errorf("%s: got %s at %d, want %s at %d", path, dir, at, want.dir, want.at)
		}
	}
}

// A Memory is what the file was when it was first asked, and no one else can read the file.
func TestMemoryIsReadOnce(t *testing.T) {
	dir := t.TempDir()
	s := Open(filepath.Join(dir, "taint"))
	m := s.Memory(umpire.Principal{Session: "s"}, nil)
	m.Note("made", "/a")
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	if err := s.Set(Mark{Session: "s"}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{filepath.Dir(m.path): 0o700, m.path: 0o600, s.dir: 0o700, s.path("s"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: got %v, %v, want the mode %v", path, info.Mode(), err, want)
		}
	}
	m = s.Memory(umpire.Principal{Session: "s"}, nil)
	if _, ok := m.Made("/a"); !ok {
		t.Fatal("Made: got false, want true")
	}
	if err := os.Remove(m.path); err != nil {
		t.Fatal(err)
	}
	if _, ok := m.Made("/a"); !ok {
		t.Error("Made after the file is gone: got false, want what was read")
	}
}

// A mark that cannot be encoded is not set, and says so.
func TestMarkOutOfRange(t *testing.T) {
	s := Open(t.TempDir())
	if err := s.Set(Mark{Session: "s", Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil || s.Has(umpire.Principal{Session: "s"}) {
		t.Errorf("got %v, want an error and no mark", err)
	}
}

// Sessions outlive an upgrade of umpire, so the checksum of their lines stays CRC-32.
func TestSumIsCRC32(t *testing.T) {
	m := &Memory{path: "/state/session/0123abcd"}
	for _, line := range []string{"", "made 17 \"/w/a\"", "run 1 \"\\\"t\\\" allow \u00e4\"", strings.Repeat("fetched ", 999)} {
		if want := fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte("0123abcd "+line))); m.sum(line) != want {
			t.Errorf("the sum of %.20q is %s, want %s", line, m.sum(line), want)
		}
	}
}
