package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Why is the type of a fault in a line.
type Why string

// The faults that Verify can find.
const (
	Edited    Why = "edited"    // its hash does not match the line, or the hash in the next line
	Deleted   Why = "deleted"   // lines before this one are missing
	Inserted  Why = "inserted"  // the line's number was used before
	Reordered Why = "reordered" // the lines are in another order
	Truncated Why = "truncated" // lines at the end are missing
	Unguarded Why = "unguarded" // the head is missing or damaged, so missing lines at the end would not be noticed
	Unmatched Why = "unmatched" // the line of an anchor is missing or different
)

// Fault is one break of the chain.
type Fault struct {
	File string `json:"file"`
	Line int    `json:"line"` // line number from 1; 0 for the complete file
	Seq  uint64 `json:"seq,omitempty"`
	Why  Why    `json:"why"`
	Text string `json:"text"`
}

func (f Fault) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Why, f.Text)
}

// Anchor is a line's number and hash, stored where the agent cannot write.
type Anchor struct {
	Seq  uint64 `json:"seq"`
	Hash string `json:"hash"`
}

// maxFaults limits a Report: the first faults matter.
const maxFaults = 50

// Report is the result of Verify.
type Report struct {
	Files  int     `json:"files"`
	Events uint64  `json:"events"`
	First  uint64  `json:"first,omitempty"` // lowest number that is still kept
	Head   Anchor  `json:"head"`            // the last event
	Torn   int     `json:"torn"`            // lines and heads torn by crashes, all accounted for
	Spills int     `json:"spills"`          // spill files that wait to be taken over
	Faults []Fault `json:"faults,omitempty"`
}

// OK reports whether Verify found no fault.
func (r Report) OK() bool { return len(r.Faults) == 0 }

// Verify follows the chain of the log in dir and reports every break. An error means that it could
// not continue; the Report then covers the part before.
func Verify(dir string, anchors ...Anchor) (Report, error) {
	return verifyOn(machine{}, dir, anchors...)
}

func verifyOn(sys system, dir string, anchors ...Anchor) (Report, error) {
	set, err := openAll(sys, dir)
	if err != nil {
		return Report{}, err
	}
	defer set.close()
	v := verifier{hash: zeroHash, head: set.head, headSeen: set.head.seq == 0, anchors: anchors, met: make([]bool, len(anchors))}
	v.report.Files, v.report.Spills = len(set.files), set.spills
	for _, f := range set.files {
		if err := v.file(f); err != nil {
			return v.report, err
		}
	}
	v.end(set)
	return v.report, nil
}

// A logSet is the files of a log as they were at one moment.
type logSet struct {
	files  []logFile
	head   head
	state  headState
	spills int
}

type logFile struct {
	handle
	name string
	size int64
}

func (s *logSet) close() {
	for _, f := range s.files {
		f.Close()
	}
}

// noLogError returns the error for a folder without a log.
type noLogError struct{ dir string }

func (e noLogError) Error() string {
	return fmt.Sprintf("no events are recorded yet: the folder %s does not exist", e.dir)
}

func (noLogError) Unwrap() error { return fs.ErrNotExist }

// openAll opens all files of the log, oldest first. It holds the lock during that if it can: a copy
// on a read-only disk has no writers.
func openAll(sys system, dir string) (s *logSet, err error) {
	if st, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, noLogError{dir}
	} else if err != nil {
		return nil, fmt.Errorf("audit folder: %w", err)
	} else if !st.IsDir() {
		return nil, fmt.Errorf("audit folder: %s is not a folder: name the one that holds %s", dir, logName)
	}
	s = &logSet{state: headEmpty}
	var raw []byte
	h, err := sys.open(filepath.Join(dir, headName), os.O_RDONLY)
	switch {
	case err == nil:
		defer h.Close()
		for deadline, wait := time.Now().Add(5*time.Second), time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
			got, err := h.tryLock()
			if got {
				break
			}
			if err != nil {
				return nil, err
			}
			if time.Now().After(deadline) {
				return nil, ErrBusy
			}
			time.Sleep(wait)
		}
		if s.head, raw, s.state, err = readHead(h); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	names, err := closedFiles(sys, dir)
	if err != nil {
		return nil, err
	}
	for _, name := range append(names, logName) {
		f, err := openLog(sys, dir, name)
		if name == logName && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			s.close()
			return nil, err
		}
		s.files = append(s.files, f)
	}
	if s.state == headBroken {
		h, torn, err := tornHead(raw, s.files)
		if err != nil {
			s.close()
			return nil, err
		}
		if torn {
			s.head, s.state = h, headTorn
		}
	}
	entries, err := sys.readDir(filepath.Join(dir, spillName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.close()
		return nil, err
	}
	for _, e := range entries {
		if e.Name()[0] != '.' {
			s.spills++
		}
	}
	return s, nil
}

