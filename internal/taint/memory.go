package taint

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/prune"
)

// Memory records the files that one session made or downloaded. It is an append-only file of
// lines with a checksum each, which is read when a call asks.
//
// A Memory is a hint. Before believing that the session made a file, a reader also checks the
// file's creation time, and a Memory never softens a deny. Without it, calls are judged more
// strictly, or by their text alone.
type Memory struct {
	path    string
	loaded  bool
	lines   []byte // the file
	pending []string
	known   map[string]bool // lines that are already written
	trees   []tree          // folders into which the session downloaded
	fetched []tree          // single files that it downloaded
	parsed  bool            // trees and fetched are valid
	birth   func(path string) int64
	born    int64 // creation time of the file: no line is older
	now     func() time.Time
}

// tree is a folder into which the session was about to download many files, or one file.
type tree struct {
	dir string
	at  int64
}

// fileNote is the record of one path. The times are in nanoseconds, zero for never.
type fileNote struct{ made, fetched, read int64 }

// Limits of a Memory: its size in bytes, and the notes of one call.
const (
	maxMemory = 64 << 10
	maxNotes  = 64
	maxName   = 1024
	again     = 10 * time.Minute // interval at which the same missing path is noted again
)

// Memory returns the record of a principal's session. It is nil for a session without a name,
// which everyone would share. birth returns the creation time of a file in nanoseconds, or zero
// if unknown; it may be nil.
func (s Store) Memory(p umpire.Principal, birth func(path string) int64) *Memory {
	if p.Session == "" {
		return nil
	}
	name := strings.TrimSuffix(filepath.Base(s.path(p.Session)), ".json")
	return &Memory{path: filepath.Join(filepath.Dir(s.dir), "session", name), birth: birth, now: time.Now}
}

// load reads the file, at most once. It parses no line: a call asks for a few paths, and a session
// has hundreds of lines.
func (m *Memory) load() {
	if m.loaded {
		return
	}
	m.loaded = true
	f, err := os.Open(m.path)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return
	}
	buf := make([]byte, min(max(info.Size(), 0), maxMemory)+1)
	n := 0
	for n < len(buf) {
		k, err := f.Read(buf[n:])
		if n += k; err != nil || k == 0 {
			break
		}
	}
	m.lines = buf[:n]
	if m.birth != nil {
		m.born = m.birth(m.path)
	}
}

// read parses a line, unless its checksum is wrong. The time is not before the file's creation: a
// forged line cannot be older than that.
func (m *Memory) read(line string) (what, quoted string, at int64, ok bool) {
	sum, rest, _ := strings.Cut(line, " ")
	what, more, _ := strings.Cut(rest, " ")
	nanos, quoted, _ := strings.Cut(more, " ")
	at, err := strconv.ParseInt(nanos, 10, 64)
	return what, quoted, max(at, m.born), err == nil && sum == m.sum(rest)
}

// note returns the record of one path. It ignores lines with a wrong checksum.
func (m *Memory) note(path string) (note fileNote) {
	m.load()
	// No name ends in this text: a quote within a name follows a backslash.
	end := " " + strconv.Quote(path)
	for lines := m.lines; len(lines) > 0; {
		var line []byte
		line, lines, _ = bytes.Cut(lines, []byte("\n"))
		if len(line) < len(end) || string(line[len(line)-len(end):]) != end {
			continue
		}
		what, _, at, ok := m.read(string(line))
		if !ok {
			continue
		}
		switch what {
		case "made":
			note.made = at // an earlier file is gone
		case "fetched":
			note.fetched, note.read = at, 0
		case "read":
			note.read = at
		}
	}
	return note
}

// sum returns the CRC-32 of a line, which is bound to the session. Package hash/crc32 would fill
// tables of 9 KB for the few lines of one call.
func (m *Memory) sum(rest string) string {
	sum := ^uint32(0)
	for _, c := range []byte(filepath.Base(m.path) + " " + rest) {
		sum ^= uint32(c)
		for range 8 {
			sum = sum>>1 ^ 0xedb88320&-(sum&1)
		}
	}
	return fmt.Sprintf("%08x", ^sum)
}

