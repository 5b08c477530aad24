package tool

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Limits of a displayed diff.
const (
	diffContext = 3
	diffLines   = 50
	maxEdits    = 2000
)

// diff returns the unified diff of two texts, and the number of lines that it removes and adds. It
// returns "" for equal texts. limit bounds its lines; 0 means no limit.
func diff(name, before, after string, isNew bool, limit int) (unified string, added, removed int) {
	if lf(before) != lf(after) { // otherwise only the line endings differ
		before, after = lf(before), lf(after)
	}
	if before == after {
		return "", 0, 0
	}
	// Skip the common prefix and suffix, which the general algorithm finds more slowly.
	skip := alike(before, after)
	edits := udiff.Lines(before[skip:], after[skip:])
	for i := range edits {
		edits[i].Start += skip
		edits[i].End += skip
	}
	if len(edits) > maxEdits { // the library counts the lines before each edit
		last := edits[len(edits)-1]
		end := len(after) - (len(before) - last.End)
		edits = []udiff.Edit{{Start: edits[0].Start, End: last.End, New: after[edits[0].Start:end]}}
	}
	name = visible.Line(name)
	from := name
	if isNew {
		from = "/dev/null"
	}
	u, err := udiff.ToUnifiedDiff(from, name, before, edits, diffContext)
	if err != nil {
		return "the difference cannot be shown: " + err.Error(), 0, 0
	}
	for _, h := range u.Hunks {
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Insert:
				added++
			case udiff.Delete:
				removed++
			case udiff.Equal:
			}
		}
	}
	return shorten(valid(u.String()), limit), added, removed
}

// alike returns the length in bytes of the common whole lines at the start of two texts.
func alike(a, b string) int {
	n := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			n = i + 1
		}
	}
	return n
}

func shorten(unified string, limit int) string {
	lines := strings.SplitAfter(unified, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if limit <= 0 || len(lines) <= limit {
		return unified
	}
	return strings.Join(lines[:limit], "") + fmt.Sprintf("... %s\n", plural.Count(len(lines)-limit, "more line"))
}
