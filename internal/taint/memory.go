package taint

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/prune"
)

// Memory is what one session did to files: which it made, and which it downloaded. It is a
// file of lines, each with a checksum, that is appended to and read when a call asks.
//
// A Memory is a hint. Whoever believes that a file was made looks when it was born, and
// no deny is softened by it. A Memory that is lost makes calls stricter or no stricter than
// their text.
type Memory struct {
	path    string
	loaded  bool
	size    int64
	files   map[string]fileNote
	pending []string
	known   map[string]bool // lines that need not be written again
	now     func() time.Time
}

// fileNote is what is known of one path. The times are in nanoseconds, zero for never.
type fileNote struct{ made, fetched, read int64 }

// Bounds on a Memory: its size in bytes, and the notes of one call.
const (
	maxMemory = 64 << 10
	maxNotes  = 64
	maxName   = 1024
	again     = 10 * time.Minute // until a path that still does not exist is noted again
)

// Memory returns what the session of a principal did. It is nil for a session without a
// name: it would be everybody's.
func (s Store) Memory(p umpire.Principal) *Memory {
	if p.Session == "" {
		return nil
	}
	name := strings.TrimSuffix(filepath.Base(s.path(p.Session)), ".json")
	return &Memory{path: filepath.Join(filepath.Dir(s.dir), "session", name), now: time.Now}
}

// load reads the file, at most once. Lines whose checksum is wrong are not there.
func (m *Memory) load() {
	if m.loaded {
		return
	}
	m.loaded, m.files, m.known = true, map[string]fileNote{}, map[string]bool{}
	f, err := os.Open(m.path)
	if err != nil {
		return
	}
	defer f.Close()
	buf := make([]byte, maxMemory+1)
	n := 0
	for n < len(buf) {
		k, err := f.Read(buf[n:])
		if n += k; err != nil || k == 0 {
			break
		}
	}
	m.size = int64(n)
	for line := range strings.Lines(string(buf[:n])) {
		sum, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || sum != m.sum(rest) {
			continue
		}
		parts := strings.SplitN(rest, " ", 3)
		if len(parts) != 3 {
			continue
		}
		at, err := strconv.ParseInt(parts[1], 10, 64)
		name, err2 := strconv.Unquote(parts[2])
		if err != nil || err2 != nil {
			continue
		}
		m.set(parts[0], name, at)
	}
}

func (m *Memory) set(what, name string, at int64) {
	note := m.files[name]
	switch what {
	case "made":
		note.made = at // whatever was there is gone
	case "fetched":
		note.fetched, note.read = at, 0
	case "read":
		note.read = at
	}
	m.files[name] = note
}

// sum is the checksum of a line, which is bound to the session.
func (m *Memory) sum(rest string) string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(filepath.Base(m.path)+" "+rest)))
}

// Made tells when the session was about to make a file or folder, in nanoseconds.
func (m *Memory) Made(path string) (at int64, ok bool) {
	if m == nil {
		return 0, false
	}
	m.load()
	at = m.files[path].made
	return at, at != 0
}

// Fetched tells when the session was about to download a file, in nanoseconds, and whether
// it read the file since.
func (m *Memory) Fetched(path string) (at int64, read, ok bool) {
	if m == nil {
		return 0, false, false
	}
	m.load()
	note := m.files[path]
	return note.fetched, note.read > note.fetched, note.fetched != 0
}

// Note remembers what the call is about to do with a file: "made", "fetched" or "read".
// Keep writes it down.
func (m *Memory) Note(what, path string) {
	if m == nil || len(path) > maxName || len(m.pending) >= maxNotes {
		return
	}
	m.load()
	if made := m.files[path].made; what == "made" && made > m.now().Add(-again).UnixNano() {
		return
	}
	key := what + " " + path
	if m.known[key] {
		return
	}
	m.known[key] = true
	m.pending = append(m.pending, fmt.Sprintf("%s %d %s", what, m.now().UnixNano(), strconv.Quote(path)))
}

// Keep writes down what was noted. A Memory that is full begins anew.
func (m *Memory) Keep() error {
	if m == nil || len(m.pending) == 0 {
		return nil
	}
	var b strings.Builder
	for _, line := range m.pending {
		b.WriteString(m.sum(line) + " " + line + "\n")
	}
	m.pending = nil
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if m.size+int64(b.Len()) > maxMemory {
		flags |= os.O_TRUNC
	}
	if m.size == 0 {
		dir := filepath.Dir(m.path)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		prune.Folder(dir, keep, maxSessions)
	}
	f, err := os.OpenFile(m.path, flags, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(b.String()) // one write: lines of two processes do not mix
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
