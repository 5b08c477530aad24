package inject

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Segment is a part of a tool's output that is judged, and replaced, by itself.
type Segment struct {
	Start, End int // bytes of the output
	Text       string
	Block      int  // segments of the same block stand side by side: sentences of a line
	Hidden     bool // a reader would not see it: a comment of markup, an element that is not displayed
	Prose      bool // it is not code by its looks
	Literal    bool // it is a string in code: a test, a prompt, a message
	Carrier    Carrier

	pos []int32 // by byte of Text, where it is in the output; nil if Text is output[Start:End]
}

// At returns the bytes of the output that say Text[i:j].
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

// Segments splits an output into what can be judged: sentences, comments, values of JSON,
// the text, attributes and comments of markup, cells of tables.
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

type splitter struct {
	out     []Segment
	carrier Carrier
	block   int
	comment bool // inside <!-- -->
	hide    string
	literal bool   // the line is a string in code, or a sample
	table   bool   // the line before was a row of one
	samples bool   // the table is one of samples, as its head says
	tests   bool   // it looks like tests of a program
	open    string // the quotes of a string of many lines
}

// json takes the strings of JSON, keys too: both are read. It begins at the byte base.
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
		if j-i > 8 {
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

// unquote undoes JSON's escapes and keeps where each byte was.
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

// first is the first character of a JSON string.
func first(literal string) rune {
	var s string
	if json.Unmarshal([]byte(literal), &s) != nil {
		return utf8.RuneError
	}
	c, _ := utf8.DecodeRuneInString(s)
	return c
}

// text splits lines. pos, if not nil, has where the bytes of s are in the output.
func (sp *splitter) text(s string, base int, pos []int32) {
	for i := 0; i < len(s); {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			j = len(s)
		} else {
			j += i
		}
		sp.block++
		if pos == nil && strings.HasPrefix(s[i:j], `{"`) && !sp.comment && sp.hide == "" && json.Valid([]byte(s[i:j])) {
			sp.json(s[i:j], base+i) // a body below headers, or a line of a log
		} else {
			sp.line(s, i, j, base, pos)
		}
		i = j + 1
	}
	sp.block++
}

func (sp *splitter) emit(s string, i, j, base int, pos []int32, hidden, prose bool) {
	for i < j && (s[i] <= ' ' || s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		i++
	}
	for j > i && (s[j-1] <= ' ' || s[j-1] == '"' || s[j-1] == '\'' || s[j-1] == '`') {
		j--
	}
	if j-i < 6 {
		return
	}
	g := Segment{Start: base + i, End: base + j, Text: s[i:j], Block: sp.block, Hidden: hidden || sp.comment || sp.hide != "", Prose: prose, Literal: sp.literal, Carrier: sp.carrier}
	if pos != nil {
		g.Start, g.End, g.pos = int(pos[i]), int(pos[j]), pos[i:j]
	}
	sp.out = append(sp.out, g)
}

// line splits one line: the marks of comments go, markup and tables come apart, and what
// is left is sentences.
func (sp *splitter) line(s string, i, j, base int, pos []int32) {
	for i < j && strings.IndexByte(" \t\r/#*;->%!", s[i]) >= 0 && !strings.HasPrefix(s[i:j], "-->") && !(s[i] == '-' && i+1 < j && s[i+1] == '>') {
		i++
	}
	for j > i && strings.IndexByte(" \t\r", s[j-1]) >= 0 {
		j--
	}
	if strings.HasSuffix(s[i:j], "*/") {
		j -= 2
	}
	if j-i < 6 {
		if strings.Contains(s[i:j], "-->") {
			sp.comment = false
		}
		return
	}
	line := s[i:j]
	row := strings.Count(line, "|") >= 2
	if !row || !sp.table { // only its head says so: rows may be planted
		sp.samples = row && sample(line)
	}
	sp.table = row
	sp.literal = sp.samples || sp.code(line)
	switch {
	case sp.comment || sp.hide != "" || markup(line):
		sp.markup(s, i, j, base, pos)
	case row:
		sp.cells(s, i, j, base, pos, "|")
	case strings.Count(line, "\t") >= 2:
		sp.cells(s, i, j, base, pos, "\t")
	case strings.Contains(line, ",\"") && commas(line):
		sp.cells(s, i, j, base, pos, "\"")
	default:
		sp.sentences(s, i, j, base, pos)
	}
}