func openLog(sys system, dir, name string) (logFile, error) {
	f, err := sys.open(filepath.Join(dir, name), os.O_RDONLY)
	if err != nil {
		return logFile{}, err
	}
	size, err := f.size()
	if err != nil {
		f.Close()
		return logFile{}, err
	}
	return logFile{f, name, size}, nil
}

type verifier struct {
	report   Report
	seq      uint64 // of the last line
	hash     string
	file0    string // file of the last line
	line     int
	end0     int64 // its end in the file
	head     head
	headSeen bool
	missing  []uint64 // number of the first line missing before each fault, or 0
	broken   []broken
	cutSeq   uint64 // start of the kept part of the log, from a Rotate event
	cut      string
	firstAt  Fault
	firstRef string
	anchors  []Anchor
	met      []bool
}

// A broken line waits for the event that explains it.
type broken struct {
	fault Fault
	bytes int64
	sum   string
}

func (v *verifier) fault(f Fault) {
	if len(v.report.Faults) < maxFaults {
		for len(v.missing) < len(v.report.Faults) {
			v.missing = append(v.missing, 0)
		}
		v.report.Faults = append(v.report.Faults, f)
	}
}

func (v *verifier) file(f logFile) error {
	r := bufio.NewReaderSize(io.NewSectionReader(f, 0, f.size), maxLine)
	for n := 1; ; n++ {
		line, err := readLine(r)
		if len(line) == 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read %s: %w", f.name, err)
		}
		v.next(f.name, n, line)
		v.end0 += int64(len(line))
		if n == 1 {
			v.end0 = int64(len(line))
		}
	}
}

// maxBroken limits how much of an endless line is kept in memory.
const maxBroken = 16 << 20

func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) && len(long) < maxBroken {
		line, err = r.ReadSlice('\n')
		long = append(long, line...)
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		err = nil
	}
	return long, err
}

// next checks one line, with its line feed.
func (v *verifier) next(file string, n int, line []byte) {
	text, whole := bytes.CutSuffix(line, []byte("\n"))
	at, sound, ok := parseLine(text)
	if !ok || !sound || !whole {
		sum := sha256.Sum256(text)
		b := broken{Fault{file, n, at.seq, Edited, "the line does not have the hash it says"}, int64(len(text)), hex.EncodeToString(sum[:])}
		if !ok {
			b.fault.Text = "this is not a line of the log"
		} else if !whole && sound {
			b.fault.Text = "the line has no end"
		}
		v.broken = append(v.broken, b)
		return
	}
	v.report.Events++
	kind := chainKind(at.body)
	var c Chain
	if kind != "" {
		var e Event
		if json.Unmarshal(text, &e) == nil && e.Chain != nil {
			c = *e.Chain
		}
	}
	if kind == Torn && len(v.broken) > 0 {
		if b := v.broken[len(v.broken)-1]; b.bytes == c.Bytes && b.sum == c.Sum && b.fault.File == file && b.fault.Line == n-1 {
			v.broken = v.broken[:len(v.broken)-1]
			v.report.Torn++
		}
	}
	if kind == Torn && c.File == headName {
		v.report.Torn++
	}
	swallowed := len(v.broken) > 0 // a broken line explains the gap before the next one
	v.flush()
	if kind == Rotate && c.Cut != "" {
		v.cutSeq, v.cut = c.CutSeq, c.Cut
	}
	switch {
	case v.file0 == "":
		v.report.First = at.seq
		if (at.seq != 1 || at.prev != zeroHash) && !(swallowed && at.seq == 2) {
			v.firstAt, v.firstRef = Fault{file, n, at.seq, Deleted, "the log does not begin here, and no rotation says that older files were dropped"}, at.prev
		}
	case kind == Gap:
		f := Fault{file, n, at.seq, Unguarded, "the head was missing or damaged before this line"}
		if c.HeadSeq > 0 {
			f.Why, f.Text = Truncated, fmt.Sprintf("lines up to %d were written, and then cut off or changed before this one", c.HeadSeq)
		}
		v.fault(f)
		if at.prev != v.hash {
			v.fault(Fault{v.file0, v.line, v.seq, Edited, "the next line knew another hash of it"})
		}
	case at.seq == v.seq+1:
		if at.prev != v.hash {
			v.fault(Fault{v.file0, v.line, v.seq, Edited, "the next line knew another hash of it"})
		}
	case at.seq > v.seq+1:
		if !(swallowed && at.seq == v.seq+2) {
			v.fault(Fault{file, n, at.seq, Deleted, fmt.Sprintf("events %d to %d are missing before it", v.seq+1, at.seq-1)})
			if i := len(v.report.Faults) - 1; i == len(v.missing) {
				v.missing = append(v.missing, v.seq+1)
			}
		}
	default:
		f := Fault{file, n, at.seq, Inserted, fmt.Sprintf("number %d follows %d", at.seq, v.seq)}
		for i, from := range v.missing {
			if g := &v.report.Faults[i]; from > 0 && from <= at.seq && at.seq < g.Seq { // not deleted, only late
				g.Why, f.Why = Reordered, Reordered
			}
		}
		v.fault(f)
	}
	if at.seq == v.head.seq && at.hash == v.head.hash {
		v.headSeen = true
	}
	for i, a := range v.anchors {
		v.met[i] = v.met[i] || a.Seq == at.seq && a.Hash == at.hash
	}
	v.seq, v.hash, v.file0, v.line = at.seq, at.hash, file, n
}

