package classify

import (
	"strings"
	"unicode/utf8"
)

// pyToken is a token of a Python program.
type pyToken struct {
	kind byte // n: a name, s: a string literal, 0: a number, o: an operator, l: the end of a line
	text string
}

const maxInline = 64 << 10 // bytes of a program on a command line; a longer one is not read

// lexPython splits a program into tokens. It returns false for text that Python may read
// differently: an unclosed string, an unbalanced brace in an f-string, or a character that Python
// normalizes. Text in braces in an f-string is code.
func lexPython(text string, depth int) (ts []pyToken, ok bool) {
	if depth > 4 || len(text) > maxInline || strings.Contains(text, "\u27e8?\u27e9") {
		return nil, false
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n' || c == ';':
			ts = append(ts, pyToken{'l', "\n"})
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\\':
			if i+1 >= len(text) || text[i+1] != '\n' {
				return nil, false
			}
			i += 2
		case c == '#':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
		case c == '"' || c == '\'':
			body, n := pyString(text[i:])
			if n == 0 {
				return nil, false
			}
			ts = append(ts, pyToken{'s', body})
			i += n
		case c >= '0' && c <= '9':
			n := 1
			for i+n < len(text) && (text[i+n] == '_' || text[i+n] == '.' || text[i+n]|0x20 >= 'a' && text[i+n]|0x20 <= 'z' || text[i+n] >= '0' && text[i+n] <= '9') {
				n++
			}
			if strings.Contains(text[i:i+n], "..") || strings.IndexByte(text[i:i+n], '.') >= 0 && pyMember(text[i:i+n]) {
				return nil, false // 1.real
			}
			ts = append(ts, pyToken{'0', text[i : i+n]})
			i += n
		case c >= 0x80: // outside of strings it is part of a name, and Python normalizes names
			r, size := utf8.DecodeRuneInString(text[i:])
			if !stays(r) {
				return nil, false
			}
			ts = append(ts, pyToken{'o', "?"})
			i += size
		default:
			n := nameLen(text[i:])
			if n == 0 {
				ts = append(ts, pyToken{'o', text[i : i+1]})
				i++
				continue
			}
			name := text[i : i+n]
			if i+n < len(text) && (text[i+n] == '"' || text[i+n] == '\'') {
				switch strings.ToLower(name) {
				case "r", "b", "u", "rb", "br":
					i += n
					continue
				case "f", "fr", "rf", "t", "tr", "rt":
					body, size := pyString(text[i+n:])
					parts, whole := pyFormat(body, depth)
					if size == 0 || !whole {
						return nil, false
					}
					ts = append(append(append(ts, pyToken{'s', "{}"}, pyToken{'o', "%"}, pyToken{'o', "("}), parts...), pyToken{'o', ")"})
					i += n + size
					continue
				}
				return nil, false
			}
			ts = append(ts, pyToken{'n', name})
			i += n
		}
	}
	return ts, true
}

// pyMember reports whether a member's name follows a number.
func pyMember(s string) bool {
	_, frac, _ := strings.Cut(s, ".")
	return strings.Trim(strings.ToLower(frac), "0123456789_ej") != ""
}

// pyString returns the content of the string literal at the beginning of s, and its length with the
// quotes, or 0 if the literal has no end.
func pyString(s string) (body string, n int) {
	q := s[:1]
	if strings.HasPrefix(s, q+q+q) {
		q = s[:3]
	}
	for i := len(q); i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], q):
			return s[len(q):i], i + len(q)
		case s[i] == '\n' && len(q) == 1:
			return "", 0
		}
	}
	return "", 0
}

// pyFormat returns the tokens of the code in the braces of an f-string, or false if it cannot read
// them.
func pyFormat(s string, depth int) (ts []pyToken, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && strings.HasPrefix(s[i:], `\N{`) {
			return nil, false
		}
		if s[i] == '{' && i+1 < len(s) && s[i+1] == '{' || s[i] == '}' && i+1 < len(s) && s[i+1] == '}' {
			i++
			continue
		}
		if s[i] == '}' {
			return nil, false
		}
		if s[i] != '{' {
			continue
		}
		open, end := 1, i+1
		for ; end < len(s) && open > 0; end++ {
			switch s[end] {
			case '{':
				open++
			case '}':
				open--
			}
		}
		if open > 0 {
			return nil, false
		}
		part, ok := lexPython(s[i+1:end-1], depth+1)
		if !ok {
			return nil, false
		}
		ts = append(append(ts, part...), pyToken{'o', ","})
		i = end - 1
	}
	return ts, true
}

// stays reports whether Python keeps a character in a name as it is. Python turns full-width and
// mathematical letters into plain ones.
func stays(r rune) bool {
	switch {
	case r >= 0xa1 && r <= 0xff: // Latin, without superscript letters and digits
		return r != 0xaa && r != 0xba && r != 0xad && r != 0xb2 && r != 0xb3 && r != 0xb9
	case r >= 0x400 && r <= 0x45f: // Cyrillic
		return true
	case r >= 0x2010 && r <= 0x2026, r >= 0x2190 && r <= 0x21ff, r >= 0x2500 && r <= 0x27bf: // dashes, quotes, arrows, boxes, marks
		return true
	case r >= 0x3040 && r <= 0x309a, r >= 0x30a0 && r <= 0x30fe, r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // kana, Han, Hangul
		return true
	}
	return r == 0xfe0f || r >= 0x1f300 && r <= 0x1faff // emoji
}

func nameLen(s string) int {
	for i := range len(s) {
		if c := s[i]; c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(s)
}