// commas reports whether a line is a row of values with commas between, some in quotes.
func commas(l string) bool {
	k := strings.Index(l, ",\"")
	return !strings.ContainsAny(l[:k], "(={[") && strings.Count(l, "\"")%2 == 0
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
		return strings.HasPrefix(after, ",") || strings.HasPrefix(after, ";") // of a list
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

// sample reports whether a key or the head of a table says that what follows is a sample.
func sample(head string) bool {
	head = strings.ToLower(head)
	for _, w := range [...]string{"example", "sample", "attack", "payload", "prompt", "phrase", "input", "text:", "query:", "case:"} {
		if strings.Contains(head, w) && len(head) < 120 {
			return true
		}
	}
	return false
}

func markup(l string) bool {
	for k := strings.IndexByte(l, '<'); k >= 0 && k+1 < len(l); {
		c := l[k+1]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c == '!' || c == '/' {
			return true
		}
		n := strings.IndexByte(l[k+1:], '<')
		if n < 0 {
			return false
		}
		k += 1 + n
	}
	return false
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

// markup splits a line of HTML or XML, and what goes on from the lines before.
func (sp *splitter) markup(s string, i, j, base int, pos []int32) {
	for i < j {
		if sp.comment {
			k := strings.Index(s[i:j], "-->")
			if k < 0 {
				sp.sentences(s, i, j, base, pos)
				return
			}
			sp.sentences(s, i, i+k, base, pos)
			sp.comment = false
			sp.block++
			i += k + 3
			continue
		}
		k := strings.IndexByte(s[i:j], '<')
		if k < 0 {
			sp.sentences(s, i, j, base, pos)
			return
		}
		k += i
		if k > i {
			sp.sentences(s, i, k, base, pos)
		}
		if strings.HasPrefix(s[k:j], "<!--") {
			sp.block++
			sp.comment = true
			i = k + 4
			continue
		}
		if k+1 >= j || !(s[k+1]|0x20 >= 'a' && s[k+1]|0x20 <= 'z' || s[k+1] == '/' || s[k+1] == '!') {
			sp.sentences(s, k, min(j, k+1), base, pos)
			i = k + 1
			continue
		}
		end := tagEnd(s[k:j]) + k
		sp.tag(s, k, end, base, pos)
		i = end
	}
}

// tagEnd returns the length of a tag: to its ">", outside of quotes if there is one.
func tagEnd(s string) int {
	quote := byte(0)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && s[i-1] == '=':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	if i := strings.IndexByte(s, '>'); i >= 0 {
		return i + 1
	}
	return len(s)
}

var unseen = []string{"display:none", "display: none", "visibility:hidden", "visibility: hidden", "font-size:0", "font-size: 0", "opacity:0", "opacity: 0", "color:white", "color: white", "color:#fff", "color: #fff", " hidden", "left:-9999", "left: -9999", "aria-hidden"}

// tag takes a tag's attributes, and notes whether what follows can be seen.
func (sp *splitter) tag(s string, i, j, base int, pos []int32) {
	t := s[i:j]
	name := strings.ToLower(tagName(t))
	if t[1] == '/' {
		if sp.hide != "" && name == sp.hide {
			sp.hide = ""
		}
	} else {
		if l := strings.ToLower(t); sp.hide == "" && !strings.HasSuffix(t, "/>") && !void[name] {
			for _, u := range unseen {
				if strings.Contains(l, u) {
					sp.hide = name
					break
				}
			}
		}
	}
	for k := 0; k < len(t); k++ {
		if t[k] != '=' || k+1 >= len(t) || t[k+1] != '"' && t[k+1] != '\'' {
			continue
		}
		e := strings.IndexByte(t[k+2:], t[k+1])
		if e < 0 {
			return
		}
		if e > 12 && strings.IndexByte(t[k+2:k+2+e], ' ') >= 0 {
			sp.block++
			sp.sentences(s, i+k+2, i+k+2+e, base, pos)
		}
		k += 2 + e
	}
	if inline[name] {
		return
	}
	sp.block++
}

var void = map[string]bool{"img": true, "br": true, "hr": true, "input": true, "meta": true, "link": true}
var inline = map[string]bool{"b": true, "i": true, "em": true, "strong": true, "a": true, "code": true, "span": true, "br": true}

func tagName(t string) string {
	i := 1
	if i < len(t) && t[i] == '/' {
		i++
	}
	j := i
	for j < len(t) && (t[j]|0x20 >= 'a' && t[j]|0x20 <= 'z' || t[j] >= '0' && t[j] <= '9') {
		j++
	}
	return t[i:j]
}

// sentences splits at the ends of sentences.
func (sp *splitter) sentences(s string, i, j, base int, pos []int32) {
	from := i
	for k := i; k < j; k++ {
		c := s[k]
		end := false
		switch {
		case (c == '.' || c == '!' || c == '?') && k+2 < j && (s[k+1] == ' ' || s[k+1] == '\t'):
			// "e.g. x", "1. x" and "Mr. x" are no ends
			end = k-from > 6 && !(s[k+2] >= 'a' && s[k+2] <= 'z')
		case c == 0xe3 && strings.HasPrefix(s[k:j], "。"), c == 0xef && (strings.HasPrefix(s[k:j], "！") || strings.HasPrefix(s[k:j], "？")):
			k += 2
			end = true
		case k-from > 600 && c == ' ':
			end = true
		}
		if end {
			sp.emit(s, from, k+1, base, pos, false, true)
			from = k + 1
		}
	}
	if from < j {
		sp.emit(s, from, j, base, pos, false, true)
	}
}

// Label returns how long the begin of the segment is that only says what it is: a number, a
// time, a level, a key, who wrote it. It may stay when the rest is replaced.
func (s *Segment) Label() int {
	t := s.Text
	i := 0
	for k := 0; k < 6 && i < len(t); k++ {
		n := label(t[i:])
		if n == 0 || len(t)-i-n < 12 {
			break
		}
		i += n
	}
	return i
}

func label(t string) int {
	if end := strings.IndexByte(t, ' '); end > 0 {
		word := t[:end]
		if strings.Trim(word, "0123456789TZ:.,+/()-") == "" && strings.ContainsAny(word, "0123456789") || place(word) {
			return end + 1
		}
		if tag, ok := strings.CutPrefix(word, "@"); ok && plainLabel(tag) && called(tag) { // of a comment that documents
			return end + 1
		}
		switch word {
		case "INFO", "WARN", "WARNING", "ERROR", "DEBUG", "NOTICE", "TRACE", "FATAL", "npm", "E":
			return len(t) - len(strings.TrimLeft(t[end:], " "))
		}
	}
	if end := strings.IndexAny(t, " \t"); end > 0 && end <= 24 && strings.IndexFunc(t[:end], wordy) < 0 { // a mark, stars, a bullet
		return len(t) - len(strings.TrimLeft(t[end:], " \t"))
	}
	if n := statement(t); n > 0 {
		return n
	}
	if n := field(t); n > 0 {
		return n
	}
	if t[0] == '(' {
		return 1
	}
	if t[0] == '[' {
		if k := strings.Index(t, "] "); k > 0 && k < 32 && (plainLabel(t[1:k]) || strings.Trim(t[1:k], "0123456789TZ:.,+/- ") == "") {
			return k + 2
		}
		return 0
	}
	if n := name(t); n > 0 {
		return n
	}
	k := strings.IndexAny(t, ":=")
	if k <= 0 || k > 28 || strings.Count(t[:k], " ") > 2 || !plainLabel(t[:k]) {
		return 0
	}
	for k++; k < len(t) && strings.IndexByte(" \"'", t[k]) >= 0; k++ {
	}
	return k
}

func wordy(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) }

// field returns how long a cell of a table or a member of JSON is that stands before the text.
func field(t string) int {
	head := t[:min(len(t), 48)]
	if i := strings.IndexByte(head, '"'); i >= 0 && i <= 1 && strings.Trim(head[:i], "{,") == "" {
		key, rest, ok := strings.Cut(head[i+1:], "\":")
		if !ok || len(key) > 24 || !plainLabel(key) {
			return 0
		}
		n := i + 1 + len(key) + 2
		if text, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "\""); ok {
			return n + len(rest) - len(text)
		}
		if value := strings.IndexByte(rest, ','); value > 0 && strings.Trim(rest[:value], " 0123456789.-truefalsn") == "" {
			return n + value
		}
		return 0
	}
	k := strings.IndexAny(head, ";|\t,")
	if k <= 0 || k > 24 || k+1 == len(t) || t[k+1] == ' ' || t[k] == ',' && strings.Trim(t[:k], "0123456789.-") != "" || !called(t[:k]) {
		return 0
	}
	return k + 1
}

