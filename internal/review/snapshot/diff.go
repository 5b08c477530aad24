package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// around is the folder in a snapshot for the change itself and its texts: title, message, diff.
const around = "@review"

// unfit is the reason why a review of a diff with a base is incomplete.
const unfit = "the diff does not fit the base: give --base the directory it was made for, before or after the change, or review its commits as BASE..HEAD"

// FromDiff freezes the added and changed files of a diff, each at its path. With base, the
// directory that the diff applies to, files are complete. Without it, they contain only the lines
// of the diff, at their line numbers.
func FromDiff(ctx context.Context, parent, name string, diff io.Reader, base string) (*Snapshot, error) {
	text, err := readAll(ctx, io.LimitReader(diff, maxDiffFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxDiffFile {
		return nil, fmt.Errorf("the diff is larger than %d MiB: review it in parts", maxDiffFile>>20)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = nil
	}
	d := parseDiff(string(text))
	switch {
	case len(d.files) > 0 || len(text) == 0:
	case bytes.Contains(text, []byte("\x1b[")):
		return nil, errors.New("the diff has colors: make it with git diff --no-color")
	default:
		return nil, errors.New("it is not a unified diff: make one with git diff")
	}
	b, err := build(parent, Target{Kind: "diff", Name: name})
	if err != nil {
		return nil, err
	}
	c := change{builder: b, pad: maxPad}
	if base != "" {
		if c.base, err = openBase(ctx, base); err != nil {
			return nil, b.abandon(err)
		}
		defer c.base.close()
	}
	for _, f := range d.faults {
		b.fault(DiffMalformed, "", f)
		b.incomplete("the diff is malformed")
	}
	for _, f := range d.files {
		if err := ctx.Err(); err != nil {
			return nil, b.abandon(err)
		}
		if err := c.file(f); err != nil {
			return nil, b.abandon(err)
		}
	}
	c.belowLinks()
	err = b.text(around+"/around.txt", d.loose)
	if err == nil {
		err = b.diff(string(text))
	}
	if err != nil {
		return nil, b.abandon(err)
	}
	return b.finish()
}

// readAll reads everything, or stops when ctx ends: a pipe without a writer would block forever. A
// read in progress ends with the reader.
func readAll(ctx context.Context, r io.Reader) (b []byte, err error) {
	done := make(chan struct{})
	var text []byte
	var fault error
	go func() {
		defer close(done)
		text, fault = io.ReadAll(r)
	}()
	select {
	case <-done:
		return text, fault
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// diff adds the change itself.
func (b *builder) diff(text string) error {
	return b.add(File{Path: around + "/change.diff", Kind: Change, Size: int64(len(text))}, strings.NewReader(text))
}

type change struct {
	*builder
	base *base // nil for none
	pad  int   // empty lines that may still be inserted between hunks
}

// relativePath returns a path relative to the tree, and any fault in it.
func relativePath(p string) (clean, kind, detail string) {
	switch {
	case strings.HasPrefix(p, "/dev/") || strings.HasPrefix(p, "//./") || strings.HasPrefix(p, `\\.\`) || device(p):
		kind, detail = DiffDevice, "it names a device"
	case strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`) || drive(p):
		kind, detail = DiffEscape, "its path is absolute"
	case slices.Contains(strings.FieldsFunc(p, separator), ".."): // also with Windows separators
		kind, detail = DiffEscape, "its path leads up"
	case strings.Contains(p, ":$"):
		kind, detail = DiffDevice, "it names a stream of a file or folder"
	case strings.HasPrefix(p, "~"):
		kind, detail = DiffEscape, "its path begins with a home folder"
	}
	var parts []string
	for _, s := range strings.Split(p, "/") {
		switch {
		case s == "" || s == ".":
			if kind == "" {
				kind, detail = DiffMalformed, "its path is not clean"
			}
			continue
		case s == "..":
			s = "__"
		case gitsOwn(s):
			if kind == "" {
				kind, detail = DiffEscape, "its path is in git's own folder"
			}
		case strings.Contains(s, `\`) && kind == "":
			kind, detail = DiffMalformed, "its path has a backslash"
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return "nameless", DiffMalformed, "it has no name"
	}
	if parts[0] == around {
		parts[0] += "-not"
	}
	return strings.Join(parts, "/"), kind, detail
}

func separator(r rune) bool { return r == '/' || r == '\\' }

// drive reports whether a path begins with a Windows drive, including "C:x".
func drive(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z') && (separator(rune(p[2])) || !strings.Contains(p[2:], ":") && p[0] < 'a')
}

func (c *change) file(f *filePatch) error {
	if f.old != "" && f.old != f.new && f.new != "" { // programs read that file, or use its name
		if p, kind, detail := relativePath(f.old); kind != "" {
			c.fault(kind, p, detail)
		}
	}
	raw := f.new
	if f.deleted || raw == "" {
		raw = f.old
	}
	p, kind, detail := relativePath(raw)
	if kind != "" {
		c.fault(kind, p, detail)
	}
	if f.disagrees {
		c.fault(DiffMalformed, p, "its headers name different files")
		c.incomplete("the diff is malformed")
	}
	if f.deleted {
		return nil
	}
	out := File{Path: p, Kind: Regular, Executable: f.mode == "100755", Partial: f.old != "" && !f.renamed} // at another path, old content can have another meaning
	switch f.mode {
	case "120000":
		out.Kind = Symlink
		c.fault(NewSymlink, p, "")
	case "160000":
		c.fault(Submodule, p, "")
		return nil
	case "", "100644", "100755", "100664":
	default:
		c.fault(DiffMalformed, p, "its mode is not a git mode")
	}
	switch {
	case f.binary && len(f.hunks) > 0: // some programs apply the hunks all the same
		c.fault(DiffMalformed, p, "it is marked as binary, but has lines")
	case f.binary: // an attributes file in the change can mark any file as binary
		out.Path, out.Binary, out.Why = c.claim(p), true, "it is binary, and its content is not in the diff"
		c.s.Files = append(c.s.Files, out)
		c.incomplete("not every file was reviewed: the diff leaves out the content of some; review the range, or make it with git diff --text")
		return nil
	case len(f.hunks) == 0 && c.base == nil && f.renamed:
		c.skip(p, Moved, 0)
		return nil
	case len(f.hunks) == 0 && c.base == nil: // only the mode changed, or the file is empty
		return nil
	}
	var text string
	var spans []Span
	ok := false
	if c.base != nil && f.old != "" && kind == "" && out.Kind == Regular {
		if text, spans, ok = c.base.content(f); !ok {
			c.fault(DiffMismatch, p, "")
			c.incomplete(unfit)
		}
	}
	if !ok {
		text, spans, ok = place(f.hunks, &c.pad)
		if !ok {
			c.fault(DiffMalformed, p, "its hunks have no order")
			c.incomplete("the diff is malformed")
		}
	}
	if out.Kind == Symlink {
		text = strings.TrimSuffix(text, "\n")
	}
	out.Changed, out.Size = spans, int64(len(text))
	if err := c.add(out, strings.NewReader(text)); err != nil || f.also == "" {
		return err
	}
	p, kind, detail = relativePath(f.also)
	if kind != "" {
		c.fault(kind, p, detail)
	}
	out.Path = p
	return c.add(out, strings.NewReader(text))
}

// belowLinks reports files below a link of the change or of the base: programs that apply the
// change may follow the link.
func (c *change) belowLinks() {
	links := map[string]bool{}
	for i := range c.s.Files {
		if c.s.Files[i].Kind == Symlink {
			links[folded(c.s.Files[i].Path)] = true
		}
	}
	for i := range c.s.Files {
		p := c.s.Files[i].Path
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			link := links[folded(dir)]
			if c.base != nil && !link {
				info, err := c.base.roots[0].Lstat(filepath.FromSlash(dir))
				link = err == nil && info.Mode()&os.ModeSymlink != 0
			}
			if link {
				c.fault(DiffEscape, p, "a folder of its path is a link")
				break
			}
		}
	}
}

// place puts the new side of hunks at its line numbers, with empty lines between. If that takes too
// many lines, the hunks follow one another.
func place(hunks []hunk, pad *int) (text string, spans []Span, ok bool) {
	var b strings.Builder
	n, ok := 0, true
	for _, h := range hunks {
		start := h.newStart - 1
		if h.newCount == 0 {
			start++
		}
		if start-n > *pad {
			ok = false
			start = n
		}
		if start < n {
			ok = ok && len(h.lines) == 0
			start = n
		}
		*pad -= start - n
		for ; n < start; n++ {
			b.WriteByte('\n')
		}
		spans = h.touched(spans, n)
		for i, l := range h.lines {
			if l[0] == '-' {
				continue
			}
			n++
			b.WriteString(l[1:])
			if i < len(h.lines)-1 || !h.noEnd {
				b.WriteByte('\n')
			}
		}
	}
	return b.String(), spans, ok
}

// touched adds the lines that a hunk adds, and those around a removal. n is the number of lines
// before the hunk.
func (h *hunk) touched(spans []Span, n int) []Span {
	for i := 0; i < len(h.lines); {
		removed, added := 0, 0
		for ; i < len(h.lines) && h.lines[i][0] != ' '; i++ {
			if h.lines[i][0] == '-' {
				removed++
			} else {
				added++
			}
		}
		switch {
		case added > 0:
			spans = touch(spans, n+1, n+added)
		case removed > 0:
			spans = touch(spans, max(n, 1), n+1)
		default:
			i++
			n++
		}
		n += added
	}
	return spans
}

// touch adds lines to those that a change touched.
func touch(spans []Span, first, last int) []Span {
	if n := len(spans); n > 0 && first <= spans[n-1].Last+1 {
		spans[n-1].Last = max(spans[n-1].Last, last)
		return spans
	}
	return append(spans, Span{first, last})
}
