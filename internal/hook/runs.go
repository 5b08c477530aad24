package hook

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/taint"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// maxRuns limits the files of one call to compare afterwards.
const maxRuns = 16

// world is the machine that a reading sees, with the disk as in seen.
func (h *Hook) world(p *policy.Policy, seen *disk.Seen, memory *taint.Memory) operation.Env {
	return operation.Env{Programs: p.Programs(), Getenv: os.LookupEnv, Disk: seen.View, Session: memory, ReadDir: platform.ReadDir, ReadFile: seen.ReadFile, Peek: seen.Peek}
}

// look returns a Seen of the disk in its current state.
func look(a *umpire.Action) *disk.Seen {
	return disk.See(disk.New(a.Home, a.Workspace, a.Temp), platform.MaxFile, platform.ReadFile)
}

// runs returns the files that calls of this session run.
func (h *Hook) runs() (r *taint.Runs) {
	if store, err := h.sessions(); err == nil {
		r = store.Runs(h.call.Event.Action.Principal)
	}
	return r
}

// recordRuns records the files that the call runs, so that compare can later check that they are the
// judged ones. A client may start the call at any time.
func (h *Hook) recordRuns() error {
	c := &h.call
	if c.Event.Kind != platform.Call || c.Event.Action.ID == "" || c.Decision.Effect == umpire.Deny || len(h.seen.Opened) == 0 {
		return nil
	}
	if !slices.ContainsFunc(c.Ops, func(op umpire.Operation) bool { return op.Origin != "" }) {
		return nil
	}
	runs := h.runs()
	paths := slices.Sorted(maps.Keys(h.seen.Opened))
	for _, p := range paths[:min(len(paths), maxRuns)] {
		if i, ok := h.seen.View.Stat(p); ok {
			runs.Note(c.Event.Action.ID, taint.Run{Path: p, Sum: identity(i), Effect: c.Decision.Effect.String()})
		}
	}
	return runs.Keep()
}

// identity differs between files, and changes when a file changes.
func identity(i disk.Info) string { return fmt.Sprintf("%d:%d:%d", i.ID.Dev, i.ID.Ino, i.Change) }

// compare checks, after a call, that it ran the judged files. The adversary may swap a script in
// between. It records changed files, and returns a message for the agent if the call would now get
// a stricter decision, or if a person was asked about it.
func (h *Hook) compare() string {
	c := &h.call
	a := c.Event.Action
	if c.Event.Kind != platform.Result || a.ID == "" {
		return ""
	}
	noted := h.runs().Of(a.ID)
	if len(noted) == 0 {
		return ""
	}
	seen := look(&a)
	changed, then := []string{}, umpire.Allow
	for _, r := range noted {
		if i, ok := seen.View.Stat(r.Path); ok && identity(i) == r.Sum {
			continue
		}
		changed = append(changed, r.Path)
		if e, err := umpire.ParseEffect(r.Effect); err == nil {
			then = min(then, e)
		}
	}
	if len(changed) == 0 {
		return ""
	}
	names := visible.Clip(strings.Join(changed, ", "), 1000)
	h.also("changed", names)
	p, _ := h.load(&a)
	if p == nil || p.Observe() {
		return ""
	}
	now := p.Decide(&a, operation.Read(&a, h.world(p, seen, h.memory())))
	switch {
	case now.Effect < then:
		return "umpire: " + names + " changed after umpire judged this call. With the new content, the answer would be " + now.Effect.String() + ". Read it before you run it again, and tell the user."
	case then == umpire.Ask:
		return "umpire: " + names + " changed after umpire judged this call and asked a person. Tell the user."
	}
	return ""
}

// also adds a field to the audit event.
func (h *Hook) also(key, value string) {
	if h.call.Data == nil {
		h.call.Data = map[string]string{}
	}
	h.call.Data[key] = value
}
