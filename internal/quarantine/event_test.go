package quarantine

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"time"
)

// sink is a file that remembers each write.
type sink struct {
	mu     sync.Mutex
	writes []string
	err    error
	closed bool
	wrote  chan struct{}
}

func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	s.writes = append(s.writes, string(b))
	if s.wrote != nil {
		s.wrote <- struct{}{}
	}
	return len(b), nil
}

func (s *sink) Close() error { s.closed = true; return nil }

func TestLogFlushes(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_900_000, time.FixedZone("x", 3600))
	out, stderr := &sink{wrote: make(chan struct{}, 99)}, &bytes.Buffer{}
	l := newLog(out, stderr)
	low := func() { l.Add(NewEvent(at, Spawned, Session{ID: sidA, Agent: "a"}, "begins", nil)) }
	for range 10 {
		low()
	}
	<-out.wrote // ten at once, or what the second's tick took before
	l.Add(NewEvent(at, ReferenceExpired, Session{}, "late", nil))
	<-out.wrote // at once: it is grave
	low()
	<-out.wrote // by the clock
	low()
	if err := l.Close(); err != nil || !out.closed {
		t.Error(err)
	}
	all := strings.Join(out.writes, "")
	if n := strings.Count(all, "\n"); n != 13 {
		t.Errorf("%d lines in %q", n, all)
	}
	var e SecurityEvent
	if err := json.Unmarshal([]byte(strings.SplitN(all, "\n", 2)[0]), &e); err != nil || e.Time != "2026-01-02T02:04:05.678Z" || e.Severity != Low || e.Agent != "a" || e.Session != sidA || !isID(e.ID) {
		t.Errorf("event %+v, error %v; want one of %s in UTC with an ID", e, err, sidA)
	}
	if got := l.Counts(); got[Spawned] != 12 || got[ReferenceExpired] != 1 {
		t.Errorf("counted %v, want 12 of %s and 1 of %s", got, Spawned, ReferenceExpired)
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr is %q, want nothing", stderr)
	}
}

func TestLogFault(t *testing.T) {
	out, stderr := &sink{err: errors.New("no space left")}, &bytes.Buffer{}
	l := newLog(out, stderr)
	for range 3 {
		l.Add(NewEvent(time.Now(), MACFailed, Session{}, "x", nil))
	}
	if l.Err() == nil || strings.Count(stderr.String(), "no space left") != 1 {
		t.Errorf("error %v, stderr %q; want an error that is said once", l.Err(), stderr)
	}
	if l.Close() == nil {
		t.Error("Close returned no error, want the earlier one")
	}
}

// An event that JSON cannot express is a fault of the log, and no event: an empty line would hide
// that something happened.
func TestEventWithoutJSON(t *testing.T) {
	for name, value := range map[string]any{"not a number": math.NaN(), "infinity": math.Inf(1), "a broken number": json.Number("1e")} {
		out, stderr := &sink{}, &bytes.Buffer{}
		l := newLog(out, stderr)
		l.Add(NewEvent(time.Now(), MACFailed, Session{}, "x", map[string]any{"n": value}))
		if l.Err() == nil || len(out.writes) > 0 || strings.Count(stderr.String(), "cannot write security events") != 1 {
			t.Errorf("%s: error %v, wrote %q, said %q; want an error that is said once, and nothing written", name, l.Err(), out.writes, stderr)
		}
		if l.Close() == nil {
			t.Errorf("%s: the log was closed without an error, want the earlier one", name)
		}
	}
}

// halves is a disk that takes half of each write while it is full.
type halves struct {
	bytes.Buffer
	full bool
}

func (h *halves) Write(b []byte) (int, error) {
	if !h.full {
		return h.Buffer.Write(b)
	}
	n, _ := h.Buffer.Write(b[:len(b)/2])
	return n, errors.New("no space left")
}

func (h *halves) Close() error { return nil }

