package inject

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Segment is a part of a tool output that is judged and replaced separately.
type Segment struct {
	Start, End int // bytes of the output
	Text       string
	Block      int  // segments of the same block are adjacent, such as the sentences of a line
	Hidden     bool // a reader would not see it: a comment in markup, or an element that is not displayed
	Aside      int  // the same number, above zero, for all of one comment or hidden element
	Prose      bool // it does not look like code
	Literal    bool // it is a string in code, such as a test, a prompt or a message
	Carrier    Carrier

	pos []int32 // for each byte of Text, its offset in the output; nil if Text is output[Start:End]
}

// At returns the range of the output that Text[i:j] comes from.
func (s *Segment) At(i, j int) (int, int) {
	if s.pos == nil {
		return s.Start + i, s.Start + j
	}
	end := s.End
	if j < len(s.pos) {
		end = int(s.pos[j])
	}
	if i >= len(s.pos) {
		return end, end
	}
	return int(s.pos[i]), end
}

// Segments splits an output into parts that are judged separately: sentences, comments, values of
// JSON, cells of tables, and the text, attributes and comments of markup.
func Segments(s string) []Segment {
	sp := splitter{out: make([]Segment, 0, 16+len(s)/64), carrier: carrierOf(s)}
	trimmed := strings.TrimLeft(s, " \t\r\n")
	if trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[') {
		if json.Valid([]byte(s)) || lines(trimmed) {
			sp.json(s, 0)
			return sp.out
		}
	}
	for _, w := range [...]string{"assert", "def test", "expect(", "func Test", "describe("} {
		sp.tests = sp.tests || strings.Contains(s, w)
	}
	sp.text(s, 0, nil)
	return sp.out
}

// lines reports whether s is JSON Lines.
func lines(s string) bool {
	n := 0
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if l[0] != '{' && l[0] != '[' || !json.Valid([]byte(l)) {
			return false
		}
		n++
	}
	return n > 1
}

// Texts yields the texts of an output as its reader sees them: the complete output or, for JSON,
// its unescaped strings. at maps a range of a text to a range of the output.
func Texts(s string, each func(text string, at func(i, j int) (int, int))) {
	whole := func(text string, base int) {
		each(text, func(i, j int) (int, int) { return base + i, base + j })
	}
	strs := func(s string, base int) {
		(&splitter{each: func(g Segment) { each(g.Text, g.At) }}).json(s, base)
	}
	if trimmed := strings.TrimLeft(s, " \t\r\n"); trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[') && (json.Valid([]byte(s)) || lines(trimmed)) {
		strs(s, 0)
		return
	}
	from := 0 // beginning of the text that is not yielded yet
	for i := 0; i < len(s); {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			j = len(s)
		} else {
			j += i + 1
		}
		if record(s[i:j]) {
			whole(s[from:i], from)
			strs(s[i:j], i)
			from = j
		}
		i = j
	}
	whole(s[from:], from)
}

type splitter struct {
	each    func(Segment) // if set, called with the strings of JSON, which are then not split
	out     []Segment
	carrier Carrier
	block   int
	comment bool // inside <!-- -->
	hide    string
	asides  int    // comments and hidden elements that ended
	opened  [2]int // the first segment of the open comment, and of the open hidden element
	literal bool   // the line is a string in code, or a sample
	table   bool   // the previous line was a row of a table
	samples bool   // the head of the table says that it contains samples
	tests   bool   // it looks like tests of a program
	open    string // the quotes of an open string of several lines
}

// json splits the strings of JSON, including keys, because a model reads both. s begins at byte
// base.
func (sp *splitter) json(s string, base int) {
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		j := i + 1
		escaped := false
		for j < len(s) && s[j] != '"' {
			if s[j] == '\\' {
				escaped = true
				j++
			}
			j++
		}
		if j >= len(s) {
			return
		}
		switch {
		case sp.each != nil && !escaped:
			sp.each(Segment{Start: base + i + 1, End: base + j, Text: s[i+1 : j]})
		case sp.each != nil:
			text, pos := unquote(s[i+1:j], base+i+1)
			sp.each(Segment{Start: base + i + 1, End: base + j, Text: text, pos: append(pos, int32(base+j))})
		case j-i > 8:
			if !escaped {
				sp.text(s[i+1:j], base+i+1, nil)
			} else {
				text, pos := unquote(s[i+1:j], base+i+1)
				sp.text(text, 0, append(pos, int32(base+j)))
			}
		}
		i = j
	}
}

