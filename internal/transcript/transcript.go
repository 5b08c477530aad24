// Package transcript reads the tool calls that coding agents recorded, in each client's
// format. Transcripts are untrusted: they quote models and web pages. Limits bound files,
// lines and calls, and unreadable parts are counted and skipped.
package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/regular"
)

// Call is a recorded tool call. Dir, Workspace and Home of the Action are empty if the
// transcript lacks them.
type Call struct {
	umpire.Action
	Time time.Time // time of the call; zero if the transcript lacks it
}

// Limits bounds the reading.
type Limits struct {
	Line  int   // bytes of one line; longer ones are skipped
	File  int64 // bytes of a file that is read at once, and of a database
	Total int64 // bytes of all files
	Files int   // files
	Calls int   // calls
}

// defaultLimits are enough for years of daily use.
var defaultLimits = Limits{Line: 32 << 20, File: 512 << 20, Total: 16 << 30, Files: 200_000, Calls: 2_000_000}

// Stats counts the records that were read.
type Stats struct {
	Files   int   `json:"files"`             // with records of a known format
	Bytes   int64 `json:"bytes"`             // of all files that were opened
	Lines   int   `json:"lines"`             // of records
	Skipped int   `json:"skipped,omitempty"` // lines that are not JSON, or too long

	FirstSkipped string `json:"firstSkipped,omitempty"` // the first skipped line, as path:line
	Copies       int    `json:"copies,omitempty"`       // calls that were already in an earlier file or line
	Faults       int    `json:"faults,omitempty"`       // files that could not be read
	Unread       int    `json:"unread,omitempty"`       // calls without an input that can be judged
	Clipped      bool   `json:"clipped,omitempty"`      // a limit was reached: there is more
}

// errFull ends the reading at a limit.
var errFull = errors.New("limit reached")

// Reader reads transcripts and yields their calls.
type Reader struct {
	Limits Limits
	Stats  Stats

	seen  map[string]bool   // keys of calls: a resumed session repeats them
	dirs  map[string]string // OpenCode's sessions: their folder
	calls int
	yield func(Call) error
}

// NewReader returns a Reader that gives every call to yield. An error of yield ends the reading.
func NewReader(yield func(Call) error) *Reader {
	return &Reader{Limits: defaultLimits, seen: map[string]bool{}, dirs: map[string]string{}, yield: yield}
}

// session is the state while one file is read.
type session struct {
	*Reader
	path     string
	platform string
	id       string
	dir      string
	time     time.Time
	known    bool // a record of a known format was seen
}

// skip counts an unreadable line, and records the position of the first one.
func (s *session) skip(line int) {
	if s.Stats.Skipped++; s.Stats.FirstSkipped == "" {
		s.Stats.FirstSkipped = fmt.Sprintf("%s:%d", s.path, line)
	}
}

// Read reads lines of records, such as those of standard input.
func (r *Reader) Read(in io.Reader, path string) error {
	s := r.session(path)
	err := s.lines(in)
	if s.known {
		r.Stats.Files++
	}
	if errors.Is(err, errFull) {
		r.Stats.Clipped = true
		return nil
	}
	return err
}

func (r *Reader) session(path string) *session {
	return &session{Reader: r, path: path, platform: platformOf(path)}
}

// File reads one file. A file of no known format yields nothing.
func (r *Reader) File(path string) (known bool, err error) {
	f, info, err := regular.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	if r.Stats.Bytes+info.Size() > r.Limits.Total {
		r.Stats.Clipped = true
		return false, nil
	}
	r.Stats.Bytes += info.Size()
	s := r.session(path)
	switch ext := filepath.Ext(path); {
	case ext == ".db":
		err = s.openCodeDatabase()
	case ext == ".md":
		err = s.specStory(f)
	case ext == ".json":
		err = s.document(f, info.Size())
	default:
		err = s.lines(f)
	}
	if s.known {
		r.Stats.Files++
	}
	if errors.Is(err, errFull) {
		r.Stats.Clipped = true
		err = nil
	}
	return s.known, err
}

