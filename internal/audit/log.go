package audit

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/home"
)

const (
	logName   = "audit.jsonl"
	headName  = "audit.head"
	spillName = "audit.spill"
)

var (
	// ErrBusy means that the lock was not free in time.
	ErrBusy  = errors.New("the audit log is locked by another process: try again")
	errShort = errors.New("the file is shorter than expected")
)

// Options configure a Log. The hook uses the zero value.
type Options struct {
	Durable bool          // wait until the line is on disk
	MaxSize int64         // size limit of a file before a new one begins; 0 means 64 MiB
	Keep    int           // number of closed files to keep; 0 means all
	Wait    time.Duration // how long to wait for the lock; 0 means 250 ms
	Strict  bool          // return ErrBusy instead of spilling
}

// Log appends to the audit log in a folder. It has no state: any number of Logs, in any number of
// processes, may share the folder.
type Log struct {
	dir  string
	sys  system
	opts Options
	turn chan struct{} // goroutines of one process queue here instead of at the file lock
}

// Open returns a Log for dir, and creates the folder if necessary.
func Open(dir string, o Options) (*Log, error) { return openOn(machine{}, dir, o) }

func openOn(sys system, dir string, o Options) (*Log, error) {
	o.MaxSize = cmp.Or(o.MaxSize, 64<<20)
	o.Wait = cmp.Or(o.Wait, 250*time.Millisecond)
	if err := sys.checkDir(dir); err != nil {
		return nil, fmt.Errorf("audit folder: %w", err)
	}
	return &Log{dir: dir, sys: sys, opts: o, turn: make(chan struct{}, 1)}, nil
}

// Append records e in dir with the default Options.
func Append(dir string, e *Event) error {
	l, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	return l.Append(e)
}

// DefaultDir returns umpire's state directory: $XDG_STATE_HOME/umpire, ~/.local/state/umpire,
// or %LocalAppData%\umpire.
//
// If the environment is not trusted, it is the one in the user's home.
func DefaultDir() (string, error) {
	if own := home.Own(); own != "" {
		return filepath.Join(own, home.State), nil
	}
	if runtime.GOOS == "windows" {
		if d := os.Getenv("LocalAppData"); filepath.IsAbs(d) {
			return filepath.Join(d, "umpire"), nil
		}
	}
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) { // the XDG specification says to ignore a relative path
		return filepath.Join(d, "umpire"), nil
	}
	dir := home.Dir(os.Getenv)
	if dir == "" {
		return "", errors.New("umpire cannot find your home folder: set HOME, or XDG_STATE_HOME for its state")
	}
	return filepath.Join(dir, home.State), nil
}

// Append records events in order and sets their Seq, Prev and Hash. When it returns nil, they
// survive a kill of this process; with Durable, also a crash of the machine.
//
// Append waits for the lock only for a limited time. If it does not get it, it spills the events
// for the next append: then it returns nil and Seq stays 0.
func (l *Log) Append(events ...*Event) error {
	if len(events) == 0 {
		return nil
	}
	now := time.Now()
	bodies, size := make([][]byte, len(events)), 0
	for i, e := range events {
		if e.Time.IsZero() {
			e.Time = now
		}
		bodies[i] = appendBody(make([]byte, 0, 1024), e)
		size += len(bodies[i])
	}
	if size > maxBatch {
		return fmt.Errorf("record %d events of %d bytes: append fewer at once", len(events), size)
	}
	h, err := l.lock(now.Add(l.opts.Wait))
	if errors.Is(err, ErrBusy) && !l.opts.Strict {
		return l.spill(bodies)
	}
	if err != nil {
		return err
	}
	defer h.close()
	if err := h.recover(); err != nil {
		return err
	}
	h.buf = slices.Grow(h.buf, size+len(bodies)*lineMore)
	h.links = slices.Grow(h.links, len(bodies))
	h.takeSpills()
	for _, b := range bodies {
		h.add(b)
	}
	own := len(h.links) - len(bodies)
	if err := h.commit(); err != nil {
		return err
	}
	for i, e := range events {
		at := h.links[own+i]
		e.Seq, e.Prev, e.Hash = at.seq, at.prev, at.hash
	}
	return nil
}

// A holder has the lock and collects lines for one write.
type holder struct {
	l    *Log
	head handle
	log  handle // nil until opened
	size int64  // size of the log before this write
	last head

	buf   []byte
	links []link
	taken []string // spill files whose events are in buf
	fresh bool     // the log is a new file, so the folder must be synced too
	torn  bool     // the head is torn and could not be repaired: writing over it might mix three heads
}

