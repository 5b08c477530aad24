package question

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/umpire-dev/umpire"
)

// Limits of the files that an approval is bound to.
const (
	maxFiles = 50
	maxSum   = 64 << 20 // bytes of all files; beyond, a file is identified by its size and time
)

// Files returns the current contents of the files that a call would run or read, for its Files
// field.
// `bash x.sh` is another call if x.sh changes. opened are the files that the reading opened, with
// their contents, nil for those that could not be read.
//
// Names that are known only at run time are not included.
func Files(a *umpire.Action, ops []umpire.Operation, opened map[string][]byte) []umpire.File {
	paths := make([]string, 0, len(opened))
	var leads []umpire.File
	for p := range opened {
		paths = append(paths, p)
	}
	for _, op := range ops {
		if op.Traits&(umpire.Remote|umpire.Container) != 0 {
			continue
		}
		if n := len(op.Via); n > 0 && strings.HasPrefix(op.Via[n-1], "link ") { // the approval covers the current target
			leads = append(leads, umpire.File{Path: op.Resource, Sum: op.Via[n-1]})
		}
		p := ""
		switch op.Kind {
		case umpire.Read:
			p = op.Resource
		case umpire.Exec: // a program that is named by a path, as scripts are
			if word, _, _ := strings.Cut(op.Source, " "); strings.Contains(word, "/") && !strings.ContainsAny(word, `'"\$`) {
				p = word
			}
		}
		if p == "" || strings.Contains(p, umpire.Hole) || strings.ContainsAny(p, "*?[\n") {
			continue
		}
		if !filepath.IsAbs(p) {
			p = filepath.Join(a.Dir, p)
		}
		paths = append(paths, filepath.Clean(p))
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	var out []umpire.File
	left := int64(maxSum)
	for _, p := range paths[:min(len(paths), maxFiles)] {
		seen, looked := opened[p]
		sum := sumOf(p, &left)
		if looked && seen != nil {
			if then := sha256.Sum256(seen); sum != hex.EncodeToString(then[:]) {
				sum = "changed while it was judged " + rand.Text() // no approval can match that
			}
		}
		if sum != "" {
			out = append(out, umpire.File{Path: p, Sum: sum})
		}
	}
	if len(paths) > maxFiles {
		rest, unread := sha256.New(), int64(0)
		for _, p := range paths[maxFiles:] {
			fmt.Fprintf(rest, "%q %s\n", p, sumOf(p, &unread))
		}
		out = append(out, umpire.File{Path: fmt.Sprintf("and %d more", len(paths)-maxFiles), Sum: "by size and time: " + hex.EncodeToString(rest.Sum(nil))})
	}
	out = append(out, leads[:min(len(leads), maxFiles)]...)
	if len(leads) > maxFiles {
		out = append(out, umpire.File{Path: fmt.Sprintf("and %d more links", len(leads)-maxFiles), Sum: "not looked at " + rand.Text()}) // no approval can match that
	}
	slices.SortFunc(out, func(x, y umpire.File) int { return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Sum, y.Sum)) })
	out = slices.Compact(out)
	return out
}

// sumOf returns the hash of a file's content, or "" for anything but a file, such as a folder.
func sumOf(path string, left *int64) string {
	// Opening a pipe in its place would block.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "missing"
	}
	if err != nil {
		return "unreadable"
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "unreadable"
	}
	if !info.Mode().IsRegular() {
		return ""
	}
	if info.Size() > *left {
		return fmt.Sprintf("large: %d bytes of %s", info.Size(), info.ModTime().UTC().Format("2006-01-02 15:04:05.000000000"))
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, *left))
	if *left -= n; err != nil {
		return "unreadable"
	}
	return hex.EncodeToString(h.Sum(nil))
}
