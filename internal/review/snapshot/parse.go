package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/operation/patch"
)

// filePatch is a diff of one file.
type filePatch struct {
	old, new         string // paths as written, without a/ and b/; "" for /dev/null
	oldRaw, newRaw   string
	mode             string // mode of the new file; "" if not given
	binary, deleted  bool
	headed, marked   bool // it has a diff --git line; it has --- and +++
	disagrees        bool // its headers name different files
	hunks            []hunk
	gitOld, gitNew   string
	index            string // its name in another program's header
	newHash          string // git's hash of the new content, according to the diff
	also             string // the name that a program may use instead of new
	renamed, changed bool
}

type hunk struct {
	oldStart, oldCount int
	newStart, newCount int
	lines              []string // with their first character, without line endings
	noEnd              bool     // the new side's last line has no newline
	oldNoEnd           bool     // the old side's last line has none either
}

// diffText is a parsed diff.
type diffText struct {
	files  []*filePatch
	loose  string   // text around the files: mail headers, a commit message
	faults []string // parts that git would reject
}

const (
	maxLoose    = 1 << 20
	maxDiffFile = 64 << 20
	maxPad      = 8 << 20
)

// parseDiff reads a unified diff, from git or plain. It counts the lines of hunks, so that a
// removed line cannot pass for a header.
func parseDiff(text string) *diffText {
	d := &diffText{}
	p := diffParser{d: d}
	var loose strings.Builder
	around := strays{d: d}
	p.index = &around.index
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if p.line(line) {
			continue
		}
		if p.file != nil && strings.TrimSpace(line) != "" {
			p.end()
			p.file = nil
		}
		around.line(line)
		if loose.Len()+len(line) < maxLoose {
			loose.WriteString(line)
			loose.WriteByte('\n')
		} else {
			d.fault("the text around the diff is too long")
		}
	}
	p.end()
	d.loose = strings.TrimSpace(loose.String())
	return d
}

func (d *diffText) fault(s string) {
	if len(d.faults) < 20 {
		d.faults = append(d.faults, s)
	}
}

type diffParser struct {
	d        *diffText
	file     *filePatch
	hunk     *hunk
	old, new int // remaining lines of the hunk
	blob     bool
	index    *string // name of the next file in the line before it
}

func (p *diffParser) end() {
	if p.hunk != nil && (p.old > 0 || p.new > 0) {
		p.d.fault("a hunk ends too early")
	}
	p.hunk, p.old, p.new, p.blob = nil, 0, 0, false
	if f := p.file; f != nil {
		f.resolveNames()
	}
}

func (p *diffParser) start() *filePatch {
	p.end()
	p.file = &filePatch{}
	p.d.files = append(p.d.files, p.file)
	return p.file
}