// unquote decodes JSON's escapes and returns the original position of each byte.
func unquote(s string, base int) (string, []int32) {
	b := make([]byte, 0, len(s))
	pos := make([]int32, 0, len(s)+1)
	for i := 0; i < len(s); {
		at, n := i, len(b)
		c := s[i]
		i++
		if c == '\\' && i < len(s) {
			c = s[i]
			i++
			switch c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case 'b', 'f':
				c = ' '
			case 'u':
				r := utf8.RuneError
				if i+4 <= len(s) {
					r = first(`"\u` + s[i:i+4] + `"`)
					i += 4
					if r == utf8.RuneError && i+6 <= len(s) && s[i] == '\\' {
						if r = first(`"` + s[i-6:i+6] + `"`); r != utf8.RuneError {
							i += 6
						}
					}
				}
				b = utf8.AppendRune(b, r)
				for range len(b) - n {
					pos = append(pos, int32(base+at))
				}
				continue
			}
		}
		b = append(b, c)
		pos = append(pos, int32(base+at))
	}
	return string(b), pos
}

// first returns the first character of a JSON string.
func first(literal string) rune {
	var s string
	if json.Unmarshal([]byte(literal), &s) != nil {
		return utf8.RuneError
	}
	c, _ := utf8.DecodeRuneInString(s)
	return c
}

// text splits lines. If pos is not nil, it has the offsets of the bytes of s in the output.
func (sp *splitter) text(s string, base int, pos []int32) {
	for i := 0; i < len(s); {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			j = len(s)
		} else {
			j += i
		}
		sp.block++
		if pos == nil && !sp.comment && sp.hide == "" && record(s[i:j]) {
			sp.json(s[i:j], base+i)
		} else {
			sp.line(s, i, j, base, pos)
		}
		i = j + 1
	}
	sp.block++
}

// record reports whether a line is a JSON object: a body below headers, a line of a log, or a
// member of a list with one per line.
func record(line string) bool {
	line = strings.TrimSuffix(strings.Trim(line, " \t\r"), ",")
	return strings.HasPrefix(line, `{"`) && json.Valid([]byte(line))
}

// emit adds a segment without the white space and quotation marks around it. An escape character
// stays, because it begins a terminal sequence, which package normal removes as a whole.
func (sp *splitter) emit(s string, i, j, base int, pos []int32, prose bool) {
	for i < j && (s[i] <= ' ' && s[i] != 0x1b || s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		i++
	}
	for j > i && (s[j-1] <= ' ' || s[j-1] == '"' || s[j-1] == '\'' || s[j-1] == '`') {
		j--
	}
	if j-i < 6 {
		return
	}
	g := Segment{Start: base + i, End: base + j, Text: s[i:j], Block: sp.block, Hidden: sp.comment || sp.hide != "", Prose: prose, Literal: sp.literal, Carrier: sp.carrier}
	if pos != nil {
		g.Start, g.End, g.pos = int(pos[i]), int(pos[j]), pos[i:j]
	}
	sp.out = append(sp.out, g)
}

// line splits one line. It removes the marks of comments, and separates markup, tables and
// sentences.
func (sp *splitter) line(s string, i, j, base int, pos []int32) {
	begin, first := i, len(sp.out)
	for i < j && strings.IndexByte(" \t\r/#*;->%!", s[i]) >= 0 && !strings.HasPrefix(s[i:j], "-->") && !(s[i] == '-' && i+1 < j && s[i+1] == '>') {
		i++
	}
	for j > i && strings.IndexByte(" \t\r", s[j-1]) >= 0 {
		j--
	}
	if strings.HasSuffix(s[i:j], "*/") {
		j -= 2
	}
	line := s[i:j]
	marked := sp.comment || sp.hide != "" || markup(line)
	if len(line) < 6 && !marked {
		return
	}
	row := strings.Count(line, "|") >= 2
	if !row || !sp.table { // only the head of the table counts: an attacker may plant rows
		sp.samples = row && sample(line)
	}
	sp.table = row
	sp.literal = sp.samples || sp.code(line)
	switch {
	case marked:
		sp.markup(s, i, j, base, pos)
	case row:
		sp.cells(s, i, j, base, pos, "|")
	case strings.Count(line, "\t") >= 2:
		sp.cells(s, i, j, base, pos, "\t")
	case strings.Contains(line, ",\"") && commas(line):
		sp.cells(s, i, j, base, pos, "\"")
	default:
		sp.sentences(s, i, j, base, pos)
		if sp.remark(s[begin:i]) {
			sp.aside(first)
		}
	}
}