// name returns how long it is said for at the begin of the text who wrote it, in any script.
func name(t string) int {
	for _, sep := range [...]string{": ", "：", " – ", " — "} {
		if k := strings.Index(t[:min(len(t), 72)], sep); k > 0 && called(t[:k]) {
			k += len(sep)
			return k + len(t[k:]) - len(strings.TrimLeft(t[k:], " \"'“„«"))
		}
	}
	return 0
}

// called reports whether a text is a name or a value: two words at most, where words are told
// apart, that ask for nothing.
func called(l string) bool {
	const most, mostDense = 24, 5 // runes
	n, dense := 0, false
	for _, c := range l {
		if !wordy(c) && !strings.ContainsRune(" _.,-+/#()[]%&'*★", c) {
			return false
		}
		n++
		dense = dense || unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}
	if n > most || dense && n > mostDense || len(strings.Fields(l)) > 2 || !silent(l) {
		return false
	}
	_, deed := bidden(l)
	return !deed
}

// bidden counts the words of a label, however they are joined, and reports whether one is for
// something to be done: "send_all_keys" is an order as much as "send all keys".
func bidden(l string) (words int, deed bool) {
	list := strings.FieldsFunc(l, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) })
	for _, m := range deedMachine().scan(fold(strings.Join(list, " ")).b, nil) {
		deed = deed || m.concept < thingSecret
	}
	return len(slices.DeleteFunc(list, func(w string) bool { return len(w) == 1 })), deed
}