// line parses a line and reports whether it belongs to the diff.
func (p *diffParser) line(line string) bool {
	if p.old > 0 || p.new > 0 {
		p.body(line)
		return true
	}
	if p.hunk != nil && strings.HasPrefix(line, `\`) {
		p.noEnd()
		return true
	}
	if p.blob { // part of a binary patch, which ends with an empty line
		if p.blob = line != "" && !strings.HasPrefix(line, "diff "); p.blob || line == "" {
			return true
		}
	}
	switch {
	case strings.HasPrefix(line, "diff --git "):
		f := p.start()
		f.headed = true
		f.gitOld, f.gitNew = gitNames(line[len("diff --git "):])
	case strings.HasPrefix(line, "diff --cc "), strings.HasPrefix(line, "diff --combined "), strings.HasPrefix(line, "@@@ "):
		p.d.fault("it has a combined diff: give the diff against one parent")
	case strings.HasPrefix(line, "--- "):
		if p.file == nil || p.file.marked || p.file.changed {
			p.start()
			p.file.index, *p.index = *p.index, ""
		}
		p.file.marked, p.file.oldRaw = true, headerName(line[4:])
	case strings.HasPrefix(line, "+++ ") && p.file != nil && p.file.marked && !p.file.changed:
		p.file.newRaw = headerName(line[4:])
	case strings.HasPrefix(line, "@@ "):
		p.begin(line)
	case p.file != nil && !p.file.changed:
		return p.header(line)
	default:
		return false
	}
	return true
}

func (p *diffParser) header(line string) bool {
	f := p.file
	after := func(prefix string) (string, bool) { return strings.CutPrefix(line, prefix) }
	if v, ok := after("new file mode "); ok {
		f.mode = v
	} else if v, ok := after("new mode "); ok {
		f.mode = v
	} else if v, ok := after("index "); ok {
		fields := strings.Fields(v)
		if len(fields) == 2 && f.mode == "" {
			f.mode = fields[1]
		}
		if len(fields) > 0 {
			_, f.newHash, _ = strings.Cut(fields[0], "..")
		}
	} else if strings.HasPrefix(line, "deleted file mode ") {
		f.deleted = true
	} else if v, ok := after("rename to "); ok {
		f.renamed, f.newRaw = true, "b/"+patch.Unquote(v)
	} else if v, ok := after("rename from "); ok {
		f.renamed, f.oldRaw = true, "a/"+patch.Unquote(v)
	} else if v, ok := after("copy to "); ok {
		f.renamed, f.newRaw = true, "b/"+patch.Unquote(v)
	} else if v, ok := after("copy from "); ok {
		f.renamed, f.oldRaw = true, "a/"+patch.Unquote(v)
	} else if line == "GIT binary patch" {
		f.binary, p.blob = true, true
	} else if f.binary && (strings.HasPrefix(line, "literal ") || strings.HasPrefix(line, "delta ")) { // the reverse patch
		p.blob = true
	} else if strings.HasPrefix(line, "Binary files ") && strings.HasSuffix(line, " differ") {
		f.binary = true
	} else if !strings.HasPrefix(line, "old mode ") && !strings.HasPrefix(line, "similarity index ") && !strings.HasPrefix(line, "dissimilarity index ") {
		return false
	}
	return true
}

// begin parses a hunk header: @@ -1,2 +3,4 @@.
func (p *diffParser) begin(line string) {
	if p.file == nil {
		p.d.fault("a hunk comes before any file")
		return
	}
	f := strings.Fields(line)
	var h hunk
	ok := len(f) >= 4 && f[3] == "@@"
	if ok {
		var o, n bool
		h.oldStart, h.oldCount, o = span(f[1], "-")
		h.newStart, h.newCount, n = span(f[2], "+")
		ok = o && n
	}
	if !ok {
		p.d.fault("the head of a hunk cannot be read")
		return
	}
	p.file.changed = true
	p.file.hunks = append(p.file.hunks, h)
	p.hunk = &p.file.hunks[len(p.file.hunks)-1]
	p.old, p.new = h.oldCount, h.newCount
}

func span(s, sign string) (start, count int, ok bool) {
	s, ok = strings.CutPrefix(s, sign)
	if !ok {
		return 0, 0, false
	}
	a, b, both := strings.Cut(s, ",")
	start, err := strconv.Atoi(a)
	count = 1
	if both && err == nil {
		count, err = strconv.Atoi(b)
	}
	if err != nil || start < 0 || count < 0 || start > 1<<30 || count > 1<<30 {
		return 0, 0, false
	}
	return start, count, true
}

func (p *diffParser) body(line string) {
	if line == "" || line == "\r" { // some mailers strip the space
		line = " " + line
	}
	switch line[0] {
	case '+':
		p.new--
	case '-':
		p.old--
	case ' ':
		p.old--
		p.new--
	case '\\':
		p.noEnd()
		return
	default:
		p.d.fault("a hunk ends too early")
		p.old, p.new = 0, 0
		p.hunk = nil
		return
	}
	if p.old < 0 || p.new < 0 {
		p.d.fault("a hunk has more lines than it says")
		p.old, p.new = max(p.old, 0), max(p.new, 0)
	}
	p.hunk.lines = append(p.hunk.lines, line)
}

func (p *diffParser) noEnd() {
	n := len(p.hunk.lines)
	if n == 0 {
		return
	}
	switch p.hunk.lines[n-1][0] {
	case '-':
		p.hunk.oldNoEnd = true
	case '+':
		p.hunk.noEnd = true
	default:
		p.hunk.oldNoEnd, p.hunk.noEnd = true, true
	}
}

// resolveNames determines the file of the patch.
func (f *filePatch) resolveNames() {
	if !f.marked && !f.renamed {
		f.oldRaw, f.newRaw = f.gitOld, f.gitNew
		if f.deleted {
			f.newRaw = "/dev/null"
		}
	}
	oldPrefix, newPrefix := prefixes(f.oldRaw, f.newRaw)
	if f.headed && f.gitOld != "" {
		oldPrefix, newPrefix = prefixes(f.gitOld, f.gitNew)
	}
	f.old, f.new = strip(f.oldRaw, oldPrefix), strip(f.newRaw, newPrefix)
	if f.new == "" && f.old != "" {
		f.deleted = true
	}
	switch {
	case f.headed && f.marked:
		f.disagrees = f.new != "" && f.gitNew != "" && strip(f.gitNew, newPrefix) != f.new || f.old != "" && f.gitOld != "" && strip(f.gitOld, oldPrefix) != f.old
	case f.headed: // git labels the names
	case f.old != "" && f.new != "" && f.old != f.new:
		if slices.Contains(copies, strings.TrimPrefix(f.old, f.new)) {
			break
		}
		f.also = f.old // patch uses the name that exists
		_, o, _ := strings.Cut(f.old, "/")
		_, n, _ := strings.Cut(f.new, "/")
		f.disagrees = o == "" || o != n // otherwise folders were compared
	}
	if f.index != "" && f.index != f.new && f.index != f.old && f.index != f.newRaw {
		f.disagrees = true // this one, too, if the others are missing
	}
}

// copies are the suffixes that people add to the name of an original.
var copies = []string{"", ".orig", ".old", ".bak", "~"}

// prefixes are the prefixes in git's diffs: a/ and b/, or letters for the compared versions.
func prefixes(old, new string) (string, string) {
	letter := func(s string) bool { return len(s) > 1 && s[1] == '/' && strings.IndexByte("ciow", s[0]) >= 0 }
	if letter(old) && letter(new) && old[0] != new[0] {
		return old[:2], new[:2]
	}
	return "a/", "b/"
}

func strip(s, prefix string) string {
	if s == "/dev/null" {
		return ""
	}
	return strings.TrimPrefix(s, prefix)
}

// gitNames splits "a/X b/Y". If there are several ways and the halves differ, the other lines
// decide.
func gitNames(s string) (a, b string) {
	if strings.HasPrefix(s, `"`) {
		if i := strings.Index(s[1:], `" `); i >= 0 {
			return patch.Unquote(s[:i+2]), patch.Unquote(s[i+3:])
		}
	}
	if n := len(s) / 2; len(s)%2 == 1 && s[n] == ' ' && len(s) > 4 && s[1:n] == s[n+2:] {
		return s[:n], s[n+1:]
	}
	if i := strings.Index(s, " b/"); i >= 0 && strings.Count(s, " b/") == 1 {
		return s[:i], patch.Unquote(s[i+1:])
	}
	if f := strings.Fields(s); len(f) == 2 {
		return f[0], f[1]
	}
	return "", ""
}

// headerName returns the path in a header, without the time that diff adds.
func headerName(s string) string {
	s = strings.TrimRight(s, "\r")
	if strings.HasPrefix(s, `"`) {
		if i := strings.LastIndexByte(s, '"'); i > 0 {
			return patch.Unquote(s[:i+1])
		}
	}
	s, _, _ = strings.Cut(s, "\t")
	return s
}
