package taint

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
)

// Runs lists the files that the calls of a session run, with the identity of each at the
// decision. It decides nothing. If it is forged or lost, only a report is missing.
type Runs struct{ memory *Memory }

// Run is one file that a call runs.
type Run struct {
	Path   string
	Sum    string // identifies the file, without spaces
	Effect string // effect of the decision on the call
}

// Runs returns the runs of a principal's session. It is nil for a session without a name.
func (s Store) Runs(p umpire.Principal) *Runs {
	m := s.Memory(p, nil)
	if m == nil {
		return nil
	}
	m.path = filepath.Join(filepath.Dir(filepath.Dir(m.path)), "runs", filepath.Base(m.path))
	return &Runs{m}
}

// Note remembers a file of a call. Keep writes it down.
func (r *Runs) Note(call string, f Run) {
	if r != nil {
		r.memory.Note("run", strings.Join([]string{strconv.Quote(call), f.Effect, f.Sum, f.Path}, " "))
	}
}

// Keep stores the notes.
func (r *Runs) Keep() error {
	if r == nil {
		return nil
	}
	return r.memory.Keep()
}

// Of returns the files of a call.
func (r *Runs) Of(call string) (list []Run) {
	if r == nil {
		return nil
	}
	m := r.memory
	m.load()
	prefix := strconv.Quote(call) + " "
	begin := strings.TrimSuffix(strconv.Quote(prefix), `"`)
	for line := range bytes.Lines(m.lines) {
		if !bytes.Contains(line, []byte(begin)) { // a checksum takes longer
			continue
		}
		what, quoted, _, ok := m.read(strings.TrimSuffix(string(line), "\n"))
		text, err := strconv.Unquote(quoted)
		if !ok || err != nil || what != "run" {
			continue
		}
		text, ok = strings.CutPrefix(text, prefix)
		f := strings.SplitN(text, " ", 3)
		if ok && len(f) == 3 && len(list) < maxNotes {
			list = append(list, Run{Effect: f[0], Sum: f[1], Path: f[2]})
		}
	}
	return list
}
