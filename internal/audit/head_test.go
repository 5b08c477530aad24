package audit

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The head has a fixed width, however large its numbers are.
func TestHeadKeepsItsWidth(t *testing.T) {
	for _, want := range []head{{hash: zeroHash}, {1, zeroHash, 9}, {math.MaxUint64, zeroHash, math.MaxInt64}} {
		b := want.encode()
		if got, state := parseHead(b); len(b) != headLen || state != headSound || got != want {
			t.Errorf("%q is read as %+v, %v", b, got, state)
		}
	}
}

func TestTornLine(t *testing.T) {
	dir := t.TempDir()
	l := fill(t, dir, 3, Options{})
	whole := read(t, dir, logName)
	last := lines(whole)[2]
	next, _ := appendLine(nil, 4, verify(t, dir).Head.Hash, []byte(`,"kind":"decision"`))
	for _, n := range []int{1, len(next) / 2, len(next) - 2} {
		write(t, dir, logName, append(bytes.Clone(whole), next[:n]...))
		if r := verify(t, dir); !r.OK() || r.Torn != 1 {
			t.Errorf("before the repair of %d bytes: %+v", n, r)
		}
	}
	if err := l.Append(sample()); err != nil {
		t.Fatal(err)
	}
	r := verify(t, dir)
	if !r.OK() || r.Torn != 1 || r.Events != 5 {
		t.Fatalf("after the repair: %+v", r)
	}
	b := read(t, dir, logName)
	if !bytes.Contains(b, fmt.Appendf(nil, `"bytes":%d`, len(next)-2)) {
		t.Error("the size of the torn line is not on record")
	}
	// The torn line is evidence as well.
	write(t, dir, logName, bytes.Replace(b, next[:len(next)-2], next[1:len(next)-2], 1))
	if r := verify(t, dir); r.OK() {
		t.Error("an edit of the torn line is not found")
	}
	// Without its line feed only, the line counts.
	write(t, dir, logName, append(bytes.Clone(whole), next[:len(next)-1]...))
	write(t, dir, headName, head{3, hashOf(last), int64(len(whole))}.encode())
	if err := l.Append(sample()); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, dir); !r.OK() || r.Torn != 0 || r.Head.Seq != 5 {
		t.Errorf("got %+v, want five sound events and none torn", r)
	}
}

func hashOf(line []byte) string {
	at, _, _ := parseLine(bytes.TrimSuffix(line, []byte("\n")))
	return at.hash
}

// A process may die after the line and before the head.
func TestHeadBehind(t *testing.T) {
	dir := t.TempDir()
	l := fill(t, dir, 2, Options{})
	old := read(t, dir, headName)
	fill(t, dir, 1, Options{})
	write(t, dir, headName, old)
	if r := verify(t, dir); !r.OK() {
		t.Errorf("the chain does not hold: %v", r.Faults)
	}
	if err := l.Append(sample()); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, dir); !r.OK() || r.Head.Seq != 4 {
		t.Errorf("got %+v, want four sound events", r)
	}
}

// A loss of power may leave any part of the head's last write. The chain then holds, and the log
// says what happened, unless the line that the head was to name is missing.
func TestTornHead(t *testing.T) {
	logs := []struct {
		name  string
		lines int // that the old head knows
		opts  Options
	}{
		{"first line", 0, Options{}},
		{"third line", 2, Options{}},
		{"first line after a rotation", 2, Options{MaxSize: 10}},
		{"tenth line", 9, Options{}},
	}
	for _, l := range logs {
		t.Run(l.name, func(t *testing.T) {
			dir := t.TempDir()
			var old []byte
			if l.lines > 0 {
				fill(t, dir, l.lines, l.opts)
				old = read(t, dir, headName)
			}
			fill(t, dir, 1, l.opts)
			whole, log := read(t, dir, headName), read(t, dir, logName)
			for n := 1; n < headLen; n++ {
				raw := bytes.Clone(whole[:n])
				if len(old) > 0 {
					raw = append(raw, old[n:]...)
				}
				if _, state := parseHead(raw); state == headSound {
					continue // the same as one of them
				}
				write(t, dir, logName, log)
				write(t, dir, headName, raw)
				before := verify(t, dir)
				if !before.OK() || before.Torn != 1 {
					t.Fatalf("%d bytes of the head: got %+v, want a sound chain and 1 torn", n, before)
				}
				fill(t, dir, 1, Options{})
				if r := verify(t, dir); !r.OK() || r.Torn != 1 || r.Events != before.Events+2 {
					t.Fatalf("%d bytes, after an append: got %+v, want a sound chain, 1 torn and %d events", n, r, before.Events+2)
				}
				if b := read(t, dir, logName); !bytes.Contains(b, []byte(`"kind":"torn"`)) {
					t.Errorf("%d bytes: the log does not say that the head was torn:\n%s", n, b)
				}
				if l.lines == 0 || n <= headHashEnd {
					continue
				}
				// The line that the head names is gone.
				write(t, dir, headName, raw)
				write(t, dir, logName, log[:bytes.LastIndexByte(log[:len(log)-1], '\n')+1])
				if r := verify(t, dir); r.OK() {
					t.Errorf("%d bytes: the cut line was not noticed", n)
				}
			}
		})
	}
}

// A head that no write left is damaged, whatever its length.
func TestDamagedHead(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 3, Options{})
	whole := read(t, dir, headName)
	damaged := map[string][]byte{
		"half, over no older head": whole[:headLen/4],
		"longer":                   append(bytes.Clone(whole), 'x'),
		"zeros":                    make([]byte, headLen),
	}
	for _, at := range []int{0, 21, 39, 41, 100, 110, 120} {
		b := bytes.Clone(whole)
		b[at] ^= 1
		damaged[fmt.Sprintf("byte %d", at)] = b
	}
	for name, b := range damaged {
		write(t, dir, headName, b)
		if r := verify(t, dir); r.OK() || r.Faults[0].Why != Unguarded {
			t.Errorf("%s: got %+v, want the fault %q", name, r, Unguarded)
		}
	}
}

// A head that is sound may still tell of another log than this one.
func TestForeignHead(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 3, Options{})
	own, _ := parseHead(read(t, dir, headName))
	for name, h := range map[string]struct {
		head
		want Why
	}{
		"the last event, of another hash": {head{own.seq, zeroHash, own.end}, Edited},
		"an older event, of another hash": {head{own.seq - 1, zeroHash, own.end}, Edited},
		"another end":                     {head{own.seq, own.hash, own.end + 1}, Edited},
		"an event after the last":         {head{own.seq + 1, own.hash, own.end}, Truncated},
	} {
		write(t, dir, headName, h.encode())
		if r := verify(t, dir); r.OK() || r.Faults[0].Why != h.want {
			t.Errorf("%s: got %+v, want the fault %q", name, r, h.want)
		}
	}
}

func TestHeadRemoved(t *testing.T) {
	dir := t.TempDir()
	l := fill(t, dir, 5, Options{})
	if err := os.Remove(filepath.Join(dir, headName)); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, dir); r.OK() || r.Faults[0].Why != Unguarded {
		t.Errorf("got %+v, want the fault %q", r, Unguarded)
	}
	if err := l.Append(sample()); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, dir); r.OK() || r.Faults[0].Why != Unguarded {
		t.Errorf("after an append: %+v", r)
	}
}