// lock takes the lock. It polls, because a blocking lock cannot be cancelled.
func (l *Log) lock(deadline time.Time) (h *holder, _ error) {
	select {
	case l.turn <- struct{}{}: // if the lock is free, take it even without time left
	default:
		select {
		case l.turn <- struct{}{}:
		case <-time.After(time.Until(deadline)):
			return nil, ErrBusy
		}
	}
	defer func() {
		if h == nil {
			<-l.turn
		}
	}()
	path := filepath.Join(l.dir, headName)
	for wait := 20 * time.Microsecond; ; {
		f, err := l.sys.open(path, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		for {
			got, err := f.tryLock()
			if err != nil {
				f.Close()
				return nil, err
			}
			if got {
				break
			}
			if time.Now().After(deadline) {
				f.Close()
				return nil, ErrBusy
			}
			time.Sleep(wait/2 + rand.N(wait))
			wait = min(wait*2, 4*time.Millisecond)
		}
		if f.isAt(path) {
			return &holder{l: l, head: f}, nil
		}
		f.Close() // someone removed the head in the meantime, so this lock protects nothing
		if time.Now().After(deadline) {
			return nil, ErrBusy
		}
	}
}

func (h *holder) close() {
	if h.log != nil {
		h.log.Close()
	}
	h.head.Close() // also releases the lock
	<-h.l.turn
}

// recover finds the end of the chain. Usually it is in the head; after a crash, or after someone
// edited the files, it is in the log itself.
func (h *holder) recover() (err error) {
	path := filepath.Join(h.l.dir, logName)
	if h.log, err = h.l.sys.open(path, os.O_RDWR|os.O_APPEND); errors.Is(err, fs.ErrNotExist) {
		if h.log, err = h.l.sys.open(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL); err == nil {
			h.fresh = true
		}
	}
	if err != nil {
		h.log = nil
		return err
	}
	if h.size, err = h.log.size(); err != nil {
		return err
	}
	promised, raw, state, err := readHead(h.head)
	if err != nil {
		return err
	}
	if state == headSound && promised.end == h.size && h.size > 0 {
		h.last = promised
		return nil
	}
	tail, err := readTail(h.log, h.size)
	if err != nil {
		return err
	}
	if !tail.found && h.size == int64(len(tail.torn)) { // no complete line in this file: continue the chain of the previous one
		before, err := h.fileBefore()
		if err != nil {
			return err
		}
		for _, f := range before {
			t, err := readTail(f.handle, f.size)
			f.Close()
			if err != nil {
				return err
			}
			tail.link, tail.found = t.link, t.found
		}
	}
	if state == headBroken {
		if state, err = h.repair(raw); err != nil {
			return err
		}
	}
	h.last = head{seq: tail.seq, hash: tail.hash, end: h.size}
	if !tail.found {
		h.last.hash = zeroHash
	}
	lost := state == headBroken || state == headEmpty && h.last.seq > 0 && (tail.seq > 1 || h.size != tail.end)
	var torn *Chain
	if len(tail.torn) > 0 {
		h.buf = append(h.buf, '\n')
		// If only the line feed is missing, the line counts.
		if at, sound, ok := parseLine(tail.torn); ok && sound && at.seq == h.last.seq+1 && at.prev == h.last.hash {
			h.last.seq, h.last.hash = at.seq, at.hash
		} else {
			sum := sha256.Sum256(tail.torn)
			torn = &Chain{File: logName, Bytes: int64(len(tail.torn)), Sum: hex.EncodeToString(sum[:])}
		}
	}
	missing := state == headSound && (promised.seq > h.last.seq || promised.seq == h.last.seq && promised.hash != h.last.hash)
	if missing { // never reuse a number
		h.last.seq = max(h.last.seq, promised.seq)
	}
	if torn != nil {
		h.note(Torn, torn, "a crash cut the line before short")
	}
	if state == headTorn {
		sum := sha256.Sum256(raw)
		h.note(Torn, &Chain{File: headName, Bytes: int64(len(raw)), Sum: hex.EncodeToString(sum[:])}, "a crash cut the head short: the log has the line that it should name")
	}
	if missing {
		h.note(Gap, &Chain{HeadSeq: promised.seq, Head: promised.hash}, "the log ends before the line that its head names: lines were cut off or changed")
	} else if lost {
		h.note(Gap, nil, "the head was missing or damaged: lines may have been cut off before this one")
	}
	return nil
}

// repair distinguishes a head that a crash interrupted from one that someone damaged, and rewrites
// the former: an interrupted second write leaves the same bytes as the first.
func (h *holder) repair(raw []byte) (headState, error) {
	files, err := h.fileBefore()
	if err != nil {
		return headBroken, err
	}
	found, torn, err := tornHead(raw, append(files, logFile{h.log, logName, h.size}))
	for _, f := range files {
		f.Close()
	}
	if err != nil || !torn {
		return headBroken, err
	}
	_, err = h.head.WriteAt(found.encode(), 0)
	h.torn = err != nil // the lines are still recorded
	return headTorn, nil
}

// fileBefore opens the last closed file, if there is one.
func (h *holder) fileBefore() ([]logFile, error) {
	names, err := closedFiles(h.l.sys, h.l.dir)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	name := names[len(names)-1]
	f, err := openLog(h.l.sys, h.l.dir, name)
	if err != nil {
		return nil, err
	}
	return []logFile{f}, nil
}

// note adds an event about the log itself.
func (h *holder) note(k EventKind, c *Chain, text string) {
	h.add(appendBody(nil, &Event{Time: time.Now(), Kind: k, Chain: c, Note: text}))
}

func (h *holder) add(body []byte) {
	prev := h.last
	h.last.seq++
	h.buf, h.last.hash = appendLine(h.buf, h.last.seq, prev.hash, body)
	h.links = append(h.links, link{seq: h.last.seq, prev: prev.hash, hash: h.last.hash})
}

// commit writes the lines with one write, then the head, then removes the spill files.
func (h *holder) commit() error {
	if h.size > 0 && h.size+int64(len(h.buf)) > h.l.opts.MaxSize {
		if err := h.rotate(); err != nil {
			return err
		}
	}
	if n, err := h.log.Write(h.buf); err != nil || n < len(h.buf) {
		if err == nil {
			err = io.ErrShortWrite
		}
		// A full disk: remove the incomplete line. If that fails too, the next append reports it.
		if n > 0 {
			_ = h.log.truncate(h.size)
		}
		return fmt.Errorf("write the audit log: %w", err)
	}
	if h.l.opts.Durable {
		if err := h.log.sync(); err != nil {
			return fmt.Errorf("sync the audit log: %w", err)
		}
		if h.fresh {
			if err := h.l.sys.syncDir(h.l.dir); err != nil {
				return fmt.Errorf("sync the audit folder: %w", err)
			}
		}
	}
	h.last.end = h.size + int64(len(h.buf))
	// The lines are written, so the events are recorded even without the head. An old head is
	// harmless; half a head would count as damage, so write it again.
	if h.torn {
		h.dropSpills()
		return nil
	}
	if n, err := h.head.WriteAt(h.last.encode(), 0); err != nil && n > 0 {
		_, _ = h.head.WriteAt(h.last.encode(), 0)
	}
	h.dropSpills()
	return nil
}

// rotate closes the file and begins another. It encodes the pending lines again, because the chain
// has one more line.
func (h *holder) rotate() error {
	if len(h.buf) > 0 && h.buf[0] == '\n' { // end a torn line in the old file
		return nil
	}
	names, err := closedFiles(h.l.sys, h.l.dir)
	if err != nil {
		return err
	}
	number := 1
	if len(names) > 0 {
		number = fileNumber(names[len(names)-1]) + 1
	}
	path, closed := filepath.Join(h.l.dir, logName), fmt.Sprintf("audit-%06d.jsonl", number)
	if _, err := h.l.sys.lstat(filepath.Join(h.l.dir, closed)); err == nil {
		return fmt.Errorf("rotate the audit log: %s exists: move it away", closed)
	}
	h.log.Close() // Windows cannot rename an open file
	h.log = nil
	if err := h.l.sys.rename(path, filepath.Join(h.l.dir, closed)); err != nil {
		return fmt.Errorf("rotate the audit log: %w", err)
	}
	if h.log, err = h.l.sys.open(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL); err != nil {
		h.log = nil
		return err
	}
	h.size, h.fresh = 0, true
	c := &Chain{File: closed}
	var drop []string
	if keep := h.l.opts.Keep; keep > 0 && len(names)+1 > keep {
		drop = names[:len(names)+1-keep]
		if at, found, err := lastLink(h.l.sys, h.l.dir, drop[len(drop)-1]); err == nil && found {
			c.CutSeq, c.Cut = at.seq, at.hash
		} else {
			drop = nil
		}
	}
	lines := bytes.SplitAfter(h.buf, []byte("\n"))
	first := h.links[0]
	h.last.seq, h.last.hash = first.seq-1, first.prev
	h.buf, h.links = nil, nil
	h.note(Rotate, c, "")
	for _, line := range lines {
		if at, _, ok := parseLine(bytes.TrimSuffix(line, []byte("\n"))); ok {
			h.add(at.body)
		}
	}
	if len(drop) > 0 {
		// Record the new start of the log before removing old files.
		h.taken = append(h.taken, absolute(h.l.dir, drop)...)
	}
	return nil
}

func absolute(dir string, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = filepath.Join(dir, n)
	}
	return out
}

// closedFiles returns the names of the rotated files, oldest first.
func closedFiles(sys system, dir string) ([]string, error) {
	entries, err := sys.readDir(dir) // sorted, because the numbers have a fixed width
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if fileNumber(e.Name()) > 0 && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// fileNumber parses the number of a rotated file, or returns 0.
func fileNumber(name string) int {
	s, ok := strings.CutPrefix(name, "audit-")
	if !ok {
		return 0
	}
	s, ok = strings.CutSuffix(s, ".jsonl")
	if !ok || len(s) != 6 {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
