// Package patch reads patches: which files a patch changes, and the text that it adds.
package patch

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/escape"
)

// Verb is the operation of a patch on a file.
type Verb uint8

// The operations.
const (
	Update Verb = iota
	Add
	Delete
	Move // to another path; the content may change, too
)

// File is the change of one file in a patch.
type File struct {
	Verb  Verb
	Path  string
	To    string // new path of a Move
	Added string // added lines, joined
	Gone  string // removed lines, joined

	hunks []hunk
	size  int // total size of all lines, in bytes
}

// hunk has the lines of one change with their context, before and after the change.
type hunk struct{ old, fresh []byte }

// Apply returns the text of a file after the patch, or before it if back is true. It returns false
// if a change does not fit the text; the program that applies the patch may still find a place for
// it.
func (f *File) Apply(text string, back bool) (string, bool) {
	at := 0
	for _, h := range f.hunks {
		if back {
			h.old, h.fresh = h.fresh, h.old
		}
		before, after, ok := strings.Cut(text[at:], string(h.old))
		if !ok {
			return "", false
		}
		before = text[:at] + before + string(h.fresh)
		text, at = before+after, len(before)
	}
	return text, true
}

// Bounds on one patch. Read does not read text beyond them, and reports that.
const (
	maxText  = 8 << 20
	maxFiles = 2000
	maxAdded = 256 << 10 // bytes of changes in one file
)

// Read reads a unified diff, of git or plain, or the format of apply_patch, which begins with ***
// Begin Patch. It reports whether it read the whole text.
func Read(text string) (files []File, whole bool) {
	whole = len(text) <= maxText
	text = text[:min(len(text), maxText)]
	r := reader{whole: whole}
	if strings.HasPrefix(text, "*** Begin Patch") || strings.Contains(text, "\n*** Begin Patch") {
		r.envelope(text)
		r.flush()
	}
	r.unified(text) // try both forms, because the program that applies the text may read it in the other one
	r.flush()
	return r.files, r.whole && len(r.files) > 0
}

type reader struct {
	files []File
	cur   File
	open  bool
	whole bool
}

func (r *reader) start(f File) {
	r.flush()
	r.cur, r.open = f, true
}

func (r *reader) flush() {
	if !r.open {
		return
	}
	if len(r.files) >= maxFiles {
		r.whole = false
	} else if r.cur.Path != "" {
		r.files = append(r.files, r.cur)
	}
	r.cur, r.open = File{}, false
}

// line reads a line of a hunk: + adds it, - removes it, and other lines are context.
func (r *reader) line(line string) {
	mark, text := byte(' '), line+"\n"
	if line != "" {
		mark, text = line[0], text[1:]
	}
	if r.cur.size += len(text); r.cur.size > maxAdded {
		r.whole = false
		return
	}
	if len(r.cur.hunks) == 0 {
		r.cur.hunks = append(r.cur.hunks, hunk{})
	}
	h := &r.cur.hunks[len(r.cur.hunks)-1]
	if mark != '+' {
		h.old = append(h.old, text...)
	}
	if mark != '-' {
		h.fresh = append(h.fresh, text...)
	}
	switch mark {
	case '+':
		r.cur.Added += text
	case '-':
		r.cur.Gone += text
	}
}

// envelope reads the format of apply_patch, a tool of coding agents.
func (r *reader) envelope(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		head := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(head, "*** Add File:"):
			r.start(File{Verb: Add, Path: strings.TrimSpace(head[len("*** Add File:"):])})
		case strings.HasPrefix(head, "*** Update File:"):
			r.start(File{Verb: Update, Path: strings.TrimSpace(head[len("*** Update File:"):])})
		case strings.HasPrefix(head, "*** Delete File:"):
			r.start(File{Verb: Delete, Path: strings.TrimSpace(head[len("*** Delete File:"):])})
		case strings.HasPrefix(head, "*** Move to:"):
			r.cur.Verb, r.cur.To = Move, strings.TrimSpace(head[len("*** Move to:"):])
		case head == "*** End Patch":
			r.flush()
		case strings.HasPrefix(line, "@@"):
			r.cur.hunks = append(r.cur.hunks, hunk{})
		case strings.HasPrefix(line, "+"), strings.HasPrefix(line, "-"), strings.HasPrefix(line, " "):
			r.line(line)
		}
	}
}