// flush turns unexplained broken lines into faults.
func (v *verifier) flush() {
	for _, b := range v.broken {
		v.fault(b.fault)
	}
	v.broken = v.broken[:0]
}

func (v *verifier) end(s *logSet) {
	// A torn end is the trace of a crash before the next append, unless the head confirms the line.
	if n := len(v.broken); n > 0 && (s.state == headSound || s.state == headTorn) && v.broken[n-1].fault.File == logName && v.end0 > s.head.end && v.headSeen {
		v.broken = v.broken[:n-1]
		v.report.Torn++
	}
	v.flush()
	if v.firstAt.Line > 0 && !(v.cut == v.firstRef || v.cutSeq >= v.firstAt.Seq) {
		v.fault(v.firstAt)
	}
	v.report.Head = Anchor{v.seq, v.hash}
	switch {
	case s.state == headTorn:
		v.report.Torn++
	case s.state == headBroken:
		v.fault(Fault{File: headName, Why: Unguarded, Text: "the head is damaged"})
	case s.state == headEmpty && v.seq > 1:
		v.fault(Fault{File: headName, Why: Unguarded, Text: "the head is missing"})
	case s.state == headSound && s.head.seq > v.seq:
		v.fault(Fault{logName, v.line, v.seq, Truncated, fmt.Sprintf("events %d to %d were cut off after it", v.seq+1, s.head.seq)})
	case s.state == headSound && !v.headSeen && v.report.OK():
		v.fault(Fault{logName, v.line, v.seq, Edited, fmt.Sprintf("the head has a different hash for event %d", s.head.seq)})
	case s.state == headSound && s.head.seq == v.seq && v.file0 == logName && s.head.end != v.end0 && v.report.OK() && v.report.Torn == 0:
		v.fault(Fault{logName, v.line, v.seq, Edited, "the file does not end where its head says"})
	}
	for i, a := range v.anchors {
		if !v.met[i] {
			v.fault(Fault{File: logName, Seq: a.Seq, Why: Unmatched, Text: fmt.Sprintf("the log has no event %d with the anchor's hash", a.Seq)})
		}
	}
}

// chainKind returns the kind of a line that the log wrote about itself, or "".
func chainKind(body []byte) EventKind {
	const start = `,"kind":"`
	if i := bytes.Index(body[:min(len(body), 80)], []byte(start)); i >= 0 {
		rest := body[i+len(start):]
		for _, k := range [...]EventKind{Torn, Gap, Rotate} {
			if bytes.HasPrefix(rest, []byte(k)) && len(rest) > len(k) && rest[len(k)] == '"' {
				return k
			}
		}
	}
	return ""
}