// Made returns when the session was about to create a file or folder, in nanoseconds.
func (m *Memory) Made(path string) (at int64, ok bool) {
	if m == nil {
		return 0, false
	}
	at = m.note(path).made
	return at, at != 0
}

// Fetched returns when the session was about to download a file, in nanoseconds, and whether it
// read the file since.
func (m *Memory) Fetched(path string) (at int64, read, ok bool) {
	if m == nil {
		return 0, false, false
	}
	note := m.note(path)
	return note.fetched, note.read > note.fetched, note.fetched != 0
}

// FetchedInto returns the innermost folder above a path into which the session was about to
// download many files, by a clone or from an archive, and the time; zero for never.
func (m *Memory) FetchedInto(path string) (dir string, at int64) {
	if m == nil {
		return "", 0
	}
	m.parse()
	for _, t := range m.trees {
		if strings.HasPrefix(path, strings.TrimSuffix(t.dir, "/")+"/") && (len(t.dir) > len(dir) || t.dir == dir && t.at < at) {
			dir, at = t.dir, t.at
		}
	}
	return dir, at
}

// FetchedBelow returns the files below a folder that the session was about to download one by
// one, with their times.
func (m *Memory) FetchedBelow(dir string) map[string]int64 {
	if m == nil {
		return nil
	}
	m.parse()
	below := map[string]int64{}
	for _, f := range m.fetched {
		if strings.HasPrefix(f.dir, dir+"/") {
			below[f.dir] = f.at
		}
	}
	return below
}

// parse reads the lines about downloads, which are few.
func (m *Memory) parse() {
	m.load()
	if m.parsed {
		return
	}
	m.parsed = true
	for line := range bytes.Lines(m.lines) {
		if !bytes.Contains(line, []byte(" tree ")) && !bytes.Contains(line, []byte(" fetched ")) {
			continue
		}
		what, quoted, at, ok := m.read(strings.TrimSuffix(string(line), "\n"))
		name, err := strconv.Unquote(quoted)
		switch {
		case !ok || err != nil:
		case what == "tree":
			m.trees = append(m.trees, tree{name, at})
		case what == "fetched":
			m.fetched = append(m.fetched, tree{name, at})
		}
	}
}

// Note records a planned operation on a file: "made", "fetched" or "read", or "tree" for a
// folder that gets downloaded files. Keep stores it.
func (m *Memory) Note(what, path string) {
	if m != nil {
		m.NoteAt(what, path, m.now().UnixNano())
	}
}

// NoteAt is like Note for an operation at another time, in nanoseconds.
func (m *Memory) NoteAt(what, path string, at int64) {
	if m == nil || len(path) > maxName || len(m.pending) >= maxNotes {
		return
	}
	if what == "made" && m.note(path).made > m.now().Add(-again).UnixNano() {
		return
	}
	key := what + " " + path
	if m.known[key] {
		return
	}
	if m.known == nil {
		m.known = map[string]bool{}
	}
	m.known[key] = true
	m.pending = append(m.pending, fmt.Sprintf("%s %d %s", what, at, strconv.Quote(path)))
}

// Keep stores the notes. A full Memory starts again, empty.
func (m *Memory) Keep() error {
	if m == nil || len(m.pending) == 0 {
		return nil
	}
	var b strings.Builder
	for _, line := range m.pending {
		b.WriteString(m.sum(line) + " " + line + "\n")
	}
	m.pending = nil
	const flags = os.O_WRONLY | os.O_APPEND
	f, err := os.OpenFile(m.path, flags, 0)
	if err != nil { // the first note of a session
		dir := filepath.Dir(m.path)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		prune.Folder(dir, keep, maxSessions)
		f, err = os.OpenFile(m.path, flags|os.O_CREATE, 0o600)
	}
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Size()+int64(b.Len()) > maxMemory {
		full := f
		defer full.Close()
		if f, err = os.OpenFile(m.path, flags|os.O_TRUNC, 0); err != nil {
			return err
		}
	}
	_, err = f.WriteString(b.String()) // one write: lines of two processes do not mix
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
