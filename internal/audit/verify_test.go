package audit

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// A log of today, before the first release, stays whole, readable and open for new events. Its files come from the
// hook of 199ad096. The release writes them anew, once: users keep theirs for years.
func TestLogOfTheFirstRelease(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{logName, headName} {
		write(t, dir, name, read(t, filepath.Join("testdata", "first"), name))
	}
	r := verify(t, dir)
	if !r.OK() || r.Events != 3 || r.Head.Hash != "0959de7806a6208f58315751fd117f98775c2c85f7de2aa282c206210f8f8d98" {
		t.Fatalf("got %+v, want the three events of the first release", r)
	}
	all := lines(read(t, dir, logName))
	var e Event
	if err := json.Unmarshal(all[len(all)-1], &e); err != nil {
		t.Fatal(err)
	}
	if e.Seq != 3 || e.Time.Year() != 2026 || e.Kind != "decision" || e.Principal.Platform != "claude" || e.Dir != "/home/dev/shop" || e.Effect != "deny" || len(e.Ops) != 4 ||
		e.Ops[1].Resource != "GET example.com:443/x.sh" || e.Ops[3].Traits != umpire.RemoteCode|umpire.UnseenCode || len(e.Reasons) != 1 || e.Reasons[0].Rule != "remote-code" || e.Reasons[0].Op != 3 {
		t.Errorf("read back %+v", e)
	}
	fill(t, dir, 2, Options{})
	if after := verify(t, dir, r.Head); !after.OK() || after.Events != 5 {
		t.Errorf("got %+v, want five sound events", after)
	}
}

func TestVerifyNamesTheFault(t *testing.T) {
	forged := func(seq uint64, prev string) []byte {
		b, _ := appendLine(nil, seq, prev, []byte(`,"kind":"decision"`))
		return b
	}
	for name, c := range map[string]struct {
		change func(l [][]byte) [][]byte
		why    Why
		line   int
		says   string
	}{
		"edited":    {func(l [][]byte) [][]byte { l[4] = bytes.Replace(l[4], []byte("Bash"), []byte("Bush"), 1); return l }, Edited, 5, "the line does not have the hash it says"},
		"deleted":   {func(l [][]byte) [][]byte { return append(l[:4:4], l[5:]...) }, Deleted, 5, "events 5 to 5 are missing"},
		"first":     {func(l [][]byte) [][]byte { return l[1:] }, Deleted, 1, "the log does not begin here"},
		"inserted":  {func(l [][]byte) [][]byte { return append(append(l[:4:4], l[3]), l[4:]...) }, Inserted, 5, "number 4 follows 4"},
		"reordered": {func(l [][]byte) [][]byte { l[4], l[5] = l[5], l[4]; return l }, Reordered, 5, ""},
		"truncated": {func(l [][]byte) [][]byte { return l[:7] }, Truncated, 7, ""},
		"rewritten": {func(l [][]byte) [][]byte {
			at, _, _ := parseLine(l[3][:len(l[3])-1])
			l[4] = forged(5, at.hash)
			return l
		}, Edited, 5, "the next line knew another hash of it"},
		"last rewritten": {func(l [][]byte) [][]byte {
			at, _, _ := parseLine(l[8][:len(l[8])-1])
			l[9] = forged(10, at.hash)
			return l
		}, Edited, 10, ""},
		"garbage": {func(l [][]byte) [][]byte { l[2] = []byte("{}\n"); return l }, Edited, 3, "this is not a line of the log"},
		"emptied": {func([][]byte) [][]byte { return nil }, Truncated, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l := fill(t, dir, 10, Options{})
			write(t, dir, logName, bytes.Join(c.change(lines(read(t, dir, logName))), nil))
			r := verify(t, dir)
			if r.OK() || r.Faults[0].Why != c.why || r.Faults[0].Line != c.line || !strings.Contains(r.Faults[0].Text, c.says) {
				t.Fatalf("found %+v, want %s in line %d, and %q", r.Faults, c.why, c.line, c.says)
			}
			// Appended text hides no earlier finding.
			if err := l.Append(sample(), sample()); err != nil {
				t.Fatal(err)
			}
			if r := verify(t, dir); r.OK() {
				t.Error("the next append hid it")
			}
		})
	}
}

func TestVerifyFindsEveryByte(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 3, Options{})
	for _, name := range []string{logName, headName} {
		b := read(t, dir, name)
		for i := range b {
			for _, x := range []byte{1, 0x20, 0x80, b[i] ^ '\n'} {
				if x == 0 {
					continue
				}
				b[i] ^= x
				write(t, dir, name, b)
				if r := verify(t, dir); r.OK() && r.Torn == 0 { // the last byte of the head may be one that a torn write left
					t.Fatalf("%s: byte %d changed from %q to %q is not found", name, i, b[i]^x, b[i])
				}
				b[i] ^= x
			}
		}
		write(t, dir, name, b)
	}
	if r := verify(t, dir); !r.OK() {
		t.Fatalf("the chain does not hold: %v", r.Faults)
	}
}

func TestAnchor(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 3, Options{})
	at := verify(t, dir).Head
	fill(t, dir, 3, Options{})
	if r := verify(t, dir, at); !r.OK() {
		t.Errorf("the chain does not hold: %v", r.Faults)
	}
	// A whole new history is sound in itself; only the anchor knows better.
	other := t.TempDir()
	fill(t, other, 6, Options{})
	if r := verify(t, other, at); r.OK() || r.Faults[0].Why != Unmatched {
		t.Errorf("got %+v, want the fault %q", r, Unmatched)
	}
}

func FuzzVerify(f *testing.F) {
	dir := f.TempDir()
	fill(f, dir, 3, Options{})
	sound := read(f, dir, logName)
	f.Add(sound, 3, byte('x'))
	f.Add([]byte("{}\n"), 0, byte('\n'))
	headBytes := read(f, dir, headName)
	f.Fuzz(func(t *testing.T, b []byte, at int, c byte) {
		dir := t.TempDir()
		write(t, dir, headName, headBytes)
		write(t, dir, logName, b)
		if r := verify(t, dir); r.OK() && !bytes.HasPrefix(b, sound) {
			t.Fatalf("passes as sound: %q", b)
		}
		if at >= 0 && at < len(sound) && sound[at] != c {
			e := bytes.Clone(sound)
			e[at] = c
			write(t, dir, logName, e)
			if verify(t, dir).OK() {
				t.Fatalf("byte %d as %q is not found", at, c)
			}
		}
		if err := Append(dir, sample()); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir, 2000, Options{})
	st, err := os.Stat(filepath.Join(dir, logName))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(st.Size())
	for b.Loop() {
		verify(b, dir)
	}
}
