package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// A head is what audit.head says: the last line, and where it ends.
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
)

const headLen = len("umpire-audit-head 1 ") + 20 + 1 + hashLen + 1 + 20 + 1 + 16 + 1

// encode writes the head in a fixed width, so that it is replaced by one write in place.
func (h head) encode() []byte {
	b := append(make([]byte, 0, headLen), "umpire-audit-head 1 "...)
	b = append(appendWide(b, h.seq), ' ')
	b = append(append(b, h.hash...), ' ')
	b = append(appendWide(b, uint64(max(h.end, 0))), ' ')
	sum := sha256.Sum256(b)
	b = hex.AppendEncode(b, sum[:8])
	return append(b, '\n')
}

// appendWide writes a number in 20 digits.
func appendWide(b []byte, n uint64) []byte {
	var digits [20]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = '0' + byte(n%10)
		n /= 10
	}
	return append(b, digits[:]...)
}

// readHead fails if the head cannot be read: to take it for damaged would put a gap on record
// that never was, and that Verify would report from then on.
func readHead(f handle) (head, headState, error) {
	var buf [headLen + 1]byte
	n, err := f.ReadAt(buf[:], 0)
	if err != nil && !errors.Is(err, errShort) {
		return head{}, headBroken, fmt.Errorf("read the head of the audit log: %w", err)
	}
	if n == 0 {
		return head{}, headEmpty, nil
	}
	h, state := parseHead(buf[:n])
	return h, state, nil
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

// A tail is the end of a log file.
type tail struct {
	link
	found bool   // there is a whole, sound line
	end   int64  // where it ends
	torn  []byte // what follows the last line feed
}

// maxTail is how far back the end of a file is looked at: the longest line, and a torn one after it.
const maxTail = 2*maxLine + maxSpill

// readTail reads the end of a log. Broken lines before the torn one are passed
// over: Verify shows them, and the chain must go on.
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
				break // its beginning lies before the window
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

// lastLink returns the last sound line of a file.
func lastLink(sys system, path string) (link, bool, error) {
	f, err := sys.open(path, os.O_RDONLY)
	if err != nil {
		return link{}, false, err
	}
	defer f.Close()
	size, err := f.size()
	if err != nil {
		return link{}, false, err
	}
	t, err := readTail(f, size)
	return t.link, t.found, err
}
