package sandbox

import (
	"fmt"
	"strings"
	"sync"
)

// Event is an action that a sandbox blocked, or a layer that it lacks.
type Event struct {
	Kind    EventKind `json:"kind"`
	What    string    `json:"what"`              // the system call, protocol, layer or limit
	Target  string    `json:"target,omitempty"`  // the target, as the program wrote it
	Program string    `json:"program,omitempty"` // the program's name for itself
	Why     string    `json:"why,omitempty"`
	Times   int       `json:"times"` // number so far
}

// EventKind is the type of an Event.
type EventKind string

// The kinds of Events.
const (
	Call    EventKind = "call"    // a call to the kernel was refused
	Network EventKind = "network" // a connection, a packet or a name query was refused
	Missing EventKind = "missing" // the kernel does not support a layer
	Limit   EventKind = "limit"   // the sandbox was stopped at a limit
	Failed  EventKind = "failed"  // a program may have failed at a limit, and the sandbox went on
)

// String returns the Event for people. It does not escape the program's text.
func (e Event) String() string {
	var b strings.Builder
	b.WriteString(e.What)
	if e.Target != "" {
		b.WriteString(" " + e.Target)
	}
	var by []string
	if e.Program != "" {
		by = append(by, "by "+e.Program)
	}
	if e.Times > 1 {
		by = append(by, fmt.Sprintf("%d times", e.Times))
	}
	if len(by) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(by, ", "))
	}
	if e.Why != "" {
		b.WriteString(": " + e.Why)
	}
	return b.String()
}

// maxEvents limits the different events that a sandbox reports: a program may cause as many as it
// likes.
const maxEvents = 256

// tally counts Events. It reports each at its first occurrence, and with its count at the end.
type tally struct {
	mu   sync.Mutex // guards the fields below, and serializes emit
	emit func(Event)
	seen map[Event]int // by the Event without its count
	list []Event
}

func newTally(emit func(Event)) *tally { return &tally{emit: emit, seen: map[Event]int{}} }

func (t *tally) add(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count(e)
}

// count is like add for a caller that holds the lock.
func (t *tally) count(e Event) {
	e.Times = 0
	e.Target, e.Program, e.Why = short(e.Target), short(e.Program), short(e.Why)
	if t.seen[e] == 0 && len(t.list) >= maxEvents {
		e = Event{Kind: e.Kind, What: "more", Why: "further events are only counted"}
	}
	if t.seen[e]++; t.seen[e] == 1 {
		t.list = append(t.list, e)
		e.Times = 1
		t.emit(e)
	}
}

// addOf counts an Event whose target a program may choose freely: Events that differ only in the
// target count as one, with the first target.
func (t *tally) addOf(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, old := range t.list {
		if old.Kind == e.Kind && old.What == e.What && old.Why == short(e.Why) {
			e = old
			break
		}
	}
	t.count(e)
}

// short limits a text that a program chose.
func short(s string) string {
	const most = 300
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strings.ToValidUTF8(s, "?")
}

// hold delays Events while f runs.
func (t *tally) hold(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

func (t *tally) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.list {
		if e.Times = t.seen[e]; e.Times > 1 {
			t.emit(e)
		}
	}
}
