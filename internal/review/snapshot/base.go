package snapshot

import (
	"context"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/umpire-dev/umpire/internal/regular"
)

// base is the directory that a diff applies to. It may have the state before the change, or
// after: `git diff main` is usually made after it. In a working tree, the contents in git's
// index and in HEAD count as well, for `git diff --cached` and `git diff main...HEAD`.
//
// The base belongs to the user. The diff chooses no objects: the hashes in it are an attacker's.
type base struct {
	ctx   context.Context //nolint:containedctx // of the one diff
	dir   string
	roots []*os.Root // the directory, and the top of its working tree
	git   *gitReader // nil until needed, or if there is none
	tried bool
}

func openBase(ctx context.Context, dir string) (*base, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &base{ctx: ctx, dir: dir, roots: []*os.Root{root}}, nil
}

func (b *base) close() {
	for _, r := range b.roots {
		_ = r.Close() // opened for reading only
	}
	if b.git != nil {
		b.git.close()
	}
}

// content returns a file after the change, and the lines that the change touched. It returns false
// if the base fits neither the state before the change nor the state after it.
func (b *base) content(f *filePatch) (text string, spans []Span, ok bool) {
	for i := 0; ; i++ {
		read := b.source(i)
		if read == nil {
			return "", nil, false
		}
		now, err := read(f.new)
		after, isAfter := []Span(nil), false
		if err == nil && f.new != "" {
			after, isAfter = applied(now, f.hunks)
		}
		// Repeated lines may fit both states. Then the hash decides; it never makes a wrong base
		// fit.
		if isAfter && isBlob(now, f.newHash) {
			return now, after, true
		}
		if old, err := read(f.old); err == nil {
			if text, spans, ok = apply(old, f.hunks); ok {
				return text, spans, true
			}
		}
		if isAfter {
			return now, after, true
		}
	}
}

// isBlob reports whether git's hash of a content has this prefix.
func isBlob(text, prefix string) bool {
	if len(prefix) < 7 || strings.Trim(prefix, "0123456789abcdef") != "" {
		return false
	}
	blob := append(fmt.Appendf(nil, "blob %d\x00", len(text)), text...)
	one, two := sha1.Sum(blob), sha256.Sum256(blob) //nolint:gosec // git names objects by it
	return strings.HasPrefix(hex.EncodeToString(one[:]), prefix) || strings.HasPrefix(hex.EncodeToString(two[:]), prefix)
}

// source returns what reads the i-th version of the base's files, nil if there is none.
func (b *base) source(i int) func(string) (string, error) {
	if i > 0 && !b.tried {
		b.tried = true
		b.openGit()
	}
	if i < len(b.roots) {
		return func(p string) (string, error) { return original(b.roots[i], p) }
	}
	names := []string{":0:", "HEAD:"}
	if i -= len(b.roots); b.git == nil || i >= len(names) {
		return nil
	}
	return func(p string) (string, error) { return b.git.blobOf(b.ctx, names[i]+p) }
}

// openGit checks whether the base is a working tree. If not, there are fewer versions to compare,
// which is not an error.
func (b *base) openGit() {
	g, err := openGit(b.ctx, b.dir)
	if err != nil {
		return
	}
	b.git = g
	out, err := g.run(b.ctx, true, "rev-parse", "--path-format=absolute", "--show-toplevel")
	top := strings.TrimSuffix(string(out), "\n")
	if err != nil || top == "" {
		return
	}
	if root, err := os.OpenRoot(top); err == nil { // diffs name paths relative to the top
		b.roots = append(b.roots, root)
	}
}

// blobOf returns the content of a file in a repository's index or commit.
func (g *gitReader) blobOf(ctx context.Context, name string) (string, error) {
	out, err := g.run(ctx, true, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
	id := strings.TrimSpace(string(out))
	if err != nil || !hexName(id) {
		return "", errors.New("there is no such file")
	}
	text, err := g.run(ctx, false, "cat-file", "blob", id)
	return string(text), err
}

func original(root *os.Root, p string) (string, error) {
	p = filepath.FromSlash(p)
	info, err := root.Lstat(p)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxDiffFile {
		return "", errors.New("it is not a regular file")
	}
	f, err := root.OpenFile(p, regular.Flags, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxDiffFile))
	return string(b), err
}

// linesOf splits a text into lines, with their line endings.
func linesOf(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// same compares a line of a file with one of a diff. Git omits the CR in diffs of files that it
// checks out with CR LF.
func same(line, shown string) bool {
	line = strings.TrimSuffix(line, "\n")
	return line == shown || strings.TrimSuffix(line, "\r") == strings.TrimSuffix(shown, "\r")
}

// apply computes the new content from the old one. It returns false if the hunks do not fit.
func apply(old string, hunks []hunk) (text string, spans []Span, ok bool) {
	lines := linesOf(old)
	var b strings.Builder
	at, n := 0, 0 // number of processed lines of the old and the new file
	for i := range hunks {
		h := &hunks[i]
		start := h.oldStart - 1
		if h.oldCount == 0 {
			start++
		}
		if start < at || start > len(lines) {
			return "", nil, false
		}
		for ; at < start; at, n = at+1, n+1 {
			b.WriteString(lines[at])
		}
		spans = h.touched(spans, n)
		for i, l := range h.lines {
			kept := l[1:]
			if l[0] != '+' {
				if at >= len(lines) || !same(lines[at], l[1:]) {
					return "", nil, false
				}
				kept = strings.TrimSuffix(lines[at], "\n")
				at++
			}
			if l[0] == '-' {
				continue
			}
			n++
			b.WriteString(kept)
			if i < len(h.lines)-1 || !h.noEnd {
				b.WriteByte('\n')
			}
		}
		if h.oldNoEnd && !ends(lines, at) {
			return "", nil, false
		}
	}
	for ; at < len(lines); at++ {
		b.WriteString(lines[at])
	}
	return b.String(), spans, true
}

// applied reports whether a content is the result of the hunks, and returns the touched lines.
func applied(now string, hunks []hunk) (spans []Span, ok bool) {
	lines := linesOf(now)
	n := 0
	for i := range hunks {
		h := &hunks[i]
		start := h.newStart - 1
		if h.newCount == 0 {
			start++
		}
		if start < n || start > len(lines) {
			return nil, false
		}
		n = start
		spans = h.touched(spans, n)
		for _, l := range h.lines {
			if l[0] == '-' {
				continue
			}
			if n >= len(lines) || !same(lines[n], l[1:]) {
				return nil, false
			}
			n++
		}
		if h.noEnd && !ends(lines, n) {
			return nil, false
		}
	}
	return spans, true
}

// ends reports whether the file ends after n lines, without a newline.
func ends(lines []string, n int) bool {
	return n == len(lines) && n > 0 && !strings.HasSuffix(lines[n-1], "\n")
}
