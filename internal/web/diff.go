package web

import (
	"strconv"
	"strings"
)

// section is a part of a difference that people can fold: one file, or the text between files.
type section struct {
	Title          string // "" for text outside of a file
	Added, Removed int
	Lines          []diffLine
}

// diffLine is one line with its class: "add", "del", "hunk", "file" or "".
type diffLine struct{ Class, Text string }

// maxOpen is the limit of lines in a section that is open at first.
const maxOpen = 200

// Open reports whether a section is open at first. A folded one shows its number of lines.
func (s section) Open() bool { return len(s.Lines) <= maxOpen }

// sections parses a unified difference of the gateway into sections, without losing a line. An
// agent chooses the lines of a file, so only the numbers in a hunk's header decide where the hunk
// ends: a line such as "+++ b/other" in a hunk must not begin another file.
func sections(text string) (out []section) {
	var cur section
	end := func(title string) {
		if len(cur.Lines) > 0 {
			out = append(out, cur)
		}
		cur = section{Title: title}
	}
	put := func(class, l string) { cur.Lines = append(cur.Lines, diffLine{class, l}) }
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	gone, come := 0, 0 // old and new lines that remain in the hunk
	for i, l := range lines {
		switch {
		case gone > 0 && strings.HasPrefix(l, "-"):
			put("del", l)
			cur.Removed++
			gone--
			continue
		case come > 0 && strings.HasPrefix(l, "+"):
			put("add", l)
			cur.Added++
			come--
			continue
		case gone > 0 && come > 0 && (l == "" || strings.HasPrefix(l, " ")):
			put("", l)
			gone--
			come--
			continue
		case strings.HasPrefix(l, "\\ "):
			put("", l)
			continue
		}
		gone, come = 0, 0
		switch old, now, ok := hunk(l); {
		case ok:
			gone, come = old, now
			put("hunk", l)
		case strings.HasPrefix(l, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "):
			end(fileOf(l[4:], lines[i+1][4:]))
			put("file", l)
		case strings.HasPrefix(l, "+++ ") && len(cur.Lines) == 1 && cur.Lines[0].Class == "file":
			put("file", l)
		default:
			if cur.Title != "" {
				end("")
			}
			put("", l)
		}
	}
	end("")
	return out
}

// changes parses the difference of a setting: each line begins with its sign.
func changes(text string) (s section) {
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		class := map[byte]string{'+': "add", '-': "del"}[(l + " ")[0]]
		s.Lines = append(s.Lines, diffLine{class, l})
	}
	return s
}

// fileOf returns the name of a file from the two lines before its first hunk.
func fileOf(old, now string) string {
	if now == "/dev/null" {
		return strings.TrimPrefix(old, "a/")
	}
	return strings.TrimPrefix(now, "b/")
}

// hunk parses "@@ -1,2 +1,3 @@", and returns the numbers of old and new lines that follow.
func hunk(l string) (old, now int, ok bool) {
	rest, ok := strings.CutPrefix(l, "@@ -")
	if !ok {
		return 0, 0, false
	}
	from, rest, ok := strings.Cut(rest, " +")
	to, _, end := strings.Cut(rest, " @@")
	old, good := span(from)
	now, fine := span(to)
	return old, now, ok && end && good && fine
}

// span parses "12,3" or "12", and returns the number of lines.
func span(s string) (int, bool) {
	first, n, has := strings.Cut(s, ",")
	if _, err := strconv.ParseUint(first, 10, 31); err != nil {
		return 0, false
	}
	if !has {
		return 1, true
	}
	k, err := strconv.ParseUint(n, 10, 31)
	return int(k), err == nil //nolint:gosec // 31 bits
}
