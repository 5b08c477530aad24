package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
)

// A head is the content of audit.head: the last line, and its end.
type head struct {
	seq  uint64
	hash string
	end  int64
}

type headState uint8

const (
	headSound headState = iota
	headEmpty
	headBroken
	headTorn // a crash interrupted its last write, and the log has the line for that write
)

const (
	headHashEnd = len("umpire-audit-head 1 ") + 20 + 1 + hashLen
	headLen     = headHashEnd + 1 + 20 + 1 + 16 + 1
)

// encode encodes the head in a fixed width, so that one write replaces it in place.
func (h head) encode() []byte {
	b := append(make([]byte, 0, headLen), "umpire-audit-head 1 "...)
	b = append(appendWide(b, h.seq), ' ')
	b = append(append(b, h.hash...), ' ')
	b = append(appendWide(b, uint64(max(h.end, 0))), ' ')
	sum := sha256.Sum256(b)
	b = hex.AppendEncode(b, sum[:8])
	return append(b, '\n')
}

// appendWide appends a number in 20 digits.
func appendWide(b []byte, n uint64) []byte {
	var digits [20]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = '0' + byte(n%10)
		n /= 10
	}
	return append(b, digits[:]...)
}

// readHead returns an error if the head cannot be read. To treat it as damaged would record a gap
// that never existed, and Verify would report it from then on. raw is the content of the file.
func readHead(f handle) (h head, raw []byte, s headState, err error) {
	raw = make([]byte, headLen+1)
	n, err := f.ReadAt(raw, 0)
	if err != nil && !errors.Is(err, errShort) {
		return head{}, nil, headBroken, fmt.Errorf("read the head of the audit log: %w", err)
	}
	if n == 0 {
		return head{}, nil, headEmpty, nil
	}
	h, s = parseHead(raw[:n])
	return h, raw[:n], s, nil
}

func parseHead(b []byte) (h head, s headState) {
	if len(b) != headLen {
		return h, headBroken
	}
	fields := bytes.Fields(b)
	if len(fields) != 6 {
		return h, headBroken
	}
	var err error
	if h.seq, err = strconv.ParseUint(string(fields[2]), 10, 64); err != nil {
		return h, headBroken
	}
	if h.end, err = strconv.ParseInt(string(fields[4]), 10, 64); err != nil {
		return h, headBroken
	}
	h.hash = string(fields[3])
	if !bytes.Equal(h.encode(), b) {
		return h, headBroken
	}
	return h, headSound
}

// tornHead returns a head whose write a crash interrupted: raw begins like the head of one line in
// files and continues like that of an earlier one, which it was replacing. A head for a line that
// the files do not contain stays damaged, because that line may have been cut off.
func tornHead(raw []byte, files []logFile) (h head, torn bool, err error) {
	if len(raw) > headLen {
		return h, false, nil
	}
	replaced := 0 // how much of the end of raw belongs to an earlier head
	last := uint64(0)
	for _, f := range files[max(0, len(files)-2):] { // the earlier head may belong to the previous file
		heads, err := lastHeads(f)
		if err != nil {
			return h, false, err
		}
		for _, at := range heads {
			whole := at.encode()
			begins, ends := 0, 0
			for begins < len(raw) && raw[begins] == whole[begins] {
				begins++
			}
			for ends < len(raw) && raw[len(raw)-1-ends] == whole[headLen-1-ends] {
				ends++
			}
			// The first head of a log replaces nothing, so nothing follows.
			if len(raw) == headLen && begins+replaced >= headLen || len(raw) < headLen && begins == len(raw) && (at.seq == 1 || begins >= headHashEnd) {
				h, torn = at, true
			}
			replaced, last = max(replaced, ends), at.seq
		}
	}
	// If a head ends before its hash, it can only be for the first line.
	return h, torn && (len(raw) >= headHashEnd || last == 1), nil
}

// lastHeads returns the heads of the valid lines at the end of a file, oldest first.
func lastHeads(f logFile) ([]head, error) {
	b := make([]byte, min(f.size, maxTail))
	if _, err := f.ReadAt(b, f.size-int64(len(b))); err != nil && len(b) > 0 {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	var out []head
	end := f.size - int64(len(b))
	for line := range bytes.Lines(b) {
		end += int64(len(line))
		text, whole := bytes.CutSuffix(line, []byte("\n"))
		if at, sound, ok := parseLine(text); ok && sound && whole {
			out = append(out, head{at.seq, at.hash, end})
		}
	}
	return out, nil
}

// A tail is the end of a log file.
type tail struct {
	link
	found bool   // there is a complete, valid line
	end   int64  // its end
	torn  []byte // the data after the last line feed
}

// maxTail limits the part of a file's end that is read: the longest line, and a torn one after it.
const maxTail = 2*maxLine + maxSpill

// readTail reads the end of a log. It skips broken lines before the torn one: Verify reports them,
// and the chain must continue.
func readTail(f handle, size int64) (t tail, err error) {
	if size == 0 {
		return t, nil
	}
	for window := int64(64 << 10); ; window *= 4 {
		window = min(window, size, maxTail)
		b := make([]byte, window)
		if _, err := f.ReadAt(b, size-window); err != nil {
			return t, fmt.Errorf("read the audit log: %w", err)
		}
		nl := bytes.LastIndexByte(b, '\n')
		t.torn = b[nl+1:]
		for end := nl; end > 0; {
			start := bytes.LastIndexByte(b[:end], '\n') + 1
			if start == 0 && window < size {
				break // it begins before the window
			}
			if at, sound, ok := parseLine(b[start:end]); ok && sound {
				t.link, t.found, t.end = at, true, size-window+int64(end)+1
				return t, nil
			}
			end = start - 1
		}
		if window == size || window == maxTail {
			return t, nil
		}
	}
}

// lastLink returns the last valid line of a file.
func lastLink(sys system, dir, name string) (link, bool, error) {
	f, err := openLog(sys, dir, name)
	if err != nil {
		return link{}, false, err
	}
	defer f.Close()
	t, err := readTail(f.handle, f.size)
	return t.link, t.found, err
}
