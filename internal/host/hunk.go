package host

import (
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/umpire-dev/umpire/internal/redact"
)

// around is the number of context lines around a change.
const around = 3

// Hunk is a changed block of two texts, which can be applied separately.
type Hunk struct {
	old   []string // all lines of the old text
	edits []edit   // near each other, in order
	clean map[string]bool
}

// edit replaces lines.
type edit struct {
	at, del int // the first line to delete, from 0, and the number of lines
	add     []string
}

// Hunks returns the changed blocks of two texts, or nil if they are not readable text.
func Hunks(old, now []byte) []Hunk {
	if !text(old) || !text(now) || len(old) > maxCompared || len(now) > maxCompared {
		return nil
	}
	lines := strings.SplitAfter(string(old), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	edits := edits(string(diff.Diff("a", old, "b", now)))
	var clean map[string]bool
	if redact.Contains(string(old)) || redact.Contains(string(now)) {
		// A secret may span several lines, of which a hunk has some. Lines that survive masking the
		// complete texts can be shown.
		clean = map[string]bool{}
		for _, b := range [][]byte{old, now} {
			for l := range strings.SplitSeq(redact.Readable(string(b)), "\n") {
				clean[l] = true
			}
		}
	}
	var out []Hunk
	for i, e := range edits {
		if i > 0 && e.at-(edits[i-1].at+edits[i-1].del) <= 2*around {
			last := &out[len(out)-1]
			last.edits = append(last.edits, e)
			continue
		}
		out = append(out, Hunk{lines, []edit{e}, clean})
	}
	return out
}

// edits parses a unified diff.
func edits(unified string) (out []edit) {
	at, open := 0, false
	var last *string
	left, right := 0, 0
	for line := range strings.Lines(unified) {
		if left == 0 && right == 0 && !strings.HasPrefix(line, `\`) {
			open, last = false, nil
			if h, ok := strings.CutPrefix(line, "@@ -"); ok {
				at, left = hunk(h)
				if _, to, ok := strings.Cut(h, " +"); ok {
					_, right = hunk(to)
				}
				if left > 0 {
					at--
				}
			}
			continue
		}
		edited := func() *edit {
			if !open {
				out, open = append(out, edit{at: at}), true
			}
			return &out[len(out)-1]
		}
		switch line[0] {
		case ' ':
			at, left, right, open, last = at+1, left-1, right-1, false, nil
		case '-':
			edited().del++
			at, left, last = at+1, left-1, nil
		case '+':
			e := edited()
			e.add = append(e.add, line[1:])
			right, last = right-1, &e.add[len(e.add)-1]
		case '\\': // the previous line has no newline
			if last != nil {
				*last = strings.TrimSuffix(*last, "\n")
			}
		}
	}
	return out
}

// Split returns the single edits of a Hunk as Hunks.
func (h Hunk) Split() []Hunk {
	out := make([]Hunk, len(h.edits))
	for i, e := range h.edits {
		out[i] = Hunk{h.old, []edit{e}, h.clean}
	}
	return out
}

// String returns a Hunk as a unified diff, with secrets masked.
func (h Hunk) String() string {
	first, last := h.edits[0], h.edits[len(h.edits)-1]
	from, to := max(0, first.at-around), min(len(h.old), last.at+last.del+around)
	var b strings.Builder
	put := func(sign byte, line string) {
		text, ended := strings.CutSuffix(line, "\n")
		b.WriteByte(sign)
		b.WriteString(h.masked(text) + "\n")
		if !ended {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
	at, gone, come := from, 0, 0
	for _, e := range h.edits {
		for ; at < e.at; at++ {
			put(' ', h.old[at])
		}
		for ; at < e.at+e.del; at++ {
			put('-', h.old[at])
		}
		for _, l := range e.add {
			put('+', l)
		}
		gone, come = gone+e.del, come+len(e.add)
	}
	for ; at < to; at++ {
		put(' ', h.old[at])
	}
	n := to - from
	return "@@ -" + strconv.Itoa(from+1) + "," + strconv.Itoa(n) + " +" + strconv.Itoa(from+1) + "," + strconv.Itoa(n-gone+come) + " @@\n" + b.String()
}

func (h Hunk) masked(line string) string {
	if h.clean == nil || h.clean[line] {
		return line
	}
	const key = "-----BEGIN PRIVATE KEY-----\n" // a line of a key is a secret only within the key
	return strings.TrimPrefix(redact.Readable(key+line), key)
}

// Lines counts the added and removed lines of a Hunk.
func (h Hunk) Lines() (plus, minus int) {
	for _, e := range h.edits {
		plus, minus = plus+len(e.add), minus+e.del
	}
	return plus, minus
}

// Pick applies some of the hunks of a text, in order.
func Pick(old []byte, hunks []Hunk) []byte {
	if len(hunks) == 0 {
		return old
	}
	lines := hunks[0].old
	var b strings.Builder
	at := 0
	keep := func(to int) {
		for ; at < to; at++ {
			b.WriteString(lines[at])
		}
	}
	for _, h := range hunks {
		for _, e := range h.edits {
			keep(e.at)
			for _, l := range e.add {
				// A last line without a newline gets one if another line follows.
				if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
					b.WriteByte('\n')
				}
				b.WriteString(l)
			}
			at = e.at + e.del
		}
	}
	keep(len(lines))
	return []byte(b.String())
}