// remark reports whether the marks before a line begin or continue a comment of a program.
func (sp *splitter) remark(marks string) bool {
	switch marks = strings.TrimSpace(marks); sp.carrier {
	case Code:
		return marks != "" && marks[0] != '>'
	case Config:
		return strings.HasPrefix(marks, "#")
	}
	return strings.HasPrefix(marks, "//") || strings.HasPrefix(marks, "/*")
}

// aside makes the segments from the given one on one comment or hidden element. It is called at the
// end of the element: one that never ends would make the rest of the output a part of it.
func (sp *splitter) aside(first int) {
	sp.asides++
	for i := first; i < len(sp.out); i++ {
		sp.out[i].Aside = sp.asides
	}
}

// commas reports whether a line is a row of comma-separated values, some of them quoted.
func commas(l string) bool {
	before0, _, _ := strings.Cut(l, ",\"")
	return !strings.ContainsAny(before0, "(={[") && strings.Count(l, "\"")%2 == 0
}

// code reports whether a line is mostly a string in code.
func (sp *splitter) code(l string) bool {
	for _, q := range []string{`"""`, "'''"} {
		switch n := strings.Count(l, q); {
		case sp.open == q:
			if n%2 == 1 {
				sp.open = ""
			}
			return true
		case sp.open == "" && n%2 == 1:
			if before, _, _ := strings.Cut(l, q); strings.ContainsAny(before, "=(") {
				sp.open = q
				return true
			}
		}
	}
	first, last := strings.IndexAny(l, "\"'`"), strings.LastIndexAny(l, "\"'`")
	if last-first < 12 {
		return false
	}
	before, after := l[:first], l[last+1:]
	switch {
	case strings.TrimSpace(before) == "":
		if key, _, ok := strings.Cut(l, `":`); ok { // a line of something like JSON
			return sample(key)
		}
		return strings.HasPrefix(after, ",") || strings.HasPrefix(after, ";") // an element of a list
	case strings.ContainsAny(before, "(") && strings.ContainsAny(after, ")"), strings.Contains(before, "==") || strings.Contains(before, ":="):
		return true
	case strings.HasPrefix(before, "{") && strings.Contains(before, ":"):
		return true
	case strings.HasSuffix(strings.TrimSpace(before), ":") && len(before) < 24:
		return sample(before)
	case strings.Contains(before, "="):
		word, _, _ := strings.Cut(before, " ")
		return sp.tests || strings.HasSuffix(after, ";") || strings.HasSuffix(before, "f") || word == "const" || word == "let" || word == "var" || word == "static" ||
			word == strings.ToUpper(word) && len(word) > 2
	}
	return false
}

// sample reports whether a key or the head of a table announces a sample.
func sample(head string) bool {
	head = strings.ToLower(head)
	return slices.ContainsFunc([]string{"example", "sample", "attack", "payload", "prompt", "phrase", "input", "text:", "query:", "case:"}, func(w string) bool {
		return strings.Contains(head, w) && len(head) < 120
	})
}

func (sp *splitter) cells(s string, i, j, base int, pos []int32, sep string) {
	for i < j {
		k := strings.Index(s[i:j], sep)
		if k < 0 {
			k = j
		} else {
			k += i
		}
		sp.sentences(s, i, k, base, pos)
		sp.block++
		i = k + 1
	}
}

// sentences splits at the ends of sentences.
func (sp *splitter) sentences(s string, i, j, base int, pos []int32) {
	from := i
	for k := i; k < j; k++ {
		c := s[k]
		end := false
		switch {
		case (c == '.' || c == '!' || c == '?') && k+2 < j && (s[k+1] == ' ' || s[k+1] == '\t'):
			// "e.g. x", "1. x" and "Mr. x" do not end a sentence
			end = k-from > 6 && !(s[k+2] >= 'a' && s[k+2] <= 'z')
		case c == 0xe3 && strings.HasPrefix(s[k:j], "。"), c == 0xef && (strings.HasPrefix(s[k:j], "！") || strings.HasPrefix(s[k:j], "？")):
			k += 2
			end = true
		case k-from > 600 && c == ' ':
			end = true
		}
		if end {
			sp.emit(s, from, k+1, base, pos, true)
			from = k + 1
		}
	}
	if from < j {
		sp.emit(s, from, j, base, pos, true)
	}
}