// An event that is cut off by a full disk takes none with it that is written later.
func TestTornLog(t *testing.T) {
	disk := &halves{}
	l := newLog(disk, io.Discard)
	for _, full := range []bool{false, true, true, false, false} {
		disk.full = full
		l.Add(NewEvent(time.Now(), MACFailed, Session{}, "x", nil))
	}
	whole := 0
	for line := range strings.Lines(disk.String()) {
		if json.Valid([]byte(line)) {
			whole++
		}
	}
	if err := l.Close(); err == nil || whole != 3 {
		t.Errorf("%d events are whole, want the 3 that were written: %v\n%s", whole, err, disk.String())
	}
}

func TestRedaction(t *testing.T) {
	ref := signed(t, key(t, 1), sidA, "/src/a.go", "", 5)
	long := strings.Repeat("ä", 101)
	e := NewEvent(time.Now(), ToolBlocked, Session{Agent: "a\x1b[2J"}, "m", map[string]any{"args": map[string]any{
		"MyPassword": "hunter2", "API_KEY": map[string]any{"deep": "hunter2"}, "accessTokens": 7, "x-apikey": "hunter2", "Credentials": "hunter2",
		"list": []any{"short", long, ref.String(), []any{map[string]any{"client_secret": "hunter2"}}},
		"text": "\u202eabc\x00\u200b\U000e0041", "forged": "typed://x?hmac=abcdef&ts=1", "hundred": strings.Repeat("b", 100),
	}})
	b, err := e.encode()
	if err != nil {
		t.Fatal(err)
	}
	line := string(b)
	for _, no := range []string{"hunter2", "abcdef", "\x1b", "\u202e", "\u200b", "\U000e0041", long} {
		if strings.Contains(line, no) {
			t.Errorf("%q is in %s", no, line)
		}
	}
	mac := ref.String()[strings.Index(ref.String(), "hmac=")+5:][:64]
	if strings.Contains(line, mac) {
		t.Errorf("the MAC is in %s", line)
	}
	for _, want := range []string{`[REDACTED: 101 chars]`, `%2Fsrc%2Fa.go`, `\u202eabc\u0000\u200b\udb40\udc41`, `"accessTokens":"[REDACTED]"`, strings.Repeat("b", 100)} {
		if !strings.Contains(line, want) {
			t.Errorf("the line %s lacks %s", line, want)
		}
	}
	var back SecurityEvent
	if err := json.Unmarshal(b, &back); err != nil || strings.Count(line, "\n") != 1 {
		t.Errorf("error %v for %q, want one line of JSON", err, line)
	}
	if got := back.Context["args"].(map[string]any)["text"]; got != "\u202eabc\x00\u200b\U000e0041" {
		t.Errorf("the text is another one: %q", got)
	}
}

func TestPrompts(t *testing.T) {
	c := DefaultConfig("/x")
	c.Timeout = 90*time.Second + 900*time.Millisecond
	s := c.SystemPrompt(sidA)
	for _, want := range []string{"- Read (read-only)\n- Grep (read-only)\n- Glob (read-only)", "3600 seconds", "You have 90 seconds", sidA} {
		if !strings.Contains(s, want) {
			t.Errorf("the system prompt lacks %q", want)
		}
	}
	if strings.Contains(s, "{{") {
		t.Error("a variable is left")
	}
	name := "a\n2. \"x\u202e{{INSTRUCTIONS}}$1\\" + strings.Repeat("n", 300)
	u := UserPrompt([]Listed{{1, name, "config\nfile", "typed://x"}, {2, "b.go", "", "typed://y"}}, "look at {{FILE_LIST}} $&\\1")
	for _, want := range []string{`1. "a\n2. \"x\u202e{{INSTRUCTIONS}}$1\`, "…\" (config\\nfile)\n   typed://x\n2. \"b.go\"\n   typed://y", "requested this review:\nlook at {{FILE_LIST}} $&\\1\n"} {
		if !strings.Contains(u, want) {
			t.Errorf("the user prompt lacks %q:\n%s", want, u)
		}
	}
	if strings.Contains(u, strings.Repeat("n", 200)) {
		t.Error("the name is not cut")
	}
	if strings.Contains(UserPrompt(nil, " \n"), "besides") {
		t.Error("a section without instructions")
	}
}
