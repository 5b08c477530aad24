package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"time"
)

// Query selects events; the zero value selects all.
type Query struct {
	Since, Until time.Time
	Kind         EventKind
	Effect       string
	Rule         string
	Tool         string
	Session      string
	Text         string // anywhere in the line, ignoring case
	Failed       bool   // only events with a failure
	Damaged      *int   // if set, Read counts the lines that it cannot read, and skips
}

// Match reports whether q selects e, which was read from raw.
func (q *Query) Match(e *Event, raw []byte) bool {
	return (q.Since.IsZero() || !e.Time.Before(q.Since)) && (q.Until.IsZero() || e.Time.Before(q.Until)) &&
		(q.Kind == "" || e.Kind == q.Kind) && (q.Effect == "" || e.Effect == q.Effect) &&
		(q.Tool == "" || strings.EqualFold(e.Tool, q.Tool)) && (q.Session == "" || e.Principal.Session == q.Session) &&
		(!q.Failed || e.Failure != "" || e.Kind == Failure) &&
		(q.Rule == "" || hasRule(e, q.Rule)) &&
		(q.Text == "" || bytes.Contains(bytes.ToLower(raw), bytes.ToLower([]byte(q.Text))))
}

func hasRule(e *Event, id string) bool {
	for _, r := range e.Reasons {
		if r.Rule == id {
			return true
		}
	}
	return false
}

// A Record is an event and the line it was read from, without its line feed.
type Record struct {
	Event
	Raw []byte `json:"-"`
}

// Read yields the events that match q, oldest first. It skips lines that are not events of the
// log; Verify reports those.
func Read(dir string, q Query) iter.Seq2[Record, error] { return readOn(machine{}, dir, q) }

func readOn(sys system, dir string, q Query) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		set, err := openAll(sys, dir)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer set.close()
		for _, f := range set.files {
			r := bufio.NewReaderSize(io.NewSectionReader(f, 0, f.size), maxLine)
			for {
				line, err := readLine(r)
				if err != nil && !errors.Is(err, io.EOF) {
					yield(Record{}, fmt.Errorf("read %s: %w", f.name, err))
					return
				}
				if len(line) == 0 {
					break
				}
				line = bytes.TrimSuffix(line, []byte("\n"))
				if q.Damaged != nil && (!bytes.HasPrefix(line, []byte{'{'}) || !json.Valid(line)) {
					*q.Damaged++
					continue
				}
				if rec, ok := q.record(line); ok && !yield(rec, nil) {
					return
				}
			}
		}
	}
}

// record reads a line, if q selects its event.
func (q *Query) record(line []byte) (rec Record, ok bool) {
	if !q.mayMatch(line) || !q.Since.IsZero() && timeOf(line).Before(q.Since) || json.Unmarshal(line, &rec.Event) != nil || !q.Match(&rec.Event, line) {
		return rec, false
	}
	rec.Raw = bytes.Clone(line)
	return rec, true
}

// timeOf returns the time of a line without parsing the rest of it. If there is none, it returns a
// time after all others.
func timeOf(line []byte) time.Time {
	_, rest, ok := bytes.Cut(line[:min(len(line), 256)], []byte(`,"time":"`))
	if text, _, whole := bytes.Cut(rest, []byte{'"'}); ok && whole {
		if t, err := time.Parse(time.RFC3339Nano, string(text)); err == nil {
			return t
		}
	}
	return time.Unix(1<<40, 0)
}

// mayMatch reports whether q may select a line, without parsing it: most lines do not match, and this
// takes a tenth of the time. It works only for words without escapes.
func (q *Query) mayMatch(line []byte) bool {
	for _, word := range []string{string(q.Kind), q.Effect, q.Rule, q.Session} {
		plain := !strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) })
		if word != "" && plain && !bytes.Contains(line, []byte(`"`+word+`"`)) {
			return false
		}
	}
	return true
}

// Last returns the last n events that q selects, oldest first. It reads backwards, and no more than
// necessary.
func Last(dir string, q Query, n int) ([]Record, error) { return lastOn(machine{}, dir, q, n) }

func lastOn(sys system, dir string, q Query, n int) ([]Record, error) {
	set, err := openAll(sys, dir)
	if err != nil {
		return nil, err
	}
	defer set.close()
	var out []Record
	for _, f := range slices.Backward(set.files) {
		err := backward(io.NewSectionReader(f, 0, f.size), f.size, func(line []byte) bool {
			if rec, ok := q.record(line); ok {
				out = append(out, rec)
			}
			return len(out) < n
		})
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.name, err)
		}
		if len(out) >= n {
			break
		}
	}
	slices.Reverse(out)
	return out, nil
}

// backward yields the lines of a file from the last to the first, without their line feeds. It
// truncates a line that is too long for the log.
func backward(r io.ReaderAt, size int64, yield func(line []byte) bool) error {
	const block = 1 << 20
	var rest []byte // the end of a line whose beginning is not read yet
	buf := make([]byte, block)
	for end := size; end > 0; {
		n := min(end, block)
		end -= n
		if _, err := r.ReadAt(buf[:n], end); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		text := buf[:n]
		for {
			i := bytes.LastIndexByte(text, '\n')
			if i < 0 {
				break
			}
			line := text[i+1:]
			if len(rest) > 0 {
				line, rest = append(bytes.Clone(line), rest...), nil
			}
			if text = text[:i]; len(line) > 0 && !yield(line) {
				return nil
			}
		}
		if len(text)+len(rest) < maxBroken {
			rest = append(bytes.Clone(text), rest...)
		}
	}
	if len(rest) > 0 {
		yield(rest)
	}
	return nil
}

// Stats counts events.
type Stats struct {
	Events   int            `json:"events"`
	First    time.Time      `json:"first,omitzero"`
	Last     time.Time      `json:"last,omitzero"`
	Kinds    map[string]int `json:"kinds"`
	Effects  map[string]int `json:"effects"`
	Tools    map[string]int `json:"tools"`
	Rules    map[string]int `json:"rules"`
	Failures int            `json:"failures"`
}

// maxCounted limits each table of Stats: agents choose the names of tools.
const maxCounted = 1000

// Count counts the events that q selects.
func Count(dir string, q Query) (Stats, error) {
	s := Stats{Kinds: map[string]int{}, Effects: map[string]int{}, Tools: map[string]int{}, Rules: map[string]int{}}
	count := func(m map[string]int, k string) {
		if _, ok := m[k]; k != "" && (ok || len(m) < maxCounted) {
			m[k]++
		}
	}
	for r, err := range Read(dir, q) {
		if err != nil {
			return s, err
		}
		if s.Events++; s.First.IsZero() || r.Time.Before(s.First) {
			s.First = r.Time
		}
		if r.Time.After(s.Last) {
			s.Last = r.Time
		}
		count(s.Kinds, string(r.Kind))
		count(s.Effects, r.Effect)
		count(s.Tools, r.Tool)
		for _, reason := range r.Reasons {
			count(s.Rules, reason.Rule)
		}
		if r.Failure != "" {
			s.Failures++
		}
	}
	return s, nil
}

// IsMissing reports whether an error of Read or Verify means that there is no log yet.
func IsMissing(err error) bool { return errors.Is(err, os.ErrNotExist) }
