package tool

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/bounded"
)

// Limits on the output of commands.
const (
	maxToModel  = 64 << 10 // bytes of both streams for the model
	maxSpill    = 64 << 20 // bytes of one file with the complete output
	keptOutputs = 40       // number of such files
)

// stream keeps the beginning and the end of a command's output, and passes it on in whole
// characters.
type stream struct {
	head    []byte
	tail    []byte // a ring buffer once full
	at      int
	total   int64
	pending []byte // an incomplete character
}

func (s *stream) add(p []byte) {
	s.total += int64(len(p))
	if room := maxToModel - len(s.head); room > 0 {
		s.head = append(s.head, p[:min(room, len(p))]...)
	}
	const most = maxToModel / 2
	if len(p) > most {
		p = p[len(p)-most:]
	}
	for len(p) > 0 {
		if len(s.tail) < most {
			k := min(most-len(s.tail), len(p))
			s.tail, p = append(s.tail, p[:k]...), p[k:]
			continue
		}
		k := copy(s.tail[s.at:], p)
		s.at, p = (s.at+k)%most, p[k:]
	}
}

// whole returns the whole characters in the pending bytes and p.
func (s *stream) whole(p []byte) string {
	if len(s.pending) > 0 {
		p = append(s.pending, p...)
		s.pending = nil
	}
	n := len(p)
	for i := n - 1; i >= 0 && i >= n-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				n = i
			}
			break
		}
	}
	s.pending = append([]byte(nil), p[n:]...)
	return valid(string(p[:n]))
}

// text returns at most n bytes: everything, or the beginning and the end.
func (s *stream) text(n int, where string) string {
	if s.total <= int64(n) {
		return strings.TrimSpace(valid(string(s.head)))
	}
	tail := slices.Concat(s.tail[s.at:], s.tail[:s.at])
	head, end := bounded.Clip(string(s.head), n/2, ""), cutHead(string(tail), n/2)
	return strings.TrimSpace(valid(head)) + fmt.Sprintf("\n[%d bytes left out%s]\n", s.total-int64(len(head)+len(end)), where) + strings.TrimSpace(valid(end))
}

// output collects the output of a command.
type output struct {
	mu       sync.Mutex
	out, err stream
	tell     func(string) // may be nil
	over     bool         // output is ignored from now on
	folder   string       // for the file with the complete output
	early    []byte       // the complete output while it is short
	file     *os.File
	spilled  int64
	fault    error
}

// writer returns the writer for one of the two streams.
type writer struct {
	o *output
	s *stream
}

func (w writer) Write(p []byte) (int, error) {
	w.o.mu.Lock()
	defer w.o.mu.Unlock()
	if w.o.over {
		return len(p), nil
	}
	w.s.add(p)
	w.o.spill(p)
	if piece := w.s.whole(p); piece != "" && w.o.tell != nil {
		w.o.tell(piece)
	}
	return len(p), nil
}

// spill keeps the complete output: in memory, and in a file once it exceeds the model's limit.
func (o *output) spill(p []byte) {
	if o.fault != nil || o.folder == "" {
		return
	}
	if o.file == nil {
		if len(o.early)+len(p) <= maxToModel {
			o.early = append(o.early, p...)
			return
		}
		if o.file, o.fault = newOutput(o.folder); o.fault != nil {
			return
		}
		p, o.early = slices.Concat(o.early, p), nil
	}
	if room := maxSpill - o.spilled; int64(len(p)) > room {
		p = p[:max(room, 0)]
	}
	n, err := o.file.Write(p)
	o.spilled += int64(n)
	o.fault = err
}

// newOutput creates a file for a long output, and removes the oldest files.
func newOutput(folder string) (*os.File, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder) // sorted by name, which means by time
	if err != nil {
		return nil, err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !strings.HasSuffix(e.Name(), ".txt") })
	for len(entries) >= keptOutputs {
		if err := os.Remove(filepath.Join(folder, entries[0].Name())); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		entries = entries[1:]
	}
	return os.CreateTemp(folder, time.Now().UTC().Format("20060102T150405")+"-*.txt")
}

// stop ignores further output.
func (o *output) stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return
	}
	o.over = true
	for _, s := range []*stream{&o.out, &o.err} {
		if len(s.pending) > 0 && o.tell != nil {
			o.tell(valid(string(s.pending)))
		}
	}
	if o.file != nil {
		o.fault = o.file.Close()
	}
}

// texts returns the two streams for the model, and the file with the complete output.
func (o *output) texts() (stdout, stderr, file string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	where := ""
	if o.file != nil {
		file = o.file.Name()
		where = "; all of it is in " + file
		if o.fault != nil || o.spilled >= maxSpill {
			where = "; much of it is in " + file
		}
	}
	// Each gets half, plus what the other does not use.
	a, b := maxToModel/2, maxToModel/2
	switch {
	case o.err.total < int64(b):
		a = maxToModel - int(o.err.total)
	case o.out.total < int64(a):
		b = maxToModel - int(o.out.total)
	}
	return o.out.text(a, where), o.err.text(b, where), file
}