// lines reads one record a line.
func (s *session) lines(in io.Reader) error {
	br := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		line, tooLong, err := readLine(br, s.Limits.Line)
		if len(line) > 0 || tooLong {
			s.Stats.Lines++
			var rec map[string]json.RawMessage
			if tooLong || json.Unmarshal(line, &rec) != nil {
				s.skip(n)
			} else if err := s.record(rec); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine reads one line. It discards a line that is too long.
func readLine(br *bufio.Reader, most int) (line []byte, tooLong bool, err error) {
	for {
		part, err := br.ReadSlice('\n')
		if !tooLong {
			line = append(line, part...)
		}
		if len(line) > most {
			line, tooLong = nil, true
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return bytes.TrimSpace(line), tooLong, err
	}
}

// record reads one line's object. Its keys identify the format.
func (s *session) record(rec map[string]json.RawMessage) error {
	if t := timeOf(rec["timestamp"]); !t.IsZero() {
		s.time = t
	}
	switch {
	case rec["hook_event_name"] != nil:
		return s.hookPayload(rec)
	case rec["payload"] != nil:
		return s.codex(rec)
	case rec["data"] != nil && rec["type"] != nil:
		return s.copilot(rec)
	case rec["toolCalls"] != nil || rec["projectHash"] != nil || rec["$set"] != nil:
		return s.gemini(rec)
	case rec["message"] != nil || text(rec["type"]) == "session":
		return s.messages(rec)
	}
	return nil
}

// maxDocument limits a file of one JSON document, which is read completely.
const maxDocument = 64 << 20

// document reads a file of one JSON document.
func (s *session) document(f io.Reader, size int64) error {
	if size > maxDocument {
		s.skip(1)
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxDocument))
	if err != nil {
		return err
	}
	var doc map[string]json.RawMessage
	if json.Unmarshal(data, &doc) != nil {
		return nil //nolint:nilerr // another program's file, which is no transcript
	}
	s.Stats.Lines++
	switch {
	case doc["messages"] != nil && doc["projectHash"] != nil:
		return s.gemini(doc)
	case doc["messages"] != nil:
		return s.cline(doc)
	case doc["chatMessages"] != nil:
		return s.copilotOld(doc)
	case text(doc["type"]) == "tool" && doc["state"] != nil:
		return s.openCodePart(doc)
	}
	return nil
}

// call yields one call. The input is an object, or a string with one, as in OpenAI's API; any other
// text becomes the field "input".
func (s *session) call(id, tool string, input json.RawMessage) error {
	s.known = true
	if tool == "" {
		return nil
	}
	if in := object(input); in != nil {
		input = in
	} else {
		input, _ = json.Marshal(map[string]json.RawMessage{"input": orNull(input)}) // valid JSON always marshals
	}
	if key := s.key(id); key != "" {
		if s.seen[key] {
			s.Stats.Copies++
			return nil
		}
		s.seen[key] = true
	}
	if s.calls++; s.calls > s.Limits.Calls {
		return errFull
	}
	return s.yield(Call{
		Action: umpire.Action{ID: id, Principal: umpire.Principal{Platform: s.platform, Session: s.id}, Tool: tool, Input: input, Dir: s.dir},
		Time:   s.time,
	})
}

// key is equal for copies of a call. A resumed session of Claude Code copies lines with their time,
// under the new session's ID.
func (s *session) key(id string) string {
	switch {
	case id == "":
		return ""
	case s.platform == "claude" && !s.time.IsZero():
		return "claude\x00" + id + "\x00" + s.time.Format(time.RFC3339Nano)
	}
	return s.platform + "\x00" + s.id + "\x00" + s.path + "\x00" + id
}

func orNull(v json.RawMessage) json.RawMessage {
	if len(v) == 0 {
		return json.RawMessage("null")
	}
	return v
}

// object returns v if it is a JSON object, or the object in the string v.
func object(v json.RawMessage) json.RawMessage {
	v = bytes.TrimSpace(v)
	if len(v) > 0 && v[0] == '"' {
		v = bytes.TrimSpace([]byte(text(v)))
	}
	if len(v) > 0 && v[0] == '{' && json.Valid(v) {
		return v
	}
	return nil
}

// text returns v if it is a JSON string.
func text(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// fields returns v if it is a JSON object.
func fields(v json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(v, &m) != nil {
		return nil
	}
	return m
}

// list returns the objects of v if it is a JSON array of them.
func list(v json.RawMessage) (out []map[string]json.RawMessage) {
	var all []json.RawMessage
	if json.Unmarshal(v, &all) != nil {
		return nil
	}
	for _, e := range all {
		if m := fields(e); m != nil {
			out = append(out, m)
		}
	}
	return out
}

// timeOf reads a time in RFC 3339, or in milliseconds since 1970.
func timeOf(v json.RawMessage) time.Time {
	if s := text(v); s != "" {
		t, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return time.Time{}
		}
		return sane(t)
	}
	var ms float64
	if len(v) == 0 || json.Unmarshal(v, &ms) != nil || ms <= 0 || ms > 1e14 {
		return time.Time{}
	}
	return sane(time.UnixMilli(int64(ms)))
}

// sane returns t, or the zero time if no session can have it.
func sane(t time.Time) time.Time {
	if t.Year() < 2000 || t.Year() > 2200 {
		return time.Time{}
	}
	return t
}

func absolute(dir string) string {
	if len(dir) < 4096 && (strings.HasPrefix(dir, "/") || filepath.IsAbs(dir)) {
		return filepath.Clean(dir)
	}
	return ""
}

func (s *session) in(dir string) {
	if d := absolute(dir); d != "" {
		s.dir = d
	}
}
