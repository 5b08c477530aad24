package host

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits on the displayed text, in bytes.
const (
	maxCompared = 1 << 20 // of a file to compare line by line
	maxDiffFile = 64 << 10
	maxDiff     = 192 << 10
)

// Diff describes a bound set for people: each change and its diff, with secrets masked. It has a
// readable length and reports omissions; rest names the place of the full text. Escape the result
// with visible.Block: it may contain control and hidden characters.
func (t *Tree) Diff(set []Change, rest string) (string, error) {
	var b strings.Builder
	for i := range set {
		text, err := t.diff(&set[i], rest)
		if err != nil {
			return "", err
		}
		if b.Len()+len(text) > maxDiff {
			fmt.Fprintf(&b, "[umpire: changes not shown: %d: %s]\n", len(set)-i, rest)
			break
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// Whole is like Diff for one change, without omissions.
func (t *Tree) Whole(c *Change) (string, error) { return t.diff(c, "") }

// diff describes a change, completely if rest is empty.
func (t *Tree) diff(c *Change, rest string) (string, error) {
	name := visible.Line(c.Path)
	var b strings.Builder
	switch c.Op {
	case Delete:
		if c.Base.Kind != File {
			return fmt.Sprintf("delete the %s %s\n", c.Base.Kind, name), nil
		}
	case Move:
		return fmt.Sprintf("move %s to %s\n", visible.Line(c.From), name), nil
	case Chmod:
		return fmt.Sprintf("chmod %s from %#o to %#o\n", name, c.Base.Mode, c.Mode), nil
	case Link:
		return fmt.Sprintf("link %s to %s%s\n", name, visible.Line(c.Target), instead(c.Base)), nil
	case Mkdir:
		return fmt.Sprintf("make the folder %s\n", name), nil
	}
	var old []byte
	if c.Base.Kind == File {
		var now FileState
		var err error
		if old, now, err = t.Read(c.Path); err != nil {
			return "", err
		}
		if now != c.Base {
			return "", conflict(c.Path)
		}
	}
	from, to := "a/"+name, "b/"+name
	switch {
	case c.Op == Delete:
		fmt.Fprintf(&b, "delete %s\n", name)
		to = "/dev/null"
	case c.Base.Kind == Absent:
		fmt.Fprintf(&b, "write %s, a new file of %d bytes%s\n", name, len(c.Content), modes(0o644, c.mode()))
		from = "/dev/null"
	default:
		fmt.Fprintf(&b, "write %s%s%s\n", name, instead(c.Base), modes(c.Base.Mode, c.mode()))
	}
	switch {
	case rest == "":
		b.WriteString(Compare(from, old, to, c.Content))
	case len(old) > maxCompared || len(c.Content) > maxCompared: // the comparison would take long, and an agent may request it
		fmt.Fprintf(&b, "[umpire: %d bytes become %d, which is too much to show here: %s]\n", len(old), len(c.Content), rest)
	default:
		text, _ := Cut(Compare(from, old, to, c.Content), rest)
		b.WriteString(text)
	}
	return b.String(), nil
}

func instead(base FileState) string {
	if base.Kind == Symlink {
		return ", instead of the symbolic link to " + visible.Line(base.Target)
	}
	return ""
}

func modes(old, now uint32) string {
	if old == now {
		return ""
	}
	return fmt.Sprintf(", mode %#o", now)
}

// Compare returns the unified diff of two contents, with secrets masked.
func Compare(from string, old []byte, to string, now []byte) string {
	switch {
	case bytes.Equal(old, now):
		return ""
	case !text(old) || !text(now):
		return fmt.Sprintf("no text: %d bytes become %d, sha256 %s\n", len(old), len(now), sum(now))
	}
	// Mask before comparing: a secret may span several lines.
	a, b := redact.Readable(string(old)), redact.Readable(string(now))
	if a == b {
		return "the difference is within what is masked as a secret\n"
	}
	out := string(diff.Diff(from, []byte(a), to, []byte(b)))
	if _, rest, ok := strings.Cut(out, "\n"); ok { // drop the header "diff from to"
		out = rest
	}
	return out
}

// Cut shortens a diff to a readable length and reports whether it did. The last line then says so,
// and rest names the place of the full text.
func Cut(text, rest string) (string, bool) {
	if len(text) <= maxDiffFile {
		return text, false
	}
	end := cmp.Or(strings.LastIndexByte(text[:maxDiffFile], '\n')+1, maxDiffFile)
	shown := strings.TrimSuffix(strings.ToValidUTF8(text[:end], ""), "\n")
	return fmt.Sprintf("%s\n[umpire: %d bytes of this difference are not shown: %s]\n", shown, len(text)-end, rest), true
}

// text reports whether a content is readable text.
func text(b []byte) bool { return !bytes.ContainsRune(b, 0) && utf8.Valid(b) }