// unified reads the output of diff -u and git diff. It counts the lines of hunks, so that a removed
// line cannot pass for a header.
func (r *reader) unified(text string) {
	var from string
	old, fresh := 0, 0 // lines left in the hunk
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if old > 0 || fresh > 0 {
			if strings.HasPrefix(line, `\`) {
				continue
			}
			r.line(line)
			if !strings.HasPrefix(line, "-") {
				fresh--
			}
			if !strings.HasPrefix(line, "+") {
				old--
			}
			continue
		}
		switch {
		case strings.HasPrefix(line, "diff --git "):
			a, b := gitNames(line[len("diff --git "):])
			r.start(File{Path: b})
			if a != b && a != "" && b != "" {
				r.cur.Path = a
				r.cur.Verb, r.cur.To = Move, b
			}
		case strings.HasPrefix(line, "deleted file mode"):
			r.cur.Verb = Delete
		case strings.HasPrefix(line, "new file mode"):
			r.cur.Verb = Add
		case strings.HasPrefix(line, "rename from "):
			r.cur.Path, r.cur.Verb = Unquote(line[len("rename from "):]), Move
		case strings.HasPrefix(line, "rename to "):
			r.cur.To, r.cur.Verb = Unquote(line[len("rename to "):]), Move
		case strings.HasPrefix(line, "copy to "):
			r.cur.Path, r.cur.Verb = Unquote(line[len("copy to "):]), Add
		case strings.HasPrefix(line, "--- "):
			from = name(line[4:])
		case strings.HasPrefix(line, "+++ "):
			to := name(line[4:])
			// A plain diff has no earlier line that begins a file. After added lines, this header
			// begins another file, even one with the same name.
			if !r.open || r.cur.Added != "" || r.cur.Path != to && r.cur.To != to && r.cur.Path != from {
				r.start(File{Path: to})
			}
			switch {
			case to == "/dev/null":
				r.cur.Verb, r.cur.Path = Delete, from
			case from == "/dev/null":
				r.cur.Verb, r.cur.Path = Add, to
			}
		case strings.HasPrefix(line, "@@ "):
			old, fresh = counts(line)
			r.cur.hunks = append(r.cur.hunks, hunk{})
			if !r.open {
				r.whole = false
			}
		}
	}
}

// gitNames splits "a/X b/Y".
func gitNames(s string) (a, b string) {
	if strings.HasPrefix(s, `"`) {
		if i := strings.Index(s[1:], `" `); i >= 0 {
			return strip(Unquote(s[:i+2])), strip(Unquote(s[i+3:]))
		}
	}
	if i := strings.Index(s, " b/"); i >= 0 && strings.HasPrefix(s, "a/") {
		// If the name contains " b/", both halves are equal.
		if n := len(s) / 2; len(s)%2 == 1 && s[n] == ' ' && s[2:n] == s[n+3:] {
			return s[2:n], s[2:n]
		}
		return s[2:i], s[i+3:]
	}
	f := strings.Fields(s)
	if len(f) == 2 {
		return strip(f[0]), strip(f[1])
	}
	return "", ""
}

// name returns the path in a header, without the time that diff adds.
func name(s string) string {
	s, _, _ = strings.Cut(s, "\t")
	return strip(Unquote(strings.TrimSpace(s)))
}

func strip(s string) string {
	if strings.HasPrefix(s, "a/") || strings.HasPrefix(s, "b/") {
		return s[2:]
	}
	return s
}

// Unquote decodes git's quoting of unusual names. It returns other names unchanged.
func Unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	return escape.Of("git").Decode(s[1 : len(s)-1])
}

// counts returns the number of lines on each side of a hunk: @@ -1,2 +3,4 @@.
func counts(line string) (old, fresh int) {
	f := strings.Fields(line)
	if len(f) < 3 {
		return 0, 0
	}
	return count(f[1]), count(f[2])
}

func count(s string) int {
	_, n, ok := strings.Cut(s, ",")
	if !ok {
		return 1
	}
	v := 0
	for _, c := range []byte(n) {
		if c < '0' || c > '9' || v > 1<<24 {
			break
		}
		v = v*10 + int(c-'0')
	}
	return v
}
