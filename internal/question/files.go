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
	maxFiles  = 1000
	maxListed = 50       // that a question lists
	maxSum    = 64 << 20 // bytes of all files
)

// Missing is the sum of a file that does not exist.
const Missing = "missing"

// unbound begins the sum of files beyond the limits. A random text follows, so that no approval can
// match it: an agent can give other content the same size and time.
const unbound = "beyond the limits, not bound: "

// Unbound reports whether no approval can cover a file, because it is beyond the limits.
func Unbound(f umpire.File) bool { return strings.HasPrefix(f.Sum, unbound) }

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
		if looked && seen != nil && !strings.HasPrefix(sum, unbound) {
			if then := sha256.Sum256(seen); sum != hex.EncodeToString(then[:]) {
				sum = "changed while it was judged " + rand.Text() // no approval can match that
			}
		}
		if sum != "" {
			out = append(out, umpire.File{Path: p, Sum: sum})
		}
	}
	out = append(out, leads[:min(len(leads), maxFiles)]...)
	for what, n := range map[string]int{"files": len(paths) - maxFiles, "links": len(leads) - maxFiles} {
		if n > 0 {
			out = append(out, umpire.File{Path: fmt.Sprintf("and %d more %s", n, what), Sum: unbound + rand.Text()})
		}
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
		return Missing
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
		return unbound + rand.Text()
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, *left))
	if *left -= n; err != nil {
		return "unreadable"
	}
	return hex.EncodeToString(h.Sum(nil))
}
