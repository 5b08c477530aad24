package inject

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Label returns the length of the prefix of the segment that only labels it: a number, a time, a
// level, a key, an author. It may stay when the rest is replaced.
func (s *Segment) Label() int {
	t := s.Text
	i := 0
	for k := 0; k < 6 && i < len(t); k++ {
		n := label(t[i:])
		if n > 0 {
			n += len(t[i+n:]) - len(strings.TrimLeft(t[i+n:], " \t"))
		}
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
		if stamp(word) || place(word) {
			return end + 1
		}
		if tag, ok := strings.CutPrefix(word, "@"); ok && plainLabel(tag) && called(tag) { // a tag of a doc comment
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
	if n := column(t); n > 0 {
		return n
	}
	if n := statement(t); n > 0 {
		return n
	}
	if n := enumerated(t); n > 0 {
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
	if k > 0 && k+1 < len(t) && t[k] == ':' && !strings.ContainsRune(" \t\"'", rune(t[k+1])) && t[k+1] < utf8.RuneSelf { // "https://", "12:30", "C:\\"
		return 0
	}
	if k <= 0 || (k > 28 || strings.Count(t[:k], " ") > 2 || !plainLabel(t[:k])) && (t[k] == '=' || !heading(t[:k])) {
		return 0
	}
	for k++; k < len(t) && strings.IndexByte(" \"'", t[k]) >= 0; k++ {
	}
	return k
}

func wordy(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c) }

// column returns the length of a cell that spaces separate from the next one, as in an aligned
// table.
func column(t string) int {
	k := strings.Index(t[:min(len(t), 48)], "  ")
	if k <= 0 || !heading(strings.TrimSuffix(t[:k], ":")) && !stamp(t[:k]) {
		return 0
	}
	for k < len(t) && strings.IndexByte(" :\"'", t[k]) >= 0 {
		k++
	}
	return k
}

// stamp reports whether a word is a number, a date or a time, in digits of any script.
func stamp(word string) bool {
	digits := false
	for _, c := range word {
		switch {
		case unicode.IsDigit(c):
			digits = true
		case !strings.ContainsRune("TZ:.,+/()-", c):
			return false
		}
	}
	return digits
}

// enumerated returns the length of "B. ", "Note 4. ", "(c) " or a template's "{{Tip|": one word is
// not an order.
func enumerated(t string) int {
	if strings.HasPrefix(t, "{{") {
		if k := strings.IndexByte(t, '|'); k > 2 && short(t[2:k], 10) {
			return k + 1
		}
		return 0
	}
	k := strings.IndexAny(t[:min(len(t), 16)], ".)")
	if k <= 0 || k+1 >= len(t) || t[k+1] != ' ' {
		return 0
	}
	l := strings.TrimPrefix(t[:k], "(")
	word := strings.TrimRightFunc(l, unicode.IsDigit)
	if len(word) < len(l) && short(strings.TrimSpace(word), 6) || utf8.RuneCountInString(l) == 1 {
		return k + 2
	}
	return 0
}

// short reports whether l is at most one word, with no more letters than most, in a script that
// separates words.
func short(l string, most int) bool {
	return utf8.RuneCountInString(l) <= most && !dense(l) && strings.IndexFunc(l, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) }) < 0
}

// dense reports whether l has a script that does not separate words: a few characters of it can be
// an order.
func dense(l string) bool {
	return strings.IndexFunc(l, func(c rune) bool {
		return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}) >= 0
}

// heading reports whether a label of a few words, in any script, asks for nothing, calls nobody,
// and says nothing about a model's instructions.
func heading(l string) bool {
	if len(l) > 64 || strings.IndexFunc(l, func(c rune) bool { return !wordy(c) && !strings.ContainsRune(" _.,-+/#()[]%&'*", c) }) >= 0 {
		return false
	}
	most := 3 // fewer in languages whose words for actions are less complete
	if strings.IndexFunc(l, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 {
		most = 4
	}
	words, action := bidden(l)
	return !action && words <= most && !dense(l) && silent(l)
}

// field returns the length of a table cell or JSON member before the text.
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

// name returns the length of an author's name at the beginning of the text, in any script.
func name(t string) int {
	for _, sep := range [...]string{": ", "：", " – ", " — "} {
		if k := strings.Index(t[:min(len(t), 72)], sep); k > 0 && called(t[:k]) {
			k += len(sep)
			return k + len(t[k:]) - len(strings.TrimLeft(t[k:], " \"'“„«"))
		}
	}
	return 0
}

// called reports whether a text is a name or a value: at most two words that ask for nothing.
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
	_, action := bidden(l)
	return !action
}

// bidden counts the words of a label, however they are joined, and reports whether one of them is a
// action: "send_all_keys" is as much an order as "send all keys".
func bidden(l string) (words int, action bool) {
	list := strings.FieldsFunc(l, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsMark(c) })
	for _, m := range actionAutomaton().scan(fold(strings.Join(list, " ")).b, nil) {
		action = action || m.concept < objectSecret
	}
	return len(slices.DeleteFunc(list, func(w string) bool { return len(w) == 1 })), action
}

// Tail returns the start of the suffix of the segment that closes what began before it: quotation
// marks, brackets, and the rest of a record after a value.
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
	label := s.Label()
	for end := len(t); end > label; {
		c, size := utf8.DecodeLastRuneInString(t[:end])
		if !strings.ContainsRune("\"'”»」』】）)]}>*_,", c) || closes(t[label:end-size], c) {
			return end
		}
		end -= size
	}
	return len(t)
}

// closes reports whether c closes a mark that t opens.
func closes(t string, c rune) bool {
	switch i := strings.IndexRune("”»」』】）)]}>", c); {
	case i >= 0:
		opener := map[rune]string{'”': "“", '»': "«", '」': "「", '』': "『", '】': "【", '）': "（", ')': "(", ']': "[", '}': "{", '>': "<"}[c]
		return strings.Count(t, opener) > strings.Count(t, string(c))
	case c == '"' || c == '*' || c == '_':
		return strings.Count(t, string(c))%2 == 1
	case c == '\'':
		return strings.Contains(t, " '")
	}
	return false
}

// statement returns the length of a statement of code and of the mark of the comment after it. The
// statement has few words, however they are joined, because an order could pretend to be code.
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

// place reports whether a word is a position in a file, as search tools write it: "a/b.go:12:".
func place(word string) bool {
	name, line, ok := strings.Cut(strings.TrimSuffix(word, ":"), ":")
	if words, action := bidden(name); action && words > 5 || words > 2 && dense(name) || utf8.RuneCountInString(name) > 12 && dense(name) {
		return false // an order with a number after it
	}
	return ok && word[len(word)-1] == ':' && line != "" && strings.Trim(line, "0123456789:") == "" && strings.ContainsAny(name, "./")
}

// plainLabel reports whether a label has only ordinary characters, and no words that speak to a
// model or ask for much.
func plainLabel(l string) bool {
	for i := 0; i < len(l); i++ {
		if c := l[i]; !(c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(" _.,-+/#()[]", c) >= 0) {
			return false
		}
	}
	words, action := bidden(l)
	return silent(l) && !(action && words > 3) // the limit of words in a label, however they are joined
}

// silent reports whether nothing in l speaks to a model or about its instructions.
func silent(l string) bool {
	const telling = 1<<Vocative | 1<<Reader | 1<<Template | 1<<RoleLine | 1<<System | 1<<Override | 1<<Urgent | 1<<Authority | 1<<New | 1<<Instr
	return !slices.ContainsFunc(machine().scan(fold(l).b, nil), func(m mention) bool { return telling&bit(m.concept) != 0 })
}