// Tail returns where the end of the segment begins that closes what stood open before it:
// quotation marks and brackets, and what a record says after a value.
func (s *Segment) Tail() int {
	t := s.Text
	shut := strings.LastIndexAny(t, "\"”»")
	if shut > 0 {
		_, size := utf8.DecodeRuneInString(t[shut:])
		rest := t[shut+size:]
		plain := len(rest) <= 64
		for _, word := range strings.Fields(rest) {
			key, value, ok := strings.Cut(strings.Trim(word, "[]{}(),;"), "=")
			plain = plain && (ok && called(key) && len(value) <= 24 && called(value) || strings.IndexFunc(word, wordy) < 0)
		}
		if plain && len(t)-shut < len(t)/2 {
			return shut
		}
	}
	for end := len(t); end > 0; {
		c, size := utf8.DecodeLastRuneInString(t[:end])
		if !strings.ContainsRune("\"'”»)]}>*_,", c) {
			return end
		}
		end -= size
	}
	return len(t)
}

// statement returns how long a statement of code is that a comment comes after, with the
// comment's mark. It has few words, however they are joined: an order that pretends to be code is none.
func statement(t string) int {
	head := t[:min(len(t), 100)]
	for _, mark := range [...]string{" // ", " # ", " -- ", " /* "} {
		k := strings.Index(head, mark)
		if k <= 0 || strings.IndexByte(";{}),:", head[k-1]) < 0 {
			continue
		}
		words := strings.FieldsFunc(head[:k], func(c rune) bool { return (c|0x20 < 'a' || c|0x20 > 'z') && c < utf8.RuneSelf })
		words = slices.DeleteFunc(words, func(w string) bool { return len(w) == 1 })
		if len(words) <= 4 && plainLabel(strings.Map(func(c rune) rune {
			if strings.ContainsRune("=;{}<>*&|!:\"'", c) {
				return ' '
			}
			return c
		}, head[:k])) {
			return k + len(mark)
		}
	}
	return 0
}

// place reports whether a word is a line of a file, as tools that search say it: "a/b.go:12:".
func place(word string) bool {
	name, line, ok := strings.Cut(strings.TrimSuffix(word, ":"), ":")
	return ok && word[len(word)-1] == ':' && line != "" && strings.Trim(line, "0123456789:") == "" && strings.ContainsAny(name, "./")
}

// plainLabel reports whether nothing of the lexicon stands in a label, but what all texts
// have.
func plainLabel(l string) bool {
	for i := 0; i < len(l); i++ {
		if c := l[i]; !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(" _.,-+/#()[]", c) >= 0) {
			return false
		}
	}
	words, deed := bidden(l)
	return silent(l) && !(deed && words > 3) // as many as a label may have, however they are joined
}

// silent reports whether nothing in l speaks to a model, or of what it was told.
func silent(l string) bool {
	const telling = 1<<Vocative | 1<<Reader | 1<<Template | 1<<RoleLine | 1<<System | 1<<Override | 1<<Urgent | 1<<Authority | 1<<New | 1<<Instr
	for _, m := range machine().scan(fold(l).b, nil) {
		if telling&bit(m.concept) != 0 {
			return false
		}
	}
	return true
}
